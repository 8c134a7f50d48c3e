# SPDX-License-Identifier: MIT
. "$(dirname "$(readlink -f "$0")")/lib.sh"

for name in bumps cliff course spiral stairs stones; do
    expect 0 "$LOPE" draw --terrain $name -w 500 -o $name.svg
    grep -q 'id="terrain"' $name.svg || fail "no ground in $name.svg"
    grep -q 'id="profile"' $name.svg || fail "no profile in $name.svg"
done
cat >yard.json <<'END'
{"name": "yard",
 "terrain": [{"mesh": {"file": "plate.obj", "scale": 2}}, {"ramp": {"place": [5, 0, 0]}}]}
END
printf 'v 0 0 0\nv 1 0 0\nv 1 0.2 1\nv 0 0 1\nf 1 4 3 2\n' >plate.obj
expect 0 "$LOPE" draw yard.json --dark -o yard.svg
grep -q '4 triangles' yard.svg || fail "the scene's mesh is not in the picture"
expect 0 "$LOPE" draw plate.obj -o plate.svg
expect 0 "$LOPE" draw --terrain ./plate.obj -o plate2.svg
grep -q 'id="profile"' plate.svg || fail "a mesh has no profile"

refuses 3 "no built-in terrain is called 'moon'; there are bumps" "$LOPE" draw --terrain moon -o x.svg
refuses 2 'takes no clip' "$LOPE" draw --terrain bumps walk_normal -o x.svg
refuses 3 'none.json' "$LOPE" draw none.json -o x.svg
printf '{"terrain": [\n  {"bumps": {"bumpiness": 3}}]}' >bad.json
refuses 1 "bad.json:2:14: unknown key 'bumpiness'; allowed: place" "$LOPE" draw bad.json -o x.svg
printf 'v 0 0 0\nv 1 0 zero\n' >bad.obj
refuses 1 "bad.obj:2: a vertex needs three numbers, found 'zero'" "$LOPE" draw bad.obj -o x.svg
printf 'v 0 0 0\nv 1 0 0\nv 2 0 0\nf 1 2 3\n' >line.obj
refuses 1 'line.obj: a mesh needs at least one triangle with an area' "$LOPE" draw line.obj -o x.svg
printf '{"terrain": [{"mesh": {"file": "bad.obj"}}]}' >worse.json
refuses 1 'worse.json:1:23: bad.obj:2: a vertex' "$LOPE" draw worse.json -o x.svg
refuses 3 "the folder 'no/such' does not exist" "$LOPE" draw --terrain bumps -o no/such/x.svg
