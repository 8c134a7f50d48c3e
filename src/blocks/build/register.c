// SPDX-License-Identifier: MIT
// Putting motion where it belongs: runs on equal arrangements of units become links of one block, turned and moved onto
// each other; what begins or ends in one cell shares a gate, to which it is edited.
#include <stdio.h>

#include "base/error.h"
#include "blocks/build/build.h"
#include "blocks/match.h"
#include "lope/graph.h"
#include "lope/ground.h"

// Floors whose heights differ less (metres) are one.
#define SAME_LEVEL 0.03f
// Steps on the floor nearer than this (metres) ask for one piece of floor.
#define SAME_FOOTING 0.1f
// Hips that move faster (metres per second) while the seat touches slide.
#define GLIDE_SPEED 0.05f

typedef struct run {
    const touch_track *track;
    const junction *from, *to;
    lope_placed_unit units[MOST_PLACED + 1];
    int unit_count;
    float levels[4];
    int level_count;
} run;

int find_level(const float *levels, int count, float height)
{
    for (int i = 0; i < count; i++)
        if (fabsf(levels[i] - height) <= SAME_LEVEL)
            return i;
    return -1;
}

// What is touched from one junction to the other. False where that is nothing or too much.
static bool gather(const blocks_build *b, run *r)
{
    uint32_t touched = 0;
    for (int f = r->from->frame; f <= r->to->frame; f++)
        touched |= r->track->touched[f];
    for (int i = 0; i < r->track->scene->placed_count; i++)
        if (touched >> i & 1)
            r->units[r->unit_count++] = b->stage->placed[r->track->scene->placed_first + i];
    const footing *footings = r->track->footings.items;
    for (int i = 0; i < r->track->footings.count; i++) {
        if (footings[i].frame < r->from->frame || footings[i].frame > r->to->frame)
            continue;
        if (find_level(r->levels, r->level_count, footings[i].at.y) >= 0)
            continue;
        if (r->level_count == 4)
            return false;
        r->levels[r->level_count++] = footings[i].at.y;
    }
    return r->unit_count >= 1 && r->unit_count <= b->def->most_units;
}

// Frames that slide, counted from the first of the run.
static void find_glide(const run *r, lope_block_segment *out)
{
    const lope_clip *clip = r->track->clip;
    for (int f = r->from->frame; f < r->to->frame; f++) {
        float speed = lope_v3_distance(clip->root[f + 1], clip->root[f]) * (float)clip->frame_rate;
        bool glides = clip->contacts[f] & LOPE_CONTACT_SEAT && clip->contacts[f + 1] & LOPE_CONTACT_SEAT &&
                      speed > GLIDE_SPEED && r->track->touched[f] & ~ON_FLOOR &&
                      !(clip->contacts[f] & ~LOPE_CONTACT_SEAT);
        if (!glides)
            continue;
        if (out->glide_frames == 0)
            out->glide_first = f - r->from->frame;
        out->glide_frames = f - r->from->frame - out->glide_first + 1;
    }
}

// Whether the run's units stand to each other as the draft's do, if its first one is seen from `from_run`.
static bool units_match(const blocks_build *b, const run *r, const block_draft *d, lope_spot from_run)
{
    uint32_t used = 0;
    for (int i = 0; i < d->unit_count; i++) {
        bool found = false;
        for (int k = 0; k < r->unit_count && !found; k++) {
            int unit = r->units[k].unit;
            found =
                !(used >> k & 1) && unit == d->units[i].unit &&
                lope_places_look_same(lope_spot_mul(from_run, r->units[k].at), d->units[i].at, b->units[unit].turns);
            used |= found ? 1u << k : 0u;
        }
        if (!found)
            return false;
    }
    for (int i = 0; i < r->level_count; i++)
        if (find_level(d->levels, d->level_count, r->levels[i] + from_run.y) < 0)
            return false;
    return true;
}

static bool match_draft(const blocks_build *b, const run *r, const block_draft *d, lope_spot *from_run)
{
    if (r->unit_count != d->unit_count || r->level_count != d->level_count)
        return false;
    for (int k = 0; k < r->unit_count; k++) {
        int turns = b->units[r->units[k].unit].turns;
        for (int turn = 0; turn < turns && r->units[k].unit == d->units[0].unit; turn++) {
            *from_run = lope_spot_inverse(lope_place_turned(r->units[k].at, turn, turns));
            if (units_match(b, r, d, *from_run))
                return true;
        }
    }
    return false;
}

static void name_draft(const blocks_build *b, block_draft *d)
{
    size_t length = 0;
    for (int i = 0; i < d->level_count; i++)
        length += (size_t)snprintf(d->name + length, sizeof d->name - length, i ? "+floor" : "floor");
    for (int i = 0; i < d->unit_count && length < sizeof d->name; i++)
        length += (size_t)snprintf(d->name + length, sizeof d->name - length, length ? "+%s" : "%s",
                                   b->units[d->units[i].unit].name);
}

// The draft of the run's arrangement, and how it is seen from the run's world. NULL: no memory.
static block_draft *draft_of(blocks_build *b, const run *r, lope_spot *from_run)
{
    block_draft *drafts = b->drafts.items;
    for (int i = 0; i < b->drafts.count; i++)
        if (match_draft(b, r, &drafts[i], from_run))
            return &drafts[i];
    block_draft made = {.unit_count = r->unit_count, .level_count = r->level_count};
    *from_run = lope_spot_inverse(r->units[0].at);
    for (int i = 0; i < r->unit_count; i++)
        made.units[i] = (lope_placed_unit){r->units[i].unit, lope_spot_mul(*from_run, r->units[i].at)};
    for (int i = 0; i < r->level_count; i++)
        made.levels[i] = r->levels[i] + from_run->y;
    name_draft(b, &made);
    if (!list_add(&b->drafts, &made, sizeof made))
        return NULL;
    return (block_draft *)b->drafts.items + b->drafts.count - 1;
}

// The gate of the draft whose cell a place lies in, a new one if need be; -1: no memory.
static int gate_of(const blocks_build *b, block_draft *d, const lope_block_gate *gate)
{
    const lope_block_gate *gates = d->gates.items;
    for (int i = 0; i < d->gates.count; i++) {
        float x = gates[i].at.x - gate->at.x, z = gates[i].at.z - gate->at.z;
        if (gates[i].pose == gate->pose && x * x + z * z <= b->def->cell * b->def->cell &&
            fabsf(gates[i].at.y - gate->at.y) <= SAME_LEVEL &&
            fabsf(lope_wrap_angle(gates[i].at.yaw - gate->at.yaw)) <= b->def->cell_yaw)
            return i;
    }
    return list_add(&d->gates, gate, sizeof *gate) ? d->gates.count - 1 : -1;
}

static float way_of(const lope_clip *clip, int first, int last)
{
    float sum = 0.0f;
    for (int f = first; f < last; f++) {
        lope_ground a = lope_clip_ground(clip, f), c = lope_clip_ground(clip, f + 1);
        sum += sqrtf((c.x - a.x) * (c.x - a.x) + (c.z - a.z) * (c.z - a.z));
    }
    return sum;
}

// Bends, shifts and raises a piece that begins in gate `from` so that it ends in gate `to`.
static void edit_segment(const blocks_build *b, lope_spot from, lope_spot to, lope_vec2 end, float rise,
                         lope_block_segment *s)
{
    lope_ground origin = {0.0f, 0.0f, 0.0f},
                move = lope_ground_relative((lope_ground){from.x, from.z, from.yaw}, (lope_ground){to.x, to.z, to.yaw});
    lope_ground wanted = lope_ground_mul(move, (lope_ground){end.x, end.z, 0.0f});
    lope_ground plain = lope_segment_ground(b->set, &s->piece, origin, s->piece.frames - 1);
    s->piece.bend = s->piece.length > 0.0f ? lope_wrap_angle(wanted.yaw - plain.yaw) : 0.0f;
    lope_ground bent = lope_segment_ground(b->set, &s->piece, origin, s->piece.frames - 1);
    if (s->piece.length > 0.0f)
        s->piece.shift = (lope_vec2){wanted.x - bent.x, wanted.z - bent.z};
    s->lift = to.y - from.y - rise;
}

static bool add_footings(const run *r, lope_spot from_run, block_draft *d)
{
    const footing *footings = r->track->footings.items;
    for (int i = 0; i < r->track->footings.count; i++) {
        if (footings[i].frame < r->from->frame || footings[i].frame > r->to->frame)
            continue;
        lope_vec3 p = footings[i].at;
        lope_spot at = lope_spot_mul(from_run, (lope_spot){p.x, p.y, p.z, 0.0f});
        lope_vec3 step = {at.x, d->levels[find_level(d->levels, d->level_count, at.y)], at.z};
        bool known = false;
        for (int k = 0; k < d->footings.count && !known; k++)
            known = lope_v3_distance(((lope_vec3 *)d->footings.items)[k], step) < SAME_FOOTING;
        if (!known && !list_add(&d->footings, &step, sizeof step))
            return false;
    }
    return true;
}

static lope_block_segment segment_of(const run *r, int clip)
{
    lope_block_segment s = {.base = r->from->base};
    s.piece = (lope_segment){.clip = clip,
                             .first = r->from->frame,
                             .frames = r->to->frame - r->from->frame + 1,
                             .length = way_of(r->track->clip, r->from->frame, r->to->frame),
                             .start = r->from->start};
    find_glide(r, &s);
    return s;
}

// One run is found twice where a clip is on two stages that share what it touches.
static bool is_known(const block_draft *d, const lope_block_link *link, const lope_segment *piece)
{
    const lope_block_link *links = d->links.items;
    const lope_block_segment *segments = d->segments.items;
    for (int i = 0; i < d->links.count; i++) {
        const lope_segment *other = &segments[links[i].segment].piece;
        if (links[i].from == link->from && links[i].to == link->to && other->clip == piece->clip &&
            other->first == piece->first && other->frames == piece->frames)
            return true;
    }
    return false;
}

static bool add_link(blocks_build *b, block_draft *d, const lope_block_gate gates[2], lope_vec2 end, float rise,
                     lope_block_segment *segment)
{
    lope_block_link link = {gate_of(b, d, &gates[0]), gate_of(b, d, &gates[1]), d->segments.count};
    if (link.from < 0 || link.to < 0)
        return false;
    if (is_known(d, &link, &segment->piece))
        return true;
    const lope_block_gate *all = d->gates.items;
    edit_segment(b, all[link.from].at, all[link.to].at, end, rise, segment);
    b->runs++;
    return list_add(&d->links, &link, sizeof link) && list_add(&d->segments, segment, sizeof *segment);
}

int run_draft(blocks_build *b, const touch_track *track, const junction *from, const junction *to, lope_spot *from_run)
{
    run r = {.track = track, .from = from, .to = to};
    gather(b, &r);
    const block_draft *draft = draft_of(b, &r, from_run);
    return draft ? (int)(draft - (const block_draft *)b->drafts.items) : -1;
}

bool link_gates(blocks_build *b, const touch_track *track, const junction *from, const junction *to, int draft,
                const int gates[2])
{
    run r = {.track = track, .from = from, .to = to};
    block_draft *d = (block_draft *)b->drafts.items + draft;
    const lope_block_gate *all = d->gates.items;
    lope_block_segment segment = segment_of(&r, track->scene->clip);
    lope_block_link link = {gates[0], gates[1], d->segments.count};
    edit_segment(b, all[link.from].at, all[link.to].at, to->start, to->base - from->base, &segment);
    b->runs++;
    return list_add(&d->links, &link, sizeof link) && list_add(&d->segments, &segment, sizeof segment);
}

bool note_steps(blocks_build *b, const touch_track *track, const junction *from, const junction *to, int draft,
                lope_spot from_run)
{
    run r = {.track = track, .from = from, .to = to};
    return add_footings(&r, from_run, (block_draft *)b->drafts.items + draft);
}

lope_status register_run(blocks_build *b, const touch_track *track, const junction *from, const junction *to,
                         lope_error *error)
{
    run r = {.track = track, .from = from, .to = to};
    if (!gather(b, &r))
        return LOPE_OK;
    lope_block_segment segment = segment_of(&r, track->scene->clip);
    int shortest = (int)(b->def->min_seconds * (float)track->clip->frame_rate + 0.5f);
    if (segment.piece.frames < 2 || (segment.piece.frames - 1 < shortest && segment.glide_frames == 0))
        return LOPE_OK;
    lope_spot from_run;
    block_draft *draft = draft_of(b, &r, &from_run);
    if (!draft)
        return lope_fail_memory(error);
    const lope_block_gate gates[2] = {{lope_spot_mul(from_run, from->gate), from->pose, from->floor},
                                      {lope_spot_mul(from_run, to->gate), to->pose, to->floor}};
    bool ok =
        add_link(b, draft, gates, to->start, to->base - from->base, &segment) && add_footings(&r, from_run, draft);
    return ok ? LOPE_OK : lope_fail_memory(error);
}

static block_draft *behaviour_draft(blocks_build *b, const char *name)
{
    block_draft *drafts = b->drafts.items;
    for (int i = 0; i < b->drafts.count; i++)
        if (drafts[i].unit_count == 0 && strcmp(drafts[i].name, name) == 0)
            return &drafts[i];
    block_draft made = {.unit_count = 0};
    snprintf(made.name, sizeof made.name, "%s", name);
    if (!list_add(&b->drafts, &made, sizeof made))
        return NULL;
    return (block_draft *)b->drafts.items + b->drafts.count - 1;
}

// Where the hips of a standing frame are, seen from where they would be if only the standing foot counted.
static lope_vec2 standing_offset(const blocks_build *b, const lope_clip *clip, int frame)
{
    const pose_kinds *kinds = &b->walk.kinds;
    lope_vec2 foot = pose_foot_place(clip, frame, kinds->feet[kinds->standing], b->model);
    return (lope_vec2){kinds->steps[kinds->standing].x - foot.x, kinds->steps[kinds->standing].z - foot.z};
}

// Behaviours that end nearer to where they began (metres, radians) are brought back there exactly; captured ones may
// be farther off.
#define STAYS 0.1f
#define STAYS_YAW 0.15f
#define STAYS_CAPTURED 0.15f
#define STAYS_CAPTURED_YAW 0.25f
// Seconds around a moment in which a captured one stands nowhere nearer, and that it takes at least.
#define STAND_AROUND 0.5
#define LEAST_STAY 1.5

// Frames of a clip that a behaviour takes, and how far it comes within standing where it does not.
typedef struct behaviour_cut {
    int first, last;
    float nearest;
} behaviour_cut;

static lope_block_segment behaviour_segment(const blocks_build *b, int index, int first, int last)
{
    const lope_clip *clip = b->set->clips[index];
    return (lope_block_segment){.piece = {.clip = index,
                                          .first = first,
                                          .frames = last - first + 1,
                                          .length = way_of(clip, first, last),
                                          .start = standing_offset(b, clip, first)}};
}

// Where a segment that begins at the origin ends.
static lope_ground behaviour_move(const blocks_build *b, const lope_block_segment *s, lope_vec2 *end)
{
    const lope_clip *clip = b->set->clips[s->piece.clip];
    int last = s->piece.frames - 1;
    *end = standing_offset(b, clip, s->piece.first + last);
    lope_ground hips = lope_segment_ground(b->set, &s->piece, (lope_ground){0.0f, 0.0f, 0.0f}, last);
    return lope_ground_mul(hips, (lope_ground){-end->x, -end->z, 0.0f});
}

static bool is_near(lope_ground move, float way, float yaw)
{
    return move.x * move.x + move.z * move.z < way * way && fabsf(move.yaw) < yaw;
}

// Moments at which a clip comes nearest to standing, as frames in rising order; `nearest` is how near it ever comes.
static int find_stands(const blocks_build *b, int index, int *out, int room, float *nearest)
{
    const lope_clip *clip = b->set->clips[index];
    const pose_kind *standing = (const pose_kind *)b->kinds.items + b->walk.kinds.standing;
    int around = (int)(STAND_AROUND * clip->frame_rate + 0.5), count = 0, pose = lope_set_first_pose(b->set, index);
    for (int f = 0; f < clip->frame_count; f++) {
        float here = kind_chord2(b, pose + f, 0.0f, standing);
        bool best = sqrtf(here) <= b->def->arrive;
        *nearest = fminf(*nearest, sqrtf(here));
        for (int g = f - around; g <= f + around && best; g++)
            if (g >= 0 && g < clip->frame_count && g != f) {
                float other = kind_chord2(b, pose + g, 0.0f, standing);
                best = other > here || (other == here && g > f);
            }
        if (best && count < room)
            out[count++] = f;
    }
    return count;
}

// The longest part between two moments near to standing that ends where it began; failing that, the longest.
static behaviour_cut find_cut(const blocks_build *b, int index)
{
    enum { MOST = 256 };
    int stands[MOST];
    behaviour_cut best = {0, 0, INFINITY};
    bool stays = false;
    const lope_clip *clip = b->set->clips[index];
    int count = find_stands(b, index, stands, MOST, &best.nearest), least = (int)(LEAST_STAY * clip->frame_rate);
    for (int i = 0; i < count; i++)
        for (int k = count - 1; k > i; k--) {
            int frames = stands[k] - stands[i];
            if (frames < least || (stays && frames <= best.last - best.first))
                break;
            lope_vec2 end;
            lope_block_segment s = behaviour_segment(b, index, stands[i], stands[k]);
            bool back = is_near(behaviour_move(b, &s, &end), STAYS_CAPTURED, STAYS_CAPTURED_YAW);
            if (back < stays || (back == stays && frames <= best.last - best.first))
                continue;
            stays = back;
            best.first = stands[i];
            best.last = stands[k];
        }
    return best;
}

static lope_status register_behaviour(blocks_build *b, const lope_stage_behaviour *behaviour, float *nearest,
                                      lope_error *error)
{
    behaviour_cut cut = {0, b->set->clips[behaviour->clip]->frame_count - 1, 0.0f};
    if (behaviour->cut)
        cut = find_cut(b, behaviour->clip);
    *nearest = fminf(*nearest, cut.nearest);
    if (cut.last <= cut.first)
        return LOPE_OK;
    block_draft *draft = behaviour_draft(b, behaviour->name);
    if (!draft)
        return lope_fail_memory(error);
    lope_vec2 end;
    lope_block_segment s = behaviour_segment(b, behaviour->clip, cut.first, cut.last);
    lope_ground move = behaviour_move(b, &s, &end);
    lope_block_gate gates[2] = {{{0.0f, 0.0f, 0.0f, 0.0f}, b->walk.kinds.standing, 1},
                                {{move.x, 0.0f, move.z, move.yaw}, b->walk.kinds.standing, 1}};
    if (is_near(move, behaviour->cut ? STAYS_CAPTURED : STAYS, behaviour->cut ? STAYS_CAPTURED_YAW : STAYS_YAW))
        gates[1] = gates[0];
    return add_link(b, draft, gates, end, 0.0f, &s) ? LOPE_OK : lope_fail_memory(error);
}

static bool has_behaviour(const blocks_build *b, const char *name)
{
    const block_draft *drafts = b->drafts.items;
    for (int i = 0; i < b->drafts.count; i++)
        if (drafts[i].unit_count == 0 && drafts[i].links.count > 0 && strcmp(drafts[i].name, name) == 0)
            return true;
    return false;
}

lope_status register_behaviours(blocks_build *b, lope_error *error)
{
    lope_status status = LOPE_OK;
    const lope_stage_behaviour *all = b->stage->behaviours;
    float nearest = INFINITY;
    for (int i = 0; i < b->stage->behaviour_count && b->walk.kinds.standing >= 0 && !status; i++)
        status = register_behaviour(b, &all[i], &nearest, error);
    for (int i = 0; i < b->stage->behaviour_count && !status; i++) {
        if (!all[i].cut || has_behaviour(b, all[i].name))
            continue;
        if (b->walk.kinds.standing < 0)
            return lope_fail(error, LOPE_NOT_FOUND, "behaviour '%s' begins and ends standing, but no walk stands still",
                             all[i].name);
        return lope_fail(
            error, LOPE_NOT_FOUND,
            "behaviour '%s' never stands twice, %.1f s apart, as those who walk do: clips of behaviours come "
            "within %.0f cm of that, %.0f cm are allowed",
            all[i].name, LEAST_STAY, 100.0 * (double)nearest, 100.0 * (double)b->def->arrive);
    }
    return status;
}
