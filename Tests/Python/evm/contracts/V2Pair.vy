# pragma version 0.4.3
"""
A pair of Uniswap v2 as far as its router and `dex` call it, ours.

Left out: its own token, minting and burning, the callback of flash swaps, the fee of the protocol,
and the price accumulators.
"""

event Sync:
    reserve0: uint112
    reserve1: uint112


event Swap:
    sender: indexed(address)
    amount0In: uint256
    amount1In: uint256
    amount0Out: uint256
    amount1Out: uint256
    to: indexed(address)


factory: public(address)
token0: public(address)
token1: public(address)
reserve0: uint112
reserve1: uint112
timestamp: uint32
entered: bool


@external
@view
def getReserves() -> (uint112, uint112, uint32):
    return self.reserve0, self.reserve1, self.timestamp


@internal
@view
def _balance(token: address) -> uint256:
    answer: Bytes[32] = raw_call(
        token,
        abi_encode(self, method_id=method_id("balanceOf(address)")),
        max_outsize=32,
        is_static_call=True,
    )
    return convert(answer, uint256)


@internal
def _send(token: address, to: address, amount: uint256):
    answer: Bytes[32] = raw_call(
        token,
        abi_encode(to, amount, method_id=method_id("transfer(address,uint256)")),
        max_outsize=32,
    )
    # Some tokens answer nothing.
    assert len(answer) == 0 or convert(answer, uint256) != 0, "UniswapV2: TRANSFER_FAILED"


@internal
def _update(balance0: uint256, balance1: uint256):
    self.reserve0 = convert(balance0, uint112)
    self.reserve1 = convert(balance1, uint112)
    self.timestamp = convert(block.timestamp % 2**32, uint32)
    log Sync(reserve0=self.reserve0, reserve1=self.reserve1)


@external
def sync():
    self._update(self._balance(self.token0), self._balance(self.token1))


@external
def swap(amount0Out: uint256, amount1Out: uint256, to: address, data: Bytes[1024]):
    assert not self.entered, "UniswapV2: LOCKED"
    self.entered = True
    assert amount0Out > 0 or amount1Out > 0, "UniswapV2: INSUFFICIENT_OUTPUT_AMOUNT"
    reserve0: uint256 = convert(self.reserve0, uint256)
    reserve1: uint256 = convert(self.reserve1, uint256)
    assert amount0Out < reserve0 and amount1Out < reserve1, "UniswapV2: INSUFFICIENT_LIQUIDITY"
    assert to != self.token0 and to != self.token1, "UniswapV2: INVALID_TO"
    assert len(data) == 0
    if amount0Out > 0:
        self._send(self.token0, to, amount0Out)
    if amount1Out > 0:
        self._send(self.token1, to, amount1Out)
    balance0: uint256 = self._balance(self.token0)
    balance1: uint256 = self._balance(self.token1)
    in0: uint256 = 0
    in1: uint256 = 0
    if balance0 > reserve0 - amount0Out:
        in0 = balance0 - (reserve0 - amount0Out)
    if balance1 > reserve1 - amount1Out:
        in1 = balance1 - (reserve1 - amount1Out)
    assert in0 > 0 or in1 > 0, "UniswapV2: INSUFFICIENT_INPUT_AMOUNT"
    kept0: uint256 = balance0 * 1000 - in0 * 3
    kept1: uint256 = balance1 * 1000 - in1 * 3
    assert kept0 * kept1 >= reserve0 * reserve1 * 1000**2, "UniswapV2: K"
    self._update(balance0, balance1)
    log Swap(
        sender=msg.sender,
        amount0In=in0,
        amount1In=in1,
        amount0Out=amount0Out,
        amount1Out=amount1Out,
        to=to,
    )
    self.entered = False
