"""What a turn can do to the piles of one direction.

Moves on different piles commute, so a turn is known by what it lays on each pile, in order. Each side
(the ascending or the descending piles) is listed once per turn: every way to lay up to `longest` hand cards
on its piles. A position reached by a turn is then a pair of one ascending and one descending entry with
disjoint cards.

Inside kernels cards count from 0 and tops are shifted by one, so that an empty ascending pile shows 0 and an
empty descending pile shows n + 1. What a pile may show after the turn is one of a few *slots*: slot k is the
hand card at place k, slot (hand size + pile) is the card that lies there now.
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np
from numba import njit

from crewsolve.kernels.jit import kernel
from crewsolve.thegame._own import Own, own_value

MAX_TURN = 16  # cards in the longest turn that is looked at


class Side(NamedTuple):
    """The listed entries of one direction; entries of equal size are consecutive."""

    slots: np.ndarray  # [entry, pile] what the pile shows
    cards: np.ndarray  # [entry] bit mask over places in the sorted hand
    parent: np.ndarray  # [entry] the entry without the last move
    place: np.ndarray  # [entry] hand place of the last move
    pile: np.ndarray  # [entry] pile of the last move
    layers: np.ndarray  # [size] first entry with that many cards


def make_side(piles: int, capacity: int) -> Side:
    """Room for `capacity` entries."""
    return Side(
        np.zeros((capacity, max(piles, 1)), np.int64),
        np.zeros(capacity, np.int64),
        np.zeros(capacity, np.int64),
        np.zeros(capacity, np.int64),
        np.zeros(capacity, np.int64),
        np.zeros(MAX_TURN + 2, np.int64),
    )


@njit(inline="always")
def fits(is_up: bool, top: int, card: int, trick: int) -> bool:
    """Tell whether a card may be laid on a top, both shifted."""
    if is_up:
        return card > top or (trick > 0 and card == top - trick)
    return card < top or (trick > 0 and card == top + trick)


@kernel
def list_side(
    side: Side,
    is_up: bool,
    shown: np.ndarray,
    first_pile: int,
    piles: int,
    size: int,
    longest: int,
    trick: int,
) -> int:
    """List all entries of up to `longest` cards; returns their number, or -1 when there is no room.

    `shown` gives the shifted card of each slot.
    """
    for pile in range(piles):
        side.slots[0, pile] = size + first_pile + pile
    side.cards[0] = 0
    side.pile[0] = 0
    side.layers[0] = 0
    side.layers[1] = 1
    count = 1
    for length in range(1, longest + 1):
        for parent in range(side.layers[length - 1], side.layers[length]):
            # Piles are filled in order, so that every set of chains appears once.
            for pile in range(side.pile[parent], piles):
                top = shown[side.slots[parent, pile]]
                for place in range(size):
                    if side.cards[parent] >> place & 1 or not fits(is_up, top, shown[place], trick):
                        continue
                    if count == len(side.cards):
                        return -1
                    for other in range(piles):
                        side.slots[count, other] = side.slots[parent, other]
                    side.slots[count, pile] = place
                    side.cards[count] = side.cards[parent] | (1 << place)
                    side.parent[count] = parent
                    side.place[count] = place
                    side.pile[count] = pile
                    count += 1
        side.layers[length + 1] = count
    return count


class Search(NamedTuple):
    """What one turn chooses from."""

    up: Side
    down: Side
    up_count: int
    down_count: int
    ranks: np.ndarray  # [place, pile]
    size: int  # of the hand
    longest: int  # cards of the longest entries
    own: Own


class Choice(NamedTuple):
    """The best turn so far: its moves in playing order, and the room to compare another with it."""

    places: np.ndarray  # [move] hand place
    piles: np.ndarray  # [move] pile, counted over both directions
    ranks: np.ndarray  # [move] tie-breaking rank of the move
    worth: np.ndarray  # [0] what the turn is worth by itself, where the rule for ties asks for it
    chain: np.ndarray  # [pile, step] hand places of the leaf under comparison
    lengths: np.ndarray  # [pile] steps of the leaf
    takes: np.ndarray  # [pile] steps that belong to the turn
    done: np.ndarray  # [pile] steps already merged
    trial_places: np.ndarray
    trial_piles: np.ndarray
    trial_ranks: np.ndarray


def make_choice(piles: int) -> Choice:
    """Room for the choice of one turn."""
    row = [np.zeros(MAX_TURN, np.int64) for _ in range(6)]
    per_pile = [np.zeros(piles, np.int64) for _ in range(3)]
    chain = np.zeros((piles, MAX_TURN), np.int64)
    lengths, takes, done = per_pile
    worth = np.zeros(1, np.int64)
    return Choice(row[0], row[1], row[2], worth, chain, lengths, takes, done, row[3], row[4], row[5])


@kernel
def _read_chains(choice: Choice, side: Side, entry: int, first_pile: int) -> None:
    """Add the chains of one entry; pile numbers start at `first_pile`."""
    while side.cards[entry] != 0:
        pile = first_pile + side.pile[entry]
        choice.lengths[pile] += 1
        entry_place = side.place[entry]
        for step in range(choice.lengths[pile] - 1, 0, -1):
            choice.chain[pile, step] = choice.chain[pile, step - 1]
        choice.chain[pile, 0] = entry_place
        entry = side.parent[entry]


@kernel
def _merge(choice: Choice, ranks: np.ndarray, turn: int) -> None:
    """Order the taken steps so that the sequence of ranks is as small as it can be."""
    piles = len(choice.takes)
    for pile in range(piles):
        choice.done[pile] = 0
    for move in range(turn):
        best_pile = -1
        for pile in range(piles):
            if choice.done[pile] < choice.takes[pile]:
                rank = ranks[choice.chain[pile, choice.done[pile]], pile]
                if best_pile < 0 or rank < choice.trial_ranks[move]:
                    best_pile = pile
                    choice.trial_ranks[move] = rank
        choice.trial_places[move] = choice.chain[best_pile, choice.done[best_pile]]
        choice.trial_piles[move] = best_pile
        choice.done[best_pile] += 1


@kernel
def _keep_smaller(choice: Choice, turn: int, has_choice: bool, worth: int) -> None:
    """Keep the trial when there is nothing yet, it is worth more by itself, or its ranks come first."""
    smaller = not has_choice or worth > choice.worth[0]
    if has_choice and worth == choice.worth[0]:
        for move in range(turn):
            if choice.trial_ranks[move] != choice.ranks[move]:
                smaller = choice.trial_ranks[move] < choice.ranks[move]
                break
    if smaller:
        choice.worth[0] = worth
        for move in range(turn):
            choice.places[move] = choice.trial_places[move]
            choice.piles[move] = choice.trial_piles[move]
            choice.ranks[move] = choice.trial_ranks[move]


@kernel
def consider(
    choice: Choice, up: Side, i: int, down: Side, j: int, ranks: np.ndarray, own: Own, turn: int, is_tie: bool
) -> None:
    """Take the turn that leads to the leaf (i, j); on a tie, the one whose ranks come first.

    With the rule that asks for it, what the turns are worth by themselves is compared before the ranks.

    A leaf of more cards than the turn can be reached over several turns: every way to take `turn` steps from
    the beginnings of its chains is looked at.
    """
    piles = len(choice.takes)
    for pile in range(piles):
        choice.lengths[pile] = 0
    _read_chains(choice, up, i, 0)
    _read_chains(choice, down, j, own.rules.up)
    total = 0
    for pile in range(piles):
        choice.takes[pile] = 0
        total += choice.lengths[pile]
    has_choice = is_tie
    while True:
        taken = 0
        for pile in range(piles):
            taken += choice.takes[pile]
        if taken == turn:
            _merge(choice, ranks, turn)
            worth = own_value(own, choice.chain, choice.takes) if own.is_asked else 0
            _keep_smaller(choice, turn, has_choice, worth)
            has_choice = True
        pile = 0
        while pile < piles:
            if choice.takes[pile] < choice.lengths[pile]:
                choice.takes[pile] += 1
                break
            choice.takes[pile] = 0
            pile += 1
        if pile == piles:
            return
