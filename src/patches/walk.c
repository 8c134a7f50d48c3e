// SPDX-License-Identifier: MIT
// Characters along their segments: where they are, frame by frame, and the poses they show there.
#include "lope/ground.h"
#include "patches/world.h"

// From the clip's world to this one.
static ground_move placing_of(const lope_patch_world *w, const patch_character *c)
{
    const ground_move *now = w->lines.placings + w->lines.first[c->link] + c->frame;
    bool between = c->frame + 1 < patch_segment(w, c->link)->frames;
    return ground_move_mul(c->from_tile, between ? ground_move_between(now[0], now[1], c->phase) : *now);
}

static shown_frame frame_of(const lope_patch_world *w, const patch_character *c)
{
    const lope_segment *s = patch_segment(w, c->link);
    ground_move in_tile = w->lines.placings[w->lines.first[c->link] + c->frame];
    return (shown_frame){.clip = w->def.tile->set->clips[s->clip],
                         .frame = s->first + c->frame,
                         .placing = ground_move_mul(c->from_tile, in_tile)};
}

void patch_play(const lope_patch_world *w, patch_character *c, int tile, int heading, int link)
{
    c->tile = tile;
    c->heading = heading;
    c->link = link;
    c->frame = 0;
    c->from_tile = patch_frame(w, tile, heading);
}

// From the last frame of one segment to the first of the next: what differs is kept and fades.
static void change_segment(lope_patch_world *w, patch_character *c)
{
    shown_frame shown = frame_of(w, c);
    int tile = patch_tile_after(w, c->tile, c->heading, c->link);
    if (w->def.reserve == LOPE_RESERVE_TILES && tile != c->tile)
        c->left_tile = c->tile;
    patch_play(w, c, tile, patch_heading_after(w, c->heading, c->link), c->next_link);
    c->tempo = c->next_tempo;
    c->next_link = -1;
    shown_frame next = frame_of(w, c);
    shown_cut(&c->body, &w->look, &shown, &next, w->frame_rate);
}

void patch_advance(lope_patch_world *w, patch_character *c, float dt)
{
    c->phase += dt * w->frame_rate * c->tempo;
    c->body.unposed += dt;
    shown_fade_advance(&c->body, dt);
    while (c->phase >= 1.0f) {
        int last = patch_segment(w, c->link)->frames - 1;
        c->frame += c->frame < last;
        c->phase -= 1.0f;
        if (c->frame < last)
            continue;
        if (c->next_link < 0) { // nowhere to go: waits in its last frame
            c->phase = 0.0f;
            return;
        }
        change_segment(w, c);
    }
}

lope_ground lope_patch_ground(const lope_patch_world *w, int character)
{
    const patch_character *c = &w->characters[character];
    const lope_ground *line = w->lines.grounds + w->lines.first[c->link] + c->frame;
    bool between = c->frame + 1 < patch_segment(w, c->link)->frames;
    lope_ground a = line[0], b = line[between];
    lope_vec2 at = ground_move_point(c->from_tile, a.x + (b.x - a.x) * c->phase, a.z + (b.z - a.z) * c->phase);
    float yaw = a.yaw + lope_wrap_angle(b.yaw - a.yaw) * c->phase;
    return (lope_ground){at.x, at.z, lope_wrap_angle(yaw + (float)c->heading * (float)(LOPE_PI / 2.0))};
}

static uint16_t contacts_of(const lope_clip *clip, const lope_segment *s, const patch_character *c)
{
    int frame = c->frame + (c->phase >= 0.5f && c->frame + 1 < s->frames);
    return clip->contacts ? clip->contacts[s->first + frame] : 0;
}

uint16_t lope_patch_contacts(const lope_patch_world *w, int character)
{
    const patch_character *c = &w->characters[character];
    const lope_segment *s = patch_segment(w, c->link);
    return contacts_of(w->def.tile->set->clips[s->clip], s, c);
}

static shown_view view_of(lope_patch_world *w, int character)
{
    patch_character *c = &w->characters[character];
    const lope_segment *s = patch_segment(w, c->link);
    const lope_clip *clip = w->def.tile->set->clips[s->clip];
    bool between = c->frame + 1 < s->frames;
    return (shown_view){.body = &c->body,
                        .look = w->look,
                        .clip = clip,
                        .frame = s->first + c->frame,
                        .t = between ? c->phase : 0.0f,
                        .placing = placing_of(w, c),
                        .contacts = contacts_of(clip, s, c)};
}

void lope_patch_pose(lope_patch_world *w, int character, lope_pose *pose, lope_transform *model)
{
    shown_view view = view_of(w, character);
    lope_shown_pose(&view, pose, model);
}

typedef struct walk_work {
    lope_patch_world *w;
    float dt;
    lope_transform *models;
    lope_vec3 *roots;
    lope_quat *rotations;
} walk_work;

// Characters share threads in runs of this many.
#define RUN 64

static int run_count(const lope_patch_world *w)
{
    return (w->character_count + RUN - 1) / RUN;
}

static int run_end(const lope_patch_world *w, int index)
{
    return (index + 1) * RUN < w->character_count ? (index + 1) * RUN : w->character_count;
}

static void advance_run(void *user, int index, int thread)
{
    (void)thread;
    walk_work *work = user;
    for (int i = index * RUN; i < run_end(work->w, index); i++)
        if (work->w->characters[i].alive)
            patch_advance(work->w, &work->w->characters[i], work->dt);
}

// What the living of a run show, and who they are.
static int view_run(lope_patch_world *w, int index, shown_view *views, int *who)
{
    int count = 0;
    for (int i = index * RUN; i < run_end(w, index); i++)
        if (w->characters[i].alive) {
            who[count] = i;
            views[count++] = view_of(w, i);
        }
    return count;
}

static void pose_run(void *user, int index, int thread)
{
    (void)thread;
    walk_work *work = user;
    shown_view views[RUN];
    lope_transform *models[RUN];
    int who[RUN], count = view_run(work->w, index, views, who);
    for (int i = 0; i < count; i++)
        models[i] = work->models + (size_t)who[i] * (size_t)work->w->def.tile->set->skeleton->joint_count;
    lope_shown_poses(views, count, models);
}

static void local_run(void *user, int index, int thread)
{
    (void)thread;
    walk_work *work = user;
    shown_view views[RUN];
    lope_vec3 *roots[RUN];
    lope_quat *rotations[RUN];
    int who[RUN], count = view_run(work->w, index, views, who);
    for (int i = 0; i < count; i++) {
        roots[i] = work->roots + who[i];
        rotations[i] = work->rotations + (size_t)who[i] * (size_t)work->w->def.tile->set->skeleton->joint_count;
    }
    lope_shown_locals(views, count, roots, rotations);
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
    if (w->considered != w->version)
        patch_reconsider(w);
    w->considered = w->version;
    // Decisions one after the other, so that everybody sees what those before reserved.
    for (int i = 0; i < w->character_count; i++) {
        patch_character *c = &w->characters[i];
        if (c->alive && c->next_link < 0 && (c->undecided -= dt) <= 0.0f)
            patch_decide(w, i);
    }
    walk_work work = {.w = w, .dt = dt};
    lope_jobs_run(jobs, run_count(w), advance_run, &work);
    if (w->def.reserve == LOPE_RESERVE_TILES)
        free_left_tiles(w);
    w->now += (double)dt;
}

void lope_patch_world_poses(lope_patch_world *w, lope_transform *models, lope_jobs *jobs)
{
    walk_work work = {.w = w, .models = models};
    lope_jobs_run(jobs, run_count(w), pose_run, &work);
}

void lope_patch_world_locals(lope_patch_world *w, lope_vec3 *roots, lope_quat *rotations, lope_jobs *jobs)
{
    walk_work work = {.w = w, .roots = roots, .rotations = rotations};
    lope_jobs_run(jobs, run_count(w), local_run, &work);
}
