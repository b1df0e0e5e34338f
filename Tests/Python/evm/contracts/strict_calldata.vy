# pragma version 0.4.3
"""
Reads the arrays of a call as the compiler of 2021 does: what is missing, lies outside or has bits
where none belong reverts without a word.

Vyper's own decoder does the same, but copies each array to memory at its greatest possible size.
"""

IDENTITY: constant(address) = 0x0000000000000000000000000000000000000004
# Offsets and lengths have no more.
MAX_LENGTH: constant(uint256) = 2**64 - 1


@internal
@view
def selector() -> bytes4:
    """
    The first four bytes; where there are fewer, zeros behind them.
    """
    if len(msg.data) >= 4:
        return convert(slice(msg.data, 0, 4), bytes4)
    # The contract at 4 answers what it is asked.
    all: Bytes[4] = raw_call(IDENTITY, msg.data, max_outsize=4, is_static_call=True)
    return convert(slice(concat(all, empty(bytes4)), 0, 4), bytes4)


@internal
@view
def word(offset: uint256) -> uint256:
    return convert(slice(msg.data, offset, 32), uint256)


@internal
@view
def array(index: uint256, size: uint256) -> (uint256, uint256):
    """
    Where the first element of the array that an argument points to begins, and how many there are.

    size: of an element, in bytes.
    """
    start: uint256 = self.word(4 + 32 * index)
    assert start <= MAX_LENGTH
    count: uint256 = self.word(4 + start)
    assert count <= MAX_LENGTH
    assert 36 + start + size * count <= len(msg.data)
    return 36 + start, count


@internal
@view
def account(offset: uint256) -> address:
    return abi_decode(slice(msg.data, offset, 32), address)


@internal
@view
def amount(offset: uint256) -> uint128:
    return abi_decode(slice(msg.data, offset, 32), uint128)


@internal
@view
def flag(index: uint256) -> bool:
    return abi_decode(slice(msg.data, 4 + 32 * index, 32), bool)
