"""Deals: who holds what, who leads, what must be won; and random deals from a seed."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field, replace
from functools import cached_property
from typing import Required, TypedDict, Unpack

from crewsolve.cards import ROCKETS, Card, CardSet, Deck
from crewsolve.errors import BadDeal
from crewsolve.randomness import Stream
from crewsolve.rules import OFFICIAL, Rules
from crewsolve.tasks import FixedTasks, FreeTasks, Tasks, round_robin

LEADER_RULES = ("holder", "first", "drawn")
"""How a random deal finds its leader: the highest rocket's holder, seat 0, or drawn uniformly."""


@dataclass(frozen=True)
class Deal:
    """A deal, checked when built: hands as at the start, and the cards played since.

    Any subset of the deck may be in play. Equality ignores the labels `name` and `seat_names`.

    >>> deal = Deal.parse("2x3+2; 3; B1 B2 | G1 G2 | R1 B3 | R2 G3; fixed B2:3 G1:0")
    >>> deal.tricks, str(deal.hands[0])
    (2, 'B1 B2')
    """

    deck: Deck
    hands: tuple[CardSet, ...]
    leader: int
    tasks: Tasks
    rules: Rules = OFFICIAL
    played: tuple[Card, ...] = ()
    name: str = field(default="", compare=False)
    seat_names: tuple[str, ...] = field(default=(), compare=False)

    def __post_init__(self) -> None:
        _check_hands(self.deck, self.hands)
        if not 0 <= self.leader < self.seats:
            raise BadDeal(
                f"leader {self.leader} is no seat; the seats are 0 to {self.seats - 1}",
                seat=self.leader,
                field="leader",
            )
        self.tasks.check(self.seats)
        for card in self.tasks.cards - self.in_play:
            raise BadDeal(
                f"task {card} is a card nobody holds: deal it or drop the task", card=card, field="tasks"
            )
        if self.seat_names and len(self.seat_names) != self.seats:
            raise BadDeal(
                f"{len(self.seat_names)} seat names for {self.seats} seats: name all or none", field="seats"
            )

    @classmethod
    def build(
        cls,
        deck: Deck,
        hands: Sequence[CardSet],
        tasks: Tasks,
        *,
        leader: int | None = None,
        rules: Rules = OFFICIAL,
        played: Sequence[Card] = (),
        name: str = "",
        seat_names: Sequence[str] = (),
    ) -> Deal:
        """A deal whose leader, unless named, is the holder of the highest rocket."""
        first = leader_of(hands, named=leader)
        return cls(deck, tuple(hands), first, tasks, rules, tuple(played), name, tuple(seat_names))

    @classmethod
    def parse(cls, text: str) -> Deal:
        """Read the one-line form, with or without a name."""
        from crewsolve.notation import loads_line

        return loads_line(text)

    def __str__(self) -> str:
        from crewsolve.notation import dumps_line

        return dumps_line(self)

    def __repr__(self) -> str:
        return f"Deal.parse({str(self)!r})"

    def _repr_html_(self) -> str:
        from crewsolve.html import deal_html

        return deal_html(self)

    @property
    def seats(self) -> int:
        """The number of seats."""
        return len(self.hands)

    @cached_property
    def tricks(self) -> int:
        """The number of tricks: the size of the smallest hand."""
        return min(len(hand) for hand in self.hands)

    @property
    def in_play(self) -> CardSet:
        """All cards dealt."""
        mask = 0
        for hand in self.hands:
            mask |= hand.mask
        return self.deck.from_mask(mask)

    @property
    def is_complete(self) -> bool:
        """Whether the whole deck is dealt."""
        return self.in_play.mask == self.deck.all_mask

    @property
    def rocket_leader(self) -> bool:
        """Whether the leader holds the highest rocket, so that the rule makes this public."""
        return highest_rocket_holder(self.hands) == self.leader

    def holder(self, card: Card) -> int | None:
        """The seat that was dealt `card`."""
        for seat, hand in enumerate(self.hands):
            if card in hand:
                return seat
        return None

    def after(self, *cards: Card) -> Deal:
        """The position after `cards` have been played, too."""
        return replace(self, played=(*self.played, *cards))

    def with_tasks(self, tasks: Tasks) -> Deal:
        """The same cards with other tasks."""
        return replace(self, tasks=tasks)

    def freed(self) -> Deal:
        """The same deal with its tasks free: each seat wins as many as it had."""
        return replace(self, tasks=self.tasks.freed(self.seats))

    def require_complete(self) -> Deal:
        """This deal, refused where a card of the deck is missing."""
        missing = self.deck.everything - self.in_play
        if missing:
            raise BadDeal(
                f"the deck {self.deck} must be complete, but nobody holds {missing}: deal them",
                card=next(iter(missing)),
                field="hands",
            )
        return self


def highest_rocket_holder(hands: Sequence[CardSet]) -> int | None:
    """The seat with the highest rocket in play, None where there is none."""
    best: tuple[int, int] | None = None
    for seat, hand in enumerate(hands):
        rocket = hand.highest(ROCKETS)
        if rocket is not None and (best is None or rocket.rank > best[0]):
            best = (rocket.rank, seat)
    return None if best is None else best[1]


def leader_of(hands: Sequence[CardSet], *, named: int | None = None) -> int:
    """The seat that leads trick 1: the one named, else the holder of the highest rocket."""
    leader = highest_rocket_holder(hands) if named is None else named
    if leader is None:
        raise BadDeal(
            "no leader: no hand holds a rocket, so name the seat that leads trick 1", field="leader"
        )
    return leader


def _check_hands(deck: Deck, hands: Sequence[CardSet]) -> None:
    if len(hands) < 1:
        raise BadDeal("a deal needs at least one hand", field="hands")
    holders: dict[Card, int] = {}
    for seat, hand in enumerate(hands):
        if hand.deck != deck:
            raise BadDeal(
                f"the hand of seat {seat} is of deck {hand.deck}, not {deck}", seat=seat, field="hands"
            )
        for card in hand:
            if card in holders:
                raise BadDeal(
                    f"card {card} is dealt to seats {holders[card]} and {seat}: take it from one of them",
                    card=card,
                    seat=seat,
                    field="hands",
                )
            holders[card] = seat
    sizes = [len(hand) for hand in hands]
    if max(sizes) - min(sizes) > 1:
        raise BadDeal(
            f"hands of {', '.join(map(str, sizes))} cards: sizes may differ by one at most "
            "(give a position in mid-game as the hands at the start plus the cards played)",
            seat=sizes.index(max(sizes)),
            field="hands",
        )


def random_deal(
    deck: Deck,
    *,
    seats: int,
    tasks: int,
    free: bool = False,
    leader: str | None = None,
    rules: Rules = OFFICIAL,
    key: Sequence[int],
    name: str = "",
) -> Deal:
    """The uniform random deal of `key`, usually (seed, index).

    The draws, in this order: the shuffle of the whole deck (dealt in turn from seat 0), the leader where it
    is drawn, the task cards one by one. So the hands do not depend on the number of tasks, and the first
    tasks of a longer list are those of a shorter one. `leader` is one of `LEADER_RULES`; by default the
    highest rocket's holder, drawn in a deck without rockets.
    """
    check_request(deck, seats, tasks, leader)
    hands, first, stream = _dealt(deck, seats, leader, key)
    drawn = _drawn(deck, tasks, stream)
    chosen: Tasks
    if free:
        chosen = FreeTasks(deck.set(drawn), round_robin(tasks, seats, first))
    else:
        chosen = FixedTasks.of({card: (first + i) % seats for i, card in enumerate(drawn)}, deck)
    return Deal(deck, tuple(hands), first, chosen, rules, name=name)


def task_order(deck: Deck, *, seats: int, leader: str | None = None, key: Sequence[int]) -> tuple[Card, ...]:
    """All colour cards in the order in which the random deal of `key` draws its tasks."""
    check_request(deck, seats, 0, leader)
    *_, stream = _dealt(deck, seats, leader, key)
    return tuple(_drawn(deck, deck.colour_cards, stream))


def usual_leader(deck: Deck) -> str:
    """The rule that finds the leader of a random deal unless another is named."""
    return "holder" if deck.rockets else "drawn"


def _dealt(
    deck: Deck, seats: int, leader: str | None, key: Sequence[int]
) -> tuple[list[CardSet], int, Stream]:
    """Hands and leader of a key, and the stream from which its tasks are drawn next."""
    stream = Stream(*key)
    order = stream.shuffled(range(deck.size))
    hands = [deck.from_mask(sum(1 << card for card in order[seat::seats])) for seat in range(seats)]
    rule = leader or usual_leader(deck)
    if rule != "holder":
        return hands, stream.below(seats) if rule == "drawn" else 0, stream
    first = highest_rocket_holder(hands)
    assert first is not None
    return hands, first, stream


def _drawn(deck: Deck, tasks: int, stream: Stream) -> list[Card]:
    return [deck.card(i) for i in stream.sample(range(deck.colour_cards), tasks)]


class Dealing(TypedDict, total=False):
    """What `random_deal` is told about every deal of a series."""

    seats: Required[int]
    tasks: Required[int]
    free: bool
    leader: str | None
    rules: Rules


def random_deals(
    deck: Deck, *, seed: int = 0, start: int = 0, count: int | None = None, **dealing: Unpack[Dealing]
) -> Iterator[Deal]:
    """Deals number `start`, `start` + 1, … of a seed, without end unless `count` is given.

    >>> [deal.name for deal in random_deals(Deck.parse("2x3+2"), seats=4, tasks=2, seed=7, count=2)]
    ['7-0', '7-1']
    """
    index = start
    while count is None or index < start + count:
        yield random_deal(deck, key=(seed, index), name=f"{seed}-{index}", **dealing)
        index += 1


def check_request(deck: Deck, seats: int, tasks: int, leader: str | None) -> None:
    """Refuse a random deal that cannot be dealt."""
    if not 1 <= seats <= deck.size:
        raise BadDeal(f"{seats} seats cannot share the {deck.size} cards of deck {deck}")
    if not 0 <= tasks <= deck.colour_cards:
        raise BadDeal(f"{tasks} tasks on the {deck.colour_cards} colour cards of deck {deck}")
    if leader is not None and leader not in LEADER_RULES:
        raise BadDeal(f"leader rule {leader!r}: choose one of {', '.join(LEADER_RULES)}")
    if leader == "holder" and not deck.rockets:
        raise BadDeal(
            f"deck {deck} has no rockets, so nobody holds the highest: let seat 0 lead or draw the leader"
        )
