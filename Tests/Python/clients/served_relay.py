"""`dex relay serve` of the built binary on the chain of a sandbox, for as long as a script needs it."""

from __future__ import annotations

import ctypes
import json
import os
import resource
import signal
import subprocess
import threading
import time
from pathlib import Path
from types import TracebackType
from typing import Any
from urllib.parse import urlsplit

import requests
from checks import RUN
from contracts import WETH, ZRX
from sandbox import PR_SET_PDEATHSIG, Sandbox

WAIT = 600
# What each of these relays has; a test adds lines before it and tables behind it.
STANDARD = """listen = "127.0.0.1:0"
network = "sandbox"
protocols = ["v1", "v4"]
pairs = ["ZRX/WETH"]
store = "sqlite:relay.sqlite"
log = "json"
"""
PAIR_V0 = {"baseTokenAddress": ZRX.lower(), "quoteTokenAddress": WETH.lower()}
PAIR_V4 = {"baseToken": ZRX.lower(), "quoteToken": WETH.lower()}


class ServedRelay:
    """A relay with settings of its own; its store stays when it ends and begins again.

    - `settings`: lines of relay.toml without a table; they replace those of `STANDARD`.
    - `tables`: the rest of the file.
    - `most_descriptors`: as `ulimit -n`; the standard is that of this process.
    """

    def __init__(
        self, dex: str, sandbox: Sandbox, settings: str = "", tables: str = "",
        most_descriptors: int | None = None, **variables: str,
    ) -> None:
        self._dex = dex
        self._sandbox = sandbox
        self._variables = variables
        self.home = sandbox.home
        self._most_descriptors = most_descriptors
        self.folder = Path(self.home) / f"relay-{os.urandom(4).hex()}"
        self.folder.mkdir()
        self.file = self.folder / "relay.toml"
        self.process: subprocess.Popen[str] | None = None
        self.report: dict[str, Any] = {}
        # What it logged, a JSON object each; and what was no JSON.
        self.log: list[dict[str, Any]] = []
        self.other: list[str] = []
        self._outputs: list[dict[str, Any]] = []
        self._threads: list[threading.Thread] = []
        self.write(settings, tables)

    def write(self, settings: str = "", tables: str = "") -> None:
        """Writes relay.toml."""
        keys = {line.split("=")[0].strip() for line in settings.splitlines()}
        standard = [
            line for line in STANDARD.splitlines() if line.split("=")[0].strip() not in keys
        ]
        self.file.write_text("\n".join([settings.strip(), *standard, tables, ""]))
        self.file.chmod(0o644)

    def start(self) -> subprocess.Popen[str]:
        """Starts it without waiting; `serving` waits."""
        libc = ctypes.CDLL(None)

        def prepare() -> None:
            libc.prctl(PR_SET_PDEATHSIG, signal.SIGKILL)
            if self._most_descriptors is not None:
                resource.setrlimit(resource.RLIMIT_NOFILE, (self._most_descriptors,) * 2)

        self.log, self.other, self._outputs = [], [], []
        self.process = subprocess.Popen(
            [self._dex, "relay", "serve", "--config", str(self.file), "--json"],
            env={"DEX_HOME": self.home, "HOME": self.home, "PATH": "/usr/bin:/bin"} | RUN
            | self._variables,
            stdin=subprocess.DEVNULL,
            stdout=subprocess.PIPE,
            stderr=subprocess.PIPE,
            text=True,
            preexec_fn=prepare,
        )
        self._threads = [
            threading.Thread(target=self._read, args=(stream, kept), daemon=True)
            for stream, kept in (
                (self.process.stdout, self._outputs), (self.process.stderr, self.log),
            )
        ]
        for thread in self._threads:
            thread.start()
        return self.process

    def _read(self, stream: Any, kept: list[dict[str, Any]]) -> None:
        for line in stream:
            try:
                kept.append(json.loads(line))
            except ValueError:
                self.other.append(line)

    def __enter__(self) -> ServedRelay:
        self.start()
        self.until(lambda: self._outputs or self.process.poll() is not None, "it serves")
        if not self._outputs or not self._outputs[0].get("data", {}).get("running"):
            self.process.kill()
            raise RuntimeError(f"it does not serve: {self._outputs} {self.log} {self.other}")
        self.report = self._outputs[0]["data"]
        return self

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        trace: TracebackType | None,
    ) -> None:
        if self.process.poll() is None:
            self.process.send_signal(signal.SIGTERM)
            # What a failed check left open holds it up for 30 s at most.
            self.process.wait(WAIT)
        for thread in self._threads:
            thread.join(WAIT)
        for stream in (self.process.stdout, self.process.stderr):
            stream.close()

    def until(self, holds: Any, what: str) -> None:
        """Waits for something that comes, however slow the machine is."""
        for _ in range(WAIT * 20):
            if holds():
                return
            time.sleep(0.05)
        raise RuntimeError(f"not so: {what}; the log: {self.log[-20:]} {self.other[-20:]}")

    @property
    def url(self) -> str:
        """The base URL."""
        return self.report["url"].removesuffix("/")

    @property
    def port(self) -> int:
        """The port of 127.0.0.1."""
        return urlsplit(self.url).port

    def logged(self, text: str) -> list[dict[str, Any]]:
        """The lines of the log with a text."""
        return [line for line in self.log if text in line.get("message", "")]

    def rss(self) -> int:
        """KiB of memory that it holds now."""
        status = Path(f"/proc/{self.process.pid}/status").read_text()
        return int(status.split("VmRSS:")[1].split()[0])

    def descriptors(self) -> int:
        """The number of its open descriptors."""
        return len(os.listdir(f"/proc/{self.process.pid}/fd"))

    def get(self, path: str, **options: Any) -> requests.Response:
        """A GET on a connection of its own."""
        return requests.get(self.url + path, timeout=WAIT, **options)

    def post(self, path: str, body: Any, **options: Any) -> requests.Response:
        """A POST of JSON on a connection of its own."""
        return requests.post(self.url + path, json=body, timeout=WAIT, **options)

    def book(self, version: str = "v0") -> dict[str, list[Any]]:
        """Its bids and asks."""
        if version == "v0":
            return self.get("/v0/orderbook", params=PAIR_V0 | {"per_page": 100}).json()
        answer = self.get("/orderbook/v1", params=PAIR_V4 | {"perPage": 100}).json()
        return {side: answer[side]["records"] for side in ("bids", "asks")}

    def run(self, *arguments: str, timeout: int = WAIT) -> tuple[int, Any, str]:
        """Another command of `dex` in the same home: exit code, its JSON, stderr."""
        run = subprocess.run(
            [self._dex, *arguments],
            env={"DEX_HOME": self.home, "HOME": self.home, "PATH": "/usr/bin:/bin"} | RUN
            | self._variables,
            stdin=subprocess.DEVNULL,
            capture_output=True,
            text=True,
            start_new_session=True,
            timeout=timeout,
            check=False,
        )
        try:
            return run.returncode, json.loads(run.stdout), run.stderr
        except ValueError:
            return run.returncode, run.stdout, run.stderr


def market_orders(sandbox: Sandbox, version: str = "v0") -> list[dict[str, Any]]:
    """The signed orders of the sandbox's own ZRX/WETH book, for another relay: asks, then bids."""
    if version == "v0":
        answer = requests.get(
            f"{sandbox.relay}/orderbook", params=PAIR_V0 | {"per_page": 100}, timeout=WAIT
        ).json()
        return answer["asks"] + answer["bids"]
    root = sandbox.relay.removesuffix("/v0")
    answer = requests.get(
        f"{root}/orderbook/v1", params=PAIR_V4 | {"perPage": 100}, timeout=WAIT
    ).json()
    return [item["order"] for side in ("asks", "bids") for item in answer[side]["records"]]
