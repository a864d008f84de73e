"""De Jong 2021, section 4: the formula for winnability, expanded as it is printed.

For each equation the closed form of its number of clauses is compared with the clauses that the printed
index sets give, on a deal of the real game, and with the groups of our own `cnf` formula.
"""

from __future__ import annotations

from collections.abc import Iterator
from functools import cache
from math import comb
from typing import Any

from crewsolve.cards import Card, Deck
from crewsolve.claims.claim import DE_JONG, Claim, Effort, constant, expect
from crewsolve.claims.expansion import Expansion, is_satisfiable, literal_less
from crewsolve.deal import Deal, random_deal
from crewsolve.position import Position
from crewsolve.rules import trick_winner
from crewsolve.tasks import FreeTasks, Status, round_robin

REAL = Deck.parse("4x9+4")

GROUPS = {  # equation -> clause groups of the method cnf
    "4": ("each_seat_plays_a_card", "each_seat_plays_at_most_one_card", "each_card_is_played_at_most_once"),
    "5": ("winner_has_the_highest_card", "each_trick_has_a_winner"),
    "7": ("winner_leads_the_next_suit", "leader_leads_the_first_suit", "one_suit_is_led"),
    "8": ("suit_is_followed",),
    "9": ("task_card_is_won_by_its_owner", "task_card_is_played"),
    "13": ("no_seat_has_too_many_tasks", "every_task_has_a_seat"),
    "15": ("tasks_are_won_by_their_seats", "every_task_is_played"),
}


@cache
def sample_deal(free: bool) -> Deal:
    """The deal on which clauses are counted: the real game, four seats, ten tasks."""
    return random_deal(REAL, seats=4, tasks=10, free=free, key=(4, 11))


def is_free(equation: str) -> bool:
    """Whether an equation belongs to free tasks."""
    return equation in ("12", "13", "14", "15")


def size_of(deal: Deal, *equations: str) -> int:
    """The number of clauses that the printed index sets give, pairs counted once."""
    expansion = Expansion(deal)
    return sum(1 for equation in equations for _ in expansion.equation(equation))


def closed_form(equation: str, deal: Deal) -> int:
    """The number of clauses of an equation from the sizes of hands, suits and tasks alone."""
    seats, tricks, tasks = deal.seats, deal.tricks, len(deal.tasks)
    suits = [suit for suit in deal.deck.suits if deal.in_play.of_suit(suit)]
    sizes = [len(hand) for hand in deal.hands]
    cards = sum(sizes)
    if equation == "4":
        return seats * tricks + tricks * sum(comb(h, 2) for h in sizes) + cards * comb(tricks, 2)
    if equation == "5":
        return tricks * beaten_pairs(deal) + tricks
    if equation == "7":
        return (tricks - 1) * cards + sizes[deal.leader] + tricks * comb(len(suits), 2)
    if equation == "8":
        alike = sum(len(hand.of_suit(suit)) ** 2 for hand in deal.hands for suit in suits)
        return tricks * (sum(h * h for h in sizes) - alike)
    if equation == "9":
        return tasks * tricks + tasks
    if equation == "13":
        shares = round_robin(tasks, seats, deal.leader)
        return sum(comb(tasks, n + 1) for n in shares) + tasks
    assert equation == "15"
    return seats * tricks * tasks + tasks


def beaten_pairs(deal: Deal) -> int:
    """Pairs of cards in different hands, one below the other, over all led suits (equation 6).

    Two cards of one colour decide only that suit; of two colours each loses when the other is led; a
    rocket beats any card below it in every suit.
    """
    suits = [suit for suit in deal.deck.suits if deal.in_play.of_suit(suit)]
    total = 0
    for seat in range(deal.seats):
        for other in range(seat):
            held = [[len(deal.hands[s].of_suit(suit)) for suit in suits] for s in (seat, other)]
            for i, suit in enumerate(suits):
                for j, suit_too in enumerate(suits):
                    rocket = 0 in (suit, suit_too)
                    weight = len(suits) if rocket else 1 if suit == suit_too else 2
                    total += weight * held[0][i] * held[1][j]
    return total


def built(equation: str, deal: Deal) -> int:
    """The number of clauses of an equation in the formula of the method `cnf:binomial`."""
    from crewsolve.encodings.cnf import published_formula
    from crewsolve.encodings.formula import Formula

    formula = Formula(encoding="binomial")
    published_formula(Position.of(deal), formula)
    return sum(formula.groups.get(name, 0) for name in GROUPS[equation])


def _clause_claim(equation: str, printed: str) -> Claim:
    def says(effort: Effort) -> int:
        return size_of(sample_deal(is_free(equation)), equation)

    def compute(effort: Effort) -> int:
        return closed_form(equation, sample_deal(is_free(equation)))

    def check(effort: Effort) -> str:
        deals = [sample_deal(is_free(equation)), *small_deals(effort.choose(10, 60), is_free(equation))]
        for deal in deals:
            expect(size_of(deal, equation), closed_form(equation, deal), f"equation {equation} on {deal}")
            expect(built(equation, deal), closed_form(equation, deal), f"cnf groups on {deal}")
        return f"clauses listed as printed, and built by cnf:binomial, on {len(deals)} deals"

    return Claim(f"dj-eq-{equation}", DE_JONG, f"equation ({equation})", printed, says, compute, check)


def small_deals(count: int, free: bool) -> Iterator[Deal]:
    """Random deals of small decks, even and uneven hands."""
    decks = [("2x3+2", 4), ("2x2+1", 2), ("3x2+1", 3), ("2x4", 2), ("3x2+2", 3)]
    for number in range(count):
        deck, seats = decks[number % len(decks)]
        cards = Deck.parse(deck)
        yield random_deal(cards, seats=seats, tasks=1 + number % 4, free=free, key=(46, number))


def play_out(position: Position) -> bool:
    """Whether a position can be won: every legal card is tried."""
    if position.outcome is not Status.OPEN:
        return position.outcome is Status.DONE
    return any(play_out(position.play(card)) for card in position.legal)


def _order(effort: Effort) -> int:
    """How often the printed relation (6) and the judge differ, over all led suits and pairs of cards."""
    wrong = 0
    for suit in REAL.suits:
        led = REAL.suit(suit).highest()
        for card in REAL.cards:
            for other in REAL.cards:
                if card != other:
                    wrong += literal_less(card, other, suit) != _loses(card, other, suit, led)
    return wrong


def _loses(card: Card, other: Card, suit: int, led: Card) -> bool:
    """The judge's word: the higher of two cards wins the trick of a suit that one of them or `led` opens."""
    if card.suit == suit:
        return trick_winner([card, other], 0) == 1
    if other.suit == suit:
        return trick_winner([other, card], 0) == 0
    return trick_winner([led, card, other], 0) == 2


def _check_order(effort: Effort) -> str:
    deals = [sample_deal(False), *small_deals(10, False)]
    for deal in deals:
        listed = sum(
            literal_less(card, other, suit)
            for suit in deal.deck.suits
            for hand in deal.hands
            for rival in deal.hands
            if hand != rival
            for card in hand
            for other in rival
        )
        expect(listed, beaten_pairs(deal), f"pairs beaten in {deal}")
    return f"the simulator's trick_winner on all 7,800 cases; closed count of pairs on {len(deals)} deals"


def _whole(effort: Effort) -> int:
    deal = sample_deal(False)
    return sum(closed_form(equation, deal) for equation in ("4", "5", "7", "8", "9"))


def _printed_whole(effort: Effort) -> int:
    return size_of(sample_deal(False), "4", "5", "7", "8", "9")


def _check_verdicts(free: bool) -> Any:
    def check(effort: Effort) -> str:
        number = effort.choose(40, 400)
        for deal in small_deals(number, free):
            expect(is_satisfiable(deal), play_out(Position.of(deal)), f"the printed formula on {deal}")
        return f"printed clauses given to a SAT solver against all plays, {number} small deals"

    return check


def _free_variables(effort: Effort) -> int:
    deal = sample_deal(True)
    return deal.seats * len(deal.tasks)


def _check_variables(effort: Effort) -> str:
    deal = sample_deal(True)
    assert isinstance(deal.tasks, FreeTasks)
    names = {name for clause in Expansion(deal).equation("13") for _, name in clause}
    expect(len(names), _free_variables(effort), "variables of equation 12")
    expect(len({name[2:] for name in names}), len(deal.tasks), "free tasks of equation 14")
    return "the variables that occur in the clauses of (13)"


FREE_FORMULA = ("4", "5", "7", "8", "13", "15")

CLAIMS = (
    _clause_claim("4", "⋀_{p,t}⋁_i x ∧ ⋀_{i≠j} ¬x∨¬x ∧ ⋀_{t≠t'} ¬x∨¬x"),
    _clause_claim("5", "⋀_{p≠q,t,s}⋀_{(p,i)≺_s(q,j)} ¬w∨¬r∨¬x∨¬x ∧ ⋀_t⋁_p w"),
    Claim(
        "dj-eq-6",
        DE_JONG,
        "equation (6)",
        "(p,i) ≺_s (q,j): 0 cases against the rules",
        constant(0),
        _order,
        _check_order,
    ),
    _clause_claim("7", "⋀_{t≠1,p,i} ¬w∨¬x∨r ∧ ⋀_i ¬x∨r ∧ ⋀_{s≠s'} ¬r∨¬r"),
    _clause_claim("8", "⋀_{p,t,i,s≠S(i)}⋀_{S(j)=s} ¬x∨¬r∨⋁_{t'<t} x"),
    _clause_claim("9", "⋀_{p,t,(q,i)∈O_p} ¬x∨w ∧ ⋀_{(q,i)∈O_p}⋁_t x"),
    Claim(
        "dj-eq-10",
        DE_JONG,
        "equation (10)",
        "O_p: the tasks of player p",
        lambda effort: sum(len(own) for own in Expansion(sample_deal(False)).owned()),
        lambda effort: len(sample_deal(False).tasks),
        _check_verdicts(False),
    ),
    Claim(
        "dj-eq-11",
        DE_JONG,
        "equation (11)",
        "(4) ∧ (5) ∧ (7) ∧ (8) ∧ (9) is true iff winnable",
        _printed_whole,
        _whole,
        _check_verdicts(False),
    ),
    Claim(
        "dj-eq-12",
        DE_JONG,
        "equation (12)",
        "o: one variable for each player and task",
        lambda effort: len(Expansion(sample_deal(True)).choices()),
        _free_variables,
        _check_variables,
    ),
    _clause_claim("13", "⋀_p⋀_{#C=n_p+1}⋁_{c∈C} ¬o ∧ ⋀_{c∈O}⋁_p o"),
    Claim(
        "dj-eq-14",
        DE_JONG,
        "equation (14)",
        "O: the cards that can be chosen",
        lambda effort: len(Expansion(sample_deal(True)).free_tasks()),
        lambda effort: len(sample_deal(True).tasks),
        _check_variables,
    ),
    _clause_claim("15", "⋀_{p,t,(q,i)∈O} ¬o∨¬x∨w ∧ ⋀_{(q,i)∈O}⋁_t x"),
    Claim(
        "dj-free-formula",
        DE_JONG,
        "section 4.4",
        "(11) with (13) and (15) for (9) is true iff winnable",
        lambda effort: size_of(sample_deal(True), *FREE_FORMULA),
        lambda effort: sum(closed_form(equation, sample_deal(True)) for equation in FREE_FORMULA),
        _check_verdicts(True),
    ),
)
"""One entry for each equation of section 4 that is a formula."""
