// SPDX-License-Identifier: MIT
// People in an office of blocks for half an hour: nobody is stuck, every seat is used by one at a time, feet slide no
// more than in the clips.
#include <math.h>
#include <stdlib.h>

#include "bench/bench.h"
#include "lope/people.h"

#define PEOPLE 100
#define OFFICE_SIZE 60 // desks
#define MINUTES 30
#define RECORDED 9000 // frames of the first person, for its feet
#define DT (1.0f / 30.0f)

typedef struct office_bench {
    bench_run *run;
    lope_jobs *jobs;
    lope_set *set;
    lope_stage *stage;
    lope_tile *tile;
    lope_blocks *blocks;
    lope_block_world *world;
    lope_people *people;
    lope_clip *clip;
    uint64_t random;
    int64_t shared_seats;
    double seconds;
} office_bench;

static float draw(office_bench *b, float low, float high)
{
    b->random = b->random * 6364136223846793005u + 1442695040888963407u;
    return low + (high - low) * (float)(b->random >> 40) * (1.0f / 16777216.0f);
}

static lope_status build(office_bench *b, lope_error *error)
{
    lope_tile_def tile = lope_tile_def_default();
    lope_blocks_def blocks = lope_blocks_def_default();
    lope_block_scene *scene = NULL;
    lope_status status = lope_stage_builtin(2, b->jobs, &b->set, &b->stage, error);
    if (status)
        return status;
    tile.clips = b->stage->walking_clips;
    status = lope_tile_build(b->set, &tile, b->jobs, NULL, &b->tile, NULL, error);
    if (!status)
        status = lope_blocks_build(b->set, b->stage, b->tile, &tile, &blocks, b->jobs, &b->blocks, NULL, error);
    if (!status)
        status = lope_block_scene_generate("office", OFFICE_SIZE, 1, b->blocks, &scene, error);
    lope_block_world_def def = lope_block_world_def_default();
    def.blocks = b->blocks;
    if (!status)
        status = lope_block_scene_world(scene, &def, b->jobs, &b->world, error);
    lope_block_scene_destroy(scene);
    return status;
}

static lope_spot somewhere(office_bench *b)
{
    lope_floor_def floor = lope_block_world_floor(b->world, 0);
    float x = draw(b, floor.corner.x, floor.corner.x + (float)floor.columns * b->tile->size);
    return (lope_spot){x, floor.height, draw(b, floor.corner.z, floor.corner.z + (float)floor.rows * b->tile->size),
                       0.0f};
}

static lope_status populate(office_bench *b, lope_error *error)
{
    lope_people_def def = lope_people_def_default();
    def.world = b->world;
    def.capacity = PEOPLE;
    lope_status status = lope_people_create(&def, &b->people, error);
    for (int i = 0, who; i < PEOPLE && !status; i++)
        status = lope_people_spawn(b->people, somewhere(b), &who, error);
    if (!status)
        status = lope_clip_create(b->set->skeleton, "person", RECORDED, 30.0, LOPE_CLIP_CONTACTS, &b->clip, error);
    return status;
}

// Something new for whoever is done: half of it on seats.
static void tell(office_bench *b, int who)
{
    float what = draw(b, 0.0f, 1.0f), seconds = draw(b, 10.0f, 60.0f);
    int seats = lope_people_seat_count(b->people);
    int seat = lope_people_seat(b->people, (int)draw(b, 0.0f, (float)seats));
    if (what < 0.5f) {
        (void)lope_person_sit(b->people, who, what < 0.25f ? -1 : seat, seconds, NULL);
    } else if (what < 0.7f) {
        (void)lope_person_go(b->people, who, somewhere(b), seconds, NULL);
    } else if (what < 0.85f) {
        (void)lope_person_idle(b->people, who, seconds, NULL);
    } else {
        int other = (int)draw(b, 0.0f, (float)PEOPLE);
        if (other != who && lope_person_state_of(b->people, other) == LOPE_PERSON_ROAMING)
            (void)lope_person_chat(b->people, who, other, seconds, NULL);
    }
}

// Bodies on seats that others have.
static void check_seats(office_bench *b)
{
    lope_block_view view = lope_block_world_view(b->world);
    for (int s = 0; s < lope_people_seat_count(b->people); s++) {
        int object = lope_people_seat(b->people, s);
        lope_spot seat = view.objects[object].at;
        for (int i = 0; i < PEOPLE; i++) {
            lope_spot at = lope_person_place(b->people, i);
            bool there = hypotf(at.x - seat.x, at.z - seat.z) < 0.2f && fabsf(at.y - seat.y) < 1.5f;
            b->shared_seats += there && lope_people_seat_owner(b->people, object) != i;
        }
    }
}

static void record(office_bench *b, int frame)
{
    lope_pose pose = {.rotations = b->clip->rotations + (size_t)frame * (size_t)b->clip->skeleton->joint_count};
    lope_person_pose(b->people, 0, &pose, NULL);
    b->clip->root[frame] = pose.root;
    b->clip->contacts[frame] = lope_person_contacts(b->people, 0);
}

static void simulate(office_bench *b)
{
    for (int frame = 0; frame < MINUTES * 1800; frame++) {
        for (int i = frame % 30; i < PEOPLE; i += 30) // each once a second
            if (lope_person_state_of(b->people, i) == LOPE_PERSON_ROAMING)
                tell(b, i);
        double begin = bench_seconds();
        lope_people_step(b->people, DT, b->jobs);
        b->seconds += bench_seconds() - begin;
        if (frame % 15 == 0)
            check_seats(b);
        if (frame < RECORDED)
            record(b, frame);
    }
}

// Skate of what was shown over that of the clips walks are made from.
static lope_status skate_ratio(const office_bench *b, double *out, lope_error *error)
{
    lope_grade_def def = lope_grade_def_default();
    lope_grade shown, one;
    double sum = 0.0, frames = 0.0;
    lope_status status = lope_clip_grade(b->clip, &def, &shown, error);
    for (int i = 0; i < b->stage->walking_clips && !status; i++) {
        status = lope_clip_grade(b->set->clips[i], &def, &one, error);
        sum += (double)one.skate * b->set->clips[i]->frame_count;
        frames += b->set->clips[i]->frame_count;
    }
    *out = (double)shown.skate * frames / sum;
    return status;
}

static lope_status report(office_bench *b, lope_error *error)
{
    double none = (double)NAN, ratio = 0.0;
    lope_status status = skate_ratio(b, &ratio, error);
    if (status)
        return status;
    lope_people_counts counts = lope_people_counts_of(b->people);
    const bench_figure figures[] = {
        {"100 people, 30 minutes, simulated in", b->seconds, "s", none, none, none, false},
        {"longest wait of somebody on its way", (double)counts.longest_stuck, "s", none, none, 30.0, false},
        {"longest way", (double)counts.longest_way, "s", none, none, none, false},
        {"bodies on somebody else's seat", (double)b->shared_seats, "", none, none, 0.0, false},
        {"feet slide, over captured", ratio, "", none, none, 1.2, false},
        {"sittings", (double)counts.sittings, "", none, none, none, true},
    };
    for (size_t i = 0; i < sizeof figures / sizeof *figures; i++)
        bench_add(b->run, figures[i]);
    bench_note(b->run, "%d seats; %lld times somebody waited in line, %lld talks, %lld of %lld steps forced",
               lope_people_seat_count(b->people), (long long)counts.waits, (long long)counts.chats,
               (long long)counts.forced, (long long)counts.decisions);
    return LOPE_OK;
}

static lope_status run_office(bench_run *run, lope_error *error)
{
    office_bench b = {.run = run, .random = 7};
    lope_status status = lope_jobs_create(0, &b.jobs, error);
    if (!status)
        status = build(&b, error);
    if (!status)
        status = populate(&b, error);
    if (!status) {
        simulate(&b);
        status = report(&b, error);
    }
    lope_clip_destroy(b.clip);
    lope_people_destroy(b.people);
    lope_block_world_destroy(b.world);
    lope_blocks_destroy(b.blocks);
    lope_tile_destroy(b.tile);
    lope_stage_destroy(b.stage);
    lope_set_destroy(b.set);
    lope_jobs_destroy(b.jobs);
    return status;
}

const bench_entry bench_office = {"office", "people in an office of blocks for half an hour", run_office};
