# SPDX-License-Identifier: MIT
# The tables in the documents come from one run: every benchmark is shown, and pages that show the same one agree. Then
# the same on copies in which a figure was typed over, or a benchmark was left out.
. "$(dirname "$(readlink -f "$0")")/../cli/lib.sh"

expect 0 "$LOPE_SOURCE/scripts/figures" check

mkdir scripts
cp "$LOPE_SOURCE/scripts/figures" scripts/
cp -r "$LOPE_SOURCE/docs" docs
expect 0 scripts/figures check

# One benchmark that was measured on its own: nothing else changes.
mkdir -p build/figures
echo 'measured again' > build/figures/captures.md
expect 0 scripts/figures fill captures
expect 0 scripts/figures check
[ "$(grep -c '^measured again$' docs/captures.md docs/benchmarks.md | tr '\n' ' ')" = 'docs/captures.md:1 docs/benchmarks.md:1 ' ] || fail 'the table is not there once'
expect 0 grep -q 'figures crowd' docs/mobility-maps.md
cmp -s "$LOPE_SOURCE/docs/mobility-maps.md" docs/mobility-maps.md || fail 'another page has changed'

sed -i '/^<!-- figures crowd -->$/,/^<!-- end of figures -->$/s/[0-9]/9/g' docs/mobility-maps.md
expect 1 scripts/figures check
says "differ about 'crowd'"
cp "$LOPE_SOURCE/docs/mobility-maps.md" docs/
sed -i '/^<!-- figures io -->$/,/^<!-- end of figures -->$/d' docs/benchmarks.md
expect 1 scripts/figures check
says "does not show the figures of 'io'"
