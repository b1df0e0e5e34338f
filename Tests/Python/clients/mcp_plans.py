"""Plans of agents by the public client of the Model Context Protocol: `mcp_plans.py DEX`."""

from __future__ import annotations

import asyncio
import json
import os
import pty
import select
import sqlite3
import subprocess
import sys
import time
from pathlib import Path
from typing import Any

from checks import RUN, Check, report
from jsonschema import Draft202012Validator
from mcp import Client, StdioServerParameters
from sandbox import Sandbox

MODES = ("auto", "legacy", "2026-07-28")
POLICY = """
[mcp]
networks = ["sandbox"]
[mcp.max_per_trade]
ZRX = "100"
[mcp.max_per_day]
ZRX = "1000"
"""


class Stage:
    """A sandbox whose accounts may trade ZRX without a person, and what starts servers on it."""

    def __init__(self, dex: str, sandbox: Sandbox) -> None:
        self.dex = dex
        self.home = sandbox.home
        policy = Path(self.home) / "policy.toml"
        policy.write_text(POLICY)
        policy.chmod(0o600)
        config = Path(self.home) / "config.toml"
        config.write_text('network = "sandbox"\n')
        config.chmod(0o600)
        schema = json.loads(self.run("schema", "approve", "show").stdout)
        # What `data` is in an answer that is none of a failure.
        self.schema = {"$defs": schema["$defs"], "$ref": "#/$defs/agentPlan"}

    @property
    def environment(self) -> dict[str, str]:
        return {"DEX_HOME": self.home, "HOME": self.home, "PATH": "/usr/bin:/bin",
                "TERM": "dumb"} | RUN

    def run(self, *arguments: str) -> subprocess.CompletedProcess[bytes]:
        return subprocess.run(
            [self.dex, *arguments], env=self.environment, stdin=subprocess.DEVNULL,
            capture_output=True, start_new_session=True, timeout=600,
        )

    def client(self, mode: str, wallet: str) -> Client:
        """A client that starts `dex mcp` when it is entered."""
        server = StdioServerParameters(
            command=self.dex, args=["mcp", "--allow", "do", "--wallet", wallet],
            env=self.environment,
        )
        return Client(server, mode=mode, read_timeout_seconds=300)

    def person(self, plan: str, answer: str) -> tuple[int, str]:
        """`dex approve PLAN` in a terminal of a person's own, who answers its question."""
        process, terminal = pty.fork()
        if process == 0:
            os.execve(self.dex, [self.dex, "approve", plan], self.environment)
        output = b""
        is_answered = False
        end = time.monotonic() + 300
        while time.monotonic() < end:
            if not select.select([terminal], [], [], 1)[0]:
                continue
            try:
                output += os.read(terminal, 65536)
            except OSError:
                break
            if not is_answered and b"[y/N]" in output:
                is_answered = True
                os.write(terminal, answer.encode() + b"\n")
        _, status = os.waitpid(process, 0)
        return os.waitstatus_to_exitcode(status), output.decode()

    def change(self, statement: str, plan: str) -> None:
        """Changes the record of a plan, as only time does."""
        for path in Path(self.home).rglob("journal.sqlite"):
            with sqlite3.connect(path, timeout=60) as journal:
                journal.execute(statement, [plan])

    def trades(self, wallet: str) -> int:
        """How many transactions by which an account traded the chain has."""
        listed = self.run("history", "list", "--wallet", wallet, "--json")
        return len({trade["transaction"] for trade in json.loads(listed.stdout)["data"]["trades"]})


def unfenced(value: Any) -> Any:
    """The answer with the words of others as `--json` has them."""
    if isinstance(value, dict):
        if value.keys() == {"untrusted"}:
            return value["untrusted"]
        return {key: unfenced(part) for key, part in value.items()}
    return [unfenced(part) for part in value] if isinstance(value, list) else value


def error_of(result: Any) -> str:
    """The code of a tool's error."""
    return json.loads(result.content[0].text)["error"]["code"]


SALE = {"pair": "ZRX/WETH", "side": "sell", "amount": "20", "via": "book"}


def within(check: Check, stage: Stage) -> None:
    """A plan within the limits is executed once, whichever server is asked"""
    for mode, wallet in zip(MODES, ("alice", "bob", "carol")):
        async def story(mode: str = mode, wallet: str = wallet) -> None:
            async with stage.client(mode, wallet) as client:
                names = [tool.name for tool in (await client.list_tools()).tools]
                check.equal(len(names), 16, f"{mode}: {names}")
                limits = (await client.call_tool("limits", {})).structured_content
                check.equal(limits["allow"], "do", f"{mode}: limits")
                plan = (await client.call_tool("plan_trade", SALE)).structured_content
                check.equal(plan["state"], "open", f"{mode}: {plan}")
                check.equal(plan["approval"], False, f"{mode}: {plan['why']}")
            # Another server, as after a restart.
            async with stage.client(mode, wallet) as client:
                arguments = {"plan": plan["planId"]}
                done = (await client.call_tool("execute", arguments)).structured_content
                check.equal(done["state"], "ended", f"{mode}: {done}")
                check.equal(done["exitCode"], 0, f"{mode}: {done}")
                again = (await client.call_tool("execute", arguments)).structured_content
                check.equal(again, done, f"{mode}: the second execute")
                told = (await client.call_tool("plans", arguments)).structured_content
                check.equal(told, done, f"{mode}: plans")
                for answer in (plan, done):
                    Draft202012Validator(stage.schema).validate(unfenced(answer))
        asyncio.run(story())
        check.equal(stage.trades(wallet), 1, f"{mode}: trades of {wallet}")


def person(check: Check, stage: Stage) -> None:
    """Beyond the limits a plan waits: for a yes at a terminal, a no, or its end"""
    async def story(mode: str) -> None:
        large = SALE | {"amount": "150"}
        async with stage.client(mode, "dave") as client:
            plan = (await client.call_tool("plan_trade", large)).structured_content
            check.equal(plan["approval"], True, f"{mode}: approval")
            arguments = {"plan": plan["planId"]}
            waits = (await client.call_tool("execute", arguments)).structured_content
            check.equal(waits["state"], "waiting", f"{mode}: {waits}")
            waiting = asyncio.create_task(
                client.call_tool("execute", arguments | {"wait": 300})
            )
            code, screen = await asyncio.to_thread(stage.person, plan["planId"], "y")
            check.equal(code, 0, f"{mode}: {screen}")
            done = (await waiting).structured_content
            check.equal((done["state"], done["exitCode"]), ("ended", 0), f"{mode}: {done}")
            # A plain no leaves it; `dex approve no` is for good.
            other = (await client.call_tool("plan_trade", large)).structured_content["planId"]
            code, screen = await asyncio.to_thread(stage.person, other, "n")
            check.equal(code, 20, f"{mode}: {screen}")
            check.equal(stage.run("approve", "no", other[:6]).returncode, 0, f"{mode}: no")
            declined = await client.call_tool("execute", {"plan": other})
            check.equal((declined.is_error, error_of(declined)), (True, "plan-declined"), mode)
            late = (await client.call_tool("plan_trade", SALE)).structured_content["planId"]
            stage.change("UPDATE agent_plans SET expires = created WHERE id = ?", late)
            expired = await client.call_tool("execute", {"plan": late})
            check.equal((expired.is_error, error_of(expired)), (True, "plan-expired"), mode)
    for number, mode in enumerate(MODES):
        asyncio.run(story(mode))
        check.equal(stage.trades("dave"), number + 1, f"{mode}: trades of dave")


def drift(check: Check, stage: Stage) -> None:
    """When the market leaves a plan's bounds nothing is signed"""
    async def story() -> None:
        async with stage.client("auto", "alice") as client:
            purchase = {"pair": "ZRX/WETH", "side": "buy", "amount": "1", "via": "book",
                        "slippage": "0.1"}
            plan = (await client.call_tool("plan_trade", purchase)).structured_content
            bought = stage.run("market-buy", "--via", "book", "ZRX/WETH", "3000", "--slippage", "5",
                               "--wallet", "bob", "--yes", "--json")
            check.equal(bought.returncode, 0, f"{bought.stdout!r}")
            before = stage.trades("alice")
            for _ in range(2):
                moved = await client.call_tool("execute", {"plan": plan["planId"]})
                check.equal(moved.is_error, True, f"{moved}")
                check.equal(error_of(moved), "plan-moved", f"{moved}")
            check.equal(stage.trades("alice"), before, "trades of alice")
    asyncio.run(story())


JUNK = ["", "x" * 101, "-1", "0", "1e9", "NaN", "--yes", "-v", "\u202e", "@1", "max", "50%", 7, -1,
        1.5, True, None, [], {}, ["0x"], "0x" + "12" * 32]


def junk(check: Check, stage: Stage) -> None:
    """Whatever an argument is, the answer is a plan or an error that a program can read"""
    calls = {
        "plan_trade": SALE | {"slippage": "1"},
        "plan_limit": {"pair": "ZRX/WETH", "side": "sell", "amount": "1", "price": "1"},
        "plan_cancel": {"orders": ["0x" + "12" * 32]},
        "plans": {"plan": "0123456789abcdef"},
        "execute": {"plan": "0123456789abcdef", "wait": 0},
    }

    async def story() -> None:
        async with stage.client("auto", "carol") as client:
            for name, arguments in calls.items():
                for key in [*arguments, "spend", "expires", "yes", "confirm", "acknowledged"]:
                    for value in JUNK:
                        what = f"{name}, {key} {value!r}"
                        result = await client.call_tool(name, arguments | {key: value})
                        if not result.is_error:
                            known = ("planId", "plans")
                            check.true(any(key in result.structured_content for key in known), what)
                            check.true(key not in ("yes", "confirm", "acknowledged"), what)
                            continue
                        error = json.loads(result.content[0].text)["error"]
                        check.equal(error.keys(), {"code", "exitCode", "message", "hint", "retryable"},
                                    what)
                        check.true(error["exitCode"] not in (0, 1), f"{what}: {error}")
    asyncio.run(story())
    check.equal(stage.trades("carol"), 1, "trades of carol")


def main() -> None:
    dex = sys.argv[1]
    with Sandbox(dex) as sandbox:
        report([within, person, drift, junk], Stage(dex, sandbox))


if __name__ == "__main__":
    main()
