# SPDX-License-Identifier: MIT
# `lope build`: a map from the built-in set, every bad input with its message, and builds that go on where they were.
. "$(dirname "$(readlink -f "$0")")/lib.sh"

# The built-in set without any arguments.
expect 0 "$LOPE" build --mobility -o walk.lope
for row in poses transitions component states choices 'map and tables' 'time to goal'; do prints "$row"; done
[ ! -e walk.lope.stages ] || fail "stages are left after a finished build"
expect 0 "$LOPE" info walk.lope
keep walk.lope

# A few motions suffice for the rest.
few="walk_normal walk_slow turn_left_sharp turn_right_sharp walk_start walk_stop --steps 8"
expect 0 "$LOPE" build --mobility $few -j 2 -o wanted.lope
expect 0 "$LOPE" build --mobility $few -j 1 --json -o again.lope
prints '"states": [0-9]+'
cmp -s wanted.lope again.lope || fail "threads change the file"
expect 0 "$LOPE" build --mobility $few --metric angles --mirror -o angles.lope
rm -f angles.lope again.lope

# Where its states lead, as a picture.
expect 0 "$LOPE" draw --mobility walk.lope -o reach.svg
grep -q 'choices' reach.svg || fail "the picture does not say what it shows"
expect 0 "$LOPE" draw --mobility walk.lope --dark -w 500 -o dark.svg
differ reach.svg dark.svg "--dark has no effect"
refuses 3 'the map has states 0 to' "$LOPE" draw --mobility walk.lope --state 1000000 -o x.svg
refuses 2 'takes no clip' "$LOPE" draw --mobility walk.lope walk_normal -o x.svg
refuses 3 'No such file' "$LOPE" draw --mobility nothing.lope -o x.svg
"$LOPE" convert walk_normal -o clips.lope >/dev/null
refuses 1 'no mobility map' "$LOPE" draw --mobility clips.lope -o x.svg
if has rsvg-convert; then
    rsvg-convert reach.svg -o reach.png || fail "the picture cannot be rendered"
fi

# What a captured walk lacks is filled in, unless --pure.
"$LOPE" convert walk_normal --fps 30 -o straight.bvh >/dev/null
expect 0 "$LOPE" build --mobility straight.bvh --metric cloud --steps 8 --json -o filled.lope
grep -q '"lacked": "left turns, sharp"' out || fail "what was filled in is not said: $(cat out)"
grep -q '"filled_clips": [1-9]' out || fail "nothing was filled in"
expect 0 "$LOPE" info filled.lope
grep -q 'filled/start_left' out || fail "filled clips cannot be seen: $(cat out)"
expect 0 "$LOPE" build --mobility straight.bvh --metric cloud --steps 8 --pure --json -o pure.lope
grep -q '"filled_clips": 0' out || fail "--pure fills in: $(cat out)"

# Bad input.
make_bvh one.bvh 1 0.0083333
make_bvh short.bvh 30 0.0333333
make_bvh other.bvh 30 0.0333333 60
echo nonsense >broken.bvh
refuses 2 'at a time' "$LOPE" build --mobility --rings -o x.lope
refuses 2 'where to' "$LOPE" build --mobility
refuses 2 '-o writes OUT.lope, found .x.bvh' "$LOPE" build --mobility -o x.bvh
refuses 2 'more than --max-choices' "$LOPE" build --mobility --min-choices 9 --max-choices 3 -o x.lope
refuses 3 'does not exist' "$LOPE" build --mobility -o nowhere/x.lope
refuses 3 'no such file' "$LOPE" build --mobility nothing.bvh -o x.lope
refuses 1 'broken.bvh' "$LOPE" build --mobility short.bvh broken.bvh -o x.lope
refuses 1 'different skeletons; retarget' "$LOPE" build --mobility short.bvh other.bvh -o x.lope
refuses 3 'do not connect: their best part has 1 of 1' "$LOPE" build --pure --mobility one.bvh -o x.lope
refuses 3 'do not connect' "$LOPE" build --pure --mobility short.bvh -o x.lope
refuses 3 'or a higher threshold' "$LOPE" build --mobility walk_start --threshold 0.00001 -o x.lope
refuses 1 'steps' "$LOPE" build --mobility --steps 1000 -o x.lope
refuses 1 'is an input' "$LOPE" build --mobility walk.lope -o walk.lope

# Interrupted while the last stage runs: the output stays as it was, and the next run goes on to the same bytes.
echo old >walk.lope
expect 130 python3 "$(dirname "$0")/interrupt.py" walk.lope.stages once "$LOPE" build --mobility $few -j 1 -o walk.lope
says 'walk.lope.stages'
[ "$(cat walk.lope)" = old ] || fail "an interrupted build replaced its output"
expect 0 "$LOPE" build --mobility $few -o walk.lope
prints 'of an interrupted build used'
cmp -s walk.lope wanted.lope || fail "a resumed build gives another file"

# Damaged stages are not used.
echo garbage >walk.lope.stages
expect 0 "$LOPE" build --mobility $few -o walk.lope
says 'walk.lope.stages: cannot be used and was ignored'
cmp -s walk.lope wanted.lope || fail "damaged stages change the file"
[ ! -e walk.lope.stages ] || fail "damaged stages are left"
