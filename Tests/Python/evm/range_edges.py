"""Quotes and swaps that begin or end right on initialised ticks of our pools and the genuine ones."""

from __future__ import annotations

from collections.abc import Iterator

import uniswap
from range_pool_actions import MINT, SWAP
from range_pool_stage import Stage
from range_router_actions import QUOTE_IN, QUOTE_OUT, QUOTER, raw
from range_world import CALLER, PLAIN, TRADER, WETH, call

# The prices at the ticks -60 and 0.
PRICES = (78990846045029531151608375686, 2**96)
RANGES = ((-60, 0), (0, 60), (-120, -60), (-60, 180), (-887220, 887220))
AMOUNTS = (10**12, 10**24)


def edges() -> Iterator[str]:
    """What differs there: prices, counts of crossed ticks, and all that a swap changes."""
    for begin in (*PRICES, PRICES[0] + 1, PRICES[1] - 1):
        stage = Stage([(PLAIN, WETH, 3000)])
        pool = uniswap.pool_address(PLAIN, WETH, 3000)
        stage.send("initialize", pool, call("initialize(uint160)", begin))
        for lower, upper in RANGES:
            stage.watch(pool, lower, upper, CALLER)
            stage.send("mint", CALLER, call(MINT, pool, CALLER, lower, upper, 10**18, 0))
        ends = [price + shift for price in PRICES for shift in (-1, 0, 1)]
        for sold, bought in ((PLAIN, WETH), (WETH, PLAIN)):
            for limit in (0, *ends):
                for amount in AMOUNTS:
                    terms = (raw(sold), raw(bought), amount, 3000, limit)
                    for signature in (QUOTE_IN, QUOTE_OUT):
                        stage.send(
                            "quote", QUOTER, call(signature, terms), keeps=False, gas_word=3
                        )
        for limit in ends:
            falls = limit < stage.genuine.word(pool, 0) % 2**160
            swap = call(SWAP, pool, TRADER, falls, 10**24, limit, 0)
            stage.send("swap", CALLER, swap)
        yield from stage.differences
