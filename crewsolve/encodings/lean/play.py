"""The rules of play as blocks of clauses, each rule one function; goals are elsewhere.

With N cards in play, T tricks to come, P seats, S suits and H holdings (the cards of one suit in one hand)
the formula has O(N·T) clauses: following suit takes one for each card and trick, because `before` says
whether a card is gone and `follows` whether the suit is played; the winner takes eight, because `top` is the
rank of the winning card in order encoding. The published formula pairs the cards instead (de Jong 2021,
equations 5 and 8).
Every variable is a function of the cards played, so each legal play from the position is exactly one model.
"""

from __future__ import annotations

from collections.abc import Callable
from itertools import combinations, product

import numpy as np

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
    for holding, members in _by_size(table):
        blocks.append(rows(-follows[holding], *(x[member] for member in members.T)))
    first, second = same_pairs(table.holding)
    blocks.append(rows(-x[first], -x[second]))
    seat_of_holding = np.array([seat for seat, _ in table.holdings])
    blocks += [follows[seat_of_holding == seat].T for seat in range(table.seats)]
    first, second = same_pairs(seat_of_holding)
    return [*blocks, rows(-follows[first], -follows[second])]


def _by_size(table: Table) -> list[tuple[Ints, Ints]]:
    """The holdings of each size, and the rows of their cards."""
    order = np.argsort(table.holding, kind="stable").astype(np.int32)
    sizes = np.bincount(table.holding)
    starts = np.cumsum(sizes) - sizes
    found = []
    for size in set(sizes.tolist()):
        chosen = np.flatnonzero(sizes == size).astype(np.int32)
        members: Ints = order[starts[chosen][:, None] + np.arange(size)]
        found.append((chosen, members))
    return found


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


def suit_is_followed(table: Table) -> Blocks:
    """¬led(s, t) ∨ follows(p, s, t) ∨ before(c, t) for every card c of suit s of seat p: N·T clauses.

    Under `trumps_anytime` the seat may also play a rocket: one literal more where it holds one.
    """
    rocket_row = _rocket_holding(table)
    blocks = []
    for row in sorted(set(rocket_row.tolist())):
        chosen = np.flatnonzero(rocket_row == row)
        excuse = [] if row < 0 else [table.follows[row]]
        led, follows = table.led[table.suit_row[chosen]], table.follows[table.holding[chosen]]
        blocks.append(rows(-led[:, 0], follows[:, 0], *(e[0] for e in excuse)))
        blocks.append(rows(-led[:, 1:], follows[:, 1:], table.before[chosen], *(e[1:] for e in excuse)))
    return blocks


def _rocket_holding(table: Table) -> Ints:
    """For each card the holding of rockets that excuses from following its suit, -1 for none."""
    none = np.full(len(table.cards), -1, dtype=np.int32)
    if not table.position.deal.rules.trumps_anytime:
        return none
    of_seat = {int(table.holder[row]): int(table.holding[row]) for row in np.flatnonzero(table.is_rocket)}
    excuse = np.array([of_seat.get(seat, -1) for seat in table.holder.tolist()], dtype=np.int32)
    return np.where(table.is_rocket, none, excuse)


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
    suit_is_followed,
    highest_card_wins,
)
"""The clause groups; together their models are the legal plays from the position to the last trick."""
