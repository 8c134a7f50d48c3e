// SPDX-License-Identifier: MIT
#define STUDIO_INSIDE
#include "floor.h"

#include "base/random.h"
#include "patches/world.h"

enum { WAY_FRAMES = 4 }; // between the corners of a way that is drawn

lope_tile *studio_tile_open(const void *data, size_t size, const char *name)
{
    lope_tile *tile;
    lope_tile_open_memory(data, size, name, &tile, studio_failure());
    return tile;
}

void studio_tile_close(lope_tile *tile)
{
    lope_tile_destroy(tile);
}

const lope_set *studio_tile_set(const lope_tile *tile)
{
    return tile->set;
}

float studio_tile_size(const lope_tile *tile)
{
    return tile->size;
}

lope_patch_world *studio_floor_create(const lope_tile *tile, int columns, int rows, int people, uint32_t seed)
{
    lope_patch_world_def def = lope_patch_world_def_default();
    lope_patch_world *floor;
    def.tile = tile;
    def.columns = columns;
    def.rows = rows;
    def.corner = (lope_vec2){-0.5f * tile->size * (float)columns, -0.5f * tile->size * (float)rows};
    def.characters = people;
    def.seed = seed;
    lope_patch_world_create(&def, &floor, studio_failure());
    return floor;
}

void studio_floor_destroy(lope_patch_world *floor)
{
    lope_patch_world_destroy(floor);
}

lope_status studio_floor_lay(lope_patch_world *floor, int column, int row, bool present)
{
    return lope_patch_world_lay(floor, column, row, present, studio_failure());
}

int studio_floor_add(lope_patch_world *floor, const float *corners, int count, float round)
{
    int id;
    const lope_vec2 *places = (const lope_vec2 *)(const void *)corners;
    return lope_patch_world_add(floor, places, count, round, &id, studio_failure()) ? -1 : id;
}

void studio_floor_remove(lope_patch_world *floor, int obstacle)
{
    lope_patch_world_remove(floor, obstacle);
}

int studio_floor_spawn(lope_patch_world *floor, float x, float z)
{
    int character;
    return lope_patch_spawn(floor, (lope_vec2){x, z}, &character, studio_failure()) ? -1 : character;
}

static int living(const lope_patch_world *floor)
{
    int count = 0;
    for (int i = 0; i < lope_patch_character_count(floor); i++)
        count += lope_patch_alive(floor, i);
    return count;
}

int studio_floor_fill(lope_patch_world *floor, int count, uint32_t seed)
{
    const lope_patch_world_def *def = &floor->def;
    lope_random random = lope_random_seed(seed);
    float size = def->tile->size;
    int there = living(floor);
    // A crowded floor refuses some places; after as many as would fill it there is no more room.
    for (int tries = 0; there < count && tries < 4 * count + 100; tries++) {
        float x = def->corner.x + lope_random_range(&random, 0.0f, size * (float)def->columns);
        float z = def->corner.z + lope_random_range(&random, 0.0f, size * (float)def->rows);
        there += studio_floor_spawn(floor, x, z) >= 0;
    }
    return there;
}

int studio_floor_count(const lope_patch_world *floor)
{
    return lope_patch_character_count(floor);
}

bool studio_floor_alive(const lope_patch_world *floor, int character)
{
    return lope_patch_alive(floor, character);
}

lope_status studio_floor_go(lope_patch_world *floor, int character, float x, float z)
{
    return lope_patch_go_to(floor, character, (lope_vec2){x, z}, studio_failure());
}

void studio_floor_roam(lope_patch_world *floor, int character)
{
    lope_patch_roam(floor, character);
}

bool studio_floor_arrived(const lope_patch_world *floor, int character)
{
    return lope_patch_arrived(floor, character);
}

void studio_floor_step(lope_patch_world *floor, float dt)
{
    lope_patch_world_step(floor, dt, NULL);
}

void studio_floor_poses(lope_patch_world *floor, float *out)
{
    lope_patch_world_poses(floor, (lope_transform *)(void *)out, NULL);
}

void studio_floor_ground(const lope_patch_world *floor, int character, float *out)
{
    lope_ground at = lope_patch_ground(floor, character);
    out[0] = at.x;
    out[1] = at.z;
    out[2] = at.yaw;
}

int studio_floor_contacts(const lope_patch_world *floor, int character)
{
    return lope_patch_contacts(floor, character);
}

int studio_floor_clip(const lope_patch_world *floor, int character, double *time)
{
    const patch_character *c = &floor->characters[character];
    const lope_segment *segment = patch_segment(floor, c->link);
    *time = ((double)(segment->first + c->frame) + (double)c->phase) / (double)floor->frame_rate;
    return segment->clip;
}

void studio_floor_shares(const lope_patch_world *floor, float *out)
{
    for (int tile = 0; tile < floor->tile_count; tile++) {
        int live = 0;
        for (int heading = 0; heading < LOPE_TILE_SIDES; heading++)
            for (int link = 0; link < floor->link_count; link++)
                live += link_lives(floor, tile, heading, link);
        out[tile] = floor->present[tile] ? (float)live / (float)(LOPE_TILE_SIDES * floor->link_count) : -1.0f;
    }
}

static lope_vec2 place_on_way(const lope_patch_world *floor, int frame, ground_move at)
{
    lope_ground ground = floor->lines.grounds[frame];
    return ground_move_point(at, ground.x, ground.z);
}

// Adds a way's line pieces behind `count`; returns the new count.
static int add_way(const lope_patch_world *floor, int link, ground_move at, float *out, int count, int capacity)
{
    int first = floor->lines.first[link], last = floor->lines.first[link + 1] - 1;
    lope_vec2 from = place_on_way(floor, first, at);
    for (int frame = first; frame < last && count < capacity; count++) {
        frame = frame + WAY_FRAMES < last ? frame + WAY_FRAMES : last;
        lope_vec2 to = place_on_way(floor, frame, at);
        float *piece = out + 4 * (size_t)count;
        piece[0] = from.x;
        piece[1] = from.z;
        piece[2] = to.x;
        piece[3] = to.z;
        from = to;
    }
    return count;
}

int studio_floor_ways(const lope_patch_world *floor, int tile, int every, float *out, int capacity)
{
    int count = 0, number = 0;
    for (int heading = 0; heading < LOPE_TILE_SIDES; heading++) {
        ground_move frame = patch_frame(floor, tile, heading);
        for (int link = 0; link < floor->link_count; link++)
            if (link_lives(floor, tile, heading, link) && number++ % every == 0)
                count = add_way(floor, link, frame, out, count, capacity);
    }
    return count;
}

lope_status studio_floor_survey(const lope_patch_world *floor, double *out)
{
    lope_patch_survey survey;
    lope_status status = lope_patch_world_survey(floor, &survey, studio_failure());
    if (status)
        return status;
    out[0] = (double)survey.tiles;
    out[1] = (double)survey.links;
    out[2] = (double)survey.live_links;
    out[3] = (double)survey.largest_links;
    return LOPE_OK;
}

double studio_floor_chosen(const lope_patch_world *floor)
{
    return (double)lope_patch_world_traffic(floor).decisions;
}

double studio_floor_forced(const lope_patch_world *floor)
{
    return (double)lope_patch_world_traffic(floor).forced;
}

uint64_t studio_floor_hash(const lope_patch_world *floor)
{
    return lope_patch_world_hash(floor);
}
