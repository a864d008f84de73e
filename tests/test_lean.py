"""The lean formula: its models are the plays, its goals lose none, its symmetry breaking keeps one."""

from __future__ import annotations

from dataclasses import replace
from itertools import combinations, product
from math import comb

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from pysat.solvers import Solver

from crewsolve.cards import Card, Deck
from crewsolve.deal import Deal, random_deal
from crewsolve.encodings import get_method
from crewsolve.encodings.lean import LeanFormula, lean_formula, lean_play, variables
from crewsolve.encodings.lean.counting import accumulator, counter, within
from crewsolve.encodings.lean.goals import require_goals
from crewsolve.encodings.lean.variables import Blocks
from crewsolve.encodings.method import NO_LIMITS
from crewsolve.encodings.solvers import DEFAULT_SAT
from crewsolve.position import Position
from crewsolve.randomness import Stream
from crewsolve.result import Verdict
from crewsolve.rules import Rules
from crewsolve.simulator import verify
from crewsolve.solving import solve
from crewsolve.tasks import FixedTasks, FreeTasks, Status, Tasks
from tests import naive
from tests.strategies import deals

MAX_MODELS = 3000
BUDGET = 20_000
"""Conflicts: a losing deal for three seats can take millions."""


def small_deal(number: int) -> Deal:
    """A seeded small deal of any shape: 1 to 5 seats, uneven hands, bounds, tasks on rockets, positions."""
    stream = Stream(47, number)
    deck = Deck(1 + stream.below(4), 1 + stream.below(5), stream.below(4))
    seats = 1 + stream.below(5)
    size = min(deck.size, 12 if seats > 2 else 10)
    cards = stream.sample(range(deck.size), size - stream.below(min(3, size)))
    hands = tuple(deck.from_mask(sum(1 << c for c in cards[seat::seats])) for seat in range(seats))
    chosen = stream.sample(sorted(cards), stream.below(min(len(cards), 6) + 1))
    tasks: Tasks = FixedTasks.of({deck.card(c): stream.below(seats) for c in chosen}, deck)
    kind = stream.below(3)
    if kind:
        tasks = tasks.freed(seats)
    if kind == 2:
        assert isinstance(tasks, FreeTasks)
        tasks = FreeTasks(tasks.cards, tuple(n + stream.below(2) for n in tasks.counts), at_most=True)
    deal = Deal(deck, hands, stream.below(seats), tasks, Rules(trumps_anytime=bool(stream.below(2))))
    position = Position.of(deal)
    for _ in range(stream.below(3) * stream.below(seats + 2)):
        if position.over:
            break
        legal = list(position.legal)
        position = position.play(legal[stream.below(len(legal))])
    return deal.after(*position.played)


def models(formula: LeanFormula, limit: int = MAX_MODELS) -> int:
    """The number of models, counted up to one more than `limit`."""
    with Solver("minisat22", bootstrap_with=formula.clauses) as solver:
        if formula.clauses and solver.nof_vars() < formula.variables:
            raise AssertionError("a variable is in no clause")
        return sum(1 for _, _ in zip(solver.enum_models(), range(limit + 1), strict=False))


def ways_to_play(position: Position, limit: int = MAX_MODELS) -> int:
    """The number of ways to play a position to the end, counted up to more than `limit`."""
    if position.over:
        return 1
    total = 0
    for card in position.legal:
        total += ways_to_play(position.play(card), limit)
        if total > limit:
            break
    return total


def assert_decided_rightly(deal: Deal) -> None:
    result = solve(deal, method="cnf:lean")
    expected = Verdict.WINNABLE if naive.winnable(deal) else Verdict.UNWINNABLE
    assert result.verdict is expected, f"{result.verdict}: {deal}"


@settings(max_examples=150, deadline=None)
@given(deals(max_cards=10))
def test_lean_decides_what_exhaustive_play_decides(deal: Deal) -> None:
    assert_decided_rightly(deal)


@pytest.mark.parametrize("block", range(10))
def test_lean_decides_seeded_small_deals_of_all_shapes(block: int) -> None:
    for number in range(200 * block, 200 * (block + 1)):
        assert_decided_rightly(small_deal(number))


@settings(max_examples=60, deadline=None)
@given(deals(max_cards=8))
def test_models_of_the_play_are_the_legal_plays(deal: Deal) -> None:
    position = Position.of(deal)
    ways = ways_to_play(position)
    if not position.over and ways <= MAX_MODELS:
        assert models(lean_play(position)) == ways, str(deal)


@settings(max_examples=100, deadline=None)
@given(deals(max_cards=8))
def test_goals_and_their_consequences_lose_no_winning_play(deal: Deal) -> None:
    position = Position.of(deal)
    if position.outcome is Status.FAILED or position.over or ways_to_play(position) > MAX_MODELS:
        return
    formula = lean_play(position)
    require_goals(formula, deal.tasks.goals())
    assert models(formula) == naive.winning_playouts(deal), str(deal)


def test_alike_cards_are_played_in_one_order_only() -> None:
    deal = Deal.parse("1x6; 0; B1 B2 B3 | B4 B5 B6; fixed")
    assert models(lean_play(Position.of(deal))) == 36
    assert models(lean_formula(Position.of(deal))) == 1


def test_cards_become_alike_when_those_between_them_are_gone() -> None:
    deal = Deal.parse("1x6; 1; B1 B3 B4 | B2 B5 B6; fixed")
    lines = [" ".join(map(str, line)) for line in _lines(deal)]
    for line in lines:
        verify(deal, [Card.parse(word) for word in line.split()])
    # After B2 and B3 nothing is left between B1 and B4, nor between B5 and B6: one order of each remains.
    assert [line for line in lines if line.startswith("B2 B3")] == ["B2 B3 B1 B5 B6 B4"]


def _lines(deal: Deal) -> list[tuple[Card, ...]]:
    reading = get_method("cnf:lean").facts(Position.of(deal), NO_LIMITS)  # type: ignore[attr-defined]
    with Solver("minisat22", bootstrap_with=reading.formula.clauses) as solver:
        return [reading.line(model) for model in solver.enum_models()]


FULL = [
    ("4x9+4", 4, 8, False),
    ("4x9+4", 4, 12, False),
    ("4x9+4", 4, 15, False),
    ("4x9+4", 4, 20, False),
    ("4x9+4", 4, 6, True),
    ("4x9+4", 3, 9, False),
    ("4x9+4", 5, 9, False),
    ("4x9+4", 5, 6, True),
    ("4x9", 4, 10, False),
    ("5x8+3", 4, 9, False),
]


@pytest.mark.parametrize("deck, seats, tasks, free", FULL)
def test_lean_agrees_with_the_published_formula_on_full_deals(
    deck: str, seats: int, tasks: int, free: bool
) -> None:
    decided = 0
    for index in range(8):
        deal = random_deal(Deck.parse(deck), seats=seats, tasks=tasks, free=free, key=(91, index))
        lean, published = (
            solve(deal, method=method, conflicts=BUDGET).verdict for method in ("cnf:lean", "cnf:binomial")
        )
        if Verdict.UNKNOWN not in (lean, published):
            assert lean is published, str(deal)
            decided += 1
    assert decided >= 4


@pytest.mark.parametrize("index", range(12))
def test_lean_agrees_with_the_published_formula_in_mid_trick(index: int) -> None:
    stream = Stream(92, index)
    rules = Rules(trumps_anytime=index % 2 == 1)
    deal = random_deal(Deck.parse("4x9+4"), seats=3 + index % 3, tasks=8, rules=rules, key=(92, index))
    position = Position.of(deal)
    for _ in range(1 + stream.below(9)):
        legal = list(position.legal)
        position = position.play(legal[stream.below(len(legal))])
    asked = deal.after(*position.played)
    for tasks in (asked, asked.freed()):
        assert solve(tasks, method="cnf:lean").verdict is solve(tasks, method="cnf:binomial").verdict


@pytest.mark.parametrize("n", range(1, 6))
def test_counters_have_the_right_number_of_models(n: int) -> None:
    literals = np.arange(1, n + 1, dtype=np.int32).reshape(1, n)
    for low, high in product(range(-1, n + 2), repeat=2):
        thresholds = max(1, min(n, high + 1))
        reached, blocks = counter(literals, thresholds, n + 1)
        blocks += within(reached[:, :, -1], [low], [high])
        found = count_models(blocks)
        assert found == sum(comb(n, i) for i in range(max(low, 0), min(high, n) + 1)), (n, low, high)


@pytest.mark.parametrize("seats, tricks, thresholds", list(product((1, 2, 3), (1, 2, 3), (1, 2, 4))))
def test_accumulators_add_up_what_each_seat_gains(seats: int, tricks: int, thresholds: int) -> None:
    wins = np.arange(1, seats * tricks + 1, dtype=np.int32).reshape(seats, tricks)
    worth = np.arange(wins.size + 1, wins.size + seats * tricks + 1, dtype=np.int32).reshape(seats, tricks)
    has, blocks = accumulator(wins, worth, thresholds, 2 * wins.size + 1)
    clauses = [clause for block in blocks for clause in block.tolist()]
    stream = Stream(97, seats, tricks, thresholds)
    with Solver("minisat22", bootstrap_with=clauses) as solver:
        for _ in range(20):
            winners = [stream.below(seats) for _ in range(tricks)]
            gains = [stream.below(seats + 1) for _ in range(tricks)]
            given = [int(v) if winners[t] == p else -int(v) for (p, t), v in np.ndenumerate(wins)]
            given += [int(v) if gains[t] > k else -int(v) for (k, t), v in np.ndenumerate(worth)]
            assert solver.solve(assumptions=given)
            true = set(solver.get_model())
            for (p, k, t), variable in np.ndenumerate(has):
                gained = sum(gains[u] for u in range(t) if winners[u] == p)
                assert (variable in true) == (gained > k)
                wrong = -variable if variable in true else variable
                assert not solver.solve(assumptions=[*given, int(wrong)])


def count_models(blocks: Blocks) -> int:
    clauses = [clause for block in blocks for clause in block.tolist()]
    with Solver("minisat22", bootstrap_with=clauses) as solver:
        return sum(1 for _ in solver.enum_models())


@pytest.fixture
def leads_counted(monkeypatch: pytest.MonkeyPatch) -> None:
    """Leads are counted also in games of few tricks."""
    monkeypatch.setattr(variables, "MANY_TRICKS", 1)


@pytest.mark.parametrize("leads", [False, True])
def test_clauses_of_a_full_deal_are_counted_by_formula(leads: bool, monkeypatch: pytest.MonkeyPatch) -> None:
    if leads:
        monkeypatch.setattr(variables, "MANY_TRICKS", 1)
    deal = random_deal(Deck.parse("4x9+4"), seats=4, tasks=10, key=(93, 0))
    formula = lean_play(Position.of(deal))
    table = formula.table
    n, t, p, s, h = 40, 10, 4, 5, len(table.holdings)
    of_holding = [int(size) for size in np.bincount(table.holding)]
    of_seat = [sum(1 for seat, _ in table.holdings if seat == q) for q in range(p)]
    leader_suits, most = of_seat[deal.leader], max(of_holding) + 1
    longest = [
        max(k for k, (_, q) in zip(of_holding, table.holdings, strict=True) if q == u) for u in range(s)
    ]

    def counts(up_to: int) -> int:
        return 1 + up_to + (t - 1) * (4 * up_to - 1)

    assert formula.groups == {
        "cards_of_the_running_trick": 0,
        "each_card_is_played_once": 2 * n + n * (t - 1) + 3 * n * (t - 2) + n,
        "each_seat_plays_one_card": t
        * (n + h + sum(comb(k, 2) for k in of_holding) + p + sum(comb(k, 2) for k in of_seat)),
        "exactly_one_led_suit_and_winner": t * (2 + comb(s, 2) + comb(p, 2)),
        "leader_sets_the_led_suit": leader_suits + s + (t - 1) * (2 * h + (p * s - h)),
        "cards_of_a_holding_are_counted": sum(counts(k) + k * (t - 1) + 1 for k in of_holding),
        "suit_is_followed": h * t,
        "leads_of_a_suit_are_counted": s * counts(most) if leads else 0,
        "each_lead_takes_a_card": n * t + t * sum(k < most for k in longest) if leads else 0,
        "cards_are_thrown_away_when_a_suit_is_used_up": t
        * sum(k for k, (q, _) in zip(of_holding, table.holdings, strict=True) if leads and of_seat[q] == s),
        "highest_card_wins": t * (1 + (n - 1) + n + 2 * (n - 1) + 1 + 2 * n + 2 * 36 + 4 + p),
    }
    assert len(formula.clauses) == sum(formula.groups.values())
    published = get_method("cnf:binomial").facts(Position.of(deal), NO_LIMITS).formula  # type: ignore[attr-defined]
    assert 3 * len(lean_formula(Position.of(deal)).clauses) < 2 * len(published.clauses)


@pytest.mark.usefixtures("leads_counted")
def test_leads_lose_no_play_of_small_deals_of_all_shapes() -> None:
    counted = 0
    for number in range(500):
        position = Position.of(small_deal(number))
        ways = ways_to_play(position, 200)
        if not position.over and ways <= 200:
            formula = lean_play(position)
            assert models(formula) == ways, str(position.deal)
            counted += formula.groups["cards_are_thrown_away_when_a_suit_is_used_up"] > 0
    assert counted >= 20


@pytest.mark.usefixtures("leads_counted")
def test_leads_change_no_verdict_of_small_deals_of_all_shapes() -> None:
    for number in range(2000, 2400):
        assert_decided_rightly(small_deal(number))


@pytest.mark.usefixtures("leads_counted")
def test_no_suit_is_led_more_often_than_its_longest_holding_can_answer() -> None:
    deal = Deal.parse("2x3+2; 0; B1 G1 | B2 R1 | B3 R2; fixed")
    for anytime in (False, True):
        formula = lean_play(Position.of(replace(deal, rules=Rules(trumps_anytime=anytime))))
        with Solver("minisat22", bootstrap_with=formula.clauses) as solver:
            twice = [int(formula.table.leads[1, 1, -1])]  # rockets are row 0
            assert solver.propagate(twice)[0] is anytime
            assert solver.solve(twice) is anytime  # B1 R1 R2, then B3 is led


@pytest.mark.usefixtures("leads_counted")
def test_who_throws_cards_away_has_used_up_a_suit() -> None:
    deal = Deal.parse("2x4; 0; B1 B2 G1 G2 | B3 B4 G3 G4; fixed")
    table = (formula := lean_play(Position.of(deal))).table
    with Solver("minisat22", bootstrap_with=formula.clauses) as solver:
        both_blue = int(table.gone[1, 1])
        _, forced = solver.propagate(assumptions=[both_blue])
        assert int(table.leads[0, 1, 1]) in forced


def test_variables_have_the_names_of_their_facts() -> None:
    deal = Deal.parse("2x3+2; 3; B1 B2 | G1 G2 | R1 B3 | R2 G3; fixed B2:3 G1:0; played R2 B1 G1 R1")
    formula = lean_formula(Position.of(deal))
    names = [formula.name_of(v) for v in range(1, formula.table.variables + 1)]
    assert None not in names and len(set(names)) == len(names)
    assert ("plays", 0, 1, Card.parse("B2")) in names and ("wins", 1, 3) in names
    assert formula.name_of(formula.variables + 1) is None


def test_a_failed_task_is_a_contradiction_and_a_finished_play_is_none() -> None:
    deal = Deal.parse("2x3+2; 3; B1 B2 | G1 G2 | R1 B3 | R2 G3; fixed G1:0")
    failed = deal.after(*map(Card.parse, "R2 B1 G1 R1".split()))
    assert solve(failed, method="cnf:lean").verdict is Verdict.UNWINNABLE
    won = Deal.parse("2x3+2; 3; B1 B2 | G1 G2 | R1 B3 | R2 G3; fixed G1:3")
    over = won.after(*map(Card.parse, "R2 B1 G1 R1 G3 B2 G2 B3".split()))
    result = solve(over, method="cnf:lean")
    assert result.verdict is Verdict.WINNABLE and result.playout is not None
    assert result.playout.cards == over.played


@pytest.mark.parametrize("solver", [DEFAULT_SAT, "glucose4", "minisat22"])
def test_lean_gives_the_same_verdict_with_every_solver(solver: str) -> None:
    for free, index in product((False, True), range(3)):
        deal = random_deal(Deck.parse("4x9+4"), seats=4, tasks=11, free=free, key=(94, index))
        expected = solve(deal, method="cnf:lean").verdict
        assert solve(deal, method="cnf:lean", sat=solver).verdict is expected


def test_a_budget_of_conflicts_gives_unknown() -> None:
    deals_of_the_hard_band = [
        random_deal(Deck.parse("4x9+4"), seats=4, tasks=12, key=(95, index)) for index in range(6)
    ]
    verdicts = [solve(deal, method="cnf:lean", conflicts=1).verdict for deal in deals_of_the_hard_band]
    assert Verdict.UNKNOWN in verdicts
    for deal, verdict in zip(deals_of_the_hard_band, verdicts, strict=True):
        assert verdict in (Verdict.UNKNOWN, solve(deal, method="cnf:lean").verdict)


@given(st.integers(0, 10**6))
@settings(max_examples=20, deadline=None)
def test_pairs_with_equal_keys_are_all_found(seed: int) -> None:
    from crewsolve.encodings.lean.play import same_pairs

    stream = Stream(96, seed)
    keys = [stream.below(4) for _ in range(stream.below(9))]
    first, second = same_pairs(np.array(keys, dtype=np.int32))
    expected = [(i, j) for i, j in combinations(range(len(keys)), 2) if keys[i] == keys[j]]
    assert list(zip(first.tolist(), second.tolist(), strict=True)) == expected


def test_waits_are_known_before_any_search() -> None:
    from crewsolve.encodings.lean.goals import owners
    from crewsolve.encodings.lean.variables import Table
    from crewsolve.encodings.lean.waits import NEVER, waits_of

    def wait(text: str, card: str) -> int:
        deal = Deal.parse(text)
        table = Table.of(Position.of(deal))
        waits = waits_of(table, owners(table, deal.tasks.goals()))  # type: ignore[arg-type]
        return int(waits.card[table.row[deal.deck.index(Card.parse(card))]])

    # B1 can win only when seat 1 has played its two higher cards of that suit.
    assert wait("2x4; 0; B1 G3 G4 | B2 B3 G1; fixed B1:0", "B1") == 2
    # It need not wait for a seat that can follow with a lower card.
    assert wait("2x4; 0; B2 G3 G4 | B1 B3 G1; fixed B2:0", "B2") == 0
    # Seat 1 wins nothing with B2 over B3, and has nothing else.
    assert wait("2x4; 0; B3 B4 | B1 B2; fixed B3:1", "B3") == NEVER
    # A foreign task cannot be the lower card that follows: seat 1 must get rid of B1 first, and B3 after it.
    assert wait("2x4; 0; B2 G3 G4 | B1 B3 G1; fixed B2:0 B1:1", "B2") > 0
