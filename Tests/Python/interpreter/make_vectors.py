"""Makes the vectors of InterpreterTests: make_vectors.py FOLDER [NAME].

Each case is run by the executable specification with the rules of three forks. With the name of a
case it prints what that does, line by line, and writes nothing.
"""

from __future__ import annotations

import itertools
import json
import sys
import threading
from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path

import programs_rules
import programs_state
import programs_words
from cases import BLOCK, WORLD, Case, accounts
from oracle import REVISIONS, Oracle, keccak

FAMILIES = {"rules": programs_rules, "state": programs_state, "words": programs_words}


def bounded(family: Iterator[Case], oracle: Oracle) -> Iterator[Case]:
    """The cases, and every sixth one once more with just enough gas and with one unit less."""
    for number, case in enumerate(family):
        yield case
        if number % 6 or "gas" in case.name or "17 words" in case.name:
            continue
        result = oracle.run(case)
        if result.ending != "succeeded":
            continue
        for gas in (result.spent, result.spent - 1):
            yield replace(case, name=f"{case.name}, {gas} gas", gas=gas)


def line(case: Case, oracles: list[Oracle]) -> str:
    entry = case.line()
    results = [oracle.run(case).text(keccak) for oracle in oracles]
    # One that is as the fork's before it is left out at the end.
    while len(results) > 1 and results[-1] == results[-2]:
        results.pop()
    entry["results"] = results
    return json.dumps(entry, separators=(",", ":"))


def header(oracles: list[Oracle]) -> str:
    block = {**BLOCK, "blobFees": [oracle.blob_fee for oracle in oracles]}
    return json.dumps({"block": block, "world": accounts(WORLD)}, separators=(",", ":"))


def show(name: str, oracles: list[Oracle]) -> None:
    """What the specification makes of one case."""
    everything = itertools.chain.from_iterable(
        bounded(family.programs(), oracles[-1]) for family in FAMILIES.values()
    )
    case = next((case for case in everything if case.name == name), None)
    if case is None:
        print(f"There is no case {name!r}.", file=sys.stderr)
        return
    for oracle in oracles:
        result = oracle.run(case)
        print(oracle.revision, result.text(keccak), result.spent)
        print("\n".join(result.lines(keccak)))


def main() -> None:
    folder = Path(sys.argv[1])
    oracles = [Oracle(revision) for revision in REVISIONS]
    if len(sys.argv) > 2:
        show(sys.argv[2], oracles)
        return
    (folder / "world.json").write_text(header(oracles) + "\n")
    for name, family in FAMILIES.items():
        lines = [line(case, oracles) for case in bounded(family.programs(), oracles[-1])]
        (folder / f"{name}.jsonl").write_text("\n".join(lines) + "\n")
        print(name, len(lines), flush=True)


# A thousand calls inside each other need more stack than a thread has by itself.
sys.setrecursionlimit(200_000)
threading.stack_size(1 << 30)
worker = threading.Thread(target=main)
worker.start()
worker.join()
