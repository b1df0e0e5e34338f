"""Logs and filters as web3.py asks for them, against a filter of our own over all receipts."""

from __future__ import annotations

import random
from typing import Any

from checks import Check
from eth_utils import keccak
from peer import Peer
from web3.exceptions import Web3RPCError

import contracts

TRANSFER = keccak(text="Transfer(address,address,uint256)")
APPROVAL = keccak(text="Approval(address,address,uint256)")
DEPOSIT = keccak(text="Deposit(address,uint256)")


def padded(address: str) -> bytes:
    """An address as a topic."""
    return bytes(12) + bytes.fromhex(address[2:])


def make_logs(peer: Peer) -> tuple[int, list[Any]]:
    """Some blocks with transfers, approvals and deposits among four accounts.

    Returns the first block's number and every log since then, out of the receipts.
    """
    first = peer.w3.eth.block_number + 1
    accounts = [peer.alice, peer.bob, peer.carol, peer.dave]
    for index, sender in enumerate(accounts):
        receiver = accounts[(index + 1) % 4]
        for token in (peer.dai, peer.zrx):
            peer.invoke(sender, token.functions.transfer(receiver.address, 10 + index))
        peer.invoke(sender, peer.weth.functions.approve(receiver.address, 10 + index))
        peer.invoke(sender, peer.weth.functions.deposit(), value=index + 1)
    peer.control("evm_mine")
    logs = []
    for number in range(first, peer.w3.eth.block_number + 1):
        for receipt in peer.w3.eth.get_block_receipts(number):
            logs += receipt.logs
    return first, logs


def matches(log: Any, wanted: dict[str, Any]) -> bool:
    """A filter's conditions on address and topics, as the JSON-RPC specification has them."""
    addresses = wanted.get("address")
    if addresses is not None:
        listed = [addresses] if isinstance(addresses, str) else addresses
        if listed and log.address not in listed:
            return False
    topics = wanted.get("topics") or []
    if len(topics) > len(log.topics):
        return False
    for topic, found in zip(topics, log.topics):
        choices = [topic] if isinstance(topic, bytes) else topic
        if choices and bytes(found) not in choices:
            return False
    return True


def filters(check: Check, peer: Peer) -> None:
    """eth_getLogs finds exactly the logs of 150 random filters"""
    first, logs = make_logs(peer)
    newest = peer.w3.eth.block_number
    check.equal(len(logs), 16, "the number of logs made")
    hashes = {n: peer.w3.eth.get_block(n).hash for n in range(first, newest + 1)}
    generator = random.Random(4)
    senders = [padded(a.address) for a in (peer.alice, peer.bob, peer.carol, peer.dave)]
    tokens = [contracts.DAI, contracts.ZRX, contracts.WETH, contracts.USDC]
    found_some = 0

    def some(choices: list[Any], single: bool = True) -> Any:
        """Nothing, one, or several of these."""
        count = generator.randrange(4)
        if count == 0:
            return None
        if count == 1 and single:
            return generator.choice(choices)
        return generator.sample(choices, min(count, len(choices)))

    for _ in range(150):
        wanted: dict[str, Any] = {}
        address = some(tokens)
        if address is not None:
            wanted["address"] = address
        topics = [some([TRANSFER, APPROVAL, DEPOSIT]), some(senders), some(senders)]
        wanted["topics"] = topics[: generator.randrange(4)]
        expected = [log for log in logs if matches(log, wanted)]
        if generator.random() < 0.3:
            number = generator.randrange(first, newest + 1)
            wanted["blockHash"] = hashes[number]
            expected = [log for log in expected if log.blockNumber == number]
        else:
            low = generator.randrange(first, newest + 1)
            high = generator.randrange(low, newest + 1)
            wanted |= {"fromBlock": low, "toBlock": high}
            expected = [log for log in expected if low <= log.blockNumber <= high]
        found = peer.w3.eth.get_logs(wanted)
        check.equal(found, expected, f"what {wanted} finds")
        found_some += bool(expected)
    check.true(found_some > 30, f"only {found_some} filters found anything")


def events(check: Check, peer: Peer) -> None:
    """a contract's events are found by their indexed arguments, alternatives among them"""
    first, _ = make_logs(peer)
    a, b = peer.alice.address, peer.bob.address
    event = peer.dai.events.Transfer()

    def found(arguments: dict[str, Any]) -> list[tuple[str, int]]:
        logs = event.get_logs(from_block=first, argument_filters=arguments)
        return [(log.args.sender, log.args.value) for log in logs]

    check.equal(found({"sender": a}), [(a, 10)], "alice's transfers")
    check.equal(found({"sender": [a, b]}), [(a, 10), (b, 11)], "alice's and bob's transfers")
    check.equal(found({"receiver": a}), [(peer.dave.address, 13)], "transfers to alice")
    check.equal(found({"sender": a, "receiver": peer.dave.address}), [], "transfers of nobody")
    check.equal(len(found({})), 4, "all transfers")


def polled_filters(check: Check, peer: Peer) -> None:
    """filters that are polled report what is new, once, and end when they are taken away"""
    w3 = peer.w3
    start = w3.eth.block_number + 1
    logs = w3.eth.filter({"address": contracts.DAI, "topics": [TRANSFER]})
    event = peer.dai.events.Transfer().create_filter(
        from_block=start, argument_filters={"sender": peer.bob.address}
    )
    blocks, pending = w3.eth.filter("latest"), w3.eth.filter("pending")
    check.equal(logs.get_new_entries(), [], "new logs before anything happened")
    receipts = [
        peer.invoke(account, peer.dai.functions.transfer(peer.carol.address, amount))
        for account, amount in ((peer.alice, 1), (peer.bob, 2))
    ]
    other = peer.invoke(peer.alice, peer.zrx.functions.transfer(peer.carol.address, 3))
    wanted = [log for receipt in receipts for log in receipt.logs]
    check.equal(logs.get_new_entries(), wanted, "new logs")
    check.equal(logs.get_new_entries(), [], "new logs asked for again")
    check.equal(logs.get_all_entries(), [], "all logs of a filter from the latest block on")
    check.equal([e.args.value for e in event.get_new_entries()], [2], "new events")
    check.equal([e.args.value for e in event.get_all_entries()], [2], "all events")
    hashes = [receipt.blockHash for receipt in [*receipts, other]]
    check.equal([bytes(item) for item in blocks.get_new_entries()], hashes, "new blocks")
    sent = [receipt.transactionHash for receipt in [*receipts, other]]
    check.equal([bytes(item) for item in pending.get_new_entries()], sent, "new transactions")
    for item in (logs, event, blocks, pending):
        check.equal(w3.eth.uninstall_filter(item.filter_id), True, "taking a filter away")
        check.equal(w3.eth.uninstall_filter(item.filter_id), False, "taking it away again")
        error = check.raises(Web3RPCError, item.get_new_entries, "a filter that is gone")
        check.true("filter not found" in str(error), f"its error is {error}")


def limits(check: Check, peer: Peer) -> None:
    """filters that mean nothing are refused, those beyond the newest block find nothing"""
    w3 = peer.w3
    newest = w3.eth.block_number
    hash = w3.eth.get_block(newest).hash
    check.equal(
        w3.eth.get_logs({"fromBlock": newest + 10, "toBlock": newest + 20}), [], "logs to come"
    )
    refused = {
        "a range backwards": {"fromBlock": newest, "toBlock": newest - 1},
        "an unknown block": {"blockHash": b"\x11" * 32},
        "a block and a range": {"blockHash": hash, "fromBlock": newest},
        "five topics": {"topics": [None] * 5},
        "a short topic": {"topics": ["0x1234"]},
        "a short address": {"address": "0x1234"},
        "a topic that is no text": {"topics": [5]},
    }
    for name, wanted in refused.items():
        answer = w3.provider.make_request("eth_getLogs", [plain(wanted)])
        check.true(answer.get("error", {}).get("code") in (-32000, -32602), f"{name}: {answer}")


def plain(wanted: dict[str, Any]) -> dict[str, Any]:
    """A filter as JSON, past web3.py's own checks."""
    def text(value: Any) -> Any:
        if isinstance(value, bytes):
            return "0x" + value.hex()
        return hex(value) if isinstance(value, int) else value

    return {
        key: value if isinstance(value, list) else text(value) for key, value in wanted.items()
    }


CHECKS = [filters, events, polled_filters, limits]
