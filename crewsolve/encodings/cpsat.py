"""A constraint model of the game for CP-SAT: numbers for tricks, winners and strengths, not clauses.

Every card has the number of the trick it is played to; every trick has a winner, who is an integer, and
whose strength is the greatest. The card's trick indexes the winners (an element constraint) to say who takes
it. One worker and a fixed seed, so that runs repeat.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from functools import cached_property
from typing import Any, ClassVar

from ortools.sat.python import cp_model

from crewsolve.cards import ROCKETS, Card
from crewsolve.encodings.formula import OutOfTime
from crewsolve.encodings.method import Answer, Limits, Method
from crewsolve.encodings.stoppable import run_stoppable
from crewsolve.errors import CrewError
from crewsolve.position import Position
from crewsolve.result import Verdict
from crewsolve.tasks import WinCard, WinShare

SEED = 0
WORKERS = 1


class CpPlay:
    """The variables of a play, and the facts that goals may use; tricks and seats count from 0."""

    def __init__(self, position: Position, limits: Limits) -> None:
        self.position = position
        self.deal = position.deal
        self.limits = limits
        self.model = cp_model.CpModel()
        self.tricks = range(self.deal.tricks)
        self.seats = range(self.deal.seats)
        self.hands = [list(hand) for hand in self.deal.hands]
        self.holder = {card: seat for seat in self.seats for card in self.hands[seat]}
        self.suits = [suit for suit in self.deal.deck.suits if self.deal.in_play.of_suit(suit)]
        self._true = self.model.new_constant(1)
        self._false = self.model.new_constant(0)

    @cached_property
    def _plays(self) -> dict[tuple[int, Card], Any]:
        return {
            (t, card): self.model.new_bool_var(f"plays({p},{t},{card})")
            for p in self.seats
            for card in self.hands[p]
            for t in self.tricks
        }

    @cached_property
    def when(self) -> dict[Card, Any]:
        """The trick of each card; the number of tricks stands for "stays in the hand"."""
        last = len(self.tricks)
        return {
            card: self.model.new_int_var(0, last if len(hand) > last else last - 1, f"when({card})")
            for hand in self.hands
            for card in hand
        }

    @cached_property
    def winner(self) -> list[Any]:
        """The seat that wins each trick."""
        return [self.model.new_int_var(0, len(self.seats) - 1, f"winner({t})") for t in self.tricks]

    @cached_property
    def _wins(self) -> dict[tuple[int, int], Any]:
        return {(t, p): self.model.new_bool_var(f"wins({p},{t})") for t in self.tricks for p in self.seats}

    @cached_property
    def led(self) -> dict[tuple[int, int], Any]:
        """Whether a suit is led to a trick."""
        return {(t, s): self.model.new_bool_var(f"led({t},{s})") for t in self.tricks for s in self.suits}

    def plays(self, seat: int, trick: int, card: Card) -> Any:
        """The seat plays the card to the trick."""
        return self._plays[trick, card] if self.holder[card] == seat else self._false

    def played(self, trick: int, card: Card) -> Any:
        """The card is played to the trick, by the seat that holds it."""
        return self._plays[trick, card]

    def wins(self, seat: int, trick: int) -> Any:
        """The seat wins the trick."""
        return self._wins[trick, seat]

    def leads(self, seat: int, trick: int) -> Any:
        """The seat leads the trick."""
        if trick > 0:
            return self.wins(seat, trick - 1)
        return self._true if seat == self.deal.leader else self._false

    def card_wins(self, card: Card, trick: int) -> Any:
        """The card wins the trick."""
        return self._both(
            f"card_wins({card},{trick})", self.played(trick, card), self.wins(self.holder[card], trick)
        )

    def taker(self, card: Card) -> Any:
        """The seat that wins the trick with the card; the number of seats where nobody does."""
        nobody = len(self.seats)
        taker = self.model.new_int_var(0, nobody, f"taker({card})")
        self.model.add_element(self.when[card], [*self.winner, nobody], taker)
        return taker

    def done(self, seat: int, card: Card, trick: int) -> Any:
        """By the end of the trick the seat has won the card: the task is done."""
        takes = [
            self._both(f"takes({seat},{card},{t})", self.played(t, card), self.wins(seat, t))
            for t in self.tricks[: trick + 1]
        ]
        done = self.model.new_bool_var(f"done({seat},{card},{trick})")
        self.model.add(sum(takes) == done)
        return done

    def _both(self, name: str, a: Any, b: Any) -> Any:
        both = self.model.new_bool_var(name)
        self.model.add_multiplication_equality(both, [a, b])
        return both

    def check_clock(self) -> None:
        """Stop building once the deadline has passed."""
        if self.limits.expired:
            raise OutOfTime


def each_seat_plays_one_card(play: CpPlay) -> None:
    """Exactly one card of the hand goes to each trick, and each card to the trick of its number."""
    for hand in play.hands:
        for trick in play.tricks:
            play.model.add_exactly_one(play.played(trick, card) for card in hand)
        for card in hand:
            for trick in play.tricks:
                here = play.played(trick, card)
                play.model.add(play.when[card] == trick).only_enforce_if(here)
                play.model.add(play.when[card] != trick).only_enforce_if(here.negated())


def each_trick_has_one_winner(play: CpPlay) -> None:
    """The winner's number and the facts `wins` say the same."""
    for trick in play.tricks:
        play.model.add_exactly_one(play.wins(seat, trick) for seat in play.seats)
        play.model.add(play.winner[trick] == sum(seat * play.wins(seat, trick) for seat in play.seats))


def leader_sets_the_led_suit(play: CpPlay) -> None:
    """One suit is led, and it is the suit of the leader's card."""
    for trick in play.tricks:
        play.model.add_exactly_one(play.led[trick, suit] for suit in play.suits)
        for seat in play.seats:
            for card in play.hands[seat]:
                leads, here = play.leads(seat, trick), play.played(trick, card)
                play.model.add_bool_or(leads.negated(), here.negated(), play.led[trick, card.suit])


def suit_is_followed(play: CpPlay) -> None:
    """A seat follows the led suit unless it has played all its cards of it before."""
    free = [ROCKETS] if play.deal.rules.trumps_anytime else []
    for seat in play.seats:
        for suit in play.suits:
            held = [card for card in play.hands[seat] if card.suit == suit]
            for trick in play.tricks if held else ():
                follows = [play.played(trick, c) for c in play.hands[seat] if c.suit in (suit, *free)]
                void = play.model.new_bool_var(f"void({seat},{trick},{suit})")
                gone = sum(play.played(before, card) for card in held for before in play.tricks[:trick])
                play.model.add(gone == len(held)).only_enforce_if(void)
                play.model.add_bool_or(play.led[trick, suit].negated(), void, *follows)


def strength(card: Card, led_suit: int, ranks: int) -> int:
    """What a card is worth in a trick of a suit: 0 if it cannot win, rockets above all others."""
    if card.suit == ROCKETS:
        return ranks + card.rank
    return card.rank if card.suit == led_suit else 0


def strongest_card_wins(play: CpPlay) -> None:
    """The winner's strength is the maximum; the leader's card makes it positive, so no two seats share it."""
    deck = play.deal.deck
    top = deck.ranks + deck.rockets
    for trick in play.tricks:
        strengths = [play.model.new_int_var(0, top, f"strength({seat},{trick})") for seat in play.seats]
        for seat, hand in enumerate(play.hands):
            for suit in play.suits:
                worth = sum(play.played(trick, c) * strength(c, suit, deck.ranks) for c in hand)
                play.model.add(strengths[seat] == worth).only_enforce_if(play.led[trick, suit])
        best = play.model.new_int_var(1, top, f"best({trick})")
        play.model.add_max_equality(best, strengths)
        for seat in play.seats:
            play.model.add(strengths[seat] == best).only_enforce_if(play.wins(seat, trick))


def cards_played_so_far(play: CpPlay) -> None:
    """The tricks of the cards already played are known."""
    for trick, played in enumerate((*play.position.tricks, play.position.current)):
        for card in played.cards:
            play.model.add(play.when[card] == trick)


RULES_OF_PLAY: tuple[Callable[[CpPlay], None], ...] = (
    each_seat_plays_one_card,
    each_trick_has_one_winner,
    leader_sets_the_led_suit,
    suit_is_followed,
    strongest_card_wins,
    cards_played_so_far,
)


def seat_wins_card(goal: WinCard, play: CpPlay) -> None:
    """The winner of the card's trick is the task's seat."""
    play.model.add(play.taker(goal.card) == goal.seat)


def seats_share_cards(goal: WinShare, play: CpPlay) -> None:
    """Every card is taken by one seat, and no seat takes more than its count."""
    shares: list[list[Any]] = [[] for _ in play.seats]
    for card in goal.cards:
        taker = play.taker(card)
        for seat in play.seats:
            has = play.model.new_bool_var(f"has_task({seat},{card})")
            play.model.add(taker == seat).only_enforce_if(has)
            shares[seat].append(has)
        play.model.add_exactly_one(share[-1] for share in shares)
    for share, count in zip(shares, goal.counts, strict=True):
        play.model.add(sum(share) <= count)


GOALS: dict[type, Callable[[Any, CpPlay], None]] = {WinCard: seat_wins_card, WinShare: seats_share_cards}
"""Kind of goal -> how it is stated on the facts."""


def build_model(position: Position, limits: Limits) -> CpPlay:
    """The whole model of a position; `OutOfTime` at the deadline."""
    play = CpPlay(position, limits)
    for rule in RULES_OF_PLAY:
        rule(play)
        play.check_clock()
    for goal in position.deal.tasks.goals():
        GOALS[type(goal)](goal, play)
    return play


@dataclass(frozen=True, slots=True)
class CpSat:
    """CP-SAT on the model above."""

    limit: ClassVar[str] = "interrupt"
    """How a time limit is kept: CP-SAT is told to stop."""

    name: str

    def solve(self, position: Position, limits: Limits) -> Answer:
        """Decide whether the position can still be won."""
        try:
            play = build_model(position, limits)
        except OutOfTime:
            return Answer(Verdict.UNKNOWN, "limit", reason="the time was up while the model was being built")
        solver = _solver(limits)
        status = run_stoppable(
            lambda: solver.solve(play.model), solver.stop_search, seconds=limits.seconds_left
        )
        statistics = {"conflicts": solver.num_conflicts, "branches": solver.num_branches}
        if status in (cp_model.OPTIMAL, cp_model.FEASIBLE):
            return Answer(Verdict.WINNABLE, "cpsat", _line(play, solver), statistics=statistics)
        if status == cp_model.INFEASIBLE:
            return Answer(
                Verdict.UNWINNABLE, "cpsat", reason="the model is infeasible", statistics=statistics
            )
        return Answer(Verdict.UNKNOWN, "limit", reason="CP-SAT reached a limit", statistics=statistics)


def _solver(limits: Limits) -> Any:
    solver = cp_model.CpSolver()
    solver.parameters.num_workers = WORKERS
    solver.parameters.random_seed = SEED
    solver.parameters.catch_sigint_signal = False  # Ctrl-C is the caller's
    if limits.seconds_left is not None:
        solver.parameters.max_time_in_seconds = limits.seconds_left
    if limits.conflicts is not None:
        solver.parameters.max_number_of_conflicts = limits.conflicts
    return solver


def _line(play: CpPlay, solver: Any) -> tuple[Card, ...]:
    """The cards from the position on, in playing order."""
    cards, leader = [], play.deal.leader
    for trick in play.tricks:
        for offset in play.seats:
            hand = play.hands[(leader + offset) % len(play.seats)]
            cards.append(next(card for card in hand if solver.value(play.when[card]) == trick))
        leader = solver.value(play.winner[trick])
    return tuple(cards[len(play.position.played) :])


def cpsat_method(name: str, *, sat: str | None = None) -> Method:
    """The method `cpsat`; it brings its own solver."""
    if sat is not None:
        raise CrewError(f"method {name!r} brings its own solver: leave out the SAT solver {sat!r}")
    return CpSat(name)
