"""Suites about transactions and messages: those of ethereum/tests and eth-account's own."""

from __future__ import annotations

from typing import Any

from formats import digits
from literals import Source
from packages import Package


def _word(text: str) -> bytes:
    return bytes.fromhex(text.removeprefix("0x"))


NAMES = {
    "HexBytes": lambda item: item if isinstance(item, bytes) else _word(item),
    "keys.PrivateKey": lambda content: digits(content),
    "AccessListTransaction": 1,
    "DynamicFeeTransaction": 2,
    "BlobTransaction": 3,
    "SetCodeTransaction": 4,
}


def _source(name: str) -> Source:
    return Source(Package("eth_account").text(f"tests/core/{name}"), NAMES)


def transactions() -> Any:
    """{signed: [{key, raw}], hashed: [{type, raw, hash}]}; a hash is that of what is signed.

    The first of `signed` are txtest.json of ethereum/tests, which is older than EIP-2 and EIP-155.
    """
    source = _source("test_accounts.py")
    signed = [
        {"key": item["key"], "raw": digits(_word(item["signed"]))}
        for item in source.constant("ETH_TEST_TRANSACTIONS")
    ]
    for _, key, raw, *_ in source.rows("test_eth_account_sign_transaction"):
        signed.append({"key": key.removeprefix("0x"), "raw": digits(raw)})
    wanted = {"expected_type": "type", "expected_raw_transaction": "raw", "expected_hash": "hash"}
    cases = _source("test_typed_transactions.py").members("TEST_CASES", *wanted)
    hashed = [{name: case[key] for key, name in wanted.items()} for case in cases]
    return {"signed": signed, "hashed": hashed}


def messages() -> Any:
    """EIP-191: {hashed: [{message, hash}], signed: [{message, key, hash, signature}]}."""
    source = _source("test_accounts.py")
    hashed = [
        {"message": digits(text.encode()), "hash": digits(found)}
        for text, found in source.rows("test_eth_account_hash_message_text")
    ]
    for text, found in source.rows("test_eth_account_hash_message_hexstr"):
        hashed.append({"message": text, "hash": digits(found)})
    rows = source.rows("test_eth_account_sign")
    signed = [
        {
            "message": digits(content), "key": key.removeprefix("0x"), "hash": digits(found),
            "signature": digits(signature),
        }
        for _, key, content, found, _, _, _, signature in rows
    ]
    return {"hashed": hashed, "signed": signed}
