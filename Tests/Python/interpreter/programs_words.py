"""Programs of instructions that only have the stack and memory."""

from __future__ import annotations

from collections.abc import Iterator

from assembly import answering, assemble, push, returned
from cases import LOGGER, RETURNER, Case

WORD = 2**256
EDGES = [
    0,
    1,
    2,
    3,
    7,
    31,
    32,
    255,
    256,
    257,
    2**64 - 1,
    2**64,
    2**64 + 1,
    2**127,
    2**128 - 1,
    2**192,
    2**255 - 1,
    2**255,
    2**255 + 1,
    WORD - 256,
    WORD - 2,
    WORD - 1,
    int("7f80ff01" * 8, 16),
]
ONE = "ISZERO NOT CLZ".split()
TWO = (
    "ADD MUL SUB DIV SDIV MOD SMOD EXP SIGNEXTEND LT GT SLT SGT EQ AND OR XOR BYTE SHL SHR SAR"
).split()
THREE = "ADDMOD MULMOD".split()
# Each pair is a program of its own beside the matrix of all.
PAIRS = [
    (7, 3),
    (3, 7),
    (0, 5),
    (5, 0),
    (WORD - 1, 2),
    (2, WORD - 1),
    (2**255, WORD - 1),
    (WORD - 7, 3),
    (31, 2**255),
    (256, WORD - 1),
    (2**128 + 5, 2**64 + 1),
]
LARGE = [
    0,
    1,
    31,
    32,
    33,
    1_023,
    1_024,
    65_536,
    2**24,
    2**32,
    2**33 - 1,
    2**63,
    2**64 - 1,
    2**64,
    WORD - 1,
]
NO_ARGUMENTS = (
    "ADDRESS ORIGIN CALLER CALLVALUE CALLDATASIZE CODESIZE GASPRICE RETURNDATASIZE COINBASE "
    "TIMESTAMP NUMBER PREVRANDAO GASLIMIT CHAINID SELFBALANCE BASEFEE BLOBBASEFEE PC MSIZE "
    "GAS PUSH0"
).split()


# 32 words a round, 31 times, and 32 more.
FULL = assemble(
    "JUMPDEST", b"\x5f" * 32, 0, "MLOAD", 1, "ADD DUP1", 0, "MSTORE", 31, "GT", 0, "JUMPI"
)
FULL += assemble(7) * 32


def programs() -> Iterator[Case]:
    yield from arithmetic()
    yield from heights()
    yield from pushes()
    yield from jumps()
    yield from memory()
    yield from copies()
    yield from surroundings()


def chained(count: int, instruction: str, words: list[int]) -> bytes:
    """The hash of the hashes of an instruction's answers for all words in `count` places."""
    size = 32 * len(words)
    # The words stand in memory from 256 on; counters from 64 on; the hash at 0, the answer at 32.
    code = assemble(size, 0, 256, "CALLDATACOPY")
    starts = []
    for place in range(count):
        code += assemble(0, 64 + 32 * place, "MSTORE")
        starts.append(len(code))
        code += assemble("JUMPDEST")
    for place in range(count):
        code += assemble(64 + 32 * place, "MLOAD", 256, "ADD MLOAD")
    code += assemble(instruction, 32, "MSTORE", 64, 0, "KECCAK256", 0, "MSTORE")
    for place in reversed(range(count)):
        at = 64 + 32 * place
        code += assemble(32, at, "MLOAD ADD DUP1", at, "MSTORE", size, "GT", starts[place], "JUMPI")
    return code + returned()


def arithmetic() -> Iterator[Case]:
    data = b"".join(word.to_bytes(32, "big") for word in EDGES)
    few = EDGES[::3]
    for instruction in ONE:
        yield Case(
            f"{instruction} of edges", chained(1, instruction, EDGES), data=data, gas=3_000_000
        )
        for word in EDGES[::3]:
            yield Case(f"{instruction} {word:x}", answering(word, instruction))
    for instruction in TWO:
        yield Case(
            f"{instruction} of edges", chained(2, instruction, EDGES), data=data, gas=9_000_000
        )
        for left, right in PAIRS:
            yield Case(f"{instruction} {left:x} {right:x}", answering(right, left, instruction))
    few_data = b"".join(word.to_bytes(32, "big") for word in few)
    for instruction in THREE:
        yield Case(
            f"{instruction} of edges", chained(3, instruction, few), data=few_data, gas=9_000_000
        )
        for left, right in PAIRS:
            for modulus in (0, 1, 12, WORD - 1):
                yield Case(
                    f"{instruction} {left:x} {right:x} {modulus:x}",
                    answering(modulus, right, left, instruction),
                )
    for bits in range(0, 257, 16):
        yield Case(f"EXP of {bits} bits", answering((1 << bits) - 1, 3, "EXP"))


def heights() -> Iterator[Case]:
    """Each byte with an empty stack, one of 17 words and a full one."""
    for byte in range(256):
        name = f"byte {byte:02x}"
        # No code of the EVM begins with ef.
        yield Case(f"{name}, nothing on the stack", assemble("JUMPDEST", bytes([byte])), gas=60_000)
        words = range(0x21, 0x32)
        yield Case(f"{name}, 17 words", assemble(*words, bytes([byte]), 0, "MSTORE") + returned())
        if byte in range(0x1E, 0xA0):
            yield Case(f"{name}, a full stack", FULL + bytes([byte]), gas=120_000)
    for words in range(1, 17):
        yield Case(f"DUP{words} of too few", assemble(*range(1, words), f"DUP{words}"))
        yield Case(f"SWAP{words} of too few", assemble(*range(1, words + 1), f"SWAP{words}"))


def pushes() -> Iterator[Case]:
    for size in range(1, 33):
        data = bytes(range(0xA0, 0xA0 + size))
        yield Case(f"PUSH{size}", answering(bytes([0x5F + size]) + data))
        # The program ends within the number: the rest of it is zeros, and then it stops.
        yield Case(f"PUSH{size} cut", bytes([0x5F + size]) + data[: size // 2])


def jumps() -> Iterator[Case]:
    target = assemble("JUMPDEST", 7, 0, "MSTORE") + returned()
    for to in (3, 4, 5, 2**16, 2**32, 2**63, 2**64 + 4, WORD - 1):
        yield Case(f"JUMP {to:x}", assemble(push(to), "JUMP", b"\0" * 3) + target)
    for to in range(4):
        yield Case(f"JUMP to byte {to}", assemble(to, "JUMP") + target)
    for flag in (0, 1, 2**64, 2**255):
        code = assemble(flag, 0x30, "JUMPI", 1, 0, "SSTORE STOP")
        yield Case(f"JUMPI {flag:x}", code.ljust(0x30, b"\0") + target)
        yield Case(f"JUMPI nowhere {flag:x}", assemble(flag, 0x31, "JUMPI", 1, 0, "SSTORE STOP"))
    for size in range(1, 33):
        # 5b as the last byte of push data, and right behind it.
        for offset in (size, size + 1):
            code = assemble(3 + offset, "JUMP") + bytes([0x5F + size]) + b"\x5b" * size
            yield Case(f"JUMP into PUSH{size} at {offset}", code + b"\x5b" + target)
    yield Case("JUMP to the end", assemble(3, "JUMP"))
    yield Case("JUMP in a loop", assemble("JUMPDEST", 0, "JUMP"), gas=100_000)
    yield Case("JUMPDEST as the last byte", assemble(3, "JUMP JUMPDEST"))


def memory() -> Iterator[Case]:
    for offset in LARGE:
        yield Case(f"MLOAD {offset:x}", answering(offset, "MLOAD MSIZE ADD"))
        yield Case(f"MSTORE {offset:x}", answering(5, offset, "MSTORE MSIZE"))
        yield Case(f"MSTORE8 {offset:x}", answering(0x1FF, offset, "MSTORE8 MSIZE", 0, "MLOAD ADD"))
        for size in (0, 1, 33, 2**64, WORD - 1):
            name = f"{offset:x} {size:x}"
            yield Case(f"KECCAK256 {name}", answering(size, offset, "KECCAK256 MSIZE ADD"))
            yield Case(f"LOG2 {name}", assemble(0xAA, 0xBB, size, offset, "LOG2"))
            yield Case(f"RETURN {name}", assemble(size, offset, "RETURN"))
            yield Case(f"REVERT {name}", assemble(size, offset, "REVERT"))
    for topics in range(5):
        yield Case(
            f"LOG{topics}",
            assemble(WORD - 1, 0, "MSTORE", *range(1, topics + 1), 5, 30, f"LOG{topics}"),
        )
    for size in (2_900_000, 100_000, 724 * 32, 725 * 32):
        yield Case(f"memory of {size}", answering(size, "MLOAD MSIZE"), gas=16_000_000)


def copies() -> Iterator[Case]:
    data = bytes(range(1, 71))
    filled = assemble(int.from_bytes(data[:32], "big"), 0, "MSTORE", 32, "MLOAD POP")
    answer = assemble("MSIZE", 0, "KECCAK256 MSIZE ADD", 0, "MSTORE") + returned()
    called = assemble(64, 0, 64, 0, 0, RETURNER, "GAS CALL POP")
    for to, source, size in [
        (0, 0, 0),
        (0, 0, 1),
        (0, 0, 32),
        (5, 3, 33),
        (0, 60, 32),
        (0, 70, 10),
        (0, 71, 1),
        (0, 0, 64),
        (0, 1, 64),
        (0, 64, 0),
        (0, 65, 0),
        (0, 2**64, 0),
        (0, WORD - 1, 0),
        (0, WORD - 1, 1),
        (0, 2**64, 3),
        (2**64, 0, 0),
        (WORD - 1, 0, 0),
        (2**64, 0, 1),
        (0, 0, 2**64),
        (2**33, 0, 1),
        (0, 0, 2**33),
        (40, 0, 200),
        (0, WORD - 1, 2),
    ]:
        name = f"{to:x} {source:x} {size:x}"
        for instruction in ("CALLDATACOPY", "CODECOPY", "MCOPY"):
            yield Case(
                f"{instruction} {name}",
                filled + assemble(size, source, to, instruction) + answer,
                data=data,
            )
        yield Case(
            f"RETURNDATACOPY {name}", called + assemble(size, source, to, "RETURNDATACOPY") + answer
        )
        yield Case(
            f"EXTCODECOPY {name}",
            filled + assemble(size, source, to, LOGGER, "EXTCODECOPY") + answer,
        )
    for source, to, size in [
        (0, 8, 32),
        (8, 0, 32),
        (0, 0, 64),
        (31, 33, 40),
        (100, 0, 5),
        (0, 100, 5),
    ]:
        yield Case(
            f"MCOPY from {source} to {to}",
            assemble(64, 0, 0, "CALLDATACOPY", size, source, to, "MCOPY") + answer,
            data=data,
        )
    for offset in (0, 1, 38, 39, 69, 70, 71, 2**64, WORD - 1, WORD - 32):
        yield Case(f"CALLDATALOAD {offset:x}", answering(offset, "CALLDATALOAD"), data=data)
    yield Case("RETURNDATACOPY of nothing", assemble(0, 0, 0, "RETURNDATACOPY"))
    yield Case("RETURNDATACOPY beyond nothing", assemble(0, 1, 0, "RETURNDATACOPY"))
    yield Case("RETURNDATACOPY of a byte of nothing", assemble(1, 0, 0, "RETURNDATACOPY"))


def surroundings() -> Iterator[Case]:
    for instruction in NO_ARGUMENTS:
        yield Case(instruction, answering(instruction), value=77, data=b"\1\2\3")
    number = 23_000_000
    for block in (
        0,
        number - 257,
        number - 256,
        number - 255,
        number - 1,
        number,
        number + 1,
        2**64,
        WORD - 1,
    ):
        yield Case(f"BLOCKHASH {block}", answering(block, "BLOCKHASH"))
    for index in (0, 1, 2, 2**64, WORD - 1):
        blobs = [bytes([1]) + bytes([n] * 31) for n in (5, 6)]
        yield Case(
            f"BLOBHASH {index:x}", answering(index, "BLOBHASH"), tip=1, blobs=blobs, blob_fee=10**6
        )
        yield Case(f"BLOBHASH {index:x} without blobs", answering(index, "BLOBHASH"))
    yield Case("GASPRICE with a tip", answering("GASPRICE"), tip=3)
    yield Case("MSIZE and GAS", answering("GAS", 100, "MLOAD POP MSIZE ADD GAS ADD"))
