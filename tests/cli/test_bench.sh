# SPDX-License-Identifier: MIT
# Only what does not depend on the machine: speed itself is never tested.
. "$(dirname "$(readlink -f "$0")")/lib.sh"

expect 0 "$LOPE" bench --list
refuses 2 "no benchmark is called 'nothing'" "$LOPE" bench nothing
refuses 3 'no such folder' "$LOPE" bench --data /no/such/folder all
finish
