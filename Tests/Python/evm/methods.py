"""The JSON-RPC methods of the EVM chain, in geth's shapes and words."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

import wire
from calls import Calls
from chain import BUILDER, Block, EVMChain, Mined
from encoding import block_object, log_object, receipt_object, transaction_object
from failures import RPCError
from pool import Refused
from proofs import proof_object

TIP = 10**9


class Methods:
    """Answers one method at a time."""

    def __init__(self, chain: EVMChain) -> None:
        self.chain = chain
        calls = Calls(chain)
        self._places: dict[bytes, tuple[int, int]] = {}
        self._table: dict[str, Callable[..., Any]] = {
            "web3_clientVersion": lambda: "dex-tests/py-evm",
            "net_version": lambda: str(chain.chain_id),
            "eth_chainId": lambda: hex(chain.chain_id),
            "eth_syncing": lambda: False,
            "eth_blockNumber": lambda: hex(self._head),
            "eth_getBlockByNumber": self._block_by_number,
            "eth_getBlockByHash": self._block_by_hash,
            "eth_getBalance": lambda who, tag="latest": hex(
                self._state(tag).get_balance(wire.data(who, 20))
            ),
            "eth_getCode": lambda who, tag="latest": wire.text(
                self._state(tag).get_code(wire.data(who, 20))
            ),
            "eth_getStorageAt": lambda who, slot, tag="latest": (
                f"0x{self._state(tag).get_storage(wire.data(who, 20), int(slot, 16)):064x}"
            ),
            "eth_getProof": self._proof,
            "eth_getTransactionCount": self._transaction_count,
            "eth_gasPrice": lambda: hex(chain.base_fee_of_next() + TIP),
            "eth_maxPriorityFeePerGas": lambda: hex(TIP),
            "eth_feeHistory": self._fee_history,
            "eth_call": lambda request, tag="latest": calls.call(request, self._number_of(tag)),
            "eth_estimateGas": lambda request, tag="latest": calls.estimate(
                request, self._number_of(tag)
            ),
            "eth_createAccessList": lambda request, tag="latest": calls.access_list(
                request, self._number_of(tag)
            ),
            "eth_sendRawTransaction": self._send,
            "eth_getTransactionByHash": self._transaction,
            "eth_getTransactionReceipt": self._receipt,
            "eth_getLogs": self._logs,
            "evm_mine": self._mine,
            "evm_setAutomine": self._set_automine,
            "evm_increaseTime": self._increase_time,
            "evm_setNextBlockTimestamp": self._set_timestamp,
            "hardhat_setNextBlockBaseFeePerGas": self._set_base_fee,
            "evm_snapshot": lambda: hex(chain.snapshot()),
            "evm_revert": lambda identifier: chain.revert(wire.number(identifier)),
        }
        if chain.is_legacy:
            del self._table["eth_feeHistory"], self._table["eth_maxPriorityFeePerGas"]

    def answer(self, method: str, parameters: Sequence[Any]) -> Any:
        """The result of a method.

        Raises RPCError.
        """
        if method not in self._table:
            raise RPCError(-32601, f"the method {method} does not exist/is not available")
        try:
            return self._table[method](*parameters)
        except (TypeError, ValueError, KeyError) as error:
            raise RPCError(-32602, f"invalid argument: {error}") from error

    # Blocks

    @property
    def _head(self) -> int:
        return len(self.chain.blocks) - 1

    def _number_of(self, tag: Any) -> int:
        """The number of a block that is given by name, by number, or by EIP-1898's object."""
        if isinstance(tag, dict):
            if "blockHash" not in tag:
                return self._number_of(tag["blockNumber"])
            block = self._block_by_hash(tag["blockHash"])
            if block is None:
                raise RPCError(-32000, "header for hash not found")
            return int(block["number"], 16)
        names = {"latest": self._head, "pending": self._head, "earliest": 0}
        names["safe"] = names["finalized"] = self._head
        block = names[tag] if tag in names else int(tag, 16)
        if block > self._head:
            raise RPCError(-32000, "header not found")
        return block

    def _state(self, tag: Any) -> Any:
        return self.chain.state(self._number_of(tag))

    def _proof(self, who: str, slots: Sequence[str], tag: str = "latest") -> Any:
        block = self.chain.blocks[self._number_of(tag)]
        return proof_object(
            self.chain.database,
            block.header.state_root,
            wire.data(who, 20),
            [int(slot, 16) for slot in slots],
        )

    def _block_by_number(self, tag: str, full: bool = False) -> Any:
        try:
            block = self.chain.blocks[self._number_of(tag)]
        except RPCError:
            return None
        return block_object(block, self.chain, full)

    def _block_by_hash(self, text: str, full: bool = False) -> Any:
        wanted = wire.data(text, 32)
        for block in self.chain.blocks:
            if block.header.hash == wanted:
                return block_object(block, self.chain, full)
        return None

    def _transaction_count(self, who: str, tag: str = "latest") -> str:
        sender = wire.data(who, 20)
        count = self._state(tag).get_nonce(sender)
        return hex(self.chain.pool.next_nonce(sender, count) if tag == "pending" else count)

    def _fee_history(self, count: Any, newest: str, percentiles: Sequence[float] = ()) -> Any:
        last = self._number_of(newest)
        first = max(0, last - wire.number(count) + 1)
        blocks = self.chain.blocks[first : last + 1]
        fees = [block.header.base_fee_per_gas for block in blocks]
        following = (
            self.chain.blocks[last + 1].header.base_fee_per_gas
            if last < self._head
            else self.chain.base_fee_of_next()
        )
        answer: dict[str, Any] = {
            "oldestBlock": hex(first),
            "baseFeePerGas": [hex(fee) for fee in [*fees, following]],
            "gasUsedRatio": [
                block.header.gas_used / block.header.gas_limit for block in blocks
            ],
        }
        if percentiles:
            answer["reward"] = [_rewards(block, percentiles) for block in blocks]
        return answer

    # Transactions

    def _send(self, raw: str) -> str:
        try:
            transaction = BUILDER.decode(wire.data(raw))
        except Exception as error:
            raise RPCError(-32000, f"rlp: {error}") from error
        try:
            self.chain.pool.add(transaction)
        except Refused as error:
            raise RPCError(-32000, str(error)) from error
        if self.chain.automine:
            self.chain.mine()
        return wire.text(transaction.hash)

    def _find(self, text: str) -> Mined | None:
        wanted = wire.data(text, 32)
        for block in reversed(self.chain.blocks):
            for mined in block.transactions:
                if mined.transaction.hash == wanted:
                    return mined
        return None

    def _transaction(self, text: str) -> Any:
        mined = self._find(text)
        if mined is not None:
            return transaction_object(mined.transaction, self.chain, mined)
        wanted = wire.data(text, 32)
        for transaction in self.chain.pool:
            if transaction.hash == wanted:
                return transaction_object(transaction, self.chain, None)
        return None

    def _receipt(self, text: str) -> Any:
        mined = self._find(text)
        return None if mined is None else receipt_object(mined, self.chain)

    def _logs(self, wanted: dict[str, Any]) -> Any:
        if "blockHash" in wanted:
            block = self._block_by_hash(wanted["blockHash"])
            if block is None:
                raise RPCError(-32000, "unknown block")
            first = last = int(block["number"], 16)
        else:
            first = self._number_of(wanted.get("fromBlock", "latest"))
            last = min(self._head, self._upper(wanted.get("toBlock", "latest")))
        addresses = wanted.get("address", [])
        addresses = [addresses] if isinstance(addresses, str) else addresses
        allowed = {wire.data(address, 20) for address in addresses}
        topics = [
            None if choice is None else {int(item, 16) for item in wire.listed(choice)}
            for choice in wanted.get("topics", [])
        ]
        found = []
        for block in self.chain.blocks[first : last + 1]:
            for mined in block.transactions:
                for log in mined.logs:
                    if allowed and log[0] not in allowed:
                        continue
                    if _matches(log[1], topics):
                        found.append(log_object(log, mined, self.chain))
        return found

    def _upper(self, tag: str) -> int:
        return int(tag, 16) if tag.startswith("0x") else self._number_of(tag)

    # Controls, by the names of other test chains

    def _mine(self, options: Any = None) -> str:
        count = wire.number(options["blocks"]) if isinstance(options, dict) else 1
        for _ in range(count):
            self.chain.mine()
        return "0x0"

    def _set_automine(self, enabled: bool) -> bool:
        self.chain.automine = bool(enabled)
        return True

    def _increase_time(self, seconds: Any) -> int:
        self.chain.time_offset += wire.number(seconds)
        return self.chain.time_offset

    def _set_timestamp(self, timestamp: Any) -> None:
        self.chain.next_timestamp = wire.number(timestamp)

    def _set_base_fee(self, fee: Any) -> bool:
        self.chain.next_base_fee = wire.number(fee)
        return True


def _rewards(block: Block, percentiles: Sequence[float]) -> list[str]:
    """The tips at some percentiles of a block's gas, as eth_feeHistory has them."""
    base = block.header.base_fee_per_gas
    tips = sorted((mined.price - base, mined.gas_used) for mined in block.transactions)
    rewards = []
    for percentile in percentiles:
        reward, sum_of_gas = 0, 0
        for reward, gas in tips:
            sum_of_gas += gas
            if sum_of_gas * 100 >= block.header.gas_used * percentile:
                break
        rewards.append(hex(reward))
    return rewards


def _matches(topics: Sequence[int], wanted: Sequence[set[int] | None]) -> bool:
    if len(wanted) > len(topics):
        return False
    return all(
        choice is None or not choice or topic in choice
        for topic, choice in zip(topics, wanted)
    )
