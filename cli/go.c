// SPDX-License-Identifier: MIT
// `lope go`: a character goes anywhere in a level and uses what is there, among others if wanted.
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "cli/maps.h"
#include "cli/simulate.h"
#include "generators/level_place.h"
#include "lope/avatar.h"
#include "lope/level_draw.h"
#include "lope/level_file.h"
#include "lope/world.h"

#define MOST_SECONDS 3600.0
#define MOST_PEOPLE 100000
#define WAY_STRIDE 6 // frames between two points of a drawn way
#define ROAMED 4096  // places
#define STAY 5.0     // seconds on a seat

typedef struct go_settings {
    cli_outputs outputs;
    const char *from, *to, *use, *moves, *onto;
    double seconds, fps, start, end, interval, around, cut, stay;
    int number, threads, width;
    uint64_t seed;
    bool errands, dark, json;
} go_settings;

#define AT(field) offsetof(go_settings, field)
static const cli_option options[] = {
    {"to", 't', CLI_TEXT, "PLACES", AT(to),
     "Where to go, one after the other, separated by blanks: X,Y,Z in metres, the name or kind of a thing to use, or "
     "'somebody' to talk to."},
    {"use", 'u', CLI_TEXT, "THING", AT(use), "What to use in the end: its name, or its kind for the nearest one."},
    {"from", 0, CLI_TEXT, "X,Y,Z", AT(from), "Where to begin; a random place by default."},
    {"moves", 'm', CLI_TEXT, "MOVES.lope", AT(moves), "What the bodies can do; the built-in moves by default."},
    {"onto", 0, CLI_TEXT, "HERO.glb", AT(onto),
     "A skinned character of a glTF file instead of the moves' own body; a GLB output is that file with the motion "
     "added."},
    {"number", 'n', CLI_COUNT, "N", AT(number), "How many are in the level; all but the first one roam. 1 by default."},
    {"errands", 'e', CLI_FLAG, NULL, AT(errands),
     "Those who roam sit, wait and talk as well, 10 to 60 seconds each time."},
    {"stay", 0, CLI_POSITIVE, "SECONDS", AT(stay), "How long to stay on a seat, and to talk; 5 by default."},
    {"seconds", 's', CLI_POSITIVE, "S", AT(seconds),
     "How long at most; without anywhere to go, how long all of them roam. 300 and 60 by default."},
    CLI_OUTPUT_OPTION(go_settings, "OUT.svg|OUT.glb|OUT.bvh", "A picture, or the motion of the first one."),
    {"start", 0, CLI_NUMBER, "SECONDS", AT(start), "First moment of a picture."},
    {"end", 0, CLI_NUMBER, "SECONDS", AT(end), "Last moment of a picture."},
    {"interval", 0, CLI_POSITIVE, "SECONDS", AT(interval), "Between the bodies of a picture; 1 by default."},
    {"around", 0, CLI_POSITIVE, "METRES", AT(around), "Draw only what is so near to the bodies; all by default."},
    {"cut", 0, CLI_NUMBER, "METRES", AT(cut), "Cut off what is above this height, to look into a house."},
    {"width", 'w', CLI_COUNT, "PIXELS", AT(width), "Width of the picture; 1100 by default."},
    {"dark", 0, CLI_FLAG, NULL, AT(dark), "Light lines on dark ground."},
    {"fps", 0, CLI_RATE, "N", AT(fps), "Steps per second, and frames of the output; 60 by default."},
    {"seed", 0, CLI_SEED, "N", AT(seed), "Other random places."},
    {"threads", 'j', CLI_COUNT, "N", AT(threads),
     "Threads to use; one per core by default. Results do not depend on it."},
    {"json", 0, CLI_FLAG, NULL, AT(json), "Print the report as JSON."},
    {0}};

static const char *const synopsis[] = {"[OPTION...] LEVEL", NULL};
static const char *const examples[] = {"Up the stairs of the house and onto a chair, as a picture:",
                                       "lope go house --from 0,0,8 --to 0,2.9,2 --use chair -o house.svg",
                                       "Across the yard among 200 others, to Blender:",
                                       "lope go yard --to '10,0,10 ladder -8,0,3' -n 200 -o hero.glb",
                                       "The same by a character of your own:",
                                       "lope go yard --to '10,0,10 ladder' --onto hero.glb -o hero_in_yard.glb",
                                       "Ten people who are kept busy in the house, and the way of each:",
                                       "lope go house -n 10 --errands --seconds 120 -o busy.svg",
                                       NULL};

// One thing to do.
typedef enum go_kind { GO_TO, GO_USE, GO_TALK } go_kind;
typedef struct go_task {
    go_kind kind;
    lope_vec3 place;
    char name[LOPE_PART_NAME];
} go_task;

#define MOST_TASKS 64
typedef struct go_work {
    const cli_command *command;
    const go_settings *settings;
    lope_level_file *file;
    lope_moves *moves;
    lope_avatar *avatar; // NULL: the hero has the moves' skeleton
    lope_retarget *plan;
    lope_jobs *jobs;
    lope_world *world;
    lope_character_id *people; // the first one is the hero
    lope_character_id partner; // that the hero is about to talk to
    int count;
    go_task tasks[MOST_TASKS];
    int task_count, task; // those done so far
    uint64_t random;
    lope_vec3 places[ROAMED]; // where people roam
    int place_count;
    // what happened
    bool failed;
    double seconds;
    lope_clip *clip; // of the hero
    lope_transform *model;
    int frames;
    lope_vec3 *way; // of all, [count][way_room]
    int way_room, way_count;
    cli_table *events;
    cli_json json;
} go_work;

// ---- what was asked for

static bool parse_place(const char *text, size_t size, lope_vec3 *out)
{
    float *numbers[] = {&out->x, &out->y, &out->z};
    const char *stop = text + size;
    for (int i = 0; i < 3; i++) {
        char *end;
        const double value = strtod(text, &end);
        if (end == text || end > stop || (i < 2 ? *end != ',' : end != stop) || !(fabs(value) <= 1e5))
            return false;
        *numbers[i] = (float)value;
        text = end + 1;
    }
    return true;
}

// The part of that name, or the nearest of that kind, seen from a place. False: there is none.
static bool find_thing(const go_work *work, const char *word, lope_vec3 from, lope_part *out)
{
    const lope_level *level = work->file->level;
    float nearest = INFINITY;
    for (int i = 0; i < lope_level_part_limit(level); i++) {
        lope_part part;
        if (!lope_level_part(level, i, &part) || !part.kind[0])
            continue;
        const bool kind = strcmp(part.kind, word) == 0, named = !kind && strcmp(part.name, word) == 0;
        const float distance = named ? 0.0f : lope_v3_distance(lope_v3_lerp(part.low, part.high, 0.5f), from);
        if ((named || kind) && distance < nearest) {
            nearest = distance;
            *out = part;
        }
    }
    return isfinite(nearest);
}

static int add_task(go_work *work, const char *word, size_t size)
{
    lope_part part;
    go_task task = {.kind = parse_place(word, size, &task.place) ? GO_TO : GO_USE};
    snprintf(task.name, sizeof task.name, "%.*s", (int)size, word);
    if (strcmp(task.name, "somebody") == 0)
        task.kind = GO_TALK;
    if (task.kind == GO_TALK && work->settings->number < 2)
        return cli_usage(work->command, "to talk to somebody there must be others: -n 2 or more");
    if (task.kind == GO_USE && !find_thing(work, task.name, lope_v3(0, 0, 0), &part)) {
        fprintf(stderr, "lope go: '%s' is neither a place X,Y,Z nor the name or kind of a thing in '%s'\n", task.name,
                work->file->name);
        return CLI_NOT_FOUND;
    }
    if (work->task_count == MOST_TASKS)
        return cli_usage(work->command, "--to takes %d places at most", MOST_TASKS);
    work->tasks[work->task_count++] = task;
    return CLI_OK;
}

static int read_tasks(go_work *work)
{
    const go_settings *s = work->settings;
    int result = CLI_OK;
    for (const char *at = s->to ? s->to : ""; *at && !result; at += strspn(at, " ")) {
        const size_t size = strcspn(at, " ");
        if (size)
            result = add_task(work, at, size);
        at += size;
    }
    return !result && s->use ? add_task(work, s->use, strlen(s->use)) : result;
}

static int check(const cli_command *self, const go_settings *s, const cli_operands *operands)
{
    lope_vec3 ignored;
    if (operands->count != 1)
        return cli_usage(self, "one level, found %d; built-in ones are yard, house, ruin, office and playground",
                         operands->count);
    if (s->from && !parse_place(s->from, strlen(s->from), &ignored))
        return cli_usage(self, "--from needs a place X,Y,Z, found '%s'", s->from);
    if (s->seconds > MOST_SECONDS)
        return cli_usage(self, "--seconds must not exceed an hour, found %g", s->seconds);
    if (s->number > MOST_PEOPLE)
        return cli_usage(self, "--number must not exceed %d, found %d", MOST_PEOPLE, s->number);
    return CLI_OK;
}

// ---- the world

// The hero's own skeleton.
static lope_status open_avatar(go_work *work, lope_error *error)
{
    lope_status status = lope_avatar_open(work->settings->onto, NULL, &work->avatar, error);
    if (status)
        return status;
    lope_retarget_def def = lope_retarget_def_default();
    def.source = work->moves->skeleton;
    def.target = work->avatar->skeleton;
    def.any_ground = true;
    status = lope_retarget_create(&def, &work->plan, error);
    if (status == LOPE_MISMATCH) {
        snprintf(error->message, sizeof error->message,
                 "expected a skeleton with hips and two legs, found %d joints without",
                 work->avatar->skeleton->joint_count);
        snprintf(error->file, sizeof error->file, "%s", work->settings->onto);
    }
    return status;
}

static lope_status open_world(go_work *work, const char *level, lope_error *error)
{
    const go_settings *s = work->settings;
    lope_status status = lope_level_open(level, NULL, &work->file, error);
    if (!status && work->file->notes[0])
        fprintf(stderr, "lope go: note: %s\n", work->file->notes);
    if (!status)
        status = lope_jobs_create(s->threads, &work->jobs, error);
    if (!status)
        status = cli_moves_need(s->moves, work->jobs, &work->moves, error);
    if (!status && s->onto)
        status = open_avatar(work, error);
    lope_world_def def = lope_world_def_default();
    def.level = status ? NULL : work->file->level;
    def.moves = work->moves;
    def.seed = s->seed;
    def.capacity = s->number;
    return status ? status : lope_world_create(&def, work->jobs, &work->world, error);
}

static lope_status spawn(go_work *work, lope_error *error)
{
    const go_settings *s = work->settings;
    lope_status status = LOPE_OK;
    work->place_count = level_random_places(lope_world_floors(work->world), &work->random, work->places, ROAMED);
    work->people = cli_alloc((size_t)s->number * sizeof *work->people);
    for (int i = 0; i < s->number && !status; i++) {
        lope_character_def def = lope_character_def_default();
        def.posed = i == 0;
        def.onto = i == 0 ? work->plan : NULL;
        bool there = work->place_count > 0;
        if (i == 0 && s->from)
            there = parse_place(s->from, strlen(s->from), &def.place);
        else if (there)
            def.place = work->places[i % work->place_count];
        if (!there) {
            *error = (lope_error){.status = LOPE_NOT_FOUND};
            snprintf(error->message, sizeof error->message, "'%s' has no ground that a body can stand on",
                     work->file->name);
            return LOPE_NOT_FOUND;
        }
        status = lope_world_spawn(work->world, &def, &work->people[work->count], error);
        status = status == LOPE_PARTIAL ? LOPE_OK : status;
        work->count += status == LOPE_OK;
    }
    return status;
}

// ---- what happens

static void tell(go_work *work, const char *what, const char *about)
{
    const lope_vec3 at = lope_character_place(work->world, work->people[0]);
    char place[64];
    snprintf(place, sizeof place, "%.2f, %.2f, %.2f", (double)at.x, (double)at.y, (double)at.z);
    if (work->settings->json) {
        cli_json_open(&work->json, NULL, '{');
        cli_json_number(&work->json, "seconds", work->seconds);
        cli_json_text(&work->json, "what", what);
        cli_json_text(&work->json, "about", about);
        cli_json_text(&work->json, "at", place);
        cli_json_close(&work->json, '}');
        return;
    }
    cli_table_number(work->events, work->seconds, 1);
    cli_table_add(work->events, what);
    cli_table_add(work->events, about);
    cli_table_add(work->events, place);
}

// The character nearest to the hero.
static lope_character_id find_other(const go_work *work)
{
    const lope_vec3 here = lope_character_place(work->world, work->people[0]);
    int nearest = 1;
    float least = INFINITY;
    for (int i = 1; i < work->count; i++) {
        const float far = lope_v3_distance(lope_character_place(work->world, work->people[i]), here);
        if (far < least) {
            least = far;
            nearest = i;
        }
    }
    return work->people[nearest];
}

static lope_status give_task(go_work *work, const go_task *task, lope_error *error)
{
    const lope_character_id hero = work->people[0];
    const lope_destination there = lope_destination_at(task->place);
    const float stay = (float)work->settings->stay;
    lope_part part;
    if (task->kind == GO_TO)
        return lope_character_go_to(work->world, hero, &there, error);
    if (task->kind == GO_TALK) {
        work->partner = find_other(work);
        lope_character_stop(work->world, work->partner); // to wait for the hero
        return lope_character_talk(work->world, hero, work->partner, stay, error);
    }
    if (!find_thing(work, task->name, lope_character_place(work->world, hero), &part))
        return LOPE_NOT_FOUND;
    return lope_character_use(work->world, hero, part.id, stay, error);
}

// Gives the hero the next task. What cannot be done ends the command.
static void next_task(go_work *work)
{
    static const char *const names[] = {[GO_TO] = "to go to", [GO_USE] = "to use", [GO_TALK] = "to talk to"};
    const go_task *task = &work->tasks[work->task];
    lope_error error = {0};
    const lope_status status = give_task(work, task, &error);
    work->failed = status && status != LOPE_PARTIAL;
    tell(work, work->failed ? "cannot" : names[task->kind], work->failed ? error.message : task->name);
}

static void heed(go_work *work, const lope_event *event)
{
    const lope_character_id hero = work->people[0];
    if (event->who.index1 != hero.index1 || event->who.generation != hero.generation)
        return;
    const bool talk = event->task == LOPE_TASK_TALK && event->link < 0;
    const char *about = event->text[0]     ? event->text
                        : event->link >= 0 ? lope_link_kind_name((lope_link_kind)event->link)
                        : talk             ? "talk"
                                           : "";
    tell(work, lope_event_kind_name(event->kind), about);
    if (work->task >= work->task_count)
        return;
    if (event->kind == LOPE_EVENT_CANNOT)
        work->failed = true;
    else if (event->kind == LOPE_EVENT_ARRIVED || (event->kind == LOPE_EVENT_ENDED && talk)) {
        work->task++;
        work->partner = (lope_character_id){0, 0};
        if (work->task < work->task_count)
            next_task(work);
    }
}

static void roam(go_work *work)
{
    for (int i = work->task_count ? 1 : 0; i < work->count; i++) {
        lope_error ignored;
        if (lope_character_state(work->world, work->people[i]) != LOPE_CHARACTER_IDLE || work->place_count == 0 ||
            work->people[i].index1 == work->partner.index1)
            continue;
        if (work->settings->errands) {
            lope_errands_def errands = lope_errands_def_default();
            errands.seed = work->settings->seed;
            lope_character_errands(work->world, work->people[i], &errands, &ignored);
            continue;
        }
        const lope_destination there =
            lope_destination_at(level_random_choice(work->places, work->place_count, &work->random));
        lope_character_go_to(work->world, work->people[i], &there, &ignored);
    }
}

static void record(go_work *work)
{
    lope_world_poses(work->world, &work->people[0], 1, work->model);
    cli_record_model(work->clip, work->frames, work->model);
    if (work->way && work->frames % WAY_STRIDE == 0 && work->way_count < work->way_room) {
        for (int i = 0; i < work->count; i++)
            work->way[(size_t)i * (size_t)work->way_room + (size_t)work->way_count] =
                lope_v3_add(lope_character_place(work->world, work->people[i]), lope_v3(0.0f, 0.05f, 0.0f));
        work->way_count++;
    }
    work->frames++;
}

static int simulate(go_work *work)
{
    const go_settings *s = work->settings;
    const double seconds = s->seconds > 0.0 ? s->seconds : work->task_count ? 300.0 : 60.0;
    const int steps = (int)fmax(1.0, seconds * s->fps);
    lope_error error = {0};
    if (lope_clip_create(lope_character_skeleton(work->world, work->people[0]), "hero", steps, s->fps, 0, &work->clip,
                         &error))
        return cli_fail(work->command, &error);
    work->model = cli_alloc((size_t)work->clip->skeleton->joint_count * sizeof *work->model);
    work->way_room = steps / WAY_STRIDE + 1;
    if (cli_writes(&s->outputs, CLI_FORMAT_SVG))
        work->way = cli_alloc((size_t)work->count * (size_t)work->way_room * sizeof *work->way);
    if (work->task_count)
        next_task(work);
    for (int i = 0; i < steps && !work->failed && !(work->task_count && work->task == work->task_count); i++) {
        int count;
        if (!cli_step_goes_on(work->command, i, steps))
            return CLI_INTERRUPTED;
        roam(work);
        lope_world_step(work->world, (float)(1.0 / s->fps), work->jobs);
        work->seconds += 1.0 / s->fps;
        record(work);
        const lope_event *events = lope_world_events(work->world, &count);
        for (int e = 0; e < count; e++)
            heed(work, &events[e]);
    }
    cli_progress_end();
    work->clip->frame_count = work->frames;
    return CLI_OK;
}

// ---- what comes out

static lope_status write_output(void *user, const cli_output *output, lope_error *error)
{
    go_work *work = user;
    const go_settings *s = work->settings;
    if (work->avatar && output->format == CLI_FORMAT_GLB)
        return lope_avatar_save(work->avatar, (const lope_clip *const *)&work->clip, 1, NULL, output->path, error);
    if (output->format != CLI_FORMAT_SVG)
        return cli_write_clips(output, &work->clip, 1, error);
    lope_level_picture picture = lope_level_picture_default();
    lope_drawn_track *tracks = cli_alloc((size_t)work->count * sizeof *tracks);
    for (int i = 0; i < work->count; i++)
        tracks[i] = (lope_drawn_track){work->way + (size_t)i * (size_t)work->way_room, work->way_count, -1};
    picture.title = work->file->name;
    picture.width = s->width;
    picture.dark = s->dark;
    picture.plan = false;
    picture.clip = work->clip;
    picture.start = s->start;
    picture.end = s->end > 0.0 ? s->end : (double)INFINITY;
    picture.interval = s->interval;
    picture.cut = s->cut < 1e6 ? (float)s->cut : INFINITY;
    picture.around = s->around > 0.0 ? (float)s->around : INFINITY;
    picture.tracks = tracks;
    picture.track_count = s->around > 0.0 ? 0 : work->count;
    const lope_status status =
        lope_draw_level(work->file->level, lope_world_floors(work->world), &picture, output->path, error);
    free(tracks);
    return status;
}

static int finish(go_work *work)
{
    const go_settings *s = work->settings;
    const bool done = !work->failed && work->task == work->task_count;
    int result = cli_write_outputs(work->command, &s->outputs, write_output, work);
    if (s->json) {
        cli_json_close(&work->json, ']');
        cli_json_bool(&work->json, "done", done);
        cli_json_number(&work->json, "seconds", work->seconds);
        cli_json_outputs(&work->json, &s->outputs);
        cli_json_close(&work->json, '}');
        putchar('\n');
    } else {
        cli_table_print(work->events, stdout);
        printf("%s after %.1f s", work->task_count == 0 ? "roamed" : done ? "done" : "not done", work->seconds);
        if (s->outputs.count) {
            printf("; ");
            cli_print_outputs(&s->outputs);
        }
        putchar('\n');
    }
    return cli_worse(result, done ? CLI_OK : CLI_FAILED);
}

static int go(go_work *work, const char *level)
{
    static const char *const headings[] = {"after s", "what", "about", "at"};
    lope_error error = {0};
    if (open_world(work, level, &error))
        return cli_fail(work->command, &error);
    int result = read_tasks(work);
    if (result)
        return result;
    if (spawn(work, &error))
        return cli_fail(work->command, &error);
    if (work->settings->json) {
        work->json = (cli_json){stdout, 0, true};
        cli_json_open(&work->json, NULL, '{');
        cli_json_open(&work->json, "events", '[');
    } else {
        work->events = cli_table_create(headings, 4);
    }
    result = simulate(work);
    return result ? result : finish(work);
}

static int run(const cli_command *self, int count, char **arguments)
{
    go_settings settings = {
        .fps = 60.0, .interval = 1.0, .cut = 1e6, .stay = STAY, .number = 1, .width = 1100, .seed = 1};
    cli_operands operands;
    int result;
    if (!cli_parse(self, count, arguments, &settings, &operands, &result))
        return result;
    result = check(self, &settings, &operands);
    if (result)
        return result;
    go_work work = {.command = self, .settings = &settings, .random = settings.seed};
    result = go(&work, operands.words[0]);
    if (work.events)
        cli_table_destroy(work.events);
    lope_clip_destroy(work.clip);
    lope_world_destroy(work.world);
    lope_retarget_destroy(work.plan);
    lope_avatar_close(work.avatar);
    lope_moves_close(work.moves);
    lope_jobs_destroy(work.jobs);
    lope_level_file_destroy(work.file);
    free(work.people);
    free(work.model);
    free(work.way);
    return result;
}

const cli_command cli_go = {
    .name = "go",
    .summary = "a character goes anywhere in a level and uses what is there",
    .synopsis = synopsis,
    .description =
        "Puts a character into a level (a built-in one, JSON, glTF, OBJ: see 'lope level') and sends it from place to "
        "place and onto things. It walks, takes stairs and rubble, climbs, crawls, sits, whatever the way asks for, "
        "and "
        "what happens on the way is printed. With -n others roam around it, or go on errands.\n\nWhere it cannot do "
        "what it was told, "
        "the reason is printed, what it did is written, and the exit code is 1.",
    .examples = examples,
    .options = options,
    .run = run,
};
