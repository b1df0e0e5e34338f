"""A client of the standard relayer API v0 on the relay of `dex sandbox`: `relay.py DEX`."""

from __future__ import annotations

import sys

import relay_hostile
import relay_posting
import relay_reading
from checks import report
from peer import Peer
from relay_http import Relay
from sandbox import Sandbox

with Sandbox(sys.argv[1]) as sandbox:
    modules = [relay_reading, relay_posting, relay_hostile]
    checks = [check for module in modules for check in module.CHECKS]
    report(checks, Peer(sandbox), Relay(sandbox.relay))
