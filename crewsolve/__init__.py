"""crewsolve: the double-dummy solver of cooperative card games."""

from __future__ import annotations

__version__ = "0.1.0"
