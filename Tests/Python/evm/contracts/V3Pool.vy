# pragma version 0.4.3
"""
A pool of Uniswap v3, ours: its swaps, positions, observations, events and reasons are the genuine one's,
and so is the order of its checks and payments.

Left out: the fee of the protocol, flash loans, `snapshotCumulativesInside`. Its words are packed as
the genuine ones, in the same slots; only mappings lie elsewhere.
"""

import range_math
import range_oracle
import range_reasons
import range_ticks
import tick_math

MAX_DATA: constant(uint256) = 1024
# Of `observe` in one call.
MAX_AGES: constant(uint256) = 64
# No gas reaches as many steps.
STEPS: constant(uint256) = 2**32

MASK32: constant(uint256) = 2**32 - 1
MASK24: constant(uint256) = 2**24 - 1
MASK16: constant(uint256) = 2**16 - 1
MASK128: constant(uint256) = 2**128 - 1
MASK160: constant(uint256) = 2**160 - 1
# Of the state's word: behind the price (160 bits) are tick (24, signed), index of the newest
# observation (16), how many are kept (16) and shall be kept (16), fee of the protocol (8, always 0),
# and 1 if the pool is initialised and not at work (8).
INDEX: constant(uint256) = 184
KEPT: constant(uint256) = 200
WANTED: constant(uint256) = 216
UNLOCKED: constant(uint256) = 2**240


interface Payer:
    def uniswapV3SwapCallback(amount0: int256, amount1: int256, data: Bytes[MAX_DATA]): nonpayable
    def uniswapV3MintCallback(amount0: uint256, amount1: uint256, data: Bytes[MAX_DATA]): nonpayable


struct Position:
    liquidity: uint256
    growth0: uint256
    growth1: uint256
    # Of token0 (the low 128 bits) and of token1.
    owed: uint256


event Initialize:
    sqrtPriceX96: uint160
    tick: int24


event Mint:
    sender: address
    owner: indexed(address)
    tickLower: indexed(int24)
    tickUpper: indexed(int24)
    amount: uint128
    amount0: uint256
    amount1: uint256


event Collect:
    owner: indexed(address)
    recipient: address
    tickLower: indexed(int24)
    tickUpper: indexed(int24)
    amount0: uint128
    amount1: uint128


event Burn:
    owner: indexed(address)
    tickLower: indexed(int24)
    tickUpper: indexed(int24)
    amount: uint128
    amount0: uint256
    amount1: uint256


event Swap:
    sender: indexed(address)
    recipient: indexed(address)
    amount0: int256
    amount1: int256
    sqrtPriceX96: uint160
    liquidity: uint128
    tick: int24


event IncreaseObservationCardinalityNext:
    observationCardinalityNextOld: uint16
    observationCardinalityNextNew: uint16


factory: public(immutable(address))
token0: public(immutable(address))
token1: public(immutable(address))
fee: public(immutable(uint24))
tickSpacing: public(immutable(int24))

# The order of these is that of the genuine contract's slots.
state: uint256
feeGrowthGlobal0X128: public(uint256)
feeGrowthGlobal1X128: public(uint256)
# Of token0 (the low 128 bits) and of token1: nothing ever.
protocol_fees: uint256
liquidity: public(uint256)
initializes: range_ticks
position_at: HashMap[bytes32, Position]
initializes: range_oracle


@deploy
def __init__(
    _factory: address, _token0: address, _token1: address, _fee: uint24, _spacing: int24
):
    factory = _factory
    token0 = _token0
    token1 = _token1
    fee = _fee
    tickSpacing = _spacing


# Reads


@internal
@view
def _require(index: uint256, size: uint256):
    """
    Call data that ends before an argument of some bytes does would be read as zeros.
    """
    offset: uint256 = convert(slice(msg.data, 4 + 32 * index, 32), uint256)
    assert 36 + offset + size <= len(msg.data)


@internal
@pure
def _tick(state: uint256) -> int256:
    return range_ticks.signed(state << 72) >> 232


# Answers are whole words, which are encoded as the genuine contract's narrower numbers.


@external
@view
def slot0() -> (uint256, int256, uint256, uint256, uint256, uint256, bool):
    state: uint256 = self.state
    return (
        state & MASK160,
        self._tick(state),
        (state >> INDEX) & MASK16,
        (state >> KEPT) & MASK16,
        (state >> WANTED) & MASK16,
        0,
        state >> 240 != 0,
    )


@external
@view
def ticks(tick: int24) -> (uint256, int256, uint256, uint256, int256, uint256, uint256, bool):
    info: range_ticks.Tick = range_ticks.ticks[convert(tick, int256)]
    return (
        info.liquidity & MASK128,
        range_ticks.net(info.liquidity),
        info.growth0,
        info.growth1,
        self._sum_of_ticks(info.seconds),
        (info.seconds >> 56) & MASK160,
        (info.seconds >> 216) & MASK32,
        info.seconds >> 248 != 0,
    )


@external
@view
def tickBitmap(word: int16) -> uint256:
    return range_ticks.bitmap[convert(word, int256)]


@external
@view
def positions(key: bytes32) -> (uint256, uint256, uint256, uint256, uint256):
    position: Position = self.position_at[key]
    return (
        position.liquidity,
        position.growth0,
        position.growth1,
        position.owed & MASK128,
        position.owed >> 128,
    )


@external
@view
def protocolFees() -> (uint256, uint256):
    return self.protocol_fees & MASK128, self.protocol_fees >> 128


@external
@view
def maxLiquidityPerTick() -> uint256:
    return self._most()


@internal
@view
def _most() -> uint256:
    """
    Of a tick, so that no sum over all has more than 128 bits.
    """
    ticks: int256 = 2 * (tick_math.MOST_TICK // convert(tickSpacing, int256)) + 1
    return MASK128 // convert(ticks, uint256)


@internal
@pure
def _sum_of_ticks(word: uint256) -> int256:
    """
    The signed number in the low 56 bits.
    """
    return range_ticks.signed(word << 200) >> 200


@external
@view
def observations(index: uint256) -> (uint256, int256, uint256, bool):
    observation: uint256 = range_oracle.ring[index]
    return (
        observation & MASK32,
        self._sum_of_ticks(range_oracle.ticks(observation)),
        range_oracle.seconds_per_liquidity(observation),
        observation >> 248 != 0,
    )


@external
@view
def observe(
    secondsAgos: DynArray[uint32, MAX_AGES],
) -> (DynArray[int256, MAX_AGES], DynArray[uint256, MAX_AGES]):
    self._require(0, 32 * len(secondsAgos))
    state: uint256 = self.state
    kept: uint256 = (state >> KEPT) & MASK16
    range_reasons.require(kept > 0, range_reasons.I)
    sums: DynArray[int256, MAX_AGES] = []
    shares: DynArray[uint256, MAX_AGES] = []
    for age: uint32 in secondsAgos:
        sum: uint256 = 0
        share: uint256 = 0
        sum, share = range_oracle.at(
            convert(age, uint256),
            (state >> INDEX) & MASK16,
            kept,
            self._tick(state),
            self.liquidity,
        )
        sums.append(self._sum_of_ticks(sum))
        shares.append(share)
    return sums, shares


# Tokens, and the lock


@internal
@view
def _balance(token: address) -> uint256:
    done: bool = False
    answer: Bytes[32] = b""
    done, answer = raw_call(
        token,
        abi_encode(self, method_id=method_id("balanceOf(address)")),
        max_outsize=32,
        is_static_call=True,
        revert_on_failure=False,
    )
    assert done and len(answer) == 32
    return convert(answer, uint256)


@internal
def _send(token: address, to: address, amount: uint256):
    done: bool = False
    answer: Bytes[32] = b""
    done, answer = raw_call(
        token,
        abi_encode(to, amount, method_id=method_id("transfer(address,uint256)")),
        max_outsize=32,
        revert_on_failure=False,
    )
    range_reasons.require(done, range_reasons.TF)
    if len(answer) > 0:
        # Some tokens answer nothing.
        assert len(answer) == 32
        range_reasons.require(convert(answer, uint256) != 0, range_reasons.TF)


@internal
def _lock() -> uint256:
    """
    Returns the state, without its lock.
    """
    state: uint256 = self.state
    range_reasons.require(state >> 240 != 0, range_reasons.LOK)
    state = unsafe_sub(state, UNLOCKED)
    self.state = state
    return state


@internal
def _unlock():
    self.state |= UNLOCKED


@internal
def _observed(state: uint256, liquidity: uint256) -> uint256:
    """
    Writes an observation of how it was. Returns the state with its index, and how many are kept.
    """
    index: uint256 = (state >> INDEX) & MASK16
    kept: uint256 = (state >> KEPT) & MASK16
    index, kept = range_oracle.write(
        index,
        kept,
        (state >> WANTED) & MASK16,
        range_oracle.time(),
        self._tick(state),
        liquidity,
    )
    rest: uint256 = state & ~((MASK16 << INDEX) | (MASK16 << KEPT))
    return rest | (index << INDEX) | (kept << KEPT)


@internal
@view
def _now(state: uint256) -> uint256:
    """
    The observation that would be written.
    """
    return range_oracle.now(
        (state >> INDEX) & MASK16,
        range_oracle.time(),
        self._tick(state),
        self.liquidity,
    )


@external
def initialize(sqrtPriceX96: uint160):
    price: uint256 = convert(sqrtPriceX96, uint256)
    range_reasons.require(self.state & MASK160 == 0, range_reasons.AI)
    tick: int256 = tick_math.tick_at(price)
    range_oracle.ring[0] = range_oracle.first(range_oracle.time())
    self.state = (
        price
        | ((range_ticks.raw(tick) & MASK24) << 160)
        | (1 << KEPT)
        | (1 << WANTED)
        | UNLOCKED
    )
    log Initialize(sqrtPriceX96=sqrtPriceX96, tick=convert(tick, int24))


@external
def increaseObservationCardinalityNext(observationCardinalityNext: uint16):
    state: uint256 = self._lock()
    before: uint256 = (state >> WANTED) & MASK16
    after: uint256 = convert(observationCardinalityNext, uint256)
    if after > before:
        range_oracle.grow(before, after)
        state = (state & ~(MASK16 << WANTED)) | (after << WANTED)
        log IncreaseObservationCardinalityNext(
            observationCardinalityNextOld=convert(before, uint16),
            observationCardinalityNextNew=observationCardinalityNext,
        )
    self.state = state | UNLOCKED


# Positions


@internal
def _modify(owner: address, lower: int24, upper: int24, change: int256) -> (uint256, uint256):
    """
    Changes a position's liquidity. Returns the amounts of both tokens that belong to the change.
    """
    range_reasons.require(lower < upper, range_reasons.TLU)
    low: int256 = convert(lower, int256)
    high: int256 = convert(upper, int256)
    range_reasons.require(low >= tick_math.LEAST_TICK, range_reasons.TLM)
    range_reasons.require(high <= tick_math.MOST_TICK, range_reasons.TUM)
    state: uint256 = self.state
    tick: int256 = self._tick(state)
    self._update(owner, lower, upper, change, state, tick)
    if change == 0:
        return 0, 0
    adds: bool = change > 0
    size: uint256 = range_ticks.raw(change if adds else unsafe_sub(0, change))
    price: uint256 = state & MASK160
    low_price: uint256 = tick_math.price_at(low)
    high_price: uint256 = tick_math.price_at(high)
    if tick < low:
        return range_math.moved(low_price, high_price, size, True, adds), 0
    if tick >= high:
        return 0, range_math.moved(low_price, high_price, size, False, adds)
    before: uint256 = self.liquidity
    self.state = self._observed(state, before)
    self.liquidity = range_ticks.changed(before, change)
    return (
        range_math.moved(price, high_price, size, True, adds),
        range_math.moved(low_price, price, size, False, adds),
    )


@internal
def _update(
    owner: address, lower: int24, upper: int24, change: int256, state: uint256, tick: int256
):
    """
    The ticks' and the position's words.
    """
    low: int256 = convert(lower, int256)
    high: int256 = convert(upper, int256)
    growth0: uint256 = self.feeGrowthGlobal0X128
    growth1: uint256 = self.feeGrowthGlobal1X128
    flips_low: bool = False
    flips_high: bool = False
    if change != 0:
        now: uint256 = self._now(state)
        time: uint256 = range_oracle.time()
        most: uint256 = self._most()
        flips_low = range_ticks.update(
            low, tick, change, False, most, growth0, growth1, now, time
        )
        flips_high = range_ticks.update(
            high, tick, change, True, most, growth0, growth1, now, time
        )
        spacing: int256 = convert(tickSpacing, int256)
        if flips_low:
            range_ticks.flip(low, spacing)
        if flips_high:
            range_ticks.flip(high, spacing)
    growth0, growth1 = range_ticks.growth_inside(low, high, tick, growth0, growth1)
    key: bytes32 = self._key(owner, lower, upper)
    position: Position = self.position_at[key]
    after: uint256 = position.liquidity
    if change == 0:
        range_reasons.require(after > 0, range_reasons.NP)
    else:
        after = range_ticks.changed(after, change)
        self.position_at[key].liquidity = after
    owed: uint256 = self._owed(
        position.owed,
        range_math.share(unsafe_sub(growth0, position.growth0), position.liquidity),
        range_math.share(unsafe_sub(growth1, position.growth1), position.liquidity),
    )
    self.position_at[key].growth0 = growth0
    self.position_at[key].growth1 = growth1
    if owed != position.owed:
        self.position_at[key].owed = owed
    if change < 0:
        if flips_low:
            range_ticks.clear(low)
        if flips_high:
            range_ticks.clear(high)


@internal
@pure
def _key(owner: address, lower: int24, upper: int24) -> bytes32:
    return keccak256(
        concat(
            convert(owner, bytes20),
            slice(convert(lower, bytes32), 29, 3),
            slice(convert(upper, bytes32), 29, 3),
        )
    )


@internal
@pure
def _owed(owed: uint256, amount0: uint256, amount1: uint256) -> uint256:
    """
    More of both amounts; higher bits than 128 are lost.
    """
    high: uint256 = unsafe_add(owed >> 128, amount1) << 128
    return (unsafe_add(owed, amount0) & MASK128) | high


@external
def mint(
    recipient: address,
    tickLower: int24,
    tickUpper: int24,
    amount: uint128,
    data: Bytes[MAX_DATA],
) -> (uint256, uint256):
    self._require(4, len(data))
    self._lock()
    assert amount > 0
    amount0: uint256 = 0
    amount1: uint256 = 0
    amount0, amount1 = self._modify(
        recipient, tickLower, tickUpper, convert(convert(amount, int128), int256)
    )
    before0: uint256 = 0
    before1: uint256 = 0
    if amount0 > 0:
        before0 = self._balance(token0)
    if amount1 > 0:
        before1 = self._balance(token1)
    extcall Payer(msg.sender).uniswapV3MintCallback(amount0, amount1, data)
    if amount0 > 0:
        range_reasons.require(before0 + amount0 <= self._balance(token0), range_reasons.M0)
    if amount1 > 0:
        range_reasons.require(before1 + amount1 <= self._balance(token1), range_reasons.M1)
    log Mint(
        sender=msg.sender,
        owner=recipient,
        tickLower=tickLower,
        tickUpper=tickUpper,
        amount=amount,
        amount0=amount0,
        amount1=amount1,
    )
    self._unlock()
    return amount0, amount1


@external
def burn(tickLower: int24, tickUpper: int24, amount: uint128) -> (uint256, uint256):
    self._lock()
    amount0: uint256 = 0
    amount1: uint256 = 0
    change: int256 = unsafe_sub(0, convert(convert(amount, int128), int256))
    amount0, amount1 = self._modify(msg.sender, tickLower, tickUpper, change)
    if amount0 > 0 or amount1 > 0:
        key: bytes32 = self._key(msg.sender, tickLower, tickUpper)
        self.position_at[key].owed = self._owed(self.position_at[key].owed, amount0, amount1)
    log Burn(
        owner=msg.sender,
        tickLower=tickLower,
        tickUpper=tickUpper,
        amount=amount,
        amount0=amount0,
        amount1=amount1,
    )
    self._unlock()
    return amount0, amount1


@external
def collect(
    recipient: address,
    tickLower: int24,
    tickUpper: int24,
    amount0Requested: uint128,
    amount1Requested: uint128,
) -> (uint256, uint256):
    self._lock()
    key: bytes32 = self._key(msg.sender, tickLower, tickUpper)
    owed: uint256 = self.position_at[key].owed
    amount0: uint256 = min(convert(amount0Requested, uint256), owed & MASK128)
    amount1: uint256 = min(convert(amount1Requested, uint256), owed >> 128)
    if amount0 > 0 or amount1 > 0:
        self.position_at[key].owed = unsafe_sub(unsafe_sub(owed, amount0), amount1 << 128)
    if amount0 > 0:
        self._send(token0, recipient, amount0)
    if amount1 > 0:
        self._send(token1, recipient, amount1)
    log Collect(
        owner=msg.sender,
        recipient=recipient,
        tickLower=tickLower,
        tickUpper=tickUpper,
        amount0=convert(amount0, uint128),
        amount1=convert(amount1, uint128),
    )
    self._unlock()
    return amount0, amount1


# Swaps


@external
def swap(
    recipient: address,
    zeroForOne: bool,
    amountSpecified: int256,
    sqrtPriceLimitX96: uint160,
    data: Bytes[MAX_DATA],
) -> (int256, int256):
    self._require(4, len(data))
    range_reasons.require(amountSpecified != 0, range_reasons.AS_)
    state: uint256 = self._lock()
    price: uint256 = state & MASK160
    limit: uint256 = convert(sqrtPriceLimitX96, uint256)
    is_reachable: bool = limit > price and limit < tick_math.MOST_PRICE
    if zeroForOne:
        is_reachable = limit < price and limit > tick_math.LEAST_PRICE
    range_reasons.require(is_reachable, range_reasons.SPL)
    start: uint256 = self.liquidity
    liquidity: uint256 = start
    before: int256 = self._tick(state)
    tick: int256 = before
    growth: uint256 = self.feeGrowthGlobal0X128 if zeroForOne else self.feeGrowthGlobal1X128
    # The observation of now, once a tick is crossed.
    now: uint256 = 0
    is_input: bool = amountSpecified > 0
    specified: uint256 = range_ticks.raw(amountSpecified)
    if not is_input:
        specified = unsafe_sub(0, specified)
    rest: uint256 = specified
    other: uint256 = 0
    part: uint256 = convert(fee, uint256)
    spacing: uint256 = convert(convert(tickSpacing, int256), uint256)
    for _: uint256 in range(STEPS):
        if rest == 0 or price == limit:
            break
        next: int256 = 0
        is_initialised: bool = False
        next, is_initialised = range_ticks.next(tick, spacing, zeroForOne)
        next = max(min(next, tick_math.MOST_TICK), tick_math.LEAST_TICK)
        next_price: uint256 = tick_math.price_at(next)
        target: uint256 = max(next_price, limit) if zeroForOne else min(next_price, limit)
        # The step to the target, or as far as the rest goes.
        low: uint256 = target if zeroForOne else price
        high: uint256 = price if zeroForOne else target
        after: uint256 = target
        paid: uint256 = 0
        got: uint256 = 0
        fees: uint256 = 0
        if is_input:
            paid = range_math.moved(low, high, liquidity, zeroForOne, True)
            left: uint256 = range_math.without_fee(rest, part)
            if left < paid:
                after = range_math.price_after_input(price, liquidity, left, zeroForOne)
        else:
            got = range_math.moved(low, high, liquidity, not zeroForOne, False)
            if rest < got:
                after = range_math.price_after_output(price, liquidity, rest, zeroForOne)
        is_whole: bool = after == target
        if not is_whole:
            if zeroForOne:
                low = after
            else:
                high = after
        # What was computed for the whole way stands where it was gone.
        if not (is_whole and is_input):
            paid = range_math.moved(low, high, liquidity, zeroForOne, True)
        if not is_whole or is_input:
            got = range_math.moved(low, high, liquidity, not zeroForOne, False)
        if is_input:
            if is_whole:
                fees = range_math.fee_on(paid, part)
            else:
                fees = unsafe_sub(rest, paid)
            rest = unsafe_sub(rest, unsafe_add(paid, fees))
            other = unsafe_add(other, got)
        else:
            got = min(got, rest)
            fees = range_math.fee_on(paid, part)
            rest = unsafe_sub(rest, got)
            other = unsafe_add(other, unsafe_add(paid, fees))
        if liquidity > 0:
            growth = unsafe_add(growth, range_math.growth(fees, liquidity))
        if after == next_price:
            if is_initialised:
                if now == 0:
                    now = self._now(state)
                growth0: uint256 = growth if zeroForOne else self.feeGrowthGlobal0X128
                growth1: uint256 = self.feeGrowthGlobal1X128 if zeroForOne else growth
                net: int256 = range_ticks.cross(next, growth0, growth1, now, range_oracle.time())
                if zeroForOne:
                    net = unsafe_sub(0, net)
                liquidity = range_ticks.changed(liquidity, net)
            tick = unsafe_sub(next, 1) if zeroForOne else next
        elif after != price:
            tick = tick_math.tick_at(after)
        price = after
    if tick != before:
        state = self._observed(state, start)
        state = (state & ~(MASK24 << 160)) | ((range_ticks.raw(tick) & MASK24) << 160)
    state = (state & ~MASK160) | price
    self.state = state
    if liquidity != start:
        self.liquidity = liquidity
    sold: uint256 = unsafe_sub(specified, rest)
    bought: uint256 = other
    if not is_input:
        bought = sold
        sold = other
    amount0: int256 = convert(sold, int256)
    amount1: int256 = unsafe_sub(0, convert(bought, int256))
    token_in: address = token0
    token_out: address = token1
    if zeroForOne:
        self.feeGrowthGlobal0X128 = growth
    else:
        self.feeGrowthGlobal1X128 = growth
        amount1 = amount0
        amount0 = unsafe_sub(0, convert(bought, int256))
        token_in = token1
        token_out = token0
    if bought > 0:
        self._send(token_out, recipient, bought)
    held: uint256 = self._balance(token_in)
    extcall Payer(msg.sender).uniswapV3SwapCallback(amount0, amount1, data)
    range_reasons.require(held + sold <= self._balance(token_in), range_reasons.IIA)
    log Swap(
        sender=msg.sender,
        recipient=recipient,
        amount0=amount0,
        amount1=amount1,
        sqrtPriceX96=convert(price, uint160),
        liquidity=convert(liquidity, uint128),
        tick=convert(tick, int24),
    )
    self.state = state | UNLOCKED
    return amount0, amount1
