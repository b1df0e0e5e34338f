"""`dex provider` on a pseudo terminal, driven like its user would."""

from __future__ import annotations

import os
import pty
import re
import select
import signal
import time
from types import TracebackType

WAIT = 300


class ProviderTerminal:
    """The program, what it showed, and the keys that are typed; it ends with the `with` block."""

    def __init__(self, dex: str, home: str, *options: str, **variables: str) -> None:
        self._command = [dex, "provider", "--port", "0", *options]
        self._environment = {
            "DEX_HOME": home, "HOME": home, "PATH": "/usr/bin:/bin", "TERM": "xterm", "TZ": "UTC",
            "NO_COLOR": "1", "LC_ALL": "C.UTF-8",
        } | variables
        self._seen = 0
        self.text = ""
        self.url = ""
        self.status: int | None = None

    def __enter__(self) -> ProviderTerminal:
        self._child, self._terminal = pty.fork()
        if self._child == 0:
            os.execve(self._command[0], self._command, self._environment)
        self.url = self.expect(r"JSON-RPC +(http://127\.0\.0\.1:\d+)").group(1)
        self.expect("Ctrl-C ends it")
        return self

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        trace: TracebackType | None,
    ) -> None:
        if self.status is None:
            os.kill(self._child, signal.SIGKILL)
            os.waitpid(self._child, 0)
        os.close(self._terminal)

    def expect(self, pattern: str) -> re.Match[str]:
        """Waits until it shows this after what was expected before."""
        end = time.monotonic() + WAIT
        while True:
            found = re.compile(pattern).search(self.text, self._seen)
            if found:
                self._seen = found.end()
                return found
            if not self._read(end):
                raise RuntimeError(f"{pattern!r} is not shown: {self.text[self._seen:]!r}")

    def _read(self, end: float) -> bool:
        ready, _, _ = select.select([self._terminal], [], [], max(0, end - time.monotonic()))
        if not ready:
            return False
        try:
            chunk = os.read(self._terminal, 65_536)
        except OSError:
            return False
        self.text += chunk.decode(errors="replace").replace("\r", "")
        return bool(chunk)

    def type(self, text: str) -> None:
        """What the user types, as far as the line end."""
        os.write(self._terminal, text.encode())

    def answer(self, question: str, text: str) -> None:
        """Answers a question."""
        self.expect(question + r"(.|\n)*?\[y/N\] ")
        # What is typed before the question is asked is discarded.
        self.type(text + "\n")

    def code(self) -> str:
        """The code of a pairing, as soon as it is shown."""
        return "".join(self.expect(r"type\s+this\s+code\s+there:\s+(\d{3})\s(\d{3})").groups())

    def interrupt(self) -> int:
        """Ctrl-C; returns the exit code."""
        os.write(self._terminal, b"\x03")
        while self._read(time.monotonic() + WAIT):
            pass
        _, status = os.waitpid(self._child, 0)
        self.status = os.waitstatus_to_exitcode(status)
        return self.status
