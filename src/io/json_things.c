// SPDX-License-Identifier: MIT
#include "io/json_things.h"

#define MOST_COUNT 10000
// Boxes thinner than this (metres) have no size.
#define THINNEST 1e-3

int json_line(const json_reader *json)
{
    int line = 1;
    for (size_t i = 0; i < json->mark && i < json->size; i++)
        line += json->text[i] == '\n';
    return line;
}

bool json_place(json_reader *json, const char *what, float out[3])
{
    double at[3];
    if (!json_numbers(json, what, "x, y and z", 3, -JSON_FURTHEST, JSON_FURTHEST, at))
        return false;
    for (int i = 0; i < 3; i++)
        out[i] = (float)at[i];
    return true;
}

bool json_box(json_reader *json, const char *unit, lope_box *out)
{
    static const char *const keys[] = {"centre", "size", "degrees", "pitch", NULL};
    lope_box box = {0};
    float numbers[3];
    unsigned seen = 0;
    int key;
    if (!json_open(json, '{', "a box"))
        return false;
    while (json_key(json, keys, &seen, &key)) {
        if (key == 0 && json_place(json, "'centre'", numbers))
            box.centre = lope_v3(numbers[0], numbers[1], numbers[2]);
        else if (key == 1 && json_place(json, "'size'", numbers)) {
            box.half = lope_v3(0.5f * numbers[0], 0.5f * numbers[1], 0.5f * numbers[2]);
            for (int i = 0; i < 3; i++)
                if (!((double)numbers[i] >= THINNEST))
                    return json_fail(json, "a box of unit '%s' has no size: %g by %g by %g m", unit, (double)numbers[0],
                                     (double)numbers[1], (double)numbers[2]);
        } else if (key == 2)
            json_turn(json, "'degrees'", &box.yaw);
        else if (key == 3)
            json_turn(json, "'pitch'", &box.pitch);
    }
    if (json->status)
        return false;
    if (!(box.half.x > 0.0f))
        return json_fail(json, "a box of unit '%s' needs a 'size'", unit);
    *out = box;
    return true;
}

bool json_thing_read(json_reader *json, json_thing *out)
{
    static const char *const keys[] = {"unit", "at", "degrees", "count", "by", NULL};
    float at[3] = {0.0f}, by[3] = {0.0f}, yaw = 0.0f;
    unsigned seen = 0;
    int key;
    *out = (json_thing){.count = 1};
    if (!json_open(json, '{', "a thing"))
        return false;
    out->line = json_line(json);
    while (json_key(json, keys, &seen, &key)) {
        if (key == 0)
            json_read_string(json, "'unit'", out->unit, sizeof out->unit);
        else if (key == 1)
            json_place(json, "'at'", at);
        else if (key == 2)
            json_turn(json, "'degrees'", &yaw);
        else if (key == 3)
            json_whole(json, "'count'", 1, MOST_COUNT, &out->count);
        else
            json_place(json, "'by'", by);
    }
    if (json->status)
        return false;
    if (!out->unit[0] || !(seen & 2u))
        return json_fail(json, "a thing needs a 'unit' and where it is, 'at'");
    if (out->count > 1 && by[0] == 0.0f && by[1] == 0.0f && by[2] == 0.0f)
        return json_fail(json, "%d things in a row need 'by': how far each is from the one before", out->count);
    out->at = (lope_spot){at[0], at[1], at[2], yaw};
    out->by = (lope_spot){by[0], by[1], by[2], 0.0f};
    return true;
}
