// SPDX-License-Identifier: MIT
// Looking at a finished graph: how much it branches, how well its joins fit, which speeds it mixes, and from which
// pieces no walk goes straight. Headings that can be reached are kept as sets of whole degrees.
#include "maps/build/survey.h"

#include <stdlib.h>
#include <string.h>

#include "base/error.h"
#include "base/memory.h"
#include "maps/build/headings.h"

#define MIXED 1.25f  // speeds that differ by more than this factor
#define SLOWEST 0.3f // metres per second: slower pieces do not walk
// Pieces after which every walk of HEADINGS_AHEAD more turns away. Walks that stop count as far as they go.
static lope_status count_locked(const step_body *body, const step_pieces *pieces, const step_links *links, int *locked,
                                lope_error *error)
{
    heading_set *reach = NULL;
    lope_status status = step_headings(body, pieces, links, NULL, HEADINGS_AHEAD, &reach, error);
    *locked = 0;
    for (int p = 0; p < pieces->count && !status; p++)
        *locked += !heading_straight(reach[p]);
    lope_free(reach);
    return status;
}

static void survey_links(const lope_steps_def *def, const step_pieces *pieces, const step_links *links,
                         lope_steps_report *r)
{
    double cost = 0.0, slip = 0.0, cloud = 0.0;
    int walking = 0, ways = 0, own = 0, from = -1;
    for (size_t k = 0; k < links->count; k++) {
        const step_link *link = &links->items[k];
        own = link->from == from ? own + 1 : 1;
        from = link->from;
        if (pieces->items[from].ends == BOUND_STAND) {
            r->stand_edges++;
            continue;
        }
        ways++;
        r->most_branching = own > r->most_branching ? own : r->most_branching;
        if (link->natural)
            continue;
        r->transitions++;
        r->rescued += link->cost > def->threshold;
        cost += (double)link->cost;
        slip += (double)link->slip;
        cloud += (double)link->cloud_slip;
        r->most_slip = fmaxf(r->most_slip, link->slip);
    }
    for (int p = 0; p < pieces->count; p++) {
        walking += pieces->items[p].ends != BOUND_STAND;
        r->starts += pieces->items[p].begins == BOUND_STAND;
        r->stops += pieces->items[p].ends == BOUND_STAND;
    }
    double joins = r->transitions ? (double)r->transitions : 1.0;
    r->branching = walking ? (double)ways / (double)walking : 0.0;
    r->mean_cost = (float)(cost / joins);
    r->mean_slip = (float)(slip / joins);
    r->cloud_slip = (float)(cloud / joins);
}

static int compare_floats(const void *a, const void *b)
{
    float p = *(const float *)a, q = *(const float *)b;
    return p < q ? -1 : p > q;
}

// Medians of the clips' walking pieces: a start or a turn on the spot in a clip does not make it slow.
static lope_status survey_speeds(const step_body *body, const step_pieces *pieces, lope_steps_report *r,
                                 lope_error *error)
{
    float *speeds = lope_alloc_array((size_t)pieces->count, sizeof *speeds);
    if (!speeds)
        return lope_fail_memory(error);
    for (int p = 0; p < pieces->count;) {
        int clip = pieces->items[p].clip, count = 0;
        for (; p < pieces->count && pieces->items[p].clip == clip; p++) {
            const step_piece *piece = &pieces->items[p];
            float speed = step_piece_speed(body, piece);
            if (piece->begins != BOUND_STAND && piece->ends != BOUND_STAND && speed > SLOWEST)
                speeds[count++] = speed;
        }
        if (!count)
            continue;
        qsort(speeds, (size_t)count, sizeof *speeds, compare_floats);
        float median = speeds[count / 2];
        r->slowest = r->slowest > 0.0f ? fminf(r->slowest, median) : median;
        r->fastest = fmaxf(r->fastest, median);
    }
    r->mixed_speeds = r->fastest > MIXED * r->slowest;
    lope_free(speeds);
    return LOPE_OK;
}

lope_status step_survey(const step_body *body, const lope_steps_def *def, const step_pieces *pieces,
                        const step_links *links, lope_steps_report *report, lope_error *error)
{
    report->nodes = pieces->count;
    report->edges = (int)links->count;
    survey_links(def, pieces, links, report);
    lope_status status = survey_speeds(body, pieces, report, error);
    return status ? status : count_locked(body, pieces, links, &report->locked, error);
}
