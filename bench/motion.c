// SPDX-License-Identifier: MIT
// Skate and jerk of what comes out, held against all clips that went in, standing and turning ones included.
#include "bench/motion.h"

#include <math.h>

#define RECORDED 32 // characters of a crowd
#define RECORDED_FRAMES 1800
#define FRAME (1.0f / 30.0f)

static double ground_speed(const lope_clip *clip)
{
    double way = 0.0;
    for (int f = 0; f + 1 < clip->frame_count; f++) {
        lope_ground step = lope_clip_ground_step(clip, f);
        way += sqrt((double)step.x * (double)step.x + (double)step.z * (double)step.z);
    }
    return way / fmax(lope_clip_duration(clip), 1e-3);
}

lope_status bench_grade(lope_clip *const *clips, int count, double least_speed, bench_grades *out, lope_error *error)
{
    lope_grade_def def = lope_grade_def_default();
    def.floor = 0.0f;
    *out = (bench_grades){0};
    for (int i = 0; i < count; i++) {
        lope_grade g;
        if (least_speed > 0.0 && ground_speed(clips[i]) < least_speed)
            continue;
        lope_status status = lope_clip_grade(clips[i], &def, &g, error);
        if (status)
            return status;
        out->skate += (double)g.seconds * (double)g.skate;
        out->planted += (double)g.seconds * (double)g.planted_skate;
        out->jerk += (double)g.seconds * (double)g.jerk_mean;
        out->seconds += (double)g.seconds;
    }
    out->skate /= out->seconds;
    out->planted /= out->seconds;
    out->jerk /= out->seconds;
    return LOPE_OK;
}

void bench_add_grades(bench_run *run, const char *const names[3], const bench_grades *shown, const bench_grades *clips,
                      double must)
{
    const double ratios[3] = {shown->planted / clips->planted, shown->skate / clips->skate, shown->jerk / clips->jerk};
    for (int i = 0; i < 3; i++)
        bench_add(run, (bench_figure){names[i], ratios[i], "", (double)NAN, (double)NAN, must, false});
}

// A frame of a clip from joints in the world.
static void record(const lope_transform *model, lope_clip *clip, int frame)
{
    const lope_skeleton *skeleton = clip->skeleton;
    lope_quat *rotations = clip->rotations + (size_t)frame * (size_t)skeleton->joint_count;
    clip->root[frame] = model[0].translation;
    rotations[0] = model[0].rotation;
    for (int j = 1; j < skeleton->joint_count; j++) {
        lope_quat above = lope_quat_conjugate(model[skeleton->parents[j]].rotation);
        rotations[j] = lope_quat_normalize(lope_quat_mul(above, model[j].rotation));
    }
}

static void walk(lope_crowd *world, lope_traffic *traffic, lope_jobs *jobs, lope_clip *const *clips)
{
    int apart = lope_crowd_member_count(world) / RECORDED;
    lope_member_id ids[RECORDED];
    for (int i = 0; i < RECORDED; i++)
        ids[i] = lope_crowd_member(world, i * apart);
    for (int f = 0; f < RECORDED_FRAMES; f++) {
        lope_crowd_step(world, FRAME, jobs);
        lope_traffic_update(traffic, FRAME);
        for (int i = 0; i < RECORDED; i++)
            record(lope_member_pose(world, ids[i]), clips[i], f);
    }
    for (int i = 0; i < RECORDED; i++)
        lope_clip_align_quaternions(clips[i]);
}

lope_status bench_crowd_motion(bench_run *run, const lope_mobility *map, lope_crowd *world, lope_traffic *traffic,
                               lope_jobs *jobs, double must, lope_error *error)
{
    static const char *const names[3] = {"crowd: skate of planted feet / of all clips",
                                         "crowd: skate of low feet / of all clips", "crowd: jerk / of all clips"};
    const lope_set *set = lope_mobility_set(map);
    lope_clip *clips[RECORDED] = {0};
    lope_status status = LOPE_OK;
    for (int i = 0; i < RECORDED && !status; i++)
        status = lope_clip_create(set->skeleton, "crowd", RECORDED_FRAMES, 30.0, 0, &clips[i], error);
    bench_grades shown, captured;
    if (!status) {
        walk(world, traffic, jobs, clips);
        status = bench_grade(clips, RECORDED, 0.0, &shown, error);
    }
    if (!status)
        status = bench_grade(set->clips, set->clip_count, 0.0, &captured, error);
    if (!status) {
        bench_add_grades(run, names, &shown, &captured, must);
        bench_note(
            run,
            "motion of the plaza, with its changes of tempo and its bends: planted feet %.1f cm/s, clips %.1f; low "
            "feet %.1f, clips %.1f; jerk %.0f m/s3, clips %.0f; %d characters for %d s",
            shown.planted, captured.planted, shown.skate, captured.skate, shown.jerk, captured.jerk, RECORDED,
            RECORDED_FRAMES / 30);
    }
    for (int i = 0; i < RECORDED; i++)
        lope_clip_destroy(clips[i]);
    return status;
}
