"""The storage of a pool of `V3Pool.vy` that a first state writes, as docs/evm.md describes it."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

import uniswap
from compiler import compiled
from deployment import mapping_slot
from range_pool_actions import MINT, PoolActions
from range_pool_stage import Stage
from range_world import CALLER, PLAIN, SPACINGS, WETH, call


def pool_storage(
    price: int, tick: int, time: int, spacing: int, ranges: Sequence[tuple[int, int, int]]
) -> dict[int, int]:
    """Slots of a pool that was initialised and got all its liquidity in one second.

    price: sqrtPriceX96; tick: that of the price; ranges: lower tick, upper tick, liquidity.
    """
    slots = compiled("V3Pool").slots
    storage = {
        slots["state"]: price | tick % 2**24 << 160 | 1 << 200 | 1 << 216 | 1 << 240,
        slots["liquidity"]: sum(amount for lower, upper, amount in ranges if lower <= tick < upper),
        slots["ring"]: time | 1 << 248,
    }
    gross: dict[int, int] = {}
    net: dict[int, int] = {}
    for lower, upper, amount in ranges:
        for end, change in ((lower, amount), (upper, -amount)):
            gross[end] = gross.get(end, 0) + amount
            net[end] = net.get(end, 0) + change
    for end in gross:
        first = mapping_slot(slots["ticks"], end.to_bytes(32, "big", signed=True))
        storage[first] = gross[end] | net[end] % 2**128 << 128
        storage[first + 3] = (time if end <= tick else 0) << 216 | 1 << 248
        place = end // spacing
        word = mapping_slot(slots["bitmap"], (place >> 8).to_bytes(32, "big", signed=True))
        storage[word] = storage.get(word, 0) | 1 << (place & 255)
    return {slot: value for slot, value in storage.items() if value}


def written_pools() -> Iterator[str]:
    """What a pool that was provided for holds besides positions, and is not written like that."""
    fee = 3000
    spacing = SPACINGS[fee]
    ranges = [
        (-887220, 887220, 10**20),
        (-spacing, spacing, 10**18),
        (-spacing, 2 * spacing, 3),
        (spacing, 7 * spacing, 10**19),
        (-300 * spacing, -spacing, 5),
    ]
    for price in (2**96, 2**96 - 1, 2**96 * 1005 // 1000):
        stage = Stage([(PLAIN, WETH, fee)])
        pool = uniswap.pool_address(PLAIN, WETH, fee)
        touched: set[int] = set()
        store = stage.ours.state.set_storage

        def noted(address: bytes, slot: int, value: int) -> None:
            if address == pool:
                touched.add(slot)
            store(address, slot, value)

        stage.ours.state.set_storage = noted
        stage.send("initialize", pool, call("initialize(uint160)", price))
        for lower, upper, amount in ranges:
            stage.watch(pool, lower, upper, CALLER)
            stage.send("mint", CALLER, call(MINT, pool, CALLER, lower, upper, amount, 0))
        yield from stage.differences
        _, watched = stage.pools[pool]
        position = compiled("V3Pool").slots["position_at"]
        owned = {mapping_slot(position, key) for key in watched.positions}
        found = {slot: stage.ours.word(pool, slot) for slot in touched - owned}
        tick = PoolActions(stage, random=None).tick(pool)
        wanted = pool_storage(price, tick, stage.time, spacing, ranges)
        found = {slot: value for slot, value in found.items() if value}
        if found != wanted:
            yield f"at price {price} a pool holds {found} and not {wanted}"
