"""The sandbox and py-evm side by side: both get the same signed bytes, and must do the same."""

from __future__ import annotations

from typing import Any

import requests
from chain import EVMChain
from checks import Check
from eth_account.signers.local import LocalAccount
from eth_utils import to_checksum_address
from failures import RPCError
from methods import Methods
from sandbox import Sandbox

GAS = 8_000_000
PRICE = 100 * 10**9
RECEIPT = ("status", "gasUsed", "logs")
LOG = ("address", "topics", "data")
ACCOUNT = ("codeHash", "storageHash", "nonce", "balance")


class Node:
    """The sandbox's node."""

    def __init__(self, url: str) -> None:
        self._url = url
        self._session = requests.Session()

    def answer(self, method: str, *parameters: Any) -> Any:
        return self.answers([(method, *parameters)])[0]

    def answers(self, questions: list[tuple[Any, ...]]) -> list[Any]:
        """What is asked in one batch; Raises RPCError."""
        body = [
            {"jsonrpc": "2.0", "id": index, "method": method, "params": parameters}
            for index, (method, *parameters) in enumerate(questions)
        ]
        answers = self._session.post(self._url, json=body, timeout=600).json()
        for answer in answers:
            if "error" in answer:
                error = answer["error"]
                raise RPCError(error["code"], error["message"], error.get("data"))
        return [answer["result"] for answer in sorted(answers, key=lambda answer: answer["id"])]


class TwoChains:
    """A sandbox and a chain of py-evm with the same accounts of people, of whom one is the owner.

    `watched` are the addresses, by name, whose code, words, nonce and ether are compared.
    """

    def __init__(self, check: Check, sandbox: Sandbox, owner: str = "carol") -> None:
        self.check = check
        self.node = Node(sandbox.rpc)
        self.owner: LocalAccount = sandbox.account(owner)
        head, ether, count = self.node.answers([
            ("eth_getBlockByNumber", "latest", False),
            ("eth_getBalance", self.owner.address, "latest"),
            ("eth_getTransactionCount", self.owner.address, "latest"),
        ])
        self.chain = EVMChain({
            "chainId": 1337,
            "timestamp": int(head["timestamp"], 16),
            "accounts": [{"address": self.owner.address, "ether": ether, "nonce": int(count, 16)}],
        })
        self.judge = Methods(self.chain)
        self.watched: dict[str, str] = {owner: self.owner.address}
        self._nonces = {self.owner.address: int(count, 16)}

    def nonce(self, account: LocalAccount) -> int:
        """Of an account's next transaction."""
        return self._nonces.get(account.address, 0)

    def send(self, what: str, to: str | None, data: bytes = b"", *, value: int = 0,
             sender: LocalAccount | None = None, gas: int = GAS,
             succeeds: bool | None = None) -> dict[str, Any]:
        """Sends a transaction to both, and compares what it did; the sandbox's receipt."""
        sender = sender or self.owner
        fields: dict[str, Any] = {
            "chainId": 1337, "nonce": self.nonce(sender), "gas": gas, "gasPrice": PRICE,
            "value": value, "data": data,
        }
        self._nonces[sender.address] = fields["nonce"] + 1
        if to is not None:
            fields["to"] = to_checksum_address(to)
        raw = "0x" + bytes(sender.sign_transaction(fields).raw_transaction).hex()
        transaction = self.node.answer("eth_sendRawTransaction", raw)
        receipt, block = self.node.answers([
            ("eth_getTransactionReceipt", transaction), ("eth_getBlockByNumber", "latest", False),
        ])
        self.check.equal(block["number"], receipt["blockNumber"], f"the block of {what}")
        # What the code can read of the block: its oracles and epochs keep the time.
        self.chain.next_timestamp = int(block["timestamp"], 16)
        self.judge.answer("eth_sendRawTransaction", [raw])
        other = self.judge.answer("eth_getTransactionReceipt", [transaction])
        self.check.equal(plain(receipt), plain(other), what)
        if succeeds is not None:
            self.check.equal(receipt["status"] == "0x1", succeeds, f"that {what} succeeds")
        if to is None:
            self.watched[what] = receipt["contractAddress"]
        self._compare(what)
        return receipt

    def _compare(self, what: str) -> None:
        """The accounts have the same state on both, by the roots of their words."""
        questions = [("eth_getProof", address, [], "latest") for address in self.watched.values()]
        answers = self.node.answers(questions)
        for (name, address), here in zip(self.watched.items(), answers, strict=True):
            there = self.judge.answer("eth_getProof", [address, [], "latest"])
            for key in ACCOUNT:
                self.check.equal(here[key], there[key], f"{name}, {key} after {what}")

    def outcomes(self, to: str, data: bytes, *, value: int = 0,
                 sender: LocalAccount | None = None) -> list[tuple[str, str | None]]:
        """What a call would do, here and on py-evm: how it ends, and what it answers."""
        call = {"from": (sender or self.owner).address, "to": to, "data": "0x" + data.hex(),
                "gas": hex(GAS), "gasPrice": hex(PRICE), "value": hex(value)}
        found: list[tuple[str, str | None]] = []
        for ask in (self.node.answer, lambda method, *values: self.judge.answer(method, values)):
            try:
                found.append(("answered", ask("eth_call", call, "latest")))
            except RPCError as error:
                # A revert, or a failure without any data.
                found.append(("reverted" if error.code == 3 else "failed", error.data))
        return found


def plain(receipt: dict[str, Any]) -> dict[str, Any]:
    """What a receipt says of the transaction itself, and not of its block."""
    kept: dict[str, Any] = {key: receipt[key] for key in RECEIPT}
    kept["logs"] = [{key: str(log[key]).lower() for key in LOG} for log in receipt["logs"]]
    return kept
