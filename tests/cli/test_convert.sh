# SPDX-License-Identifier: MIT
. "$(dirname "$(readlink -f "$0")")/lib.sh"
make_bvh walk.bvh 61 0.0333333
frames() { "$LOPE" info --json "$1" | sed -n 's/.*"frames": \([0-9]*\).*/\1/p'; }

# One file to each format, and back.
expect 0 "$LOPE" convert walk.bvh -o walk.lope
prints '^walk\.lope: 1 clip, 2\.00 s'
expect 0 "$LOPE" convert walk.bvh -o walk.glb
[ "$(head -c 4 walk.glb)" = glTF ] || fail "not a GLB"
expect 0 "$LOPE" convert walk.lope -o back.bvh
[ "$(frames back.bvh)" = 61 ] || fail "frames are lost on the way"
expect 0 "$LOPE" convert back.bvh -o again.bvh
expect 0 "$LOPE" convert again.bvh -o third.bvh
cmp -s again.bvh third.bvh || fail "BVH to BVH is not stable"

# Packed sets: smaller, and opened like any other.
expect 0 "$LOPE" convert walk_normal run -o exact.lope
expect 0 "$LOPE" convert walk_normal run --packed 0.1 -o packed.lope
[ "$(wc -c < packed.lope)" -lt $(($(wc -c < exact.lope) / 3)) ] || fail "packed: $(wc -c < packed.lope) bytes"
expect 0 "$LOPE" convert packed.lope -o unpacked.lope
[ "$(wc -c < unpacked.lope)" = "$(wc -c < exact.lope)" ] || fail "unpacked: $(wc -c < unpacked.lope) bytes"
differ unpacked.lope exact.lope "packing is free of any error"
refuses 2 '0.01 to 100 millimetres' "$LOPE" convert walk.bvh --packed 0.001 -o x.lope
refuses 2 'for .lope files' "$LOPE" convert walk.bvh --packed 1 -o x.glb

# Editing.
expect 0 "$LOPE" convert walk.bvh --fps 15 -o slow.bvh
[ "$(frames slow.bvh)" = 31 ] || fail "resampling: $(frames slow.bvh) frames"
expect 0 "$LOPE" convert walk.bvh --trim 0.5:1 -o part.bvh
[ "$(frames part.bvh)" = 16 ] || fail "trimming: $(frames part.bvh) frames"
expect 0 "$LOPE" convert walk.bvh --trim 1: -o tail.bvh
expect 0 "$LOPE" convert walk.bvh --mirror -o mirrored.bvh
expect 0 "$LOPE" convert mirrored.bvh --mirror -o twice.bvh
differ mirrored.bvh back.bvh "mirroring changes nothing"
expect 0 "$LOPE" convert walk.bvh --level -o level.lope
expect 0 "$LOPE" info level.lope
prints '^  floor     -?0\.000 m'
# Where the floor is can be said, or found; what was found is said once.
floor() { "$LOPE" info --json "$1" | sed -n 's/.*"floor": \([-0-9.e]*\).*/\1/p'; }
is_floor() { awk -v a="$(floor "$1")" -v b="$2" 'BEGIN { exit !(a - b < 0.002 && b - a < 0.002) }' || fail "floor of $1: $(floor "$1")"; }
expect 0 "$LOPE" convert walk.bvh --floor=-0.7 -o high.bvh
[ -z "$(cat err)" ] || fail "said although nothing was found: $(cat err)"
high=$(awk -v a="$(floor walk.bvh)" 'BEGIN { print a + 0.7 }')
is_floor high.bvh "$high"
expect 0 "$LOPE" convert high.bvh walk_normal --retarget builtin --fps 30 --floor auto -o low.lope -o low.glb
says '^lope convert: floor at 0\.[67][0-9] m in 1 clip, from standing feet \(--floor\)$'
[ "$(grep -c floor err)" = 1 ] || fail "said more than once"
expect 0 "$LOPE" convert high.bvh --floor "$high" -o low.bvh
[ -z "$(cat err)" ] || fail "said although it was given: $(cat err)"
is_floor low.bvh 0
expect 2 "$LOPE" convert high.bvh --floor high -o low.bvh
says 'floor needs a height in metres, or auto, found .high'
expect 2 "$LOPE" convert high.bvh --floor nan -o low.bvh
expect 0 "$LOPE" convert walk.bvh --unit m -o metres.bvh
expect 0 "$LOPE" info metres.bvh
prints '^  units     1 m per unit'
expect 0 "$LOPE" convert walk.bvh --retarget builtin -o carried.lope
expect 0 "$LOPE" info carried.lope
prints '^  skeleton  22 joints'

# Many into one, and the built-in set by default.
make_bvh second.bvh 31 0.0333333
expect 0 "$LOPE" convert walk.bvh second.bvh --add-mirrored -o set.lope
prints '^set\.lope: 4 clips'
expect 0 "$LOPE" info set.lope
prints '^second_mirrored '
expect 0 "$LOPE" convert --fps 30 -o builtin.lope
expect 0 "$LOPE" convert walk_normal walk_slow -o two.glb
prints '2 clips'
expect 0 "$LOPE" info builtin.lope
prints '^walk_normal '

# Folders keep their shape; every number of threads writes the same.
mkdir -p in/sub/deep
cp walk.bvh in/a.bvh
cp second.bvh in/sub/deep/b.BVH
expect 0 "$LOPE" convert in --to bvh -j 1 -o out1
prints '2 of 2 converted'
[ "$(cd out1 && find . -type f | sort | tr '\n' ' ')" = "./a.bvh ./sub/deep/b.bvh " ] || fail "folders: $(find out1)"
expect 0 "$LOPE" convert in --to bvh -j 3 -o out3
diff -r out1 out3 >/dev/null || fail "results depend on the number of threads"
expect 0 "$LOPE" convert in --to bvh --add-mirrored -o out5/
[ -f out5/a.bvh ] && [ -f out5/a_mirrored.bvh ] || fail "mirrored copies: $(find out5)"
expect 0 "$LOPE" convert builtin --to glb -j 2 -o outb
[ -f outb/walk_normal.glb ] || fail "the built-in set in a folder"
mkdir twins other
cp walk.bvh twins/walk.bvh
cp second.bvh other/walk.bvh
expect 0 "$LOPE" convert twins/walk.bvh other/walk.bvh -o two.lope
expect 0 "$LOPE" convert two.lope --to bvh -o out7
[ "$(frames out7/two_walk.bvh) $(frames out7/two_walk_2.bvh)" = "61 31" ] || fail "clips of one name: $(find out7)"
echo rubbish >in/c.bvh
expect 1 "$LOPE" convert in --to glb -o out4
says 'in/c\.bvh'
[ -f out4/a.glb ] && [ -f out4/sub/deep/b.glb ] && [ ! -e out4/c.glb ] || fail "good files beside a bad one: $(find out4)"
rm in/c.bvh

# An existing output is replaced; an input never is.
cp slow.bvh target.bvh
expect 0 "$LOPE" convert walk.bvh -o target.bvh
[ "$(frames target.bvh)" = 61 ] || fail "an existing output was not replaced"
refuses 1 'is an input' "$LOPE" convert walk.bvh --fps 10 -o walk.bvh
refuses 1 'is an input' "$LOPE" convert walk.bvh --fps 10 -o ./in/../walk.bvh
refuses 1 'is an input' "$LOPE" convert in --to bvh --fps 10 -o in
ln -s walk.bvh link.bvh
refuses 1 'is an input' "$LOPE" convert walk.bvh --fps 10 -o link.bvh
mkdir clash
cp walk.bvh clash/a.bvh
cp walk.lope clash/a.lope
refuses 1 'would both become' "$LOPE" convert clash --to glb -o out6
[ ! -e out6 ] || fail "an empty folder is left"

# Wishes that make no sense.
refuses 2 'where to' "$LOPE" convert walk.bvh
refuses 2 '-o writes OUT.bvh.OUT.glb.OUT.lope.FOLDER, found .walk.xyz' "$LOPE" convert walk.bvh -o walk.xyz
refuses 2 'found .walk.fbx' "$LOPE" convert walk.bvh -o walk.fbx
refuses 2 'is a folder: say with --to' "$LOPE" convert walk.bvh -o in
refuses 2 'does not fit the ending' "$LOPE" convert walk.bvh --to glb -o x.bvh
refuses 2 'exclude each other' "$LOPE" convert walk.bvh --mirror --add-mirrored -o x.glb
for trim in 2:1 x:1 1 : 1:1 -1:2 nan:3; do
    refuses 2 '--trim needs two times' "$LOPE" convert walk.bvh "--trim=$trim" -o x.bvh
done
refuses 3 'leaves nothing' "$LOPE" convert walk.bvh --trim 100: -o x.bvh
refuses 1 'holds one clip' "$LOPE" convert walk.bvh second.bvh -o x.bvh
refuses 1 'holds one clip' "$LOPE" convert walk.bvh --add-mirrored -o x.bvh
refuses 3 'no such file' "$LOPE" convert walk.bvh --retarget nobody.bvh -o x.bvh

# Two clips of one name in one file become two files, and no clip takes the file of another input.
mkdir -p pair/a pair/b
"$LOPE" convert walk_normal -o pair/a/step.bvh >/dev/null && "$LOPE" convert run -o pair/b/step.bvh >/dev/null
expect 0 "$LOPE" convert pair -o pair.lope
expect 0 "$LOPE" convert pair.lope --to bvh -o pair_bvh
[ "$(ls pair_bvh | tr '\n' ' ')" = "pair_step.bvh pair_step_2.bvh " ] || fail "two clips became: $(ls pair_bvh)"
differ pair_bvh/pair_step.bvh pair_bvh/pair_step_2.bvh "one clip was written twice"
cp pair/a/step.bvh pair_step.bvh
expect 1 "$LOPE" convert pair.lope pair_step.bvh --to bvh -o clash
says "pair.lope: its clip 'step' and pair_step.bvh would both become clash/pair_step.bvh"
expect 0 "$LOPE" convert pair_step.bvh --to bvh -o alone
cmp -s alone/pair_step.bvh clash/pair_step.bvh || fail "the file of the other input is not its own"

# What is wrong with a file that every clip needs is said once.
echo '{' >roles.json
expect 1 "$LOPE" info --roles roles.json pair
[ "$(wc -l <err)" -eq 1 ] || fail "the same message came again: $(cat err)"
