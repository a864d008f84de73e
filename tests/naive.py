"""Slow twins: exhaustive answers written for clarity, used only to judge small cases."""

from __future__ import annotations

from crewsolve.deal import Deal
from crewsolve.position import Position
from crewsolve.tasks import Status


def winnable(deal: Deal) -> bool:
    """Try every legal card until a playout wins."""
    return _winnable(Position.of(deal))


def _winnable(position: Position) -> bool:
    outcome = position.outcome
    if outcome is not Status.OPEN:
        return outcome is Status.DONE
    return any(_winnable(position.play(card)) for card in position.legal)


def winning_playouts(deal: Deal) -> int:
    """The number of full-length winning playouts from the position."""
    return _wins(Position.of(deal))


def _wins(position: Position) -> int:
    if position.outcome is Status.FAILED:
        return 0
    if position.over:
        return 1
    return sum(_wins(position.play(card)) for card in position.legal)


def perft(deal: Deal, depth: int) -> int:
    """The number of legal card sequences, with hands as lists of texts and none of the package's rules."""
    hands = [[str(card) for card in hand] for hand in deal.hands]
    anytime = "trumps_anytime" in str(deal.rules)
    tricks = min(map(len, hands))
    leader, trick, played = deal.leader, list[str](), 0
    for card in map(str, deal.played):
        hands[(leader + len(trick)) % len(hands)].remove(card)
        trick.append(card)
        if len(trick) == len(hands):
            leader, trick, played = (leader + _strongest(trick)) % len(hands), [], played + 1
    return _perft(hands, leader, trick, tricks - played, depth, anytime)


def _perft(
    hands: list[list[str]], leader: int, trick: list[str], tricks: int, depth: int, anytime: bool
) -> int:
    if len(trick) == len(hands):
        return _perft(hands, (leader + _strongest(trick)) % len(hands), [], tricks - 1, depth, anytime)
    if depth == 0 or tricks == 0:
        return 1
    seat = (leader + len(trick)) % len(hands)
    count = 0
    for card in hands[seat]:
        if trick and any(other[0] == trick[0][0] for other in hands[seat]):
            follows = card[0] == trick[0][0] or (anytime and card[0] == "R")
            if not follows:
                continue
        rest = [[c for c in hand if c != card] for hand in hands]
        count += _perft(rest, leader, [*trick, card], tricks, depth - 1, anytime)
    return count


def _strongest(trick: list[str]) -> int:
    """The place of the winning card: the last one that beats all before it."""
    best = 0
    for place, card in enumerate(trick):
        same_suit = card[0] == trick[best][0]
        if (same_suit and int(card[1:]) > int(trick[best][1:])) or (not same_suit and card[0] == "R"):
            best = place
    return best
