# pragma version 0.4.3
"""
What the Exchange of 0x v1 does with an order: checks, fills, cancels, logs.
"""

import arithmetic
import orders

event LogFill:
    maker: indexed(address)
    taker: address
    feeRecipient: indexed(address)
    makerToken: address
    takerToken: address
    filledMakerTokenAmount: uint256
    filledTakerTokenAmount: uint256
    paidMakerFee: uint256
    paidTakerFee: uint256
    tokens: indexed(bytes32)
    orderHash: bytes32

event LogCancel:
    maker: indexed(address)
    feeRecipient: indexed(address)
    makerToken: address
    takerToken: address
    cancelledMakerTokenAmount: uint256
    cancelledTakerTokenAmount: uint256
    tokens: indexed(bytes32)
    orderHash: bytes32

event LogError:
    errorId: indexed(uint8)
    orderHash: indexed(bytes32)

# Errors that leave the transaction's status at 1.
EXPIRED: constant(uint8) = 0
FULLY_FILLED_OR_CANCELLED: constant(uint8) = 1
ROUNDING_ERROR_TOO_LARGE: constant(uint8) = 2
INSUFFICIENT_BALANCE_OR_ALLOWANCE: constant(uint8) = 3

QUERY_GAS: constant(uint256) = 4_999

zrx_token: address
transfer_proxy: address
filled: HashMap[bytes32, uint256]
cancelled: HashMap[bytes32, uint256]


@internal
@view
def unavailable(hash: bytes32) -> uint256:
    return arithmetic.add(self.filled[hash], self.cancelled[hash])


@internal
@view
def _left(order: orders.Order) -> uint256:
    unavailable: uint256 = self.unavailable(order.hash)
    assert unavailable <= order.taker_amount, UNREACHABLE
    return order.taker_amount - unavailable


# Tokens


@internal
def _move(token: address, _from: address, _to: address, amount: uint256):
    proxy: address = self.transfer_proxy
    assert proxy.is_contract, UNREACHABLE
    success: bool = False
    answer: Bytes[32] = b""
    success, answer = raw_call(
        proxy,
        abi_encode(
            token,
            _from,
            _to,
            amount,
            method_id=method_id("transferFrom(address,address,address,uint256)"),
        ),
        max_outsize=32,
        revert_on_failure=False,
    )
    assert success, UNREACHABLE
    assert len(answer) == 0 or convert(answer, uint256) != 0


@internal
def _query(token: address, question: Bytes[68]) -> uint256:
    """
    What a token answers with 4,999 gas; one that needs more fails everything.
    """
    assert token.is_contract, UNREACHABLE
    success: bool = False
    answer: Bytes[32] = b""
    success, answer = raw_call(
        token, question, max_outsize=32, gas=QUERY_GAS, revert_on_failure=False
    )
    assert success, UNREACHABLE
    # The answer is written over the question, which stays where nothing is answered.
    if len(answer) == 0:
        return max_value(uint256)
    return convert(answer, uint256)


@internal
def _has(owner: address, token: address, amount: uint256) -> bool:
    """
    The owner has the amount and lets the proxy move it.
    """
    balance: uint256 = self._query(
        token, abi_encode(owner, method_id=method_id("balanceOf(address)"))
    )
    if balance < amount:
        return False
    allowance: uint256 = self._query(
        token,
        abi_encode(owner, self.transfer_proxy, method_id=method_id("allowance(address,address)")),
    )
    return allowance >= amount


@internal
def _is_transferable(order: orders.Order, taker_amount: uint256) -> bool:
    maker_amount: uint256 = arithmetic.part(taker_amount, order.taker_amount, order.maker_amount)
    sells_zrx: bool = False
    buys_with_zrx: bool = False
    if order.fee_recipient != empty(address):
        zrx: address = self.zrx_token
        maker_zrx: uint256 = arithmetic.part(taker_amount, order.taker_amount, order.maker_fee)
        taker_zrx: uint256 = arithmetic.part(taker_amount, order.taker_amount, order.taker_fee)
        sells_zrx = order.maker_token == zrx
        buys_with_zrx = order.taker_token == zrx
        if sells_zrx:
            maker_zrx = arithmetic.add(maker_amount, maker_zrx)
        if buys_with_zrx:
            taker_zrx = arithmetic.add(taker_amount, taker_zrx)
        if not self._has(order.maker, zrx, maker_zrx):
            return False
        if not self._has(msg.sender, zrx, taker_zrx):
            return False
    if not sells_zrx and not self._has(order.maker, order.maker_token, maker_amount):
        return False
    return buys_with_zrx or self._has(msg.sender, order.taker_token, taker_amount)


# Fills and cancels


@internal
def fill(
    order: orders.Order, amount: uint256, throws: bool, signature: orders.Signature
) -> uint256:
    assert order.taker == empty(address) or order.taker == msg.sender
    assert order.maker_amount > 0 and order.taker_amount > 0 and amount > 0
    assert orders.is_valid(order.maker, order.hash, signature)
    if block.timestamp >= order.expiration:
        log LogError(errorId=EXPIRED, orderHash=order.hash)
        return 0
    taker_amount: uint256 = min(amount, self._left(order))
    if taker_amount == 0:
        log LogError(errorId=FULLY_FILLED_OR_CANCELLED, orderHash=order.hash)
        return 0
    if arithmetic.is_rounding_error(taker_amount, order.taker_amount, order.maker_amount):
        log LogError(errorId=ROUNDING_ERROR_TOO_LARGE, orderHash=order.hash)
        return 0
    if not throws and not self._is_transferable(order, taker_amount):
        log LogError(errorId=INSUFFICIENT_BALANCE_OR_ALLOWANCE, orderHash=order.hash)
        return 0
    self._settle(order, taker_amount)
    return taker_amount


@internal
def _settle(order: orders.Order, taker_amount: uint256):
    maker_amount: uint256 = arithmetic.part(taker_amount, order.taker_amount, order.maker_amount)
    self.filled[order.hash] = arithmetic.add(self.filled[order.hash], taker_amount)
    self._move(order.maker_token, order.maker, msg.sender, maker_amount)
    self._move(order.taker_token, msg.sender, order.maker, taker_amount)
    maker_fee: uint256 = 0
    taker_fee: uint256 = 0
    if order.fee_recipient != empty(address):
        if order.maker_fee > 0:
            maker_fee = arithmetic.part(taker_amount, order.taker_amount, order.maker_fee)
            self._move(self.zrx_token, order.maker, order.fee_recipient, maker_fee)
        if order.taker_fee > 0:
            taker_fee = arithmetic.part(taker_amount, order.taker_amount, order.taker_fee)
            self._move(self.zrx_token, msg.sender, order.fee_recipient, taker_fee)
    log LogFill(
        maker=order.maker,
        taker=msg.sender,
        feeRecipient=order.fee_recipient,
        makerToken=order.maker_token,
        takerToken=order.taker_token,
        filledMakerTokenAmount=maker_amount,
        filledTakerTokenAmount=taker_amount,
        paidMakerFee=maker_fee,
        paidTakerFee=taker_fee,
        tokens=orders.pair(order),
        orderHash=order.hash,
    )


@internal
def cancel(order: orders.Order, amount: uint256) -> uint256:
    assert order.maker == msg.sender
    assert order.maker_amount > 0 and order.taker_amount > 0 and amount > 0
    if block.timestamp >= order.expiration:
        log LogError(errorId=EXPIRED, orderHash=order.hash)
        return 0
    taker_amount: uint256 = min(amount, self._left(order))
    if taker_amount == 0:
        log LogError(errorId=FULLY_FILLED_OR_CANCELLED, orderHash=order.hash)
        return 0
    self.cancelled[order.hash] = arithmetic.add(self.cancelled[order.hash], taker_amount)
    log LogCancel(
        maker=order.maker,
        feeRecipient=order.fee_recipient,
        makerToken=order.maker_token,
        takerToken=order.taker_token,
        cancelledMakerTokenAmount=arithmetic.part(
            taker_amount, order.taker_amount, order.maker_amount
        ),
        cancelledTakerTokenAmount=taker_amount,
        tokens=orders.pair(order),
        orderHash=order.hash,
    )
    return taker_amount
