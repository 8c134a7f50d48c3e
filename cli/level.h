// SPDX-License-Identifier: MIT
// `lope level`: what its files share.
#ifndef LOPE_CLI_LEVEL_H
#define LOPE_CLI_LEVEL_H

#include "cli/outputs.h"
#include "generators/level_random.h"

typedef struct level_settings {
    cli_outputs outputs;
    const char *at, *from, *to, *random;
    double radius, height, step, slope, climb, leap, scale, cut;
    int threads, width, triangles, up, view;
    bool soup, hills, dark, json;
} level_settings;

typedef struct level_work {
    const cli_command *command;
    const level_settings *settings;
    const char *name;
    lope_level_file *file;
    level_random made;
    const lope_level *level;
    lope_jobs *jobs;
    lope_floors *floors;
    double seconds;
} level_work;

// level_report.c: everything that was found, and whether a body can stand at a place; as text or as JSON. They return
// exit codes.
int level_say_all(const level_work *work);
int level_say_place(const level_work *work, lope_vec3 at);
// JSON on stdout, an object around it; and a place, or an object in a list that leads from one to another.
cli_json level_json_begin(void);
void level_json_end(cli_json *json);
void level_json_vec(cli_json *json, const char *key, lope_vec3 v);
void level_json_line(cli_json *json, lope_vec3 from, lope_vec3 to);
// level_route.c: how a body gets from one place to another.
int level_say_route(const level_work *work, lope_vec3 from, lope_vec3 to);

#endif
