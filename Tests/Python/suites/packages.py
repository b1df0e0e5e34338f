"""Files in the packages of .build/suites, as their authors uploaded them to PyPI."""

from __future__ import annotations

import tarfile
import zipfile
from pathlib import Path

SUITES = Path(__file__).resolve().parents[3] / ".build" / "suites"


class Package:
    """A package that scripts/official-suites downloaded; it is neither unpacked nor installed."""

    def __init__(self, name: str) -> None:
        found = [path for path in SUITES.iterdir() if path.name.startswith(f"{name}-")]
        if len(found) != 1:
            raise FileNotFoundError(f"{len(found)} packages called {name} are in {SUITES}")
        self._path = found[0]

    def text(self, path: str) -> str:
        """The UTF-8 text of a file; its path is without the folder of all sources."""
        return self._bytes(path).decode()

    def _bytes(self, path: str) -> bytes:
        if self._path.suffix == ".whl":
            with zipfile.ZipFile(self._path) as archive:
                return archive.read(path)
        if self._path.suffix == ".zip":
            with zipfile.ZipFile(self._path) as archive:
                return archive.read(f"{self._path.stem}/{path}")
        with tarfile.open(self._path) as archive:
            folder = self._path.name.removesuffix(".tar.gz")
            member = archive.extractfile(f"{folder}/{path}")
            if member is None:
                raise FileNotFoundError(f"{path} is no file in {self._path}")
            return member.read()
