# pragma version 0.4.3
"""
Reads call data as the compiler of 2017 did: zeros beyond the end, no look at padding.

Vyper's own decoder reverts where a word is missing or an address has bits above its 160, and wants
a bound for each array; the contracts of 2017 do neither.
"""

ADDRESS_BITS: constant(uint256) = 2**160 - 1
WORDS: constant(uint256) = 6
ARGUMENTS: constant(uint256) = 7
IDENTITY: constant(address) = 0x0000000000000000000000000000000000000004


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
    if unsafe_sub(size, offset) >= 32:
        return convert(slice(msg.data, offset, 32), uint256)
    missing: uint256 = 32 - (size - offset)
    if size >= 32:
        return convert(slice(msg.data, size - 32, 32), uint256) << (8 * missing)
    # Less than a word in all; the contract at 4 answers what it is asked.
    all: Bytes[32] = raw_call(IDENTITY, msg.data, max_outsize=32, is_static_call=True)
    return convert(all, uint256) << (8 * missing)


@internal
@view
def words(offset: uint256) -> uint256[WORDS]:
    """
    As many words as the values of an order, from an offset into the call data on.
    """
    size: uint256 = len(msg.data)
    if offset >= size:
        return empty(uint256[WORDS])
    if size - offset >= 32 * WORDS:
        return abi_decode(slice(msg.data, offset, 32 * WORDS), uint256[WORDS])
    # The end of the call data, at most as much as is asked for, with as many zeros behind it.
    padded: Bytes[64 * WORDS] = b""
    start: uint256 = 0
    if size >= 32 * WORDS:
        start = size - 32 * WORDS
        padded = concat(
            slice(msg.data, size - 32 * WORDS, 32 * WORDS), abi_encode(empty(uint256[WORDS]))
        )
    else:
        all: Bytes[32 * WORDS] = raw_call(
            IDENTITY, msg.data, max_outsize=32 * WORDS, is_static_call=True
        )
        padded = concat(all, abi_encode(empty(uint256[WORDS])))
    return abi_decode(slice(padded, offset - start, 32 * WORDS), uint256[WORDS])


@internal
@view
def arguments() -> uint256[ARGUMENTS]:
    """
    The first arguments of a function, as many as any of those with arrays has.
    """
    if len(msg.data) >= 4 + 32 * ARGUMENTS:
        return abi_decode(slice(msg.data, 4, 32 * ARGUMENTS), uint256[ARGUMENTS])
    if len(msg.data) <= 4:
        return empty(uint256[ARGUMENTS])
    # The contract at 4 answers what it is asked; Vyper slices only so many bytes as it knows.
    all: Bytes[4 + 32 * ARGUMENTS] = raw_call(
        IDENTITY, msg.data, max_outsize=4 + 32 * ARGUMENTS, is_static_call=True
    )
    padded: Bytes[4 + 64 * ARGUMENTS] = concat(all, abi_encode(empty(uint256[ARGUMENTS])))
    return abi_decode(slice(padded, 4, 32 * ARGUMENTS), uint256[ARGUMENTS])


@internal
@pure
def account(item: uint256) -> address:
    """
    The address that a word holds; what is above its 160 bits is dropped.
    """
    return convert(item & ADDRESS_BITS, address)


@internal
@view
def array(argument: uint256, words: uint256, first: uint256) -> (uint256, uint256):
    """
    Where the first element of the array that an argument points to begins, and how many there are.

    words: of an element. The compiler of 2017 copies the array to memory, so more elements than the
    gas could pay for use it up: three for each word.
    first: the first argument, where an argument that is missing points to, since it is zero.
    """
    start: uint256 = unsafe_add(argument, 4)
    size: uint256 = len(msg.data)
    count: uint256 = 0
    if argument == 0:
        count = first
    elif start < size:
        # Each batch comes here five times or more, so it saves the call of word() where it can.
        if size - start >= 32:
            count = convert(slice(msg.data, start, 32), uint256)
        else:
            count = self.word(start)
    assert count <= unsafe_div(msg.gas, unsafe_mul(3, words)), UNREACHABLE
    return unsafe_add(start, 32), count
