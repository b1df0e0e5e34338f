# pragma version 0.4.3
"""
The ticks of a Uniswap v3 pool where liquidity begins or ends.

What fees and seconds are outside of a tick is what grew on its other side, seen from the price. All of
it wraps.
"""

import range_reasons
import tick_math


struct Tick:
    # Gross (the low 128 bits), and net (signed) from the left to the right.
    liquidity: uint256
    growth0: uint256
    growth1: uint256
    # From the low bits: sum of the ticks (56), of the seconds per liquidity (160), seconds (32), one
    # if the tick is initialised (8).
    seconds: uint256


MASK32: constant(uint256) = 2**32 - 1
MASK56: constant(uint256) = 2**56 - 1
MASK128: constant(uint256) = 2**128 - 1
MASK160: constant(uint256) = 2**160 - 1
INITIALISED: constant(uint256) = 2**248
# Added to a tick as so many spacings, it makes a positive number of it and leaves the bits of its word.
SHIFT: constant(uint256) = 2**23

ticks: HashMap[int256, Tick]
# By word of 256 ticks of the spacing.
bitmap: HashMap[int256, uint256]


@internal
@pure
def signed(word: uint256) -> int256:
    return convert(convert(word, bytes32), int256)


@internal
@pure
def raw(number: int256) -> uint256:
    return convert(convert(number, bytes32), uint256)


@internal
@pure
def net(liquidity: uint256) -> int256:
    """
    The high half of a tick's first word.
    """
    return self.signed(liquidity) >> 128


@internal
@pure
def _outside(seconds: uint256, observation: uint256, time: uint256) -> uint256:
    """
    The fourth word of a tick, seen from its other side.
    """
    sum: uint256 = unsafe_sub(observation >> 32, seconds) & MASK56
    share: uint256 = unsafe_sub(observation >> 88, seconds >> 56) & MASK160
    passed: uint256 = unsafe_sub(time, seconds >> 216) & MASK32
    return sum | (share << 56) | (passed << 216) | INITIALISED


@internal
def cross(
    tick: int256, growth0: uint256, growth1: uint256, observation: uint256, time: uint256
) -> int256:
    """
    Sees a tick from its other side. Returns its net liquidity.
    """
    info: Tick = self.ticks[tick]
    self.ticks[tick].growth0 = unsafe_sub(growth0, info.growth0)
    self.ticks[tick].growth1 = unsafe_sub(growth1, info.growth1)
    self.ticks[tick].seconds = self._outside(info.seconds, observation, time)
    return self.net(info.liquidity)


@internal
@pure
def changed(liquidity: uint256, change: int256) -> uint256:
    """
    A liquidity after a change; 128 bits each.
    """
    if change < 0:
        result: uint256 = unsafe_sub(liquidity, self.raw(unsafe_sub(0, change)))
        range_reasons.require(result < liquidity, range_reasons.LS)
        return result
    result: uint256 = unsafe_add(liquidity, self.raw(change))
    range_reasons.require(result <= MASK128, range_reasons.LA)
    return result


@internal
def update(
    tick: int256,
    current: int256,
    change: int256,
    is_upper: bool,
    most: uint256,
    growth0: uint256,
    growth1: uint256,
    observation: uint256,
    time: uint256,
) -> bool:
    """
    Lets liquidity begin or end at a tick. Returns whether it became or ceased to be initialised.
    """
    liquidity: uint256 = self.ticks[tick].liquidity
    before: uint256 = liquidity & MASK128
    after: uint256 = self.changed(before, change)
    range_reasons.require(after <= most, range_reasons.LO)
    net: int256 = self.net(liquidity)
    net = unsafe_sub(net, change) if is_upper else unsafe_add(net, change)
    assert net >= -(2**127) and net < 2**127
    if before == 0:
        if tick <= current:
            # All that grew, did so below.
            self.ticks[tick].growth0 = growth0
            self.ticks[tick].growth1 = growth1
            self.ticks[tick].seconds = self._outside(0, observation, time)
        else:
            self.ticks[tick].seconds = INITIALISED
    self.ticks[tick].liquidity = after | (self.raw(net) << 128)
    return (before == 0) != (after == 0)


@internal
def flip(tick: int256, spacing: int256):
    """
    Makes a tick one where swaps stop, or no longer one.
    """
    assert tick % spacing == 0
    place: int256 = tick // spacing
    self.bitmap[place >> 8] ^= 1 << self.raw(place & 255)


@internal
def clear(tick: int256):
    self.ticks[tick] = empty(Tick)


@internal
@view
def next(tick: int256, spacing: uint256, falls: bool) -> (int256, bool):
    """
    The next tick where a swap stops: an initialised one within the same word of the bitmap, else the
    word's last. Returns it and whether it is initialised.
    """
    place: uint256 = unsafe_div(
        unsafe_add(self.raw(tick), unsafe_mul(spacing, SHIFT)), spacing
    )
    found: uint256 = 0
    if falls:
        bit: uint256 = place & 255
        found = self.bitmap[self._word(place)] << unsafe_sub(255, bit)
        if found != 0:
            place = unsafe_sub(place, unsafe_sub(255, tick_math.highest_bit(found)))
        else:
            place = unsafe_sub(place, bit)
    else:
        place = unsafe_add(place, 1)
        bit: uint256 = place & 255
        found = self.bitmap[self._word(place)] >> bit
        if found != 0:
            place = unsafe_add(place, tick_math.highest_bit(found & unsafe_sub(0, found)))
        else:
            place = unsafe_add(place, unsafe_sub(255, bit))
    return (
        self.signed(unsafe_mul(unsafe_sub(place, SHIFT), spacing)),
        found != 0,
    )


@internal
@pure
def _word(place: uint256) -> int256:
    return unsafe_sub(self.signed(place >> 8), 2**15)


@internal
@view
def growth_inside(
    lower: int256, upper: int256, current: int256, growth0: uint256, growth1: uint256
) -> (uint256, uint256):
    """
    What fees grew by between two ticks.
    """
    inside0: uint256 = unsafe_sub(self.ticks[lower].growth0, self.ticks[upper].growth0)
    inside1: uint256 = unsafe_sub(self.ticks[lower].growth1, self.ticks[upper].growth1)
    if current < lower:
        return inside0, inside1
    if current >= upper:
        return unsafe_sub(0, inside0), unsafe_sub(0, inside1)
    # Neither below the lower nor above the upper one.
    inside0 = unsafe_add(self.ticks[lower].growth0, self.ticks[upper].growth0)
    inside1 = unsafe_add(self.ticks[lower].growth1, self.ticks[upper].growth1)
    return unsafe_sub(growth0, inside0), unsafe_sub(growth1, inside1)
