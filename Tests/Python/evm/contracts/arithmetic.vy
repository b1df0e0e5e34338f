# pragma version 0.4.3
"""
The arithmetic of 0x v1: what overflows burns all gas.
"""


@internal
@pure
def add(a: uint256, b: uint256) -> uint256:
    c: uint256 = unsafe_add(a, b)
    assert c >= a, UNREACHABLE
    return c


@internal
@pure
def mul(a: uint256, b: uint256) -> uint256:
    c: uint256 = unsafe_mul(a, b)
    assert a == 0 or unsafe_div(c, a) == b, UNREACHABLE
    return c


@internal
@pure
def div(a: uint256, b: uint256) -> uint256:
    assert b != 0, UNREACHABLE
    return unsafe_div(a, b)


@internal
@pure
def part(numerator: uint256, denominator: uint256, target: uint256) -> uint256:
    return self.div(self.mul(numerator, target), denominator)


@internal
@pure
def is_rounding_error(numerator: uint256, denominator: uint256, target: uint256) -> bool:
    """
    More than 1000 millionths are lost by rounding down; the millionths are rounded down as well.
    """
    remainder: uint256 = 0
    if denominator != 0:
        remainder = uint256_mulmod(target, numerator, denominator)
    if remainder == 0:
        return False
    return self.div(self.mul(remainder, 1_000_000), self.mul(numerator, target)) > 1000
