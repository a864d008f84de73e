"""Compiled kernels and where they are kept.

numba's own cache does not notice a change in a function called from another module, and raises where no
directory is writable. So every kernel of the package is compiled through `kernel` below: its cache lives in
a directory of the user, named by a digest of all kernel sources and of the versions that matter. Where
nothing can be written, kernels are compiled for the process alone.
"""

from __future__ import annotations

import os
import sys
import tempfile
from collections.abc import Callable
from functools import cache
from pathlib import Path
from typing import Any, TypeVar

Function = TypeVar("Function", bound=Callable[..., Any])

_PACKAGE = Path(__file__).parents[1]


def kernel(function: Function) -> Function:
    """Compile a function of integers and arrays without Python objects, cached across processes."""
    import numba

    directory = cache_directory()
    if directory is None:
        return numba.njit(function)
    before = numba.config.CACHE_DIR
    numba.config.CACHE_DIR = str(directory)  # read once, while the decorator runs
    try:
        return numba.njit(cache=True)(function)
    finally:
        numba.config.CACHE_DIR = before


@cache
def cache_directory() -> Path | None:
    """The directory of the compiled kernels of exactly these sources, None where none can be written."""
    for base in _bases():
        directory = base / f"kernels-{sources_digest()}"
        try:
            directory.mkdir(parents=True, exist_ok=True)
            with tempfile.TemporaryFile(dir=directory):
                return directory
        except OSError:
            continue
    return None


def _bases() -> list[Path]:
    """Where to look for a writable place, best first."""
    bases = [Path(chosen)] if (chosen := os.environ.get("NUMBA_CACHE_DIR")) else []
    named = os.environ.get("XDG_CACHE_HOME") or os.environ.get("LOCALAPPDATA")
    try:
        bases.append(Path(named) / "crewsolve" if named else Path.home() / ".cache" / "crewsolve")
    except RuntimeError:  # no home directory
        pass
    return bases


@cache
def sources_digest() -> str:
    """A name that changes with every kernel source and with the versions of Python, numpy and numba.

    Place and time of the sources count too, because numba takes a cached kernel only for the very file it was
    compiled from: another copy of the package must not find itself ready.
    """
    import hashlib
    import platform
    from importlib.metadata import version

    digest = hashlib.sha256()
    machine = (sys.version, platform.machine(), version("numba"), version("numpy"), version("llvmlite"))
    digest.update(repr(machine).encode())
    for path in sorted(_PACKAGE.rglob("*.py")):
        source = path.read_bytes()
        if b"numba" in source or b"kernels.jit" in source:
            digest.update(f"{path}\0{path.stat().st_mtime_ns}\0".encode() + source)
    return digest.hexdigest()[:16]


def kernels_ready(name: str) -> bool:
    """Whether the kernels marked `name` are compiled and cached; does not import numba."""
    directory = cache_directory()
    return directory is not None and (directory / f"{name}.ready").exists()


_LOADED: set[str] = set()


def kernels_loaded(name: str) -> bool:
    """Whether this process has used the kernels marked `name`."""
    return name in _LOADED


@cache
def mark_ready(name: str) -> None:
    """Remember that the kernels called `name` have been used, so they are compiled, loaded and cached."""
    _LOADED.add(name)
    directory = cache_directory()
    if directory is not None:
        try:
            (directory / f"{name}.ready").touch()
        except OSError:
            pass
