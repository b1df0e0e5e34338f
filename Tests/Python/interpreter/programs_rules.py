"""Transactions at the limits of what a block takes, precompiles, and random programs."""

from __future__ import annotations

import random
from collections.abc import Iterator

import cases
from assembly import answering, assemble, initcode, returned
from cases import CONTRACT, ETHER, SENDER, Case, address
from programs_state import call, told

WORD = 2**256
ORDER = 0xFFFFFFFF_FFFFFFFF_FFFFFFFF_FFFFFFFE_BAAEDCE6_AF48A03B_BFD25E8C_D0364141


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
            yield Case(f"{len(data)} bytes with {zeros} zeros, {gas} gas", to=plain, data=data, gas=gas)
        creation = most + 32_000 + 2 * ((len(data) + 31) // 32)
        for gas in (creation - 1, creation, creation + 100):
            yield Case(f"a creation of {len(data)} bytes with {zeros} zeros, {gas} gas", to=None, data=data, gas=gas)
    burning = assemble("JUMPDEST", 0, "JUMP")
    yield Case("a floor below what is used", burning, data=b"\1" * 300, gas=80_000)
    yield Case("a floor above what is used", b"", data=b"\1" * 300, gas=80_000)
    yield Case("a floor above what is left after refunds", assemble(0, 1, "SSTORE"), {1: 1}, data=b"\1" * 600, gas=80_000)
    for size in (49_151, 49_152, 49_153):
        yield Case(f"a creation of {size} zeros", to=None, data=bytes(size), gas=1_000_000)
    for nonce in (0, 4, 5, 6, 2**64 - 1):
        yield Case(f"nonce {nonce}", to=plain, nonce=nonce)
    yield Case(
        "the last nonce", to=plain, nonce=2**64 - 1, accounts={SENDER: (2**64 - 1, ETHER, b"", {})}
    )
    yield Case(
        "the last nonce but one", to=plain, nonce=2**64 - 2,
        accounts={SENDER: (2**64 - 2, ETHER, b"", {})},
    )
    for balance in (0, 21_000 * 8 + 4, 21_000 * 8 + 5, 21_000 * 8 + 6):
        yield Case(
            f"a sender of {balance} wei", to=plain, value=5, gas=21_000, max_fee=8,
            accounts={SENDER: (5, balance, b"", {})},
        )
    yield Case("a value beyond all", to=plain, value=WORD - 1)
    yield Case("a cap beyond all", to=plain, max_fee=WORD - 1)
    for fee, tip in [(6, None), (7, None), (7, 0), (7, 1), (8, 1), (8, 9), (6, 0), (100, 5), (100, 100), (WORD - 1, WORD - 1)]:
        yield Case(f"a cap of {fee}, a tip of {tip}", answering("GASPRICE"), max_fee=fee, tip=tip, gas=60_000)
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
    yield Case("from the coinbase", to=plain, sender=cases.BLOCK["coinbase"], nonce=0, accounts={cases.BLOCK["coinbase"]: (0, ETHER, b"", {})})
    yield Case("with no value to nobody", to=address(cases.NOBODY))
    yield Case("with value to nobody", to=address(cases.NOBODY), value=1)
    yield Case("at the base fee", to=plain, max_fee=7)
    listed = [
        [(plain, [])], [(plain, [1, 2, 3])], [(plain, []), (plain, [])], [(CONTRACT, [0, 0])],
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
        "no blob": [], "one blob": [good], "six blobs": [good] * 6, "seven blobs": [good] * 7,
        "nine blobs": [good] * 9, "ten blobs": [good] * 10, "a blob of another kind": [good, bytes(32)],
    }.items():
        yield Case(name, to=plain, tip=1, blobs=blobs, blob_fee=10**6)
    for fee in (2_943, 2_944, 159_772, 159_773):
        yield Case(f"a blob at {fee}", to=plain, tip=1, blobs=[good], blob_fee=fee)
    yield Case("a creation with a blob", to=None, tip=1, blobs=[good], blob_fee=10**6)
    cost = 100_000 * 8 + 131_072 * 10**6
    for balance in (cost - 1, cost):
        yield Case(
            f"a blob and {balance} wei", to=plain, tip=1, max_fee=8, gas=100_000, blobs=[good],
            blob_fee=10**6, accounts={SENDER: (5, balance, b"", {})},
        )


def delegations() -> Iterator[Case]:
    owner, nobody = address(cases.OWNER), address(cases.NOBODY)
    returner, zero = address(cases.RETURNER), address(0)
    inspected = answering(
        cases.OWNER, "EXTCODESIZE GAS ADD", cases.OWNER, "EXTCODEHASH ADD", cases.RETURNER,
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
        def case(label: str, authorizations: object = authorizations, **more: object) -> Case:
            return Case(f"authorizations: {name}, {label}", tip=1, authorizations=authorizations, **more)

        yield case("inspected", code=inspected)
        yield case("called", to=owner, data=b"\1\2", value=2)
        yield case("called inside", code=call("CALL", cases.OWNER, 50_000, 1, (0, 3), (0, 64)) + told())
        yield case("reverted", code=assemble(0, 0, "REVERT"))
        yield case("out of gas", to=address(cases.BURNER), gas=100_000)
    one = lists["one"]
    for gas in (45_999, 46_000):
        yield Case(f"an authorization with {gas} gas", to=owner, tip=1, authorizations=one, gas=gas)
    yield Case("a creation with an authorization", to=None, tip=1, authorizations=one)
    for who in (cases.DELEGATED, cases.DELEGATED_TO_PRECOMPILE, cases.DELEGATED_TWICE, cases.DELEGATED_TO_ITSELF):
        yield Case(f"to a delegated account {who:x}", to=address(who), data=b"\1" * 5, value=1)
        yield Case(
            f"code of a delegated account {who:x}",
            assemble(40, 0, 0, who, "EXTCODECOPY", who, "EXTCODESIZE", 64, "MSTORE", who, "EXTCODEHASH", 96, "MSTORE") + returned(128),
        )
        for kind in ("CALL", "CALLCODE", "DELEGATECALL", "STATICCALL"):
            twice = call(kind, who, 50_000, 0, (0, 3), (0, 64)) + call(kind, who, 50_000, 0, (0, 3), (0, 64))
            yield Case(f"{kind} of a delegated account {who:x} twice", twice + told())
    # A little less than what the delegate's code needs to be reached.
    for gas in range(25_700, 26_300, 50):
        yield Case(f"a call of a delegated account with {gas} gas", call("CALL", cases.DELEGATED, 0, 0, (0, 0), (0, 0)), gas=gas)


def asked(number: int, data: bytes, gas: int | str = "GAS", size: int = 64) -> bytes:
    """A call of a precompile with the transaction's data."""
    return (
        assemble("CALLDATASIZE", 0, 0, "CALLDATACOPY", size, 0, "CALLDATASIZE", 0, 0, number, gas, "CALL")
        + told()
    )


def precompiles() -> Iterator[Case]:
    for number in (2, 3, 4):
        for size in (0, 1, 31, 32, 33, 55, 56, 63, 64, 65, 1_000):
            data = bytes((7 * n + 1) % 256 for n in range(size))
            yield Case(f"precompile {number} of {size} bytes", asked(number, data), data=data)
            words = (size + 31) // 32
            price = {2: 60 + 12 * words, 3: 600 + 120 * words, 4: 15 + 3 * words}[number]
            for gas in (price - 1, price):
                yield Case(f"precompile {number} of {size} bytes, {gas} gas", asked(number, data, gas), data=data)
    yield from recoveries()
    yield from powers()
    yield from compressions()
    yield from curves()


def recoveries() -> Iterator[Case]:
    from coincurve import PrivateKey

    digest = bytes(range(32))
    signature = PrivateKey(bytes([9] * 32)).sign_recoverable(digest, hasher=None)
    r, s, v = (
        int.from_bytes(signature[:32], "big"), int.from_bytes(signature[32:64], "big"), 27 + signature[64],
    )

    def data(v: int, r: int, s: int) -> bytes:
        return digest + b"".join(part.to_bytes(32, "big") for part in (v, r, s))

    inputs = {
        "good": data(v, r, s),
        "with a high s": data(55 - v, r, ORDER - s),
        "of the other parity": data(55 - v, r, s),
        "v of 0": data(0, r, s), "v of 26": data(26, r, s), "v of 29": data(29, r, s),
        "a dirty v": data(v + 2**64, r, s), "a v of another word": data(v << 8, r, s),
        "r of 0": data(v, 0, s), "s of 0": data(v, r, 0), "r of the order": data(v, ORDER, s),
        "s of the order": data(v, r, ORDER), "s below the order": data(v, r, ORDER - 1),
        "r that is no point": data(v, 5, s), "r beyond all": data(v, WORD - 1, s),
        "cut": data(v, r, s)[:100], "nothing": b"", "longer": data(v, r, s) + b"more",
    }
    for name, given in inputs.items():
        yield Case(f"precompile 1: {name}", asked(1, given), data=given)
    for gas in (2_999, 3_000):
        yield Case(f"precompile 1 with {gas} gas", asked(1, inputs["good"], gas), data=inputs["good"])


def powers() -> Iterator[Case]:
    def data(base: bytes, exponent: bytes, modulus: bytes) -> bytes:
        return b"".join(len(part).to_bytes(32, "big") for part in (base, exponent, modulus)) + base + exponent + modulus

    def lengths(*of: int) -> bytes:
        return b"".join(length.to_bytes(32, "big") for length in of)

    inputs = {
        "3^5 mod 7": data(b"\3", b"\5", b"\7"),
        "nothing": b"", "only lengths": lengths(1, 1, 1), "mod 0": data(b"\3", b"\5", b"\0"),
        "mod 1": data(b"\3", b"\5", b"\1"), "0^0": data(b"", b"", b"\5"), "0^0 of zeros": data(b"\0", b"\0", b"\5"),
        "mod nothing": data(b"\3", b"\5", b""), "a long exponent": data(b"\3", b"\1" + bytes(40), b"\7" * 32),
        "a long exponent of zeros": data(b"\3", bytes(40), b"\7" * 32),
        "an exponent of 33 bytes": data(b"\3", bytes(32) + b"\xff", b"\7" * 32),
        "64 bytes": data(b"\xfe" * 64, b"\xff" * 64, b"\xfd" * 64),
        "33 bytes": data(b"\xfe" * 33, b"\3", b"\xfd" * 33),
        "an even modulus": data(b"\3" * 32, b"\3", b"\2" * 32),
        "256 bytes": data(b"\xfe" * 256, b"\1\0\1", b"\xfd" * 256),
        "no base": data(b"", b"\5", b"\7"), "no exponent": data(b"\3", b"", b"\7"),
        "1024 bytes": lengths(1_024, 1, 1_024) + b"\3", "1025 bytes": lengths(1_025, 1, 1) + b"\3",
        "an exponent of 1025 bytes": lengths(1, 1_025, 1), "a modulus of 1025 bytes": lengths(1, 1, 1_025),
        "an endless base": lengths(2**255, 1, 1), "an endless exponent": lengths(0, 2**255, 0),
        "an endless modulus": lengths(0, 0, 2**64), "endless": lengths(2**64, 2**64, 2**64),
        "an exponent of 2^32 bytes": lengths(1, 2**32, 1), "cut": data(b"\3", b"\5", b"\7")[:98],
        "longer": data(b"\3", b"\5", b"\7") + b"more",
    }
    for name, given in inputs.items():
        yield Case(f"precompile 5: {name}", asked(5, given, size=300), data=given, gas=2_000_000)
        for gas in (199, 200, 499, 500, 1_361, 5_000):
            yield Case(f"precompile 5: {name}, {gas} gas", asked(5, given, gas), data=given)


def compressions() -> Iterator[Case]:
    state = bytes.fromhex(
        "48c9bdf267e6096a3ba7ca8485ae67bb2bf894fe72f36e3cf1361d5f3af54fa5"
        "d182e6ad7f520e511f6c3e2b8c68059b6bbd41fbabd9831f79217e1319cde05b"
    )
    message = b"abc".ljust(128, b"\0")
    for rounds in (0, 1, 2, 9, 10, 11, 12, 13, 100, 5_000):
        for last in (0, 1):
            given = rounds.to_bytes(4, "big") + state + message + (3).to_bytes(8, "little") + (2**63).to_bytes(8, "little") + bytes([last])
            yield Case(f"precompile 9: {rounds} rounds, last {last}", asked(9, given), data=given)
    for gas in (4_999, 5_000):
        yield Case(f"precompile 9 with {gas} gas", asked(9, given, gas), data=given)
    for size in (0, 212, 214):
        wrong = (given + b"\0")[:size]
        yield Case(f"precompile 9 of {size} bytes", asked(9, wrong), data=wrong, gas=100_000)
    wrong = given[:212] + b"\2"
    yield Case("precompile 9 of another last byte", asked(9, wrong), data=wrong, gas=100_000)
    endless = b"\xff" * 4 + given[4:]
    yield Case("precompile 9 of all rounds", asked(9, endless), data=endless, gas=100_000)


def curves() -> Iterator[Case]:
    from cryptography.hazmat.primitives import hashes
    from cryptography.hazmat.primitives.asymmetric import ec, utils

    order = 0xFFFFFFFF00000000FFFFFFFFFFFFFFFFBCE6FAADA7179E84F3B9CAC2FC632551
    prime = 0xFFFFFFFF00000001000000000000000000000000FFFFFFFFFFFFFFFFFFFFFFFF
    digest = bytes(range(32))
    key = ec.derive_private_key(77, ec.SECP256R1())
    signed = key.sign(
        digest, ec.ECDSA(utils.Prehashed(hashes.SHA256()), deterministic_signing=True)
    )
    r, s = utils.decode_dss_signature(signed)
    point = key.public_key().public_numbers()

    def data(r: int, s: int, x: int, y: int, digest: bytes = digest) -> bytes:
        return digest + b"".join(part.to_bytes(32, "big") for part in (r, s, x, y))

    good = data(r, s, point.x, point.y)
    inputs = {
        "good": good, "the other s": data(r, order - s, point.x, point.y),
        "another digest": data(r, s, point.x, point.y, bytes(32)), "the other y": data(r, s, point.x, prime - point.y),
        "off the curve": data(r, s, point.x, point.y + 1), "no point": data(r, s, 0, 0),
        "r of 0": data(0, s, point.x, point.y), "s of 0": data(r, 0, point.x, point.y),
        "r of the order": data(order, s, point.x, point.y), "s of the order": data(r, order, point.x, point.y),
        "x of the prime": data(r, s, prime, point.y), "x beyond the prime": data(r, s, WORD - 1, point.y),
        "cut": good[:159], "longer": good + b"\0", "nothing": b"",
    }
    for name, given in inputs.items():
        yield Case(f"precompile 256: {name}", asked(0x100, given), data=given)
    for gas in (6_899, 6_900):
        yield Case(f"precompile 256 with {gas} gas", asked(0x100, good, gas), data=good)


# How many words an instruction takes; of those that are not here none.
TAKES = {
    1: "ISZERO NOT CLZ BALANCE CALLDATALOAD EXTCODESIZE EXTCODEHASH BLOBHASH POP MLOAD SLOAD TLOAD",
    2: (
        "ADD MUL SUB DIV SDIV MOD SMOD EXP SIGNEXTEND LT GT SLT SGT EQ AND OR XOR BYTE SHL SHR SAR "
        "KECCAK256 MSTORE MSTORE8 SSTORE TSTORE LOG0 SWAP1"
    ),
    3: "ADDMOD MULMOD CALLDATACOPY CODECOPY RETURNDATACOPY MCOPY LOG1 CREATE SWAP2",
    4: "EXTCODECOPY LOG2 CREATE2",
}
FREE = (
    "ADDRESS ORIGIN CALLER CALLVALUE CALLDATASIZE CODESIZE GASPRICE RETURNDATASIZE COINBASE "
    "TIMESTAMP NUMBER PREVRANDAO GASLIMIT CHAINID SELFBALANCE BASEFEE BLOBBASEFEE PC MSIZE GAS "
    "JUMPDEST PUSH0"
).split()
SMALL = [0, 1, 2, 3, 5, 31, 32, 33, 64, 100, 255, 256]
LARGE = [0xFFFF, 2**32, 2**64, 2**255, WORD - 1, WORD - 2**32]
KNOWN = [
    cases.NOBODY, cases.OWNER, cases.RETURNER, cases.REVERTER, cases.FAILER, cases.STORER, cases.ENDER,
    cases.LOGGER, cases.DELEGATED, cases.REPORTER, cases.TRANSIENT, int(CONTRACT, 16), 1, 2, 3, 4,
]


def random_programs(seed: int, count: int) -> Iterator[Case]:
    """Instructions with numbers before them that mostly fit."""
    source = random.Random(seed)
    for number in range(count):
        code = b""
        wanted = source.randrange(10, 200)
        while len(code) < wanted:
            code += random_step(source)
        if source.random() < 0.7:
            code += assemble("MSIZE", 0, source.choice(("RETURN", "RETURN", "REVERT")))
        yield Case(
            f"random {seed} {number}", code, {0: 1, 1: 2, 5: 5}, source.randbytes(source.randrange(80)),
            gas=source.choice((60_000, 200_000, 900_000)), value=source.choice((0, 0, 1, 999)),
        )


def random_step(source: random.Random) -> bytes:
    """An instruction and what it takes; seldom any byte."""
    kind = source.random()
    if kind < 0.01:
        return source.randbytes(2)
    if kind < 0.15:
        return call(
            source.choice(("CALL", "CALLCODE", "DELEGATECALL", "STATICCALL")),
            source.choice(KNOWN),
            source.choice(("GAS", 0, 2_300, 30_000)),
            source.choice((0, 0, 0, 1, 2_000)),
            (source.choice(SMALL), source.choice(SMALL)),
            (source.choice(SMALL), source.choice(SMALL)),
        ) + source.choice((b"", assemble("POP")))
    if kind < 0.25:
        return assemble(source.choice(FREE))
    if kind < 0.28:
        # Code that is written and run: some of another program.
        inner = random_step(source)[:32]
        return (
            assemble(int.from_bytes(inner.ljust(32, b"\0"), "big"), 0, "MSTORE", len(inner), 0, 0)
            + assemble("CREATE")
        )
    takes = source.choice((1, 2, 2, 2, 2, 3, 4))
    name = source.choice(TAKES[takes].split())
    given = takes if source.random() < 0.98 else takes - 1
    words = [source.choice(source.choice((SMALL,) * 12 + (KNOWN, LARGE))) for _ in range(given)]
    return assemble(*words, name)
