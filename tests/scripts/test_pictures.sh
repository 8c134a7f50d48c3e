# SPDX-License-Identifier: MIT
# scripts/pictures: a sheet of one library, from its clips to the picture, and what it says where it cannot.
. "$(dirname "$(readlink -f "$0")")/../cli/lib.sh"
mkdir data
for name in walk_normal turn_left_sharp turn_right_sharp; do
    expect 0 "$LOPE" synth --only $name -o data/me
done

# draws CODE SHEET...: with this tool, these clips, and everything it makes in a folder of the test.
draws() {
    wanted=$1
    shift
    expect "$wanted" env LOPE="$LOPE" LOPE_DATA="$WORK/data" OUT="$WORK/sheets" LIBRARIES=me "$LOPE_SOURCE/scripts/pictures" "$@"
}

draws 0 doors
prints 'sheets/doors_chosen.svg$'
[ "$(grep -c '<svg ' sheets/doors_chosen.svg)" -eq 3 ] || fail "two views are not on one sheet"
[ "$(grep -c '</svg>' sheets/doors_chosen.svg)" -eq 3 ] || fail "the sheet is not closed"
grep -q 'Body from the front' sheets/doors_chosen.svg || fail "there is no view from the front"
built=$(stat -c %Y.%i sheets/built/me.maps.lope)
draws 0 doors
[ "$built" = "$(stat -c %Y.%i sheets/built/me.maps.lope)" ] || fail "what was built is not used again"
draws 2 hop
says "no sheet is called 'hop'"
expect 1 env LOPE_DATA=/no/such/folder "$LOPE_SOURCE/scripts/pictures"
says 'no captured clips'
