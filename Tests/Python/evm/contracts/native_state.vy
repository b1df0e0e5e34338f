# pragma version 0.4.3
"""
What the Exchange Proxy of 0x v4 knows of native orders, and what follows from it for one.

Written from docs/protocol/zeroex-v4.md, section 6.
"""

import native_orders

uses: native_orders

struct OrderInfo:
    hash: bytes32
    status: uint8
    # In taker base units.
    filled: uint128

interface Token:
    def allowance(_owner: address, _spender: address) -> uint256: view
    def balanceOf(_owner: address) -> uint256: view

INVALID: constant(uint8) = 0
FILLABLE: constant(uint8) = 1
FILLED: constant(uint8) = 2
CANCELLED: constant(uint8) = 3
EXPIRED: constant(uint8) = 4

CANCELLED_BIT: constant(uint256) = 2**255
FILLED_BITS: constant(uint256) = 2**128 - 1

# By the order's hash: how much is filled, in the lower half, and above it whether it is cancelled.
used: HashMap[bytes32, uint256]
# By maker, maker token and taker token.
limit_salts: HashMap[address, HashMap[address, HashMap[address, uint256]]]
rfq_salts: HashMap[address, HashMap[address, HashMap[address, uint256]]]
# Who signs for a maker, and who sends transactions for an origin.
signers: HashMap[address, HashMap[address, bool]]
origins: HashMap[address, HashMap[address, bool]]


@internal
@view
def _info(
    hash: bytes32, taker_amount: uint128, expiry: uint64, salt: uint256, least_salt: uint256
) -> OrderInfo:
    used: uint256 = self.used[hash]
    filled: uint128 = convert(used & FILLED_BITS, uint128)
    status: uint8 = FILLABLE
    if filled >= taker_amount:
        status = FILLED
    elif used & CANCELLED_BIT != 0:
        status = CANCELLED
    elif convert(expiry, uint256) <= block.timestamp:
        status = EXPIRED
    elif least_salt > salt:
        status = CANCELLED
    return OrderInfo(hash=hash, status=status, filled=filled)


@internal
@view
def limit_info(order: native_orders.LimitOrder) -> OrderInfo:
    return self._info(
        native_orders.limit_hash(order),
        order.taker_amount,
        order.expiry,
        order.salt,
        self.limit_salts[order.maker][order.maker_token][order.taker_token],
    )


@internal
@view
def rfq_info(order: native_orders.RfqOrder) -> OrderInfo:
    info: OrderInfo = self._info(
        native_orders.rfq_hash(order),
        order.taker_amount,
        order.expiry,
        order.salt,
        self.rfq_salts[order.maker][order.maker_token][order.taker_token],
    )
    if order.tx_origin == empty(address):
        info.status = INVALID
    return info


@internal
@view
def fillable(
    info: OrderInfo,
    maker: address,
    maker_token: address,
    maker_amount: uint128,
    taker_amount: uint128,
) -> uint128:
    """
    What the maker's funds let be filled of an order, in taker base units.
    """
    if maker_amount == 0 or taker_amount == 0 or info.status != FILLABLE:
        return 0
    offered: uint256 = convert(maker_amount, uint256)
    wanted: uint256 = convert(taker_amount, uint256)
    left: uint256 = (wanted - convert(info.filled, uint256)) * offered // wanted
    allowance: uint256 = staticcall Token(maker_token).allowance(maker, self)
    balance: uint256 = staticcall Token(maker_token).balanceOf(maker)
    funded: uint256 = min(left, min(allowance, balance))
    return convert((funded * wanted + offered - 1) // offered, uint128)


@internal
@view
def signs(signer: address, maker: address) -> bool:
    return signer == maker or self.signers[maker][signer]
