// SPDX-License-Identifier: MIT
// People: coming, going on, being seen.
#include "blocks/people.h"

#include <string.h>

#include "base/error.h"
#include "base/memory.h"

#define MOST_PEOPLE 100000
#define RUN 8 // people share threads in runs of this many

lope_people_def lope_people_def_default(void)
{
    return (lope_people_def){.capacity = 100, .body_radius = 0.25f, .seed = 1};
}

lope_status lope_people_create(const lope_people_def *def, lope_people **out, lope_error *error)
{
    *out = NULL;
    lope_status status =
        LOPE_CHECK(error, LOPE_RANGE(def, capacity, 1, MOST_PEOPLE), LOPE_RANGE(def, body_radius, 0, 2));
    if (status)
        return status;
    lope_people *p = lope_alloc_zero(sizeof *p);
    if (!p)
        return lope_fail_memory(error);
    p->def = *def;
    p->world = def->world;
    p->memory_each = (lope_block_player_memory(def->world) + 15) & ~(size_t)15;
    p->persons = lope_alloc_zero((size_t)def->capacity * sizeof *p->persons);
    p->memory = lope_alloc_array((size_t)def->capacity, p->memory_each);
    p->steps = lope_alloc_array((PEOPLE_SPARES + 1) * PEOPLE_CHOICES, sizeof *p->steps);
    p->near.list = lope_alloc_array((size_t)def->capacity, sizeof *p->near.list);
    p->near.who = -1;
    status =
        p->persons && p->memory && p->steps && p->near.list ? lope_people_update(p, error) : lope_fail_memory(error);
    if (status)
        lope_people_destroy(p);
    else
        *out = p;
    return status;
}

void lope_people_destroy(lope_people *p)
{
    if (!p)
        return;
    people_search_destroy(&p->search);
    people_areas_destroy(&p->areas);
    void *blocks[] = {p->persons,      p->memory,         p->steps,     p->seats.items,
                      p->stands.items, p->passages.items, p->near.list, p};
    for (size_t i = 0; i < sizeof blocks / sizeof *blocks; i++)
        lope_free(blocks[i]);
}

// Junctions where some motion stays on a thing are seats; of the things it belongs to, the first one of the smallest
// block is what one sits on.
static lope_status find_seats(lope_people *p, lope_error *error)
{
    lope_block_view view = lope_block_world_view(p->world);
    p->seats.count = 0;
    for (int i = 0; i < view.instance_count; i++) {
        const lope_block_instance *instance = &view.instances[i];
        const lope_block *block = &view.blocks->blocks[instance->block];
        for (int l = 0; l < block->link_count && block->unit_count == 1; l++) {
            const lope_block_link *link = &view.blocks->links[block->link_first + l];
            int junction = view.junction_of[instance->gate_first + link->from], known = 0;
            people_seat seat = {view.instance_objects[instance->object_first], view.tile_nodes + junction, -1,
                                view.junctions[junction].at};
            if (link->from != link->to || view.junctions[junction].floor >= 0)
                continue;
            for (int s = 0; s < p->seats.count; s++)
                known |= seat_at(p, s)->object == seat.object;
            if (!known && graph_node_lives(p->world, seat.node) && !list_add(&p->seats, &seat, sizeof seat))
                return lope_fail_memory(error);
        }
    }
    return LOPE_OK;
}

// The living node where a step ends now, or else the nearest one.
static int node_again(lope_people *p, const person *who)
{
    int node = lope_block_node_near(p->world, who->end, who->end_pose), pose;
    if (node >= 0) {
        lope_spot at = lope_block_node_place(p->world, node, &pose);
        float off = hypotf(at.x - who->end.x, at.z - who->end.z) + fabsf(at.y - who->end.y);
        if (off < 0.05f && fabsf(lope_wrap_angle(at.yaw - who->end.yaw)) < 0.1f)
            return node;
    }
    p->counts.lost++;
    return node >= 0 ? node : lope_block_node_near(p->world, who->end, -1);
}

// People on seats still have them.
static void keep_seat(lope_people *p, int index)
{
    person *who = &p->persons[index];
    lope_spot at = lope_block_player_place(&who->player);
    for (int s = 0; s < p->seats.count; s++)
        if (seat_at(p, s)->owner < 0 && hypotf(at.x - seat_at(p, s)->at.x, at.z - seat_at(p, s)->at.z) < PEOPLE_SAME) {
            seat_at(p, s)->owner = index;
            who->leaving = s;
            return;
        }
}

// Keeps what people were told by places and objects, whose numbers an update of the world does not change.
static void let_go_of_nodes(lope_people *p)
{
    for (int i = 0; i < p->count; i++) {
        person *who = &p->persons[i];
        who->player.step.from = who->leaving = -1;
        if (who->seat >= 0)
            who->seat = -2 - seat_at(p, who->seat)->object;
    }
}

static void find_way_again(lope_people *p, int index)
{
    person *who = &p->persons[index];
    int object = -2 - who->seat;
    bool sat = who->task == TASK_SIT;
    float seconds = who->seconds;
    who->seat = -1;
    if (!who->alive)
        return;
    keep_seat(p, index);
    who->player.step.to = node_again(p, who);
    who->has_next = false;
    who->partner = -1;
    people_find_passage(p, index);
    people_free(p, index);
    if (who->player.step.to < 0)
        lope_people_remove(p, index);
    else if (sat && seconds > 0.0f)
        lope_person_sit(p, index, object, seconds, NULL); // fails where nobody can sit there any more
}

lope_status lope_people_update(lope_people *p, lope_error *error)
{
    if (!p->world->usable)
        return lope_fail(error, LOPE_MISMATCH, "the world was edited: update it first");
    let_go_of_nodes(p);
    p->version = p->world->version - 1; // where memory runs out below, the next call tries again
    lope_status status = find_seats(p, error);
    if (!status)
        status = people_search_create(p, error);
    if (!status)
        status = people_find_passages(p, error);
    if (!status)
        status = people_find_stands(p, error);
    if (!status)
        status = people_areas_create(p, error);
    if (status)
        return status;
    people_find_reached(p);
    p->version = p->world->version;
    for (int i = 0; i < p->count; i++)
        find_way_again(p, i);
    return LOPE_OK;
}

lope_status people_follow_world(lope_people *p, lope_error *error)
{
    return p->world->usable && p->version == p->world->version ? LOPE_OK : lope_people_update(p, error);
}

static void note_end(lope_people *p, person *who)
{
    who->end = lope_block_node_place(p->world, who->player.step.to, &who->end_pose);
}

// A step from a node that is free now.
static bool is_free_start(lope_people *p, int index, int node, lope_block_step *out)
{
    people_trace trace;
    graph_cursor cursor = {0, 0};
    graph_step next;
    for (int i = 0; i < 4 && graph_next(p->world, node, &cursor, &next); i++) {
        lope_block_step step = graph_describe(p->world, node, &next);
        people_trace_of(p, &(people_plan){&step, 0.0f, 1.0f, 0.0f}, &trace);
        if (people_conflicts(p, index, &trace, 1) > 0)
            continue;
        *out = step;
        return true;
    }
    return false;
}

// How far a place counts to be off, and how far a tile is off at least.
static float start_distance(lope_spot at, lope_spot near)
{
    return sqrtf((at.x - near.x) * (at.x - near.x) + (at.z - near.z) * (at.z - near.z)) + 3.0f * fabsf(at.y - near.y);
}

static float tile_distance(const floor_tiles *floor, int tile, lope_spot near)
{
    ground_move middle = patch_frame(floor->tiles, tile, 0);
    return start_distance((lope_spot){middle.x, floor->def.height, middle.z, 0.0f}, near) -
           floor->tiles->def.tile->size;
}

// The nearest gate of a tile from which a step is free.
static bool find_start(lope_people *p, int index, lope_spot near, lope_block_step *out)
{
    const lope_block_world *w = p->world;
    int per_tile = LOPE_TILE_SIDES * w->blocks->tile->gate_count;
    float least = INFINITY;
    for (int f = 0; f < w->floors.count; f++)
        for (int tile = 0; tile < floor_at(w, f)->tiles->tile_count; tile++) {
            if (tile_distance(floor_at(w, f), tile, near) >= least)
                continue;
            int first = floor_at(w, f)->first_node + tile * per_tile;
            for (int node = first; node < first + per_tile; node++) {
                float d = start_distance(people_node_place(p, node), near);
                if (d < least && graph_node_lives(w, node) && is_free_start(p, index, node, out))
                    least = d;
            }
        }
    return least < INFINITY;
}

lope_status lope_people_spawn(lope_people *p, lope_spot near, int *index, lope_error *error)
{
    lope_status status = people_follow_world(p, error);
    if (status)
        return status;
    if (!isfinite(near.x) || !isfinite(near.y) || !isfinite(near.z))
        return lope_fail(error, LOPE_BAD_DATA, "nobody can stand at (%g, %g, %g)", (double)near.x, (double)near.y,
                         (double)near.z);
    int number = 0;
    while (number < p->count && p->persons[number].alive)
        number++;
    if (number == p->def.capacity)
        return lope_fail(error, LOPE_NOT_FOUND, "there is room for %d people only", p->def.capacity);
    lope_block_step step;
    if (!find_start(p, number, near, &step))
        return lope_fail(error, LOPE_NOT_FOUND, "no gate is free for person %d", number);
    person *who = &p->persons[number];
    *who = (person){.alive = true, .target = -1, .seat = -1, .leaving = -1, .partner = -1, .tempo = 1.0f};
    who->passage = who->awaits = who->wait_node = -1;
    who->awaits_since = -1.0;
    who->random = ((uint64_t)number + 1) * 0x9E3779B97F4A7C15u ^ p->def.seed;
    who->held.last = -1;
    lope_block_player_begin(p->world, &step, p->memory + (size_t)number * p->memory_each, &who->player);
    note_end(p, who);
    if (number == p->count)
        p->count++;
    people_trace trace;
    people_trace_of(p, &(people_plan){&step, 0.0f, 1.0f, 0.0f}, &trace);
    people_reserve(p, number, &trace);
    if (index)
        *index = number;
    return LOPE_OK;
}

void lope_people_remove(lope_people *p, int index)
{
    if (index < 0 || index >= p->count || !p->persons[index].alive)
        return;
    people_free(p, index);
    people_leave_seat(p, index, true);
    p->persons[index].alive = false;
    p->near.who = -1;
}

int lope_people_count(const lope_people *p)
{
    return p->count;
}

typedef struct people_work {
    lope_people *p;
    float dt;
    lope_transform *models;
} people_work;

static int run_end(const lope_people *p, int index)
{
    return (index + 1) * RUN < p->count ? (index + 1) * RUN : p->count;
}

static void advance_run(void *user, int index, int thread)
{
    (void)thread;
    people_work *work = user;
    for (int i = index * RUN; i < run_end(work->p, index); i++) {
        person *who = &work->p->persons[i];
        if (!who->alive || !lope_block_player_advance(&who->player, work->dt, who->tempo) || !who->has_next)
            continue;
        lope_block_player_next(&who->player, &who->next);
        who->tempo = who->next_tempo;
        who->has_next = false;
        who->undecided = 0.0f;
        note_end(work->p, who);
    }
}

static void pose_run(void *user, int index, int thread)
{
    (void)thread;
    people_work *work = user;
    size_t joints = (size_t)work->p->world->blocks->set->skeleton->joint_count;
    for (int i = index * RUN; i < run_end(work->p, index); i++)
        if (work->p->persons[i].alive)
            lope_person_pose(work->p, i, NULL, work->models + (size_t)i * joints);
}

void lope_people_step(lope_people *p, float dt, lope_jobs *jobs)
{
    if (!(dt > 0.0f && dt <= 1.0f) || people_follow_world(p, NULL) != LOPE_OK)
        return;
    p->slot = (int64_t)(p->now / (double)PEOPLE_SECONDS);
    p->search.looked = 0;
    for (int i = 0; i < p->count; i++)
        if (p->persons[i].alive)
            people_task_step(p, i, dt);
    // One after the other, so that everybody sees what those before reserved.
    for (int i = 0; i < p->count; i++) {
        person *who = &p->persons[i];
        if (who->alive && !who->has_next && (who->undecided -= dt) <= 0.0f)
            people_decide(p, i);
    }
    people_work work = {.p = p, .dt = dt};
    lope_jobs_run(jobs, (p->count + RUN - 1) / RUN, advance_run, &work);
    p->now += (double)dt;
}

void lope_people_poses(lope_people *p, lope_transform *models, lope_jobs *jobs)
{
    people_work work = {.p = p, .models = models};
    lope_jobs_run(jobs, (p->count + RUN - 1) / RUN, pose_run, &work);
}

void lope_person_pose(lope_people *p, int index, lope_pose *pose, lope_transform *model)
{
    enum { STACK_JOINTS = 256 };
    lope_quat rotations[STACK_JOINTS];
    lope_transform models[STACK_JOINTS];
    lope_pose own = {.rotations = rotations};
    lope_block_player_pose(&p->persons[index].player, pose ? pose : &own, model ? model : models);
}

lope_spot lope_person_place(const lope_people *p, int index)
{
    return lope_block_player_place(&p->persons[index].player);
}

uint16_t lope_person_contacts(const lope_people *p, int index)
{
    return lope_block_player_contacts(&p->persons[index].player);
}

int lope_person_clip(const lope_people *p, int index, double *time)
{
    const lope_block_player *player = &p->persons[index].player;
    const lope_segment *piece = &player->step.segment.piece;
    double frame = (double)(piece->first + player->frame) + (double)player->phase;
    if (time)
        *time = frame / player->world->blocks->set->clips[piece->clip]->frame_rate;
    return piece->clip;
}

lope_block_step lope_person_step(const lope_people *p, int index)
{
    return p->persons[index].player.step;
}

lope_people_counts lope_people_counts_of(const lope_people *p)
{
    return p->counts;
}

uint64_t lope_people_hash(const lope_people *p)
{
    uint64_t hash = 0;
    for (int i = 0; i < p->count; i++) {
        const person *who = &p->persons[i];
        if (!who->alive)
            continue;
        lope_spot at = lope_person_place(p, i);
        int32_t facts[6] = {
            i, who->player.step.from, who->player.step.to, who->player.frame, (int32_t)who->task, who->target};
        hash = lope_hash(facts, sizeof facts, hash);
        hash = lope_hash(&at, sizeof at, hash);
    }
    return hash;
}
