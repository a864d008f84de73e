"""Questions about deals: can it be won, by which card, why not, where was it lost, in how many ways?"""

from __future__ import annotations

from crewsolve.solving.analysis import Analysis, analyse
from crewsolve.solving.batches import Decided, decide_many
from crewsolve.solving.deciding import decide, default_method, solve
from crewsolve.solving.explaining import Core, Explanation, explain
from crewsolve.solving.lines import Lines, count_lines, enumerate_lines
from crewsolve.solving.many import Refusal, refusal, solve_many
from crewsolve.solving.plays import perft, perft_split
from crewsolve.solving.reviewing import Finding, Review, review
from crewsolve.solving.threshold import Threshold, threshold

__all__ = [
    "Analysis",
    "Core",
    "Decided",
    "Explanation",
    "Finding",
    "Lines",
    "Refusal",
    "Review",
    "Threshold",
    "analyse",
    "count_lines",
    "decide",
    "decide_many",
    "default_method",
    "enumerate_lines",
    "explain",
    "perft",
    "perft_split",
    "refusal",
    "review",
    "solve",
    "solve_many",
    "threshold",
]
