# SPDX-License-Identifier: MIT
# `lope track`: walks in all formats, and every bad input with its message.
. "$(dirname "$(readlink -f "$0")")/lib.sh"

made walk.lope --mobility
expect 0 "$LOPE" track walk.lope --to '0,4' -o one.bvh
prints '0, 4 +yes'
expect 0 "$LOPE" info one.bvh
printf '# a round\n0,3\n\n-1.5,3 # and back\n' >targets
expect 0 "$LOPE" track walk.lope --targets targets --pass --json -o two.glb
prints '"arrived": true'
[ "$(grep -c '"arrived": true' out)" -eq 3 ] || fail "two targets and the whole expected"
expect 0 "$LOPE" track walk.lope --to=0,2 --fade ease --no-lock --no-edits --fps 30 -o three.svg
grep -q '<svg' three.svg || fail "no picture"
expect 0 "$LOPE" track walk.lope --to 0,4 -o again.bvh
cmp -s one.bvh again.bvh || fail "not the same twice"
# Nobody dithers: some four metres each, half of them with a facing, within the time of the walk and some to turn and stop.
expect 0 "$LOPE" track walk.lope --to '2,3 -2,4,180 3,3,90 0,0 -3,-2,0 1,1' --json -o round.bvh
grep -o '^      "seconds": [0-9.]*' out | awk '$2 > 20 { print; slow = 1 } END { exit slow || NR != 6 }' ||
    fail "a target took more than 20 s: $(cat out)"

# Words of one's own for what clips show.
walks='walk_slow walk_normal walk_fast veer_left veer_right turn_left_sharp turn_right_sharp walk_start walk_stop'
printf '%s\n' '# corners' 'turn_*_sharp corner' 'walk_slow 1-3 calm slow # and a comment' >words.txt
expect 0 "$LOPE" build --mobility $walks --tags words.txt -o words.lope
round='0,5 -5,5 -5,0 0,0 0,5 -5,5 -5,0 0,0'
expect 0 "$LOPE" track words.lope --to "$round" --pass --avoid corner --json -o avoided.bvh
avoided=$(sed -n 's/.*"corner": \([0-9.]*\).*/\1/p' out)
expect 0 "$LOPE" track words.lope --to "$round" --pass --prefer corner --json -o preferred.bvh
preferred=$(sed -n 's/.*"corner": \([0-9.]*\).*/\1/p' out)
awk "BEGIN { exit !($preferred > $avoided) }" || fail "corners for $preferred s where preferred, $avoided s where avoided"
expect 0 "$LOPE" track words.lope --to 0,3 --pass --avoid corner,run -o round.svg
prints '^(stand [0-9.]+ s, )?walk [0-9.]+ s'
expect 0 "$LOPE" build --mobility $walks --tags sharp,slow -o words.lope
refuses 3 "no tag 'gloomy' in the map, which has stand walk run sharp slow odd" "$LOPE" track words.lope --to 1,1 \
    --prefer gloomy -o x.bvh
refuses 3 "no tag 'gloomygloomygloomygloomygloomyg\.\.\.' in the map" "$LOPE" track words.lope --to 1,1 \
    --prefer "$(printf '%0100d' 0 | sed 's/0/gloomy/g')" -o x.bvh
refuses 2 'tags goes with --mobility' "$LOPE" build --rings --tags words.txt -o x.lope
echo 'nobody happy' >wrong.txt
refuses 1 "wrong.txt:1: expected the name of a clip, or a pattern that one matches, found 'nobody'" "$LOPE" build \
    --mobility walk_normal --tags wrong.txt -o x.lope
printf '\nwalk_normal 3-1 happy\n' >wrong.txt
refuses 1 "wrong.txt:2: expected seconds FROM-TO, found '3-1'" "$LOPE" build --mobility walk_normal --tags wrong.txt -o x.lope
echo 'walk_normal run' >wrong.txt
refuses 1 'that is not stand, walk, run or odd' "$LOPE" build --mobility walk_normal --tags wrong.txt -o x.lope
echo 'walk_normal a b c d e' >wrong.txt
refuses 1 "no more than 4 different words, found 'e'" "$LOPE" build --mobility walk_normal --tags wrong.txt -o x.lope
refuses 3 'none.txt: no such file' "$LOPE" build --mobility walk_normal --tags none.txt -o x.lope

# In scenes it goes round obstacles; a target within one is moved, and the note says so.
expect 0 "$LOPE" track walk.lope --scene living_room --to=-3,1 -o room.svg
prints '-3, 1 +yes'
grep -q '<svg' room.svg || fail "no picture of the room"
expect 0 "$LOPE" track walk.lope --scene living_room --from=0,0,90 --to 2.3,1.4 --json -o room.bvh
prints '"moved": true'
grep -q 'nobody fits at 2.3,1.4' err || fail "no note: $(cat err)"
refuses 1 'in an obstacle or not on free ground' "$LOPE" track walk.lope --scene living_room --from=2.2,1.4 --to 0,0 -o x.bvh
refuses 3 'no built-in scene' "$LOPE" track walk.lope --scene livingroom --to 1,1 -o x.bvh

# The thesis' ways, one by one and together.
expect 0 "$LOPE" track walk.lope --to=0,5 --pass --thesis --limit 120 -o thesis.bvh
expect 0 "$LOPE" track walk.lope --to=0,5 --pass --decision greedy --weights 310,5 --fade thesis --limit 120 -o weighed.bvh
! cmp -s thesis.bvh weighed.bvh || fail "weights and fades change nothing"
refuses 2 "two numbers >= 0 such as 310,17, found '310'" "$LOPE" track walk.lope --decision greedy --weights 310 --to 1,1 -o x.bvh
refuses 2 'weights goes with --decision greedy' "$LOPE" track walk.lope --weights 1,2 --to 1,1 -o x.bvh
refuses 2 'steering goes with --scene' "$LOPE" track walk.lope --steering steer --to 1,1 -o x.bvh
refuses 2 "from needs a place such as 3,4 or 3,4,90, found 'there'" "$LOPE" track walk.lope --from there --to 1,1 -o x.bvh

# What cannot stand says so when it is built, and passes its targets.
expect 0 "$LOPE" build --mobility walk_normal veer_left veer_right turn_left_sharp turn_right_sharp -o restless.lope
prints 'nothing stands still: targets can be passed only'
expect 0 "$LOPE" track restless.lope --to '0,5 3,5' --limit 120 -o passed.bvh
grep -q 'nothing in this map stands still' err || fail "no note: $(cat err)"
expect 0 "$LOPE" draw --mobility restless.lope --all -o able.svg
prints 'nothing stands still'
grep -q 'states can get a body' able.svg || fail "no capability map"
refuses 2 'all goes with --mobility' "$LOPE" draw --all walk_normal -o x.svg

refuses 2 'where to' "$LOPE" track walk.lope --to 1,1
refuses 2 '-o writes OUT.bvh.OUT.glb.OUT.svg, found' "$LOPE" track walk.lope --to 1,1 -o x.txt
refuses 2 'where should it go' "$LOPE" track walk.lope -o x.bvh
refuses 2 "found 'nan,1'" "$LOPE" track walk.lope --to nan,1 -o x.bvh
refuses 2 "found '1'" "$LOPE" track walk.lope --to 1 -o x.bvh
refuses 2 "found '1,2,3,4'" "$LOPE" track walk.lope --to 1,2,3,4 -o x.bvh
refuses 2 'one map is enough' "$LOPE" track walk.lope walk.lope --to 1,1 -o x.bvh
refuses 3 'no such file' "$LOPE" track walk.lope --targets nothing -o x.bvh
refuses 3 'does not exist' "$LOPE" track walk.lope --to 1,1 -o nowhere/x.bvh
echo '1,2 x' >bad
refuses 1 'bad:1: expected x,z' "$LOPE" track walk.lope --targets bad -o x.bvh
expect 3 "$LOPE" track nothing.lope --to 1,1 -o x.bvh
expect 1 "$LOPE" track targets --to 1,1 -o x.bvh
expect 1 "$LOPE" track walk.lope --to 500,0 --limit 2 -o far.bvh
says '0 of 1 targets were reached; 500,0 was not reached in 2 s, [0-9.]+ m are left.*--limit'
expect 1 "$LOPE" track walk.lope --to '500,0 0,3' --limit 2 --json -o far.bvh
[ "$(grep -c '"arrived": false' out)" -eq 3 ] || fail "both targets and the whole are missed: $(cat out)"
no_partial_files
