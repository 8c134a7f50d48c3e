// SPDX-License-Identifier: MIT
// Playing the links of a use: the pose at any place of the motion, put where the thing is and lifted to its size, and
// the order of what is played.
#include <string.h>

#include "level/use.h"
#include "lope/ground.h"
#include "motion/joints.h"

#define FADE 0.1f       // seconds, half-life of what differs from link to link
#define CALM_FADE 0.22f // the same where one is called away in the middle
#define SWIVEL 1.3f     // seconds of turning on a seat

static lope_ground ground_of(lope_spot spot)
{
    return (lope_ground){spot.x, spot.z, spot.yaw};
}

static lope_spot between(lope_spot a, lope_spot b, float t)
{
    return (lope_spot){a.x + (b.x - a.x) * t, a.y + (b.y - a.y) * t, a.z + (b.z - a.z) * t,
                       a.yaw + lope_wrap_angle(b.yaw - a.yaw) * t};
}

// ---- one place of the motion

// Follows the segment up to a frame, from where it was followed to before, if it is the same.
static segment_cursor follow(lope_use *u, const use_step *step, int frame, lope_ground *source)
{
    const lope_segment *piece = &use_segment(u, step)->piece;
    const lope_clip *clip = use_clip(u, step);
    if (u->walked.segment != step->segment || u->walked.at.frame > frame) {
        u->walked.segment = step->segment;
        u->walked.at = lope_segment_begin(piece);
        u->walked.first = u->walked.source = lope_clip_ground(clip, piece->first);
    }
    while (u->walked.at.frame < frame) {
        lope_ground next = lope_clip_ground(clip, piece->first + u->walked.at.frame + 1);
        lope_segment_step(piece, u->walked.first, u->walked.source, next, &u->walked.at);
        u->walked.source = next;
    }
    *source = u->walked.source;
    return u->walked.at;
}

lope_spot use_placing(lope_use *u, const use_step *step, lope_spot gate, int frame, lope_ground *ground)
{
    const lope_block_segment *s = use_segment(u, step);
    lope_ground source;
    segment_cursor c = follow(u, step, frame, &source);
    *ground = lope_ground_mul(ground_of(gate), c.at);
    lope_ground by = lope_ground_mul(*ground, lope_ground_inverse(source));
    float share = s->piece.frames > 1 ? (float)frame / (float)(s->piece.frames - 1) : 0.0f;
    return (lope_spot){by.x, gate.y - s->base + s->lift * share, by.z, by.yaw};
}

// What the entry was off fades while one begins.
static void add_entry(const lope_use *u, const use_cursor *at, lope_ground ground, lope_pose *pose)
{
    float share = u->settle > 0.0f ? 1.0f - lope_ease(at->time / u->settle) : 0.0f;
    if (!(share > 0.0f))
        return;
    lope_ground off = {ground.x + u->off.x * share, ground.z + u->off.z * share, u->off.yaw * share};
    lope_pose_place(pose, lope_ground_mul(off, (lope_ground){-ground.x, -ground.z, 0.0f}));
}

static bool is_past_slide(const lope_use *u, const use_cursor *at)
{
    return u->kind == LOPE_USE_SLIDE && at->slid >= u->is.slide.length;
}

static float clamp01(float t)
{
    return fmaxf(0.0f, fminf(t, 1.0f));
}

// Metres that the hips are raised so that the motion fits the thing.
static float lift_of(const lope_use *u, const use_cursor *at, lope_spot thing, const lope_pose *pose)
{
    if (is_past_slide(u, at)) {
        const use_slide *s = &u->is.slide;
        return s->rise * clamp01((s->stand - (pose->root.y - s->floor)) / (s->stand - s->sit));
    }
    if (u->kind == LOPE_USE_SEAT) {
        const use_seat *seat = &u->is.seat;
        return seat->rise * clamp01((seat->stand - (pose->root.y - thing.y)) / (seat->stand - seat->sit));
    }
    if (u->kind == LOPE_USE_LADDER) {
        const use_ladder *l = &u->is.ladder;
        return (l->height - l->climbed) * clamp01((pose->root.y - l->foot.y - l->stand) / l->climbed);
    }
    return 0.0f;
}

void use_sample(lope_use *u, const use_cursor *at, lope_pose *out)
{
    const lope_block_segment *s = use_segment(u, &at->step);
    const lope_clip *clip = use_clip(u, &at->step);
    const int last = s->piece.frames - 1;
    int frame = at->frame < (float)last ? (int)at->frame : last;
    float phase = frame < last ? at->frame - (float)frame : 0.0f;
    lope_spot thing = is_past_slide(u, at) ? u->finish : between(u->thing, u->turned, lope_ease(at->swivel));
    lope_spot gate = lope_spot_mul(thing, at->step.gate);
    lope_ground ground, next;
    lope_spot here = use_placing(u, &at->step, gate, frame, &ground), there = here;
    if (phase > 0.0f) {
        there = use_placing(u, &at->step, gate, frame + 1, &next);
        ground = ground_of(
            between((lope_spot){ground.x, 0, ground.z, ground.yaw}, (lope_spot){next.x, 0, next.z, next.yaw}, phase));
    }
    lope_clip_sample(clip, ((double)(s->piece.first + frame) + (double)phase) / clip->frame_rate, out);
    lope_spot by = between(here, there, phase);
    lope_pose_place(out, ground_of(by));
    pose_raise(out, by.y);
    pose_raise(out, lift_of(u, at, thing, out));
    add_entry(u, at, ground, out);
    if (u->kind == LOPE_USE_SLIDE && at->slid > 0.0f && !is_past_slide(u, at))
        use_slide_put(u, at, out);
}

unsigned use_contacts(const lope_use *u, const use_cursor *at)
{
    const lope_block_segment *s = use_segment(u, &at->step);
    const lope_clip *clip = use_clip(u, &at->step);
    int frame = (int)(at->frame + 0.5f);
    frame = frame < s->piece.frames ? frame : s->piece.frames - 1;
    return clip->contacts ? clip->contacts[s->piece.first + frame] : 0u;
}

lope_use_place use_step_place(const lope_use *u, const use_step *step, lope_spot thing, bool last)
{
    const lope_block_segment *s = use_segment(u, step);
    lope_spot gate = lope_spot_mul(thing, step->gate);
    lope_spot at = lope_block_segment_place(u->def.blocks->set, s, gate, last ? s->piece.frames - 1 : 0);
    if (u->kind == LOPE_USE_SLIDE && last)
        gate.y = u->is.slide.floor;
    if (u->kind == LOPE_USE_LADDER && last != u->def.down) // up there
        gate.y = u->is.ladder.foot.y + u->is.ladder.height;
    if (u->kind == LOPE_USE_LADDER && last == u->def.down)
        gate.y = u->is.ladder.foot.y;
    return (lope_use_place){{at.x, gate.y, at.z}, at.yaw};
}

// ---- what is played when

static bool is_leaving(const lope_use *u)
{
    return u->leaving || u->seconds <= 0.0f;
}

static void change_at(lope_use *u, const use_step *step, int frame, float halflife)
{
    use_cursor first = u->now, second;
    first.step = *step;
    first.frame = (float)frame;
    second = first;
    second.frame += 1.0f;
    use_sample(u, &first, &u->spare[0]);
    use_sample(u, &second, &u->spare[1]);
    const lope_cut cut = {.shown = &u->base,
                          .shown_before = u->dt > 0.0f ? &u->base_before : NULL,
                          .next = &u->spare[0],
                          .next_after = &u->spare[1],
                          .dt = u->dt > 0.0f ? u->dt : 1.0f,
                          .next_dt = (float)(1.0 / use_clip(u, step)->frame_rate)};
    u->fade.duration = halflife;
    lope_fade_begin(&u->fade, &cut);
    u->now = first;
}

static void change_to(lope_use *u, const use_step *step, float halflife)
{
    change_at(u, step, 0, halflife);
}

// Which of the motions comes next: any order that does not depend on anything but the seed. Who turns on a seat keeps
// the hands off a desk.
static const use_step *next_stay(lope_use *u)
{
    uint32_t h = (u->def.seed * 2654435761u + (uint32_t)u->changes * 40503u) ^ 0x9e37u;
    h ^= h >> 13;
    int first = 0, count = u->plain_count, work = u->stay_count - u->plain_count;
    if (u->changes++ % 3 != 0 && work > 0 && !is_leaving(u) && !u->gesture.on) { // two thirds of the time
        first = u->plain_count;
        count = work;
    }
    return &u->stays[first + (int)(h % (uint32_t)count)];
}

// Stands about where the motion has ended.
static void stand(lope_use *u)
{
    u->mode = USE_END;
    if (u->idle < 0)
        return;
    lope_spot thing = u->kind == LOPE_USE_SLIDE ? u->finish : u->thing;
    lope_use_place end = use_step_place(u, &u->now.step, thing, true);
    const lope_segment *piece = &u->def.blocks->segments[u->idle].piece;
    lope_ground gate = lope_ground_mul((lope_ground){end.place.x, end.place.z, end.facing},
                                       (lope_ground){-piece->start.x, -piece->start.z, 0.0f});
    u->thing = u->turned = thing;
    lope_spot local = lope_spot_mul(lope_spot_inverse(u->thing), (lope_spot){gate.x, end.place.y, gate.z, gate.yaw});
    change_to(u, &(use_step){u->idle, local}, CALM_FADE);
}

static void begin_stay(lope_use *u)
{
    u->mode = USE_STAY;
    if (u->stay_count > 0)
        change_to(u, next_stay(u), FADE);
}

// The motion has come to the end of a link.
static void next_link(lope_use *u)
{
    if (u->mode == USE_IN && ++u->in_index < u->in_count)
        change_to(u, &u->in[u->in_index], FADE);
    else if (u->mode == USE_IN && u->kind == LOPE_USE_SEAT)
        begin_stay(u);
    else if (u->mode == USE_STAY && u->stay_count > 0)
        change_to(u, next_stay(u), FADE);
    else if (u->mode == USE_STAY) // blocks of captures may know nothing that is done there
        return;
    else if (u->mode == USE_IN || u->mode == USE_OUT)
        stand(u);
    else if (u->idle >= 0) // goes on standing about
        change_to(u, &(use_step){u->idle, u->now.step.gate}, FADE);
}

static bool turns(const lope_use *u)
{
    return u->thing.yaw != u->turned.yaw;
}

static bool at_desk(const lope_use *u)
{
    for (int i = u->plain_count; i < u->stay_count; i++)
        if (u->stays[i].segment == u->now.step.segment)
            return true;
    return false;
}

// The frame from which on hands leave the desk for good.
static int hands_off(const lope_use *u)
{
    use_cursor at = u->now;
    at.frame = (float)(use_segment(u, &at.step)->piece.frames - 1);
    while (at.frame > 0.0f && !(use_contacts(u, &at) & (LOPE_CONTACT_LEFT_HAND | LOPE_CONTACT_RIGHT_HAND)))
        at.frame -= 1.0f;
    return (int)at.frame;
}

// Turns on the seat, waits, is called away.
static void stay(lope_use *u, float dt)
{
    u->seconds -= dt;
    bool leave = is_leaving(u);
    if ((leave || u->gesture.on) && at_desk(u)) { // takes the hands off it first
        int off = hands_off(u);
        if (u->now.frame < (float)off)
            change_at(u, &(use_step){u->now.step.segment, u->now.step.gate}, off, CALM_FADE);
        return;
    }
    if (turns(u)) {
        float by = dt / SWIVEL;
        u->now.swivel = clamp01(leave ? u->now.swivel - by : u->now.swivel + by);
    }
    if (!leave || (turns(u) && u->now.swivel > 0.0f))
        return;
    if (u->kind == LOPE_USE_BEHAVIOUR) {
        stand(u);
    } else {
        u->mode = USE_OUT;
        change_to(u, &u->out, CALM_FADE);
    }
}

// The pose at the cursor, dt after the last one.
static void play(lope_use *u, float dt)
{
    if (dt < 1e-5f)
        return;
    lope_pose base = u->base;
    u->base = u->base_before;
    u->base_before = base;
    use_sample(u, &u->now, &u->base);
    lope_fade_apply(&u->fade, dt, &u->base);
    u->dt = dt;
}

// To the end of the link, and on into the next one.
static void pass_end(lope_use *u, float dt)
{
    const float rate = (float)use_clip(u, &u->now.step)->frame_rate,
                last = (float)(use_segment(u, &u->now.step)->piece.frames - 1);
    float left = fmaxf((last - u->now.frame) / rate, 0.0f), over = fmaxf(dt - left, 0.0f);
    u->now.frame = last;
    play(u, left);
    const int32_t before = u->now.step.segment;
    next_link(u);
    if (u->now.step.segment != before || u->now.frame == 0.0f)
        u->now.frame = fminf(over * rate, (float)(use_segment(u, &u->now.step)->piece.frames - 1));
    play(u, over);
}

void use_advance(lope_use *u, float dt)
{
    if (u->mode == USE_WAITS)
        return;
    if (u->mode == USE_STAY)
        stay(u, dt);
    const use_step *step = &u->now.step;
    float frames = dt * (float)use_clip(u, step)->frame_rate, last = (float)(use_segment(u, step)->piece.frames - 1);
    u->now.time += dt;
    if (!use_slide_rides(u) && u->now.frame + frames >= last) {
        pass_end(u, dt);
    } else {
        if (use_slide_rides(u))
            use_slide_advance(u, dt);
        else
            u->now.frame += frames;
        play(u, dt);
    }
    use_limbs_place(u, dt);
}

void use_enter(lope_use *u, const lope_moment *moment)
{
    u->mode = u->in_count > 0 ? USE_IN : USE_STAY;
    u->in_index = u->changes = 0;
    u->seconds = u->def.seconds;
    u->leaving = u->gesture.on = false;
    u->gesture.weight = u->gesture.frame = 0.0f;
    u->drop = u->dt = 0.0f;
    u->now = (use_cursor){.step = u->in_count > 0 ? u->in[0] : *next_stay(u)};
    lope_fade_reset(&u->fade);
    u->off = (lope_ground){0.0f, 0.0f, 0.0f};
    lope_use_place at = use_step_place(u, &u->now.step, u->thing, false);
    u->off = (lope_ground){moment->ground.x - at.place.x, moment->ground.z - at.place.z,
                           lope_wrap_angle(moment->ground.yaw - at.facing)};
    use_sample(u, &u->now, &u->base);
    use_limbs_hold(u, moment);
    use_limbs_place(u, 0.0f);
}
