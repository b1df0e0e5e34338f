"""Two chains with the same tokens and v3 pools at the same addresses, genuine contracts and ours.

Every transaction goes to both. Whatever differs is a sentence in `differences`.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from typing import Any

from eth_utils import keccak, to_canonical_address

import uniswap
from compiler import compiled
from deployment import mapping_slot
from native_functions import selector
from range_world import (
    CALLER,
    KINDS,
    OTHER,
    SPACINGS,
    START,
    TRADER,
    Answer,
    World,
    call,
    genuine_accounts,
    our_accounts,
)


def _solidity_slot(position: int, key: bytes) -> int:
    return int.from_bytes(keccak(key.rjust(32, b"\0") + position.to_bytes(32, "big")), "big")


def _signed_key(number: int) -> bytes:
    return number.to_bytes(32, "big", signed=True)


@dataclass
class Watched:
    """What may have changed in a pool: ticks, words of its bitmap, keys of positions."""

    ticks: set[int] = field(default_factory=set)
    positions: set[bytes] = field(default_factory=set)


class Stage:
    """Both chains, and what differed so far."""

    def __init__(self, pools: Sequence[tuple[str, str, int]]) -> None:
        parameters, accounts = genuine_accounts()
        self.genuine = World(parameters, accounts)
        self.ours = World(parameters, our_accounts(accounts, pools))
        self.pools = {
            uniswap.pool_address(one, other, fee): (SPACINGS[fee], Watched())
            for one, other, fee in pools
        }
        for one, other, fee in pools:
            create = call(
                "createPool(address,address,uint24)",
                to_canonical_address(one),
                to_canonical_address(other),
                fee,
            )
            answer = self.genuine.send(TRADER, uniswap.V3_FACTORY, create)
            # Both send as many transactions.
            self.ours.send(TRADER, OTHER, b"")
            if answer.failure is not None:
                raise ValueError(f"the factory creates no pool: {answer}")
        self.time = START
        self.pass_time(1)
        self.differences: list[str] = []
        # What was done; gas of both by name; how often each ended how.
        self.gas: dict[str, list[tuple[int, int]]] = {}
        self.outcomes: dict[str, int] = {}

    def pass_time(self, seconds: int) -> None:
        """For both chains."""
        self.time += seconds
        for world in (self.genuine, self.ours):
            world.set_time(self.time)

    def send(
        self,
        name: str,
        to: bytes,
        data: bytes,
        *,
        sender: bytes = TRADER,
        value: int = 0,
        keeps: bool = True,
        gas_word: int | None = None,
    ) -> tuple[Answer, Answer]:
        """Sends a transaction to both and compares what it did.

        gas_word: which word of the answer is an estimate of gas, and not compared.
        """
        genuine = self.genuine.send(sender, to, data, value, keeps=keeps)
        ours = self.ours.send(sender, to, data, value, keeps=keeps)
        self.gas.setdefault(name, []).append((genuine.gas_used, ours.gas_used))
        outcome = genuine.failure or "done"
        if genuine.failure == "REVERT":
            outcome = reason(genuine.output)
        self.outcomes[f"{name}: {outcome}"] = self.outcomes.get(f"{name}: {outcome}", 0) + 1
        for what in ("failure", "output", "logs"):
            wanted, found = getattr(genuine, what), getattr(ours, what)
            if what == "output" and gas_word is not None and genuine.failure is None:
                wanted, found = without(gas_word, wanted), without(gas_word, found)
            if wanted != found:
                self.differences.append(
                    f"{name} 0x{data.hex()} to 0x{to.hex()} with {value} wei: "
                    f"{what} {shown(found)} instead of {shown(wanted)}"
                )
        if keeps:
            self.compare_states(name)
        return genuine, ours

    def compare_states(self, name: str) -> None:
        """Every word of every pool, and all balances."""
        for pool, (spacing, watched) in self.pools.items():
            for genuine, ours, what in self._slots(pool, spacing, watched):
                wanted = self.genuine.word(pool, genuine)
                found = self.ours.word(pool, ours)
                if wanted != found:
                    self.differences.append(
                        f"after {name} {what} of 0x{pool.hex()} is {found:#x}, not {wanted:#x}"
                    )
        for token, kind in KINDS.items():
            at = to_canonical_address(token)
            slots = compiled("WETH9" if kind == "weth" else "ERC20").slots
            for owner in (*self.pools, CALLER, TRADER, OTHER, uniswap.ROUTER, uniswap.PROVIDER):
                slot = mapping_slot(slots["balanceOf"], owner)
                if self.genuine.word(at, slot) != self.ours.word(at, slot):
                    self.differences.append(
                        f"after {name} 0x{owner.hex()} has another balance of {kind}"
                    )
        for owner in (TRADER, OTHER, uniswap.ROUTER):
            balances = {world.state.get_balance(owner) for world in (self.genuine, self.ours)}
            if len(balances) > 1:
                self.differences.append(f"after {name} 0x{owner.hex()} has another ether")

    def _slots(
        self, pool: bytes, spacing: int, watched: Watched
    ) -> Iterator[tuple[int, int, str]]:
        """Slots there and here, and what is in them."""
        slots = compiled("V3Pool").slots
        for index, name in enumerate(
            ("state", "feeGrowthGlobal0X128", "feeGrowthGlobal1X128", "protocol_fees", "liquidity")
        ):
            yield index, slots[name], name
        # As many observations as the pool may have, or a few that it must not have.
        kept = max(self.genuine.word(pool, 0) >> 216 & 0xFFFF, 3)
        for index in range(min(kept + 2, 80)):
            yield 8 + index, slots["ring"] + index, f"observation {index}"
        words = set()
        for tick in watched.ticks:
            key = _signed_key(tick)
            words.add(tick // spacing >> 8)
            for part in range(4):
                yield (
                    _solidity_slot(5, key) + part,
                    mapping_slot(slots["ticks"], key) + part,
                    f"tick {tick}, word {part}",
                )
        for word in words:
            key = _signed_key(word)
            yield _solidity_slot(6, key), mapping_slot(slots["bitmap"], key), f"word {word}"
        for position in watched.positions:
            for part in range(4):
                yield (
                    _solidity_slot(7, position) + part,
                    mapping_slot(slots["position_at"], position) + part,
                    f"position 0x{position.hex()}, word {part}",
                )

    def watch(self, pool: bytes, lower: int, upper: int, *owners: bytes) -> None:
        """Compares two ticks and the positions between them from here on."""
        _, watched = self.pools[pool]
        watched.ticks |= {lower, upper}
        ends = b"".join(
            (tick % 2**24).to_bytes(3, "big") for tick in (lower, upper)
        )
        watched.positions |= {keccak(owner + ends) for owner in owners}


def without(index: int, output: bytes) -> bytes:
    """An answer without one of its words."""
    return output[: 32 * index] + output[32 * index + 32 :]


def reason(output: bytes) -> str:
    """What a revert says, as text where it is one."""
    if output[:4] == selector("Error(string)") and len(output) >= 68:
        size = int.from_bytes(output[36:68], "big")
        return repr(output[68 : 68 + size].decode(errors="replace"))
    return f"0x{output.hex()}"


def shown(value: Any) -> str:
    if isinstance(value, bytes):
        return f"0x{value.hex()}"
    if isinstance(value, list):
        return str(
            [
                (at.hex()[-4:], [f"{topic:x}"[-8:] for topic in topics], data.hex())
                for at, topics, data in value
            ]
        )
    return repr(value)
