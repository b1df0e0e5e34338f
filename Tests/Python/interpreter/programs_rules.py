"""Transactions at the limits of what a block takes, and delegations."""

from __future__ import annotations

from collections.abc import Iterator

import cases
from assembly import answering, assemble, returned
from cases import CONTRACT, ETHER, SENDER, Case, address
from programs_precompiles import precompiles
from programs_random import random_programs
from programs_state import call, told

WORD = 2**256


def programs() -> Iterator[Case]:
    yield from transactions()
    yield from delegations()
    yield from precompiles()
    yield from random_programs(1, 250)


def transactions() -> Iterator[Case]:
    plain = address(cases.OWNER)
    for gas in (0, 20_999, 21_000, 21_001):
        yield Case(f"a payment with {gas} gas", to=plain, value=1, gas=gas)
    for data in (b"\0", b"\1", b"\0" * 100, b"\1" * 100, bytes(range(256)) * 4):
        zeros = data.count(0)
        most = 21_000 + 4 * zeros + 16 * (len(data) - zeros)
        floor = 21_000 + 10 * zeros + 40 * (len(data) - zeros)
        for gas in (most - 1, most, floor - 1, floor, floor + 1_000):
            yield Case(
                f"{len(data)} bytes with {zeros} zeros, {gas} gas", to=plain, data=data, gas=gas
            )
        creation = most + 32_000 + 2 * ((len(data) + 31) // 32)
        for gas in (creation - 1, creation, creation + 100):
            yield Case(
                f"a creation of {len(data)} bytes with {zeros} zeros, {gas} gas",
                to=None,
                data=data,
                gas=gas,
            )
    burning = assemble("JUMPDEST", 0, "JUMP")
    yield Case("a floor below what is used", burning, data=b"\1" * 300, gas=80_000)
    yield Case("a floor above what is used", b"", data=b"\1" * 300, gas=80_000)
    yield Case(
        "a floor above what is left after refunds",
        assemble(0, 1, "SSTORE"),
        {1: 1},
        data=b"\1" * 600,
        gas=80_000,
    )
    for size in (49_151, 49_152, 49_153):
        yield Case(f"a creation of {size} zeros", to=None, data=bytes(size), gas=1_000_000)
    for nonce in (0, 4, 5, 6, 2**64 - 1):
        yield Case(f"nonce {nonce}", to=plain, nonce=nonce)
    yield Case(
        "the last nonce", to=plain, nonce=2**64 - 1, accounts={SENDER: (2**64 - 1, ETHER, b"", {})}
    )
    yield Case(
        "the last nonce but one",
        to=plain,
        nonce=2**64 - 2,
        accounts={SENDER: (2**64 - 2, ETHER, b"", {})},
    )
    for balance in (0, 21_000 * 8 + 4, 21_000 * 8 + 5, 21_000 * 8 + 6):
        yield Case(
            f"a sender of {balance} wei",
            to=plain,
            value=5,
            gas=21_000,
            max_fee=8,
            accounts={SENDER: (5, balance, b"", {})},
        )
    yield Case("a value beyond all", to=plain, value=WORD - 1)
    yield Case("a cap beyond all", to=plain, max_fee=WORD - 1)
    for fee, tip in [
        (6, None),
        (7, None),
        (7, 0),
        (7, 1),
        (8, 1),
        (8, 9),
        (6, 0),
        (100, 5),
        (100, 100),
        (WORD - 1, WORD - 1),
    ]:
        yield Case(
            f"a cap of {fee}, a tip of {tip}",
            answering("GASPRICE"),
            max_fee=fee,
            tip=tip,
            gas=60_000,
        )
    for gas in (2**24 - 1, 2**24, 2**24 + 1, 30_000_000, 30_000_001):
        yield Case(f"{gas} gas", to=plain, gas=gas)
    for code in (b"\0", b"\x60\x00", cases.delegation(cases.RETURNER), cases.delegation(4)):
        yield Case(
            f"a sender with code {code.hex()}", to=plain, accounts={SENDER: (5, ETHER, code, {})}
        )
    yield Case("to a precompile", to=address(4), data=b"abc", value=3)
    yield Case("to a precompile that fails", to=address(9), data=b"abc", value=3, gas=60_000)
    yield Case("to a precompile with too little gas", to=address(2), data=b"", gas=21_030)
    yield Case("to the sender", to=SENDER, value=9)
    yield Case("to the coinbase", to=cases.BLOCK["coinbase"], value=9)
    yield Case(
        "from the coinbase",
        to=plain,
        sender=cases.BLOCK["coinbase"],
        nonce=0,
        accounts={cases.BLOCK["coinbase"]: (0, ETHER, b"", {})},
    )
    yield Case("with no value to nobody", to=address(cases.NOBODY))
    yield Case("with value to nobody", to=address(cases.NOBODY), value=1)
    yield Case("at the base fee", to=plain, max_fee=7)
    listed = [
        [(plain, [])],
        [(plain, [1, 2, 3])],
        [(plain, []), (plain, [])],
        [(CONTRACT, [0, 0])],
        [(SENDER, []), (address(4), [1])],
    ]
    for number, access in enumerate(listed):
        cost = 21_000 + 2_400 * len(access) + 1_900 * sum(len(slots) for _, slots in access)
        code = answering(cases.OWNER, "BALANCE GAS ADD", 0, "SLOAD ADD GAS ADD")
        yield Case(f"access list {number}", code, access=access)
        for gas in (cost - 1, cost):
            yield Case(f"access list {number} with {gas} gas", access=access, to=plain, gas=gas)
    good = bytes([1]) + bytes(31)
    for name, blobs in {
        "no blob": [],
        "one blob": [good],
        "six blobs": [good] * 6,
        "seven blobs": [good] * 7,
        "nine blobs": [good] * 9,
        "ten blobs": [good] * 10,
        "a blob of another kind": [good, bytes(32)],
    }.items():
        yield Case(name, to=plain, tip=1, blobs=blobs, blob_fee=10**6)
    for fee in (2_943, 2_944, 159_772, 159_773):
        yield Case(f"a blob at {fee}", to=plain, tip=1, blobs=[good], blob_fee=fee)
    yield Case("a creation with a blob", to=None, tip=1, blobs=[good], blob_fee=10**6)
    cost = 100_000 * 8 + 131_072 * 10**6
    for balance in (cost - 1, cost):
        yield Case(
            f"a blob and {balance} wei",
            to=plain,
            tip=1,
            max_fee=8,
            gas=100_000,
            blobs=[good],
            blob_fee=10**6,
            accounts={SENDER: (5, balance, b"", {})},
        )


def delegations() -> Iterator[Case]:
    owner, nobody = address(cases.OWNER), address(cases.NOBODY)
    returner, zero = address(cases.RETURNER), address(0)
    inspected = answering(
        cases.OWNER,
        "EXTCODESIZE GAS ADD",
        cases.OWNER,
        "EXTCODEHASH ADD",
        cases.RETURNER,
        "BALANCE ADD GAS ADD",
    )
    lists = {
        "one": [(1, returner, 3, owner)],
        "any chain": [(0, returner, 3, owner)],
        "another chain": [(2, returner, 3, owner)],
        "a chain beyond 64 bits": [(2**64 + 1, returner, 3, owner)],
        "a lower nonce": [(1, returner, 2, owner)],
        "a higher nonce": [(1, returner, 4, owner)],
        "the last nonce": [(1, returner, 2**64 - 1, owner)],
        "nobody's signature": [(1, returner, 3, None)],
        "of an account that is not there": [(1, returner, 0, nobody)],
        "of a contract": [(1, returner, 1, returner)],
        "of a delegated account": [(1, address(cases.LOGGER), 9, address(cases.DELEGATED))],
        "to nobody": [(1, zero, 9, address(cases.DELEGATED))],
        "to nobody from nothing": [(1, zero, 3, owner)],
        "to a precompile": [(1, address(2), 3, owner)],
        "to itself": [(1, owner, 3, owner)],
        "two of one account": [(1, returner, 3, owner), (1, address(cases.LOGGER), 4, owner)],
        "two of one nonce": [(1, returner, 3, owner), (1, address(cases.LOGGER), 3, owner)],
        "of the sender": [(1, returner, 6, SENDER)],
        "of the sender, too early": [(1, returner, 5, SENDER)],
        "of the coinbase": [(1, returner, 0, cases.BLOCK["coinbase"])],
        "none": [],
    }
    for name, authorizations in lists.items():
        start = f"authorizations: {name}, "
        common = {"tip": 1, "authorizations": authorizations}
        yield Case(start + "inspected", code=inspected, **common)
        yield Case(start + "called", to=owner, data=b"\1\2", value=2, **common)
        code = call("CALL", cases.OWNER, 50_000, 1, (0, 3), (0, 64)) + told()
        yield Case(start + "called inside", code=code, **common)
        yield Case(start + "reverted", code=assemble(0, 0, "REVERT"), **common)
        yield Case(start + "out of gas", to=address(cases.BURNER), gas=100_000, **common)
    one = lists["one"]
    for gas in (45_999, 46_000):
        yield Case(f"an authorization with {gas} gas", to=owner, tip=1, authorizations=one, gas=gas)
    yield Case("a creation with an authorization", to=None, tip=1, authorizations=one)
    for who in (
        cases.DELEGATED,
        cases.DELEGATED_TO_PRECOMPILE,
        cases.DELEGATED_TWICE,
        cases.DELEGATED_TO_ITSELF,
    ):
        yield Case(f"to a delegated account {who:x}", to=address(who), data=b"\1" * 5, value=1)
        yield Case(
            f"code of a delegated account {who:x}",
            assemble(
                40,
                0,
                0,
                who,
                "EXTCODECOPY",
                who,
                "EXTCODESIZE",
                64,
                "MSTORE",
                who,
                "EXTCODEHASH",
                96,
                "MSTORE",
            )
            + returned(128),
        )
        for kind in ("CALL", "CALLCODE", "DELEGATECALL", "STATICCALL"):
            twice = call(kind, who, 50_000, 0, (0, 3), (0, 64)) + call(
                kind, who, 50_000, 0, (0, 3), (0, 64)
            )
            yield Case(f"{kind} of a delegated account {who:x} twice", twice + told())
    # A little less than what the delegate's code needs to be reached.
    for gas in range(25_700, 26_300, 50):
        yield Case(
            f"a call of a delegated account with {gas} gas",
            call("CALL", cases.DELEGATED, 0, 0, (0, 0), (0, 0)),
            gas=gas,
        )
