// SPDX-License-Identifier: MIT
// Questions to terrains against looking at every triangle, with and without patches, on both sets of vectors.
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "support/terrain_check.h"
#include "terrain/kernels.h"

typedef struct ground {
    lope_terrain *terrain;
    lope_terrain_triangle *triangles;
    int count;
} ground;

static lope_vec3 random_point(lope_random *random, float reach)
{
    lope_vec3 p;
    p.x = lope_random_range(random, -reach, reach);
    p.y = lope_random_range(random, -reach, reach);
    p.z = lope_random_range(random, -reach, reach);
    return p;
}

static int add_soup(lope_terrain *terrain, lope_random *random, int triangles)
{
    lope_error error;
    int piece;
    lope_terrain_mesh *mesh = test_soup(random, triangles);
    assert_ok(lope_terrain_add_mesh(terrain, mesh, &piece, &error));
    lope_terrain_mesh_destroy(mesh);
    return piece;
}

static int add_field(lope_terrain *terrain, lope_random *random, int columns, int rows, bool holes)
{
    lope_error error;
    int piece;
    float *heights = malloc((size_t)(columns * rows) * sizeof *heights);
    test_hills(random, columns, rows, heights);
    for (int i = 0; holes && i < columns * rows; i++)
        if (lope_random_below(random, 6) == 0)
            heights[i] = NAN;
    lope_terrain_field field = {{-4.1f, -3.3f}, 0.37f, columns, rows, heights};
    assert_ok(lope_terrain_add_field(terrain, &field, &piece, &error));
    free(heights);
    return piece;
}

static ground make_ground(uint64_t seed, int soup, int columns, int rows)
{
    lope_error error;
    lope_random random = lope_random_seed(seed);
    ground out = {0};
    assert_ok(lope_terrain_create(&out.terrain, &error));
    if (soup)
        add_soup(out.terrain, &random, soup);
    if (columns)
        add_field(out.terrain, &random, columns, rows, seed % 2 == 0);
    out.triangles = test_all_triangles(out.terrain, &out.count);
    assert_int_equal(out.count, lope_terrain_triangle_count(out.terrain));
    return out;
}

static void free_ground(ground *g)
{
    lope_terrain_destroy(g->terrain);
    free(g->triangles);
}

static void check_unit(lope_vec3 normal)
{
    assert_near(lope_v3_length(normal), 1.0, 1e-5);
    assert_true(normal.y >= -1e-6f);
}

static void check_nearest(const ground *g, const lope_terrain_patch *patch, lope_vec3 p, float reach)
{
    lope_terrain_hit hit;
    double truth = test_nearest(g->triangles, g->count, p);
    bool found = lope_terrain_nearest(g->terrain, patch, p, reach, &hit);
    if (fabs(truth - (double)reach) < 1e-5)
        return;
    assert_int_equal(found, truth <= (double)reach);
    assert_int_equal(lope_terrain_touches(g->terrain, patch, p, reach), found);
    if (!found)
        return;
    assert_near(hit.distance, truth, 1e-5);
    assert_near(lope_v3_distance(hit.point, p), truth, 1e-5);
    check_unit(hit.normal);
}

static void check_below(const ground *g, const lope_terrain_patch *patch, lope_vec3 p)
{
    lope_terrain_hit hit;
    bool sure;
    double truth = test_below(g->triangles, g->count, p, &sure);
    bool found = lope_terrain_below(g->terrain, patch, p, 900.0f, &hit);
    if (!sure)
        return;
    assert_int_equal(found, isfinite(truth));
    if (!found)
        return;
    assert_near(hit.point.y, truth, 2e-4);
    assert_near(hit.distance, (double)p.y - truth, 2e-4);
    assert_true(hit.point.x == p.x && hit.point.z == p.z);
    check_unit(hit.normal);
}

static void check_ray(const ground *g, lope_vec3 from, lope_vec3 to)
{
    lope_terrain_hit hit;
    bool sure;
    double truth = test_ray(g->triangles, g->count, from, to, &sure);
    bool found = lope_terrain_ray(g->terrain, NULL, from, to, &hit);
    if (!sure)
        return;
    assert_int_equal(found, isfinite(truth));
    if (found) {
        assert_near(hit.distance, truth, 2e-3);
        assert_near(lope_v3_distance(hit.point, from), truth, 2e-3);
    }
}

static void check_ground(const ground *g, uint64_t seed, int questions)
{
    lope_random random = lope_random_seed(seed);
    for (int i = 0; i < questions; i++) {
        lope_vec3 p = random_point(&random, 7.0f), q = random_point(&random, 7.0f);
        float reach = i % 5 ? lope_random_range(&random, 0.05f, 1.0f) : INFINITY;
        check_nearest(g, NULL, p, reach);
        check_below(g, NULL, p);
        check_ray(g, p, q);
        q = p;
        if (i % 3 == 0)
            q.x += 4.0f;
        else if (i % 3 == 1)
            q.y -= 9.0f;
        else
            q.z += 4.0f;
        check_ray(g, p, q); // along an axis
    }
}

static void questions_agree_with_every_triangle(void **state)
{
    (void)state;
    static const int shapes[][3] = {{1, 0, 0},   {7, 0, 0},    {8, 0, 0}, {9, 0, 0},   {65, 0, 0},
                                    {700, 0, 0}, {3000, 0, 0}, {0, 2, 2}, {0, 2, 9},   {0, 9, 4},
                                    {0, 24, 17}, {0, 25, 24},  {0, 3, 3}, {40, 8, 30}, {500, 21, 6}};
    for (size_t i = 0; i < sizeof shapes / sizeof *shapes; i++)
        for (uint64_t seed = 0; seed < 2; seed++) {
            ground g = make_ground(10 * i + seed, shapes[i][0], shapes[i][1], shapes[i][2]);
            check_ground(&g, 1000 + i, g.count > 1000 ? 150 : 250);
            free_ground(&g);
        }
}

static void patches_do_not_change_answers(void **state)
{
    (void)state;
    for (uint64_t seed = 0; seed < 4; seed++) {
        ground g = make_ground(seed, 600, seed % 2 ? 21 : 0, 18);
        lope_random random = lope_random_seed(77 + seed);
        for (int i = 0; i < 40; i++) {
            lope_vec3 centre = random_point(&random, 5.0f);
            float half = lope_random_range(&random, 0.1f, i % 4 ? 1.5f : 12.0f);
            const lope_vec3 more = lope_v3(half, half, half);
            lope_terrain_patch patch;
            lope_terrain_gather(g.terrain, lope_v3_sub(centre, more), lope_v3_add(centre, more), &patch);
            for (int k = 0; k < 10; k++) {
                lope_vec3 p = lope_v3_add(centre, random_point(&random, half));
                check_nearest(&g, &patch, p, lope_random_range(&random, 0.01f, 0.8f));
                check_below(&g, &patch, p);
                lope_terrain_hit with, without;
                bool found = lope_terrain_nearest(g.terrain, &patch, p, 0.5f, &with);
                assert_int_equal(found, lope_terrain_nearest(g.terrain, NULL, p, 0.5f, &without));
                assert_true(!found || memcmp(&with, &without, sizeof with) == 0);
                found = lope_terrain_below(g.terrain, &patch, p, 2.0f, &with);
                assert_int_equal(found, lope_terrain_below(g.terrain, NULL, p, 2.0f, &without));
                assert_true(!found || memcmp(&with, &without, sizeof with) == 0);
                lope_vec3 q = lope_v3_add(centre, random_point(&random, half));
                found = lope_terrain_ray(g.terrain, &patch, p, q, &with);
                assert_int_equal(found, lope_terrain_ray(g.terrain, NULL, p, q, &without));
                assert_true(!found || memcmp(&with, &without, sizeof with) == 0);
            }
        }
        free_ground(&g);
    }
}

// The same bits from vectors of either kind.
static void vectors_agree(void **state)
{
    (void)state;
    const terrain_kernels *wide = terrain_kernels_avx2(), *plain = &terrain_kernels_plain;
    if (!wide)
        skip();
    ground g = make_ground(5, 2000, 30, 30);
    lope_random random = lope_random_seed(3);
    for (int i = 0; i < 4000; i++) {
        lope_vec3 p = random_point(&random, 7.0f), q = random_point(&random, 3.0f);
        float reach = i % 3 ? 0.4f : INFINITY;
        lope_terrain_hit a[3], b[3];
        bool found_a[3], found_b[3], touched[2];
        memset(a, 0, sizeof a);
        memset(b, 0, sizeof b);
        for (int k = 0; k < 2; k++) {
            lope_terrain_hit *out = k ? b : a;
            bool *found = k ? found_b : found_a;
            g.terrain->kernels = k ? plain : wide;
            found[0] = lope_terrain_nearest(g.terrain, NULL, p, reach, &out[0]);
            found[1] = lope_terrain_below(g.terrain, NULL, p, INFINITY, &out[1]);
            found[2] = lope_terrain_ray(g.terrain, NULL, p, q, &out[2]);
            touched[k] = lope_terrain_touches(g.terrain, NULL, p, reach);
        }
        assert_memory_equal(found_a, found_b, sizeof found_a);
        assert_memory_equal(a, b, sizeof a);
        assert_int_equal(touched[0], touched[1]);
    }
    free_ground(&g);
}

typedef struct over {
    lope_vec3 at;
    int count;      // of triangles that the place is clearly inside of
    uint64_t named; // their numbers, added up
} over;

static void take_over(void *user, const lope_terrain_triangle *t)
{
    over *o = user;
    double sides[3];
    for (int i = 0; i < 3; i++) {
        const lope_vec3 a = t->corners[i], b = t->corners[(i + 1) % 3];
        sides[i] = ((double)b.x - (double)a.x) * ((double)o->at.z - (double)a.z) -
                   ((double)b.z - (double)a.z) * ((double)o->at.x - (double)a.x);
    }
    if ((sides[0] < 0.0 || sides[1] < 0.0 || sides[2] < 0.0) && (sides[0] > 0.0 || sides[1] > 0.0 || sides[2] > 0.0))
        return;
    o->count++;
    o->named += (uint64_t)(t->piece * 100000 + t->triangle);
}

// Columns find all that lies over a place, and hardly anything else.
static void columns_are_whole(void **state)
{
    (void)state;
    const terrain_kernels *sets[2] = {&terrain_kernels_plain, terrain_kernels_best()};
    ground g = make_ground(5, 2000, 30, 30);
    lope_random random = lope_random_seed(4);
    int visited = 0;
    for (int i = 0; i < 2000; i++) {
        lope_vec3 p = random_point(&random, 7.0f);
        if (i % 2) // on the lines of the field
            p.x = roundf(4.0f * p.x) / 4.0f, p.z = roundf(4.0f * p.z) / 4.0f;
        const terrain_box line = {p, {p.x, INFINITY, p.z}};
        over all = {p, 0, 0}, columns[2] = {{p, 0, 0}, {p, 0, 0}};
        terrain_visit(g.terrain, &line, take_over, &all);
        for (int k = 0; k < 2; k++) {
            over low = {p, 0, 0};
            g.terrain->kernels = sets[k];
            terrain_column(g.terrain, p, take_over, &columns[k]);
            terrain_column(g.terrain, lope_v3(p.x, -INFINITY, p.z), take_over, &low);
            assert_true(low.count >= columns[k].count);
        }
        assert_true(columns[0].count == columns[1].count && columns[0].named == columns[1].named);
        assert_true(columns[0].count >= all.count); // boxes of leaves reach lower than their triangles
        visited += all.count;
    }
    assert_true(visited > 2000);
    free_ground(&g);
}

// No point of a closed surface lets a ray through: not on edges, not on corners.
static void surfaces_have_no_cracks(void **state)
{
    (void)state;
    enum { SIDE = 24 };
    lope_error error;
    lope_terrain *terrain;
    lope_terrain_mesh *mesh;
    lope_random random = lope_random_seed(8);
    assert_ok(lope_terrain_create(&terrain, &error));
    assert_ok(lope_terrain_mesh_create((SIDE + 1) * (SIDE + 1), 2 * SIDE * SIDE, &mesh, &error));
    for (int i = 0; i < mesh->vertex_count; i++) {
        float inner = i % (SIDE + 1) % SIDE && i / (SIDE + 1) % SIDE ? 0.3f : 0.0f;
        lope_vec3 v;
        v.x = 700.1f + 0.11f * ((float)(i % (SIDE + 1)) + lope_random_range(&random, -inner, inner));
        v.z = -311.7f + 0.11f * ((float)(i / (SIDE + 1)) + lope_random_range(&random, -inner, inner));
        v.y = lope_random_range(&random, 0.0f, 0.2f);
        mesh->vertices[i] = v;
    }
    for (int c = 0; c < SIDE * SIDE; c++) {
        int at = c / SIDE * (SIDE + 1) + c % SIDE;
        const int corners[6] = {at, at + SIDE + 1, at + 1, at + 1, at + SIDE + 1, at + SIDE + 2};
        memcpy(&mesh->indices[6 * c], corners, sizeof corners);
    }
    int piece;
    assert_ok(lope_terrain_add_mesh(terrain, mesh, &piece, &error));
    for (int i = 0; i < 20000; i++) {
        const int *corners = &mesh->indices[3 * lope_random_below(&random, mesh->triangle_count)];
        int k = lope_random_below(&random, 3);
        float t = i % 4 ? lope_random_range(&random, 0.0f, 1.0f) : 0.0f;
        lope_vec3 p = lope_v3_lerp(mesh->vertices[corners[k]], mesh->vertices[corners[(k + 1) % 3]], t);
        lope_terrain_hit hit;
        assert_true(lope_terrain_below(terrain, NULL, lope_v3(p.x, 3.0f, p.z), INFINITY, &hit));
        assert_near(hit.point.y, p.y, 1e-3);
        lope_vec3 slant = lope_v3_add(p, lope_v3(0.2f, 1.0f, 0.1f));
        bool on_rim = p.x < 700.11f || p.z < -311.69f || p.x > 702.73f || p.z > -309.07f;
        assert_true(on_rim || lope_terrain_ray(terrain, NULL, slant, lope_v3_lerp(slant, p, 2.0f), &hit));
    }
    lope_terrain_mesh_destroy(mesh);
    lope_terrain_destroy(terrain);
}

static void columns_list_all_floors(void **state)
{
    (void)state;
    lope_error error;
    lope_terrain *terrain;
    lope_terrain_mesh *mesh;
    int piece;
    assert_ok(lope_terrain_create(&terrain, &error));
    assert_ok(lope_terrain_mesh_create(20, 10, &mesh, &error));
    for (int floor = 0; floor < 5; floor++) {
        for (int k = 0; k < 4; k++)
            mesh->vertices[4 * floor + k] = lope_v3(k % 2 ? 1.0f : -1.0f, 3.0f * (float)floor, k / 2 ? 1.0f : -1.0f);
        for (int k = 0; k < 6; k++)
            mesh->indices[6 * floor + k] = 4 * floor + (k < 3 ? k : 6 - k);
    }
    assert_ok(lope_terrain_add_mesh(terrain, mesh, &piece, &error));
    lope_terrain_hit hits[8];
    // On the diagonal both triangles of a floor are hit; they count once.
    assert_int_equal(lope_terrain_column(terrain, lope_v3(0.25f, 7.0f, -0.25f), 100.0f, hits, 8), 3);
    for (int i = 0; i < 3; i++) {
        assert_near(hits[i].point.y, 6.0 - 3.0 * i, 1e-6);
        assert_near(hits[i].distance, 1.0 + 3.0 * i, 1e-6);
    }
    assert_int_equal(lope_terrain_column(terrain, lope_v3(0.1f, 7.0f, 0.3f), 4.5f, hits, 8), 2);
    assert_int_equal(lope_terrain_column(terrain, lope_v3(0.1f, 70.0f, 0.3f), INFINITY, hits, 4), 4);
    assert_int_equal(lope_terrain_column(terrain, lope_v3(1.1f, 70.0f, 0.3f), INFINITY, hits, 4), 0);
    assert_true(lope_terrain_below(terrain, NULL, lope_v3(0.1f, 6.0f, 0.3f), 0.0f, &hits[0])); // at it
    lope_terrain_mesh_destroy(mesh);
    lope_terrain_destroy(terrain);
}

static void odd_questions_find_nothing(void **state)
{
    (void)state;
    ground g = make_ground(1, 50, 10, 10);
    lope_terrain_hit hit;
    const float bad[] = {NAN, INFINITY, -INFINITY};
    for (int i = 0; i < 3; i++) {
        assert_false(lope_terrain_nearest(g.terrain, NULL, lope_v3(bad[i], 0, 0), 1.0f, &hit));
        assert_false(lope_terrain_touches(g.terrain, NULL, lope_v3(0, bad[i], 0), 1.0f));
        assert_false(lope_terrain_below(g.terrain, NULL, lope_v3(0, 0, bad[i]), 1.0f, &hit));
        assert_false(lope_terrain_ray(g.terrain, NULL, lope_v3(0, 0, 0), lope_v3(0, bad[i], 0), &hit));
    }
    assert_false(lope_terrain_below(g.terrain, NULL, lope_v3(0, NAN, 0), 1.0f, &hit));
    assert_false(lope_terrain_nearest(g.terrain, NULL, lope_v3(0, 0, 0), -1.0f, &hit));
    assert_false(lope_terrain_nearest(g.terrain, NULL, lope_v3(0, 0, 0), NAN, &hit));
    assert_false(lope_terrain_below(g.terrain, NULL, lope_v3(0, 9, 0), NAN, &hit));
    assert_false(lope_terrain_ray(g.terrain, NULL, lope_v3(50, 50, 50), lope_v3(50, 50, 50), &hit));
    assert_true(lope_terrain_nearest(g.terrain, NULL, lope_v3(9e4f, 0, 0), INFINITY, &hit));
    lope_terrain *empty;
    lope_error error;
    lope_terrain_patch patch;
    float height;
    assert_ok(lope_terrain_create(&empty, &error));
    lope_terrain_gather(empty, lope_v3(-1, -1, -1), lope_v3(1, 1, 1), &patch);
    assert_false(lope_terrain_nearest(empty, &patch, lope_v3(0, 0, 0), INFINITY, &hit));
    assert_false(lope_terrain_below(empty, &patch, lope_v3(0, 0, 0), INFINITY, &hit));
    assert_false(lope_terrain_height(empty, (lope_vec2){0, 0}, &height));
    lope_terrain_destroy(empty);
    free_ground(&g);
}

static void questions_allocate_nothing(void **state)
{
    (void)state;
    test_count_allocations(true);
    ground g = make_ground(2, 800, 20, 20);
    size_t before = test_total_allocations();
    lope_random random = lope_random_seed(4);
    lope_terrain_hit hits[4];
    lope_terrain_patch patch;
    int found = 0;
    for (int i = 0; i < 200; i++) {
        lope_vec3 p = random_point(&random, 5.0f);
        lope_terrain_gather(g.terrain, lope_v3_sub(p, lope_v3(1, 1, 1)), lope_v3_add(p, lope_v3(1, 1, 1)), &patch);
        found += lope_terrain_nearest(g.terrain, &patch, p, 0.5f, &hits[0]);
        found += lope_terrain_below(g.terrain, &patch, p, INFINITY, &hits[0]);
        found += lope_terrain_ray(g.terrain, &patch, p, random_point(&random, 5.0f), &hits[0]);
        found += lope_terrain_column(g.terrain, p, INFINITY, hits, 4);
    }
    assert_true(found > 100);
    assert_int_equal(test_total_allocations(), before);
    free_ground(&g);
    assert_int_equal(test_live_blocks(), 0);
    test_count_allocations(false);
}

typedef struct shared_work {
    const ground *g;
    uint64_t hashes[64];
} shared_work;

static void ask_a_lot(void *user, int index, int thread)
{
    shared_work *work = user;
    (void)thread;
    lope_random random = lope_random_seed((uint64_t)index);
    for (int i = 0; i < 300; i++) {
        lope_terrain_hit hit;
        lope_vec3 p = random_point(&random, 5.0f);
        lope_terrain_patch patch;
        lope_terrain_gather(work->g->terrain, lope_v3_sub(p, lope_v3(1, 1, 1)), lope_v3_add(p, lope_v3(1, 1, 1)),
                            &patch);
        if (lope_terrain_nearest(work->g->terrain, &patch, p, 0.9f, &hit))
            work->hashes[index] = lope_hash(&hit, sizeof hit, work->hashes[index]);
        if (lope_terrain_below(work->g->terrain, NULL, p, INFINITY, &hit))
            work->hashes[index] = lope_hash(&hit, sizeof hit, work->hashes[index]);
    }
}

static void many_threads_may_ask(void **state)
{
    (void)state;
    lope_error error;
    ground g = make_ground(9, 900, 30, 20);
    static shared_work alone, together;
    lope_jobs *jobs;
    alone.g = together.g = &g;
    for (int i = 0; i < 64; i++)
        ask_a_lot(&alone, i, 0);
    assert_ok(lope_jobs_create(4, &jobs, &error));
    lope_jobs_run(jobs, 64, ask_a_lot, &together);
    lope_jobs_destroy(jobs);
    assert_memory_equal(alone.hashes, together.hashes, sizeof alone.hashes);
    free_ground(&g);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(questions_agree_with_every_triangle),
        cmocka_unit_test(patches_do_not_change_answers),
        cmocka_unit_test(columns_are_whole),
        cmocka_unit_test(vectors_agree),
        cmocka_unit_test(surfaces_have_no_cracks),
        cmocka_unit_test(columns_list_all_floors),
        cmocka_unit_test(odd_questions_find_nothing),
        cmocka_unit_test(questions_allocate_nothing),
        cmocka_unit_test(many_threads_may_ask),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
