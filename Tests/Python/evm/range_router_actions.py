"""Random calls of the router, the quoter and the lens, good and hostile, on both chains."""

from __future__ import annotations

from random import Random

from eth_utils import to_canonical_address

import uniswap
from range_pool_actions import PoolActions, magnitude
from range_pool_stage import Stage
from range_world import FEE, LAST_HASH, OTHER, PLAIN, TRADER, USDT, WETH, ZRX, call

QUOTER, ROUTER, LENS = uniswap.QUOTER, uniswap.ROUTER, uniswap.LENS
SENDER_ITSELF, ROUTER_ITSELF = ((number).to_bytes(20, "big") for number in (1, 2))
QUOTE_IN = "quoteExactInputSingle((address,address,uint256,uint24,uint160))"
QUOTE_OUT = "quoteExactOutputSingle((address,address,uint256,uint24,uint160))"
IN_SINGLE = "exactInputSingle((address,address,uint24,address,uint256,uint256,uint160))"
OUT_SINGLE = "exactOutputSingle((address,address,uint24,address,uint256,uint256,uint160))"
EXACT_IN = "exactInput((bytes,address,uint256,uint256))"
EXACT_OUT = "exactOutput((bytes,address,uint256,uint256))"
PAIRS_IN = "swapExactTokensForTokens(uint256,uint256,address[],address)"
PAIRS_OUT = "swapTokensForExactTokens(uint256,uint256,address[],address)"
MULTICALL = "multicall(uint256,bytes[])"
TOKENS = (PLAIN, USDT, ZRX, FEE, WETH)
MOST = 2**256 - 1


def raw(token: str) -> bytes:
    return to_canonical_address(token)


def path_of(*parts: str | int) -> bytes:
    """token, fee, token ... as the contracts read it."""
    return b"".join(
        raw(part) if isinstance(part, str) else part.to_bytes(3, "big") for part in parts
    )


class RouterActions:
    """Trades through the router's contracts on pools that already have liquidity."""

    def __init__(
        self, stage: Stage, random: Random, pools: list[tuple[str, str, int]]
    ) -> None:
        self.stage = stage
        self.random = random
        self.pools = pools

    def act(self) -> None:
        kinds = (
            (self.quote, 20), (self.quote_path, 12), (self.single, 20), (self.over_path, 15),
            (self.pairs, 12), (self.multicall, 20), (self.coins, 8), (self.lens, 5),
            (self.attack, 4),
        )
        actions, weights = zip(*kinds, strict=True)
        self.random.choices(actions, weights)[0]()
        if self.random.random() < 0.3:
            self.stage.pass_time(self.random.choice((1, 12, 600)))

    # Arguments

    def _hop(self) -> tuple[str, str, int]:
        """A pool and its direction, rarely one that is not there."""
        one, other, fee = self.random.choice(self.pools)
        if self.random.random() < 0.5:
            one, other = other, one
        hostile = self.random.random()
        if hostile < 0.03:
            return one, one, fee
        if hostile < 0.06:
            return one, other, self.random.choice((0, 100, 1234, 2**24 - 1))
        return one, other, fee

    def _path(self) -> bytes:
        """Of one to four pools, each beginning where the last one ends if there is such a pool."""
        one, other, fee = self._hop()
        parts: list[str | int] = [one, fee, other]
        for _ in range(self.random.choice((0, 1, 1, 2, 3))):
            end = parts[-1]
            following = [
                (two if start == end else start, part)
                for start, two, part in self.pools
                if end in (start, two) and (part != parts[-2] or self.random.random() < 0.1)
            ]
            if not following:
                break
            token, part = self.random.choice(following)
            parts += [part, token]
        path = path_of(*parts)
        hostile = self.random.random()
        if hostile < 0.04:
            return path[: self.random.choice((0, 1, 19, 20, 22, 23, 42))]
        if hostile < 0.08:
            return path + bytes(self.random.choice((1, 22)))
        return path

    def _amount(self) -> int:
        hostile = self.random.random()
        if hostile < 0.04:
            return self.random.choice((1, 2**255 - 1, 2**255, MOST))
        if hostile < 0.1:
            return 0
        return magnitude(self.random, 10, 64)

    def _to(self) -> bytes:
        return self.random.choice(
            (TRADER, TRADER, OTHER, SENDER_ITSELF, ROUTER_ITSELF, bytes(20))
        )

    def _limit(self) -> int:
        if self.random.random() < 0.8:
            return 0
        return self.random.choice((1, 2**96, 2**96 + 2**90, 2**96 - 2**90, 2**160 - 1))

    def _value(self, amount: int) -> int:
        if self.random.random() < 0.6 or amount > 10**24:
            return 0
        return self.random.choice((amount, max(amount - 1, 0), amount + 1, 2 * amount))

    # Swaps

    def single_call(self) -> tuple[bytes, int]:
        """A swap with one pool, and its amount in or most amount in."""
        one, other, fee = self._hop()
        amount = self._amount()
        is_input = self.random.random() < 0.6
        bound = self.random.choice((0, 0, 1, 10**30)) if is_input else self.random.choice(
            (MOST, MOST, 4 * amount % 2**256, 0)
        )
        terms = (raw(one), raw(other), fee, self._to(), amount, bound, self._limit())
        return call(IN_SINGLE if is_input else OUT_SINGLE, terms), amount

    def path_call(self) -> tuple[bytes, int]:
        amount = self._amount()
        is_input = self.random.random() < 0.5
        bound = self.random.choice((0, 0, 0, 10**30)) if is_input else self.random.choice(
            (MOST, MOST, MOST, amount // 2)
        )
        terms = (self._path(), self._to(), amount, bound)
        return call(EXACT_IN if is_input else EXACT_OUT, terms), amount

    def pairs_call(self) -> tuple[bytes, int]:
        path = self.random.choice(
            (
                (PLAIN, WETH), (WETH, PLAIN), (USDT, WETH), (WETH, USDT), (FEE, WETH), (WETH, FEE),
                (USDT, WETH, PLAIN), (ZRX, PLAIN, WETH, FEE), (FEE, WETH, PLAIN, ZRX),
                (PLAIN, PLAIN), (PLAIN,), (), (USDT, ZRX), (PLAIN, WETH, PLAIN),
            )
        )
        amount = self._amount()
        is_input = self.random.random() < 0.5
        bound = self.random.choice((0, 0, 10**30)) if is_input else self.random.choice(
            (MOST, MOST, amount // 2)
        )
        terms = (amount, bound, [raw(token) for token in path], self._to())
        return call(PAIRS_IN if is_input else PAIRS_OUT, *terms), amount

    def coins_call(self) -> tuple[bytes, int]:
        least = self.random.choice((0, 0, 1, 10**30))
        amount = magnitude(self.random, 10, 64)
        token = raw(self.random.choice(TOKENS))
        to = self.random.choice((TRADER, OTHER))
        return self.random.choice(
            (
                (call("unwrapWETH9(uint256,address)", least, to), amount),
                (call("unwrapWETH9(uint256,address)", least, raw(PLAIN)), amount),
                (call("unwrapWETH9(uint256)", least), amount),
                (call("refundETH()"), amount),
                (call("sweepToken(address,uint256,address)", token, least, to), amount),
                (call("sweepToken(address,uint256)", token, least), amount),
                (call("wrapETH(uint256)", amount), amount),
                (call("pull(address,uint256)", token, amount), amount),
                (call(self.random.choice(("factory()", "factoryV2()", "WETH9()"))), 0),
            )
        )

    def single(self) -> None:
        data, amount = self.single_call()
        self._send("single", data, amount)

    def over_path(self) -> None:
        data, amount = self.path_call()
        self._send("path", data, amount)

    def pairs(self) -> None:
        data, amount = self.pairs_call()
        self._send("pairs", data, amount)

    def coins(self) -> None:
        data, amount = self.coins_call()
        self._send("coins", data, amount)

    def multicall(self) -> None:
        """Several of them, most often with a way out for what stays."""
        makers = (self.single_call, self.path_call, self.pairs_call, self.coins_call)
        calls, total = [], 0
        for _ in range(self.random.choice((0, 1, 1, 2, 3))):
            data, amount = self.random.choice(makers)()
            calls.append(data)
            total += amount
        if self.random.random() < 0.6:
            calls.append(call("unwrapWETH9(uint256,address)", 0, TRADER))
            calls.append(call("refundETH()"))
        kind = self.random.random()
        if kind < 0.7:
            now = self.stage.time
            deadline = self.random.choice((now, now + 60, now - 1, MOST))
            data = call(MULTICALL, deadline, calls)
        elif kind < 0.8:
            inner = call("multicall(bytes[])", calls[:1])
            data = call(MULTICALL, MOST, [inner])
        elif kind < 0.9:
            data = call("multicall(bytes[])", calls)
        else:
            last = self.random.choice((LAST_HASH, LAST_HASH, bytes(32)))
            data = call("multicall(bytes32,bytes[])", last, calls)
        self._send("multicall", data, total)

    def attack(self) -> None:
        """Callbacks from others, unknown functions, cut call data, and ether alone."""
        one, other, fee = self._hop()
        path = path_of(one, fee, other)
        inner = call("f((bytes,address))", (path, OTHER))[4:]
        data, _ = self.single_call()
        for what in (
            call("uniswapV3SwapCallback(int256,int256,bytes)", 1, -1, inner),
            call("uniswapV3SwapCallback(int256,int256,bytes)", 0, 0, inner),
            call("nothing()"),
            b"",
            data[: self.random.randint(0, len(data) - 1)],
        ):
            self._send("attack", what, 0)
        for what in (
            call("uniswapV3SwapCallback(int256,int256,bytes)", 1, -1, path),
            call("uniswapV3SwapCallback(int256,int256,bytes)", -1, 0, path),
            call(QUOTE_IN, (raw(one), raw(other), 1, fee, 0))[:-1],
            call("factory()"),
            call("WETH9()"),
        ):
            self.stage.send("attack on the quoter", QUOTER, what)
        self.stage.send("ether alone", ROUTER, b"", value=1)
        self.stage.send("ether for a view", ROUTER, call("WETH9()"), value=1)

    def _send(self, name: str, data: bytes, amount: int) -> None:
        self.stage.send(name, ROUTER, data, value=self._value(amount))

    # Reads

    def quote(self) -> None:
        one, other, fee = self._hop()
        terms = (raw(one), raw(other), self._amount(), fee, self._limit())
        signature = self.random.choice((QUOTE_IN, QUOTE_OUT))
        self.stage.send("quote", QUOTER, call(signature, terms), gas_word=3)

    def quote_path(self) -> None:
        signature = self.random.choice(
            ("quoteExactInput(bytes,uint256)", "quoteExactOutput(bytes,uint256)")
        )
        data = call(signature, self._path(), self._amount())
        self.stage.send("quote over a path", QUOTER, data, gas_word=3)

    def lens(self) -> None:
        pool = self.random.choice(list(self.stage.pools))
        spacing, _ = self.stage.pools[pool]
        tick = PoolActions(self.stage, self.random).tick(pool)
        word = (tick // spacing >> 8) + self.random.choice((-1, 0, 0, 1))
        where = self.random.choice((pool, pool, pool, pool, OTHER, raw(PLAIN)))
        data = call("getPopulatedTicksInWord(address,int16)", where, word)
        self.stage.send("lens", LENS, data)
        fee = self.random.choice((100, 500, 3000, 10000, 0, 1234))
        one, other, _ = self._hop()
        for data in (
            call("feeAmountTickSpacing(uint24)", fee),
            call("getPool(address,address,uint24)", raw(one), raw(other), fee),
        ):
            self.stage.send("factory", uniswap.V3_FACTORY, data)
