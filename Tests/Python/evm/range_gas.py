"""What usual trades cost with the genuine contracts of Uniswap and with ours, in units of gas."""

from __future__ import annotations

from collections.abc import Iterator

import uniswap
from range_pool_actions import MINT, PoolActions
from range_pool_stage import Stage
from range_router_actions import (
    EXACT_IN,
    EXACT_OUT,
    IN_SINGLE,
    MULTICALL,
    OUT_SINGLE,
    PAIRS_IN,
    QUOTE_IN,
    QUOTER,
    ROUTER,
    ROUTER_ITSELF,
    path_of,
    raw,
)
from range_world import CALLER, PLAIN, TRADER, USDT, WETH, ZRX, call

POOLS = [(PLAIN, WETH, 3000), (PLAIN, ZRX, 500), (USDT, WETH, 3000)]
AMOUNT = 10**15
MOST = 2**256 - 1


class Prices:
    """A stage whose pools have traded before, and the gas of one trade after the other."""

    def __init__(self) -> None:
        # Random numbers are for hostile attempts, of which there are none here.
        self.stage = Stage(POOLS)
        actions = PoolActions(self.stage, random=None)
        for pool, (spacing, _) in self.stage.pools.items():
            self._send("initialize", pool, call("initialize(uint160)", 2**96))
            actions.provide(pool, 200, 10**22)
            for step in range(-8, 8):
                lower, upper = step * spacing, (step + 3) * spacing
                self.stage.watch(pool, lower, upper, CALLER)
                mint = call(MINT, pool, CALLER, lower, upper, 10**18, 0)
                self._send("mint", CALLER, mint)
        for one, other, fee in POOLS:
            for tokens in ((one, other), (other, one)):
                terms = (*map(raw, tokens), fee, TRADER, AMOUNT, 0, 0)
                self._send("warm", ROUTER, call(IN_SINGLE, terms))
        pair = [raw(PLAIN), raw(WETH)]
        self._send("warm", ROUTER, call(PAIRS_IN, AMOUNT, 0, pair, TRADER))

    def _send(self, name: str, to: bytes, data: bytes, value: int = 0) -> tuple[int, int]:
        """The gas of both."""
        self.stage.pass_time(12)
        gas_word = 3 if to == QUOTER else None
        genuine, ours = self.stage.send(name, to, data, value=value, gas_word=gas_word)
        if genuine.failure is not None:
            raise ValueError(f"{name} fails: {genuine.failure} 0x{genuine.output.hex()}")
        return genuine.gas_used, ours.gas_used

    def all(self) -> Iterator[tuple[str, int, int]]:
        """Each trade with the gas of the genuine contracts and of ours."""
        single = (raw(PLAIN), raw(WETH), 3000)
        coins = (raw(WETH), raw(PLAIN), 3000)
        path = path_of(ZRX, 500, PLAIN, 3000, WETH)
        tokens = [raw(token) for token in (PLAIN, WETH, USDT)]
        unwrap = call("unwrapWETH9(uint256,address)", 1, TRADER)
        refund = call("refundETH()")
        trades: list[tuple[str, list[bytes], int]] = [
            ("one pool", [call(IN_SINGLE, (*single, TRADER, AMOUNT, 1, 0))], 0),
            (
                "one pool, native in",
                [call(IN_SINGLE, (*coins, TRADER, AMOUNT, 1, 0)), refund],
                AMOUNT,
            ),
            (
                "one pool, native out",
                [call(IN_SINGLE, (*single, ROUTER_ITSELF, AMOUNT, 1, 0)), unwrap],
                0,
            ),
            ("one pool, exact out", [call(OUT_SINGLE, (*single, TRADER, AMOUNT, MOST, 0))], 0),
            (
                "one pool, exact out, native in",
                [call(OUT_SINGLE, (*coins, TRADER, AMOUNT, MOST, 0)), refund],
                2 * AMOUNT,
            ),
            ("two pools", [call(EXACT_IN, (path, TRADER, AMOUNT, 1))], 0),
            ("two pools, exact out", [call(EXACT_OUT, (path, TRADER, AMOUNT, MOST))], 0),
            ("one pair", [call(PAIRS_IN, AMOUNT, 1, tokens[:2], TRADER)], 0),
            ("two pairs", [call(PAIRS_IN, AMOUNT, 1, tokens, TRADER)], 0),
            (
                "one pool, 8 ticks crossed",
                [call(IN_SINGLE, (*single, TRADER, 300 * 10**18, 1, 0))],
                0,
            ),
        ]
        for name, calls, value in trades:
            data = call(MULTICALL, self.stage.time + 60, calls)
            yield name, *self._send(name, ROUTER, data, value)
        quote = call(QUOTE_IN, (raw(PLAIN), raw(WETH), AMOUNT, 3000, 0))
        yield "quote of one pool", *self._send("quote of one pool", QUOTER, quote)
        pool = uniswap.pool_address(PLAIN, WETH, 3000)
        mint = call(MINT, pool, CALLER, -600, 600, 10**18, 0)
        yield "mint", *self._send("mint", CALLER, mint)
