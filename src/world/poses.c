// SPDX-License-Identifier: MIT
// What others ask about characters: poses for many, events, hashes.
#include <stdio.h>
#include <string.h>

#include "world/world.h"

// ---- events

const char *lope_event_kind_name(lope_event_kind kind)
{
    static const char *const names[LOPE_EVENT_KIND_COUNT] = {"arrived", "began", "ended", "moved", "cannot"};
    return (unsigned)kind < LOPE_EVENT_KIND_COUNT ? names[kind] : "unknown";
}

void world_event(world_body *body, lope_event_kind kind, int link, lope_status status, const char *text)
{
    lope_world *world = body->world;
    lope_event event = {world_id_of(body), kind, body->task.kind, link, body->task.part, world_place(body), status, ""};
    int thing = link >= 0 && body->crossing >= 0 ? world_crossing_at(world, body->crossing)->link.part : -1;
    lope_part part;
    if (thing >= 0 && lope_level_part(world->def.level, thing, &part))
        event.part = part.id;
    if (kind == LOPE_EVENT_MOVED)
        event.place = world_task_end(body).place;
    snprintf(event.text, sizeof event.text, "%s", text);
    list_add(&world->events, &event, sizeof event); // without memory nobody hears of it
}

const lope_event *lope_world_events(const lope_world *world, int *count)
{
    *count = world->events.count;
    return world->events.items;
}

// ---- one character

lope_character_state_kind lope_character_state(const lope_world *world, lope_character_id id)
{
    const world_body *body = world_body_of(world, id);
    if (body && body->state == LOPE_CHARACTER_IDLE && body->errands)
        return LOPE_CHARACTER_BUSY; // between two errands
    return body ? body->state : LOPE_CHARACTER_GONE;
}

lope_task lope_character_task(const lope_world *world, lope_character_id id)
{
    const world_body *body = world_body_of(world, id);
    return body ? body->task.kind : LOPE_TASK_NONE;
}

lope_vec3 lope_character_place(const lope_world *world, lope_character_id id)
{
    const world_body *body = world_body_of(world, id);
    return body ? world_place(body) : lope_v3(0.0f, 0.0f, 0.0f);
}

float lope_character_facing(const lope_world *world, lope_character_id id)
{
    const world_body *body = world_body_of(world, id);
    return body ? world_ground(body).yaw : 0.0f;
}

static const lope_skeleton *skeleton_of(const world_body *body)
{
    return body->onto ? lope_retarget_target(body->onto) : body->world->def.moves->skeleton;
}

const lope_skeleton *lope_character_skeleton(const lope_world *world, lope_character_id id)
{
    const world_body *body = world_body_of(world, id);
    return body ? skeleton_of(body) : NULL;
}

lope_character_carrier lope_character_carrier_of(const lope_world *world, lope_character_id id)
{
    const world_body *body = world_body_of(world, id);
    if (!body)
        return (lope_character_carrier){NULL, -1, false};
    lope_character_carrier out = {world_walk_controller()->name, -1, false};
    if (body->outfit) {
        out.controller = lope_handover_controller(body->outfit->handover, NULL)->name;
        out.settles = lope_handover_settling(body->outfit->handover);
    }
    out.link = body->on;
    return out;
}

const lope_moment *lope_character_moment(const lope_world *world, lope_character_id id)
{
    const world_body *body = world_body_of(world, id);
    return body && body->outfit ? lope_handover_shown(body->outfit->handover) : NULL;
}

uint16_t lope_character_contacts(const lope_world *world, lope_character_id id)
{
    const world_body *body = world_body_of(world, id);
    if (!body)
        return 0;
    return body->outfit ? lope_handover_shown(body->outfit->handover)->contacts : lope_walker_contacts(body->walker);
}

int lope_character_clip(const lope_world *world, lope_character_id id, double *time)
{
    const world_body *body = world_body_of(world, id);
    if (time)
        *time = 0.0;
    return body && body->carrier == WORLD_WALK ? lope_walker_clip(body->walker, time) : -1;
}

float lope_character_stuck(const lope_world *world, lope_character_id id)
{
    const world_body *body = world_body_of(world, id);
    return body ? body->stuck : 0.0f;
}

// ---- many

static const lope_transform *model_of(const world_body *body)
{
    return body->outfit ? lope_handover_model(body->outfit->handover)
                        : lope_member_pose(body->world->crowd, body->member);
}

// The last layer: shoulders, arms and feet stay out of solids.
static void keep_out(world_body *body, lope_transform *model)
{
    const lope_world *world = body->world;
    const world_limb_pose pose = {lope_level_terrain(world->def.level), world->time,
                                  body->outfit ? lope_handover_shown(body->outfit->handover)->contacts
                                               : lope_walker_contacts(body->walker),
                                  body->carrier == WORLD_CROSS || body->carrier == WORLD_ACT};
    world_limbs_apply(&body->limbs, &world->limb_rig, &pose, model);
}

// Of a body with another skeleton.
static void pose_onto(world_body *body, lope_transform *out)
{
    const lope_transform *source = model_of(body);
    lope_transform model[WORLD_MOST_JOINTS], *walking = model;
    lope_walker *walker = body->walker;
    if (source)
        memcpy(model, source, (size_t)body->world->def.moves->skeleton->joint_count * sizeof *model);
    else
        lope_walkers_pose(&walker, 1, &walking);
    keep_out(body, model);
    lope_retarget_held(body->onto, model, body->outfit ? body->outfit->holds : NULL, out);
}

// That of the first character that is there; NULL: none is.
static const lope_skeleton *first_skeleton(const lope_world *world, const lope_character_id *ids, int count)
{
    const lope_skeleton *found = NULL;
    for (int i = 0; i < count && !found; i++)
        found = lope_character_skeleton(world, ids[i]);
    return found;
}

enum { TOGETHER = 16 };

void lope_world_poses(lope_world *world, const lope_character_id *ids, int count, lope_transform *models)
{
    const lope_skeleton *skeleton = first_skeleton(world, ids, count);
    size_t joints = skeleton ? (size_t)skeleton->joint_count : 0;
    world_body *bodies[TOGETHER];
    lope_walker *walkers[TOGETHER];
    lope_transform *shown[TOGETHER];
    int waiting = 0;
    for (int i = 0; i < count; i++) {
        world_body *body = world_body_of(world, ids[i]);
        lope_transform *model = models + (size_t)i * joints;
        body = body && skeleton_of(body) == skeleton ? body : NULL;
        if (body && body->onto) {
            pose_onto(body, model);
        } else if (body && model_of(body)) {
            memcpy(model, model_of(body), joints * sizeof *models);
            keep_out(body, model);
        } else if (body) {
            bodies[waiting] = body;
            walkers[waiting] = body->walker;
            shown[waiting++] = model;
        }
        if (waiting == TOGETHER || (i + 1 == count && waiting > 0)) {
            lope_walkers_pose(walkers, waiting, shown);
            while (waiting > 0) {
                waiting--;
                keep_out(bodies[waiting], shown[waiting]);
            }
        }
    }
}

// A transform as three rows of four.
static void write_matrix(lope_transform t, float *out)
{
    const lope_vec3 axes[3] = {lope_quat_rotate(t.rotation, lope_v3(1, 0, 0)),
                               lope_quat_rotate(t.rotation, lope_v3(0, 1, 0)),
                               lope_quat_rotate(t.rotation, lope_v3(0, 0, 1))};
    const float rows[3][4] = {{axes[0].x, axes[1].x, axes[2].x, t.translation.x},
                              {axes[0].y, axes[1].y, axes[2].y, t.translation.y},
                              {axes[0].z, axes[1].z, axes[2].z, t.translation.z}};
    memcpy(out, rows, sizeof rows);
}

void lope_world_skins(lope_world *world, const lope_character_id *ids, int count, const lope_transform *inverse_bind,
                      float *matrices)
{
    const lope_skeleton *skeleton = first_skeleton(world, ids, count);
    int joints = skeleton ? skeleton->joint_count : 0;
    lope_transform models[WORLD_MOST_JOINTS];
    for (int i = 0; i < count && joints <= WORLD_MOST_JOINTS; i++) {
        if (lope_character_skeleton(world, ids[i]) != skeleton)
            continue;
        lope_world_poses(world, &ids[i], 1, models);
        for (int j = 0; j < joints; j++)
            write_matrix(lope_transform_mul(models[j], inverse_bind[j]),
                         matrices + 12 * ((size_t)i * (size_t)joints + (size_t)j));
    }
}

// ---- all

size_t lope_world_memory(const lope_world *world)
{
    size_t bytes = sizeof *world + lope_floors_memory(world->floors);
    for (int i = 0; i < world->bodies.count; i++) {
        const world_body *body = world_at(world, i);
        bytes += sizeof *body + (size_t)body->way.points.room * sizeof(lope_vec3) +
                 (size_t)body->way.stretches.room * sizeof(world_stretch);
    }
    return bytes + (size_t)world->outfits.count * lope_handover_size(world->def.moves->skeleton);
}

uint64_t lope_world_hash(const lope_world *world)
{
    uint64_t hash = world->def.seed;
    size_t joints = (size_t)world->def.moves->skeleton->joint_count;
    for (int i = 0; i < world->alive.count; i++) {
        const world_body *body = world_at(world, ((int *)world->alive.items)[i]);
        lope_ground ground = world_ground(body);
        const float numbers[4] = {ground.x, body->height, ground.z, ground.yaw};
        hash = lope_hash(numbers, sizeof numbers, hash);
        if (model_of(body))
            hash = lope_hash(model_of(body), joints * sizeof(lope_transform), hash);
    }
    return hash;
}
