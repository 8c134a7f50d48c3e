// SPDX-License-Identifier: MIT
// What was shown, as a clip: graded, and written by the same writers as in the tool.
#define STUDIO_INSIDE
#include "studio.h"

#include "base/error.h"
#include "base/memory.h"
#include "lope/bvh.h"
#include "lope/draw.h"
#include "lope/glb.h"

struct studio_film {
    lope_clip *clip;
};

studio_film *studio_film_create(const lope_skeleton *skeleton, const char *name, int frames, double rate)
{
    lope_error *error = studio_failure();
    studio_film *film = lope_alloc_zero(sizeof *film);
    if (!film) {
        lope_fail_memory(error);
        return NULL;
    }
    if (lope_clip_create(skeleton, name, frames, rate, LOPE_CLIP_CONTACTS, &film->clip, error) == LOPE_OK)
        return film;
    lope_free(film);
    return NULL;
}

void studio_film_destroy(studio_film *film)
{
    if (film)
        lope_clip_destroy(film->clip);
    lope_free(film);
}

void studio_film_put(studio_film *film, int frame, const float *pose, int contacts)
{
    const lope_skeleton *skeleton = film->clip->skeleton;
    const lope_transform *model = (const lope_transform *)(const void *)pose;
    lope_quat *rotations = film->clip->rotations + (size_t)frame * (size_t)skeleton->joint_count;
    film->clip->root[frame] = model[0].translation;
    film->clip->contacts[frame] = (uint16_t)contacts;
    for (int j = 0; j < skeleton->joint_count; j++) {
        int parent = skeleton->parents[j];
        rotations[j] = parent < 0 ? model[j].rotation
                                  : lope_quat_mul(lope_quat_conjugate(model[parent].rotation), model[j].rotation);
    }
}

void studio_film_finish(studio_film *film)
{
    lope_clip_align_quaternions(film->clip);
}

lope_status studio_film_grade(const studio_film *film, float *out)
{
    lope_grade_def def = lope_grade_def_default();
    lope_grade grade;
    def.floor = 0.0f;
    lope_status status = lope_clip_grade(film->clip, &def, &grade, studio_failure());
    if (status)
        return status;
    out[0] = grade.skate;
    out[1] = grade.planted_skate;
    out[2] = grade.jerk_mean;
    out[3] = grade.jerk_999;
    out[4] = grade.penetration;
    out[5] = grade.penetration_share;
    return LOPE_OK;
}

lope_status studio_film_bvh(const studio_film *film)
{
    return lope_bvh_write(film->clip, "film.bvh", 100.0f, studio_failure());
}

lope_status studio_film_glb(const studio_film *film)
{
    const lope_clip *clip = film->clip;
    return lope_glb_write(&clip, 1, "film.glb", studio_failure());
}

lope_status studio_film_svg(const studio_film *film, bool dark)
{
    lope_draw_def def = lope_draw_def_default();
    def.dark = dark;
    return lope_draw(film->clip, &def, "film.svg", studio_failure());
}
