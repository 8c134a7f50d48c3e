# SPDX-License-Identifier: MIT
# `lope scenery`: tables, the proposal, bad input with its message.
. "$(dirname "$(readlink -f "$0")")/lib.sh"

expect 0 "$LOPE" scenery stairs_up stairs_down ladder_up sit walk_normal -o stage.json
prints 'stairs_up +step +15\.0'
prints 'walk_normal +\(a floor\)'
prints 'ladder pitch +30\.0 cm'
prints 'seat +height +45\.0 cm'
grep -q '"kind": "ladder"' stage.json || fail "no ladder in the proposal"
grep -q '"confirmed": false' stage.json || fail "nothing to confirm"
grep -q '{"clip": "stairs_down", "centre": ' stage.json || fail "the proposal does not name its clips"
if has python3; then
    python3 -c 'import json; assert len(json.load(open("stage.json"))["objects"]) == 10' || fail "not ten objects"
fi
"$LOPE" scenery --threads 1 stairs_up stairs_down ladder_up sit walk_normal -o again.json >/dev/null
cmp -s stage.json again.json || fail "the proposal depends on the threads"
expect 0 "$LOPE" scenery walk_normal
prints 'nothing to propose'

expect 0 "$LOPE" scenery --check stage.json
prints '^0 of 10 objects confirmed'
sed '0,/"confirmed": false/s//"confirmed": true/' stage.json >mine.json
expect 0 "$LOPE" scenery --check mine.json
prints '^1 of 10 objects confirmed'
sed '0,/"height": [0-9.]*/s//"height": 0/' stage.json >flat.json
refuses 1 'flat.json:[0-9]+.*height must lie' "$LOPE" scenery --check flat.json
refuses 2 'one proposal' "$LOPE" scenery --check stage.json mine.json
refuses 3 'nowhere.json' "$LOPE" scenery --check nowhere.json

refuses 2 'which clips' "$LOPE" scenery
refuses 3 'no such file' "$LOPE" scenery nothing.bvh
mkdir empty
refuses 3 'empty' "$LOPE" scenery empty -o x.json
refuses 3 'does not exist' "$LOPE" scenery sit -o nowhere/x.json
"$LOPE" synth --only sit -o takes >/dev/null || fail "no clip to look at"
clip=$(find takes -name '*.bvh' | head -1)
ln -s "$clip" link.json
refuses 1 'link.json: is an input' "$LOPE" scenery takes -o link.json
rm link.json
printf 'HIERARCHY\nROOT a\n{\nOFFSET 0 0 0\nCHANNELS 3 Xposition Yposition Zposition\nEnd Site\n{\nOFFSET 0 1 0\n}\n}\nMOTION\nFrames: 2\nFrame Time: 0.03\n0 0 0\n0 0 0\n' >rope.bvh
refuses 1 'rope.*two legs' "$LOPE" scenery rope.bvh -o x.json
