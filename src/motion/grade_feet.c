// SPDX-License-Identifier: MIT
// What the feet do on the ground. Four views of the same fault, because each alone can be fooled:
//   skate          travel of low feet, weighted by height (Kovar, Schreiner, Gleicher 2002). Swinging feet pass low, so
//                  even captured walks score 15 to 30 cm/s;
//   planted skate  travel of toes that stay within 1 cm of their local ground for 0.1 s: swing does not count;
//   contact drift  travel of the very points that are said to touch, where the clip says so;
//   sliding share  how often a foot in contact moves faster than anyone could call standing.
#include "motion/grade_parts.h"

#define LOW 0.025f       // metres: feet above this are not near the ground
#define PLANTED 0.01f    // metres above the local ground
#define PLANTED_TIME 0.1 // seconds
#define LOCAL_GROUND 0.3 // seconds to either side in which the local ground is looked for
#define SLIDING 0.2      // metres per second
#define CENTIMETRES 100.0

static const int toes[2] = {PART_LEFT_TOE, PART_RIGHT_TOE};

static double travel_on_ground(const lope_vec3 *points, int frame)
{
    double x = (double)points[frame + 1].x - (double)points[frame].x;
    double z = (double)points[frame + 1].z - (double)points[frame].z;
    return sqrt(x * x + z * z);
}

// 2^x by lope_exp, so that grades have the same bits everywhere.
static double power_of_two(double x)
{
    return lope_exp(x * 0.69314718055994530942);
}

static float skate(const lope_contact_tracks *tracks, const lope_grade_def *def, float floor)
{
    double travel = 0.0;
    long frames = 0;
    for (int side = 0; side < 2; side++) {
        const lope_vec3 *points = tracks->points[toes[side]];
        for (int f = 0; f + 1 < tracks->frame_count; f++) {
            float height = fmaxf(lope_grade_distance(def, floor, points[f]), 0.0f);
            if (height >= LOW)
                continue;
            travel += travel_on_ground(points, f) * (2.0 - power_of_two((double)(height / LOW)));
            frames++;
        }
    }
    return frames ? (float)(CENTIMETRES * travel * tracks->frame_rate / (double)frames) : 0.0f;
}

static bool near_local_ground(const lope_vec3 *points, int count, int frame, int reach)
{
    int first = frame > reach ? frame - reach : 0, last = frame + reach < count ? frame + reach : count - 1;
    float ground = points[frame].y;
    for (int f = first; f <= last; f++)
        ground = fminf(ground, points[f].y);
    return points[frame].y <= ground + PLANTED;
}

static float planted_skate(const lope_contact_tracks *tracks)
{
    int count = tracks->frame_count, reach = (int)(LOCAL_GROUND * tracks->frame_rate + 0.5);
    double travel = 0.0;
    long frames = 0;
    for (int side = 0; side < 2; side++) {
        const lope_vec3 *points = tracks->points[toes[side]];
        for (int f = 0; f < count; f++) {
            int first = f;
            while (f < count && near_local_ground(points, count, f, reach))
                f++;
            if ((double)(f - first) < PLANTED_TIME * tracks->frame_rate)
                continue;
            for (int g = first; g + 1 < f; g++, frames++)
                travel += travel_on_ground(points, g);
        }
    }
    return frames ? (float)(CENTIMETRES * travel * tracks->frame_rate / (double)frames) : 0.0f;
}

// Knees and the seat roll over what they touch: heels, toes and hands are the points that should stay.
static float contact_drift(const lope_contact_tracks *tracks, const uint16_t *contacts)
{
    double travel = 0.0;
    long frames = 0;
    for (int part = PART_LEFT_HEEL; part <= PART_RIGHT_HAND; part++)
        for (int f = 0; tracks->known[part] && f + 1 < tracks->frame_count; f++) {
            if (!(contacts[f] & contacts[f + 1] & 1u << part))
                continue;
            travel += (double)lope_v3_distance(tracks->points[part][f], tracks->points[part][f + 1]);
            frames++;
        }
    return frames ? (float)(CENTIMETRES * travel * tracks->frame_rate / (double)frames) : 0.0f;
}

// Frames over which a foot's speed is measured: about 1/30 s, so that jitter of fast captures does not pass for
// sliding.
static int speed_frames(double frame_rate)
{
    int frames = (int)(frame_rate / 30.0 + 0.5);
    return frames < 1 ? 1 : frames;
}

static bool touches_throughout(const uint16_t *contacts, int first, int last, unsigned bit)
{
    for (int f = first; f <= last; f++)
        if (!(contacts[f] & bit))
            return false;
    return true;
}

// A foot slides when even the slowest of its touching points is fast: rolling over the ball is no sliding.
static float sliding_share(const lope_contact_tracks *tracks, const uint16_t *contacts)
{
    long touching = 0, sliding = 0;
    int step = speed_frames(tracks->frame_rate);
    for (int side = 0; side < 2; side++)
        for (int f = 0; f + step < tracks->frame_count; f++) {
            double slowest = HUGE_VAL;
            for (int part = toes[side] - 1; part <= toes[side]; part++) {
                const lope_vec3 *points = tracks->points[part];
                if (touches_throughout(contacts, f, f + step, 1u << part))
                    slowest = fmin(slowest, (double)lope_v3_distance(points[f], points[f + step]));
            }
            if (slowest == HUGE_VAL)
                continue;
            touching++;
            sliding += slowest * tracks->frame_rate > SLIDING * step;
        }
    return touching ? (float)((double)sliding / (double)touching) : 0.0f;
}

void lope_grade_feet(const lope_contact_tracks *tracks, const lope_grade_def *def, const uint16_t *contacts, bool exact,
                     lope_grade *out)
{
    out->skate = skate(tracks, def, out->floor);
    out->planted_skate = planted_skate(tracks);
    out->contact_drift = exact ? contact_drift(tracks, contacts) : NAN;
    out->sliding_share = sliding_share(tracks, contacts);
}
