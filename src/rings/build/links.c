// SPDX-License-Identifier: MIT
// Ways between rings. The paper's were made by hand; here every pair of frames is compared with the samples' mean as
// weights, and for each half cycle of the one ring the frame of the other that is most alike, on the same foot, is
// kept. Changes wait for a strike at most half a cycle, so only frames in the first half of a step are worth knowing.
#include <math.h>

#include "base/error.h"
#include "base/memory.h"
#include "rings/build/build.h"

// Joints seen from where the supporting ball stands, in the track's frame.
static void place_joints(const lope_rings *rings, int ring, int track, int frame, lope_pose *pose,
                         lope_transform *model)
{
    const ring_head *h = rings->rings[ring].head;
    float weights[RING_SAMPLES];
    for (uint32_t s = 0; s < h->samples; s++)
        weights[s] = 1.0f / (float)h->samples;
    lope_ring_pose_all(rings, &rings->rings[ring], (ring_moment){track, (float)frame, weights}, pose);
    lope_pose_to_model(rings->skeleton, pose, model);
}

typedef struct comparer {
    lope_rings *rings;
    lope_pose poses[2];
    lope_transform *models[2];
} comparer;

static float compare(const comparer *c)
{
    int joints = c->rings->skeleton->joint_count;
    double sum = 0.0;
    for (int j = 0; j < joints; j++) {
        double d = (double)lope_v3_distance(c->models[0][j].translation, c->models[1][j].translation);
        sum += d * d / joints;
    }
    return (float)sqrt(sum);
}

static ring_link best_link(comparer *c, int from, int to, int track)
{
    const ring_head *a = c->rings->rings[from].head, *b = c->rings->rings[to].head;
    ring_link best = {from, to, 0.0f, 0.0f, HUGE_VALF};
    int from_last = a->kind == LOPE_RING_REST ? 0 : (int)a->frames / 2;
    int to_last = b->kind == LOPE_RING_REST ? (int)b->frames - 1 : (int)b->frames / 2;
    float from_base = a->kind == LOPE_RING_REST ? 0.0f : (float)(track * (int)a->frames);
    float to_base = b->kind == LOPE_RING_REST ? 0.0f : (float)(track * (int)b->frames);
    for (int i = 0; i <= from_last; i++) {
        place_joints(c->rings, from, track, i, &c->poses[0], c->models[0]);
        for (int k = 0; k <= to_last; k++) {
            place_joints(c->rings, to, track, k, &c->poses[1], c->models[1]);
            float cost = compare(c);
            if (cost < best.cost)
                best = (ring_link){from, to, from_base + (float)i, to_base + (float)k, cost};
        }
    }
    return best;
}

lope_status ring_find_links(lope_rings *rings, lope_error *error)
{
    size_t joints = (size_t)rings->skeleton->joint_count, most = (size_t)(rings->count * rings->count * 2);
    comparer c = {.rings = rings};
    rings->links = lope_alloc_array(most + 1, sizeof *rings->links);
    lope_quat *rotations = lope_alloc_array(2 * joints, sizeof *rotations);
    c.models[0] = lope_alloc_array(2 * joints, sizeof *c.models[0]);
    lope_status status = rings->links && rotations && c.models[0] ? LOPE_OK : lope_fail_memory(error);
    if (!status) {
        c.models[1] = c.models[0] + joints;
        for (size_t i = 0; i < 2; i++)
            c.poses[i] = (lope_pose){.joint_count = (int)joints, .rotations = rotations + i * joints};
        for (int from = 0; from < rings->count; from++)
            for (int to = 0; to < rings->count; to++)
                for (int track = 0; track < 2 && from != to; track++)
                    rings->links[rings->link_count++] = best_link(&c, from, to, track);
    }
    lope_free(rotations);
    lope_free(c.models[0]);
    return status;
}
