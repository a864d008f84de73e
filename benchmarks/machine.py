"""What the numbers were measured on."""

from __future__ import annotations

import os
import platform
from datetime import UTC, datetime
from importlib.metadata import version
from pathlib import Path

from crewsolve import __version__

_PACKAGES = ("numpy", "numba", "python-sat", "ortools")


def header() -> dict[str, str]:
    """Cores, processor and versions."""
    packages = ", ".join(f"{name} {version(name)}" for name in _PACKAGES)
    return {
        "machine": f"{os.cpu_count()} cores, {_processor()}",
        "system": f"{platform.system()} {platform.release()}",
        "versions": f"crewsolve {__version__}, Python {platform.python_version()}, {packages}",
        "date": datetime.now(UTC).date().isoformat(),
    }


def _processor() -> str:
    try:
        for line in Path("/proc/cpuinfo").read_text(encoding="utf-8").splitlines():
            if line.startswith("model name"):
                return line.partition(":")[2].strip()
    except OSError:
        pass
    return platform.processor() or platform.machine()
