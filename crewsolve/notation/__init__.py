"""Deals and playouts as text: TOML for people, one line per deal, JSON lines, `.game` files."""

from __future__ import annotations

from crewsolve.notation.line import dumps_line, loads_line

__all__ = ["dumps_line", "loads_line"]
