# pragma version 0.4.3
"""
Somebody who calls Uniswap's v3 pools in every way, for the tests: it pays what it is told to.

The data of a swap is one word, which says how the callback pays: 0 in full, 1 nothing, 2 one base unit
too little, 3 one too much, 4 it swaps again before, 5 it takes liquidity, 6 it reverts with a text,
7 it reverts without one, 8 it asks for more observations, 9 it collects, 10 a fiftieth too much, for
tokens that keep a part.
"""


interface Pool:
    def token0() -> address: view
    def token1() -> address: view
    def mint(
        recipient: address, lower: int24, upper: int24, amount: uint128, data: Bytes[32]
    ) -> (uint256, uint256): nonpayable
    def burn(lower: int24, upper: int24, amount: uint128) -> (uint256, uint256): nonpayable
    def collect(
        recipient: address, lower: int24, upper: int24, most0: uint128, most1: uint128
    ) -> (uint128, uint128): nonpayable
    def swap(
        recipient: address, zeroForOne: bool, amount: int256, limit: uint160, data: Bytes[32]
    ) -> (int256, int256): nonpayable
    def increaseObservationCardinalityNext(next: uint16): nonpayable


event Called:
    amount0: int256
    amount1: int256
    data: Bytes[32]


@external
def mint(
    pool: address, recipient: address, lower: int24, upper: int24, amount: uint128, way: uint256
) -> (uint256, uint256):
    return extcall Pool(pool).mint(recipient, lower, upper, amount, abi_encode(way))


@external
def burn(pool: address, lower: int24, upper: int24, amount: uint128) -> (uint256, uint256):
    return extcall Pool(pool).burn(lower, upper, amount)


@external
def collect(
    pool: address, recipient: address, lower: int24, upper: int24, most0: uint128, most1: uint128
) -> (uint128, uint128):
    return extcall Pool(pool).collect(recipient, lower, upper, most0, most1)


@external
def swap(
    pool: address,
    recipient: address,
    zeroForOne: bool,
    amount: int256,
    limit: uint160,
    way: uint256,
) -> (int256, int256):
    return extcall Pool(pool).swap(recipient, zeroForOne, amount, limit, abi_encode(way))


@internal
def _pay(token: address, amount: uint256, way: uint256):
    paid: uint256 = amount
    if way == 1:
        return
    if way == 2:
        paid -= 1
    if way == 3:
        paid += 1
    if way == 10:
        paid += amount // 50 + 1
    # Some tokens answer nothing.
    raw_call(token, abi_encode(msg.sender, paid, method_id=method_id("transfer(address,uint256)")))


@internal
def _before(way: uint256):
    if way == 4:
        extcall Pool(msg.sender).swap(self, True, 1, 2**96, b"")
    if way == 5:
        extcall Pool(msg.sender).burn(-60, 60, 0)
    if way == 6:
        raise "no"
    if way == 7:
        assert msg.sender == self
    if way == 8:
        extcall Pool(msg.sender).increaseObservationCardinalityNext(3)
    if way == 9:
        extcall Pool(msg.sender).collect(self, -60, 60, 1, 1)


@external
def uniswapV3MintCallback(amount0: uint256, amount1: uint256, data: Bytes[32]):
    way: uint256 = convert(data, uint256)
    self._before(way)
    log Called(amount0=convert(amount0, int256), amount1=convert(amount1, int256), data=data)
    if amount0 > 0:
        self._pay(staticcall Pool(msg.sender).token0(), amount0, way)
    if amount1 > 0:
        self._pay(staticcall Pool(msg.sender).token1(), amount1, way)


@external
def uniswapV3SwapCallback(amount0: int256, amount1: int256, data: Bytes[32]):
    way: uint256 = convert(data, uint256)
    self._before(way)
    log Called(amount0=amount0, amount1=amount1, data=data)
    if amount0 > 0:
        self._pay(staticcall Pool(msg.sender).token0(), convert(amount0, uint256), way)
    if amount1 > 0:
        self._pay(staticcall Pool(msg.sender).token1(), convert(amount1, uint256), way)
