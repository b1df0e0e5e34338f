"""Transactions that eth-account signed and web3.py sends: receipts, prices, what is moved."""

from __future__ import annotations

from typing import Any

from checks import Check
from eth_account._utils.legacy_transactions import encode_transaction
from eth_account._utils.transaction_utils import set_transaction_type_if_needed
from eth_account.typed_transactions.typed_transaction import TypedTransaction
from eth_bloom import BloomFilter
from eth_utils import keccak
from peer import CHAIN_ID, GWEI, Peer
from web3.exceptions import TransactionNotFound
from web3.middleware import SignAndSendRawMiddlewareBuilder

import contracts

ACCESS_LIST = [
    {"address": contracts.DAI, "storageKeys": ["0x" + 64 * "0", "0x" + 63 * "0" + "7"]},
    {"address": contracts.ZRX, "storageKeys": []},
]


def transfers_of_each_type(check: Check, peer: Peer) -> None:
    """ether sent by transactions of all three types arrives, and is paid for to the last wei"""
    for kind in (0, 1, 2):
        fields: dict[str, Any] = {"value": 10**15 + kind, "data": b"peer" * kind}
        if kind:
            fields["accessList"] = ACCESS_LIST
        transaction = peer.envelope(kind, peer.alice, **fields)
        signed = peer.alice.sign_transaction(transaction)
        before = [peer.w3.eth.get_balance(a.address) for a in (peer.alice, peer.carol)]
        sent = peer.w3.eth.send_raw_transaction(signed.raw_transaction)
        check.equal(sent, signed.hash, f"the hash of type {kind}")
        receipt = peer.w3.eth.wait_for_transaction_receipt(sent, timeout=600)
        after = [peer.w3.eth.get_balance(a.address) for a in (peer.alice, peer.carol)]
        block = peer.w3.eth.get_block(receipt.blockNumber)
        base = block.baseFeePerGas
        price = base + 2 * GWEI if kind == 2 else 50 * GWEI
        gas = 21_000 + 4 * kind * 16
        if kind:
            gas += 2 * 2_400 + 2 * 1_900
        check.equal(receipt.status, 1, f"the status of type {kind}")
        check.equal(receipt.type, kind, "the receipt's type")
        check.equal(receipt["from"], peer.alice.address, "the sender")
        check.equal(receipt.to, peer.carol.address, "the recipient")
        check.equal(receipt.effectiveGasPrice, price, f"the price of type {kind}")
        check.equal(receipt.gasUsed, gas, f"the gas of type {kind}")
        check.equal(receipt.cumulativeGasUsed, gas, "the block's gas up to here")
        check.equal(receipt.contractAddress, None, "the created contract")
        check.equal(list(receipt.logs), [], "the logs of a transfer of ether")
        check.equal(int.from_bytes(receipt.logsBloom, "big"), 0, "the bloom of no logs")
        check.equal(receipt.transactionHash, signed.hash, "the receipt's hash")
        check.equal(receipt.blockHash, block.hash, "the receipt's block")
        check.equal(list(block.transactions), [signed.hash], "the block's transactions")
        check.equal(before[0] - after[0], fields["value"] + gas * price, "what the sender paid")
        check.equal(after[1] - before[1], fields["value"], "what arrived")
        check.equal(block.gasUsed, gas, "the block's gas")


def transactions_read_back(check: Check, peer: Peer) -> None:
    """a transaction that is read back encodes to the bytes that were signed"""
    for kind in (0, 1, 2):
        fields = {"data": bytes(range(256)), "value": 7}
        if kind:
            fields["accessList"] = ACCESS_LIST
        transaction = peer.envelope(kind, peer.alice, **fields)
        signed = peer.alice.sign_transaction(transaction)
        sent = peer.w3.eth.send_raw_transaction(signed.raw_transaction)
        found = peer.w3.eth.get_transaction(sent)
        block = peer.w3.eth.get_block(found.blockNumber, full_transactions=True)
        check.equal(block.transactions[found.transactionIndex], found, "the block's transaction")
        for place in (found.blockHash, found.blockNumber):
            other = peer.w3.eth.get_transaction_by_block(place, found.transactionIndex)
            check.equal(other, found, f"the transaction at index {found.transactionIndex}")
        check.equal(raw(found), signed.raw_transaction, f"type {kind} encoded anew")
        check.equal(keccak(raw(found)), found.hash, "its hash")
        check.equal(found["from"], peer.alice.address, "its sender")
        check.equal(found.chainId, CHAIN_ID, "its chain")
        if kind == 2:
            check.equal(found.gasPrice, block.baseFeePerGas + 2 * GWEI, "its price once mined")


def raw(found: Any) -> bytes:
    """The raw transaction of what eth_getTransactionByHash answered."""
    vrs = (found.v, int.from_bytes(found.r, "big"), int.from_bytes(found.s, "big"))
    names = [
        "chainId", "nonce", "gas", "to", "value", "maxFeePerGas", "maxPriorityFeePerGas",
        "accessList",
    ]
    fields = {name: found[name] for name in names if name in found}
    fields["data"] = found.input
    if found.type != 2:
        fields["gasPrice"] = found.gasPrice
    if found.type == 0:
        from eth_account._utils.legacy_transactions import Transaction

        return encode_transaction(
            Transaction(
                nonce=found.nonce, gasPrice=found.gasPrice, gas=found.gas,
                to=bytes.fromhex(found.to[2:]), value=found.value, data=bytes(found.input),
                v=0, r=0, s=0,
            ),
            vrs,
        )
    fields["type"] = found.type
    typed = TypedTransaction.from_dict(set_transaction_type_if_needed(fields))
    parts = {"v": vrs[0], "r": vrs[1], "s": vrs[2]}
    return TypedTransaction.from_dict(typed.as_dict() | parts).encode()


def waiting_transactions(check: Check, peer: Peer) -> None:
    """a transaction that waits has no block, is counted, and can be replaced by a dearer one"""
    peer.control("evm_setAutomine", False)
    try:
        count = peer.w3.eth.get_transaction_count(peer.dave.address)
        cheap = peer.envelope(2, peer.dave, value=1)
        first = peer.submit(peer.dave, cheap)
        waiting = peer.w3.eth.get_transaction(first)
        check.equal(waiting.blockHash, None, "the block of what waits")
        check.equal(waiting.blockNumber, None, "the block number of what waits")
        check.equal(waiting.transactionIndex, None, "the index of what waits")
        check.equal(waiting.gasPrice, 100 * GWEI, "the price of what waits")
        check.raises(
            TransactionNotFound,
            lambda: peer.w3.eth.get_transaction_receipt(first),
            "the receipt of what waits",
        )
        check.equal(
            peer.w3.eth.get_transaction_count(peer.dave.address, "pending"),
            count + 1,
            "the pending count",
        )
        check.equal(
            peer.w3.eth.get_transaction_count(peer.dave.address), count, "the mined count"
        )
        # web3.py raises the prices of what it found by itself.
        dear = cheap | {
            "maxFeePerGas": 110 * GWEI, "maxPriorityFeePerGas": 22 * GWEI // 10, "value": 2,
        }
        second = peer.submit(peer.dave, dear)
        check.raises(
            TransactionNotFound,
            lambda: peer.w3.eth.get_transaction(first),
            "what was replaced",
        )
    finally:
        peer.control("evm_mine")
        peer.control("evm_setAutomine", True)
    receipt = peer.w3.eth.wait_for_transaction_receipt(second, timeout=600)
    check.equal(receipt.status, 1, "the status of the replacement")
    check.equal(
        peer.w3.eth.get_transaction_count(peer.dave.address), count + 1, "the count afterwards"
    )


def contracts_by_middleware(check: Check, peer: Peer) -> None:
    """web3.py's own way to fill in, sign and send a contract call works"""
    w3, alice = peer.w3, peer.alice
    middleware = SignAndSendRawMiddlewareBuilder.build(alice)
    w3.middleware_onion.inject(middleware, layer=0)
    try:
        before = peer.dai.functions.balanceOf(peer.carol.address).call()
        function = peer.dai.functions.transfer(peer.carol.address, 12_345)
        sent = function.transact({"from": alice.address})
        receipt = w3.eth.wait_for_transaction_receipt(sent, timeout=600)
        found = w3.eth.get_transaction(sent)
    finally:
        w3.middleware_onion.remove(middleware)
    check.equal(receipt.status, 1, "the status")
    check.equal(receipt.type, 2, "the type that web3.py chose")
    check.equal(
        peer.dai.functions.balanceOf(peer.carol.address).call() - before, 12_345, "what arrived"
    )
    check.true(receipt.gasUsed <= found.gas, f"{found.gas} gas was estimated")
    check.equal(peer.dai.decode_function_input(found.input)[1]["a1"], 12_345, "the call data")


def receipts_of_a_block(check: Check, peer: Peer) -> None:
    """several transactions in a block have running gas, indices and log indices, and blooms"""
    peer.control("evm_setAutomine", False)
    try:
        data = peer.weth.functions.deposit()._encode_transaction_data()
        hashes = []
        for account in (peer.alice, peer.carol, peer.dave):
            for amount in (1, 2):
                fields = {"to": contracts.WETH, "data": data, "value": amount}
                hashes.append(peer.submit(account, peer.envelope(2, account, **fields)))
        check.equal(
            peer.w3.eth.get_block("pending").number,
            peer.w3.eth.block_number,
            "the pending block, which is the newest here",
        )
    finally:
        peer.control("evm_mine")
        peer.control("evm_setAutomine", True)
    block = peer.w3.eth.get_block("latest")
    check.equal(sorted(block.transactions), sorted(hashes), "the block's transactions")
    receipts = peer.w3.eth.get_block_receipts(block.number)
    singly = [peer.w3.eth.get_transaction_receipt(hash) for hash in block.transactions]
    check.equal([dict(item) for item in receipts], [dict(item) for item in singly], "receipts")
    gas = index = 0
    union = 0
    for place, receipt in enumerate(receipts):
        gas += receipt.gasUsed
        check.equal(receipt.cumulativeGasUsed, gas, "the running gas")
        check.equal(receipt.transactionIndex, place, "the index")
        bloom = BloomFilter()
        for log in receipt.logs:
            check.equal(log.logIndex, index, "the log's index in the block")
            check.equal(log.transactionIndex, place, "the log's transaction")
            index += 1
            bloom.add(bytes.fromhex(log.address[2:]))
            bloom.extend(bytes(topic) for topic in log.topics)
        check.equal(int.from_bytes(receipt.logsBloom, "big"), int(bloom), "the receipt's bloom")
        union |= int(bloom)
    check.equal(index, 6, "the number of logs")
    check.equal(int.from_bytes(block.logsBloom, "big"), union, "the block's bloom")
    check.equal(block.gasUsed, gas, "the block's gas")
    check.equal(peer.w3.eth.get_block_transaction_count(block.number), 6, "the count by number")
    check.equal(peer.w3.eth.get_block_transaction_count(block.hash), 6, "the count by hash")


CHECKS = [
    transfers_of_each_type,
    transactions_read_back,
    waiting_transactions,
    contracts_by_middleware,
    receipts_of_a_block,
]
