// SPDX-License-Identifier: MIT
// Pictures of paths and walks, and the same question to searches without maps.
#define STUDIO_INSIDE
#include "follow_parts.h"

enum { SHOWN_MAPS = 24 };

int studio_follow_points(const studio_follow *follow, float *out, int capacity)
{
    for (int i = 0; i < follow->path.point_count && i < capacity; i++) {
        out[2 * i] = follow->path.points[i].x;
        out[2 * i + 1] = follow->path.points[i].z;
    }
    return follow->path.point_count;
}

int studio_follow_portals(const studio_follow *follow, float *out, int capacity)
{
    for (int i = 0; i < follow->path.portal_count && i < capacity; i++, out += 4) {
        const lope_path_portal *portal = &follow->path.portals[i];
        out[0] = portal->left.x;
        out[1] = portal->left.z;
        out[2] = portal->right.x;
        out[3] = portal->right.z;
    }
    return follow->path.portal_count;
}

int studio_follow_triangles(const studio_follow *follow, float *out, int capacity)
{
    lope_space_triangle *triangles = studio_alloc(sizeof *triangles * (size_t)capacity);
    int count = triangles ? lope_space_triangles(follow->space, triangles, capacity) : 0;
    for (int i = 0; i < count && i < capacity; i++, out += STUDIO_TRIANGLE_FLOATS) {
        const lope_space_triangle *t = &triangles[i];
        for (int k = 0; k < 3; k++) {
            out[2 * k] = t->corners[k].x;
            out[2 * k + 1] = t->corners[k].z;
        }
        out[6] = (float)((int)t->walls[0] | (int)t->walls[1] << 1 | (int)t->walls[2] << 2);
        out[7] = (float)t->blocked;
    }
    studio_free(triangles);
    return count;
}

int studio_follow_way(const lope_steps *steps, const lope_follow *walk, float *out, int capacity)
{
    int count = 0;
    for (int i = 0; i < lope_follow_count(walk); i++) {
        lope_walk_step played = lope_follow_step(walk, i);
        const lope_step *step = &steps->steps[played.step];
        for (uint32_t k = 0; k < step->place_count; k++, count++) {
            const lope_step_place *place = &steps->places[step->place_first + k];
            float share = step->length > 0.0f ? place->length / step->length : 0.0f;
            lope_ground at = lope_ground_mul(played.at, lope_step_bend(place->at, share, played.turn, played.stride));
            if (count < capacity) {
                out[2 * count] = at.x;
                out[2 * count + 1] = at.z;
            }
        }
    }
    return count;
}

int studio_follow_nodes(const lope_maps *maps, const lope_walk_step *step, float *out, int capacity)
{
    const lope_map *map = &maps->maps[step->step];
    uint32_t every = map->node_count / (uint32_t)(capacity > 0 ? capacity : 1) + 1;
    int count = 0;
    for (uint32_t n = 0; n < map->node_count && count < capacity; n += every, count++) {
        lope_ground at = lope_ground_mul(step->end, lope_map_node_place(map, &maps->nodes[map->node_first + n]));
        out[2 * count] = at.x;
        out[2 * count + 1] = at.z;
    }
    return count;
}

void studio_follow_put_report(lope_follow_report report, float *out)
{
    out[0] = (float)report.stages;
    out[1] = (float)report.tried;
    out[2] = (float)report.backtracks;
    out[3] = report.length;
    out[4] = report.path_length;
    out[5] = report.miss;
    out[6] = report.turn;
    out[7] = report.deviation;
}

lope_status studio_follow_with_maps(studio_follow *follow, float *report)
{
    lope_error *error = studio_failure();
    lope_follow_def def = studio_follow_settings();
    lope_status status = LOPE_OK;
    if (!follow->compared)
        status = lope_follow_create(follow->maps, &def, &follow->compared, error);
    if (status)
        return status;
    lope_follow_query query = studio_follow_question(follow);
    status = lope_follow_path(follow->compared, &query, error);
    studio_follow_put_report(lope_follow_about(follow->compared), report);
    return status;
}

int studio_follow_with_maps_hips(const studio_follow *follow, float *out, int capacity)
{
    return follow->compared ? studio_follow_way(follow->maps->steps, follow->compared, out, capacity) : 0;
}

int studio_follow_with_maps_tree(const studio_follow *follow, float *out, int capacity)
{
    int steps = follow->compared ? lope_follow_count(follow->compared) : 0, count = 0;
    int every = steps / SHOWN_MAPS + 1;
    for (int i = 0; i < steps; i += every) {
        lope_walk_step step = lope_follow_step(follow->compared, i);
        int share = capacity / SHOWN_MAPS < capacity - count ? capacity / SHOWN_MAPS : capacity - count;
        count += studio_follow_nodes(follow->maps, &step, out + (size_t)2 * (size_t)count, share);
    }
    return count;
}

lope_status studio_follow_rival(studio_follow *follow, int kind, int nodes, float *report)
{
    lope_error *error = studio_failure();
    lope_rival_def def = {(lope_rival_kind)kind, studio_follow_settings(), nodes};
    lope_rival_destroy(follow->rival);
    lope_status status = lope_rival_create(follow->maps, &def, &follow->rival, error);
    if (status)
        return status;
    lope_follow_query query = studio_follow_question(follow);
    status = lope_rival_find(follow->rival, &query, error);
    studio_follow_put_report(lope_rival_about(follow->rival), report);
    return status;
}

int studio_follow_rival_tree(const studio_follow *follow, float *out, int capacity)
{
    int nodes = follow->rival ? lope_rival_node_count(follow->rival) : 0, count = 0;
    int every = nodes / (capacity > 0 ? capacity : 1) + 1;
    for (int n = 0; n < nodes && count < capacity; n += every, count++, out += 4) {
        lope_rival_node node = lope_rival_node_at(follow->rival, n);
        lope_rival_node from = node.parent >= 0 ? lope_rival_node_at(follow->rival, node.parent) : node;
        out[0] = from.x;
        out[1] = from.z;
        out[2] = node.x;
        out[3] = node.z;
    }
    return count;
}

int studio_follow_rival_walk(const studio_follow *follow, float *out, int capacity)
{
    int count = 0;
    if (!follow->rival)
        return 0;
    for (int n = lope_rival_end(follow->rival); n >= 0; n = lope_rival_node_at(follow->rival, n).parent, count++)
        if (count < capacity) {
            lope_rival_node node = lope_rival_node_at(follow->rival, n);
            out[2 * count] = node.x;
            out[2 * count + 1] = node.z;
        }
    return count;
}
