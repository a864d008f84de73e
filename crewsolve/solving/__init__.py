"""Questions about deals: can it be won, by which card, why not, where was it lost, in how many ways?"""

from __future__ import annotations

from crewsolve.solving.analysis import Analysis, analyse
from crewsolve.solving.deciding import decide, default_method, solve
from crewsolve.solving.explaining import Core, Explanation, explain
from crewsolve.solving.lines import Lines, count_lines, enumerate_lines
from crewsolve.solving.many import Refusal, refusal, solve_many
from crewsolve.solving.reviewing import Finding, Review, review

__all__ = [
    "Analysis",
    "Core",
    "Explanation",
    "Finding",
    "Lines",
    "Refusal",
    "Review",
    "analyse",
    "count_lines",
    "decide",
    "default_method",
    "enumerate_lines",
    "explain",
    "refusal",
    "review",
    "solve",
    "solve_many",
]
