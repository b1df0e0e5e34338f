# pragma version 0.4.3
"""
Fills and cancels of many native orders on the Exchange Proxy of 0x v4.

Each order of a batch of fills is filled by a call of the contract to itself, so that one which
fails takes nothing else with it. Written from docs/protocol/zeroex-v4.md, sections 4, 6 and 7.
"""

import native_cancels
import native_fills
import native_orders
import strict_calldata

uses: native_cancels
uses: native_fills
uses: native_orders

# Vyper wants a bound for each array that it makes; a batch of more fills reverts.
MAX_FILLS: constant(uint256) = 256
# And for each loop; this one is out of reach of any gas.
MAX_TURNS: constant(uint256) = 2**32
# Two arrays of amounts.
MAX_ANSWER: constant(uint256) = 128 + 64 * MAX_FILLS
# A limit order, its signature, an amount and two addresses, behind a selector.
MAX_CALL: constant(uint256) = 4 + 19 * 32

LIMIT_SIZE: constant(uint256) = 384
RFQ_SIZE: constant(uint256) = 320
SIGNATURE_SIZE: constant(uint256) = 128


@internal
@view
def _limit(offset: uint256) -> native_orders.LimitOrder:
    return abi_decode(slice(msg.data, offset, LIMIT_SIZE), native_orders.LimitOrder)


@internal
@view
def _rfq(offset: uint256) -> native_orders.RfqOrder:
    return abi_decode(slice(msg.data, offset, RFQ_SIZE), native_orders.RfqOrder)


@internal
@view
def _signature(offset: uint256) -> native_orders.Signature:
    signature: native_orders.Signature = abi_decode(
        slice(msg.data, offset, SIGNATURE_SIZE), native_orders.Signature
    )
    native_orders.check_kind(signature)
    return signature


# Fills


@internal
@view
def _fill(is_limit: bool, order: uint256, signature: uint256, amount: uint128) -> Bytes[MAX_CALL]:
    """
    The call that fills the order at an offset for the one who sent the batch.
    """
    if is_limit:
        return abi_encode(
            self._limit(order),
            self._signature(signature),
            amount,
            msg.sender,
            msg.sender,
            method_id=method_id(
                "_fillLimitOrder((address,address,uint128,uint128,uint128,address,address,address,address,bytes32,uint64,uint256),(uint8,uint8,bytes32,bytes32),uint128,address,address)"
            ),
        )
    return abi_encode(
        self._rfq(order),
        self._signature(signature),
        amount,
        msg.sender,
        method_id=method_id(
            "_fillRfqOrder((address,address,uint128,uint128,address,address,address,bytes32,uint64,uint256),(uint8,uint8,bytes32,bytes32),uint128,address)"
        ),
    )


@internal
@view
def _refuse_incomplete(is_limit: bool, order: uint256, filled: uint128, wanted: uint128):
    hash: bytes32 = empty(bytes32)
    if is_limit:
        hash = native_orders.limit_hash(self._limit(order))
    else:
        hash = native_orders.rfq_hash(self._rfq(order))
    raw_revert(
        abi_encode(
            hash,
            convert(filled, uint256),
            convert(wanted, uint256),
            method_id=method_id("BatchFillIncompleteError(bytes32,uint256,uint256)"),
        )
    )


@internal
@payable
def fill(is_limit: bool) -> Bytes[MAX_ANSWER]:
    """
    batchFillLimitOrders or batchFillRfqOrders: arrays of orders, signatures and amounts, and
    whether to revert where one is filled less than asked.

    Returns: what was filled of each, in taker and in maker base units; 0 of those that failed.
    """
    size: uint256 = LIMIT_SIZE if is_limit else RFQ_SIZE
    orders: uint256 = 0
    signatures: uint256 = 0
    amounts: uint256 = 0
    count: uint256 = 0
    signature_count: uint256 = 0
    amount_count: uint256 = 0
    orders, count = strict_calldata.array(0, size)
    signatures, signature_count = strict_calldata.array(1, SIGNATURE_SIZE)
    amounts, amount_count = strict_calldata.array(2, 32)
    must_fill: bool = strict_calldata.flag(3)
    if count != signature_count or count != amount_count:
        if is_limit:
            raise "BatchFillNativeOrdersFeature::batchFillLimitOrders/MISMATCHED_ARRAY_LENGTHS"
        raise "BatchFillNativeOrdersFeature::batchFillRfqOrders/MISMATCHED_ARRAY_LENGTHS"
    spent: uint256 = 0
    sold: DynArray[uint128, MAX_FILLS] = []
    bought: DynArray[uint128, MAX_FILLS] = []
    for index: uint256 in range(count, bound=MAX_TURNS):
        order: uint256 = orders + size * index
        amount: uint128 = strict_calldata.amount(amounts + 32 * index)
        success: bool = False
        answer: Bytes[64] = b""
        success, answer = raw_call(
            self,
            self._fill(is_limit, order, signatures + SIGNATURE_SIZE * index, amount),
            max_outsize=64,
            revert_on_failure=False,
        )
        filled: uint128 = 0
        paid: uint128 = 0
        if success:
            filled, paid = abi_decode(answer, (uint128, uint128))
            if is_limit:
                spent += native_fills.protocol_fee()
        sold.append(filled)
        bought.append(paid)
        if must_fill and filled < amount:
            self._refuse_incomplete(is_limit, order, filled, amount)
    if is_limit:
        native_fills.refund(spent)
    return abi_encode(sold, bought)


# Cancels


@internal
def cancel_limit_orders():
    """
    batchCancelLimitOrders: an array of orders, all of which have to be ones.
    """
    orders: uint256 = 0
    count: uint256 = 0
    orders, count = strict_calldata.array(0, LIMIT_SIZE)
    for index: uint256 in range(count, bound=MAX_TURNS):
        self._limit(orders + LIMIT_SIZE * index)
    for index: uint256 in range(count, bound=MAX_TURNS):
        order: native_orders.LimitOrder = self._limit(orders + LIMIT_SIZE * index)
        native_cancels.cancel(native_orders.limit_hash(order), order.maker)


@internal
def cancel_rfq_orders():
    """
    batchCancelRfqOrders: an array of orders, all of which have to be ones.
    """
    orders: uint256 = 0
    count: uint256 = 0
    orders, count = strict_calldata.array(0, RFQ_SIZE)
    for index: uint256 in range(count, bound=MAX_TURNS):
        self._rfq(orders + RFQ_SIZE * index)
    for index: uint256 in range(count, bound=MAX_TURNS):
        order: native_orders.RfqOrder = self._rfq(orders + RFQ_SIZE * index)
        native_cancels.cancel(native_orders.rfq_hash(order), order.maker)


@internal
def cancel_pairs(is_limit: bool):
    """
    batchCancelPairLimitOrders or batchCancelPairRfqOrders: arrays of maker tokens, of taker tokens
    and of least salts.
    """
    makers: uint256 = 0
    takers: uint256 = 0
    salts: uint256 = 0
    count: uint256 = 0
    taker_count: uint256 = 0
    salt_count: uint256 = 0
    makers, count = strict_calldata.array(0, 32)
    takers, taker_count = strict_calldata.array(1, 32)
    salts, salt_count = strict_calldata.array(2, 32)
    for index: uint256 in range(count, bound=MAX_TURNS):
        strict_calldata.account(makers + 32 * index)
    for index: uint256 in range(taker_count, bound=MAX_TURNS):
        strict_calldata.account(takers + 32 * index)
    assert (
        count == taker_count and count == salt_count
    ), "NativeOrdersFeature/MISMATCHED_PAIR_ORDERS_ARRAY_LENGTHS"
    for index: uint256 in range(count, bound=MAX_TURNS):
        maker_token: address = strict_calldata.account(makers + 32 * index)
        taker_token: address = strict_calldata.account(takers + 32 * index)
        salt: uint256 = strict_calldata.word(salts + 32 * index)
        if is_limit:
            native_cancels.cancel_limit_pair(msg.sender, maker_token, taker_token, salt)
        else:
            native_cancels.cancel_rfq_pair(msg.sender, maker_token, taker_token, salt)
