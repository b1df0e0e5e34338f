# pragma version 0.4.3
"""
The Exchange of 0x v1, as published in August 2017: fills and cancels of signed orders.

Written from docs/protocol/zeroex-v1.md. Its functions are told apart here and not by Vyper, which
would revert where the contract of 2017 burns all gas (INVALID; UNREACHABLE here) or goes on: see
calldata.vy and docs/evm.md.
"""

import arithmetic
import calldata
import fills
import orders

initializes: fills

# Vyper wants a bound for each loop; this one is out of reach of any gas.
MAX_ORDERS: constant(uint256) = 2**32

struct Batch:
    # Where the first elements begin in the call data.
    addresses: uint256
    values: uint256
    amounts: uint256
    v: uint256
    r: uint256
    s: uint256
    # How many orders there are.
    count: uint256
    # How many elements the shortest of the arrays has.
    shortest: uint256


@internal
@view
def _batch(arguments: uint256[7], amounts: bool, signatures: uint256) -> Batch:
    """
    The arrays of a function: addresses and values, amounts where it has them, and v, r and s from
    the given argument on, where it has them.
    """
    batch: Batch = empty(Batch)
    batch.addresses, batch.count = calldata.array(arguments[0], 5, arguments[0])
    batch.shortest = batch.count
    count: uint256 = 0
    batch.values, count = calldata.array(arguments[1], 6, arguments[0])
    batch.shortest = min(batch.shortest, count)
    if amounts:
        batch.amounts, count = calldata.array(arguments[2], 1, arguments[0])
        batch.shortest = min(batch.shortest, count)
    if signatures != 0:
        batch.v, count = calldata.array(arguments[signatures], 1, arguments[0])
        batch.shortest = min(batch.shortest, count)
        batch.r, count = calldata.array(arguments[signatures + 1], 1, arguments[0])
        batch.shortest = min(batch.shortest, count)
        batch.s, count = calldata.array(arguments[signatures + 2], 1, arguments[0])
        batch.shortest = min(batch.shortest, count)
    return batch


@internal
@view
def _order(batch: Batch, index: uint256) -> orders.Order:
    assert index < batch.shortest, UNREACHABLE
    return orders.at(batch.addresses + 160 * index, batch.values + 192 * index)


@internal
@view
def _signature(batch: Batch, index: uint256) -> orders.Signature:
    return orders.Signature(
        v=calldata.word(batch.v + 32 * index),
        r=calldata.word(batch.r + 32 * index),
        s=calldata.word(batch.s + 32 * index),
    )


@internal
@view
def _amount(batch: Batch, index: uint256) -> uint256:
    return calldata.word(batch.amounts + 32 * index)


@internal
@view
def _taker_token(batch: Batch, index: uint256) -> address:
    return calldata.account(calldata.word(batch.addresses + 160 * index + 96))


@internal
@view
def _single() -> orders.Order:
    """
    The order whose eleven words are the first arguments.
    """
    return orders.at(4, 164)


@internal
def _fill_single() -> uint256:
    # The order's salt, the amount, whether to throw, and the signature.
    last: uint256[6] = calldata.words(324)
    signature: orders.Signature = orders.Signature(v=last[3], r=last[4], s=last[5])
    return fills.fill(self._single(), last[1], last[2] != 0, signature)


@internal
def _fill_or_kill_single():
    # The order's expiration and salt, the amount, and the signature.
    last: uint256[6] = calldata.words(292)
    signature: orders.Signature = orders.Signature(v=last[3], r=last[4], s=last[5])
    assert fills.fill(self._single(), last[2], False, signature) == last[2]


@internal
def _fill_up_to() -> uint256:
    arguments: uint256[7] = calldata.arguments()
    batch: Batch = self._batch(arguments, False, 4)
    amount: uint256 = arguments[2]
    filled: uint256 = 0
    first: address = empty(address)
    for index: uint256 in range(batch.count, bound=MAX_ORDERS):
        taker_token: address = self._taker_token(batch, index)
        if index == 0:
            first = taker_token
        assert taker_token == first
        order: orders.Order = self._order(batch, index)
        signature: orders.Signature = self._signature(batch, index)
        filled += fills.fill(order, amount - filled, arguments[3] != 0, signature)
        if filled == amount:
            break
    return filled


@internal
def _batch_fill():
    arguments: uint256[7] = calldata.arguments()
    batch: Batch = self._batch(arguments, True, 4)
    for index: uint256 in range(batch.count, bound=MAX_ORDERS):
        order: orders.Order = self._order(batch, index)
        signature: orders.Signature = self._signature(batch, index)
        fills.fill(order, self._amount(batch, index), arguments[3] != 0, signature)


@internal
def _batch_fill_or_kill():
    batch: Batch = self._batch(calldata.arguments(), True, 3)
    for index: uint256 in range(batch.count, bound=MAX_ORDERS):
        order: orders.Order = self._order(batch, index)
        signature: orders.Signature = self._signature(batch, index)
        amount: uint256 = self._amount(batch, index)
        assert fills.fill(order, amount, False, signature) == amount


@internal
def _batch_cancel():
    batch: Batch = self._batch(calldata.arguments(), True, 0)
    for index: uint256 in range(batch.count, bound=MAX_ORDERS):
        fills.cancel(self._order(batch, index), self._amount(batch, index))


@internal
def _change(selector: bytes4) -> (bool, Bytes[32]):
    """
    Runs a function that changes something.

    Returns: whether the selector is of one, and what it answers.
    """
    if selector == method_id(
        "fillOrdersUpTo(address[5][],uint256[6][],uint256,bool,uint8[],bytes32[],bytes32[])",
        output_type=bytes4,
    ):
        return True, abi_encode(self._fill_up_to())
    if selector == method_id(
        "fillOrder(address[5],uint256[6],uint256,bool,uint8,bytes32,bytes32)", output_type=bytes4
    ):
        return True, abi_encode(self._fill_single())
    if selector == method_id(
        "fillOrKillOrder(address[5],uint256[6],uint256,uint8,bytes32,bytes32)", output_type=bytes4
    ):
        self._fill_or_kill_single()
        return True, b""
    if selector == method_id(
        "batchFillOrders(address[5][],uint256[6][],uint256[],bool,uint8[],bytes32[],bytes32[])",
        output_type=bytes4,
    ):
        self._batch_fill()
        return True, b""
    if selector == method_id(
        "batchFillOrKillOrders(address[5][],uint256[6][],uint256[],uint8[],bytes32[],bytes32[])",
        output_type=bytes4,
    ):
        self._batch_fill_or_kill()
        return True, b""
    if selector == method_id("cancelOrder(address[5],uint256[6],uint256)", output_type=bytes4):
        return True, abi_encode(fills.cancel(self._single(), calldata.word(356)))
    if selector == method_id(
        "batchCancelOrders(address[5][],uint256[6][],uint256[])", output_type=bytes4
    ):
        self._batch_cancel()
        return True, b""
    return False, b""


@internal
@view
def _hash(argument: uint256) -> bytes32:
    return convert(calldata.word(4 + 32 * argument), bytes32)


@internal
@view
def _read(selector: bytes4) -> Bytes[96]:
    """
    Answers a function that changes nothing.
    """
    if selector == method_id("filled(bytes32)", output_type=bytes4):
        return abi_encode(fills.filled[self._hash(0)])
    if selector == method_id("cancelled(bytes32)", output_type=bytes4):
        return abi_encode(fills.cancelled[self._hash(0)])
    if selector == method_id("getOrderHash(address[5],uint256[6])", output_type=bytes4):
        return abi_encode(self._single().hash)
    if selector == method_id(
        "isValidSignature(address,bytes32,uint8,bytes32,bytes32)", output_type=bytes4
    ):
        signer: address = calldata.account(calldata.word(4))
        signature: orders.Signature = orders.Signature(
            v=calldata.word(68), r=calldata.word(100), s=calldata.word(132)
        )
        return abi_encode(orders.is_valid(signer, self._hash(1), signature))
    if selector == method_id("getPartialAmount(uint256,uint256,uint256)", output_type=bytes4):
        return abi_encode(
            arithmetic.part(calldata.word(4), calldata.word(36), calldata.word(68))
        )
    if selector == method_id("isRoundingError(uint256,uint256,uint256)", output_type=bytes4):
        return abi_encode(
            arithmetic.is_rounding_error(calldata.word(4), calldata.word(36), calldata.word(68))
        )
    if selector == method_id("ZRX_TOKEN_CONTRACT()", output_type=bytes4):
        return abi_encode(fills.zrx_token)
    if selector == method_id("TOKEN_TRANSFER_PROXY_CONTRACT()", output_type=bytes4):
        return abi_encode(fills.transfer_proxy)
    if selector == method_id("VERSION()", output_type=bytes4):
        return abi_encode("1.0.0")
    if selector == method_id("EXTERNAL_QUERY_GAS_LIMIT()", output_type=bytes4):
        return abi_encode(fills.QUERY_GAS)
    raise UNREACHABLE


@external
@payable
@raw_return
def __default__() -> Bytes[96]:
    # None of its functions takes ether.
    assert msg.value == 0, UNREACHABLE
    selector: bytes4 = calldata.selector()
    # A book asks for this of each of its orders, so it is looked at first.
    if selector == method_id("getUnavailableTakerTokenAmount(bytes32)", output_type=bytes4):
        return abi_encode(fills.unavailable(convert(calldata.word(4), bytes32)))
    is_change: bool = False
    answer: Bytes[32] = b""
    is_change, answer = self._change(selector)
    if is_change:
        return answer
    return self._read(selector)
