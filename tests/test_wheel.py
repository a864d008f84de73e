"""The built wheel works where the clone is out of sight."""

from __future__ import annotations

import os
import subprocess
import sys
import sysconfig
import venv
from pathlib import Path

import pytest

from crewsolve import __version__

ROOT = Path(__file__).parents[1]


def run(*command: str | Path, cwd: Path, text: str | None = None) -> str:
    environment = {key: value for key, value in os.environ.items() if not key.startswith("PYTHON")}
    done = subprocess.run(
        [str(word) for word in command], cwd=cwd, env=environment, input=text, capture_output=True, text=True
    )
    assert done.returncode == 0, f"{command}\n{done.stdout}{done.stderr}"
    return done.stdout


@pytest.fixture(scope="module")
def bin_directory(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The programs of a fresh environment that holds the wheel and sees our dependencies, not our clone."""
    work = tmp_path_factory.mktemp("wheel")
    run(
        sys.executable, "-m", "build", "--wheel", "--no-isolation", "--outdir", work / "dist", ROOT, cwd=work
    )  # fmt: skip
    (wheel,) = (work / "dist").glob("crewsolve-*.whl")
    venv.create(work / "env", with_pip=True, symlinks=True)
    programs = work / "env" / ("Scripts" if os.name == "nt" else "bin")
    run(programs / "python", "-m", "pip", "install", "--quiet", "--no-deps", "--no-index", wheel, cwd=work)
    packages = run(
        programs / "python", "-c", "import sysconfig; print(sysconfig.get_path('purelib'))", cwd=work
    )
    # The dependencies are those of the running environment. A path file adds their directory without
    # reading the path files in it, so an editable install of the clone stays invisible.
    dependencies = Path(packages.strip()) / "dependencies.pth"
    dependencies.write_text(sysconfig.get_path("purelib") + "\n", encoding="utf-8")
    return programs


def test_the_installed_package_is_the_wheel(bin_directory: Path, tmp_path: Path) -> None:
    place = run(bin_directory / "python", "-c", "import crewsolve; print(crewsolve.__file__)", cwd=tmp_path)
    assert Path(place.strip()).is_relative_to(bin_directory.parent)
    assert (Path(place.strip()).parent / "py.typed").exists()


def test_the_wheel_holds_every_module(bin_directory: Path, tmp_path: Path) -> None:
    place = run(
        bin_directory / "python", "-c", "import crewsolve; print(crewsolve.__path__[0])", cwd=tmp_path
    )
    installed = {path.relative_to(place.strip()) for path in Path(place.strip()).rglob("*.py")}
    assert installed == {path.relative_to(ROOT / "crewsolve") for path in (ROOT / "crewsolve").rglob("*.py")}


def test_the_command_answers(bin_directory: Path, tmp_path: Path) -> None:
    command = bin_directory / "crewsolve"
    assert run(command, "--version", cwd=tmp_path) == f"crewsolve, version {__version__}\n"
    deal = run(command, "deal", "--seed", "7", "--count", "2", cwd=tmp_path)
    assert deal.splitlines()[1].startswith("7-1; 4x9+4; ")
    assert "deck 4x9+4, 4 seats, 10 tricks" in run(command, "show", "-", cwd=tmp_path, text=deal)
