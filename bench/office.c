// SPDX-License-Identifier: MIT
// People in an office for half an hour and on a playground for ten minutes: nobody is stuck, every seat is used by one
// at a time, bodies stay out of things and of each other, feet slide no more than in the clips.
#include <math.h>
#include <stdlib.h>
#include <time.h>

#include "bench/bench.h"
#include "lope/people.h"

#define PEOPLE 100
#define OFFICE_SIZE 60 // desks
#define MINUTES 30
#define PLAYGROUND_SIZE 8 // platforms
#define PLAYGROUND_PEOPLE 64
#define PLAYGROUND_MINUTES 10
#define LARGE_PEOPLE 1000 // most there are anywhere
#define LARGE_OFFICE 300
#define LARGE_SECONDS 20
#define RECORDED 9000 // frames of the first person, for its feet
#define LOOK_EVERY 15 // frames from one look at bodies to the next
#define MOST_WAYS 20000
#define DT (1.0f / 30.0f)

// What was seen of people.
typedef struct office_seen {
    int64_t shared_seats, looks, overlaps; // overlaps: pairs of bodies deeper than 2 cm in each other
    float in_things, in_used, in_people;   // deepest
    float ways[MOST_WAYS];                 // seconds that each way took
    int way_count;
    float way[LARGE_PEOPLE]; // that is being walked
    double seconds;          // of simulating
} office_seen;

typedef struct office_bench {
    bench_run *run;
    lope_jobs *jobs;
    lope_builtin_blocks built;
    lope_block_world *world;
    lope_people *people;
    lope_clip *clip; // NULL: nobody is recorded
    lope_transform *models;
    lope_people_errands errands;
    office_seen seen;
} office_bench;

static lope_status open_world(office_bench *b, const char *kind, int size, lope_error *error)
{
    lope_block_scene *scene = NULL;
    lope_status status = lope_block_scene_generate(kind, size, 1, b->built.blocks, &scene, error);
    lope_block_world_def def = lope_block_world_def_default();
    def.blocks = b->built.blocks;
    if (!status)
        status = lope_block_scene_world(scene, &def, b->jobs, &b->world, error);
    lope_block_scene_destroy(scene);
    return status;
}

static lope_status populate(office_bench *b, int count, lope_error *error)
{
    lope_people_def def = lope_people_def_default();
    def.world = b->world;
    def.capacity = count;
    b->seen = (office_seen){0};
    b->models = calloc((size_t)count * (size_t)b->built.set->skeleton->joint_count, sizeof *b->models);
    if (!b->models)
        abort();
    lope_status status = lope_people_create(&def, &b->people, error);
    lope_people_errands_def errands = lope_people_errands_def_default();
    errands.people = b->people;
    errands.seed = 7;
    if (!status)
        status = lope_people_errands_begin(&errands, &b->errands, error);
    for (int i = 0, who; i < count && !status; i++)
        status = lope_people_errands_spawn(&b->errands, &who, error);
    return status;
}

static void leave_world(office_bench *b)
{
    lope_people_destroy(b->people);
    lope_block_world_destroy(b->world);
    free(b->models);
    b->people = NULL;
    b->world = NULL;
    b->models = NULL;
}

// Bodies on seats that others have.
static void check_seats(office_bench *b)
{
    lope_block_view view = lope_block_world_view(b->world);
    for (int s = 0; s < lope_people_seat_count(b->people); s++) {
        int object = lope_people_seat(b->people, s);
        lope_spot seat = view.objects[object].at;
        for (int i = 0; i < lope_people_count(b->people); i++) {
            lope_spot at = lope_person_place(b->people, i);
            bool there = hypotf(at.x - seat.x, at.z - seat.z) < 0.2f && fabsf(at.y - seat.y) < 1.5f;
            b->seen.shared_seats += there && lope_people_seat_owner(b->people, object) != i;
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

static void look_at_bodies(office_bench *b)
{
    lope_people_overlap overlap;
    lope_people_poses(b->people, b->models, b->jobs);
    lope_people_overlap_of(b->people, b->models, &overlap);
    b->seen.looks++;
    b->seen.overlaps += overlap.pairs;
    b->seen.in_things = fmaxf(b->seen.in_things, overlap.in_things);
    b->seen.in_used = fmaxf(b->seen.in_used, overlap.in_used);
    b->seen.in_people = fmaxf(b->seen.in_people, overlap.in_people);
    check_seats(b);
}

static void note_ways(office_bench *b)
{
    for (int i = 0; i < lope_people_count(b->people); i++) {
        bool going = lope_person_state_of(b->people, i) == LOPE_PERSON_GOING;
        if (!going && b->seen.way[i] > 0.0f && b->seen.way_count < MOST_WAYS)
            b->seen.ways[b->seen.way_count++] = b->seen.way[i];
        b->seen.way[i] = going ? b->seen.way[i] + DT : 0.0f;
    }
}

static void simulate(office_bench *b, int minutes)
{
    for (int frame = 0; frame < minutes * 1800; frame++) {
        lope_people_errands_update(&b->errands, DT);
        double begin = bench_seconds();
        lope_people_step(b->people, DT, b->jobs);
        b->seen.seconds += bench_seconds() - begin;
        note_ways(b);
        if (b->clip && frame < RECORDED)
            record(b, frame);
        if (frame % LOOK_EVERY == 0)
            look_at_bodies(b);
    }
}

// How far planted feet slide in what was shown, over how far they do in the clips walks are made from. Feet are looked
// at over the ground where they are: people go upstairs, so that there is no one floor to measure heights from.
static lope_status slide_ratio(const office_bench *b, double *out, lope_error *error)
{
    lope_grade_def def = lope_grade_def_default();
    lope_grade shown, one;
    double sum = 0.0, frames = 0.0;
    lope_status status = lope_clip_grade(b->clip, &def, &shown, error);
    for (int i = 0; i < b->built.stage->walking_clips && !status; i++) {
        status = lope_clip_grade(b->built.set->clips[i], &def, &one, error);
        sum += (double)one.planted_skate * b->built.set->clips[i]->frame_count;
        frames += b->built.set->clips[i]->frame_count;
    }
    *out = (double)shown.planted_skate * frames / sum;
    return status;
}

static int by_length(const void *a, const void *b)
{
    float x = *(const float *)a, y = *(const float *)b;
    return (x > y) - (x < y);
}

// What holds for people anywhere; `place` begins the names of its figures, `where` says more about it.
static void report_people(office_bench *b, const char *place, const char *where)
{
    const office_seen *seen = &b->seen;
    lope_people_counts counts = lope_people_counts_of(b->people);
    int people = lope_people_count(b->people);
    double none = (double)NAN;
    qsort(b->seen.ways, (size_t)seen->way_count, sizeof *seen->ways, by_length);
    double typical = seen->way_count ? (double)seen->ways[seen->way_count / 2] : none;
    double long_one = seen->way_count ? (double)seen->ways[seen->way_count * 19 / 20] : none;
    bench_figure figures[] = {
        {"simulated in", seen->seconds, "s", none, none, none, false},
        {"longest wait of somebody on its way", (double)counts.longest_stuck, "s", none, none, 30.0, false},
        {"longest wait for stairs, ladders, slides", (double)counts.longest_queue, "s", none, none, none, false},
        {"ways: median", typical, "s", none, none, none, false},
        {"ways: 95 of 100 are shorter than", long_one, "s", none, none, none, false},
        {"longest way", (double)counts.longest_way, "s", none, none, none, false},
        {"bodies in things, deepest", 100.0 * (double)seen->in_things, "cm", none, none, 2.0, false},
        {"bodies in what they sit or climb on, deepest", 100.0 * (double)seen->in_used, "cm", none, none, 2.0, false},
        {"bodies in each other, share of all moments", 100.0 * (double)seen->overlaps / (double)(seen->looks * people),
         "%", none, none, none, false},
        {"bodies in each other, deepest", 100.0 * (double)seen->in_people, "cm", none, none, none, false},
        {"steps into somebody's place", 100.0 * (double)counts.forced / (double)counts.decisions, "%", none, none, none,
         false},
    };
    bench_note(b->run, "%s: %d people; %d ways, %lld sittings, %lld waits in line, %lld talks, %lld steps", where,
               people, seen->way_count, (long long)counts.sittings, (long long)counts.waits, (long long)counts.chats,
               (long long)counts.decisions);
    for (size_t i = 0; i < sizeof figures / sizeof *figures; i++) {
        figures[i].name = bench_name(b->run, "%s: %s", place, figures[i].name);
        bench_add(b->run, figures[i]);
    }
}

static lope_status measure_office(office_bench *b, lope_error *error)
{
    double none = (double)NAN, ratio = 0.0;
    lope_status status = open_world(b, "office", OFFICE_SIZE, error);
    if (!status)
        status = populate(b, PEOPLE, error);
    if (!status)
        status =
            lope_clip_create(b->built.set->skeleton, "person", RECORDED, 30.0, LOPE_CLIP_CONTACTS, &b->clip, error);
    if (status)
        return status;
    simulate(b, MINUTES);
    report_people(b, "office", "an office of 60 desks, 30 minutes");
    status = slide_ratio(b, &ratio, error);
    bench_add(b->run, (bench_figure){"office: bodies on somebody else's seat", (double)b->seen.shared_seats, "", none,
                                     none, 0.0, false});
    bench_add(b->run, (bench_figure){"office: planted feet slide, over captured", ratio, "", none, none, 1.2, false});
    lope_clip_destroy(b->clip);
    b->clip = NULL;
    return status;
}

static lope_status measure_playground(office_bench *b, lope_error *error)
{
    lope_status status = open_world(b, "playground", PLAYGROUND_SIZE, error);
    if (!status)
        status = populate(b, PLAYGROUND_PEOPLE, error);
    if (!status) {
        simulate(b, PLAYGROUND_MINUTES);
        report_people(b, "playground", "a playground of 8 platforms, 10 minutes");
    }
    return status;
}

// Whether many are simulated as fast as they live, from the moment that all are told where to go at once.
static lope_status measure_large_office(office_bench *b, lope_error *error)
{
    double none = (double)NAN, longest = 0.0;
    lope_status status = open_world(b, "office", LARGE_OFFICE, error);
    if (!status)
        status = populate(b, LARGE_PEOPLE, error);
    if (status)
        return status;
    for (int i = 0; i < LARGE_PEOPLE; i++)
        lope_people_errands_give(&b->errands, i);
    clock_t begin = clock();
    for (int frame = 0; frame < LARGE_SECONDS * 30; frame++) {
        clock_t before = clock();
        lope_people_errands_update(&b->errands, DT);
        lope_people_step(b->people, DT, b->jobs);
        lope_people_poses(b->people, b->models, b->jobs);
        longest = fmax(longest, (double)(clock() - before) / CLOCKS_PER_SEC);
    }
    double seconds = (double)(clock() - begin) / CLOCKS_PER_SEC;
    bench_note(b->run, "an office of %d desks: %d people, told at once, %d s with poses", LARGE_OFFICE, LARGE_PEOPLE,
               LARGE_SECONDS);
    bench_add(b->run, (bench_figure){"1,000 people: processor time for a second of them", seconds / LARGE_SECONDS, "s",
                                     none, none, 1.0, false});
    bench_add(b->run,
              (bench_figure){"1,000 people: the longest step", 1000.0 * longest, "ms", none, none, none, false});
    return status;
}

static lope_status run_office(bench_run *run, lope_error *error)
{
    office_bench *bench = calloc(1, sizeof *bench);
    if (!bench)
        abort();
    bench->run = run;
    lope_status status = lope_jobs_create(0, &bench->jobs, error);
    if (!status)
        status = lope_blocks_builtin(2, bench->jobs, NULL, &bench->built, NULL, error);
    if (!status)
        status = measure_large_office(bench, error);
    leave_world(bench);
    if (!status)
        status = measure_office(bench, error);
    leave_world(bench);
    if (!status)
        status = measure_playground(bench, error);
    leave_world(bench);
    lope_clip_destroy(bench->clip);
    lope_blocks_builtin_destroy(&bench->built);
    lope_jobs_destroy(bench->jobs);
    free(bench);
    return status;
}

const bench_entry bench_office = {"office", "people in an office of blocks for half an hour", run_office};
