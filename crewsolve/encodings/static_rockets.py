"""Counting with rockets, in plain Python: the twin of `crewsolve.kernels.rockets`.

A rocket that is played wins its trick or lies under a higher one of another hand. All ways to share tricks
are tried; if none leaves enough tricks and enough cards, the position is lost.
"""

from __future__ import annotations

import itertools
from collections.abc import Iterator, Sequence

from crewsolve.position import Position

MOST = 5
"""Rockets for which all ways are tried: 5! = 120."""

Way = list[tuple[int, int, int]]
"""For each rocket its bit, its holder and the seat that wins it."""


def _ways(position: Position, hands: Sequence[int]) -> Iterator[Way] | None:
    """All ways to share tricks, None where there are too many or a rocket may stay unplayed."""
    mask = position.deal.deck.suit_masks[0]
    rockets = [
        (bit, seat)
        for bit in (1 << place for place in reversed(range(mask.bit_length())) if mask >> place & 1)
        for seat, hand in enumerate(hands)
        if hand & bit
    ]
    if not 1 <= len(rockets) <= MOST or any(hand.bit_count() != position.tricks_left for hand in hands):
        return None
    choices = itertools.product(*(range(place + 1) for place in range(len(rockets))))
    return (way for under in choices if (way := _way(rockets, under)) is not None)


def _way(rockets: list[tuple[int, int]], under: tuple[int, ...]) -> Way | None:
    """Rocket i wins where `under[i]` is 0, else it lies under rocket `under[i]` - 1, which must win."""
    way: Way = []
    hands_in_trick: dict[int, set[int]] = {}
    for place, ((bit, holder), above) in enumerate(zip(rockets, under, strict=True)):
        trick = above - 1 if above else place
        if above and (trick not in hands_in_trick or holder in hands_in_trick[trick]):
            return None
        hands_in_trick.setdefault(trick, set()).add(holder)
        way.append((bit, holder, rockets[trick][1]))
    return way


def fixed_tasks_fit(position: Position, hands: Sequence[int], owned: Sequence[int]) -> bool:
    """Whether some way leaves a trick for every task: each hand's tasks and rockets of a winner differ."""
    ways = _ways(position, hands)
    return ways is None or any(_fixed_fit(way, hands, owned, position.tricks_left) for way in ways)


def _fixed_fit(way: Way, hands: Sequence[int], owned: Sequence[int], tricks: int) -> bool:
    seats, need = range(len(hands)), 0
    for bit, _, winner in way:
        if any(owned[seat] & bit for seat in seats if seat != winner):
            return False
    for winner in seats:
        own = owned[winner]
        cards = [(own & hand).bit_count() for hand in hands]
        for bit, holder, other in way:
            cards[holder] += other == winner and not bit & own
        need += max(cards)
    return need <= tricks


def free_tasks_fit(
    position: Position, hands: Sequence[int], left: int, room: Sequence[int], slack: int
) -> bool:
    """Whether some way leaves tricks for all shares, and cards that are no tasks for the rockets' tricks.

    `left` are the open tasks, `room` how many each seat may win, `slack` what is spare of that.
    """
    ways = _ways(position, hands)
    if ways is None:
        return True
    other = ~left & ~position.deal.deck.suit_masks[0]
    plain = [(hand & other).bit_count() for hand in hands]
    return any(_free_fit(way, left, plain, room, slack, position.tricks_left) for way in ways)


def _free_fit(
    way: Way, left: int, plain: Sequence[int], room: Sequence[int], slack: int, tricks: int
) -> bool:
    seats, need = len(plain), 0
    for seat in range(seats):
        won = sum(holder == winner == seat for _, holder, winner in way)
        taken = sum(winner == seat and not bit & left for bit, _, winner in way)
        need += max(won, -(-(max(0, room[seat] - slack) + taken) // seats))
        if seats * won > room[seat] + taken + sum(plain) - plain[seat]:
            return False
    return need <= tricks
