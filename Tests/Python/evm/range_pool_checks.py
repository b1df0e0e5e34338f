"""Holds our contracts of Uniswap v3 against the genuine ones: random sequences on both, in step.

    python range_pool_checks.py [FIRST_SEED [SEQUENCES]]

Prints one JSON object: {"checks": [{"name", "differences": [...], "gasUsed", "expectedGas"}]}; a
difference is a sentence. Outcomes and ratios of gas go to standard error.
"""

from __future__ import annotations

import json
import sys
from collections import Counter
from random import Random

from range_edges import edges
from range_gas import Prices
from range_genesis import written_pools
from range_pool_actions import PoolActions
from range_pool_stage import Stage
from range_router_actions import RouterActions
from range_world import FEE, PLAIN, USDT, WETH, ZRX

SEED = 1
POOL_SEQUENCES = 12
ROUTER_SEQUENCES = 8
ACTIONS = 40
# Of a sequence at most; one difference brings others.
SHOWN = 3
EDGE = 887271
POOLS = [(PLAIN, WETH, 3000), (PLAIN, ZRX, 500), (USDT, WETH, 3000), (FEE, WETH, 10000)]


# What the default sequences do at least so often, so that equal answers mean something.
LEAST = {
    "burn: done": 10,
    "collect: done": 10,
    "increaseObservationCardinalityNext: done": 5,
    "lens: done": 5,
    "mint: done": 50,
    "multicall: done": 15,
    "observe: done": 5,
    "pairs: done": 5,
    "path: done": 5,
    "quote over a path: done": 5,
    "quote: done": 10,
    "read: done": 50,
    "single: done": 10,
    "swap: done": 50,
}
# And the reasons that they meet, each at least once.
REASONS = (
    "AI AS IIA INSUFFICIENT_INPUT_AMOUNT LO LOK LS M0 M1 NP OLD R SPL STF TLU TUM no".split(" ")
    + ["Insufficient WETH9", "Insufficient token", "Not WETH9", "Too little received"]
    + ["Too much requested", "Transaction too old", "Unexpected error"]
)


class Totals:
    """What all sequences did together."""

    def __init__(self) -> None:
        self.outcomes: Counter[str] = Counter()
        self.gas: dict[str, list[float]] = {}

    def add(self, stage: Stage) -> list[str]:
        """Counts a sequence; returns its differences."""
        self.outcomes.update(stage.outcomes)
        for name, pairs in stage.gas.items():
            self.gas.setdefault(name, []).extend(ours / genuine for genuine, ours in pairs)
        return stage.differences[:SHOWN]


def pool_sequence(seed: int, totals: Totals) -> list[str]:
    """Pools alone: everything that can happen to them."""
    random = Random(f"pools {seed}")
    kinds = [(PLAIN, WETH, 10000), (PLAIN, ZRX, 3000), (ZRX, WETH, 500), (PLAIN, FEE, 100)]
    stage = Stage(random.sample(kinds, 2))
    if random.random() < 0.25:
        # The clock of the pools has 32 bits.
        stage.pass_time(2**32 - stage.time - random.randint(1, 2_000))
    actions = PoolActions(stage, random)
    for pool, (spacing, _) in stage.pools.items():
        tick = random.randint(-20_000, 20_000)
        if spacing == 200 and random.random() < 0.3:
            tick = random.choice((-EDGE, EDGE, -880_000, 880_000))
        actions.begin(pool, tick)
        liquidity = random.getrandbits(random.randint(20, 78))
        actions.provide(pool, random.choice((2, 30, 400)), liquidity)
    for _ in range(ACTIONS):
        actions.act(random.choice(list(stage.pools)))
    return totals.add(stage)


def router_sequence(seed: int, totals: Totals) -> list[str]:
    """The router, the quoter and the lens, while others move the pools."""
    random = Random(f"router {seed}")
    stage = Stage(POOLS)
    actions = PoolActions(stage, random)
    for pool in stage.pools:
        actions.begin(pool, random.randint(-3_000, 3_000))
        actions.provide(pool, 400, 10**22)
        actions.provide(pool, 20, random.getrandbits(74))
    router = RouterActions(stage, random, POOLS)
    for _ in range(ACTIONS):
        if random.random() < 0.15:
            actions.mint(random.choice(list(stage.pools)))
        router.act()
    return totals.add(stage)


def coverage(totals: Totals) -> list[str]:
    """What the sequences should have done and did not."""
    met = {outcome.partition(": ")[2].strip("'") for outcome in totals.outcomes}
    return [
        f"{outcome} happens {totals.outcomes[outcome]} times instead of {least}"
        for outcome, least in LEAST.items()
        if totals.outcomes[outcome] < least
    ] + [f"nothing ends with {reason}" for reason in REASONS if reason not in met]


def report(totals: Totals) -> None:
    for outcome, count in sorted(totals.outcomes.items()):
        print(f"{count:6} {outcome}", file=sys.stderr)
    for name, ratios in sorted(totals.gas.items()):
        mean = sum(ratios) / len(ratios)
        print(
            f"gas of {name}: {len(ratios)}, ratio {min(ratios):.3f} to {max(ratios):.3f}, "
            f"mean {mean:.3f}",
            file=sys.stderr,
        )


def main() -> None:
    first = int(sys.argv[1]) if len(sys.argv) > 1 else SEED
    count = int(sys.argv[2]) if len(sys.argv) > 2 else None
    totals = Totals()
    checks = []
    for name, sequence, number in (
        ("pools", pool_sequence, count or POOL_SEQUENCES),
        ("router", router_sequence, count or ROUTER_SEQUENCES),
    ):
        for seed in range(first, first + number):
            found = sequence(seed, totals)
            checks.append({"name": f"{name}, seed {seed}", "differences": found})
    if len(sys.argv) == 1:
        checks.append({"name": "coverage", "differences": coverage(totals)})
    written = list(written_pools())
    checks.append({"name": "a pool as a first state writes it", "differences": written})
    checks.append({"name": "on initialised ticks", "differences": list(edges())[:SHOWN]})
    prices = Prices()
    for name, genuine, ours in prices.all():
        checks.append(
            {
                "name": f"gas: {name}",
                "differences": prices.stage.differences[:SHOWN],
                "gasUsed": ours,
                "expectedGas": genuine,
            }
        )
    report(totals)
    print(json.dumps({"checks": checks}))


if __name__ == "__main__":
    main()
