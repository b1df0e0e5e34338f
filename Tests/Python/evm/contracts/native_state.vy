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
def progress(
    hash: bytes32, taker_amount: uint256, expiry: uint256, salt: uint256, least_salt: uint256
) -> (uint256, uint8):
    """
    What is filled of an order, in taker base units, and its status.
    """
    used: uint256 = self.used[hash]
    filled: uint256 = used & FILLED_BITS
    if filled >= taker_amount:
        return filled, FILLED
    if used >= CANCELLED_BIT:
        return filled, CANCELLED
    if expiry <= block.timestamp:
        return filled, EXPIRED
    if least_salt > salt:
        return filled, CANCELLED
    return filled, FILLABLE


@internal
@view
def limit_info(order: native_orders.LimitOrder) -> OrderInfo:
    hash: bytes32 = native_orders.limit_hash(order)
    filled: uint256 = 0
    status: uint8 = INVALID
    filled, status = self.progress(
        hash,
        convert(order.taker_amount, uint256),
        convert(order.expiry, uint256),
        order.salt,
        self.limit_salts[order.maker][order.maker_token][order.taker_token],
    )
    return OrderInfo(hash=hash, status=status, filled=convert(filled, uint128))


@internal
@view
def rfq_info(order: native_orders.RfqOrder) -> OrderInfo:
    hash: bytes32 = native_orders.rfq_hash(order)
    filled: uint256 = 0
    status: uint8 = INVALID
    filled, status = self.progress(
        hash,
        convert(order.taker_amount, uint256),
        convert(order.expiry, uint256),
        order.salt,
        self.rfq_salts[order.maker][order.maker_token][order.taker_token],
    )
    if order.tx_origin == empty(address):
        status = INVALID
    return OrderInfo(hash=hash, status=status, filled=convert(filled, uint128))


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
    allowance: uint256 = staticcall Token(maker_token).allowance(maker, self)
    balance: uint256 = staticcall Token(maker_token).balanceOf(maker)
    amount: uint256 = self.funded(
        convert(maker_amount, uint256),
        convert(taker_amount, uint256),
        convert(info.filled, uint256),
        min(allowance, balance),
    )
    return convert(amount, uint128)


@internal
@pure
def funded(offered: uint256, wanted: uint256, filled: uint256, funds: uint256) -> uint256:
    """
    What funds let be filled of an order that is not filled. The amounts have 128 bits, so nothing
    overflows.
    """
    left: uint256 = unsafe_div(unsafe_mul(unsafe_sub(wanted, filled), offered), wanted)
    product: uint256 = unsafe_mul(min(left, funds), wanted)
    return unsafe_div(unsafe_sub(unsafe_add(product, offered), 1), offered)


@internal
@view
def signs(signer: address, maker: address) -> bool:
    return signer == maker or self.signers[maker][signer]
