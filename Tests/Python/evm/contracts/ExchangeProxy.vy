# pragma version 0.4.3
"""
The native orders of the Exchange Proxy of 0x v4: fills, cancels and states of signed orders.

Written from docs/protocol/zeroex-v4.md, section 4. What takes arrays of orders to fill or to
cancel comes in __default__ and is in native_batches.vy.
"""

import native_batches
import native_cancels
import native_fills
import native_orders
import native_registry
import native_state
import strict_calldata

initializes: native_orders
initializes: native_registry
initializes: native_state[native_orders := native_orders]
initializes: native_fills[native_state := native_state]
initializes: native_cancels[native_state := native_state]
initializes: native_batches[
    native_cancels := native_cancels, native_fills := native_fills, native_orders := native_orders
]

# Vyper wants a bound for each array; more revert.
MAX_ORIGINS: constant(uint256) = 64
MAX_STATES: constant(uint256) = 256
# A limit order and its signature, behind a selector.
MAX_QUESTION: constant(uint256) = 4 + 16 * 32

event RfqOrderOriginsAllowed:
    origin: address
    addrs: DynArray[address, MAX_ORIGINS]
    allowed: bool

event OrderSignerRegistered:
    maker: address
    signer: address
    allowed: bool


@deploy
def __init__():
    native_orders.__init__()


# Fills


@internal
@pure
def _require_all(hash: bytes32, filled: uint128, wanted: uint128):
    if filled < wanted:
        raw_revert(
            abi_encode(
                hash,
                convert(filled, uint256),
                convert(wanted, uint256),
                method_id=method_id("FillOrKillFailedError(bytes32,uint256,uint256)"),
            )
        )


@external
@payable
def fillLimitOrder(
    order: native_orders.LimitOrder, signature: native_orders.Signature, amount: uint128
) -> (uint128, uint128):
    native_registry.enter(strict_calldata.selector())
    hash: bytes32 = empty(bytes32)
    filled: native_fills.Filled = empty(native_fills.Filled)
    hash, filled = native_fills.fill_limit(order, signature, amount, msg.sender, msg.sender)
    native_fills.refund(filled.protocol_fee)
    return filled.taker_amount, filled.maker_amount


@external
@payable
def fillOrKillLimitOrder(
    order: native_orders.LimitOrder, signature: native_orders.Signature, amount: uint128
) -> uint128:
    native_registry.enter(strict_calldata.selector())
    hash: bytes32 = empty(bytes32)
    filled: native_fills.Filled = empty(native_fills.Filled)
    hash, filled = native_fills.fill_limit(order, signature, amount, msg.sender, msg.sender)
    self._require_all(hash, filled.taker_amount, amount)
    native_fills.refund(filled.protocol_fee)
    return filled.maker_amount


@external
def fillRfqOrder(
    order: native_orders.RfqOrder, signature: native_orders.Signature, amount: uint128
) -> (uint128, uint128):
    native_registry.enter(strict_calldata.selector())
    hash: bytes32 = empty(bytes32)
    filled: native_fills.Filled = empty(native_fills.Filled)
    hash, filled = native_fills.fill_rfq(order, signature, amount, msg.sender)
    return filled.taker_amount, filled.maker_amount


@external
def fillOrKillRfqOrder(
    order: native_orders.RfqOrder, signature: native_orders.Signature, amount: uint128
) -> uint128:
    native_registry.enter(strict_calldata.selector())
    hash: bytes32 = empty(bytes32)
    filled: native_fills.Filled = empty(native_fills.Filled)
    hash, filled = native_fills.fill_rfq(order, signature, amount, msg.sender)
    self._require_all(hash, filled.taker_amount, amount)
    return filled.maker_amount


# Cancels


@external
def cancelLimitOrder(order: native_orders.LimitOrder):
    native_registry.enter(strict_calldata.selector())
    native_cancels.cancel(native_orders.limit_hash(order), order.maker)


@external
def cancelRfqOrder(order: native_orders.RfqOrder):
    native_registry.enter(strict_calldata.selector())
    native_cancels.cancel(native_orders.rfq_hash(order), order.maker)


@external
def cancelPairLimitOrders(maker_token: address, taker_token: address, salt: uint256):
    native_registry.enter(strict_calldata.selector())
    native_cancels.cancel_limit_pair(msg.sender, maker_token, taker_token, salt)


@external
def cancelPairRfqOrders(maker_token: address, taker_token: address, salt: uint256):
    native_registry.enter(strict_calldata.selector())
    native_cancels.cancel_rfq_pair(msg.sender, maker_token, taker_token, salt)


@external
def cancelPairLimitOrdersWithSigner(
    maker: address, maker_token: address, taker_token: address, salt: uint256
):
    native_registry.enter(strict_calldata.selector())
    native_cancels.require_signer(maker)
    native_cancels.cancel_limit_pair(maker, maker_token, taker_token, salt)


@external
def cancelPairRfqOrdersWithSigner(
    maker: address, maker_token: address, taker_token: address, salt: uint256
):
    native_registry.enter(strict_calldata.selector())
    native_cancels.require_signer(maker)
    native_cancels.cancel_rfq_pair(maker, maker_token, taker_token, salt)


# Who acts for whom


@external
def registerAllowedRfqOrigins(origins: DynArray[address, MAX_ORIGINS], allowed: bool):
    native_registry.enter(strict_calldata.selector())
    assert msg.sender == tx.origin, "NativeOrdersFeature/NO_CONTRACT_ORIGINS"
    for origin: address in origins:
        native_state.origins[msg.sender][origin] = allowed
    log RfqOrderOriginsAllowed(origin=msg.sender, addrs=origins, allowed=allowed)


@external
def registerAllowedOrderSigner(signer: address, allowed: bool):
    native_registry.enter(strict_calldata.selector())
    native_state.signers[msg.sender][signer] = allowed
    log OrderSignerRegistered(maker=msg.sender, signer=signer, allowed=allowed)


@external
@view
def isValidOrderSigner(maker: address, signer: address) -> bool:
    native_registry.enter(strict_calldata.selector())
    return native_state.signers[maker][signer]


# What is known of an order


@external
@view
def getLimitOrderHash(order: native_orders.LimitOrder) -> bytes32:
    native_registry.enter(strict_calldata.selector())
    return native_orders.limit_hash(order)


@external
@view
def getRfqOrderHash(order: native_orders.RfqOrder) -> bytes32:
    native_registry.enter(strict_calldata.selector())
    return native_orders.rfq_hash(order)


@external
@view
def getLimitOrderInfo(order: native_orders.LimitOrder) -> native_state.OrderInfo:
    native_registry.enter(strict_calldata.selector())
    return native_state.limit_info(order)


@external
@view
def getRfqOrderInfo(order: native_orders.RfqOrder) -> native_state.OrderInfo:
    native_registry.enter(strict_calldata.selector())
    return native_state.rfq_info(order)


@external
@view
def getLimitOrderRelevantState(
    order: native_orders.LimitOrder, signature: native_orders.Signature
) -> (native_state.OrderInfo, uint128, bool):
    native_registry.enter(strict_calldata.selector())
    info: native_state.OrderInfo = native_state.limit_info(order)
    fillable: uint128 = native_state.fillable(
        info, order.maker, order.maker_token, order.maker_amount, order.taker_amount
    )
    signer: address = native_orders.signer(info.hash, signature)
    return info, fillable, native_state.signs(signer, order.maker)


@external
@view
def getRfqOrderRelevantState(
    order: native_orders.RfqOrder, signature: native_orders.Signature
) -> (native_state.OrderInfo, uint128, bool):
    native_registry.enter(strict_calldata.selector())
    info: native_state.OrderInfo = native_state.rfq_info(order)
    fillable: uint128 = native_state.fillable(
        info, order.maker, order.maker_token, order.maker_amount, order.taker_amount
    )
    signer: address = native_orders.signer(info.hash, signature)
    return info, fillable, native_state.signs(signer, order.maker)


@external
@view
def getProtocolFeeMultiplier() -> uint32:
    native_registry.enter(strict_calldata.selector())
    return native_fills.protocol_fee_multiplier


@external
@view
def batchGetLimitOrderRelevantStates(
    orders: DynArray[native_orders.LimitOrder, MAX_STATES],
    signatures: DynArray[native_orders.Signature, MAX_STATES],
) -> (
    DynArray[native_state.OrderInfo, MAX_STATES],
    DynArray[uint128, MAX_STATES],
    DynArray[bool, MAX_STATES],
):
    native_registry.enter(strict_calldata.selector())
    assert len(orders) == len(signatures), "NativeOrdersFeature/MISMATCHED_ARRAY_LENGTHS"
    infos: DynArray[native_state.OrderInfo, MAX_STATES] = []
    amounts: DynArray[uint128, MAX_STATES] = []
    flags: DynArray[bool, MAX_STATES] = []
    for index: uint256 in range(len(orders), bound=MAX_STATES):
        native_orders.check_kind(signatures[index])
        question: Bytes[MAX_QUESTION] = abi_encode(
            orders[index],
            signatures[index],
            method_id=method_id(
                "getLimitOrderRelevantState((address,address,uint128,uint128,uint128,address,address,address,address,bytes32,uint64,uint256),(uint8,uint8,bytes32,bytes32))"
            ),
        )
        info: native_state.OrderInfo = empty(native_state.OrderInfo)
        amount: uint128 = 0
        flag: bool = False
        info, amount, flag = self._state(question)
        infos.append(info)
        amounts.append(amount)
        flags.append(flag)
    return infos, amounts, flags


@external
@view
def batchGetRfqOrderRelevantStates(
    orders: DynArray[native_orders.RfqOrder, MAX_STATES],
    signatures: DynArray[native_orders.Signature, MAX_STATES],
) -> (
    DynArray[native_state.OrderInfo, MAX_STATES],
    DynArray[uint128, MAX_STATES],
    DynArray[bool, MAX_STATES],
):
    native_registry.enter(strict_calldata.selector())
    assert len(orders) == len(signatures), "NativeOrdersFeature/MISMATCHED_ARRAY_LENGTHS"
    infos: DynArray[native_state.OrderInfo, MAX_STATES] = []
    amounts: DynArray[uint128, MAX_STATES] = []
    flags: DynArray[bool, MAX_STATES] = []
    for index: uint256 in range(len(orders), bound=MAX_STATES):
        native_orders.check_kind(signatures[index])
        question: Bytes[MAX_QUESTION] = abi_encode(
            orders[index],
            signatures[index],
            method_id=method_id(
                "getRfqOrderRelevantState((address,address,uint128,uint128,address,address,address,bytes32,uint64,uint256),(uint8,uint8,bytes32,bytes32))"
            ),
        )
        info: native_state.OrderInfo = empty(native_state.OrderInfo)
        amount: uint128 = 0
        flag: bool = False
        info, amount, flag = self._state(question)
        infos.append(info)
        amounts.append(amount)
        flags.append(flag)
    return infos, amounts, flags


@internal
@view
def _state(question: Bytes[MAX_QUESTION]) -> (native_state.OrderInfo, uint128, bool):
    """
    What the contract answers itself about one order; zeros where that fails.
    """
    success: bool = False
    answer: Bytes[160] = b""
    success, answer = raw_call(
        self, question, max_outsize=160, is_static_call=True, revert_on_failure=False
    )
    if not success:
        return empty(native_state.OrderInfo), 0, False
    return abi_decode(answer, (native_state.OrderInfo, uint128, bool))


# Batches


@external
def _fillLimitOrder(
    order: native_orders.LimitOrder,
    signature: native_orders.Signature,
    amount: uint128,
    taker: address,
    sender: address,
) -> (uint128, uint128):
    """
    One of a batch, which fails by itself. There is no such function to anybody else.
    """
    native_registry.enter(strict_calldata.selector())
    if msg.sender != self:
        native_registry.refuse(strict_calldata.selector())
    hash: bytes32 = empty(bytes32)
    filled: native_fills.Filled = empty(native_fills.Filled)
    hash, filled = native_fills.fill_limit(order, signature, amount, taker, sender)
    return filled.taker_amount, filled.maker_amount


@external
def _fillRfqOrder(
    order: native_orders.RfqOrder,
    signature: native_orders.Signature,
    amount: uint128,
    taker: address,
) -> (uint128, uint128):
    """
    One of a batch, which fails by itself. There is no such function to anybody else.
    """
    native_registry.enter(strict_calldata.selector())
    if msg.sender != self:
        native_registry.refuse(strict_calldata.selector())
    hash: bytes32 = empty(bytes32)
    filled: native_fills.Filled = empty(native_fills.Filled)
    hash, filled = native_fills.fill_rfq(order, signature, amount, taker)
    return filled.taker_amount, filled.maker_amount


@external
@payable
@raw_return
def __default__() -> Bytes[native_batches.MAX_ANSWER]:
    if len(msg.data) == 0:
        # Ether may come without a call.
        return b""
    # What a selector of less than four bytes lacks is zeros.
    selector: bytes4 = strict_calldata.selector()
    native_registry.enter(selector)
    if selector == method_id(
        "batchFillLimitOrders((address,address,uint128,uint128,uint128,address,address,address,address,bytes32,uint64,uint256)[],(uint8,uint8,bytes32,bytes32)[],uint128[],bool)",
        output_type=bytes4,
    ):
        return native_batches.fill(True)
    if selector == method_id(
        "batchFillRfqOrders((address,address,uint128,uint128,address,address,address,bytes32,uint64,uint256)[],(uint8,uint8,bytes32,bytes32)[],uint128[],bool)",
        output_type=bytes4,
    ):
        assert msg.value == 0
        return native_batches.fill(False)
    if selector == method_id(
        "batchCancelLimitOrders((address,address,uint128,uint128,uint128,address,address,address,address,bytes32,uint64,uint256)[])",
        output_type=bytes4,
    ):
        assert msg.value == 0
        native_batches.cancel_limit_orders()
        return b""
    if selector == method_id(
        "batchCancelRfqOrders((address,address,uint128,uint128,address,address,address,bytes32,uint64,uint256)[])",
        output_type=bytes4,
    ):
        assert msg.value == 0
        native_batches.cancel_rfq_orders()
        return b""
    if selector == method_id(
        "batchCancelPairLimitOrders(address[],address[],uint256[])", output_type=bytes4
    ):
        assert msg.value == 0
        native_batches.cancel_pairs(True)
        return b""
    if selector == method_id(
        "batchCancelPairRfqOrders(address[],address[],uint256[])", output_type=bytes4
    ):
        assert msg.value == 0
        native_batches.cancel_pairs(False)
        return b""
    native_registry.refuse(selector)
    return b""
