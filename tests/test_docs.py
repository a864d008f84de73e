"""Every example in the README and the documentation is run and must print what it says.

Fenced blocks marked `console` hold `$ crewsolve …` lines, each followed by its exact output; a line `...`
stands for any lines. Blocks marked `python` with prompts are doctests. `console no-run` is only shown.
"""

from __future__ import annotations

import doctest
import os
import re
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest

ROOT = Path(__file__).parents[1]
PAGES = [path for path in (ROOT / "README.md", *sorted(ROOT.glob("docs/*.md"))) if path.exists()]
_FENCE = re.compile(r"^```([^\n]*)\n(.*?)^```\s*$", re.DOTALL | re.MULTILINE)
_LAUNCH = f"'{sys.executable}' -m crewsolve"


def blocks(language: str) -> list[Any]:
    """The fenced blocks of all pages with exactly this info string."""
    found = []
    for page in PAGES:
        text = page.read_text(encoding="utf-8")
        for match in _FENCE.finditer(text):
            if match[1].strip() == language:
                line = text.count("\n", 0, match.start()) + 1
                found.append(pytest.param(match[2], id=f"{page.relative_to(ROOT)}:{line}"))
    return found


def commands(block: str) -> list[tuple[str, str]]:
    """The commands of a console block, each with the output that should follow."""
    parts = re.split(r"^\$ ", block, flags=re.MULTILINE)
    assert not parts[0].strip(), "a console block starts with a `$ ` line"
    pairs = []
    for part in parts[1:]:
        while "\\\n" in part.split("\n", 1)[0] + "\n":
            part = part.replace("\\\n", " ", 1)
        command, _, output = part.partition("\n")
        pairs.append((command, output))
    return pairs


def run(command: str, cwd: Path) -> str:
    """What a shell prints for the command, errors included."""
    environment = os.environ | {"COLUMNS": "100", "NO_COLOR": "1", "PYTHONPATH": str(ROOT), "TERM": "dumb"}
    environment.pop("FORCE_COLOR", None)
    script = f'crewsolve() {{ {_LAUNCH} "$@"; }}\n{command}'
    done = subprocess.run(
        ["bash", "-c", script], cwd=cwd, env=environment, capture_output=True, text=True, timeout=300
    )
    return done.stdout + done.stderr


def matches(expected: str, actual: str) -> bool:
    """Whether the outputs agree line by line; `...` stands for any number of lines."""
    chunks = re.split(r"^\.\.\.\n", tidy(expected), flags=re.MULTILINE)
    pattern = r"(?:.*\n)*".join(map(re.escape, chunks))
    return re.fullmatch(pattern, tidy(actual)) is not None


def tidy(text: str) -> str:
    """The text without blanks at the ends of lines and without blank lines at its end."""
    lines = [line.rstrip() for line in text.rstrip().splitlines()]
    return "".join(line + "\n" for line in lines)


@pytest.mark.parametrize("block", blocks("console"))
def test_console_examples_print_what_they_say(block: str) -> None:
    for command, expected in commands(block):
        actual = run(command, ROOT)
        assert matches(expected, actual), f"$ {command}\nprinted\n{actual}instead of\n{expected}"


@pytest.mark.parametrize("block", blocks("python"))
def test_python_examples_print_what_they_say(block: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(ROOT)
    test = doctest.DocTestParser().get_doctest(block, {}, "example", None, 0)
    assert test.examples, "a python block holds prompts (>>>); mark code that is only shown `py`"
    report: list[str] = []
    result = doctest.DocTestRunner(optionflags=doctest.ELLIPSIS).run(test, out=report.append)
    assert result.failed == 0, "".join(report)


def test_an_ellipsis_stands_for_any_lines_and_nothing_else_does() -> None:
    assert matches("a\n...\nd\n", "a\nb\nc\nd\n")
    assert matches("a\n...\n", "a\n")
    assert not matches("a\n...\nd\n", "a\nb\nc\n")
    assert not matches("a.c\n", "abc\n")


@pytest.mark.parametrize("page", PAGES, ids=lambda page: str(page.relative_to(ROOT)))
def test_links_lead_somewhere(page: Path) -> None:
    for target in re.findall(r"\]\((?!https?:)([^)#\s]+)", page.read_text(encoding="utf-8")):
        assert (page.parent / target).exists(), f"{page.name} links to {target}"
