// SPDX-License-Identifier: MIT
// Elbows and knees that bend no farther than in the motion, for as many characters at once as there are lanes; included
// after math/lanes_begin.h where fades are added: a fade between two poses may bend a joint farther than either.
#undef hinge_limit
#define hinge_limit LANES_NAME(hinge_limit)

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
