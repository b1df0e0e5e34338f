"""Times `dex live` at a pseudo-terminal: the first picture, the echo of keys while every core is
busy, processor time while nothing happens.

Usage: live_times.py DEX ARGUMENT...   (DEX_HOME names the home)
Prints one JSON object: milliseconds, percent of a core, bytes.
"""

import fcntl
import json
import os
import pty
import select
import signal
import struct
import sys
import termios
import time


IDLE_SECONDS = 30


def processor_ticks(pid):
    with open(f"/proc/{pid}/stat", encoding="utf-8") as file:
        fields = file.read().rsplit(")", 1)[1].split()
    return int(fields[11]) + int(fields[12])


def child_of(pid):
    with open(f"/proc/{pid}/task/{pid}/children", encoding="utf-8") as file:
        return int(file.read().split()[0])


def read(descriptor, seconds):
    ready, _, _ = select.select([descriptor], [], [], max(0, seconds))
    try:
        return os.read(descriptor, 1 << 16) if ready else b""
    except OSError:
        # The other side of a pseudo-terminal is closed: EIO.
        return b""


def busy_process():
    """Another process that wants a whole core."""
    pid = os.fork()
    if pid == 0:
        while True:
            pass
    return pid


def main():
    pid, terminal = pty.fork()
    if pid == 0:
        os.environ["TERM"] = "xterm-256color"
        os.execv(sys.argv[1], sys.argv[1:])
    fcntl.ioctl(terminal, termios.TIOCSWINSZ, struct.pack("HHHH", 60, 200, 0, 0))
    start = time.monotonic()
    screen = b""
    while b"AMOUNT" not in screen:
        screen += read(terminal, 1)
        if time.monotonic() - start > 30:
            sys.exit("no picture: " + repr(screen[-2000:]))
    first = time.monotonic() - start
    end = time.monotonic() + 2
    while time.monotonic() < end:
        read(terminal, 0.1)

    echoes = []
    hogs = [busy_process() for _ in range(os.cpu_count() or 1)]
    for index in range(20):
        # Not in step with the frames.
        pause = time.monotonic() + 0.21 + 0.013 * (index % 7)
        while time.monotonic() < pause:
            read(terminal, pause - time.monotonic())
        sent = time.monotonic()
        os.write(terminal, b"k" if index % 2 == 0 else b"j")
        while b"\x1b[" not in read(terminal, 1):
            pass
        echoes.append(time.monotonic() - sent)
    for hog in hogs:
        os.kill(hog, signal.SIGKILL)
        os.waitpid(hog, 0)

    # What is read again at the first block of the node is over.
    end = time.monotonic() + 8
    while time.monotonic() < end:
        read(terminal, end - time.monotonic())
    child = child_of(pid)
    before = processor_ticks(child)
    end = time.monotonic() + IDLE_SECONDS
    size = 0
    while time.monotonic() < end:
        size += len(read(terminal, end - time.monotonic()))
    ticks = processor_ticks(child) - before
    with open(f"/proc/{child}/status", encoding="utf-8") as file:
        memory = next(int(line.split()[1]) for line in file if line.startswith("VmRSS"))
    os.write(terminal, b"q")
    end = time.monotonic() + 10
    status = None
    while status is None and time.monotonic() < end:
        read(terminal, 0.05)
        done, code = os.waitpid(pid, os.WNOHANG)
        if done:
            status = os.waitstatus_to_exitcode(code)
    if status is None:
        os.kill(pid, signal.SIGTERM)
    echoes.sort()
    print(
        json.dumps(
            {
                "first_ms": round(first * 1000, 1),
                "echo_median_ms": round(echoes[len(echoes) // 2] * 1000, 1),
                "echo_most_ms": round(echoes[-1] * 1000, 1),
                "idle_percent": round(ticks / os.sysconf("SC_CLK_TCK") / IDLE_SECONDS * 100, 2),
                "idle_bytes_a_second": size // IDLE_SECONDS,
                "memory_kib": memory,
                "exit": status,
            }
        )
    )


main()
