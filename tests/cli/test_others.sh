# SPDX-License-Identifier: MIT
# Files of other programs: rigs without animation, and files that ask for more than they are worth.
. "$(dirname "$(readlink -f "$0")")/lib.sh"

# A rig: what it is, its pose, and motion on it.
expect 0 "$LOPE" convert walk_slow -o walk.glb
LC_ALL=C sed 's/"animations"/"xnimations"/' walk.glb >rig.glb
expect 0 "$LOPE" info rig.glb
prints '^  clip      rig: no animation, rest pose only$'
prints '^  skeleton  22 joints, root Hips, height 1\.75'
prints 'left knee +LeftLeg'
expect 0 "$LOPE" info --json rig.glb
prints '"rest_only": true'
expect 0 "$LOPE" info --json walk.glb
prints '"rest_only": false'
expect 0 "$LOPE" convert rig.glb -o rig.bvh
grep -q '^Frames: 1$' rig.bvh || fail "the rest pose is not one frame"
grep -q '^0 98\.0000 0 0 0 0 ' rig.bvh || fail "the rest pose does not stand on its feet"
expect 0 "$LOPE" convert run --retarget rig.glb -o run.bvh
expect 0 "$LOPE" info run.bvh
prints '^  clip      run: 177 frames'

# hostile FILE PATTERN: refused within seconds and a gigabyte, with a message that says why.
limit=unlimited
[ -n "${LOPE_SANITIZE:-}" ] || limit=1000000 # sanitizers take terabytes of addresses
hostile() {
    refuses 1 "^lope info: $1:?[0-9]*: .*$2" sh -c 'ulimit -v "$1"; exec timeout 60 "$2" info "$3"' - $limit "$LOPE" "$1"
}

# glb JSON: a GLB of this text and 12 bytes of data, all zero.
glb() {
    text=$1
    while [ $((${#text} % 4)) -ne 0 ]; do text="$text "; done
    number() { printf "$(printf '\\%03o\\%03o\\%03o\\%03o' $(($1 % 256)) $(($1 / 256 % 256)) $(($1 / 65536 % 256)) 0)"; }
    printf 'glTF\2\0\0\0'
    number $((40 + ${#text}))
    number ${#text}
    printf 'JSON%s\14\0\0\0BIN\0' "$text"
    head -c 12 /dev/zero
}
asset='{"asset":{"version":"2.0"}'
data='"buffers":[{"byteLength":12}],"bufferViews":[{"buffer":0,"byteLength":12}]'
node='"nodes":[{"mesh":0}],"scenes":[{"nodes":[0]}],"scene":0,"meshes":[{"primitives":[{"attributes":{"POSITION":0}}]}]'
zeros='"sparse":{"count":1,"indices":{"bufferView":0,"componentType":5125},"values":{"bufferView":0}}'
glb "$asset,$data,$node,\"accessors\":[{\"count\":357913941,\"componentType\":5126,\"type\":\"VEC3\",$zeros}]}" >sparse.glb
hostile sparse.glb 'asks for too much'
glb "$asset,\"buffers\":[{\"byteLength\":4294967295}]}" >buffer.glb
hostile buffer.glb 'buffer 0: expected a byteLength of up to'

awk -v n=50000 'BEGIN { printf "{\"asset\":{\"version\":\"2.0\"},\"scene\":0,\"scenes\":[{\"nodes\":[0]}],\"nodes\":["
    for (i = 1; i < n; i++) printf "{\"children\":[%d]},", i
    print "{}]}" }' >deep.gltf
hostile deep.gltf 'more than 4096 nodes deep'
awk 'BEGIN { printf "{\"asset\":{\"version\":\"2.0\"},\"extras\":"; for (i = 0; i < 1e6; i++) printf "[" }' >brackets.gltf
hostile brackets.gltf 'not valid JSON'
awk 'BEGIN { printf "; FBX 7.4.0 project file\n"; for (i = 0; i < 1e6; i++) print "a: {" }' >deep.fbx
hostile deep.fbx 'nested more than 64 deep'
awk 'BEGIN { print "; FBX 7.4.0 project file\nFBXHeaderExtension: {\nFBXHeaderVersion: 1003\nFBXVersion: 7400\n}"
    print "GlobalSettings: {\nVersion: 1000\nProperties70: {\n}\n}\nObjects: {"
    for (i = 1; i <= 50000; i++) printf "Model: %d, \"Model::n%d\", \"LimbNode\" {\n}\n", i, i
    print "}\nConnections: {"
    for (i = 1; i <= 50000; i++) printf "C: \"OO\",%d,%d\n", i, i - 1
    print "}" }' >chain.fbx
hostile chain.fbx 'more than 4096 nodes deep'

# What assimp would recognise by its contents is not what the ending says.
printf 'v 0 0 0\nv 1 0 0\nv 0 1 0\nf 1 2 3\n' >mesh.glb
hostile mesh.glb 'is no glTF file'
printf 'solid a\nendsolid a\n' >mesh.fbx
hostile mesh.fbx 'is no FBX file'
