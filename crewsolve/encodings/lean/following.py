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

from crewsolve.encodings.lean.counting import counted, counted_evenly
from crewsolve.encodings.lean.variables import Blocks, Ints, Table, rows


def cards_of_a_holding_are_counted(table: Table) -> Blocks:
    """`gone` counts the tricks to which a suit is played; a holding used up has no card left."""
    used_up = table.gone[table.highest]
    full = table.hand_sizes[table.holder[table.highest]] == table.tricks
    return [
        *counted(table.follows[table.holding], table.gone, table.below),
        rows(-used_up[table.holding, :-1], table.before),
        rows(used_up[full, -1]),
    ]


def suit_is_followed(table: Table) -> Blocks:
    """¬led(s, t) ∨ follows(p, s, t) ∨ the holding is used up: one clause for each holding and trick.

    Under `trumps_anytime` the seat may also play a rocket: one literal more where it holds one.
    """
    led, follows = table.led[table.suit_row[table.highest]], table.follows
    used_up, rockets = table.gone[table.highest], _excuses(table)
    blocks: Blocks = []
    for row in sorted(set(rockets.tolist())):
        h = rockets == row
        excuse = [] if row < 0 else [follows[row]]
        blocks.append(rows(-led[h, 0], follows[h, 0], *(e[0] for e in excuse)))
        blocks.append(rows(-led[h, 1:], follows[h, 1:], used_up[h, :-1], *(e[1:] for e in excuse)))
    return blocks


def leads_of_a_suit_are_counted(table: Table) -> Blocks:
    """`leads` counts the tricks of each suit, where there are many tricks."""
    return counted_evenly(table.led, table.leads) if table.most_leads else []


def each_lead_takes_a_card(table: Table) -> Blocks:
    """Led k times, a suit has lost k cards of every holding that long; the longest is the most leads."""
    if not table.most_leads:
        return []
    must_follow = _excuses(table)[table.holding] < 0
    card = np.flatnonzero(must_follow & (table.rank < table.most_leads))
    longest = np.zeros(len(table.suits), dtype=np.int32)
    np.maximum.at(longest, table.suit_row, np.where(must_follow, table.rank + 1, table.tricks))
    limited = np.flatnonzero(longest < table.most_leads)
    return [
        rows(-table.leads[table.suit_row[card], table.rank[card]], table.gone[card]),
        rows(-table.leads[limited, longest[limited]]),
    ]


def cards_are_thrown_away_when_a_suit_is_used_up(table: Table) -> Blocks:
    """More cards of a holding are gone than its suit was led: another holding of the seat is used up.

    A seat that lacks a suit from the start may throw away at once.
    """
    suits = len(table.suits)
    of_seat = np.bincount([seat for seat, _ in table.holdings], minlength=table.seats)
    chosen = (of_seat[table.holder] == suits) & (table.rank < table.most_leads)
    if table.position.deal.rules.trumps_anytime:
        chosen &= ~table.is_rocket
    card = np.flatnonzero(chosen)
    if not len(card):
        return []
    suit, holding = table.suit_row[card], table.holding[card]
    # A seat with all suits has their holdings in a row, in the order of the suits.
    others = [holding - suit + (suit + step) % suits for step in range(1, suits)]
    used_up = (table.gone[table.highest[other]] for other in others)
    return [rows(-table.gone[card], table.leads[suit, table.rank[card]], *used_up)]


def _excuses(table: Table) -> Ints:
    """For each holding the holding of rockets that excuses from following its suit, -1 for none."""
    excuses = np.full(len(table.holdings), -1, dtype=np.int32)
    if table.position.deal.rules.trumps_anytime:
        is_rocket: NDArray[np.bool_] = table.is_rocket[table.highest]
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
