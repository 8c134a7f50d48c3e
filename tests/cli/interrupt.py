#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
# interrupt.py UNTIL HOW COMMAND...: runs a command of the tool, presses Ctrl-C in the middle of its work, and ends with its exit
# code. UNTIL says when: once a path (or a pattern of paths) is there, or after a number of lines of progress. HOW is `once`, `twice`, or `stuck`: once,
# while it cannot go on. Nothing depends on time: the tool tells its progress through a pipe with room for one line, so that it
# is never further than two lines ahead of what was read here.
import fcntl
import glob
import os
import signal
import subprocess
import sys
import time

until, how, command = sys.argv[1], sys.argv[2], sys.argv[3:]
reading, writing = os.pipe2(os.O_DIRECT | os.O_CLOEXEC)  # one line a packet, one packet a page
fcntl.fcntl(writing, fcntl.F_SETPIPE_SZ, 4096)
if how == "stuck":
    os.write(writing, b"full\n")  # its first line has no room
os.set_inheritable(writing, True)
tool = subprocess.Popen(command, pass_fds=[writing], env={**os.environ, "LOPE_PROGRESS_FD": str(writing)})
os.close(writing)


def interrupts_are(state):
    """SigCgt: the tool handles them; ShdPnd: one was sent that it has not handled yet."""
    with open(f"/proc/{tool.pid}/status") as status:
        signals = next((line for line in status if line.startswith(state)), "none 0")
    return int(signals.split()[1], 16) >> (signal.SIGINT - 1) & 1


def too_late():
    sys.exit(f"the tool ended with exit code {tool.wait()} before it could be interrupted")


lines = 0
while not (lines >= int(until) if until.isdigit() else glob.glob(until)):
    if how == "stuck" or until.endswith(".part"):  # to be seen within the work of one line
        if tool.poll() is not None:
            too_late()
        time.sleep(0.001)
    elif os.read(reading, 4096):
        lines += 1
    else:
        too_late()
while not interrupts_are("SigCgt"):
    time.sleep(0.001)
tool.send_signal(signal.SIGINT)
if how == "twice":
    while interrupts_are("ShdPnd"):  # a second one beside it would be lost
        time.sleep(0.001)
    tool.send_signal(signal.SIGINT)
while how == "once" and os.read(reading, 4096):
    pass
code = tool.wait()
sys.exit(code if code >= 0 else 128 - code)
