"""A case: a state, a transaction, and what it does; as the lines of a vector file have it."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

from assembly import assemble, returned

ETHER = 10**18
BASE_FEE = 7
BLOCK = {
    "chain": 1,
    "number": 23_000_000,
    "time": 1_800_000_000,
    "limit": 30_000_000,
    "baseFee": BASE_FEE,
    "coinbase": "0x" + "cb" * 20,
    "random": "0x" + "5a" * 32,
    "excess": 40_000_000,
}


def address(number: int) -> str:
    """One of the world's accounts."""
    return "0x" + number.to_bytes(20, "big").hex()


SENDER = address(0x5E4D_E200)
CONTRACT = address(0xC0DE_0000)
NOBODY = 0xA000_0000
OWNER = 0xA100_0000
RETURNER = 0xA200_0000
REVERTER = 0xA300_0000
FAILER = 0xA400_0000
BURNER = 0xA500_0000
STORER = 0xA600_0000
ENDER = 0xA700_0000
LOGGER = 0xA800_0000
DELEGATED = 0xA900_0000
DELEGATED_TO_PRECOMPILE = 0xAA00_0000
DELEGATED_TWICE = 0xAB00_0000
REPORTER = 0xAC00_0000
RECURSIVE = 0xAD00_0000
DELEGATED_TO_ITSELF = 0xAE00_0000
TRANSIENT = 0xAF00_0000

# [nonce, balance, code, storage]
Account = tuple[int, int, bytes, Mapping[int, int]]


def delegation(target: int) -> bytes:
    return bytes.fromhex("ef0100") + target.to_bytes(20, "big")


def _report() -> bytes:
    """What a call sees of its surroundings, word by word."""
    words = [
        "ADDRESS",
        "CALLER",
        "CALLVALUE",
        "ORIGIN",
        "CODESIZE",
        "SELFBALANCE",
        "CALLDATASIZE",
        "GAS",
    ]
    code = b"".join(assemble(name, 32 * index, "MSTORE") for index, name in enumerate(words))
    count = len(words)
    code += assemble(0, "SLOAD", 32 * count, "MSTORE", 0, "TLOAD", 32 * (count + 1), "MSTORE")
    return code + returned(32 * (count + 2))


WORLD: dict[str, Account] = {
    SENDER: (5, ETHER, b"", {}),
    CONTRACT: (1, 1_000, b"", {}),
    address(OWNER): (3, 500, b"", {}),
    # The size of its input, and the first word of it.
    address(RETURNER): (
        1,
        0,
        assemble("CALLDATASIZE", 0, "MSTORE", 0, "CALLDATALOAD", 32, "MSTORE") + returned(64),
        {},
    ),
    address(REVERTER): (1, 0, assemble(1, 0, "SSTORE", 0xDEAD, 0, "MSTORE", 33, 0, "REVERT"), {}),
    address(FAILER): (1, 0, assemble(1, 0, "SSTORE INVALID"), {}),
    address(BURNER): (1, 0, assemble("JUMPDEST", 0, "JUMP"), {}),
    # Writes the second word of its input at the first, and answers what was there.
    address(STORER): (
        1,
        0,
        assemble(0, "CALLDATALOAD SLOAD", 32, "CALLDATALOAD", 0, "CALLDATALOAD SSTORE")
        + assemble(0, "MSTORE")
        + returned(),
        {1: 1, 2: 2},
    ),
    address(ENDER): (1, 300, assemble(0, "CALLDATALOAD SELFDESTRUCT"), {7: 7}),
    address(LOGGER): (
        1,
        0,
        assemble(0xABCD, 0, "MSTORE", 4, 3, 2, 1, 33, 1, "LOG4", 5, 0, 0, "LOG1"),
        {},
    ),
    address(DELEGATED): (9, 10, delegation(RETURNER), {}),
    address(DELEGATED_TO_PRECOMPILE): (9, 10, delegation(4), {}),
    address(DELEGATED_TWICE): (9, 10, delegation(DELEGATED), {}),
    address(DELEGATED_TO_ITSELF): (9, 10, delegation(DELEGATED_TO_ITSELF), {}),
    address(REPORTER): (1, 70, _report(), {0: 0xBEEF}),
    # Calls itself with all gas, as deep as it goes, and counts.
    address(RECURSIVE): (
        1,
        0,
        assemble(0, "TLOAD", 1, "ADD", 0, "TSTORE")
        + assemble(0, 0, 0, 0, 0, "ADDRESS GAS CALL POP", 0, "TLOAD", 0, "MSTORE")
        + returned(),
        {},
    ),
    # Transient storage that is undone: writes, and reverts if its input asks for it.
    address(TRANSIENT): (
        1,
        0,
        assemble(0, "CALLDATALOAD", 1, "TSTORE", 32, "CALLDATALOAD", 20, "JUMPI STOP").ljust(
            20, b"\0"
        )
        + assemble("JUMPDEST", 0, 0, "REVERT"),
        {},
    ),
}


@dataclass
class Case:
    """A transaction in the world; `code` and `storage` are those of the contract that it calls."""

    name: str
    code: bytes = b""
    storage: Mapping[int, int] = field(default_factory=dict)
    data: bytes = b""
    gas: int = 500_000
    value: int = 0
    # None creates a contract.
    to: str | None = CONTRACT
    sender: str = SENDER
    nonce: int = 5
    max_fee: int = 1_000
    tip: int | None = None
    access: Sequence[tuple[str, Sequence[int]]] = ()
    blobs: Sequence[bytes] | None = None
    blob_fee: int = 0
    # (chain, delegate, nonce, signer)
    authorizations: Sequence[tuple[int, str, int, str | None]] | None = None
    # Instead of, or beside, those of the world.
    accounts: Mapping[str, Account] = field(default_factory=dict)
    # None is the block's.
    limit: int | None = None

    def state(self) -> dict[str, Account]:
        state = {**WORLD, **self.accounts}
        nonce, balance, code, storage = state[CONTRACT]
        state[CONTRACT] = (nonce, balance, self.code or code, self.storage or storage)
        return state

    def line(self) -> dict[str, Any]:
        """The case as a vector file has it: what is as always is left out."""
        entry: dict[str, Any] = {"name": self.name}

        def put(key: str, value: Any, usual: Any) -> None:
            if value != usual:
                entry[key] = value

        put("code", self.code.hex(), "")
        put("storage", words(self.storage), {})
        # Long creations are mostly zeros.
        zeros = len(self.data) - len(self.data.rstrip(b"\0"))
        kept = len(self.data) - (zeros if zeros > 32 else 0)
        put("data", self.data[:kept].hex(), "")
        put("zeros", len(self.data) - kept, 0)
        put("gas", self.gas, 500_000)
        put("value", hex(self.value), "0x0")
        put("to", self.to, CONTRACT)
        put("from", self.sender, SENDER)
        put("nonce", hex(self.nonce), "0x5")
        put("maxFee", hex(self.max_fee), hex(1_000))
        put("tip", None if self.tip is None else hex(self.tip), None)
        put("access", [[who, [hex(slot) for slot in slots]] for who, slots in self.access], [])
        put("blobs", None if self.blobs is None else [blob.hex() for blob in self.blobs], None)
        put("blobFee", hex(self.blob_fee), "0x0")
        if self.authorizations is not None:
            entry["authorizations"] = [
                [hex(chain), delegate, hex(nonce), signer]
                for chain, delegate, nonce, signer in self.authorizations
            ]
        put("accounts", accounts(self.accounts), {})
        put("limit", self.limit, None)
        return entry


def words(storage: Mapping[int, int]) -> dict[str, str]:
    return {hex(slot): hex(value) for slot, value in storage.items()}


def accounts(state: Mapping[str, Account]) -> dict[str, Any]:
    return {
        who: [hex(nonce), hex(balance), code.hex(), words(storage)]
        for who, (nonce, balance, code, storage) in state.items()
    }


def parsed(entry: Mapping[str, Any]) -> Case:
    """The case of a line."""

    def number(key: str, usual: int) -> int:
        return int(entry[key], 16) if key in entry else usual

    def storage(of: Mapping[str, str]) -> dict[int, int]:
        return {int(slot, 16): int(value, 16) for slot, value in of.items()}

    return Case(
        name=entry["name"],
        code=bytes.fromhex(entry.get("code", "")),
        storage=storage(entry.get("storage", {})),
        data=bytes.fromhex(entry.get("data", "")) + bytes(entry.get("zeros", 0)),
        gas=entry.get("gas", 500_000),
        value=number("value", 0),
        to=entry.get("to", CONTRACT),
        sender=entry.get("from", SENDER),
        nonce=number("nonce", 5),
        max_fee=number("maxFee", 1_000),
        tip=int(entry["tip"], 16) if "tip" in entry else None,
        access=[(who, [int(slot, 16) for slot in slots]) for who, slots in entry.get("access", [])],
        blobs=[bytes.fromhex(blob) for blob in entry["blobs"]] if "blobs" in entry else None,
        blob_fee=number("blobFee", 0),
        authorizations=[
            (int(chain, 16), delegate, int(nonce, 16), signer)
            for chain, delegate, nonce, signer in entry["authorizations"]
        ]
        if "authorizations" in entry
        else None,
        accounts={
            who: (int(nonce, 16), int(balance, 16), bytes.fromhex(code), storage(slots))
            for who, (nonce, balance, code, slots) in entry.get("accounts", {}).items()
        },
        limit=entry.get("limit"),
    )


@dataclass
class Result:
    """What a transaction did; the state after it, of accounts that are not empty."""

    # "succeeded", "reverted", "failed", or "refused" and why
    ending: str
    gas: int = 0
    output: bytes = b""
    logs: Sequence[tuple[str, Sequence[int], bytes]] = ()
    state: Mapping[str, Account] = field(default_factory=dict)
    # Before what comes back of it.
    spent: int = 0

    def lines(self, keccak: Callable[[bytes], bytes]) -> list[str]:
        """All that is compared, in one order."""
        found = []
        for who in sorted(self.state):
            nonce, balance, code, storage = self.state[who]
            slots = " ".join(
                f"{slot:x}={value:x}" for slot, value in sorted(storage.items()) if value
            )
            found.append(f"{who} {nonce:x} {balance:x} {keccak(code).hex()} {slots}")
        for who, topics, data in self.logs:
            found.append(f"log {who} {','.join(f'{topic:x}' for topic in topics)} {data.hex()}")
        found.append(f"output {self.output.hex()}")
        return found

    def text(self, keccak: Callable[[bytes], bytes]) -> str:
        """The result in one short text."""
        if self.ending.startswith("refused"):
            return self.ending
        digest = keccak("\n".join(self.lines(keccak)).encode()).hex()[:16]
        return f"{self.ending} {self.gas} {digest}"
