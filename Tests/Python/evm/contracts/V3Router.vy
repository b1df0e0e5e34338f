# pragma version 0.4.3
"""
Uniswap's SwapRouter02, ours, as far as it swaps: with v3 pools and v2 pairs, in multicalls, with the
ways of coins and tokens out of it.

Its functions, their checks and their reasons are the genuine one's. Left out: the variants with a fee,
selfPermit, approve, and what belongs to the position manager.
"""

import range_paths

MAX_PATH: constant(uint256) = 512
# What a pool hands back: a path, an address, and their encoding.
MAX_DATA: constant(uint256) = 640
MAX_TOKENS: constant(uint256) = 16
# Of a multicall: calls, bytes of one, bytes of its answer, and of the whole of it.
MAX_CALLS: constant(uint256) = 16
MAX_CALL: constant(uint256) = 512
MAX_ANSWER: constant(uint256) = 192
MAX_CALLDATA: constant(uint256) = 6144
MAX_RESULT: constant(uint256) = 3840

PAIR_CODE: constant(
    bytes32
) = 0x96e8ac4277198ff8b6f785478aa9a39f403cb768dd02cbee326c3e7da348845f
IDENTITY: constant(address) = 0x0000000000000000000000000000000000000004
MASK160: constant(uint256) = 2**160 - 1
# Recipients with a meaning in the swaps: the sender, and the router.
SENDER: constant(address) = 0x0000000000000000000000000000000000000001
ROUTER: constant(address) = 0x0000000000000000000000000000000000000002


interface Pool:
    def swap(
        recipient: address, zeroForOne: bool, amount: int256, limit: uint160, data: Bytes[MAX_DATA]
    ) -> (int256, int256): nonpayable


interface Pair:
    def getReserves() -> (uint112, uint112, uint32): view
    def swap(amount0Out: uint256, amount1Out: uint256, to: address, data: Bytes[32]): nonpayable


interface Token:
    def balanceOf(owner: address) -> uint256: view
    def transfer(to: address, amount: uint256) -> bool: nonpayable


interface Wrapped:
    def deposit(): payable
    def withdraw(amount: uint256): nonpayable


struct ExactInputSingleParams:
    tokenIn: address
    tokenOut: address
    fee: uint24
    recipient: address
    amountIn: uint256
    amountOutMinimum: uint256
    sqrtPriceLimitX96: uint160


struct ExactInputParams:
    path: Bytes[MAX_PATH]
    recipient: address
    amountIn: uint256
    amountOutMinimum: uint256


struct ExactOutputSingleParams:
    tokenIn: address
    tokenOut: address
    fee: uint24
    recipient: address
    amountOut: uint256
    amountInMaximum: uint256
    sqrtPriceLimitX96: uint160


struct ExactOutputParams:
    path: Bytes[MAX_PATH]
    recipient: address
    amountOut: uint256
    amountInMaximum: uint256


struct Swapped:
    path: Bytes[MAX_PATH]
    payer: address


factoryV2: public(immutable(address))
factory: public(immutable(address))
WETH9: public(immutable(address))

# What an exact output over several pools cost; between two of them the greatest number.
amount_in: uint256


@deploy
def __init__(_factory_v2: address, _factory: address, _wrapped: address):
    factoryV2 = _factory_v2
    factory = _factory
    WETH9 = _wrapped


# Tokens and coins


@internal
def _move(token: address, data: Bytes[100]) -> bool:
    """
    Calls a token. Returns whether it did what it should: it may answer nothing, or true.
    """
    done: bool = False
    answer: Bytes[32] = b""
    done, answer = raw_call(token, data, max_outsize=32, revert_on_failure=False)
    if not done:
        return False
    if len(answer) == 0:
        return True
    return abi_decode(answer, bool)


@internal
def _send(token: address, to: address, amount: uint256):
    data: Bytes[100] = abi_encode(to, amount, method_id=method_id("transfer(address,uint256)"))
    assert self._move(token, data), "ST"


@internal
def _pull(token: address, owner: address, to: address, amount: uint256):
    data: Bytes[100] = abi_encode(
        owner, to, amount, method_id=method_id("transferFrom(address,address,uint256)")
    )
    assert self._move(token, data), "STF"


@internal
def _send_coins(to: address, amount: uint256):
    done: bool = raw_call(to, b"", value=amount, revert_on_failure=False)
    assert done, "STE"


@internal
@view
def _balance(token: address, owner: address) -> uint256:
    return staticcall Token(token).balanceOf(owner)


@internal
def _pay(token: address, payer: address, to: address, amount: uint256):
    if token == WETH9 and self.balance >= amount:
        extcall Wrapped(WETH9).deposit(value=amount)
        extcall Token(WETH9).transfer(to, amount)
    elif payer == self:
        self._send(token, to, amount)
    else:
        self._pull(token, payer, to, amount)


@internal
@view
def _recipient(named: address) -> address:
    if named == SENDER:
        return msg.sender
    if named == ROUTER:
        return self
    return named


@internal
@view
def _payment(named: uint256, token: address) -> (uint256, address):
    """
    What is sold and who pays it: 0 is all that the router has.
    """
    if named == 0:
        return self._balance(token, self), self
    return named, msg.sender


@external
@payable
def unwrapWETH9(amountMinimum: uint256, recipient: address = msg.sender):
    amount: uint256 = self._balance(WETH9, self)
    assert amount >= amountMinimum, "Insufficient WETH9"
    if amount > 0:
        extcall Wrapped(WETH9).withdraw(amount)
        self._send_coins(recipient, amount)


@external
@payable
def sweepToken(token: address, amountMinimum: uint256, recipient: address = msg.sender):
    amount: uint256 = self._balance(token, self)
    assert amount >= amountMinimum, "Insufficient token"
    if amount > 0:
        self._send(token, recipient, amount)


@external
@payable
def refundETH():
    if self.balance > 0:
        self._send_coins(msg.sender, self.balance)


@external
@payable
def wrapETH(amount: uint256):
    extcall Wrapped(WETH9).deposit(value=amount)


@external
@payable
def pull(token: address, amount: uint256):
    self._pull(token, msg.sender, self, amount)


# Several calls


@external
@payable
def multicall(deadline: uint256, data: DynArray[Bytes[MAX_CALL], MAX_CALLS]) -> DynArray[
    Bytes[MAX_ANSWER], MAX_CALLS
]:
    assert block.timestamp <= deadline, "Transaction too old"
    answers: DynArray[Bytes[MAX_ANSWER], MAX_CALLS] = []
    for call: Bytes[MAX_CALL] in data:
        done: bool = False
        answer: Bytes[MAX_ANSWER] = b""
        done, answer = raw_call(
            self,
            call,
            max_outsize=MAX_ANSWER,
            is_delegate_call=True,
            revert_on_failure=False,
        )
        if not done:
            # A reason has more bytes; whatever has fewer is no reason.
            assert len(answer) >= 68
            raw_revert(answer)
        # What fills the room may be cut.
        assert len(answer) < MAX_ANSWER
        answers.append(answer)
    return answers


@external
@payable
@raw_return
def __default__() -> Bytes[MAX_RESULT]:
    """
    Wrapped ether's coins, and the two other multicalls, each as one with a deadline that never comes.
    """
    if len(msg.data) == 0:
        assert msg.sender == WETH9, "Not WETH9"
        return b""
    all: Bytes[MAX_CALLDATA] = raw_call(
        IDENTITY, msg.data, max_outsize=MAX_CALLDATA, is_static_call=True
    )
    call: Bytes[MAX_CALLDATA + 68] = b""
    if slice(all, 0, 4) == method_id("multicall(bytes[])"):
        # The array lies one word further behind.
        start: uint256 = convert(slice(all, 4, 32), uint256) + 32
        call = concat(
            method_id("multicall(uint256,bytes[])"),
            convert(max_value(uint256), bytes32),
            convert(start, bytes32),
            slice(all, 36, len(all) - 36),
        )
    else:
        assert slice(all, 0, 4) == method_id("multicall(bytes32,bytes[])")
        last: bytes32 = convert(slice(all, 4, 32), bytes32)
        assert blockhash(block.number - 1) == last, "Blockhash"
        call = concat(
            method_id("multicall(uint256,bytes[])"),
            convert(max_value(uint256), bytes32),
            slice(all, 36, len(all) - 36),
        )
    return raw_call(self, call, max_outsize=MAX_RESULT, is_delegate_call=True)


@internal
@view
def _word(offset: uint256) -> uint256:
    return convert(slice(msg.data, offset, 32), uint256)


@internal
@view
def _require_path(start: uint256, index: uint256, size: uint256):
    """
    Reverts where call data ends before a path does, which would be read as zeros.

    start: of the arguments of which the one at the index says where the path is.
    """
    assert start + self._word(start + 32 * index) + 32 + size <= len(msg.data)


# v3


@internal
def _swap(
    path: Bytes[MAX_PATH], amount: int256, named: address, limit: uint160, payer: address
) -> (uint256, uint256):
    """
    amount: what is sold; less than 0 what is bought, whose path begins with it.

    Returns what was sold and bought.
    """
    one: address = empty(address)
    other: address = empty(address)
    fee: uint24 = 0
    one, other, fee = range_paths.first(path)
    falls: bool = range_paths.is_before(one, other) == (amount > 0)
    amount0: int256 = 0
    amount1: int256 = 0
    amount0, amount1 = extcall Pool(range_paths.pool(factory, one, other, fee)).swap(
        self._recipient(named),
        falls,
        amount,
        range_paths.limit(limit, falls),
        abi_encode(Swapped(path=path, payer=payer)),
    )
    sold: int256 = amount0 if falls else amount1
    bought: int256 = amount1 if falls else amount0
    return (
        convert(convert(sold, bytes32), uint256),
        convert(convert(unsafe_sub(0, bought), bytes32), uint256),
    )


@internal
def _sell(
    path: Bytes[MAX_PATH], amount: uint256, named: address, limit: uint160, payer: address
) -> uint256:
    sold: uint256 = 0
    bought: uint256 = 0
    sold, bought = self._swap(path, convert(amount, int256), named, limit, payer)
    return bought


@internal
def _buy(
    path: Bytes[MAX_PATH], amount: uint256, named: address, limit: uint160, payer: address
) -> uint256:
    sold: uint256 = 0
    bought: uint256 = 0
    sold, bought = self._swap(path, -convert(amount, int256), named, limit, payer)
    # Without a limit all or nothing.
    assert limit != 0 or bought == amount
    return sold


@external
def uniswapV3SwapCallback(amount0Delta: int256, amount1Delta: int256, data: Bytes[MAX_DATA]):
    assert amount0Delta > 0 or amount1Delta > 0
    swapped: Swapped = abi_decode(data, Swapped)
    one: address = empty(address)
    other: address = empty(address)
    fee: uint24 = 0
    one, other, fee = range_paths.first(swapped.path)
    assert msg.sender == range_paths.pool(factory, one, other, fee)
    amount: uint256 = convert(amount0Delta if amount0Delta > 0 else amount1Delta, uint256)
    if range_paths.is_before(one, other) == (amount0Delta > 0):
        self._pay(one, swapped.payer, msg.sender, amount)
    elif range_paths.has_more(swapped.path):
        # Bought from the next pool, which pays this one.
        self._buy(range_paths.rest(swapped.path), amount, msg.sender, 0, swapped.payer)
    else:
        self.amount_in = amount
        self._pay(other, swapped.payer, msg.sender, amount)


@external
@payable
def exactInputSingle(params: ExactInputSingleParams) -> uint256:
    amount: uint256 = 0
    payer: address = empty(address)
    amount, payer = self._payment(params.amountIn, params.tokenIn)
    bought: uint256 = self._sell(
        range_paths.only(params.tokenIn, params.fee, params.tokenOut),
        amount,
        params.recipient,
        params.sqrtPriceLimitX96,
        payer,
    )
    assert bought >= params.amountOutMinimum, "Too little received"
    return bought


@external
@payable
def exactInput(params: ExactInputParams) -> uint256:
    self._require_path(4 + self._word(4), 0, len(params.path))
    amount: uint256 = params.amountIn
    payer: address = msg.sender
    path: Bytes[MAX_PATH] = params.path
    if amount == 0:
        one: address = empty(address)
        other: address = empty(address)
        fee: uint24 = 0
        one, other, fee = range_paths.first(path)
        amount, payer = self._payment(0, one)
    for _: uint256 in range(MAX_PATH):
        assert len(path) >= 43, "slice_outOfBounds"
        has_more: bool = range_paths.has_more(path)
        amount = self._sell(
            slice(path, 0, 43), amount, self if has_more else params.recipient, 0, payer
        )
        if not has_more:
            break
        payer = self
        path = range_paths.rest(path)
    assert amount >= params.amountOutMinimum, "Too little received"
    return amount


@external
@payable
def exactOutputSingle(params: ExactOutputSingleParams) -> uint256:
    sold: uint256 = self._buy(
        range_paths.only(params.tokenOut, params.fee, params.tokenIn),
        params.amountOut,
        params.recipient,
        params.sqrtPriceLimitX96,
        msg.sender,
    )
    assert sold <= params.amountInMaximum, "Too much requested"
    self.amount_in = max_value(uint256)
    return sold


@external
@payable
def exactOutput(params: ExactOutputParams) -> uint256:
    self._require_path(4 + self._word(4), 0, len(params.path))
    self._buy(params.path, params.amountOut, params.recipient, 0, msg.sender)
    sold: uint256 = self.amount_in
    assert sold <= params.amountInMaximum, "Too much requested"
    self.amount_in = max_value(uint256)
    return sold


# v2


@internal
@view
def _pair(one: address, other: address) -> address:
    """
    Where the factory puts a pair of two tokens, in any order.
    """
    assert one != other
    assert one != empty(address) and other != empty(address)
    salt: bytes32 = empty(bytes32)
    if range_paths.is_before(one, other):
        salt = keccak256(concat(convert(one, bytes20), convert(other, bytes20)))
    else:
        salt = keccak256(concat(convert(other, bytes20), convert(one, bytes20)))
    hash: bytes32 = keccak256(concat(b"\xff", convert(factoryV2, bytes20), salt, PAIR_CODE))
    return convert(convert(convert(hash, uint256) & MASK160, uint160), address)


@internal
@view
def _reserves(sold: address, bought: address) -> (address, uint256, uint256):
    """
    A pair, and its reserves of both tokens.
    """
    pair: address = self._pair(sold, bought)
    first: uint112 = 0
    second: uint112 = 0
    time: uint32 = 0
    first, second, time = staticcall Pair(pair).getReserves()
    if range_paths.is_before(sold, bought):
        return pair, convert(first, uint256), convert(second, uint256)
    return pair, convert(second, uint256), convert(first, uint256)


@internal
def _swap_pairs(path: DynArray[address, MAX_TOKENS], to: address):
    """
    Swaps with all pairs of a path; the first one has been paid.
    """
    last: uint256 = len(path) - 1
    for index: uint256 in range(last, bound=MAX_TOKENS):
        sold: address = path[index]
        bought: address = path[index + 1]
        pair: address = empty(address)
        reserve_in: uint256 = 0
        reserve_out: uint256 = 0
        pair, reserve_in, reserve_out = self._reserves(sold, bought)
        amount: uint256 = self._balance(sold, pair) - reserve_in
        assert amount > 0, "INSUFFICIENT_INPUT_AMOUNT"
        assert reserve_in > 0 and reserve_out > 0
        out: uint256 = amount * 997 * reserve_out // (reserve_in * 1000 + amount * 997)
        target: address = to
        if index + 1 < last:
            target = self._pair(bought, path[index + 2])
        if range_paths.is_before(sold, bought):
            extcall Pair(pair).swap(0, out, target, b"")
        else:
            extcall Pair(pair).swap(out, 0, target, b"")


@external
@payable
def swapExactTokensForTokens(
    amountIn: uint256, amountOutMin: uint256, path: DynArray[address, MAX_TOKENS], to: address
) -> uint256:
    self._require_path(4, 2, 32 * len(path))
    # The genuine contract reads tokens that are not there.
    assert len(path) >= 2, UNREACHABLE
    amount: uint256 = 0
    payer: address = empty(address)
    amount, payer = self._payment(amountIn, path[0])
    self._pay(path[0], payer, self._pair(path[0], path[1]), amount)
    recipient: address = self._recipient(to)
    bought: address = path[len(path) - 1]
    before: uint256 = self._balance(bought, recipient)
    self._swap_pairs(path, recipient)
    received: uint256 = self._balance(bought, recipient) - before
    assert received >= amountOutMin, "Too little received"
    return received


@external
@payable
def swapTokensForExactTokens(
    amountOut: uint256, amountInMax: uint256, path: DynArray[address, MAX_TOKENS], to: address
) -> uint256:
    self._require_path(4, 2, 32 * len(path))
    assert len(path) >= 2
    amount: uint256 = amountOut
    for back: uint256 in range(len(path) - 1, bound=MAX_TOKENS):
        index: uint256 = len(path) - 1 - back
        pair: address = empty(address)
        reserve_in: uint256 = 0
        reserve_out: uint256 = 0
        pair, reserve_in, reserve_out = self._reserves(path[index - 1], path[index])
        assert amount > 0, "INSUFFICIENT_OUTPUT_AMOUNT"
        assert reserve_in > 0 and reserve_out > 0
        numerator: uint256 = reserve_in * amount * 1000
        left: uint256 = reserve_out - amount
        # The genuine contract divides by 0.
        assert left > 0, UNREACHABLE
        amount = numerator // (left * 997) + 1
    assert amount <= amountInMax, "Too much requested"
    self._pay(path[0], msg.sender, self._pair(path[0], path[1]), amount)
    self._swap_pairs(path, self._recipient(to))
    return amount
