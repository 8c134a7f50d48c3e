# SPDX-License-Identifier: MIT
# lope crowd: scenes, reports, pictures, motions of chosen ones.
. "$(dirname "$(readlink -f "$0")")/lib.sh"

expect 0 "$LOPE" build --mobility walk_normal walk_slow turn_left_sharp turn_right_sharp walk_start walk_stop idle \
    --min-choices 1 --max-choices 16 -o walk.lope
cat >yard.json <<'END'
{"name": "yard", "bounds": [[-6, -6], [6, 6]], "characters": 5,
 "obstacles": [{"cylinder": {"centre": [0, 0], "radius": 1}}],
 "areas": {"north": [[-5, 3], [5, 5]], "south": [[-5, -5], [5, -3]]},
 "flows": [{"from": "north", "to": "south"}, {"from": "south", "to": "north"}]}
END

expect 0 "$LOPE" crowd yard.json --map walk.lope --seconds 5 -o yard.svg -o motions --to bvh --who 0,3
prints '^characters +5$'
prints '^overlaps > 10 cm per character-minute '
grep -q '<svg' yard.svg || fail "no picture"
for who in 0 3; do
    expect 0 "$LOPE" info "motions/character_$who.bvh"
    prints '150 frames|150'
done
[ ! -e motions/character_1.bvh ] || fail "more characters than asked for"
# GLB files hold the same motion; both may be asked for at once, and single files.
expect 0 "$LOPE" crowd yard.json --map walk.lope --seconds 5 -o both --to glb -o third.bvh --who 3
cmp -s third.bvh motions/character_3.bvh || fail "another motion where GLB files are written, too"
[ "$(head -c 4 both/character_3.glb)" = glTF ] || fail "no GLB file"
if "$LOPE" info both/character_3.glb >out 2>&1; then # where glTF can be read
    prints '5\.0|150'
fi
expect 0 "$LOPE" crowd yard.json --patches builtin --seconds 1 -n 2 -o tiles --to glb --who 1
[ "$(head -c 4 tiles/character_1.glb)" = glTF ] || fail "no GLB file from patches"

# The same walk for any number of threads, another one for another seed.
for threads in 1 2 4; do
    expect 0 "$LOPE" crowd yard.json --map walk.lope --seconds 3 --threads $threads --json
    grep hash out >hash.$threads
    cmp -s hash.1 hash.$threads || fail "another walk with $threads threads"
done
expect 0 "$LOPE" crowd yard.json --map walk.lope --seconds 3 --seed 2 --json
grep hash out >hash.seed
differ hash.1 hash.seed "the seed changes nothing"
for avoid in steer none; do
    expect 0 "$LOPE" crowd yard.json --map walk.lope --seconds 2 --avoid $avoid
done
for scene in maze living_room; do
    expect 0 "$LOPE" crowd $scene --map walk.lope --seconds 2 -n 2
    prints '^characters +2$'
done

refuses 2 'one scene at a time' "$LOPE" crowd plaza maze
refuses 3 "did you mean 'plaza'" "$LOPE" crowd plazza
refuses 3 'no built-in scene is called .moon.; there are ' "$LOPE" crowd moon
refuses 3 'nowhere.json: cannot open' "$LOPE" crowd nowhere.json
refuses 2 "--who needs numbers below 5 such as 0,3 or 0-9, found '5'" \
    "$LOPE" crowd yard.json --map walk.lope -o other.bvh --who 5
refuses 3 'missing.lope' "$LOPE" crowd yard.json --map missing.lope
refuses 3 'nowhere' "$LOPE" crowd yard.json --map walk.lope -o nowhere/yard.svg
echo '{"flows": [{"from": "a", "too": "b"}]}' >bad.json
refuses 1 "bad.json:1:26: unknown key 'too'; allowed: from, to, via, weight, stop, pause" "$LOPE" crowd bad.json
no_partial_files
