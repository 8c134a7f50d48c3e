// SPDX-License-Identifier: MIT
// Free space: triangulating square obstacles, moving one of many, asking for clearance, widths and paths.
#include <math.h>

#include "bench/bench.h"

#define SQUARE_HALF_DIAGONAL 0.5
#define CHANGES 1000

typedef struct field {
    int count;
    float side; // metres; one square on 16 square metres
    uint64_t random;
    lope_space *space;
    lope_passages *passages;
    lope_lct *lct; // the published triangulation, beside the passages
    lope_path_finder *finder;
    float clearance;
    double length; // of all paths found
    int found;     // paths
    int queries;
    lope_vec2 (*ends)[2]; // starts and goals
    lope_vec2 *walkers;   // CHANGES of them, going about
    lope_vec2 *steps;     // metres from one question to the next
    int *hints;
    lope_status status;
    lope_error *error;
} field;

static lope_vec2 random_point(field *f)
{
    lope_vec2 point;
    point.x = f->side * (float)bench_random(&f->random);
    point.z = f->side * (float)bench_random(&f->random);
    return point;
}

static void random_square(field *f, lope_vec2 corners[4])
{
    lope_vec2 middle = random_point(f);
    double turn = 2.0 * LOPE_PI * bench_random(&f->random);
    for (int i = 0; i < 4; i++) {
        double angle = turn + 0.5 * LOPE_PI * i;
        corners[i].x = middle.x + (float)(SQUARE_HALF_DIAGONAL * lope_cos(angle));
        corners[i].z = middle.z + (float)(SQUARE_HALF_DIAGONAL * lope_sin(angle));
    }
}

static void triangulate(void *user)
{
    field *f = user;
    lope_space_destroy(f->space);
    f->random = 2026;
    f->status = lope_space_create((lope_vec2){0, 0}, (lope_vec2){f->side, f->side}, &f->space, f->error);
    for (int i = 0; i < f->count && f->status == LOPE_OK; i++) {
        lope_vec2 corners[4];
        int name;
        random_square(f, corners);
        f->status = lope_space_add(f->space, corners, 4, &name, f->error);
    }
}

static void move_many(void *user)
{
    field *f = user;
    for (int i = 0; i < CHANGES && f->status == LOPE_OK; i++) {
        lope_vec2 corners[4];
        int name = 1 + (int)(bench_random(&f->random) * f->count);
        random_square(f, corners);
        f->status = lope_space_move(f->space, name, corners, 4, f->error);
    }
}

static void ask_clearance(void *user)
{
    field *f = user;
    float sum = 0.0f;
    for (int i = 0; i < CHANGES; i++)
        sum += lope_space_clearance(f->space, random_point(f));
    bench_keep(&sum);
}

// Each of many walkers asks from where it stands now, 2 cm from where it asked before.
static lope_vec2 step_walker(field *f, int i)
{
    lope_vec2 *walker = &f->walkers[i], *step = &f->steps[i];
    if (walker->x + step->x < 0.0f || walker->x + step->x > f->side)
        step->x = -step->x;
    if (walker->z + step->z < 0.0f || walker->z + step->z > f->side)
        step->z = -step->z;
    walker->x += step->x;
    walker->z += step->z;
    return *walker;
}

static void ask_discs(void *user)
{
    field *f = user;
    int free = 0;
    for (int i = 0; i < CHANGES; i++)
        free += lope_space_disc_free(f->space, step_walker(f, i), 0.3f, &f->hints[i]);
    bench_keep(&free);
}

static void ask_distances(void *user)
{
    field *f = user;
    float sum = 0.0f;
    for (int i = 0; i < CHANGES; i++)
        sum += lope_space_distance(f->space, step_walker(f, i), 1.0f, &f->hints[i], NULL);
    bench_keep(&sum);
}

static void ask_sweeps(void *user)
{
    field *f = user;
    int free = 0;
    for (int i = 0; i < CHANGES; i++) {
        lope_vec2 from = step_walker(f, i), to = {from.x + 25.0f * f->steps[i].x, from.z + 25.0f * f->steps[i].z};
        free += lope_space_sweep_free(f->space, from, to, 0.3f, &f->hints[i]);
    }
    bench_keep(&free);
}

static void measure_walkers(bench_run *run, field *f)
{
    static lope_vec2 walkers[CHANGES], steps[CHANGES];
    static int hints[CHANGES];
    f->walkers = walkers;
    f->steps = steps;
    f->hints = hints;
    for (int i = 0; i < CHANGES; i++) {
        double heading = 2.0 * LOPE_PI * bench_random(&f->random);
        walkers[i] = random_point(f);
        steps[i] = (lope_vec2){(float)(0.02 * lope_cos(heading)), (float)(0.02 * lope_sin(heading))};
    }
    const struct {
        const char *name;
        void (*ask)(void *user);
    } questions[] = {{"is a disc of 0.3 m free, walking", ask_discs},
                     {"signed distance within 1 m", ask_distances},
                     {"may a disc go straight for 0.5 m", ask_sweeps}};
    for (int i = 0; i < 3; i++) {
        double seconds = bench_best(questions[i].ask, f, 0.2) / CHANGES;
        bench_add(run, (bench_figure){questions[i].name, 1e6 * seconds, "us", (double)NAN, (double)NAN, 1.0, false});
    }
}

static void find_passages(void *user)
{
    field *f = user;
    lope_passages_destroy(f->passages);
    f->status = lope_passages_create(f->space, &f->passages, f->error);
}

static void find_lct(void *user)
{
    field *f = user;
    lope_lct_destroy(f->lct);
    f->status = lope_lct_create(f->space, &f->lct, f->error);
}

static void ask_widest(void *user)
{
    field *f = user;
    float sum = 0.0f;
    for (int i = 0; i < CHANGES; i++) {
        lope_vec2 start = random_point(f), goal = random_point(f);
        sum += lope_passages_widest(f->passages, start, goal);
    }
    bench_keep(&sum);
}

static void measure_passages(bench_run *run, field *f)
{
    double seconds = bench_best(find_passages, f, 0.3);
    bench_add(run, (bench_figure){"widths of all ways among 1,000", 1e3 * seconds, "ms", (double)NAN, (double)NAN,
                                  (double)NAN, false});
    if (f->status != LOPE_OK)
        return;
    seconds = bench_best(ask_widest, f, 0.3) / CHANGES;
    bench_add(run, (bench_figure){"widest way between two points", 1e6 * seconds, "us", (double)NAN, (double)NAN,
                                  (double)NAN, false});
}

// The published way to the same: f holds 1,000 squares.
static void measure_lct(bench_run *run, field *f)
{
    double seconds = bench_best(find_lct, f, 0.3);
    bench_add(run, (bench_figure){"local clearance triangulation of 1,000 squares", 1e3 * seconds, "ms", (double)NAN,
                                  (double)NAN, (double)NAN, false});
    if (f->status == LOPE_OK)
        bench_note(run, "splits of walls among 1,000 squares: %d by pairs of edges, %d feet by ours",
                   lope_lct_splits(f->lct),
                   (lope_passages_triangles(f->passages, NULL, 0) - lope_space_triangles(f->space, NULL, 0)) / 2);
}

// Starts and goals 18 to 22 m apart, at which a disc can stand.
static void choose_ends(field *f)
{
    for (f->queries = 0; f->queries < CHANGES;) {
        lope_vec2 a = random_point(f), b = random_point(f);
        float x = a.x - b.x, z = a.z - b.z, distance = sqrtf(x * x + z * z);
        if (distance < 18.0f || distance > 22.0f || lope_passages_widest(f->passages, a, b) < f->clearance)
            continue;
        f->ends[f->queries][0] = a;
        f->ends[f->queries++][1] = b;
    }
}

static void find_paths(void *user)
{
    field *f = user;
    f->length = 0.0;
    for (int i = 0; i < f->queries && f->status == LOPE_OK; i++) {
        lope_path path;
        f->status = lope_path_find(f->finder, f->passages, f->ends[i][0], f->ends[i][1], f->clearance, &path, f->error);
        f->length += (double)path.length;
    }
}

static void find_lct_paths(void *user)
{
    field *f = user;
    f->length = 0.0;
    for (int i = 0; i < f->queries && f->status == LOPE_OK; i++) {
        lope_path path;
        f->status = lope_lct_find(f->finder, f->lct, f->ends[i][0], f->ends[i][1], f->clearance, &path, f->error);
        f->length += (double)path.length;
    }
}

// 100 squares on 40 x 40 m; f holds that world.
static void measure_paths(bench_run *run, field *f)
{
    lope_vec2 ends[CHANGES][2];
    f->ends = ends;
    f->clearance = 0.5f;
    find_passages(f);
    if (f->status == LOPE_OK)
        f->status = lope_path_finder_create(&f->finder, f->error);
    if (f->status != LOPE_OK)
        return;
    choose_ends(f);
    double seconds = bench_best(find_paths, f, 0.5) / CHANGES;
    bench_add(run,
              (bench_figure){"path of 20 m among 100 squares", 1e6 * seconds, "us", (double)NAN, 3.8, 10.0, false});
    bench_note(run, "paths: clearance 0.5 m, %.1f m long in the mean; peer: Detour, with a mesh for one clearance",
               f->length / CHANGES);
    find_lct(f);
    double ours = f->length;
    seconds = bench_best(find_lct_paths, f, 0.5) / CHANGES;
    bench_add(run, (bench_figure){"the same, published: pairs of edges", 1e6 * seconds, "us", (double)NAN, (double)NAN,
                                  (double)NAN, false});
    bench_add(run,
              (bench_figure){"its paths to ours", f->length / ours, "", (double)NAN, (double)NAN, (double)NAN, false});
    lope_path_finder_destroy(f->finder);
}

// Each time a square moves somewhere else, the passages follow, and a way is asked for.
static void move_and_find(void *user)
{
    field *f = user;
    f->found = 0;
    for (int i = 0; i < f->queries && f->status == LOPE_OK; i++) {
        lope_vec2 corners[4];
        lope_path path;
        lope_error none;
        int name = 1 + (int)(bench_random(&f->random) * f->count);
        random_square(f, corners);
        f->status = lope_space_move(f->space, name, corners, 4, f->error);
        if (f->status == LOPE_OK)
            f->status = lope_passages_update(f->passages, f->space, f->error);
        f->found +=
            lope_path_find(f->finder, f->passages, f->ends[i][0], f->ends[i][1], f->clearance, &path, &none) == LOPE_OK;
    }
}

// f holds 1,000 squares and their passages.
static void measure_changes(bench_run *run, field *f)
{
    static lope_vec2 ends[CHANGES][2];
    f->ends = ends;
    f->clearance = 0.5f;
    f->status = lope_path_finder_create(&f->finder, f->error);
    if (f->status != LOPE_OK)
        return;
    choose_ends(f);
    double seconds = bench_best(move_and_find, f, 0.5) / CHANGES;
    bench_add(run, (bench_figure){"moving one of 1,000, then a path", 1e6 * seconds, "us", (double)NAN, (double)NAN,
                                  200.0, false});
    bench_note(run, "after moving: %d of %d had a path of about 20 m, the others an end without room", f->found,
               CHANGES);
    lope_path_finder_destroy(f->finder);
}

static void measure_triangulation(bench_run *run, field *f, const char *name, double peer, double must)
{
    f->side = 4.0f * sqrtf((float)f->count);
    double seconds = bench_best(triangulate, f, 0.5);
    bench_add(run, (bench_figure){name, 1e3 * seconds, "ms", (double)NAN, peer, must, false});
}

static lope_status run_paths(bench_run *run, lope_error *error)
{
    field f = {.error = error};
    f.count = 100;
    measure_triangulation(run, &f, "triangulation of 100 squares", 0.48, 1.0);
    if (f.status == LOPE_OK)
        measure_paths(run, &f);
    f.count = 10000;
    if (f.status == LOPE_OK)
        measure_triangulation(run, &f, "triangulation of 10,000 squares", 61.0, 120.0);
    f.count = 1000;
    if (f.status == LOPE_OK)
        measure_triangulation(run, &f, "triangulation of 1,000 squares", 5.2, 10.0);
    if (f.status == LOPE_OK) {
        double seconds = bench_best(move_many, &f, 0.5) / CHANGES;
        bench_add(run, (bench_figure){"moving one square among 1,000", 1e6 * seconds, "us", (double)NAN, (double)NAN,
                                      200.0, false});
    }
    if (f.status == LOPE_OK) {
        double seconds = bench_best(ask_clearance, &f, 0.3) / CHANGES;
        bench_add(run, (bench_figure){"clearance of a point among 1,000", 1e6 * seconds, "us", (double)NAN, (double)NAN,
                                      (double)NAN, false});
    }
    if (f.status == LOPE_OK)
        measure_walkers(run, &f);
    if (f.status == LOPE_OK)
        measure_passages(run, &f);
    if (f.status == LOPE_OK)
        measure_lct(run, &f);
    if (f.status == LOPE_OK)
        measure_changes(run, &f);
    bench_note(run, "peer: CDT (C++), which builds once; squares are turned at random and overlap where they meet");
    lope_lct_destroy(f.lct);
    lope_passages_destroy(f.passages);
    lope_space_destroy(f.space);
    return f.status;
}

const bench_entry bench_paths = {"paths", "free space among obstacles", run_paths};
