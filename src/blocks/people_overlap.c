// SPDX-License-Identifier: MIT
// How far bodies are inside of things and of each other: each is a string of balls. What one sits or
// climbs on is told apart from what only stands there.
#include "blocks/people.h"

// Metres that a body reaches from its hips.
#define BODY_REACH 1.2f

// Whether a thing is one of those that somebody uses now: those of the instance whose motion it plays.
static bool is_used(const lope_people *p, const lope_block_step *step, int object)
{
    const lope_block_world *w = p->world;
    if (step->kind != LOPE_STEP_LINK || step->where < 0 || step->where >= w->instances.count)
        return false;
    const lope_block_instance *instance = instance_at(w, step->where);
    const int32_t *objects = (const int32_t *)w->instance_objects.items + instance->object_first;
    for (int k = 0; k < w->blocks->blocks[instance->block].unit_count; k++)
        if (objects[k] == object)
            return true;
    return false;
}

// Whether somebody walks on a box: its top is the floor where its step begins or ends, and toes roll off it.
static bool carries(const lope_people *p, const lope_block_step *step, const world_box *box)
{
    float top = world_box_top(box);
    int nodes[2] = {step->from, step->to};
    for (int i = 0; i < 2; i++)
        if (nodes[i] >= 0 && fabsf(people_node_place(p, nodes[i]).y - top) < 0.01f)
            return true;
    return false;
}

static float depth_in_box(const body_balls *balls, const lope_transform *model, const world_box *box)
{
    float deepest = 0.0f;
    for (int k = 0; k < balls->count; k++) {
        lope_vec3 at = lope_transform_point(model[balls->balls[k].joint], balls->balls[k].centre);
        deepest = fmaxf(deepest, balls->balls[k].radius - world_box_distance(box, at));
    }
    return deepest;
}

static void compare_with_things(const lope_people *p, int index, const lope_transform *model, lope_people_overlap *out)
{
    const lope_block_world *w = p->world;
    const world_box *boxes[MOST_BOXES];
    int count = boxes_near(w, model[0].translation, BODY_REACH, boxes, MOST_BOXES);
    for (int b = 0; b < count; b++) {
        float depth = depth_in_box(&w->balls, model, boxes[b]);
        const lope_block_step *step = &p->persons[index].player.step;
        if (depth > 0.0f && (is_used(p, step, boxes[b]->object) || carries(p, step, boxes[b]))) {
            out->in_used = fmaxf(out->in_used, depth);
        } else if (depth > out->in_things) {
            out->in_things = depth;
            out->person_in_thing = index;
            out->thing = boxes[b]->object;
        }
    }
}

static float depth_of_pair(const lope_people *p, const lope_transform *a, const lope_transform *b)
{
    const body_balls *balls = &p->world->balls;
    float deepest = 0.0f;
    for (int i = 0; i < balls->count; i++) {
        lope_vec3 at = lope_transform_point(a[balls->balls[i].joint], balls->balls[i].centre);
        for (int k = 0; k < balls->count; k++) {
            lope_vec3 other = lope_transform_point(b[balls->balls[k].joint], balls->balls[k].centre);
            float both = balls->balls[i].radius + balls->balls[k].radius;
            deepest = fmaxf(deepest, both - lope_v3_distance(at, other));
        }
    }
    return deepest;
}

void lope_people_overlap_of(const lope_people *p, const lope_transform *models, lope_people_overlap *out)
{
    size_t joints = (size_t)p->world->blocks->set->skeleton->joint_count;
    *out = (lope_people_overlap){.person_in_thing = -1, .thing = -1};
    for (int i = 0; i < p->count; i++) {
        const lope_transform *model = models + (size_t)i * joints;
        if (!p->persons[i].alive)
            continue;
        compare_with_things(p, i, model, out);
        for (int k = 0; k < i; k++) {
            const lope_transform *other = models + (size_t)k * joints;
            // Bodies whose hips are farther apart touch with outstretched arms at most.
            if (!p->persons[k].alive || lope_v3_distance(model[0].translation, other[0].translation) > 1.0f)
                continue;
            float depth = depth_of_pair(p, model, other);
            out->pairs += depth > 0.02f;
            out->in_people = fmaxf(out->in_people, depth);
        }
    }
}
