// SPDX-License-Identifier: MIT
// Hand-overs in the open, between all pairs of controllers at hand, walking and standing, at many moments: feet that
// hold stay, no joint's speed leaps, nobody slows down. What is asserted is printed, too.
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "support/captures.h"
#include "support/human.h"
#include "support/walking.h"

#define DT (1.0f / 60.0f)
// Seconds that are looked at after a hand-over, and for which one waits for a moment that fits.
#define AFTER 0.95f
#define PATIENCE 0.4f
#define FITS 0.12f
#define ROUNDS 30
enum { TRAIL = 512, LONG = 24, SHORT = 6 }; // frames

typedef enum kind { WALKER, PLAYER, CLIP, GAIT, KINDS } kind;
static const char *const NAMES[KINDS] = {"walker", "player", "clip", "gait"};

// One motion set, and one character that all controllers can carry.
typedef struct stage {
    const char *name;
    lope_mobility *map;
    lope_steps *graph;
    const lope_set *set;
    void *memory[3];
    lope_walker *walker;
    lope_player *player;
    lope_clip_play *walk, *stand;
    lope_rings *rings; // NULL: no gait
    lope_gait_carrier carrier;
    lope_handover *body;
    lope_vec3 *velocities;  // of all joints in the last frame
    lope_vec2 trail[TRAIL]; // of the hips, one a frame
    int frames;
    lope_transform *last;
    float usual_step; // metres per second: 99.9 % of the steps of joints' velocities in the clips are below
} stage;

// What was seen in the time after hand-overs, or where nothing was handed over.
typedef struct seen {
    int count, slips;
    float slip_most, slip_sum; // metres that a foot which holds goes over the ground
    float rise_most;           // metres that it goes up or down beside what the new motion does
    float step_most;           // of a joint's velocity in the first frame, as a multiple of the usual
    float later_most;          // the same until everything has settled
    float slowest;             // hips, as a share of the slower side
    float fit_sum;
} seen;

static int by_value(const void *a, const void *b)
{
    float x = *(const float *)a, y = *(const float *)b;
    return (x > y) - (x < y);
}

static float usual_step_of(const lope_set *set)
{
    size_t joints = (size_t)set->skeleton->joint_count, count = 0, capacity = 0;
    lope_transform *models = calloc(3 * joints, sizeof *models);
    float *steps = NULL;
    for (int c = 0; c < set->clip_count; c++)
        for (double t = 0.0; t + 2.0 * (double)DT < lope_clip_duration(set->clips[c]); t += (double)DT) {
            for (int k = 0; k < 3; k++) {
                lope_sample_request request = {set->clips[c], t + k * (double)DT};
                lope_sample_many(set->skeleton, &request, 1, models + (size_t)k * joints);
            }
            if (count + joints > capacity)
                steps = realloc(steps, (capacity = 2 * (capacity + joints)) * sizeof *steps);
            for (size_t j = 0; j < joints; j++) {
                lope_vec3 a = models[j].translation, b = models[joints + j].translation,
                          d = models[2 * joints + j].translation;
                lope_vec3 change = lope_v3_sub(lope_v3_add(a, d), lope_v3_scale(b, 2.0f));
                steps[count++] = lope_v3_length(change) / DT;
            }
        }
    qsort(steps, count, sizeof *steps, by_value);
    float usual = steps[(size_t)((double)count * 0.999)];
    free(steps);
    free(models);
    return usual;
}

static const lope_clip *find_clip(const lope_set *set, const char *const *names)
{
    for (; *names; names++)
        for (int c = 0; c < set->clip_count; c++)
            if (strstr(set->clips[c]->name, *names))
                return set->clips[c];
    return NULL;
}

static void *block(size_t size)
{
    return aligned_alloc(64, (size + 63) & ~(size_t)63);
}

static void open_stage(stage *s, const char *name, lope_mobility *map)
{
    static const char *const walks[] = {"walk_normal", "91_03", "16_15", NULL};
    static const char *const stands[] = {"idle", "91_62", "16_33", NULL};
    lope_error error;
    lope_steps_def steps = lope_steps_def_default();
    lope_walker_def walker = lope_walker_def_default();
    lope_player_def player = lope_player_def_default();
    *s = (stage){.name = name, .map = map, .set = lope_mobility_set(map)};
    assert_ok(lope_steps_build(s->set, &steps, NULL, NULL, &s->graph, NULL, &error));
    assert_ok(lope_mobility_learn_entries(map, &error));
    assert_ok(lope_steps_learn_entries(s->graph, &error));
    const lope_skeleton *skeleton = s->set->skeleton;
    s->memory[0] = block(lope_walker_size(map));
    s->memory[1] = block(lope_player_size(s->graph, &player));
    s->memory[2] = block(lope_handover_size(skeleton));
    lope_handover_def def = lope_handover_def_default(skeleton);
    def.rig = &s->graph->rig;
    assert_ok(lope_walker_init(s->memory[0], map, &walker, -1, (lope_ground){0}, &s->walker, &error));
    assert_ok(lope_player_init(s->memory[1], s->graph, &player, (lope_ground){0}, &s->player, &error));
    assert_ok(lope_handover_init(s->memory[2], &def, &s->body, &error));
    assert_ok(lope_clip_play_create(find_clip(s->set, walks), &s->walk, &error));
    assert_ok(lope_clip_play_create(find_clip(s->set, stands), &s->stand, &error));
    s->velocities = calloc((size_t)skeleton->joint_count, sizeof *s->velocities);
    s->last = calloc((size_t)skeleton->joint_count, sizeof *s->last);
    s->usual_step = usual_step_of(s->set);
}

static void close_stage(stage *s)
{
    lope_clip_play_destroy(s->walk);
    lope_clip_play_destroy(s->stand);
    lope_gait_destroy(s->carrier.gait);
    lope_rings_close(s->rings);
    lope_steps_destroy(s->graph);
    lope_mobility_close(s->map);
    for (int k = 0; k < 3; k++)
        free(s->memory[k]);
    free(s->velocities);
    free(s->last);
}

static const lope_controller *controller_of(stage *s, kind k, bool standing, void **self)
{
    if (k == GAIT) {
        *self = &s->carrier;
        return lope_gait_controller();
    }
    *self = k == WALKER ? (void *)s->walker : k == PLAYER ? (void *)s->player : (void *)(standing ? s->stand : s->walk);
    return k == WALKER ? lope_walker_controller() : k == PLAYER ? lope_player_controller() : lope_clip_controller();
}

// Advances and returns the largest step of a joint's velocity, in metres per second.
static float advance(stage *s)
{
    lope_handover_advance(s->body, DT);
    const lope_transform *model = lope_handover_model(s->body);
    float most = 0.0f;
    for (int j = 0; j < s->set->skeleton->joint_count; j++) {
        lope_vec3 velocity = lope_v3_scale(lope_v3_sub(model[j].translation, s->last[j].translation), 1.0f / DT);
        most = fmaxf(most, lope_v3_distance(velocity, s->velocities[j]));
        s->velocities[j] = velocity;
        s->last[j] = model[j];
    }
    lope_vec3 hips = model[s->set->skeleton->roles[LOPE_HIPS]].translation;
    s->trail[++s->frames % TRAIL] = (lope_vec2){hips.x, hips.z};
    return most;
}

// Metres per second of the hips over `frames` up to frame `end`.
static float hips_speed(const stage *s, int end, int frames)
{
    lope_vec2 a = s->trail[(end - frames) % TRAIL], b = s->trail[end % TRAIL];
    return hypotf(b.x - a.x, b.z - a.z) / ((float)frames * DT);
}

// The slowest since frame `from`, as a share of the speed before it or, where that is less, of that in the end.
static float slowest_since(const stage *s, int from)
{
    float slower = fminf(hips_speed(s, from, LONG), hips_speed(s, s->frames, LONG)), least = INFINITY;
    for (int f = from; f <= s->frames; f++)
        least = fminf(least, hips_speed(s, f, SHORT));
    return slower < 0.4f ? 1.0f : least / slower; // standing bodies are not slower
}

static lope_aim aim_ahead(const stage *s, lope_random *random, bool standing)
{
    lope_ground g = lope_handover_shown(s->body)->ground;
    float far = standing ? 0.0f : lope_random_range(random, 6.0f, 9.0f), aside = lope_random_range(random, -0.3f, 0.3f);
    float x = g.x + far * (float)lope_sin((double)(g.yaw + aside)),
          z = g.z + far * (float)lope_cos((double)(g.yaw + aside));
    return (lope_aim){.place = {x, 0.0f, z}, .facing = NAN, .stop = standing};
}

// Graphs that know no standing begin with any step.
static void begin_player(stage *s, lope_ground at)
{
    lope_error error;
    lope_player_def def = lope_player_def_default();
    assert_ok(lope_player_init(s->memory[1], s->graph, &def, at, &s->player, &error));
    if (lope_player_state_of(s->player) != LOPE_PLAYER_STANDS)
        assert_ok(lope_player_begin(s->player, &(lope_play){.edge = -1}, at, &error));
}

static void begin_gait(stage *s, lope_ground at)
{
    lope_error error;
    lope_gait_def def = lope_gait_def_default();
    def.at = at;
    lope_gait_destroy(s->carrier.gait);
    s->carrier = (lope_gait_carrier){.like = {LOPE_GAIT_WALK, 0.0f, 0.6f}};
    assert_ok(lope_gait_create(s->rings, NULL, &def, &s->carrier.gait, &error));
}

// Somebody under way, or at a stand, on one controller.
static void warm_up(stage *s, kind from, bool standing, lope_random *random)
{
    void *self;
    const lope_controller *c = controller_of(s, from, standing, &self);
    lope_error error;
    lope_walker_def walker = lope_walker_def_default();
    lope_ground at = {0.0f, 0.0f, lope_random_range(random, -3.0f, 3.0f)};
    float height = s->rings ? 0.0f : 1.5f; // gaits stand on terrain, which there is none of here
    if (from == WALKER)
        assert_ok(lope_walker_init(s->memory[0], s->map, &walker, -1, at, &s->walker, &error));
    else if (from == PLAYER)
        begin_player(s, at);
    else if (from == GAIT)
        begin_gait(s, at);
    else
        lope_clip_play_place(self, 1, at, height);
    lope_walker_set_height(s->walker, height);
    lope_player_set_height(s->player, height);
    lope_handover_begin(s->body, c, self);
    lope_aim aim = aim_ahead(s, random, false);
    if (!standing)
        c->aim(self, &aim);
    float seconds = lope_random_range(random, standing ? 0.5f : 1.2f, standing ? 1.0f : 2.5f);
    if (from == CLIP) // somewhere else in it
        seconds = lope_random_range(random, 0.5f, (float)lope_clip_play_left(self) - AFTER);
    for (float t = 0.0f; t < seconds; t += DT)
        advance(s);
}

// Waits a little for a moment that fits; returns how it fits.
static float wait_for_fit(stage *s, const lope_controller *to, void *self, const lope_aim *aim)
{
    float fit = INFINITY;
    for (float t = 0.0f; t < PATIENCE; t += DT) {
        fit = to->fit(self, lope_handover_shown(s->body), aim);
        if (fit < FITS)
            break;
        advance(s);
    }
    return fit;
}

// Parts that have touched since the hand-over, and where they were then; and where the new motion has them.
typedef struct planted {
    unsigned parts;
    lope_vec3 points[LOPE_CONTACT_COUNT], played[LOPE_CONTACT_COUNT];
} planted;

static void played_points(stage *s, lope_vec3 out[LOPE_CONTACT_COUNT])
{
    void *self;
    const lope_controller *c = lope_handover_controller(s->body, &self);
    lope_quat rotations[128];
    lope_vec3 translations[128];
    lope_transform model[128];
    lope_moment m = {.skeleton = s->set->skeleton, .now = {.rotations = rotations, .translations = translations}};
    c->moment(self, &m);
    lope_pose_to_model(s->set->skeleton, &m.now, model);
    lope_contact_points(s->set->skeleton, model, out);
}

static void note_slips(stage *s, planted *held, seen *out)
{
    const lope_moment *shown = lope_handover_shown(s->body);
    lope_vec3 played[LOPE_CONTACT_COUNT];
    played_points(s, played);
    held->parts &= shown->contacts;
    for (int limb = 0; limb < 4; limb++) {
        int first = limb < 2 ? 2 * limb : 2 + limb, end = limb < 2 ? first + 2 : first + 1;
        float slip = INFINITY, rise = INFINITY;
        for (int part = first; part < end; part++) {
            if (!(held->parts >> part & 1u))
                continue;
            lope_vec3 off = lope_v3_sub(shown->points[part], held->points[part]);
            float up = off.y - (played[part].y - held->played[part].y);
            slip = fminf(slip, hypotf(off.x, off.z));
            rise = fminf(rise, fabsf(up));
        }
        if (!(slip < INFINITY))
            continue;
        out->slip_most = fmaxf(out->slip_most, slip);
        out->rise_most = fmaxf(out->rise_most, rise);
        out->slip_sum += slip;
        out->slips++;
    }
}

static void hand_over(stage *s, kind to, bool standing, lope_random *random, seen *out)
{
    void *self;
    lope_error error;
    const lope_controller *c = controller_of(s, to, standing, &self);
    lope_aim aim = aim_ahead(s, random, standing);
    float fit = wait_for_fit(s, c, self, &aim);
    int from = s->frames;
    const lope_moment *shown = lope_handover_shown(s->body);
    planted held = {.parts = shown->contacts};
    memcpy(held.points, shown->points, sizeof held.points);
    if (lope_handover_controller(s->body, NULL) != c)
        assert_ok(lope_handover_to(s->body, c, self, &aim, &error));
    played_points(s, held.played);
    for (int f = 0; (float)f * DT < AFTER; f++) {
        float step = advance(s) / s->usual_step;
        note_slips(s, &held, out);
        float *most = f == 0 ? &out->step_most : &out->later_most;
        *most = fmaxf(*most, step);
    }
    out->slowest = fminf(out->slowest, slowest_since(s, from));
    out->fit_sum += fit;
    out->count++;
}

static void print_seen(const stage *s, kind from, kind to, bool standing, const seen *n)
{
    print_message("%-9s %-8s %-6s > %-6s %3d: slip %4.1f mm most %3.1f mean, rise %4.1f mm, step %4.2f then %4.2f, "
                  "slowest %3.0f %%, fit %.3f\n",
                  s->name, standing ? "standing" : "walking", NAMES[from], NAMES[to], n->count,
                  (double)n->slip_most * 1e3, (double)n->slip_sum / n->slips * 1e3, (double)n->rise_most * 1e3,
                  (double)n->step_most, (double)n->later_most, (double)n->slowest * 100.0,
                  (double)n->fit_sum / n->count);
}

static seen look_at(stage *s, kind from, kind to, bool standing, lope_random *random)
{
    seen n = {.slowest = INFINITY};
    for (int i = 0; i < ROUNDS; i++) {
        warm_up(s, from, standing, random);
        hand_over(s, to, standing, random, &n);
    }
    print_seen(s, from, to, standing, &n);
    return n;
}

// As the table in docs/world.md says; captures that slide and jerk by themselves may do as much at a hand-over.
// Clips are played `raw`: knees that bend backwards in a capture are put right when it is left.
static void check(const seen *n, const seen *from, const seen *to, bool raw)
{
    assert_true(n->slip_most <= fmaxf(0.01f, fmaxf(from->slip_most, to->slip_most)));
    assert_true(n->slip_sum <= 0.003f * (float)n->slips);
    assert_true(n->rise_most <= 0.03f);
    assert_true(n->step_most <= fmaxf(1.0f, fmaxf(from->step_most, to->step_most) + (raw ? 0.7f : 0.0f)));
    assert_true(n->later_most <= fmaxf(1.5f, 1.5f * fmaxf(from->later_most, to->later_most)));
    assert_true(n->slowest >= 0.7f || raw); // from a clip it may have to turn round first
}

// `rings` may be NULL.
static void all_pairs(const char *name, lope_mobility *map, lope_rings *rings, bool stands)
{
    stage s;
    open_stage(&s, name, map);
    s.rings = rings;
    kind kinds = rings ? KINDS : GAIT;
    if (rings)
        begin_gait(&s, (lope_ground){0.0f, 0.0f, 0.0f});
    lope_random random = lope_random_seed(17);
    for (int standing = 0; standing <= (int)stands; standing++) {
        seen alone[KINDS];
        for (kind k = 0; k < kinds; k++)
            alone[k] = look_at(&s, k, k, standing, &random);
        for (kind from = 0; from < kinds; from++)
            for (kind to = 0; to < kinds; to++)
                if (from != to) {
                    seen n = look_at(&s, from, to, standing, &random);
                    check(&n, &alone[from], &alone[to], from == CLIP);
                }
    }
    close_stage(&s);
}

static void built_in_motions(void **state)
{
    (void)state;
    lope_error error;
    lope_rings *rings;
    assert_ok(lope_rings_builtin(false, &rings, NULL, &error));
    all_pairs("built-in", test_open_map(TEST_WALKS), rings, true);
}

static void captured_motions(void **state)
{
    (void)state;
    lope_mobility *map = test_open_map(TEST_CAPTURED);
    if (!map)
        skip();
    all_pairs("captured", map, NULL, true);
}

static bool build_of_subject_16(const char *path)
{
    static const char *const names[] = {"016/16_15.bvh", "016/16_17.bvh", "016/16_19.bvh", "016/16_33.bvh", NULL};
    lope_mobility_def def = lope_mobility_def_builtin();
    lope_error error;
    lope_set *set = NULL;
    lope_clip *clips[8];
    int count = 0;
    lope_prepare_def prepare = lope_prepare_def_default();
    if (test_load_clips(names, clips, &count))
        assert_ok(lope_set_prepare((const lope_clip *const *)clips, count, &prepare, NULL, NULL, &set, &error));
    for (int i = 0; i < count; i++)
        lope_clip_destroy(clips[i]);
    def.sweeps = 2;
    return test_build_map(&def, set, path);
}

static void subject_16(void **state)
{
    (void)state;
    lope_error error;
    lope_mobility *map;
    if (!build_of_subject_16(test_path("subject_16.lope")))
        skip();
    assert_ok(lope_mobility_open(test_path("subject_16.lope"), &map, &error));
    all_pairs("016", map, NULL, false); // it never stands
}

// Steps of a walk after the one that is played.
static void play_rest(lope_player *player, const lope_follow *follow)
{
    lope_error error;
    lope_play plays[64];
    int count = lope_follow_count(follow) - 1;
    assert_in_range(count, 1, 32);
    for (int i = 0; i < count; i++) {
        lope_walk_step step = lope_follow_step(follow, i + 1);
        plays[i] = (lope_play){step.step, step.edge, step.turn, step.stride};
    }
    assert_ok(lope_player_replace(player, 0, plays, &count, &error));
}

// Walks, goes over into steps, searches from the one that is played and goes there. Returns false where no walk is
// found.
static bool go_exactly(stage *s, lope_follow *follow, lope_random *random)
{
    lope_error error;
    warm_up(s, WALKER, false, random);
    lope_aim aim = aim_ahead(s, random, false);
    aim.stop = true;
    wait_for_fit(s, lope_player_controller(), s->player, &aim);
    assert_ok(lope_handover_to(s->body, lope_player_controller(), s->player, &aim, &error));
    lope_player_now now = lope_player_now_of(s->player);
    lope_vec2 path[2] = {{now.end.x, now.end.z}, {aim.place.x, aim.place.z}};
    lope_follow_query query = lope_follow_query_along(path, 2, 0.0f);
    query.goal_yaw += lope_random_range(random, -0.5f, 0.5f);
    assert_ok(lope_follow_join(follow, &(lope_walk_step){.step = now.play.step, .at = now.at}, &error));
    assert_ok(lope_follow_again(follow, &query, &error));
    if (lope_follow_advance(follow, 100000) != LOPE_FOLLOW_ARRIVED)
        return false;
    play_rest(s->player, follow);
    for (int f = 0; f < 1200 && lope_player_state_of(s->player) != LOPE_PLAYER_STANDS; f++)
        advance(s);
    for (int f = 0; f < 90; f++) // sways for a while
        advance(s);
    lope_ground at = lope_handover_shown(s->body)->ground;
    assert_true(hypotf(at.x - aim.place.x, at.z - aim.place.z) < 0.02f); // hips sway by a centimetre
    assert_true(fabsf(lope_wrap_angle(at.yaw - query.goal_yaw)) < 0.02f);
    return true;
}

static void steps_arrive_exactly(void **state)
{
    (void)state;
    lope_error error;
    stage s;
    lope_maps *maps;
    lope_follow *follow;
    lope_maps_def unrolled = lope_maps_def_default();
    lope_follow_def def = lope_follow_def_default();
    lope_random random = lope_random_seed(8);
    unrolled.nodes = 1500;
    def.stop = true;
    open_stage(&s, "built-in", test_open_map(TEST_WALKS));
    assert_ok(lope_maps_build(s.graph, &unrolled, NULL, NULL, &maps, NULL, &error));
    assert_ok(lope_follow_create(maps, &def, &follow, &error));
    int arrived = 0;
    for (int i = 0; i < 12; i++)
        arrived += go_exactly(&s, follow, &random);
    assert_true(arrived >= 10);
    assert_int_equal(lope_follow_join(follow, &(lope_walk_step){.step = -1}, &error), LOPE_BAD_DATA);
    assert_int_equal(lope_follow_join(follow, &(lope_walk_step){.at = {NAN, 0.0f, 0.0f}}, &error), LOPE_BAD_DATA);
    lope_follow_destroy(follow);
    lope_maps_destroy(maps);
    close_stage(&s);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(steps_arrive_exactly),
        cmocka_unit_test(built_in_motions),
        cmocka_unit_test(captured_motions),
        cmocka_unit_test(subject_16),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
