"""Programs that read and change the state: words, accounts, calls, creations."""

from __future__ import annotations

import itertools
from collections.abc import Iterator

import cases
from assembly import answering, assemble, initcode, returned, stored
from cases import CONTRACT, Case, address

WORD = 2**256
CALLED = {
    "nobody": cases.NOBODY,
    "an owner": cases.OWNER,
    "a returner": cases.RETURNER,
    "a reverter": cases.REVERTER,
    "a failer": cases.FAILER,
    "a burner": cases.BURNER,
    "a storer": cases.STORER,
    "an ender": cases.ENDER,
    "a logger": cases.LOGGER,
    "a delegated account": cases.DELEGATED,
    "an account delegated to a precompile": cases.DELEGATED_TO_PRECOMPILE,
    "an account delegated twice": cases.DELEGATED_TWICE,
    "an account delegated to itself": cases.DELEGATED_TO_ITSELF,
    "a reporter": cases.REPORTER,
    "itself": int(CONTRACT, 16),
    "the identity": 4,
    "a hash": 2,
}
KINDS = ("CALL", "CALLCODE", "DELEGATECALL", "STATICCALL")


def programs() -> Iterator[Case]:
    yield from storage()
    yield from transient()
    yield from accounts()
    yield from calls()
    yield from calls_inside()
    yield from creations()
    yield from endings()


def storage() -> Iterator[Case]:
    for original, current, new in itertools.product((0, 1, 2), repeat=3):
        words = {9: original} if original else {}
        name = f"SSTORE {original} {current} {new}"
        code = assemble(current, 9, "SSTORE", new, 9, "SSTORE")
        yield Case(name, code, words)
        # The third write may undo what the second one gave back.
        yield Case(f"{name} {original}", code + assemble(original, 9, "SSTORE"), words)
        yield Case(f"{name}, read before", assemble(9, "SLOAD POP") + code, words)
        yield Case(f"{name}, listed", code, words, access=[(CONTRACT, [9])])
    for left in (2_299, 2_300, 2_301, 2_302, 5_000):
        # A call with so much gas that this is left at the write, after two pushes.
        for value in (0, 5):
            yield Case(
                f"SSTORE of {value} with {left} left",
                answering(0, 0, 0, 0, 0, cases.NOBODY, left + 6, "CALL"),
                accounts={address(cases.NOBODY): (1, 0, assemble(value, 5, "SSTORE"), {5: 5})},
            )
    for slot in (0, 2**64, 2**255, WORD - 1):
        yield Case(
            f"SLOAD {slot:x}", answering(slot, "SLOAD GAS ADD", slot, "SLOAD ADD"), {slot: 3}
        )
    refunds = assemble(*(part for slot in range(20) for part in (0, slot, "SSTORE")))
    yield Case("refunds beyond a fifth", refunds, {slot: 1 for slot in range(20)})
    yield Case(
        "refunds, reverted", refunds + assemble(0, 0, "REVERT"), {slot: 1 for slot in range(20)}
    )


def transient() -> Iterator[Case]:
    yield Case("TLOAD TSTORE", answering(5, 1, "TSTORE", 1, "TLOAD", 2, "TLOAD ADD"))
    for fails in (0, 1):
        # The contract runs the other's code on its own transient storage.
        code = assemble(
            3,
            1,
            "TSTORE",
            9,
            0,
            "MSTORE",
            fails,
            32,
            "MSTORE",
            0,
            0,
            64,
            0,
            cases.TRANSIENT,
            "GAS DELEGATECALL",
            1,
            "TLOAD ADD",
            0,
            "MSTORE",
        )
        yield Case(f"TSTORE in a call that fails: {fails}", code + returned())
    yield Case("TSTORE in a static call", static_call(assemble(1, 1, "TSTORE")))
    yield Case(
        "TLOAD of another", answering(1, 0, "TSTORE", 0, 0, 0, 0, 0, cases.REPORTER, "GAS CALL")
    )


def static_call(code: bytes) -> bytes:
    """Calls itself statically; inside of it, where there is no call data, it runs some code."""
    head = assemble("CALLDATASIZE", 0x40, "JUMPI")
    outside = assemble(0, 0, 0, 0, "ADDRESS GAS STATICCALL", 0, "MSTORE") + returned()
    return head + code.ljust(0x40 - len(head), b"\0") + assemble("JUMPDEST") + outside


def accounts() -> Iterator[Case]:
    listed = {"BALANCE": "", "EXTCODESIZE": "", "EXTCODEHASH": ""}
    for instruction in listed:
        for name, who in CALLED.items():
            yield Case(
                f"{instruction} of {name}",
                answering(who, instruction, "GAS ADD", who, instruction, "ADD GAS ADD"),
            )
        yield Case(f"{instruction} of a dirty word", answering(2**200 + cases.OWNER, instruction))
        yield Case(
            f"{instruction}, listed",
            answering(cases.OWNER, instruction, "GAS ADD"),
            access=[(address(cases.OWNER), [])],
        )
        for who in (BLOCK_COINBASE, int(cases.SENDER, 16), 1, 0x0A, 0x11, 0x12, 0x100):
            yield Case(f"{instruction} of {who:x}", answering(who, instruction, "GAS ADD"))
    yield Case(
        "BALANCE of itself with value", answering("ADDRESS BALANCE SELFBALANCE ADD"), value=5
    )


BLOCK_COINBASE = int(cases.BLOCK["coinbase"], 16)


def call(
    kind: str, who: int, gas: int | str, value: int, data: tuple[int, int], answer: tuple[int, int]
) -> bytes:
    """A call whose six or seven words are given."""
    words: list[int | str] = [answer[1], answer[0], data[1], data[0]]
    if kind in ("CALL", "CALLCODE"):
        words.append(value)
    return assemble(*words, who, gas, kind)


def told() -> bytes:
    """Success is on the stack; the answer is it, the answer's size and memory, and the gas left."""
    return assemble(
        0x200, "MSTORE RETURNDATASIZE", 0x220, "MSTORE GAS", 0x240, "MSTORE"
    ) + assemble("RETURNDATASIZE", 0, 0x260, "RETURNDATACOPY", 0x300, 0, "RETURN")


def calls() -> Iterator[Case]:
    head = assemble(cases.OWNER, 0, "MSTORE", 0x77, 32, "MSTORE")
    for kind in KINDS:
        for name, who in CALLED.items():
            if who == int(CONTRACT, 16) and kind != "STATICCALL":
                # Inside it has call data, and stops.
                head_of = assemble("CALLDATASIZE ISZERO", 6, "JUMPI STOP JUMPDEST")
            else:
                head_of = b""
            values = (0, 1, 1_001) if kind in ("CALL", "CALLCODE") else (0,)
            for value in values:
                for gas in (0, 30_000, "GAS") if value < 1_000 else (30_000,):
                    code = (
                        head_of + head + call(kind, who, gas, value, (0, 64), (0x100, 40)) + told()
                    )
                    yield Case(f"{kind} of {name}, value {value}, gas {gas}", code, gas=300_000)
    for gas in (2**63, 2**64, WORD - 1):
        yield Case(
            f"CALL with gas {gas:x}", call("CALL", cases.REPORTER, gas, 0, (0, 0), (0, 32)) + told()
        )
    for offset, size in [
        (0, 2**32),
        (2**64, 0),
        (WORD - 1, 0),
        (WORD - 1, 1),
        (2**33, 1),
        (700, 5),
    ]:
        for kind in KINDS:
            name = f"{offset:x} {size:x}"
            yield Case(
                f"{kind}, input {name}",
                call(kind, cases.RETURNER, "GAS", 0, (offset, size), (0, 0)) + told(),
            )
            yield Case(
                f"{kind}, answer {name}",
                call(kind, cases.RETURNER, "GAS", 0, (0, 3), (offset, size)) + told(),
            )
    for kind in KINDS:
        yield Case(
            f"{kind} to a cold and a warm account",
            call(kind, cases.OWNER, 0, 0, (0, 0), (0, 0))
            + assemble("GAS")
            + call(kind, cases.OWNER, 0, 0, (0, 0), (0, 0))
            + assemble("GAS SUB SUB ADD", 0, "MSTORE")
            + returned(),
        )
        # Undone: the account is cold again.
        yield Case(
            f"{kind} of what warms and reverts",
            call(kind, cases.NOBODY, "GAS", 0, (0, 0), (0, 0))
            + assemble(
                "GAS",
                cases.OWNER,
                "BALANCE POP GAS SWAP1 SUB ADD",
                7,
                "SLOAD GAS ADD ADD",
                0,
                "MSTORE",
            )
            + returned(),
            accounts={
                address(cases.NOBODY): (
                    1,
                    0,
                    assemble(cases.OWNER, "BALANCE", 7, "SLOAD", 0, 0, "REVERT"),
                    {},
                )
            },
        )
    yield Case(
        "recursion with all gas",
        call("CALL", cases.RECURSIVE, "GAS", 0, (0, 0), (0, 32)) + told(),
        gas=2_000_000,
    )
    # Only with more gas than Osaka takes does it reach the depth of 1,024.
    yield Case(
        "recursion to the bottom", to=address(cases.RECURSIVE), gas=2**42, limit=2**43, max_fee=8
    )


def calls_inside() -> Iterator[Case]:
    """What a static call forbids, and what it does not."""
    forbidden = {
        "SSTORE": assemble(1, 1, "SSTORE"),
        "LOG0": assemble(0, 0, "LOG0"),
        "CREATE": assemble(0, 0, 0, "CREATE"),
        "CREATE2": assemble(0, 0, 0, 0, "CREATE2"),
        "SELFDESTRUCT": assemble(0, "SELFDESTRUCT"),
        "CALL with value": call("CALL", cases.OWNER, 0, 1, (0, 0), (0, 0)),
        "CALL": call("CALL", cases.OWNER, 0, 0, (0, 0), (0, 0)),
        "CALLCODE with value": call("CALLCODE", cases.RETURNER, 9_000, 1, (0, 0), (0, 0)),
        "a call of a storer": call("CALL", cases.STORER, 50_000, 0, (0, 0), (0, 0)),
        "a delegate call of a storer": call(
            "DELEGATECALL", cases.STORER, 50_000, 0, (0, 0), (0, 0)
        ),
        "a call of an ender": call("CALL", cases.ENDER, 50_000, 0, (0, 0), (0, 0)),
        "a call of a logger": call("CALL", cases.LOGGER, 50_000, 0, (0, 0), (0, 0)),
    }
    for name, code in forbidden.items():
        outside = assemble(0, 0, 0, 0, cases.NOBODY, 200_000, "STATICCALL") + told()
        inside = code + assemble("CALLVALUE", 0, "MSTORE") + returned()
        yield Case(f"static: {name}", outside, accounts={address(cases.NOBODY): (1, 9, inside, {})})


def created(
    kind: str, code: bytes, value: int = 0, size: int | None = None, salt: int = 3
) -> bytes:
    """A creation; its address, code's hash, size and answer are told."""
    words: list[int | str] = [len(code) if size is None else size, 0, value, kind]
    if kind == "CREATE2":
        words.insert(0, salt)
    return stored(code) + assemble(*words, "DUP1 EXTCODEHASH", 0x1E0, "MSTORE") + told()


def creations() -> Iterator[Case]:
    deployed = {
        "nothing": b"",
        "a contract": initcode(assemble(1, 2, "ADD")),
        "code that begins with ef": initcode(b"\xef\0"),
        "code that begins with fe": initcode(b"\xfe\0"),
        "a reverter": assemble(0xDEAD, 0, "MSTORE", 32, 0, "REVERT"),
        "a failer": b"\xfe",
        "what writes": assemble(5, 5, "SSTORE", 1, 1, "TSTORE") + initcode(b"\0"),
        "what writes and clears": assemble(5, 5, "SSTORE", 0, 5, "SSTORE") + initcode(b"\0"),
        "what ends at once": assemble(cases.OWNER, "SELFDESTRUCT"),
        "what ends to itself": assemble("ADDRESS SELFDESTRUCT"),
        "what calls back": call("CALL", cases.REPORTER, "GAS", 0, (0, 0), (0, 64)) + returned(64),
        "what creates": assemble(0, 0, 0, "CREATE", 0, "MSTORE") + returned(),
        "what is too long": assemble(24_577, 0, "RETURN"),
        "what is as long as can be": assemble(24_576, 0, "RETURN"),
    }
    for kind in ("CREATE", "CREATE2"):
        for name, code in deployed.items():
            for value in (0, 7, 1_001):
                yield Case(
                    f"{kind} of {name}, value {value}", created(kind, code, value), gas=6_000_000
                )
        for size in (0, 1, 31, 32, 33, 49_120, 49_151, 49_152, 49_153, 2**32, 2**64):
            yield Case(f"{kind}, {size:x} zeros", created(kind, b"", size=size), gas=600_000)
        for gas in range(32_000, 100_000, 8_000):
            yield Case(
                f"{kind} with little gas, {gas}",
                created(kind, initcode(bytes([0]) * 60)),
                gas=21_000 + gas,
            )
        target = created_address(kind, b"\0")
        for name, account in {
            "a nonce": (1, 0, b"", {}),
            "ether": (0, 5, b"", {}),
            "code": (0, 0, b"\0", {}),
            "storage": (0, 5, b"", {1: 1}),
        }.items():
            yield Case(
                f"{kind} where there is {name}", created(kind, b"\0", 1), accounts={target: account}
            )
        yield Case(
            f"{kind} with the last nonce",
            created(kind, b"\0"),
            accounts={CONTRACT: (2**64 - 1, 50, b"", {})},
        )
        yield Case(
            f"{kind} with the last nonce but one",
            created(kind, b"\0"),
            accounts={CONTRACT: (2**64 - 2, 50, b"", {})},
        )
    twice = stored(b"\0") + assemble(3, 1, 0, 0, "CREATE2", 3, 1, 0, 0, "CREATE2 ADD") + told()
    yield Case("CREATE2 twice", twice)
    for name, code in deployed.items():
        for value in (0, 7):
            yield Case(
                f"a transaction that creates {name}, value {value}",
                to=None,
                data=code,
                value=value,
                gas=6_000_000,
            )
    for name, account in {
        "a nonce": (1, 0, b"", {}),
        "code": (0, 0, b"\0", {}),
        "storage": (0, 1, b"", {1: 1}),
        "ether": (0, 5, b"", {}),
    }.items():
        yield Case(
            f"a transaction that creates where there is {name}",
            to=None,
            data=initcode(b"\0"),
            value=3,
            accounts={transaction_address(): account},
        )


def created_address(kind: str, code: bytes) -> str:
    from oracle import keccak

    creator = bytes.fromhex(CONTRACT[2:])
    if kind == "CREATE":
        raw = keccak(b"\xd6\x94" + creator + b"\x01")
    else:
        raw = keccak(b"\xff" + creator + (3).to_bytes(32, "big") + keccak(code))
    return "0x" + raw[12:].hex()


def transaction_address() -> str:
    from oracle import keccak

    return "0x" + keccak(b"\xd6\x94" + bytes.fromhex(cases.SENDER[2:]) + b"\x05")[12:].hex()


def endings() -> Iterator[Case]:
    for name, who in {**CALLED, "the coinbase": BLOCK_COINBASE}.items():
        yield Case(f"SELFDESTRUCT to {name}", assemble(who, "SELFDESTRUCT"))
        yield Case(
            f"SELFDESTRUCT to {name}, with nothing",
            assemble(who, "SELFDESTRUCT"),
            accounts={CONTRACT: (1, 0, b"", {1: 1})},
        )
        yield Case(
            f"SELFDESTRUCT to {name} in a call",
            assemble(who, 0, "MSTORE")
            + call("CALL", cases.ENDER, "GAS", 3, (0, 32), (0, 0))
            + call("CALL", cases.ENDER, "GAS", 4, (0, 32), (0, 0))
            + told(),
        )
    # Created, ended, called again and sent ether in one transaction.
    ended = initcode(assemble("CALLER SELFDESTRUCT"))
    for reverts in (False, True):
        code = (
            stored(ended)
            + assemble(len(ended), 0, 9, "CREATE", 0x400, "MSTORE")
            + assemble(0, 0, 0, 0, 2, 0x400, "MLOAD GAS CALL POP")
            + assemble(0, 0, 0, 0, 5, 0x400, "MLOAD GAS CALL POP")
            + assemble(0x400, "MLOAD EXTCODESIZE", 0, "MSTORE")
            + (assemble(32, 0, "REVERT") if reverts else returned())
        )
        yield Case(f"created and ended, reverted: {reverts}", code)
