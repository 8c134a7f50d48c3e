// SPDX-License-Identifier: MIT
// Where people will be, at times that all share.
#include "blocks/people.h"

// Bodies that differ by this in height do not meet (metres).
#define STOREY 1.5f
// Seconds of walking about after which a way is a long one, and then those after which one keeps only this share of
// the distance; seconds of standing still after which one keeps none.
#define LONG_WAY 60.0f
#define IMPATIENT 30.0f
#define SQUEEZE 0.5f
#define STUCK 20.0f
// Metres around what somebody tries first in which others are looked up.
#define AROUND 5.0f

static int64_t slot_at(double seconds)
{
    return (int64_t)(seconds / (double)PEOPLE_SECONDS);
}

static void note(people_trace *trace, int64_t slot, lope_vec3 at)
{
    trace->places[slot % PEOPLE_SLOTS] = at;
    trace->low = lope_v3(fminf(trace->low.x, at.x), fminf(trace->low.y, at.y), fminf(trace->low.z, at.z));
    trace->high = lope_v3(fmaxf(trace->high.x, at.x), fmaxf(trace->high.y, at.y), fmaxf(trace->high.z, at.z));
}

// Goes along a segment from slot to slot. Those of tiles are laid out already, others are bent on the way.
typedef struct step_walk {
    const lope_block_step *step;
    const lope_ground *line; // seen from the middle of its tile; NULL: none
    ground_move tile;
    const lope_ground *track;
    segment_cursor cursor;
} step_walk;

static step_walk walk_of(const lope_block_world *w, const lope_block_step *step)
{
    const lope_segment *piece = &step->segment.piece;
    step_walk walk = {.step = step};
    if (step->kind == LOPE_STEP_TILE && step->from >= 0) {
        int floor, tile, heading, gate;
        world_node_parts(w, step->from, &floor, &tile, &heading, &gate);
        const lope_patch_world *tiles = floor_at(w, floor)->tiles;
        walk.line = tiles->lines.grounds + tiles->lines.first[step->link];
        walk.tile = patch_frame(tiles, tile, heading);
    } else {
        walk.track = patch_track(&w->tracks, piece->clip, piece->first);
        walk.cursor = lope_segment_begin(piece);
    }
    return walk;
}

static lope_vec3 place_at(step_walk *walk, int frame)
{
    const lope_block_segment *segment = &walk->step->segment;
    int last = segment->piece.frames - 1;
    frame = frame < 0 ? 0 : frame < last ? frame : last;
    float height = walk->step->gate.y + segment->lift * (float)frame / (float)(last > 0 ? last : 1);
    if (walk->line) {
        lope_vec2 at = ground_move_point(walk->tile, walk->line[frame].x, walk->line[frame].z);
        return lope_v3(at.x, height, at.z);
    }
    while (walk->cursor.frame < frame)
        lope_segment_advance(&segment->piece, walk->track, &walk->cursor);
    lope_ground at = lope_ground_mul(ground_of(walk->step->gate), walk->cursor.at);
    return lope_v3(at.x, height, at.z);
}

void people_trace_of(const lope_people *p, const people_plan *plan, people_trace *out)
{
    const lope_segment *piece = &plan->step->segment.piece;
    step_walk walk = walk_of(p->world, plan->step);
    double begin = p->now + (double)plan->delay, rate = (double)(p->world->frame_rate * plan->tempo);
    double end = begin + (double)(piece->frames - 1) / rate + (plan->hold < INFINITY ? (double)plan->hold : 0.0);
    int64_t horizon = p->slot + PEOPLE_SLOTS - 1;
    out->first = slot_at(begin);
    out->last = slot_at(end) < horizon && plan->hold < INFINITY ? slot_at(end) : horizon;
    out->rests = plan->hold == INFINITY;
    out->low = lope_v3(INFINITY, INFINITY, INFINITY);
    out->high = lope_v3(-INFINITY, -INFINITY, -INFINITY);
    for (int64_t slot = out->first; slot <= out->last; slot++) {
        double middle = ((double)slot + 0.5) * (double)PEOPLE_SECONDS - begin;
        note(out, slot, place_at(&walk, (int)fmin(middle * rate, 1e6)));
    }
}

static bool far_apart(const people_trace *a, const people_trace *b, float reach)
{
    return a->low.x > b->high.x + reach || b->low.x > a->high.x + reach || a->low.z > b->high.z + reach ||
           b->low.z > a->high.z + reach || a->low.y > b->high.y + STOREY || b->low.y > a->high.y + STOREY;
}

// Metres that somebody keeps from others: less for who has been on its way for long, so that those who are in each
// other's way get past; in the end nothing, for who would stand there for ever.
static float distance_kept(const lope_people *p, const person *who)
{
    float hurry = fminf(fmaxf((who->hassle - LONG_WAY) / IMPATIENT, 0.0f), 1.0f);
    float despair = who->awaits < 0 ? fminf(who->stuck / STUCK, 1.0f) : 0.0f;
    return 2.0f * p->def.body_radius * fminf(1.0f - SQUEEZE * hurry, 1.0f - despair * despair);
}

// Those who might meet what somebody does in the next seconds, found once for all the traces it tries.
static void look_around(lope_people *p, int who, const people_trace *trace)
{
    people_near *near = &p->near;
    bool inside = near->who == who && trace->low.x >= near->low.x && trace->high.x <= near->high.x &&
                  trace->low.z >= near->low.z && trace->high.z <= near->high.z;
    if (inside)
        return;
    lope_vec3 margin = {AROUND, INFINITY, AROUND};
    people_trace box = {.low = lope_v3_sub(trace->low, margin), .high = lope_v3_add(trace->high, margin)};
    near->who = who;
    near->low = box.low;
    near->high = box.high;
    near->count = 0;
    for (int i = 0; i < p->count; i++)
        if (i != who && p->persons[i].alive && !far_apart(&box, &p->persons[i].held, 2.0f * p->def.body_radius))
            near->list[near->count++] = i;
}

int people_conflicts(lope_people *p, int who, const people_trace *trace, int limit)
{
    float reach = distance_kept(p, &p->persons[who]);
    int conflicts = 0;
    look_around(p, who, trace);
    for (int i = 0; i < p->near.count && conflicts < limit; i++) {
        const people_trace *other = &p->persons[p->near.list[i]].held;
        if (far_apart(trace, other, reach))
            continue;
        int64_t first = trace->first > other->first ? trace->first : other->first;
        int64_t last = trace->last < other->last || other->rests ? trace->last : other->last;
        for (int64_t slot = first; slot <= last && conflicts < limit; slot++) {
            int64_t theirs = slot < other->last ? slot : other->last;
            lope_vec3 a = trace->places[slot % PEOPLE_SLOTS], b = other->places[theirs % PEOPLE_SLOTS];
            float dx = a.x - b.x, dz = a.z - b.z;
            conflicts += dx * dx + dz * dz < reach * reach && fabsf(a.y - b.y) < STOREY;
        }
    }
    return conflicts;
}

void people_reserve(lope_people *p, int who, const people_trace *trace)
{
    people_trace *held = &p->persons[who].held;
    if (p->near.who != who)
        p->near.who = -1;
    people_trace now = {.first = p->slot, .last = p->slot - 1};
    now.low = lope_v3(INFINITY, INFINITY, INFINITY);
    now.high = lope_v3(-INFINITY, -INFINITY, -INFINITY);
    for (; held->rests && held->last < trace->first - 1; held->last++)
        held->places[(held->last + 1) % PEOPLE_SLOTS] = held->places[held->last % PEOPLE_SLOTS];
    if (held->last >= held->first && held->first < now.first)
        held->first = now.first;
    now.first = held->last >= held->first ? held->first : trace->first;
    for (int64_t slot = now.first; slot <= held->last && slot < trace->first; slot++)
        note(&now, slot, held->places[slot % PEOPLE_SLOTS]);
    for (int64_t slot = trace->first; slot <= trace->last; slot++)
        note(&now, slot, trace->places[slot % PEOPLE_SLOTS]);
    now.last = trace->last;
    now.rests = trace->rests;
    *held = now;
}
