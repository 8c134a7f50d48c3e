# SPDX-License-Identifier: MIT
# Only what does not depend on the machine: speed itself is never tested.
. "$(dirname "$(readlink -f "$0")")/lib.sh"

expect 0 "$LOPE" bench --list
prints '^io '
prints '^pose '
expect 0 "$LOPE" bench pose --json
if command -v python3 >/dev/null; then
    python3 - out <<'END' || fail "the figures are not what they should be"
import json, sys
figures = json.load(open(sys.argv[1]))
assert figures
for figure in figures:
    assert list(figure) == ["name", "value", "unit", "paper", "peer", "must", "ok"], figure
    assert figure["value"] > 0 and isinstance(figure["ok"], bool), figure
END
fi
refuses 2 "did you mean 'pose'" "$LOPE" bench posse
refuses 2 "no benchmark is called 'nothing'" "$LOPE" bench nothing
refuses 3 'no such folder' "$LOPE" bench --data /no/such/folder all
