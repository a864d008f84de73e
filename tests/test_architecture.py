"""Imports point one way, and nothing heavy is loaded before it is needed."""

from __future__ import annotations

import ast
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest

from crewsolve.cli import COMMANDS

PACKAGE = Path(__file__).parents[1] / "crewsolve"

LAYERS = (
    {"errors"},
    {"cards"},
    {"deal", "html", "randomness", "rules", "tasks"},
    {"playout", "position", "simulator", "view"},
    {"kernels", "notation", "result"},
    {"encodings", "proofs"},
    {"solving"},
    {"agents", "claims", "experiments", "report", "thegame"},
    {"cli"},
)
"""The parts of the package; each imports only from its own layer and from those above it in this list."""

NEVER = {
    "encodings": {"proofs"},  # each checks the other
    "proofs": {"encodings", "solving"},
    "kernels": {"notation", "result"},
}

ONLY = {"thegame": {"errors", "experiments", "kernels", "randomness", "result", "thegame"}}
"""The second game stands on its own feet."""

RENDERED_LATE = {
    ("cards", "html"),
    ("deal", "html"),
    ("deal", "notation"),
    ("playout", "html"),
}
"""Values print and draw themselves: these imports stand inside the methods that do so."""

HEAVY = (
    "dask", "distributed", "dratify", "matplotlib", "networkx", "numba", "numpy", "ortools", "pysat", "rich",
    "scipy", "sympy",
)  # fmt: skip


def part(module: str) -> str:
    """The part of the package that a module belongs to; the package itself is the empty name."""
    return module.split(".")[1] if "." in module else ""


def modules() -> Iterator[tuple[str, Path]]:
    for path in sorted(PACKAGE.rglob("*.py")):
        names = path.relative_to(PACKAGE.parent).with_suffix("").parts
        yield ".".join(names[:-1] if names[-1] == "__init__" else names), path


def imports(path: Path) -> Iterator[tuple[str, bool]]:
    """The modules of ours that a file imports when run, each with whether a function does it."""
    tree = ast.parse(path.read_text(encoding="utf-8"))
    inside = {
        node
        for function in ast.walk(tree)
        if isinstance(function, (ast.FunctionDef, ast.AsyncFunctionDef))
        for node in ast.walk(function)
    }
    typing_only = {
        node
        for branch in ast.walk(tree)
        if isinstance(branch, ast.If) and "TYPE_CHECKING" in ast.unparse(branch.test)
        for statement in branch.body
        for node in ast.walk(statement)
    }
    for node in ast.walk(tree):
        names = []
        if isinstance(node, ast.Import):
            names = [alias.name for alias in node.names]
        elif isinstance(node, ast.ImportFrom):
            assert node.level == 0, f"{path}: imports are absolute"
            names = [node.module or ""]
            if node.module == "crewsolve":
                names = [f"crewsolve.{alias.name}" for alias in node.names if is_module(alias.name)]
        for name in names:
            if name.split(".")[0] == "crewsolve" and node not in typing_only:
                yield name, node in inside


def is_module(name: str) -> bool:
    return (PACKAGE / f"{name}.py").exists() or (PACKAGE / name).is_dir()


def layer(name: str) -> int:
    return next(place for place, names in enumerate(LAYERS) if name in names)


COMMAND_MODULES = sorted({place.partition(":")[0] for place in COMMANDS.values()})

EDGES = [
    (module, imported, late)
    for module, path in modules()
    if part(module) not in ("", "__main__")
    for imported, late in imports(path)
    if part(imported)
]


def test_every_part_has_its_layer() -> None:
    parts = {part(module) for module, _ in modules()} - {"", "__main__"}
    assert parts <= set().union(*LAYERS)


def test_imports_point_one_way() -> None:
    wrong = [
        f"{module} imports {imported}"
        for module, imported, late in EDGES
        if layer(part(imported)) > layer(part(module))
        and not (late and (part(module), part(imported)) in RENDERED_LATE)
    ]
    assert not wrong, "\n".join(wrong)


def test_parts_that_check_each_other_share_nothing() -> None:
    wrong = [
        f"{module} imports {imported}"
        for module, imported, _ in EDGES
        if part(imported) in NEVER.get(part(module), set())
        or part(imported) not in ONLY.get(part(module), {part(imported)})
    ]
    assert not wrong, "\n".join(wrong)


def test_parts_of_one_layer_do_not_import_each_other_in_a_circle() -> None:
    graph: dict[str, set[str]] = {}
    for module, imported, late in EDGES:
        if part(module) != part(imported) and not late:
            graph.setdefault(part(module), set()).add(part(imported))

    def reaches(start: str, goal: str, seen: set[str]) -> bool:
        fresh = graph.get(start, set()) - seen
        return goal in fresh or any(reaches(name, goal, seen | fresh) for name in fresh)

    circles = [name for name in graph if reaches(name, name, set())]
    assert not circles


@pytest.mark.parametrize("module", ["crewsolve", "crewsolve.cli", "crewsolve.cli.options", *COMMAND_MODULES])
def test_importing_a_command_loads_nothing_heavy(module: str) -> None:
    script = f"import sys, {module}; print(*sorted({{m.split('.')[0] for m in sys.modules}} & set({HEAVY})))"
    done = subprocess.run([sys.executable, "-c", script], capture_output=True, text=True, cwd=PACKAGE.parent)
    assert done.returncode == 0, done.stderr
    assert done.stdout.split() == []


def test_help_and_show_load_no_numbers_library() -> None:
    script = (
        "import sys; from crewsolve.cli import main; main(sys.argv[1:], standalone_mode=False); "
        "print(sorted({'numpy', 'numba', 'pysat', 'ortools', 'sympy'} & set(sys.modules)))"
    )
    for arguments in (["--help"], ["show", "examples/rescue.toml"]):
        done = subprocess.run(
            [sys.executable, "-c", script, *arguments], capture_output=True, text=True, cwd=PACKAGE.parent
        )
        assert done.returncode == 0, done.stderr
        assert done.stdout.endswith("[]\n")
