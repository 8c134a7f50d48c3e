#!/bin/sh
# SPDX-License-Identifier: MIT
# The studio's page in Chromium, from a plain file server: real clicks, drags, keys and downloads.
set -eu
"$LOPE_SOURCE/scripts/studio" || exit $?
for program in "${CHROMIUM:-}" chromium chromium-browser google-chrome; do
    [ -n "$program" ] && CHROMIUM=$(command -v "$program" 2> /dev/null) && break
done
[ -n "${CHROMIUM:-}" ] || { echo "no Chromium to test with: install chromium"; exit 77; }
export CHROMIUM
cd "$LOPE_SOURCE/studio"
# Two at a time, the longest first, so that none is left running alone at the end.
tests="workshop page patches grasp rings mobility maps"
[ "$(echo $tests | wc -w)" = "$(ls tests/e2e/*.test.mjs | wc -l)" ] || { echo "tests/e2e has other files than $tests"; exit 1; }
files=$(printf 'tests/e2e/%s.test.mjs ' $tests)
# Software drawing on a busy machine may be too slow for a click: files in which something fails are tried once more, alone.
log=$(mktemp)
trap 'rm -f "$log"' EXIT
node --test --test-reporter=tap --test-concurrency=2 $files > "$log" && passed=yes || passed=no
cat "$log"
[ "$passed" = no ] || exit 0
failed=$(sed -n 's/^ *location: .*\(tests\/e2e\/[a-z]*\.test\.mjs\).*/\1/p' "$log" | sort -u)
echo "== once more, one file at a time:" ${failed:=$files}
node --test --test-reporter=tap --test-concurrency=1 $failed && echo "== passed only the second time; what failed at first is above:" $failed
