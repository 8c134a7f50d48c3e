// SPDX-License-Identifier: MIT
// What a character likes to do: motion that it does not like counts as longer than it is.
#include "mobility/walker.h"

float lope_taste_cost(void *taste, const lope_walker *walker, const lope_candidate *candidate)
{
    const lope_taste *likes = taste;
    const lope_mobility *map = lope_walker_map(walker);
    const uint32_t index = map->choice_first[candidate->state] + (uint32_t)candidate->choice;
    const uint8_t *path = map->paths + (size_t)index * map->head.steps;
    int state = candidate->state, disliked = 0;
    for (uint32_t k = 0; k < map->head.steps; k++) {
        const mobility_action *action = &map->actions[map->action_first[state] + path[k]];
        int pose = action->first_pose;
        for (int f = 0; f < action->frames && k >= (uint32_t)candidate->skip; f++, pose = map->poses[pose].next) {
            const unsigned tags = map->poses[pose].tags;
            disliked += (likes->prefer && !(tags & likes->prefer)) || (tags & likes->avoid);
        }
        state = action->state;
    }
    return likes->longer * (float)disliked * walk_frame_seconds(walker);
}
