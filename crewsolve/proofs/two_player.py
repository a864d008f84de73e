"""Two players, one task: which deals can be won, for every deck without rockets.

Player 1 leads, owns the task t of suit r and holds the larger half; a card of player 1 is *directly
winning* if player 2 holds a lower one of its suit.

**Theorem.** With t in the first hand the deal is winnable if and only if player 2 holds a lower card of
suit r, or player 1 holds a whole suit, or player 1 has a directly winning card and player 2 holds more
cards than player 1 in some other suit. With t in the second hand: if and only if player 1 holds a higher
card of suit r, or a whole other suit, or has a directly winning card and holds more cards than player 2
in some other suit.

The proof is in `docs/theory.md`; the playouts below are its constructions. Witteveen, Theorems 3.15 and
3.18, proves the 36-card case; its own condition is kept in `document_says_winnable` for comparison.
"""

from __future__ import annotations

from dataclasses import dataclass

from crewsolve.cards import Card
from crewsolve.deal import Deal
from crewsolve.errors import BadDeal
from crewsolve.playout import Playout
from crewsolve.proofs import winning_lines
from crewsolve.tasks import FixedTasks

TASK = "task"
"""Won in one trick of the task's suit: a lower card below it, or a higher one above it."""
WHOLE_SUIT = "whole suit"
"""Player 1 holds a whole suit, so that player 2 discards from the first trick on."""
DISCARD = "discard"
"""A directly winning card brings player 1 back to the lead, and a suit leaves player 2 room to discard."""
NO_DIRECT = "no directly winning card"
"""Losing although there is room: player 1 never gets the lead back."""
NO_ROOM = "no room to discard"
"""Losing: no suit lets player 2 discard what it must."""


@dataclass(frozen=True, slots=True)
class TwoHands:
    """A two-player deal with one task, suit by suit: ranks in rising order, suits counted from 0."""

    first: tuple[tuple[int, ...], ...]
    second: tuple[tuple[int, ...], ...]
    suit: int
    rank: int
    leader: int

    @classmethod
    def of(cls, deal: Deal) -> TwoHands:
        """The hands of a deal of the kind the theorem speaks of; any other is refused."""
        task = _only_task(deal)
        other = 1 - deal.leader
        if len(deal.hands[deal.leader]) < len(deal.hands[other]):
            raise BadDeal("the theorem needs the odd card in the leader's hand", seat=other)
        suits = range(1, deal.deck.colours + 1)
        first, second = (
            tuple(tuple(card.rank for card in deal.hands[seat].of_suit(suit)) for suit in suits)
            for seat in (deal.leader, other)
        )
        return cls(first, second, task.suit - 1, task.rank, deal.leader)

    @property
    def task(self) -> Card:
        """The task card."""
        return Card(self.suit + 1, self.rank)

    @property
    def in_first(self) -> bool:
        """Whether player 1 holds the task card."""
        return self.rank in self.first[self.suit]

    @property
    def others(self) -> list[int]:
        """The suits other than the task's."""
        return [suit for suit in range(len(self.first)) if suit != self.suit]

    def surplus(self, suit: int) -> int:
        """How many cards of a suit player 1 holds more than player 2."""
        return len(self.first[suit]) - len(self.second[suit])

    def task_trick(self) -> tuple[Card, Card] | None:
        """A trick of the task's suit that wins the task at once: player 1's card and player 2's."""
        if self.in_first:
            answers = [rank for rank in self.second[self.suit] if rank < self.rank]
            return (self.task, Card(self.suit + 1, answers[0])) if answers else None
        leads = [rank for rank in self.first[self.suit] if rank > self.rank]
        return (Card(self.suit + 1, leads[0]), self.task) if leads else None

    def whole_suit(self) -> int | None:
        """A suit that player 1 holds completely; not the task's where player 2 holds the task."""
        for suit, ranks in enumerate(self.second):
            if not ranks:
                return suit
        return None

    def direct_win(self) -> tuple[Card, Card] | None:
        """A directly winning card of player 1 with a card of player 2 below it."""
        for suit, (ranks, below) in enumerate(zip(self.first, self.second, strict=True)):
            if ranks and below and ranks[-1] > below[0]:
                return Card(suit + 1, ranks[-1]), Card(suit + 1, below[0])
        return None

    def roomy_suit(self) -> int | None:
        """Another suit in which player 2 (task in the first hand), or player 1, holds more cards."""
        sign = -1 if self.in_first else 1
        for suit in self.others:
            if sign * self.surplus(suit) > 0:
                return suit
        return None


@dataclass(frozen=True, slots=True)
class Judgement:
    """What the theorem says of a deal: the property that decides, in words, and the playout of the proof."""

    winnable: bool
    by: str
    reason: str
    playout: Playout | None


def judge(deal: Deal) -> Judgement:
    """Apply the theorem to a deal of two players and one task.

    >>> judge(Deal.parse("2x2; 0; B1 G2 | B2 G1; fixed B1:0")).reason
    'player 1 has no room: player 2 holds more cards in no suit other than B'
    >>> judge(Deal.parse("3x2; 0; B1 G1 P2 | B2 G2 P1; fixed P1:0")).playout
    Playout.parse('P2 P1', seats=2)
    """
    hands = TwoHands.of(deal)
    trick = hands.task_trick()
    if trick is not None:
        return _won(TASK, f"{trick[0]} beats {trick[1]}", winning_lines.at_once(hands, trick))
    whole = hands.whole_suit()
    if whole is not None:
        reason = f"player 1 holds all of suit {_letter(whole)}"
        return _won(WHOLE_SUIT, reason, winning_lines.by_whole_suit(hands, whole))
    direct, room = hands.direct_win(), hands.roomy_suit()
    who = "player 2" if hands.in_first else "player 1"
    if room is None:
        reason = f"player 1 has no room: {who} holds more cards in no suit other than {_letter(hands.suit)}"
        return Judgement(False, NO_ROOM, reason, None)
    if direct is None:
        return Judgement(False, NO_DIRECT, "no card of player 1 is above one of player 2", None)
    reason = f"{direct[0]} beats {direct[1]}, and {who} holds more cards of suit {_letter(room)}"
    return _won(DISCARD, reason, winning_lines.by_discards(hands, direct, room))


def is_winnable(deal: Deal) -> bool:
    """The theorem as a plain predicate."""
    return judge(deal).winnable


def document_says_winnable(deal: Deal) -> bool:
    """Witteveen's own conditions with V ranks for 9: equal to ours on even decks, too generous on odd ones.

    Property 3 of Theorem 3.15 asks for 2k_r - (V+1) + Σ max(0, 2k_i - V) ≥ 0 over the other suits.
    """
    hands = TwoHands.of(deal)
    if hands.task_trick() is not None or hands.whole_suit() is not None:
        return True
    if hands.direct_win() is None:
        return False
    if not hands.in_first:
        return hands.roomy_suit() is not None
    return hands.surplus(hands.suit) - 1 + sum(max(0, hands.surplus(suit)) for suit in hands.others) >= 0


def mirrored(deal: Deal) -> Deal:
    """The bijection of Witteveen, Theorem 3.23: complement the task's suit and the task, swap the hands.

    On even decks it is its own inverse and maps `loses_for_room` with the task in the first hand (the
    domain, counted by S2) onto that with the task in the second (the image, S4). On odd decks the swap would
    give the leader the smaller hand.

    >>> str(mirrored(Deal.parse("2x2; 0; B1 G2 | B2 G1; fixed B1:0")))
    '2x2; 0; B1 G1 | B2 G2; fixed B2:0'
    """
    hands = TwoHands.of(deal)
    if deal.deck.size % 2:
        raise BadDeal(f"deck {deal.deck} has an odd number of cards: swapped hands are no deal")
    top = deal.deck.ranks + 1

    def complement(card: Card) -> Card:
        return Card(card.suit, top - card.rank) if card.suit == hands.task.suit else card

    swapped = tuple(deal.deck.set(map(complement, hand)) for hand in reversed(deal.hands))
    tasks = FixedTasks.of({complement(hands.task): deal.leader}, deal.deck)
    return Deal(deal.deck, swapped, deal.leader, tasks, deal.rules)


def loses_for_room(deal: Deal, *, in_first: bool) -> bool:
    """Whether a deal is in the domain (task in the first hand) or in the image of the bijection."""
    return judge(deal).by == NO_ROOM and TwoHands.of(deal).in_first == in_first


def _only_task(deal: Deal) -> Card:
    if deal.seats != 2 or deal.deck.rockets or deal.played:
        raise BadDeal("the theorem is about two seats, no rockets and no card played")
    deal.require_complete()
    if deal.deck.size < 2:
        raise BadDeal("the theorem needs a card in each hand")
    if len(deal.tasks) != 1 or deal.freed().tasks.counts[deal.leader] != 1:  # type: ignore[union-attr]
        raise BadDeal(f"the theorem needs exactly one task, and it must be seat {deal.leader}'s, who leads")
    return next(iter(deal.tasks.cards))


def _won(by: str, reason: str, playout: Playout) -> Judgement:
    return Judgement(True, by, reason, playout)


def _letter(suit: int) -> str:
    return str(Card(suit + 1, 1))[0]
