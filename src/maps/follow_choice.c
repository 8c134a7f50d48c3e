// SPDX-License-Identifier: MIT
// A walk of a map step by step: as sorting functions see it, and as the published one measures it.
#include "base/memory.h"
#include "maps/follow.h"

bool choice_room_make(choice_room *room, const lope_maps *maps)
{
    uint32_t deepest = 1;
    for (uint32_t m = 0; m < maps->map_count; m++)
        deepest = maps->maps[m].depth > deepest ? maps->maps[m].depth : deepest;
    *room = (choice_room){lope_alloc_array(deepest, sizeof *room->edges), lope_alloc_array(deepest, sizeof *room->ends),
                          lope_alloc_array(deepest, sizeof *room->lengths)};
    return room->edges && room->ends && room->lengths;
}

void choice_room_free(choice_room *room)
{
    lope_free(room->edges);
    lope_free(room->ends);
    lope_free(room->lengths);
}

// Edges from the root of the map to a node, into the room. Returns how many.
static int edges_to(const rank_query *query, const stage_place *place, uint32_t node)
{
    const lope_map_node *nodes = query->maps->nodes + query->maps->maps[place->step].node_first;
    int count = 0, at;
    for (uint32_t n = node; n != LOPE_MAP_ROOT; n = lope_map_node_parent(&nodes[n]))
        count++;
    at = count;
    for (uint32_t n = node; n != LOPE_MAP_ROOT; n = lope_map_node_parent(&nodes[n]))
        query->room.edges[--at] = nodes[n].edge;
    return count;
}

// Metres between a point and the path after so many metres.
static float off_line(const follow_line *line, float x, float z, float along)
{
    float at = along * (1.0f / LINE_STEP);
    int i = map_clamp((int)at, 0, line->count - 2);
    float share = fminf(at - (float)i, 1.0f);
    const line_point *p = &line->points[i];
    float dx = p->x + (p[1].x - p->x) * share - x, dz = p->z + (p[1].z - p->z) * share - z;
    return sqrtf(dx * dx + dz * dz);
}

float choice_equation_5(const rank_query *query, const stage_place *place, uint32_t node)
{
    const lope_maps *maps = query->maps;
    const lope_steps *steps = maps->steps;
    int count = edges_to(query, place, node);
    lope_map_move end = place->at;
    float sum = 0.0f;
    end.length = 0.0f;
    for (int i = 0; i < count; i++) {
        uint32_t edge = query->room.edges[i];
        const lope_step *step = &steps->steps[steps->edges[edge].to];
        lope_map_move start = map_move_mul(end, maps->joins[edge]);
        for (uint32_t k = step->place_first; k < step->place_first + step->place_count; k++) {
            const lope_step_place *p = &steps->places[k];
            sum += off_line(query->line, start.x + start.cosine * p->at.x + start.sine * p->at.z,
                            start.z - start.sine * p->at.x + start.cosine * p->at.z,
                            place->walked + start.length + p->length);
        }
        end = map_move_mul(end, maps->moves[edge]);
    }
    return end.length > 0.0f ? sum / (end.length * end.length) : INFINITY;
}

float choice_sorted(const rank_query *query, const stage_place *place, uint32_t node, float usual)
{
    int count = edges_to(query, place, node);
    lope_map_move end = place->at;
    end.length = 0.0f;
    for (int i = 0; i < count; i++) {
        end = map_move_mul(end, query->maps->moves[query->room.edges[i]]);
        query->room.ends[i] = (lope_ground){end.x, end.z, end.yaw};
        query->room.lengths[i] = end.length;
    }
    lope_follow_choice choice = {query->search,       count,         query->room.edges, query->room.ends,
                                 query->room.lengths, place->walked, place->along,      usual};
    return query->def->sort(query->def->sort_user, &choice);
}

lope_ground lope_follow_ahead(const lope_follow *f, float along)
{
    const line_point *p = &f->line.points[f->line.count ? line_index(&f->line, along) : 0];
    return f->line.count ? (lope_ground){p->x, p->z, p->yaw} : (lope_ground){0};
}
