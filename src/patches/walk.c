// SPDX-License-Identifier: MIT
// One character along its segments: where it is, frame by frame, and the pose it shows there.
#include <string.h>

#include "lope/ground.h"
#include "motion/lock.h"
#include "patches/world.h"

static const lope_segment *segment_of(const lope_patch_world *w, const patch_character *c)
{
    return &w->def.tile->segments[w->def.tile->links[c->link].segment];
}

// From the clip's world to this one, at a frame of the segment.
static lope_ground place_of(const lope_patch_world *w, const patch_character *c, const segment_cursor *cursor)
{
    const lope_segment *s = segment_of(w, c);
    lope_ground source = *patch_track(&w->tracks, s->clip, s->first + cursor->frame);
    return lope_ground_mul(lope_ground_mul(c->gate, cursor->at), lope_ground_inverse(source));
}

static void look_ahead(const lope_patch_world *w, patch_character *c)
{
    const lope_segment *s = segment_of(w, c);
    segment_cursor next = c->cursor;
    if (next.frame + 1 < s->frames)
        segment_advance(s, patch_track(&w->tracks, s->clip, s->first), &next);
    c->place[1] = place_of(w, c, &next);
}

void patch_begin_segment(lope_patch_world *w, patch_character *c, lope_ground gate)
{
    c->gate = gate;
    c->cursor = segment_begin(segment_of(w, c));
    c->place[0] = place_of(w, c, &c->cursor);
    look_ahead(w, c);
}

// A frame of a clip, placed.
static void placed_frame(const lope_clip *clip, int frame, lope_ground place, lope_pose *pose)
{
    lope_clip_frame(clip, frame, pose);
    lope_pose_place(pose, place);
}

// The fade as it was `ago` seconds earlier, added to a pose.
static void add_fade(const lope_fade_state *fade, float ago, lope_pose *pose)
{
    lope_fade_state then = *fade;
    then.elapsed -= ago;
    if (fade->elapsed >= 0.0f && then.elapsed >= 0.0f)
        lope_fade_apply(&then, 0.0f, pose);
}

// From the last frame of one segment to the first of the next: what differs is kept and fades.
static void change_segment(lope_patch_world *w, patch_character *c, lope_quat *scratch)
{
    size_t joints = (size_t)w->def.tile->set->skeleton->joint_count;
    const lope_segment *old = segment_of(w, c);
    const lope_clip *old_clip = w->def.tile->set->clips[old->clip];
    lope_pose poses[4];
    for (int i = 0; i < 4; i++)
        poses[i] = (lope_pose){(int)joints, {0.0f, 0.0f, 0.0f}, scratch + (size_t)i * joints, NULL};
    float frame_time = 1.0f / w->frame_rate;
    placed_frame(old_clip, old->first + old->frames - 1, c->place[0], &poses[0]);
    placed_frame(old_clip, old->first + old->frames - 2, c->place[0], &poses[1]);
    add_fade(&c->fade, 0.0f, &poses[0]);
    add_fade(&c->fade, frame_time, &poses[1]);

    int tile = patch_tile_after(w, c->tile, c->heading, c->link);
    c->heading = patch_heading_after(w, c->heading, c->link);
    if (w->def.reserve == LOPE_RESERVE_TILES && tile != c->tile)
        c->left_tile = c->tile;
    c->tile = tile;
    c->link = c->next_link;
    c->tempo = c->next_tempo;
    c->next_link = -1;
    lope_ground gate = w->def.tile->gates[w->def.tile->links[c->link].from].at;
    patch_begin_segment(w, c, lope_ground_mul(patch_frame(w, c->tile, c->heading), gate));

    const lope_segment *s = segment_of(w, c);
    const lope_clip *clip = w->def.tile->set->clips[s->clip];
    placed_frame(clip, s->first, c->place[0], &poses[2]);
    placed_frame(clip, s->first > 0 ? s->first - 1 : 0, c->place[0], &poses[3]);
    lope_cut cut = {&poses[0], &poses[1], &poses[2], &poses[3], frame_time};
    lope_fade_begin(&c->fade, &cut);
}

void patch_advance(lope_patch_world *w, patch_character *c, float dt, lope_quat *scratch)
{
    c->phase += dt * w->frame_rate * c->tempo;
    c->unposed += dt;
    if (c->fade.elapsed >= 0.0f)
        c->fade.elapsed += dt;
    while (c->phase >= 1.0f) {
        const lope_segment *s = segment_of(w, c);
        if (c->cursor.frame + 1 < s->frames) {
            segment_advance(s, patch_track(&w->tracks, s->clip, s->first), &c->cursor);
            c->place[0] = c->place[1];
            look_ahead(w, c);
        }
        c->phase -= 1.0f;
        if (c->cursor.frame + 1 < s->frames)
            continue;
        if (c->next_link < 0) { // nowhere to go: waits in its last frame
            c->phase = 0.0f;
            return;
        }
        change_segment(w, c, scratch);
    }
}

static lope_ground between(lope_ground a, lope_ground b, float t)
{
    return (lope_ground){a.x + (b.x - a.x) * t, a.z + (b.z - a.z) * t, a.yaw + lope_wrap_angle(b.yaw - a.yaw) * t};
}

lope_ground lope_patch_ground(const lope_patch_world *w, int character)
{
    const patch_character *c = &w->characters[character];
    const lope_segment *s = segment_of(w, c);
    const lope_ground *track = patch_track(&w->tracks, s->clip, s->first + c->cursor.frame);
    lope_ground now = lope_ground_mul(c->place[0], track[0]);
    return c->cursor.frame + 1 < s->frames ? between(now, lope_ground_mul(c->place[1], track[1]), c->phase) : now;
}

uint16_t lope_patch_contacts(const lope_patch_world *w, int character)
{
    const patch_character *c = &w->characters[character];
    const lope_segment *s = segment_of(w, c);
    const lope_clip *clip = w->def.tile->set->clips[s->clip];
    int frame = c->cursor.frame + (c->phase >= 0.5f && c->cursor.frame + 1 < s->frames);
    return clip->contacts ? clip->contacts[s->first + frame] : 0;
}

static void show(lope_patch_world *w, int character, lope_pose *pose, lope_transform *model)
{
    patch_character *c = &w->characters[character];
    const lope_segment *s = segment_of(w, c);
    const lope_clip *clip = w->def.tile->set->clips[s->clip];
    double frame = (double)(s->first + c->cursor.frame) + (double)c->phase;
    lope_clip_sample(clip, frame / clip->frame_rate, pose);
    lope_pose_place(pose, between(c->place[0], c->place[1], c->phase));
    lope_fade_apply(&c->fade, 0.0f, pose);
    lope_pose_to_model(w->def.tile->set->skeleton, pose, model);
    if (w->def.lock_feet && clip->contacts) {
        lope_lock_def lock = lope_lock_def_default();
        lock_apply(w->def.tile->set->skeleton, &w->rig, &lock, &c->lock, lope_patch_contacts(w, character), c->unposed,
                   pose, model);
    }
    c->unposed = 0.0f;
}

void lope_patch_pose(lope_patch_world *w, int character, lope_pose *pose, lope_transform *model)
{
    lope_transform *scratch = (lope_transform *)(void *)w->scratch;
    show(w, character, pose, model ? model : scratch);
}

typedef struct walk_work {
    lope_patch_world *w;
    float dt;
    lope_transform *models;
} walk_work;

// Characters share threads in runs of this many.
#define RUN 32

static lope_quat *scratch_of(const lope_patch_world *w, int thread)
{
    return w->scratch + (size_t)thread * 5 * (size_t)w->def.tile->set->skeleton->joint_count;
}

static void advance_run(void *user, int index, int thread)
{
    walk_work *work = user;
    int end = (index + 1) * RUN < work->w->character_count ? (index + 1) * RUN : work->w->character_count;
    for (int i = index * RUN; i < end; i++)
        if (work->w->characters[i].alive)
            patch_advance(work->w, &work->w->characters[i], work->dt, scratch_of(work->w, thread));
}

static void pose_run(void *user, int index, int thread)
{
    walk_work *work = user;
    size_t joints = (size_t)work->w->def.tile->set->skeleton->joint_count;
    int end = (index + 1) * RUN < work->w->character_count ? (index + 1) * RUN : work->w->character_count;
    for (int i = index * RUN; i < end; i++) {
        lope_pose pose = {(int)joints, {0.0f, 0.0f, 0.0f}, scratch_of(work->w, thread), NULL};
        if (work->w->characters[i].alive)
            show(work->w, i, &pose, work->models + (size_t)i * joints);
    }
}

// More threads than there is scratch memory for do not get any work.
static lope_jobs *fitting(lope_jobs *jobs)
{
    return lope_jobs_thread_count(jobs) <= WALK_THREADS ? jobs : NULL;
}

// A tile is free again as soon as its walker has left it.
static void free_left_tiles(lope_patch_world *w)
{
    for (int i = 0; i < w->character_count; i++) {
        patch_character *c = &w->characters[i];
        if (!c->alive || c->left_tile < 0)
            continue;
        if (w->tile_owner[c->left_tile] == i + 1)
            w->tile_owner[c->left_tile] = 0;
        c->left_tile = -1;
    }
}

void lope_patch_world_step(lope_patch_world *w, float dt, lope_jobs *jobs)
{
    if (!(dt > 0.0f && dt <= 1.0f))
        return;
    patch_reserve_advance(w);
    // Decisions one after the other, so that everybody sees what those before reserved.
    for (int i = 0; i < w->character_count; i++) {
        patch_character *c = &w->characters[i];
        if (c->alive && c->next_link < 0 && (c->undecided -= dt) <= 0.0f)
            patch_decide(w, i);
    }
    walk_work work = {w, dt, NULL};
    lope_jobs_run(fitting(jobs), (w->character_count + RUN - 1) / RUN, advance_run, &work);
    if (w->def.reserve == LOPE_RESERVE_TILES)
        free_left_tiles(w);
    w->now += (double)dt;
}

void lope_patch_world_poses(lope_patch_world *w, lope_transform *models, lope_jobs *jobs)
{
    walk_work work = {w, 0.0f, models};
    lope_jobs_run(fitting(jobs), (w->character_count + RUN - 1) / RUN, pose_run, &work);
}
