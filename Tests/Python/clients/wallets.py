"""eth-account on the messages, keystores and phrases of `dex wallet`: `wallets.py DEX`."""

from __future__ import annotations

import json
import random
import sys
from typing import Any

from checks import Check, report
from dex import Dex
from eth_account import Account
from eth_account.messages import encode_defunct, encode_typed_data
from eth_account.types import Language
from eth_keyfile.exceptions import EthKeyfileValueError

Account.enable_unaudited_hdwallet_features()

PASSWORD = "correct horse battery staple"
MESSAGES = [
    b"x", b"hello", "Grüße, 世界 🦊".encode(), b"two\nlines\n", b" spaces ", b"0x" + 63 * b"1",
    b"y" * 31, b"y" * 33, bytes(range(256)), b"z" * 9_999, b"z" * 10_000,
]
# Each may be the hash of an order.
HASHES = [b"y" * 32, b"0x" + 64 * b"1"]


def signed_messages(check: Check, dex: Dex) -> None:
    """what `dex wallet sign-message` signs is recovered by eth-account to the wallet's account"""
    address = dex.data("wallet", "new", "signer", "--light", "--yes", password=PASSWORD)["address"]
    for message in MESSAGES:
        signed = dex.data(
            "wallet", "sign-message", "--file", dex.file(message), "--wallet", "signer", "--yes",
            password=PASSWORD,
        )
        found = Account.recover_message(encode_defunct(message), signature=signed["signature"])
        check.equal(found, address, f"the signer of {message[:20]!r}")
    for message in HASHES:
        status, answer = dex.run(
            "wallet", "sign-message", "--file", dex.file(message), "--wallet", "signer", "--yes",
            password=PASSWORD,
        )
        check.equal(status, 6, f"the end of signing {message!r}")
        check.equal(answer["error"]["code"], "looks-like-a-hash", f"the error of {message!r}")
    signed = dex.data(
        "wallet", "sign-message", "plain text", "--wallet", "signer", "--yes", password=PASSWORD
    )
    text = encode_defunct(text="plain text")
    found = Account.recover_message(text, signature=signed["signature"])
    check.equal(found, address, "the signer of an argument")


def verified_messages(check: Check, dex: Dex) -> None:
    """`dex wallet verify-message` takes eth-account's signatures, but no tampered ones"""
    for index, message in enumerate(MESSAGES[:3]):
        account = Account.create(f"peer {index}")
        signed = account.sign_message(encode_defunct(message))
        signature = bytes(signed.signature)
        path = dex.file(message)

        def verify(address: str, content: bytes, file: str = path) -> tuple[int, str]:
            status, answer = dex.run(
                "wallet", "verify-message", address, "0x" + content.hex(), "--file", file
            )
            return status, (answer["error"] or {}).get("code", "")

        check.equal(verify(account.address, signature)[0], 0, f"the verdict on {message[:20]!r}")
        flipped = [bytearray(signature) for _ in range(3)]
        flipped[0][index] ^= 1
        flipped[1][40 + index] ^= 0x80
        flipped[2][64] ^= 27 ^ 28
        other = dex.file(message + b" ")
        wrong = [
            verify(account.address, signature, other),
            verify(Account.create().address, signature),
            *(verify(account.address, bytes(content)) for content in flipped),
            verify(account.address, bytes(64) + signature[64:]),
            verify(account.address, 64 * b"\xff" + signature[64:]),
        ]
        check.equal({item[0] == 0 for item in wrong}, {False}, f"a tampered one: {wrong}")
        check.equal({item[1] for item in wrong}, {"wrong-signature"}, "its code")
        for content in (b"", signature[:-1], signature + b"\0", signature[:64] + b"\x1d"):
            check.true(verify(account.address, content)[0] != 0, f"{len(content)} bytes passed")


def typed_data(check: Check, dex: Dex) -> None:
    """`dex wallet sign-typed` signs what eth-account signs, and `verify-typed` knows the signer"""
    address = dex.data("wallet", "new", "typed", "--light", "--yes", password=PASSWORD)["address"]
    for index in range(4):
        data = {
            "types": {
                "EIP712Domain": [
                    {"name": "name", "type": "string"}, {"name": "chainId", "type": "uint256"},
                ],
                "Vote": [
                    {"name": "voter", "type": "address"}, {"name": "choices", "type": "Choice[]"},
                    {"name": "reason", "type": "string"}, {"name": "data", "type": "bytes"},
                ],
                "Choice": [
                    {"name": "weight", "type": "int256"}, {"name": "isFinal", "type": "bool"},
                ],
            },
            "primaryType": "Vote",
            "domain": {"name": "Grüße, 世界", "chainId": 1},
            "message": {
                "voter": address,
                "choices": [{"weight": -k, "isFinal": k % 2 == 0} for k in range(index)],
                "reason": "because\n" * index,
                "data": "0x" + bytes(range(index)).hex(),
            },
        }
        text = dex.file(json.dumps(data))
        signed = dex.data(
            "wallet", "sign-typed", text, "--wallet", "typed", "--yes", "--network", "mainnet",
            password=PASSWORD,
        )
        found = Account.recover_message(
            encode_typed_data(full_message=data), signature=signed["signature"]
        )
        check.equal(found, address, f"the signer of vote {index}")
        other = Account.create(f"voter {index}")
        signature = bytes(
            Account.sign_typed_data(other.key, full_message=data).signature
        )
        verified = dex.data("wallet", "verify-typed", text, "0x" + signature.hex())
        check.equal(verified["address"], other.address, f"the signer of their vote {index}")
        status, answer = dex.run("wallet", "verify-typed", text, "0x" + signature.hex(), address)
        check.equal(status, 5, f"the end of vote {index} by another one")
        check.equal(answer["error"]["code"], "wrong-signature", f"the error of vote {index}")


def our_keystores(check: Check, dex: Dex) -> None:
    """eth-account opens the keystores that `dex` writes, and finds the account that dex names"""
    passwords = [PASSWORD, "pässwörd 世界", "x"]
    for index, password in enumerate(passwords):
        name = f"ours-{index}"
        options = [] if index == 0 else ["--light", "--allow-weak-password"]
        made = dex.data("wallet", "new", name, *options, "--yes", password=password)
        keystore = dex.data("wallet", "export", name)["keystore"]
        account = Account.from_key(Account.decrypt(keystore, password))
        check.equal(account.address, made["address"], f"the account of {name}")
        check.equal(keystore["address"], account.address[2:].lower(), "the address in the file")
        check.raises(
            EthKeyfileValueError,
            lambda: Account.decrypt(keystore, password + "x"),
            "a wrong password",
        )


def their_keystores(check: Check, dex: Dex) -> None:
    """`dex` opens eth-account's keystores, scrypt and pbkdf2, and refuses what is tampered with"""
    cases: list[tuple[str, int | None, str]] = [
        ("scrypt", None, PASSWORD), ("pbkdf2", None, PASSWORD), ("scrypt", 2, "x"),
        ("scrypt", 1_024, "pässwörd 世界"), ("pbkdf2", 1, "y" * 500), ("pbkdf2", 3, "tab\there"),
    ]
    for index, (kdf, work, password) in enumerate(cases):
        account = Account.create()
        name = f"theirs-{index}"
        keystore = Account.encrypt(account.key, password, kdf=kdf, iterations=work)
        status, made = take(dex, name, keystore, password)
        check.equal(status, 0, f"the import of {kdf} with {work}: {made}")
        if status == 0:
            check.equal(made["data"]["address"], account.address, f"the account of {name}")
            again = dex.data("wallet", "export", name)["keystore"]
            check.equal(Account.decrypt(again, password), account.key, "the key taken out again")
    account = Account.create()
    keystore = Account.encrypt(account.key, PASSWORD, kdf="pbkdf2", iterations=2)
    text = json.dumps(keystore)
    crypto = keystore["crypto"]
    bad: dict[str, tuple[Any, str, str]] = {
        "another password": (keystore, PASSWORD + "x", "wrong-password"),
        "another checksum": (
            changed(keystore, "mac", flip(crypto["mac"])), PASSWORD, "wrong-password"
        ),
        "another ciphertext": (
            changed(keystore, "ciphertext", flip(crypto["ciphertext"])), PASSWORD, "wrong-password"
        ),
        "another address": (keystore | {"address": 40 * "1"}, PASSWORD, "damaged-keystore"),
        "another start": (
            changed(keystore, "cipherparams", {"iv": flip(crypto["cipherparams"]["iv"])}),
            PASSWORD,
            "damaged-keystore",
        ),
        "a checksum that is gone": (changed(keystore, "mac", None), PASSWORD, "damaged-keystore"),
        "half a file": (text[: len(text) // 2], PASSWORD, "damaged-keystore"),
        "another cipher": (
            changed(keystore, "cipher", "aes-256-cbc"), PASSWORD, "foreign-keystore"
        ),
        "another version": (keystore | {"version": 4}, PASSWORD, "foreign-keystore"),
        "endless rounds": (
            changed(keystore, "kdfparams", crypto["kdfparams"] | {"c": 2**31}),
            PASSWORD,
            "unreasonable-keystore",
        ),
    }
    for name, (content, password, code) in bad.items():
        status, answer = take(dex, "bad", content, password)
        check.true(status != 0, f"a keystore with {name} was taken")
        check.equal((answer["error"] or {}).get("code"), code, f"the code of {name}")


def take(dex: Dex, name: str, keystore: Any, password: str) -> tuple[int, dict[str, Any]]:
    """Imports a keystore."""
    text = keystore if isinstance(keystore, str) else json.dumps(keystore)
    return dex.run(
        "wallet", "import", "keystore", name, "--light", "--allow-weak-password", "--yes", "--from",
        dex.file(text),
        password=password,
    )


def changed(keystore: dict[str, Any], name: str, value: Any) -> dict[str, Any]:
    """The keystore with another member of its cryptographic part; None takes it away."""
    crypto = keystore["crypto"] | {name: value}
    if value is None:
        del crypto[name]
    return keystore | {"crypto": crypto}


def flip(digits: str) -> str:
    """The same digits with the lowest bit of the last one changed."""
    return digits[:-1] + f"{int(digits[-1], 16) ^ 1:x}"


def phrases(check: Check, dex: Dex) -> None:
    """recovery phrases lead to the same accounts, whoever made them, on any path"""
    generator = random.Random(21)
    for count in (12, 15, 18, 21, 24):
        _, phrase = Account.create_with_mnemonic(num_words=count, language=Language.ENGLISH)
        passphrase = generator.choice(["", "TREZOR", "pässphrase 世界"])
        path = "m/44'/60'/0'/0/0" if count == 12 else f"m/44'/60'/{count}'/1/{2**31 - count}"
        wanted = Account.from_mnemonic(phrase, passphrase=passphrase, account_path=path)
        options = ["--passphrase-file", dex.file(passphrase + "\n")] if passphrase else []
        made = dex.data(
            "wallet", "import", "words", f"words-{count}", "--light", "--yes", "--path", path,
            "--from", dex.file(phrase + "\n"), *options,
            password=PASSWORD,
        )
        check.equal(made["address"], wanted.address, f"the account of {count} words on {path}")
    for count in (12, 24):
        name = f"made-{count}"
        made = dex.data(
            "wallet", "new", name, "--words", str(count), "--light", "--yes", password=PASSWORD
        )
        keystore = dex.data("wallet", "export", name)["keystore"]
        key = Account.from_key(Account.decrypt(keystore, PASSWORD))
        check.equal(key.address, made["address"], f"the account of {name}")


if __name__ == "__main__":
    report(
        [signed_messages, verified_messages, typed_data, our_keystores, their_keystores, phrases],
        Dex(sys.argv[1]),
    )
