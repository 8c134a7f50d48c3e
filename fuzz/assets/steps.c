// SPDX-License-Identifier: MIT
// Step graphs: a player walks over them at random, is posed, and its walk is filmed.
#include "mutant.h"

const char *const mutant_kind = "steps";

enum { WALK = 6 };

// Steps from `first` on, each by an edge of the one before; returns how many.
static int random_walk(mutant *m, const lope_steps *steps, int32_t first, lope_play *walk)
{
    int count = 0;
    walk[count++] = (lope_play){first, -1, 0.1f, 0.05f};
    while (count < WALK) {
        const lope_step *step = &steps->steps[walk[count - 1].step];
        if (step->edge_count == 0)
            break;
        int32_t edge = (int32_t)step->edge_first + mutant_pick(m, (int)step->edge_count);
        walk[count++] = (lope_play){steps->edges[edge].to, edge, -0.1f, 0.0f};
    }
    return count;
}

static void play(mutant *m, const lope_steps *steps, const lope_play *walk, int count)
{
    lope_error error;
    lope_player_def def = lope_player_def_default();
    lope_player *player;
    def.capacity = WALK;
    lope_ground at = {1.0f, 2.0f, 0.5f};
    void *memory = aligned_alloc(16, lope_player_size(steps, &def));
    require(memory != NULL);
    if (lope_player_init(memory, steps, &def, at, &player, &error) == LOPE_OK &&
        lope_player_begin(player, &walk[0], at, &error) == LOPE_OK) {
        int rest = count - 1;
        lope_player_append(player, walk + 1, &rest, &error);
        for (int i = 0; i < 60; i++) {
            lope_player_step(player, i % 7 == 6 ? 0.5f : 0.04f);
            lope_player_pose(player, NULL, mutant_model());
            mutant_look(mutant_model(), steps->set->skeleton->joint_count);
            mutant_look_at(lope_player_ground(player));
            lope_player_contacts(player);
        }
        rest = 1;
        lope_player_replace(player, mutant_pick(m, 2), walk, &rest, &error);
    }
    free(memory);
}

bool mutant_use(mutant *m)
{
    lope_steps *steps;
    lope_error error;
    if (lope_steps_open_memory(m->bytes, m->size, "mutant.lope", &steps, &error) != LOPE_OK)
        return false;
    lope_play walk[WALK];
    int count = random_walk(m, steps, mutant_pick(m, (int)steps->step_count), walk);
    play(m, steps, walk, count);
    lope_clip *film;
    lope_player_def def = lope_player_def_default();
    double rate = steps->set->clips[0]->frame_rate;
    if (lope_walk_film(steps, walk, count, (lope_ground){0.0f, 0.0f, 0.0f}, &def, rate, &film, &error) == LOPE_OK)
        lope_clip_destroy(film);
    lope_steps_destroy(steps);
    return true;
}
