# SPDX-License-Identifier: MIT
# `lope level`: built-in levels, files of every kind, random ones; pictures, places, mistakes.
. "$(dirname "$(readlink -f "$0")")/lib.sh"

for level in yard house ruin; do
    expect 0 "$LOPE" level $level -o $level.svg
    prints "^$level.*: [0-9]+ parts, [0-9]+ triangles"
    prints '^[0-9]+ floors with [0-9]+ borders'
    grep -q 'storey 2 of' $level.svg || fail "no second storey in the picture of $level"
    grep -q 'in perspective' $level.svg || fail "no perspective in the picture of $level"
done
if has rsvg-convert; then
    rsvg-convert yard.svg -o yard.png || fail "the picture cannot be rendered"
fi
expect 0 "$LOPE" level house --view perspective --cut 2.6 --dark -w 500 -o cut.svg
if grep -q storey cut.svg; then fail "a plan that was not asked for"; fi
"$LOPE" level yard -j 1 --json >one.json
"$LOPE" level yard -j 3 --json >three.json
cmp -s one.json three.json || fail "threads change what is found"

expect 0 "$LOPE" level yard --view plan -w 400 -o narrow.svg
python3 -c "import re; assert max(float(x) for x in re.findall('<text x=\"([0-9.]+)', open('narrow.svg').read())) < 380" \
    || fail "the legend runs out of a narrow page"

# What keeps a body out of a place.
expect 0 "$LOPE" level yard --at 0,0,0
prints '^0,0,0: free at a height of 0.000 m, on floor [0-9]+; the next border is 2\.2'
expect 0 "$LOPE" level yard --at 11,0,-2
prints "headroom 1.00 m under 'tunnel lid'"
expect 0 "$LOPE" level yard --at 30,0,0
prints 'nothing to stand on'
expect 0 "$LOPE" level house --at 0,0,4.5 -r 0.6
prints "cm too narrow between 'outer wall' and"
expect 0 "$LOPE" level yard
prints '^[0-9]+ links: .*[0-9]+ stairs, .*[0-9]+ up, .*2 ladder, 1 slide, 4 seat'
prints '^[0-9]+ holds, [0-9]+ of them bars'
python3 - <<'PY' 2>/dev/null || fail "the JSON lacks links"
import json
level = json.load(open('one.json'))
assert level['parts'] > 50 and len(level['borders']) > 100 and len(level['holds']) > 20
low = [link for link in level['links'] if link['kind'] == 'low passage' and abs(link['headroom'] - 0.8) < 0.01]
assert low and min(place['headroom'] for link in low for place in link['places']) < 0.81
stairs = [link for link in level['links'] if link['kind'] == 'stairs']
assert stairs and all(tread['rise'] and tread['depth'] >= 0 and tread['left'] for link in stairs for tread in link['treads'])
floors = {floor['floor']: floor for floor in level['floors']}
ground = max(floors.values(), key=lambda floor: floor['area'])
assert ground['low'] == [-20, 0, -15] and 1000 < ground['area'] <= 1200 and ground['high'][0] == 20
assert all(link['from_floor'] in floors or link['from_floor'] == -1 for link in level['links'])
assert sum(link['to_floor'] >= 0 for link in level['links']) > 100
edge = next(hold for hold in level['holds'] if not hold['bar'])
assert len(edge['normal']) == 3 and len(edge['out']) == 3 and 0 <= edge['angle'] <= 120 and 0 <= edge['slope'] <= 90
assert level['faults'] == []
PY
"$LOPE" level yard --at 0,0,0 --json >place.json
"$LOPE" level yard --at 11,0,-2 --json >low.json
python3 - <<'PY' 2>/dev/null || fail "--at has no answer in JSON"
import json
place, low = json.load(open('place.json')), json.load(open('low.json'))
assert place['free'] and place['floor'] >= 0 and 2.1 < place['clearance'] < 2.3
assert not low['free'] and low['fault'] == 'low' and abs(low['metres'] - 1.0) < 0.01 and "'tunnel lid'" in low['says']
PY

# Things that hang in the air or stand in walls, and a body that is too wide for a floor.
echo '{"parts": [{"box": {"size": [9, 0.2, 9], "place": [0, -0.2, 0], "name": "ground"}},
 {"box": {"size": [3, 2, 0.4], "place": [0, 0, 3], "name": "wall"}},
 {"chair": {"place": [1, 0.5, 0], "name": "red chair"}}, {"desk": {"place": [0, 0, 2.9]}}]}' >odd.json
expect 0 "$LOPE" level odd.json
prints "^'red chair' hangs 0.50 m above 'ground', at "
prints "^'desk' stands in 'wall', at "
"$LOPE" level odd.json --json | grep -q "'desk' stands in 'wall'" || fail "the JSON lacks what is wrong"
refuses 1 'radius' "$LOPE" level odd.json --radius 5

# One triangle is drawn as one.
printf 'v 0 0 0\nv 40 0 0\nv 0 0 40\nf 1 3 2\n' >one.obj
expect 0 "$LOPE" level one.obj --up y --view perspective -o one.svg
[ "$(wc -c <one.svg)" -lt 20000 ] || fail "one triangle takes $(wc -c <one.svg) bytes"

# How a body gets from place to place, or why it cannot.
expect 0 "$LOPE" level house --from 0,0,0 --to 0,2.9,0
prints '^[0-9]+ legs, [0-9.]+ s$'
prints '^  walk to 0.00,2.90,0.00, '
echo '{"parts": [{"box": {"size": [9, 0.2, 9], "place": [0, -0.2, 0]}},
 {"box": {"size": [3, 2, 3], "place": [2, 0, 2]}}, {"box": {"size": [3, 2, 0.2], "place": [2, 4, 2]}}]}' >block.json
expect 0 "$LOPE" level block.json --from -3,0,-3 --to 2,2,1
prints '^  up to '
expect 1 "$LOPE" level block.json --from -3,0,-3 --to 2,2,1 --climb 1.5
prints '^no way: up from .*: it is 2.00 m high, and this body climbs 1.50 m$'
expect 1 "$LOPE" level block.json --from -3,0,-3 --to 2,2,1 --climb 1.5 --json
python3 -c "import json, sys; way = json.load(sys.stdin); assert not way['found'] and 'climbs' in way['why'] and way['legs'] == []" <out \
    || fail "no reason in JSON"
expect 1 "$LOPE" level block.json --from -3,0,-3 --to 30,0,0
prints '^no way: '
refuses 2 'go together' "$LOPE" level yard --from 0,0,0
refuses 2 "--to needs a place x,y,z in metres, found 'up'" "$LOPE" level yard --from 0,0,0 --to up

# What is written reads back, and is the same level.
expect 0 "$LOPE" level --random 7 -o random.json
expect 0 "$LOPE" level --random 7 -o again.json
cmp -s random.json again.json || fail "the same seed makes different levels"
"$LOPE" level --random 7 | sed 's/, found.*//; s/^random level: //; /holds/d; /links/d' >a.txt
"$LOPE" level random.json | sed 's/, found.*//; s/^random level: //; /holds/d; /links/d' >b.txt
cmp -s a.txt b.txt || fail "a level that was written is another"
expect 0 "$LOPE" level --random 3 --soup --hills --triangles 30000
prints '^random level: .* 3[0-9]{4} triangles'

# Files of other kinds.
expect 0 "$LOPE" level "$LOPE_SOURCE/scenes/living_room.json"
expect 0 "$LOPE" level "$LOPE_SOURCE/scenes/worlds/playground.json"
printf 'v 0 0 0\nv 40 0 0\nv 40 30 0\nv 0 30 0\nf 1 2 3 4\nv 0 0 1\nv 1 0 1\nv 0 1 1\nf 5 6 7\n' >turned.obj
"$LOPE" level turned.obj 2>notes.txt
grep -q 'Z is up in it' notes.txt || fail "nothing is said of the axis that is up"
expect 0 "$LOPE" level turned.obj --up y --scale 0.01
echo '{"parts": [{"box": {"size": [0.1, 3, 0.1]}}]}' >post.json
expect 0 "$LOPE" level post.json

refuses 2 'one level is needed' "$LOPE" level
refuses 2 'one level is needed' "$LOPE" level yard --random 3
refuses 2 "--random needs a whole number, found 'x'" "$LOPE" level --random x
refuses 2 'go with --random' "$LOPE" level yard --soup
refuses 2 "--at needs a place x,y,z in metres, found '1,2'" "$LOPE" level yard --at 1,2
refuses 3 "no built-in level is called 'yart'; there are house, ruin, yard, office, playground" "$LOPE" level yart
refuses 3 'nowhere.glb' "$LOPE" level nowhere.glb
echo '{"parts": [
{"box": {"size": [1, 0, 1]}}]}' >bad.json
refuses 1 'bad.json:2:.*size.y is 0' "$LOPE" level bad.json
