# SPDX-License-Identifier: MIT
# From clips to a world of what they were performed on: `lope scenery`, a hand that confirms, `lope build --blocks
# --scenery`, `lope world --patches`. The built-in stairs take the place of a capture.
. "$(dirname "$(readlink -f "$0")")/lib.sh"

strolls=$("$LOPE" synth --list | sed -n 's/^\(stroll_[a-z0-9_]*\) .*/\1/p')
expect 0 "$LOPE" scenery stairs_up_slow stairs_down_slow -o stage.json
build() { "$LOPE" build --blocks --scenery "$1" stairs_up_slow stairs_down_slow walk_slow idle $strolls -o gym.lope; }
refuses 1 'stage.json: nothing is confirmed' build stage.json
sed 's/"confirmed": false/"confirmed": true/; s/"size": \[[0-9.]*/"size": [0.900/' stage.json >mine.json
expect 0 build mine.json
prints 'step_18 +0\.900 +0\.180 +0\.28'
prints 'floor\+floor\+step_18|floor\+step_18\+step_18'
cat >stairs.json <<'JSON'
{"floors": [{"tiles": [6, 4]}, {"corner": [0, 6], "height": 0.9, "tiles": [6, 3]}],
 "things": [{"unit": "step_18", "at": [4.5, 0.18, 5.02], "count": 4, "by": [0, 0.18, 0.28]}]}
JSON
expect 0 "$LOPE" world stairs.json --patches gym.lope -n 4 --seconds 5 -o stairs.svg
prints 'components +1'
prints 'things that no block fits +0'

# Bad input: the scenery, then what it is used with.
expect_bad() { refuses 1 "$1" build bad.json; }
sed '0,/"kind": "step"/s//"kind": "stair"/' mine.json >bad.json
expect_bad 'bad.json:[0-9:]+ .*stair'
sed '0,/"clip": "stairs_up_slow", /s///' mine.json >bad.json
expect_bad 'bad.json:[0-9:]+ a clip of an object needs "clip"'
sed '0,/"size": \[0.900, [0-9.]*\]/s//"size": [0.9, 0]/' mine.json >bad.json
expect_bad 'bad.json:[0-9:]+ .*size'
sed 's/"height": 0.360/"height": 0.185/' mine.json >bad.json
expect_bad 'bad.json: steps 0 and 1 of group 0 do not lead up'
echo '{"objects": [' >bad.json
expect_bad 'bad.json:'
sed 's/"clip": "/"clip": "other_/' mine.json >bad.json
refuses 3 'bad.json: none of the [0-9]+ clips was performed on' build bad.json
refuses 3 'nowhere.json' build nowhere.json
refuses 3 'clips that walk' "$LOPE" build --blocks --scenery mine.json stairs_up_slow stairs_down_slow -o x.lope
refuses 3 'too little motion' "$LOPE" build --blocks --scenery mine.json stairs_up_slow stairs_down_slow idle -o x.lope
[ ! -e x.lope ] || fail "a failed build left a file"
refuses 2 'performed on' "$LOPE" build --blocks stairs_up_slow -o x.lope
refuses 2 'goes with --blocks' "$LOPE" build --patches --scenery mine.json stairs_up_slow -o x.lope
refuses 2 'goes with --blocks' "$LOPE" build --blocks --scenery mine.json -o x.lope
