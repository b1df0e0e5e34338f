"""What Permit2 in Vyper has to do, and what others say of the messages that it takes."""

from __future__ import annotations

from collections.abc import Callable, Iterator

from eth_account import Account
from eth_account.messages import encode_typed_data
from uniswap_universal_router_decoder import RouterCodec
from uniswap_universal_router_decoder._constants import (
    permit2_abi,
    permit2_address,
    permit2_domain_data,
)
from web3 import Web3

from deployment import PERMIT2, SETTLER
from market import ETHER, MAKER, MAKER_KEY, START, TAKER, TAKER_KEY
from native_functions import selector
from native_stage import Answer, Stage
from swap_encoding import (
    PERMIT_TRANSFER_FROM,
    WETH,
    Permit,
    bought,
    call,
    domain,
    execute,
    execute_unsigned,
    sell,
    signed,
    transfer_from,
)
from swap_market import (
    DEADLINE,
    ZRX,
    ZRX_POOL,
    balance,
    equal,
    four,
    permit,
    reserves,
    reverts,
    signature,
    stage,
    succeeds,
)

AMOUNT = 10 * ETHER
WETH_OUT = bought(AMOUNT, *reserves(ZRX_POOL, ZRX))
# Of the facts: a message of mainnet and its hash.
KNOWN = Permit(
    token=WETH,
    amount=100_000 * ETHER,
    nonce=2241959297937691820908574931991559,
    deadline=1739918089,
    spender="0x0d0e364aa7852291883c162b22d6d81f6355428f",
    chain_id=1,
)
KNOWN_HASH = "afb2c83591d83ec04d0792eaa00d36f5a509dfab6666fa787e310afa276bf379"
GROUP_ORDER = 0xFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFEBAAEDCE6AF48A03BBFD25E8CD0364141


def _take(
    chain: Stage, message: Permit, proof: bytes, *, amount: int | None = None, owner: str = TAKER
) -> Answer:
    """The maker takes tokens by a message that names it as the spender."""
    wanted = message.amount if amount is None else amount
    data = call(PERMIT_TRANSFER_FROM, message.tuple, (MAKER, wanted), owner, proof)
    return chain.send(MAKER, data, to=PERMIT2)


def _mine(**changes: int) -> Permit:
    return permit(ZRX, AMOUNT, **changes).but(spender=MAKER)


def messages() -> Iterator[str]:
    """The known message has its hash, and eth-account signs the same one for an owner"""
    yield from equal(KNOWN.hash.hex(), KNOWN_HASH, "the known hash")
    for message in (KNOWN, permit(ZRX, AMOUNT, nonce=2**256 - 1), permit(WETH, 1)):
        theirs = Account.sign_typed_data(TAKER_KEY, full_message=message.typed_data)
        yield from equal(theirs.message_hash.hex(), message.hash.hex(), "the hash by eth-account")
        yield from equal(bytes(theirs.signature).hex(), signature(message).hex(), "signature")
    chain = stage(chainId=1)
    yield from equal(
        chain.ask(call("DOMAIN_SEPARATOR()"), to=PERMIT2).output.hex(), domain(1).hex(), "domain"
    )
    # The contract on a chain of its own takes what eth-account signed for that chain.
    message = _mine(nonce=7).but(chain_id=1)
    theirs = Account.sign_typed_data(TAKER_KEY, full_message=message.typed_data)
    yield from succeeds(_take(chain, message, bytes(theirs.signature)))
    yield from reverts(
        _take(stage(), message, bytes(theirs.signature)), four("InvalidSigner()")
    )


def peers() -> Iterator[str]:
    """A decoder for Uniswap's router knows the same contract, domain, call and errors"""
    yield from equal(permit2_address.lower(), PERMIT2, "the address")
    details = (Web3.to_checksum_address(ZRX), 1, 2, 3, permit2_address, 4)
    _, message = RouterCodec.create_permit2_signable_message(*details, 1337)
    yield from equal(message.header.hex(), domain(1337).hex(), "the domain of chain 1337")
    types = {"PermitTransferFrom": KNOWN.typed_data["types"]["PermitTransferFrom"]}
    types["TokenPermissions"] = KNOWN.typed_data["types"]["TokenPermissions"]
    content = {
        "permitted": {"token": KNOWN.token, "amount": KNOWN.amount},
        "spender": KNOWN.spender,
        "nonce": KNOWN.nonce,
        "deadline": KNOWN.deadline,
    }
    theirs = encode_typed_data(permit2_domain_data, types, content)
    found = Web3.keccak(b"\x19" + theirs.version + theirs.header + theirs.body)
    yield from equal(found.hex(), KNOWN_HASH, "the known hash in their domain")
    contract = Web3().eth.contract(address=permit2_address, abi=permit2_abi)
    for message in (KNOWN, _mine(nonce=2**255)):
        proof = signature(message)
        ours = call(PERMIT_TRANSFER_FROM, message.tuple, (MAKER, 5), TAKER, proof)
        to_them = (Web3.to_checksum_address(MAKER), 5)
        token = Web3.to_checksum_address(message.token)
        terms = ((token, message.amount), message.nonce, message.deadline)
        data = contract.encode_abi(
            "permitTransferFrom",
            [terms, to_them, Web3.to_checksum_address(TAKER), proof],
        )
        yield from equal(data, f"0x{ours.hex()}", "the call of permitTransferFrom")
    errors = {
        f"{item['name']}({','.join(part['type'] for part in item['inputs'])})"
        for item in contract.abi
        if item["type"] == "error"
    }
    for error in ("SignatureExpired(uint256)", "InvalidAmount(uint256)", "InvalidNonce()"):
        yield from equal(error in errors, True, f"{error} being an error of theirs")
    for error in ("InvalidSigner()", "InvalidSignature()", "InvalidSignatureLength()"):
        yield from equal(error in errors, True, f"{error} being an error of theirs")


def transfers() -> Iterator[str]:
    """A signed transfer works once, for its spender, token, amount and time"""
    message = _mine()
    proof = signature(message)
    chain = stage()
    yield from reverts(
        _take(chain, message, proof, amount=AMOUNT + 1), call("InvalidAmount(uint256)", AMOUNT)
    )
    yield from succeeds(_take(chain, message, proof, amount=AMOUNT - 1))
    yield from equal(balance(chain, ZRX, MAKER), 1_001 * ETHER + 9 * ETHER - 1, "the maker's ZRX")
    yield from reverts(_take(chain, message, proof), four("InvalidNonce()"))
    # Others of the same word of nonces, and of the next one.
    for nonce in (1, 255, 256, 2**256 - 1):
        other = _mine(nonce=nonce)
        yield from succeeds(_take(chain, other, signature(other)))
        yield from reverts(_take(chain, other, signature(other)), four("InvalidNonce()"))
    word = chain.ask(call("nonceBitmap(address,uint256)", TAKER, 0), to=PERMIT2).output
    yield from equal(int.from_bytes(word, "big"), 1 | 2 | 1 << 255, "the word of nonces")
    late = _mine(deadline=START)
    expected = call("SignatureExpired(uint256)", START)
    yield from reverts(_take(chain, late, signature(late)), expected)
    last = _mine(nonce=9, deadline=START + 1)
    yield from succeeds(_take(chain, last, signature(last)))
    # Each changed term is another message.
    base = _mine(nonce=20)
    proof = signature(base)
    for changed in (
        base.but(token=WETH),
        base.but(amount=AMOUNT + 1),
        base.but(nonce=21),
        base.but(deadline=DEADLINE + 1),
    ):
        yield from reverts(_take(chain, changed, proof), four("InvalidSigner()"))
    for_other = base.but(spender=SETTLER)
    yield from reverts(_take(chain, base, signature(for_other)), four("InvalidSigner()"))
    yield from reverts(_take(chain, base, signature(base, MAKER_KEY)), four("InvalidSigner()"))
    # A nonce that its owner gave up.
    data = call("invalidateUnorderedNonces(uint256,uint256)", 0, 1 << 20)
    yield from succeeds(chain.send(TAKER, data, to=PERMIT2))
    yield from reverts(_take(chain, base, proof), four("InvalidNonce()"))
    # A token that is not approved.
    other = _mine(nonce=30)
    answer = _take(stage(allowances=[]), other, signature(other))
    yield from reverts(answer, call("Error(string)", "TRANSFER_FROM_FAILED"))


def signatures() -> Iterator[str]:
    """65 bytes or 64 compact ones are a signature; others are refused by name"""
    message = _mine()
    proof = signature(message)
    r, s, v = proof[:32], int.from_bytes(proof[32:64], "big"), proof[64]
    compact = r + (s | (v - 27) << 255).to_bytes(32, "big")
    yield from succeeds(_take(stage(), message, compact))
    # The published contract takes the other of both signatures.
    high = r + (GROUP_ORDER - s).to_bytes(32, "big") + bytes([55 - v])
    yield from succeeds(_take(stage(), message, high))
    length = four("InvalidSignatureLength()")
    for bad in (b"", proof[:63], proof + b"\0"):
        yield from reverts(_take(stage(), message, bad), length)
    for bad in (proof[:64] + b"\x1d", bytes(64) + b"\x1b", proof[:64] + b"\0"):
        yield from reverts(_take(stage(), message, bad), four("InvalidSignature()"))
    yield from reverts(_take(stage(), message, proof, owner=SETTLER), b"")


def appended() -> Iterator[str]:
    """A quote's call data takes its signature at the end, and is canonical to nobody"""
    message = permit(ZRX, AMOUNT, nonce=2**200 + 5)
    actions = [sell(ZRX_POOL, ZRX, SETTLER)]
    bare = execute_unsigned(TAKER, WETH, WETH_OUT, message, actions)
    data = signed(bare, signature(message))
    yield from equal(len(data) - len(bare), 97, "what is appended")
    chain = stage()
    yield from succeeds(chain.send(TAKER, data, to=SETTLER))
    yield from equal(balance(chain, ZRX, TAKER), 990 * ETHER, "the taker's ZRX")
    yield from equal(balance(chain, WETH, TAKER), 1_000 * ETHER + WETH_OUT, "the taker's WETH")
    yield from reverts(chain.send(TAKER, data, to=SETTLER), four("InvalidNonce()"))
    # Without the signature, with a cut one, by another, and for someone else's tokens.
    length = four("InvalidSignatureLength()")
    yield from reverts(stage().send(TAKER, bare, to=SETTLER), length)
    yield from reverts(stage().send(TAKER, signed(bare, b"\1" * 63), to=SETTLER), length)
    yield from reverts(stage().send(TAKER, signed(bare, b"\1" * 66), to=SETTLER), length)
    # Its last byte, v, is a zero then.
    invalid = four("InvalidSignature()")
    yield from reverts(stage().send(TAKER, data[:-1], to=SETTLER), invalid)
    forged = signed(bare, signature(message, MAKER_KEY))
    yield from reverts(stage().send(TAKER, forged, to=SETTLER), four("InvalidSigner()"))
    yield from reverts(stage().send(MAKER, data, to=SETTLER), four("InvalidSigner()"))
    # The same in the order that ABI has.
    strict = execute(
        TAKER, WETH, WETH_OUT, [transfer_from(SETTLER, message, signature(message)), *actions]
    )
    chain = stage()
    yield from succeeds(chain.send(TAKER, strict, to=SETTLER))
    yield from equal(balance(chain, WETH, TAKER), 1_000 * ETHER + WETH_OUT, "WETH by the other")
    late = message.but(deadline=START)
    data = signed(execute_unsigned(TAKER, WETH, 1, late, actions), signature(late))
    expected = call("SignatureExpired(uint256)", START)
    yield from reverts(stage().send(TAKER, data, to=SETTLER), expected)
    small = execute_unsigned(TAKER, WETH, WETH_OUT + 1, message, actions)
    answer = stage().send(TAKER, signed(small, signature(message)), to=SETTLER)
    expected = call("TooMuchSlippage(address,uint256,uint256)", WETH, WETH_OUT + 1, WETH_OUT)
    yield from reverts(answer, expected)
    yield from equal(selector(PERMIT_TRANSFER_FROM).hex(), "30f28b7a", "its selector")


CHECKS: tuple[Callable[[], Iterator[str]], ...] = (
    messages,
    peers,
    transfers,
    signatures,
    appended,
)
