# SPDX-License-Identifier: MIT
. "$(dirname "$(readlink -f "$0")")/lib.sh"

expect 0 "$LOPE" path maze -o maze.svg
for part in triangles way; do
    grep -q "id=\"$part\"" maze.svg || fail "no $part in the picture"
done
if has rsvg-convert; then
    rsvg-convert maze.svg -o maze.png || fail "the picture cannot be rendered"
fi
expect 0 "$LOPE" path plaza --from -18,0 --to 18,3 --clearance 0.8 --json
"$LOPE" path plaza --from -18,0 --to 18,3 --clearance 0.8 --json >path.json
python3 - <<'PY' 2>/dev/null || fail "the path does not lead from start to goal"
import json
path = json.load(open('path.json'))
assert path['points'][0] == [-18, 0] and path['points'][-1] == [18, 3]
assert 36.12 < path['length'] < 40 and path['widest'] > 0.8
PY
expect 0 "$LOPE" path living_room --dark -w 400 -o dark.svg
differ maze.svg dark.svg "two scenes look alike"

# Places that are named need no flows, nor anything else.
echo '{"obstacles": [{"box": {"centre": [0, 0], "size": [2, 6]}}]}' >block.json
expect 0 "$LOPE" path block.json --from -4,0 --to 4,0 -o block.svg
prints '^1[01]\.[0-9]* m from -4,0 to 4,0 \(8\.000 m straight\)'
echo '{}' >nothing.json
expect 0 "$LOPE" path nothing.json --from -4,0 --to 4,0 -o nothing.svg
prints '^8\.000 m from'
refuses 2 'the scene has no flow: say where with --from and --to' "$LOPE" path block.json --from 1,1
refuses 1 "block.json: the scene needs 'flows'" "$LOPE" crowd block.json
refuses 1 "block.json: the scene needs 'flows'" "$LOPE" crowd block.json --patches builtin
refuses 1 "block.json: the scene needs 'flows'" "$LOPE" follow --scene block.json -o x.svg
expect 0 "$LOPE" follow --scene block.json --from -4,0 --to 4,0 -o around.svg

refuses 1 'the start is inside an obstacle' "$LOPE" path plaza --from 0,0 --to 18,3
refuses 1 'the goal is outside of the world' "$LOPE" path plaza --from 18,3 --to 100,3
refuses 1 'no way is wide enough; the widest way allows 0.6 m' "$LOPE" path doors -c 0.9
refuses 2 "--from needs a place x,z in metres, found '3'" "$LOPE" path maze --from 3 --to 1,1
refuses 2 "--to needs a place x,z in metres, found '1,x'" "$LOPE" path maze --to 1,x
refuses 2 'one scene is needed' "$LOPE" path
refuses 2 'width needs a whole number from 240' "$LOPE" path maze -w 3 -o x.svg
refuses 3 "did you mean 'maze'" "$LOPE" path mase
refuses 3 "the folder 'no/such' does not exist" "$LOPE" path maze -o no/such/x.svg

# Obstacles that come: the way leads around them. The published triangulation finds it, too.
expect 0 "$LOPE" path nothing.json --from -4,0 --to 4,0 --boxes '0,0,1,4 2,1,0.5,0.5,45' -o box.svg
prints '^[89]\.[0-9]* m from -4,0'
prints 'brought up to date'
expect 0 "$LOPE" path nothing.json --from -4,0 --to 4,0 --boxes '0,0,1,4 2,1,0.5,0.5,45' --pairs -o pairs.svg
prints '^[89]\.[0-9]* m from -4,0'
prints 'a local clearance triangulation with [0-9]+ splits'
refuses 1 'inside an obstacle' "$LOPE" path nothing.json --from -4,0 --to 4,0 --boxes '-4,0,1,1' --pairs
refuses 2 'needs boxes such as' "$LOPE" path nothing.json --from -4,0 --to 4,0 --boxes '1,2,0,1'
