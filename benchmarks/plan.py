"""What is measured: the cells of the table, and how many deals each gets."""

from __future__ import annotations

from dataclasses import dataclass

TASKS = (1, 3, 5, 8, 10, 12, 15, 18, 20, 24, 28, 32, 33, 34, 36)
"""The numbers of tasks in the table."""

AUTO, BATCH, STREAM = "auto", "auto, batch", "auto, stream"
"""The default method: asked for one deal, for verdicts on arrays of deals, for whole results of a stream."""

PUBLISHED = "cnf:binomial"
"""The method of the published program; the yardstick."""

KISSAT = "kissat404"
"""The solver of the published program, in the version that PySAT brings."""

CANDIDATES = ("minisat22", "glucose4", "cadical153", "cadical195")
"""Solvers tried for the yardstick; the quickest one stands for PySAT's best."""


@dataclass(frozen=True, slots=True)
class Cell:
    """One kind of deal."""

    deck: str
    seats: int
    tasks: int
    free: bool

    @property
    def kind(self) -> str:
        """`fixed` or `free`."""
        return "free" if self.free else "fixed"

    @property
    def key(self) -> str:
        """A name for the cell."""
        return f"{self.deck} seats={self.seats} {self.kind} tasks={self.tasks}"


@dataclass(frozen=True, slots=True)
class Plan:
    """How much is measured.

    `deals` of every cell go to each of `methods`; the first of them also to the methods in `few`, each with
    its number of deals, and the first `yardstick` to the published way. A decision that takes longer than
    `limit` seconds counts as `limit` and as undecided; a method that has spent `patience` seconds on such
    deals of a cell is asked no more of them. Other decks get a tenth of everything, but five deals.
    """

    name: str
    deals: int
    yardstick: int
    limit: float
    patience: float
    methods: tuple[str, ...]
    few: tuple[tuple[str, int], ...] = ()
    tasks: tuple[int, ...] = TASKS
    others: tuple[Cell, ...] = ()
    trial: int = 10
    playouts: int = 1_000_000
    perft_depth: int = 12
    seed: int = 2021

    def cells(self) -> list[Cell]:
        """The cells of the real game, fixed first."""
        return [Cell("4x9+4", 4, tasks, free) for free in (False, True) for tasks in self.tasks]

    def counts(self, cell: Cell) -> dict[str, int]:
        """How many deals of a cell each method gets, the published way last."""
        asked = {**dict.fromkeys(self.methods, self.deals), **dict(self.few), PUBLISHED: self.yardstick}
        if cell not in self.others:
            return asked
        return {name: max(min(5, count), count // 10) for name, count in asked.items()}


def other_cells(tables: tuple[tuple[str, int], ...], tasks: tuple[int, ...]) -> tuple[Cell, ...]:
    """Other decks and seats; `tables` are (deck, seats)."""
    return tuple(
        Cell(deck, seats, number, free)
        for deck, seats in tables
        for free in (False, True)
        for number in tasks
    )


TABLES = (
    ("4x9", 2),
    ("4x9+4", 3),
    ("4x9+4", 5),
    ("4x9", 4),
    ("5x9+5", 5),
    ("6x9+6", 5),
)
"""Two, three and five seats, no rockets, 50 and 60 cards."""

PLANS = {
    "tiny": Plan(
        "tiny", deals=2, yardstick=1, limit=2.0, patience=2.0, methods=("cnf:lean",), tasks=(1, 36),
        others=(Cell("2x4+2", 3, 2, False),), trial=1, playouts=1000, perft_depth=2,
    ),
    "short": Plan(
        "short", deals=60, yardstick=3, limit=3.0, patience=1.0, methods=(AUTO,),
        few=(("cnf:lean", 20), ("search", 3)), others=other_cells(TABLES, (6,)), trial=4,
    ),
    "full": Plan(
        "full", deals=1000, yardstick=50, limit=10.0, patience=20.0, methods=(AUTO,),
        few=(("cnf:lean", 100), ("search", 20), ("cpsat", 5)), others=other_cells(TABLES, (6, 12)),
        trial=20, playouts=5_000_000, perft_depth=13,
    ),
}  # fmt: skip
"""The plans by name; `tiny` only shows that everything runs."""
