// SPDX-License-Identifier: MIT
// Which pieces stay: those of the strongly connected part that can do most, the
// ways into it from standing, and the ways out of it to standing. Standing
// itself does not connect: a walk that stops and starts again to turn round is
// not walking on. Before the choice, parts that lead nowhere or that nothing
// leads to are joined by the cheapest transitions above the threshold.
#include <string.h>

#include "base/error.h"
#include "base/memory.h"
#include "graph/graph.h"
#include "maps/build/graph_parts.h"

#define TURNS 0.14        // radians: a piece that turns by more leads elsewhere
#define SPEEDS_APART 1.5f // speeds that differ by a larger factor are not joined above the threshold
#define POOR 0.4          // of all metres: a part with less lacks most of what the clips can do
#define GRAVITY 9.81
#define RUNNING 0.766    // of the root of gravity times leg length: faster is running,
#define RUN_SHARE 0.2    // of which a metre counts so much: walks get round more corners
#define ENOUGH_WAYS 6.0  // ways on of a piece, mean: with fewer, walks seldom get where they should
#define FILLED_SHARE 0.4 // what a metre of a clip that was filled in counts

static lope_status make_digraph(const step_pieces *pieces, const step_links *links, lope_digraph *out,
                                lope_error *error)
{
    lope_status status = lope_digraph_create(pieces->count, links->count, out, error);
    if (status)
        return status;
    size_t edge = 0, k = 0;
    for (int p = 0; p < pieces->count; p++) {
        out->offsets[p] = edge;
        for (; k < links->count && links->items[k].from == p; k++)
            if (step_walks_on(pieces, &links->items[k])) {
                out->targets[edge] = links->items[k].to;
                out->costs[edge++] = links->items[k].cost;
            }
    }
    out->offsets[pieces->count] = edge;
    return LOPE_OK;
}

// Adds to `marks` what can be reached from it along links (or against them)
// over pieces that `through` allows.
static void spread(const step_pieces *pieces, const step_links *links, bool forwards, const uint8_t *through,
                   uint8_t *marks)
{
    for (bool more = true; more;) {
        more = false;
        for (size_t k = 0; k < links->count; k++) {
            const step_link *link = &links->items[k];
            int a = forwards ? link->from : link->to, b = forwards ? link->to : link->from;
            if (step_walks_on(pieces, link) && marks[a] && !marks[b] && (!through || through[b]))
                marks[b] = 1, more = true;
        }
    }
}

// Marks, beside the core, pieces on a way from a start to the core and on a way
// from the core to a stop.
static bool mark_ends(const step_pieces *pieces, const step_links *links, uint8_t *keep)
{
    size_t n = (size_t)pieces->count;
    uint8_t *leads = lope_alloc(n), *from = lope_alloc_zero(n), *led = lope_alloc(n), *to = lope_alloc_zero(n);
    bool fine = leads && from && led && to;
    if (fine) {
        memcpy(leads, keep, n);
        memcpy(led, keep, n);
        spread(pieces, links, false, NULL, leads);
        spread(pieces, links, true, NULL, led);
        for (size_t p = 0; p < n; p++) {
            from[p] = leads[p] && pieces->items[p].begins == BOUND_STAND;
            to[p] = led[p] && pieces->items[p].ends == BOUND_STAND;
        }
        spread(pieces, links, true, leads, from);
        spread(pieces, links, false, led, to);
        for (size_t p = 0; p < n; p++) {
            const step_piece *piece = &pieces->items[p];
            // From standing to standing, such as turning on the spot: it is led to
            // and from by standing.
            bool both = piece->begins == BOUND_STAND && piece->ends == BOUND_STAND;
            keep[p] = keep[p] || from[p] || to[p] || both;
        }
    }
    lope_free(leads);
    lope_free(from);
    lope_free(led);
    lope_free(to);
    return fine;
}

static lope_status keep_marked(step_pieces *pieces, step_links *links, const uint8_t *keep, lope_error *error)
{
    int *number = lope_alloc_array((size_t)pieces->count, sizeof *number);
    if (!number)
        return lope_fail_memory(error);
    int count = 0;
    for (int p = 0; p < pieces->count; p++) {
        number[p] = keep[p] ? count : -1;
        if (keep[p])
            pieces->items[count++] = pieces->items[p];
    }
    pieces->count = count;
    size_t left = 0;
    for (size_t k = 0; k < links->count; k++) {
        step_link link = links->items[k];
        if (number[link.from] < 0 || number[link.to] < 0)
            continue;
        link.from = number[link.from];
        link.to = number[link.to];
        links->items[left++] = link;
    }
    links->count = left;
    lope_free(number);
    return LOPE_OK;
}

// What the pieces of a part can do together.
typedef struct part_value {
    double metres;
    bool turns[2]; // left, right
    int pieces;
    size_t links; // between them, spare ones excluded
} part_value;

static lope_status find_parts(const step_pieces *pieces, const step_links *links, int *part, int *count,
                              lope_error *error)
{
    lope_digraph graph;
    lope_status status = make_digraph(pieces, links, &graph, error);
    if (status)
        return status;
    status = lope_components(&graph, part, count, error);
    lope_digraph_free(&graph);
    return status;
}

// Metres walked count; those of clips that were filled in count less, parts
// that turn both ways thrice, and parts with few ways on as much less.
static double part_score(const part_value *value)
{
    double branching = value->pieces ? (double)value->links / value->pieces : 0.0;
    return (value->metres + 1e-3 * value->pieces) * (1.0 + value->turns[0] + value->turns[1]) *
           fmin(branching / ENOUGH_WAYS, 1.0);
}

static void add_piece(const step_body *body, int own_clips, const step_piece *piece, part_value *value)
{
    int first = step_frame(body, piece->clip, piece->first), last = step_frame(body, piece->clip, piece->last);
    lope_vec2 a = body->heading[first],
              b = body->heading[last]; // smoothed: hips swing with every step
    double turn = lope_atan2((double)(a.z * b.x - a.x * b.z), (double)(a.x * b.x + a.z * b.z));
    double share = own_clips > 0 && piece->clip >= own_clips ? FILLED_SHARE : 1.0;
    double leg = (double)lope_skeleton_leg_length(body->set->skeleton), speed = (double)step_piece_speed(body, piece);
    if (speed > RUNNING * sqrt(GRAVITY * leg))
        share *= RUN_SHARE;
    value->metres += share * (body->walked[last] - body->walked[first]);
    value->turns[0] |= turn > TURNS;
    value->turns[1] |= turn < -TURNS;
    value->pieces++;
}

typedef struct part_task {
    const step_body *body;
    int own_clips;
    const step_pieces *pieces;
    const step_links *links;
} part_task;

// Values of all parts, and which of them can do most; a single piece is a part
// that leads nowhere.
static int value_parts(const part_task *task, const int *part, int count, part_value *values)
{
    int best = 0;
    const step_pieces *pieces = task->pieces;
    for (size_t k = 0; k < task->links->count; k++) {
        const step_link *link = &task->links->items[k];
        values[part[link->from]].links += !link->spare && part[link->from] == part[link->to];
    }
    for (int p = 0; p < pieces->count; p++)
        add_piece(task->body, task->own_clips, &pieces->items[p], &values[part[p]]);
    for (int c = 1; c < count; c++) {
        bool larger = (values[c].pieces > 1) > (values[best].pieces > 1);
        bool alike = (values[c].pieces > 1) == (values[best].pieces > 1);
        if (larger || (alike && part_score(&values[c]) > part_score(&values[best])))
            best = c;
    }
    return best;
}

// The part that can do most: its pieces in `keep`, what they can do, and what
// all pieces could.
typedef struct best_part {
    part_value value, all;
    uint8_t *keep; // [pieces]
} best_part;

static lope_status mark_best_part(const part_task *task, best_part *out, lope_error *error)
{
    int pieces = task->pieces->count, count = 0, *part = lope_alloc_array((size_t)pieces, sizeof *part);
    lope_status status = part ? find_parts(task->pieces, task->links, part, &count, error) : lope_fail_memory(error);
    part_value *values = status ? NULL : lope_alloc_zero((size_t)count * sizeof *values);
    if (!status && !values)
        status = lope_fail_memory(error);
    if (!status) {
        int best = value_parts(task, part, count, values);
        out->value = values[best];
        out->all = (part_value){0};
        for (int p = 0; p < pieces; p++) {
            out->keep[p] = part[p] == best;
            add_piece(task->body, task->own_clips, &task->pieces->items[p], &out->all);
        }
    }
    lope_free(values);
    lope_free(part);
    return status;
}

lope_status step_keep_connected(const step_body *body, const lope_steps_def *def, step_pieces *pieces,
                                step_links *links, step_kept *kept, lope_error *error)
{
    *kept = (step_kept){0};
    if (pieces->count == 0)
        return LOPE_OK;
    best_part best = {.keep = lope_alloc_zero((size_t)pieces->count)};
    lope_status status = best.keep ? mark_best_part(&(part_task){body, def->own_clips, pieces, links}, &best, error)
                                   : lope_fail_memory(error);
    uint8_t *keep = best.keep;
    kept->component = best.value.pieces;
    int first = 0;
    while (!status && !keep[first])
        first++;
    if (!status && !mark_ends(pieces, links, keep))
        status = lope_fail_memory(error);
    for (int p = 0; p < first && !status; p++)
        kept->core += keep[p];
    if (!status)
        status = keep_marked(pieces, links, keep, error);
    lope_free(keep);
    return status;
}

// Of each part: whether a link leads out of it or into it, and the cheapest
// spare one that does.
typedef struct part_doors {
    bool open[2];    // out, in
    size_t spare[2]; // SIZE_MAX: none
} part_doors;

static bool similar_speeds(const step_body *body, const step_piece *a, const step_piece *b)
{
    if (a->begins == BOUND_STAND || b->ends == BOUND_STAND)
        return true;
    float v = step_piece_speed(body, a), w = step_piece_speed(body, b);
    return v <= SPEEDS_APART * w && w <= SPEEDS_APART * v;
}

typedef struct join_work {
    const step_body *body;
    const step_pieces *pieces;
    step_links *links;
    int *part;  // [pieces]
    float most; // metres: dearer links are not taken
} join_work;

static void look_for_doors(const join_work *work, part_doors *doors)
{
    const step_pieces *pieces = work->pieces;
    const step_links *links = work->links;
    const int *part = work->part;
    for (size_t k = 0; k < links->count; k++) {
        const step_link *link = &links->items[k];
        if (part[link->from] == part[link->to] || pieces->items[link->from].ends == BOUND_STAND)
            continue;
        for (int in = 0; in < 2; in++) {
            part_doors *d = &doors[part[in ? link->to : link->from]];
            if (!link->spare)
                d->open[in] = true;
            else if (link->cost <= work->most &&
                     (d->spare[in] == SIZE_MAX || link->cost < links->items[d->spare[in]].cost) &&
                     similar_speeds(work->body, &pieces->items[link->from], &pieces->items[link->to]))
                d->spare[in] = k;
        }
    }
}

// One round: every part that no link leaves gets the cheapest spare one, and so
// does every part that none enters. Returns how many links were taken.
static lope_status join_once(const join_work *work, int *taken, lope_error *error)
{
    int count;
    step_link *links = work->links->items;
    lope_status status = find_parts(work->pieces, work->links, work->part, &count, error);
    *taken = 0;
    if (status || count < 2)
        return status;
    part_doors *doors = lope_alloc_array((size_t)count, sizeof *doors);
    if (!doors)
        return lope_fail_memory(error);
    for (int c = 0; c < count; c++)
        doors[c] = (part_doors){{false, false}, {SIZE_MAX, SIZE_MAX}};
    look_for_doors(work, doors);
    for (int c = 0; c < count; c++)
        for (int in = 0; in < 2; in++)
            if (!doors[c].open[in] && doors[c].spare[in] != SIZE_MAX && links[doors[c].spare[in]].spare) {
                links[doors[c].spare[in]].spare = false;
                ++*taken;
            }
    lope_free(doors);
    return LOPE_OK;
}

// Joins as long as links up to `most` do.
static lope_status join_up_to(const step_body *body, const step_pieces *pieces, step_links *links, float most,
                              lope_error *error)
{
    int taken = 1, *part = lope_alloc_array((size_t)pieces->count, sizeof *part);
    lope_status status = part ? LOPE_OK : lope_fail_memory(error);
    join_work work = {body, pieces, links, part, most};
    while (!status && taken > 0)
        status = join_once(&work, &taken, error);
    lope_free(part);
    return status;
}

// Whether the best part lacks most of what the clips can do.
static lope_status is_poor(const part_task *task, bool *poor, lope_error *error)
{
    best_part best = {.keep = lope_alloc_zero((size_t)task->pieces->count)};
    lope_status status = best.keep ? mark_best_part(task, &best, error) : lope_fail_memory(error);
    *poor = best.value.metres < POOR * best.all.metres;
    lope_free(best.keep);
    return status;
}

lope_status step_join_parts(const step_body *body, const lope_steps_def *def, const step_pieces *pieces,
                            step_links *links, lope_error *error)
{
    if (pieces->count == 0)
        return LOPE_OK;
    bool poor = false;
    float most = def->rescue * def->threshold;
    lope_status status = join_up_to(body, pieces, links, most, error);
    if (!status)
        status = is_poor(&(part_task){body, def->own_clips, pieces, links}, &poor, error);
    if (!status && poor)
        status = join_up_to(body, pieces, links, HUGE_VALF, error);
    size_t left = 0;
    for (size_t k = 0; k < links->count; k++)
        if (!links->items[k].spare || links->items[k].cost <= most)
            links->items[left++] = links->items[k];
    links->count = left;
    if (!status)
        step_links_sort(links); // spare ones come last
    return status;
}
