"""Interchangeable ways to decide a deal: one table, one interface.

A new method is a module and a row. The command line, the tests and the benchmarks read this table.
"""

from __future__ import annotations

import importlib

from crewsolve.encodings.at_most import AT_MOST
from crewsolve.encodings.method import Answer, Limits, Method
from crewsolve.errors import UnknownName

__all__ = ["METHODS", "Answer", "Limits", "Method", "get_method"]

METHODS: dict[str, str] = {  # name -> "module:factory", imported on first use; the first row is the default
    "auto": "crewsolve.encodings.auto:auto_method",
    **{f"cnf:{encoding}": "crewsolve.encodings.cnf:cnf_method" for encoding in AT_MOST},
    "cnf:lean": "crewsolve.encodings.lean.method:lean_method",
    "search": "crewsolve.encodings.search:Search",
    "cpsat": "crewsolve.encodings.cpsat:cpsat_method",
}


def get_method(name: str, *, sat: str | None = None) -> Method:
    """The method of that name, with the SAT solver of that name where it takes one."""
    if name not in METHODS:
        raise UnknownName("method", name, METHODS)
    module, _, attribute = METHODS[name].partition(":")
    factory = getattr(importlib.import_module(module), attribute)
    method: Method = factory(name, sat=sat)
    return method
