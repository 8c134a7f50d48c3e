# SPDX-License-Identifier: MIT
. "$(dirname "$(readlink -f "$0")")/lib.sh"

expect 0 "$LOPE" synth --list
prints '^walk_normal +[A-Za-z]'
motions=$(($(wc -l <out) - 1))
[ "$motions" -ge 30 ] || fail "only $motions motions"
expect 0 "$LOPE" synth --list --json
prints '"name": "walk_normal"'
[ -z "$(ls -d motions 2>/dev/null)" ] || fail "--list wrote something"

expect 0 "$LOPE" synth -o set
[ "$(ls set/*.bvh | wc -l)" -eq "$motions" ] || fail "not one file per motion"
expect 0 "$LOPE" info -f set/walk_normal.bvh
prints 'from joint names'

# Seeds, takes, rates; the same again for another number of threads.
expect 0 "$LOPE" synth --only walk_normal -n 3 --fps 30 -o takes
[ "$(ls takes)" = "$(printf 'walk_normal.bvh\nwalk_normal_2.bvh\nwalk_normal_3.bvh')" ] || fail "takes: $(ls takes)"
differ takes/walk_normal.bvh takes/walk_normal_2.bvh "two takes are equal"
expect 0 "$LOPE" synth --only walk_normal -n 3 --fps 30 -j 3 -o again
diff -r takes again >/dev/null || fail "takes depend on the number of threads"
expect 0 "$LOPE" info takes/walk_normal.bvh
prints 'at 30(\.0000)?[0-9]* fps'

refuses 3 "no built-in motion is called 'wlak_normal'; did you mean 'walk_normal'" "$LOPE" synth --only wlak_normal
refuses 3 "folder 'no' does not exist" "$LOPE" synth -o no/such
refuses 2 'takes no operands' "$LOPE" synth walk_normal
refuses 2 'from 5 to 1000' "$LOPE" synth --fps 1e9
echo x >file
refuses 1 'it is a file' "$LOPE" synth -o file
