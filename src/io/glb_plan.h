// SPDX-License-Identifier: MIT
// What goes where in a GLB, worked out before a byte is written: sizes are checked against the format's limit first,
// and the binary part can then be streamed straight from the clips without a second copy in memory.
#ifndef LOPE_SRC_IO_GLB_PLAN_H
#define LOPE_SRC_IO_GLB_PLAN_H

#include "base/files.h"
#include "io/body_mesh.h"
#include "io/json.h"

typedef struct glb_channel {
    int joint;
    bool translation; // otherwise rotation
} glb_channel;

// One clip. Its buffer view holds the frame times, then each channel's values.
typedef struct glb_animation {
    size_t first_channel, channel_count;
    size_t offset, size; // of the view in the binary chunk
} glb_animation;

typedef struct glb_plan {
    const lope_clip *const *clips;
    int clip_count;
    const lope_skeleton *skeleton;
    lope_body_mesh mesh;
    lope_transform *rest_model; // [joint_count]
    int *first_child;           // [joint_count] -1: none
    int *next_sibling;          // [joint_count] -1: the last
    glb_channel *channels;
    size_t channel_count, channel_capacity;
    glb_animation *animations;    // [clip_count]
    const lope_clip *const *told; // [clip_count] clips in metres, for extras; NULL: those that are written
    const int *nodes;             // [joint_count] node of each joint; NULL: they count alike
    size_t first_accessor;        // of the first clip
    int first_view;
    size_t vertices_size, indices_offset, indices_size, binds_offset, binds_size;
    size_t binary_size;
} glb_plan;

// Accessors and views that come before those of the clips.
enum { GLB_POSITION, GLB_NORMAL, GLB_JOINTS, GLB_WEIGHTS, GLB_INDICES, GLB_BINDS, GLB_FIRST_CLIP_ACCESSOR };
enum { GLB_VIEW_VERTICES, GLB_VIEW_INDICES, GLB_VIEW_BINDS, GLB_FIRST_CLIP_VIEW };

// Plans, and refuses what cannot be written: different skeletons, values that are not finite, more than 4 GiB. The
// plan refers to the clips. Release it in any case.
lope_status lope_glb_plan(const lope_clip *const *clips, int clip_count, glb_plan *out, lope_error *error);
// The part of it that plans animations, from plan->binary_size on. The rest of the plan is the caller's.
lope_status lope_glb_plan_clips(glb_plan *plan, lope_error *error);
void lope_glb_plan_free(glb_plan *plan);

// Indices are 16 bits wide as long as they fit.
static inline bool lope_glb_wide_indices(const glb_plan *plan)
{
    return plan->mesh.vertex_count > 65535;
}

// Seconds from the clip's first frame.
static inline float lope_glb_time(const lope_clip *clip, int frame)
{
    return (float)((double)frame / clip->frame_rate);
}

// Translation of a joint in one frame.
static inline lope_vec3 lope_glb_translation(const lope_clip *clip, int frame, int joint)
{
    if (joint == 0)
        return clip->root[frame];
    return clip->translations ? clip->translations[(size_t)frame * (size_t)clip->skeleton->joint_count + (size_t)joint]
                              : clip->skeleton->rest[joint].translation;
}

// The JSON chunk of a planned file.
void lope_glb_json(const glb_plan *plan, lope_json *json);
// What it says of the clips, each as the items of an array that the caller opens and closes.
void lope_glb_animations_json(const glb_plan *plan, lope_json *json);
void lope_glb_accessors_json(const glb_plan *plan, lope_json *json);
void lope_glb_views_json(const glb_plan *plan, lope_json *json);

// A file's header, its JSON chunk (which is padded) and the header of its binary chunk. LOPE_UNSUPPORTED where the file
// would be too large; nothing is open then.
lope_status lope_glb_begin(lope_file_writer *file, const char *path, lope_json *json, size_t binary_size,
                           lope_error *error);
// The bytes of one clip, as planned.
void lope_glb_write_clip(const glb_plan *plan, int index, lope_file_writer *file);

#endif
