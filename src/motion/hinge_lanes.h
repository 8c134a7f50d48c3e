// SPDX-License-Identifier: MIT
// Elbows and knees that bend no farther than in the motion, for as many characters at once as there are lanes; included
// after math/lanes_begin.h where fades are added: a fade between two poses may bend a joint farther than either.
#undef hinge_limit
#undef knee_chain
#undef knee_limit
#define hinge_limit LANES_NAME(hinge_limit)
#define knee_chain LANES_NAME(knee_chain)
#define knee_limit LANES_NAME(knee_limit)

// The joint's rotation relative to its parent, turned back about the hinge by what it is past its range.
LANE_INLINE quats hinge_limit(const lope_hinge *hinge, quats rotation)
{
    points bone = {lane_all(hinge->bone.x), lane_all(hinge->bone.y), lane_all(hinge->bone.z)};
    points middle = {lane_all(hinge->middle.x), lane_all(hinge->middle.y), lane_all(hinge->middle.z)};
    points side = {lane_all(hinge->side.x), lane_all(hinge->side.y), lane_all(hinge->side.z)};
    bone = lane_rotate(rotation, bone);
    wide along = lane_dot(bone, middle), off = lane_dot(bone, side), across = lane_abs(off);
    wide size = lane_sqrt(along * along + across * across), per = 1.0f / lane_max(size, lane_all(1e-6f));
    wide sine = (across * hinge->cosine - along * hinge->sine) * per;
    wide cosine = (along * hinge->cosine + across * hinge->sine) * per;
    mask past = lane_less(along, size * hinge->cosine) & lane_less(lane_all(0.1f), size);
    sine = lane_select(lane_less(off, lane_all(0.0f)), sine, -sine);
    quats back = {hinge->axis.x * sine, hinge->axis.y * sine, hinge->axis.z * sine, 1.0f + cosine};
    return lane_quat_pick(past, lane_quat_mul(lane_normalize(back), rotation), rotation);
}

// A leg, each joint relative to its parent.
typedef struct knee_chain {
    quats thigh, between, knee, ankle; // between: of the joints from below the thigh to above the knee, together
} knee_chain;

// A knee that is limited takes the foot along, and a foot that is held would then bend it: half of the turn goes to the
// thigh, which leaves the ankle where it was, and the foot keeps its orientation. Lanes that are not in `fading` stay
// as they are.
LANE_INLINE void knee_limit(const lope_hinge *hinge, mask fading, knee_chain *leg)
{
    quats was = leg->knee, limited = hinge_limit(hinge, was), inverse = {-was.x, -was.y, -was.z, was.w};
    mask moved = lane_less(was.x, limited.x) | lane_less(limited.x, was.x) | lane_less(was.y, limited.y) |
                 lane_less(limited.y, was.y) | lane_less(was.z, limited.z) | lane_less(limited.z, was.z);
    moved &= fading;
    quats by = lane_quat_mul(limited, inverse), half = {-by.x, -by.y, -by.z, 1.0f + by.w};
    half = lane_normalize(half);
    quats m = leg->between, back = {-m.x, -m.y, -m.z, m.w};
    quats turned = lane_quat_mul(leg->thigh, lane_quat_mul(lane_quat_mul(m, half), back));
    quats now = lane_quat_mul(half, limited), undo = {-now.x, -now.y, -now.z, now.w};
    quats kept = lane_quat_mul(lane_quat_mul(undo, was), leg->ankle);
    leg->thigh = lane_quat_pick(moved, turned, leg->thigh);
    leg->knee = lane_quat_pick(moved, limited, leg->knee);
    leg->ankle = lane_quat_pick(moved, kept, leg->ankle);
}
