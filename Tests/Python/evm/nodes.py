"""Starts nodes on request, each in a process that is forked from this one.

    python nodes.py

Prints one line of JSON, {"port"}, once it listens on this machine. Each connection sends one line of
JSON and gets one:

- a configuration that docs/evm.md describes: a node. The answer is the line that server.py prints;
  where `swap` has a `key`, a Swap API for that key runs beside it, and the line has its URL as "swap".
- {"stateOf": configuration}: the first block and its accounts, for a node of another kind.
- {"swapOf": {"node", "key", "pools"}}: a Swap API beside such a node; the line has its URL as "swap".

What was started ends when the connection does, and this program when its standard input does. Loading
py-evm takes more than half a second of a processor; a forked process has it loaded.
"""

from __future__ import annotations

import json
import os
import select
import signal
import socket
import sys
import traceback
from typing import Any

import swap_api
from deployment import build_genesis, chain_id
from server import serve


def _node(connection: socket.socket) -> None:
    """Runs one node until its connection ends."""
    with connection.makefile("rw", encoding="utf-8") as stream:
        try:
            line = _start(json.loads(stream.readline()))
        except Exception as error:  # Whatever it is, the test that asked shows it.
            traceback.print_exc()
            line = json.dumps({"error": str(error)})
        stream.write(line + "\n")
        stream.flush()
        stream.read()


def _start(request: Any) -> str:
    if "stateOf" in request:
        return json.dumps(_state(request["stateOf"]))
    if "swapOf" in request:
        swap = request["swapOf"]
        return json.dumps({"swap": swap_api.serve(swap["node"], swap["key"], swap["pools"])})
    configuration = request
    line = serve(configuration)
    swap = configuration.get("swap", {})
    if "key" not in swap:
        return line
    url = json.loads(line)["url"]
    pools = [pool["address"] for pool in swap.get("pools", [])]
    return json.dumps({"url": url, "swap": swap_api.serve(url, swap["key"], pools)})


def _state(configuration: Any) -> dict[str, Any]:
    """Block 0 and all accounts; bytes and words in hexadecimal, amounts as text."""
    parameters, accounts = build_genesis(configuration)
    return {
        "chainId": str(chain_id(configuration)),
        "timestamp": str(parameters["timestamp"]),
        "gasLimit": str(parameters["gas_limit"]),
        "baseFeePerGas": str(parameters["base_fee_per_gas"]),
        "coinbase": "0x" + parameters["coinbase"].hex(),
        "accounts": [
            {
                "address": "0x" + address.hex(),
                "balance": str(account["balance"]),
                "nonce": str(account["nonce"]),
                "code": "0x" + account["code"].hex(),
                "storage": {
                    f"0x{slot:064x}": f"0x{word:064x}"
                    for slot, word in account["storage"].items()
                },
            }
            for address, account in accounts.items()
        ],
    }


def main() -> None:
    # Ended nodes need no one to wait for them.
    signal.signal(signal.SIGCHLD, signal.SIG_IGN)
    listener = socket.create_server(("127.0.0.1", 0), backlog=128)
    print(json.dumps({"port": listener.getsockname()[1]}), flush=True)
    while True:
        ready, _, _ = select.select([listener, sys.stdin], [], [])
        if sys.stdin in ready:
            return
        connection, _ = listener.accept()
        if os.fork() == 0:
            listener.close()
            _node(connection)
            os._exit(0)
        connection.close()


if __name__ == "__main__":
    main()
