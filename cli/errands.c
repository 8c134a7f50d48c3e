// SPDX-License-Identifier: MIT
#include "cli/errands.h"

#include <math.h>
#include <stdlib.h>
#include <time.h>

// Places tried for somebody who begins; others looked at by somebody who wants to talk.
enum { SPAWN_TRIES = 8, TALK_TRIES = 20 };
// Frames per second that people decide in time at, and that a recording of minutes has memory for.
enum { LEAST_FPS = 5, MOST_FPS = 1000 };
// Looks at bodies per second. Everybody is asked once a second whether it has nothing to do.
#define LOOKS 5.0

static double now(void)
{
    struct timespec time;
    clock_gettime(CLOCK_MONOTONIC, &time);
    return (double)time.tv_sec + 1e-9 * (double)time.tv_nsec;
}

// Knuth's multiplier; the high bits are good enough to spread people.
static float draw(errands *e, float low, float high)
{
    e->random = e->random * 6364136223846793005u + 1442695040888963407u;
    return low + (high - low) * (float)(e->random >> 40) * (1.0f / 16777216.0f);
}

// On any floor, small ones as often as large ones: ladders and stairs are used, too.
static lope_spot somewhere(errands *e)
{
    lope_block_view view = lope_block_world_view(e->world);
    int number = (int)draw(e, 0.0f, (float)view.floor_count) % view.floor_count;
    lope_floor_def floor = lope_block_world_floor(e->world, number);
    float size = view.blocks->tile->size;
    float x = draw(e, floor.corner.x, floor.corner.x + (float)floor.columns * size);
    return (lope_spot){x, floor.height, draw(e, floor.corner.z, floor.corner.z + (float)floor.rows * size), 0.0f};
}

static int populate(const cli_command *command, errands *e, int wanted)
{
    lope_error error = {0};
    for (e->count = 0; e->count < wanted; e->count++) {
        lope_status status = LOPE_NOT_FOUND;
        for (int attempt = 0, who; attempt < SPAWN_TRIES && status; attempt++)
            status = lope_people_spawn(e->people, somewhere(e), &who, &error);
        if (status && e->count == 0)
            return cli_fail(command, &error);
        if (status) {
            fprintf(stderr, "lope %s: note: room for %d of %d characters: %s\n", command->name, e->count, wanted,
                    error.message);
            break;
        }
        e->persons[e->count] = (errands_person){0.0f, false};
    }
    return CLI_OK;
}

int errands_check_fps(const cli_command *command, double fps)
{
    if (fps >= LEAST_FPS && fps <= MOST_FPS)
        return CLI_OK;
    return cli_usage(command, "in worlds with things --fps is %d to %d, found %g", LEAST_FPS, MOST_FPS, fps);
}

int errands_begin(const cli_command *command, const errands_def *def, errands *out)
{
    lope_block_view view = lope_block_world_view(def->world);
    *out = (errands){0};
    int code = errands_check_fps(command, def->fps);
    if (code)
        return code;
    *out = (errands){.world = def->world, .jobs = def->jobs, .random = def->seed};
    out->joints = view.blocks->set->skeleton->joint_count;
    out->dt = (float)(1.0 / def->fps);
    out->look_every = (int)fmax(1.0, def->fps / LOOKS);
    lope_people_def people = lope_people_def_default();
    people.world = def->world;
    people.capacity = def->count > 0 ? def->count : 1;
    people.seed = def->seed;
    lope_error error = {0};
    if (lope_people_create(&people, &out->people, &error) != LOPE_OK)
        return cli_fail(command, &error);
    out->persons = cli_alloc((size_t)(def->count + 1) * sizeof *out->persons);
    out->models = cli_alloc(((size_t)def->count + 1) * (size_t)out->joints * sizeof *out->models);
    return populate(command, out, def->count);
}

void errands_end(errands *e)
{
    lope_people_destroy(e->people);
    free(e->persons);
    free(e->models);
    *e = (errands){0};
}

// Somebody who has nothing to do, or only stands about; -1: nobody was found.
static int somebody_free(errands *e, int who)
{
    for (int i = 0; i < TALK_TRIES; i++) {
        int other = (int)draw(e, 0.0f, (float)e->count) % e->count;
        lope_person_state state = lope_person_state_of(e->people, other);
        if (other != who && (state == LOPE_PERSON_ROAMING || state == LOPE_PERSON_STANDING))
            return other;
    }
    return -1;
}

// Something new for whoever is done: half of it on seats, where there are any. What cannot be done is tried again, or
// something else is, when it is asked next.
static void tell(errands *e, int who)
{
    float what = draw(e, 0.0f, 1.0f), seconds = draw(e, 10.0f, 60.0f);
    int seats = lope_people_seat_count(e->people), other = what < 0.85f ? -1 : somebody_free(e, who);
    int seat = seats > 0 ? lope_people_seat(e->people, (int)draw(e, 0.0f, (float)seats) % seats) : -1;
    if (what < 0.5f && seats > 0)
        (void)lope_person_sit(e->people, who, what < 0.25f ? -1 : seat, seconds, NULL);
    else if (what < 0.7f)
        (void)lope_person_go(e->people, who, somewhere(e), seconds, NULL);
    else if (what < 0.85f)
        (void)lope_person_idle(e->people, who, seconds, NULL);
    else if (other >= 0)
        (void)lope_person_chat(e->people, who, other, seconds, NULL);
}

static void note(errands *e, int who)
{
    errands_person *person = &e->persons[who];
    lope_person_state state = lope_person_state_of(e->people, who);
    bool going = state == LOPE_PERSON_GOING || state == LOPE_PERSON_QUEUEING;
    if (!going && person->way > 0.0f) {
        bool left = state == LOPE_PERSON_ROAMING || state == LOPE_PERSON_GONE;
        e->arrivals += !left;
        e->given_up += left;
    }
    person->way = going ? person->way + e->dt : 0.0f;
    // Behaviours are links of no instance. All of a staircase is used once.
    lope_block_step step = lope_person_step(e->people, who);
    bool uses = step.kind == LOPE_STEP_LINK && step.where >= 0;
    e->used += uses && !person->uses;
    person->uses = uses;
}

static void look(errands *e)
{
    lope_people_overlap overlap;
    lope_people_poses(e->people, e->models, e->jobs);
    lope_people_overlap_of(e->people, e->models, &overlap);
    e->overlaps += overlap.pairs > e->pairs ? overlap.pairs - e->pairs : 0;
    e->pairs = overlap.pairs;
    e->in_people = fmaxf(e->in_people, overlap.in_people);
    e->in_things = fmaxf(e->in_things, overlap.in_things);
}

bool errands_step(errands *e)
{
    int second = (int)fmaxf(1.0f, 1.0f / e->dt + 0.5f);
    for (int i = e->frame % second; i < e->count; i += second)
        if (lope_person_state_of(e->people, i) == LOPE_PERSON_ROAMING)
            tell(e, i);
    double begin = now();
    lope_people_step(e->people, e->dt, e->jobs);
    e->seconds += now() - begin;
    for (int i = 0; i < e->count; i++)
        note(e, i);
    if (e->frame++ % e->look_every)
        return false;
    look(e);
    return true;
}

void errands_record(lope_people *people, int person, lope_clip *clip, int frame)
{
    lope_pose pose = {.rotations = clip->rotations + (size_t)frame * (size_t)clip->skeleton->joint_count};
    lope_person_pose(people, person, &pose, NULL);
    clip->root[frame] = pose.root;
    clip->contacts[frame] = lope_person_contacts(people, person);
}

lope_vec3 errands_ground(const lope_transform *model, int joints)
{
    lope_vec3 ground = model[0].translation;
    for (int j = 1; j < joints; j++)
        ground.y = fminf(ground.y, model[j].translation.y);
    return ground;
}
