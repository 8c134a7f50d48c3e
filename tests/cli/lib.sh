# SPDX-License-Identifier: MIT
# What the tests of the tool share; a test reads this file first. LOPE is the tool; WORK an empty folder in which the test
# runs and which is removed at the end. A test fails where a check failed, and where it ended before its last line for
# whatever reason (an exit, a variable that is not set, a syntax error); exit 77 skips it. This file runs the test: it is
# read a second time, below, so that it is known here whether the last line was reached.
[ "${test_runs:-}" != $$ ] || return 0
set -u
case $0 in /*) ;; *) exec sh "$(readlink -f "$0")" "$@" ;; esac
test_runs=$$
HOLD=$(mktemp -d "${TMPDIR:-/tmp}/lope-test-XXXXXX")
WORK=$HOLD/work
mkdir "$WORK" && cd "$WORK" || exit 1
: >"$HOLD/failed"

# Failures are counted in a file, so that those in subshells and pipes count, too. The first one ends the test where
# END_AT_FAILURE is set.
fail() {
    echo "FAILED: $*"
    echo failed >>"$HOLD/failed"
    [ -z "${END_AT_FAILURE:-}" ] || exit 1
}

# at_end: what a test has to put away itself, however it ends; for tests to replace.
at_end() { :; }

finish() {
    code=$?
    set +e
    trap - EXIT
    END_AT_FAILURE=
    at_end
    [ "$code" -eq 77 ] || [ -n "${last_line_reached:-}" ] || fail "it ended before its last line, with exit code $code"
    cd "$WORK" && no_partial_files
    failures=$(wc -l <"$HOLD/failed")
    rm -rf "$HOLD"
    [ "$failures" -eq 0 ] || { echo "$failures failed"; exit 1; }
    [ -n "${last_line_reached:-}" ] || exit 77
    exit 0
}
trap finish EXIT

# has PROGRAM: whether it is there; says that something is skipped where it is not, which fails where CI is set (scripts/ctest).
has() {
    command -v "$1" >/dev/null || { echo "skipped: no $1"; return 1; }
}

# expect CODE COMMAND...: runs it, output in $WORK/out and $WORK/err, and checks the exit code.
expect() {
    wanted=$1
    shift
    "$@" >"$WORK/out" 2>"$WORK/err"
    code=$?
    if [ "$code" -ne "$wanted" ]; then
        fail "exit $code instead of $wanted: $*"
        sed 's/^/    /' "$WORK/err" | head -5
    fi
}

# keep FILE: for other tests of this build; building takes long under sanitizers.
keep() {
    mkdir -p "$LOPE_BUILD/made" && cp "$1" "$LOPE_BUILD/made/$1.$$" && mv "$LOPE_BUILD/made/$1.$$" "$LOPE_BUILD/made/$1"
}

# made FILE OPTION...: the file as the tool builds it, which another test may have kept.
made() {
    file=$1
    shift
    if [ "$LOPE_BUILD/made/$file" -nt "$LOPE" ]; then
        cp "$LOPE_BUILD/made/$file" .
    else
        expect 0 "$LOPE" build "$@" -o "$file"
    fi
}

# says PATTERN: the last error output holds it (extended regular expression) and is at most two lines long.
says() {
    grep -Eq -- "$1" "$WORK/err" || { fail "no '$1' in the message:"; sed 's/^/    /' "$WORK/err"; }
    [ "$(wc -l <"$WORK/err")" -le 2 ] || { fail "more than one message:"; sed 's/^/    /' "$WORK/err"; }
}

# prints PATTERN: the last standard output holds it.
prints() {
    grep -Eq -- "$1" "$WORK/out" || { fail "no '$1' in the output:"; head -20 "$WORK/out" | sed 's/^/    /'; }
}

# differ FILE FILE WORDS: there is something in both, and not the same.
differ() {
    [ -s "$1" ] && [ -s "$2" ] && ! cmp -s "$1" "$2" || fail "$3"
}

# lacks PATTERN FILE WORDS: there is something in the file, but not that (extended regular expression, in any case).
lacks() {
    [ -s "$2" ] && ! grep -Eqi -- "$1" "$2" || fail "$3"
}

# files: all of them, with whatever changes when they are written.
files() {
    find . -type f ! -name out ! -name err -printf '%p %i %s %m %T@\n'
}

# refuses CODE PATTERN COMMAND...: a clear message, the exit code, and nothing on disk changes.
refuses() {
    wanted=$1 pattern=$2
    shift 2
    files >"$HOLD/before"
    expect "$wanted" "$@"
    says "$pattern"
    files >"$HOLD/after"
    cmp -s "$HOLD/before" "$HOLD/after" || fail "files changed: $*"
}

no_partial_files() {
    [ -z "$(find "${1:-.}" -name '*.part')" ] || fail "partial files are left: $(find "${1:-.}" -name '*.part')"
}

# A tiny BVH biped: make_bvh FILE FRAMES FRAME_TIME [THIGH]; centimetres, standing, walking along z.
make_bvh() {
    thigh=${4:-42}
    {
        cat <<END
HIERARCHY
ROOT Hips
{
  OFFSET 0 0 0
  CHANNELS 6 Xposition Yposition Zposition Zrotation Yrotation Xrotation
  JOINT Spine
  {
    OFFSET 0 20 0
    CHANNELS 3 Zrotation Yrotation Xrotation
    JOINT Head
    {
      OFFSET 0 40 0
      CHANNELS 3 Zrotation Yrotation Xrotation
      End Site
      {
        OFFSET 0 20 0
      }
    }
  }
END
        for side in Left:9 Right:-9; do
            cat <<END
  JOINT ${side%:*}UpLeg
  {
    OFFSET ${side#*:} -5 0
    CHANNELS 3 Zrotation Yrotation Xrotation
    JOINT ${side%:*}Leg
    {
      OFFSET 0 -$thigh 0
      CHANNELS 3 Zrotation Yrotation Xrotation
      JOINT ${side%:*}Foot
      {
        OFFSET 0 -41 0
        CHANNELS 3 Zrotation Yrotation Xrotation
        JOINT ${side%:*}ToeBase
        {
          OFFSET 0 -6 13
          CHANNELS 3 Zrotation Yrotation Xrotation
          End Site
          {
            OFFSET 0 0 7
          }
        }
      }
    }
  }
END
        done
        printf '}\nMOTION\nFrames: %d\nFrame Time: %s\n' "$2" "$3"
        awk -v n="$2" 'BEGIN { for (f = 0; f < n; f++) { s = sin(f / 5) * 20
            printf "0 94 %.3f 0 0 0 0 0 0 0 0 0", f * 4
            printf " 0 0 %.3f 0 0 20 0 0 0 0 0 0 0 0 %.3f 0 0 20 0 0 0 0 0 0\n", s, -s } }'
    } >"$1"
}

. "$0"
last_line_reached=yes
exit
