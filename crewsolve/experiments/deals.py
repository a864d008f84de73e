"""The random deals of an experiment: what sweeps and tournaments say about them is said here once."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, fields
from typing import TYPE_CHECKING, Self

from crewsolve.cards import Deck
from crewsolve.deal import Deal, random_deal, usual_leader
from crewsolve.experiments.description import Json
from crewsolve.rules import OFFICIAL, Rules

if TYPE_CHECKING:
    from crewsolve.encodings.batch import Batch


@dataclass(frozen=True)
class RandomDeals:
    """What the deals of an experiment look like; a store holds this for ever, together with the seed.

    A kind of experiment that asks for more adds its fields, and they are parameters like these.

    >>> RandomDeals(Deck.parse("4x9"), seats=3).leader
    'drawn'
    """

    deck: Deck
    seats: int
    free: bool = False
    leader: str = ""
    rules: Rules = OFFICIAL

    def __post_init__(self) -> None:
        if not self.leader:
            object.__setattr__(self, "leader", usual_leader(self.deck))
        self.deal(0, tasks=self.deck.colour_cards)  # what cannot be dealt is refused here

    @classmethod
    def of(cls, parameters: Mapping[str, Json]) -> Self:
        """The deals of an experiment's parameters."""
        deck, rules = Deck.parse(parameters["deck"]), Rules.parse(parameters["rules"])
        return cls(**{**parameters, "deck": deck, "rules": rules})

    def parameters(self) -> dict[str, Json]:
        """As parameters of an experiment."""
        values = {field.name: getattr(self, field.name) for field in fields(self)}
        return {**values, "deck": str(self.deck), "rules": str(self.rules)}

    def deal(self, *key: int, tasks: int) -> Deal:
        """The random deal of a key."""
        return random_deal(
            self.deck, seats=self.seats, tasks=tasks, free=self.free, leader=self.leader, rules=self.rules,
            key=key,
        )  # fmt: skip

    def batch(self, keys: Iterable[Sequence[int]], *, tasks: int) -> Batch:
        """The random deals of many keys, as arrays."""
        from crewsolve.encodings.batch import random_batch

        return random_batch(
            self.deck, seats=self.seats, tasks=tasks, free=self.free, leader=self.leader, rules=self.rules,
            keys=keys,
        )  # fmt: skip
