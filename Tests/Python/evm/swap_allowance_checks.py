"""What Permit2 in Vyper has to do with the allowances that it keeps, and what others say of them."""

from __future__ import annotations

from collections.abc import Callable, Iterator

from eth_account import Account
from uniswap_universal_router_decoder import RouterCodec
from uniswap_universal_router_decoder._constants import permit2_abi, permit2_address
from web3 import Web3

from deployment import PERMIT2, SETTLER
from market import ETHER, MAKER, MAKER_KEY, START, TAKER, TAKER_KEY
from native_functions import selector
from native_stage import Answer, Stage
from swap_encoding import call
from swap_market import DEADLINE, ZRX, balance, equal, four, reverts, stage, succeeds

AMOUNT = 10 * ETHER
UNLIMITED = 2**160 - 1
# The block's.
NOW = START + 1
ALLOWANCE = "allowance(address,address,address)"
APPROVE = "approve(address,address,uint160,uint48)"
LOCKDOWN = "lockdown((address,address)[])"
TAKE = "transferFrom(address,address,uint160,address)"
PERMIT = "permit(address,((address,uint160,uint48,uint48),address,uint256),bytes)"
# As the published contract has them.
TOPICS = {
    "Approval": "da9fa7c1b00402c17d0161b249b1ab8bbec047c5a52207b9c112deffd817036b",
    "Permit": "c6a377bfc4eb120024a8ac08eef205be16b817020812c73223e81d1bdb9708ec",
    "Lockdown": "89b1add15eff56b3dfe299ad94e01f2b52fbcb80ae1a3baea6ae8c04cb2b98a4",
}


def _kept(chain: Stage) -> tuple[int, ...]:
    """Amount, expiration and nonce of the maker's allowance of the taker's ZRX."""
    words = chain.ask(call(ALLOWANCE, TAKER, ZRX, MAKER), to=PERMIT2).output
    return tuple(int.from_bytes(words[at : at + 32], "big") for at in range(0, len(words), 32))


def _approve(chain: Stage, amount: int, expiration: int = DEADLINE) -> Answer:
    return chain.send(TAKER, call(APPROVE, ZRX, MAKER, amount, expiration), to=PERMIT2)


def _take(chain: Stage, amount: int, sender: str = MAKER) -> Answer:
    return chain.send(sender, call(TAKE, TAKER, MAKER, amount, ZRX), to=PERMIT2)


def _permit(
    amount: int, *, nonce: int = 0, deadline: int = DEADLINE, key: str = TAKER_KEY
) -> bytes:
    """The call by which anyone sets the maker's allowance with the taker's signature."""
    addresses = [Web3.to_checksum_address(text) for text in (ZRX, MAKER)]
    _, message = RouterCodec.create_permit2_signable_message(
        addresses[0], amount, DEADLINE, nonce, addresses[1], deadline, 1337
    )
    proof = bytes(Account.sign_message(message, key).signature)
    return call(PERMIT, TAKER, ((ZRX, amount, DEADLINE, nonce), MAKER, deadline), proof)


def names() -> Iterator[str]:
    """Functions, events and errors are those of the ABI that a decoder for Uniswap has"""
    contract = Web3().eth.contract(address=permit2_address, abi=permit2_abi)
    for item in contract.abi:
        if item["type"] == "event" and item["name"] in TOPICS:
            types = ",".join(part["type"] for part in item["inputs"])
            found = Web3.keccak(text=f"{item['name']}({types})").hex()
            yield from equal(found.removeprefix("0x"), TOPICS[item["name"]], item["name"])
    token, spender = (Web3.to_checksum_address(text) for text in (ZRX, MAKER))
    for name, ours, values in (
        ("approve", call(APPROVE, ZRX, MAKER, 5, 6), [token, spender, 5, 6]),
        ("lockdown", call(LOCKDOWN, [(ZRX, MAKER)]), [[(token, spender)]]),
    ):
        yield from equal(contract.encode_abi(name, values), f"0x{ours.hex()}", name)
    for signature, known in (
        (ALLOWANCE, "927da105"),
        (TAKE, "36c78516"),
        (PERMIT, "2b67b570"),
        (APPROVE, "87517c45"),
        (LOCKDOWN, "cc53287f"),
    ):
        yield from equal(selector(signature).hex(), known, signature)


def draws() -> Iterator[str]:
    """An allowance is drawn by its spender alone, within its amount and time"""
    chain = stage()
    yield from equal(_kept(chain), (0, 0, 0), "nothing")
    yield from succeeds(_approve(chain, AMOUNT))
    yield from equal(_kept(chain), (AMOUNT, DEADLINE, 0), "the allowance")
    expected = call("InsufficientAllowance(uint256)", AMOUNT)
    yield from reverts(_take(chain, AMOUNT + 1), expected)
    yield from reverts(_take(chain, 1, SETTLER), call("AllowanceExpired(uint256)", 0))
    before = balance(chain, ZRX, MAKER)
    yield from succeeds(_take(chain, AMOUNT - 3))
    yield from equal(balance(chain, ZRX, MAKER), before + AMOUNT - 3, "the maker's ZRX")
    yield from equal(_kept(chain), (3, DEADLINE, 0), "the rest")
    yield from succeeds(_approve(chain, UNLIMITED))
    yield from succeeds(_take(chain, AMOUNT))
    yield from equal(_kept(chain), (UNLIMITED, DEADLINE, 0), "an unlimited one")
    # Zero is the end of this block; a second before it is over.
    yield from succeeds(_approve(chain, AMOUNT, 0))
    yield from equal(_kept(chain), (AMOUNT, NOW, 0), "a brief one")
    yield from succeeds(_take(chain, 1))
    yield from succeeds(_approve(chain, AMOUNT, NOW - 1))
    yield from reverts(_take(chain, 1), call("AllowanceExpired(uint256)", NOW - 1))
    poor = stage(allowances=[])
    yield from succeeds(_approve(poor, AMOUNT))
    yield from reverts(_take(poor, 1), call("Error(string)", "TRANSFER_FROM_FAILED"))
    yield from equal(_kept(poor), (AMOUNT, DEADLINE, 0), "what a failure left")


def permits() -> Iterator[str]:
    """A permit sets an allowance once, by its owner's signature and until its deadline"""
    chain = stage()
    data = _permit(AMOUNT)
    yield from succeeds(chain.send(MAKER, data, to=PERMIT2))
    yield from equal(_kept(chain), (AMOUNT, DEADLINE, 1), "the allowance")
    yield from reverts(chain.send(MAKER, data, to=PERMIT2), four("InvalidNonce()"))
    yield from succeeds(chain.send(TAKER, _permit(7, nonce=1), to=PERMIT2))
    yield from equal(_kept(chain), (7, DEADLINE, 2), "the next allowance")
    late = _permit(7, nonce=2, deadline=NOW - 1)
    expected = call("SignatureExpired(uint256)", NOW - 1)
    yield from reverts(chain.send(MAKER, late, to=PERMIT2), expected)
    forged = _permit(7, nonce=2, key=MAKER_KEY)
    yield from reverts(chain.send(MAKER, forged, to=PERMIT2), four("InvalidSigner()"))


def lockdowns() -> Iterator[str]:
    """A lockdown takes the caller's amounts away, and leaves expirations and nonces"""
    chain = stage()
    yield from succeeds(chain.send(MAKER, _permit(AMOUNT), to=PERMIT2))
    data = call(LOCKDOWN, [(ZRX, MAKER), (ZRX, SETTLER)])
    yield from succeeds(chain.send(MAKER, data, to=PERMIT2))
    yield from equal(_kept(chain), (AMOUNT, DEADLINE, 1), "what another's lockdown left")
    yield from succeeds(chain.send(TAKER, data, to=PERMIT2))
    yield from equal(_kept(chain), (0, DEADLINE, 1), "the allowance")
    yield from reverts(_take(chain, 1), call("InsufficientAllowance(uint256)", 0))


CHECKS: tuple[Callable[[], Iterator[str]], ...] = (names, draws, permits, lockdowns)
