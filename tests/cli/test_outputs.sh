# SPDX-License-Identifier: MIT
# One habit for the outputs of all commands: -o as often as wanted, the ending decides, other endings are refused before
# any work, a folder takes many.
. "$(dirname "$(readlink -f "$0")")/lib.sh"
# Sanitized builds have no moves of their own: building them takes minutes.
if [ -e "${LOPE_TEST_MOVES:-}" ]; then export LOPE_MOVES="$LOPE_TEST_MOVES"; fi

made blocks.lope --blocks
few='walk_normal walk_slow turn_left_sharp turn_right_sharp walk_start walk_stop idle --threshold 0.09 --min-choices 1'
expect 0 "$LOPE" build --mobility $few -o walk.lope
expect 0 "$LOPE" build --maps walk_start walk_normal walk_stop -o maps.lope
expect 0 "$LOPE" build --rings walk_slow walk_normal walk_fast idle -o rings.lope
cat >yard.json <<'END'
{"name": "yard", "bounds": [[-6, -6], [6, 6]], "characters": 3,
 "areas": {"north": [[-5, 3], [5, 5]], "south": [[-5, -5], [5, -3]]},
 "flows": [{"from": "north", "to": "south"}]}
END
echo '{"floors": [{"tiles": [4, 4]}], "things": [{"unit": "chair", "at": [3, 0, 3]}]}' >room.json
mkdir rest # where nothing may appear

# Command and arguments; what its page says that it writes; endings that these arguments write; formats of a folder.
cat >table <<END
convert walk_normal;OUT.bvh|OUT.glb|OUT.lope|FOLDER;bvh glb lope;bvh glb lope
synth --only walk_normal;FOLDER|OUT.bvh;bvh;bvh
draw walk_normal;OUT.svg;svg;
draw --mobility walk.lope;OUT.svg;svg;
draw --terrain bumps;OUT.svg;svg;
path yard.json;OUT.svg;svg;
level house;OUT.svg|OUT.json;svg json;
track walk.lope --to 0,1;OUT.bvh|OUT.glb|OUT.svg;bvh glb svg;
gait rings.lope --seconds 1;OUT.bvh|OUT.glb|OUT.svg;bvh glb svg;
follow maps.lope --walking --from 0,0 --to 0,3;OUT.bvh|OUT.glb|OUT.svg;bvh glb svg;
follow --patches blocks.lope --from 0,0 --to 0,3;OUT.bvh|OUT.glb|OUT.svg;bvh glb svg;
follow --patches blocks.lope --scene room.json --from 1,1 --to 4,4;OUT.bvh|OUT.glb|OUT.svg;bvh glb svg;
climb walking;OUT.svg|OUT.bvh|OUT.glb|OUT.lope;svg bvh glb lope;
go house --seconds 1;OUT.svg|OUT.glb|OUT.bvh;svg glb bvh;
crowd yard.json --map walk.lope --seconds 1;OUT.svg|OUT.bvh|OUT.glb|FOLDER;svg bvh glb;bvh glb
crowd yard.json --patches blocks.lope --seconds 1;OUT.svg|OUT.bvh|OUT.glb|FOLDER;svg bvh glb;bvh glb
crowd room.json --seconds 1 -n 2;OUT.svg|OUT.bvh|OUT.glb|FOLDER;svg bvh glb;bvh glb
world yard.json --patches blocks.lope --seconds 1;OUT.svg|OUT.bvh|OUT.glb|OUT.json|FOLDER;svg bvh glb;bvh glb
world room.json --patches blocks.lope --seconds 1 -n 2;OUT.svg|OUT.bvh|OUT.glb|OUT.json|FOLDER;svg bvh glb json;bvh glb
build --mobility $few;OUT.lope;lope;
build --maps walk_start walk_normal walk_stop;OUT.lope;lope;
build --rings walk_slow walk_normal walk_fast;OUT.lope;lope;
scenery ladder_up;OUT.json;json;
END

# is KIND FILE: what its first bytes say.
is() {
    case $1 in
    svg) head -c 5 "$2" | grep -q '^<?xml' && grep -q '<svg' "$2" ;;
    bvh) head -c 9 "$2" | grep -q '^HIERARCHY' ;;
    glb) head -c 4 "$2" | grep -q '^glTF' ;;
    lope) head -c 8 "$2" | grep -q '^LOPEFILE' ;;
    json) head -c 1 "$2" | grep -q '^{' ;;
    esac 2>/dev/null || fail "$2 is no $1"
}

# Every ending of a row in one run, in lower and upper case.
writes_all() {
    row=$1 endings=$2
    shift 2
    rm -rf made && mkdir made
    for ending in $endings; do
        set -- "$@" -o "made/out.$ending" -o "made/UP.$(echo "$ending" | tr a-z A-Z)"
    done
    expect 0 "$LOPE" "$@"
    for ending in $endings; do
        is "$ending" "made/out.$ending"
        cmp -s "made/out.$ending" "made/UP.$(echo "$ending" | tr a-z A-Z)" || fail "$row: two .$ending files differ"
    done
    [ "$(ls made | wc -l)" -eq $(($(echo "$endings" | wc -w) * 2)) ] || fail "$row wrote $(ls made)"
}

# A folder takes a file for each motion.
writes_folders() {
    row=$1 formats=$2
    shift 2
    for format in $formats; do
        rm -rf many
        if [ "$formats" = "$format" ]; then
            expect 0 "$LOPE" "$@" -o many
        else
            expect 0 "$LOPE" "$@" -o many/ --to "$format"
            refuses 2 "'rest' is a folder: say with --to" "$LOPE" "$@" -o rest
            refuses 2 "'bare' has no ending, so it is a folder: say with --to" "$LOPE" "$@" -o bare
        fi
        [ -n "$(ls many/*."$format")" ] || fail "$row: nothing in the folder"
        for file in many/*; do
            is "$format" "$file"
        done
    done
}

# Everything that is no output of a command is refused, also beside a good one.
refuses_others() {
    words=$1 good=$2 formats=$3
    shift 3
    found="-o writes $(echo "$words" | sed 's/|/./g'), found"
    refuses 2 "$found 'rest/x.obj'" "$LOPE" "$@" -o "rest/x.$good" -o rest/x.obj
    for ending in svg bvh glb lope json; do
        case "|$words|" in *".$ending|"*) continue ;; esac
        refuses 2 "$found 'rest/x.$ending'" "$LOPE" "$@" -o "rest/x.$ending"
    done
    if [ -z "$formats" ]; then
        refuses 2 "$found the folder 'rest'" "$LOPE" "$@" -o rest
        refuses 2 "$found 'rest/bare'" "$LOPE" "$@" -o rest/bare
    fi
    refuses 2 'are the same' "$LOPE" "$@" -o "rest/x.$good" -o "./rest/../rest//x.$good"
    refuses 3 "the folder 'nowhere' does not exist" "$LOPE" "$@" -o "rest/x.$good" -o "nowhere/x.$good"
    [ -z "$(ls rest)" ] || fail "$*: refused, and wrote $(ls rest)"
}

while IFS=';' read -r row words endings formats; do
    "$LOPE" ${row%% *} --help </dev/null | grep -qF -- "-o, --output $words" ||
        fail "the page of ${row%% *} does not say that it writes $words"
    writes_all "$row" "$endings" $row </dev/null
    [ -z "$formats" ] || writes_folders "$row" "$formats" $row </dev/null
    refuses_others "$words" "${endings%% *}" "$formats" $row </dev/null
done <table

# No command with outputs is missing above; bench, which takes long, writes pictures into a folder.
for command in $("$LOPE" --help | sed -n 's/^    \([a-z]*\)  *[a-z].*/\1/p'); do
    "$LOPE" "$command" --help 2>/dev/null | grep -q -- '--output' || continue
    [ "$command" = bench ] || grep -q "^$command " table || fail "no row for $command"
done
refuses 2 "-o writes FOLDER, found 'x.svg'" "$LOPE" bench pose -o x.svg
refuses 2 'one folder takes all pictures' "$LOPE" bench pose -o a -o b

# Refused before any work: nobody has looked for the scene.
refuses 2 "found 'motion.obj'" "$LOPE" climb nowhere.json -o motion.obj
refuses 2 'has no ending' "$LOPE" crowd nowhere.json -o motions
refuses 1 'it is a file' "$LOPE" crowd nowhere.json -o table --to bvh
refuses 1 'it is a file' "$LOPE" crowd nowhere.json -o table/ --to bvh
refuses 2 'does not fit the ending' "$LOPE" crowd nowhere.json -o x.bvh --to glb
refuses 2 'needs a name, up to 16 times' "$LOPE" draw $(for i in $(seq 17); do echo "-o $i.svg"; done)

# Inputs are never written over, wherever they stand on the command line.
expect 0 "$LOPE" climb walking -o body.bvh
refuses 1 'body.bvh: is an input' "$LOPE" climb walking --character body.bvh -o walk.svg -o body.bvh
refuses 1 'room.json: is an input' "$LOPE" world room.json --patches blocks.lope -o ./room.json
ln -s body.bvh link.bvh
refuses 1 'link.bvh: is an input' "$LOPE" climb walking --character body.bvh -o link.bvh

# Where one of several cannot be written, those before it are named.
mkfifo pipe.svg pipe.bvh
for command in 'climb walking' 'draw walk_normal' 'path yard.json'; do
    expect 1 "$LOPE" $command -o first.svg -o pipe.svg -o never.svg
    says 'pipe.svg: cannot write: it is not a regular file'
    says 'written before that: first.svg'
    [ -s first.svg ] && [ ! -e never.svg ] || fail "$command: first.svg should be there, never.svg not"
    rm -f first.svg
done
expect 1 "$LOPE" convert walk_normal -o first.glb -o pipe.bvh
says 'written before that: first.glb'

# Several characters: a GLB file takes them as animations, a BVH file takes one.
crowd="crowd yard.json --map walk.lope --seconds 1"
refuses 2 'a BVH file holds one character' "$LOPE" $crowd --who 0-1 -o x.bvh
refuses 2 "--who needs numbers below 3 such as 0,3 or 0-9, found '2-3'" "$LOPE" $crowd --who 2-3 -o x.glb
refuses 2 "found '1-0'" "$LOPE" $crowd --who 1-0 -o x.glb
refuses 2 "found '0,'" "$LOPE" $crowd --who 0, -o x.glb
expect 0 "$LOPE" $crowd --who 0,1-2 -o all.glb -o all --to bvh
[ "$(ls all | tr '\n' ' ')" = "character_0.bvh character_1.bvh character_2.bvh " ] || fail "in the folder: $(ls all)"
[ "$(grep -aom1 '"animations":\[.*\]' all.glb | grep -o '"name":"character_[0-9]"' | wc -l)" -ge 3 ] ||
    fail "all.glb does not hold three animations"
refuses 2 'only worlds of floors and things' "$LOPE" world yard.json -o x.json
refuses 2 'a BVH file holds one motion' "$LOPE" synth -o x.bvh

# Options of earlier versions say what to use now.
while IFS=';' read -r words now; do
    refuses 2 "there is no option '${words#* }' any more; give $now" "$LOPE" ${words} x </dev/null
done <<'END'
climb --svg;-o OUT.svg
climb --motion;-o OUT.bvh
climb -m;-o OUT.bvh
crowd --svg;-o OUT.svg
crowd --bvh;-o FOLDER --to bvh
crowd -b;-o FOLDER --to bvh
crowd --glb;-o FOLDER --to glb
crowd -g;-o FOLDER --to glb
world --svg;-o OUT.svg
world --bvh;-o FOLDER --to bvh
world -b;-o FOLDER --to bvh
world --bvh-number;--who 0-9
bench --draw;-o FOLDER
END
