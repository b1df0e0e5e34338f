"""What went wrong, as geth says it."""

from __future__ import annotations

from eth.abc import ComputationAPI
from eth.exceptions import InvalidInstruction, OutOfGas, Revert

from wire import text


class RPCError(Exception):
    """An error as it is answered."""

    def __init__(self, code: int, message: str, data: str | None = None) -> None:
        super().__init__(message)
        self.code = code
        self.data = data


def raise_failure(computation: ComputationAPI) -> None:
    """Raises RPCError where a call failed."""
    if computation.is_success:
        return
    if isinstance(computation.error, Revert):
        raise RPCError(3, failure(computation), text(computation.output))
    raise RPCError(-32000, failure(computation))


def failure(computation: ComputationAPI) -> str:
    """Why a call failed."""
    if isinstance(computation.error, Revert):
        return f"execution reverted{_reason(computation.output)}"
    if isinstance(computation.error, InvalidInstruction):
        return "invalid opcode: INVALID"
    return "out of gas" if isinstance(computation.error, OutOfGas) else str(computation.error)


def _reason(output: bytes) -> str:
    """The text of Error(string), behind a colon; nothing where it is none."""
    if output[:4] != bytes.fromhex("08c379a0") or len(output) < 68:
        return ""
    length = int.from_bytes(output[36:68], "big")
    return ": " + output[68 : 68 + length].decode("utf-8", "replace")
