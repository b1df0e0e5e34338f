# pragma version 0.4.3
"""
The native orders of the Exchange Proxy of 0x v4: fills, cancels and states of signed orders.

Written from docs/protocol/zeroex-v4.md, section 4. What takes arrays of orders comes in __default__
and is in native_batches.vy and native_states.vy.
"""

import native_batches
import native_cancels
import native_fills
import native_orders
import native_registry
import native_state
import native_states
import strict_calldata

initializes: native_orders
initializes: native_registry
initializes: native_state[native_orders := native_orders]
initializes: native_states[native_orders := native_orders, native_state := native_state]
initializes: native_fills[native_state := native_state]
initializes: native_cancels[native_state := native_state]
initializes: native_batches[
    native_cancels := native_cancels, native_fills := native_fills, native_orders := native_orders
]

# Vyper wants a bound for the array; more revert.
MAX_ORIGINS: constant(uint256) = 64
# Three offsets, three lengths, and five words of each order.
MAX_STATE_WORDS: constant(uint256) = 6 + 5 * native_states.MAX_STATES

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
    native_orders.check_kind(signature)
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
    native_orders.check_kind(signature)
    signer: address = native_orders.signer(info.hash, signature)
    return info, fillable, native_state.signs(signer, order.maker)


@external
@view
def getProtocolFeeMultiplier() -> uint32:
    native_registry.enter(strict_calldata.selector())
    return native_fills.protocol_fee_multiplier


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
def __default__() -> Bytes[32 * MAX_STATE_WORDS]:
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
    is_limit: bool = selector == method_id(
        "batchGetLimitOrderRelevantStates((address,address,uint128,uint128,uint128,address,address,address,address,bytes32,uint64,uint256)[],(uint8,uint8,bytes32,bytes32)[])",
        output_type=bytes4,
    )
    if is_limit or selector == method_id(
        "batchGetRfqOrderRelevantStates((address,address,uint128,uint128,address,address,address,bytes32,uint64,uint256)[],(uint8,uint8,bytes32,bytes32)[])",
        output_type=bytes4,
    ):
        assert msg.value == 0
        # In a function of its own these words would lie before the memory of the fills, which
        # would cost those more gas.
        order: uint256 = 0
        signature: uint256 = 0
        count: uint256 = 0
        order, signature, count = native_states.asked(is_limit)
        order_size: uint256 = 32 * (
            native_states.LIMIT_WORDS if is_limit else native_states.RFQ_WORDS
        )
        # The genuine contract asks itself for each, which fails where it has no such function.
        has_states: bool = native_registry.has(
            method_id(
                "getLimitOrderRelevantState((address,address,uint128,uint128,uint128,address,address,address,address,bytes32,uint64,uint256),(uint8,uint8,bytes32,bytes32))",
                output_type=bytes4,
            )
            if is_limit
            else method_id(
                "getRfqOrderRelevantState((address,address,uint128,uint128,address,address,address,bytes32,uint64,uint256),(uint8,uint8,bytes32,bytes32))",
                output_type=bytes4,
            )
        )
        words: uint256[MAX_STATE_WORDS] = empty(uint256[MAX_STATE_WORDS])
        info: uint256 = 4
        amount: uint256 = 5 + 3 * count
        flag: uint256 = 6 + 4 * count
        words[0] = 96
        words[1] = 32 * (amount - 1)
        words[2] = 32 * (flag - 1)
        words[3] = count
        words[amount - 1] = count
        words[flag - 1] = count
        for index: uint256 in range(count, bound=native_states.MAX_STATES):
            state: native_states.State = native_states.state(is_limit, order, signature)
            if has_states:
                words[info] = convert(state.hash, uint256)
                words[unsafe_add(info, 1)] = convert(state.status, uint256)
                words[unsafe_add(info, 2)] = state.filled
                words[unsafe_add(amount, index)] = state.fillable
                words[unsafe_add(flag, index)] = convert(state.is_signed, uint256)
            info = unsafe_add(info, 3)
            order = unsafe_add(order, order_size)
            signature = unsafe_add(signature, 32 * native_states.SIGNATURE_WORDS)
        return slice(abi_encode(words), 0, 32 * (6 + 5 * count))
    native_registry.refuse(selector)
    return b""
