"""The rules of play as blocks of clauses, each rule one function; goals are elsewhere.

With N cards in play, T tricks to come, P seats, S suits and H holdings (the cards of one suit in one hand)
the formula has O(N·T) clauses: following suit takes few for each card and trick, because the cards played of
each holding are counted (see `following`); the winner takes eight, because `top` is the
rank of the winning card in order encoding. The published formula pairs the cards instead (de Jong 2021,
equations 5 and 8).
Every variable is a function of the cards played, so each legal play from the position is exactly one model.
"""

from __future__ import annotations

from collections.abc import Callable
from itertools import combinations, product

import numpy as np

from crewsolve.encodings.lean.following import FOLLOWING_SUIT
from crewsolve.encodings.lean.variables import Blocks, Ints, Table, rows


def cards_of_the_running_trick(table: Table) -> Blocks:
    """plays(c, 0) for every card already in the running trick."""
    return [table.plays[table.running, :1]]


def each_card_is_played_once(table: Table) -> Blocks:
    """`before` is the running ⋁ of `plays`, and no card is played twice: about 4·N·T clauses.

    Where a hand has one card for each trick, the last column says that all of them are played.
    """
    x, gone = table.plays, table.before
    full = table.hand_sizes[table.holder] == table.tricks
    if table.tricks == 1:
        return [x[full]]
    return [
        rows(-x[:, 0], gone[:, 0]),
        rows(x[:, 0], -gone[:, 0]),
        rows(-x[:, 1:], -gone),
        rows(-x[:, 1:-1], gone[:, 1:]),
        rows(-gone[:, :-1], gone[:, 1:]),
        rows(-gone[:, 1:], gone[:, :-1], x[:, 1:-1]),
        rows(x[full, -1], gone[full, -1]),
    ]


def same_pairs(key: Ints) -> tuple[Ints, Ints]:
    """The index pairs i < j with equal keys.

    >>> [pair.tolist() for pair in same_pairs(np.array([7, 8, 7]))]
    [[0], [2]]
    """
    first, second = np.nonzero(np.triu(key[:, None] == key[None, :], 1))
    return first.astype(np.int32), second.astype(np.int32)


def each_seat_plays_one_card(table: Table) -> Blocks:
    """One suit for each seat and trick, and one card of that suit; `follows` is the suit played."""
    x, follows = table.plays, table.follows
    blocks = [rows(-x, follows[table.holding])]
    for holding, members in table.by_size:
        blocks.append(rows(-follows[holding], *(x[member] for member in members.T)))
    first, second = same_pairs(table.holding)
    blocks.append(rows(-x[first], -x[second]))
    seat_of_holding = np.array([seat for seat, _ in table.holdings])
    blocks += [follows[seat_of_holding == seat].T for seat in range(table.seats)]
    first, second = same_pairs(seat_of_holding)
    return [*blocks, rows(-follows[first], -follows[second])]


def exactly_one_led_suit_and_winner(table: Table) -> Blocks:
    """Each trick has one led suit and one winner: T·(2 + C(S, 2) + C(P, 2)) clauses."""
    blocks = [table.led.T, table.wins.T]
    for variables in (table.led, table.wins):
        pairs = list(combinations(range(len(variables)), 2))
        if pairs:
            first, second = np.array(pairs).T
            blocks.append(rows(-variables[first], -variables[second]))
    return blocks


def leader_sets_the_led_suit(table: Table) -> Blocks:
    """The led suit is what the leader plays: who won the trick before, or the leader of the first."""
    led, follows, wins = table.led, table.follows, table.wins
    seat, suit = np.array(table.holdings).T
    leads = np.flatnonzero(seat == table.position.current.leader)
    strange = sorted(set(range(len(table.suits))) - set(suit[leads].tolist()))
    held = set(table.holdings)
    pairs = [pair for pair in product(range(table.seats), range(len(table.suits))) if pair not in held]
    blocks = [
        rows(-led[suit[leads], 0], follows[leads, 0]),
        rows(led[suit[leads], 0], -follows[leads, 0]),
        rows(-led[strange, 0]),
        rows(-wins[seat, :-1], -led[suit, 1:], follows[:, 1:]),
        rows(-wins[seat, :-1], led[suit, 1:], -follows[:, 1:]),
    ]
    if pairs:
        void_seat, void_suit = np.array(pairs).T
        blocks.append(rows(-wins[void_seat, :-1], -led[void_suit, 1:]))
    return blocks


def highest_card_wins(table: Table) -> Blocks:
    """`top` is the row of the winning card in order encoding, `best` the card itself: about 8·N·T clauses.

    A rocket, or a card of the led suit, pushes `top` up to its row; the winning card has been played and is
    a rocket or of the led suit; its holder wins the trick.
    """
    x, top, best, wins = table.plays, table.top, table.best, table.wins
    colour, rocket = ~table.is_rocket, table.is_rocket
    led = table.led[table.suit_row]
    blocks = [
        rows(top[0]),
        rows(-top[1:], top[:-1]),
        rows(-best, top),
        rows(-best[:-1], -top[1:]),
        rows(-top[:-1], top[1:], best[:-1]),
        rows(-top[-1], best[-1]),
        rows(-best, x),
        rows(-best, wins[table.holder]),
        rows(-best[colour], led[colour]),
        rows(-x[colour], -led[colour], top[colour]),
        rows(-x[rocket], top[rocket]),
    ]
    return blocks + [np.vstack((-wins[p], best[table.holder == p])).T for p in range(table.seats)]


RULES_OF_PLAY: tuple[Callable[[Table], Blocks], ...] = (
    cards_of_the_running_trick,
    each_card_is_played_once,
    each_seat_plays_one_card,
    exactly_one_led_suit_and_winner,
    leader_sets_the_led_suit,
    *FOLLOWING_SUIT,
    highest_card_wins,
)
"""The clause groups; together their models are the legal plays from the position to the last trick."""
