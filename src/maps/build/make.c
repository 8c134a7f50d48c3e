// SPDX-License-Identifier: MIT
// The graph as searches use it: pieces with their movements, and the room that the body takes on the way.
//
// Room is measured as discs on the ground around trunk, arms and legs. A disc stands for all frames up to half way to
// its neighbours, so that nothing sticks out between two places.
#include <string.h>

#include "base/error.h"
#include "base/memory.h"
#include "maps/build/graph_parts.h"
#include "motion/lock.h"

// Flesh around the joints of trunk, upper and lower arms, upper and lower legs, in metres, for legs of USUAL_LEG.
static const float flesh[LOPE_STEP_DISCS] = {0.09f, 0.04f, 0.04f, 0.04f, 0.04f, 0.06f, 0.06f, 0.06f, 0.06f};
#define USUAL_LEG 0.84f

enum { TRUNK };
// Where limbs begin, in the order of their discs: a bone reaches to the joint that the next part begins with.
static const int limbs[LOPE_STEP_DISCS] = {LOPE_HIPS,           LOPE_LEFT_SHOULDER, LOPE_LEFT_ELBOW,
                                           LOPE_RIGHT_SHOULDER, LOPE_RIGHT_ELBOW,   LOPE_LEFT_HIP,
                                           LOPE_LEFT_KNEE,      LOPE_RIGHT_HIP,     LOPE_RIGHT_KNEE};

typedef struct make_work {
    const step_body *body;
    int *part;    // [joints] of the body, each joint belongs to
    float scale;  // of the flesh
    int interval; // frames between two places
} make_work;

static int part_of(const lope_skeleton *skeleton, int joint)
{
    for (; joint >= 0; joint = skeleton->parents[joint])
        for (int part = TRUNK + 1; part < LOPE_STEP_DISCS; part++)
            if (joint == skeleton->roles[limbs[part]])
                return part;
    return TRUNK;
}

typedef struct extent {
    float x0, x1, z0, z1;
} extent;

static lope_vec2 see(lope_ground inverse, lope_vec3 p)
{
    lope_ground at = lope_ground_mul(inverse, (lope_ground){p.x, p.z, 0.0f});
    return (lope_vec2){at.x, at.z};
}

// Grows what part `d` takes by the joint at `p`: its extent in the first pass, the radius of its disc in the second.
static void cover(extent *e, lope_step_disc *disc, lope_vec2 p, int pass)
{
    if (pass) {
        float dx = p.x - disc->x, dz = p.z - disc->z;
        disc->radius = fmaxf(disc->radius, sqrtf(dx * dx + dz * dz));
    } else {
        *e = (extent){fminf(e->x0, p.x), fmaxf(e->x1, p.x), fminf(e->z0, p.z), fmaxf(e->z1, p.z)};
    }
}

// Every joint counts to its part; one that a lower arm or leg begins with also ends the part before.
static void cover_frame(const make_work *work, size_t frame, lope_ground inverse, extent *extents,
                        lope_step_disc *discs, int pass)
{
    const step_body *body = work->body;
    const int *parents = body->set->skeleton->parents;
    for (int j = 0; j < body->joints; j++) {
        lope_vec2 p = see(inverse, body->joint_at[frame * (size_t)body->joints + (size_t)j]);
        int part = work->part[j], before = parents[j] >= 0 ? work->part[parents[j]] : part;
        cover(&extents[part], &discs[part], p, pass);
        if (before != part && before != TRUNK)
            cover(&extents[before], &discs[before], p, pass);
    }
}

// Discs around each part of the body over the frames [low, high] of a clip, seen from `origin`.
static void measure_discs(const make_work *work, int clip, int low, int high, lope_ground origin, lope_step_disc *discs)
{
    lope_ground inverse = lope_ground_inverse(origin);
    extent extents[LOPE_STEP_DISCS];
    for (int d = 0; d < LOPE_STEP_DISCS; d++)
        extents[d] = (extent){HUGE_VALF, -HUGE_VALF, HUGE_VALF, -HUGE_VALF};
    for (int pass = 0; pass < 2; pass++) {
        for (int f = low; f <= high; f++)
            cover_frame(work, (size_t)step_frame(work->body, clip, f), inverse, extents, discs, pass);
        for (int d = 0; d < LOPE_STEP_DISCS && !pass; d++) {
            const extent *e = &extents[d];
            bool any = e->x0 <= e->x1;
            discs[d] = (lope_step_disc){any ? 0.5f * (e->x0 + e->x1) : 0.0f, any ? 0.5f * (e->z0 + e->z1) : 0.0f, 0.0f};
        }
    }
    for (int d = 0; d < LOPE_STEP_DISCS; d++)
        if (extents[d].x0 <= extents[d].x1)
            discs[d].radius += flesh[d] * work->scale;
        else
            discs[d] = discs[TRUNK]; // a skeleton without arms
}

static int place_count(const make_work *work, const step_piece *piece)
{
    return (piece->last - piece->first + work->interval - 1) / work->interval + 1;
}

static void measure_places(const make_work *work, const step_piece *piece, lope_step_place *places,
                           lope_step_disc *discs)
{
    const step_body *body = work->body;
    int base = step_frame(body, piece->clip, 0), count = place_count(work, piece),
        end = body->set->clips[piece->clip]->frame_count;
    lope_ground origin = body->ground[base + piece->first];
    for (int k = 0; k < count; k++) {
        int f = piece->first + k * work->interval;
        f = f > piece->last ? piece->last : f;
        int reach = (work->interval + 1) / 2, low = f - reach, high = f + reach;
        low = low < 0 ? 0 : low;
        high = high < end ? high : end - 1;
        lope_step_place *place = &places[k];
        measure_discs(work, piece->clip, low, high, origin, discs + (size_t)k * LOPE_STEP_DISCS);
        place->at = lope_ground_relative(origin, body->ground[base + f]);
        place->length = (float)(body->walked[base + f] - body->walked[base + piece->first]);
        place->radius = 0.0f;
        for (int d = 0; d < LOPE_STEP_DISCS; d++) {
            const lope_step_disc *disc = &discs[(size_t)k * LOPE_STEP_DISCS + (size_t)d];
            float dx = disc->x - place->at.x, dz = disc->z - place->at.z;
            place->radius = fmaxf(place->radius, sqrtf(dx * dx + dz * dz) + disc->radius);
        }
    }
}

static lope_step describe(const step_body *body, const step_piece *piece)
{
    int first = step_frame(body, piece->clip, piece->first), last = step_frame(body, piece->clip, piece->last);
    return (lope_step){.clip = piece->clip,
                       .first = piece->first,
                       .frames = piece->last - piece->first + 1,
                       .move = lope_ground_relative(body->ground[first], body->ground[last]),
                       .length = (float)(body->walked[last] - body->walked[first]),
                       .flags = (piece->begins == BOUND_STAND ? (uint32_t)LOPE_STEP_STARTS : 0u) |
                                (piece->ends == BOUND_STAND ? (uint32_t)LOPE_STEP_STOPS : 0u)};
}

static size_t padded(size_t count, size_t size)
{
    return (count * size + 63) & ~(size_t)63;
}

// The graph and its arrays in one block.
typedef struct graph_arrays {
    lope_step *steps;
    lope_step_edge *edges;
    lope_step_place *places;
    lope_step_disc *discs;
} graph_arrays;

static lope_steps *allocate(const step_body *body, const step_pieces *pieces, const step_links *links, size_t places,
                            graph_arrays *arrays)
{
    size_t steps = padded((size_t)pieces->count, sizeof(lope_step)),
           edges = padded(links->count, sizeof(lope_step_edge));
    size_t room = padded(places, sizeof(lope_step_place));
    size_t detail = padded(places * LOPE_STEP_DISCS, sizeof(lope_step_disc));
    lope_steps *graph = lope_alloc_zero(sizeof *graph);
    char *block = lope_alloc_zero(steps + edges + room + detail);
    if (!graph || !block) {
        lope_free(graph);
        lope_free(block);
        return NULL;
    }
    *arrays = (graph_arrays){(void *)block, (void *)(block + steps), (void *)(block + steps + edges),
                             (void *)(block + steps + edges + room)};
    *graph = (lope_steps){.set = body->set,
                          .step_count = (uint32_t)pieces->count,
                          .edge_count = (uint32_t)links->count,
                          .place_count = (uint32_t)places,
                          .steps = arrays->steps,
                          .edges = arrays->edges,
                          .places = arrays->places,
                          .discs = arrays->discs,
                          .storage = block};
    lope_lock_rig_learn(body->set->skeleton, body->set->clips, body->set->clip_count, &graph->rig);
    return graph;
}

static void fill(const make_work *work, const step_pieces *pieces, const step_links *links, graph_arrays *out)
{
    uint32_t place = 0;
    size_t k = 0;
    for (int p = 0; p < pieces->count; p++) {
        lope_step *step = &out->steps[p];
        *step = describe(work->body, &pieces->items[p]);
        step->place_first = place;
        step->place_count = (uint32_t)place_count(work, &pieces->items[p]);
        measure_places(work, &pieces->items[p], out->places + place, out->discs + (size_t)place * LOPE_STEP_DISCS);
        place += step->place_count;
        step->edge_first = (uint32_t)k;
        for (; k < links->count && links->items[k].from == p; k++) {
            const step_link *link = &links->items[k];
            out->edges[k] = (lope_step_edge){link->to, link->join, link->length, link->cost, link->slip};
        }
        step->edge_count = (uint32_t)k - step->edge_first;
    }
}

lope_status step_graph_make(const step_body *body, const lope_steps_def *def, const step_pieces *pieces,
                            const step_links *links, lope_steps **out, lope_error *error)
{
    const lope_skeleton *skeleton = body->set->skeleton;
    make_work work = {.body = body, .scale = lope_skeleton_leg_length(skeleton) / USUAL_LEG};
    work.interval = (int)((double)def->place_interval * body->set->clips[0]->frame_rate + 0.5);
    work.interval = work.interval > 0 ? work.interval : 1;
    work.part = lope_alloc_array((size_t)body->joints, sizeof *work.part);
    if (!work.part)
        return lope_fail_memory(error);
    for (int j = 0; j < body->joints; j++)
        work.part[j] = part_of(skeleton, j);
    size_t places = 0;
    for (int p = 0; p < pieces->count; p++)
        places += (size_t)place_count(&work, &pieces->items[p]);
    graph_arrays arrays;
    *out = places < UINT32_MAX && links->count < UINT32_MAX ? allocate(body, pieces, links, places, &arrays) : NULL;
    if (*out)
        fill(&work, pieces, links, &arrays);
    lope_free(work.part);
    return *out ? LOPE_OK : lope_fail_memory(error);
}
