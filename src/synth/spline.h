// SPDX-License-Identifier: MIT
// Smooth functions of time that gaits are made of: easing, quintic pieces and a cubic spline of several channels.
#ifndef LOPE_SRC_SYNTH_SPLINE_H
#define LOPE_SRC_SYNTH_SPLINE_H

// 0 below 0, 1 above 1, in between with zero speed and acceleration at both ends.
double synth_ease(double u);
// The same end conditions, with the speed held constant between two ramps; both are shares, their sum at most 1.
double synth_cruise(double u, double speed_up, double slow_down);
// u^rise (1 - u)^fall scaled to a peak of 1 at rise / (rise + fall); 0 outside 0 .. 1.
double synth_bump(double u, int rise, int fall);

typedef struct synth_state {
    double value, speed, acceleration;
} synth_state;

// The quintic that goes from one state to the other within `duration`, at `time`; constant beyond both ends.
double synth_quintic(synth_state from, synth_state to, double duration, double time);

// A twice continuously differentiable curve through knots, several channels at the same times. At each end the
// channels are either at rest or free (no acceleration); beyond the ends they stay or go on straight.
enum { SYNTH_SPLINE_KNOTS = 128, SYNTH_SPLINE_CHANNELS = 16 };
typedef struct synth_spline {
    int knots, channels;
    int rest_first, rest_last; // 1: zero speed at that end
    double times[SYNTH_SPLINE_KNOTS];
    double values[SYNTH_SPLINE_KNOTS][SYNTH_SPLINE_CHANNELS];
    double slopes[SYNTH_SPLINE_KNOTS][SYNTH_SPLINE_CHANNELS]; // computed
} synth_spline;

// Computes the slopes of one channel after its values have changed.
void synth_spline_fit(synth_spline *spline, int channel);
double synth_spline_at(const synth_spline *spline, int channel, double time);
// Index of the knot that begins the interval `time` lies in, 0 .. knots - 2.
int synth_spline_interval(const synth_spline *spline, double time);

#endif
