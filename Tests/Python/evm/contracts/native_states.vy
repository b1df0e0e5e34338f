# pragma version 0.4.3
"""
The states of many native orders on the Exchange Proxy of 0x v4.

The genuine contract asks itself about each order and leaves zeros where that fails, which is the
maker's token's fault or the signature's. Here both are tried without a call to itself, and orders
are read as words: a book of ten thousand orders asks for as many states.

Written from docs/protocol/zeroex-v4.md, sections 2, 4 and 6.
"""

import native_orders
import native_state
import strict_calldata

uses: native_orders
uses: native_state

# Vyper wants a bound for what it makes; a batch of more states reverts.
MAX_STATES: constant(uint256) = 256

LIMIT_WORDS: constant(uint256) = 12
RFQ_WORDS: constant(uint256) = 10
SIGNATURE_WORDS: constant(uint256) = 4

# What is known of an order; amounts in taker base units.
struct State:
    hash: bytes32
    status: uint8
    filled: uint256
    fillable: uint256
    is_signed: bool


@internal
@view
def asked(is_limit: bool) -> (uint256, uint256, uint256):
    """
    Two arrays of the call: orders and their signatures.

    Returns: where the first of either begins, and how many there are.
    """
    orders: uint256 = 0
    signatures: uint256 = 0
    count: uint256 = 0
    signature_count: uint256 = 0
    orders, count = strict_calldata.array(0, 32 * (LIMIT_WORDS if is_limit else RFQ_WORDS))
    signatures, signature_count = strict_calldata.array(1, 32 * SIGNATURE_WORDS)
    assert count == signature_count, "NativeOrdersFeature/MISMATCHED_ARRAY_LENGTHS"
    assert count <= MAX_STATES
    return orders, signatures, count


@internal
@view
def state(is_limit: bool, order: uint256, signature: uint256) -> State:
    """
    The state of the order at an offset, with the signature at another; zeros where either fails.
    """
    signed: uint256[SIGNATURE_WORDS] = abi_decode(
        slice(msg.data, signature, 32 * SIGNATURE_WORDS), uint256[SIGNATURE_WORDS]
    )
    kind: uint8 = convert(signed[0], uint8)
    assert kind <= native_orders.PRESIGNED
    assert signed[1] <= 255
    hash: bytes32 = empty(bytes32)
    maker: address = empty(address)
    maker_token: address = empty(address)
    maker_amount: uint256 = 0
    taker_amount: uint256 = 0
    expiry: uint256 = 0
    salt: uint256 = 0
    least_salt: uint256 = 0
    has_origin: bool = True
    if is_limit:
        words: uint256[LIMIT_WORDS] = abi_decode(
            slice(msg.data, order, 32 * LIMIT_WORDS), uint256[LIMIT_WORDS]
        )
        # Addresses, which the others become below; amounts; the expiry.
        assert (words[6] | words[7] | words[8]) >> 160 == 0
        assert (words[2] | words[3] | words[4]) >> 128 == 0
        assert words[10] >> 64 == 0
        hash = native_orders.typed(keccak256(abi_encode(native_orders.LIMIT_TYPE, words)))
        maker_token = convert(words[0], address)
        maker = convert(words[5], address)
        maker_amount = words[2]
        taker_amount = words[3]
        expiry = words[10]
        salt = words[11]
        least_salt = native_state.limit_salts[maker][maker_token][convert(words[1], address)]
    else:
        words: uint256[RFQ_WORDS] = abi_decode(
            slice(msg.data, order, 32 * RFQ_WORDS), uint256[RFQ_WORDS]
        )
        assert (words[5] | words[6]) >> 160 == 0
        assert (words[2] | words[3]) >> 128 == 0
        assert words[8] >> 64 == 0
        hash = native_orders.typed(keccak256(abi_encode(native_orders.RFQ_TYPE, words)))
        maker_token = convert(words[0], address)
        maker = convert(words[4], address)
        maker_amount = words[2]
        taker_amount = words[3]
        expiry = words[8]
        salt = words[9]
        least_salt = native_state.rfq_salts[maker][maker_token][convert(words[1], address)]
        has_origin = words[6] != 0
    signer: address = empty(address)
    code: uint8 = 0
    signer, code = native_orders.recovered(hash, kind, signed[1], signed[2], signed[3])
    if signer == empty(address):
        return empty(State)
    filled: uint256 = 0
    status: uint8 = native_state.INVALID
    filled, status = native_state.progress(hash, taker_amount, expiry, salt, least_salt)
    if not has_origin:
        status = native_state.INVALID
    fillable: uint256 = 0
    if status == native_state.FILLABLE and maker_amount != 0:
        success: bool = False
        answer: Bytes[32] = b""
        success, answer = raw_call(
            maker_token,
            abi_encode(maker, self, method_id=method_id("allowance(address,address)")),
            max_outsize=32,
            is_static_call=True,
            revert_on_failure=False,
        )
        if not success or len(answer) < 32:
            return empty(State)
        allowance: uint256 = convert(answer, uint256)
        success, answer = raw_call(
            maker_token,
            abi_encode(maker, method_id=method_id("balanceOf(address)")),
            max_outsize=32,
            is_static_call=True,
            revert_on_failure=False,
        )
        if not success or len(answer) < 32:
            return empty(State)
        balance: uint256 = convert(answer, uint256)
        fillable = native_state.funded(
            maker_amount, taker_amount, filled, min(allowance, balance)
        )
    return State(
        hash=hash,
        status=status,
        filled=filled,
        fillable=fillable,
        is_signed=native_state.signs(signer, maker),
    )
