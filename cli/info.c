// SPDX-License-Identifier: MIT
// `lope info`: what is in a clip, what was guessed about it, and what was found in it.
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "cli/maps.h"
#include "cli/outputs.h"
#include "lope/steps.h"

typedef struct info_settings {
    cli_reading reading;
    bool json, full;
} info_settings;

static const cli_option options[] = {
    {"json", 0, CLI_FLAG, NULL, offsetof(info_settings, json), "Print an array with one object per clip."},
    {"full", 'f', CLI_FLAG, NULL, offsetof(info_settings, full),
     "The full report for every clip. By default several clips make a table with a line each."},
    CLI_READING_OPTIONS(info_settings),
    {"fps", 0, CLI_RATE, "N", offsetof(info_settings, reading.fps), "Frames per second, against what the file says."},
    CLI_THREADS_OPTION(info_settings),
    {0}};

static const char *const synopsis[] = {"[OPTION...] [FILE|FOLDER|NAME...]", NULL};
static const char *const examples[] = {"What is in this file?",
                                       "lope info walk.bvh",
                                       "A table of everything in a folder:",
                                       "lope info captures/",
                                       "The frame rate of a clip, for a script:",
                                       "lope info --json walk.bvh | jq '.[0].frame_rate'",
                                       "A file in millimetres with Z up:",
                                       "lope info --scale 0.001 --up z walk.bvh",
                                       NULL};

// Everything that is said about one clip.
typedef struct clip_facts {
    char *name;
    int frames;
    double rate, seconds;
    float height, leg, floor, spread;
    bool has_floor, has_contacts, contacts_given;
    double contact_share[LOPE_CONTACT_COUNT]; // of the frames
    lope_skeleton *skeleton;
} clip_facts;

typedef struct source_facts {
    lope_status status;
    lope_error error;
    lope_read_report report;
    int count;
    clip_facts *clips;
} source_facts;

typedef struct info_work {
    const info_settings *settings;
    cli_sources sources;
    source_facts *facts;
} info_work;

static const char *const role_sources[] = {"none", "names", "topology", "given"};
static const char *const axes[] = {"auto", "Y", "Z", "X", "-Y", "-Z", "-X"};

static lope_status gather_clip(lope_clip **clip, clip_facts *out, lope_error *error)
{
    out->name = cli_format("%s", (*clip)->name);
    out->frames = (*clip)->frame_count;
    out->rate = (*clip)->frame_rate;
    out->seconds = lope_clip_duration(*clip);
    out->skeleton = lope_skeleton_retain((*clip)->skeleton);
    out->height = lope_skeleton_height(out->skeleton);
    out->leg = lope_skeleton_leg_length(out->skeleton);
    out->contacts_given = (*clip)->contacts != NULL;
    if (!lope_skeleton_is_biped(out->skeleton))
        return LOPE_OK;
    lope_status status = lope_clip_floor(*clip, &out->floor, &out->spread, error);
    out->has_floor = status == LOPE_OK;
    if (status == LOPE_OK)
        status = cli_with_contacts(clip, error);
    if (status)
        return status;
    out->has_contacts = true;
    for (int f = 0; f < out->frames; f++)
        for (int c = 0; c < LOPE_CONTACT_COUNT; c++)
            out->contact_share[c] += ((*clip)->contacts[f] >> c & 1) / (double)out->frames;
    return LOPE_OK;
}

static void gather_source(void *user, int index)
{
    info_work *work = user;
    source_facts *facts = &work->facts[index];
    cli_loaded loaded;
    cli_source_load(&work->sources.items[index], &work->settings->reading, &loaded);
    facts->status = loaded.status;
    facts->error = loaded.error;
    facts->report = loaded.report;
    facts->clips = cli_alloc((size_t)loaded.count * sizeof *facts->clips);
    for (int i = 0; i < loaded.count && facts->status == LOPE_OK; i++) {
        facts->status = gather_clip(&loaded.clips[i], &facts->clips[i], &facts->error);
        facts->count = i + 1;
    }
    cli_loaded_free(&loaded);
}

static int role_count(const lope_skeleton *skeleton)
{
    int count = 0;
    for (int r = 0; r < LOPE_ROLE_COUNT; r++)
        count += skeleton->roles[r] >= 0;
    return count;
}

static void print_roles(const lope_skeleton *skeleton)
{
    printf("  roles     %d of %d", role_count(skeleton), LOPE_ROLE_COUNT);
    static const char *const how[] = {"", ", from joint names", ", from the shape of the rest pose", ", as told"};
    printf("%s%s\n", how[skeleton->role_source], lope_skeleton_is_biped(skeleton) ? "" : "; not a biped");
    for (int r = 0; r < LOPE_ROLE_COUNT; r++)
        if (skeleton->roles[r] >= 0)
            printf("            %-16s %s\n", lope_role_name((lope_role)r), skeleton->names[skeleton->roles[r]]);
}

static void print_reading(const cli_source *source, const lope_read_report *report)
{
    if (!source->path) {
        printf("  origin    built-in motion, in metres, contacts exact\n");
        return;
    }
    printf("  units     %.6g m per unit%s\n", (double)report->scale,
           report->scale_guessed ? " (guessed from the body's bones; --scale overrides)" : "");
    printf("  up        %s%s\n", axes[report->up], report->up_guessed ? " (guessed; --up overrides)" : "");
    if (report->stood_up)
        printf("  rest      no stance in the file: taken from how the body stands in the motion\n");
    printf("  T-pose    %s\n", !report->tpose_found    ? "none in frame 0"
                               : report->tpose_dropped ? "in frame 0, dropped (--tpose keep keeps it)"
                                                       : "in frame 0, kept");
    if (report->moving_joints)
        printf("  moving    %d joint%s besides the root change their offsets\n", report->moving_joints,
               report->moving_joints == 1 ? "" : "s");
}

static void print_contacts(const clip_facts *clip)
{
    if (!clip->has_contacts) {
        printf("  contacts  not known: not a biped\n");
        return;
    }
    printf("  floor     %.3f m (standing feet scatter by %.3f m)\n", (double)clip->floor, (double)clip->spread);
    printf("  contacts  %s, share of frames:", clip->contacts_given ? "given" : "found");
    const char *comma = " ";
    for (int c = 0; c < LOPE_CONTACT_COUNT; c++) {
        if (clip->contact_share[c] <= 0.0)
            continue;
        printf("%s%s %.0f %%", comma, lope_contact_name(c), 100.0 * clip->contact_share[c]);
        comma = ", ";
    }
    printf("%s\n", *comma == ' ' ? " none" : "");
}

static void print_full(const cli_source *source, const source_facts *facts)
{
    for (int i = 0; i < facts->count; i++) {
        const clip_facts *clip = &facts->clips[i];
        printf("%s\n", cli_source_name(source));
        if (facts->report.rest_only)
            printf("  clip      %s: no animation, rest pose only\n", clip->name);
        else
            printf("  clip      %s: %d frame%s at %.6g fps, %.3f s\n", clip->name, clip->frames,
                   clip->frames == 1 ? "" : "s", clip->rate, clip->seconds);
        print_reading(source, &facts->report);
        printf("  skeleton  %d joint%s, root %s, height %.3f m at rest", clip->skeleton->joint_count,
               clip->skeleton->joint_count == 1 ? "" : "s", clip->skeleton->names[0], (double)clip->height);
        if (clip->leg > 0.0f)
            printf(", legs %.3f m", (double)clip->leg);
        printf("\n");
        print_roles(clip->skeleton);
        print_contacts(clip);
    }
}

// What a .lope file holds beside its clips.
static void print_graph(const cli_source *source)
{
    lope_error error;
    lope_steps *steps;
    if (!source->path || cli_format_of(source->path) != CLI_FORMAT_LOPE ||
        lope_steps_open(source->path, &steps, &error))
        return;
    uint32_t starts = 0, stops = 0;
    for (uint32_t s = 0; s < steps->step_count; s++) {
        starts += (steps->steps[s].flags & LOPE_STEP_STARTS) != 0;
        stops += (steps->steps[s].flags & LOPE_STEP_STOPS) != 0;
    }
    printf("%s: a graph of %u steps with %.1f ways on each, %u from standing, %u to standing\n", source->path,
           steps->step_count, (double)steps->edge_count / (double)steps->step_count, starts, stops);
    lope_steps_destroy(steps);
}

static void print_parts(const lope_moves *moves, const char *path)
{
    const lope_skeleton *skeleton = moves->skeleton;
    printf("%s: moves of a body of %.2f m with %d joints, legs of %.3f m\n", path,
           (double)lope_skeleton_height(skeleton), skeleton->joint_count, (double)lope_skeleton_leg_length(skeleton));
    printf("  walking        %d states in %d clips\n", lope_mobility_state_count(moves->mobility),
           lope_mobility_set(moves->mobility)->clip_count);
    if (moves->maps)
        printf("  exact steps    %u steps in %d clips\n", moves->maps->steps->step_count,
               moves->maps->steps->set->clip_count);
    for (int r = 0; moves->rings && r < lope_rings_count(moves->rings); r++) {
        lope_ring_info info = lope_rings_info(moves->rings, r);
        printf("  %-14s %s, %d samples\n", r ? "" : "uneven ground", info.name, info.samples);
    }
    for (int u = 0; moves->blocks && u < moves->blocks->unit_count; u++)
        printf("%s%s", u ? ", " : "  things         ", moves->blocks->units[u].name);
    printf(moves->blocks ? "\n\n" : "\n");
    cli_print_moves(moves);
}

static void print_moves_json(const lope_moves *moves, const char *path)
{
    cli_json json = {stdout, 0, true};
    cli_json_open(&json, NULL, '{');
    cli_json_text(&json, "file", path);
    cli_json_number(&json, "leg_length", (double)lope_skeleton_leg_length(moves->skeleton));
    cli_json_number(&json, "states", lope_mobility_state_count(moves->mobility));
    cli_json_number(&json, "steps", moves->maps ? moves->maps->steps->step_count : 0);
    cli_json_number(&json, "rings", moves->rings ? lope_rings_count(moves->rings) : 0);
    cli_json_number(&json, "things", moves->blocks ? moves->blocks->unit_count : 0);
    cli_json_moves(&json, moves);
    cli_json_close(&json, '}');
}

// A single file of moves has no clips to be shown one by one. *out is NULL where the operand is none.
static int find_moves(const cli_command *self, cli_operands operands, lope_moves **out)
{
    lope_error error = {0};
    *out = NULL;
    if (operands.count != 1 || cli_format_of(operands.words[0]) != CLI_FORMAT_LOPE)
        return CLI_OK;
    return cli_moves_open(operands.words[0], out, &error) ? cli_fail(self, &error) : CLI_OK;
}

static void print_table(const info_work *work)
{
    static const char *const headings[] = {"clip",  "frames", "fps",   "seconds", "joints",
                                           "roles", "height", "floor", "file"};
    cli_table *table = cli_table_create(headings, 9);
    for (int s = 0; s < work->sources.count; s++) {
        for (int i = 0; i < work->facts[s].count && work->facts[s].status == LOPE_OK; i++) {
            const clip_facts *clip = &work->facts[s].clips[i];
            cli_table_add(table, clip->name);
            cli_table_number(table, clip->frames, 0);
            cli_table_number(table, clip->rate, 2);
            cli_table_number(table, clip->seconds, 2);
            cli_table_number(table, clip->skeleton->joint_count, 0);
            cli_table_number(table, role_count(clip->skeleton), 0);
            cli_table_number(table, (double)clip->height, 2);
            cli_table_number(table, clip->has_floor ? (double)clip->floor : (double)NAN, 3);
            cli_table_add(table, cli_source_name(&work->sources.items[s]));
        }
    }
    cli_table_print(table, stdout);
    cli_table_destroy(table);
}

static void json_skeleton(cli_json *json, const clip_facts *clip)
{
    const lope_skeleton *skeleton = clip->skeleton;
    cli_json_number(json, "joints", skeleton->joint_count);
    cli_json_text(json, "root", skeleton->names[0]);
    cli_json_number(json, "height", (double)clip->height);
    cli_json_number(json, "leg_length", (double)clip->leg);
    cli_json_bool(json, "biped", lope_skeleton_is_biped(skeleton));
    cli_json_text(json, "roles_from", role_sources[skeleton->role_source]);
    cli_json_open(json, "roles", '{');
    for (int r = 0; r < LOPE_ROLE_COUNT; r++)
        if (skeleton->roles[r] >= 0)
            cli_json_text(json, lope_role_name((lope_role)r), skeleton->names[skeleton->roles[r]]);
    cli_json_close(json, '}');
}

static void json_clip(cli_json *json, const cli_source *source, const lope_read_report *report, const clip_facts *clip)
{
    cli_json_open(json, NULL, '{');
    cli_json_text(json, "file", source->path);
    cli_json_text(json, "clip", clip->name);
    cli_json_number(json, "frames", clip->frames);
    cli_json_number(json, "frame_rate", clip->rate);
    cli_json_number(json, "seconds", clip->seconds);
    json_skeleton(json, clip);
    cli_json_number(json, "metres_per_unit", (double)report->scale);
    cli_json_bool(json, "scale_guessed", report->scale_guessed);
    cli_json_text(json, "up", axes[report->up]);
    cli_json_bool(json, "up_guessed", report->up_guessed);
    cli_json_bool(json, "tpose_found", report->tpose_found);
    cli_json_bool(json, "tpose_dropped", report->tpose_dropped);
    cli_json_bool(json, "rest_only", report->rest_only);
    cli_json_number(json, "floor", clip->has_floor ? (double)clip->floor : (double)NAN);
    cli_json_number(json, "floor_spread", clip->has_floor ? (double)clip->spread : (double)NAN);
    cli_json_text(json, "contacts_from", !clip->has_contacts ? NULL : clip->contacts_given ? "given" : "found");
    cli_json_open(json, "contacts", '{');
    for (int c = 0; c < LOPE_CONTACT_COUNT && clip->has_contacts; c++)
        cli_json_number(json, lope_contact_name(c), clip->contact_share[c]);
    cli_json_close(json, '}');
    cli_json_close(json, '}');
}

static void print_json(const info_work *work)
{
    cli_json json = {stdout, 0, true};
    cli_json_open(&json, NULL, '[');
    for (int s = 0; s < work->sources.count; s++)
        for (int i = 0; i < work->facts[s].count && work->facts[s].status == LOPE_OK; i++)
            json_clip(&json, &work->sources.items[s], &work->facts[s].report, &work->facts[s].clips[i]);
    cli_json_close(&json, ']');
}

static void print_all(const info_work *work)
{
    int clips = 0;
    for (int s = 0; s < work->sources.count; s++)
        clips += work->facts[s].status == LOPE_OK ? work->facts[s].count : 0;
    if (work->settings->json) {
        print_json(work);
    } else if (clips == 1 || work->settings->full) {
        for (int s = 0; s < work->sources.count; s++)
            if (work->facts[s].status == LOPE_OK)
                print_full(&work->sources.items[s], &work->facts[s]);
    } else if (clips > 1) {
        print_table(work);
    }
    for (int s = 0; s < work->sources.count && !work->settings->json; s++)
        print_graph(&work->sources.items[s]);
}

static void free_facts(info_work *work)
{
    for (int s = 0; s < work->sources.count; s++) {
        for (int i = 0; i < work->facts[s].count; i++) {
            free(work->facts[s].clips[i].name);
            lope_skeleton_release(work->facts[s].clips[i].skeleton);
        }
        free(work->facts[s].clips);
    }
    free(work->facts);
    cli_sources_free(&work->sources);
}

static int run(const cli_command *self, int count, char **arguments)
{
    info_settings settings = {0};
    cli_operands operands;
    int result;
    if (!cli_parse(self, count, arguments, &settings, &operands, &result))
        return result;
    lope_moves *moves;
    result = find_moves(self, operands, &moves);
    if (result || moves) {
        if (moves)
            (settings.json ? print_moves_json : print_parts)(moves, operands.words[0]);
        lope_moves_close(moves);
        return result;
    }
    info_work work = {.settings = &settings};
    result = cli_sources_find(self, operands, &work.sources);
    if (result == CLI_OK)
        result = cli_sources_look(self, &work.sources, &settings.reading);
    if (result) {
        cli_sources_free(&work.sources);
        return result;
    }
    work.facts = cli_alloc((size_t)work.sources.count * sizeof *work.facts);
    result =
        cli_sources_run(self, "looking at clip", settings.reading.threads, work.sources.count, gather_source, &work);
    if (result == CLI_OK) {
        print_all(&work);
        for (int s = 0; s < work.sources.count; s++)
            if (work.facts[s].status)
                result = cli_worse(result, cli_fail(self, &work.facts[s].error));
    }
    free_facts(&work);
    return result;
}

const cli_command cli_info = {
    .name = "info",
    .summary = "what is in a clip: skeleton, roles, frames, units, floor, contacts",
    .synopsis = synopsis,
    .description =
        "Reads clips and tells what they hold and what was guessed on the way in: the skeleton and which joint plays "
        "which "
        "role (and how that was found out), body height, frames and rate, units, a T-pose in front, the height of the "
        "floor, and how often feet and hands touch.\n\nWithout an operand it looks at the built-in set. One clip gets "
        "a "
        "full report, several get a table. Of moves ('lope build') it says what they hold and where that comes from.",
    .examples = examples,
    .options = options,
    .run = run,
};
