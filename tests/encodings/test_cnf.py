"""The published formula: the size of every clause group, and models that are plays, one for one."""

from __future__ import annotations

from itertools import combinations, permutations
from math import comb

import pytest

from crewsolve.cards import ROCKETS, Card, Deck
from crewsolve.deal import Deal, random_deals
from crewsolve.encodings.at_most import AT_MOST
from crewsolve.encodings.cnf import loses, published_formula, published_play
from crewsolve.encodings.formula import Formula
from crewsolve.position import Position
from crewsolve.rules import trick_winner
from crewsolve.simulator import perft
from tests import naive
from tests.encodings.models import count_all_models, projections
from tests.encodings.small_deals import small_deals

FEW = 400


def _formula(deal: Deal, encoding: str = "binomial") -> Formula:
    return published_formula(Position.of(deal), Formula(encoding=encoding)).formula


def _sizes_by_hand(deal: Deal) -> dict[str, int]:
    """The numbers of clauses, from the hands alone."""
    tricks, seats = deal.tricks, deal.seats
    hands = [list(hand) for hand in deal.hands]
    cards = sum(map(len, hands))
    suits = {card.suit for hand in hands for card in hand}
    beaten = sum(
        _beats(d, c, suit)
        for one, other in permutations(hands, 2)
        for c in one
        for d in other
        for suit in suits
    )
    off_suit = sum(
        a.suit != b.suit and not (deal.rules.trumps_anytime and a.is_rocket)
        for hand in hands
        for a, b in permutations(hand, 2)
    )
    return {
        "each_seat_plays_a_card": seats * tricks,
        "each_seat_plays_at_most_one_card": tricks * sum(comb(len(hand), 2) for hand in hands),
        "each_card_is_played_at_most_once": cards * comb(tricks, 2),
        "winner_has_the_highest_card": tricks * beaten,
        "each_trick_has_a_winner": tricks,
        "winner_leads_the_next_suit": (tricks - 1) * cards,
        "leader_leads_the_first_suit": len(hands[deal.leader]),
        "one_suit_is_led": tricks * comb(len(suits), 2),
        "suit_is_followed": tricks * off_suit,
        "cards_played_so_far": len(deal.played),
    }


def _beats(card: Card, other: Card, led: int) -> bool:
    """By the judge: in a trick led by a lowest card of the suit, card wins over other where either can."""
    strength = {c: (c.is_rocket, c.suit == led, c.rank) for c in (card, other)}
    if all(c.suit not in (led, ROCKETS) for c in (card, other)):
        return False
    return strength[card] > strength[other]


@pytest.mark.parametrize("seats, tasks, free", [(4, 6, False), (3, 5, False), (5, 10, True), (4, 12, True)])
def test_every_group_has_the_size_of_its_formula(seats: int, tasks: int, free: bool) -> None:
    (deal,) = random_deals(Deck.parse("4x9+4"), seats=seats, tasks=tasks, free=free, seed=2, count=1)
    expected = _sizes_by_hand(deal)
    if free:
        expected["no_seat_has_too_many_tasks"] = sum(comb(tasks, n + 1) for n in deal.tasks.counts)  # type: ignore[union-attr]
        expected["every_task_has_a_seat"] = expected["every_task_is_played"] = tasks
        expected["tasks_are_won_by_their_seats"] = tasks * seats * deal.tricks
    else:
        expected["task_card_is_won_by_its_owner"] = tasks * deal.tricks
        expected["task_card_is_played"] = tasks
    formula = _formula(deal)
    assert formula.groups == expected
    assert len(formula.clauses) == sum(expected.values())


def test_small_deals_have_the_sizes_too() -> None:
    for deal in small_deals(0, 60):
        if deal.tricks:
            found = _formula(deal).groups
            expected = _sizes_by_hand(deal)
            assert {group: found[group] for group in expected} == expected, str(deal)


def test_losing_is_what_the_judge_says() -> None:
    cards = list(Deck.parse("3x3+2").everything)
    for led in cards:
        for card, other in combinations([c for c in cards if c != led], 2):
            winner = trick_winner([led, card, other], leader=0)
            rivals = {1: card, 2: other, 0: led}
            best = rivals.pop(winner)
            assert all(loses(rival, best, led.suit) for rival in rivals.values())
            assert not any(loses(best, rival, led.suit) for rival in rivals.values())


@pytest.mark.parametrize("encoding", AT_MOST)
def test_satisfying_plays_are_as_many_as_winning_playouts(encoding: str) -> None:
    compared = 0
    for deal in small_deals(5000, 60):
        wins = naive.winning_playouts(deal)
        if wins > FEW:
            continue
        facts = published_formula(Position.of(deal), Formula(encoding=encoding))
        plays = [facts.played(t, c) for t in facts.tricks for c in deal.in_play]
        assert len(projections(facts.formula, plays)) == wins, str(deal)
        compared += 1
    assert compared > 40


def test_models_of_the_binomial_formula_are_plays_one_for_one() -> None:
    for deal in small_deals(6000, 60):
        wins = naive.winning_playouts(deal)
        if 0 < wins <= FEW and deal.tricks:
            assert count_all_models(_formula(deal).clauses) == wins, str(deal)


def test_rules_of_play_alone_have_every_legal_playout_as_a_model() -> None:
    for deal in small_deals(7000, 40):
        ways = perft(deal, deal.seats * deal.tricks)
        if ways <= FEW and deal.tricks:
            facts = published_play(Position.of(deal), Formula())
            assert count_all_models(facts.formula.clauses) == ways, str(deal)


def test_facts_say_what_happens_in_the_play_of_a_model() -> None:
    from pysat.solvers import Solver

    checked = 0
    for deal in small_deals(8000, 120):
        facts = published_formula(Position.of(deal), Formula())
        asked = {
            (seat, card, trick): (
                facts.leads(seat, trick),
                facts.plays(seat, trick, card),
                facts.card_wins(card, trick),
                facts.done(seat, card, trick),
            )
            for seat in facts.seats
            for card in deal.in_play
            for trick in facts.tricks
        }
        with Solver(name="minisat22", bootstrap_with=facts.formula.clauses) as solver:
            if not asked or not solver.solve():
                continue
            model = set(solver.get_model())
        tricks = Position.start(deal).after(facts.line(model)).tricks
        for (seat, card, trick), literals in asked.items():
            here = tricks[trick]
            order = here.cards.index(card) if card in here.cards else None
            holder = None if order is None else (here.leader + order) % deal.seats
            expected = (
                here.leader == seat,
                holder == seat,
                holder is not None and here.winner == holder,
                any(card in t.cards and t.winner == seat for t in tricks[: trick + 1]),
            )
            assert tuple(literal in model for literal in literals) == expected, str(deal)
        checked += 1
    assert checked > 30
