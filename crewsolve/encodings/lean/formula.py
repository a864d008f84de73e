"""A formula under construction over the variables of a table."""

from __future__ import annotations

from collections.abc import Collection, Iterable
from dataclasses import dataclass
from typing import Any

import numpy as np

from crewsolve.cards import Card
from crewsolve.encodings.lean.variables import Blocks, Ints, Table


class LeanFormula:
    """The clauses so far as plain lists, how many each group has, and the highest variable in use."""

    def __init__(self, table: Table) -> None:
        self.table = table
        self.clauses: list[list[int]] = []
        self.counts: list[tuple[list[int], int]] = []
        self.groups: dict[str, int] = {}
        self.variables = table.variables

    def add(self, group: str, blocks: Iterable[Ints]) -> None:
        """Add the blocks of a group of clauses."""
        before = len(self.clauses)
        for block in blocks:
            self.clauses += block.tolist()
        self.groups[group] = self.groups.get(group, 0) + len(self.clauses) - before

    def define(self, group: str, made: tuple[Ints, Blocks]) -> Ints:
        """Add helper variables, numbered from the next free one, with the clauses that say what they mean."""
        variables, blocks = made
        self.variables += variables.size
        self.add(group, blocks)
        return variables

    def fresh(self, height: int, width: int) -> Ints:
        """A matrix of new helper variables."""
        first = self.variables + 1
        self.variables += height * width
        return np.arange(first, first + height * width, dtype=np.int32).reshape(height, width)

    def name_of(self, variable: int) -> tuple[Any, ...] | None:
        """What a variable says, None for helpers."""
        return self.table.name_of(variable)


@dataclass(frozen=True, slots=True)
class LeanReading:
    """A finished formula and how its models are read."""

    formula: LeanFormula

    def line(self, model: Collection[int]) -> tuple[Card, ...]:
        """The cards in playing order, from the first trick on, that a model (its literals) stands for."""
        table = self.formula.table
        return (*table.position.played, *table.line(model))
