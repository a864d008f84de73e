"""The plain twin of the kernels: every turn listed, every position valued, in plain Python."""

from __future__ import annotations

from collections.abc import Iterator

from crewsolve.thegame.model import Move, State, longest_moves
from crewsolve.thegame.playing import Player
from crewsolve.thegame.simulator import Deck, Game
from crewsolve.thegame.values import Value


def turns(state: State, length: int, order: list[Move]) -> Iterator[tuple[tuple[Move, ...], State]]:
    """All sequences of moves of one length, in the given order of moves."""
    if length == 0:
        yield (), state
        return
    legal = set(state.moves())
    for move in order:
        if move in legal:
            for rest, end in turns(state.after(move), length - 1, order):
                yield (move, *rest), end


def deep_value(state: State, value: Value, depth: int, memo: dict[State, int]) -> int:
    """The best value of the state and of all states up to `depth` moves later (section 4.1)."""
    best = memo[state] if state in memo else value(state)
    memo[state] = best
    if depth:
        for move in state.moves():
            best = max(best, deep_value(state.after(move), value, depth - 1, memo))
    return best


def move_order(hand: list[int], piles: int, ties: str) -> list[Move]:
    """The moves in the order in which equal turns are preferred."""
    if ties not in ("unsorted", "own"):
        hand = sorted(hand)
    if ties == "by-pile":
        return [Move(card, pile) for pile in range(piles) for card in hand]
    moves = [Move(card, pile) for card in hand for pile in range(piles)]
    return moves[::-1] if ties == "last" else moves


def take_out(hand: list[int], card: int) -> None:
    """Take a card out of an unsorted hand: the last one takes its place."""
    last = hand.pop()
    if last != card:
        hand[hand.index(card)] = last


def play(player: Player, deck: Deck) -> Game:
    """Procedure 1: the first of the best turns until no full turn is left, then the longest run."""
    value, state, played = player.strategy.value(deck.parameters), deck.start(), []
    hand = list(deck.order[: deck.parameters.hand])
    while True:
        order = move_order(hand, deck.parameters.piles, player.ties)
        best: tuple[tuple[int, int], tuple[Move, ...], State] | None = None
        memo: dict[State, int] = {}
        for turn, end in turns(state, deck.parameters.turn, order):
            worth = deep_value(end, value, player.depth, memo), memo[end] if player.ties == "own" else 0
            if best is None or worth > best[0]:
                best = (worth, turn, end)
        if best is None:
            run = longest_moves(state)
            if run:
                played.append(run)
            return Game(deck, tuple(played))
        played.append(best[1])
        state = deck.refill(best[2])
        for move in best[1]:
            take_out(hand, move.card)
        hand += [card for card in deck.order if card in state.hand and card not in hand]
