// SPDX-License-Identifier: MIT
// What `lope follow` is asked to do: a flow of a scene, or two places and boxes between them.
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "cli/follow.h"
#include "cli/scenes.h"

int follow_numbers(const char *text, size_t length, double *out, int most)
{
    char copy[160], *at = copy, *end;
    if (length == 0 || length >= sizeof copy)
        return -1;
    memcpy(copy, text, length);
    copy[length] = 0;
    for (int count = 0; count < most; at = end + 1) {
        out[count] = strtod(at, &end);
        if (end == at || !isfinite(out[count++]) || fabs(out[count - 1]) > 1e5)
            return -1;
        if (*end == 0)
            return count;
        if (*end != ',')
            return -1;
    }
    return -1;
}

static int read_place(const cli_command *command, const char *option, const char *text, lope_vec2 *place, float *yaw)
{
    double numbers[3];
    int count = follow_numbers(text, strlen(text), numbers, 3);
    if (count < 2)
        return cli_usage(command, "%s needs x,z or x,z,facing in metres and degrees, found '%s'", option, text);
    *place = (lope_vec2){(float)numbers[0], (float)numbers[1]};
    *yaw = count == 3 ? (float)(numbers[2] * LOPE_PI / 180.0) : (float)NAN;
    return CLI_OK;
}

// Boxes of a text become a scene of its own, with ground around everything.
static int read_boxes(const cli_command *command, const char *text, const follow_task *task, lope_scene **out)
{
    char *json =
        cli_format("{\"name\": \"follow\", \"areas\": {\"a\": [[%.6g, %.6g], [%.6g, %.6g]], \"b\": [[%.6g, %.6g], "
                   "[%.6g, %.6g]]}, \"flows\": [{\"from\": \"a\", \"to\": \"b\"}], \"obstacles\": [",
                   (double)task->places[0].x - 0.2, (double)task->places[0].z - 0.2, (double)task->places[0].x + 0.2,
                   (double)task->places[0].z + 0.2, (double)task->places[1].x - 0.2, (double)task->places[1].z - 0.2,
                   (double)task->places[1].x + 0.2, (double)task->places[1].z + 0.2);
    const char *comma = "";
    for (text = text ? text + strspn(text, " \t") : ""; *text; text += strspn(text, " \t")) {
        size_t length = strcspn(text, " \t");
        double n[5] = {0};
        int count = follow_numbers(text, length, n, 5);
        if (count < 4 || !(n[2] > 0.0 && n[3] > 0.0)) {
            free(json);
            return cli_usage(command,
                             "--boxes needs boxes such as x,z,width,depth or x,z,width,depth,degrees, found '%.*s'",
                             (int)length, text);
        }
        char *longer =
            cli_format("%s%s{\"box\": {\"centre\": [%.6g, %.6g], \"size\": [%.6g, %.6g], \"degrees\": %.6g}}", json,
                       comma, n[0], n[1], n[2], n[3], n[4]);
        free(json);
        json = longer;
        comma = ", ";
        text += length;
    }
    char *whole = cli_format("%s]}", json);
    free(json);
    lope_error error = {0};
    lope_status status = lope_scene_read_memory(whole, strlen(whole), "--boxes", out, &error);
    free(whole);
    return status ? cli_fail(command, &error) : CLI_OK;
}

static lope_vec2 middle(const lope_scene_area *area)
{
    return (lope_vec2){0.5f * (area->low.x + area->high.x), 0.5f * (area->low.z + area->high.z)};
}

static int read_flow(const cli_command *command, const follow_settings *settings, follow_task *out)
{
    int code = cli_scene_open_flows(command, settings->scene, &out->scene);
    if (code)
        return code;
    if (settings->flow > out->scene->flow_count)
        return cli_usage(command, "--flow %d: the scene has %d", settings->flow, out->scene->flow_count);
    const lope_scene_flow *flow = &out->scene->flows[settings->flow > 0 ? settings->flow - 1 : 0];
    out->places[out->count++] = middle(&out->scene->areas[flow->from]);
    for (int i = 0; i < flow->via_count; i++)
        out->places[out->count++] = flow->via[i];
    out->places[out->count++] = middle(&out->scene->areas[flow->to]);
    return CLI_OK;
}

int follow_task_read(const cli_command *command, const follow_settings *settings, follow_task *out)
{
    *out = (follow_task){.start_yaw = (float)NAN, .goal_yaw = (float)NAN};
    int code = CLI_OK;
    if (settings->scene && !settings->from && !settings->to && !settings->boxes)
        return read_flow(command, settings, out);
    if (settings->scene && settings->boxes)
        return cli_usage(command, "--scene or --boxes, not both");
    if (!settings->from || !settings->to)
        return cli_usage(command, "where to walk? Give --scene NAME, or --from x,z and --to x,z");
    out->count = 2;
    code = read_place(command, "--from", settings->from, &out->places[0], &out->start_yaw);
    if (!code)
        code = read_place(command, "--to", settings->to, &out->places[1], &out->goal_yaw);
    if (!code)
        code = settings->scene ? cli_scene_open(command, settings->scene, &out->scene)
                               : read_boxes(command, settings->boxes, out, &out->scene);
    return code;
}

void follow_task_free(follow_task *task)
{
    lope_scene_destroy(task->scene);
    *task = (follow_task){0};
}
