"""Blocks, transactions, receipts and logs as JSON-RPC writes them."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import rlp
from eth_utils import keccak

from wire import text

if TYPE_CHECKING:
    from eth.abc import SignedTransactionAPI

    from chain import Block, EVMChain, Mined


def block_object(block: Block, chain: EVMChain, full: bool) -> dict[str, Any]:
    """A block; with its transactions where they are wanted, else their hashes."""
    header = block.header
    answer: dict[str, Any] = {
        "number": hex(header.block_number),
        "hash": text(header.hash),
        "parentHash": text(header.parent_hash),
        "nonce": text(header.nonce),
        "mixHash": text(header.mix_hash),
        "sha3Uncles": text(header.uncles_hash),
        "logsBloom": f"0x{header.bloom:0512x}",
        "transactionsRoot": text(header.transaction_root),
        "stateRoot": text(header.state_root),
        "receiptsRoot": text(header.receipt_root),
        "miner": text(header.coinbase),
        "difficulty": hex(header.difficulty),
        "extraData": text(header.extra_data),
        "size": hex(block.size),
        "gasLimit": hex(header.gas_limit),
        "gasUsed": hex(header.gas_used),
        "timestamp": hex(header.timestamp),
        "uncles": [],
        "transactions": [
            transaction_object(mined.transaction, chain, mined)
            if full
            else text(mined.transaction.hash)
            for mined in block.transactions
        ],
    }
    if not chain.is_legacy:
        answer["baseFeePerGas"] = hex(header.base_fee_per_gas)
        answer["withdrawalsRoot"] = text(header.withdrawals_root)
        answer["blobGasUsed"] = hex(header.blob_gas_used)
        answer["excessBlobGas"] = hex(header.excess_blob_gas)
        answer["parentBeaconBlockRoot"] = text(header.parent_beacon_block_root)
        answer["requestsHash"] = text(header.requests_hash)
    return answer


def transaction_object(
    transaction: SignedTransactionAPI, chain: EVMChain, mined: Mined | None
) -> dict[str, Any]:
    """A transaction, mined or waiting."""
    kind = transaction.type_id or 0
    answer: dict[str, Any] = {
        "hash": text(transaction.hash),
        "type": hex(kind),
        "nonce": hex(transaction.nonce),
        "from": text(transaction.sender),
        "to": text(transaction.to) if transaction.to else None,
        "value": hex(transaction.value),
        "gas": hex(transaction.gas),
        "input": text(transaction.data),
        "chainId": hex(chain.chain_id),
        "blockHash": None,
        "blockNumber": None,
        "transactionIndex": None,
        "gasPrice": hex(mined.price if mined else transaction.max_fee_per_gas),
        "r": hex(transaction.r),
        "s": hex(transaction.s),
    }
    if mined is not None:
        answer["blockHash"] = text(chain.blocks[mined.block].header.hash)
        answer["blockNumber"] = hex(mined.block)
        answer["transactionIndex"] = hex(mined.index)
    if kind == 0:
        answer["v"] = hex(transaction.v)
        return answer
    answer["v"] = answer["yParity"] = hex(transaction.y_parity)
    answer["accessList"] = [
        {"address": text(who), "storageKeys": [f"0x{slot:064x}" for slot in slots]}
        for who, slots in transaction.access_list
    ]
    if kind == 2:
        answer["maxFeePerGas"] = hex(transaction.max_fee_per_gas)
        answer["maxPriorityFeePerGas"] = hex(transaction.max_priority_fee_per_gas)
    return answer


def _created(transaction: SignedTransactionAPI) -> bytes:
    """The address of what a transaction creates."""
    return keccak(rlp.encode([transaction.sender, transaction.nonce]))[12:]


def receipt_object(mined: Mined, chain: EVMChain) -> dict[str, Any]:
    """A receipt."""
    transaction = mined.transaction
    return {
        "transactionHash": text(transaction.hash),
        "transactionIndex": hex(mined.index),
        "blockHash": text(chain.blocks[mined.block].header.hash),
        "blockNumber": hex(mined.block),
        "from": text(transaction.sender),
        "to": text(transaction.to) if transaction.to else None,
        "cumulativeGasUsed": hex(mined.cumulative_gas_used),
        "gasUsed": hex(mined.gas_used),
        "effectiveGasPrice": hex(mined.price),
        "contractAddress": None if transaction.to else text(_created(transaction)),
        "logs": [log_object(log, mined, chain) for log in mined.logs],
        "logsBloom": f"0x{mined.bloom:0512x}",
        "status": "0x1" if mined.succeeded else "0x0",
        "type": hex(transaction.type_id or 0),
    }


def log_object(log: Any, mined: Mined, chain: EVMChain) -> dict[str, Any]:
    """A log with its place."""
    address, topics, data, index = log
    return {
        "address": text(address),
        "topics": [f"0x{topic:064x}" for topic in topics],
        "data": text(data),
        "blockNumber": hex(mined.block),
        "transactionHash": text(mined.transaction.hash),
        "transactionIndex": hex(mined.index),
        "blockHash": text(chain.blocks[mined.block].header.hash),
        "logIndex": hex(index),
        "removed": False,
    }
