# SPDX-License-Identifier: MIT
# `lope build` without a kind: moves of a few clips, filled and pure; what is said about them; and commands that use them.
. "$(dirname "$(readlink -f "$0")")/lib.sh"

few="walk_normal walk_slow turn_left_sharp turn_right_sharp turn_left_gentle turn_right_gentle walk_start walk_stop"
expect 0 "$LOPE" build $few -j 2 -o moves.lope
for row in walking 'exact steps' 'uneven ground: walk' 'own clips, filled' 'things +built-in set, carried over'; do
    prints "$row"
done
if [ -z "${LOPE_SANITIZE:-}" ]; then # there it takes long
    expect 0 "$LOPE" build $few -j 1 --json -o again.lope
    prints '"what": "things"'
    cmp -s moves.lope again.lope || fail "threads change the file"
fi
expect 0 "$LOPE" info moves.lope
prints 'moves of a body of 1.75 m'
prints 'things +chair, desk, step, ladder'
expect 0 "$LOPE" info --json moves.lope
prints '"states": [0-9]{2}'

expect 0 "$LOPE" build --pure $few -o pure.lope
prints 'things +left out +clips do not tell'
expect 0 "$LOPE" info pure.lope
if grep -q chair out; then fail "--pure has things"; fi
[ "$(stat -c %s pure.lope)" -lt "$(stat -c %s moves.lope)" ] || fail "--pure is no smaller"

# Where files of a single kind do.
expect 0 "$LOPE" track moves.lope --to 2,2 --json -o way.svg
prints '"arrived": true'
expect 0 "$LOPE" follow moves.lope --scene doors -o way.svg
expect 0 "$LOPE" gait moves.lope --scene stairs -o gait.svg
expect 0 "$LOPE" crowd plaza --map moves.lope -n 5 --seconds 2 -o crowd.svg
LOPE_MOVES=moves.lope expect 0 "$LOPE" track --to 2,2 -o way.svg

# Bad input.
refuses 3 'reaches 0 of' "$LOPE" build --pure idle -o x.lope
head -c 100000 moves.lope >cut.lope
refuses 1 'truncated' "$LOPE" info cut.lope
refuses 1 'truncated' "$LOPE" track cut.lope --to 2,2 -o x.svg
LOPE_MOVES=cut.lope refuses 1 'truncated' "$LOPE" track --to 2,2 -o x.svg
refuses 1 'is an input' "$LOPE" build moves.lope -o moves.lope
[ ! -e x.lope ] || fail "a failed build left a file"
