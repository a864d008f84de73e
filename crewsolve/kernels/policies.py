"""How the seats of a rollout play: at random, RandomSmart, or as a team.

The team's way uses only what everybody may know: the own hand, the cards still out, the running trick and the
tasks. It keeps task cards out of tricks of the wrong seat, gives a task to its owner once the owner's card
cannot be beaten by rank any more, ducks where another's task lies, and leads cards that no one can beat where
it owns a task. Whatever the rules leave open is drawn at random.
"""

from __future__ import annotations

from typing import Any

from numba import njit

from crewsolve.kernels.bits import above, random_bit, top_bit
from crewsolve.kernels.game import BEST, BEST_SEAT, COUNT, IN_TRICK, LED, TURN, all_owed, legal_cards
from crewsolve.kernels.jit import kernel

UNIFORM, FOLLOW_TASKS, TEAMWORK = 0, 1, 2
"""Uniformly random legal cards; Witteveen's RandomSmart (Algorithm 4); the team's way."""


@kernel
def choose(policy: int, table: Any, seats: int, suits: Any, anytime: bool, rng: Any) -> int:
    """The policy's card for the seat to play."""
    legal = legal_cards(table, seats, suits, anytime)
    if legal & (legal - 1) == 0:
        return legal
    if policy == TEAMWORK:
        if table[2 * seats + COUNT] == 0:
            return _lead(table, seats, suits, rng)
        return _follow(table, seats, legal, suits, rng)
    if policy == FOLLOW_TASKS:
        return _follow_tasks(table, seats, legal, rng)
    return random_bit(legal, rng)


@kernel
def _follow_tasks(table: Any, seats: int, legal: int, rng: Any) -> int:
    """High on an own task in the trick, low on another's, where the suit can be followed; else random."""
    w = 2 * seats
    trick = table[w + IN_TRICK]
    follow = legal & table[w + LED]
    if follow and trick & all_owed(table, seats):
        return top_bit(follow) if trick & table[seats + table[w + TURN]] else follow & -follow
    return random_bit(legal, rng)


@njit(inline="always")
def _others(table: Any, seats: int) -> int:
    """The cards still out in the other hands: everybody can work them out."""
    mask = 0
    for seat in range(seats):
        if seat != table[2 * seats + TURN]:
            mask |= table[seat]
    return mask


@kernel
def _lead(table: Any, seats: int, suits: Any, rng: Any) -> int:
    """An own task, or a card to fetch one, that nobody can beat by rank; else no task card."""
    seat = table[2 * seats + TURN]
    hand, mine, others = table[seat], table[seats + seat], _others(table, seats)
    owed = all_owed(table, seats)
    good = 0
    for s in range(suits.shape[0]):
        held = hand & suits[s]
        if held:
            top = top_bit(held)
            fetches = mine & others & suits[s] and not top & owed
            if not above(top) & suits[s] & others and (top & mine or fetches):
                good |= top
    if good:
        return random_bit(good, rng)
    plain = hand & ~owed
    return random_bit(plain if plain else hand, rng)


@njit(inline="always")
def _safe(card: int, led: int, others: int, rockets: int) -> bool:
    """Whether no card still out beats `card` by rank."""
    return above(card) & (led if card & led else rockets) & others == 0


@kernel
def _follow(table: Any, seats: int, legal: int, suits: Any, rng: Any) -> int:
    """Win own tasks, duck others', give a task to an owner who holds the trick, and keep the rest back."""
    w = 2 * seats
    mine = table[seats + table[w + TURN]]
    led, best, trick = table[w + LED], table[w + BEST], table[w + IN_TRICK]
    theirs = table[seats + table[w + BEST_SEAT]]
    owed, others = all_owed(table, seats), _others(table, seats)
    last = table[w + COUNT] == seats - 1
    beating = legal & (led | suits[0]) & above(best)
    ducking = legal & ~beating
    lying = trick & owed
    if lying & mine and beating:
        clean = beating & ~(owed & ~mine)
        wanted = clean if clean else beating
        return wanted & -wanted if last else top_bit(wanted)
    secure = last or _safe(best, led, others, suits[0])
    if secure and ducking & theirs and (not lying or lying & theirs):
        return random_bit(ducking & theirs, rng)
    if lying:
        if not ducking:
            return legal & -legal
        plain = ducking & ~owed
        return random_bit(plain if plain else ducking, rng)
    own = beating & mine
    if own and (last or _safe(top_bit(own), led, others, suits[0])):
        return top_bit(own)
    if legal & ~owed:
        return random_bit(legal & ~owed, rng)
    if ducking & theirs:
        return random_bit(ducking & theirs, rng)
    return top_bit(own) if own else random_bit(legal, rng)
