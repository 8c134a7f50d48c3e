# SPDX-License-Identifier: MIT
# The code in comments of public headers compiles: each run of lines that begin with "//   " and end as C does, with what
# its text takes as given declared before it. A header whose examples are new must be given its declarations here.
. "$(dirname "$(readlink -f "$0")")/../cli/lib.sh"
set -e
given() {
    case $1 in
    climber1) echo 'lope_floors *floors = 0; lope_leg *leg = 0; lope_skeleton *skeleton = 0; lope_climber *climber;
        lope_handover *body = 0;' ;;
    controller1) echo 'void *memory = 0, *self = 0, *state; lope_handover_def def; lope_handover *body; lope_walker *walker = 0; lope_aim aim;
        const lope_controller *next = 0; _Bool playing = 0; void draw(const lope_transform *joints);' ;;
    footing1) echo 'lope_footing footing; lope_terrain *terrain = 0; lope_vec2 place = {0}; float dt = 0; lope_footing_body body = {0};
        lope_pose pose = {0}; lope_transform *model = 0;' ;;
    level_views1) echo 'lope_level *level = 0; lope_part_id part = {0}; lope_transform at = {0}; lope_floors *floors = 0;
        lope_level_blocks *blocks = 0;' ;;
    player2) echo 'lope_player *player = 0; lope_follow *search = 0; int work = 1; float dt = 0.02f;' ;;
    player1) echo 'void *memory = 0; lope_steps *steps = 0; lope_player_def def; lope_ground at = {0}; lope_player *player;
        lope_play walk[9] = {0}; int count = 9;' ;;
    walker1) echo 'void *memory = 0; lope_mobility *map = 0; lope_walker_def def;' ;;
    crowd1) echo 'lope_crowd *crowd; lope_mobility *map = 0; lope_member_id id; void draw(const lope_transform *joints);' ;;
    world1) echo 'lope_level *level = 0; lope_moves *moves = 0; lope_world *world; lope_character_id id;
        lope_transform *joints = 0; void draw(const lope_transform *joints);' ;;
    use1) echo 'void *memory = 0; lope_blocks *blocks = 0; lope_level *level = 0; int chair = 0; lope_use *use; lope_handover *body = 0;' ;;
    *) return 1 ;;
    esac
}
found=0
for header in "$LOPE_SOURCE"/include/lope/*.h; do
    name=$(basename "$header" .h)
    awk -v to="$name" '
        /^\/\/   / && !/"[a-z_]+":/ && /[;{}] *(\/\/.*)?$/ { if (!inside) block++; inside = 1; print substr($0, 6) > (to block) }
        !/^\/\/   / { inside = 0 }' "$header"
    for block in "$name"[0-9]*; do
        [ -f "$block" ] || continue
        this=$(basename "$block")
        given "$this" >given || { echo "$name.h: no declarations for its example"; cat "$block"; exit 1; }
        {
            echo '#include <math.h>'
            echo '#include "lope/lope.h"'
            echo 'void example(lope_error error, lope_jobs *jobs, lope_transform *joints_in_world);'
            echo 'void example(lope_error error, lope_jobs *jobs, lope_transform *joints_in_world)'
            echo '{ (void)error; (void)jobs; (void)joints_in_world;'
            cat given "$block"
            echo '}'
        } >example.c
        cc -std=c17 -Wall -Wextra -Werror -Wno-uninitialized -Wno-maybe-uninitialized -Wno-unused -fsyntax-only \
            -I"$LOPE_SOURCE/include" example.c || { echo "$this does not compile"; cat "$block"; exit 1; }
        found=$((found + 1))
    done
done
[ "$found" -ge 5 ] # the pattern still finds them
