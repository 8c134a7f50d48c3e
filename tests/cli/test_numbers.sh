# SPDX-License-Identifier: MIT
# Numbers on the command line: what is none, or cannot be, is refused with the option's name, and nothing is written.
. "$(dirname "$(readlink -f "$0")")/lib.sh"

# Every option of every command that takes a number.
tried=0
for command in info convert synth grade draw build track gait climb crowd follow path world scenery studio bench; do
    for option in $("$LOPE" "$command" --help | grep -oE -- '--[a-z-]+ (N|PIXELS|FRAME|COST|FACTOR|METRES|R|S|SECONDS|W)( |$)' |
        cut -d' ' -f1 | sort -u); do
        for value in nan -inf 12abc ''; do
            refuses 2 "$option needs a .*number" "$LOPE" "$command" "$option=$value"
        done
        tried=$((tried + 1))
    done
done
[ "$tried" -ge 60 ] || fail "only $tried options take numbers"

# Rates, widths and factors that are numbers but make no sense.
for value in 0 -1 1e30 1e-30; do
    refuses 2 '--fps' "$LOPE" synth --only walk_slow --fps $value -o out.bvh
    refuses 2 '--speed' "$LOPE" climb walking --speed $value
done
refuses 2 '--width' "$LOPE" draw walk_slow --width 1000000000 -o out.svg

# The help says what the library does.
default=$(sed -n 's/^#define LOPE_STEPS_MIN_BRANCHING \([0-9]*\).*/\1/p' "$LOPE_SOURCE/include/lope/steps_build.h")
expect 0 "$LOPE" build --help
tr -s ' \n' ' ' <out >joined
grep -q "2.5 times the threshold; $default by default" joined || fail "--min-branching: help does not say $default"
