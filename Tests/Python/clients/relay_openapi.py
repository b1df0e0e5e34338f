"""The relay's descriptions of itself, judged by other people's programs: `relay_openapi.py DEX`.

openapi-spec-validator reads the OpenAPI document, schemathesis makes requests from it and holds
each answer against it, and prometheus-client reads the metrics.
"""

from __future__ import annotations

import json
import os
import re
import subprocess
import sys
import tempfile
from pathlib import Path

import requests
from checks import RUN, Check, report
from openapi_spec_validator import OpenAPIV31SpecValidator
from prometheus_client.parser import text_string_to_metric_families
from sandbox import Sandbox

# What the document promises. Left out: that a method it does not name is 405 (HEAD is answered
# wherever GET is, and the document says so once for all), and that an undescribed query parameter is refused (it is ignored).
CHECKS = (
    "not_a_server_error", "status_code_conformance", "content_type_conformance",
    "response_schema_conformance", "response_headers_conformance",
)
# Answers 501 on purpose, which schemathesis takes for a failure.
NOT_OFFERED = r"/order/persistent$"
SUMMARY = re.compile(r"(\d+) generated", re.MULTILINE)


def document(check: Check, url: str) -> None:
    """the OpenAPI document is valid, and has both APIs"""
    spec = requests.get(f"{url}/openapi.json", timeout=600).json()
    errors = [error.message[:300] for error in OpenAPIV31SpecValidator(spec).iter_errors()]
    check.equal(errors, [], "the validator's list")
    check.equal(spec["openapi"], "3.1.0", "the version")
    operations = [
        (method, path) for path, item in spec["paths"].items() for method in item
    ]
    for prefix, count in (("/v0/", 6), ("/sra/v4/", 8), ("/orderbook/v1", 8)):
        found = [path for _, path in operations if path.startswith(prefix)]
        check.equal(len(found), count, f"the operations below {prefix}")
    names = [spec["paths"][path][method]["operationId"] for method, path in operations]
    check.equal(len(set(names)), len(names), "the operations' names")


def schemathesis(check: Check, url: str) -> None:
    """requests made from the document break nothing, and each answer is as it says"""
    program = Path(sys.executable).with_name("schemathesis")
    with tempfile.TemporaryDirectory(prefix="dex-openapi-") as folder:
        log = Path(folder) / "events.ndjson"
        run = subprocess.run(
            [
                str(program), "run", f"{url}/openapi.json", "--checks", ",".join(CHECKS),
                "--exclude-path-regex", NOT_OFFERED, "--phases", "examples,coverage,fuzzing",
                "--mode", "all", "--max-examples", "20", "--seed", "18", "--workers", "1",
                "--suppress-health-check", "all", "--no-color", "--request-timeout", "600",
                "--report", "ndjson", "--report-ndjson-path", str(log),
            ],
            cwd=folder,
            env={"PATH": os.environ["PATH"], "HOME": folder, "HYPOTHESIS_STORAGE_DIRECTORY": folder}
            | RUN,
            capture_output=True,
            text=True,
            check=False,
        )
        statuses: dict[int, int] = {}
        for line in log.read_text().splitlines() if log.exists() else []:
            for status in responses(json.loads(line)):
                statuses[status] = statuses.get(status, 0) + 1
    check.equal(run.returncode, 0, f"its verdict: {run.stdout[-6_000:]} {run.stderr[-500:]}; it")
    check.true(sum(statuses.values()) >= 500, f"only these answers were judged: {statuses}")
    for status in (200, 400):
        check.true(statuses.get(status, 0) >= 20, f"few answers with {status}: {statuses}")
    check.equal([status for status in statuses if status >= 500], [], "the failures")


def responses(event: object) -> list[int]:
    """The statuses of the answers in one event of its log."""
    if isinstance(event, dict):
        found = [event["status_code"]] if isinstance(event.get("status_code"), int) else []
        return found + [status for value in event.values() for status in responses(value)]
    if isinstance(event, list):
        return [status for value in event for status in responses(value)]
    return []


def metrics(check: Check, url: str) -> None:
    """Prometheus's own client reads the metrics, and finds the requests that were made"""
    response = requests.get(f"{url}/metrics", timeout=600)
    check.equal(response.status_code, 200, "the status")
    check.equal(
        response.headers["Content-Type"], "text/plain; version=0.0.4; charset=utf-8", "the type"
    )
    families = {family.name: family for family in text_string_to_metric_families(response.text)}
    for name, kind in (
        ("dex_relay_requests", "counter"), ("dex_relay_request_duration_seconds", "histogram"),
        ("dex_relay_orders", "gauge"), ("process_cpu_seconds", "counter"),
    ):
        check.true(name in families, f"there is no {name}")
        check.equal(families[name].type, kind, f"the type of {name}")
    made = sum(sample.value for sample in families["dex_relay_requests"].samples)
    check.true(made >= 500, f"only {made} requests were counted")
    broken = [
        sample.labels for sample in families["dex_relay_requests"].samples
        if sample.labels["status"].startswith("5") and not sample.labels["route"].endswith("persistent")
    ]
    check.equal(broken, [], "the requests that failed")


def caches(check: Check, url: str) -> None:
    """requests reads compressed books, and gets none twice"""
    pair = requests.get(f"{url}/markets.json", timeout=600).json()["markets"][0]
    path = f"{url}/v0/orderbook?baseTokenAddress={pair['base']}&quoteTokenAddress={pair['quote']}"
    packed = requests.get(path, timeout=600)
    plain = requests.get(path, headers={"Accept-Encoding": "identity"}, timeout=600)
    check.equal(packed.headers.get("Content-Encoding"), "gzip", "the coding")
    check.equal(plain.headers.get("Content-Encoding"), None, "the coding of the plain one")
    check.equal(packed.json(), plain.json(), "the compressed book")
    check.true(
        int(packed.headers["Content-Length"]) < int(plain.headers["Content-Length"]) / 2,
        "it is hardly smaller",
    )
    for tag in (packed.headers["ETag"], plain.headers["ETag"]):
        again = requests.get(path, headers={"If-None-Match": tag}, timeout=600)
        check.equal((again.status_code, again.content), (304, b""), f"the answer to {tag}")


with Sandbox(sys.argv[1], "--orders", "60") as sandbox:
    root = sandbox.relay.removesuffix("/v0")
    report([document, schemathesis, metrics, caches], root)
