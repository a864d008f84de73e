"""De Jong 2021, section 5.2.1: probabilities and counts of determinizations, Lemma 1, Table 1."""

from __future__ import annotations

from collections.abc import Callable
from fractions import Fraction
from functools import cache

from crewsolve.claims.claim import DE_JONG, Cases, Claim, Effort, as_many_wrong, constant, expect
from crewsolve.proofs import biased
from crewsolve.proofs.determinizations import (
    Hidden,
    cards_of,
    count_determinizations,
    enumerate_determinizations,
    probability,
)
from crewsolve.proofs.few_hands import count_three, summation_variables, summation_variables_by_graph
from crewsolve.proofs.sampling import Sampler
from crewsolve.randomness import Stream

TABLE_1 = (0, 0, 3, 14, 45, 124, 315, 762, 1785, 4088)


@cache
def cases(hands: int, number: int, *, cards: int = 7) -> tuple[Hidden, ...]:
    """Random things a seat may know, each with at least one distribution: deal, then allow more."""
    stream = Stream(52, hands, cards)
    found = []
    for _ in range(number):
        holders = [stream.below(hands) for _ in range(1 + stream.below(cards))]
        may = [0] * hands
        for card, holder in enumerate(holders):
            for hand in range(hands):
                if hand == holder or stream.below(2):
                    may[hand] |= 1 << card
        found.append(Hidden(tuple(holders.count(hand) for hand in range(hands)), tuple(may)))
    return tuple(found)


def _number(effort: Effort) -> int:
    return int(effort.choose(200, 3000))


def printed_two_hands(hidden: Hidden, card: int, hand: int) -> Fraction:
    """Equation (19) as printed."""
    own, other = hidden.may[hand], hidden.may[1 - hand]
    if not own >> card & 1:
        return Fraction(0)
    if not other >> card & 1:
        return Fraction(1)
    return Fraction(hidden.sizes[hand] - (own & ~other).bit_count(), (own & other).bit_count())


def printed_three_hands(hidden: Hidden, card: int, hand: int) -> Fraction:
    """Equation (21) with T_v as printed in (20); the player asked about is p, the others keep their order."""
    order = (hand, *(h for h in range(3) if h != hand))
    known = Hidden(tuple(hidden.sizes[h] for h in order), tuple(hidden.may[h] for h in order))
    total = count_three(known, as_printed=True)
    if not total or not known.may[0] >> card & 1:
        return Fraction(0)
    return Fraction(count_three(known.given(card, 0), as_printed=True), total)


def _wrong_shares(hands: int, printed: Callable[[Hidden, int, int], Fraction], effort: Effort) -> Cases:
    """In how many cases a printed probability differs from the exact one."""
    wrong = sum(
        any(
            printed(hidden, card, hand) != probability(hidden, card, hand)
            for card in cards_of(hidden.cards)
            for hand in range(hands)
        )
        for hidden in cases(hands, _number(effort))
    )
    return Cases(wrong, _number(effort))


def _check_shares(hands: int) -> Callable[[Effort], str]:
    def check(effort: Effort) -> str:
        for hidden in cases(hands, _number(effort)):
            listed = list(enumerate_determinizations(hidden))
            for hand in range(hands):
                for card in cards_of(hidden.cards):
                    share = Fraction(sum(d[hand] >> card & 1 for d in listed), len(listed))
                    expect(probability(hidden, card, hand), share, f"share of card {card} in {hidden}")
        return f"all distributions listed in {_number(effort):,} random cases"

    return check


def _wrong_counts(effort: Effort) -> Cases:
    wrong = sum(
        count_three(hidden, as_printed=True) != count_determinizations(hidden)
        for hidden in cases(3, _number(effort))
    )
    return Cases(wrong, _number(effort))


def _check_counts(effort: Effort) -> str:
    for hidden in cases(3, _number(effort)):
        listed = sum(1 for _ in enumerate_determinizations(hidden))
        expect(count_determinizations(hidden), listed, f"table and list of {hidden}")
        expect(count_three(hidden), listed, f"repaired sum and list of {hidden}")
    return f"all distributions listed in {_number(effort):,} random cases, and the repaired sum"


def _cause_20(effort: Effort) -> str:
    for hidden in cases(3, _number(effort)):
        p, q, r = hidden.may
        right = count_three(hidden, as_printed=True) == count_three(hidden)
        if not q & ~(p | r):
            expect(right, True, f"the printed sum where only q's own cards are missing, {hidden}")
    return (
        "the last binomial forgets the cards only q may hold: its lower number lacks "
        "- #(C_q \\ (C_p ∪ C_r)); with that term all cases are right"
    )


def _cause_21(effort: Effort) -> str:
    repaired = sum(
        Fraction(count_three(hidden.given(card, 0)), count_three(hidden)) != probability(hidden, card, 0)
        for hidden in cases(3, _number(effort))
        for card in cards_of(hidden.may[0])
    )
    expect(repaired, 0, "equation 21 with the repaired sum")
    return "takes T_v from (20), which forgets the cards only q may hold; with the repaired T_v it is right"


def _not_uniform(effort: Effort) -> Cases:
    number = effort.choose(25, 200)
    tried = [hidden for hands in (2, 3) for hidden in cases(hands, number, cards=5)]
    wrong = sum(not biased.is_uniform(biased.card_by_card(hidden), hidden) for hidden in tried)
    return Cases(wrong, len(tried))


def _check_uniform(effort: Effort) -> str:
    """Draw, too: the sampler must pass a chi-square test where the exact distribution is uniform."""
    from scipy.stats import chisquare

    hidden = Hidden((3, 3, 2), (0b11111111, 0b00111111, 0b11110000))
    possible = list(enumerate_determinizations(hidden))
    draws = effort.choose(100, 2000) * len(possible)
    drawn = [tuple(row) for row in Sampler(hidden).sample_many(draws, Stream(52)).tolist()]
    seen = dict.fromkeys(possible, 0)
    for hands in drawn:
        seen[hands] += 1  # an impossible hand would be a KeyError
    p = float(chisquare(list(seen.values())).pvalue)
    expect(p > 0.001, True, f"chi-square of {draws:,} draws, p = {p:.4f},")
    return f"exact distribution against the list of all; chi-square of {draws:,} draws"


def _sums(effort: Effort) -> tuple[int, ...]:
    return tuple(sum(2 ** (n - 1) - 2 ** (i - 1) - 1 for i in range(1, n)) for n in range(1, 11))


def _check_variables(effort: Effort) -> str:
    expect(tuple(summation_variables_by_graph(n) for n in range(1, 11)), _sums(effort), "dimension of splits")
    return "dimension of the space of splits: cycles of the graph of classes and hands, n = 1..10"


def _check_caption(effort: Effort) -> str:
    expect(summation_variables_by_graph(3), 3, "variables for the three hidden hands of four players")
    return "cycles of the graph of classes for the 3 hidden hands of 4 players; the sums of (20) have i, j, k"


CLAIMS = (
    Claim(
        "dj-lemma-1",
        DE_JONG,
        "Lemma 1",
        "Algorithm 1 is uniform: 0 cases where it is not",
        constant(0),
        _not_uniform,
        _check_uniform,
        agree=as_many_wrong,
    ),
    Claim(
        "dj-eq-19",
        DE_JONG,
        "equation (19)",
        "P(c ∈ H_p) for two hidden hands: 0 cases wrong",
        constant(0),
        lambda effort: _wrong_shares(2, printed_two_hands, effort),
        _check_shares(2),
        agree=as_many_wrong,
    ),
    Claim(
        "dj-eq-20",
        DE_JONG,
        "equation (20)",
        "T_v for three hidden hands: 0 cases wrong",
        constant(0),
        _wrong_counts,
        _check_counts,
        _cause_20,
        agree=as_many_wrong,
    ),
    Claim(
        "dj-eq-21",
        DE_JONG,
        "equation (21)",
        "P(c ∈ H_p) = T_v/T_v, T_v as in (20): 0 cases wrong",
        constant(0),
        lambda effort: _wrong_shares(3, printed_three_hands, effort),
        _check_shares(3),
        _cause_21,
        agree=as_many_wrong,
    ),
    Claim(
        "dj-eq-22",
        DE_JONG,
        "equation (22)",
        "Σ (2^(n-1) - 2^(i-1) - 1) = (2^(n-1) - 1)(n - 2)",
        lambda effort: tuple((2 ** (n - 1) - 1) * (n - 2) for n in range(1, 11)),
        _sums,
        _check_variables,
    ),
    Claim(
        "dj-eq-22-step",
        DE_JONG,
        "text before (22)",
        "player n-1 needs 2^(n-2) - 1 variables",
        lambda effort: tuple(2 ** (n - 2) - 1 for n in range(2, 11)),
        lambda effort: tuple(2 ** (n - 1) - 2 ** (n - 2) - 1 for n in range(2, 11)),
        _check_variables,
    ),
    Claim(
        "dj-table-1",
        DE_JONG,
        "Table 1",
        "0, 0, 3, 14, 45, 124, 315, 762, 1785, 4088",
        constant(TABLE_1),
        lambda effort: tuple(map(summation_variables, range(1, 11))),
        _check_variables,
    ),
    Claim(
        "dj-table-1-caption",
        DE_JONG,
        "Table 1, caption",
        '"for n player games": 14 for 4 players',
        constant(14),
        lambda effort: summation_variables(4 - 1),
        _check_caption,
        lambda effort: "n in (22) counts the hidden hands P', one less than the players: 4 players need 3",
    ),
)
