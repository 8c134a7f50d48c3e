// SPDX-License-Identifier: MIT
// Tries a map: one walker goes from random target to random target. What clips can do says little about what a graph of
// them can: turns may lie where no transition leads.
#include "base/error.h"
#include "base/memory.h"
#include "base/random.h"
#include "lope/walker.h"
#include "mobility/build/stages.h"

#define TARGETS 100
#define LIMIT 60.0f         // seconds for each
#define STEP (1.0f / 30.0f) // seconds
#define FIELD 10.0f         // metres around the origin that targets lie in
#define NEAREST 2.0f        // metres from one target to the next
#define FARTHEST 6.0f

static lope_vec2 next_target(lope_random *random, lope_vec2 from)
{
    for (;;) {
        float angle = lope_random_range(random, 0.0f, 2.0f * (float)LOPE_PI);
        float far = lope_random_range(random, NEAREST, FARTHEST);
        double sine, cosine;
        lope_sincos((double)angle, &sine, &cosine);
        lope_vec2 to = {from.x + far * (float)cosine, from.z + far * (float)sine};
        if (to.x * to.x + to.z * to.z < FIELD * FIELD)
            return to;
    }
}

static bool arrives(lope_walker *walker, lope_vec2 target, bool stop)
{
    if (lope_walker_go_to(walker, &(lope_goal){.position = target, .facing = NAN, .stop = stop}, NULL))
        return false;
    for (float time = 0.0f; time < LIMIT && lope_walker_progress_of(walker) == LOPE_WALKER_GOING; time += STEP)
        lope_walker_step(walker, STEP);
    return lope_walker_progress_of(walker) == LOPE_WALKER_ARRIVED;
}

static lope_status reach(const lope_mobility *map, void *memory, bool stop, int *reached, lope_error *error)
{
    lope_walker_def def = lope_walker_def_default();
    lope_random random = lope_random_seed(11);
    lope_walker *walker;
    lope_status status = lope_walker_init(memory, map, &def, -1, (lope_ground){0}, &walker, error);
    lope_vec2 target = {0};
    for (int i = 0; i < TARGETS && !status; i++) {
        target = next_target(&random, target);
        *reached += arrives(walker, target, stop);
    }
    return status;
}

lope_status mobility_try(const lope_mobility *map, lope_mobility_trial *out, lope_error *error)
{
    *out = (lope_mobility_trial){.targets = TARGETS};
    void *memory = lope_alloc(lope_walker_size(map));
    lope_status status = memory ? LOPE_OK : lope_fail_memory(error);
    if (!status)
        status = reach(map, memory, false, &out->passed, error);
    if (!status && map->head.stand_count > 0)
        status = reach(map, memory, true, &out->stood, error);
    lope_free(memory);
    return status;
}
