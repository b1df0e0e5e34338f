# pragma version 0.4.3
"""
Somebody who gives Uniswap's v3 pools liquidity out of what the first state gave it, ours.

Anyone may call it. It also sells to a pool or takes its liquidity away, to move a price.
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


LOWEST: constant(uint160) = 4295128740
HIGHEST: constant(uint160) = 1461446703485210103287273052203988822378723970341


@internal
def _send(token: address, to: address, amount: uint256):
    answer: Bytes[32] = raw_call(
        token,
        abi_encode(to, amount, method_id=method_id("transfer(address,uint256)")),
        max_outsize=32,
    )
    # Some tokens answer nothing.
    assert len(answer) == 0 or convert(answer, uint256) != 0


@external
def provide(pool: address, lower: int24, upper: int24, amount: uint128):
    extcall Pool(pool).mint(self, lower, upper, amount, b"")


@external
def withdraw(pool: address, lower: int24, upper: int24, amount: uint128):
    extcall Pool(pool).burn(lower, upper, amount)
    extcall Pool(pool).collect(self, lower, upper, max_value(uint128), max_value(uint128))


@external
def sell(pool: address, token: address, amount: uint256):
    is_first: bool = token == staticcall Pool(pool).token0()
    extcall Pool(pool).swap(
        self, is_first, convert(amount, int256), LOWEST if is_first else HIGHEST, b""
    )


@internal
@view
def _balance(token: address, owner: address) -> uint256:
    answer: Bytes[32] = raw_call(
        token,
        abi_encode(owner, method_id=method_id("balanceOf(address)")),
        max_outsize=32,
        is_static_call=True,
    )
    return convert(answer, uint256)


@internal
def _pay(token: address, amount: uint256):
    """
    So much arrives at the pool, or a little more of a token that keeps a part of each transfer.
    """
    before: uint256 = self._balance(token, msg.sender)
    self._send(token, msg.sender, amount)
    arrived: uint256 = self._balance(token, msg.sender) - before
    if arrived < amount:
        self._send(token, msg.sender, (amount - arrived) * 2)


@external
def uniswapV3MintCallback(amount0: uint256, amount1: uint256, data: Bytes[32]):
    if amount0 > 0:
        self._pay(staticcall Pool(msg.sender).token0(), amount0)
    if amount1 > 0:
        self._pay(staticcall Pool(msg.sender).token1(), amount1)


@external
def uniswapV3SwapCallback(amount0: int256, amount1: int256, data: Bytes[32]):
    if amount0 > 0:
        self._pay(staticcall Pool(msg.sender).token0(), convert(amount0, uint256))
    if amount1 > 0:
        self._pay(staticcall Pool(msg.sender).token1(), convert(amount1, uint256))
