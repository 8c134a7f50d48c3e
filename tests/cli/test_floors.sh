# SPDX-License-Identifier: MIT
# `lope crowd` and `lope follow` in worlds with things, and on floors without any.
. "$(dirname "$(readlink -f "$0")")/lib.sh"

made blocks.lope --blocks
# Sanitized builds have no moves of their own: building them takes minutes.
if [ -e "${LOPE_TEST_MOVES:-}" ]; then export LOPE_MOVES="$LOPE_TEST_MOVES"; fi
LOPE_CROWD="$LOPE crowd"
LOPE_FOLLOW="$LOPE follow --patches blocks.lope"
number() { sed -n "s/^ *\"$1\": \([-0-9.e+]*\),*$/\1/p" "$WORK/out"; }
is() { awk -v a="$(number "$1")" "BEGIN { exit !(a != \"\" && a $2) }" || fail "$1 is '$(number "$1")', not $2"; }

# An office: characters arrive, sit, keep apart; a picture with their ways; motions of chosen ones.
expect 0 $LOPE_CROWD office --seconds 90 -o office.svg -o motions --to bvh -o both.glb --who 0,3 --json
is characters '== 12'
is arrivals '>= 5'
is used '>= 2'
is sittings '>= 1'
is near '< 1'
is given_up '== 0'
is longest_stuck '< 20'
grep -q 'office of 12' office.svg || fail "the picture does not say what it shows"
[ "$(grep -o '<line' office.svg | wc -l)" -gt 100 ] || fail "no ways in the picture"
[ -s motions/character_3.bvh ] && [ "$(head -c 4 both.glb)" = glTF ] || fail "no motions were written"
[ ! -e motions/character_1.bvh ] || fail "more characters than asked for"
expect 0 "$LOPE" info motions/character_3.bvh
prints '2700'
for threads in 1 3; do
    expect 0 $LOPE_CROWD "$LOPE_SOURCE/scenes/worlds/playground.json" -n 6 --seconds 10 -j $threads --json
    grep '"hash"' out >"hash$threads" || fail "no hash in the report"
done
cmp -s hash1 hash3 || fail "threads change what people do"
# Up a ladder: built-in blocks from a file lead everywhere that those in memory do.
expect 0 $LOPE_FOLLOW --scene playground --from 2,2 --to 5,7,1 -o ladder.bvh --json
is metres '>= 8'
is miss '< 3'

# A floor without things: all but sitting.
echo '{"name": "bare", "characters": 5, "floors": [{"tiles": [6, 5]}]}' >bare.json
expect 0 $LOPE_CROWD bare.json --seconds 60 --json
is characters '== 5'
is arrivals '>= 3'
is used '== 0'
grep '"hash"' out >hash.bare
expect 0 $LOPE_CROWD bare.json --seconds 60 --seed 2 --json
grep '"hash"' out >hash.seed
differ hash.seed hash.bare "the seed changes nothing"
expect 0 $LOPE_FOLLOW --scene bare.json --from 1,1 --to 7,6 -o bare.glb --json
is metres '>= 5'
is miss '< 2.5'

# One character: up the stairs. Sitting is for 'lope go'.
expect 0 $LOPE_FOLLOW --scene office --from 2,2 --to 9,14,1 -o upstairs.svg --json
is seconds '< 60'
is miss '< 3'
grep -q '<line' upstairs.svg || fail "no way in the picture"
expect 0 $LOPE_FOLLOW --scene office --from 5,3,1 --to 5,4 --fps 30 -o down.bvh
prints 'down.bvh: [0-9.]+ seconds, [0-9.]+ m; is there after [0-9.]+ s, [0-9.]+ m off the goal'
tail -1 down.bvh | awk '{ exit !($2 > 80 && $2 < 120) }' || fail "does not end on the ground floor"
refuses 2 'to sit down: lope go office --from X,Y,Z --use chair' $LOPE_FOLLOW --scene office --from 5,3 --sit chair -o sit.bvh

# Where nobody can go, and why.
echo '{"floors": [{"tiles": [4, 4]}, {"corner": [20, 0], "tiles": [3, 3]}]}' >apart.json
refuses 1 'no way leads from \(2, 0, 2\) to \(22, 0, 2\): .* falls into 2 parts' \
    $LOPE_FOLLOW --scene apart.json --from 2,2 --to 22,2,1 -o no.bvh
refuses 1 'to 50,1 is off floor 0, which goes from 0,0 to 6,6' \
    $LOPE_FOLLOW --scene apart.json --from 2,2 --to 50,1 -o no.bvh
echo '{"floors": [{"tiles": [5, 5]}, {"height": 3.06, "tiles": [5, 5], "holes": [[1, 1, 1, 2]]}],
 "things": [{"unit": "desk", "at": [3, 0, 3]}]}' >two.json
refuses 1 'floor 1 has a hole there' $LOPE_FOLLOW --scene two.json --from 2,2 --to 2,4,1 -o no.bvh
refuses 1 'no way leads from .* falls into 2 parts' $LOPE_FOLLOW --scene two.json --from 2,1 --to 5,5,1 -o no.bvh
echo '{"floors": [{"tiles": [8, 4]}],
 "units": [{"name": "wall", "boxes": [{"centre": [0, 1, 0], "size": [0.3, 2, 6]}]}],
 "things": [{"unit": "wall", "at": [6, 0, 3]}]}' >wall.json
refuses 1 'no way leads from' $LOPE_FOLLOW --scene wall.json --from 2,3 --to 10,3 -o no.bvh
refuses 2 'have the numbers 0 to 1' $LOPE_FOLLOW --scene two.json --from 2,2 --to 2,7,2 -o no.bvh
refuses 2 'where to go' $LOPE_FOLLOW --scene office -o no.bvh
refuses 2 'are for scenes without things' $LOPE_FOLLOW --scene office --from 2,2 --to 3,3 --flow 2 -o no.bvh
refuses 2 'is 5 to 1000, found 1' $LOPE_FOLLOW --scene bare.json --from 2,2 --to 3,3 --fps 1 -o no.bvh
refuses 2 'is 5 to 1000, found 2000' $LOPE_CROWD bare.json --fps 2000
refuses 2 'leave out --avoid' $LOPE_CROWD office --avoid none
refuses 2 'map MOVES.lope instead of --patches' $LOPE_CROWD office --patches blocks.lope
refuses 1 'holds no moves' $LOPE_CROWD office --map blocks.lope
refuses 2 "--who needs numbers below 2 such as 0,3 or 0-9, found '2'" $LOPE_CROWD bare.json -n 2 -o other --to bvh --who 2
