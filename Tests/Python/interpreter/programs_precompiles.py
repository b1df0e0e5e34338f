"""Precompiles with good and bad input, and with too little gas."""

from __future__ import annotations

from collections.abc import Iterator

from assembly import assemble
from cases import Case
from programs_state import told

WORD = 2**256
# Of secp256k1.
ORDER = 0xFFFFFFFF_FFFFFFFF_FFFFFFFF_FFFFFFFE_BAAEDCE6_AF48A03B_BFD25E8C_D0364141


def asked(number: int, data: bytes, gas: int | str = "GAS", size: int = 64) -> bytes:
    """A call of a precompile with the transaction's data."""
    return (
        assemble(
            "CALLDATASIZE", 0, 0, "CALLDATACOPY", size, 0, "CALLDATASIZE", 0, 0, number, gas, "CALL"
        )
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
                yield Case(
                    f"precompile {number} of {size} bytes, {gas} gas",
                    asked(number, data, gas),
                    data=data,
                )
    yield from recoveries()
    yield from powers()
    yield from compressions()
    yield from curves()


def recoveries() -> Iterator[Case]:
    from coincurve import PrivateKey

    digest = bytes(range(32))
    signature = PrivateKey(bytes([9] * 32)).sign_recoverable(digest, hasher=None)
    r, s, v = (
        int.from_bytes(signature[:32], "big"),
        int.from_bytes(signature[32:64], "big"),
        27 + signature[64],
    )

    def data(v: int, r: int, s: int) -> bytes:
        return digest + b"".join(part.to_bytes(32, "big") for part in (v, r, s))

    inputs = {
        "good": data(v, r, s),
        "with a high s": data(55 - v, r, ORDER - s),
        "of the other parity": data(55 - v, r, s),
        "v of 0": data(0, r, s),
        "v of 26": data(26, r, s),
        "v of 29": data(29, r, s),
        "a dirty v": data(v + 2**64, r, s),
        "a v of another word": data(v << 8, r, s),
        "r of 0": data(v, 0, s),
        "s of 0": data(v, r, 0),
        "r of the order": data(v, ORDER, s),
        "s of the order": data(v, r, ORDER),
        "s below the order": data(v, r, ORDER - 1),
        "r that is no point": data(v, 5, s),
        "r beyond all": data(v, WORD - 1, s),
        "cut": data(v, r, s)[:100],
        "nothing": b"",
        "longer": data(v, r, s) + b"more",
    }
    for name, given in inputs.items():
        yield Case(f"precompile 1: {name}", asked(1, given), data=given)
    for gas in (2_999, 3_000):
        yield Case(
            f"precompile 1 with {gas} gas", asked(1, inputs["good"], gas), data=inputs["good"]
        )


def powers() -> Iterator[Case]:
    def data(base: bytes, exponent: bytes, modulus: bytes) -> bytes:
        return (
            b"".join(len(part).to_bytes(32, "big") for part in (base, exponent, modulus))
            + base
            + exponent
            + modulus
        )

    def lengths(*of: int) -> bytes:
        return b"".join(length.to_bytes(32, "big") for length in of)

    inputs = {
        "3^5 mod 7": data(b"\3", b"\5", b"\7"),
        "nothing": b"",
        "only lengths": lengths(1, 1, 1),
        "mod 0": data(b"\3", b"\5", b"\0"),
        "mod 1": data(b"\3", b"\5", b"\1"),
        "0^0": data(b"", b"", b"\5"),
        "0^0 of zeros": data(b"\0", b"\0", b"\5"),
        "mod nothing": data(b"\3", b"\5", b""),
        "a long exponent": data(b"\3", b"\1" + bytes(40), b"\7" * 32),
        "a long exponent of zeros": data(b"\3", bytes(40), b"\7" * 32),
        "an exponent of 33 bytes": data(b"\3", bytes(32) + b"\xff", b"\7" * 32),
        "64 bytes": data(b"\xfe" * 64, b"\xff" * 64, b"\xfd" * 64),
        "33 bytes": data(b"\xfe" * 33, b"\3", b"\xfd" * 33),
        "an even modulus": data(b"\3" * 32, b"\3", b"\2" * 32),
        "256 bytes": data(b"\xfe" * 256, b"\1\0\1", b"\xfd" * 256),
        "no base": data(b"", b"\5", b"\7"),
        "no exponent": data(b"\3", b"", b"\7"),
        "1024 bytes": lengths(1_024, 1, 1_024) + b"\3",
        "1025 bytes": lengths(1_025, 1, 1) + b"\3",
        "an exponent of 1025 bytes": lengths(1, 1_025, 1),
        "a modulus of 1025 bytes": lengths(1, 1, 1_025),
        "an endless base": lengths(2**255, 1, 1),
        "an endless exponent": lengths(0, 2**255, 0),
        "an endless modulus": lengths(0, 0, 2**64),
        "endless": lengths(2**64, 2**64, 2**64),
        "an exponent of 2^32 bytes": lengths(1, 2**32, 1),
        "cut": data(b"\3", b"\5", b"\7")[:98],
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
            given = (
                rounds.to_bytes(4, "big")
                + state
                + message
                + (3).to_bytes(8, "little")
                + (2**63).to_bytes(8, "little")
                + bytes([last])
            )
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
        "good": good,
        "the other s": data(r, order - s, point.x, point.y),
        "another digest": data(r, s, point.x, point.y, bytes(32)),
        "the other y": data(r, s, point.x, prime - point.y),
        "off the curve": data(r, s, point.x, point.y + 1),
        "no point": data(r, s, 0, 0),
        "r of 0": data(0, s, point.x, point.y),
        "s of 0": data(r, 0, point.x, point.y),
        "r of the order": data(order, s, point.x, point.y),
        "s of the order": data(r, order, point.x, point.y),
        "x of the prime": data(r, s, prime, point.y),
        "x beyond the prime": data(r, s, WORD - 1, point.y),
        "cut": good[:159],
        "longer": good + b"\0",
        "nothing": b"",
    }
    for name, given in inputs.items():
        yield Case(f"precompile 256: {name}", asked(0x100, given), data=given)
    for gas in (6_899, 6_900):
        yield Case(f"precompile 256 with {gas} gas", asked(0x100, good, gas), data=good)
