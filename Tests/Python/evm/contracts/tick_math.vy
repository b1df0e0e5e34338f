# pragma version 0.4.3
"""
Ticks and prices of a Uniswap v3 pool: the price at tick t is the square root of 1.0001^t, in 2^-96.

Written from the published formulas. Numbers cannot overflow here: prices have 160 bits.
"""

import range_reasons

LEAST_TICK: constant(int256) = -887272
MOST_TICK: constant(int256) = 887272
# The prices at these.
LEAST_PRICE: constant(uint256) = 4295128739
MOST_PRICE: constant(uint256) = 1461446703485210103287273052203988822378723970342

# The logarithm of 2 to the base of the square root of 1.0001, in 2^-64.
LOG: constant(int256) = 255738958999603826347141
# How much too high and too low a logarithm from 14 bits behind the point may be, in 2^-128.
TOO_HIGH: constant(int256) = 3402992956809132418596140100660247210
TOO_LOW: constant(int256) = 291339464771989622907027621153398088495


@internal
@pure
def price_at(tick: int256) -> uint256:
    """
    The price at a tick in the bounds, rounded up.
    """
    size: uint256 = convert(tick if tick >= 0 else unsafe_sub(0, tick), uint256)
    # 1.0001^(-size / 2) in 2^-128: a product of one factor for each bit.
    ratio: uint256 = 2**128
    if size & 1 != 0:
        ratio = 340265354078544963557816517032075149313
    if size & 2 != 0:
        ratio = unsafe_mul(ratio, 340248342086729790484326174814286782778) >> 128
    if size & 4 != 0:
        ratio = unsafe_mul(ratio, 340214320654664324051920982716015181260) >> 128
    if size & 8 != 0:
        ratio = unsafe_mul(ratio, 340146287995602323631171512101879684304) >> 128
    if size & 16 != 0:
        ratio = unsafe_mul(ratio, 340010263488231146823593991679159461444) >> 128
    if size & 32 != 0:
        ratio = unsafe_mul(ratio, 339738377640345403697157401104375502016) >> 128
    if size & 64 != 0:
        ratio = unsafe_mul(ratio, 339195258003219555707034227454543997025) >> 128
    if size & 128 != 0:
        ratio = unsafe_mul(ratio, 338111622100601834656805679988414885971) >> 128
    if size & 256 != 0:
        ratio = unsafe_mul(ratio, 335954724994790223023589805789778977700) >> 128
    if size & 512 != 0:
        ratio = unsafe_mul(ratio, 331682121138379247127172139078559817300) >> 128
    if size & 1024 != 0:
        ratio = unsafe_mul(ratio, 323299236684853023288211250268160618739) >> 128
    if size & 2048 != 0:
        ratio = unsafe_mul(ratio, 307163716377032989948697243942600083929) >> 128
    if size & 4096 != 0:
        ratio = unsafe_mul(ratio, 277268403626896220162999269216087595045) >> 128
    if size & 8192 != 0:
        ratio = unsafe_mul(ratio, 225923453940442621947126027127485391333) >> 128
    if size & 16384 != 0:
        ratio = unsafe_mul(ratio, 149997214084966997727330242082538205943) >> 128
    if size & 32768 != 0:
        ratio = unsafe_mul(ratio, 66119101136024775622716233608466517926) >> 128
    if size & 65536 != 0:
        ratio = unsafe_mul(ratio, 12847376061809297530290974190478138313) >> 128
    if size & 131072 != 0:
        ratio = unsafe_mul(ratio, 485053260817066172746253684029974020) >> 128
    if size & 262144 != 0:
        ratio = unsafe_mul(ratio, 691415978906521570653435304214168) >> 128
    if size & 524288 != 0:
        ratio = unsafe_mul(ratio, 1404880482679654955896180642) >> 128
    if tick > 0:
        ratio = unsafe_div(max_value(uint256), ratio)
    return unsafe_add(ratio, 2**32 - 1) >> 32


@internal
@pure
def tick_at(price: uint256) -> int256:
    """
    The greatest tick whose price is at most a price.
    """
    range_reasons.require(price >= LEAST_PRICE and price < MOST_PRICE, range_reasons.R)
    # The highest bit is the logarithm to base 2 before the point.
    bit: uint256 = self.highest_bit(price)
    rest: uint256 = price << unsafe_sub(127, bit) if bit < 127 else price >> unsafe_sub(bit, 127)
    # From here in two's complement.
    binary: uint256 = unsafe_sub(bit, 96)
    for _: uint256 in range(14):
        rest = unsafe_mul(rest, rest) >> 127
        carry: uint256 = rest >> 128
        rest >>= carry
        binary = (binary << 1) | carry
    exact: int256 = unsafe_mul(convert(convert(binary << 50, bytes32), int256), LOG)
    low: int256 = unsafe_sub(exact, TOO_HIGH) >> 128
    high: int256 = unsafe_add(exact, TOO_LOW) >> 128
    if low != high and self.price_at(high) <= price:
        return high
    return low


@internal
@pure
def highest_bit(number: uint256) -> uint256:
    """
    Of a number that is not 0; the lowest bit is 0.
    """
    rest: uint256 = number
    bit: uint256 = 0
    if rest >= 2**128:
        rest >>= 128
        bit = 128
    if rest >= 2**64:
        rest >>= 64
        bit = unsafe_add(bit, 64)
    if rest >= 2**32:
        rest >>= 32
        bit = unsafe_add(bit, 32)
    if rest >= 2**16:
        rest >>= 16
        bit = unsafe_add(bit, 16)
    if rest >= 2**8:
        rest >>= 8
        bit = unsafe_add(bit, 8)
    if rest >= 2**4:
        rest >>= 4
        bit = unsafe_add(bit, 4)
    if rest >= 2**2:
        rest >>= 2
        bit = unsafe_add(bit, 2)
    if rest >= 2:
        bit = unsafe_add(bit, 1)
    return bit
