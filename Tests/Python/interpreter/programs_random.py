"""Random programs, the same for the same seed."""

from __future__ import annotations

import random
from collections.abc import Iterator

import cases
from assembly import assemble
from cases import CONTRACT, Case
from programs_state import call

WORD = 2**256
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
# Less than the longest init code: of a longer one py-evm says that ether is missing, if it is, and
# the specification that the creator fails.
LARGE = [0xBFFF, 2**32, 2**64, 2**255, WORD - 1, WORD - 2**32]
KNOWN = [
    cases.NOBODY,
    cases.OWNER,
    cases.RETURNER,
    cases.REVERTER,
    cases.FAILER,
    cases.STORER,
    cases.ENDER,
    cases.LOGGER,
    cases.DELEGATED,
    cases.REPORTER,
    cases.TRANSIENT,
    int(CONTRACT, 16),
    1,
    2,
    3,
    4,
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
            f"random {seed} {number}",
            code,
            {0: 1, 1: 2, 5: 5},
            source.randbytes(source.randrange(80)),
            gas=source.choice((60_000, 200_000, 900_000)),
            value=source.choice((0, 0, 1, 999)),
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
        return assemble(
            int.from_bytes(inner.ljust(32, b"\0"), "big"), 0, "MSTORE", len(inner), 0, 0
        ) + assemble("CREATE")
    takes = source.choice((1, 2, 2, 2, 2, 3, 4))
    name = source.choice(TAKES[takes].split())
    given = takes if source.random() < 0.98 else takes - 1
    words = [source.choice(source.choice((SMALL,) * 12 + (KNOWN, LARGE))) for _ in range(given)]
    return assemble(*words, name)
