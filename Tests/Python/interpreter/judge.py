"""Random programs with what py-evm makes of them: judge.py SEED COUNT.

A line each, as in a vector file, with the result by the rules of Prague, py-evm's newest.
"""

from __future__ import annotations

import json
import sys
from typing import Any

from cases import BLOCK, Case, Result
from eth.constants import BLANK_ROOT_HASH
from eth.db.atomic import AtomicDB
from eth.exceptions import Revert
from eth.vm.execution_context import ExecutionContext
from eth.vm.forks import PragueVM
from eth.vm.forks.prague.state import PragueState
from eth.vm.spoof import SpoofTransaction
from eth_utils import keccak, to_canonical_address
from programs_random import random_programs

BUILDER = PragueVM.get_transaction_builder()


class Watched(PragueState):
    """A state that knows what was written: py-evm's own keeps only hashes of addresses."""

    def __init__(self, *arguments: Any) -> None:
        super().__init__(*arguments)
        self.words: dict[bytes, set[int]] = {}

    def set_storage(self, address: bytes, slot: int, value: int) -> None:
        self.words.setdefault(address, set()).add(slot)
        super().set_storage(address, slot, value)

    def set_balance(self, address: bytes, balance: int) -> None:
        self.words.setdefault(address, set())
        super().set_balance(address, balance)

    def set_nonce(self, address: bytes, nonce: int) -> None:
        self.words.setdefault(address, set())
        super().set_nonce(address, nonce)

    def increment_nonce(self, address: bytes) -> None:
        self.words.setdefault(address, set())
        super().increment_nonce(address)

    def set_code(self, address: bytes, code: bytes) -> None:
        self.words.setdefault(address, set())
        super().set_code(address, code)


def first_state(case: Case) -> Watched:
    """The state before a case."""
    context = ExecutionContext(
        coinbase=to_canonical_address(BLOCK["coinbase"]),
        timestamp=BLOCK["time"],
        block_number=BLOCK["number"],
        difficulty=0,
        mix_hash=bytes.fromhex(BLOCK["random"][2:]),
        gas_limit=case.limit or BLOCK["limit"],
        prev_hashes=[],
        chain_id=BLOCK["chain"],
        base_fee_per_gas=BLOCK["baseFee"],
        excess_blob_gas=BLOCK["excess"],
    )
    state = Watched(AtomicDB(), context, BLANK_ROOT_HASH)
    for who, (nonce, balance, code, storage) in case.state().items():
        address = to_canonical_address(who)
        state.set_balance(address, balance)
        state.set_nonce(address, nonce)
        if code:
            state.set_code(address, code)
        for slot, value in storage.items():
            state.set_storage(address, slot, value)
    return state


def run(case: Case, state: Watched | None = None) -> Result:
    """Runs a case, on a state of others before it or on its own."""
    state = state or first_state(case)
    # Nothing is warm, and what is there is what words were before.
    state.lock_changes()
    state.persist()
    coinbase = to_canonical_address(BLOCK["coinbase"])
    before = state.get_balance(coinbase)
    unsigned = BUILDER.create_unsigned_transaction(
        nonce=case.nonce,
        gas_price=case.max_fee,
        gas=case.gas,
        to=b"" if case.to is None else to_canonical_address(case.to),
        value=case.value,
        data=case.data,
    )
    sender = to_canonical_address(case.sender)
    transaction = SpoofTransaction(unsigned, from_=sender)
    computation = state.apply_transaction(transaction)
    ended = computation.is_success
    reverted = not ended and isinstance(computation.error, Revert)
    return Result(
        ending="succeeded" if ended else "reverted" if reverted else "failed",
        # From what the block's maker was paid for each unit.
        gas=(state.get_balance(coinbase) - before) // (case.max_fee - BLOCK["baseFee"]),
        # The code of a contract that was created is in the state.
        output=computation.output if reverted or ended and case.to is not None else b"",
        logs=[
            ("0x" + address.hex(), topics, data)
            for address, topics, data in (computation.get_log_entries() if ended else ())
        ],
        state=after(state),
    )


def after(state: Watched) -> dict[str, Any]:
    found = {}
    for address, slots in state.words.items():
        nonce, balance = state.get_nonce(address), state.get_balance(address)
        code = state.get_code(address)
        if nonce or balance or code:
            storage = {slot: state.get_storage(address, slot) for slot in slots}
            found["0x" + address.hex()] = (nonce, balance, code, storage)
    return found


def main() -> None:
    seed, count = int(sys.argv[1]), int(sys.argv[2])
    for case in random_programs(seed, count):
        entry = case.line()
        entry["results"] = [run(case).text(keccak)]
        print(json.dumps(entry, separators=(",", ":")))


sys.setrecursionlimit(20_000)
if __name__ == "__main__":
    main()
