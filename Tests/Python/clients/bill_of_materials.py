"""The bill of materials, judged by CycloneDX's own library: `bill_of_materials.py`.

cyclonedx-python-lib has the schema and reads the document back, and packageurl reads the names. The
binary is Python's, since a debug build of dex names libraries of no Debian package.
"""

from __future__ import annotations

import json
import os
import subprocess
import sys
from pathlib import Path

from checks import Check, report
from cyclonedx.model.bom import Bom
from cyclonedx.schema import SchemaVersion
from cyclonedx.validation.json import JsonStrictValidator
from packageurl import PackageURL

ROOT = Path(__file__).resolve().parents[3]
VERSION = "9.8.7"
DAY = "1790000000"


def bill() -> str:
    binary = os.path.realpath(sys.executable)
    run = subprocess.run(
        [str(ROOT / "scripts/bill-of-materials"), binary, VERSION],
        check=True, capture_output=True, text=True,
        env=os.environ | {"SOURCE_DATE_EPOCH": DAY},
    )
    return run.stdout


def schema(check: Check, text: str) -> None:
    """The document is valid by the schema, and the library reads it."""
    error = JsonStrictValidator(SchemaVersion.V1_6).validate_str(text)
    check.equal(None if error is None else str(error), None, "schema")
    # A document that is not valid is found out.
    wrong = json.loads(text) | {"components": [{"type": "sort of library"}]}
    check.equal(
        JsonStrictValidator(SchemaVersion.V1_6).validate_str(json.dumps(wrong)) is None, False,
        "a wrong one",
    )
    read = Bom.from_json(json.loads(text))
    check.equal(len(read.components), len(json.loads(text)["components"]), "components read")
    check.equal(read.metadata.component.version, VERSION, "version")
    check.equal(int(read.metadata.timestamp.timestamp()), int(DAY), "day")


def packages(check: Check, text: str) -> None:
    """Every package of Package.resolved is listed, at its version and commit."""
    listed = {
        component["purl"]: component for component in json.loads(text)["components"]
    }
    pins = json.loads((ROOT / "Package.resolved").read_text())["pins"]
    swift = [purl for purl in listed if purl.startswith("pkg:swift/")]
    check.equal(len(swift), len(pins), "packages")
    for pin in pins:
        host, owner, name = pin["location"].removeprefix("https://").removesuffix(".git").split("/")
        purl = PackageURL("swift", f"{host}/{owner}", name, pin["state"]["version"]).to_string()
        found = listed.get(purl)
        check.equal(found is not None, True, purl)
        if found is not None:
            check.equal(found["pedigree"]["commits"][0]["uid"], pin["state"]["revision"], purl)
            check.equal(len(found.get("licenses", [])), 1, f"licence of {purl}")


def libraries(check: Check, text: str) -> None:
    """Every library is a package of this system, at its version."""
    components = json.loads(text)["components"]
    debian = [item for item in components if item["purl"].startswith("pkg:deb/")]
    check.equal("libc6" in [item["name"] for item in debian], True, "the C library")
    check.equal("libcurl4" in [item["name"] for item in debian], True, "libcurl")
    for item in debian:
        url = PackageURL.from_string(item["purl"])
        name = f"{url.name}:{url.qualifiers['arch']}"
        installed = subprocess.run(
            ["dpkg-query", "-W", "-f", "${Version}", name], capture_output=True, text=True
        ).stdout
        check.equal(url.version, installed, name)
        check.equal(item["version"], installed, name)


def repeated(check: Check, text: str) -> None:
    """The same binary and day give the same bytes."""
    check.equal(bill() == text, True, "a second document")


if __name__ == "__main__":
    report([schema, packages, libraries, repeated], bill())
