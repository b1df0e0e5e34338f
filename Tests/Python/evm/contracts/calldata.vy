# pragma version 0.4.3
"""
Reads call data as the compiler of 2017 did: word by word, zeros beyond the end, no look at padding.

Vyper's own decoder reverts where a word is missing or an address has bits above its 160, and wants
a bound for each array; the contracts of 2017 do neither.
"""

ADDRESS_BITS: constant(uint256) = 2**160 - 1


@internal
@view
def selector() -> bytes4:
    """
    The first four bytes; those of no function where there are fewer.
    """
    if len(msg.data) < 4:
        return 0x00000000
    return convert(slice(msg.data, 0, 4), bytes4)


@internal
@view
def word(offset: uint256) -> uint256:
    """
    The word at an offset into the call data.
    """
    size: uint256 = len(msg.data)
    if offset >= size:
        return 0
    if size - offset >= 32:
        return convert(slice(msg.data, offset, 32), uint256)
    value: uint256 = 0
    for index: uint256 in range(size - offset, bound=31):
        byte: uint256 = convert(slice(msg.data, offset + index, 1), uint256)
        value |= byte << (248 - 8 * index)
    return value


@internal
@view
def argument(index: uint256) -> uint256:
    """
    The argument word, counted from 0.
    """
    return self.word(4 + 32 * index)


@internal
@view
def account(offset: uint256) -> address:
    """
    The address at an offset; what is above its 160 bits is dropped.
    """
    return convert(self.word(offset) & ADDRESS_BITS, address)


@internal
@view
def array(index: uint256, words: uint256) -> (uint256, uint256):
    """
    Where the first element of the array that an argument points to begins, and how many there are.

    words: of an element. The compiler of 2017 copies the array to memory, so more elements than the
    gas could pay for use it up: three for each word.
    """
    start: uint256 = unsafe_add(self.argument(index), 4)
    count: uint256 = self.word(start)
    assert count <= msg.gas // (3 * words), UNREACHABLE
    return unsafe_add(start, 32), count
