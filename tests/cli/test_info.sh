# SPDX-License-Identifier: MIT
. "$(dirname "$(readlink -f "$0")")/lib.sh"
make_bvh walk.bvh 31 0.0333333

expect 0 "$LOPE" info walk.bvh
prints '^walk\.bvh$'
prints '^  clip      walk: 31 frames at 30(\.0000)?[0-9]* fps, 1\.00'
prints '^  units     0\.01 m per unit \(guessed'
prints '^  skeleton  11 joints, root Hips, height 1\.'
prints '^  roles     1[0-9] of 21, from joint names'
prints 'left knee +LeftLeg'
prints '^  floor '
prints '^  contacts  found'
expect 0 "$LOPE" info --scale 0.02 --fps 60 walk.bvh
prints '0\.02 m per unit$'
prints '31 frames at 60 fps, 0\.500 s'

# JSON that a script can read.
expect 0 "$LOPE" info --json walk.bvh
if has python3; then
    python3 - out <<'END' || fail "the JSON is not what it should be"
import json, sys
clips = json.load(open(sys.argv[1]))
assert len(clips) == 1 and clips[0]["clip"] == "walk" and clips[0]["frames"] == 31
assert clips[0]["roles"]["left knee"] == "LeftLeg" and clips[0]["biped"] is True
assert clips[0]["scale_guessed"] is True and abs(clips[0]["metres_per_unit"] - 0.01) < 1e-6
END
fi

# Names that are no text come out as JSON all the same.
odd=$(printf 'a"b\\c\377d.bvh')
cp walk.bvh "$odd"
expect 0 "$LOPE" info --json "$odd"
prints '"file": "a\\"b\\\\c\\ufffdd\.bvh"'

# A table for many, the built-in set for none, motions by name.
mkdir -p many/sub
cp walk.bvh many/b.bvh
cp walk.bvh many/sub/a.bvh
expect 0 "$LOPE" info many
prints '^clip +frames'
[ "$(wc -l <out)" -eq 3 ] || fail "three lines expected"
expect 0 "$LOPE" info
prints '^walk_normal '
expect 0 "$LOPE" info walk_normal
prints 'built-in motion'
prints '^  contacts  given'
expect 0 "$LOPE" info --json walk_normal
prints '"file": null'

# Roles from a file.
echo '{"left knee": "LeftFoot"}' >roles.json
expect 0 "$LOPE" info --roles roles.json walk.bvh
prints 'left knee +LeftFoot'
prints 'as told'
echo '{"left knee": "NoSuchJoint"}' >roles.json
expect 1 "$LOPE" info --roles roles.json walk.bvh
says 'NoSuchJoint'

# The same for every number of threads.
"$LOPE" info -j 1 >one && "$LOPE" info -j 3 >three
cmp -s one three || fail "the table depends on the number of threads"

# Bad files: the good ones are shown, the bad one is named, the exit code tells.
echo 'not a clip' >many/c.bvh
expect 1 "$LOPE" info many
says 'many/c\.bvh'
[ "$(wc -l <out)" -eq 3 ] || fail "the good clips are not shown"
refuses 3 "walk_norml: no such file.*did you mean 'walk_normal'" "$LOPE" info walk_norml
refuses 3 'nowhere/clip.bvh: no such file' "$LOPE" info nowhere/clip.bvh
mkdir empty
refuses 3 'empty' "$LOPE" info empty
