// SPDX-License-Identifier: MIT
// Slides: sits down where the slide begins, as the motion does, rides the surface that is there, and gets up where it
// ends. Riding, the seat runs along the real surface by gravity and friction; the pose is that of the motion as far
// from either end, turned by what the slopes differ by.
#include <string.h>

#include "base/error.h"
#include "level/use.h"
#include "lope/ground.h"
#include "motion/joints.h"

#define GRAVITY 9.81f
#define FRICTION 0.3f
#define PUSH_SPEED 0.6f // metres per second up to which one pushes, and as hard as
#define PUSH 1.5f       // this, per second squared
#define BRAKES 2.5f     // metres per second squared: brakes as hard once it takes that to stop at the end
#define SLOWEST 0.15f   // metres per second
#define BEGINNING 1.0f  // metres at both ends that the pose takes from the motion as they are
#define ENDING 0.9f
#define SMOOTH 0.22f // metres ahead and behind that a slope is measured over
#define STEEPEST 0.8f
#define FLATTEST 0.3f
#define ROUND 0.15f  // metres to both sides over which its corners are rounded for feet
#define CLEAR 0.012f // metres that heels ride above the surface

// ---- the motion

// A link from floor to floor that slides; -1: none.
static int find_link(const lope_use *u, const lope_block **out)
{
    const lope_blocks *b = u->def.blocks;
    int found = -1, count = 0;
    for (int i = 0; i < b->block_count; i++)
        for (int l = b->blocks[i].link_first; l < b->blocks[i].link_first + b->blocks[i].link_count; l++) {
            const lope_block_gate *gates = &b->gates[b->blocks[i].gate_first];
            const lope_block_gate *from = &gates[b->links[l].from], *to = &gates[b->links[l].to];
            const int glide = b->segments[b->links[l].segment].glide_frames;
            if (glide < 2 || glide >= USE_HEIGHTS || from->floor != 1 || to->floor != 1 || to->at.y > from->at.y - 0.3f)
                continue;
            if (found < 0 || (uint32_t)count == u->def.seed % 2u) {
                found = l;
                *out = &b->blocks[i];
            }
            count++;
        }
    return found;
}

// Where the seat is at a frame of the link, seen from the block.
static lope_vec3 seat_at(lope_use *u, int frame)
{
    const use_step *step = &u->in[0];
    const lope_clip *clip = use_clip(u, step);
    lope_ground ground;
    lope_vec3 points[LOPE_CONTACT_COUNT];
    lope_spot by = use_placing(u, step, step->gate, frame, &ground);
    lope_clip_model(clip, use_segment(u, step)->piece.first + frame, u->model);
    lope_contact_places(&u->anatomy, u->model, points);
    lope_vec3 p = lope_transform_point(lope_ground_transform((lope_ground){by.x, by.z, by.yaw}), points[PART_SEAT]);
    return lope_v3(p.x, p.y + by.y, p.z);
}

// Metres of the hips' way from frame to frame while they slide.
static float way_after(const lope_use *u, int frame)
{
    const lope_vec3 *root = use_clip(u, &u->in[0])->root + use_segment(u, &u->in[0])->piece.first + frame;
    return lope_v3_distance(root[1], root[0]);
}

static float motion_length(const lope_use *u)
{
    float length = 0.0f;
    for (int f = u->is.slide.first; f < u->is.slide.first + u->is.slide.frames; f++)
        length += way_after(u, f);
    return length;
}

// The frame of the motion that is as far along as so many metres of the real slide: the same from both ends, stretched
// between.
float use_slide_frame(const lope_use *u, float slid)
{
    const use_slide *s = &u->is.slide;
    float own = motion_length(u), ends = fminf(BEGINNING + ENDING, 0.9f * fminf(own, s->length));
    if (s->length < own) // no more than twice as fast between
        ends = fmaxf(fminf(ends, 2.0f * s->length - own), 0.0f);
    float first = ends * BEGINNING / (BEGINNING + ENDING), last = ends - first, at = slid;
    if (slid > s->length - last)
        at = own - (s->length - slid);
    else if (slid > first)
        at = first + (slid - first) * (own - ends) / fmaxf(s->length - ends, 1e-3f);
    int f = s->first;
    for (; f < s->first + s->frames - 1 && at > way_after(u, f); f++)
        at -= way_after(u, f);
    return (float)f + fmaxf(0.0f, fminf(at / fmaxf(way_after(u, f), 1e-4f), 1.0f));
}

// ---- the thing

// Height of the surface, and its slope (radians, > 0 down), `z` metres from where it begins, seen from the top.
static float height_at(const use_profile *p, float z)
{
    float at = (z - p->from) / p->spacing;
    int i = at < 0.0f ? 0 : at > (float)(USE_HEIGHTS - 2) ? USE_HEIGHTS - 2 : (int)at;
    float t = fmaxf(0.0f, fminf(at - (float)i, 1.0f));
    return p->heights[i] + (p->heights[i + 1] - p->heights[i]) * t;
}

static float slope_at(const use_profile *p, float z)
{
    return (float)lope_atan2((double)(height_at(p, z - SMOOTH) - height_at(p, z + SMOOTH)), 2.0 * (double)SMOOTH);
}

// The surface that the motion was performed on: where its seat goes.
static void find_own(lope_use *u, lope_vec3 *from, lope_vec3 *to)
{
    use_slide *s = &u->is.slide;
    float ys[USE_HEIGHTS];
    *from = *to = seat_at(u, s->first);
    for (int i = 0; i <= s->frames; i++) {
        *to = seat_at(u, s->first + i);
        s->seat_z[i] = fmaxf(to->z, i ? s->seat_z[i - 1] : to->z);
        ys[i] = to->y;
    }
    s->own.from = from->z;
    s->own.spacing = (to->z - from->z) / (float)(USE_HEIGHTS - 1);
    for (int i = 0, f = 0; i < USE_HEIGHTS; i++) {
        float z = s->own.from + s->own.spacing * (float)i;
        while (f < s->frames - 1 && s->seat_z[f + 1] < z)
            f++;
        float t = (z - s->seat_z[f]) / fmaxf(s->seat_z[f + 1] - s->seat_z[f], 1e-5f);
        s->own.heights[i] = ys[f] + (ys[f + 1] - ys[f]) * fmaxf(0.0f, fminf(t, 1.0f));
    }
}

static float section(const use_slide *s, float a, float b)
{
    float y = height_at(&s->is, b) - height_at(&s->is, a);
    return sqrtf((b - a) * (b - a) + y * y);
}

// z after so many metres along the surface.
static float z_at(const use_slide *s, float slid)
{
    float z = s->start;
    while (z < s->stop) {
        float length = section(s, z, fminf(z + s->is.spacing, s->stop));
        if (slid <= length)
            return z + fminf(s->is.spacing, s->stop - z) * fmaxf(slid, 0.0f) / fmaxf(length, 1e-5f);
        slid -= length;
        z += s->is.spacing;
    }
    return s->stop;
}

// ---- riding

bool use_slide_rides(const lope_use *u)
{
    const use_slide *s = &u->is.slide;
    return u->kind == LOPE_USE_SLIDE && u->mode == USE_IN && u->now.frame >= (float)s->first && u->now.slid < s->length;
}

void use_slide_advance(lope_use *u, float dt)
{
    use_slide *s = &u->is.slide;
    const float slice = 1.0f / 240.0f;
    if (u->now.slid == 0.0f)
        s->speed = way_after(u, s->first > 0 ? s->first - 1 : 0) * (float)use_clip(u, &u->in[0])->frame_rate;
    for (float left = dt; left > 0.0f && u->now.slid < s->length; left -= slice) {
        float part = fminf(left, slice), slope = slope_at(&s->is, z_at(s, u->now.slid)), way = s->length - u->now.slid;
        float pull = GRAVITY * (float)(lope_sin((double)slope) - (double)FRICTION * lope_cos((double)slope));
        float needed = s->speed * s->speed / (2.0f * fmaxf(way, 0.01f));
        if (needed > BRAKES && pull > -needed)
            pull = -needed;
        else if (s->speed < PUSH_SPEED && way > 0.2f)
            pull = fmaxf(pull, PUSH);
        s->speed = fmaxf(s->speed + pull * part, SLOWEST);
        u->now.slid = fminf(u->now.slid + s->speed * part, s->length);
    }
    u->now.frame = use_slide_frame(u, u->now.slid);
}

// Puts a pose of the ride onto the real surface: the seat on it, the body turned as the slopes differ.
void use_slide_put(lope_use *u, const use_cursor *at, lope_pose *pose)
{
    const use_slide *s = &u->is.slide;
    lope_vec3 points[LOPE_CONTACT_COUNT];
    float z = z_at(s, at->slid), share = fminf(at->slid / 0.3f, 1.0f);
    const int frame = (int)fmaxf(0.0f, fminf(at->frame - (float)s->first, (float)(s->frames - 1)));
    float own = s->seat_z[frame] +
                (s->seat_z[frame + 1] - s->seat_z[frame]) * fminf(at->frame - (float)(s->first + frame), 1.0f);
    float turn =
        (slope_at(&s->is, z) - slope_at(&s->own, own)) * lope_ease(share) * lope_ease((s->length - at->slid) / 0.3f);
    lope_pose_to_model(u->def.blocks->set->skeleton, pose, u->model);
    lope_contact_places(&u->anatomy, u->model, points);
    lope_vec3 side = lope_quat_rotate(lope_quat_yaw(u->thing.yaw), lope_v3(1, 0, 0)), seat = points[PART_SEAT];
    lope_quat pitch = lope_quat_axis_angle(side, turn);
    lope_vec3 to = use_point(u->thing, lope_v3(0, height_at(&s->is, z), z));
    lope_vec3 arm = lope_quat_rotate(pitch, lope_v3_sub(pose->root, seat));
    pose->root = lope_v3_add(to, arm);
    pose->rotations[0] = lope_quat_normalize(lope_quat_mul(pitch, pose->rotations[0]));
    if (pose->translations)
        pose->translations[0] = pose->root;
}

// The surface, rounded where it turns up: feet begin to rise before they are there.
static float clear_height(const use_profile *p, float z)
{
    return fmaxf(height_at(p, z), 0.5f * (height_at(p, z - ROUND) + height_at(p, z + ROUND)));
}

// Metres that a foot must rise to be above the surface.
float use_slide_push(const lope_use *u, lope_vec3 heel, lope_vec3 ball)
{
    const lope_vec3 points[2] = {heel, ball};
    float push = 0.0f;
    for (int i = 0; i < 2; i++) {
        lope_spot p = lope_spot_mul(lope_spot_inverse(u->thing), (lope_spot){points[i].x, points[i].y, points[i].z, 0});
        if (p.z < u->is.slide.edge)
            push = fmaxf(push, clear_height(&u->is.slide.is, p.z) + CLEAR - p.y);
    }
    return push;
}

// ---- finding it

static lope_status find_profile(lope_use *u, const lope_part *part, lope_error *error)
{
    use_slide *s = &u->is.slide;
    const float size = part->size.z * part->scale, high = part->size.y * part->scale;
    const lope_terrain *terrain = lope_level_terrain(u->def.level);
    s->is.from = -0.7f;
    s->is.spacing = (size - s->is.from) / (float)(USE_HEIGHTS - 1);
    s->edge = 0.0f;
    for (int i = 0; i < USE_HEIGHTS; i++) {
        float z = s->is.from + s->is.spacing * (float)i;
        lope_terrain_hit hit;
        if (!lope_terrain_below(terrain, NULL, use_point(u->thing, lope_v3(0, 0.3f, z)), high + 0.6f, &hit))
            return lope_fail(error, LOPE_UNSUPPORTED, "the slide '%s' has a hole, or leads down from nothing",
                             part->name);
        s->is.heights[i] = hit.point.y - u->thing.y;
        s->edge = hit.piece == part->piece ? z : s->edge;
    }
    if (fabsf(height_at(&s->is, -0.5f)) > 0.05f || fabsf(height_at(&s->is, -0.1f)) > 0.05f)
        return lope_fail(error, LOPE_UNSUPPORTED, "there is no level ground to sit down on before the slide '%s'",
                         part->name);
    return LOPE_OK;
}

// Its steepest place and whether it always leads down.
static lope_status check_profile(const lope_use *u, const lope_part *part, lope_error *error)
{
    const use_slide *s = &u->is.slide;
    float steepest = 0.0f;
    for (float z = 0.0f; z < s->stop - SMOOTH; z += s->is.spacing) {
        steepest = fmaxf(steepest, slope_at(&s->is, z));
        if (slope_at(&s->is, z) < -0.1f)
            return lope_fail(error, LOPE_UNSUPPORTED, "the slide '%s' leads up", part->name);
    }
    if (steepest > STEEPEST || steepest < FLATTEST)
        return lope_fail(error, LOPE_UNSUPPORTED, "the slide '%s' is %.0f degrees steep, must be %.0f to %.0f",
                         part->name, (double)steepest * 180.0 / LOPE_PI, (double)FLATTEST * 180.0 / LOPE_PI,
                         (double)STEEPEST * 180.0 / LOPE_PI);
    return LOPE_OK;
}

// The far edge of the block's own slide.
static float own_edge(const lope_blocks *b, const lope_block *block)
{
    float edge = 0.0f;
    for (int i = 0; i < block->unit_count; i++) {
        const lope_placed_unit *unit = &b->placed[block->unit_first + i];
        edge = fmaxf(edge, unit->at.z + b->units[unit->unit].high.z);
    }
    return edge;
}

static lope_status place_ends(lope_use *u, const lope_part *part, const lope_block *block, lope_error *error)
{
    use_slide *s = &u->is.slide;
    const lope_block_segment *segment = use_segment(u, &u->in[0]);
    const lope_clip *clip = use_clip(u, &u->in[0]);
    const lope_block_gate *to = &u->def.blocks->gates[block->gate_first + 1];
    lope_vec3 from, end;
    float ground;
    lope_terrain_hit hit;
    find_own(u, &from, &end);
    s->start = from.z;
    s->stop = s->edge - (own_edge(u->def.blocks, block) - end.z);
    lope_vec3 beyond = use_point(u->thing, lope_v3(0, height_at(&s->is, s->edge) + 0.1f, s->edge + 0.35f));
    if (!lope_terrain_below(lope_level_terrain(u->def.level), NULL, beyond, 1.2f, &hit))
        return lope_fail(error, LOPE_UNSUPPORTED, "there is no ground at the end of the slide '%s'", part->name);
    ground = hit.point.y - u->thing.y;
    for (float z = s->start; z < s->stop; z += s->is.spacing)
        s->length += section(s, z, fminf(z + s->is.spacing, s->stop));
    if (s->stop < 0.8f)
        return lope_fail(error, LOPE_UNSUPPORTED, "the slide '%s' is too short", part->name);
    lope_spot local = {0.0f, ground - to->at.y, s->stop - end.z, 0.0f};
    u->finish = lope_spot_mul(u->thing, local);
    s->stand = clip->root[segment->piece.first + segment->piece.frames - 1].y - (segment->base + to->at.y);
    s->sit = clip->root[segment->piece.first + s->first + s->frames].y - (segment->base + to->at.y);
    s->floor = u->thing.y + ground;
    s->rise = height_at(&s->is, s->stop) - ground - (end.y - to->at.y);
    if (fabsf(s->rise) > 0.15f)
        return lope_fail(error, LOPE_UNSUPPORTED, "the slide '%s' ends %.2f m above the ground, the motion at %.2f m",
                         part->name, (double)(height_at(&s->is, s->stop) - ground), (double)(end.y - to->at.y));
    return LOPE_OK;
}

lope_status use_find_slide(lope_use *u, const lope_part *part, lope_error *error)
{
    const lope_quat turn = part->at.rotation;
    const lope_vec3 at = part->at.translation;
    const lope_block *block = NULL;
    int link = find_link(u, &block);
    if (link < 0)
        return lope_fail(error, LOPE_UNSUPPORTED, "the blocks have no motion for slides");
    if (fabsf(turn.x) + fabsf(turn.z) > 0.02f)
        return lope_fail(error, LOPE_UNSUPPORTED, "the slide '%s' does not stand upright", part->name);
    const lope_block_segment *segment = &u->def.blocks->segments[u->def.blocks->links[link].segment];
    u->in[0] = (use_step){u->def.blocks->links[link].segment,
                          u->def.blocks->gates[block->gate_first + u->def.blocks->links[link].from].at};
    u->in_count = 1;
    u->is.slide.first = segment->glide_first;
    u->is.slide.frames = segment->glide_frames;
    u->thing = (lope_spot){at.x, at.y + part->size.y * part->scale, at.z,
                           (float)(2.0 * lope_atan2((double)turn.y, (double)turn.w))};
    u->turned = u->thing;
    u->settle = 1.2f;
    lope_status status = find_profile(u, part, error);
    if (!status)
        status = place_ends(u, part, block, error);
    return status ? status : check_profile(u, part, error);
}
