// SPDX-License-Identifier: MIT
// Walking from target to target for `lope track`: one walker, on open ground or in a scene, where it is the only member
// of a crowd. Both are driven by the same loop.
#include <math.h>
#include <stdlib.h>

#include "cli/cli.h"
#include "cli/track.h"
#include "lope/draw.h"

static void *grown(void *block, size_t size)
{
    block = realloc(block, size);
    if (!block)
        abort();
    return block;
}

static void record(lope_walker *walker, recording *r)
{
    if (r->frames == r->capacity) {
        r->capacity = r->capacity ? 2 * r->capacity : 1024;
        size_t n = (size_t)r->capacity;
        r->root = grown(r->root, n * sizeof *r->root);
        r->rotations = grown(r->rotations, n * (size_t)r->joints * sizeof *r->rotations);
        r->contacts = grown(r->contacts, n * sizeof *r->contacts);
    }
    lope_pose pose = {.joint_count = r->joints, .rotations = r->rotations + (size_t)r->frames * (size_t)r->joints};
    lope_walker_pose(walker, &pose, NULL);
    r->root[r->frames] = pose.root;
    r->contacts[r->frames++] = lope_walker_contacts(walker);
    unsigned tags = lope_mobility_pose_tags(lope_walker_map(walker), lope_walker_next_pose(walker));
    for (int t = 0; t < LOPE_TAG_COUNT; t++)
        r->tagged[t] += (int)(tags >> t & 1u);
}

// A walker, and the crowd that steps it; NULL: it walks alone.
typedef struct tracked {
    lope_walker *walker;
    lope_crowd *world;
    lope_member_id id;
} tracked;

static void advance(tracked *t, float dt)
{
    if (t->world)
        lope_crowd_step(t->world, dt, NULL);
    else
        lope_walker_step(t->walker, dt);
}

static bool is_going(const tracked *t)
{
    return t->world ? lope_member_state_of(t->world, t->id) == LOPE_MEMBER_GOING
                    : lope_walker_progress_of(t->walker) == LOPE_WALKER_GOING;
}

static bool has_arrived(const tracked *t)
{
    return t->world ? lope_member_arrived(t->world, t->id) : lope_walker_progress_of(t->walker) == LOPE_WALKER_ARRIVED;
}

static lope_status send(tracked *t, const lope_goal *goal, bool *moved, lope_error *error)
{
    if (!t->world)
        return lope_walker_go_to(t->walker, goal, error);
    lope_status status = lope_member_follow(t->world, t->id, goal, 1, error);
    *moved = status == LOPE_PARTIAL;
    return *moved ? LOPE_OK : status;
}

// Walks to one target and stays there for the pause.
static target_result walk_to(tracked *t, const track_settings *settings, const lope_goal *goal, recording *r)
{
    double dt = 1.0 / settings->fps;
    target_result result = {.facing = (double)NAN};
    lope_ground before = lope_walker_ground(t->walker);
    while (is_going(t) && result.seconds < settings->limit && !cli_interrupted()) {
        advance(t, (float)dt);
        record(t->walker, r);
        lope_ground at = lope_walker_ground(t->walker);
        double dx = (double)(at.x - before.x), dz = (double)(at.z - before.z);
        result.metres += sqrt(dx * dx + dz * dz);
        result.seconds += dt;
        before = at;
    }
    result.arrived = has_arrived(t);
    for (double paused = 0.0; goal->stop && result.arrived && paused < settings->pause; paused += dt) {
        advance(t, (float)dt);
        record(t->walker, r);
    }
    lope_ground at = lope_walker_ground(t->walker);
    double dx = (double)(at.x - goal->position.x), dz = (double)(at.z - goal->position.z);
    result.miss = sqrt(dx * dx + dz * dz);
    if (goal->stop && !isnan(goal->facing))
        result.facing = fabs((double)lope_wrap_angle(at.yaw - goal->facing)) * 180.0 / LOPE_PI;
    return result;
}

static lope_status walk_to_all(tracked *t, const track_work *work, recording *r, lope_error *error)
{
    lope_status status = LOPE_OK;
    record(t->walker, r);
    for (int i = 0; i < work->targets->count && !status; i++) {
        lope_goal goal = work->targets->items[i];
        goal.stop = !work->settings->pass;
        bool moved = false;
        status = send(t, &goal, &moved, error);
        if (!status)
            work->results[i] = walk_to(t, work->settings, &goal, r);
        work->results[i].moved = moved;
    }
    return status;
}

bool track_can_stand(const lope_mobility *map)
{
    for (int s = 0; s < lope_mobility_state_count(map); s++)
        if (lope_mobility_can_stand(map, s))
            return true;
    return false;
}

lope_status track_on_open_ground(const track_work *work, const lope_walker_def *def, recording *r, lope_error *error)
{
    tracked t = {0};
    void *memory = aligned_alloc(16, lope_walker_size(work->map));
    if (!memory)
        abort();
    lope_status status = lope_walker_init(memory, work->map, def, -1, work->settings->start, &t.walker, error);
    if (!status)
        status = walk_to_all(&t, work, r, error);
    free(memory);
    return status;
}

lope_status track_in_scene(const track_work *work, const lope_walker_def *def, recording *r, lope_error *error)
{
    const track_settings *settings = work->settings;
    tracked t = {0};
    lope_crowd_def world = lope_crowd_def_default();
    world.avoidance = settings->steering >= 0 ? (lope_avoidance)settings->steering
                      : settings->thesis      ? LOPE_AVOID_THESIS
                                              : LOPE_AVOID_PREDICT;
    lope_member_def member = lope_member_def_default(work->map);
    member.at = settings->start;
    member.walker = *def;
    lope_status status = lope_scene_world(work->scene, &world, &t.world, error);
    if (!status)
        status = lope_crowd_spawn(t.world, &member, &t.id, error);
    if (!status) {
        t.walker = lope_member_walker_mutable(t.world, t.id);
        status = walk_to_all(&t, work, r, error);
    }
    lope_crowd_destroy(t.world);
    return status;
}

lope_status track_draw_scene(const track_work *work, const lope_clip *clip, const char *path, lope_error *error)
{
    const target_list *targets = work->targets;
    lope_vec2 *straight = cli_alloc(((size_t)targets->count + 1) * sizeof *straight);
    lope_vec2 *way = cli_alloc((size_t)clip->frame_count * sizeof *way);
    int stride = clip->frame_rate > 5.0 ? (int)(0.2 * clip->frame_rate) : 1, count = 0;
    straight[0] = (lope_vec2){work->settings->start.x, work->settings->start.z};
    for (int i = 0; i < targets->count; i++)
        straight[i + 1] = targets->items[i].position;
    for (int f = 0; f < clip->frame_count; f += stride)
        way[count++] = (lope_vec2){clip->root[f].x, clip->root[f].z};
    const lope_drawn_path lines[] = {{straight, targets->count + 1}, {way, count}};
    const lope_drawn_layer layers[] = {{&lines[0], 1, LOPE_INK_PATH}, {&lines[1], 1, LOPE_INK_WALK}};
    lope_status status = lope_draw_layers(work->scene, layers, 2, work->scene->name, "", 900, false, path, error);
    free(straight);
    free(way);
    return status;
}
