// SPDX-License-Identifier: MIT
// Sampling clips and going to model space, on one core: one character that plays on, and a crowd of 1,000 in which
// every character is at another time of another clip, so that frames come from memory rather than from the cache. The
// plain twin runs on the same requests in the same run.
#include <math.h>
#include <stdlib.h>

#include "bench/bench.h"

#define CROWD 1000
#define CROWDS 16         // sets of requests, taken in turn, so that no frame is read twice in a row
#define CLIP_BYTES 32e6   // rotations to load, more than caches hold
#define SECONDS 0.4       // per figure
#define SMALL_STEP 0.0037 // seconds between samples of one character: never twice at the same fraction of a frame

typedef struct pose_bench {
    lope_clip **clips;
    int clip_count;
    double bytes;
    const lope_skeleton *skeleton;
    lope_sample_request *requests; // [CROWDS * CROWD]
    lope_transform *models;        // [CROWD * joint_count]
    lope_quat *rotations;          // [joint_count]
    int crowd;                     // the next set of requests
} pose_bench;

static void add_clip(pose_bench *bench, lope_clip *clip)
{
    bench->clips = realloc(bench->clips, ((size_t)bench->clip_count + 1) * sizeof(lope_clip *));
    if (!bench->clips)
        abort();
    bench->clips[bench->clip_count++] = clip;
    bench->bytes += (double)clip->frame_count * (double)clip->skeleton->joint_count * (double)sizeof(lope_quat);
}

// Clips with the joints of the first one, whatever the performer's proportions.
static lope_status load_capture(pose_bench *bench, const char *folder, lope_error *error)
{
    char **paths;
    int count;
    lope_status status = lope_find_clips(folder, &paths, &count, error);
    if (status)
        return status;
    const float any_size = 100.0f;
    for (int i = 0; !status && i < count && bench->bytes < CLIP_BYTES; i++) {
        lope_clip *clip;
        status = lope_bvh_read(paths[i], NULL, &clip, NULL, error);
        if (status)
            break;
        if (bench->clip_count == 0 || lope_skeleton_equal(bench->clips[0]->skeleton, clip->skeleton, any_size))
            add_clip(bench, clip);
        else
            lope_clip_destroy(clip);
    }
    lope_paths_free(paths, count);
    return status;
}

static lope_status load_built_in(pose_bench *bench, lope_error *error)
{
    lope_synth_def def = lope_synth_def_default();
    def.frame_rate = 120.0;
    for (int variation = 0; variation < 4; variation++)
        for (int i = 0; i < lope_synth_count(); i++) {
            lope_clip *clip;
            lope_status status = lope_synth_clip(lope_synth_name(i), &def, variation, &clip, error);
            if (status)
                return status;
            add_clip(bench, clip);
        }
    return LOPE_OK;
}

static void make_requests(pose_bench *bench)
{
    bench->skeleton = bench->clips[0]->skeleton;
    size_t joints = (size_t)bench->skeleton->joint_count;
    bench->requests = malloc((size_t)CROWDS * CROWD * sizeof *bench->requests);
    bench->models = malloc(CROWD * joints * sizeof *bench->models);
    bench->rotations = malloc(joints * sizeof *bench->rotations);
    if (!bench->requests || !bench->models || !bench->rotations)
        abort();
    uint64_t state = 7;
    for (int i = 0; i < CROWDS * CROWD; i++) {
        const lope_clip *clip = bench->clips[(int)(bench_random(&state) * (double)bench->clip_count)];
        bench->requests[i] = (lope_sample_request){clip, bench_random(&state) * lope_clip_duration(clip)};
    }
}

static void one_character(void *user)
{
    pose_bench *bench = user;
    lope_pose pose = {.rotations = bench->rotations};
    for (int i = 0; i < CROWD; i++) {
        lope_clip_sample(bench->clips[0], SMALL_STEP * (double)(i % 500), &pose);
        lope_pose_to_model(bench->skeleton, &pose, bench->models);
        bench_keep(bench->models);
    }
}

static void one_character_plain(void *user)
{
    pose_bench *bench = user;
    for (int i = 0; i < CROWD; i++) {
        lope_sample_request request = {bench->clips[0], SMALL_STEP * (double)(i % 500)};
        lope_sample_many_plain(bench->skeleton, &request, 1, bench->models);
        bench_keep(bench->models);
    }
}

static void crowd(void *user)
{
    pose_bench *bench = user;
    lope_sample_many(bench->skeleton, bench->requests + bench->crowd++ % CROWDS * CROWD, CROWD, bench->models);
    bench_keep(bench->models);
}

static void crowd_plain(void *user)
{
    pose_bench *bench = user;
    lope_sample_many_plain(bench->skeleton, bench->requests + bench->crowd++ % CROWDS * CROWD, CROWD, bench->models);
    bench_keep(bench->models);
}

static double per_joint(pose_bench *bench, void (*body)(void *user))
{
    return bench_best(body, bench, SECONDS) * 1e9 / CROWD / (double)bench->skeleton->joint_count;
}

static void report(bench_run *run, pose_bench *bench)
{
    const double none = (double)NAN;
    double one = per_joint(bench, one_character), one_plain = per_joint(bench, one_character_plain);
    double many = per_joint(bench, crowd), many_plain = per_joint(bench, crowd_plain);
    bench_add(run, (bench_figure){"sample + model space, 1 character", one, "ns/joint", none, 18.0, 15.0, false});
    bench_add(run, (bench_figure){"sample + model space, 1,000 characters", many, "ns/joint", none, 25.0, 10.0, false});
    bench_add(run, (bench_figure){"plain twin, 1 character", one_plain, "ns/joint", none, none, none, false});
    bench_add(run, (bench_figure){"plain twin, 1,000 characters", many_plain, "ns/joint", none, none, none, false});
    bench_add(run, (bench_figure){"faster than plain, 1 character", one_plain / one, "times", none, none, none, true});
    bench_add(
        run, (bench_figure){"faster than plain, 1,000 characters", many_plain / many, "times", none, none, none, true});
}

// Clips that are packed for the figures: thinned or interpolated to 60 frames per second, as the figures ask for.
#define PACKED_RATE 60.0
#define PACKED_SECONDS 600.0 // of motion that is packed, from clips all over the data

typedef struct packed_bench {
    lope_packed *packed; // of the first clip
    lope_packed_request requests[CROWD];
    lope_transform *models;
} packed_bench;

static void crowd_packed(void *user)
{
    packed_bench *bench = user;
    lope_packed_sample_many(bench->packed->skeleton, bench->requests, CROWD, bench->models);
    bench_keep(bench->models);
}

// How far a joint of the packed clip is from where the clip has it, metres.
static double packed_error(const lope_clip *clip, const lope_packed *packed, lope_transform *models)
{
    size_t joints = (size_t)clip->skeleton->joint_count;
    double worst = 0.0;
    for (int f = 0; f < clip->frame_count; f++) {
        lope_packed_request request = {packed, (double)f / clip->frame_rate};
        lope_clip_model(clip, f, models);
        lope_packed_sample_many(clip->skeleton, &request, 1, models + joints);
        for (size_t j = 0; j < joints; j++)
            worst = fmax(worst, (double)lope_v3_distance(models[j].translation, models[joints + j].translation));
    }
    return worst;
}

// What packing the clips gave.
typedef struct packed_sum {
    double bytes, seconds, worst;
    int clips, refused;
} packed_sum;

static lope_status pack_one(pose_bench *bench, const lope_clip *from, float limit, packed_sum *sum, lope_error *error)
{
    lope_pack_def def = lope_pack_def_default();
    def.error = limit;
    lope_clip *clip;
    lope_packed *packed;
    lope_status status = lope_clip_resample(from, PACKED_RATE, &clip, error);
    if (status)
        return status;
    status = lope_pack(clip, &def, &packed, error);
    if (status == LOPE_UNSUPPORTED) {
        sum->refused++;
        status = LOPE_OK;
    } else if (!status) {
        sum->clips++;
        sum->bytes += (double)packed->size;
        sum->seconds += (double)clip->frame_count / clip->frame_rate;
        sum->worst = fmax(sum->worst, packed_error(clip, packed, bench->models));
        lope_packed_destroy(packed);
    }
    lope_clip_destroy(clip);
    return status;
}

static lope_status report_size(bench_run *run, pose_bench *bench, float limit, double must, lope_error *error)
{
    packed_sum sum = {0};
    double all = 0.0, next = 0.0; // takes clips so that what is packed is spread over all of them
    for (int i = 0; i < bench->clip_count; i++)
        all += lope_clip_duration(bench->clips[i]);
    double each = fmax(1.0, all / PACKED_SECONDS);
    for (int i = 0; i < bench->clip_count; i++) {
        if ((double)i < next)
            continue;
        next += each;
        lope_status status = pack_one(bench, bench->clips[i], limit, &sum, error);
        if (status)
            return status;
    }
    bench_add(run, (bench_figure){bench_name(run, "packed, joints off by at most %g mm", (double)limit * 1e3),
                                  sum.bytes / sum.seconds / 1e3, "kB/s", (double)NAN, 5.5, must, false});
    bench_add(run, (bench_figure){bench_name(run, "– the worst joint of %d clips", sum.clips), sum.worst * 1e3, "mm",
                                  (double)NAN, (double)NAN, (double)limit * 1e3, false});
    if (sum.refused)
        bench_note(run, "%d of %d clips cannot be packed at %g mm", sum.refused, sum.refused + sum.clips,
                   (double)limit * 1e3);
    return LOPE_OK;
}

static lope_status report_packed(bench_run *run, pose_bench *bench, lope_error *error)
{
    lope_status status = report_size(run, bench, 1.2e-4f, 5.0, error);
    if (!status)
        status = report_size(run, bench, 1e-3f, 3.0, error);
    packed_bench crowd = {.models = bench->models};
    lope_pack_def def = lope_pack_def_default();
    if (!status)
        status = lope_pack(bench->clips[0], &def, &crowd.packed, error);
    if (status)
        return status;
    uint64_t state = 11;
    for (int i = 0; i < CROWD; i++)
        crowd.requests[i] =
            (lope_packed_request){crowd.packed, bench_random(&state) * lope_clip_duration(bench->clips[0])};
    bench_add(run, (bench_figure){"packed clip, 1,000 characters, each",
                                  bench_best(crowd_packed, &crowd, SECONDS) * 1e6 / CROWD, "us", (double)NAN, 0.55, 0.2,
                                  false});
    lope_packed_destroy(crowd.packed);
    return LOPE_OK;
}

static lope_status run_pose(bench_run *run, lope_error *error)
{
    pose_bench bench = {0};
    const char *data = bench_data(run);
    lope_status status = data ? load_capture(&bench, data, error) : load_built_in(&bench, error);
    if (!status && bench.clip_count > 0) {
        make_requests(&bench);
        report(run, &bench);
        status = report_packed(run, &bench, error);
        bench_note(
            run, "%s: %d clips, %d joints, %.0f MB of rotations; each of the 1,000 at another time of another clip",
            data ? "captured" : "built-in set", bench.clip_count, bench.skeleton->joint_count, bench.bytes / 1e6);
    }
    for (int i = 0; i < bench.clip_count; i++)
        lope_clip_destroy(bench.clips[i]);
    free(bench.clips);
    free(bench.requests);
    free(bench.models);
    free(bench.rotations);
    return status;
}

const bench_entry bench_pose = {"pose", "sampling clips and going to model space", run_pose};
