"""A game with one person at the table: it stops whenever the person is to play, and can go back.

Every choice of a player draws from a stream of the game's key, the seat and the number of cards played, so
that a game that is taken back and played again goes the same way.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace

from crewsolve.agents import line_up
from crewsolve.agents.player import Offer, Player
from crewsolve.agents.rule_based import RandomCards
from crewsolve.agents.table import SEATED, choose_card, seat_streams, take_tasks
from crewsolve.cards import Card
from crewsolve.deal import Deal
from crewsolve.errors import CrewError
from crewsolve.playout import Playout
from crewsolve.position import Position
from crewsolve.randomness import Stream
from crewsolve.tasks import Status

PERSON = "you"


@dataclass(frozen=True)
class _Asked:
    """The person's way to take a task: somebody asks."""

    ask: Callable[[Offer], Card]
    open_hands: bool

    def choose_task(self, offer: Offer, stream: Stream) -> Card:
        """What the person says."""
        return self.ask(offer)


def seat_players(
    text: str, seats: int, *, person: int, ask: Callable[[Offer], Card], open_hands: bool = False
) -> tuple[Player, ...]:
    """The players of a table with a person: one name for all the others, or one for each of them in order."""
    if not 0 <= person < seats:
        raise CrewError(f"seat {person}: the table has seats 0 to {seats - 1}")
    if text.count(",") and text.count(",") + 1 != seats - 1:
        raise CrewError(
            f"{text.count(',') + 1} players in {text!r} beside you at {seats} seats: "
            f"give one for all, or {seats - 1}"
        )
    others = list(line_up(text, seats - 1)) if seats > 1 else []
    # The person's cards are never asked of this player.
    others.insert(person, Player(PERSON, _Asked(ask, open_hands), RandomCards()))
    return tuple(others)


@dataclass(frozen=True)
class Sitting:
    """A game under way: the players by seat, whose seat is the person's, and where the play stands."""

    players: tuple[Player, ...]
    person: int
    key: tuple[int, ...]
    position: Position

    @classmethod
    def begin(cls, deal: Deal, players: Sequence[Player], *, person: int, key: Sequence[int]) -> Sitting:
        """The game after its task phase, if it has one."""
        if deal.tasks.is_free:
            deal = take_tasks(deal, players, seat_streams(key, deal.seats))
        return cls(tuple(players), person, tuple(key), Position.of(deal))

    @property
    def over(self) -> bool:
        """Whether all tasks are decided, or no card is left."""
        return self.position.over or self.position.outcome is not Status.OPEN

    @property
    def asks(self) -> bool:
        """Whether the person is to play."""
        return not self.over and self.position.seat == self.person

    @property
    def deal(self) -> Deal:
        """The deal as it started, with its tasks as taken."""
        return self.position.deal

    @property
    def playout(self) -> Playout:
        """All cards played."""
        return Playout(self.position.played, self.deal.seats)

    def stream(self, seat: int) -> Stream:
        """The random numbers of a seat for the next card."""
        return Stream(*self.key, SEATED, seat, len(self.position.played))

    def answered(self) -> Card:
        """The card that the player whose turn it is chooses."""
        seat = self.position.seat
        return choose_card(self.position, self.players[seat], self.stream(seat))

    def play(self, card: Card) -> Sitting:
        """The game after one more card."""
        return replace(self, position=self.position.play(card))

    def taken_back(self) -> Sitting | None:
        """The game before the person's last card, None where there is none to take back."""
        played, given = self.position.played, len(self.deal.played)
        position, turns = Position.of(self.deal), []
        for card in played[given:]:
            if position.seat == self.person:
                turns.append(position)
            position = position.play(card)
        return replace(self, position=turns[-1]) if turns else None
