// SPDX-License-Identifier: MIT
// Which motion of the blocks fits a thing of a level, and where the thing is then, so that the motion meets its
// surfaces: seats by their height and front edge.
#include <limits.h>
#include <string.h>

#include "base/error.h"
#include "level/use.h"
#include "lope/ground.h"

#define SEAT_UP 0.13f    // metres that a seat may be higher than in the motion
#define SEAT_DOWN 0.13f  // and lower
#define SEAT_HIGH 0.8f   // metres above the thing's place in which a seat is looked for
#define EDGE 0.6f        // metres in which its edge is looked for
#define AHEAD 1.5f       // metres that one sits nearer to the edge per metre that the seat is higher: thighs slope
#define DESK_SHARE -0.2f // of what a desk is nearer than in the motion that hands are farther on it: elbows stay up
#define LEG 0.08f
#define BODY 0.17f // metres: radius of a body that stands or sits

static float yaw_of(lope_quat q)
{
    return (float)(2.0 * lope_atan2((double)q.y, (double)q.w));
}

static const lope_block_gate *gate_of(const lope_blocks *b, const lope_block *block, int gate)
{
    return &b->gates[block->gate_first + gate];
}

// ---- seats: the motion

// One way to sit on one unit.
typedef struct seat_motion {
    const lope_block *block;
    int gate;       // seated
    lope_vec3 seat; // where the seat touches, seen from the unit
    float front;    // z of the front edge
    int down, up;   // links
} seat_motion;

// A point of the body in the last frame of a link, seen from the block.
static lope_vec3 last_point(const lope_use *u, const lope_block *block, const lope_block_link *link, int part)
{
    const lope_blocks *b = u->def.blocks;
    const lope_block_segment *s = &b->segments[link->segment];
    const lope_clip *clip = b->set->clips[s->piece.clip];
    const int frame = s->piece.first + s->piece.frames - 1;
    lope_spot at = lope_block_segment_place(b->set, s, gate_of(b, block, link->from)->at, s->piece.frames - 1);
    lope_ground by =
        lope_ground_mul((lope_ground){at.x, at.z, at.yaw}, lope_ground_inverse(lope_clip_ground(clip, frame)));
    lope_vec3 points[LOPE_CONTACT_COUNT];
    lope_clip_model(clip, frame, u->model);
    lope_contact_places(&u->anatomy, u->model, points);
    lope_vec3 p = lope_transform_point(lope_ground_transform(by), points[part]);
    return lope_v3(p.x, p.y + at.y, p.z);
}

static bool ends_seated(const lope_blocks *b, const lope_block *block, const lope_block_link *link)
{
    const lope_segment *piece = &b->segments[link->segment].piece;
    const lope_clip *clip = b->set->clips[piece->clip];
    return gate_of(b, block, link->from)->floor == 1 && gate_of(b, block, link->to)->floor == 0 && clip->contacts &&
           clip->contacts[piece->first + piece->frames - 1] & LOPE_CONTACT_SEAT;
}

// One of the links from a gate to another that are hardly longer than the shortest: the seed chooses the take. -1 for a
// gate: any on the floor. -1: there is none.
static int choose_link(const lope_use *u, const lope_block *block, int from, int to)
{
    const lope_blocks *b = u->def.blocks;
    int found[16], count = 0, shortest = INT_MAX;
    for (int pass = 0; pass < 2; pass++)
        for (int l = block->link_first; l < block->link_first + block->link_count && count < 16; l++) {
            const lope_block_link *link = &b->links[l];
            const int frames = b->segments[link->segment].piece.frames;
            if ((from < 0 ? gate_of(b, block, link->from)->floor != 1 : link->from != from) ||
                (to < 0 ? gate_of(b, block, link->to)->floor != 1 : link->to != to))
                continue;
            if (!pass)
                shortest = frames < shortest ? frames : shortest;
            else if (frames <= shortest + shortest / 4)
                found[count++] = l;
        }
    return count ? found[u->def.seed % (uint32_t)count] : -1;
}

// The front edge of the box under the seat, seen from the block.
static float front_edge(const lope_blocks *b, const lope_block *block, lope_vec3 seat)
{
    const lope_unit *unit = &b->units[b->placed[block->unit_first].unit];
    for (int i = 0; i < unit->box_count; i++) {
        const lope_box *box = &b->boxes[unit->box_first + i];
        if (fabsf(box->centre.y + box->half.y - seat.y) < 0.06f && fabsf(seat.x - box->centre.x) < box->half.x &&
            fabsf(seat.z - box->centre.z) < box->half.z && box->yaw == 0.0f)
            return box->centre.z + box->half.z;
    }
    return seat.z + 0.2f;
}

// Whether a gate is where another one is, on the thing.
static bool is_same_seat(lope_spot a, lope_spot b)
{
    return fabsf(a.x - b.x) < 0.06f && fabsf(a.z - b.z) < 0.06f && fabsf(lope_wrap_angle(a.yaw - b.yaw)) < 0.2f;
}

// Whether a link of a block repeats what is done on a seat.
static bool is_stay(const lope_blocks *b, const lope_block *block, const lope_block_link *link,
                    const lope_block_gate *seated)
{
    const lope_block_gate *gate = gate_of(b, block, link->from);
    return link->from == link->to && gate->pose == seated->pose && is_same_seat(gate->at, seated->at);
}

// Whether the blocks know what is done on a seat after one has sat down by a link.
static bool has_stays(const lope_blocks *b, const lope_block *block, const lope_block_link *link)
{
    const lope_block_gate *seated = gate_of(b, block, link->to);
    const int unit = b->placed[block->unit_first].unit;
    for (int i = 0; i < b->block_count; i++) {
        const lope_block *other = &b->blocks[i];
        if (other->unit_count != 1 || b->placed[other->unit_first].unit != unit)
            continue;
        for (int l = other->link_first; l < other->link_first + other->link_count; l++)
            if (is_stay(b, other, &b->links[l], seated))
                return true;
    }
    return false;
}

#define NO_STAY 0.02f
// Sitting down by a link, if its seat is nearer to a height than `best`; what it is off by counts more where the blocks
// know nothing to do afterwards.
static bool motion_by(const lope_use *u, const lope_block *block, int l, float height, float *off, float best,
                      seat_motion *out)
{
    const lope_blocks *b = u->def.blocks;
    const lope_block_link *link = &b->links[l];
    if (block->unit_count != 1 || strncmp(b->units[b->placed[block->unit_first].unit].name, "slide", 5) == 0 ||
        !ends_seated(b, block, link))
        return false;
    int up = choose_link(u, block, link->to, -1);
    if (up < 0)
        return false;
    lope_vec3 seat = last_point(u, block, link, PART_SEAT);
    *off = fabsf(seat.y - height);
    if (*off >= best - 1e-3f)
        return false;
    *off += has_stays(b, block, link) ? 0.0f : NO_STAY;
    if (*off >= best - 1e-3f)
        return false;
    *out = (seat_motion){block, link->to, seat, front_edge(b, block, seat), l, up};
    return true;
}

// The way to sit whose seat is nearest in height; one after which the blocks know nothing to do is as good as one that
// is NO_STAY metres farther off.
static bool find_motion(const lope_use *u, float height, seat_motion *out)
{
    const lope_blocks *b = u->def.blocks;
    float best = INFINITY;
    for (int i = 0; i < b->block_count; i++) {
        const lope_block *block = &b->blocks[i];
        for (int l = 0; l < block->link_count; l++) {
            float off;
            if (!motion_by(u, block, block->link_first + l, height, &off, best, out))
                continue;
            best = off;
        }
    }
    if (!(best < INFINITY))
        return false;
    out->down = choose_link(u, out->block, -1, out->gate);
    return true;
}

static use_step step_of(const lope_blocks *b, const lope_block *block, int link)
{
    return (use_step){b->links[link].segment, gate_of(b, block, b->links[link].from)->at};
}

static void add_stay(lope_use *u, use_step step)
{
    if (u->stay_count < USE_MOST_STAYS)
        u->stays[u->stay_count++] = step;
}

// What one does on the seat, in blocks of so many units. Returns how far ahead the other unit stands.
static float add_stays(lope_use *u, const seat_motion *m, int units)
{
    const lope_blocks *b = u->def.blocks;
    const lope_block_gate *seated = gate_of(b, m->block, m->gate);
    const int unit = b->placed[m->block->unit_first].unit;
    float ahead = 0.0f;
    for (int i = 0; i < b->block_count; i++) {
        const lope_block *block = &b->blocks[i];
        if (block->unit_count != units || b->placed[block->unit_first].unit != unit)
            continue;
        for (int l = block->link_first; l < block->link_first + block->link_count; l++)
            if (is_stay(b, block, &b->links[l], seated))
                add_stay(u, step_of(b, block, l));
        ahead = b->placed[block->unit_first + units - 1].at.z;
    }
    return ahead;
}

// ---- seats: the thing

// A seat as it is: the place on it, and the ground around.
typedef struct seat_found {
    lope_vec3 at;
    float yaw, floor;
} seat_found;

static bool surface_below(const lope_use *u, lope_vec3 from, float depth, float *y)
{
    lope_terrain_hit hit;
    bool found = lope_terrain_below(lope_level_terrain(u->def.level), NULL, from, depth, &hit);
    *y = found ? hit.point.y : 0.0f;
    return found;
}

static lope_vec3 ahead_of(lope_vec3 at, float yaw, float by)
{
    return lope_v3(at.x + by * (float)lope_sin((double)yaw), at.y, at.z + by * (float)lope_cos((double)yaw));
}

// Metres from the middle of the seat to its edge.
static float edge_of(const lope_use *u, lope_vec3 at, float yaw)
{
    float d = 0.0f, y;
    while (d < EDGE && surface_below(u, lope_v3_add(ahead_of(at, yaw, d + 0.01f), lope_v3(0, 0.05f, 0)), 0.08f, &y))
        d += 0.01f;
    return d;
}

static bool is_free(const lope_use *u, lope_vec3 at, float low, float high, float radius)
{
    for (float y = low + radius; y < high; y += radius)
        if (lope_terrain_touches(lope_level_terrain(u->def.level), NULL, lope_v3(at.x, at.y + y, at.z), radius))
            return false;
    return true;
}

// The thing's frame for the motion, if one sits on it facing `yaw`.
static lope_spot seat_frame(const lope_use *u, const seat_motion *m, const seat_found *s, float yaw)
{
    float rise = s->at.y - s->floor - m->seat.y;
    float ahead = edge_of(u, s->at, yaw) - m->front + AHEAD * fmaxf(rise, 0.0f);
    lope_vec3 at = ahead_of(s->at, yaw, ahead);
    return (lope_spot){at.x, s->floor, at.z, yaw};
}

// From the front or, where that is blocked, from a side. The nearest one to where the character comes from.
static bool choose_side(lope_use *u, const seat_motion *m, const seat_found *s)
{
    static const float sides[3] = {0.0f, 0.5f * (float)LOPE_PI, -0.5f * (float)LOPE_PI};
    const use_step down = step_of(u->def.blocks, m->block, m->down);
    const float high = s->at.y - s->floor + 0.12f;
    float best = INFINITY;
    u->turned = seat_frame(u, m, s, s->yaw);
    for (int i = 0; i < 3; i++) {
        lope_spot thing = seat_frame(u, m, s, lope_wrap_angle(s->yaw + sides[i]));
        lope_use_place at = use_step_place(u, &down, thing, false);
        lope_vec3 half = lope_v3_lerp(at.place, s->at, 0.5f);
        float y, far = isnan(u->def.from.x) ? 0.0f : lope_v3_distance(u->def.from, at.place);
        half.y = s->floor;
        if (!surface_below(u, lope_v3_add(at.place, lope_v3(0, 0.3f, 0)), 0.6f, &y) || fabsf(y - s->floor) > 0.08f ||
            !is_free(u, at.place, 0.12f, high, LEG) || !is_free(u, at.place, high, 1.7f, BODY) ||
            !is_free(u, half, high, 1.5f, 0.15f))
            continue;
        far += i ? 100.0f : 0.0f;
        if (far >= best)
            continue;
        best = far;
        u->thing = thing;
    }
    return best < INFINITY;
}

// A desk that stands before the seat, as desks do.
static bool find_desk(const lope_use *u, const seat_found *s, float *ahead)
{
    lope_part part;
    const lope_spot back = lope_spot_inverse((lope_spot){u->turned.x, s->floor, u->turned.z, s->yaw});
    for (int i = 0; i < lope_level_part_limit(u->def.level); i++) {
        if (!lope_level_part(u->def.level, i, &part) || strcmp(part.kind, "desk") != 0)
            continue;
        lope_vec3 at = part.at.translation;
        lope_spot seen = lope_spot_mul(back, (lope_spot){at.x, at.y, at.z, yaw_of(part.at.rotation)});
        float high = seen.y + part.size.y * part.scale, turn = 2.0f * seen.yaw;
        if (seen.z > 0.45f && seen.z < 1.2f && fabsf(seen.x) < 0.3f && fabsf(lope_wrap_angle(turn)) < 0.4f &&
            high > 0.64f && high < 0.82f) {
            *ahead = seen.z;
            return true;
        }
    }
    return false;
}

static lope_status find_surface(const lope_use *u, const lope_part *part, seat_found *out, lope_error *error)
{
    const lope_transform at = part->at;
    lope_vec3 top = lope_transform_point(at, lope_v3(u->def.aside, SEAT_HIGH, 0.0f));
    lope_terrain_hit hit;
    out->yaw = yaw_of(at.rotation);
    if (fabsf(at.rotation.x) + fabsf(at.rotation.z) > 0.02f)
        return lope_fail(error, LOPE_UNSUPPORTED, "the %s '%s' does not stand upright", part->kind, part->name);
    if (!lope_terrain_below(lope_level_terrain(u->def.level), NULL, top, SEAT_HIGH - 0.1f, &hit) ||
        hit.piece != part->piece)
        return lope_fail(error, LOPE_UNSUPPORTED, "the %s '%s' has no seat %.2f m to the left of its middle",
                         part->kind, part->name, (double)u->def.aside);
    out->at = hit.point;
    lope_vec3 before = ahead_of(out->at, out->yaw, edge_of(u, out->at, out->yaw) + 0.1f);
    before.y = out->at.y - 0.05f;
    if (!surface_below(u, before, 1.5f, &out->floor) || fabsf(out->floor - at.translation.y) > 0.15f)
        out->floor = at.translation.y;
    float below;
    if (!surface_below(u, lope_v3(before.x, out->floor + 0.05f, before.z), 0.2f, &below))
        return lope_fail(error, LOPE_UNSUPPORTED, "the %s '%s' hangs in the air", part->kind, part->name);
    return LOPE_OK;
}

static void take_motion(lope_use *u, const seat_motion *m, const seat_found *s)
{
    const lope_blocks *b = u->def.blocks;
    const lope_block_segment *down = &b->segments[b->links[m->down].segment];
    const lope_clip *clip = b->set->clips[down->piece.clip];
    const int first = down->piece.first;
    u->is.seat = (use_seat){s->at.y - s->floor - m->seat.y, clip->root[first].y - down->base,
                            clip->root[first + down->piece.frames - 1].y - down->base, 0.0f};
    u->in[0] = step_of(b, m->block, m->down);
    u->in_count = 1;
    u->out = step_of(b, m->block, m->up);
    u->finish = u->thing;
    u->settle = 0.0f;
    for (int f = first; f < first + down->piece.frames && !(clip->contacts[f] & LOPE_CONTACT_SEAT); f++)
        u->settle += (float)(1.0 / clip->frame_rate);
}

// Captured takes come to a seat from wherever they did: where there is no room for one, another one may do.
static bool find_other(lope_use *u, const seat_found *s, seat_motion *out)
{
    const lope_blocks *b = u->def.blocks;
    const float high = s->at.y - s->floor;
    float best = INFINITY;
    for (int i = 0; i < b->block_count; i++) {
        const lope_block *block = &b->blocks[i];
        for (int l = 0; l < block->link_count; l++) {
            float off;
            seat_motion m;
            if (!motion_by(u, block, block->link_first + l, high, &off, best, &m) || high > m.seat.y + SEAT_UP ||
                high < m.seat.y - SEAT_DOWN || !choose_side(u, &m, s))
                continue;
            best = off;
            *out = m;
        }
    }
    return best < INFINITY && choose_side(u, out, s);
}

lope_status use_find_seat(lope_use *u, const lope_part *part, lope_error *error)
{
    seat_found s = {.floor = 0.0f};
    seat_motion m;
    lope_status status = find_surface(u, part, &s, error);
    if (status)
        return status;
    const float high = s.at.y - s.floor;
    if (!find_motion(u, high, &m))
        return lope_fail(error, LOPE_UNSUPPORTED, "the blocks have no motion that sits down");
    if (high > m.seat.y + SEAT_UP || high < m.seat.y - SEAT_DOWN)
        return lope_fail(error, LOPE_UNSUPPORTED,
                         "the seat of the %s '%s' is %.2f m high, the motion sits on %.2f to %.2f m", part->kind,
                         part->name, (double)high, (double)(m.seat.y - SEAT_DOWN), (double)(m.seat.y + SEAT_UP));
    if (!is_free(u, s.at, 0.12f, 0.8f, 0.1f))
        return lope_fail(error, LOPE_UNSUPPORTED, "there is no room for a body above the seat of the %s '%s'",
                         part->kind, part->name);
    if (!choose_side(u, &m, &s) && !find_other(u, &s, &m))
        return lope_fail(error, LOPE_UNSUPPORTED, "there is no room to stand before or beside the %s '%s'", part->kind,
                         part->name);
    take_motion(u, &m, &s);
    add_stays(u, &m, 1);
    u->plain_count = u->stay_count;
    float desk;
    if (find_desk(u, &s, &desk))
        u->is.seat.desk = DESK_SHARE * (desk - add_stays(u, &m, 2));
    return LOPE_OK;
}

// ---- behaviours

// A link of a behaviour that ends where it began; -1: there is none.
static int find_behaviour(const lope_use *u, const char *name, int *block)
{
    const lope_blocks *b = u->def.blocks;
    *block = lope_blocks_find(b, name);
    if (*block < 0 || b->blocks[*block].unit_count != 0)
        return -1;
    return choose_link(u, &b->blocks[*block], 0, 0);
}

int use_find_segment(const lope_use *u, const char *behaviour)
{
    int block, link = find_behaviour(u, behaviour, &block);
    return link < 0 ? -1 : u->def.blocks->links[link].segment;
}

lope_status use_find_behaviour(lope_use *u, lope_error *error)
{
    const lope_blocks *b = u->def.blocks;
    const char *name = u->def.behaviour ? u->def.behaviour : "chat";
    int number, link = find_behaviour(u, name, &number);
    if (link < 0)
        return lope_fail(error, LOPE_NOT_FOUND, "the blocks have no behaviour '%s'", name);
    const lope_block *block = &b->blocks[number];
    for (int l = block->link_first; l < block->link_first + block->link_count; l++)
        if (b->links[l].from == b->links[l].to)
            add_stay(u, step_of(b, block, l));
    u->plain_count = u->stay_count;
    const lope_segment *piece = &b->segments[b->links[link].segment].piece;
    lope_ground at = lope_ground_mul(u->def.at, (lope_ground){-piece->start.x, -piece->start.z, 0.0f});
    u->thing = u->turned = u->finish = (lope_spot){at.x, u->def.height, at.z, at.yaw};
    u->settle = 0.6f;
    return LOPE_OK;
}
