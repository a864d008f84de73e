"""What must be achieved: the tasks of a deal, and the goals they stand for.

Play and goals are two things. A `Goal` looks only at facts of the play (which seat won which cards, and
whether the play is over) and says whether it is open, done or failed; the simulator asks nothing else,
so a new kind of task is a new goal here and its counterpart in each method.
"""

from __future__ import annotations

import enum
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Protocol

from crewsolve.cards import Card, CardSet, Deck
from crewsolve.errors import BadDeal


class Status(enum.Enum):
    """Where a goal stands."""

    OPEN = "open"
    DONE = "done"
    FAILED = "failed"


class Goal(Protocol):
    """One condition on a play."""

    def status(self, won: Sequence[int], over: bool) -> Status:
        """Judge by the masks of the cards won by each seat; `over` once no trick is left."""
        ...


@dataclass(frozen=True, slots=True)
class WinCard:
    """Seat `seat` wins the trick that holds `card`."""

    seat: int
    card: Card
    card_mask: int

    def status(self, won: Sequence[int], over: bool) -> Status:
        """Done with the card, failed once another seat wins it or the play ends without it."""
        if won[self.seat] & self.card_mask:
            return Status.DONE
        elsewhere = any(mask & self.card_mask for mask in won)
        return Status.FAILED if elsewhere or over else Status.OPEN

    def __str__(self) -> str:
        return f"seat {self.seat} wins {self.card}"


@dataclass(frozen=True, slots=True)
class WinShare:
    """All of `cards` are won, and no seat wins more of them than its count."""

    cards: CardSet
    counts: tuple[int, ...]

    def status(self, won: Sequence[int], over: bool) -> Status:
        """Failed once a seat wins too many or a card stays unplayed, done when all are won."""
        shares = [(mask & self.cards.mask).bit_count() for mask in won]
        if any(share > count for share, count in zip(shares, self.counts, strict=True)):
            return Status.FAILED
        if sum(shares) == len(self.cards):
            return Status.DONE
        return Status.FAILED if over else Status.OPEN

    def __str__(self) -> str:
        shares = ", ".join(f"seat {seat} wins {n}" for seat, n in enumerate(self.counts))
        return f"{shares} of {self.cards}"


@dataclass(frozen=True, slots=True)
class FixedTasks:
    """Cards with the seat that must win each; kept in the deck's order.

    >>> str(FixedTasks.of({Card.parse("G2"): 1, Card.parse("B7"): 0}, Deck.parse("4x9+4")))
    'fixed B7:0 G2:1'
    """

    deck: Deck
    owners: tuple[tuple[Card, int], ...]

    @classmethod
    def of(cls, owners: Mapping[Card, int], deck: Deck) -> FixedTasks:
        """Tasks from a mapping of cards to seats."""
        return cls(deck, tuple(sorted(owners.items(), key=lambda item: deck.index(item[0]))))

    @property
    def is_free(self) -> bool:
        """Fixed tasks are not free."""
        return False

    @property
    def cards(self) -> CardSet:
        """All task cards."""
        return self.deck.set(card for card, _ in self.owners)

    def owner(self, card: Card) -> int | None:
        """The seat that must win `card`, None where it is no task."""
        return dict(self.owners).get(card)

    def owned_mask(self, seat: int) -> int:
        """The mask of the task cards of one seat."""
        mask = 0
        for card, owner in self.owners:
            if owner == seat:
                mask |= self.deck.bit(card)
        return mask

    def goals(self) -> tuple[Goal, ...]:
        """One goal per task."""
        return tuple(WinCard(seat, card, self.deck.bit(card)) for card, seat in self.owners)

    def check(self, seats: int) -> None:
        """Refuse owners that do not sit at the table."""
        for card, owner in self.owners:
            if not 0 <= owner < seats:
                raise BadDeal(
                    f"task {card} is given to seat {owner}; the seats are 0 to {seats - 1}",
                    card=card,
                    seat=owner,
                    field="tasks",
                )

    def freed(self, seats: int) -> FreeTasks:
        """The same cards, free, with as many for each seat as it has now."""
        counts = [0] * seats
        for _, owner in self.owners:
            counts[owner] += 1
        return FreeTasks(self.cards, tuple(counts))

    def __len__(self) -> int:
        return len(self.owners)

    def __str__(self) -> str:
        return " ".join(["fixed", *(f"{card}:{seat}" for card, seat in self.owners)])

    def __repr__(self) -> str:
        owners = ", ".join(f"{card!r}: {seat}" for card, seat in self.owners)
        return f"FixedTasks.of({{{owners}}}, {self.deck!r})"


@dataclass(frozen=True, slots=True)
class FreeTasks:
    """Cards that are all to be won, and how many of them each seat must win.

    With `at_most` the counts are upper bounds and may leave room; otherwise they add up to the cards, which
    makes every count exact.

    >>> str(FreeTasks(CardSet.parse("B7 G2 P3", Deck.parse("4x9+4")), (1, 1, 1, 0)))
    'free B7 G2 P3 / 1,1,1,0'
    """

    cards: CardSet
    counts: tuple[int, ...]
    at_most: bool = False

    @property
    def is_free(self) -> bool:
        """Free tasks are free."""
        return True

    def goals(self) -> tuple[Goal, ...]:
        """One goal for all the cards."""
        return (WinShare(self.cards, self.counts),) if self.cards else ()

    def check(self, seats: int) -> None:
        """Refuse counts that do not fit the seats or the cards."""
        if len(self.counts) != seats:
            raise BadDeal(
                f"{len(self.counts)} counts of free tasks for {seats} seats: give one for each seat",
                field="counts",
            )
        if any(count < 0 for count in self.counts):
            raise BadDeal(
                f"negative count of free tasks in {','.join(map(str, self.counts))}", field="counts"
            )
        total = sum(self.counts)
        if total != len(self.cards) and not self.at_most:
            raise BadDeal(
                f"the counts {','.join(map(str, self.counts))} add up to {total}, but there are "
                f"{len(self.cards)} free tasks: make them equal",
                field="counts",
            )

    def freed(self, seats: int) -> FreeTasks:
        """These tasks: they are free already."""
        return self

    def __len__(self) -> int:
        return len(self.cards)

    def __str__(self) -> str:
        bound = "<=" if self.at_most else ""
        return " ".join(["free", *map(str, self.cards), "/", bound + ",".join(map(str, self.counts))])


Tasks = FixedTasks | FreeTasks


def round_robin(tasks: int, seats: int, leader: int) -> tuple[int, ...]:
    """How many of `tasks` each seat gets when task i goes to seat (leader + i) mod seats.

    >>> round_robin(6, 4, 3)
    (2, 1, 1, 2)
    """
    counts = [0] * seats
    for i in range(tasks):
        counts[(leader + i) % seats] += 1
    return tuple(counts)
