# pragma version 0.4.3
"""
Fills of native orders on the Exchange Proxy of 0x v4: checks, the protocol fee, transfers, logs.

Written from docs/protocol/zeroex-v4.md, sections 5 to 8.
"""

import native_orders
import native_state

uses: native_state

event LimitOrderFilled:
    orderHash: bytes32
    maker: address
    taker: address
    feeRecipient: address
    makerToken: address
    takerToken: address
    takerTokenFilledAmount: uint128
    makerTokenFilledAmount: uint128
    takerTokenFeeFilledAmount: uint128
    protocolFeePaid: uint256
    pool: bytes32

event RfqOrderFilled:
    orderHash: bytes32
    maker: address
    taker: address
    makerToken: address
    takerToken: address
    takerTokenFilledAmount: uint128
    makerTokenFilledAmount: uint128
    pool: bytes32

ADDRESS_BITS: constant(uint256) = 2**160 - 1
# What a token may answer that is passed on when it is not what was hoped for.
ANSWER: constant(uint256) = 128

struct Filled:
    # In taker and in maker base units; the fee in wei.
    taker_amount: uint128
    maker_amount: uint128
    protocol_fee: uint256

# In units of the gas price, for each fill of a limit order.
protocol_fee_multiplier: uint32


@internal
def _move(token: address, _from: address, _to: address, amount: uint128):
    assert token != self, "FixinTokenSpender/CANNOT_INVOKE_SELF"
    # Where the call fails, its own reason is passed on.
    answer: Bytes[ANSWER] = raw_call(
        token,
        abi_encode(
            _from,
            _to,
            convert(amount, uint256),
            method_id=method_id("transferFrom(address,address,uint256)"),
        ),
        max_outsize=ANSWER,
    )
    if len(answer) == 0:
        return
    if len(answer) >= 32:
        if convert(slice(answer, 0, 32), uint256) == 1:
            return
    raw_revert(answer)


@internal
@view
def protocol_fee() -> uint256:
    """
    What the fill of one limit order costs, in wei.
    """
    return convert(self.protocol_fee_multiplier, uint256) * tx.gasprice


@internal
@pure
def _collector(pool: bytes32) -> address:
    """
    Who gets the fees of a staking pool: an account of its own, as in the sandbox.
    """
    hash: bytes32 = keccak256(concat(b"dex sandbox: fee collector", pool))
    return convert(convert(hash, uint256) & ADDRESS_BITS, address)


@internal
def _collect(pool: bytes32) -> uint256:
    fee: uint256 = self.protocol_fee()
    if fee > 0:
        paid: bool = raw_call(self._collector(pool), b"", value=fee, revert_on_failure=False)
        assert paid, "FixinProtocolFees/ETHER_TRANSFER_FALIED"
    return fee


@internal
@payable
def refund(spent: uint256):
    """
    Sends back what came with the call and was not spent.
    """
    if msg.value <= spent:
        return
    excess: uint256 = msg.value - spent
    if not raw_call(msg.sender, b"", value=excess, revert_on_failure=False):
        raw_revert(
            abi_encode(
                msg.sender, excess, method_id=method_id("ProtocolFeeRefundFailed(address,uint256)")
            )
        )


@internal
@view
def _require_fillable(info: native_state.OrderInfo):
    if info.status != native_state.FILLABLE:
        raw_revert(
            abi_encode(
                info.hash, info.status, method_id=method_id("OrderNotFillableError(bytes32,uint8)")
            )
        )


@internal
@view
def _require_taker(hash: bytes32, taker: address, reserved: address):
    if reserved != empty(address) and reserved != taker:
        raw_revert(
            abi_encode(
                hash,
                taker,
                reserved,
                method_id=method_id("OrderNotFillableByTakerError(bytes32,address,address)"),
            )
        )


@internal
@view
def _require_signed(hash: bytes32, maker: address, signature: native_orders.Signature):
    signer: address = native_orders.signer(hash, signature)
    if not native_state.signs(signer, maker):
        raw_revert(
            abi_encode(
                hash,
                signer,
                maker,
                method_id=method_id("OrderNotSignedByMakerError(bytes32,address,address)"),
            )
        )


@internal
def _settle(
    info: native_state.OrderInfo,
    maker: address,
    taker: address,
    maker_token: address,
    taker_token: address,
    maker_amount: uint128,
    taker_amount: uint128,
    amount: uint128,
) -> (uint128, uint128):
    """
    Moves what is filled of an order; nothing where either side comes to nothing.

    Returns: what the taker paid and what the maker paid.
    """
    sold: uint128 = min(amount, taker_amount - info.filled)
    bought: uint128 = self._part(sold, taker_amount, maker_amount)
    if sold == 0 or bought == 0:
        return 0, 0
    # A cancelled order never comes here, so there is nothing above the amount.
    native_state.used[info.hash] = convert(info.filled + sold, uint256)
    self._move(taker_token, taker, maker, sold)
    self._move(maker_token, maker, taker, bought)
    return sold, bought


@internal
@pure
def _part(part: uint128, whole: uint128, target: uint128) -> uint128:
    product: uint256 = convert(part, uint256) * convert(target, uint256)
    return convert(product // convert(whole, uint256), uint128)


@internal
def fill_limit(
    order: native_orders.LimitOrder,
    signature: native_orders.Signature,
    amount: uint128,
    taker: address,
    sender: address,
) -> (bytes32, Filled):
    """
    Fills a limit order by an amount of taker token, or by what is left of it.

    Returns: the order's hash, and what was filled and paid.
    """
    native_orders.check_kind(signature)
    info: native_state.OrderInfo = native_state.limit_info(order)
    self._require_fillable(info)
    self._require_taker(info.hash, taker, order.taker)
    if order.sender != empty(address) and order.sender != sender:
        raw_revert(
            abi_encode(
                info.hash,
                sender,
                order.sender,
                method_id=method_id("OrderNotFillableBySenderError(bytes32,address,address)"),
            )
        )
    self._require_signed(info.hash, order.maker, signature)
    filled: Filled = Filled(taker_amount=0, maker_amount=0, protocol_fee=self._collect(order.pool))
    filled.taker_amount, filled.maker_amount = self._settle(
        info,
        order.maker,
        taker,
        order.maker_token,
        order.taker_token,
        order.maker_amount,
        order.taker_amount,
        amount,
    )
    fee: uint128 = 0
    if order.taker_token_fee_amount > 0:
        fee = self._part(filled.taker_amount, order.taker_amount, order.taker_token_fee_amount)
        self._move(order.taker_token, taker, order.fee_recipient, fee)
    log LimitOrderFilled(
        orderHash=info.hash,
        maker=order.maker,
        taker=taker,
        feeRecipient=order.fee_recipient,
        makerToken=order.maker_token,
        takerToken=order.taker_token,
        takerTokenFilledAmount=filled.taker_amount,
        makerTokenFilledAmount=filled.maker_amount,
        takerTokenFeeFilledAmount=fee,
        protocolFeePaid=filled.protocol_fee,
        pool=order.pool,
    )
    return info.hash, filled


@internal
def fill_rfq(
    order: native_orders.RfqOrder,
    signature: native_orders.Signature,
    amount: uint128,
    taker: address,
) -> (bytes32, Filled):
    """
    Fills an RFQ order, which costs no protocol fee; otherwise as a limit order.
    """
    native_orders.check_kind(signature)
    info: native_state.OrderInfo = native_state.rfq_info(order)
    self._require_fillable(info)
    if order.tx_origin != tx.origin and not native_state.origins[order.tx_origin][tx.origin]:
        raw_revert(
            abi_encode(
                info.hash,
                tx.origin,
                order.tx_origin,
                method_id=method_id("OrderNotFillableByOriginError(bytes32,address,address)"),
            )
        )
    self._require_taker(info.hash, taker, order.taker)
    self._require_signed(info.hash, order.maker, signature)
    filled: Filled = empty(Filled)
    filled.taker_amount, filled.maker_amount = self._settle(
        info,
        order.maker,
        taker,
        order.maker_token,
        order.taker_token,
        order.maker_amount,
        order.taker_amount,
        amount,
    )
    log RfqOrderFilled(
        orderHash=info.hash,
        maker=order.maker,
        taker=taker,
        makerToken=order.maker_token,
        takerToken=order.taker_token,
        takerTokenFilledAmount=filled.taker_amount,
        makerTokenFilledAmount=filled.maker_amount,
        pool=order.pool,
    )
    return info.hash, filled
