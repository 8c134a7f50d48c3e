// SPDX-License-Identifier: MIT
// What `lope level` says: floors, links, holds, things that are of no use; places; routes.
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "cli/level.h"

static const char *part_name(const level_work *work, int index, lope_part *part)
{
    if (!lope_level_part(work->level, index, part))
        return NULL;
    return part->name[0] ? part->name : part->kind[0] ? part->kind : "a part without a name";
}

// ---- JSON

void level_json_vec(cli_json *json, const char *key, lope_vec3 v)
{
    cli_json_open(json, key, '[');
    cli_json_number(json, NULL, (double)v.x);
    cli_json_number(json, NULL, (double)v.y);
    cli_json_number(json, NULL, (double)v.z);
    cli_json_close(json, ']');
}

// Begins an object in a list.
void level_json_line(cli_json *json, lope_vec3 from, lope_vec3 to)
{
    cli_json_open(json, NULL, '{');
    level_json_vec(json, "from", from);
    level_json_vec(json, "to", to);
}

typedef struct named {
    const char *key;
    float value;
} named;

static void json_numbers(cli_json *json, const named *numbers, int count)
{
    for (int i = 0; i < count; i++)
        if (isfinite(numbers[i].value))
            cli_json_number(json, numbers[i].key, (double)numbers[i].value);
}

static double degrees(float radians)
{
    return (double)radians * 180.0 / LOPE_PI;
}

static lope_status json_floors(cli_json *json, const level_work *work)
{
    const int count = lope_floors_count(work->floors);
    lope_floor_extent *extents = calloc((size_t)count + 1, sizeof *extents);
    if (!extents)
        return LOPE_NO_MEMORY;
    lope_floors_extents(work->floors, extents);
    cli_json_open(json, "floors", '[');
    for (int i = 0; i < count; i++) {
        if (!lope_floors_space(work->floors, i))
            continue;
        cli_json_open(json, NULL, '{');
        cli_json_number(json, "floor", i);
        level_json_vec(json, "low", extents[i].low);
        level_json_vec(json, "high", extents[i].high);
        cli_json_number(json, "area", (double)extents[i].area);
        cli_json_close(json, '}');
    }
    cli_json_close(json, ']');
    free(extents);
    return LOPE_OK;
}

static void json_borders(cli_json *json, const level_work *work)
{
    int count;
    const lope_floor_border *borders = lope_floors_borders(work->floors, &count);
    cli_json_open(json, "borders", '[');
    for (int i = 0; i < count; i++) {
        level_json_line(json, borders[i].from, borders[i].to);
        cli_json_number(json, "floor", borders[i].floor);
        cli_json_close(json, '}');
    }
    cli_json_close(json, ']');
}

// Treads of stairs, or the headroom along a low passage.
static void json_steps(cli_json *json, const lope_link *link, const lope_link_step *steps)
{
    const bool treads = link->kind == LOPE_LINK_STAIRS;
    cli_json_open(json, treads ? "treads" : "places", '[');
    for (int i = link->first; i < link->first + link->count; i++) {
        cli_json_open(json, NULL, '{');
        level_json_vec(json, "left", steps[i].left);
        level_json_vec(json, "right", steps[i].right);
        json_numbers(json, (named[]){{"rise", steps[i].rise}, {"depth", steps[i].depth}}, treads ? 2 : 0);
        json_numbers(json, &(named){"headroom", steps[i].headroom}, 1);
        cli_json_close(json, '}');
    }
    cli_json_close(json, ']');
}

static void json_links(cli_json *json, const level_work *work)
{
    int count, steps_count;
    const lope_link *links = lope_floors_links(work->floors, &count);
    const lope_link_step *steps = lope_floors_steps(work->floors, &steps_count);
    cli_json_open(json, "links", '[');
    for (int i = 0; i < count; i++) {
        const lope_link *l = &links[i];
        level_json_line(json, l->from, l->to);
        cli_json_text(json, "kind", lope_link_kind_name(l->kind));
        cli_json_number(json, "from_floor", l->from_floor);
        cli_json_number(json, "to_floor", l->to_floor);
        level_json_vec(json, "left", l->left);
        level_json_vec(json, "right", l->right);
        json_numbers(json,
                     (named[]){{"rise", l->rise},
                               {"across", l->across},
                               {"headroom", l->headroom},
                               {"reach", l->reach},
                               {"room", l->room}},
                     5);
        if (l->part >= 0)
            cli_json_number(json, "part", l->part);
        if (l->count)
            json_steps(json, l, steps);
        cli_json_close(json, '}');
    }
    cli_json_close(json, ']');
}

static void json_holds(cli_json *json, const level_work *work)
{
    int count;
    const lope_level_hold *holds = lope_floors_holds(work->floors, &count);
    cli_json_open(json, "holds", '[');
    for (int i = 0; i < count; i++) {
        const lope_level_hold *h = &holds[i];
        level_json_line(json, h->from, h->to);
        cli_json_number(json, "part", h->part);
        cli_json_bool(json, "bar", h->bar);
        json_numbers(json, (named[]){{"depth", h->depth}, {"room", h->room}}, 2);
        if (!h->bar) {
            level_json_vec(json, "normal", h->normal);
            level_json_vec(json, "out", h->out);
            cli_json_number(json, "angle", degrees(h->angle));
            cli_json_number(json, "slope", degrees(h->slope));
        }
        cli_json_close(json, '}');
    }
    cli_json_close(json, ']');
}

// ---- things that are of no use

#define MOST_SAID 12

static void fault_text(const level_work *work, const lope_part_fault *f, char *out, size_t size)
{
    lope_part part, other;
    const char *name = part_name(work, f->part, &part), *what = part_name(work, f->other, &other);
    if (f->metres == 0.0f)
        snprintf(out, size, "'%s' stands in '%s'", name, what ? what : "something");
    else if (what)
        snprintf(out, size, "'%s' hangs %.2f m above '%s'", name, (double)f->metres, what);
    else
        snprintf(out, size, "'%s' hangs in the air, over nothing", name);
}

static lope_status say_faults(const level_work *work, cli_json *json, lope_error *error)
{
    lope_part_fault faults[MOST_SAID];
    int count;
    lope_status status = lope_level_faults(work->level, faults, MOST_SAID, &count, error);
    if (json)
        cli_json_open(json, "faults", '[');
    for (int i = 0; i < count && i < MOST_SAID && !status; i++) {
        char text[300];
        fault_text(work, &faults[i], text, sizeof text);
        if (!json) {
            printf("%s, at %.2f,%.2f,%.2f: it may be of no use\n", text, (double)faults[i].at.x, (double)faults[i].at.y,
                   (double)faults[i].at.z);
            continue;
        }
        cli_json_open(json, NULL, '{');
        cli_json_number(json, "part", faults[i].part);
        cli_json_text(json, "says", text);
        level_json_vec(json, "at", faults[i].at);
        cli_json_close(json, '}');
    }
    if (json)
        cli_json_close(json, ']');
    else if (count > MOST_SAID)
        printf("%d more things hang in the air or stand in something\n", count - MOST_SAID);
    return status;
}

// ---- everything

// How many links of each kind there are, and how many holds.
static void say_links(const level_work *work)
{
    int count, holds, bars = 0, kinds[LOPE_LINK_KIND_COUNT] = {0};
    const lope_link *links = lope_floors_links(work->floors, &count);
    const lope_level_hold *hold = lope_floors_holds(work->floors, &holds);
    for (int i = 0; i < count; i++)
        kinds[links[i].kind]++;
    printf("%d links", count);
    for (int i = 0, said = 0; i < LOPE_LINK_KIND_COUNT; i++)
        if (kinds[i])
            printf("%s%d %s", said++ ? ", " : ": ", kinds[i], lope_link_kind_name((lope_link_kind)i));
    for (int i = 0; i < holds; i++)
        bars += hold[i].bar;
    printf("\n%d holds, %d of them bars\n", holds, bars);
}

static void say_text(const level_work *work)
{
    lope_vec3 low, high;
    int borders, floors = 0;
    lope_floors_borders(work->floors, &borders);
    for (int i = 0; i < lope_floors_count(work->floors); i++)
        floors += lope_floors_space(work->floors, i) != NULL;
    if (!lope_terrain_bounds(lope_level_terrain(work->level), &low, &high))
        low = high = lope_v3(0, 0, 0);
    printf("%s: %d parts, %d triangles, %.1f x %.1f x %.1f m\n", work->name, lope_level_part_count(work->level),
           lope_terrain_triangle_count(lope_level_terrain(work->level)), (double)(high.x - low.x),
           (double)(high.y - low.y), (double)(high.z - low.z));
    printf("%d floors with %d borders, found in %.1f ms\n", floors, borders, 1e3 * work->seconds);
    if (floors == 0)
        printf("there is no ground that a body could stand on\n");
    say_links(work);
}

cli_json level_json_begin(void)
{
    cli_json json = {.file = stdout, .first = true};
    cli_json_open(&json, NULL, '{');
    return json;
}

void level_json_end(cli_json *json)
{
    cli_json_close(json, '}');
    printf("\n");
}

int level_say_all(const level_work *work)
{
    lope_error error = {0};
    lope_status status = LOPE_OK;
    if (!work->settings->json) {
        say_text(work);
        status = say_faults(work, NULL, &error);
        return status ? cli_fail(work->command, &error) : CLI_OK;
    }
    cli_json json = level_json_begin();
    cli_json_text(&json, "name", work->name);
    cli_json_number(&json, "parts", lope_level_part_count(work->level));
    cli_json_number(&json, "triangles", lope_terrain_triangle_count(lope_level_terrain(work->level)));
    status = json_floors(&json, work);
    json_borders(&json, work);
    json_links(&json, work);
    json_holds(&json, work);
    if (!status)
        status = say_faults(work, &json, &error);
    level_json_end(&json);
    return status ? cli_fail(work->command, &error) : CLI_OK;
}

// ---- places

static void say_why(const level_work *work, const lope_floor_reason *why, char *out, size_t size)
{
    lope_part one, other;
    const char *name = part_name(work, why->part, &one), *second = part_name(work, why->other, &other);
    if (why->fault == LOPE_FLOOR_NO_GROUND)
        snprintf(out, size, "there is nothing to stand on");
    else if (why->fault == LOPE_FLOOR_STEEP)
        snprintf(out, size, "too steep: %.0f degrees", degrees(why->metres));
    else if (why->fault == LOPE_FLOOR_LOW)
        snprintf(out, size, "headroom %.2f m under '%s'", (double)why->metres, name ? name : "a ledge");
    else
        snprintf(out, size, "%.1f cm too narrow between '%s' and '%s'", 100.0 * (double)why->metres,
                 name ? name : "a ledge", second ? second : "a ledge");
}

int level_say_place(const level_work *work, lope_vec3 at)
{
    static const char *const faults[] = {"none", "no ground", "steep", "low", "narrow"};
    const lope_floor_reason why = lope_floors_why(work->floors, at, (float)work->settings->radius);
    const bool free = why.fault == LOPE_FLOOR_FINE;
    char text[300];
    lope_floor_spot spot = {.floor = -1};
    float clearance = 0.0f;
    if (free && lope_floors_ground(work->floors, at, 2.0f, &spot)) {
        clearance = lope_floors_clearance(work->floors, &spot, 100.0f);
        snprintf(text, sizeof text, "free at a height of %.3f m, on floor %d; the next border is %.2f m away",
                 (double)spot.at.y, spot.floor, (double)clearance);
    } else {
        say_why(work, &why, text, sizeof text);
    }
    if (!work->settings->json) {
        printf("%g,%g,%g: %s\n", (double)at.x, (double)at.y, (double)at.z, text);
        return CLI_OK;
    }
    cli_json json = level_json_begin();
    level_json_vec(&json, "at", at);
    cli_json_bool(&json, "free", free);
    cli_json_text(&json, "says", text);
    if (free) {
        level_json_vec(&json, "ground", spot.at);
        cli_json_number(&json, "floor", spot.floor);
        cli_json_number(&json, "clearance", (double)clearance);
    } else {
        cli_json_text(&json, "fault", faults[why.fault]);
        cli_json_number(&json, why.fault == LOPE_FLOOR_STEEP ? "degrees" : "metres",
                        why.fault == LOPE_FLOOR_STEEP ? degrees(why.metres) : (double)why.metres);
        cli_json_number(&json, "part", why.part);
        cli_json_number(&json, "other", why.other);
    }
    level_json_end(&json);
    return CLI_OK;
}
