// SPDX-License-Identifier: MIT
// Smooth curves through keys: what the special motions are written in.
#ifndef LOPE_SRC_SYNTH_TRACK_H
#define LOPE_SRC_SYNTH_TRACK_H

#define SYNTH_TRACK_KEYS 40

// A curve with continuous acceleration through its keys. Between two equal keys it is constant, it never leaves the
// range of two neighbouring keys, and it rests at its first key before it and at its last one after it.
typedef struct synth_track {
    int count;
    float times[SYNTH_TRACK_KEYS]; // ascending
    float values[SYNTH_TRACK_KEYS];
} synth_track;

// Adds a key; `time` lies after the last one. At the same time it replaces the last one's value.
void synth_track_key(synth_track *track, float time, float value);
// Keeps the last value until `from` and comes to rest at `value` at `to`.
void synth_track_move(synth_track *track, float from, float to, float value);
float synth_track_at(const synth_track *track, double time);
// The value of the last key; 0 without keys.
float synth_track_last(const synth_track *track);

#endif
