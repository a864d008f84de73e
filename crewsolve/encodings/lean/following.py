"""Following suit, told by counting: the cards each holding has played, and how often each suit was led.

A seat need not follow a suit once the count of its cards played has reached its holding. Counts are what a
solver reasons with here: a learned clause says "three are gone", where it would have to list which three.
Leads and holdings tell on each other: whoever holds a suit has played a card of it for every lead, so no
suit is led more often than its longest holding has cards; and who has played more cards of a suit than it
was led has thrown some away, so another of its suits is used up. Both follow from the rules and shorten
proofs. Under `trumps_anytime` a seat with rockets may keep its suit, and they are said only where they hold.
"""

from __future__ import annotations

from collections.abc import Callable

import numpy as np
from numpy.typing import NDArray

from crewsolve.encodings.lean.counting import counted
from crewsolve.encodings.lean.variables import Blocks, Ints, Table, rows


def cards_of_a_holding_are_counted(table: Table) -> Blocks:
    """`gone` counts the tricks to which a suit is played; a holding used up has no card left."""
    blocks: Blocks = []
    for holding, members in table.by_size:
        blocks += counted(table.follows[holding], table.gone[members])
        used_up = table.gone[members[:, -1]]
        blocks.append(rows(-used_up[:, None, :-1], table.before[members]))
        seat = table.holder[members[:, 0]]
        blocks.append(rows(used_up[table.hand_sizes[seat] == table.tricks, -1]))
    return blocks


def suit_is_followed(table: Table) -> Blocks:
    """¬led(s, t) ∨ follows(p, s, t) ∨ the holding is used up: one clause for each holding and trick.

    Under `trumps_anytime` the seat may also play a rocket: one literal more where it holds one.
    """
    _, suit = np.array(table.holdings).T
    led, follows, used_up = table.led[suit], table.follows, table.gone[_last(table)]
    rockets = _excuses(table)
    blocks: Blocks = []
    for row in sorted(set(rockets.tolist())):
        h = rockets == row
        excuse = [] if row < 0 else [follows[row]]
        blocks.append(rows(-led[h, 0], follows[h, 0], *(e[0] for e in excuse)))
        blocks.append(rows(-led[h, 1:], follows[h, 1:], used_up[h, :-1], *(e[1:] for e in excuse)))
    return blocks


def leads_of_a_suit_are_counted(table: Table) -> Blocks:
    """`leads` counts the tricks of each suit."""
    return counted(table.led, table.leads)


def each_lead_takes_a_card(table: Table) -> Blocks:
    """Led k times, a suit has lost k cards of every holding that long; the longest is the most leads."""
    must_follow = _excuses(table) < 0
    blocks, longest = [], dict.fromkeys(range(len(table.suits)), 0)
    for holding, members in table.by_size:
        size = min(len(members.T), table.most_leads)
        for h, cards in zip(holding.tolist(), members, strict=True):
            _, suit = table.holdings[h]
            longest[suit] = max(longest[suit], len(cards) if must_follow[h] else table.tricks)
            if must_follow[h]:
                blocks.append(rows(-table.leads[suit, :size], table.gone[cards[:size]]))
    return blocks + [
        rows(-table.leads[suit, most]) for suit, most in longest.items() if most < table.most_leads
    ]


def cards_are_thrown_away_when_a_suit_is_used_up(table: Table) -> Blocks:
    """More cards of a holding are gone than its suit was led: another holding of the seat is used up.

    A seat that lacks a suit from the start may throw away at once.
    """
    last, anytime = _last(table), table.position.deal.rules.trumps_anytime
    of_seat: dict[int, list[int]] = {}
    for h, (seat, _) in enumerate(table.holdings):
        of_seat.setdefault(seat, []).append(h)
    blocks = []
    for holding, members in table.by_size:
        size = min(len(members.T), table.most_leads)
        for h, cards in zip(holding.tolist(), members, strict=True):
            seat, suit = table.holdings[h]
            if len(of_seat[seat]) < len(table.suits) or (anytime and table.is_rocket[cards[0]]):
                continue
            others = [table.gone[last[g]] for g in of_seat[seat] if g != h]
            blocks.append(rows(-table.gone[cards[:size]], table.leads[suit, :size], *others))
    return blocks


def _last(table: Table) -> Ints:
    """The row of the highest card of each holding, whose `gone` says that the holding is used up."""
    last = np.empty(len(table.holdings), dtype=np.int32)
    for holding, members in table.by_size:
        last[holding] = members[:, -1]
    return last


def _excuses(table: Table) -> Ints:
    """For each holding the holding of rockets that excuses from following its suit, -1 for none."""
    excuses = np.full(len(table.holdings), -1, dtype=np.int32)
    if table.position.deal.rules.trumps_anytime:
        is_rocket: NDArray[np.bool_] = table.is_rocket[_last(table)]
        rockets = {table.holdings[h][0]: h for h in np.flatnonzero(is_rocket).tolist()}
        for h in np.flatnonzero(~is_rocket).tolist():
            excuses[h] = rockets.get(table.holdings[h][0], -1)
    return excuses


FOLLOWING_SUIT: tuple[Callable[[Table], Blocks], ...] = (
    cards_of_a_holding_are_counted,
    suit_is_followed,
    leads_of_a_suit_are_counted,
    each_lead_takes_a_card,
    cards_are_thrown_away_when_a_suit_is_used_up,
)
"""The clause groups; the last two follow from the others."""
