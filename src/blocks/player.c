// SPDX-License-Identifier: MIT
// Playing steps: where the body is, frame by frame, and the pose it shows. Sliding bodies are not moved by the clip's
// clock but by gravity and friction along the way that the clip shows.
#include <string.h>

#include "blocks/player.h"
#include "lope/ground.h"

#define GRAVITY 9.81f
// A body that would come to rest on a slide pushes, up to this speed (metres per second) and as hard as this (per
// second squared).
#define PUSH_SPEED 0.6f
#define PUSH 1.5f
// Feet and hands brake once it takes this much (metres per second squared) to stop where the slide ends; the speed at
// which that ends (metres per second). Soles that do so on the slope need a friction of 0.84, as rubber has.
#define BRAKES 2.5f
#define SLOWEST 0.15f
#define FADE_HALFLIFE 0.1f
// Links that a slide is followed for.
#define MOST_PIECES 1000

// The body comes first in the memory of a player.
#define BODY_BYTES ((sizeof(shown_body) + 15) & ~(size_t)15)

size_t lope_block_player_memory(const lope_block_world *w)
{
    return BODY_BYTES + shown_body_bytes(w->blocks->set->skeleton->joint_count);
}

static const lope_clip *clip_of(const lope_block_player *p)
{
    return p->world->blocks->set->clips[p->step.segment.piece.clip];
}

static const lope_ground *track_of(const lope_block_player *p)
{
    return patch_track(&p->world->tracks, p->step.segment.piece.clip, p->step.segment.piece.first);
}

static segment_cursor cursor_of(const lope_block_player *p)
{
    return (segment_cursor){p->frame, p->walked, p->at};
}

static void set_cursor(lope_block_player *p, segment_cursor c)
{
    p->frame = c.frame;
    p->walked = c.walked;
    p->at = c.at;
}

// From the clip's world to this one at a frame of the segment that the cursor is at.
static lope_spot placing(const lope_block_player *p, const segment_cursor *c)
{
    const lope_block_segment *s = &p->step.segment;
    lope_ground source = track_of(p)[c->frame];
    lope_ground at = lope_ground_mul(lope_ground_mul(ground_of(p->step.gate), c->at), lope_ground_inverse(source));
    float share = (float)c->frame / (float)(s->piece.frames - 1);
    return place_of_ground(at, p->step.gate.y - s->base + s->lift * share);
}

static lope_spot between(lope_spot a, lope_spot b, float t)
{
    return (lope_spot){a.x + (b.x - a.x) * t, a.y + (b.y - a.y) * t, a.z + (b.z - a.z) * t,
                       a.yaw + lope_wrap_angle(b.yaw - a.yaw) * t};
}

// Of this frame and of the next one.
static void placings(const lope_block_player *p, lope_spot out[2])
{
    segment_cursor c = cursor_of(p);
    out[0] = out[1] = placing(p, &c);
    if (c.frame + 1 < p->step.segment.piece.frames) {
        lope_segment_advance(&p->step.segment.piece, track_of(p), &c);
        out[1] = placing(p, &c);
    }
}

// Whether a segment ends sliding.
static bool slides_to_its_end(const lope_block_segment *s)
{
    return s->glide_frames > 0 && s->glide_first + s->glide_frames >= s->piece.frames - 1;
}

static float glide_length(const lope_block_world *w, const lope_block_segment *s)
{
    const lope_vec3 *root = w->blocks->set->clips[s->piece.clip]->root + s->piece.first;
    float length = 0.0f;
    for (int f = s->glide_first; f < s->glide_first + s->glide_frames && f + 1 < s->piece.frames; f++)
        length += lope_v3_distance(root[f + 1], root[f]);
    return length;
}

// Metres to slide from a node on, along the first link of each that slides: all of them lead down the same slide.
static float slide_beyond(const lope_block_world *w, int node)
{
    float length = 0.0f;
    for (int pieces = 0; pieces < MOST_PIECES && node >= w->tile_nodes && graph_has_node(w, node); pieces++) {
        graph_cursor cursor = {0, 0};
        graph_step next;
        lope_block_segment segment = {.glide_frames = 0};
        while (segment.glide_frames == 0 && graph_next(w, node, &cursor, &next))
            if (next.kind == LOPE_STEP_LINK && next.to != node)
                segment = graph_describe(w, node, &next).segment;
        length += glide_length(w, &segment);
        if (!slides_to_its_end(&segment))
            break;
        node = next.to;
    }
    return length;
}

static void begin_step(lope_block_player *p, const lope_block_step *step)
{
    p->step = *step;
    p->beyond = slides_to_its_end(&step->segment) ? slide_beyond(p->world, step->to) : 0.0f;
    set_cursor(p, lope_segment_begin(&p->step.segment.piece));
    p->floor = player_floor(p->world, step);
    p->ended = false;
    player_note_feet(p);
}

void lope_block_player_begin(const lope_block_world *w, const lope_block_step *step, void *memory,
                             lope_block_player *out)
{
    *out = (lope_block_player){.world = w, .body = memory};
    shown_body_reset(memory, w->blocks->set->skeleton->joint_count, (char *)memory + BODY_BYTES);
    begin_step(out, step);
}

bool player_glides(const lope_block_player *p)
{
    const lope_block_segment *s = &p->step.segment;
    return p->frame >= s->glide_first && p->frame < s->glide_first + s->glide_frames;
}

// Way of the hips from a frame of the segment to the next.
static lope_vec3 way_after(const lope_block_player *p, int frame)
{
    const lope_vec3 *root = clip_of(p)->root + p->step.segment.piece.first + frame;
    return lope_v3_sub(root[1], root[0]);
}

static lope_vec3 hips_at(const lope_block_player *p, const segment_cursor *c)
{
    lope_vec3 root = clip_of(p)->root[p->step.segment.piece.first + c->frame];
    lope_spot at = placing(p, c);
    lope_ground hips = lope_ground_mul(ground_of(at), (lope_ground){root.x, root.z, 0.0f});
    return lope_v3(hips.x, at.y + root.y, hips.z);
}

// The same from the frame that is played, as it is shown: where the segment was edited, that is another one.
static lope_vec3 way_shown(const lope_block_player *p)
{
    segment_cursor c = cursor_of(p);
    lope_vec3 here = hips_at(p, &c);
    if (c.frame + 1 < p->step.segment.piece.frames)
        lope_segment_advance(&p->step.segment.piece, track_of(p), &c);
    return lope_v3_sub(hips_at(p, &c), here);
}

// Metres to slide until the slide ends.
static float glide_left(const lope_block_player *p)
{
    const lope_block_segment *s = &p->step.segment;
    float left = p->beyond;
    for (int f = p->frame; f < s->glide_first + s->glide_frames && f + 1 < s->piece.frames; f++)
        left += lope_v3_length(way_after(p, f)) * (f == p->frame ? 1.0f - p->phase : 1.0f);
    return left;
}

// Speed after dt seconds of sliding down the way ahead, and how many frames that is worth.
static float glide(lope_block_player *p, float dt)
{
    lope_vec3 way = way_shown(p);
    float length = fmaxf(lope_v3_length(way), 1e-4f), level = sqrtf(way.x * way.x + way.z * way.z);
    float pull = GRAVITY * (-way.y - p->world->def.friction * level) / length, left = glide_left(p);
    float needed = p->speed * p->speed / (2.0f * fmaxf(left, 0.01f));
    if (needed > BRAKES && pull > -needed) // as hard as it takes to stop where the slide ends, evenly
        p->speed = fmaxf(p->speed - needed * dt, SLOWEST);
    else
        p->speed = fmaxf(p->speed + (p->speed < PUSH_SPEED && left > 0.2f ? fmaxf(pull, PUSH) : pull) * dt, SLOWEST);
    return p->speed * dt / length;
}

static void pass_frames(lope_block_player *p)
{
    const lope_segment *piece = &p->step.segment.piece;
    for (; p->phase >= 1.0f && p->frame + 1 < piece->frames; p->phase -= 1.0f) {
        segment_cursor c = cursor_of(p);
        lope_segment_advance(piece, track_of(p), &c);
        set_cursor(p, c);
        player_note_feet(p);
    }
}

// How far the segment gets from the last frame but one to the last.
static float last_way(const lope_block_player *p)
{
    return fmaxf(lope_v3_length(way_after(p, p->step.segment.piece.frames - 2)), 1e-4f);
}

bool lope_block_player_advance(lope_block_player *p, float dt, float tempo)
{
    const lope_segment *piece = &p->step.segment.piece;
    const float slice = 1.0f / 240.0f;
    shown_body *body = p->body;
    body->unposed += dt;
    shown_fade_advance(body, dt);
    while (dt > 0.0f && !p->ended) {
        // Slides are integrated in small steps; everything else is as long as it is.
        float part = p->step.segment.glide_frames > 0 ? fminf(dt, slice) : dt;
        dt -= part;
        if (player_glides(p)) {
            // At first a sliding body has the speed that it pushed off with.
            if (p->speed == 0.0f && p->frame > 0)
                p->speed = lope_v3_length(way_after(p, p->frame - 1)) * p->world->frame_rate * tempo;
            p->phase += glide(p, part);
        } else {
            p->phase += part * p->world->frame_rate * tempo;
            p->speed = 0.0f;
        }
        pass_frames(p);
        if (p->frame + 1 == piece->frames) {
            p->ended = true;
            // What is left of the time belongs to the next step.
            p->phase +=
                slides_to_its_end(&p->step.segment) ? p->speed * dt / last_way(p) : dt * p->world->frame_rate * tempo;
        }
    }
    return p->ended;
}

// Feet that ride along are not held.
static shown_look look_of(const lope_block_player *p)
{
    return (shown_look){LOPE_FADE_INERTIA, FADE_HALFLIFE, &p->world->rig, player_glides(p) ? NULL : &p->world->lock,
                        0.0f};
}

static shown_frame frame_of(const lope_block_player *p)
{
    segment_cursor c = cursor_of(p);
    lope_spot at = placing(p, &c);
    return (shown_frame){clip_of(p), p->step.segment.piece.first + p->frame, ground_move_of(ground_of(at)), at.y, 0.0f};
}

void lope_block_player_next(lope_block_player *p, const lope_block_step *step)
{
    bool gliding = slides_to_its_end(&p->step.segment);
    float way = gliding ? last_way(p) : 0.0f;
    shown_frame shown = frame_of(p);
    begin_step(p, step);
    shown_frame next = frame_of(p);
    shown_look look = look_of(p);
    // Bodies that slide have the speed of the slide, whatever the clips say.
    shown_cut(p->body, &look, &shown, &next, gliding ? 0.0f : p->world->frame_rate);
    if (gliding && player_glides(p)) // frames are as far apart as the clip was fast there
        p->phase *= way / fmaxf(lope_v3_length(way_shown(p)), 1e-4f);
    pass_frames(p);
    p->phase = p->phase < 1.0f ? p->phase : 0.0f;
}

lope_spot lope_block_player_place(const lope_block_player *p)
{
    lope_spot places[2];
    placings(p, places);
    lope_ground here = lope_ground_mul(ground_of(places[0]), track_of(p)[p->frame]), there = here;
    if (p->frame + 1 < p->step.segment.piece.frames)
        there = lope_ground_mul(ground_of(places[1]), track_of(p)[p->frame + 1]);
    const lope_vec3 *root = clip_of(p)->root + p->step.segment.piece.first + p->frame;
    float up = places[0].y + root[0].y,
          next = p->frame + 1 < p->step.segment.piece.frames ? places[1].y + root[1].y : up;
    return between(place_of_ground(here, up), place_of_ground(there, next), fminf(p->phase, 1.0f));
}

uint16_t lope_block_player_contacts(const lope_block_player *p)
{
    const lope_clip *clip = clip_of(p);
    int frame = p->frame + (p->phase >= 0.5f && p->frame + 1 < p->step.segment.piece.frames);
    return clip->contacts ? clip->contacts[p->step.segment.piece.first + frame] : 0;
}

void lope_block_player_pose(lope_block_player *p, lope_pose *pose, lope_transform *model)
{
    bool last = p->frame + 1 == p->step.segment.piece.frames;
    float phase = last ? 0.0f : fminf(p->phase, 1.0f);
    lope_spot places[2];
    placings(p, places);
    lope_spot at = between(places[0], places[1], phase);
    player_let_feet_go(p);
    shown_view view = {.body = p->body,
                       .look = look_of(p),
                       .clip = clip_of(p),
                       .frame = p->step.segment.piece.first + p->frame,
                       .t = phase,
                       .placing = ground_move_of(ground_of(at)),
                       .height = at.y,
                       .contacts = lope_block_player_contacts(p)};
    lope_shown_pose(&view, pose, model);
    if (view.clip->contacts && view.look.lock)
        player_place_feet(p, pose, model);
}
