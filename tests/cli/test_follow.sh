# SPDX-License-Identifier: MIT
# `lope follow`: walks through scenes and around boxes, what is reported, and what is refused.
. "$(dirname "$(readlink -f "$0")")/lib.sh"

expect 0 "$LOPE" build --maps -o walk.lope
expect 0 "$LOPE" follow walk.lope --scene clutter -o clutter.svg
prints 'steps, [0-9.]+ m along a path'
prints 'ends 0\.[0-9] cm'
grep -q 'clutter' clutter.svg || fail "the picture does not name its scene"
expect 0 "$LOPE" follow walk.lope --scene doors --json -o doors.bvh
prints '"arrived": true'
expect 0 "$LOPE" grade doors.bvh
expect 0 "$LOPE" follow walk.lope --from 0,0 --to 1,6,0 --boxes '0.5,3,1.6,0.8 -2,2,1,1,30' -o table.glb
expect 0 "$LOPE" follow walk.lope --scene figure8 --flow 2 --walking --dark -o back.svg

# The same walk again, byte for byte.
expect 0 "$LOPE" follow walk.lope --scene doors -o again.bvh
cmp -s doors.bvh again.bvh || fail "the same query gives another walk"

# As published: maps of the paper's graph, the paper's search; arrival within a cell.
expect 0 "$LOPE" build --maps --published all -o published.lope
prints 'branching +1\.'
refuses 2 'it is --published all' "$LOPE" build --maps --published all --branching 3 -o x.lope
expect 0 "$LOPE" follow walk.lope --published --from 0,0 --to 0.5,4 --json -o published.bvh
prints '"miss": 0\.(0|1[0-4])'

# The maps of a search, all or one of them, and the points that asked them.
expect 0 "$LOPE" follow walk.lope --scene figure8 --stages -o stages.svg
grep -q 'motion maps laid along the path' stages.svg || fail "no stages in the picture"
expect 0 "$LOPE" follow walk.lope --scene figure8 --stage 2 -o stage.svg
differ stages.svg stage.svg "one stage looks like all of them"
refuses 2 'only drawn' "$LOPE" follow walk.lope --scene figure8 --stages -o x.bvh

# Many at once: the same bytes for any number of threads, other places by another seed.
expect 0 "$LOPE" follow walk.lope --scene clutter --walking -n 6 --json -o six.glb -o six.svg
prints '"characters": 6'
prints '"arrived": 6'
expect 0 "$LOPE" follow walk.lope --scene clutter --walking -n 6 -j 1 -o one.glb
cmp -s six.glb one.glb || fail "walks depend on the number of threads"
expect 0 "$LOPE" follow walk.lope --scene clutter --walking -n 6 --seed 9 -o other.glb
differ six.glb other.glb "another seed gives the same walks"
refuses 2 'a BVH file holds one motion' "$LOPE" follow walk.lope --scene clutter -n 3 -o x.bvh
refuses 2 'chooses places by itself' "$LOPE" follow walk.lope --scene clutter -n 3 --flow 2 -o x.svg
refuses 2 'needs --scene' "$LOPE" follow walk.lope -n 3 -o x.svg
refuses 2 'goes with --many' "$LOPE" follow walk.lope --scene clutter --seed 3 -o x.svg

# Too near for a start or a stop: the walk begins or ends in the middle of walking, and that is said.
expect 0 "$LOPE" follow walk.lope --from 0,0 --to 0,1 -o near.bvh
says 'no start from standing fits; this walk begins in the middle of walking'
expect 0 "$LOPE" follow walk.lope --from 0,0 --to 0,2 -o near.bvh
says 'no stop in standing fits; this walk ends in the middle of walking'

# No way, or none that can be walked.
refuses 1 'no way is wide enough' "$LOPE" follow walk.lope --scene doors --clearance 0.7 -o x.svg
refuses 1 'inside an obstacle' "$LOPE" follow walk.lope --from 0,0 --to 0,5 --boxes '0,5,1,1' -o x.svg
refuses 2 'where to walk' "$LOPE" follow walk.lope -o x.svg
refuses 2 'needs x,z' "$LOPE" follow walk.lope --from 0,zero --to 0,5 -o x.svg
refuses 2 'needs boxes' "$LOPE" follow walk.lope --from 0,0 --to 0,5 --boxes '1,2' -o x.svg
refuses 2 'needs boxes' "$LOPE" follow walk.lope --from 0,0 --to 0,5 --boxes '1,2,nan,1' -o x.svg
refuses 2 '-o writes OUT.bvh.OUT.glb.OUT.svg, found' "$LOPE" follow walk.lope --scene doors -o x.lope
refuses 2 'the scene has 2' "$LOPE" follow walk.lope --scene doors --flow 3 -o x.svg
refuses 3 'doors' "$LOPE" follow walk.lope --scene dors -o x.svg
"$LOPE" convert walk_normal -o clips.lope >/dev/null
refuses 1 'step graph' "$LOPE" follow clips.lope --scene doors -o x.svg
printf '{"name": "a",\n "obstacles": [{"box": {"centre": [0, 0], "sise": [1, 1]}}]}' > bad.json
refuses 1 'bad.json:2:' "$LOPE" follow walk.lope --scene ./bad.json -o x.svg
[ ! -e x.svg ] || fail "a refused walk left a file"

# Maps and searches without them as pictures.
expect 0 "$LOPE" build --maps --branching 3 --map-depth 5 -o thin.lope
expect 0 "$LOPE" draw --map thin.lope -o map.svg
grep -q 'map of step' map.svg || fail "the picture does not say what it shows"
expect 0 "$LOPE" draw --map thin.lope --step 3 --dark -o third.svg
refuses 2 'the graph has' "$LOPE" draw --map thin.lope --step 9999 -o y.svg
refuses 2 'takes no clip' "$LOPE" draw --map thin.lope walk_normal -o y.svg
expect 0 "$LOPE" follow walk.lope --walking --from 0,0 --to 0,3 --search pruned -o pruned.svg
prints 'walks looked at'
refuses 2 'only drawn' "$LOPE" follow walk.lope --from 0,0 --to 0,3 --search astar -o y.bvh
[ ! -e y.svg ] || fail "a refused picture left a file"


# Every scene that comes with it is walked to the end; where the path turns too tightly, a wider one is taken and said.
for scene in figure8 doors clutter uturns; do
    expect 0 "$LOPE" follow --scene $scene -o $scene.svg
    prints 'ends 0.0 cm'
done
grep -q 'this one keeps' "$WORK/err" || fail "the wider path is not told"
expect 1 "$LOPE" follow --scene uturns --clearance 0.5 -o tight.svg
says 'did not arrive: .*, to [0-9.]+ m from the goal'
expect 1 "$LOPE" follow --scene uturns --clearance 0.5 --json -o tight.svg
prints '"arrived": false'
