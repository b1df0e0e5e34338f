"""Does what a shell does when a program is stopped: tells how it left the terminal, and goes on.

job_control.py PROGRAM ARGUMENTS...: prints "echo" or "mute" to stderr once the program has stopped,
"continued" to the terminal, and continues it in the foreground.
"""

import os
import signal
import sys
import termios


def main():
    # Whoever hands the terminal over is in the background for a moment.
    signal.signal(signal.SIGTTOU, signal.SIG_IGN)
    child = os.fork()
    if child == 0:
        os.setpgid(0, 0)
        os.tcsetpgrp(0, os.getpid())
        signal.signal(signal.SIGTTOU, signal.SIG_DFL)
        os.execv(sys.argv[1], sys.argv[1:])
    os.waitpid(child, os.WUNTRACED)
    os.tcsetpgrp(0, os.getpgrp())
    echoes = termios.tcgetattr(0)[3] & termios.ECHO
    print("echo" if echoes else "mute", file=sys.stderr, flush=True)
    with open("/dev/tty", "w") as terminal:
        terminal.write("continued")
    os.tcsetpgrp(0, child)
    os.kill(child, signal.SIGCONT)
    sys.exit(os.waitstatus_to_exitcode(os.waitpid(child, 0)[1]))


main()
