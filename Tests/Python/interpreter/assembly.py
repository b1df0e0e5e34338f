"""Byte code from names of instructions, numbers that are pushed, and bytes as they are."""

from __future__ import annotations

OPCODES: dict[str, int] = {
    name: byte
    for byte, name in {
        **dict(
            enumerate("STOP ADD MUL SUB DIV SDIV MOD SMOD ADDMOD MULMOD EXP SIGNEXTEND".split())
        ),
        **dict(
            enumerate("LT GT SLT SGT EQ ISZERO AND OR XOR NOT BYTE SHL SHR SAR CLZ".split(), 0x10)
        ),
        0x20: "KECCAK256",
        **dict(
            enumerate(
                (
                    "ADDRESS BALANCE ORIGIN CALLER CALLVALUE CALLDATALOAD CALLDATASIZE "
                    "CALLDATACOPY CODESIZE CODECOPY GASPRICE EXTCODESIZE EXTCODECOPY "
                    "RETURNDATASIZE RETURNDATACOPY EXTCODEHASH BLOCKHASH COINBASE TIMESTAMP "
                    "NUMBER PREVRANDAO GASLIMIT CHAINID SELFBALANCE BASEFEE BLOBHASH BLOBBASEFEE"
                ).split(),
                0x30,
            )
        ),
        **dict(
            enumerate(
                (
                    "POP MLOAD MSTORE MSTORE8 SLOAD SSTORE JUMP JUMPI PC MSIZE GAS JUMPDEST "
                    "TLOAD TSTORE MCOPY PUSH0"
                ).split(),
                0x50,
            )
        ),
        **{0x60 + size - 1: f"PUSH{size}" for size in range(1, 33)},
        **{0x80 + depth - 1: f"DUP{depth}" for depth in range(1, 17)},
        **{0x90 + depth - 1: f"SWAP{depth}" for depth in range(1, 17)},
        **{0xA0 + topics: f"LOG{topics}" for topics in range(5)},
        **dict(enumerate("CREATE CALL CALLCODE RETURN DELEGATECALL CREATE2".split(), 0xF0)),
        0xFA: "STATICCALL",
        0xFD: "REVERT",
        0xFE: "INVALID",
        0xFF: "SELFDESTRUCT",
    }.items()
}


def push(value: int) -> bytes:
    """The shortest push of a number of at most 256 bits."""
    size = (value.bit_length() + 7) // 8
    return bytes([0x5F + size]) + value.to_bytes(size, "big")


def assemble(*parts: int | str | bytes) -> bytes:
    """Numbers are pushed, names may be several in one text, bytes stand as they are."""
    code = b""
    for part in parts:
        if isinstance(part, bytes):
            code += part
        elif isinstance(part, int):
            code += push(part)
        else:
            code += bytes(OPCODES[name] for name in part.split())
    return code


def stored(code: bytes, offset: int = 0) -> bytes:
    """Instructions that write bytes into memory, word by word."""
    program = b""
    for start in range(0, len(code), 32):
        chunk = code[start : start + 32].ljust(32, b"\0")
        program += assemble(int.from_bytes(chunk, "big"), offset + start, "MSTORE")
    return program


def returned(size: int = 32, offset: int = 0) -> bytes:
    """Instructions that end with a range of memory as the answer."""
    return assemble(size, offset, "RETURN")


def answering(*parts: int | str | bytes) -> bytes:
    """A program whose answer is the word that its parts leave."""
    return assemble(*parts, 0, "MSTORE", 32, 0, "RETURN")


def initcode(runtime: bytes) -> bytes:
    """Code whose run deploys some code."""
    head = assemble(len(runtime), "DUP1", 9, 0, "CODECOPY", 0, "RETURN")
    for size in range(len(head), len(head) + 4):
        head = assemble(len(runtime), "DUP1", size, 0, "CODECOPY", 0, "RETURN")
        if len(head) == size:
            break
    return head + runtime
