"""Runs of the built `dex` with wallets in a DEX_HOME that is thrown away."""

from __future__ import annotations

import json
import os
import subprocess
import tempfile
from pathlib import Path
from typing import Any

from checks import RUN


class Dex:
    """`dex` in a home of its own."""

    def __init__(self, executable: str) -> None:
        self._executable = executable
        self._home = tempfile.TemporaryDirectory(prefix="dex-peer-")
        self._files = 0

    def file(self, content: str | bytes) -> str:
        """A file of mode 600 in the home; returns its path."""
        self._files += 1
        path = Path(self._home.name) / f"given-{self._files}"
        data = content.encode() if isinstance(content, str) else content
        with open(os.open(path, os.O_CREAT | os.O_WRONLY, 0o600), "wb") as stream:
            stream.write(data)
        return str(path)

    def config(self, text: str) -> None:
        """Writes config.toml."""
        path = Path(self._home.name) / "config.toml"
        path.write_text(text)
        path.chmod(0o600)

    def run(
        self, *arguments: str, password: str | None = None, **variables: str
    ) -> tuple[int, dict[str, Any]]:
        """The exit code and the JSON on stdout; more variables of the environment by name."""
        environment = {
            "DEX_HOME": self._home.name, "HOME": self._home.name, "PATH": "/usr/bin:/bin",
        } | RUN | variables
        if password is not None:
            environment["DEX_PASSWORD_FILE"] = self.file(password + "\n")
        run = subprocess.run(
            [self._executable, *arguments, "--json"],
            env=environment,
            stdin=subprocess.DEVNULL,
            capture_output=True,
            start_new_session=True,
            timeout=600,
        )
        return run.returncode, json.loads(run.stdout)

    def data(self, *arguments: str, password: str | None = None) -> Any:
        """What a run that has to succeed answered."""
        status, answer = self.run(*arguments, password=password)
        if status != 0:
            raise RuntimeError(f"dex {arguments} ended with {status}: {answer}")
        return answer["data"]
