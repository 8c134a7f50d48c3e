# SPDX-License-Identifier: MIT
# The tables in the documents come from one run: every benchmark is shown, and pages that show the same one agree. Then
# the same on copies in which a figure was typed over, or a benchmark was left out.
. "$(dirname "$(readlink -f "$0")")/../cli/lib.sh"

expect 0 "$LOPE_SOURCE/scripts/figures" check

mkdir scripts
cp "$LOPE_SOURCE/scripts/figures" scripts/
cp -r "$LOPE_SOURCE/docs" docs
expect 0 scripts/figures check
sed -i '/^<!-- figures crowd -->$/,/^<!-- end of figures -->$/s/[0-9]/9/g' docs/mobility-maps.md
expect 1 scripts/figures check
says "differ about 'crowd'"
cp "$LOPE_SOURCE/docs/mobility-maps.md" docs/
sed -i '/^<!-- figures io -->$/,/^<!-- end of figures -->$/d' docs/benchmarks.md
expect 1 scripts/figures check
says "does not show the figures of 'io'"
