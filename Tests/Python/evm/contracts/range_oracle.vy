# pragma version 0.4.3
"""
The observations of a Uniswap v3 pool: a ring, of which the pool's state says the newest and the size.

An observation is a word, from the low bits: time (32), sum of the ticks (56, signed), sum of the
seconds per liquidity (160, in 2^-128), whether it was written (8). Sums and times wrap.
"""

import range_reasons

MASK32: constant(uint256) = 2**32 - 1
MASK56: constant(uint256) = 2**56 - 1
MASK160: constant(uint256) = 2**160 - 1
WRITTEN: constant(uint256) = 2**248
# A search ends earlier.
TURNS: constant(uint256) = 32

ring: uint256[65535]


@internal
@view
def time() -> uint256:
    return block.timestamp & MASK32


@internal
@pure
def first(time: uint256) -> uint256:
    """
    The observation that a pool begins with.
    """
    return time | WRITTEN


@internal
@pure
def ticks(observation: uint256) -> uint256:
    """
    The sum of the ticks, in two's complement of 56 bits.
    """
    return (observation >> 32) & MASK56


@internal
@pure
def seconds_per_liquidity(observation: uint256) -> uint256:
    return (observation >> 88) & MASK160


@internal
@pure
def later(observation: uint256, time: uint256, tick: int256, liquidity: uint256) -> uint256:
    """
    An observation at a later time, until which tick and liquidity stay.
    """
    passed: uint256 = unsafe_sub(time, observation) & MASK32
    step: uint256 = unsafe_mul(convert(convert(tick, bytes32), uint256), passed)
    # Without liquidity as with the least.
    grown: uint256 = unsafe_div(passed << 128, max(liquidity, 1))
    sum: uint256 = unsafe_add(observation >> 32, step) & MASK56
    share: uint256 = unsafe_add(observation >> 88, grown) & MASK160
    return time | (sum << 32) | (share << 88) | WRITTEN


@internal
@view
def now(index: uint256, time: uint256, tick: int256, liquidity: uint256) -> uint256:
    """
    What an observation at the block's time would be.
    """
    newest: uint256 = self.ring[index]
    if newest & MASK32 == time:
        return newest
    return self.later(newest, time, tick, liquidity)


@internal
def write(
    index: uint256,
    kept: uint256,
    wanted: uint256,
    time: uint256,
    tick: int256,
    liquidity: uint256,
) -> (uint256, uint256):
    """
    Writes one, if none of this time is there.

    Returns the index of the newest and how many are kept, which becomes what is wanted as soon as the
    ring comes round.
    """
    newest: uint256 = self.ring[index]
    if newest & MASK32 == time:
        return index, kept
    size: uint256 = kept
    if wanted > kept and index == unsafe_sub(kept, 1):
        size = wanted
    next: uint256 = unsafe_add(index, 1) % size
    self.ring[next] = self.later(newest, time, tick, liquidity)
    return next, size


@internal
def grow(size: uint256, wanted: uint256):
    """
    Pays for slots before they are needed, by a time that counts as not written.
    """
    for index: uint256 in range(size, wanted, bound=65535):
        self.ring[index] = 1


@internal
@pure
def _is_ordered(time: uint256, one: uint256, other: uint256) -> bool:
    """
    Whether one time is not after another, neither after the block's: those above it are of the time
    before the clock wrapped.
    """
    if (one <= time) == (other <= time):
        return one <= other
    return one > time


@internal
@view
def at(
    age: uint256, index: uint256, size: uint256, tick: int256, liquidity: uint256
) -> (uint256, uint256):
    """
    Both sums some seconds ago.
    """
    time: uint256 = self.time()
    if age == 0:
        return self._sums(self.now(index, time, tick, liquidity))
    target: uint256 = unsafe_sub(time, age) & MASK32
    before: uint256 = self.ring[index]
    if self._is_ordered(time, before & MASK32, target):
        if before & MASK32 != target:
            before = self.later(before, target, tick, liquidity)
        return self._sums(before)
    oldest: uint256 = unsafe_add(index, 1) % size
    before = self.ring[oldest]
    if before < WRITTEN:
        before = self.ring[0]
    range_reasons.require(self._is_ordered(time, before & MASK32, target), range_reasons.OLD)
    # The pair of neighbours around it, by halves; those not written are older than all.
    low: uint256 = oldest
    high: uint256 = unsafe_sub(unsafe_add(oldest, size), 1)
    after: uint256 = 0
    for _: uint256 in range(TURNS):
        middle: uint256 = unsafe_add(low, high) >> 1
        before = self.ring[middle % size]
        if before < WRITTEN:
            low = unsafe_add(middle, 1)
            continue
        after = self.ring[unsafe_add(middle, 1) % size]
        if not self._is_ordered(time, before & MASK32, target):
            high = unsafe_sub(middle, 1)
        elif self._is_ordered(time, target, after & MASK32):
            break
        else:
            low = unsafe_add(middle, 1)
    if before & MASK32 == target:
        return self._sums(before)
    if after & MASK32 == target:
        return self._sums(after)
    return self._between(before, after, target)


@internal
@pure
def _sums(observation: uint256) -> (uint256, uint256):
    return self.ticks(observation), self.seconds_per_liquidity(observation)


@internal
@pure
def _between(before: uint256, after: uint256, target: uint256) -> (uint256, uint256):
    """
    The sums at a time between two observations, on a straight line.
    """
    whole: uint256 = unsafe_sub(after, before) & MASK32
    part: uint256 = unsafe_sub(target, before) & MASK32
    moved: uint256 = unsafe_sub(self.ticks(after), self.ticks(before)) & MASK56
    # The mean tick is rounded toward 0.
    if moved >= 2**55:
        moved = unsafe_sub(0, unsafe_div(unsafe_sub(2**56, moved), whole))
    else:
        moved = unsafe_div(moved, whole)
    share: uint256 = self.seconds_per_liquidity(after)
    share = unsafe_sub(share, self.seconds_per_liquidity(before)) & MASK160
    share = unsafe_div(unsafe_mul(share, part), whole)
    return (
        unsafe_add(self.ticks(before), unsafe_mul(moved, part)) & MASK56,
        unsafe_add(self.seconds_per_liquidity(before), share) & MASK160,
    )
