"""Bytes that RFC 6455 forbids a client to send, with the close code for each, made by hand."""

from __future__ import annotations

MASK = b"\x0f\x1e\x2d\x3c"


def frame(first: int, payload: bytes = b"", length: bytes | None = None) -> bytes:
    """A masked frame with this first byte; `length` replaces what it says of its length."""
    size = length or bytes([0x80 | len(payload)])
    masked = bytes(byte ^ MASK[index % 4] for index, byte in enumerate(payload))
    return bytes([first]) + size + MASK + masked


LONG = b"a" * 126
VIOLATIONS: list[tuple[str, bytes, int]] = [
    ("a frame without a mask", b"\x81\x02{}", 1002),
    *((f"reserved bit {bit:#x}", frame(0x81 | bit, b"{}"), 1002) for bit in (0x10, 0x20, 0x40)),
    *((f"opcode {code}", frame(0x80 | code), 1002) for code in (*range(3, 8), *range(11, 16))),
    ("a binary message", frame(0x82, b"{}"), 1003),
    ("a continuation of nothing", frame(0x80, b"{}"), 1002),
    ("a message inside another", frame(0x01, b"{") + frame(0x81, b"}"), 1002),
    ("a fragmented ping", frame(0x09), 1002),
    ("a ping of 126 bytes", frame(0x89, LONG, b"\xfe\x00\x7e"), 1002),
    ("a fragmented close", frame(0x08, b"\x03\xe8"), 1002),
    ("half a close code", frame(0x88, b"\x03"), 1002),
    *(
        (f"close code {code}", frame(0x88, code.to_bytes(2, "big")), 1002)
        for code in (0, 999, 1004, 1005, 1006, 1015, 1016, 1100, 2999, 5000, 65535)
    ),
    ("a close reason that is not UTF-8", frame(0x88, b"\x03\xe8\xff"), 1007),
    *(
        (f"text {text.hex()}", frame(0x81, text), 1007)
        for text in (b"\x80", b"\xc0\xaf", b"\xed\xa0\x80", b"\xf4\x90\x80\x80", b"\xe2\x82")
    ),
    ("UTF-8 cut at the last fragment", frame(0x01, b'"\xe2') + frame(0x80, b"\x82"), 1007),
    ("a frame of 2^62 bytes", frame(0x81, b"", b"\xff\x40" + bytes(7)), 1009),
    ("a frame of 2^63 bytes", frame(0x81, b"", b"\xff\x80" + bytes(7)), 1009),
    ("a frame of 17 KiB", frame(0x81, b"", b"\xfe\x44\x00"), 1009),
    ("17 KiB in fragments", frame(0x01, b"[") + frame(0x00, b" " * 125) * 140, 1009),
]
