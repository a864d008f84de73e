"""The judge: replays playouts card by card, verifies wins, counts legal plays.

Every method's answer is checked here, and nothing here shares code with a method.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from crewsolve.cards import Card
from crewsolve.deal import Deal
from crewsolve.errors import FailedTask
from crewsolve.playout import Playout
from crewsolve.position import Position, Trick
from crewsolve.rules import legal_mask
from crewsolve.tasks import Goal, Status, WinCard, WinShare
from crewsolve.view import View, view

__all__ = ["Playout", "Position", "Replay", "View", "perft", "perft_split", "replay", "verify", "view"]


@dataclass(frozen=True, slots=True)
class Replay:
    """A replayed playout: the position it reaches, and whether it was cut where all tasks were decided."""

    position: Position
    stopped_early: bool

    @property
    def deal(self) -> Deal:
        """The deal that was played."""
        return self.position.deal

    @property
    def tricks(self) -> tuple[Trick, ...]:
        """The complete tricks with leader and winner."""
        return self.position.tricks

    @property
    def outcome(self) -> Status:
        """DONE, FAILED, or OPEN where the playout ends before that is decided."""
        return self.position.outcome

    def failed_goals(self) -> tuple[Goal, ...]:
        """The goals that failed."""
        return tuple(g for g in self.deal.tasks.goals() if self.position.status(g) is Status.FAILED)

    def achieved(self) -> dict[Card, int]:
        """For every task card that was won, the seat that won it."""
        tasks = self.deal.tasks.cards
        return {
            card: seat for card in tasks for seat in range(self.deal.seats) if card in self.position.won(seat)
        }


def replay(deal: Deal, playout: Playout | Sequence[Card], *, stop_early: bool = False) -> Replay:
    """Play all cards of a playout from the start of the deal; the first illegal one raises `IllegalPlay`.

    With `stop_early` the game ends as soon as all tasks are decided.
    """
    position = Position.start(deal)
    cards = playout.cards if isinstance(playout, Playout) else tuple(playout)
    for number, card in enumerate(cards):
        position = position.play(card)
        ended = not position.current.cards and position.outcome is not Status.OPEN
        if stop_early and ended and number + 1 < len(cards):
            return Replay(position, stopped_early=True)
    return Replay(position, stopped_early=False)


def verify(deal: Deal, playout: Playout | Sequence[Card]) -> Replay:
    """Replay a playout that must win.

    `IllegalPlay` names the first illegal card, `FailedTask` the task that fails. The
    playout starts with the cards that the deal says have been played, and may stop once all is won.

    >>> deal = Deal.parse("2x3+2; 3; B1 B2 | G1 G2 | R1 B3 | R2 G3; fixed B2:3 G1:3")
    >>> str(verify(deal, Playout.parse("R2 B2 G1 R1", seats=4)).outcome)
    'Status.DONE'
    """
    cards = playout.cards if isinstance(playout, Playout) else tuple(playout)
    if cards[: len(deal.played)] != deal.played:
        raise FailedTask("the playout does not start with the cards already played", task=None)
    position = Position.start(deal)
    _refuse_failure(position)
    for card in cards:
        position = position.play(card)
        _refuse_failure(position)
    for goal in deal.tasks.goals():
        if position.status(goal) is Status.OPEN:
            raise FailedTask(f"the playout ends before this is done: {goal}", task=goal)
    return Replay(position, stopped_early=False)


def _refuse_failure(position: Position) -> None:
    for goal in position.deal.tasks.goals():
        if position.status(goal) is Status.FAILED:
            raise FailedTask(_why_failed(goal, position), task=goal)


def _why_failed(goal: Goal, position: Position) -> str:
    number = len(position.tricks)
    if isinstance(goal, WinCard):
        if any(mask & goal.card_mask for mask in position.won_masks):
            winner = position.tricks[-1].winner
            return f"trick {number}: seat {winner} wins {goal.card}, which is a task of seat {goal.seat}"
        return f"{goal.card}, a task of seat {goal.seat}, is never played"
    if isinstance(goal, WinShare):
        for seat, count in enumerate(goal.counts):
            share = goal.cards & position.won(seat)
            if len(share) > count:
                return (
                    f"trick {number}: seat {seat} has won {len(share)} tasks ({share}), more than its {count}"
                )
        unplayed = goal.cards - position.deal.deck.set(position.played)
        if unplayed:
            return f"{unplayed}, free tasks, are never played"
    return f"trick {number}: this is not met: {goal}"


def perft(deal: Deal, depth: int) -> int:
    """The exact number of legal card sequences of length `depth` from the position on.

    Sequences that reach the end of the play earlier count once.

    >>> deal = Deal.parse("2x3+2; 3; B1 B2 | G1 G2 | R1 B3 | R2 G3; fixed B2:3 G1:0")
    >>> [perft(deal, depth) for depth in range(5)]
    [1, 2, 4, 8, 12]
    """
    if depth == 0 or Position.of(deal).over:
        return 1
    return sum(perft_split(deal, depth).values())


def perft_split(deal: Deal, depth: int) -> dict[Card, int]:
    """`perft` split by the first card; empty once the play is over."""
    position = Position.of(deal)
    counter = _Perft(deal)
    split = {}
    for card in position.legal:
        after = position.play(card)
        trick = tuple(deal.deck.index(c) for c in after.current.cards)
        split[card] = counter.count(
            after.hand_masks, after.current.leader, trick, after.tricks_left, depth - 1
        )
    return split


class _Perft:
    """Counts on raw masks: the last ply is counted, not played."""

    def __init__(self, deal: Deal) -> None:
        deck = deal.deck
        self.seats = deal.seats
        self.suit_masks = deck.suit_masks
        self.suit_of = [card.suit for card in deck.cards]
        self.rules = deal.rules

    def count(
        self, hands: tuple[int, ...], leader: int, trick: tuple[int, ...], tricks_left: int, depth: int
    ) -> int:
        if depth == 0 or tricks_left == 0:
            return 1
        seat = (leader + len(trick)) % self.seats
        led_suit = self.suit_of[trick[0]] if trick else None
        legal = legal_mask(hands[seat], led_suit, self.suit_masks, self.rules)
        if depth == 1:
            return legal.bit_count()
        total = 0
        while legal:
            bit = legal & -legal
            legal ^= bit
            after = (*hands[:seat], hands[seat] ^ bit, *hands[seat + 1 :])
            cards = (*trick, bit.bit_length() - 1)
            if len(cards) < self.seats:
                total += self.count(after, leader, cards, tricks_left, depth - 1)
            else:
                total += self.count(after, self._winner(cards, leader), (), tricks_left - 1, depth - 1)
        return total

    def _winner(self, cards: tuple[int, ...], leader: int) -> int:
        # The bit order makes the highest bit among rockets and led suit the winner.
        strong = self.suit_masks[0] | self.suit_masks[self.suit_of[cards[0]]]
        best = max(card for card in cards if strong >> card & 1)
        return (leader + cards.index(best)) % self.seats
