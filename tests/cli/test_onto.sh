# SPDX-License-Identifier: MIT
# Motion on the user's own characters, and root bones.
. "$(dirname "$(readlink -f "$0")")/lib.sh"
"$LOPE_BUILD/tests/avatar_samples" . || fail "no characters to try"
make_bvh walk.bvh 31 0.0333333
count() { grep -ao "$1" "$2" | wc -l; }

# The character with the motions as animations, whatever they came from.
expect 0 "$LOPE" convert walk.bvh walk_slow --onto plain.hero.glb -o out.glb
prints '^out\.glb: 2 clips'
[ "$(count '"name":"\(nod\|walk\|walk_slow\)"' out.glb)" = 3 ] || fail "animations: $(grep -ao '"name":"[^"]*"' out.glb)"
[ "$(count '"note":"keep me"' out.glb)" = 1 ] || fail "extras are lost"
expect 0 "$LOPE" convert walk_slow --onto out.glb -o more.glb
[ "$(count '"name":"walk_slow_2"' more.glb)" = 1 ] || fail "a name that was taken was not numbered"
expect 0 "$LOPE" convert walk_slow --onto out.glb --replace -o fewer.glb
[ "$(count '"name":"walk\(_slow\)*"' fewer.glb)" = 1 ] || fail "animations were not replaced"
expect 0 "$LOPE" convert walk_slow --onto hero.gltf -o joined.glb
differ joined.glb fewer.glb "two characters are one"
mkdir in && cp walk.bvh in/a.bvh && cp walk.bvh in/b.bvh
expect 0 "$LOPE" convert in --onto plain.hero.glb --to glb -o each
prints '2 of 2 converted'
[ "$(count '"name":"a"' each/a.glb)$(count '"name":"b"' each/b.glb)" = 11 ] || fail "a file for each: $(find each)"
expect 0 "$LOPE" convert walk_slow --onto two.hero.glb --skin 'Twin skin' -o twin.glb

# Root bones: one that is there, one that is added, one in files of our own.
expect 0 "$LOPE" convert walk_slow --onto root_joint.hero.glb --root-bone -o found.glb
expect 0 "$LOPE" convert walk_slow --onto plain.hero.glb --root-bone=Mover -o added.glb
[ "$(count '"name":"Mover"' added.glb)" = 1 ] || fail "no root bone was added"
expect 0 "$LOPE" convert walk_slow --root-bone -o rooted.glb -o rooted.bvh -o rooted.lope
grep -q '^ROOT root' rooted.bvh && grep -q 'JOINT Hips' rooted.bvh || fail "BVH without a root bone"
expect 0 "$LOPE" info rooted.lope
prints '^  skeleton  23 joints'
expect 0 "$LOPE" convert rooted.bvh --root-bone=root -o again.bvh
[ "$(grep -c root again.bvh)" = 1 ] || fail "a second root bone was added"

# What cannot be done, and why.
refuses 1 'no_skin\.hero\.glb: has no skin' "$LOPE" convert walk_slow --onto no_skin.hero.glb -o no.glb
refuses 1 "'Hero skin', 'Twin skin'" "$LOPE" convert walk_slow --onto two.hero.glb -o no.glb
refuses 3 "expected a skin 'Cape'" "$LOPE" convert walk_slow --onto two.hero.glb --skin Cape -o no.glb
refuses 1 'expected a skeleton with hips and two legs' "$LOPE" convert walk_slow --onto chain.hero.glb -o no.glb
refuses 1 'above the hips' "$LOPE" convert walk_slow --onto plain.hero.glb --root-bone=mixamorig:Head -o no.glb
head -c 3000 plain.hero.glb >cut.glb
refuses 1 'cut\.glb: .*cut off' "$LOPE" convert walk_slow --onto cut.glb -o no.glb
refuses 3 'nobody\.glb' "$LOPE" convert walk_slow --onto nobody.glb -o no.glb
refuses 1 '' "$LOPE" convert walk_slow --onto walk.bvh -o no.glb
refuses 2 'writes GLB' "$LOPE" convert walk_slow --onto plain.hero.glb -o no.bvh
refuses 2 'exclude each other' "$LOPE" convert walk_slow --onto plain.hero.glb --retarget builtin -o no.glb
refuses 2 'needs --onto' "$LOPE" convert walk_slow --replace -o no.glb
refuses 1 '' "$LOPE" convert walk_slow --onto plain.hero.glb -o plain.hero.glb
[ ! -e no.glb ] && [ ! -e no.bvh ] || fail "a refused conversion left a file"
