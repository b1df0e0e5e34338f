"""web3.py connected to a sandbox."""

from __future__ import annotations

import json
import urllib.request
from typing import Any

from eth_account.signers.local import LocalAccount
from sandbox import Sandbox
from web3 import HTTPProvider, Web3
from web3.contract import Contract
from web3.logs import DISCARD
from web3.types import TxReceipt

import contracts

CHAIN_ID = 1337
GWEI = 10**9


class Peer:
    """web3.py with the contracts and the accounts of a sandbox."""

    def __init__(self, sandbox: Sandbox) -> None:
        self.sandbox = sandbox
        # A client that repeats what failed would hide that it failed.
        self.w3 = Web3(HTTPProvider(sandbox.rpc, exception_retry_configuration=None))
        self.alice = sandbox.account("alice")
        self.bob = sandbox.account("bob")
        self.carol = sandbox.account("carol")
        self.dave = sandbox.account("dave")
        self.zrx = self.token(contracts.ZRX)
        self.dai = self.token(contracts.DAI)
        self.weth: Contract = self.w3.eth.contract(contracts.WETH, abi=contracts.WETH_ABI)
        self.exchange: Contract = self.w3.eth.contract(
            contracts.EXCHANGE, abi=contracts.EXCHANGE_ABI
        )

    def token(self, address: str) -> Contract:
        """The contract of a token."""
        return self.w3.eth.contract(address, abi=contracts.TOKEN_ABI)

    def envelope(self, kind: int, account: LocalAccount, **fields: Any) -> dict[str, Any]:
        """A transaction of type 0, 1 or 2 with the account's next nonce and a price that passes."""
        transaction: dict[str, Any] = {
            "chainId": CHAIN_ID,
            "nonce": self.w3.eth.get_transaction_count(account.address, "pending"),
            "gas": 200_000,
            "value": 0,
            "to": self.carol.address,
            "data": b"",
        }
        if kind == 2:
            transaction |= {
                "type": 2, "maxFeePerGas": 100 * GWEI, "maxPriorityFeePerGas": 2 * GWEI,
            }
        else:
            transaction["gasPrice"] = 50 * GWEI
        if kind == 1:
            transaction |= {"type": 1, "accessList": []}
        return transaction | fields

    def submit(self, account: LocalAccount, transaction: dict[str, Any]) -> bytes:
        """Signs with eth-account and hands the bytes over; returns the node's hash."""
        signed = account.sign_transaction(transaction)
        return self.w3.eth.send_raw_transaction(signed.raw_transaction)

    def send(self, account: LocalAccount, kind: int = 2, **fields: Any) -> TxReceipt:
        """Sends a transaction and returns its receipt."""
        sent = self.submit(account, self.envelope(kind, account, **fields))
        return self.w3.eth.wait_for_transaction_receipt(sent, timeout=600, poll_latency=0.02)

    def invoke(self, account: LocalAccount, function: Any, **fields: Any) -> TxReceipt:
        """Sends a call of a contract's function and returns its receipt."""
        call = {"to": function.address, "data": function._encode_transaction_data()}
        return self.send(account, **(call | fields))

    def events(self, event: Any, receipt: TxReceipt) -> list[Any]:
        """The arguments of a contract's events in a receipt; others are passed over."""
        return [found.args for found in event().process_receipt(receipt, errors=DISCARD)]

    def control(self, method: str, *parameters: Any) -> Any:
        """One of the methods for tests."""
        return self.w3.manager.request_blocking(method, list(parameters))

    def post(self, body: bytes) -> Any:
        """The answer to any HTTP body, decoded; nothing where nothing was answered."""
        headers = {"Content-Type": "application/json"}
        request = urllib.request.Request(self.sandbox.rpc, body, headers)
        with urllib.request.urlopen(request, timeout=600) as answer:
            content = answer.read()
        return json.loads(content) if content else None
