# SPDX-License-Identifier: MIT
# `lope go`: a character goes from place to place in a level; pictures, motion, mistakes.
. "$(dirname "$(readlink -f "$0")")/lib.sh"

expect 0 "$LOPE" go yard --from 0,0,-10 --to '-15,1.7,-2.5 -14,0,11.5' -o way.svg -o way.bvh
prints 'to go to *-15,1.7,-2.5'
prints 'arrived .*-1[45]\.[0-9]+, 1\.[67]'
prints '^done after [0-9.]+ s; way.svg, way.bvh'
[ "$(grep -c '<title>[0-9.]* s</title>' way.svg)" -gt 10 ] || fail "no bodies in the picture"
expect 0 "$LOPE" info way.bvh

# What is drawn closely is less of the level.
expect 0 "$LOPE" go yard --from 0,0,-10 --to 4,0,-10 --around 1.5 --interval 0.2 -o close.svg
[ "$(wc -c <close.svg)" -lt "$(wc -c <way.svg)" ] || fail "a close look shows as much as the whole level"

# The same for any number of threads, as JSON.
"$LOPE" go house --from 1,0,3 --to 0,2.9,2 -n 8 -j 1 --seconds 20 --json >one.json
"$LOPE" go house --from 1,0,3 --to 0,2.9,2 -n 8 -j 3 --seconds 20 --json >three.json
cmp -s one.json three.json || fail "threads change what happens"
python3 -c "import json; d = json.load(open('one.json')); assert d['events'][0]['what'] == 'to go to' and 'done' in d" \
    || fail "the report is no JSON"

# Too late is not done.
expect 1 "$LOPE" go yard --from 0,0,-10 --to 10,0,10 --seconds 2
prints '^not done after 2.0 s'

# Mistakes.
expect 3 "$LOPE" go yard --to sofa
says "'sofa' is neither a place X,Y,Z nor the name or kind of a thing in 'yard'"
expect 2 "$LOPE" go yard --from 1,2
says "--from needs a place X,Y,Z, found '1,2'"
expect 2 "$LOPE" go
says 'one level, found 0'
expect 3 "$LOPE" go nowhere.json
expect 2 "$LOPE" go yard --seconds 1e9
expect 3 "$LOPE" go yard --from 500,0,500 --to 0,0,0
says "nobody can stand within 1 m of 500"
