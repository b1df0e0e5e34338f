#!/usr/bin/env python3
"""Makes the keystore, mnemonic and scrypt vectors of Tests/EthereumWalletTests.

Needs eth-account and mnemonic from PyPI; scrypt is OpenSSL's, through hashlib. Keystores differ
from run to run, since their salts are random. Usage: make-wallet-vectors.py FOLDER
"""

import hashlib
import json
import random
import ssl
import sys
from importlib.metadata import version
from pathlib import Path

import eth_keyfile
from eth_account import Account
from eth_account.hdaccount import ETHEREUM_DEFAULT_PATH
from mnemonic import Mnemonic

RANDOM = random.Random(20261121)
WORDS = Mnemonic("english")

# The entropies of the vectors that BIP-39 names, which all have the passphrase TREZOR.
# Source: https://github.com/trezor/python-mnemonic/blob/master/vectors.json
PATTERNS = [byte * size for size in (16, 24, 32) for byte in (b"\x00", b"\x7f", b"\x80", b"\xff")]
PUBLISHED = [
    "9e885d952ad362caeb4efe34a8e91bd2",
    "6610b25967cdcca9d59875f5cb50b0ea75433311869e930b",
    "68a79eaca2324873eacc50cb9c6eca8cc68ea5d936f98787c60c7ebc74e6ce7c",
    "c0ba5a8e914111210f2bd131f3d5e08d",
    "6d9be1ee6ebd27a258115aad99b7317b9c8d28b6d76431c3",
    "9f6a2878b2520799a44ef18bc7df394e7061a224d2c33cd015b157d746869863",
    "23db8160a31d3e0dca3688ed941adbf3",
    "8197a4a47f0425faeaa69deebc05ca29c0a5b5cc76ceacc0",
    "066dca1a2bb7e8a1db2832148ce9933eea0f3ac9548d793112d9a95c9407efad",
    "f30f8c1da665478f49b001d94c5fc452",
    "c10ec20dc3cd9f652c7fac2f1230f7a3c828389a14392f05",
    "f585c11aec520db57dd353c69554b21a89b20fb0650966fa0a9d6f74fd989d8f",
]
PASSPHRASES = [
    "",
    " ",
    "correct horse battery staple",
    "Zażółć gęślą jaźń",
    "\u00c5\u212b\ufb01\u2460\uff21",
    "㍍ガバヴァぱばぐゞちぢ十人十色",
    "e\u0301 \u00e9",
    "한글 \U0001f511",
    "x" * 300,
]
PATHS = [
    ETHEREUM_DEFAULT_PATH,
    "m/44'/60'/0'/0/1",
    "m/44'/60'/0'/0/2147483647",
    "m/44'/60'/7'/1/3",
    "m/44'/60'/0'/0",
    "m/44'/1'/0'/0/0",
    "m/0",
    "m/2147483647'/0/2147483647'",
    "m/1/2/3/4/5/6/7/8/9/10/11/12",
]
PASSWORDS = ["", "foo", "correct horse battery staple", "pass\tword\n", "Zażółć 密碼 🔑", "x" * 200]


def mnemonics():
    """Phrases with their seeds and master keys: hex, words and Base58."""
    entropies = [(entropy, "TREZOR") for entropy in PATTERNS]
    entropies += [(bytes.fromhex(text), "TREZOR") for text in PUBLISHED]
    for index, passphrase in enumerate(PASSPHRASES):
        entropies.append((RANDOM.randbytes([16, 20, 24, 28, 32][index % 5]), passphrase))
    for entropy, passphrase in entropies:
        phrase = WORDS.to_mnemonic(entropy)
        seed = WORDS.to_seed(phrase, passphrase)
        yield {
            "entropy": entropy.hex(),
            "phrase": phrase,
            "passphrase": passphrase,
            "seed": seed.hex(),
            "master": Mnemonic.to_hd_master_key(seed),
        }


def accounts():
    """Keys and addresses at paths below phrases."""
    Account.enable_unaudited_hdwallet_features()
    for size in (16, 20, 24, 28, 32):
        phrase = WORDS.to_mnemonic(RANDOM.randbytes(size))
        passphrase = PASSPHRASES[size % len(PASSPHRASES)]
        for path in PATHS:
            account = Account.from_mnemonic(phrase, passphrase=passphrase, account_path=path)
            yield {
                "phrase": phrase,
                "passphrase": passphrase,
                "path": path,
                "key": account.key.hex(),
                "address": account.address,
            }


def keystores():
    """Files of eth-account: text, password, key and address; the first two are its defaults."""
    for index in range(14):
        key = RANDOM.randbytes(32)
        if index == 9:
            key = bytes(30) + key[:2]
        kdf = "scrypt" if index % 2 == 0 else "pbkdf2"
        password = PASSWORDS[index % len(PASSWORDS)]
        if index < 2:
            content = Account.encrypt(key, password, kdf=kdf)
        else:
            work = [2, 8, 1024, 4096][index % 4] if kdf == "scrypt" else [1, 2, 1000][index % 3]
            content = eth_keyfile.create_keyfile_json(
                key,
                password.encode(),
                kdf=kdf,
                iterations=work,
                salt_size=[16, 32, 64][index % 3],
            )
        yield {
            "json": json.dumps(content),
            "password": password,
            "key": key.hex(),
            "address": Account.from_key(key).address,
        }


def derivations():
    """What OpenSSL's scrypt derives: hex."""
    for cost, size, lanes, length in [
        (2, 1, 1, 32), (2, 8, 1, 32), (4, 1, 3, 1), (16, 2, 2, 31), (64, 3, 5, 33), (256, 8, 1, 64),
        (1024, 5, 4, 100), (4096, 8, 6, 32), (32768, 1, 2, 32), (16, 64, 1, 32), (1024, 16, 2, 32),
    ]:
        password, salt = RANDOM.randbytes(lanes * 13), RANDOM.randbytes(size)
        derived = hashlib.scrypt(
            password, salt=salt, n=cost, r=size, p=lanes, dklen=length, maxmem=1 << 28
        )
        yield {
            "password": password.hex(),
            "salt": salt.hex(),
            "n": cost,
            "r": size,
            "p": lanes,
            "key": derived.hex(),
        }


def main() -> None:
    """Writes one file for each kind."""
    folder = Path(sys.argv[1])
    packages = ", ".join(f"{name} {version(name)}" for name in ("eth-account", "mnemonic"))
    source = f"scripts/make-wallet-vectors.py with {packages}, {ssl.OPENSSL_VERSION}"
    for make in (mnemonics, accounts, keystores, derivations):
        vectors = list(make())
        text = json.dumps({"source": source, "vectors": vectors}, indent=1)
        (folder / f"{make.__name__}.json").write_text(text + "\n")
        print(make.__name__, len(vectors))


main()
