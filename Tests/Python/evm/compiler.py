"""Compiles the Vyper contracts beside this file, and keeps what came out.

Compiling takes seconds, so the result lies in `.build/python-cache`, under a name that is the hash
of the compiler's version, its settings and every source.
"""

from __future__ import annotations

import hashlib
import json
import os
import tempfile
from dataclasses import dataclass
from functools import cache
from importlib.metadata import version
from pathlib import Path

CONTRACTS = Path(__file__).resolve().parent / "contracts"
CACHE = Path(__file__).resolve().parents[3] / ".build" / "python-cache"
EVM_VERSION = "prague"


@dataclass(frozen=True)
class Compiled:
    """A contract as a chain holds it.

    code: the runtime byte code, without the values of immutables, which follow it on a chain.
    slots: the storage slot of each variable by its name; of a mapping the position that its keys
    are hashed with.
    immutables: the offset of each behind the end of the code, in bytes.
    """

    name: str
    code: bytes
    slots: dict[str, int]
    immutables: dict[str, int]

    def deployed(self, **values: int) -> bytes:
        """The code that a chain holds, with a value for each immutable.

        Raises ValueError where one is missing, or there is none of the name.
        """
        if values.keys() != self.immutables.keys():
            raise ValueError(f"the immutables of {self.name} are {sorted(self.immutables)}")
        items = sorted(values, key=lambda name: self.immutables[name])
        return self.code + b"".join(values[item].to_bytes(32, "big") for item in items)


@cache
def compiled(name: str) -> Compiled:
    """The contract of `contracts/<name>.vy`, from the cache where nothing has changed."""
    entry = CACHE / f"{name}-{_fingerprint()}.json"
    if not entry.exists():
        _write(entry, _compile(name))
    kept = json.loads(entry.read_text())
    return Compiled(
        name=name,
        code=bytes.fromhex(kept["code"]),
        slots=kept["slots"],
        immutables=kept["immutables"],
    )


@cache
def _fingerprint() -> str:
    """A hash over the compiler's version and all sources, since contracts share modules."""
    digest = hashlib.sha256(f"vyper {version('vyper')} {EVM_VERSION}".encode())
    # What is kept depends on how it is made too.
    digest.update(Path(__file__).read_bytes())
    for source in sorted(CONTRACTS.glob("*.vy")):
        digest.update(source.name.encode() + b"\0" + source.read_bytes() + b"\0")
    return digest.hexdigest()[:32]


def _compile(name: str) -> dict[str, object]:
    """The runtime code in hexadecimal, and the slots."""
    # The compiler takes half a second to load, so only who has to compile loads it.
    from vyper.compiler import compile_from_file_input
    from vyper.compiler.input_bundle import FilesystemInputBundle
    from vyper.compiler.settings import OptimizationLevel, Settings

    bundle = FilesystemInputBundle([CONTRACTS])
    with bundle.search_path(CONTRACTS):
        source = bundle.load_file(f"{name}.vy")
        result = compile_from_file_input(
            source,
            input_bundle=bundle,
            settings=Settings(optimize=OptimizationLevel.GAS, evm_version=EVM_VERSION),
            output_formats=["bytecode_runtime", "layout"],
        )
    layout = result["layout"]
    return {
        "code": result["bytecode_runtime"].removeprefix("0x"),
        "slots": _places(layout.get("storage_layout", {}), "slot"),
        "immutables": _places(layout.get("code_layout", {}), "offset"),
    }


def _places(layout: dict[str, dict], key: str) -> dict[str, int]:
    """Slots or offsets by the variables' names; those of a module are beside the contract's own."""
    places: dict[str, int] = {}
    for name, item in layout.items():
        if key in item:
            places[name] = item[key]
        else:
            places.update(_places(item, key))
    return places


def _write(path: Path, value: dict[str, object]) -> None:
    """Writes at once or not at all, since several processes may compile the same."""
    path.parent.mkdir(parents=True, exist_ok=True)
    with tempfile.NamedTemporaryFile("w", dir=path.parent, delete=False) as file:
        json.dump(value, file)
    os.replace(file.name, path)
