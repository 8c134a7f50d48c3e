# SPDX-License-Identifier: MIT
# `lope build --rings` and `lope gait`: rings from samples and clips, walks in all formats, bad input with its message.
. "$(dirname "$(readlink -f "$0")")/lib.sh"

expect 0 "$LOPE" build --rings -o gait.lope
prints 'walk +43 +43'
expect 0 "$LOPE" build --rings --json walk_slow walk_normal walk_fast stairs_up idle -o some.lope
prints '"name": "walk"'
expect 0 "$LOPE" build --rings walk_slow walk_normal walk_fast idle --keep-clips kept.lope -o some.lope
expect 0 "$LOPE" info kept.lope
prints 'walk_normal'
expect 0 "$LOPE" build --rings --keep-clips kept.lope -o some.lope
expect 0 "$LOPE" info kept.lope
prints 'stand_ahead'
refuses 2 '--keep-clips goes with --rings' "$LOPE" build --mobility --keep-clips kept.lope -o x.lope
expect 1 "$LOPE" gait gait.lope --scene stairs --seconds 6 -o stairs.svg
prints 'strikes'
says 'did not arrive: [0-9.]+ m are left after 6.0 s; --seconds gives it longer'
grep -q '<svg' stairs.svg || fail "no picture"
expect 0 "$LOPE" gait gait.lope --to '0,3 2,4' -o way.bvh
prints 'arrived, 0\.[0-9]+ m from the end of the way'
expect 0 "$LOPE" info way.bvh
expect 0 "$LOPE" gait gait.lope --to '0,3 2,4' -o again.bvh
cmp -s way.bvh again.bvh || fail "not the same twice"
printf '0 stand\n1 walk 0 0.6 # off we go\n4 run 45 1.1\n7 stand\n' >stick
expect 0 "$LOPE" gait gait.lope --script stick --json -o stick.glb
prints '"strikes": [1-9]'
expect 0 "$LOPE" gait --combined --no-ik --seconds 3 -o straight.bvh
# What does not arrive says so, in words and in the exit code.
expect 1 "$LOPE" gait gait.lope --scene cliff --seconds 20 -o cliff.bvh
prints 'no place for the next foot'
says 'did not arrive: .*it found no place for the next foot'
expect 1 "$LOPE" gait gait.lope --scene cliff --seconds 20 --json -o cliff.bvh
prints '"arrived": false'
expect 1 "$LOPE" gait gait.lope --scene cliff --seconds 300 --json -o cliff.bvh
prints '"stuck": true'
says 'cannot go on: [0-9.]+ m are left after [0-9]{2}\.[0-9] s; it found no place for the next foot'
expect 0 "$LOPE" gait gait.lope --scene course --json -o course.bvh
prints '"arrived": true'

refuses 2 'where to' "$LOPE" gait gait.lope
refuses 2 '-o writes OUT.bvh.OUT.glb.OUT.svg, found' "$LOPE" gait gait.lope -o x.txt
refuses 2 'not both' "$LOPE" gait gait.lope --to 1,1 --script stick -o x.bvh
refuses 2 "found 'nan'" "$LOPE" gait gait.lope --to nan -o x.bvh
refuses 3 'no such file' "$LOPE" gait gait.lope --script nothing -o x.bvh
refuses 3 'does not exist' "$LOPE" gait gait.lope -o nowhere/x.bvh
expect 3 "$LOPE" gait gait.lope --scene nowhere -o x.bvh
expect 3 "$LOPE" gait nothing.lope -o x.bvh
expect 1 "$LOPE" gait stick -o x.bvh
printf '0 stand\n1 fly 0 1\n' >bad
refuses 1 'bad:2: expected SECONDS' "$LOPE" gait gait.lope --script bad -o x.bvh
refuses 3 'nothing to walk or run with' "$LOPE" build --rings --pure sit_down -o x.lope
refuses 2 'at a time' "$LOPE" build --rings --mobility -o x.lope
no_partial_files
