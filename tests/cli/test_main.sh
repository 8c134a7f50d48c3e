# SPDX-License-Identifier: MIT
# Dispatch, help, options, completion.
. "$(dirname "$(readlink -f "$0")")/lib.sh"

expect 0 "$LOPE" --version
prints '^lope [0-9]+\.[0-9]+\.[0-9]+$'
expect 0 "$LOPE" --help
for command in info convert synth grade draw build track gait climb crowd follow path level world scenery studio bench completion; do
    prints "^    $command "
done
expect 2 "$LOPE"
refuses 2 "unknown command 'graed'; did you mean 'grade'" "$LOPE" graed
refuses 2 "unknown command 'xyzzy'$" "$LOPE" xyzzy
refuses 2 "unknown option '--bogus'" "$LOPE" --bogus

# Every command has a page with all the sections, and every option of the page is understood.
for command in info convert synth grade draw build track gait climb crowd follow path level world scenery studio bench completion; do
    expect 0 "$LOPE" "$command" --help
    for section in NAME SYNOPSIS DESCRIPTION OPTIONS EXAMPLES 'EXIT STATUS'; do
        prints "^$section$"
    done
    cp out page
    # Every example is what it does, then a command line, which is indented further.
    ! sed -n '/^EXAMPLES/,$p' page | grep -q '^    \(lope\|mpirun\) ' || fail "the examples of $command are no pairs"
    expect 0 "$LOPE" help "$command"
    cmp -s out page || fail "help $command differs from $command --help"
    [ "$(awk '{ if (length($0) > 100) n++ } END { print n + 0 }' page)" -eq 0 ] || fail "long lines in the page of $command"
    refuses 2 "unknown option '--no-such-option'" "$LOPE" "$command" --no-such-option
    refuses 2 "unknown option '-Z'" "$LOPE" "$command" -Z
done

# Values: missing, wrong, attached in every way.
refuses 2 "^lope draw: --interval needs a number > 0, found 'x'" "$LOPE" draw --interval x
refuses 2 "--interval needs a number > 0, found '0'" "$LOPE" draw --interval=0
refuses 2 "--interval needs a number > 0, found '-1'" "$LOPE" draw --interval -1
refuses 2 "--interval needs a number > 0, found 'nan'" "$LOPE" draw --interval nan
refuses 2 "-i needs a number > 0, found '1e999'" "$LOPE" draw -i1e999
refuses 2 "--interval needs a number > 0$" "$LOPE" draw --interval
refuses 2 "--view needs side\|front\|top\|perspective, found 'back'" "$LOPE" draw --view back
refuses 2 "--width needs a whole number from 1 .*, found '1.5'" "$LOPE" draw --width 1.5
refuses 2 "--width needs a whole number from 240 to 20000, found '1'" "$LOPE" draw --width 1 -o x.svg
refuses 2 "--width needs a whole number from 1 .*, found '2147483648'" "$LOPE" draw --width 2147483648
refuses 2 "--interval needs a number from 0.0001 to 1000000, found" "$LOPE" draw --interval 1e300 -o x.svg
refuses 2 "--spread needs a number from 0 to 10000, found '-2'" "$LOPE" draw --spread -2 -o x.svg
refuses 2 "--from needs a number >= 0, found '-1'" "$LOPE" draw --from -1 -o x.svg
refuses 3 "has no frame from" "$LOPE" draw --from 1e300 -o x.svg
refuses 2 "-o writes OUT.svg, found 'x.png'" "$LOPE" draw -o x.png
refuses 3 "the folder 'no' does not exist" "$LOPE" draw -o no/x.svg
for rate in nan inf 0 -1 1e-12 1e12; do
    refuses 2 "--fps needs a number from 0.001 to 10000, found '$rate'" "$LOPE" convert walk_normal --fps $rate -o x.bvh
    refuses 2 "--file-fps needs a number from 0.001 to 10000" "$LOPE" convert walk_normal --file-fps $rate -o x.bvh
    refuses 2 "--fps needs a number from 0.001 to 10000" "$LOPE" info --fps $rate
done
for scale in -1 0 1e-300 1e300 nan; do
    refuses 2 "--scale needs a number from 0.000001 to 1000000, found '$scale'" "$LOPE" info --scale $scale
done
refuses 2 "--trim needs two times" "$LOPE" convert walk_normal --trim 2:1 -o x.bvh
refuses 2 "-j needs a whole number from 1" "$LOPE" info -j 0
expect 0 "$LOPE" info -j 100000 walk_normal run
refuses 2 "--dark takes no value, found 'yes'" "$LOPE" draw --dark=yes
refuses 2 "unknown option '--intervall'; did you mean '--interval'" "$LOPE" draw --intervall 3
refuses 2 "--seed needs a whole number >= 0, found '-3'" "$LOPE" synth --seed -3

# What is printed has to get out.
if [ -w /dev/full ]; then
    "$LOPE" --help >/dev/full 2>err
    [ $? -eq 1 ] || fail "a full disk goes unnoticed"
    grep -q 'cannot write' err || fail "no message about the full disk"
fi
"$LOPE" --help >&- 2>err
[ $? -eq 1 ] || fail "a closed output goes unnoticed"
# No file takes the place of a closed stream, and gets what was meant for it.
"$LOPE" convert walk_normal -o plain.bvh >/dev/null || fail "plain conversion"
"$LOPE" convert walk_normal -o closed.bvh <&- >&- 2>&-
[ $? -eq 1 ] || fail "a closed output goes unnoticed"
cmp -s plain.bvh closed.bvh || fail "text went into a file in the place of a closed stream"
"$LOPE" convert --help 2>err | head -1 >out
[ ! -s err ] || fail "a closed pipe makes noise"

# Completion knows every command and option.
for shell in bash zsh fish; do
    expect 0 "$LOPE" completion $shell
    for word in info convert synth grade draw bench interval perspective variations add-mirrored; do
        prints "$word"
    done
done
refuses 2 "found 'tcsh'" "$LOPE" completion tcsh
refuses 2 "needs the name of one shell" "$LOPE" completion
if has bash; then
    "$LOPE" completion bash >lope.bash
    bash -n lope.bash || fail "the bash completion has a syntax error"
    words=$(bash -c '. ./lope.bash; COMP_WORDS=(lope draw --vi); COMP_CWORD=2; _lope; echo "${COMPREPLY[@]}"')
    [ "$words" = "--view" ] || fail "bash completes --vi to '$words'"
    words=$(bash -c '. ./lope.bash; COMP_WORDS=(lope draw --view p); COMP_CWORD=3; _lope; echo "${COMPREPLY[@]}"')
    [ "$words" = "perspective" ] || fail "bash completes --view p to '$words'"
fi
