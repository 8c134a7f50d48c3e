// SPDX-License-Identifier: MIT
// Packing clips: segment after segment, then all of them behind a table of where they begin. The idea of variable
// widths under an error that is measured on the body is that of Frechette's Animation Compression Library; see
// docs/motion.md for what differs.
#include "motion/build/pack.h"

#include <stdio.h>

#include "base/error.h"
#include "base/memory.h"

#define MAX_JOINTS 1024 // more take too long: all joints below one are tried again with it
#define MIN_REACH 0.01f // metres

lope_pack_def lope_pack_def_default(void)
{
    return (lope_pack_def){.error = 1e-4f, .shell = 0.03f};
}

typedef struct pack_run {
    const lope_clip *clip;
    pack_segment segment;
    lope_transform *model; // [joint_count]
    packed_image image;
    unsigned char **segments; // [segment_count]
    size_t *sizes;            // [segment_count]
    packed_run *runs;         // [frame_count]
} pack_run;

static void find_reach(pack_run *run)
{
    const lope_skeleton *skeleton = run->clip->skeleton;
    pack_joint *joints = run->segment.joints;
    for (int j = 0; j < skeleton->joint_count; j++)
        joints[j].reach = fmaxf(run->segment.def->shell, MIN_REACH);
    for (int j = 1; j < skeleton->joint_count; j++) {
        pack_joint *parent = &joints[skeleton->parents[j]];
        parent->reach = fmaxf(parent->reach, lope_v3_length(skeleton->rest[j].translation));
    }
}

// The frames of a segment, up to whole quads.
static void load_segment(pack_run *run, uint32_t index)
{
    const lope_clip *clip = run->clip;
    pack_segment *segment = &run->segment;
    segment->frame_count = 4 * (int)packed_quads((uint32_t)clip->frame_count, index) + 1;
    for (int f = 0; f < segment->frame_count; f++) {
        int frame = (int)index * PACKED_FRAMES + f;
        lope_clip_model(clip, frame < clip->frame_count ? frame : clip->frame_count - 1, run->model);
        for (int j = 0; j < clip->skeleton->joint_count; j++)
            segment->joints[j].truth[f] = run->model[j];
    }
}

static lope_status pack_segments(pack_run *run, lope_error *error)
{
    for (uint32_t i = 0; i < run->image.segment_count; i++) {
        load_segment(run, i);
        if (!pack_fit(&run->segment))
            return lope_fail(error, LOPE_UNSUPPORTED,
                             "clip '%s' cannot be packed: within 64 frames from %.2f s on, a joint turns too far, "
                             "or too fast for an error of %g mm",
                             run->clip->name, (double)i * PACKED_FRAMES / run->clip->frame_rate,
                             (double)run->segment.def->error * 1e3);
        size_t size = pack_write(&run->segment, NULL);
        run->segments[i] = size ? lope_alloc(size) : NULL;
        if (!run->segments[i] || !pack_write(&run->segment, run->segments[i]))
            return lope_fail_memory(error);
        run->sizes[i] = size;
    }
    return LOPE_OK;
}

static void find_runs(pack_run *run)
{
    const uint16_t *contacts = run->clip->contacts;
    run->image.has_contacts = contacts != NULL;
    for (int f = 0; contacts && f < run->clip->frame_count; f++)
        if (f == 0 || contacts[f] != contacts[f - 1])
            run->runs[run->image.run_count++] = (packed_run){(uint32_t)f, contacts[f]};
}

static lope_status assemble(pack_run *run, lope_packed **out, lope_error *error)
{
    packed_image *image = &run->image;
    uint64_t end = sizeof *image;
    image->segments = (uint32_t)end;
    end += 4 * ((uint64_t)image->segment_count + 1);
    image->runs = (uint32_t)end;
    end += image->run_count * sizeof *run->runs;
    image->name = (uint32_t)end;
    image->motion = (uint32_t)((end + image->name_size + 3) & ~(uint64_t)3);
    image->size = image->motion + PACKED_PADDING;
    for (uint32_t i = 0; i < image->segment_count; i++)
        image->size += run->sizes[i];
    if (image->size > UINT32_MAX)
        return lope_fail(error, LOPE_UNSUPPORTED, "clip '%s' is too long to be packed", run->clip->name);
    char *bytes = lope_alloc_zero((size_t)image->size);
    if (!bytes)
        return lope_fail_memory(error);
    uint32_t *offsets = (uint32_t *)(void *)(bytes + image->segments), at = image->motion;
    memcpy(bytes, image, sizeof *image);
    memcpy(bytes + image->runs, run->runs, image->run_count * sizeof *run->runs);
    memcpy(bytes + image->name, run->clip->name, image->name_size);
    for (uint32_t i = 0; i < image->segment_count; at += (uint32_t)run->sizes[i], i++) {
        offsets[i] = at;
        memcpy(bytes + at, run->segments[i], run->sizes[i]);
    }
    offsets[image->segment_count] = at;
    lope_status status =
        lope_packed_create(run->clip->skeleton, bytes, (size_t)image->size, run->clip->name, out, error);
    if (status)
        lope_free(bytes);
    else
        (*out)->storage = bytes;
    return status;
}

static void free_run(pack_run *run)
{
    for (uint32_t i = 0; run->segments && i < run->image.segment_count; i++)
        lope_free(run->segments[i]);
    lope_free((void *)run->segments);
    lope_free(run->sizes);
    lope_free(run->runs);
    lope_free(run->model);
    lope_free(run->segment.joints);
}

static lope_status check(const lope_clip *clip, const lope_pack_def *def, lope_error *error)
{
    lope_status status = LOPE_CHECK(error, LOPE_RANGE(def, error, 1e-5, 0.1), LOPE_RANGE(def, shell, 0.0, 1.0));
    if (status)
        return status;
    if (clip->translations)
        return lope_fail(error, LOPE_UNSUPPORTED,
                         "clip '%s' cannot be packed: its joints move relative to their parents", clip->name);
    if (clip->skeleton->joint_count > MAX_JOINTS)
        return lope_fail(error, LOPE_UNSUPPORTED, "clip '%s' cannot be packed: it has %d joints, at most %d can be",
                         clip->name, clip->skeleton->joint_count, MAX_JOINTS);
    return LOPE_OK;
}

lope_status lope_pack(const lope_clip *clip, const lope_pack_def *def, lope_packed **out, lope_error *error)
{
    *out = NULL;
    lope_status status = check(clip, def, error);
    if (status)
        return status;
    size_t joints = (size_t)clip->skeleton->joint_count;
    uint32_t segments = packed_segments((uint32_t)clip->frame_count);
    pack_run run = {
        .clip = clip,
        .segment = {.skeleton = clip->skeleton, .def = def, .joints = lope_alloc_zero(joints * sizeof(pack_joint))},
        .model = lope_alloc_array(joints, sizeof *run.model),
        .segments = lope_alloc_zero(segments * sizeof(unsigned char *)),
        .sizes = lope_alloc_array(segments, sizeof *run.sizes),
        .runs = lope_alloc_array((size_t)clip->frame_count, sizeof *run.runs),
        .image = {.version = PACKED_VERSION,
                  .joint_count = (uint32_t)joints,
                  .frame_count = (uint32_t)clip->frame_count,
                  .segment_count = segments,
                  .frame_rate = clip->frame_rate,
                  .error = def->error,
                  .name_size = (uint32_t)strlen(clip->name) + 1}};
    if (!run.segment.joints || !run.model || !run.segments || !run.sizes || !run.runs) {
        status = lope_fail_memory(error);
    } else {
        find_reach(&run);
        find_runs(&run);
        status = pack_segments(&run, error);
        if (!status)
            status = assemble(&run, out, error);
    }
    free_run(&run);
    return status;
}

typedef struct set_run {
    const lope_pack_def *def;
    lope_clip **clips, **made; // [clip_count]
    lope_status *status;
    lope_error *errors;
} set_run;

static void pack_clip(void *user, int index, int thread)
{
    (void)thread;
    set_run *run = user;
    lope_packed *packed;
    run->status[index] = lope_pack(run->clips[index], run->def, &packed, &run->errors[index]);
    if (run->status[index])
        return;
    run->status[index] = lope_packed_unpack(packed, &run->made[index], &run->errors[index]);
    if (run->status[index])
        lope_packed_destroy(packed);
    else
        run->made[index]->packed = packed;
}

// All clips or none: what cannot be packed stays, anything else that goes wrong leaves the set as it was.
static lope_status exchange(lope_set *set, set_run *run, int *packed, lope_error *error)
{
    lope_status status = LOPE_OK;
    for (int i = 0; i < set->clip_count && !status; i++)
        if (run->status[i] && run->status[i] != LOPE_UNSUPPORTED) {
            status = run->status[i];
            if (error)
                *error = run->errors[i];
        }
    for (int i = 0; i < set->clip_count; i++) {
        if (!run->made[i])
            continue;
        lope_clip_destroy(status ? run->made[i] : set->clips[i]);
        if (status)
            continue;
        set->clips[i] = run->made[i];
        if (packed)
            ++*packed;
    }
    return status;
}

lope_status lope_set_pack(lope_set *set, const lope_pack_def *def, lope_jobs *jobs, int *packed, lope_error *error)
{
    size_t count = (size_t)set->clip_count;
    set_run run = {def, set->clips, lope_alloc_zero(count * sizeof(lope_clip *)),
                   lope_alloc_zero(count * sizeof *run.status), lope_alloc_zero(count * sizeof *run.errors)};
    if (packed)
        *packed = 0;
    lope_status status = LOPE_OK;
    if (!run.made || !run.status || !run.errors) {
        status = lope_fail_memory(error);
    } else {
        lope_jobs_run(jobs, set->clip_count, pack_clip, &run);
        status = exchange(set, &run, packed, error);
    }
    lope_free((void *)run.made);
    lope_free(run.status);
    lope_free(run.errors);
    return status;
}
