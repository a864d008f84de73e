"""Options of the test suite: `pytest --method cnf:binomial` narrows what is asked of all methods."""

from __future__ import annotations

import signal

import pytest

from crewsolve.encodings import METHODS

# A suite started in the background of a shell inherits that Ctrl-C is ignored, and so would the processes
# it tests.
signal.signal(signal.SIGINT, signal.default_int_handler)


def pytest_addoption(parser: pytest.Parser) -> None:
    parser.addoption(
        "--method",
        action="append",
        choices=list(METHODS),
        help="ask only this method (may be repeated); default: all in the table",
    )


def pytest_generate_tests(metafunc: pytest.Metafunc) -> None:
    """Tests with an argument `method` run for every method asked for."""
    if "method" in metafunc.fixturenames and "method" not in _parametrized(metafunc):
        metafunc.parametrize("method", metafunc.config.getoption("method") or list(METHODS))


def _parametrized(metafunc: pytest.Metafunc) -> set[str]:
    marks = metafunc.definition.iter_markers("parametrize")
    return {name.strip() for mark in marks for name in _names(mark.args[0])}


def _names(argument: object) -> list[str]:
    return argument.split(",") if isinstance(argument, str) else [str(name) for name in list(argument)]  # type: ignore[call-overload]


@pytest.fixture(scope="session")
def asked_methods(pytestconfig: pytest.Config) -> list[str]:
    """The methods asked for, for tests that go through them deal by deal."""
    return pytestconfig.getoption("method") or list(METHODS)
