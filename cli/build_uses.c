// SPDX-License-Identifier: MIT
// Parts of reports that several builds share: rows, and what became of each clip.
#include <string.h>

#include "cli/build.h"

void build_add_row(cli_table *table, const char *name, double value, int decimals, const char *note)
{
    cli_table_add(table, name);
    cli_table_number(table, value, decimals);
    cli_table_add(table, note);
}

void build_print_uses(const lope_set *set, const lope_clip_use *uses, const char *pieces)
{
    const char *const headings[] = {"clip", pieces, "in", "why not more"};
    cli_table *table = cli_table_create(headings, 4);
    int in = 0, rows = 0, own = 0;
    for (int c = 0; c < set->clip_count; c++) {
        if (strncmp(set->clips[c]->name, "filled/", 7) == 0)
            continue;
        own++;
        in += uses[c].used > 0;
        if (!uses[c].why[0])
            continue;
        rows++;
        cli_table_add(table, set->clips[c]->name);
        cli_table_number(table, uses[c].found, 0);
        cli_table_number(table, uses[c].used, 0);
        cli_table_add(table, uses[c].why);
    }
    if (rows) {
        printf("\n");
        cli_table_print(table, stdout);
    }
    printf("\n%d of %d clips are in\n", in, own);
    cli_table_destroy(table);
}

void build_json_uses(cli_json *json, const lope_set *set, const lope_clip_use *uses)
{
    cli_json_open(json, "uses", '[');
    for (int c = 0; c < set->clip_count; c++) {
        cli_json_open(json, NULL, '{');
        cli_json_text(json, "clip", set->clips[c]->name);
        cli_json_number(json, "found", uses[c].found);
        cli_json_number(json, "used", uses[c].used);
        cli_json_text(json, "why", uses[c].why);
        cli_json_close(json, '}');
    }
    cli_json_close(json, ']');
}
