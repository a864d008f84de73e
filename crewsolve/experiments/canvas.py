"""What all pictures of experiments share: a style fit for print, and files that hold no dates."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

from crewsolve.errors import CrewError

FORMATS = ("svg", "png", "pdf")

# Okabe and Ito's palette (2008), told apart with every kind of colour vision and in grey.
_COLOURS = ("#0072B2", "#D55E00", "#009E73", "#CC79A7", "#E69F00", "#56B4E9", "#555555")
_MARKERS = ("o", "s", "^", "D", "v", "P", "X")

_STYLE = {
    "font.family": "sans-serif",
    "font.size": 9,
    "axes.spines.top": False,
    "axes.spines.right": False,
    "axes.linewidth": 0.6,
    "axes.edgecolor": "#444444",
    "xtick.color": "#444444",
    "ytick.color": "#444444",
    "grid.color": "#dddddd",
    "grid.linewidth": 0.5,
    "svg.fonttype": "none",
    "svg.hashsalt": "crewsolve",  # equal results give equal files
    "figure.dpi": 100,
    "savefig.dpi": 200,
}


def look(place: int) -> tuple[str, str]:
    """Colour and marker of the curve at a place."""
    return _COLOURS[place % len(_COLOURS)], _MARKERS[place % len(_MARKERS)]


def check_format(path: Path | str) -> Path:
    """The path of a picture, refused where its ending names no format of ours."""
    target = Path(path)
    if target.suffix.lstrip(".").lower() not in FORMATS:
        raise CrewError(f"{target}: a plot is written as .{', .'.join(FORMATS)}")
    return target


@contextmanager
def canvas(path: Path | str, *, panels: int = 1) -> Iterator[Any]:
    """The axes of a picture with so many panels side by side (a list where there are several); then save."""
    target = check_format(path)
    import matplotlib

    matplotlib.use("Agg")
    import matplotlib.pyplot as plt

    size = (7.2, 4.4) if panels == 1 else (9.6, 4.4)
    with plt.rc_context(_STYLE):
        figure, axes = plt.subplots(1, panels, figsize=size, layout="constrained")
        try:
            yield axes
            figure.savefig(target, metadata=_metadata(target))
        except OSError as error:
            raise CrewError(f"{target}: cannot be written: {error.strerror}") from error
        finally:
            plt.close(figure)


def furnish(axes: Any, *, most: int, label: str) -> None:
    """Axes for shares in per cent over the numbers of tasks up to `most`."""
    from matplotlib.ticker import PercentFormatter

    step = 4 if most > 12 else 1
    axes.set_xticks([1, *range(2 if step == 1 else step, most + 1, step)])
    axes.set_xlim(0.2, most + 0.8)
    axes.set_ylim(-2, 103)
    axes.set_xlabel("tasks")
    axes.set_ylabel(label)
    axes.yaxis.set_major_formatter(PercentFormatter(decimals=0))
    axes.grid(axis="y")
    axes.set_axisbelow(True)


def _metadata(target: Path) -> dict[str, Any]:
    """No dates in the files: the same results give the same bytes."""
    kind = target.suffix.lstrip(".").lower()
    return {"svg": {"Date": None}, "pdf": {"CreationDate": None}, "png": {}}[kind]
