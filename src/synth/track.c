// SPDX-License-Identifier: MIT
// Smooth curves through keys: quintic pieces with zero acceleration at the keys. The slope at a key is the harmonic
// mean of the slopes on its two sides and zero where those differ in sign, so that curves do not overshoot and hands
// and feet that are told to stay do stay (Fritsch and Butland 1984, there for cubics). A piece with zero slope at both
// ends is the minimum-jerk reach of Flash and Hogan 1985.
#include "synth/track.h"

#include <assert.h>

void synth_track_key(synth_track *track, float time, float value)
{
    if (track->count > 0 && time <= track->times[track->count - 1]) {
        assert(time > track->times[track->count - 1] - 1e-4f);
        track->values[track->count - 1] = value;
        return;
    }
    assert(track->count < SYNTH_TRACK_KEYS);
    track->times[track->count] = time;
    track->values[track->count] = value;
    track->count++;
}

void synth_track_move(synth_track *track, float from, float to, float value)
{
    synth_track_key(track, from, synth_track_last(track));
    synth_track_key(track, to, value);
}

float synth_track_last(const synth_track *track)
{
    return track->count > 0 ? track->values[track->count - 1] : 0.0f;
}

static double secant(const synth_track *track, int i)
{
    return ((double)track->values[i + 1] - (double)track->values[i]) /
           ((double)track->times[i + 1] - (double)track->times[i]);
}

static double slope_at(const synth_track *track, int key)
{
    if (key == 0 || key == track->count - 1)
        return 0.0;
    double before = secant(track, key - 1), after = secant(track, key);
    return before * after > 0.0 ? 2.0 * before * after / (before + after) : 0.0;
}

float synth_track_at(const synth_track *track, double time)
{
    int count = track->count;
    if (count == 0 || time >= (double)track->times[count - 1])
        return synth_track_last(track);
    if (time <= (double)track->times[0])
        return track->values[0];
    int i = 0;
    while (time >= (double)track->times[i + 1])
        i++;
    double duration = (double)track->times[i + 1] - (double)track->times[i];
    double u = (time - (double)track->times[i]) / duration, u3 = u * u * u;
    double rise = u3 * (10.0 + u * (-15.0 + 6.0 * u));
    double leave = u + u3 * (-6.0 + u * (8.0 - 3.0 * u)), arrive = u3 * (-4.0 + u * (7.0 - 3.0 * u));
    double first = (double)track->values[i], last = (double)track->values[i + 1];
    return (float)(first + (last - first) * rise +
                   duration * (slope_at(track, i) * leave + slope_at(track, i + 1) * arrive));
}
