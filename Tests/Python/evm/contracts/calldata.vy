# pragma version 0.4.3
"""
Reads call data as the compiler of 2017 did: zeros beyond the end, no look at padding.

Vyper's own decoder reverts where a word is missing or an address has bits above its 160, and wants
a bound for each array; the contracts of 2017 do neither.
"""

ADDRESS_BITS: constant(uint256) = 2**160 - 1
WORDS: constant(uint256) = 6


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
def words(offset: uint256) -> uint256[WORDS]:
    """
    As many words as the values of an order, from an offset into the call data on.
    """
    size: uint256 = len(msg.data)
    if offset < size and size - offset >= 32 * WORDS:
        return abi_decode(slice(msg.data, offset, 32 * WORDS), uint256[WORDS])
    # At its end one after another, zeros beyond it.
    values: uint256[WORDS] = empty(uint256[WORDS])
    for index: uint256 in range(WORDS):
        values[index] = self.word(unsafe_add(offset, 32 * index))
    return values


@internal
@pure
def account(item: uint256) -> address:
    """
    The address that a word holds; what is above its 160 bits is dropped.
    """
    return convert(item & ADDRESS_BITS, address)


@internal
@view
def array(argument: uint256, words: uint256) -> (uint256, uint256):
    """
    Where the first element of the array that an argument points to begins, and how many there are.

    words: of an element. The compiler of 2017 copies the array to memory, so more elements than the
    gas could pay for use it up: three for each word.
    """
    start: uint256 = unsafe_add(argument, 4)
    count: uint256 = self.word(start)
    assert count <= msg.gas // (3 * words), UNREACHABLE
    return unsafe_add(start, 32), count
