# pragma version 0.4.3
"""
Limit and RFQ orders of 0x v4: what they are made of, their hashes, and who signed them.

Written from docs/protocol/zeroex-v4.md, sections 2 and 3.
"""

struct LimitOrder:
    maker_token: address
    taker_token: address
    maker_amount: uint128
    taker_amount: uint128
    taker_token_fee_amount: uint128
    maker: address
    taker: address
    sender: address
    fee_recipient: address
    pool: bytes32
    expiry: uint64
    salt: uint256

struct RfqOrder:
    maker_token: address
    taker_token: address
    maker_amount: uint128
    taker_amount: uint128
    maker: address
    taker: address
    tx_origin: address
    pool: bytes32
    expiry: uint64
    salt: uint256

struct Signature:
    # ILLEGAL, INVALID, EIP712, ETHSIGN or PRESIGNED.
    kind: uint8
    v: uint8
    r: bytes32
    s: bytes32

LIMIT_TYPE: constant(bytes32) = keccak256(
    "LimitOrder(address makerToken,address takerToken,uint128 makerAmount,uint128 takerAmount,uint128 takerTokenFeeAmount,address maker,address taker,address sender,address feeRecipient,bytes32 pool,uint64 expiry,uint256 salt)"
)
RFQ_TYPE: constant(bytes32) = keccak256(
    "RfqOrder(address makerToken,address takerToken,uint128 makerAmount,uint128 takerAmount,address maker,address taker,address txOrigin,bytes32 pool,uint64 expiry,uint256 salt)"
)
DOMAIN_TYPE: constant(bytes32) = keccak256(
    "EIP712Domain(string name,string version,uint256 chainId,address verifyingContract)"
)
DOMAIN_NAME: constant(bytes32) = keccak256("ZeroEx")
DOMAIN_VERSION: constant(bytes32) = keccak256("1.0.0")

ILLEGAL: constant(uint8) = 0
INVALID: constant(uint8) = 1
EIP712: constant(uint8) = 2
PRESIGNED: constant(uint8) = 4

# What SignatureValidationError says of a signature.
ALWAYS_INVALID: constant(uint8) = 0
UNSUPPORTED: constant(uint8) = 2
ALWAYS_ILLEGAL: constant(uint8) = 3
BAD_DATA: constant(uint8) = 5

# How many points secp256k1 has.
GROUP_ORDER: constant(uint256) = (
    115792089237316195423570985008687907852837564279074904382605163141518161494337
)

# The EIP-712 domain of this contract on this chain, as section 2 has it.
domain: immutable(bytes32)


@deploy
def __init__():
    domain = keccak256(abi_encode(DOMAIN_TYPE, DOMAIN_NAME, DOMAIN_VERSION, chain.id, self))


@internal
@view
def _typed(struct_hash: bytes32) -> bytes32:
    """
    The EIP-712 hash of a struct for this contract on this chain.
    """
    return keccak256(concat(b"\x19\x01", domain, struct_hash))


@internal
@view
def limit_hash(order: LimitOrder) -> bytes32:
    return self._typed(keccak256(abi_encode(LIMIT_TYPE, order)))


@internal
@view
def rfq_hash(order: RfqOrder) -> bytes32:
    return self._typed(keccak256(abi_encode(RFQ_TYPE, order)))


@internal
@pure
def check_kind(signature: Signature):
    """
    A number that is no kind of signature at all is no argument: it reverts without a word.
    """
    assert signature.kind <= PRESIGNED


@internal
@pure
def _refuse(code: uint8, hash: bytes32):
    raw_revert(
        abi_encode(code, hash, method_id=method_id("SignatureValidationError(uint8,bytes32)"))
    )


@internal
@pure
def signer(hash: bytes32, signature: Signature) -> address:
    """
    Who signed the hash; a signature that nobody can have made reverts.
    """
    self.check_kind(signature)
    if (
        convert(signature.r, uint256) >= GROUP_ORDER
        or convert(signature.s, uint256) > GROUP_ORDER // 2
    ):
        self._refuse(BAD_DATA, hash)
    if signature.kind == ILLEGAL:
        self._refuse(ALWAYS_ILLEGAL, hash)
    if signature.kind == INVALID:
        self._refuse(ALWAYS_INVALID, hash)
    if signature.kind == PRESIGNED:
        self._refuse(UNSUPPORTED, hash)
    message: bytes32 = hash
    if signature.kind != EIP712:
        message = keccak256(concat(b"\x19Ethereum Signed Message:\n32", hash))
    recovered: address = ecrecover(message, signature.v, signature.r, signature.s)
    if recovered == empty(address):
        self._refuse(BAD_DATA, hash)
    return recovered
