// SPDX-License-Identifier: MIT
// Foot locking, for as many characters at once as there are lanes; included between math/lanes_begin.h and
// math/lanes_end.h. lock.c compiles it for one character, shown_lanes.c for several; all give the same bits.
//
// Nothing branches: each character of a group may be at another point of its stride.

#define lock_springs LANES_NAME(lock_springs)
#define lock_settings LANES_NAME(lock_settings)
#define lock_leg LANES_NAME(lock_leg)
#define lock_foot LANES_NAME(lock_foot)
#define lock_body LANES_NAME(lock_body)
#define lock_solution LANES_NAME(lock_solution)
#define lock_decay LANES_NAME(lock_decay)
#define lock_limit LANES_NAME(lock_limit)
#define lock_yaw LANES_NAME(lock_yaw)
#define lock_turned LANES_NAME(lock_turned)
#define lock_update_turn LANES_NAME(lock_update_turn)
#define lock_choose_point LANES_NAME(lock_choose_point)
#define lock_hold LANES_NAME(lock_hold)
#define lock_lift LANES_NAME(lock_lift)
#define lock_full LANES_NAME(lock_full)
#define lock_update_foot LANES_NAME(lock_update_foot)
#define lock_needed LANES_NAME(lock_needed)
#define lock_update_body LANES_NAME(lock_update_body)
#define lock_ahead LANES_NAME(lock_ahead)
#define lock_unsure LANES_NAME(lock_unsure)
#define lock_bend LANES_NAME(lock_bend)
#define lock_reach LANES_NAME(lock_reach)
#define lock_solve LANES_NAME(lock_solve)
#define lock_settle LANES_NAME(lock_settle)

// lope_lock_def and the time since the last frame.
typedef struct lock_settings {
    wide stiffness, left, dt; // of springs of the half-life
    wide sunk;                // what is left of a height off the ground
    wide unlock_distance, softness, lowering, ground;
    mask grounded; // `ground` is known
} lock_settings;

// One leg as the motion has it.
typedef struct lock_leg {
    points hip, knee, ankle, heel, ball;
    points hips;             // from the right hip joint to the left one
    points toe;              // joint; the ankle where there is none
    wide per_hips, per_foot; // one over the lengths of `hips` and of the foot at rest; 0: they have none
    wide longest, shortest;  // the motion's leg; 0: not known
    wide back;               // that its knee comes to lie behind it
    wide heel_low, ball_low; // the motion's soles
    mask heel_touches, ball_touches;
} lock_leg;

// lope_lock_foot, and cosine and sine of its turn.
typedef struct lock_foot {
    points offset, velocity;
    wide turn, turn_velocity, cosine, sine;
    wide point_x, point_z, direction_x, direction_z, heel_x, heel_z, ball_x, ball_z;
    wide lift;     // metres that the sole would be too low by; only of this frame
    points before; // the offset of the last frame; only of this frame
    mask locked, at_heel, flat, strayed;
} lock_foot;

// How thigh and shin turn and where their ends come to lie.
typedef struct lock_solution {
    quats thigh, shin, foot;
    points knee, ankle;
    mask short_of; // the leg does not reach to where the foot is asked for
    mask moves;    // otherwise everything stays as it was
} lock_solution;

// A critically damped spring towards zero, dt later.
LANE_INLINE void lock_decay(const lock_settings *s, wide *x, wide *v)
{
    wide drive = *v + *x * s->stiffness;
    *x = (*x + drive * s->dt) * s->left;
    *v = (*v - drive * (s->stiffness * s->dt)) * s->left;
}

LANE_INLINE wide lock_limit(wide v, float most)
{
    return lane_max(lane_min(v, lane_all(most)), lane_all(-most));
}

// Cosine and sine of the turn by series, which do for a radian and a half.
LANE_INLINE void lock_yaw(lock_foot *foot)
{
    wide t = foot->turn, q = t * t;
    foot->cosine = 1.0f - q * (0.5f - q * (1.0f / 24.0f - q * (1.0f / 720.0f - q * (1.0f / 40320.0f))));
    foot->sine = t * (1.0f - q * (1.0f / 6.0f - q * (1.0f / 120.0f - q * (1.0f / 5040.0f - q * (1.0f / 362880.0f)))));
}

// Where a point of the foot is shown over the ground.
LANE_INLINE void lock_turned(const lock_leg *leg, const lock_foot *foot, points point, wide *x, wide *z)
{
    points arm = lane_sub(point, leg->ankle);
    *x = leg->ankle.x + foot->offset.x + (foot->cosine * arm.x + foot->sine * arm.z);
    *z = leg->ankle.z + foot->offset.z + (foot->cosine * arm.z - foot->sine * arm.x);
}

// While heel and ball touch, the foot keeps its heading; otherwise the turn decays. Returns who turned too far.
LANE_INLINE mask lock_update_turn(const lock_settings *s, const lock_leg *leg, lock_foot *foot)
{
    wide before = foot->turn;
    mask was_flat = foot->flat;
    lock_decay(s, &foot->turn, &foot->turn_velocity);
    lock_yaw(foot);
    wide x = leg->ball.x - leg->heel.x, z = leg->ball.z - leg->heel.z;
    wide scale = 1.0f / lane_max(lane_sqrt(x * x + z * z), lane_all(1e-6f));
    x *= scale;
    z *= scale;
    foot->flat = leg->heel_touches & leg->ball_touches & ~foot->strayed;
    mask begins = foot->flat & ~was_flat, stays = foot->flat & was_flat;
    foot->direction_x = lane_select(begins, foot->cosine * x + foot->sine * z, foot->direction_x);
    foot->direction_z = lane_select(begins, foot->cosine * z - foot->sine * x, foot->direction_z);

    wide cosine = x * foot->direction_x + z * foot->direction_z, sine = z * foot->direction_x - x * foot->direction_z;
    mask too_far = stays & (lane_less(cosine, lane_all(0.0f)) | lane_less(lane_all(UNLOCK_SINE), lane_abs(sine)));
    stays &= ~too_far;
    wide q = sine * sine;
    wide held =
        sine * (1.0f + q * (1.0f / 6.0f +
                            q * (3.0f / 40.0f +
                                 q * (15.0f / 336.0f +
                                      q * (105.0f / 3456.0f + q * (945.0f / 42240.0f + q * (10395.0f / 599040.0f)))))));
    foot->turn = lane_select(stays, held, foot->turn);
    foot->cosine = lane_select(stays, cosine, foot->cosine);
    foot->sine = lane_select(stays, sine, foot->sine);
    mask timed = stays & lane_less(lane_all(0.0f), s->dt);
    wide speed = lock_limit((held - before) / lane_select(timed, s->dt, lane_all(1.0f)), FASTEST_TURN);
    foot->turn_velocity = lane_select(timed, speed, foot->turn_velocity);
    return too_far;
}

// Chooses which point is held from now on, if any, and where. From heel to ball it changes hands where it was shown
// last, so that the roll does not move the foot. Writes where the motion and the decay have it.
LANE_INLINE void lock_choose_point(const lock_leg *leg, mask was_flat, lock_foot *foot, wide *now_x, wide *now_z)
{
    mask touches = leg->heel_touches | leg->ball_touches;
    mask keeps = foot->locked & ((foot->at_heel & leg->heel_touches) | (~foot->at_heel & leg->ball_touches));
    mask rolls = foot->locked & was_flat & touches & ~keeps; // the other point was down already
    foot->locked = keeps | (touches & ~foot->strayed);
    foot->at_heel = (keeps & foot->at_heel) | (~keeps & leg->heel_touches);
    lock_turned(leg, foot, lane_pick(foot->at_heel, leg->heel, leg->ball), now_x, now_z);
    wide rolled_x = lane_select(foot->at_heel, foot->heel_x, foot->ball_x);
    wide rolled_z = lane_select(foot->at_heel, foot->heel_z, foot->ball_z);
    foot->point_x = lane_select(keeps, foot->point_x, lane_select(rolls, rolled_x, *now_x));
    foot->point_z = lane_select(keeps, foot->point_z, lane_select(rolls, rolled_z, *now_z));
}

// Moves the foot to where its point is held, unless that is too far off.
LANE_INLINE void lock_hold(const lock_settings *s, const lock_leg *leg, wide now_x, wide now_z, mask too_far,
                           lock_foot *foot)
{
    wide x = foot->offset.x + (foot->point_x - now_x), z = foot->offset.z + (foot->point_z - now_z);
    too_far |= lane_less(s->unlock_distance, lane_sqrt(x * x + z * z));
    foot->strayed |= foot->locked & too_far;
    foot->locked &= ~too_far;
    foot->flat &= ~too_far;
    foot->offset.x = lane_select(foot->locked, x, foot->offset.x);
    foot->offset.z = lane_select(foot->locked, z, foot->offset.z);
    wide sole = lane_select(foot->at_heel, leg->heel.y, leg->ball.y), up = s->ground - sole;
    mask stands = foot->locked & s->grounded;
    foot->offset.y = lane_select(stands, up + (foot->before.y - up) * s->sunk, foot->offset.y);
}

// How far a sole that is moved by `up` must be lifted on to be no lower than in the motion: what fades make of two
// poses that both stand can be under the floor.
LANE_INLINE wide lock_lift(const lock_leg *leg, wide up)
{
    wide soft = lane_all(FLOOR_SOFTNESS), zero = lane_all(0.0f);
    wide deep = lane_max(leg->heel_low - leg->heel.y, leg->ball_low - leg->ball.y) - up;
    wide some = lane_max(deep + soft, zero);
    return lane_select(lane_less(soft, deep), deep, some * some * (0.25f / FLOOR_SOFTNESS));
}

// Brings offset and turn to this frame.
LANE_INLINE void lock_update_foot(const lock_settings *s, const lock_leg *leg, lock_foot *foot)
{
    points before = foot->before = foot->offset;
    mask was_flat = foot->flat, touches = leg->heel_touches | leg->ball_touches;
    wide off = lane_sqrt(before.x * before.x + before.z * before.z);
    foot->strayed &= touches & ~lane_less(off, NEAR_AGAIN * s->unlock_distance);
    mask too_far = lock_update_turn(s, leg, foot);
    lock_decay(s, &foot->offset.x, &foot->velocity.x);
    lock_decay(s, &foot->offset.y, &foot->velocity.y);
    lock_decay(s, &foot->offset.z, &foot->velocity.z);
    wide now_x, now_z;
    lock_choose_point(leg, was_flat, foot, &now_x, &now_z);
    lock_hold(s, leg, now_x, now_z, too_far, foot);
    lock_turned(leg, foot, leg->heel, &foot->heel_x, &foot->heel_z);
    lock_turned(leg, foot, leg->ball, &foot->ball_x, &foot->ball_z);
    foot->lift = lock_lift(leg, foot->offset.y);
}

// How far the leg may be stretched: as far as the motion ever does. What fades make of two poses may be more.
LANE_INLINE wide lock_full(const lock_leg *leg, wide bones)
{
    return lane_select(lane_less(lane_all(0.0f), leg->longest), lane_min(leg->longest, bones), bones);
}

// How far the hip must come down for the ankle to be held without stretching the leg into its soft limit, or farther
// than the motion stretches it.
LANE_INLINE wide lock_needed(const lock_settings *s, const lock_leg *leg, const lock_foot *foot)
{
    points knee = lane_sub(leg->knee, leg->hip), line = lane_sub(leg->ankle, leg->hip);
    wide stretch = lane_length(line);
    wide full = lock_full(leg, lane_length(knee) + lane_length(lane_sub(line, knee)));
    wide reach = lane_max(full - s->softness, lane_min(stretch, full));
    points to = lane_add(line, foot->offset);
    wide squared = reach * reach - to.x * to.x - to.z * to.z;
    wide needed = -to.y - lane_sqrt(lane_max(squared, lane_all(0.0f)));
    // Where it is too far to the side, lowering is no help.
    mask helps = foot->locked & lane_less(lane_all(0.0f), squared) & lane_less(lane_all(0.0f), needed);
    return lane_select(helps, lane_min(needed, s->lowering), lane_all(0.0f));
}

// Lowers the body towards what held feet need, or lets it come up: never at once, because all of the body shows it.
LANE_INLINE void lock_update_body(const lock_settings *s, wide needed, wide *body, wide *velocity)
{
    wide off = *body + needed, speed = *velocity;
    lock_decay(s, &off, &speed);
    wide at = off - needed;
    mask past = lane_less(at, -s->lowering) | lane_less(lane_all(0.0f), at);
    *body = lane_min(lane_max(at, -s->lowering), lane_all(0.0f));
    *velocity = lane_select(past, lane_all(0.0f), speed);
}

// knee_ahead, of unit length; zero where there is no direction.
LANE_INLINE points lock_ahead(const lock_leg *leg, points along)
{
    points foot = lane_scale(lane_sub(leg->toe, leg->ankle), leg->per_foot);
    foot = lane_mad(foot, along, -lane_dot(foot, along));
    points ahead = lane_mad(lane_cross(along, lane_scale(leg->hips, leg->per_hips)), foot, lane_all(FOOT_SAYS));
    wide length = lane_length(ahead);
    return lane_scale(ahead, lane_select(lane_less(lane_all(1e-3f), length), 1.0f / length, lane_all(0.0f)));
}

// limb_unsure
LANE_INLINE wide lock_unsure(wide size, wide ahead)
{
    wide zero = lane_all(0.0f), one = lane_all(1.0f);
    wide along = lane_min(lane_max(one + ahead / lane_max(size, lane_all(1e-9f)), zero), one);
    wide sure = lane_min(size * (1.0f / BENT_FOR_SURE), one) * along;
    wide cured = (OVERSTRETCH_KEPT - size) * (1.0f / (OVERSTRETCH_KEPT - OVERSTRETCH_CURED));
    return (one - sure) * lane_min(lane_max(cured, zero), one);
}

// Where the knee lies off the line from hip to ankle, in the direction that the animated leg lies along, if it is to
// be `height` off: as it is bent, and what it has to bend more than that, ahead. A knee that noise has stretched a
// little too far goes through straight on its way ahead; while it does, it lies less off the line than asked for. One
// that lies farther behind than it ever does in the motion, as fades can have it, bends ahead as much, in the same
// plane: writes by how much it was too far behind. Fades bend legs backwards that are nearly straight; one that is bent
// far points aside in a squat, and "ahead" does not mean much.
LANE_INLINE points lock_bend(const lock_leg *leg, points thigh, points along, wide height, wide *too_far)
{
    wide zero = lane_all(0.0f), one = lane_all(1.0f), tiny = lane_all(1e-9f);
    points out = lane_mad(thigh, along, -lane_dot(thigh, along)), to = lock_ahead(leg, along);
    *too_far = lane_max(-lane_dot(out, to) - leg->back, zero);
    wide straight = lane_max(2.0f - lane_length(out) * (1.0f / OVERSTRETCH_KEPT), zero);
    wide mirrored = lane_min(*too_far / (2.0f * leg->back + 1e-3f), one) * lane_min(straight, one);
    out = lane_scale(out, one - 2.0f * mirrored);
    wide size = lane_length(out), ahead = lane_dot(out, to), unsure = lock_unsure(size, ahead);
    wide behind = lane_max(-ahead, zero) * unsure, more = lane_max(height - size, zero);
    out = lane_scale(out, lane_min(height / lane_max(size, tiny), one));
    out = lane_mad(out, to, (more + lane_min(more, 2.0f * behind)) * unsure);
    wide asked = lane_min(lane_max((more - behind) / lane_max(behind, tiny), zero), one);
    asked = lane_select(lane_less(zero, behind) & lane_less(zero, more), asked, one);
    return lane_scale(out, one + asked * (height / lane_max(lane_length(out), tiny) - one));
}

// How far the leg reaches for something at `distance`: all the way, but near its full length, or near what the motion
// stretches it to, softly.
LANE_INLINE wide lock_reach(wide distance, wide full, wide stretch, wide softness)
{
    softness = lane_min(softness, lane_max(full - stretch, lane_all(0.0f)));
    wide over = distance - (full - softness);
    wide reached = (full - softness) + softness * over / lane_max(over + softness, lane_all(1e-9f));
    return lane_select(lane_less(lane_all(0.0f), over), reached, distance);
}

// The leg that brings the ankle to where the foot is shown. It swings as a whole and bends in the plane it bends in.
LANE_INLINE void lock_solve(const lock_settings *s, const lock_leg *leg, const lock_foot *foot, wide body,
                            lock_solution *out)
{
    points thigh = lane_sub(leg->knee, leg->hip), line = lane_sub(leg->ankle, leg->hip);
    points shin = lane_sub(line, thigh), hip = leg->hip, away = foot->offset, to;
    wide tiny = lane_all(1e-6f);
    wide upper = lane_length(thigh), lower = lane_length(shin), stretch = lane_length(line);
    hip.y += body;
    away.y += foot->lift - body;
    to = lane_add(line, away);
    wide distance = lane_length(to), full = lock_full(leg, upper + lower);
    wide reached = lock_reach(distance, full, stretch, s->softness);
    out->short_of = lane_less(reached, distance);
    reached = lane_max(reached, lane_max(lane_abs(upper - lower), tiny));
    reached = lane_max(reached, leg->shortest);
    points along = lane_scale(line, 1.0f / lane_max(stretch, tiny));
    to = lane_scale(to, 1.0f / lane_max(distance, tiny));
    quats swing = lane_between(along, to);

    // Law of cosines, as the knee's place along the line and its height above it.
    wide foot_of_height = (upper * upper - lower * lower + reached * reached) / (2.0f * reached);
    wide height = lane_sqrt(lane_max((upper - foot_of_height) * (upper + foot_of_height), lane_all(0.0f)));
    wide behind;
    points bend = lane_rotate(swing, lock_bend(leg, thigh, along, height, &behind));
    // A knee on its way through straight is higher up than that: the leg is longer by a millimetre.
    wide per_upper = 1.0f / lane_max(upper, tiny), per_lower = 1.0f / lane_max(lower, tiny);
    wide flatter = 0.5f * lane_max(height * height - lane_dot(bend, bend), lane_all(0.0f));
    foot_of_height += flatter * per_upper;
    reached += flatter * (per_upper + per_lower);
    points knee = lane_add(lane_scale(to, foot_of_height), bend), end = lane_scale(to, reached);
    quats turn = lane_between(lane_scale(lane_rotate(swing, thigh), per_upper), lane_scale(knee, per_upper));
    out->thigh = lane_quat_mul(turn, swing);
    quats fold =
        lane_between(lane_scale(lane_rotate(out->thigh, shin), per_lower), lane_scale(lane_sub(end, knee), per_lower));
    out->shin = lane_quat_mul(fold, out->thigh);
    quats yaw = {lane_all(0.0f), foot->sine, lane_all(0.0f), 1.0f + foot->cosine};
    out->foot = lane_normalize(yaw);
    out->knee = lane_add(hip, knee);
    out->ankle = lane_add(hip, end);
    wide changed = lane_max(lane_max(lane_length(away), lane_abs(foot->turn)), lane_abs(reached - stretch));
    out->moves = lane_less(lane_all(NEGLIGIBLE), lane_max(changed, behind));
}

// What the foot is let go with, once it is: the offset that is shown, and its speed. A leg that does not reach to where
// its foot is held has it nearer; from what was asked for, the knee would stay straight for some frames and then leap.
LANE_INLINE void lock_settle(const lock_settings *s, const lock_leg *leg, const lock_solution *solution,
                             lock_foot *foot)
{
    points shown = lane_sub(solution->ankle, leg->ankle);
    foot->offset.x = lane_select(solution->short_of, shown.x, foot->offset.x);
    foot->offset.z = lane_select(solution->short_of, shown.z, foot->offset.z);
    mask timed = foot->locked & lane_less(lane_all(0.0f), s->dt);
    wide rate = 1.0f / lane_select(timed, s->dt, lane_all(1.0f));
    points velocity = lane_scale(lane_sub(foot->offset, foot->before), rate);
    foot->velocity.x = lane_select(timed, lock_limit(velocity.x, FASTEST_OFFSET), foot->velocity.x);
    foot->velocity.y = lane_select(timed & s->grounded, lock_limit(velocity.y, FASTEST_OFFSET), foot->velocity.y);
    foot->velocity.z = lane_select(timed, lock_limit(velocity.z, FASTEST_OFFSET), foot->velocity.z);
}
