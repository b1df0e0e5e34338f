"""web3.py and eth-account on the JSON-RPC of `dex sandbox`: `chain.py DEX`."""

from __future__ import annotations

import sys

import chain_errors
import chain_logs
import chain_reading
import chain_sending
from checks import report
from peer import Peer
from sandbox import Sandbox

with Sandbox(sys.argv[1]) as sandbox:
    modules = [chain_sending, chain_reading, chain_logs, chain_errors]
    report([check for module in modules for check in module.CHECKS], Peer(sandbox))
