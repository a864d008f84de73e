"""Many deals at once: whole arrays go through the kernel, only what it leaves open is asked one by one.

The kernel runs the first step of `auto` for all deals in one call, and its compiled replay, the simulator's
twin, checks every win. Sweeps (`decide_many`) want no more than verdicts, streams (`solve_many`) whole
results; both take them from what `screen` finds, and `ask` about the rest.
"""

from __future__ import annotations

import time
from collections.abc import Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING

from crewsolve.deal import Deal
from crewsolve.encodings.auto import Auto, first_budget
from crewsolve.encodings.method import Limits
from crewsolve.playout import Playout
from crewsolve.position import Position
from crewsolve.result import Result, Verdict
from crewsolve.solving.deciding import checked, decide

if TYPE_CHECKING:
    from crewsolve.encodings.batch import Batch
    from crewsolve.encodings.boards import Ints


@dataclass(frozen=True, slots=True)
class Decided:
    """A verdict and the stage that gave it; `limit` where none did."""

    verdict: Verdict
    stage: str


@dataclass(frozen=True, slots=True, eq=False)
class Screened:
    """What the kernel found of one deal: UNKNOWN where the first step of `auto` leaves it open.

    Of a win, `line` are the numbers of the cards played and `won` masks of what each seat wins.
    """

    verdict: Verdict
    stage: str
    nodes: int
    line: Ints
    won: Ints
    seconds: float


def decide_many(
    deals: Sequence[Deal] | Batch, *, nodes: int | None = None, conflicts: int | None = None
) -> list[Decided]:
    """Decide deals as `auto` does, without a deal or a line as objects where the kernel decides.

    `nodes` and `conflicts` are budgets for one deal. Wins have been replayed. `solve_many` gives lines and
    reasons, too, and takes streams of any length.

    >>> from crewsolve.cards import Deck
    >>> from crewsolve.deal import random_deals
    >>> deals = list(random_deals(Deck.parse("2x3+2"), seats=3, tasks=1, seed=1, count=4))
    >>> [str(decided.verdict) for decided in decide_many(deals)]
    ['winnable', 'winnable', 'unwinnable', 'winnable']
    """
    limits, method = Limits(nodes=nodes, conflicts=conflicts), Auto("auto")
    answers = []
    for number, found in enumerate(screen(deals, limits)):
        if found is None or found.verdict is Verdict.UNKNOWN:
            deal = deals[number] if isinstance(deals, Sequence) else deals.deal(number)
            result = ask(deal, method, limits, found)
            answers.append(Decided(result.verdict, result.decided_by))
        else:
            answers.append(Decided(found.verdict, found.stage))
    return answers


def screen(deals: Sequence[Deal] | Batch, limits: Limits) -> Sequence[Screened | None]:
    """What the kernel finds of each deal, None where cards have been played: that it cannot take.

    Deals of different shapes are sorted into batches of one shape; the answers keep the order.
    """
    from crewsolve.encodings.batch import Batch

    if isinstance(deals, Batch):
        return _screen_batch(deals, limits)
    answers: list[Screened | None] = [None] * len(deals)
    shapes: dict[object, list[int]] = {}
    for number, deal in enumerate(deals):
        if not deal.played:
            shapes.setdefault((deal.deck, deal.seats, deal.rules, deal.tasks.is_free), []).append(number)
    for numbers in shapes.values():
        batch = Batch.of([deals[number] for number in numbers])
        for number, found in zip(numbers, _screen_batch(batch, limits), strict=True):
            answers[number] = found
    return answers


def _screen_batch(batch: Batch, limits: Limits) -> list[Screened]:
    from crewsolve.encodings.batch import decide_batch

    started = time.perf_counter()
    budget = first_budget(batch.hands.shape[1], bool(batch.counted.any()), limits)
    found = decide_batch(batch, nodes=budget)
    share = (time.perf_counter() - started) / max(1, len(batch))
    columns = found.verdicts, found.stages, found.nodes.tolist(), found.lines, found.won
    return [Screened(*row, share) for row in zip(*columns, strict=True)]


def ask(deal: Deal, method: Auto, limits: Limits, found: Screened | None) -> Result:
    """Ask about one deal, from the second step of `auto` on where the kernel has left it open."""
    if found is None:
        return decide(deal, method, limits=limits)
    started = time.perf_counter()
    answer = method.after_search(Position.of(deal), limits, nodes_used=found.nodes)
    return checked(deal, method.name, answer, found.seconds + time.perf_counter() - started)


def result_of(deal: Deal, method: Auto, limits: Limits, found: Screened | None) -> Result:
    """The result of a deal: what the kernel found, put into words and cards, or else what `ask` gives."""
    if found is None or found.verdict is Verdict.UNKNOWN:
        return ask(deal, method, limits, found)
    playout, tasks = None, {}
    if found.verdict is Verdict.WINNABLE:
        cards, length = deal.deck.cards, deal.seats * deal.tricks
        playout = Playout(tuple(cards[number] for number in found.line[:length].tolist()), deal.seats)
        won = found.won.tolist()
        tasks = {
            card: seat
            for card in deal.tasks.cards
            for seat, mask in enumerate(won)
            if mask >> deal.deck.index(card) & 1
        }
    return Result(
        deal, found.verdict, method.name, *_stage_and_reason(deal, found), playout, tasks,
        seconds=found.seconds, statistics={"nodes": found.nodes} if found.nodes else {},
    )  # fmt: skip


def _stage_and_reason(deal: Deal, found: Screened) -> tuple[str, str]:
    """As `auto` tells them: where no first card is worth playing, that is no static test, but search."""
    from crewsolve.encodings.auto import ALL_DONE
    from crewsolve.encodings.search import EXHAUSTED
    from crewsolve.encodings.static import static_loss

    if found.verdict is Verdict.WINNABLE:
        return found.stage, "" if found.nodes else ALL_DONE
    reason = None if found.nodes else static_loss(Position.of(deal))
    return ("search", EXHAUSTED) if reason is None else ("static", reason)
