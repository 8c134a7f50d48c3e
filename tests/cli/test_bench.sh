# SPDX-License-Identifier: MIT
# Only what does not depend on the machine: speed itself is never tested.
. "$(dirname "$(readlink -f "$0")")/lib.sh"

expect 0 "$LOPE" bench --list
prints '^io '
prints '^pose '
expect 0 "$LOPE" bench pose --json
# Seven keys for each figure, in this order, with a value above zero.
tr -d ' \n' <out | sed 's/},{/}\n{/g; s/^\[//; s/\]$//' >figures
[ "$(wc -l <figures)" -ge 4 ] || fail "there are too few figures"
wanted='^\{"name":"[^"]+","value":[0-9.e+-]*[1-9][0-9.e+-]*,"unit":"[^"]*","paper":[^,]+,"peer":[^,]+,"must":[^,]+,"ok":(true|false)\}$'
! grep -Evq "$wanted" figures || fail "the figures are not what they should be: $(grep -Ev "$wanted" figures)"
expect 0 "$LOPE" bench pose --markdown
prints '^\| name \| value \| unit \| paper \| peer \| must \| ok \|$'
prints '^\| sample \+ model space, 1 character \| [0-9.]+ \| ns/joint \|'
refuses 2 "did you mean 'pose'" "$LOPE" bench posse
refuses 2 "no benchmark is called 'nothing'" "$LOPE" bench nothing
refuses 3 'no such folder' "$LOPE" bench --data /no/such/folder all

# Without captures there is nothing to say about them; stages and folders that are not there are refused.
mkdir empty
expect 0 "$LOPE" bench captures --data empty
prints 'no subfolder of empty'
mkdir -p slow/still && make_bvh slow/still/walk.bvh 5 2.5 # less than a frame per second
expect 0 "$LOPE" bench captures --data slow --only reading
prints 'no subfolder of slow'
refuses 1 'names a stage' "$LOPE" bench captures --data empty --only reading,writing
refuses 1 'none: cannot make a folder' env TMPDIR=none "$LOPE" bench captures --data empty
refuses 3 'no such folder' "$LOPE" bench captures --data empty --aside /no/such/folder

# Options that a benchmark would ignore are refused.
refuses 2 "'pose' does not know it" "$LOPE" bench pose --only reading
refuses 2 "'io' does not know it" "$LOPE" bench all --subjects 016
refuses 2 "'pose' does not know it" "$LOPE" bench pose --strangers there
refuses 2 "'pose' does not know it" "$LOPE" bench pose --aside empty
refuses 2 "'pose' does not know it" "$LOPE" bench pose --seed 1
refuses 2 "'pose' does not know it" "$LOPE" bench pose --drawn drawn.csv
refuses 2 "'level' does not know it" "$LOPE" bench level --levels 1
