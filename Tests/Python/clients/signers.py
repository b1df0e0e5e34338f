"""Keys that eth-account holds, in a program and in a node, sign for `dex`: `signers.py DEX`."""

from __future__ import annotations

import sys
from pathlib import Path
from typing import Any

from checks import Check, report
from dex import Dex
from eth_account import Account
from eth_account.messages import encode_defunct
from sandbox import Sandbox
from signer_node import SignerNode

PROGRAM = str(Path(__file__).with_name("signer_program.py"))


class Trader:
    """`dex` acting for an account of a sandbox whose key only a signer has.

    `signature` is what is signed of orders on the network, where that is said.
    """

    def __init__(
        self,
        executable: str,
        sandbox: Sandbox,
        name: str,
        network: str = "sandbox",
        signature: str | None = None,
    ) -> None:
        self.dex = Dex(executable)
        self.account = sandbox.account(name)
        relay = sandbox.relay_of(network)
        self._place = ["--network", network, "--rpc", sandbox.rpc, "--relay", relay]
        self._network = f'[networks.{network}]\nsignature = "{signature}"\n' if signature else ""

    def ask(self, settings: str) -> None:
        """Describes the signer in config.toml."""
        signer = f'[signers.vault]\naddress = "{self.account.address}"\n{settings}\n'
        self.dex.config(signer + self._network)

    def ask_program(self) -> None:
        """The signer is a program with the key in a file."""
        key = self.dex.file("0x" + bytes(self.account.key).hex() + "\n")
        self.ask(f'command = ["{sys.executable}", "{PROGRAM}", "{key}"]')

    def run(self, *arguments: str) -> tuple[int, dict[str, Any]]:
        """The exit code and the JSON of a command."""
        return self.dex.run(*arguments, "--wallet", "vault", "--yes", *self._place)


def trades(check: Check, trader: Trader) -> None:
    """Lets the signer make every kind of signature, and looks at what came of each."""
    status, sold = trader.run("market-sell", "ZRX/WETH", "10", "--via", "book")
    check.equal(status, 0, f"the exit code of market-sell ({sold['error']})")
    sent = [item["purpose"] for item in sold["data"]["transactions"]]
    check.equal(sent[-1], "fill", "the last transaction of market-sell")
    status, placed = trader.run("place-limit", "sell", "ZRX/WETH", "5", "--price", "0.9")
    check.equal(status, 0, f"the exit code of place-limit ({placed['error']})")
    check.equal(placed["data"]["posted"], True, "the order's way to the relay")
    status, cancelled = trader.run("cancel", placed["data"]["orderHash"])
    check.equal(status, 0, f"the exit code of cancel ({cancelled['error']})")
    status, signed = trader.run("wallet", "sign-message", "hello")
    check.equal(status, 0, f"the exit code of sign-message ({signed['error']})")
    signer = Account.recover_message(
        encode_defunct(text="hello"), signature=signed["data"]["signature"]
    )
    check.equal(signer, trader.account.address, "the signer of the message")


def program(check: Check, executable: str, sandbox: Sandbox) -> None:
    """a program on eth-account signs approvals, fills, orders, cancels and messages"""
    trader = Trader(executable, sandbox, "bob")
    trader.ask_program()
    trades(check, trader)


def node(check: Check, executable: str, sandbox: Sandbox) -> None:
    """a node on eth-account signs the same, by eth_sign and by personal_sign"""
    for name, methods in [("carol", ("eth_sign",)), ("dave", ("personal_sign",))]:
        trader = Trader(executable, sandbox, name)
        with SignerNode(trader.account, methods) as signer:
            trader.ask(f'rpc = "{signer.url}"')
            trades(check, trader)
            check.true("eth_signTransaction" in signer.calls, "the node was never asked")
            check.true(methods[0] in signer.calls, f"{methods[0]} was never asked for")


def typed(check: Check, executable: str, sandbox: Sandbox) -> None:
    """a program and a node sign the hash of a v4 order itself, from what it is the hash of"""
    trader = Trader(executable, sandbox, "bob", "sandbox-v4", "eip712")
    trader.ask_program()
    trades(check, trader)
    trader = Trader(executable, sandbox, "carol", "sandbox-v4", "eip712")
    method = "eth_signTypedData_v4"
    with SignerNode(trader.account, ("eth_sign", method)) as signer:
        trader.ask(f'rpc = "{signer.url}"')
        trades(check, trader)
        check.equal(signer.calls.count(method), 1, f"how often {method} was asked for")
        check.equal(signer.calls.count("eth_sign"), 1, "how often eth_sign was, for a message")
    with SignerNode(trader.account, ("eth_sign",)) as signer:
        trader.ask(f'rpc = "{signer.url}"')
        status, answer = trader.run("place-limit", "sell", "ZRX/WETH", "5", "--price", "0.9")
        check.equal(status, 5, "the exit code where the node signs messages only")
        check.equal((answer["error"] or {}).get("code"), "no-typed-data", "its error")
        check.true("eth_sign" not in signer.calls, "a message was asked for in its place")
    trader = Trader(executable, sandbox, "carol", "sandbox-v4", "ethsign")
    with SignerNode(trader.account, ("eth_sign",)) as signer:
        trader.ask(f'rpc = "{signer.url}"')
        trades(check, trader)


def tampering(check: Check, executable: str, sandbox: Sandbox) -> None:
    """a node that signs anything but what it was asked for is found out, and nothing is sent"""
    def change(field: str, value: str):
        def changed(transaction: dict[str, Any]) -> None:
            transaction[field] = value
        return changed

    trader = Trader(executable, sandbox, "alice")
    nonce = trader.account.address
    for field, value in [
        ("to", nonce), ("value", "0x1"), ("nonce", "0xff"), ("gas", "0xffffff"),
        ("data", "0x"), ("maxFeePerGas", "0xffffffffffff"), ("chainId", "0x1"),
    ]:
        with SignerNode(trader.account, change=change(field, value)) as signer:
            trader.ask(f'rpc = "{signer.url}"')
            status, answer = trader.run("market-sell", "ZRX/WETH", "10", "--via", "book")
            check.equal(status, 5, f"the exit code with another {field}")
            code = (answer["error"] or {}).get("code")
            check.equal(code, "changed-transaction", f"the error with another {field}")
    stranger = Account.create()
    with SignerNode(stranger) as signer:
        trader.ask(f'rpc = "{signer.url}"')
        status, answer = trader.run("wallet", "sign-message", "hello")
        check.equal(status, 5, "the exit code where the node has another key")


with Sandbox(sys.argv[1]) as running:
    report([program, node, typed, tampering], sys.argv[1], running)
