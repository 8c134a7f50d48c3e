# SPDX-License-Identifier: MIT
# The studio's page in Chromium, from a plain file server: real clicks, drags, keys and downloads.
. "$(dirname "$(readlink -f "$0")")/../cli/lib.sh"
set -e
"$LOPE_SOURCE/scripts/studio" || exit $?
for program in "${CHROMIUM:-}" chromium chromium-browser google-chrome; do
    [ -n "$program" ] && CHROMIUM=$(command -v "$program" 2> /dev/null) && break
done
[ -n "${CHROMIUM:-}" ] || { echo "skipped: no chromium"; exit 77; }
export CHROMIUM
cd "$LOPE_SOURCE/studio"
# Two at a time, the longest first, so that none is left running alone at the end.
tests="workshop page patches grasp rings mobility maps"
[ "$(echo $tests | wc -w)" = "$(ls tests/e2e/*.test.mjs | wc -l)" ] || { echo "tests/e2e has other files than $tests"; exit 1; }
files=$(printf 'tests/e2e/%s.test.mjs ' $tests)
node --test --test-reporter=tap --test-concurrency=2 $files
