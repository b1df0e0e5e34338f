"""How the node refuses, as web3.py and plain JSON-RPC see it."""

from __future__ import annotations

import json
from collections.abc import Callable
from typing import Any

from checks import Check
from eth_account import Account
from eth_utils import keccak
from peer import GWEI, Peer
from web3.exceptions import (
    ContractLogicError,
    MethodUnavailable,
    TransactionNotFound,
    Web3RPCError,
)

import contracts


def refusals(check: Check, peer: Peer) -> None:
    """a transaction that cannot be is refused with geth's code and words, and is not kept"""
    alice = peer.alice
    fresh = Account.from_key(keccak(text="an account without anything"))

    def refused(words: str, account: Any, kind: int = 2, **fields: Any) -> None:
        transaction = peer.envelope(kind, account, **fields)
        signed = account.sign_transaction(transaction)
        error = check.raises(
            Web3RPCError, lambda: peer.w3.eth.send_raw_transaction(signed.raw_transaction), words
        )
        if error is None:
            return
        answer = error.rpc_response["error"]
        check.equal(answer["code"], -32000, f"the code of {answer['message']!r}")
        check.true(answer["message"].startswith(words), f"{answer['message']!r} is not {words!r}")
        check.raises(
            TransactionNotFound,
            lambda: peer.w3.eth.get_transaction(signed.hash),
            f"what was refused with {words!r}",
        )

    count = peer.w3.eth.get_transaction_count(alice.address)
    refused(f"nonce too low: next nonce {count}, tx nonce {count - 1}", alice, nonce=count - 1)
    refused("insufficient funds for gas * price + value: ", fresh)
    refused("insufficient funds for gas * price + value: ", alice, value=10**24)
    refused("insufficient funds for gas * price + value: ", alice, 0, value=2**256 - 1)
    refused("intrinsic gas too low: ", alice, gas=20_999)
    refused("exceeds block gas limit", alice, gas=2**40)
    refused("max priority fee per gas higher than max fee per gas", alice, maxFeePerGas=GWEI)
    refused("invalid sender: invalid chain id for signer", alice, chainId=1)
    refused("invalid sender: invalid chain id for signer", alice, 0, chainId=1)
    check.equal(peer.w3.eth.get_transaction_count(alice.address), count, "the count afterwards")


def raw_bytes(check: Check, peer: Peer) -> None:
    """bytes that are no transaction, of another type or without a chain id are refused"""
    alice = peer.alice
    unprotected = peer.envelope(0, alice)
    del unprotected["chainId"]
    signed = alice.sign_transaction(peer.envelope(2, alice)).raw_transaction
    cases = {
        "an empty text": b"",
        "a cut transaction": signed[:-1],
        "a transaction and a byte": signed + b"\0",
        "a type that is unknown": b"\x05" + signed[1:],
        "a blob transaction": b"\x03" + signed[1:],
        "a legacy transaction without chain id": alice.sign_transaction(
            unprotected
        ).raw_transaction,
        "zeros": bytes(200),
    }
    for name, content in cases.items():
        error = check.raises(
            Web3RPCError, lambda: peer.w3.eth.send_raw_transaction(content), name
        )
        if error is not None:
            check.equal(error.rpc_response["error"]["code"], -32000, f"the code of {name}")
    same = peer.submit(alice, peer.envelope(2, alice))
    again = peer.w3.eth.get_transaction(same)
    check.true(again.blockNumber is not None, "it was not mined")


def too_cheap(check: Check, peer: Peer) -> None:
    """what pays less than the base fee waits, is pending, and gives way to what pays more"""
    eth = peer.w3.eth
    dave = peer.dave
    cheap = peer.envelope(2, dave, maxFeePerGas=1, maxPriorityFeePerGas=1)
    waiting = peer.submit(dave, cheap)
    check.equal(eth.get_transaction(waiting).get("blockNumber"), None, "the block of what waits")
    check.raises(
        TransactionNotFound, lambda: eth.get_transaction_receipt(waiting), "the receipt of it"
    )
    check.equal(eth.get_transaction_count(dave.address), cheap["nonce"], "the count that is mined")
    pending = eth.get_transaction_count(dave.address, "pending")
    check.equal(pending, cheap["nonce"] + 1, "the count with what waits")
    receipt = peer.send(dave, nonce=cheap["nonce"])
    check.equal(receipt.status, 1, "the status of what took its place")
    check.raises(TransactionNotFound, lambda: eth.get_transaction(waiting), "what gave way")


def replacements(check: Check, peer: Peer) -> None:
    """a replacement has to pay a tenth more, and what waits already is known"""
    peer.control("evm_setAutomine", False)
    try:
        first = peer.envelope(2, peer.bob)
        peer.submit(peer.bob, first)
        for fields in (
            {"value": 1},
            {"maxFeePerGas": 200 * GWEI},
            {"maxFeePerGas": 109 * GWEI, "maxPriorityFeePerGas": 3 * GWEI},
        ):
            error = check.raises(
                Web3RPCError, lambda: peer.submit(peer.bob, first | fields), f"{fields}"
            )
            check.true(
                "replacement transaction underpriced" in str(error), f"its error is {error}"
            )
        error = check.raises(Web3RPCError, lambda: peer.submit(peer.bob, first), "the same")
        check.true("already known" in str(error), f"its error is {error}")
    finally:
        peer.control("evm_mine")
        peer.control("evm_setAutomine", True)


def reverts(check: Check, peer: Peer) -> None:
    """calls that revert are contract errors, those that burn all gas are errors of the node"""
    poor = peer.dai.functions.transfer(peer.bob.address, 2**200)
    sender = {"from": peer.alice.address}
    for name, call in (
        ("a call", lambda: poor.call(sender)),
        ("an estimate", lambda: poor.estimate_gas(sender)),
        ("a transaction that is made", lambda: poor.build_transaction(sender)),
    ):
        error = check.raises(ContractLogicError, call, f"{name} that reverts")
        if error is not None:
            check.equal(error.message, "execution reverted", f"the message of {name}")
            check.equal(error.data, "0x", f"the data of {name}")
    order = contracts.Order(
        maker=peer.bob.address, maker_token=contracts.ZRX, taker_token=contracts.WETH,
        maker_amount=10, taker_amount=10, expiry=2**40, salt=5, taker=peer.dave.address,
    )
    function = peer.exchange.functions.fillOrder(
        order.addresses, order.values, 1, True, *order.signature(peer.bob)
    )
    check.raises(ContractLogicError, lambda: function.call(sender), "another taker's order")
    check.raises(
        Web3RPCError,
        lambda: peer.exchange.functions.getPartialAmount(1, 0, 1).call(),
        "a division by zero",
    )
    # A call to an account answers nothing, which web3.py cannot decode as a number.
    answer = peer.w3.eth.call({"to": peer.dave.address, "data": "0x12345678"})
    check.equal(answer, b"", "the answer of an account")
    # Sent all the same, it fails on chain and says so.
    receipt = peer.invoke(peer.alice, poor)
    check.equal(receipt.status, 0, "the status of a reverted transaction")
    check.true(0 < receipt.gasUsed < 200_000, f"it used {receipt.gasUsed} gas")
    check.equal(list(receipt.logs), [], "its logs")
    unknown = peer.send(peer.alice, to=contracts.EXCHANGE, data="0x12345678")
    check.equal((unknown.status, unknown.gasUsed), (0, 200_000), "an unknown function")


def unknown_methods(check: Check, peer: Peer) -> None:
    """what the node does not have is told apart from what it refuses"""
    for name, call in {
        "eth_noSuchMethod": lambda: peer.control("eth_noSuchMethod"),
        "eth_sendTransaction": lambda: peer.w3.eth.send_transaction({
            "from": peer.alice.address, "to": peer.bob.address, "gas": 21_000,
            "gasPrice": 50 * GWEI,
        }),
        "eth_sign": lambda: peer.w3.eth.sign(peer.alice.address, b"text"),
    }.items():
        error = check.raises(MethodUnavailable, call, name)
        if error is not None:
            check.equal(error.rpc_response["error"]["code"], -32601, f"the code of {name}")
            check.true(name in error.rpc_response["error"]["message"], f"it says {error}")
    error = check.raises(
        Web3RPCError,
        lambda: peer.w3.eth.get_proof(contracts.DAI, [0], peer.w3.eth.block_number + 9),
        "a proof at a block that there is not",
    )
    check.equal(error and error.rpc_response["error"]["code"], -32000, "its code")


def parameters(check: Check, peer: Peer) -> None:
    """parameters of the wrong kind, too many or too few have code -32602"""
    address = peer.alice.address
    for method, given in [
        ("eth_getBalance", []),
        ("eth_getBalance", ["0x12", "latest"]),
        ("eth_getBalance", [address, "newest"]),
        ("eth_getBalance", [address, "0x01"]),
        ("eth_getBalance", [address, "latest", "latest"]),
        ("eth_getBalance", [5, "latest"]),
        ("eth_getBlockByNumber", ["0x0", "yes"]),
        ("eth_getBlockByHash", ["0x00", False]),
        ("eth_getTransactionReceipt", ["0x" + 63 * "0"]),
        ("eth_call", ["0x", "latest"]),
        ("eth_call", [{"to": address, "data": "0x123"}, "latest"]),
        ("eth_call", [{"to": address, "gas": "21000"}, "latest"]),
        ("eth_sendRawTransaction", ["no hex"]),
        ("eth_getLogs", []),
        ("eth_newFilter", ["latest"]),
        ("eth_feeHistory", ["0x1"]),
        ("eth_blockNumber", [1]),
    ]:
        answer = peer.w3.provider.make_request(method, given)
        check.equal(answer.get("error", {}).get("code"), -32602, f"the code of {method}{given}")


def batches(check: Check, peer: Peer) -> None:
    """web3.py's batches are answered in order, and an error in one stops no other"""
    w3 = peer.w3
    addresses = [a.address for a in (peer.alice, peer.bob, peer.carol, peer.dave)]
    singly = [w3.eth.get_balance(address) for address in addresses]
    with w3.batch_requests() as batch:
        for address in addresses:
            batch.add(w3.eth.get_balance(address))
        batch.add(peer.dai.functions.balanceOf(addresses[0]))
        batch.add(w3.eth.get_block("latest"))
        answers = batch.execute()
    check.equal(list(answers[:4]), singly, "the balances")
    check.equal(answers[4], peer.dai.functions.balanceOf(addresses[0]).call(), "the call")
    check.equal(answers[5], w3.eth.get_block("latest"), "the block")
    calls = [("eth_chainId", []), ("eth_noSuch", []), ("eth_getBalance", [])] * 100
    answers = w3.provider.make_batch_request(calls)
    codes = [answer.get("error", {}).get("code") for answer in answers]
    check.equal(codes, [None, -32601, -32602] * 100, "the codes of a mixed batch")
    check.equal([a["id"] for a in answers], sorted(a["id"] for a in answers), "the ids' order")


def bare_requests(check: Check, peer: Peer) -> None:
    """JSON-RPC 2.0 is kept where no client helps: ids, notifications, what is no request"""
    def ask(text: str | bytes) -> Any:
        return peer.post(text.encode() if isinstance(text, str) else text)

    for identifier in ("7", '"seven"', "null", "-1", "1.5"):
        answer = ask(f'{{"jsonrpc":"2.0","id":{identifier},"method":"eth_chainId"}}')
        wanted = {"jsonrpc": "2.0", "id": json.loads(identifier), "result": "0x539"}
        check.equal(answer, wanted, f"the answer to id {identifier}")
    notification = '{"jsonrpc":"2.0","method":"eth_chainId"}'
    check.equal(ask(notification), None, "the answer to a notification")
    call = '{"jsonrpc":"2.0","id":3,"method":"eth_chainId","params":[]}'
    answer = ask(f"[{notification},{call}]")
    check.equal([item["id"] for item in answer], [3], "the answers with a notification")
    check.equal(ask(f"[{notification}]"), None, "the answer to notifications alone")
    failures: dict[str, tuple[str | bytes, int]] = {
        "no JSON": ("{", -32700),
        "two values": (call + call, -32700),
        "bytes that are no text": (b'{"jsonrpc":"2.0","id":1,"method":"\xff"}', -32700),
        "nothing": ("", -32700),
        "an empty batch": ("[]", -32600),
        "a number": ("1", -32600),
        "another version": ('{"jsonrpc":"1.0","id":1,"method":"eth_chainId"}', -32600),
        "no method": ('{"jsonrpc":"2.0","id":1}', -32600),
        "named parameters": (
            '{"jsonrpc":"2.0","id":1,"method":"eth_chainId","params":{"a":1}}', -32602
        ),
        "too many requests": ("[" + ",".join([call] * 1_001) + "]", -32600),
        "too deep": ("[" * 10_000 + "]" * 10_000, -32700),
    }
    for name, (text, code) in failures.items():
        answer = ask(text)
        check.equal(answer.get("error", {}).get("code"), code, f"the code of {name}")
        check.true("result" not in answer, f"{name} has a result too")
        check.equal(answer["id"], 1 if name in ONE else None, f"the id of {name}")
    answer = ask(f"[1,{call}]")
    check.equal([item.get("error", {}).get("code") for item in answer], [-32600, None], "a mix")


ONE = {"another version", "no method", "named parameters"}

CHECKS: list[Callable[[Check, Peer], None]] = [
    refusals, raw_bytes, too_cheap, replacements, reverts, unknown_methods, parameters, batches,
    bare_requests,
]
