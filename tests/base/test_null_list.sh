# SPDX-License-Identifier: MIT
# test_null.c gives NULL to every public function that ends an object: the list of the headers and its own are the same.
. "$(dirname "$(readlink -f "$0")")/../cli/lib.sh"
set -e
grep -hoE '^LOPE_API void lope_[a-z_]+_(destroy|close|free|release)\(' "$LOPE_SOURCE"/include/lope/*.h |
    sed 's/.* //' | sort -u > declared
grep -hoE 'lope_[a-z_]+_(destroy|close|free|release)\(NULL' "$LOPE_SOURCE/tests/base/test_null.c" |
    sed 's/NULL//' | sort -u > called
[ "$(wc -l < declared)" -ge 40 ] # the pattern still finds them
diff declared called
