# pragma version 0.4.3
"""
The part of Uniswap's Permit2 that 0x uses: transfers by a signed message, each nonce once; and the
allowances that it keeps itself, of one token at a time.

Written from the behaviour of the published contract. Approximated: a contract signs nothing here.
"""

import strict_calldata

MAX_SIGNATURE: constant(uint256) = 128

DOMAIN_TYPE: constant(bytes32) = keccak256(
    "EIP712Domain(string name,uint256 chainId,address verifyingContract)"
)
DOMAIN_NAME: constant(bytes32) = keccak256("Permit2")
TOKEN_TYPE: constant(bytes32) = keccak256("TokenPermissions(address token,uint256 amount)")
PERMIT_TYPE: constant(bytes32) = keccak256(
    "PermitTransferFrom(TokenPermissions permitted,address spender,uint256 nonce,uint256 deadline)TokenPermissions(address token,uint256 amount)"
)
DETAILS_TYPE: constant(bytes32) = keccak256(
    "PermitDetails(address token,uint160 amount,uint48 expiration,uint48 nonce)"
)
SINGLE_TYPE: constant(bytes32) = keccak256(
    "PermitSingle(PermitDetails details,address spender,uint256 sigDeadline)PermitDetails(address token,uint160 amount,uint48 expiration,uint48 nonce)"
)
MAX_PAIRS: constant(uint256) = 64
# Of a compact signature: the lowest bit of v stands above those of s.
S_BITS: constant(uint256) = 2**255 - 1

struct TokenPermissions:
    token: address
    amount: uint256

struct TransferPermit:
    permitted: TokenPermissions
    nonce: uint256
    deadline: uint256

struct Transfer:
    to: address
    amount: uint256

struct PermitDetails:
    token: address
    amount: uint160
    expiration: uint48
    nonce: uint48

struct PermitSingle:
    details: PermitDetails
    spender: address
    sigDeadline: uint256

struct Allowance:
    amount: uint160
    expiration: uint48
    nonce: uint48

struct TokenSpenderPair:
    token: address
    spender: address

event Approval:
    owner: indexed(address)
    token: indexed(address)
    spender: indexed(address)
    amount: uint160
    expiration: uint48

event Permit:
    owner: indexed(address)
    token: indexed(address)
    spender: indexed(address)
    amount: uint160
    expiration: uint48
    nonce: uint48

event Lockdown:
    owner: indexed(address)
    token: address
    spender: address

event UnorderedNonceInvalidation:
    owner: indexed(address)
    word: uint256
    mask: uint256

# By owner and by the nonce without its last byte: a bit for each of 256 nonces.
nonceBitmap: public(HashMap[address, HashMap[uint256, uint256]])
# By owner, token and spender.
allowance: public(HashMap[address, HashMap[address, HashMap[address, Allowance]]])


@internal
@view
def _domain() -> bytes32:
    return keccak256(abi_encode(DOMAIN_TYPE, DOMAIN_NAME, chain.id, self))


@external
@view
def DOMAIN_SEPARATOR() -> bytes32:
    return self._domain()


@internal
@view
def _hash(permit: TransferPermit, spender: address) -> bytes32:
    """
    What an owner signs; the spender is who calls.
    """
    token: bytes32 = keccak256(abi_encode(TOKEN_TYPE, permit.permitted))
    message: bytes32 = keccak256(
        abi_encode(PERMIT_TYPE, token, spender, permit.nonce, permit.deadline)
    )
    return keccak256(concat(b"\x19\x01", self._domain(), message))


@internal
@view
def _verify(hash: bytes32, signature: Bytes[MAX_SIGNATURE], owner: address):
    # A contract would be asked; none here knows the question.
    assert not owner.is_contract
    r: uint256 = 0
    s: uint256 = 0
    v: uint256 = 0
    if len(signature) == 65:
        r = convert(slice(signature, 0, 32), uint256)
        s = convert(slice(signature, 32, 32), uint256)
        v = convert(slice(signature, 64, 1), uint256)
    elif len(signature) == 64:
        packed: uint256 = convert(slice(signature, 32, 32), uint256)
        r = convert(slice(signature, 0, 32), uint256)
        s = packed & S_BITS
        v = 27 + (packed >> 255)
    else:
        raw_revert(method_id("InvalidSignatureLength()"))
    # A high s is taken, as there.
    signer: address = ecrecover(hash, v, r, s)
    if signer == empty(address):
        raw_revert(method_id("InvalidSignature()"))
    if signer != owner:
        raw_revert(method_id("InvalidSigner()"))


@internal
def _use(owner: address, nonce: uint256):
    word: uint256 = nonce >> 8
    bit: uint256 = 1 << (nonce & 255)
    used: uint256 = self.nonceBitmap[owner][word]
    if used & bit != 0:
        raw_revert(method_id("InvalidNonce()"))
    self.nonceBitmap[owner][word] = used | bit


@internal
def _move(token: address, owner: address, to: address, amount: uint256):
    success: bool = False
    answer: Bytes[32] = b""
    success, answer = raw_call(
        token,
        abi_encode(
            owner, to, amount, method_id=method_id("transferFrom(address,address,uint256)")
        ),
        max_outsize=32,
        revert_on_failure=False,
    )
    answered: bool = len(answer) == 0 or (len(answer) == 32 and convert(answer, uint256) == 1)
    assert success and answered, "TRANSFER_FROM_FAILED"


@external
def permitTransferFrom(
    permit: TransferPermit, transfer: Transfer, owner: address, signature: Bytes[MAX_SIGNATURE]
):
    """
    Moves at most what the owner signed for the caller, once and until the deadline.
    """
    # A signature that ends before its length does reverts; Vyper would read zeros.
    offset: uint256 = strict_calldata.word(228)
    assert 36 + offset + len(signature) <= len(msg.data)
    if block.timestamp > permit.deadline:
        raw_revert(
            abi_encode(permit.deadline, method_id=method_id("SignatureExpired(uint256)"))
        )
    if transfer.amount > permit.permitted.amount:
        raw_revert(
            abi_encode(permit.permitted.amount, method_id=method_id("InvalidAmount(uint256)"))
        )
    self._use(owner, permit.nonce)
    self._verify(self._hash(permit, msg.sender), signature, owner)
    self._move(permit.permitted.token, owner, transfer.to, transfer.amount)


@external
def invalidateUnorderedNonces(word: uint256, mask: uint256):
    """
    Uses up each nonce of a word whose bit is set.
    """
    self.nonceBitmap[msg.sender][word] |= mask
    log UnorderedNonceInvalidation(owner=msg.sender, word=word, mask=mask)


@internal
@view
def _end(expiration: uint48) -> uint48:
    """
    Zero is the end of this block.
    """
    return expiration if expiration != 0 else convert(block.timestamp, uint48)


@external
def approve(token: address, spender: address, amount: uint160, expiration: uint48):
    """
    Allows a spender an amount; the nonce stays.
    """
    self.allowance[msg.sender][token][spender].amount = amount
    self.allowance[msg.sender][token][spender].expiration = self._end(expiration)
    log Approval(
        owner=msg.sender, token=token, spender=spender, amount=amount, expiration=expiration
    )


@external
def permit(owner: address, permitSingle: PermitSingle, signature: Bytes[MAX_SIGNATURE]):
    """
    Sets an allowance by its owner's signature, once and until the deadline.
    """
    offset: uint256 = strict_calldata.word(228)
    assert 36 + offset + len(signature) <= len(msg.data)
    if block.timestamp > permitSingle.sigDeadline:
        raw_revert(
            abi_encode(permitSingle.sigDeadline, method_id=method_id("SignatureExpired(uint256)"))
        )
    details: PermitDetails = permitSingle.details
    message: bytes32 = keccak256(
        abi_encode(
            SINGLE_TYPE,
            keccak256(abi_encode(DETAILS_TYPE, details)),
            permitSingle.spender,
            permitSingle.sigDeadline,
        )
    )
    self._verify(keccak256(concat(b"\x19\x01", self._domain(), message)), signature, owner)
    spender: address = permitSingle.spender
    if self.allowance[owner][details.token][spender].nonce != details.nonce:
        raw_revert(method_id("InvalidNonce()"))
    self.allowance[owner][details.token][spender] = Allowance(
        amount=details.amount,
        expiration=self._end(details.expiration),
        nonce=convert((convert(details.nonce, uint256) + 1) % 2**48, uint48),
    )
    log Permit(
        owner=owner,
        token=details.token,
        spender=spender,
        amount=details.amount,
        expiration=details.expiration,
        nonce=details.nonce,
    )


@external
def transferFrom(owner: address, to: address, amount: uint160, token: address):
    """
    Moves tokens within the caller's allowance; an unlimited one stays.
    """
    allowed: Allowance = self.allowance[owner][token][msg.sender]
    if block.timestamp > convert(allowed.expiration, uint256):
        raw_revert(
            abi_encode(
                convert(allowed.expiration, uint256),
                method_id=method_id("AllowanceExpired(uint256)"),
            )
        )
    if allowed.amount != max_value(uint160):
        if amount > allowed.amount:
            raw_revert(
                abi_encode(
                    convert(allowed.amount, uint256),
                    method_id=method_id("InsufficientAllowance(uint256)"),
                )
            )
        self.allowance[owner][token][msg.sender].amount = allowed.amount - amount
    self._move(token, owner, to, convert(amount, uint256))


@external
def lockdown(approvals: DynArray[TokenSpenderPair, MAX_PAIRS]):
    """
    Takes the caller's allowances away; expirations and nonces stay.
    """
    # A list that ends before its length does reverts; Vyper would read zeros.
    offset: uint256 = strict_calldata.word(4)
    assert 36 + offset + 64 * len(approvals) <= len(msg.data)
    for pair: TokenSpenderPair in approvals:
        self.allowance[msg.sender][pair.token][pair.spender].amount = 0
        log Lockdown(owner=msg.sender, token=pair.token, spender=pair.spender)
