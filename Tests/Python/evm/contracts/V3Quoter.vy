# pragma version 0.4.3
"""
Uniswap's QuoterV2, ours: what a swap would bring, or cost. It swaps, and reverts in the callback, whose
data is the answer.
"""

import range_paths

MAX_PATH: constant(uint256) = 512
MAX_POOLS: constant(uint256) = 21
# No gas reaches as many words of ticks.
TURNS: constant(uint256) = 65536


interface Pool:
    def slot0() -> (uint160, int24, uint16, uint16, uint16, uint8, bool): view
    def tickSpacing() -> int24: view
    def tickBitmap(word: int16) -> uint256: view


struct QuoteExactInputSingleParams:
    tokenIn: address
    tokenOut: address
    amountIn: uint256
    fee: uint24
    sqrtPriceLimitX96: uint160


struct QuoteExactOutputSingleParams:
    tokenIn: address
    tokenOut: address
    amount: uint256
    fee: uint24
    sqrtPriceLimitX96: uint160


struct Quote:
    amount: uint256
    price: uint160
    crossed: uint32
    gas: uint256


factory: public(immutable(address))
WETH9: public(immutable(address))

# What an exact output has to bring; 0 where there is a limit.
amount_out: uint256


@deploy
def __init__(_factory: address, _wrapped: address):
    factory = _factory
    WETH9 = _wrapped


@internal
@view
def _state(pool: address) -> (uint160, int256):
    """
    The price and the tick.
    """
    price: uint160 = 0
    tick: int24 = 0
    index: uint16 = 0
    kept: uint16 = 0
    wanted: uint16 = 0
    part: uint8 = 0
    unlocked: bool = False
    price, tick, index, kept, wanted, part, unlocked = staticcall Pool(pool).slot0()
    return price, convert(tick, int256)


@external
@view
def uniswapV3SwapCallback(amount0Delta: int256, amount1Delta: int256, data: Bytes[MAX_PATH]):
    assert amount0Delta > 0 or amount1Delta > 0
    one: address = empty(address)
    other: address = empty(address)
    fee: uint24 = 0
    one, other, fee = range_paths.first(data)
    assert msg.sender == range_paths.pool(factory, one, other, fee)
    paid: uint256 = convert(max(amount0Delta, amount1Delta), uint256)
    got: uint256 = convert(unsafe_sub(0, min(amount0Delta, amount1Delta)), uint256)
    price: uint160 = 0
    tick: int256 = 0
    price, tick = self._state(msg.sender)
    if range_paths.is_before(one, other) == (amount0Delta > 0):
        raw_revert(abi_encode(got, price, tick))
    if self.amount_out != 0:
        assert got == self.amount_out
    raw_revert(abi_encode(paid, price, tick))


@internal
@view
def _place(pool: address, tick: int256, spacing: int256) -> (int256, uint256, bool):
    """
    The word and the bit of a tick, rounded toward 0, and whether that bit is set and the tick's own.
    """
    place: int256 = tick // spacing
    word: int256 = place >> 8
    bit: uint256 = convert(place & 255, uint256)
    if tick % spacing != 0:
        return word, bit, False
    bitmap: uint256 = staticcall Pool(pool).tickBitmap(convert(word, int16))
    return word, bit, (bitmap >> bit) & 1 == 1


@internal
@view
def _crossed(pool: address, before: int256, after: int256) -> uint256:
    """
    How many initialised ticks lie between two, as the genuine contract counts them, which is too many
    at times.
    """
    spacing: int256 = convert(staticcall Pool(pool).tickSpacing(), int256)
    low: int256 = 0
    low_bit: uint256 = 0
    is_low: bool = False
    high: int256 = 0
    high_bit: uint256 = 0
    is_high: bool = False
    low, low_bit, is_low = self._place(pool, before, spacing)
    high, high_bit, is_high = self._place(pool, after, spacing)
    # The end that the price came from or stops at counts on one of its sides only.
    excess: uint256 = 0
    if is_high and before > after:
        excess = 1
    if is_low and before < after:
        excess = 1
    if low > high or (low == high and low_bit > high_bit):
        word: int256 = low
        bit: uint256 = low_bit
        low = high
        low_bit = high_bit
        high = word
        high_bit = bit
    count: uint256 = 0
    mask: uint256 = max_value(uint256) << low_bit
    for _: uint256 in range(TURNS):
        if low > high:
            break
        if low == high:
            mask &= max_value(uint256) >> (255 - high_bit)
        rest: uint256 = mask & staticcall Pool(pool).tickBitmap(convert(low, int16))
        for __: uint256 in range(256):
            if rest == 0:
                break
            rest &= rest - 1
            count += 1
        low += 1
        mask = max_value(uint256)
    return unsafe_sub(count, excess) & (2**32 - 1)


@internal
def _quote(
    sold: address, bought: address, fee: uint24, amount: int256, limit: uint160
) -> Quote:
    """
    amount: what is sold; less than 0 what is bought.
    """
    falls: bool = range_paths.is_before(sold, bought)
    pool: address = range_paths.pool(factory, sold, bought, fee)
    path: Bytes[MAX_PATH] = b""
    if amount > 0:
        path = range_paths.only(sold, fee, bought)
    else:
        path = range_paths.only(bought, fee, sold)
    before: uint256 = msg.gas
    assert pool.is_contract
    done: bool = False
    answer: Bytes[128] = b""
    done, answer = raw_call(
        pool,
        abi_encode(
            self,
            falls,
            amount,
            range_paths.limit(limit, falls),
            path,
            method_id=method_id("swap(address,bool,int256,uint160,bytes)"),
        ),
        max_outsize=128,
        revert_on_failure=False,
    )
    used: uint256 = before - msg.gas
    if done:
        return empty(Quote)
    if len(answer) != 96:
        assert len(answer) >= 68, "Unexpected error"
        # What the pool says.
        raw_revert(answer)
    result: uint256 = 0
    price: uint160 = 0
    after: int256 = 0
    result, price, after = abi_decode(answer, (uint256, uint160, int256))
    old_price: uint160 = 0
    old_tick: int256 = 0
    old_price, old_tick = self._state(pool)
    crossed: uint32 = convert(self._crossed(pool, old_tick, after), uint32)
    return Quote(amount=result, price=price, crossed=crossed, gas=used)


@internal
def _input(
    sold: address, bought: address, amount: uint256, fee: uint24, limit: uint160
) -> Quote:
    return self._quote(sold, bought, fee, convert(amount, int256), limit)


@internal
def _output(
    sold: address, bought: address, amount: uint256, fee: uint24, limit: uint160
) -> Quote:
    if limit == 0:
        self.amount_out = amount
    quote: Quote = self._quote(sold, bought, fee, -convert(amount, int256), limit)
    if limit == 0:
        self.amount_out = 0
    return quote


@external
def quoteExactInputSingle(
    params: QuoteExactInputSingleParams,
) -> (uint256, uint160, uint32, uint256):
    quote: Quote = self._input(
        params.tokenIn, params.tokenOut, params.amountIn, params.fee, params.sqrtPriceLimitX96
    )
    return quote.amount, quote.price, quote.crossed, quote.gas


@external
def quoteExactOutputSingle(
    params: QuoteExactOutputSingleParams,
) -> (uint256, uint160, uint32, uint256):
    quote: Quote = self._output(
        params.tokenIn, params.tokenOut, params.amount, params.fee, params.sqrtPriceLimitX96
    )
    return quote.amount, quote.price, quote.crossed, quote.gas


@internal
def _over(
    path: Bytes[MAX_PATH], amount: uint256, is_input: bool
) -> (uint256, DynArray[uint160, MAX_POOLS], DynArray[uint32, MAX_POOLS], uint256):
    # The genuine contract has no memory for as many pools as it counts then.
    assert len(path) >= 20
    rest: Bytes[MAX_PATH] = path
    moved: uint256 = amount
    gas: uint256 = 0
    prices: DynArray[uint160, MAX_POOLS] = []
    crossed: DynArray[uint32, MAX_POOLS] = []
    for _: uint256 in range(MAX_POOLS):
        one: address = empty(address)
        other: address = empty(address)
        fee: uint24 = 0
        one, other, fee = range_paths.first(rest)
        quote: Quote = empty(Quote)
        if is_input:
            quote = self._input(one, other, moved, fee, 0)
        else:
            quote = self._output(other, one, moved, fee, 0)
        moved = quote.amount
        gas += quote.gas
        prices.append(quote.price)
        crossed.append(quote.crossed)
        if not range_paths.has_more(rest):
            break
        rest = range_paths.rest(rest)
    return moved, prices, crossed, gas


@external
def quoteExactInput(
    path: Bytes[MAX_PATH], amountIn: uint256
) -> (uint256, DynArray[uint160, MAX_POOLS], DynArray[uint32, MAX_POOLS], uint256):
    return self._over(path, amountIn, True)


@external
def quoteExactOutput(
    path: Bytes[MAX_PATH], amountOut: uint256
) -> (uint256, DynArray[uint160, MAX_POOLS], DynArray[uint32, MAX_POOLS], uint256):
    """
    The path begins with what is bought.
    """
    return self._over(path, amountOut, False)
