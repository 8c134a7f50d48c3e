# SPDX-License-Identifier: MIT
# `lope go`: a character goes from place to place in a level; pictures, motion, mistakes.
. "$(dirname "$(readlink -f "$0")")/lib.sh"
# Sanitized builds have no moves of their own: building them takes minutes.
if [ -e "${LOPE_TEST_MOVES:-}" ]; then export LOPE_MOVES="$LOPE_TEST_MOVES"; fi

expect 0 "$LOPE" go yard --from 0,0,-10 --to '3,0,-10 3,0,-9' --interval 0.2 --around 1 -o way.svg -o way.bvh
prints 'to go to *3,0,-10'
prints 'arrived .*[23]\.[0-9]+, 0\.00'
prints '^done after [0-9.]+ s; way.svg, way.bvh'
[ "$(grep -c '<title>[0-9.]* s</title>' way.svg)" -gt 10 ] || fail "no bodies in the picture"
expect 0 "$LOPE" info way.bvh

# The same for any number of threads, as JSON.
"$LOPE" go house --from 1,0,3 --to 0,2.9,2 -n 4 -j 1 --seconds 3 --json >one.json
"$LOPE" go house --from 1,0,3 --to 0,2.9,2 -n 4 -j 3 --seconds 3 --json >three.json
cmp -s one.json three.json || fail "threads change what happens"
python3 -c "import json; d = json.load(open('one.json')); assert d['events'][0]['what'] == 'to go to' and 'done' in d" \
    || fail "the report is no JSON"

# Talks, and people who are kept busy.
expect 0 "$LOPE" go yard --from 0,0,-10 --to somebody -n 2 --stay 1
prints 'to talk to *somebody'
prints 'began *talk'
prints 'ended *talk'
expect 2 "$LOPE" go yard --to somebody
says 'there must be others'
expect 0 "$LOPE" go office -n 4 --errands --seconds 20
prints '^roamed after 20.0 s'

# Somebody else's body.
"$LOPE" convert walk_normal -o hero.glb >/dev/null
expect 0 "$LOPE" go yard --from 0,0,-10 --to 3,0,-10 --onto hero.glb -o moved.glb -o moved.bvh
expect 0 "$LOPE" info moved.glb
prints '^walk_normal '
prints '^hero .*moved.glb'
expect 3 "$LOPE" go yard --to 3,0,-10 --onto nobody.glb
echo "no character" >broken.glb
expect 1 "$LOPE" go yard --to 3,0,-10 --onto broken.glb
says 'broken.glb'

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
