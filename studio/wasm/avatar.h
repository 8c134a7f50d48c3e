// SPDX-License-Identifier: MIT
// A skinned character that the page read from a GLB file: its skeleton, and motion carried over to it.
#ifndef STUDIO_AVATAR_H
#define STUDIO_AVATAR_H

#include "studio.h"

typedef struct studio_avatar studio_avatar;
// `names`: one zero-terminated text after the other. `model`: joints at rest in the world, as in poses. `tips`: x y z
// each in the joint's frame, where the soles of the feet end; zero: unknown.
LOPE_API studio_avatar *studio_avatar_create(const char *names, const int *parents, const float *model,
                                             const float *tips, int count);
LOPE_API void studio_avatar_destroy(studio_avatar *avatar);
// Shared with the avatar; holds as long as that does.
LOPE_API const lope_skeleton *studio_avatar_skeleton(const studio_avatar *avatar);
// From now on it follows characters of that skeleton.
LOPE_API lope_status studio_avatar_follow(studio_avatar *avatar, const lope_skeleton *source);
// Its joints in the world, in the place and in the pose of a character that stands on a floor of that height.
LOPE_API void studio_avatar_pose(const studio_avatar *avatar, const float *pose, float floor, float *out);

#endif
