"""`dex sandbox up` in the foreground, for as long as a script needs it."""

from __future__ import annotations

import ctypes
import json
import signal
import subprocess
import tempfile
from types import TracebackType
from typing import Any

from checks import RUN
from eth_account import Account
from eth_account.signers.local import LocalAccount
from eth_utils import keccak

# prctl(2)
PR_SET_PDEATHSIG = 1


class Sandbox:
    """A sandbox on free ports, in memory, with a DEX_HOME that is thrown away.

    `rpc` and `relay` are its URLs; it stops with the `with` block, and if this process dies.
    """

    def __init__(self, dex: str, *options: str) -> None:
        self._dex = dex
        self._options = options
        self._process: subprocess.Popen[bytes] | None = None
        self._home: tempfile.TemporaryDirectory[str] | None = None
        self.description: dict[str, Any] = {}

    def __enter__(self) -> Sandbox:
        libc = ctypes.CDLL(None)
        self._home = tempfile.TemporaryDirectory(prefix="dex-peer-")
        self._process = subprocess.Popen(
            [self._dex, "sandbox", "up", "--memory", "--json", *self._options],
            env={"DEX_HOME": self._home.name, "HOME": self._home.name, "PATH": "/usr/bin:/bin"} | RUN,
            stdin=subprocess.DEVNULL,
            stdout=subprocess.PIPE,
            preexec_fn=lambda: libc.prctl(PR_SET_PDEATHSIG, signal.SIGTERM),
        )
        line = self._process.stdout.readline()
        if not line:
            raise RuntimeError(f"dex sandbox up ended with {self._process.wait()}")
        self.description = json.loads(line)["data"]
        return self

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        trace: TracebackType | None,
    ) -> None:
        self._process.send_signal(signal.SIGINT)
        try:
            last = self._process.communicate(timeout=600)[0]
        except subprocess.TimeoutExpired:
            self._process.kill()
            self._process.wait()
            raise
        finally:
            self._home.cleanup()
        if kind is None and json.loads(last)["data"]["running"] is not False:
            raise RuntimeError(f"dex sandbox up said at its end: {last!r}")

    @property
    def home(self) -> str:
        """Its DEX_HOME."""
        return self._home.name

    @property
    def rpc(self) -> str:
        """The URL of the node."""
        return self.description["rpcUrl"]

    @property
    def relay(self) -> str:
        """The URL of the relay, with its /v0."""
        return self.description["relay"]

    def relay_of(self, network: str) -> str:
        """The URL of the relay of one of its networks."""
        networks = {item["name"]: item for item in self.description["networks"]}
        return networks[network]["relay"]

    def account(self, name: str) -> LocalAccount:
        """The account of a name; its key is public (docs/sandbox.md)."""
        seed = self.description["seed"]
        text = f"dex sandbox account, worthless: {name}, seed {seed}"
        account = Account.from_key(keccak(text=text))
        listed = {item["name"]: item["address"] for item in self.description["accounts"]}
        if account.address.lower() != listed[name].lower():
            raise RuntimeError(f"{name} is {listed[name]}, but the key is of {account.address}")
        return account
