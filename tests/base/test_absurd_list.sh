# SPDX-License-Identifier: MIT
# test_absurd_*.c try absurd numbers in every public definition: the headers' list and theirs are the same. A lock_def is
# tried as part of a player_def; the only number of a skeleton_def is the length of the caller's arrays;
# definitions of avatars and stages have none.
. "$(dirname "$(readlink -f "$0")")/../cli/lib.sh"
set -e
grep -hoE '^} lope_[a-z_]+_def;' "$LOPE_SOURCE"/include/lope/*.h | sed 's/^} lope_//; s/;//' |
    grep -vxE 'lock_def|skeleton_def|avatar_def|avatar_save_def|stage_def' | sort -u > declared
grep -hoE 'DEFINITION\([a-z_]+_def,' "$LOPE_SOURCE"/tests/base/test_absurd_*.c | sed 's/.*(//; s/,//' | sort -u > tried
[ "$(wc -l < declared)" -ge 30 ] # the pattern still finds them
diff declared tried
