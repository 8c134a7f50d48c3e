# SPDX-License-Identifier: MIT
# `lope world` with floors and things: generated, assembled, checked, drawn and used; clear about what does not fit.
. "$(dirname "$(readlink -f "$0")")/lib.sh"

# Once without a file, then with one: building blocks again and again takes long under sanitizers.
expect 0 "$LOPE" build --blocks -o blocks.lope
keep blocks.lope
[ -n "${LOPE_SANITIZE:-}" ] || expect 0 "$LOPE" world --generate office --size 2 -n 1 --seconds 1
LOPE_WORLD="$LOPE world --patches blocks.lope"
expect 0 $LOPE_WORLD --generate office --size 4 --seconds 1 -o office.json -o plan.svg
for row in 'instances of blocks' 'components +1' 'things that no block fits +0'; do prints "$row"; done
expect 0 $LOPE_WORLD office.json -n 6 --seconds 8 --who 0-1 -o office.svg -o motions --to bvh
prints 'times that things were used'
[ -s motions/character_1.bvh ] || fail "no motions were written"
grep -q 'office of 4' office.svg || fail "the picture does not say what it shows"
for threads in 1 3; do
    expect 0 $LOPE_WORLD "$LOPE_SOURCE/scenes/worlds/playground.json" -n 2 --seconds 1 -j $threads --json
    grep '"hash"' "$WORK/out" >"hash$threads" || fail "no hash in the report"
done
cmp -s hash1 hash3 || fail "threads change the world"

# What does not fit is said, and so are parts that cannot be left.
cat >apart.json <<'JSON'
{"floors": [{"tiles": [4, 4]}, {"corner": [20, 0], "tiles": [3, 3]}],
 "things": [{"unit": "slide_top", "at": [3, 0.5, 3]}]}
JSON
expect 0 $LOPE_WORLD apart.json -n 1 --seconds 1
grep -q "no block fits, e.g. 'slide_top' at (3.00, 0.50, 3.00)" "$WORK/err" || fail "the slide is not named"
grep -q 'falls into 2 parts' "$WORK/err" || fail "parts are not told"
grep -q 'part 2: [0-9]* nodes' "$WORK/err" || fail "parts are not listed"

# Bad input.
sed 's/slide_top/slide_tip/' apart.json >unknown.json
refuses 3 "unknown.json:2: nothing is known of 'slide_tip'" $LOPE_WORLD unknown.json
echo '{"floors": [{"tiles": [4, 4]}], "units": [{"name": "x", "boxes": [{"size": [1, 0, 1]}]}]}' >flat.json
refuses 1 'has no size' $LOPE_WORLD flat.json
echo '{"floors": [{"tiles": [4, 4]}], "things": [{"unit": "chair", "at": [3, 0, 3]},
 {"unit": "desk", "at": [3, 0, 3]}]}' >over.json
refuses 1 'over.json:2: desk at .* overlaps chair' $LOPE_WORLD over.json
refuses 3 "no worlds of kind 'castle'" $LOPE_WORLD --generate castle
refuses 2 'is one already' $LOPE_WORLD office.json --generate office
refuses 2 'goes with --generate' $LOPE_WORLD --size 3
"$LOPE" convert walk_normal -o clips.lope >/dev/null
refuses 1 'holds no walk tile' "$LOPE" world office --patches clips.lope
