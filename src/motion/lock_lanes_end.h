// SPDX-License-Identifier: MIT
// Takes back what motion/lock_lanes.h defined.
#undef lock_springs
#undef lock_settings
#undef lock_leg
#undef lock_foot
#undef lock_body
#undef lock_solution
#undef lock_decay
#undef lock_limit
#undef lock_yaw
#undef lock_turned
#undef lock_update_turn
#undef lock_choose_point
#undef lock_hold
#undef lock_lift
#undef lock_full
#undef lock_update_foot
#undef lock_needed
#undef lock_update_body
#undef lock_ahead
#undef lock_unsure
#undef lock_bend
#undef lock_reach
#undef lock_solve
#undef lock_settle
