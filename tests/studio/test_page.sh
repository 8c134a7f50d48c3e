# SPDX-License-Identifier: MIT
# The studio's page without a browser: types, the page's logic, bindings that match the headers, the module at work.
. "$(dirname "$(readlink -f "$0")")/../cli/lib.sh"
set -e
"$LOPE_SOURCE/scripts/studio" || exit $?
cd "$LOPE_SOURCE/studio"
node_modules/.bin/tsc --noEmit
node_modules/.bin/vitest run --no-color --testTimeout 60000 # busy machines are slow
