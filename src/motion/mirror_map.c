// SPDX-License-Identifier: MIT
// Which joint is whose counterpart on the other side. Roles come first and settle the joints between them as well; then
// names that differ in their side only; then the place at rest. Places are compared by the middle of everything below a
// joint, because helper joints often sit at their parent's very place and differ only in what they carry.
#include <string.h>

#include "base/error.h"
#include "base/memory.h"
#include "lope/edit.h"
#include "motion/joints.h"
#include "motion/mirror.h"
#include "motion/names.h"

// How far from its mirrored place a counterpart may lie, in parts of the body's size.
#define PLACE_TOLERANCE 0.05f

// A name reduced to what must agree between the sides.
typedef struct name_key {
    uint64_t words;
    uint64_t words_but_first_letter; // for "lfoot" and "rfoot"
    int side;
    char first_letter;
} name_key;

typedef struct map_search {
    const lope_skeleton *skeleton;
    name_key *keys;
    lope_vec3 *middles; // [joint_count] of each joint's subtree at rest
    int *first_child;
    int *next_sibling;
    mirror_plane plane;
    float tolerance; // metres
    int *map;
} map_search;

mirror_plane mirror_plane_of(const lope_skeleton *skeleton, const lope_transform *model)
{
    mirror_plane plane = {model[0].translation, {1.0f, 0.0f, 0.0f}};
    lope_vec3 across = {0.0f, 0.0f, 0.0f}, middle = {0.0f, 0.0f, 0.0f};
    int pairs = 0;
    for (int r = 0; r < LOPE_ROLE_COUNT; r++) {
        int left = skeleton->roles[r], right = skeleton->roles[lope_role_mirror((lope_role)r)];
        if (lope_role_mirror((lope_role)r) <= (lope_role)r || left < 0 || right < 0)
            continue;
        across = lope_v3_add(across, lope_v3_sub(model[left].translation, model[right].translation));
        middle = lope_v3_add(middle, lope_v3_lerp(model[left].translation, model[right].translation, 0.5f));
        pairs++;
    }
    if (!pairs || !(lope_v3_length(across) > 0.0f))
        return plane;
    plane.normal = lope_v3_normalize(across, plane.normal);
    plane.point = lope_v3_scale(middle, 1.0f / (float)pairs);
    lope_vec3 size = {fabsf(plane.normal.x), fabsf(plane.normal.y), fabsf(plane.normal.z)};
    const float nearly = 0.966f; // within 15 degrees of an axis, the axis is meant
    if (size.x > nearly)
        plane.normal = lope_v3(plane.normal.x > 0.0f ? 1.0f : -1.0f, 0.0f, 0.0f);
    else if (size.z > nearly)
        plane.normal = lope_v3(0.0f, 0.0f, plane.normal.z > 0.0f ? 1.0f : -1.0f);
    else if (size.y > nearly)
        plane.normal = lope_v3(0.0f, plane.normal.y > 0.0f ? 1.0f : -1.0f, 0.0f);
    return plane;
}

static lope_vec3 mirrored(const mirror_plane *plane, lope_vec3 p)
{
    float off = lope_v3_dot(lope_v3_sub(p, plane->point), plane->normal);
    return lope_v3_mad(p, plane->normal, -2.0f * off);
}

static name_key key_of(const char *name)
{
    joint_words words;
    joint_words_read(name, &words);
    size_t length = strlen(words.text);
    uint64_t seed = (uint64_t)(words.number + 1);
    name_key key = {lope_hash(words.text, length, seed), 0, words.side, words.text[0]};
    if (length > 1)
        key.words_but_first_letter = lope_hash(words.text + 1, length - 1, seed);
    return key;
}

static bool names_mirror(const name_key *a, const name_key *b)
{
    if (a->side != NAME_MIDDLE)
        return b->side == 1 - a->side && a->words == b->words;
    bool letters =
        (a->first_letter == 'l' && b->first_letter == 'r') || (a->first_letter == 'r' && b->first_letter == 'l');
    return letters && b->side == NAME_MIDDLE && a->words_but_first_letter == b->words_but_first_letter;
}

// Mean rest position of each joint's subtree, tips included; returns the size of the whole.
static float find_middles(const lope_skeleton *skeleton, const lope_transform *model, lope_vec3 *middles, int *counts)
{
    lope_vec3 low = model[0].translation, high = low;
    for (int j = 0; j < skeleton->joint_count; j++) {
        lope_vec3 p = model[j].translation, tip = lope_transform_point(model[j], skeleton->tips[j]);
        middles[j] = lope_v3_add(p, tip);
        counts[j] = 2;
        low = lope_v3(fminf(low.x, p.x), fminf(low.y, p.y), fminf(low.z, p.z));
        high = lope_v3(fmaxf(high.x, p.x), fmaxf(high.y, p.y), fmaxf(high.z, p.z));
    }
    for (int j = skeleton->joint_count - 1; j > 0; j--) {
        int parent = skeleton->parents[j];
        middles[parent] = lope_v3_add(middles[parent], middles[j]);
        counts[parent] += counts[j];
    }
    for (int j = 0; j < skeleton->joint_count; j++)
        middles[j] = lope_v3_scale(middles[j], 1.0f / (float)counts[j]);
    return lope_v3_distance(low, high);
}

static void map_roles(const map_search *search)
{
    const lope_skeleton *skeleton = search->skeleton;
    for (int r = 0; r < LOPE_ROLE_COUNT; r++) {
        int a = skeleton->roles[r], b = skeleton->roles[lope_role_mirror((lope_role)r)];
        if (a < 0 || b < 0)
            continue;
        // Upwards too: helper joints between two roles pair off until both sides meet.
        while (a >= 0 && b >= 0 && search->map[a] < 0 && search->map[b] < 0) {
            search->map[a] = b;
            search->map[b] = a;
            a = skeleton->parents[a];
            b = skeleton->parents[b];
        }
    }
}

// The counterpart of `joint` among the children of its parent's counterpart, or -1.
static int find_counterpart(const map_search *search, int joint)
{
    int other_parent = search->map[search->skeleton->parents[joint]];
    lope_vec3 wanted = mirrored(&search->plane, search->middles[joint]);
    int nearest = -1;
    float nearest_distance = search->tolerance;
    for (int child = search->first_child[other_parent]; child >= 0; child = search->next_sibling[child]) {
        if (search->map[child] >= 0)
            continue;
        if (names_mirror(&search->keys[joint], &search->keys[child]))
            return child;
        float distance = lope_v3_distance(wanted, search->middles[child]);
        if (distance < nearest_distance) {
            nearest_distance = distance;
            nearest = child;
        }
    }
    return nearest;
}

bool mirror_is_alone(const lope_skeleton *skeleton, const int *map, int joint)
{
    for (; joint > 0; joint = skeleton->parents[joint]) {
        int parent = skeleton->parents[joint];
        if (map[joint] == joint && map[parent] != parent)
            return true;
    }
    return false;
}

// Props and helpers on one side only do not keep a body from being mirrored; a limb does.
static bool carries_role(const lope_skeleton *skeleton, int joint)
{
    for (int r = 0; r < LOPE_ROLE_COUNT; r++)
        if (skeleton->roles[r] >= 0 && joint_is_above(skeleton, joint, skeleton->roles[r]))
            return true;
    return false;
}

static lope_status map_joints(const map_search *search, lope_error *error)
{
    const lope_skeleton *skeleton = search->skeleton;
    search->map[0] = -1;
    map_roles(search);
    if (search->map[0] > 0)
        return lope_fail(error, LOPE_MISMATCH, "the root cannot have a counterpart on the other side");
    search->map[0] = 0;
    for (int j = 1; j < skeleton->joint_count; j++) {
        if (search->map[j] < 0) {
            bool alone = mirror_is_alone(skeleton, search->map, skeleton->parents[j]);
            int other = alone ? j : find_counterpart(search, j);
            if (other < 0 && lope_skeleton_is_biped(skeleton) && !carries_role(skeleton, j))
                other = j;
            if (other < 0)
                return lope_fail(error, LOPE_MISMATCH, "joint '%s' has no counterpart on the other side",
                                 skeleton->names[j]);
            search->map[j] = other;
            search->map[other] = j;
        }
        if (search->map[j] != j && skeleton->parents[search->map[j]] != search->map[skeleton->parents[j]])
            return lope_fail(error, LOPE_MISMATCH, "joints '%s' and '%s' hang on parents that do not match",
                             skeleton->names[j], skeleton->names[search->map[j]]);
    }
    return LOPE_OK;
}

lope_status lope_skeleton_mirror_map(const lope_skeleton *skeleton, int *out, lope_error *error)
{
    size_t n = (size_t)skeleton->joint_count;
    lope_transform *model = lope_alloc_array(n, sizeof *model);
    int *links = lope_alloc_array(n, 2 * sizeof *links);
    map_search search = {.skeleton = skeleton,
                         .keys = lope_alloc_array(n, sizeof *search.keys),
                         .middles = lope_alloc_array(n, sizeof *search.middles),
                         .map = out};
    lope_status status = LOPE_NO_MEMORY;
    if (model && links && search.keys && search.middles) {
        lope_skeleton_rest_model(skeleton, model);
        search.tolerance = PLACE_TOLERANCE * find_middles(skeleton, model, search.middles, links);
        search.first_child = links;
        search.next_sibling = links + n;
        list_children(skeleton, search.first_child, search.next_sibling);
        search.plane = mirror_plane_of(skeleton, model);
        for (size_t j = 0; j < n; j++) {
            search.keys[j] = key_of(skeleton->names[j]);
            out[j] = -1;
        }
        status = map_joints(&search, error);
    } else {
        lope_fail_memory(error);
    }
    lope_free(model);
    lope_free(links);
    lope_free(search.keys);
    lope_free(search.middles);
    return status;
}
