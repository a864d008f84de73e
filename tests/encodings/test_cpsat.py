"""The CP-SAT model: its solutions are plays, and its facts say what happens in them."""

from __future__ import annotations

from ortools.sat.python import cp_model

from crewsolve.encodings.cpsat import SEED, WORKERS, build_model
from crewsolve.encodings.method import NO_LIMITS
from crewsolve.position import Position
from tests import naive
from tests.encodings.small_deals import small_deals

FEW = 150


class _Plays(cp_model.CpSolverSolutionCallback):
    """Collects the tricks of the cards of every solution."""

    def __init__(self, whens: list[object]) -> None:
        super().__init__()
        self.whens = whens
        self.found: set[tuple[int, ...]] = set()

    def on_solution_callback(self) -> None:
        self.found.add(tuple(self.value(when) for when in self.whens))


def test_solutions_are_as_many_as_winning_playouts() -> None:
    compared = 0
    for deal in small_deals(11_000, 40):
        wins = naive.winning_playouts(deal)
        if wins > FEW or not deal.tricks:
            continue
        play = build_model(Position.of(deal), NO_LIMITS)
        solver = cp_model.CpSolver()
        solver.parameters.enumerate_all_solutions = True
        solver.parameters.num_workers = WORKERS
        solver.parameters.random_seed = SEED
        plays = _Plays(list(play.when.values()))
        solver.solve(play.model, plays)
        assert len(plays.found) == wins, str(deal)
        compared += 1
    assert compared > 20


def test_facts_say_what_happens_in_the_play() -> None:
    checked = 0
    for deal in small_deals(12_000, 40):
        if not deal.tricks:
            continue
        play = build_model(Position.of(deal), NO_LIMITS)
        asked = [
            (seat, card, trick, play.leads(seat, trick), play.plays(seat, trick, card),
             play.card_wins(card, trick), play.done(seat, card, trick))
            for seat in play.seats for card in deal.in_play for trick in play.tricks
        ]  # fmt: skip
        solver = cp_model.CpSolver()
        solver.parameters.num_workers = WORKERS
        if solver.solve(play.model) not in (cp_model.OPTIMAL, cp_model.FEASIBLE):
            continue
        for seat, card, trick, leads, plays, card_wins, done in asked:
            here = solver.value(play.when[card]) == trick
            winner = [solver.value(play.winner[t]) for t in play.tricks]
            leader = deal.leader if trick == 0 else winner[trick - 1]
            held = card in deal.hands[seat]
            when = solver.value(play.when[card])
            assert solver.value(leads) == (leader == seat)
            assert solver.value(plays) == (here and held)
            assert solver.value(card_wins) == (here and card in deal.hands[winner[trick]])
            assert solver.value(done) == (when <= trick and winner[when] == seat)
        checked += 1
    assert checked > 10
