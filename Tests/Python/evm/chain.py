"""A chain of blocks on py-evm: state, calls and mining, without JSON-RPC."""

from __future__ import annotations

import time
from collections import OrderedDict
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, field
from typing import Any

import rlp
from eth.abc import BlockHeaderAPI, ComputationAPI, SignedTransactionAPI, StateAPI
from eth.chains.base import MiningChain
from eth.consensus import ConsensusApplier, NoProofConsensus
from eth.db.atomic import AtomicDB
from eth.vm.forks import PragueVM
from eth.vm.forks.london.headers import calculate_expected_base_fee_per_gas
from eth.vm.spoof import SpoofTransaction
from eth_utils import ValidationError

from deployment import build_genesis, chain_id, number
from pool import Pool, floor_gas

BUILDER = PragueVM.get_transaction_builder()
NOBODY = bytes(20)
# As many states are kept: of the newest block, and of those that tests go back to.
STATES = 4


@dataclass(frozen=True)
class Mined:
    """A mined transaction: gas in units of gas, price in wei a gas."""

    transaction: SignedTransactionAPI
    block: int
    index: int
    gas_used: int
    cumulative_gas_used: int
    price: int
    succeeded: bool
    bloom: int
    # (address, topics, data, index in the block)
    logs: Sequence[tuple[bytes, Sequence[int], bytes, int]]


@dataclass(frozen=True)
class Block:
    """A block and what is in it."""

    header: BlockHeaderAPI
    transactions: Sequence[Mined] = ()
    size: int = 0


@dataclass(frozen=True)
class Message:
    """A message call that is not mined."""

    to: bytes | None
    data: bytes = b""
    sender: bytes = NOBODY
    value: int = 0
    gas: int | None = None
    access_list: Sequence[tuple[bytes, Sequence[int]]] = ()
    # Wei for a unit of gas, and what of it goes to the producer; without a price nothing is paid.
    max_fee: int = 0
    max_tip: int = 0


@dataclass
class Recorder:
    """The storage that a call touched: slots by address."""

    slots: dict[bytes, set[int]] = field(default_factory=dict)


class EVMChain:
    """Blocks from 0 on, a pool of transactions, and a clock that can be set."""

    def __init__(self, configuration: Mapping[str, Any]) -> None:
        self.chain_id = chain_id(configuration)
        # To those who ask it is a chain from before EIP-1559: no base fee, no type-2 transactions.
        self.is_legacy = configuration.get("legacy", False) is True
        # No test is about who may make blocks.
        rules = ConsensusApplier(NoProofConsensus).amend_vm_configuration(((0, PragueVM),))
        kind = type(
            "Chain", (MiningChain,), {"chain_id": self.chain_id, "vm_configuration": rules}
        )
        self._chain = kind.from_genesis(AtomicDB(), *build_genesis(configuration))
        self.blocks = [Block(self._chain.get_canonical_head())]
        self.pool = Pool(self)
        self.automine = True
        self.time_offset = 0
        self.next_timestamp: int | None = None
        self.next_base_fee: int | None = None
        self._snapshots: list[tuple[Any, ...]] = []
        # By the hash of their block, the newest last.
        self._states: OrderedDict[bytes, StateAPI] = OrderedDict()

    # Blocks

    @property
    def head(self) -> Block:
        return self.blocks[-1]

    @property
    def database(self) -> Any:
        """The nodes of all tries, by their hashes."""
        return self._chain.chaindb.db

    def state(self, block: int) -> StateAPI:
        """The state after a block, in which a unit of gas costs nothing, to be read.

        It is kept: what was read from the trie once need not be read for each call again.
        """
        header = self.blocks[block].header
        state = self._states.pop(header.hash, None)
        if state is None:
            vm = self._chain.get_vm(header)
            free = header.copy(base_fee_per_gas=0, gas_used=0)
            state = vm.build_state(
                self._chain.chaindb.db, free, vm.chain_context, vm.previous_hashes
            )
        self._states[header.hash] = state
        if len(self._states) > STATES:
            self._states.popitem(last=False)
        return state

    def base_fee_of_next(self) -> int:
        """Of the next block, in wei a gas."""
        if self.next_base_fee is not None:
            return self.next_base_fee
        if self.is_legacy:
            return 0
        return calculate_expected_base_fee_per_gas(self.head.header)

    def mine(self) -> Block:
        """Makes a block of what the pool has for it; its gas limit stays what it was."""
        parent = self.head.header
        now = int(time.time()) + self.time_offset
        timestamp = max(parent.timestamp + 1, now)
        if self.next_timestamp is not None:
            timestamp = max(parent.timestamp + 1, self.next_timestamp)
        header = self._chain.create_header_from_parent(
            parent, timestamp=timestamp, coinbase=parent.coinbase
        ).copy(gas_limit=parent.gas_limit, base_fee_per_gas=self.base_fee_of_next())
        self.next_timestamp = None
        self.next_base_fee = None
        vm = self._chain.get_vm(header)
        receipts = []
        mined: list[Mined] = []
        logs = 0
        for transaction in self.pool.ready(header.base_fee_per_gas):
            if header.gas_used + transaction.gas > header.gas_limit:
                continue
            before = header.gas_used
            try:
                receipt, computation = vm.apply_transaction(header, transaction)
            except ValidationError:
                # Its sender cannot pay for it any more.
                self.pool.drop(transaction)
                continue
            header = vm.add_receipt_to_header(header, receipt)
            entries = []
            for address, topics, data in computation.get_log_entries():
                entries.append((address, topics, data, logs))
                logs += 1
            mined.append(
                Mined(
                    transaction=transaction,
                    block=header.block_number,
                    index=len(mined),
                    gas_used=header.gas_used - before,
                    cumulative_gas_used=header.gas_used,
                    price=effective_price(transaction, header.base_fee_per_gas),
                    succeeded=computation.is_success,
                    bloom=receipt.bloom,
                    logs=entries,
                )
            )
            receipts.append(receipt)
            self.pool.drop(transaction)
        transactions = [item.transaction for item in mined]
        block = vm.set_block_transactions_and_withdrawals(
            vm.get_block(), header, transactions, receipts
        )
        block = vm.finalize_block(vm.pack_block(block)).block
        self._chain.chaindb.persist_block(block)
        self.blocks.append(Block(block.header, mined, len(rlp.encode(block))))
        return self.head

    # Calls

    def call(
        self, message: Message, block: int, recorder: Recorder | None = None
    ) -> tuple[ComputationAPI, int]:
        """What a message does on the state of a block, at its time, and the gas it uses.

        Raises ValidationError where the sender cannot send it at all.
        """
        header = self.blocks[block].header
        vm = self._chain.get_vm(header)
        state = self.state(block)
        price = self._price(message, header.base_fee_per_gas)
        transaction = self._unsigned(message, state, header.gas_limit, price)
        floor = floor_gas(message.data)
        if transaction.gas < floor:
            raise ValidationError(
                f"insufficient gas for floor data gas cost: have {transaction.gas}, "
                f"want {floor} (supplied gas {transaction.gas})"
            )
        before = state.snapshot()
        try:
            with _recording(state, recorder):
                computation = state.apply_transaction(
                    SpoofTransaction(transaction, from_=message.sender)
                )
                return computation, vm.finalize_gas_used(transaction, computation)
        finally:
            state.revert(before)

    def affordable_gas(self, message: Message, most: int) -> int:
        """The gas that a caller can pay: geth's search for a gas limit goes no higher."""
        if not message.max_fee:
            return most
        state = self.state(len(self.blocks) - 1)
        left = state.get_balance(message.sender) - message.value
        return min(most, max(left, 0) // message.max_fee)

    def _price(self, message: Message, base_fee: int) -> int:
        """What a unit of gas costs the caller: nothing unless a price was named."""
        if not message.max_fee and not message.max_tip:
            return 0
        if message.max_tip > message.max_fee:
            raise ValidationError("max priority fee per gas higher than max fee per gas")
        if self.is_legacy:
            return message.max_fee
        if message.max_fee < base_fee:
            raise ValidationError("max fee per gas less than block base fee")
        return min(base_fee + message.max_tip, message.max_fee)

    def _unsigned(
        self, message: Message, state: StateAPI, most_gas: int, price: int
    ) -> Any:
        gas = min(message.gas or most_gas, most_gas)
        have = state.get_balance(message.sender)
        want = gas * message.max_fee + message.value
        if price and have < want:
            raise ValidationError(
                f"insufficient funds for gas * price + value: address "
                f"0x{message.sender.hex()} have {have} want {want} (supplied gas {gas})"
            )
        fields: dict[str, Any] = {
            "nonce": state.get_nonce(message.sender),
            "gas_price": price,
            "gas": gas,
            "to": message.to if message.to is not None else b"",
            "value": message.value,
            "data": message.data,
        }
        if not message.access_list:
            return BUILDER.create_unsigned_transaction(**fields)
        return BUILDER.new_unsigned_access_list_transaction(
            chain_id=self.chain_id, access_list=message.access_list, **fields
        )

    # Controls

    def snapshot(self) -> int:
        """Remembers everything; the number by which it is brought back."""
        self._snapshots.append(
            (len(self.blocks), self.pool.copy(), self.automine, self.time_offset)
        )
        return len(self._snapshots)

    def revert(self, identifier: int) -> bool:
        """Goes back to a snapshot, which is used up with all later ones."""
        if not 1 <= identifier <= len(self._snapshots):
            return False
        blocks, pool, self.automine, self.time_offset = self._snapshots[identifier - 1]
        del self._snapshots[identifier - 1 :]
        del self.blocks[blocks:]
        self.pool = pool
        self.next_timestamp = None
        self.next_base_fee = None
        return True


def effective_price(transaction: SignedTransactionAPI, base_fee: int) -> int:
    """What a transaction pays a gas in a block with this base fee, in wei."""
    tip = min(
        transaction.max_priority_fee_per_gas, transaction.max_fee_per_gas - base_fee
    )
    return base_fee + tip


@contextmanager
def _recording(state: StateAPI, recorder: Recorder | None) -> Iterator[None]:
    """Notes every slot that is made warm: that is every slot that is touched."""
    if recorder is None:
        yield
        return
    mark = state.mark_storage_warm

    def note(address: bytes, slot: int) -> None:
        recorder.slots.setdefault(address, set()).add(slot)
        mark(address, slot)

    state.mark_storage_warm = note
    try:
        yield
    finally:
        # The method of its class again.
        del state.mark_storage_warm
