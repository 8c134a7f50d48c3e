// SPDX-License-Identifier: MIT
// One hero, one level, 2,000 people: across the yard, up a ramp, up a stair, up a ladder, onto a bench.
//
//   cc hero.c $(pkg-config --cflags --libs lope-offline) -o hero && ./hero
#include <lope/offline.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define PEOPLE 2000
#define MOST_SECONDS 400.0f

static int fail(const lope_error *error)
{
    fprintf(stderr, "%s\n", error->message);
    return 1;
}

// Somewhere on the ground of the yard, which is 40 x 30 m.
static lope_vec3 anywhere(void)
{
    return lope_v3(38.0f * (float)rand() / (float)RAND_MAX - 19.0f, 0.0f,
                   28.0f * (float)rand() / (float)RAND_MAX - 14.0f);
}

static lope_part_id bench_of(const lope_level *level)
{
    lope_part part = {.id = {0, 0}};
    for (int i = 0; i < lope_level_part_limit(level); i++)
        if (lope_level_part(level, i, &part) && strcmp(part.kind, "bench") == 0)
            break;
    return part.id;
}

int main(int argc, char **argv)
{
    lope_error error = {0};
    lope_level_file *yard;
    lope_moves *moves;
    lope_jobs *jobs;
    lope_world *world;
    int count = 0, task = 0, tasks = 4, people = argc > 1 ? atoi(argv[1]) : PEOPLE;
    if (lope_level_open("yard", NULL, &yard, &error) || lope_moves_open(NULL, &moves, &error) ||
        lope_jobs_create(0, &jobs, &error))
        return fail(&error);

    lope_world_def def = lope_world_def_default();
    def.level = yard->level;
    def.moves = moves;
    def.capacity = people + 1;
    if (lope_world_create(&def, jobs, &world, &error))
        return fail(&error);

    lope_character_id hero, *crowd = malloc(sizeof *crowd * (size_t)(people + 1));
    lope_character_def somebody = lope_character_def_default();
    somebody.place = lope_v3(0.0f, 0.0f, -10.0f);
    lope_status status = lope_world_spawn(world, &somebody, &hero, &error);
    if (status && status != LOPE_PARTIAL)
        return fail(&error);
    for (int i = 0; i < people; i++) { // where there is no room, nobody comes
        somebody.place = anywhere();
        status = lope_world_spawn(world, &somebody, &crowd[count], &error);
        count += status == LOPE_OK || status == LOPE_PARTIAL;
    }

    const lope_vec3 places[] = {{-15.0f, 1.7f, -2.5f}, {9.25f, 1.4f, 8.0f}, {-2.9f, 2.4f, 11.25f}};
    float time = 0.0f;
    lope_destination there = lope_destination_at(places[0]);
    lope_character_go_to(world, hero, &there, &error);
    for (; task < tasks && time < MOST_SECONDS; time += 1.0f / 60.0f) {
        int events;
        for (int i = 0; i < count; i++) // people roam
            if (lope_character_state(world, crowd[i]) == LOPE_CHARACTER_IDLE) {
                there = lope_destination_at(anywhere());
                lope_character_go_to(world, crowd[i], &there, &error);
            }
        lope_world_step(world, 1.0f / 60.0f, jobs); // lope_world_poses has everybody's joints, to draw
        const lope_event *event = lope_world_events(world, &events);
        for (const lope_event *end = event + events; event < end; event++) {
            if (event->who.index1 != hero.index1)
                continue;
            printf("%5.1f s: %s %s\n", (double)time, lope_event_kind_name(event->kind), event->text);
            if (event->kind != LOPE_EVENT_ARRIVED && event->kind != LOPE_EVENT_CANNOT)
                continue;
            if (++task < tasks - 1) {
                there = lope_destination_at(places[task]);
                lope_character_go_to(world, hero, &there, &error);
            } else if (task < tasks && lope_character_use(world, hero, bench_of(yard->level), 5.0f, &error)) {
                return fail(&error);
            }
        }
    }
    printf("%d of %d tasks after %.0f s, among %d people\n", task, tasks, (double)time, count);
    lope_world_destroy(world);
    lope_jobs_destroy(jobs);
    lope_moves_close(moves);
    lope_level_file_destroy(yard);
    free(crowd);
    return task == tasks ? 0 : 1;
}
