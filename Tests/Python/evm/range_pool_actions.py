"""Random transactions to v3 pools, good and hostile, each sent to both chains of a stage."""

from __future__ import annotations

from random import Random

from eth_utils import keccak

from range_pool_stage import Stage
from range_world import CALLER, OTHER, TRADER, call

MOST_TICK = 887272
LEAST_PRICE = 4295128739
MOST_PRICE = 1461446703485210103287273052203988822378723970342
INT256 = 2**255 - 1
UINT128 = 2**128 - 1

MINT = "mint(address,address,int24,int24,uint128,uint256)"
BURN = "burn(address,int24,int24,uint128)"
COLLECT = "collect(address,address,int24,int24,uint128,uint128)"
SWAP = "swap(address,address,bool,int256,uint160,uint256)"
POOL_SWAP = "swap(address,bool,int256,uint160,bytes)"
GETTERS = (
    "slot0",
    "liquidity",
    "fee",
    "tickSpacing",
    "token0",
    "token1",
    "factory",
    "maxLiquidityPerTick",
    "protocolFees",
    "feeGrowthGlobal0X128",
    "feeGrowthGlobal1X128",
)


def price_near(tick: int) -> int:
    """The square root of 1.0001^tick in 2^-96, about."""
    return min(max(int(1.0001 ** (tick / 2) * 2**96), LEAST_PRICE), MOST_PRICE - 1)


def magnitude(random: Random, low: int, high: int) -> int:
    """A number of a random size: between powers of 2."""
    return random.getrandbits(random.randint(low, high)) + 1


class PoolActions:
    """What happens to the pools of one stage; how far swaps may go is limited by their gas."""

    def __init__(self, stage: Stage, random: Random) -> None:
        self.stage = stage
        self.random = random
        # Lower tick, upper tick and owner of positions, by pool.
        self.positions: dict[bytes, list[tuple[int, int, bytes]]] = {}

    def tick(self, pool: bytes) -> int:
        """Where the genuine pool is."""
        raw = self.stage.genuine.word(pool, 0) >> 160 & 0xFFFFFF
        return raw - 2**24 if raw >= 2**23 else raw

    def price(self, pool: bytes) -> int:
        return self.stage.genuine.word(pool, 0) % 2**160

    def begin(self, pool: bytes, tick: int) -> None:
        """Initialises a pool, sometimes with a hostile attempt before or after."""
        random = self.random
        if random.random() < 0.2:
            self._swap(pool, True, 1, LEAST_PRICE + 1, 0)
            self.mint(pool)
        if random.random() < 0.3:
            price = random.choice((0, LEAST_PRICE - 1, MOST_PRICE, MOST_PRICE + 1, 2**160 - 1))
            self._send("initialize", pool, call("initialize(uint160)", price))
        price = price_near(tick) + random.choice((0, 0, 1, random.getrandbits(20)))
        self._send("initialize", pool, call("initialize(uint160)", min(price, MOST_PRICE - 1)))
        if random.random() < 0.1:
            self._send("initialize", pool, call("initialize(uint160)", 2**96))

    def provide(self, pool: bytes, width: int, liquidity: int) -> None:
        """Liquidity around the price, so that there is something to trade."""
        spacing, _ = self.stage.pools[pool]
        middle = self.tick(pool) // spacing
        edge = MOST_TICK // spacing
        lower = max(middle - width, -edge) * spacing
        upper = min(middle + width, edge) * spacing
        self._mint(pool, CALLER, lower, upper, liquidity, 10)

    def act(self, pool: bytes) -> None:
        """One of everything that can happen."""
        kinds = (
            (self.swap, 40), (self.mint, 15), (self.burn, 10), (self.collect, 5),
            (self.read, 12), (self.observe, 6), (self.grow, 3), (self.attack, 3),
        )
        actions, weights = zip(*kinds, strict=True)
        self.random.choices(actions, weights)[0](pool)
        if self.random.random() < 0.5:
            self.stage.pass_time(self.random.choice((0, 1, 1, 12, 600, 100_000)))

    def mint(self, pool: bytes) -> None:
        random = self.random
        spacing, _ = self.stage.pools[pool]
        edge = MOST_TICK // spacing
        middle = self.tick(pool) // spacing
        lower = middle + random.randint(-12, 12)
        upper = lower + random.randint(1, 20)
        lower, upper = (max(min(end, edge), -edge) * spacing for end in (lower, upper))
        hostile = random.random()
        if hostile < 0.03:
            lower, upper = upper, lower
        elif hostile < 0.06:
            lower = random.choice((-MOST_TICK - 1, -(2**23), lower + 1))
        elif hostile < 0.09:
            upper = random.choice((MOST_TICK + 1, 2**23 - 1, upper + 1))
        elif hostile < 0.12:
            lower, upper = -edge * spacing, edge * spacing
        amount = magnitude(random, 0, 78)
        if random.random() < 0.06:
            amount = random.choice((0, 2**127, 2**127 - 1, UINT128, 2**110, 2**113))
        way = random.choice((0,) * 12 + (10,) * 4 + (1, 2, 3, 4, 5, 6, 7, 8, 9))
        self._mint(pool, random.choice((CALLER, CALLER, OTHER)), lower, upper, amount, way)

    def _mint(
        self, pool: bytes, owner: bytes, lower: int, upper: int, amount: int, way: int
    ) -> None:
        self.stage.watch(pool, lower, upper, owner, CALLER)
        answer = self._send(
            "mint", CALLER, call(MINT, pool, owner, lower, upper, amount, way)
        )
        if answer is None:
            self.positions.setdefault(pool, []).append((lower, upper, owner))

    def _position(self, pool: bytes) -> tuple[int, int]:
        known = self.positions.get(pool)
        if known and self.random.random() < 0.9:
            return self.random.choice(known)[:2]
        return -60, 60

    def burn(self, pool: bytes) -> None:
        lower, upper = self._position(pool)
        amount = magnitude(self.random, 0, 78)
        whole = self.random.random()
        if whole < 0.3:
            amount = 0
        elif whole < 0.6:
            key = keccak(
                CALLER + b"".join((end % 2**24).to_bytes(3, "big") for end in (lower, upper))
            )
            at = keccak(key + (7).to_bytes(32, "big"))
            amount = self.stage.genuine.word(pool, int.from_bytes(at, "big")) % 2**128
        elif whole < 0.65:
            amount = self.random.choice((2**127, UINT128, 2**127 - 1))
        self.stage.watch(pool, lower, upper, CALLER)
        self._send("burn", CALLER, call(BURN, pool, lower, upper, amount))

    def collect(self, pool: bytes) -> None:
        lower, upper = self._position(pool)
        most = [
            self.random.choice((0, UINT128, UINT128, magnitude(self.random, 0, 70)))
            for _ in range(2)
        ]
        to = self.random.choice((TRADER, OTHER, pool))
        self._send("collect", CALLER, call(COLLECT, pool, to, lower, upper, *most))

    def swap(self, pool: bytes) -> None:
        random = self.random
        spacing, _ = self.stage.pools[pool]
        falls = random.random() < 0.5
        # Some twenty initialised ticks, or a few words of empty ones.
        away = random.choice((1, 5, 20, 300)) * spacing * random.random()
        limit = price_near(self.tick(pool) + int(-away if falls else away))
        if random.random() < 0.1:
            price = self.price(pool)
            limit = random.choice(
                (0, price, price + 1, max(price - 1, 0), LEAST_PRICE, MOST_PRICE, 2**160 - 1)
            )
        elif spacing == 200 and random.random() < 0.3:
            limit = LEAST_PRICE + 1 if falls else MOST_PRICE - 1
        amount = magnitude(random, 0, 86) * random.choice((1, 1, -1))
        if random.random() < 0.05:
            amount = random.choice((0, INT256, -INT256, -INT256 - 1, 2**200, -(2**200), 2**236))
        way = random.choice((0,) * 25 + (10,) * 5 + (1, 2, 3, 4, 5, 6, 7, 8, 9))
        self._swap(pool, falls, amount, limit, way)

    def _swap(self, pool: bytes, falls: bool, amount: int, limit: int, way: int) -> None:
        to = self.random.choice((TRADER, OTHER, CALLER))
        self._send("swap", CALLER, call(SWAP, pool, to, falls, amount, limit, way))

    def read(self, pool: bytes) -> None:
        random = self.random
        ticks = [end for position in self.positions.get(pool, [(0, 60)]) for end in position[:2]]
        spacing, watched = self.stage.pools[pool]
        tick = random.choice(ticks)
        name = random.choice(GETTERS)
        keys = sorted(watched.positions) or [bytes(32)]
        for data in (
            call(f"{name}()"),
            call("ticks(int24)", random.choice((tick, tick + 1, 2**23 - 1, -(2**23)))),
            call("tickBitmap(int16)", random.choice((tick // spacing >> 8, -(2**15), 2**15 - 1))),
            call("observations(uint256)", random.choice((0, 1, 2, 65534, 65535, 2**256 - 1))),
            call("positions(bytes32)", random.choice(keys)),
        ):
            self._send("read", pool, data)

    def observe(self, pool: bytes) -> None:
        random = self.random
        ages = [
            random.choice((0, 1, 2, 12, 13, 600, 601, 100_000, random.getrandbits(32)))
            for _ in range(random.choice((0, 1, 1, 2, 2, 7)))
        ]
        self._send("observe", pool, call("observe(uint32[])", ages))

    def grow(self, pool: bytes) -> None:
        wanted = self.random.choice((0, 1, 2, 3, 4, 5, 6, 8, 40))
        data = call("increaseObservationCardinalityNext(uint16)", wanted)
        self._send("increaseObservationCardinalityNext", pool, data)

    def attack(self, pool: bytes) -> None:
        """An account calls, which has no callback; ether comes; call data ends too early."""
        price = self.price(pool)
        limit = max(price - 2**40, 0)
        swap = call(POOL_SWAP, TRADER, True, 10**9, limit, b"")
        self._send("swap by an account", pool, swap)
        pay = call("mint(address,int24,int24,uint128,bytes)", TRADER, -600, 600, 10**9, b"")
        self._send("mint by an account", pool, pay)
        for data in (call("slot0()"), call("liquidity()"), swap):
            self.stage.send("ether", pool, data, value=1)
        ages = call("observe(uint32[])", [1, 2])
        for data in (b"", swap[:3], swap[:4], swap[:-33], bytes(4), ages[:36], ages[:-1]):
            self._send("cut call data", pool, data)

    def _send(self, name: str, to: bytes, data: bytes) -> str | None:
        genuine, _ = self.stage.send(name, to, data)
        return genuine.failure
