// SPDX-License-Identifier: MIT
// Writes one small file of each kind of asset, made from the built-in set, into a folder: what fuzz/mutant.c changes.
// Small files are quick to check, so that many mutants can be tried in a second.
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "lope/offline.h"
#include "moves/moves.h"

static const char *folder;

static void check(lope_status status, const lope_error *error)
{
    char text[1200];
    if (status == LOPE_OK)
        return;
    fprintf(stderr, "seeds: %s\n", lope_error_text(error, text, sizeof text));
    exit(1);
}

// A seed in which nothing can be done would fuzz nothing.
static void enough(int these, int those)
{
    if (these < 1 || those < 1) {
        fprintf(stderr, "seeds: nothing can be done with what was built\n");
        exit(1);
    }
}

static const char *path_of(const char *kind)
{
    static char path[1024];
    snprintf(path, sizeof path, "%s/%s.lope", folder, kind);
    return path;
}

// A motion without its first `skip` seconds and what follows after `seconds` of it.
static lope_clip *perform(const char *name, double rate, double skip, double seconds)
{
    lope_error error;
    lope_synth_def def = lope_synth_def_default();
    def.frame_rate = rate;
    lope_clip *clip, *part;
    check(lope_synth_clip(name, &def, 0, &clip, &error), &error);
    int first = (int)(skip * rate), count = (int)(seconds * rate);
    if (count > clip->frame_count - first)
        count = clip->frame_count - first;
    check(lope_clip_trim(clip, first, count, &part, &error), &error);
    lope_clip_destroy(clip);
    return part;
}

static lope_set *make_set(lope_clip *const *clips, int count)
{
    lope_error error;
    lope_set *set;
    check(lope_set_create(clips, count, &set, &error), &error);
    return set;
}

// One clip with moving joints, one with contacts, one with neither.
static void write_set(void)
{
    lope_error error;
    lope_clip *walk = perform("walk_normal", 30.0, 0.5, 0.6), *turn = perform("turn_left_sharp", 30.0, 0.5, 0.4);
    lope_clip *clips[3];
    check(lope_clip_copy(walk, "moving", LOPE_CLIP_TRANSLATIONS, &clips[0], &error), &error);
    clips[1] = turn;
    check(lope_clip_create(walk->skeleton, "rest", 2, 30.0, 0, &clips[2], &error), &error);
    lope_clip_destroy(walk);
    lope_set *set = make_set(clips, 3);
    check(lope_set_save(set, path_of("set"), &error), &error);
    lope_set_destroy(set);
}

static void write_steps_and_maps(void)
{
    lope_error error;
    lope_clip *clips[] = {perform("walk_start", 20.0, 0.0, 4.0), perform("turn_left_sharp", 20.0, 0.0, 5.0),
                          perform("walk_stop", 20.0, 0.0, 5.0)};
    lope_set *set = make_set(clips, 3);
    lope_steps_def def = lope_steps_def_default();
    def.max_branching = 4;
    lope_maps_def maps_def = lope_maps_def_default();
    maps_def.nodes = 60;
    lope_steps *steps;
    lope_maps *maps;
    lope_steps_report report;
    check(lope_steps_build(set, &def, NULL, NULL, &steps, &report, &error), &error);
    enough(report.starts, report.stops);
    check(lope_maps_build(steps, &maps_def, NULL, NULL, &maps, NULL, &error), &error);
    check(lope_steps_save(steps, path_of("steps"), &error), &error);
    check(lope_maps_save(maps, path_of("maps"), &error), &error);
    lope_maps_destroy(maps);
    lope_steps_destroy(steps);
    lope_set_destroy(set);
}

static void write_mobility(void)
{
    lope_error error;
    lope_clip *clips[] = {perform("walk_start", 20.0, 0.0, 9.0), perform("walk_stop", 20.0, 0.0, 9.0),
                          perform("turn_in_place_left_90", 20.0, 0.0, 9.0)};
    lope_set *set = make_set(clips, 3);
    lope_mobility_def def = lope_mobility_def_default();
    def.transitions = lope_transition_def_default(LOPE_METRIC_CLOUD);
    def.steps = 4;
    def.min_choices = 1;
    def.max_choices = 6;
    def.sweeps = 2;
    lope_mobility *map;
    lope_mobility_report report;
    check(lope_mobility_build(set, &def, NULL, NULL, &map, &report, &error), &error);
    enough(report.states, report.stands);
    check(lope_mobility_save(map, path_of("mobility"), &error), &error);
    lope_mobility_close(map);
    lope_set_destroy(set);
}

static void write_rings(void)
{
    static const lope_ring_kind kinds[3] = {LOPE_RING_WALK, LOPE_RING_RUN, LOPE_RING_REST};
    lope_error error;
    lope_ring_def defs[3];
    lope_clip **clips[3];
    int counts[3];
    for (int r = 0; r < 3; r++) {
        check(lope_rings_samples(kinds[r], true, &clips[r], &counts[r], &error), &error);
        defs[r] = lope_ring_def_default(kinds[r]);
        defs[r].clips = (const lope_clip *const *)clips[r];
        defs[r].clip_count = counts[r] < 6 ? counts[r] : 6;
        defs[r].cycles = 1;
        defs[r].frames = 12;
        defs[r].max_samples = 4;
        defs[r].foot_error = 0.02f;
        for (int k = 0; k < 3; k++)
            defs[r].lattice[k] = k == 0 ? 1 : 4;
    }
    lope_rings *rings;
    check(lope_rings_build(defs, 3, &rings, NULL, &error), &error);
    check(lope_rings_save(rings, path_of("rings"), &error), &error);
    lope_rings_close(rings);
    for (int r = 0; r < 3; r++)
        lope_clips_free(clips[r], counts[r]);
}

// Walks that a small tile can be made of, and what is done at things. Those behind the first `WALKS` are performed on a
// stage.
enum { WALKS = 7, PERFORMED = 11, TILE_RATE = 10 };
static const char *const PERFORMANCES[PERFORMED] = {"walk_slow",
                                                    "stroll_rest_start",
                                                    "stroll_rest_stop",
                                                    "stroll_90_left",
                                                    "stroll_90_right",
                                                    "stroll_180_left",
                                                    "idle",
                                                    "sit_down",
                                                    "sit",
                                                    "stand_up",
                                                    "slide"};

static int performance(const char *name)
{
    for (int i = 0; i < PERFORMED; i++)
        if (strcmp(PERFORMANCES[i], name) == 0)
            return i;
    return -1;
}

// Leaves only scenes of the chosen clips on a stage, and one thing to do anywhere. `index_of`: where those clips were.
static void clear_stage(lope_stage *stage, const int index_of[PERFORMED])
{
    int scenes = 0;
    for (int i = 0; i < stage->scene_count; i++)
        for (int k = WALKS; k < PERFORMED; k++)
            if (stage->scenes[i].clip == index_of[k]) {
                stage->scenes[scenes] = stage->scenes[i];
                stage->scenes[scenes++].clip = k;
                break;
            }
    stage->scene_count = scenes;
    stage->behaviour_count = 1;
    stage->behaviours[0].clip = performance("idle");
    stage->walking_clips = WALKS;
}

// The built-in stage with fewer clips, each in its first take, some of them shorter, and at a lower rate.
static lope_set *small_stage(lope_stage **out)
{
    lope_error error;
    lope_set *all;
    lope_clip *clips[PERFORMED];
    int index_of[PERFORMED];
    check(lope_stage_builtin(1, NULL, &all, out, &error), &error);
    for (int i = all->clip_count - 1; i >= 0; i--)
        if (performance(all->clips[i]->name) >= 0)
            index_of[performance(all->clips[i]->name)] = i;
    for (int i = 0; i < PERFORMED; i++) {
        lope_clip *part;
        const lope_clip *clip = all->clips[index_of[i]];
        bool dull = strcmp(clip->name, "idle") == 0 || strcmp(clip->name, "sit") == 0;
        check(lope_clip_trim(clip, 0, dull ? 61 : clip->frame_count, &part, &error), &error);
        check(lope_clip_resample(part, TILE_RATE, &clips[i], &error), &error);
        lope_clip_destroy(part);
    }
    clear_stage(*out, index_of);
    lope_set_destroy(all);
    return make_set(clips, PERFORMED);
}

static lope_tile *build_tile(const lope_set *set, lope_tile_def *def)
{
    lope_error error;
    lope_tile *tile;
    lope_tile_report report;
    *def = lope_tile_def_default();
    def->gates = 2;
    def->offsets = def->headings = 3;
    def->poses = 2;
    def->max_shift = def->max_bend = 1.0f;
    def->clips = WALKS;
    check(lope_tile_build(set, def, NULL, NULL, &tile, &report, &error), &error);
    enough(report.links, report.inside);
    return tile;
}

static void write_tile(const lope_set *performances)
{
    lope_error error;
    lope_clip *clips[WALKS];
    lope_tile_def def;
    for (int i = 0; i < WALKS; i++)
        check(lope_clip_copy(performances->clips[i], NULL, 0, &clips[i], &error), &error);
    lope_set *set = make_set(clips, WALKS);
    lope_tile *tile = build_tile(set, &def);
    check(lope_tile_save(tile, path_of("tile"), &error), &error);
    lope_tile_destroy(tile);
    lope_set_destroy(set);
}

static void write_tile_and_blocks(void)
{
    lope_error error;
    lope_stage *stage;
    lope_set *set = small_stage(&stage);
    lope_tile_def tile_def;
    lope_blocks_def def = lope_blocks_def_default();
    lope_tile *tile = build_tile(set, &tile_def);
    lope_blocks *blocks;
    def.most_units = 2;
    check(lope_blocks_build(set, stage, tile, &tile_def, &def, NULL, &blocks, NULL, &error), &error);
    enough(blocks->link_count, blocks->piece_count);
    check(lope_blocks_save(blocks, path_of("blocks"), &error), &error);
    write_tile(set);
    lope_blocks_destroy(blocks);
    lope_tile_destroy(tile);
    lope_stage_destroy(stage);
    lope_set_destroy(set);
}

// All of the above that moves hold.
static void write_moves(void)
{
    lope_error error;
    lope_mobility *mobility;
    lope_maps *maps;
    lope_rings *rings;
    lope_blocks *blocks;
    lope_moves *moves;
    lope_moves_line line = {"walking", "built-in set", ""};
    check(lope_mobility_open(path_of("mobility"), &mobility, &error), &error);
    check(lope_maps_open(path_of("maps"), &maps, &error), &error);
    check(lope_rings_open(path_of("rings"), &rings, &error), &error);
    check(lope_blocks_open(path_of("blocks"), &blocks, &error), &error);
    lope_moves parts = {
        .mobility = mobility, .maps = maps, .rings = rings, .blocks = blocks, .lines = &line, .line_count = 1};
    check(lope_moves_assemble(&parts, &moves, &error), &error);
    check(lope_moves_save(moves, path_of("moves"), &error), &error);
    lope_moves_close(moves);
    lope_blocks_destroy(blocks);
    lope_rings_close(rings);
    lope_maps_destroy(maps);
    lope_mobility_close(mobility);
}

int main(int argc, char **argv)
{
    if (argc != 2) {
        fprintf(stderr, "usage: seeds FOLDER\n");
        return 2;
    }
    folder = argv[1];
    write_set();
    write_steps_and_maps();
    write_mobility();
    write_rings();
    write_tile_and_blocks();
    write_moves();
    return 0;
}
