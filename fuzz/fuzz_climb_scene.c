// SPDX-License-Identifier: MIT
// Any bytes as a climbing scene: read or refused; what was read is planned in with a small budget.
#include <stdlib.h>
#include <string.h>

#include "fuzz.h"
#include "lope/climb_scene.h"

static void check_plan(const lope_climb_scene *scene)
{
    lope_error error = {0};
    lope_climb_plan *plan;
    lope_climb_def def = lope_climb_def_default();
    def.budget = 64;
    def.racers = 1;
    lope_status status = lope_climb_plan_create(scene->world, &scene->problem, &def, NULL, NULL, &plan, &error);
    require((plan != NULL) == (status == LOPE_OK || status == LOPE_PARTIAL));
    require(status == LOPE_OK || error.message[0]);
    for (int i = 0; plan && i < plan->frame_count; i++)
        require(plan->frames[i].pose.hip.x == plan->frames[i].pose.hip.x);
    lope_climb_plan_destroy(plan);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    char *text = fuzz_copy(data, size);
    if (!text)
        return 0;
    lope_climb_scene *scene;
    lope_error error = {0};
    lope_status status = lope_climb_scene_read_memory(text, size, "fuzz.json", &scene, &error);
    if (status == LOPE_OK)
        check_plan(scene);
    else
        require(scene == NULL && error.status == status && error.message[0]);
    lope_climb_scene_destroy(scene);
    free(text);
    return 0;
}
