// SPDX-License-Identifier: MIT
#define STUDIO_INSIDE
#include "office.h"

#include <stdio.h>
#include <string.h>

#include "base/error.h"
#include "base/list.h"
#include "base/random.h"
#include "io/level_file.h"
#include "lope/block_scene.h"
#include "lope/world.h"

#define FIXED 4.0f    // square metres from which on a solid without use is a floor
#define APART 0.8f    // metres between people at first
#define LEAST 4.0f    // square metres of floors that people are put on
#define ON_SEAT 0.7f  // metres from the middle of a seat to somebody on it
#define SIT_FOR 60.0f // seconds, of errands onto seats only

// A part of the level, as it was at first.
typedef struct office_thing {
    lope_part_id id; // all zero: removed
    lope_part_def first;
    bool added, whole; // by hand; `first` says all of it
} office_thing;

typedef struct office_person {
    lope_character_id id;
    float stays; // seconds that it stays where it was sent
} office_person;

struct studio_office {
    lope_level_file *file; // that the level is of; NULL: it was made
    lope_level *level;
    lope_world *world;
    const lope_moves *moves;
    list things, people;
};

#ifdef __wasm__
// glTF files need more than the page has.
lope_status level_read_gltf(const level_target *target, const lope_level_bytes *file, lope_error *error)
{
    (void)target;
    return lope_fail_at(error, LOPE_UNSUPPORTED, file->name, 0, "the page reads levels as JSON; 'lope go' reads glTF");
}
#endif

static office_thing *thing_at(const studio_office *office, int thing)
{
    return (office_thing *)office->things.items + thing;
}

static office_person *person_at(const studio_office *office, int person)
{
    return (office_person *)office->people.items + person;
}

// ---- moves

lope_blocks *studio_blocks_open(const void *data, size_t size, const char *name)
{
    lope_blocks *blocks;
    lope_blocks_open_memory(data, size, name, &blocks, studio_failure());
    return blocks;
}

void studio_blocks_close(lope_blocks *blocks)
{
    lope_blocks_destroy(blocks);
}

const lope_set *studio_blocks_set(const lope_blocks *blocks)
{
    return blocks->set;
}

lope_moves *studio_moves_join(lope_mobility *walking, const lope_rings *rings, const lope_blocks *blocks)
{
    lope_error *error = studio_failure();
    const lope_skeleton *skeleton = lope_mobility_set(walking)->skeleton;
    if (!lope_skeleton_equal(skeleton, lope_rings_skeleton(rings), 1e-3f) ||
        !lope_skeleton_equal(skeleton, blocks->set->skeleton, 1e-3f)) {
        lope_fail(error, LOPE_MISMATCH,
                  "walking, gaits and blocks are of different skeletons: drop moves or blocks of the same one");
        return NULL;
    }
    lope_moves *moves = lope_alloc_zero(sizeof *moves);
    if (!moves || lope_mobility_learn_entries(walking, error)) {
        lope_free(moves);
        return NULL;
    }
    moves->skeleton = skeleton;
    moves->mobility = walking;
    moves->rings = rings;
    moves->blocks = blocks;
    return moves;
}

void studio_moves_close(lope_moves *moves)
{
    lope_free(moves); // its parts are others'
}

const lope_set *studio_moves_set(const lope_moves *moves)
{
    return lope_mobility_set(moves->mobility);
}

// ---- making

static lope_status list_things(studio_office *office, lope_error *error)
{
    for (int i = 0; i < lope_level_part_limit(office->level); i++) {
        lope_part part;
        if (!lope_level_part(office->level, i, &part))
            continue;
        office_thing thing = {.id = part.id, .first = lope_part_def_default(part.shape)};
        thing.whole = part.shape == LOPE_PART_BOX || part.shape == LOPE_PART_CYLINDER || part.shape == LOPE_PART_THING;
        memcpy(thing.first.name, part.name, sizeof part.name);
        memcpy(thing.first.kind, part.kind, sizeof part.kind);
        thing.first.at = part.at;
        thing.first.scale = part.scale;
        thing.first.size = part.size;
        if (!list_add(&office->things, &thing, sizeof thing))
            return lope_fail_memory(error);
    }
    return LOPE_OK;
}

static studio_office *settle(studio_office *office, uint32_t seed, lope_status status, lope_error *error)
{
    lope_world_def def = lope_world_def_default();
    def.level = office->level;
    def.moves = office->moves;
    def.seed = seed;
    if (!status)
        status = list_things(office, error);
    if (!status)
        status = lope_world_create(&def, NULL, &office->world, error);
    if (status == LOPE_OK)
        return office;
    studio_office_destroy(office);
    return NULL;
}

studio_office *studio_office_create(const lope_moves *moves, const char *kind, int size, uint32_t seed)
{
    lope_error *error = studio_failure();
    studio_office *office = lope_alloc_zero(sizeof *office);
    lope_block_scene *scene = NULL;
    if (!office)
        return NULL;
    office->moves = moves;
    lope_status status = lope_block_scene_generate(kind, size, seed, moves->blocks, &scene, error);
    if (!status)
        status = lope_level_create(&office->level, error);
    if (!status)
        status = lope_block_scene_level(scene, office->level, error);
    lope_block_scene_destroy(scene);
    return settle(office, seed, status, error);
}

studio_office *studio_office_read(const lope_moves *moves, const char *text, size_t size, const char *name,
                                  uint32_t seed)
{
    lope_error *error = studio_failure();
    studio_office *office = lope_alloc_zero(sizeof *office);
    if (!office)
        return NULL;
    office->moves = moves;
    lope_status status = lope_level_open_memory(&(lope_level_bytes){text, size, name}, NULL, &office->file, error);
    office->level = status ? NULL : office->file->level;
    return settle(office, seed, status, error);
}

void studio_office_destroy(studio_office *office)
{
    if (!office)
        return;
    lope_world_destroy(office->world);
    if (office->file)
        lope_level_file_destroy(office->file);
    else
        lope_level_destroy(office->level);
    lope_free(office->things.items);
    lope_free(office->people.items);
    lope_free(office);
}

lope_status studio_office_write(const studio_office *office)
{
    return lope_level_write(office->level, office->file ? office->file->name : "world", "world.json", studio_failure());
}

// ---- what stands there

int studio_office_thing_count(const studio_office *office)
{
    return office->things.count;
}

static bool part_of(const studio_office *office, int thing, lope_part *out)
{
    const int index = lope_level_part_index(office->level, thing_at(office, thing)->id);
    return index >= 0 && lope_level_part(office->level, index, out);
}

static float yaw_of(lope_quat rotation)
{
    const lope_vec3 ahead = lope_quat_rotate(rotation, lope_v3(0, 0, 1));
    return (float)lope_atan2((double)ahead.x, (double)ahead.z);
}

bool studio_office_thing(const studio_office *office, int thing, float *out)
{
    lope_part part;
    if (!part_of(office, thing, &part))
        return false;
    const lope_quat r = part.at.rotation;
    const float numbers[STUDIO_THING_FLOATS] = {
        part.at.translation.x, part.at.translation.y, part.at.translation.z, yaw_of(r), r.x, r.y, r.z, r.w};
    memcpy(out, numbers, sizeof numbers);
    return true;
}

bool studio_office_is_fixed(const studio_office *office, int thing)
{
    lope_part part;
    return part_of(office, thing, &part) && !part.kind[0] &&
           (strcmp(part.name, "floor") == 0 || (part.high.x - part.low.x) * (part.high.z - part.low.z) > FIXED);
}

const char *studio_office_kind(const studio_office *office, int thing)
{
    const lope_part_def *def = &thing_at(office, thing)->first;
    return def->kind[0] ? def->kind : def->name;
}

int studio_office_triangles(const studio_office *office, int thing, float *out, int capacity)
{
    const int index = lope_level_part_index(office->level, thing_at(office, thing)->id);
    const lope_terrain_mesh *mesh = index < 0 ? NULL : lope_level_part_mesh(office->level, index);
    if (!mesh)
        return 0;
    for (int i = 0; i < 3 * mesh->triangle_count && i < 3 * capacity; i++)
        memcpy(out + 3 * i, &mesh->vertices[mesh->indices[i]], 3 * sizeof *out);
    return mesh->triangle_count;
}

static bool has_link(const studio_office *office, int thing, bool seat)
{
    int count;
    const lope_link *links = lope_floors_links(lope_world_floors(office->world), &count);
    const int index = lope_level_part_index(office->level, thing_at(office, thing)->id);
    for (int i = 0; i < count && index >= 0; i++)
        if (links[i].part == index &&
            (links[i].kind == LOPE_LINK_SEAT ||
             (!seat && (links[i].kind == LOPE_LINK_LADDER || links[i].kind == LOPE_LINK_SLIDE))))
            return true;
    return false;
}

bool studio_office_is_used(const studio_office *office, int thing)
{
    return has_link(office, thing, false);
}

int studio_office_user(const studio_office *office, int thing)
{
    lope_part part;
    for (int i = 0; i < office->people.count && part_of(office, thing, &part); i++) {
        const lope_character_id id = person_at(office, i)->id;
        const lope_vec3 at = lope_character_place(office->world, id);
        const float dx = at.x - part.at.translation.x, dz = at.z - part.at.translation.z;
        if (lope_character_carrier_of(office->world, id).link == LOPE_LINK_SEAT &&
            dx * dx + dz * dz < ON_SEAT * ON_SEAT && at.y > part.low.y - 1.0f && at.y < part.high.y + 1.0f)
            return i;
    }
    return -1;
}

void studio_office_survey(const studio_office *office, int *out)
{
    static const char *const kinds[] = {"chair", "bench", "ladder", "slide"};
    lope_floors_links(lope_world_floors(office->world), &out[2]);
    out[0] = out[1] = out[3] = 0;
    for (int i = 0; i < office->people.count; i++)
        out[1] += lope_character_carrier_of(office->world, person_at(office, i)->id).link == LOPE_LINK_SEAT;
    for (int i = 0; i < office->things.count; i++) {
        lope_part part;
        bool use = false;
        for (int k = 0; part_of(office, i, &part) && k < 4; k++)
            use |= strcmp(part.kind, kinds[k]) == 0;
        out[0] += use && has_link(office, i, true);
        out[3] += use && !has_link(office, i, false);
    }
}

// ---- editing

static lope_transform stand(float x, float y, float z, lope_quat rotation)
{
    lope_transform at = lope_transform_identity();
    at.translation = lope_v3(x, y, z);
    at.rotation = rotation;
    return at;
}

static lope_quat turned(float yaw)
{
    return lope_quat_axis_angle(lope_v3(0, 1, 0), yaw);
}

int studio_office_add(studio_office *office, const char *kind, float x, float y, float z, float yaw)
{
    lope_error *error = studio_failure();
    office_thing thing = {.first = lope_part_def_default(LOPE_PART_THING), .added = true, .whole = true};
    snprintf(thing.first.kind, sizeof thing.first.kind, "%s", kind);
    snprintf(thing.first.name, sizeof thing.first.name, "%s", kind);
    thing.first.at = stand(x, y, z, turned(yaw));
    if (lope_level_add(office->level, &thing.first, &thing.id, error))
        return -1;
    if (list_add(&office->things, &thing, sizeof thing))
        return office->things.count - 1;
    lope_level_remove(office->level, thing.id);
    lope_fail_memory(error);
    return -1;
}

static lope_status put(studio_office *office, int thing, const lope_transform *at)
{
    lope_error *error = studio_failure();
    office_thing *t = thing_at(office, thing);
    lope_part_def def = t->first;
    def.at = *at;
    if (lope_level_part_index(office->level, t->id) >= 0)
        return lope_level_move(office->level, t->id, at, error);
    return t->whole ? lope_level_add(office->level, &def, &t->id, error)
                    : lope_fail(error, LOPE_UNSUPPORTED, "meshes do not come back: open the level again");
}

lope_status studio_office_move(studio_office *office, int thing, float x, float y, float z, float yaw)
{
    const lope_quat first = thing_at(office, thing)->first.at.rotation;
    const lope_transform at = stand(x, y, z, lope_quat_mul(turned(yaw - yaw_of(first)), first));
    return put(office, thing, &at);
}

void studio_office_remove(studio_office *office, int thing)
{
    lope_level_remove(office->level, thing_at(office, thing)->id);
}

lope_status studio_office_reset(studio_office *office, int thing)
{
    const office_thing *t = thing_at(office, thing);
    if (!t->added)
        return put(office, thing, &t->first.at);
    studio_office_remove(office, thing);
    return LOPE_OK;
}

bool studio_office_desk(const studio_office *office, float *out)
{
    const lope_blocks *blocks = office->moves->blocks;
    lope_spot at;
    if (!lope_blocks_next(blocks, lope_blocks_unit(blocks, "chair"), lope_blocks_unit(blocks, "desk"), &at))
        return false;
    const float numbers[4] = {at.x, at.y, at.z, at.yaw};
    memcpy(out, numbers, sizeof numbers);
    return true;
}

// ---- people

static bool is_apart(const studio_office *office, lope_vec3 place)
{
    for (int i = 0; i < office->people.count; i++)
        if (lope_v3_distance(lope_character_place(office->world, person_at(office, i)->id), place) < APART)
            return false;
    return true;
}

// Nobody climbs desks: by floors, stairs, ladders and slides.
static bool spawn(studio_office *office, lope_vec3 near)
{
    lope_character_def def = lope_character_def_default();
    lope_floor_spot spot;
    office_person person = {.stays = 0.0f};
    def.traveller.kinds = 1u << LOPE_LINK_SEAM | 1u << LOPE_LINK_STAIRS | 1u << LOPE_LINK_SLOPE |
                          1u << LOPE_LINK_RUBBLE | 1u << LOPE_LINK_LADDER | 1u << LOPE_LINK_SLIDE;
    if (!lope_floors_nearest(lope_world_floors(office->world), near, def.traveller.radius, 1.0f, &spot) ||
        !is_apart(office, spot.at))
        return false;
    def.place = spot.at;
    const lope_status status = lope_world_spawn(office->world, &def, &person.id, studio_failure());
    if ((status && status != LOPE_PARTIAL) || !list_add(&office->people, &person, sizeof person))
        return false;
    studio_office_roam(office, office->people.count - 1, false);
    return true;
}

int studio_office_fill(studio_office *office, int count, uint32_t seed)
{
    const lope_floors *floors = lope_world_floors(office->world);
    const int all = lope_floors_count(floors);
    lope_floor_extent *extents = lope_alloc(((size_t)all + 1) * sizeof *extents);
    lope_random random = lope_random_seed(seed);
    if (extents)
        lope_floors_extents(floors, extents);
    // A crowded world refuses some places; after so many tries there is no more room.
    for (int tries = 0; extents && all > 0 && office->people.count < count && tries < 16 * count + 200; tries++) {
        const lope_floor_extent *e = &extents[lope_random_below(&random, all)];
        const float x = lope_random_range(&random, e->low.x, e->high.x);
        const float y = lope_random_range(&random, e->low.y, e->high.y);
        if (e->low.y <= e->high.y && e->area >= LEAST)
            spawn(office, lope_v3(x, y, lope_random_range(&random, e->low.z, e->high.z)));
    }
    lope_free(extents);
    return office->people.count;
}

int studio_office_count(const studio_office *office)
{
    return office->people.count;
}

lope_status studio_office_go(studio_office *office, int person, float x, float y, float z, float seconds)
{
    const lope_destination there = lope_destination_at(lope_v3(x, y, z));
    person_at(office, person)->stays = seconds;
    return lope_character_go_to(office->world, person_at(office, person)->id, &there, studio_failure());
}

lope_status studio_office_use(studio_office *office, int person, int thing, float seconds)
{
    person_at(office, person)->stays = 1.0f;
    return lope_character_use(office->world, person_at(office, person)->id, thing_at(office, thing)->id, seconds,
                              studio_failure());
}

lope_status studio_office_chat(studio_office *office, int person, int other, float seconds)
{
    person_at(office, person)->stays = 1.0f;
    return lope_character_talk(office->world, person_at(office, person)->id, person_at(office, other)->id, seconds,
                               studio_failure());
}

void studio_office_roam(studio_office *office, int person, bool seats)
{
    lope_errands_def def = lope_errands_def_default();
    if (seats) {
        def.go = def.wait = def.talk = 0.0f;
        def.stay_least = def.stay_most = SIT_FOR;
    }
    lope_character_errands(office->world, person_at(office, person)->id, &def, studio_failure());
}

bool studio_office_roams(const studio_office *office, int person)
{
    return lope_character_has_errands(office->world, person_at(office, person)->id);
}

const char *studio_office_doing(const studio_office *office, int person)
{
    static const char *const states[] = {"is gone", "stands", "is on its way", "waits in line", "", ""};
    static const char *const links[LOPE_LINK_KIND_COUNT] = {[LOPE_LINK_STAIRS] = "takes the stairs",
                                                            [LOPE_LINK_LADDER] = "climbs",
                                                            [LOPE_LINK_SLIDE] = "slides",
                                                            [LOPE_LINK_SEAT] = "sits"};
    const lope_character_id id = person_at(office, person)->id;
    const lope_character_state_kind state = lope_character_state(office->world, id);
    const int link = lope_character_carrier_of(office->world, id).link;
    if (link >= 0 && links[link])
        return links[link];
    if (state != LOPE_CHARACTER_BUSY && state != LOPE_CHARACTER_CROSSING)
        return states[state];
    return lope_character_task(office->world, id) == LOPE_TASK_TALK ? "talks" : "stands";
}

void studio_office_place(const studio_office *office, int person, float *out)
{
    const lope_character_id id = person_at(office, person)->id;
    const lope_vec3 at = lope_character_place(office->world, id);
    const float numbers[4] = {at.x, at.y, at.z, lope_character_facing(office->world, id)};
    memcpy(out, numbers, sizeof numbers);
}

int studio_office_contacts(const studio_office *office, int person)
{
    return lope_character_contacts(office->world, person_at(office, person)->id);
}

int studio_office_clip(const studio_office *office, int person, double *time)
{
    return lope_character_clip(office->world, person_at(office, person)->id, time);
}

void studio_office_step(studio_office *office, float dt)
{
    lope_world_step(office->world, dt, NULL);
    for (int i = 0; i < office->people.count; i++) {
        office_person *p = person_at(office, i);
        if (lope_character_state(office->world, p->id) != LOPE_CHARACTER_IDLE)
            continue;
        p->stays -= dt;
        if (p->stays <= 0.0f)
            studio_office_roam(office, i, false);
    }
}

void studio_office_poses(studio_office *office, float *out)
{
    const size_t joints = (size_t)lope_world_skeleton(office->world)->joint_count;
    for (int i = 0; i < office->people.count; i++)
        lope_world_poses(office->world, &person_at(office, i)->id, 1,
                         (lope_transform *)(void *)out + (size_t)i * joints);
}

uint64_t studio_office_hash(const studio_office *office)
{
    return lope_world_hash(office->world);
}
