# SPDX-License-Identifier: MIT
# The studio's server, over loopback: the page, files, uploads, saves, builds; who is refused; what a kill leaves.
. "$(dirname "$(readlink -f "$0")")/../cli/lib.sh"
has curl || exit 77

server=""
at_end() { [ -z "$server" ] || kill -9 "$server"; }

# wait_for FILE: until there is something in it, or the server is gone.
wait_for() {
    until [ -s "$1" ] || ! kill -0 "$server" 2>/dev/null; do sleep 0.02; done
}

# start OPTION...: the server, with BASE (address) and KEY.
start() {
    run_server --no-open "$@"
}

run_server() {
    rm -f address
    "$LOPE" studio "$@" >address 2>server-err &
    server=$!
    wait_for address
    KEY=$(sed 's/.*key=//' address)
    BASE=$(sed 's/\/#key=.*//' address)
    [ -n "$KEY" ] || { fail "no address"; cat server-err; exit 1; }
}

# stop: by Ctrl-C, which is a success, also where it comes twice (to the process and to its group).
stop() {
    kill -INT "$server"
    kill -INT "$server"
    wait "$server"
    code=$?
    [ "$code" -eq 0 ] || fail "exit $code after Ctrl-C"
    server=""
}

# ask WANTED CURL_ARGUMENT...: with the key; the answer is in out.
ask() {
    wanted=$1
    shift
    code=$(curl -sS -m 240 -o out -w '%{http_code}' -H 'Expect:' -H "X-Lope-Key: $KEY" "$@" 2>curl-err)
    [ "$code" = "$wanted" ] || { fail "$code instead of $wanted: $*"; head -3 out; cat curl-err; }
}

mkdir -p site/assets
echo '<!doctype html><title>page</title>' >site/index.html
echo 'export {}' >site/assets/a.js
printf '\0asm' >site/lope.wasm
head -c 8000000 /dev/zero >site/big.bin
echo hidden >site/.secret
echo outside >outside.txt
ln -s ../outside.txt site/link.txt
make_bvh walk.bvh 40 0.0333
"$LOPE" build --rings -o gait.lope >/dev/null

# The command line.
refuses 2 "--port needs a whole number from 0 to 65535, found '70000'" "$LOPE" studio --port 70000
refuses 2 "the folder 'no-site' does not exist" "$LOPE" studio --site no-site
refuses 3 "nothing.lope: cannot open" "$LOPE" studio nothing.lope
refuses 1 "walk.bvh: not a .lope file" "$LOPE" studio walk.bvh
refuses 1 "no/where/at.all: cannot open the folder" "$LOPE" studio --folder no/where/at.all
expect 0 "$LOPE" studio --check --site site
prints '^the page answers'
mkdir empty-site
expect 1 "$LOPE" studio --check --site empty-site
says 'the page is not built'
start --site empty-site
ask 200 "$BASE/"
prints 'not built yet'
expect 1 "$LOPE" studio --no-open --port "${BASE##*:}"
says 'cannot listen on 127.0.0.1'
stop

# A browser that is opened: the key is in a file for this user alone, never on a command line that others see.
mkdir programs runtime
cat >programs/xdg-open <<'END'
#!/bin/sh
cp -p "$1" lead
echo "$@" >opened.part
mv opened.part opened
END
chmod +x programs/xdg-open
PATH="$PWD/programs:$PATH" DISPLAY=:none XDG_RUNTIME_DIR="$PWD/runtime" run_server --site site
wait_for opened
lacks "$KEY" opened "the key is on a command line: $(cat opened)"
grep -q "url=$BASE/#key=$KEY\"" lead || fail "the file does not lead to the page: $(cat lead)"
[ "$(stat -c %a lead)" = 600 ] || fail "others may read the key: $(stat -c %a lead)"
stop
[ -z "$(ls runtime)" ] || fail "the file with the key is left: $(ls runtime)"

start --site site --folder work gait.lope

# The page, and the address that is printed.
ask 200 "$BASE/"
prints '<title>page'
ask 200 -D head "$BASE/assets/a.js"
grep -qi '^content-type: text/javascript' head || fail "type of a script"
ask 200 -D head "$BASE/lope.wasm"
grep -qi '^content-type: application/wasm' head || fail "type of WebAssembly"
grep -qi "^content-security-policy: default-src 'self'" head || fail "no content security policy"
lacks '^set-cookie' head "a cookie, which other ports would see"
ask 200 "$BASE/api/state"
prints '"given"'
prints '"gait.lope"'
ask 200 "$BASE/api/given/0"
cmp -s out gait.lope || fail "the given file is not what comes"
ask 404 "$BASE/api/given/1"

# Ways out of the page and of the folder.
for path in /../outside.txt /%2e%2e/outside.txt /assets/../../outside.txt /assets/%2e%2e%2f%2e%2e%2foutside.txt /link.txt \
    /.secret //etc/passwd /assets /nothing.js; do
    ask 404 --path-as-is "$BASE$path"
done
for name in ..%2foutside.json %2e%2e%2fx.json a%2fb.json .hidden.json -o.lope a%00.json a.txt a.exe; do
    ask 400 --path-as-is -X PUT -d x "$BASE/api/files/$name"
done
[ ! -e work ] || fail "a refused request made the folder"

# Who is refused: no key, other hosts, other origins.
for path in state files files/a.json builds; do
    code=$(curl -sS -o out -w '%{http_code}' "$BASE/api/$path")
    [ "$code" = 403 ] || fail "$code without a key: $path"
done
for where in "?key=$KEY" "?page=$KEY"; do
    code=$(curl -sS -o out -w '%{http_code}' -b "lope-studio-${BASE##*:}=$KEY" -H "Authorization: $KEY" "$BASE/api/state$where")
    [ "$code" = 403 ] || fail "$code with the key elsewhere than in its header"
done
ask 403 -H 'Host: evil.example' "$BASE/api/state"
ask 403 -H "Host: evil.example:${BASE##*:}" "$BASE/"
ask 403 -H 'Origin: http://evil.example' -X PUT -d x "$BASE/api/files/a.json"
ask 403 -H 'Origin: null' -d 'kind=rings&page=p&out=x.lope' "$BASE/api/builds"
ask 403 -H 'Sec-Fetch-Site: cross-site' -H 'Sec-Fetch-Mode: no-cors' "$BASE/lope.wasm"
ask 405 -D head -X OPTIONS -H 'Origin: http://evil.example' -H 'Access-Control-Request-Method: PUT' "$BASE/api/files/a.json"
lacks '^access-control' head "a preflight was allowed"
[ ! -e work ] || fail "a refused request made the folder"

# Scenes: saved, read again, not overwritten by those who have not seen them.
echo '{"scene": 1}' >one.json
echo '{"scene": 2}' >two.json
ask 200 -D head -T one.json "$BASE/api/files/my%20scene.json"
tag=$(sed -n 's/^ETag: //Ip' head | tr -d '\r')
ask 200 "$BASE/api/files/my%20scene.json"
cmp -s out one.json || fail "a scene changed on its way"
ask 412 -T two.json "$BASE/api/files/my%20scene.json"
prints 'my scene.json: is there already'
ask 200 -H "If-Match: $tag" -T two.json "$BASE/api/files/my%20scene.json"
ask 412 -H "If-Match: $tag" -T one.json "$BASE/api/files/my%20scene.json"
prints 'was changed by somebody else'
cmp -s "work/my scene.json" two.json || fail "a refused save changed the file"
head -c 17000000 /dev/zero >large.json
ask 413 -T large.json "$BASE/api/files/large.json"
ask 411 -H 'Transfer-Encoding: chunked' -T one.json "$BASE/api/files/chunked.json"

# A second server for the same folder is refused and told where the first one is.
refuses 1 "work: is used by another lope studio, pid $server, at $BASE/" "$LOPE" studio --no-open --folder work

# Clips: the tool's own messages, and nothing damaged in the folder.
ask 200 -T walk.bvh "$BASE/api/files/walk.bvh"
prints '"frames": 40'
head -c 700 walk.bvh >cut.bvh
sed 's/^Frames: 40/Frames: 41/' walk.bvh >short.bvh
head -c 900 gait.lope >cut.lope
for name in cut.bvh short.bvh; do
    "$LOPE" info "$name" >/dev/null 2>err
    ask 422 -T "$name" "$BASE/api/files/$name"
    message=$(sed 's/^lope info: //' err)
    grep -qF "$message" out || fail "not the tool's message: $(cat out) instead of $message"
    [ ! -e "work/$name" ] || fail "a damaged clip is in the folder"
done
ask 422 -T cut.lope "$BASE/api/files/cut.lope"
prints 'cut.lope: '
ask 422 -T cut.bvh "$BASE/api/files/not.fbx"
prints 'not.fbx: '
ask 422 -T cut.bvh "$BASE/api/files/walk.glb"
ask 200 -T gait.lope "$BASE/api/files/gait.lope"
ask 200 "$BASE/api/files"
for name in gait.lope 'my scene.json' walk.bvh; do
    prints "\"$name\""
done
[ "$(grep -c '"name"' out)" -eq 3 ] || fail "the folder lists something else: $(cat out)"

# Builds: progress, the file, another page.
ask 202 -d 'kind=rings&page=one&out=rings.lope' "$BASE/api/builds"
ask 200 -N "$BASE/api/builds/1/events?page=one"
prints '^data: .*"state": "done"'
ask 200 "$BASE/api/files/rings.lope"
cmp -s out gait.lope || fail "not what the tool builds"
ask 200 "$BASE/api/builds?page=two"
lacks '"id"' out "another page sees the build"
ask 404 "$BASE/api/builds/1?page=two"

# A build that fails keeps the old file and says what the tool says.
cp "$LOPE_SOURCE/tests/studio/stick.bvh" .
ask 200 -T stick.bvh "$BASE/api/files/stick.bvh"
ask 202 -d 'kind=mobility&page=one&out=rings.lope&clip=stick.bvh' "$BASE/api/builds"
ask 200 -N "$BASE/api/builds/2/events?page=one"
prints '"state": "failed"'
"$LOPE" build --mobility stick.bvh -o other.lope >/dev/null 2>err
grep -qF "$(sed -n '1s/^lope build: //p' err)" out || fail "not the tool's message: $(cat out)"
cmp -s work/rings.lope gait.lope || fail "a failed build replaced the old file"
ask 404 -d 'kind=rings&page=one&out=x.lope&clip=gone.bvh' "$BASE/api/builds"
ask 400 -d 'kind=rings&page=one&out=../x.lope' "$BASE/api/builds"
ask 400 -d 'kind=rings&page=one&out=x.lope&clip=--help.bvh' "$BASE/api/builds"
ln -s ../outside.txt work/link.bvh
ask 404 -d 'kind=rings&page=one&out=x.lope&clip=link.bvh' "$BASE/api/builds"

# Two pages build at once; one stops its own and not the other's.
ask 202 -d 'kind=mobility&page=one&out=first.lope' "$BASE/api/builds"
ask 409 -d 'kind=mobility&page=two&out=first.lope' "$BASE/api/builds"
prints 'first.lope: is being built'
ask 202 -d 'kind=rings&page=two&out=second.lope' "$BASE/api/builds"
ask 404 -X DELETE "$BASE/api/builds/3?page=two"
ask 200 -X DELETE "$BASE/api/builds/3?page=one"
ask 200 -N "$BASE/api/builds/3/events?page=one"
prints '"state": "stopped"'
ask 200 -N "$BASE/api/builds/4/events?page=two"
prints '"state": "done"'
[ ! -e work/first.lope ] || fail "a stopped build left its file"
cmp -s work/second.lope gait.lope || fail "the other page's build is not what the tool builds"

# Requests that make no sense.
if has node; then
    node "$(dirname "$0")/malformed.mjs" "${BASE##*:}" "$KEY" || fail "malformed requests"
    # Strangers by the hundred shut nobody out.
    ask 200 -T one.json "$BASE/api/files/siege.json"
    node "$(dirname "$0")/siege.mjs" "${BASE##*:}" "$KEY" big.bin 20 300 || fail "somebody with the key was kept waiting"
fi
[ ! -e work/m.json ] || fail "a malformed request left a file"

# Ctrl-C in the middle of a build: a clean end, nothing half done.
ask 202 -d 'kind=mobility&page=one&out=third.lope' "$BASE/api/builds"
stop
[ ! -e work/third.lope ] || fail "a build that was stopped left its file"
no_partial_files work

# Killed in the middle of a save: the old scene is whole, and the next start clears up.
start --site site --folder work
head -c 400000 /dev/zero | tr '\0' 'x' >long.json
curl -sS -m 120 --limit-rate 20k -H "X-Lope-Key: $KEY" -H 'If-Match: *' -T long.json "$BASE/api/files/my%20scene.json" \
    >/dev/null 2>&1 &
upload=$!
until [ -n "$(find work -path '*/.studio-*/*' -size +1k)" ] || ! kill -0 "$upload" 2>/dev/null; do sleep 0.02; done
[ -n "$(find work -path '*/.studio-*/*')" ] || fail "the save was over before it could be killed"
kill -9 "$server"
wait "$server" 2>/dev/null
wait "$upload"
cmp -s "work/my scene.json" two.json || fail "a save that was killed harmed the scene"
start --site site --folder work
ask 200 "$BASE/api/files"
[ -z "$(find work -name '.studio-*')" ] || fail "what a killed save left is still there"
ask 200 "$BASE/api/files/my%20scene.json"
cmp -s out two.json || fail "the scene is lost"
stop
