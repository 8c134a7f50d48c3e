// SPDX-License-Identifier: MIT
// Edges of the machine that begin while hands hold: what each asks for, and what it leaves behind (5.3).
#include <stdio.h>

#include "support/scribe_desk.h"

// Goes by the first choice that works; the machine takes back what does not.
static const choice *go(desk *d, const machine_edge *e, const choice *choices, int count)
{
    for (int i = 0; i < count; i++) {
        int mark = d->s.path.count;
        figure before = *scribe_now(&d->s);
        if (e->go(&d->s, &choices[i]))
            return &choices[i];
        scribe_cut(&d->s, mark);
        *scribe_now(&d->s) = before;
    }
    return NULL;
}

static double apart(const desk *d, int a, int b)
{
    return xy_distance(d->scene->world->holds[a].at, d->scene->world->holds[b].at);
}

static lope_hold_kind kind_of(const desk *d, int hold)
{
    return d->scene->world->holds[hold].kind;
}

// What holds after an edge: exactly these limbs, exactly where their holds are, in this mode.
static void require_state(const desk *d, unsigned mask, lope_grasp_mode mode)
{
    const figure *now = &d->s.path.items[d->s.path.count - 1];
    assert_int_equal(figure_mask(now), mask);
    assert_int_equal(now->mode, mode);
    assert_true(off_holds(d, now) < 1e-6);
    for (int i = 1; i < d->s.path.count; i++)
        assert_true(off_holds(d, &d->s.path.items[i]) < 1e-6);
}

// --- Climbing

#define WALL                                                                                                           \
    "{\"bounds\": [[0, 0], [7, 6]], \"obstacles\": [{\"box\": [[0, 0], [3, 0.5]]}, {\"box\": [[3, 0], [7, 3]]}],"      \
    "\"holds\": [{\"at\": [1, 0.5]}, {\"at\": [1.3, 0.5]}, {\"at\": [4, 3]}, {\"at\": [4.3, 3]},"                      \
    "{\"at\": [3, 1.1], \"kind\": \"hybrid\"}, {\"at\": [3, 2.1], \"kind\": \"hybrid\"}%s],"                           \
    "\"start\": {\"at\": [1.15, 0.5], \"facing\": \"right\"}, \"goal\": {\"at\": [4.15, 3]}}"

static const int on_wall[] = {5, -1, 4, -1}; // left hand, left foot

static void open_wall(desk *d, const char *holds)
{
    char text[1500];
    snprintf(text, sizeof text, WALL, holds);
    open_desk(d, text);
    take_stance(d, on_wall);
    assert_int_equal(scribe_now(&d->s)->mode, LOPE_MODE_CLIMB);
}

static void climbing_goes_on_by_hands_and_feet(void **state)
{
    (void)state;
    static const struct {
        const char *holds;
        int limb; // -1: nothing to take
    } cases[] = {{", {\"at\": [3, 2.5], \"kind\": \"hybrid\"}", LOPE_RIGHT_ARM},
                 {", {\"at\": [3, 1.4], \"kind\": \"hybrid\"}", LOPE_RIGHT_LEG},
                 {", {\"at\": [3, 2.2], \"kind\": \"hybrid\"}", -1}, // too near to the other hand
                 {", {\"at\": [3, 0.8], \"kind\": \"hybrid\"}", -1}, // further from the goal
                 {", {\"at\": [3, 2.8], \"kind\": \"pendent\"}", LOPE_RIGHT_ARM},
                 {", {\"at\": [3, 1.4], \"kind\": \"pendent\"}", -1}, // feet do not hang, hands have gone on
                 {"", -1}};
    const machine_edge *e = edge_of(LOPE_MODE_CLIMB, LOPE_MODE_CLIMB);
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        desk d;
        choice found[MACHINE_CHOICES];
        open_wall(&d, cases[i].holds);
        int count = e->find(&d.s, found);
        for (int k = 0; k < count; k++) {
            int limb = found[k].limb, hold = found[k].hold;
            assert_true(limb == LOPE_RIGHT_ARM || limb == LOPE_RIGHT_LEG); // those that are free
            assert_true(apart(&d, hold, on_wall[limb ^ 1]) > 0.15);
            assert_true(apart(&d, hold, on_wall[body_is_leg(limb) ? LOPE_LEFT_ARM : LOPE_LEFT_LEG]) > 0.3);
            assert_true(scribe_limb_distance(&d.s, limb, hold) < scribe_limb_distance(&d.s, limb, on_wall[limb ^ 1]));
            assert_true(!body_is_leg(limb) || kind_of(&d, hold) != LOPE_HOLD_PENDENT);
        }
        if (cases[i].limb < 0 ? count != 0 : count == 0 || found[0].limb != cases[i].limb)
            fail_msg("case %zu: %d choices, limb %d", i, count, count ? found[0].limb : -1);
        const choice *taken = go(&d, e, found, count);
        assert_true((taken != NULL) == (count > 0));
        if (taken) {
            unsigned other = body_is_leg(taken->limb) ? 1u << LOPE_LEFT_ARM : 1u << LOPE_LEFT_LEG;
            assert_int_equal(scribe_now(&d.s)->hold[taken->limb], taken->hold);
            require_state(&d, 1u << taken->limb | other, LOPE_MODE_CLIMB); // the limb beside it lets go
        }
        close_desk(&d);
    }
}

static void climbing_ends_on_ledges(void **state)
{
    (void)state;
    desk d;
    choice found[MACHINE_CHOICES];
    const machine_edge *e = edge_of(LOPE_MODE_CLIMB, LOPE_MODE_WALK);
    open_wall(&d,
              ", {\"at\": [3.1, 3]}, {\"at\": [3.4, 3]}, {\"at\": [3.6, 3]}, {\"at\": [3, 2.6], \"kind\": \"hybrid\"},"
              "{\"at\": [2.9, 0.5]}, {\"at\": [3, 2.3], \"kind\": \"hybrid\"}");
    int rim = hold_at(&d, 3.1, 3), beyond = hold_at(&d, 3.4, 3), foot = hold_at(&d, 3, 2.3);
    assert_int_equal(e->find(&d.s, found), 0); // neither hand nor foot is on ground
    take_stance(&d, (int[]){beyond, -1, foot, -1});
    scribe_now(&d.s)->entered_foot = rim; // climbing began up here: not back
    assert_int_equal(e->find(&d.s, found), 0);
    scribe_now(&d.s)->entered_foot = hold_at(&d, 1.3, 0.5);
    int count = e->find(&d.s, found);
    assert_true(count > 0);
    for (int k = 0; k < count; k++) {
        int feet = found[k].foot >= 0 ? found[k].foot_hold : found[k].hold;
        assert_int_equal(kind_of(&d, feet), LOPE_HOLD_LOAD_BEARING);
        assert_true(d.scene->world->holds[feet].at.y > 2.9); // up, not down to the ground
    }
    const choice *taken = NULL;
    for (int k = 0; k < 6 && !taken; k++) // by chance
        taken = go(&d, e, found, count);
    assert_non_null(taken);
    const figure *now = scribe_now(&d.s);
    for (int i = LOPE_LEFT_LEG; i <= LOPE_RIGHT_LEG; i++)
        assert_true(now->hold[i] < 0 || d.scene->world->holds[now->hold[i]].at.y > 2.9);
    assert_true(figure_mask(now) & LOPE_LEG_MASK);
    require_state(&d, figure_mask(now) & LOPE_LEG_MASK, LOPE_MODE_WALK); // hands let go
    close_desk(&d);
}

static void climbing_changes_to_bars(void **state)
{
    (void)state;
    static const struct {
        const char *holds;
        bool taken;
    } cases[] = {{", {\"at\": [2.75, 2.45], \"kind\": \"pendent\"}", true},
                 {", {\"at\": [2.75, 2.45], \"kind\": \"hybrid\"}", false},
                 {", {\"at\": [2.5, 1.9], \"kind\": \"pendent\"}", false}}; // further away than what the hand holds
    const machine_edge *e = edge_of(LOPE_MODE_CLIMB, LOPE_MODE_SWING);
    for (int i = 0; i < 3; i++) {
        desk d;
        choice found[MACHINE_CHOICES];
        open_wall(&d, cases[i].holds);
        int count = e->find(&d.s, found);
        assert_int_equal(count > 0, cases[i].taken);
        if (count) {
            assert_int_equal(found[0].limb, LOPE_RIGHT_ARM);
            assert_non_null(go(&d, e, found, count));
            require_state(&d, 1u << LOPE_RIGHT_ARM, LOPE_MODE_SWING); // feet and the other hand let go
        }
        close_desk(&d);
    }
}

// --- Swinging

static void open_bars(desk *d, const char *obstacles, const char *holds)
{
    char more[600];
    snprintf(more, sizeof more,
             ", {\"at\": [2.5, 2.25], \"kind\": \"pendent\"}, {\"at\": [2.9, 2.25], \"kind\": \"pendent\"}%s", holds);
    open_flat(d, obstacles, more);
    int a = hold_at(d, 2.5, 2.25), b = hold_at(d, 2.9, 2.25);
    take_stance(d, (int[]){a, b, -1, -1});
    assert_int_equal(scribe_now(&d->s)->mode, LOPE_MODE_SWING);
    scribe_detach(&d->s, 1u << LOPE_LEFT_ARM);
}

static void swinging_ends_on_the_ground(void **state)
{
    (void)state;
    static const struct {
        const char *holds;
        int idle;
        bool taken;
    } cases[] = {{", {\"at\": [3.05, 0.75]}", 9, true},
                 {", {\"at\": [3.05, 0.75]}", 0, false}, // as long as hands get on
                 {", {\"at\": [3.05, 0.75], \"kind\": \"hybrid\"}", 9, false}};
    const machine_edge *e = edge_of(LOPE_MODE_SWING, LOPE_MODE_WALK);
    for (int i = 0; i < 3; i++) {
        desk d;
        choice found[MACHINE_CHOICES];
        open_bars(&d, ", {\"box\": [[2.95, 0.5], [3.3, 0.75]]}", cases[i].holds); // a step to get down on
        d.s.idle = cases[i].idle;
        int count = e->find(&d.s, found);
        assert_int_equal(count > 0, cases[i].taken);
        if (count) {
            assert_true(body_is_leg(found[0].limb));
            const choice *taken = go(&d, e, found, count);
            assert_non_null(taken);
            require_state(&d, 1u << taken->limb, LOPE_MODE_WALK);
            lope_grasp_contacts contacts = figure_contacts(d.scene->world, scribe_now(&d.s));
            assert_true(lope_grasp_discomfort(&d.body, &scribe_now(&d.s)->pose, &contacts, LOPE_MODE_WALK) < 2.2);
        }
        close_desk(&d);
    }
}

static void swinging_changes_to_walls(void **state)
{
    (void)state;
    static const struct {
        double hand, foot; // heights on the wall; 0: none
        bool taken;
    } cases[] = {{2.5, 1.3, true}, {2.5, 0.0, false}, {2.5, 2.3, false}}; // a foot below the hip
    const machine_edge *e = edge_of(LOPE_MODE_SWING, LOPE_MODE_CLIMB);
    for (int i = 0; i < 3; i++) {
        desk d;
        choice found[MACHINE_CHOICES];
        char holds[200] = "";
        int used = snprintf(holds, sizeof holds, ", {\"at\": [3.3, %g], \"kind\": \"hybrid\"}", cases[i].hand);
        if (cases[i].foot > 0)
            snprintf(holds + used, sizeof holds - (size_t)used, ", {\"at\": [3.3, %g], \"kind\": \"hybrid\"}",
                     cases[i].foot);
        open_bars(&d, ", {\"box\": [[3.3, 0.8], [3.7, 3]]}", holds);
        lope_grasp_points points;
        int count = e->find(&d.s, found);
        assert_int_equal(count > 0, cases[i].taken);
        lope_grasp_forward(&d.body, &scribe_now(&d.s)->pose, &points);
        if (count) {
            assert_int_equal(found[0].limb, LOPE_LEFT_ARM);
            assert_int_equal(kind_of(&d, found[0].foot_hold), LOPE_HOLD_HYBRID);
            assert_true(d.scene->world->holds[found[0].foot_hold].at.y < points.hip.y);
            assert_true(apart(&d, found[0].hold, found[0].foot_hold) > 0.3);
            const choice *taken = go(&d, e, found, count);
            assert_non_null(taken);
            require_state(&d, 1u << taken->limb | 1u << taken->foot, LOPE_MODE_CLIMB);
        }
        close_desk(&d);
    }
}

// --- Crawling

static void open_floor(desk *d, const char *obstacles, const char *holds)
{
    char more[600];
    snprintf(more, sizeof more, ", {\"at\": [2.1, 0.5]}, {\"at\": [1.9, 0.5]}%s", holds);
    open_flat(d, obstacles, more);
    int left = hold_at(d, 1, 0.5), right = hold_at(d, 1.3, 0.5);
    take_stance(d, (int[]){hold_at(d, 2.1, 0.5), hold_at(d, 1.9, 0.5), left, right});
    assert_int_equal(scribe_now(&d->s)->mode, LOPE_MODE_CRAWL);
}

static void crawling_goes_on_limb_by_limb(void **state)
{
    (void)state;
    static const struct {
        const char *holds;
        int idle;
        bool taken;
    } cases[] = {{", {\"at\": [2.35, 0.5]}", 0, true},
                 {", {\"at\": [2.2, 0.5]}", 0, false},  // too near to the other hand
                 {", {\"at\": [1.65, 0.5]}", 0, false}, // back
                 {", {\"at\": [1.65, 0.5]}", 9, true},  // anywhere, when nothing else helps
                 {", {\"at\": [2.35, 0.5], \"kind\": \"hybrid\"}", 0, false}};
    const machine_edge *e = edge_of(LOPE_MODE_CRAWL, LOPE_MODE_CRAWL);
    for (int i = 0; i < 5; i++) {
        desk d;
        choice found[MACHINE_CHOICES];
        open_floor(&d, "", cases[i].holds);
        assert_int_equal(e->find(&d.s, found), 0); // all four hold
        scribe_detach(&d.s, 1u << LOPE_RIGHT_ARM);
        d.s.refused[4 * hold_at(&d, 1.9, 0.5) + LOPE_RIGHT_ARM] = 1 << 30; // not back to where it was
        d.s.idle = cases[i].idle;
        int count = e->find(&d.s, found);
        if ((count > 0) != cases[i].taken)
            fail_msg("case %d: %d choices", i, count);
        for (int k = 0; k < count; k++) {
            assert_int_equal(found[k].limb, LOPE_RIGHT_ARM);
            assert_int_equal(kind_of(&d, found[k].hold), LOPE_HOLD_LOAD_BEARING);
            assert_true(apart(&d, found[k].hold, hold_at(&d, 2.1, 0.5)) > 0.15);
        }
        const choice *taken = go(&d, e, found, count);
        assert_true((taken != NULL) == (count > 0));
        if (taken) {
            assert_int_equal(__builtin_popcount(figure_mask(scribe_now(&d.s))), 3); // another one is free to go on
            assert_true(off_holds(&d, scribe_now(&d.s)) < 1e-6);
            assert_int_equal(d.s.idle, 0);
        }
        close_desk(&d);
    }
}

static void crawling_ends_where_there_is_room(void **state)
{
    (void)state;
    const machine_edge *e = edge_of(LOPE_MODE_CRAWL, LOPE_MODE_WALK);
    for (int low = 0; low < 2; low++) {
        desk d;
        choice found[MACHINE_CHOICES];
        open_floor(&d, low ? ", {\"box\": [[2, 1.4], [3, 2]]}" : "", "");
        assert_int_equal(e->find(&d.s, found), 0); // it has just begun
        scribe_now(&d.s)->entered += 1.0;
        int count = e->find(&d.s, found);
        assert_int_equal(count, low ? 0 : 1); // above everything that is held
        if (count) {
            assert_non_null(go(&d, e, found, count));
            int foot = scribe_now(&d.s)->hold[LOPE_LEFT_LEG] >= 0 ? LOPE_LEFT_LEG : LOPE_RIGHT_LEG;
            require_state(&d, 1u << foot, LOPE_MODE_WALK); // hands are off, one foot is free to go on
            assert_int_equal(scribe_now(&d.s)->hold[foot], hold_at(&d, 1.3, 0.5)); // the rear one
        } else {
            scribe_detach(&d.s, 1u << LOPE_LEFT_LEG);
            assert_int_equal(e->find(&d.s, found), 0); // both feet are needed
        }
        close_desk(&d);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(climbing_goes_on_by_hands_and_feet), cmocka_unit_test(climbing_ends_on_ledges),
        cmocka_unit_test(climbing_changes_to_bars),           cmocka_unit_test(swinging_ends_on_the_ground),
        cmocka_unit_test(swinging_changes_to_walls),          cmocka_unit_test(crawling_goes_on_limb_by_limb),
        cmocka_unit_test(crawling_ends_where_there_is_room),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
