# SPDX-License-Identifier: MIT
. "$(dirname "$(readlink -f "$0")")/lib.sh"

expect 0 "$LOPE" grade
prints '^clip +seconds +skate cm/s +planted cm/s'
prints '^walk_normal '
cp out one
expect 0 "$LOPE" grade -j 3
cmp -s out one || fail "grades depend on the number of threads"
expect 0 "$LOPE" grade --json walk_normal
prints '"contact_drift_cm_per_s": [0-9]'
if has python3; then
    python3 - out <<'END' || fail "the grades of the built-in walk are not what they should be"
import json, sys
(grade,) = json.load(open(sys.argv[1]))
assert grade["clip"] == "walk_normal"
assert grade["contact_drift_cm_per_s"] < 0.5, grade
assert 0 < grade["jerk_mean"] < 1000, grade
END
fi

# A clip without contacts reports no drift unless it may look for them.
make_bvh walk.bvh 61 0.0333333
expect 0 "$LOPE" grade --json walk.bvh
prints '"contact_drift_cm_per_s": null'
expect 0 "$LOPE" grade walk.bvh
prints '^walk '
expect 0 "$LOPE" grade --find-contacts walk.bvh

: >empty.bvh
expect 1 "$LOPE" grade walk.bvh empty.bvh
says 'empty\.bvh'
prints '^walk '
refuses 3 'no such file' "$LOPE" grade nothing.bvh
refuses 2 "--floor needs a number, found 'low'" "$LOPE" grade --floor low walk.bvh
