# pragma version 0.4.3
"""
The paths of Uniswap's v3 router and quoter: token (20 bytes), fee (3), token ..., and the addresses of
the pools on them. What follows the last whole pool is ignored.
"""

MAX_PATH: constant(uint256) = 512
POOL_CODE: constant(
    bytes32
) = 0xe34f199b19b2b4f47f68442619d555527d244f78a3297ea89325f843f87b8b54

MASK160: constant(uint256) = 2**160 - 1
LOWEST: constant(uint256) = 4295128740
HIGHEST: constant(uint256) = 1461446703485210103287273052203988822378723970341


@internal
@pure
def has_more(path: Bytes[MAX_PATH]) -> bool:
    """
    Whether there is another pool behind the first one.
    """
    return len(path) >= 66


@internal
@pure
def first(path: Bytes[MAX_PATH]) -> (address, address, uint24):
    """
    The tokens of the first pool, in the path's order, and its fee in millionths.
    """
    assert len(path) >= 20, "toAddress_outOfBounds"
    assert len(path) >= 23, "toUint24_outOfBounds"
    assert len(path) >= 43, "toAddress_outOfBounds"
    return (
        convert(convert(slice(path, 0, 20), bytes20), address),
        convert(convert(slice(path, 23, 20), bytes20), address),
        convert(convert(slice(path, 20, 3), bytes3), uint24),
    )


@internal
@pure
def only(one: address, fee: uint24, other: address) -> Bytes[MAX_PATH]:
    """
    The path of one pool.
    """
    return concat(convert(one, bytes20), convert(fee, bytes3), convert(other, bytes20))


@internal
@pure
def rest(path: Bytes[MAX_PATH]) -> Bytes[MAX_PATH]:
    """
    A path behind its first pool.
    """
    return slice(path, 23, unsafe_sub(len(path), 23))


@internal
@pure
def is_before(one: address, other: address) -> bool:
    """
    Whether a token is token0 of a pool of both.
    """
    return convert(one, uint256) < convert(other, uint256)


@internal
@pure
def pool(factory: address, one: address, other: address, fee: uint24) -> address:
    """
    Where the factory puts a pool of two tokens, in any order. Reverts where they are the same.
    """
    assert one != other
    salt: bytes32 = empty(bytes32)
    if self.is_before(one, other):
        salt = keccak256(abi_encode(one, other, fee))
    else:
        salt = keccak256(abi_encode(other, one, fee))
    hash: bytes32 = keccak256(concat(b"\xff", convert(factory, bytes20), salt, POOL_CODE))
    return convert(convert(convert(hash, uint256) & MASK160, uint160), address)


@internal
@pure
def limit(named: uint160, falls: bool) -> uint160:
    """
    The price at which a swap stops; 0 is the last one possible.
    """
    if named != 0:
        return named
    return convert(LOWEST if falls else HIGHEST, uint160)
