"""Calls that change nothing: their results, the gas that they need, their access lists."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from eth.abc import ComputationAPI
from eth.exceptions import Revert
from eth_utils import ValidationError

import wire
from chain import EVMChain, Message, Recorder
from failures import RPCError, failure, raise_failure

# Of a search for a gas limit: geth stops within 1.5 %.
ESTIMATE_PERMILLE = 15
# The gas that a call which sends ether leaves the contract called (yellow paper, G_callstipend).
CALL_STIPEND = 2_300


class Calls:
    """Runs calls on the state of a block, named by its number."""

    def __init__(self, chain: EVMChain) -> None:
        self._chain = chain

    def call(self, request: dict[str, Any], block: int) -> str:
        """What it returns, in hexadecimal.

        Raises RPCError.
        """
        computation, _ = self._run(wire.message(request), block)
        raise_failure(computation)
        return wire.text(computation.output)

    def estimate(self, request: dict[str, Any], block: int) -> str:
        """A gas limit that suffices, in hexadecimal.

        Raises RPCError.
        """
        message = wire.message(request)
        most = self._chain.affordable_gas(
            message, message.gas or self._chain.head.header.gas_limit
        )
        computation, used = self._run(_with_gas(message, most), block)
        if not computation.is_success:
            if isinstance(computation.error, Revert):
                raise_failure(computation)
            raise RPCError(-32000, f"gas required exceeds allowance ({most})")
        low, high = used - 1, most
        # As geth does: what it used before a refund, with what a call leaves its caller, comes first.
        likely = (most - computation.get_gas_remaining() + CALL_STIPEND) * 64 // 63
        middle = min((low + high) // 2, likely)
        while low + 1 < high and (high - low) * 1000 > high * ESTIMATE_PERMILLE:
            try:
                computation, _ = self._run(_with_gas(message, middle), block)
                enough = computation.is_success
            except RPCError:
                enough = False
            low, high = (low, middle) if enough else (middle, high)
            # The answer is most often near what was used.
            middle = min((low + high) // 2, low * 2)
        return hex(high)

    def access_list(self, request: dict[str, Any], block: int) -> Any:
        """What it touches, and the gas that it uses with that announced, as geth tells it.

        Raises RPCError.
        """
        message = wire.message(request)
        entries: list[tuple[bytes, Sequence[int]]] = []
        # A list changes what calls with little gas reach, so it is made until it stays the same.
        for _ in range(8):
            recorder = Recorder()
            computation, used = self._run(_with_list(message, entries), block, recorder)
            found = [(who, sorted(slots)) for who, slots in sorted(recorder.slots.items())]
            if found == entries:
                break
            entries = found
        answer: dict[str, Any] = {
            "accessList": [
                {"address": wire.text(who), "storageKeys": [f"0x{slot:064x}" for slot in slots]}
                for who, slots in entries
            ],
            "gasUsed": hex(used),
        }
        if not computation.is_success:
            answer["error"] = failure(computation)
        return answer

    def _run(
        self, message: Message, block: int, recorder: Recorder | None = None
    ) -> tuple[ComputationAPI, int]:
        try:
            return self._chain.call(message, block, recorder)
        except ValidationError as error:
            raise RPCError(-32000, f"err: {error}") from error


def _with_gas(message: Message, gas: int) -> Message:
    return Message(**{**message.__dict__, "gas": gas})


def _with_list(message: Message, entries: Sequence[tuple[bytes, Sequence[int]]]) -> Message:
    return Message(**{**message.__dict__, "access_list": entries})
