"""Runs a program on a pseudo terminal: pseudo-terminal.py <columns> <program> <argument>... Each line of standard input is a step:
a JSON object {"send": text, "expect": text}: waits, after sending, until the terminal has shown the text behind what the step before was waiting for. Prints all that the terminal showed."""
import json, os, pty, select, struct, sys, fcntl, termios, time

pid, terminal = pty.fork()
if pid == 0:
    os.execvp(sys.argv[2], sys.argv[2:])
fcntl.ioctl(terminal, termios.TIOCSWINSZ, struct.pack("HHHH", 40, int(sys.argv[1]), 0, 0))
shown = b""
# Behind what was waited for: one read may bring that and what comes next.
position = 0

def read(until, deadline):
    global shown, position
    while until not in shown[position:]:
        ready, _, _ = select.select([terminal], [], [], max(0.0, deadline - time.monotonic()))
        if not ready:
            return False
        try:
            piece = os.read(terminal, 65536)
        except OSError:
            return until == b""
        if not piece:
            return until == b""
        shown += piece
    position = shown.index(until, position) + len(until)
    return True

for line in sys.stdin:
    step = json.loads(line)
    os.write(terminal, step["send"].encode())
    if not read(step["expect"].encode(), time.monotonic() + 60):
        sys.stderr.write("not shown: " + step["expect"] + "\n")
        break
os.set_blocking(terminal, False)
deadline = time.monotonic() + 30
status = None
while time.monotonic() < deadline:
    done, code = os.waitpid(pid, os.WNOHANG)
    try:
        shown += os.read(terminal, 65536)
    except OSError:
        pass
    if done:
        status = os.waitstatus_to_exitcode(code)
        break
    time.sleep(0.02)
if status is None:
    os.kill(pid, 9)
sys.stdout.buffer.write(shown)
sys.stdout.write("\n[status %s]\n" % status)
