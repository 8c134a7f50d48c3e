# SPDX-License-Identifier: MIT
# `lope build --patches` and `lope world`: from the built-in set, the same for any number of threads, clear about what
# cannot be.
. "$(dirname "$(readlink -f "$0")")/lib.sh"

expect 0 "$LOPE" build --patches -o tile.lope
for row in 'gates' 'connections of a gate' 'a standing foot jumps' 'to the left'; do prints "$row"; done
expect 0 "$LOPE" info tile.lope

# Worlds of it.
expect 0 "$LOPE" world maze --patches tile.lope -n 12 --seconds 10 --who 0-1 -o maze.svg -o motions --to bvh
for row in 'tiles' 'gates with a way on' 'components' 'segments chosen'; do prints "$row"; done
[ -s motions/character_0.bvh ] && [ -s motions/character_1.bvh ] || fail "no motions were written"
grep -q maze maze.svg || fail "the picture does not say what it shows"
expect 0 "$LOPE" grade motions
expect 0 "$LOPE" world living_room --patches tile.lope -n 2 --seconds 5 --reserve tiles
for threads in 1 3; do
    expect 0 "$LOPE" world plaza --patches tile.lope -n 60 --seconds 5 -j $threads --json
    grep '"hash"' "$WORK/out" >"hash$threads" || fail "no hash in the report"
done
cmp -s hash1 hash3 || fail "threads change the world"

# Crowds and single walks on it.
expect 0 "$LOPE" crowd maze --patches tile.lope -n 8 --seconds 10 -o crowd.svg -o crowd --to bvh --who 1,3
for row in 'characters +8' 'overlaps > 10 cm' 'arrivals' 'longest without progress'; do prints "$row"; done
[ -s crowd/character_3.bvh ] || fail "no motion of the crowd was written"
for threads in 1 3; do
    expect 0 "$LOPE" crowd plaza --patches tile.lope -n 30 --seconds 4 -j $threads --json
    grep '"hash"' "$WORK/out" >"crowd$threads" || fail "no hash in the report"
done
cmp -s crowd1 crowd3 || fail "threads change the crowd"
for file in walk.svg walk.bvh walk.glb; do
    expect 0 "$LOPE" follow --patches tile.lope --from 0,0 --to 5,6 --boxes '2.5,3,1.6,0.8' --fps 30 -o $file
    prints 'off the goal'
    [ -s $file ] || fail "no $file"
done
expect 0 "$LOPE" grade walk.bvh

# Bad input.
refuses 2 'not both' "$LOPE" crowd --map x.lope --patches tile.lope
refuses 2 'by reserving' "$LOPE" crowd maze --patches tile.lope --avoid steer
refuses 2 "found '9'" "$LOPE" crowd maze --patches tile.lope -n 3 -o other.bvh --who 9
refuses 3 'No such file' "$LOPE" follow --patches nothing.lope --scene clutter -o x.svg
refuses 2 'needs no maps' "$LOPE" follow maps.lope --patches tile.lope --scene clutter -o x.svg
refuses 3 'no way leads' "$LOPE" follow --patches tile.lope --from 0,0 --to 6,0 \
    --boxes '4,0,0.2,8 8,0,0.2,8 6,4,4,0.2 6,-4,4,0.2' -o x.svg
[ ! -e x.svg ] || fail "a failed walk wrote a file"
refuses 2 'one of' "$LOPE" build --patches --maps -o x.lope
refuses 3 'too little motion' "$LOPE" build --patches walk_normal -o x.lope
[ ! -e x.lope ] || fail "a failed build wrote a file"
refuses 1 'size is 1000, must be' "$LOPE" build --patches --tile 1000 walk_slow -o x.lope
"$LOPE" convert walk_normal -o clips.lope >/dev/null
refuses 1 'holds no walk tile; build one with' "$LOPE" world --patches clips.lope
refuses 3 'No such file' "$LOPE" world --patches nothing.lope
refuses 3 "did you mean 'maze'" "$LOPE" world maze1 --patches tile.lope
echo '{"areas": {"a": [[0,0],[1,1]]}, "flows": [{"from": "a", "to": "a"}]}' >endless.json
refuses 1 'has no bounds' "$LOPE" world endless.json --patches tile.lope
echo '{"bounds": [[0,0],[1,1]], "areas": {"a": [[0,0],[1,1]]}, "flows": [{"from": "a", "to": "a"}]}' >tiny.json
refuses 1 'no room for tiles' "$LOPE" world tiny.json --patches tile.lope
echo '{"bounds": [[0,0],[9,9]], "obstacles": [{"box": {"centre": [4,4], "size": [20,20]}}], "areas": {"a": [[0,0],[1,1]]}, "flows": [{"from": "a", "to": "a"}]}' >full.json
refuses 3 'no gate is free' "$LOPE" world full.json --patches tile.lope -n 1
refuses 2 'one scene at a time' "$LOPE" world plaza maze --patches tile.lope
