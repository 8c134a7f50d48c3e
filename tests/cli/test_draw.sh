# SPDX-License-Identifier: MIT
. "$(dirname "$(readlink -f "$0")")/lib.sh"

expect 0 "$LOPE" draw walk_normal -o walk.svg
for part in strobe path contacts curves; do
    grep -q "id=\"$part\"" walk.svg || fail "no $part in the picture"
done
head -1 walk.svg | grep -q '^<?xml' || fail "not an SVG"
expect 0 "$LOPE" draw -o default.svg
cmp -s walk.svg default.svg || fail "the default is not walk_normal"
for view in side front top perspective; do
    expect 0 "$LOPE" draw walk_normal -v $view -p strobe --dark -o $view.svg
    lacks 'id="path"' $view.svg "a path that was not asked for"
done
differ side.svg front.svg "two views are equal"
if has rsvg-convert; then
    rsvg-convert walk.svg -o walk.png || fail "the picture cannot be rendered"
fi
make_bvh clip.bvh 61 0.0333333
expect 0 "$LOPE" draw clip.bvh -c 'speed,left knee' --from 0.5 --to 1.5 -w 800 -i 0.1 -o clip.svg
grep -q 'shown from 0.5' clip.svg || fail "--from and --to have no effect"
expect 0 "$LOPE" draw clip.bvh --frames 10:20 -o frames.svg
expect 0 "$LOPE" draw clip.bvh --from 1 -o tail.svg

refuses 2 'where to' "$LOPE" draw walk_normal
refuses 2 '-o writes OUT.svg, found' "$LOPE" draw clip.bvh -o ./clip.bvh
refuses 2 "--parts needs .*found 'strobo'" "$LOPE" draw -p strobo -o x.svg
refuses 2 'one clip makes one picture' "$LOPE" draw clip.bvh walk_normal -o x.svg
refuses 2 "--frames needs two frames" "$LOPE" draw clip.bvh --frames 20:10 -o x.svg
refuses 2 "--to needs a time after" "$LOPE" draw clip.bvh --from 2 --to 1 -o x.svg
refuses 3 "unknown curve 'left nee'" "$LOPE" draw clip.bvh -c 'left nee' -o x.svg
refuses 3 'no frame from' "$LOPE" draw clip.bvh --from 100 -o x.svg
refuses 2 'width needs a whole number from 240' "$LOPE" draw clip.bvh -w 3 -o x.svg
refuses 3 "the folder 'no/such' does not exist" "$LOPE" draw clip.bvh -o no/such/x.svg
refuses 3 'no such file' "$LOPE" draw nothing.bvh -o x.svg
