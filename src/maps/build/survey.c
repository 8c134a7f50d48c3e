// SPDX-License-Identifier: MIT
// Looking at a finished graph: how much it branches, how well its joins fit, which speeds it mixes, and from which
// pieces no walk goes straight. Headings that can be reached are kept as sets of whole degrees.
#include "maps/build/survey.h"

#include <stdlib.h>
#include <string.h>

#include "base/error.h"
#include "base/memory.h"

#define LOOK_AHEAD 3 // pieces: about two metres
#define STRAIGHT 30  // degrees to either side
#define MIXED 1.25f  // speeds that differ by more than this factor
#define SLOWEST 0.3f // metres per second: slower pieces do not walk
enum { DEGREES = 360, WORDS = (DEGREES + 63) / 64 };

typedef uint64_t heading_set[WORDS];

static void add_turned(const heading_set from, int degrees, heading_set to)
{
    for (int d = 0; d < DEGREES; d++)
        if (from[d / 64] >> (d % 64) & 1) {
            int turned = ((d + degrees) % DEGREES + DEGREES) % DEGREES;
            to[turned / 64] |= UINT64_C(1) << (turned % 64);
        }
}

static bool any_straight(const heading_set set)
{
    for (int d = -STRAIGHT; d <= STRAIGHT; d++) {
        int at = (d + DEGREES) % DEGREES;
        if (set[at / 64] >> (at % 64) & 1)
            return true;
    }
    return false;
}

static int whole_degrees(float radians)
{
    double degrees = (double)radians * 180.0 / LOPE_PI;
    return (int)(degrees < 0.0 ? degrees - 0.5 : degrees + 0.5);
}

static float turn_of(const step_body *body, const step_piece *piece)
{
    return lope_wrap_angle(body->ground[step_frame(body, piece->clip, piece->last)].yaw -
                           body->ground[step_frame(body, piece->clip, piece->first)].yaw);
}

// Pieces after which every walk of LOOK_AHEAD more turns away. Walks that stop count as far as they go.
static lope_status count_locked(const step_body *body, const step_pieces *pieces, const step_links *links, int *locked,
                                lope_error *error)
{
    size_t n = (size_t)pieces->count;
    heading_set *now = lope_alloc_zero(n * sizeof *now), *next = lope_alloc_zero(n * sizeof *next);
    if (!now || !next) {
        lope_free(now);
        lope_free(next);
        return lope_fail_memory(error);
    }
    for (size_t p = 0; p < n; p++)
        now[p][0] = 1;
    for (int round = 0; round < LOOK_AHEAD; round++) {
        memset(next, 0, n * sizeof *next);
        for (size_t k = 0; k < links->count; k++) {
            const step_link *link = &links->items[k];
            if (pieces->items[link->from].ends == BOUND_STAND)
                continue;
            float turn = link->join.yaw + turn_of(body, &pieces->items[link->to]);
            add_turned(now[link->to], whole_degrees(turn), next[link->from]);
        }
        for (size_t p = 0; p < n; p++)
            next[p][0] |= pieces->items[p].ends == BOUND_STAND;
        heading_set *swap = now;
        now = next;
        next = swap;
    }
    *locked = 0;
    for (size_t p = 0; p < n; p++)
        *locked += !any_straight(now[p]);
    lope_free(now);
    lope_free(next);
    return LOPE_OK;
}

static void survey_links(const step_pieces *pieces, const step_links *links, lope_steps_report *r)
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

lope_status step_survey(const step_body *body, const step_pieces *pieces, const step_links *links,
                        lope_steps_report *report, lope_error *error)
{
    report->nodes = pieces->count;
    report->edges = (int)links->count;
    survey_links(pieces, links, report);
    lope_status status = survey_speeds(body, pieces, report, error);
    return status ? status : count_locked(body, pieces, links, &report->locked, error);
}
