"""The methods of these tests stand in the table beside the real ones."""

from __future__ import annotations

import pytest

from crewsolve.encodings import METHODS

OWN = {
    "test:brute": "tests.solving.brute:Brute",
    "test:again": "tests.solving.brute:Brute",
    "test:capped": "tests.solving.brute:Capped",
    "test:contrary": "tests.solving.brute:Contrary",
    "test:fussy": "tests.solving.brute:Fussy",
}


@pytest.fixture(autouse=True, scope="module")
def own_methods():
    """Methods named `test:…`, for the time of one module."""
    METHODS.update(OWN)
    yield
    for name in OWN:
        del METHODS[name]
