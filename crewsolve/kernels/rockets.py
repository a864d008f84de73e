"""Counting with rockets: each one that is played wins its trick or lies under a higher one of another hand.

Rockets force tricks on their holders, and a rocket under another takes the place of a task in that trick. A
seat that may win only so many counted cards must fill its tricks with others. So the few ways in which
rockets can share tricks are tried; if none leaves enough tricks and enough cards, the position is lost.
"""

from __future__ import annotations

from crewsolve.kernels.bits import bit_count, highest
from crewsolve.kernels.board import (
    COUNTED,
    FORBIDDEN,
    GAINS,
    HANDS,
    LATE,
    MUST,
    OWNED,
    ROOM,
    SEATS,
    SUITS,
    WAITS,
    Masks,
)
from crewsolve.kernels.jit import kernel

TAKEN, WON_TRICKS, UNDER = LATE, GAINS, WAITS
"""Scratch: cards that are not counted, tricks won by rockets that are no tasks, and for each seat and winner
the rockets of the seat that lie under the winner's and are no tasks."""

MOST = 5
"""Rockets for which all ways are tried: 5! = 120."""


@kernel
def rockets_fit(board: Masks, live: int, tricks: int, slack: int) -> bool:
    """Whether the rockets left can share tricks so that everything still fits.

    `slack` is by how much the room of all seats exceeds the counted cards. Where a hand is longer than the
    tricks, a rocket may stay unplayed, and nothing is said.
    """
    rockets = board[SUITS] & live
    count = bit_count(rockets)
    if count == 0 or count > MOST:
        return True
    for seat in range(board[SEATS]):
        if bit_count(board[HANDS + seat]) != tricks:
            return True
    ways = 1
    for number in range(1, count + 1):
        ways *= number
    for way in range(ways):
        if _arrange(board, rockets, way):
            if board[COUNTED] == 0:
                if _tasks_fit(board, live, tricks):
                    return True
            elif _fits(board, live, tricks, slack):
                return True
    return False


@kernel
def _arrange(board: Masks, rockets: int, way: int) -> bool:
    """Spread the rockets over tricks; digit i of `way` is 0 where rocket i from the top wins its trick.

    Otherwise it lies under the rocket with that number, which must win and meet no other of the hand.
    """
    seats = board[SEATS]
    for seat in range(seats):
        board[TAKEN + seat] = board[WON_TRICKS + seat] = 0
        for winner in range(seats):
            board[UNDER + 32 * seat + winner] = 0
    digits, left, number = way, rockets, 0
    while left:
        bit = 1 << highest(left)
        left ^= bit
        number += 1
        under = digits % number
        digits //= number
        holder = holder_of(board, bit)
        winner = holder
        if under:
            winner = holder_of(board, _nth_from_top(rockets, under - 1))
            if winner == holder or _digit(way, under - 1) or not _alone(board, rockets, way, number, under):
                return False
            if bit & board[MUST] == 0:
                board[UNDER + 32 * holder + winner] += 1
        elif bit & board[MUST] == 0 or board[COUNTED]:
            board[WON_TRICKS + winner] += 1
        if bit & board[FORBIDDEN + winner]:
            return False
        if bit & board[COUNTED] == 0:
            board[TAKEN + winner] += 1
    return True


@kernel
def _digit(way: int, place: int) -> int:
    """Digit number `place` of a way, in the base of the factorials."""
    for number in range(1, place + 1):
        way //= number
    return way % (place + 1)


@kernel
def _alone(board: Masks, rockets: int, way: int, number: int, under: int) -> bool:
    """Whether no earlier rocket of the same hand lies in the trick of rocket `under` - 1."""
    holder = holder_of(board, _nth_from_top(rockets, number - 1))
    for place in range(number - 1):
        if _digit(way, place) == under and holder_of(board, _nth_from_top(rockets, place)) == holder:
            return False
    return True


@kernel
def _nth_from_top(mask: int, place: int) -> int:
    for _ in range(place):
        mask ^= 1 << highest(mask)
    return 1 << highest(mask)


@kernel
def holder_of(board: Masks, bit: int) -> int:
    """The seat that holds a card."""
    for seat in range(board[SEATS]):
        if board[HANDS + seat] & bit:
            return seat
    return -1


@kernel
def _fits(board: Masks, live: int, tricks: int, slack: int) -> bool:
    """Whether the tricks suffice for all shares, and the other cards for the tricks that rockets win."""
    seats, need = board[SEATS], 0
    plain = live & ~board[COUNTED] & ~board[SUITS]
    for seat in range(seats):
        taken, won = board[TAKEN + seat], board[WON_TRICKS + seat]
        share = max(0, board[ROOM + seat] - slack) + taken
        need += max(won, (share + seats - 1) // seats)
        if seats * won > board[ROOM + seat] + taken + bit_count(plain & ~board[HANDS + seat]):
            return False
    return need <= tricks


@kernel
def _tasks_fit(board: Masks, live: int, tricks: int) -> bool:
    """Whether the tricks suffice: in those of one winner each hand has its tasks and its rockets."""
    need = 0
    for winner in range(board[SEATS]):
        tasks = board[OWNED + winner] & live
        wins = bit_count(tasks & board[HANDS + winner]) + board[WON_TRICKS + winner]
        for seat in range(board[SEATS]):
            if seat != winner:
                rockets = board[UNDER + 32 * seat + winner]
                wins = max(wins, bit_count(tasks & board[HANDS + seat]) + rockets)
        need += wins
    return need <= tricks
