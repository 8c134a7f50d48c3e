// SPDX-License-Identifier: MIT
// Obstacles, paths and the walking character.
#define STUDIO_INSIDE
#include "follow_parts.h"

#include "base/error.h"
#include "base/memory.h"

lope_follow_def studio_follow_settings(void)
{
    lope_follow_def def = lope_follow_def_default();
    def.start_standing = def.stop = true;
    return def;
}

static void drop_walker(studio_follow *follow)
{
    lope_follow_destroy(follow->search);
    lope_free(follow->player);
    follow->search = NULL;
    follow->player = NULL;
}

static lope_status make_walker(studio_follow *follow, lope_error *error)
{
    const lope_steps *steps = follow->maps->steps;
    lope_follow_def def = studio_follow_settings();
    lope_player_def player = lope_player_def_default();
    drop_walker(follow);
    void *memory = lope_alloc(lope_player_size(steps, &player));
    lope_status status = memory ? lope_player_init(memory, steps, &player, (lope_ground){0}, &follow->player, error)
                                : lope_fail_memory(error);
    if (status)
        lope_free(memory);
    return status ? status : lope_follow_create(follow->maps, &def, &follow->search, error);
}

studio_follow *studio_follow_create(const lope_maps *maps, float low_x, float low_z, float high_x, float high_z,
                                    int work)
{
    lope_error *error = studio_failure();
    studio_follow *follow = lope_alloc_zero(sizeof *follow);
    if (!follow) {
        lope_fail_memory(error);
        return NULL;
    }
    follow->maps = maps;
    follow->work = work;
    lope_status status =
        lope_space_create((lope_vec2){low_x, low_z}, (lope_vec2){high_x, high_z}, &follow->space, error);
    if (!status)
        status = lope_passages_create(follow->space, &follow->passages, error);
    if (!status)
        status = lope_path_finder_create(&follow->finder, error);
    if (!status)
        status = make_walker(follow, error);
    if (!status)
        return follow;
    studio_follow_destroy(follow);
    return NULL;
}

void studio_follow_destroy(studio_follow *follow)
{
    if (!follow)
        return;
    lope_rival_destroy(follow->rival);
    lope_follow_destroy(follow->compared);
    drop_walker(follow);
    lope_path_finder_destroy(follow->finder);
    lope_passages_destroy(follow->passages);
    lope_space_destroy(follow->space);
    lope_free(follow);
}

int studio_follow_add(studio_follow *follow, const float *corners, int count)
{
    int name;
    lope_status status =
        lope_space_add(follow->space, (const lope_vec2 *)(const void *)corners, count, &name, studio_failure());
    return status ? -1 : name;
}

lope_status studio_follow_move(studio_follow *follow, int obstacle, const float *corners, int count)
{
    return lope_space_move(follow->space, obstacle, (const lope_vec2 *)(const void *)corners, count, studio_failure());
}

void studio_follow_remove(studio_follow *follow, int obstacle)
{
    lope_space_remove(follow->space, obstacle);
}

float studio_follow_clearance(const studio_follow *follow, float x, float z)
{
    return lope_space_clearance(follow->space, (lope_vec2){x, z});
}

lope_status studio_follow_plan(studio_follow *follow, float from_x, float from_z, float to_x, float to_z,
                               float clearance)
{
    lope_error *error = studio_failure();
    follow->clearance = clearance;
    follow->path = (lope_path){.outcome = LOPE_PATH_NONE};
    lope_status status = lope_passages_update(follow->passages, follow->space, error);
    if (!status)
        status = lope_path_find(follow->finder, follow->passages, (lope_vec2){from_x, from_z}, (lope_vec2){to_x, to_z},
                                clearance, &follow->path, error);
    return status;
}

float studio_follow_widest(const studio_follow *follow, float from_x, float from_z, float to_x, float to_z)
{
    return lope_passages_widest(follow->passages, (lope_vec2){from_x, from_z}, (lope_vec2){to_x, to_z});
}

lope_follow_query studio_follow_question(const studio_follow *follow)
{
    lope_follow_query query = lope_follow_query_along(follow->path.points, follow->path.point_count, follow->clearance);
    query.world = lope_follow_in_space(follow->space);
    return query;
}

static lope_status send(studio_follow *follow)
{
    lope_error *error = studio_failure();
    if (follow->path.point_count < 2)
        return lope_fail(error, LOPE_NOT_FOUND, "there is no path to walk along");
    lope_follow_query query = studio_follow_question(follow);
    query.any_goal_yaw = true;
    return lope_follow_go_on(follow->search, &query, error);
}

lope_status studio_follow_begin(studio_follow *follow)
{
    lope_status status = make_walker(follow, studio_failure());
    follow->hash = 0;
    return status ? status : send(follow);
}

lope_status studio_follow_again(studio_follow *follow)
{
    return send(follow);
}

static void put(float *out, lope_ground at)
{
    out[0] = at.x;
    out[1] = at.z;
    out[2] = at.yaw;
}

void studio_follow_end(const studio_follow *follow, float *out)
{
    put(out, lope_player_last_end(follow->player));
}

void studio_follow_step(studio_follow *follow, float dt)
{
    lope_follow_advance(follow->search, follow->work);
    lope_player_feed(follow->player, follow->search);
    lope_player_step(follow->player, dt);
    lope_player_now now = lope_player_now_of(follow->player);
    const float told[] = {(float)now.play.step, now.at.x, now.at.z, now.at.yaw, now.frames};
    follow->hash = lope_hash(told, sizeof told, follow->hash);
}

int studio_follow_pose(studio_follow *follow, float *out)
{
    lope_transform *model = (lope_transform *)(void *)out;
    lope_player_pose(follow->player, NULL, model);
    follow->hash =
        lope_hash(model, sizeof *model * (size_t)follow->maps->steps->set->skeleton->joint_count, follow->hash);
    return lope_player_contacts(follow->player);
}

int studio_follow_state(const studio_follow *follow)
{
    lope_follow_state search = lope_follow_now(follow->search);
    if (search == LOPE_FOLLOW_IDLE)
        return STUDIO_WALK_IDLE;
    bool plays = lope_player_state_of(follow->player) == LOPE_PLAYER_WALKS;
    if (search == LOPE_FOLLOW_SEARCHING || studio_follow_ahead(follow) > 0 || plays)
        return STUDIO_WALK_ON;
    return search == LOPE_FOLLOW_ARRIVED ? STUDIO_WALK_ARRIVED : STUDIO_WALK_STUCK;
}

int studio_follow_search_state(const studio_follow *follow)
{
    return (int)lope_follow_now(follow->search);
}

int studio_follow_ahead(const studio_follow *follow)
{
    int found = lope_follow_count(follow->search) - lope_follow_played(follow->search);
    return found + lope_player_now_of(follow->player).waiting;
}

int studio_follow_clip(const studio_follow *follow, double *time)
{
    lope_player_now now = lope_player_now_of(follow->player);
    const lope_step *step = &follow->maps->steps->steps[now.play.step];
    const lope_clip *clip = follow->maps->steps->set->clips[step->clip];
    *time = ((double)step->first + (double)now.frames) / clip->frame_rate;
    return step->clip;
}

int studio_follow_steps(const studio_follow *follow, float *out, int capacity)
{
    int count = lope_follow_count(follow->search), played = lope_follow_played(follow->search);
    for (int i = 0; i < count && i < capacity; i++, out += STUDIO_STEP_FLOATS) {
        lope_walk_step step = lope_follow_step(follow->search, i);
        put(out, step.at);
        put(out + 3, step.end);
        out[6] = (float)step.step;
        out[7] = i < played ? 1.0f : 0.0f;
    }
    return count;
}

int studio_follow_hips(const studio_follow *follow, float *out, int capacity)
{
    return studio_follow_way(follow->maps->steps, follow->search, out, capacity);
}

int studio_follow_map(const studio_follow *follow, int step, float *out, int capacity)
{
    if (step < 0 || step >= lope_follow_count(follow->search))
        return 0;
    lope_walk_step walk = lope_follow_step(follow->search, step);
    return studio_follow_nodes(follow->maps, &walk, out, capacity);
}

void studio_follow_report(const studio_follow *follow, float *out)
{
    studio_follow_put_report(lope_follow_about(follow->search), out);
}

uint64_t studio_follow_hash(const studio_follow *follow)
{
    return follow->hash;
}
