// SPDX-License-Identifier: MIT
// Traffic: characters that follow the flows of a scene, one after the other. Whatever is drawn by lot comes from one
// generator, used in the order of the characters, so a seed tells the whole story.
#include <math.h>
#include <string.h>

#include "base/error.h"
#include "base/memory.h"
#include "base/random.h"
#include "crowd/carts.h"
#include "crowd/crowd.h"
#include "lope/scene.h"
#include "mobility/map.h"

#define MOST_TRAVELLERS 1000000
#define TRIES 200      // places tried for somebody new, or for a goal
#define SPAWN_GAP 0.9f // metres between those who are put somewhere
#define GOAL_ROOM 0.5f // metres around goals that are free of obstacles

typedef struct traveller {
    lope_member_id id;
    int area;    // where it arrived or is going
    float pause; // seconds it waits after arriving
} traveller;

struct lope_traffic {
    const lope_scene *scene;
    lope_crowd *world;
    lope_random random;
    int count, cart_count;
    traveller *travellers;
    lope_obstacle_id *carts;
    double seconds; // that they have driven
};

void lope_scene_destroy(lope_scene *scene)
{
    if (!scene)
        return;
    lope_free(scene->obstacles);
    lope_free(scene->corners);
    lope_free(scene->carts);
    lope_free(scene->areas);
    lope_free(scene->flows);
    lope_free(scene);
}

lope_status lope_scene_add_obstacle(const lope_scene *scene, const lope_scene_obstacle *o, lope_crowd *world,
                                    lope_error *error)
{
    if (o->shape == LOPE_SCENE_BOX)
        return lope_crowd_add_box(world, (lope_ground){o->centre.x, o->centre.z, o->yaw}, o->size, NULL, error);
    if (o->shape == LOPE_SCENE_CYLINDER)
        return lope_crowd_add_cylinder(world, o->centre, o->radius, NULL, error);
    const lope_vec2 *corners = o->corner_count ? scene->corners + o->corner_first : NULL;
    return lope_crowd_add_polygon(world, corners, o->corner_count, NULL, error);
}

lope_status lope_scene_world(const lope_scene *scene, const lope_crowd_def *def, lope_crowd **out, lope_error *error)
{
    lope_crowd_def own = *def;
    own.bounded = scene->bounded;
    own.low = scene->low;
    own.high = scene->high;
    lope_crowd *world;
    *out = NULL;
    lope_status status = lope_crowd_create(&own, &world, error);
    for (int i = 0; i < scene->obstacle_count && !status; i++)
        status = lope_scene_add_obstacle(scene, &scene->obstacles[i], world, error);
    if (status)
        lope_crowd_destroy(world);
    else
        *out = world;
    return status;
}

lope_vec2 lope_scene_draw_place(lope_vec2 low, lope_vec2 high, uint64_t *random)
{
    lope_random chance = {*random};
    float x = lope_random_range(&chance, low.x, high.x), z = lope_random_range(&chance, low.z, high.z);
    *random = chance.state;
    return (lope_vec2){x, z};
}

static lope_vec2 random_place(lope_traffic *traffic, lope_vec2 low, lope_vec2 high)
{
    return lope_scene_draw_place(low, high, &traffic->random.state);
}

static bool crowded(const lope_traffic *traffic, lope_vec2 place)
{
    const lope_crowd *world = traffic->world;
    for (int i = 0; i < world->slot_count; i++)
        if (world->alive[i] && crowd_distance(place, world->places[i]) < SPAWN_GAP)
            return true;
    return false;
}

static bool find_room(lope_traffic *traffic, lope_vec2 low, lope_vec2 high, float radius, lope_vec2 *place)
{
    for (int i = 0; i < TRIES; i++) {
        *place = random_place(traffic, low, high);
        if (lope_crowd_is_free(traffic->world, crowd_up(*place, 0.0f), radius + 0.1f) && !crowded(traffic, *place))
            return true;
    }
    return false;
}

int lope_scene_draw_flow(const lope_scene *scene, int area, uint64_t *random)
{
    float total = 0.0f;
    for (int i = 0; i < scene->flow_count; i++)
        if (scene->flows[i].from == area)
            total += scene->flows[i].weight;
    bool any = !(total > 0.0f);
    for (int i = 0; i < scene->flow_count && any; i++)
        total += scene->flows[i].weight;
    lope_random chance = {*random};
    float drawn = lope_random_range(&chance, 0.0f, total);
    *random = chance.state;
    int flow = 0;
    for (int i = 0; i < scene->flow_count; i++) {
        if (!any && scene->flows[i].from != area)
            continue;
        flow = i;
        drawn -= scene->flows[i].weight;
        if (drawn < 0.0f)
            break;
    }
    return flow;
}

static lope_vec2 goal_in(lope_traffic *traffic, const lope_scene_area *area)
{
    lope_vec2 place = {0, 0};
    for (int i = 0; i < TRIES; i++) {
        place = random_place(traffic, area->low, area->high);
        if (lope_crowd_is_free(traffic->world, crowd_up(place, 0.0f), GOAL_ROOM))
            break;
    }
    return place;
}

typedef struct errand {
    const lope_scene_flow *flow;
    lope_goal goals[LOPE_SCENE_MAX_VIA + 1];
    int count;
} errand;

static errand choose_errand(lope_traffic *traffic, int area)
{
    errand e = {.flow = &traffic->scene->flows[lope_scene_draw_flow(traffic->scene, area, &traffic->random.state)]};
    for (; e.count < e.flow->via_count; e.count++)
        e.goals[e.count] = (lope_goal){.position = e.flow->via[e.count], .facing = NAN};
    e.goals[e.count++] = (lope_goal){
        .position = goal_in(traffic, &traffic->scene->areas[e.flow->to]), .facing = NAN, .stop = e.flow->stop};
    return e;
}

// Where no way leads there it stays and tries something else after a while.
static void send(lope_traffic *traffic, traveller *who, const errand *e)
{
    lope_status status = lope_member_follow(traffic->world, who->id, e->goals, e->count, NULL);
    bool sent = status == LOPE_OK || status == LOPE_PARTIAL;
    who->pause = sent ? e->flow->pause : 2.0f;
    if (sent)
        who->area = e->flow->to;
    else
        lope_member_stop(traffic->world, who->id);
}

// Seconds longer than it must that it may take to walk on from where somebody begins: not in a walk backwards.
#define AWKWARD 0.8f

// Somewhere in a walk where people are spread over the scene, else standing.
static int random_state(lope_traffic *traffic, const lope_mobility *map)
{
    for (int i = 0; i < TRIES; i++) {
        int state = lope_random_below(&traffic->random, lope_mobility_state_count(map));
        if (lope_mobility_choice_count(map, state) > 0 &&
            (traffic->scene->spawn_anywhere ? TIME_UNIT * (float)map->awkward[state] < AWKWARD
                                            : lope_mobility_can_stand(map, state)))
            return state;
    }
    return -1;
}

static lope_status add_traveller(lope_traffic *traffic, const lope_member_def *like, lope_error *error)
{
    const lope_scene *scene = traffic->scene;
    traveller *who = &traffic->travellers[traffic->count];
    int begin = scene->flows[lope_random_below(&traffic->random, scene->flow_count)].from;
    lope_vec2 low = scene->spawn_anywhere ? scene->low : scene->areas[begin].low;
    lope_vec2 high = scene->spawn_anywhere ? scene->high : scene->areas[begin].high, place;
    if (!find_room(traffic, low, high, like->radius, &place))
        return lope_fail(error, LOPE_PARTIAL, "there was room for %d characters only", traffic->count);
    errand first = choose_errand(traffic, begin);
    lope_vec2 way = crowd_sub(first.goals[0].position, place);
    lope_member_def def = *like;
    def.at = (lope_ground){place.x, place.z, (float)lope_atan2((double)way.x, (double)way.z)};
    def.state = random_state(traffic, like->map);
    lope_status status = lope_crowd_spawn(traffic->world, &def, &who->id, error);
    if (status)
        return status;
    who->area = begin;
    traffic->count++;
    send(traffic, who, &first);
    return LOPE_OK;
}

// Scenes may be made by hand; what files say was checked when they were read.
static lope_status check_scene(const lope_scene *scene, lope_error *error)
{
    lope_status status = LOPE_OK;
    if (scene->flow_count < 1)
        status = lope_fail(error, LOPE_BAD_DATA, "the scene has no flows for characters to follow");
    for (int i = 0; i < scene->flow_count && !status; i++) {
        const lope_scene_flow *flow = &scene->flows[i];
        status = LOPE_CHECK(error, LOPE_RANGE(flow, from, 0, scene->area_count - 1),
                            LOPE_RANGE(flow, to, 0, scene->area_count - 1),
                            LOPE_RANGE(flow, via_count, 0, LOPE_SCENE_MAX_VIA), LOPE_RANGE(flow, weight, 0, LOPE_LARGE),
                            LOPE_RANGE(flow, pause, 0, LOPE_LARGE));
    }
    for (int i = 0; i < scene->cart_count && !status; i++) {
        const lope_scene_cart *cart = &scene->carts[i];
        status = LOPE_CHECK(error, LOPE_RANGE(cart, stop_count, 2, LOPE_SCENE_MAX_STOPS),
                            LOPE_RANGE(cart, speed, 0, LOPE_LARGE));
    }
    return status;
}

lope_status lope_traffic_create(const lope_scene *scene, lope_crowd *world, const lope_member_def *character, int count,
                                uint64_t seed, lope_traffic **out, lope_error *error)
{
    *out = NULL;
    lope_status status = check_scene(scene, error);
    if (!status)
        status = LOPE_CHECK(error, {"count", count, 0, MOST_TRAVELLERS});
    if (status)
        return status;
    lope_traffic *traffic = lope_alloc_zero(sizeof *traffic);
    if (!traffic)
        return lope_fail_memory(error);
    *traffic = (lope_traffic){.scene = scene,
                              .world = world,
                              .random = lope_random_seed(seed),
                              .travellers = lope_alloc_array((size_t)count, sizeof(traveller)),
                              .carts = lope_alloc_array((size_t)scene->cart_count, sizeof(lope_obstacle_id))};
    status = traffic->travellers && traffic->carts ? LOPE_OK : lope_fail_memory(error);
    for (int i = 0; i < scene->cart_count && !status; i++) {
        status = crowd_cart_add(&scene->carts[i], world, &traffic->carts[i], error);
        traffic->cart_count += !status;
    }
    while (traffic->count < count && !status)
        status = add_traveller(traffic, character, error);
    if (status && status != LOPE_PARTIAL)
        lope_traffic_destroy(traffic);
    else
        *out = traffic;
    return status;
}

void lope_traffic_destroy(lope_traffic *traffic)
{
    if (!traffic)
        return;
    for (int i = 0; i < traffic->cart_count; i++)
        lope_crowd_remove_obstacle(traffic->world, traffic->carts[i]);
    lope_free(traffic->travellers);
    lope_free(traffic->carts);
    lope_free(traffic);
}

// Without memory, ways may lead through a cart for a while: it is avoided all the same.
static void drive_carts(lope_traffic *traffic, float dt)
{
    traffic->seconds += (double)dt;
    for (int i = 0; i < traffic->cart_count; i++)
        lope_crowd_move_obstacle(traffic->world, traffic->carts[i],
                                 crowd_cart_at(&traffic->scene->carts[i], traffic->seconds), NULL);
}

void lope_traffic_update(lope_traffic *traffic, float dt)
{
    if (!(dt >= 0.0f && dt < INFINITY))
        return;
    drive_carts(traffic, dt);
    for (int i = 0; i < traffic->count; i++) {
        traveller *who = &traffic->travellers[i];
        lope_member_state state = lope_member_state_of(traffic->world, who->id);
        if (state != LOPE_MEMBER_ARRIVED && state != LOPE_MEMBER_IDLE)
            continue;
        who->pause -= dt;
        if (who->pause <= 0.0f) {
            errand next = choose_errand(traffic, who->area);
            send(traffic, who, &next);
        }
    }
}

int lope_traffic_count(const lope_traffic *traffic)
{
    return traffic->count;
}

lope_member_id lope_traffic_character(const lope_traffic *traffic, int index)
{
    return traffic->travellers[index].id;
}
