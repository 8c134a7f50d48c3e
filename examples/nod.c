// SPDX-License-Identifier: MIT
// A controller of one's own: somebody walks, stops on the way, nods three times and walks on. The controller
// is the table NOD; the hand-over fades into it and out of it, and feet that stand stay where they are.
//
//   cc nod.c $(pkg-config --cflags --libs lope) -o nod && ./nod walk.lope
#include <lope/lope.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

// Keeps the pose that it was entered with and nods. Any pose will do, so it always fits while the feet carry.
typedef struct nod {
    lope_pose pose;
    lope_vec3 translations[256];
    lope_quat rotations[256];
    uint16_t contacts;
    float height, seconds;
    int head;
} nod;

static float nod_fit(void *self, const lope_moment *moment, const lope_aim *aim)
{
    (void)self, (void)aim;
    bool stands = moment->contacts & LOPE_CONTACT_LEFT_FOOT && moment->contacts & LOPE_CONTACT_RIGHT_FOOT;
    return stands ? lope_v3_length(moment->speeds[8]) * 0.1f : INFINITY; // the slower the hips, the better
}

static lope_status nod_enter(void *self, const lope_moment *moment, const lope_aim *aim, lope_error *error)
{
    (void)aim, (void)error;
    nod *n = self;
    size_t joints = (size_t)moment->skeleton->joint_count;
    memcpy(n->rotations, moment->now.rotations, joints * sizeof *n->rotations);
    memcpy(n->translations, moment->now.translations, joints * sizeof *n->translations);
    n->pose = (lope_pose){(int)joints, moment->now.root, n->rotations, n->translations};
    n->contacts = moment->contacts;
    n->height = moment->height;
    n->head = moment->skeleton->roles[LOPE_HEAD];
    n->seconds = 0.0f;
    return LOPE_OK;
}

static void nod_aim(void *self, const lope_aim *aim)
{
    (void)self, (void)aim;
}

static void nod_advance(void *self, float dt)
{
    ((nod *)self)->seconds += dt;
}

static void nod_moment(void *self, lope_moment *out)
{
    nod *n = self;
    lope_pose_lerp(&n->pose, &n->pose, 0.0f, &out->now); // a copy into the buffers of `out`
    float angle = 0.3f * (1.0f - cosf(n->seconds * 2.0f * (float)LOPE_PI));
    lope_quat *head = &out->now.rotations[n->head > 0 ? n->head : 0];
    if (n->head > 0)
        *head = lope_quat_mul(*head, lope_quat_axis_angle(lope_v3(1.0f, 0.0f, 0.0f), angle));
    out->contacts = n->contacts;
    out->height = n->height;
}

static bool nod_may_leave(const void *self)
{
    return ((const nod *)self)->seconds >= 3.0f;
}

static const lope_controller NOD = {"nod", nod_fit, nod_enter, nod_aim, nod_advance, nod_moment, nod_may_leave};

static int fail(const lope_error *error)
{
    fprintf(stderr, "%s\n", error->message);
    return 1;
}

int main(int argc, char **argv)
{
    static nod nodding;
    lope_error error = {0};
    lope_mobility *map = NULL;
    lope_walker *walker;
    lope_handover *body;
    if (lope_mobility_open(argc > 1 ? argv[1] : "walk.lope", &map, &error) != LOPE_OK ||
        lope_mobility_learn_entries(map, &error) != LOPE_OK)
        return fail(&error);
    const lope_skeleton *skeleton = lope_mobility_set(map)->skeleton;
    lope_walker_def def = lope_walker_def_default();
    lope_handover_def change = lope_handover_def_default(skeleton);
    void *memory = aligned_alloc(16, lope_walker_size(map)), *more = aligned_alloc(16, lope_handover_size(skeleton));
    if (!memory || !more || skeleton->joint_count > 256)
        return 1;
    if (lope_walker_init(memory, map, &def, -1, (lope_ground){0, 0, 0}, &walker, &error) != LOPE_OK ||
        lope_handover_init(more, &change, &body, &error) != LOPE_OK)
        return fail(&error);

    lope_aim aim = {.place = {0.0f, 0.0f, 6.0f}, .facing = NAN, .stop = true};
    lope_handover_begin(body, lope_walker_controller(), walker);
    lope_walker_controller()->aim(walker, &aim);
    double seconds = 0.0;
    bool nodded = false;
    for (; seconds < 30.0 && !(nodded && lope_walker_stands(walker)); seconds += 1.0 / 60.0) {
        const lope_moment *shown = lope_handover_shown(body);
        lope_status status = LOPE_OK;
        if (!nodded && lope_handover_controller(body, NULL) != &NOD && seconds > 2.0 &&
            NOD.fit(&nodding, shown, NULL) < 0.2f)
            status = lope_handover_to(body, &NOD, &nodding, NULL, &error);
        else if (lope_handover_controller(body, NULL) == &NOD && NOD.may_leave(&nodding)) {
            status = lope_handover_to(body, lope_walker_controller(), walker, &aim, &error);
            nodded = true;
        }
        if (status != LOPE_OK)
            return fail(&error);
        lope_handover_advance(body, 1.0f / 60); // draw lope_handover_model(body)
    }
    lope_ground at = lope_handover_shown(body)->ground;
    bool done = nodded && lope_walker_stands(walker);
    printf("%s at %.1f %.1f after %.1f s\n", done ? "nodded, then stood" : "did not get there, is", (double)at.x,
           (double)at.z, seconds);
    free(memory);
    free(more);
    lope_mobility_close(map);
    return done ? 0 : 1;
}
