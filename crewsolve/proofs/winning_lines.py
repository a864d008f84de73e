"""The winning playouts of the two-player theorem, built as its proof builds them.

Each stops with the trick that wins the task. A pair is written as player 1's card and player 2's; whoever
leads the trick, the other follows.
"""

from __future__ import annotations

from collections.abc import Iterable
from typing import TYPE_CHECKING

from crewsolve.cards import Card
from crewsolve.playout import Playout
from crewsolve.rules import trick_winner

if TYPE_CHECKING:
    from crewsolve.proofs.two_player import TwoHands

Pair = tuple[Card, Card]


def at_once(hands: TwoHands, trick: Pair) -> Playout:
    """The one trick that wins the task."""
    return _playout([trick])


def by_whole_suit(hands: TwoHands, suit: int) -> Playout:
    """Player 1 leads its whole suit until player 2 has thrown what is in the way, or the task itself."""
    leads = _cards(suit, hands.first[suit])
    if not hands.in_first:
        return _playout([(leads[0], hands.task)])
    # The whole suit may be the task's own: then there is nothing to throw.
    thrown = _cards(hands.suit, hands.second[hands.suit])
    answer = next(
        card for s in hands.others for card in _cards(s, hands.second[s])
    )  # player 2 holds fewer than V cards of suit r and at least V in all, or none of r
    return _playout([*zip(leads, thrown, strict=False), (hands.task, answer)])


def by_discards(hands: TwoHands, direct: Pair, room: int) -> Playout:
    """Play off what both hold, win the lead with the directly winning card, then make player 2 discard."""
    if not hands.in_first:
        pairs = _pairs(hands, room, direct)
        left = _leftover(hands, room, direct)
        return _playout([*pairs, direct, (left[0], hands.task)])
    pairs = [pair for suit in range(len(hands.first)) for pair in _pairs(hands, suit, direct)]
    leads = [card for suit in hands.others for card in _leftover(hands, suit, direct)]
    followed = {below for _, below in pairs} | {direct[1]}
    thrown = [card for card in _cards(hands.suit, hands.second[hands.suit]) if card not in followed]
    answer = next(card for card in _cards(room, hands.second[room]) if card not in followed)
    return _playout([*pairs, direct, *zip(leads, thrown, strict=False), (hands.task, answer)])


def _pairs(hands: TwoHands, suit: int, direct: Pair) -> list[Pair]:
    """The tricks in which both follow a suit, the task and the direct pair kept back."""
    return list(zip(_own(hands, suit, direct), _theirs(hands, suit, direct), strict=False))


def _leftover(hands: TwoHands, suit: int, direct: Pair) -> list[Card]:
    """Player 1's cards of a suit once player 2 has none of it left."""
    return _own(hands, suit, direct)[len(_theirs(hands, suit, direct)) :]


def _own(hands: TwoHands, suit: int, direct: Pair) -> list[Card]:
    return [card for card in _cards(suit, hands.first[suit]) if card not in (direct[0], hands.task)]


def _theirs(hands: TwoHands, suit: int, direct: Pair) -> list[Card]:
    return [card for card in _cards(suit, hands.second[suit]) if card not in (direct[1], hands.task)]


def _cards(suit: int, ranks: Iterable[int]) -> list[Card]:
    return [Card(suit + 1, rank) for rank in ranks]


def _playout(pairs: Iterable[Pair]) -> Playout:
    """The cards in playing order: the winner of a trick leads the next, player 1 the first."""
    cards: list[Card] = []
    leader = 0
    for pair in pairs:
        trick = (pair[leader], pair[1 - leader])
        cards += trick
        leader = trick_winner(trick, leader)
    return Playout(tuple(cards), 2)
