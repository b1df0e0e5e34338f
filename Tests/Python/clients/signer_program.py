"""A signer for `dex` in eth-account, as docs/signing.md describes it: `signer_program.py KEYFILE`.

Reads one question from standard input and writes one answer: transactions come back as raw bytes,
orders, as messages or as typed data, and messages as 65 bytes of signature.
"""

from __future__ import annotations

import json
import sys
from pathlib import Path
from typing import Any

from eth_account import Account
from eth_account.messages import encode_defunct, encode_typed_data
from eth_account.signers.local import LocalAccount


def answer(question: dict[str, Any], account: LocalAccount) -> dict[str, str]:
    """The signed transaction as `raw`, or the `signature` over a message; both in hexadecimal."""
    if question["account"] != account.address:
        return {"error": f"there is no key for {question['account']}"}
    if question["kind"] == "transaction":
        raw = account.sign_transaction(question["transaction"]).raw_transaction
        return {"raw": "0x" + bytes(raw).hex()}
    if "typedData" in question:
        message = encode_typed_data(full_message=question["typedData"])
    else:
        message = encode_defunct(hexstr=question["message"])
    return {"signature": "0x" + bytes(account.sign_message(message).signature).hex()}


if __name__ == "__main__":
    key = Path(sys.argv[1]).read_text().strip()
    print(json.dumps(answer(json.loads(sys.stdin.read()), Account.from_key(key))))
