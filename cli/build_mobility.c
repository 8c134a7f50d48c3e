// SPDX-License-Identifier: MIT
// What is told about a mobility map that was built: its numbers, what a body can do in it, what became of each clip.
#include "cli/build.h"
#include "cli/suffices.h"

static const char *const stage_names[] = {"transitions", "graph",        "choices",
                                          "pruning",     "time to goal", "time to stand"};
enum { STAGES = sizeof stage_names / sizeof *stage_names };

static double degrees(float radians)
{
    return (double)radians * 180.0 / LOPE_PI;
}

static void json_ability(cli_json *json, const lope_mobility_ability *can)
{
    cli_json_open(json, "ability", '{');
    cli_json_number(json, "seconds", (double)can->seconds);
    cli_json_number(json, "slowest", (double)can->slowest);
    cli_json_number(json, "fastest", (double)can->fastest);
    cli_json_number(json, "walking_left", degrees(can->walking_left));
    cli_json_number(json, "walking_right", degrees(can->walking_right));
    cli_json_number(json, "left", degrees(can->left));
    cli_json_number(json, "right", degrees(can->right));
    cli_json_close(json, '}');
}

static void json_trial(cli_json *json, const lope_mobility_trial *trial)
{
    cli_json_open(json, "trial", '{');
    cli_json_number(json, "targets", trial->targets);
    cli_json_number(json, "passed", trial->passed);
    cli_json_number(json, "stood", trial->stood);
    cli_json_close(json, '}');
}

static void print_json(const build_work *work, const lope_set *set, const lope_mobility_report *report,
                       const cli_lacks *lacks, const lope_clip_use *uses)
{
    cli_json json = {stdout, 0, true};
    cli_json_open(&json, NULL, '{');
    cli_json_outputs(&json, &work->settings->outputs);
    cli_json_number(&json, "clips", set->clip_count);
    cli_json_number(&json, "poses", report->poses);
    cli_json_number(&json, "threshold", (double)report->threshold);
    cli_json_number(&json, "transitions", (double)report->transitions);
    cli_json_number(&json, "component", report->component);
    cli_json_number(&json, "graph_states", report->graph_states);
    cli_json_number(&json, "steps", report->steps);
    cli_json_number(&json, "states", report->states);
    cli_json_number(&json, "stands", report->stands);
    cli_json_number(&json, "choices", (double)report->choices);
    cli_json_number(&json, "pruned_rounds", report->pruned_rounds);
    cli_json_number(&json, "min_choices", report->min_choices);
    cli_json_bool(&json, "pruning_limited", report->pruning_limited);
    cli_json_number(&json, "bytes", (double)report->bytes);
    cli_json_number(&json, "stages_reused", report->stages_reused);
    json_ability(&json, &report->ability);
    json_trial(&json, &report->trial);
    cli_json_open(&json, "seconds", '{');
    for (int i = 0; i < STAGES; i++)
        cli_json_number(&json, stage_names[i], report->seconds[i]);
    cli_json_close(&json, '}');
    cli_json_lacks(&json, lacks);
    build_json_uses(&json, set, uses);
    build_fill_json(work, &json);
    cli_json_close(&json, '}');
}

#define TURNS 15.0 // degrees per second: a body that turns more slowly cannot be steered

static void add_ability(cli_table *table, const lope_mobility_report *report)
{
    const lope_mobility_ability *can = &report->ability;
    char speeds[64], turns[2][96];
    snprintf(speeds, sizeof speeds, "m/s; %.2f at the slowest", (double)can->slowest);
    for (int side = 0; side < 2; side++) {
        double at_all = degrees(side ? can->right : can->left);
        snprintf(turns[side], sizeof turns[side], "degrees a second while walking; %.0f on the spot%s", at_all,
                 at_all < TURNS ? ": it cannot turn" : "");
    }
    build_add_row(table, "walks at", (double)can->fastest, 2, speeds);
    build_add_row(table, "turns left", degrees(can->walking_left), 0, turns[0]);
    build_add_row(table, "turns right", degrees(can->walking_right), 0, turns[1]);
    build_add_row(table, "stands", report->stands, 0,
                  report->stands ? "states that can be stood in" : "states: it cannot stand still");
}

static void add_trial(cli_table *table, const lope_mobility_trial *trial)
{
    char of[64];
    snprintf(of, sizeof of, "of %d random targets, in a minute each", trial->targets);
    build_add_row(table, "passes", trial->passed, 0, of);
    build_add_row(table, "stands at", trial->stood, 0, of);
}

static void print_table(const build_work *work, const lope_set *set, const lope_mobility_report *report)
{
    const build_settings *settings = work->settings;
    bool largest = settings->part == 1 || (settings->thesis && settings->part < 0);
    const char *const headings[] = {settings->outputs.items[0].path, "", ""};
    char clips[64], states[128], threshold[64], steps[64];
    snprintf(threshold, sizeof threshold, "up to a cost of %.3g", (double)report->threshold);
    snprintf(clips, sizeof clips, "in %d clips", set->clip_count);
    snprintf(steps, sizeof steps, "per state, of %d actions each", report->steps);
    snprintf(states, sizeof states, "of %d, %d or more choices each%s", report->graph_states, report->min_choices,
             report->pruning_limited ? ": asking for more would have taken most of them" : "");
    cli_table *table = cli_table_create(headings, 3);
    build_add_row(table, "poses", report->poses, 0, clips);
    build_add_row(table, "transitions", (double)report->transitions, 0, threshold);
    build_add_row(table, "connected component", report->component, 0,
                  largest ? "poses: the largest part" : "poses: the part that can do most");
    build_add_row(table, "states", report->states, 0, states);
    build_add_row(table, "choices", (double)report->choices / (double)report->states, 1, steps);
    add_ability(table, report);
    add_trial(table, &report->trial);
    build_add_row(table, "map and tables", (double)report->bytes / 1e6, 1, "MB without the clips");
    for (int i = 0; i < STAGES; i++)
        build_add_row(table, stage_names[i], report->seconds[i], 2, "s");
    cli_table_print(table, stdout);
    cli_table_destroy(table);
}

void build_print_mobility(const build_work *work, const lope_set *set, const build_mobility_told *told)
{
    cli_lacks lacks;
    cli_find_lacks(told->survey, &told->report->trial, &lacks);
    if (work->settings->json) {
        print_json(work, set, told->report, &lacks, told->uses);
        return;
    }
    print_table(work, set, told->report);
    putchar('\n');
    cli_print_lacks(&lacks, stdout);
    build_print_uses(set, told->uses, "poses");
    build_fill_print(work);
}
