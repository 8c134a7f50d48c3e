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
node --test --test-concurrency=2 tests/e2e/*.test.mjs
