"""De Jong 2021, section 4.5: the winnable free deals, and the sentence about their share."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

from crewsolve.cards import ROCKETS, CardSet, Deck
from crewsolve.claims.claim import DE_JONG, Claim, Effort, constant, expect
from crewsolve.claims.clauses import play_out
from crewsolve.claims.evidence import are_lost, is_lost
from crewsolve.deal import Deal, random_deals
from crewsolve.encodings import Limits, get_method
from crewsolve.position import Position
from crewsolve.proofs.symmetry import enumerate_deals
from crewsolve.result import Verdict
from crewsolve.solving import decide
from crewsolve.tasks import FreeTasks, round_robin

REAL = Deck.parse("4x9+4")
TASKS = range(2, 24)
PUBLISHED = 220_000


@dataclass(frozen=True, slots=True)
class Sample:
    """Winnable deals among those decided, and the p-value of Fisher's test against the published count."""

    winnable: int
    deals: int
    p: float

    def __str__(self) -> str:
        return f"{self.winnable:,} of {self.deals:,} winnable (p = {self.p:.2g})"


def real_deals(tasks: int, number: int, *, seed: int) -> Iterator[Deal]:
    """Uniform free deals of the real game for four seats."""
    return random_deals(REAL, seats=4, tasks=tasks, free=True, seed=seed, count=number)


def _sampled(effort: Effort) -> Sample:
    from scipy.stats import fisher_exact

    from crewsolve.encodings.batch import random_batch

    number = effort.choose(40, 2000)
    lost = 0
    for tasks in TASKS:
        keys = [(220, index) for index in range(number)]
        batch = random_batch(REAL, seats=4, tasks=tasks, free=True, keys=keys)
        lost += sum(are_lost(batch, hard="auto"))
    deals = number * len(TASKS)
    p = float(fisher_exact([[deals - lost, lost], [PUBLISHED, 0]]).pvalue)
    return Sample(deals - lost, deals, p)


def _not_rejected(printed: int, sample: Sample) -> bool:
    """The published count stands unless the exact test rejects it at one in a thousand."""
    return printed == len(TASKS) * 10_000 and sample.p > 0.001


def _check_sample(effort: Effort) -> str:
    """A second method on some of the same deals."""
    second = get_method("cpsat")
    number = effort.choose(2, 40)
    asked = [deal for tasks in (2, 12) for deal in real_deals(tasks, number, seed=220)]
    for deal in asked:
        result = decide(deal, second, limits=Limits.within(effort.choose(4.0, 120.0)))
        if result.verdict is not Verdict.UNKNOWN:
            expect(
                result.verdict is Verdict.UNWINNABLE,
                is_lost(deal, method="auto"),
                f"cpsat and auto on {deal}",
            )
    return "search and SAT, every win replayed; Fisher's exact test; cpsat on some of the deals"


def tricks_needed(tasks: int, seats: int) -> int:
    """The tricks that free tasks take at least: a trick holds `seats` cards, so n_p take ⌈n_p / seats⌉."""
    return sum(-(-share // seats) for share in round_robin(tasks, seats, 0))


def _never(effort: Effort) -> tuple[int, ...]:
    """The numbers of free tasks for which no deal of the real game can be won, by counting tricks."""
    return tuple(tasks for tasks in range(1, 37) if tricks_needed(tasks, 4) > 10)


def _check_never(effort: Effort) -> str:
    small = Deck.parse("3x2")
    expect(tricks_needed(6, 3) > 2, True, "counting on the small deck")
    deals = list(enumerate_deals(small, seats=3, tasks=6, free=True))
    expect(any(play_out(Position.of(deal)) for deal in deals), False, "winnable deals of the small deck")
    number = effort.choose(5, 200)
    for tasks in _never(effort):
        for deal in real_deals(tasks, number, seed=36):
            expect(is_lost(deal), True, f"counting and search on {deal}")
    curve = ", ".join(
        f"{tasks}: {_share(tasks, effort)}" for tasks in effort.choose((26, 30), (26, 30, 32, 33))
    )
    return (
        f"all plays of all {len(deals)} deals of 3x2 with 6 tasks; search on {number} deals each; "
        f"winnable at {curve}"
    )


def _share(tasks: int, effort: Effort) -> str:
    """Winnable deals of a few, within a budget of nodes."""
    limits = Limits(nodes=effort.choose(200_000, 20_000_000))
    deals = real_deals(tasks, effort.choose(5, 100), seed=36)
    verdicts = [decide(deal, get_method("auto"), limits=limits).verdict for deal in deals]
    return f"{verdicts.count(Verdict.WINNABLE)} of {len(verdicts)}"


def _cause_share(effort: Effort) -> str:
    expect((tricks_needed(35, 4), tricks_needed(36, 4)), (11, 12), "tricks needed")
    return (
        "read off the points up to 25 tasks; at 35 and 36 tasks the shares 9, 9, 9, 8 (9) take "
        "3 + 3 + 3 + 2 = 11 (12) of the 10 tricks, so no deal is winnable"
    )


def commander_deal(deck: Deck, tasks: int, *, top: str) -> Deal:
    """All rockets and the highest cards in the leader's hand, the rest dealt in turn."""
    first = CardSet.parse(top, deck)
    others = deck.size // len(first) - 1
    rest = list(deck.everything - first)
    hands = (first, *(deck.set(rest[seat::others]) for seat in range(others)))
    chosen = deck.set([card for card in deck.cards if not card.is_rocket][:tasks])
    return Deal(deck, hands, 0, FreeTasks(chosen, round_robin(tasks, len(hands), 0)))


def wins_every_trick(deal: Deal) -> bool:
    """Whether no card of the others beats any card of the leader: then the leader never loses the lead."""
    first = deal.hands[deal.leader]
    others = deal.in_play - first
    return not others.of_suit(ROCKETS) and all(
        card.is_rocket or all(card.rank > other.rank for other in others.of_suit(card.suit)) for card in first
    )


def _commander(effort: Effort) -> tuple[bool, ...]:
    """Whether 1, 2, 3, 5, 10 free tasks can be won then: only where all of them are the leader's."""
    found = []
    for tasks in (1, 2, 3, 5, 10):
        deal = commander_deal(REAL, tasks, top="R1 R2 R3 R4 B9 B8 G9 G8 P9 Y9")
        expect(wins_every_trick(deal), True, "the leader wins every trick")
        assert isinstance(deal.tasks, FreeTasks)
        found.append(deal.tasks.counts[deal.leader] == tasks)
    return tuple(found)


def _check_commander(effort: Effort) -> str:
    small = Deck.parse("2x3+2")
    for tasks in range(1, 5):
        deal = commander_deal(small, tasks, top="R1 R2")
        expect(play_out(Position.of(deal)), tasks == 1, f"all plays of {deal}")
    position = Position.of(commander_deal(REAL, 1, top="R1 R2 R3 R4 B9 B8 G9 G8 P9 Y9"))
    while not position.over:
        position = position.play(next(iter(position.legal)))
    expect({trick.winner for trick in position.tricks}, {0}, "winners of a playout")
    return "all plays of such deals of 2x3+2; a playout of the real deal, card by card"


CLAIMS = (
    Claim(
        "dj-free-220000",
        DE_JONG,
        "section 4.5",
        "220,000 of 220,000 free deals with 2 to 23 tasks winnable",
        constant(PUBLISHED),
        _sampled,
        _check_sample,
        agree=_not_rejected,
    ),
    Claim(
        "dj-commander",
        DE_JONG,
        "section 4.5",
        "leader with all rockets and top cards: 1 task can be won, more cannot",
        constant((True, False, False, False, False)),
        _commander,
        _check_commander,
    ),
    Claim(
        "dj-free-share",
        DE_JONG,
        "section 4.5",
        'share of winnable free deals close to 1 "irrelevant of the number of objectives": never 0',
        constant(()),
        _never,
        _check_never,
        _cause_share,
    ),
)
