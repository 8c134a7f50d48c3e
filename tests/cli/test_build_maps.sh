# SPDX-License-Identifier: MIT
# `lope build --maps`: graphs of steps from the built-in set and from a few motions, and what is said about them.
. "$(dirname "$(readlink -f "$0")")/lib.sh"

expect 0 "$LOPE" build --maps -o walk.lope
for row in steps connected branching transitions 'slip of the foot' starts stops 'locked in a turn' speed; do
    prints "$row"
done
expect 0 "$LOPE" info walk.lope
prints 'graph of [0-9]+ steps'

few="walk_normal turn_left_sharp turn_right_sharp walk_start walk_stop"
expect 0 "$LOPE" build --maps $few -j 2 -o wanted.lope
expect 0 "$LOPE" build --maps $few -j 1 --json -o again.lope
prints '"branching": [0-9]+'
cmp -s wanted.lope again.lope || fail "threads change the file"
expect 0 "$LOPE" build --maps $few --branching 3 --json -o thin.lope
prints '"most_branching": 3'
expect 0 "$LOPE" build --maps $few --graph standard --threshold 0.03 --json -o standard.lope
prints '"steps": [0-9]{3}'
expect 0 "$LOPE" build --maps $few --min-branching 0 --align cloud --json -o plain.lope
prints '"branching": [0-9]+'
expect 0 "$LOPE" build --maps $few --max-slip 0.005 --speed-ratio 1.2 --mirror -o strict.lope

expect 0 "$LOPE" build --maps $few --map-nodes 500 --json -o small.lope
prints '"map_nodes": [0-9]+'
[ "$(stat -c %s small.lope)" -lt "$(stat -c %s wanted.lope)" ] || fail "--map-nodes has no effect"
expect 0 "$LOPE" build --maps $few --branching 3 --map-depth 6 -o deep.lope
prints 'motion maps'

# As a picture.
expect 0 "$LOPE" draw --steps walk.lope -o steps.svg
grep -q 'cut into steps' steps.svg || fail "the picture does not say what it shows"
expect 0 "$LOPE" draw --steps walk.lope --clip turn_left_gentle -o turn.svg
grep -q 'turn_left_gentle' turn.svg || fail "--clip has no effect"
refuses 3 "the file holds no clip named 'nothing'" "$LOPE" draw --steps walk.lope --clip nothing -o x.svg
refuses 2 'takes no clip' "$LOPE" draw --steps walk.lope walk_normal -o x.svg
"$LOPE" convert walk_normal -o clips.lope >/dev/null
refuses 1 'no step graph' "$LOPE" draw --steps clips.lope -o x.svg

# What should not be found out by wondering.
expect 0 "$LOPE" build --maps walk_slow walk_fast walk_normal -o mixed.lope
grep -q 'the clips walk at' err || fail "mixed speeds are not mentioned"
grep -q 'no clip begins or ends at rest' err || fail "nothing is said of standing"

# Bad input.
make_bvh short.bvh 30 0.0333333
refuses 2 'one of --mobility, --maps,.* at a time' "$LOPE" build --maps --mobility -o x.lope
refuses 2 '-o writes OUT.lope, found .x.bvh' "$LOPE" build --maps -o x.bvh
refuses 3 'needs clips that walk' "$LOPE" build --maps idle -o x.lope
refuses 3 'do not connect' "$LOPE" build --maps turn_left_sharp --threshold 0.0001 -o x.lope
refuses 1 'speed_ratio' "$LOPE" build --maps --speed-ratio 0.5 -o x.lope
refuses 1 'is an input' "$LOPE" build --maps walk.lope -o walk.lope
[ ! -e x.lope ] || fail "a failed build left a file"
