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
ETHSIGN: constant(uint8) = 3
# Of the kinds the last; no order may have it.
PRESIGNED: constant(uint8) = 4

# What SignatureValidationError says of a signature.
ALWAYS_INVALID: constant(uint8) = 0
UNSUPPORTED: constant(uint8) = 2
ALWAYS_ILLEGAL: constant(uint8) = 3
BAD_DATA: constant(uint8) = 5

# What is before a hash that is signed, at the end of a word.
TYPED: constant(bytes32) = 0x0000000000000000000000000000000000000000000000000000000000001901
PERSONAL: constant(bytes32) = (
    0x0000000019457468657265756d205369676e6564204d6573736167653a0a3332
)

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
def typed(struct_hash: bytes32) -> bytes32:
    """
    The EIP-712 hash of a struct for this contract on this chain: of "\x19\x01", the domain and the
    struct's hash, which are 66 bytes.
    """
    return keccak256(slice(abi_encode(TYPED, domain, struct_hash), 30, 66))


@internal
@view
def limit_hash(order: LimitOrder) -> bytes32:
    return self.typed(keccak256(abi_encode(LIMIT_TYPE, order)))


@internal
@view
def rfq_hash(order: RfqOrder) -> bytes32:
    return self.typed(keccak256(abi_encode(RFQ_TYPE, order)))


@internal
@pure
def check_kind(signature: Signature):
    """
    A number that is no kind of signature at all is no argument: it reverts without a word.
    """
    assert signature.kind <= PRESIGNED


@internal
@pure
def recovered(hash: bytes32, kind: uint8, v: uint256, r: uint256, s: uint256) -> (address, uint8):
    """
    Who signed the hash; nobody where the signature is one that nobody can have made, and then
    what SignatureValidationError says of it.
    """
    if r >= GROUP_ORDER or s > GROUP_ORDER // 2:
        return empty(address), BAD_DATA
    if kind == EIP712:
        return ecrecover(hash, v, r, s), BAD_DATA
    if kind == ETHSIGN:
        # "\x19Ethereum Signed Message:\n32" and the hash, which are 60 bytes.
        return ecrecover(keccak256(slice(abi_encode(PERSONAL, hash), 4, 60)), v, r, s), BAD_DATA
    if kind == ILLEGAL:
        return empty(address), ALWAYS_ILLEGAL
    if kind == INVALID:
        return empty(address), ALWAYS_INVALID
    return empty(address), UNSUPPORTED


@internal
@pure
def signer(hash: bytes32, signature: Signature) -> address:
    """
    Who signed the hash; a signature that nobody can have made reverts.

    signature: of a kind that was checked.
    """
    recovered: address = empty(address)
    code: uint8 = BAD_DATA
    recovered, code = self.recovered(
        hash,
        signature.kind,
        convert(signature.v, uint256),
        convert(signature.r, uint256),
        convert(signature.s, uint256),
    )
    if recovered == empty(address):
        raw_revert(
            abi_encode(code, hash, method_id=method_id("SignatureValidationError(uint8,bytes32)"))
        )
    return recovered
