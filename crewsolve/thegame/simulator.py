"""The judge: plays a recorded game on its deck, checks every move, and says what became of it."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from functools import cached_property

from crewsolve.thegame.errors import IllegalMove
from crewsolve.thegame.model import DEFAULT, Move, Parameters, State, start

Turn = tuple[Move, ...]


@dataclass(frozen=True)
class Deck:
    """The cards in the order in which they are drawn; checks itself when built."""

    order: tuple[int, ...]
    parameters: Parameters = DEFAULT
    name: str = ""

    def __post_init__(self) -> None:
        self.parameters.check_order(self.order)

    def start(self) -> State:
        """The state before the first move."""
        return start(self.parameters, self.order)

    def refill(self, state: State) -> State:
        """Fill the hand up from the top of the deck, as far as the deck goes."""
        drawn = len(state.laid) + len(state.hand)
        wanted = self.parameters.hand - len(state.hand)
        return state.drawn(self.order[drawn : drawn + max(wanted, 0)])


@dataclass(frozen=True)
class Game:
    """A deck and the turns that were played on it."""

    deck: Deck
    turns: tuple[Turn, ...]

    @cached_property
    def states(self) -> tuple[State, ...]:
        """The state before each turn and after the last, verified on the way."""
        return tuple(replay(self.deck, self.turns))

    @property
    def remaining(self) -> int:
        """The number of cards that were never laid: 0 is a win."""
        return self.deck.parameters.size - len(self.states[-1].laid)

    @property
    def is_won(self) -> bool:
        """Tell whether every card was laid."""
        return self.remaining == 0

    @property
    def is_over(self) -> bool:
        """Tell whether nothing can follow: no full turn is left, or a last short one was played."""
        last = self.states[-1]
        needed = 1 if not last.deck or self._ended_short else self.deck.parameters.turn
        return self._ended_short or last.longest_run(limit=needed) < needed

    @property
    def _ended_short(self) -> bool:
        """Only the last turn may be short while cards are left to draw; it ends the game."""
        if not self.turns or len(self.turns[-1]) >= self.deck.parameters.turn:
            return False
        return bool(self.states[-2].deck)

    @cached_property
    def tricks(self) -> int:
        """The number of backwards tricks."""
        count = 0
        for before, turn in zip(self.states, self.turns, strict=False):
            state = before
            for move in turn:
                count += state.parameters.is_trick(move.pile, state.tops[move.pile], move.card)
                state = state.after(move)
        return count


def replay(deck: Deck, turns: Sequence[Turn]) -> Iterator[State]:
    """Yield the state before each turn and the final one, or refuse the first illegal move."""
    state = deck.start()
    yield state
    for number, turn in enumerate(turns, start=1):
        _check_length(state, turn, number, is_last=number == len(turns))
        for move in turn:
            _check_move(state, move, number)
            state = state.after(move)
        state = deck.refill(state) if len(turn) >= deck.parameters.turn or not state.deck else state
        yield state


def write_move(parameters: Parameters, move: Move) -> str:
    """Write a move as the card and its pile: `34u2`."""
    if not 0 <= move.pile < parameters.piles:
        return f"{move.card} on pile number {move.pile}"
    return f"{move.card}{parameters.pile_name(move.pile)}"


def _check_length(state: State, turn: Turn, number: int, *, is_last: bool) -> None:
    """At least the minimum turn, except with an empty deck or in the last moves when no turn is left."""
    least = state.parameters.turn
    if not turn:
        raise IllegalMove("a turn has at least one move", turn=number)
    if len(turn) >= least or not state.deck:
        return
    if not is_last:
        raise IllegalMove(
            f"only {len(turn)} of at least {least} cards played while {len(state.deck)} are left to draw",
            turn=number,
        )
    if state.has_turn():
        raise IllegalMove(
            f"the last moves may be fewer than {least} only when no full turn is left", turn=number
        )


def _check_move(state: State, move: Move, number: int) -> None:
    parameters, text = state.parameters, write_move(state.parameters, move)
    if not 0 <= move.pile < parameters.piles:
        raise IllegalMove(f"there is no such pile: {text}", turn=number, move=text)
    if move.card not in state.hand:
        where = "already laid" if move.card in state.laid else "not in hand"
        raise IllegalMove(
            f"{text}: card {move.card} is {where}; the hand is {' '.join(map(str, sorted(state.hand)))}",
            turn=number,
            move=text,
        )
    top = state.tops[move.pile]
    if not parameters.allows(move.pile, top, move.card):
        way = "higher" if parameters.ascends(move.pile) else "lower"
        back = top - parameters.trick if parameters.ascends(move.pile) else top + parameters.trick
        exact = f", or exactly {back}" if parameters.trick and back in parameters.cards else ""
        raise IllegalMove(
            f"{text}: pile {parameters.pile_name(move.pile)} shows {top} and takes a {way} card{exact}",
            turn=number,
            move=text,
        )
