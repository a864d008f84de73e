"""Dietrich 2019: the formulas of chapter 3, the win rates of both tables and a few numbers on the way."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from fractions import Fraction
from itertools import combinations
from math import comb, exp, factorial, isqrt

from crewsolve.claims.claim import Cases, Claim, Compute, Effort, as_many_wrong, constant, expect
from crewsolve.thegame.model import DEFAULT, State
from crewsolve.thegame.values import Capacity, printed_recovery, recovery, soft_distance

DIETRICH = "Dietrich 2019"
ALPHA, BETA, GAMMA, POWER = 3.5, 1.0, 0.03, 0.2
DISTANCES = range(1, 98)
CONFIDENCE = 0.999
SEED = 2019
SLIP = "direct=1,held=0,slip=1"
"""The reading of the bridges that gives the printed rows of depth 0."""


@dataclass(frozen=True, slots=True)
class Rate:
    """Wins of so many simulated games."""

    wins: int
    games: int

    def __str__(self) -> str:
        low, high = self.interval
        return f"{self.wins / self.games:.2%} ({low:.2%} to {high:.2%}, {self.games:,} games)"

    @property
    def interval(self) -> tuple[float, float]:
        """Wilson's interval at a high level, because many rates are compared."""
        from crewsolve.experiments.statistics import wilson

        return wilson(self.wins, self.games, confidence=CONFIDENCE)


def _same_rate(printed: float, computed: Rate) -> bool:
    """The interval meets the numbers that round to what is printed."""
    low, high = computed.interval
    return low <= printed + 0.0005 and printed - 0.0005 <= high


def _play(strategy: str, depth: int, effort: Effort) -> Rate:
    from crewsolve.thegame.playing import Player
    from crewsolve.thegame.strategies import get_strategy

    player = Player(get_strategy(strategy), depth=depth, ties=_TIES[depth])
    is_quick = depth == 0 and isinstance(player.strategy.value(DEFAULT), Capacity)
    games = _GAMES[depth][-1] if is_quick else effort.choose(*_GAMES[depth])
    laid, _, _ = player.play_random(SEED, 0, games)
    return Rate(int((laid == DEFAULT.size).sum()), games)


def _simulated(name: str, depth: int) -> Compute:
    return lambda effort: _play(name, depth, effort)


def _replayed(name: str, depth: int) -> Callable[[Effort], str]:
    def check(effort: Effort) -> str:
        from crewsolve.thegame.playing import Player, random_deck
        from crewsolve.thegame.strategies import STRATEGIES

        player, games = Player(STRATEGIES[name], depth=depth, ties=_TIES[depth]), effort.choose(10, 200)
        laid, _, codes = player.play_random(SEED, 0, games)
        for index in range(games):
            game = player.game(random_deck(DEFAULT, SEED, index), codes[index, : laid[index]])
            expect(game.remaining, DEFAULT.size - int(laid[index]), f"cards remaining in game {index}")
        return f"{games} of the games replayed by the judge"

    return check


def _why_other_rate(name: str, depth: int) -> Callable[[Effort], str]:
    """The cause of another rate, with the rate that the supposed way of the printed program gives."""

    def cause(effort: Effort) -> str:
        if name not in _BRIDGED:
            return "chance, or a rule for ties that is not the printed program's"
        if depth == 0:
            slipped = _play(f"{name}:{SLIP}", depth, effort)
            return (
                "as if the sign of the pairs were wrong for the descending piles: "
                f"with that slip ({SLIP}) the strategy wins {slipped}"
            )
        other = _play(f"{name}:direct=1", depth, effort)
        return f"section 3.5.3 leaves open what counts as a bridge: with the direct trick (direct=1) {other}"

    return cause


def _below_one(effort: Effort) -> Cases:
    """Printed penalties outside their own range [1, infinity)."""
    penalties = [ALPHA - BETA * exp(GAMMA * (distance - 1)) for distance in DISTANCES]
    return Cases(sum(penalty < 1 for penalty in penalties), len(penalties))


def _distance_check(effort: Effort) -> str:
    meant = soft_distance(ALPHA, BETA, GAMMA, DEFAULT.size)[1:98]
    expect(all(1 <= penalty <= ALPHA for penalty in meant), True, "range with the minus sign")
    expect(meant == sorted(meant), True, "penalties rise with the distance")
    return f"with the minus sign all lie between {meant[0]:g} and {meant[-1]:.3f}, rising"


def _distance_cause(effort: Effort) -> str:
    last = ALPHA - BETA * exp(GAMMA * (DISTANCES[-1] - 1))
    return (
        f"the exponent lacks its minus sign: as printed the farthest card would cost {last:.1f}, a reward; "
        "the text says less likely with the distance, and the conclusion a negative exponential"
    )


def _chances() -> list[float]:
    """Every chance strictly between 0 and 1 that bridges can give in the real game."""
    chances = [
        float(recovery(deck, single, double))
        for deck in range(2, 91)
        for single in range(10)
        for double in range(10 - single)
        if single + 2 * double <= deck
    ]
    return [chance for chance in chances if 0 < chance < 1]


def _not_amplified(effort: Effort) -> Cases:
    chances = _chances()
    return Cases(sum((1 - chance) ** POWER > 1 - chance for chance in chances), len(chances))


def _amplified_check(effort: Effort) -> str:
    expect(all(1 - chance**POWER < 1 - chance for chance in _chances()), True, "1 - rho^0.2 softens")
    return "1 - rho^0.2 softens the penalty in every case"


def _amplified_cause(effort: Effort) -> str:
    return (
        "the exponent stands outside the bracket: (1 - rho)^0.2 raises the penalty, and a power near 0 "
        "would give the full one where the text says that it is removed; 1 - rho^0.2 is meant"
    )


_DECKS = range(2, 13)


def _trees() -> list[tuple[int, int, int]]:
    return [
        (deck, single, double)
        for deck in _DECKS
        for double in range(4)
        for single in range(4)
        if single + 2 * double <= deck
    ]


def _wrong_trees(effort: Effort) -> Cases:
    cases = _trees()
    return Cases(sum(printed_recovery(*case) != recovery(*case) for case in cases), len(cases))


def _tree_check(effort: Effort) -> str:
    for deck, single, double in _trees():
        pairs = [{single + 2 * k, single + 2 * k + 1} for k in range(double)]
        hits = sum(min(draw) < single or set(draw) in pairs for draw in combinations(range(deck), 2))
        expect(Fraction(hits, comb(deck, 2)), recovery(deck, single, double), f"draws from {deck} cards")
    return "all draws of two cards listed"


def _tree_cause(effort: Effort) -> str:
    right = sum(printed_recovery(*case) == recovery(*case) for case in _trees() if case[2] == 0)
    expect(right, sum(case[2] == 0 for case in _trees()), "cases without pairs")
    return "a missing pair has two cards: its branch has chance 2d/|D|; without pairs the formula is right"


def _figure_state() -> State:
    """Figure 2.1 as far as section 3.2.1 needs it: 34, 80 and 88 are laid, 34 on the second pile."""
    return State(DEFAULT, frozenset({34, 80, 88}), frozenset({24}), (1, 34, 100, 80))


def _figure(effort: Effort) -> tuple[int, int]:
    return Capacity.perceived(_figure_state(), 1), Capacity.real(_figure_state(), 1)


def _figure_check(effort: Effort) -> str:
    taken = [c for c in DEFAULT.cards if (c > 34 or c == 24) and c not in (34, 80, 88)]
    expect((len(range(35, 100)), len(taken)), _figure(effort), "cards counted one by one")
    return "cards counted one by one"


def _deviation(effort: Effort) -> int:
    """The standard deviation of 29.7 % in 10,000 games, in hundredths of a percent."""
    return isqrt(297 * 703 * 10_000**2 // (1000**2 * 10_000))


def _deviation_check(effort: Effort) -> str:
    exact = (0.297 * 0.703 / 10_000) ** 0.5
    expect(int(exact * 10_000), _deviation(effort), "binomial standard deviation")
    return f"sqrt(p (1 - p) / n) = {exact:.3%}"


def _deviation_cause(effort: Effort) -> str:
    return "the relative deviation shrinks as the rate grows: 4.7 % holds at a rate of 4 %, 1.5 % at 29.7 %"


_GAMES = ((5_000, 100_000), (1_000, 100_000), (300, 10_000))
"""By depth: games of the quick and of the deep run; capacities are quick enough for the deep one always."""

_RATES = {
    "perceived": (0.040, 0.040), "real": (0.034, 0.034), "weighted-perceived": (0.052, 0.053),
    "weighted-real": (0.068, 0.068), "playability": (0.094, 0.162), "distance": (0.127, 0.188),
    "bridges": (0.108, 0.182), "amplified": (0.122, 0.226), "amplified-distance": (0.131, 0.234, 0.297),
}  # fmt: skip
"""Tables 3.2 and 4.2 and the run of section 4.2: rates by depth."""

_TIES = ("unsorted", "own", "own")
"""By depth: the rules for ties that give the printed rows."""

_BRIDGED = ("bridges", "amplified", "amplified-distance")


def _rate_claim(name: str, depth: int, rate: float) -> Claim:
    """One printed win rate against a simulation."""
    return Claim(
        f"thegame-rate-{name}" if depth == 0 else f"thegame-depth-{depth}-{name}",
        DIETRICH,
        ("Table 3.2", "Table 4.2", "section 4.2")[depth],
        f"{rate:.1%} of games won" if depth == 0 else f"{rate:.1%} of games won at depth {depth}",
        constant(rate),
        _simulated(name, depth),
        _replayed(name, depth),
        _why_other_rate(name, depth),
        _same_rate,
    )


CLAIMS = (
    Claim(
        "thegame-distance",
        DIETRICH,
        "equation 3.2",
        "alpha - beta e^(gamma (distance - 1)) is in [1, inf)",
        constant(0),
        _below_one,
        _distance_check,
        _distance_cause,
        as_many_wrong,
    ),
    Claim(
        "thegame-amplified",
        DIETRICH,
        "section 3.5.3",
        "(1 - rho)^lambda with lambda < 1 softens the penalty",
        constant(0),
        _not_amplified,
        _amplified_check,
        _amplified_cause,
        as_many_wrong,
    ),
    Claim(
        "thegame-bridges",
        DIETRICH,
        "Figure 3.12",
        "the chance to draw a bridge, with branch d/|D| for pairs",
        constant(0),
        _wrong_trees,
        _tree_check,
        _tree_cause,
        as_many_wrong,
    ),
    Claim(
        "thegame-capacities",
        DIETRICH,
        "sections 3.1.1, 3.2.1",
        "perceived 65, real 64",
        constant((65, 64)),
        _figure,
        _figure_check,
    ),
    Claim(
        "thegame-orders",
        DIETRICH,
        "section 2.4",
        "98! is about 10^154",
        constant(154),
        lambda effort: len(str(factorial(98))),
        lambda effort: f"98! = {str(factorial(98))[:3]}… with so many digits",
    ),
    Claim(
        "thegame-deviation",
        DIETRICH,
        "section 4.2",
        "standard deviation 1.4 %, or 140 hundredths",
        constant(140),
        _deviation,
        _deviation_check,
        _deviation_cause,
    ),
    *(_rate_claim(name, depth, rate) for name, rates in _RATES.items() for depth, rate in enumerate(rates)),
)
