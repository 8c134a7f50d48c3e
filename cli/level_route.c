// SPDX-License-Identifier: MIT
// `lope level --from A --to B`: the way, or what a body would have to be able to do.
#include <math.h>
#include <string.h>

#include "cli/level.h"
#include "lope/level_route.h"

static lope_traveller body_of(const level_settings *s)
{
    lope_traveller who = lope_traveller_default();
    who.radius = (float)s->radius;
    who.reach *= (float)s->height / who.height;
    who.height = (float)s->height;
    who.climb = (float)s->climb;
    who.leap = (float)s->leap;
    return who;
}

// What a link asks that a body has not; "" where it can be taken.
static void link_excess(const lope_link *l, const lope_traveller *who, char *out, size_t size)
{
    const bool climbed = l->kind == LOPE_LINK_UP || l->kind == LOPE_LINK_DOWN || l->kind == LOPE_LINK_OVER;
    const bool walked = l->kind <= LOPE_LINK_RUBBLE || l->kind == LOPE_LINK_GAP;
    out[0] = 0;
    if (climbed && fabsf(l->rise) > who->climb)
        snprintf(out, size, "it is %.2f m high, and this body climbs %.2f m", fabs((double)l->rise),
                 (double)who->climb);
    else if (l->reach > who->reach)
        snprintf(out, size, "hands must reach %.2f m, and those of this body reach %.2f m", (double)l->reach,
                 (double)who->reach);
    else if (l->kind == LOPE_LINK_GAP && l->across > who->leap)
        snprintf(out, size, "it is %.2f m wide, and this body jumps %.2f m", (double)l->across, (double)who->leap);
    else if (walked && l->headroom > 0.0f && l->headroom < who->height - 0.01f)
        snprintf(out, size, "its headroom is %.2f m, and this body is %.2f m tall", (double)l->headroom,
                 (double)who->height);
    else if (walked && l->room > 0.0f && l->room < 2.0f * who->radius)
        snprintf(out, size, "it is %.2f m wide, and this body %.2f m", (double)l->room, 2.0 * (double)who->radius);
}

// The same of a leg, which may be a walk. What kind of way it is goes into `what`.
static void leg_excess(const level_work *work, const lope_leg *leg, const lope_traveller *who, char *out, size_t size)
{
    int count;
    const lope_link *links = lope_floors_links(work->floors, &count);
    const lope_passages *passages = lope_floors_passages(work->floors, leg->floor);
    out[0] = 0;
    if (leg->link >= 0) {
        link_excess(&links[leg->link], who, out, size);
        return;
    }
    const lope_vec2 from = {leg->from.x, leg->from.z}, to = {leg->to.x, leg->to.z};
    const float widest = passages ? lope_passages_widest(passages, from, to) : INFINITY;
    if (widest < who->radius - 0.005f) // links begin where a body just fits
        snprintf(out, size, "a place on the way is %.2f m wide, and this body %.2f m", 2.0 * (double)widest,
                 2.0 * (double)who->radius);
}

static const char *leg_name(const level_work *work, const lope_leg *leg)
{
    int count;
    return leg->link < 0 ? "walk" : lope_link_kind_name(lope_floors_links(work->floors, &count)[leg->link].kind);
}

// Tries bodies that can do more, one ability after the other, and says what a way would ask.
static void why_no_route(const level_work *work, lope_level_router *router, lope_trip trip, char *out, size_t size)
{
    const lope_traveller who = trip.who;
    const lope_floors_def usual = lope_floors_def_default();
    for (int more = 0; more < 7; more++) {
        lope_legs legs;
        trip.who = who;
        trip.who.climb = more == 0 || more >= 5 ? 20.0f : who.climb;
        trip.who.leap = more == 1 || more == 6 ? 20.0f : who.leap;
        trip.who.reach = more == 2 || more >= 5 ? 20.0f : who.reach;
        trip.who.height = more == 3 || more == 6 ? 0.1f : who.height;
        trip.who.radius = more == 4 || more == 6 ? 0.01f : who.radius;
        if (lope_level_route(router, work->floors, &trip, &legs, NULL) != LOPE_OK)
            continue;
        for (int i = 0; i < legs.count; i++) {
            char excess[160];
            const lope_leg *leg = &legs.items[i];
            leg_excess(work, leg, &who, excess, sizeof excess);
            if (!excess[0])
                continue;
            snprintf(out, size, "%s from %.2f,%.2f,%.2f to %.2f,%.2f,%.2f: %s", leg_name(work, leg),
                     (double)leg->from.x, (double)leg->from.y, (double)leg->from.z, (double)leg->to.x,
                     (double)leg->to.y, (double)leg->to.z, excess);
            return;
        }
    }
    snprintf(out, size, "nothing leads there; ledges above %.1f m and gaps above %.1f m are not looked at",
             (double)usual.climb, (double)usual.leap);
}

static void say_legs(const level_work *work, const lope_legs *legs, const lope_traveller *who, cli_json *json)
{
    for (int i = 0; i < legs->count; i++) {
        const lope_leg *leg = &legs->items[i];
        char excess[160];
        leg_excess(work, leg, who, excess, sizeof excess);
        if (!json) {
            printf("  %s to %.2f,%.2f,%.2f, %.1f s%s%s\n", leg_name(work, leg), (double)leg->to.x, (double)leg->to.y,
                   (double)leg->to.z, (double)leg->seconds, excess[0] ? "; but " : "", excess);
            continue;
        }
        level_json_line(json, leg->from, leg->to);
        cli_json_text(json, "by", leg_name(work, leg));
        cli_json_number(json, leg->link < 0 ? "floor" : "link", leg->link < 0 ? leg->floor : leg->link);
        cli_json_number(json, "seconds", (double)leg->seconds);
        if (excess[0])
            cli_json_text(json, "but", excess);
        cli_json_close(json, '}');
    }
}

int level_say_route(const level_work *work, lope_vec3 from, lope_vec3 to)
{
    lope_level_router *router = NULL;
    lope_error error = {0};
    lope_legs legs = {0};
    char why[512] = "";
    const lope_trip trip = {from, to, body_of(work->settings)};
    lope_status status = lope_level_router_create(&router, &error);
    if (!status)
        status = lope_level_route(router, work->floors, &trip, &legs, &error);
    const bool found = status == LOPE_OK;
    if (status == LOPE_NOT_FOUND) {
        lope_floor_spot spot; // ends that are no ground say so themselves
        if (lope_floors_ground(work->floors, from, 1.0f, &spot) && lope_floors_ground(work->floors, to, 1.0f, &spot))
            why_no_route(work, router, trip, why, sizeof why);
        else
            snprintf(why, sizeof why, "%s", error.message);
        status = LOPE_OK;
    }
    if (!status && work->settings->json) {
        cli_json json = level_json_begin();
        cli_json_bool(&json, "found", found);
        if (found)
            cli_json_number(&json, "seconds", (double)legs.seconds);
        else
            cli_json_text(&json, "why", why);
        cli_json_open(&json, "legs", '[');
        say_legs(work, &legs, &trip.who, &json);
        cli_json_close(&json, ']');
        level_json_end(&json);
    } else if (!status && found) {
        printf("%d legs, %.1f s\n", legs.count, (double)legs.seconds);
        say_legs(work, &legs, &trip.who, NULL);
    } else if (!status) {
        printf("no way: %s\n", why);
    }
    lope_level_router_destroy(router);
    return status ? cli_fail(work->command, &error) : found ? CLI_OK : CLI_FAILED;
}
