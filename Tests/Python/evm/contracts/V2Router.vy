# pragma version 0.4.3
"""
Uniswap's v2 Router02 as far as it swaps, ours.

Its functions, their checks and their reasons are the genuine one's. Left out: liquidity, and the
functions that only compute.
"""


interface Factory:
    def getPair(one: address, other: address) -> address: view


interface Pair:
    def getReserves() -> (uint112, uint112, uint32): view
    def swap(amount0Out: uint256, amount1Out: uint256, to: address, data: Bytes[1024]): nonpayable


interface Wrapped:
    def deposit(): payable
    def withdraw(amount: uint256): nonpayable


factory: public(address)
WETH: public(address)


@external
@payable
def __default__():
    assert msg.sender == self.WETH


# Tokens and coins


@internal
def _pull(token: address, to: address, amount: uint256):
    done: bool = False
    answer: Bytes[32] = b""
    done, answer = raw_call(
        token,
        abi_encode(
            msg.sender, to, amount, method_id=method_id("transferFrom(address,address,uint256)")
        ),
        max_outsize=32,
        revert_on_failure=False,
    )
    # Some tokens answer nothing.
    assert done, "TransferHelper: TRANSFER_FROM_FAILED"
    if len(answer) > 0:
        assert convert(answer, uint256) != 0, "TransferHelper: TRANSFER_FROM_FAILED"


@internal
def _send(token: address, to: address, amount: uint256):
    done: bool = False
    answer: Bytes[32] = b""
    done, answer = raw_call(
        token,
        abi_encode(to, amount, method_id=method_id("transfer(address,uint256)")),
        max_outsize=32,
        revert_on_failure=False,
    )
    assert done, "TransferHelper: TRANSFER_FAILED"
    if len(answer) > 0:
        assert convert(answer, uint256) != 0, "TransferHelper: TRANSFER_FAILED"


@internal
def _send_coins(to: address, amount: uint256):
    done: bool = raw_call(to, b"", value=amount, revert_on_failure=False)
    assert done, "TransferHelper: ETH_TRANSFER_FAILED"


@internal
def _unwrap(to: address, amount: uint256):
    extcall Wrapped(self.WETH).withdraw(amount)
    self._send_coins(to, amount)


@internal
def _wrap(pair: address, amount: uint256):
    extcall Wrapped(self.WETH).deposit(value=amount)
    self._send(self.WETH, pair, amount)


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


# Pairs


@internal
@view
def _pair(one: address, other: address) -> address:
    pair: address = staticcall Factory(self.factory).getPair(one, other)
    assert pair != empty(address)
    return pair


@internal
@pure
def _is_first(token: address, other: address) -> bool:
    return convert(token, uint160) < convert(other, uint160)


@internal
@view
def _reserves(sold: address, bought: address) -> (uint256, uint256):
    first: uint112 = 0
    second: uint112 = 0
    time: uint32 = 0
    first, second, time = staticcall Pair(self._pair(sold, bought)).getReserves()
    if self._is_first(sold, bought):
        return convert(first, uint256), convert(second, uint256)
    return convert(second, uint256), convert(first, uint256)


@internal
@pure
def _out(amount: uint256, reserve_in: uint256, reserve_out: uint256) -> uint256:
    assert amount > 0, "UniswapV2Library: INSUFFICIENT_INPUT_AMOUNT"
    assert reserve_in > 0 and reserve_out > 0, "UniswapV2Library: INSUFFICIENT_LIQUIDITY"
    return amount * 997 * reserve_out // (reserve_in * 1000 + amount * 997)


@internal
@view
def _amounts_out(amount: uint256, path: DynArray[address, 8]) -> DynArray[uint256, 8]:
    assert len(path) >= 2, "UniswapV2Library: INVALID_PATH"
    amounts: DynArray[uint256, 8] = [amount]
    for index: uint256 in range(len(path) - 1, bound=8):
        reserve_in: uint256 = 0
        reserve_out: uint256 = 0
        reserve_in, reserve_out = self._reserves(path[index], path[index + 1])
        amounts.append(self._out(amounts[index], reserve_in, reserve_out))
    return amounts


@internal
@view
def _amounts_in(amount: uint256, path: DynArray[address, 8]) -> DynArray[uint256, 8]:
    assert len(path) >= 2, "UniswapV2Library: INVALID_PATH"
    amounts: DynArray[uint256, 8] = []
    for token: address in path:
        amounts.append(amount)
    for step: uint256 in range(len(path) - 1, bound=8):
        index: uint256 = len(path) - 1 - step
        reserve_in: uint256 = 0
        reserve_out: uint256 = 0
        reserve_in, reserve_out = self._reserves(path[index - 1], path[index])
        out: uint256 = amounts[index]
        assert out > 0, "UniswapV2Library: INSUFFICIENT_OUTPUT_AMOUNT"
        assert out <= reserve_out, "ds-math-sub-underflow"
        amounts[index - 1] = reserve_in * out * 1000 // ((reserve_out - out) * 997) + 1
    return amounts


@internal
def _swap_pair(path: DynArray[address, 8], index: uint256, out: uint256, to: address):
    sold: address = path[index]
    bought: address = path[index + 1]
    receiver: address = to
    if index + 2 < len(path):
        receiver = self._pair(bought, path[index + 2])
    pair: address = self._pair(sold, bought)
    if self._is_first(sold, bought):
        extcall Pair(pair).swap(0, out, receiver, b"")
    else:
        extcall Pair(pair).swap(out, 0, receiver, b"")


@internal
def _swap(amounts: DynArray[uint256, 8], path: DynArray[address, 8], to: address):
    for index: uint256 in range(len(path) - 1, bound=8):
        self._swap_pair(path, index, amounts[index + 1], to)


@internal
def _swap_measured(path: DynArray[address, 8], to: address):
    for index: uint256 in range(len(path) - 1, bound=8):
        reserve_in: uint256 = 0
        reserve_out: uint256 = 0
        reserve_in, reserve_out = self._reserves(path[index], path[index + 1])
        got: uint256 = self._balance(path[index], self._pair(path[index], path[index + 1]))
        assert got >= reserve_in, "ds-math-sub-underflow"
        out: uint256 = self._out(got - reserve_in, reserve_in, reserve_out)
        self._swap_pair(path, index, out, to)


# Swaps


@internal
@view
def _check(path: DynArray[address, 8], deadline: uint256, first: address, last: address):
    assert deadline >= block.timestamp, "UniswapV2Router: EXPIRED"
    if first != empty(address):
        assert path[0] == first, "UniswapV2Router: INVALID_PATH"
    if last != empty(address):
        assert path[len(path) - 1] == last, "UniswapV2Router: INVALID_PATH"


@internal
@view
def _sold(
    amount: uint256, least: uint256, path: DynArray[address, 8]
) -> DynArray[uint256, 8]:
    amounts: DynArray[uint256, 8] = self._amounts_out(amount, path)
    assert amounts[len(amounts) - 1] >= least, "UniswapV2Router: INSUFFICIENT_OUTPUT_AMOUNT"
    return amounts


@internal
@view
def _bought(
    amount: uint256, most: uint256, path: DynArray[address, 8]
) -> DynArray[uint256, 8]:
    amounts: DynArray[uint256, 8] = self._amounts_in(amount, path)
    assert amounts[0] <= most, "UniswapV2Router: EXCESSIVE_INPUT_AMOUNT"
    return amounts


@external
def swapExactTokensForTokens(
    amountIn: uint256,
    amountOutMin: uint256,
    path: DynArray[address, 8],
    to: address,
    deadline: uint256,
) -> DynArray[uint256, 8]:
    self._check(path, deadline, empty(address), empty(address))
    amounts: DynArray[uint256, 8] = self._sold(amountIn, amountOutMin, path)
    self._pull(path[0], self._pair(path[0], path[1]), amounts[0])
    self._swap(amounts, path, to)
    return amounts


@external
def swapTokensForExactTokens(
    amountOut: uint256,
    amountInMax: uint256,
    path: DynArray[address, 8],
    to: address,
    deadline: uint256,
) -> DynArray[uint256, 8]:
    self._check(path, deadline, empty(address), empty(address))
    amounts: DynArray[uint256, 8] = self._bought(amountOut, amountInMax, path)
    self._pull(path[0], self._pair(path[0], path[1]), amounts[0])
    self._swap(amounts, path, to)
    return amounts


@external
@payable
def swapExactETHForTokens(
    amountOutMin: uint256, path: DynArray[address, 8], to: address, deadline: uint256
) -> DynArray[uint256, 8]:
    self._check(path, deadline, self.WETH, empty(address))
    amounts: DynArray[uint256, 8] = self._sold(msg.value, amountOutMin, path)
    self._wrap(self._pair(path[0], path[1]), amounts[0])
    self._swap(amounts, path, to)
    return amounts


@external
def swapTokensForExactETH(
    amountOut: uint256,
    amountInMax: uint256,
    path: DynArray[address, 8],
    to: address,
    deadline: uint256,
) -> DynArray[uint256, 8]:
    self._check(path, deadline, empty(address), self.WETH)
    amounts: DynArray[uint256, 8] = self._bought(amountOut, amountInMax, path)
    self._pull(path[0], self._pair(path[0], path[1]), amounts[0])
    self._swap(amounts, path, self)
    self._unwrap(to, amounts[len(amounts) - 1])
    return amounts


@external
def swapExactTokensForETH(
    amountIn: uint256,
    amountOutMin: uint256,
    path: DynArray[address, 8],
    to: address,
    deadline: uint256,
) -> DynArray[uint256, 8]:
    self._check(path, deadline, empty(address), self.WETH)
    amounts: DynArray[uint256, 8] = self._sold(amountIn, amountOutMin, path)
    self._pull(path[0], self._pair(path[0], path[1]), amounts[0])
    self._swap(amounts, path, self)
    self._unwrap(to, amounts[len(amounts) - 1])
    return amounts


@external
@payable
def swapETHForExactTokens(
    amountOut: uint256, path: DynArray[address, 8], to: address, deadline: uint256
) -> DynArray[uint256, 8]:
    self._check(path, deadline, self.WETH, empty(address))
    amounts: DynArray[uint256, 8] = self._bought(amountOut, msg.value, path)
    self._wrap(self._pair(path[0], path[1]), amounts[0])
    self._swap(amounts, path, to)
    if msg.value > amounts[0]:
        self._send_coins(msg.sender, msg.value - amounts[0])
    return amounts


@external
def swapExactTokensForTokensSupportingFeeOnTransferTokens(
    amountIn: uint256,
    amountOutMin: uint256,
    path: DynArray[address, 8],
    to: address,
    deadline: uint256,
):
    self._check(path, deadline, empty(address), empty(address))
    self._pull(path[0], self._pair(path[0], path[1]), amountIn)
    last: address = path[len(path) - 1]
    before: uint256 = self._balance(last, to)
    self._swap_measured(path, to)
    got: uint256 = self._balance(last, to) - before
    assert got >= amountOutMin, "UniswapV2Router: INSUFFICIENT_OUTPUT_AMOUNT"


@external
@payable
def swapExactETHForTokensSupportingFeeOnTransferTokens(
    amountOutMin: uint256, path: DynArray[address, 8], to: address, deadline: uint256
):
    self._check(path, deadline, self.WETH, empty(address))
    self._wrap(self._pair(path[0], path[1]), msg.value)
    last: address = path[len(path) - 1]
    before: uint256 = self._balance(last, to)
    self._swap_measured(path, to)
    got: uint256 = self._balance(last, to) - before
    assert got >= amountOutMin, "UniswapV2Router: INSUFFICIENT_OUTPUT_AMOUNT"


@external
def swapExactTokensForETHSupportingFeeOnTransferTokens(
    amountIn: uint256,
    amountOutMin: uint256,
    path: DynArray[address, 8],
    to: address,
    deadline: uint256,
):
    self._check(path, deadline, empty(address), self.WETH)
    self._pull(path[0], self._pair(path[0], path[1]), amountIn)
    self._swap_measured(path, self)
    got: uint256 = self._balance(self.WETH, self)
    assert got >= amountOutMin, "UniswapV2Router: INSUFFICIENT_OUTPUT_AMOUNT"
    self._unwrap(to, got)
