"""Starts nodes on request, each in a process that is forked from this one.

    python nodes.py

Prints one line of JSON, {"port"}, once it listens on this machine. Each connection is a node: it
sends the configuration that docs/evm.md describes as one line of JSON, and gets the line that
server.py prints; where `swap` has a `key`, a Swap API for that key runs beside it, and the line has
its URL as "swap" too. The node ends when the connection does, and this program when its standard input
does. Loading py-evm takes more than half a second of a processor; a forked node has it loaded.
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


def _start(configuration: Any) -> str:
    line = serve(configuration)
    swap = configuration.get("swap", {})
    if "key" not in swap:
        return line
    url = json.loads(line)["url"]
    pools = [pool["address"] for pool in swap.get("pools", [])]
    return json.dumps({"url": url, "swap": swap_api.serve(url, swap["key"], pools)})


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
