// SPDX-License-Identifier: MIT
// The curve of fades with inertia: x(t) = x0 * offset(t) + v0 * velocity(t), with u = FADE_RATE * t / duration and
//
//     offset = (1 + u + u^2 / 2) e^-u,   velocity = t (1 + u) e^-u.
//
// It is the response of three equal delays in a row. Place, speed and acceleration go on from the cut, where a
// critically damped spring pulls at once with all its force: to get rid of the same difference in the same time that
// takes more than twice the acceleration, which forearms that hang still show as a twitch.
#ifndef LOPE_SRC_MOTION_FADE_H
#define LOPE_SRC_MOTION_FADE_H

// 5 % of a difference are left after 3.4 durations: as long as with a critically damped spring of that half-life.
#define FADE_RATE 1.84f

// Differences get smaller by at most this share within a duration, at 2 / FADE_RATE of it.
#define FADE_STEEPEST 0.5f

#endif
