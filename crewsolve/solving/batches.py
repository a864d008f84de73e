"""Many deals at once: whole arrays go through the kernel, only what it leaves open is asked one by one."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING

from crewsolve.deal import Deal
from crewsolve.encodings.method import Limits
from crewsolve.position import Position
from crewsolve.result import Verdict

if TYPE_CHECKING:
    from crewsolve.encodings.batch import Batch


@dataclass(frozen=True, slots=True)
class Decided:
    """A verdict and the stage that gave it; `limit` where none did."""

    verdict: Verdict
    stage: str


def decide_many(
    deals: Sequence[Deal] | Batch, *, nodes: int | None = None, conflicts: int | None = None
) -> list[Decided]:
    """Decide deals as `auto` does, without an object for each of those that the kernel decides.

    `nodes` and `conflicts` are budgets for one deal. Deals with cards played, and deals of different shapes,
    are sorted into batches of one shape; the answers keep the order. Wins have been replayed.

    >>> from crewsolve.cards import Deck
    >>> from crewsolve.deal import random_deals
    >>> deals = list(random_deals(Deck.parse("2x3+2"), seats=3, tasks=1, seed=1, count=4))
    >>> [str(decided.verdict) for decided in decide_many(deals)]
    ['winnable', 'winnable', 'unwinnable', 'winnable']
    """
    from crewsolve.encodings.batch import Batch

    limits = Limits(nodes=nodes, conflicts=conflicts)
    if isinstance(deals, Batch):
        return _decide_batch(deals, limits)
    answers: list[Decided | None] = [None] * len(deals)
    shapes: dict[object, list[int]] = {}
    for number, deal in enumerate(deals):
        if deal.played:
            answers[number] = _decide_one(deal, limits, nodes_used=0)
        else:
            shapes.setdefault((deal.deck, deal.seats, deal.rules, deal.tasks.is_free), []).append(number)
    for numbers in shapes.values():
        batch = Batch.of([deals[number] for number in numbers])
        for number, decided in zip(numbers, _decide_batch(batch, limits), strict=True):
            answers[number] = decided
    return [decided for decided in answers if decided is not None]


def _decide_batch(batch: Batch, limits: Limits) -> list[Decided]:
    from crewsolve.encodings.auto import first_budget
    from crewsolve.encodings.batch import decide_batch

    budget = first_budget(batch.hands.shape[1], bool(batch.counted.any()), limits)
    decisions = decide_batch(batch, nodes=budget)
    answers = []
    for number, (verdict, stage) in enumerate(zip(decisions.verdicts, decisions.stages, strict=True)):
        if verdict is Verdict.UNKNOWN:
            used = int(decisions.nodes[number])
            answers.append(_decide_one(batch.deal(number), limits, nodes_used=max(1, used)))
        else:
            answers.append(Decided(verdict, stage))
    return answers


def _decide_one(deal: Deal, limits: Limits, *, nodes_used: int) -> Decided:
    """Ask `auto` about one deal, from the step after the batch on where that has spent nodes."""
    from crewsolve.encodings.auto import Auto
    from crewsolve.solving.deciding import checked

    method, position = Auto("auto"), Position.of(deal)
    if nodes_used:
        answer = method.after_search(position, limits, nodes_used=nodes_used)
    else:
        answer = method.solve(position, replace(limits))
    result = checked(deal, method.name, answer, 0.0)
    return Decided(result.verdict, result.decided_by)
