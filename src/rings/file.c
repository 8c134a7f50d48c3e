// SPDX-License-Identifier: MIT
// Rings at rest: saved as chunks of a .lope file, opened in place, asked about.
#include <assert.h>
#include <string.h>

#include "asset/chunks.h"
#include "asset/sane.h"
#include "base/error.h"
#include "base/memory.h"
#include "rings/ring.h"

#define RING_VERSION 6u
#define CHUNK_RING LOPE_CHUNK('R', 'I', 'N', 'G')
#define CHUNK_LINKS LOPE_CHUNK('R', 'L', 'N', 'K')

lope_status lope_rings_add_chunks(lope_container_writer *writer, const void *built, lope_error *error)
{
    const lope_rings *rings = built;
    lope_status status = lope_chunk_add_skeleton(writer, rings->skeleton, error);
    for (int r = 0; r < rings->count && !status; r++)
        status = lope_container_writer_add(writer, CHUNK_RING, RING_VERSION, rings->rings[r].head,
                                           rings->rings[r].bytes, error);
    if (!status)
        status = lope_container_writer_add(writer, CHUNK_LINKS, RING_VERSION, rings->links,
                                           (size_t)rings->link_count * sizeof *rings->links, error);
    return status;
}

lope_status lope_rings_save(const lope_rings *rings, const char *path, lope_error *error)
{
    return lope_chunk_save(path, lope_rings_add_chunks, rings, error);
}

static lope_status read_ring(lope_rings *rings, int index, const char *name, lope_error *error)
{
    const lope_container *container = rings->container;
    int chunk = lope_container_find(container, CHUNK_RING, index);
    uint32_t version = 0;
    size_t size = 0;
    lope_container_type(container, chunk, &version);
    const void *image = lope_container_data(container, chunk, &size);
    if (version != RING_VERSION)
        return lope_fail_at(error, LOPE_UNSUPPORTED, name, 0, "a motion ring of version %u, this Lope reads version %u",
                            version, RING_VERSION);
    if (!lope_ring_head_sane(image, size, rings->skeleton->joint_count))
        return lope_fail_at(error, LOPE_BAD_DATA, name, 0, "motion ring %d begins with impossible sizes", index + 1);
    if (lope_ring_attach(&rings->rings[index], image) != size)
        return lope_fail_at(error, LOPE_BAD_DATA, name, 0, "motion ring %d has %zu bytes, expected %zu", index + 1,
                            size, rings->rings[index].bytes);
    if (!lope_ring_sane(&rings->rings[index], rings->legs))
        return lope_fail_at(error, LOPE_BAD_DATA, name, 0, "motion ring %d holds impossible numbers", index + 1);
    return LOPE_OK;
}

static bool sane_link(const lope_rings *rings, const ring_link *link)
{
    if (!sane_index(link->from, rings->count) || !sane_index(link->to, rings->count))
        return false;
    float from = 2.0f * (float)rings->rings[link->from].head->frames;
    float to = 2.0f * (float)rings->rings[link->to].head->frames;
    return sane_amount(link->from_frame, from) && sane_amount(link->to_frame, to) && sane_size(link->cost, SANE_COST);
}

static lope_status read_links(lope_rings *rings, const char *name, lope_error *error)
{
    int chunk = lope_container_find(rings->container, CHUNK_LINKS, 0);
    size_t size = 0;
    if (chunk < 0)
        return LOPE_OK;
    const void *data = lope_container_data(rings->container, chunk, &size);
    rings->link_count = (int)(size / sizeof *rings->links);
    rings->links = lope_alloc(size + 1);
    if (!rings->links)
        return lope_fail_memory(error);
    memcpy(rings->links, data, size);
    if (size % sizeof *rings->links)
        return lope_fail_at(error, LOPE_BAD_DATA, name, 0, "%zu bytes are no whole number of ways between motion rings",
                            size);
    for (int i = 0; i < rings->link_count; i++)
        if (!sane_link(rings, &rings->links[i]))
            return lope_fail_at(error, LOPE_BAD_DATA, name, 0, "a way between motion rings leads nowhere");
    return LOPE_OK;
}

static lope_status read_all(lope_rings *rings, const char *name, lope_error *error)
{
    int skeleton = lope_container_find(rings->container, LOPE_CHUNK_SKELETON, 0);
    while (lope_container_find(rings->container, CHUNK_RING, rings->count) >= 0)
        rings->count++;
    if (skeleton < 0 || rings->count == 0)
        return lope_fail_at(error, LOPE_BAD_DATA, name, 0,
                            "holds no motion rings; build some with 'lope build --rings'");
    lope_status status = lope_chunk_read_skeleton(rings->container, skeleton, name, &rings->skeleton, error);
    if (status)
        return status;
    if (!lope_ring_find_legs(rings->skeleton, rings->legs))
        return lope_fail_at(error, LOPE_BAD_DATA, name, 0, "the skeleton of the motion rings has no two legs");
    rings->rings = lope_alloc_zero((size_t)rings->count * sizeof *rings->rings);
    if (!rings->rings)
        return lope_fail_memory(error);
    for (int r = 0; r < rings->count && !status; r++)
        status = read_ring(rings, r, name, error);
    return status ? status : read_links(rings, name, error);
}

static lope_status open_container(lope_container *container, const char *name, lope_rings **out, lope_error *error)
{
    lope_rings *rings = lope_alloc_zero(sizeof *rings);
    if (!rings) {
        lope_container_close(container);
        return lope_fail_memory(error);
    }
    rings->container = container;
    lope_status status = read_all(rings, name, error);
    if (status)
        lope_rings_close(rings);
    else
        *out = rings;
    return status;
}

LOPE_DEFINE_OPENERS(rings, container, open_container)

void lope_rings_close(lope_rings *rings)
{
    if (!rings)
        return;
    for (int r = 0; rings->images && r < rings->count; r++)
        lope_free(rings->images[r]);
    lope_free(rings->images);
    lope_free(rings->rings);
    lope_free(rings->links);
    lope_skeleton_release(rings->skeleton);
    lope_container_close(rings->container);
    lope_free(rings);
}

const lope_skeleton *lope_rings_skeleton(const lope_rings *rings)
{
    return rings->skeleton;
}

int lope_rings_count(const lope_rings *rings)
{
    return rings->count;
}

int lope_rings_find(const lope_rings *rings, lope_ring_kind kind)
{
    for (int r = 0; r < rings->count; r++)
        if (rings->rings[r].head->kind == (uint32_t)kind)
            return r;
    return -1;
}

int lope_rings_of_mode(const lope_rings *rings, lope_gait_mode mode)
{
    int ring = mode == LOPE_GAIT_RUN ? lope_rings_find(rings, LOPE_RING_RUN) : -1;
    for (int r = 0, own = (int)mode - LOPE_GAIT_OWN; r < rings->count && own >= 0; r++)
        if (rings->rings[r].head->kind == LOPE_RING_OWN && own-- == 0)
            ring = r;
    ring = ring < 0 ? lope_rings_find(rings, LOPE_RING_WALK) : ring;
    return ring < 0 ? lope_rings_find(rings, LOPE_RING_OWN) : ring;
}

lope_gait_mode lope_rings_mode(const lope_rings *rings, const char *name)
{
    int own = 0;
    for (int r = 0; r < rings->count; r++) {
        const ring_head *h = rings->rings[r].head;
        if (strcmp(h->name, name) == 0)
            return h->kind == LOPE_RING_WALK  ? LOPE_GAIT_WALK
                   : h->kind == LOPE_RING_RUN ? LOPE_GAIT_RUN
                   : h->kind == LOPE_RING_OWN ? (lope_gait_mode)(LOPE_GAIT_OWN + own)
                                              : LOPE_GAIT_STAND;
        own += h->kind == LOPE_RING_OWN;
    }
    return LOPE_GAIT_STAND;
}

static const lope_ring *ring_at(const lope_rings *rings, int ring)
{
    assert(ring >= 0 && ring < rings->count);
    return &rings->rings[ring];
}

lope_ring_info lope_rings_info(const lope_rings *rings, int index)
{
    const lope_ring *ring = ring_at(rings, index);
    const ring_head *h = ring->head;
    lope_ring_info info = {.kind = (lope_ring_kind)h->kind,
                           .frames = (int)h->frames * (h->kind == LOPE_RING_REST ? 1 : 2),
                           .samples = (int)h->samples,
                           .modes = (int)h->modes,
                           .spheres = ring_lattice(ring),
                           .bytes = ring->bytes,
                           .foot_error = h->foot_error,
                           .cycle_seconds = h->seconds,
                           .stride = h->stride,
                           .heading = h->heading,
                           .low = lope_v3(h->low[1][0], h->low[1][1], h->low[1][2]),
                           .high = lope_v3(h->high[1][0], h->high[1][1], h->high[1][2])};
    memcpy(info.name, h->name, sizeof info.name);
    return info;
}

lope_ring_landing lope_ring_sphere(const lope_rings *rings, int index, lope_side support, int sphere, float *weights)
{
    const lope_ring *ring = ring_at(rings, index);
    assert(sphere >= 0 && sphere < ring_lattice(ring));
    const ring_sphere *s = &ring->spheres[(int)support * ring_lattice(ring) + sphere];
    if (weights)
        memcpy(weights, s->weights, ring->head->samples * sizeof *weights);
    return (lope_ring_landing){lope_v3(s->x, s->y, s->z), s->yaw};
}

lope_ring_landing lope_ring_land(const lope_rings *rings, int index, lope_side support, const float *weights)
{
    return lope_ring_land_of(rings, ring_at(rings, index), (int)support, weights);
}

bool lope_ring_reach(const lope_rings *rings, int index, lope_side support, lope_vec3 point, float *weights)
{
    const lope_ring *ring = ring_at(rings, index);
    lope_ring_krige(ring, (int)support, point, weights);
    lope_ring_limit((int)ring->head->samples, weights);
    return lope_ring_outside(ring, (int)support, point) <= 1e-3f; // samples on the hull belong to it
}

void lope_ring_pose(const lope_rings *rings, int index, float frame, const float *weights, lope_pose *out)
{
    const lope_ring *ring = ring_at(rings, index);
    const ring_head *h = ring->head;
    int track = 0;
    if (h->kind != LOPE_RING_REST && frame > (float)h->frames) {
        track = 1;
        frame -= (float)h->frames;
    }
    lope_ring_pose_all(rings, ring, (ring_moment){track, frame, weights}, out);
    for (int j = 0; j < rings->skeleton->joint_count; j++)
        out->rotations[j] = lope_quat_normalize(out->rotations[j]);
    for (int j = 0; out->translations && j < rings->skeleton->joint_count; j++)
        out->translations[j] = j == 0 ? out->root : rings->skeleton->rest[j].translation;
}

int lope_rings_link_count(const lope_rings *rings)
{
    return rings->link_count;
}

lope_ring_link lope_rings_link(const lope_rings *rings, int link)
{
    assert(link >= 0 && link < rings->link_count);
    const ring_link *l = &rings->links[link];
    return (lope_ring_link){l->from, l->to, l->from_frame, l->to_frame, l->cost};
}
