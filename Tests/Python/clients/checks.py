"""Checks of a client against a server: what was expected and what was found, as JSON for a test."""

from __future__ import annotations

import json
import os
import signal
import sys
import traceback
from collections.abc import Callable
from typing import Any


# Seconds after which a check ends that waits for what does not come; longer than any single wait.
LONGEST = 900


# What tells a test's programs from others; one without it does nothing, as the test sees it.
RUN = {name: os.environ[name] for name in ("DEX_TEST_RUN",) if name in os.environ}


class Check:
    """One named check, which goes on after a difference."""

    def __init__(self, name: str) -> None:
        self.name = name
        self.comparisons = 0
        self.differences: list[str] = []

    def equal(self, found: Any, wanted: Any, what: str) -> None:
        """Both have to be the same."""
        self.true(found == wanted, f"{what} is {found!r}, not {wanted!r}")

    def true(self, holds: bool, otherwise: str) -> None:
        """A condition has to hold; otherwise the sentence says what is wrong."""
        self.comparisons += 1
        if not holds:
            self.differences.append(otherwise[:2_000])

    def raises(
        self, kind: type[BaseException], call: Callable[[], Any], what: str
    ) -> Any:
        """A call has to fail with exactly this kind of error, which is returned."""
        self.comparisons += 1
        try:
            answer = call()
        except Exception as error:
            if type(error) is kind:
                return error
            self.differences.append(f"{what} raised {error!r:.1000}, not a {kind.__name__}")
        else:
            self.differences.append(f"{what} answered {answer!r:.1000} instead of failing")
        return None


def report(checks: list[Callable[..., None]], *arguments: Any) -> None:
    """Runs checks, named by the first line of their text, and prints what they found.

    One that does not end is a difference, which says what it waited for.
    """
    results = []
    signal.signal(signal.SIGALRM, _too_long)
    for function in checks:
        check = Check((function.__doc__ or function.__name__).splitlines()[0])
        signal.alarm(LONGEST)
        try:
            function(check, *arguments)
        except Exception:
            check.differences.append(traceback.format_exc(limit=-6))
        finally:
            signal.alarm(0)
        results.append(check)
    emit(results)


def _too_long(_signal: int, _frame: object) -> None:
    raise TimeoutError(f"the check has not ended in {LONGEST} s; what it waits for is above")


def emit(checks: list[Check]) -> None:
    """Prints the results as one JSON object."""
    listed = [
        {
            "name": check.name,
            "comparisons": check.comparisons,
            "differences": check.differences[:20],
        }
        for check in checks
    ]
    json.dump({"checks": listed}, sys.stdout)
