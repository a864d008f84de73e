"""The nine strategies of Dietrich 2019 in one table; each values positions, the best turn is played."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from fractions import Fraction
from functools import lru_cache
from math import exp, isfinite

from crewsolve.errors import UnknownName
from crewsolve.thegame.errors import BadStrategy
from crewsolve.thegame.model import Parameters
from crewsolve.thegame.values import Capacity, Penalty, Reading, bridge_table, soft_distance

Values = Mapping[str, float]
Valuation = Capacity | Penalty


@dataclass(frozen=True)
class Strategy:
    """A name of the table with its numbers; `build` makes the value function for a game."""

    name: str
    title: str
    defaults: Values
    build: Callable[[Parameters, Values], Valuation]
    numbers: Values = field(default_factory=dict)

    def __post_init__(self) -> None:
        for name, number in self.numbers.items():
            if name not in self.defaults:
                known = ", ".join(self.defaults) or "none"
                raise BadStrategy(f"{self.name} has no parameter {name!r}; it has: {known}")
            reason = _LIMITS[name](number)
            if not isfinite(number) or reason:
                raise BadStrategy(
                    f"{self.name}: {name} = {number:g} is wrong: {reason or 'not a finite number'}"
                )
        if "alpha" in self.defaults and self.name != "playability" and self.values["alpha"] < 1:
            raise BadStrategy(
                f"{self.name}: alpha = {self.values['alpha']:g} is below 1, the cost of an open card"
            )
        if "beta" in self.defaults and not 0 <= self.values["beta"] <= self.values["alpha"] - 1:
            limit = self.values["alpha"] - 1
            raise BadStrategy(f"{self.name}: beta = {self.values['beta']:g} is above alpha - 1 = {limit:g}")

    @property
    def values(self) -> dict[str, float]:
        """All its numbers, given or default."""
        return {**self.defaults, **self.numbers}

    def with_numbers(self, numbers: Values) -> Strategy:
        """The same strategy with other numbers."""
        return Strategy(self.name, self.title, self.defaults, self.build, {**self.numbers, **numbers})

    def value(self, parameters: Parameters) -> Valuation:
        """The value function for a game with these parameters."""
        return self.build(parameters, self.values)

    def __str__(self) -> str:
        given = ",".join(f"{name}={number:g}" for name, number in self.numbers.items())
        return f"{self.name}:{given}" if given else self.name


def _capacity(is_real: bool) -> Callable[[Parameters, Values], Capacity]:
    def build(parameters: Parameters, values: Values) -> Capacity:
        first, scale = (Fraction(str(values.get(name, 1.0))) for name in ("weight", "scale"))
        up = [scale * (first if pile == 0 else 1) for pile in range(parameters.up)]
        down = [first if pile == 0 else Fraction(1) for pile in range(parameters.down)]
        return Capacity(parameters, (*up, *down), is_real)

    return build


def _playability(parameters: Parameters, values: Values) -> Penalty:
    return Penalty(parameters, exp(-values["alpha"]), (1.0,) * (parameters.size + 2))


def _distance(parameters: Parameters, values: Values) -> Penalty:
    closed = soft_distance(values["alpha"], values["beta"], values["gamma"], parameters.size)
    return Penalty(parameters, 1.0, tuple(closed))


def _bridges(parameters: Parameters, values: Values) -> Penalty:
    beta, gamma = values.get("beta", 0.0), values.get("gamma", 1.0)
    closed = soft_distance(values["alpha"], beta, gamma, parameters.size)
    bridge = _bridge_table(parameters, values["alpha"], values.get("power", 1.0))
    reading = Reading(*(bool(values[name]) for name in Reading._fields))
    return Penalty(parameters, 1.0, tuple(closed), bridge, reading)


@lru_cache(maxsize=8)
def _bridge_table(parameters: Parameters, alpha: float, power: float) -> list[list[list[float]]]:
    return bridge_table(parameters, alpha, power)


_LIMITS: dict[str, Callable[[float], str]] = {  # what is wrong with a number, or nothing
    "weight": lambda x: "" if 0 < x <= 1000 else "a weight is above 0 and at most 1000",
    "scale": lambda x: "" if 0 < x <= 1000 else "a weight is above 0 and at most 1000",
    "alpha": lambda x: "" if 0 <= x <= 100 else "it lies between 0 and 100",
    "beta": lambda x: "" if x >= 0 else "it is not negative",
    "gamma": lambda x: "" if x > 0 else "it is positive: the bonus fades with the distance",
    "power": lambda x: "" if 0 < x <= 1 else "it lies above 0 and at most at 1",
    **dict.fromkeys(Reading._fields, lambda x: "" if x in (0, 1) else "it is 0 or 1"),
}

_BRIDGED = {"alpha": 3.5, **{name: float(is_so) for name, is_so in Reading._field_defaults.items()}}
_FADING = {"beta": 1.0, "gamma": 0.03}

STRATEGIES: dict[str, Strategy] = {
    strategy.name: strategy
    for strategy in (
        Strategy("perceived", "Perceived Capacity", {}, _capacity(False)),
        Strategy("real", "Real Capacity", {}, _capacity(True)),
        Strategy(
            "weighted-perceived",
            "Weighted Perceived Capacity",
            {"weight": 0.675, "scale": 1.0},
            _capacity(False),
        ),
        Strategy("weighted-real", "Weighted Real Capacity", {"weight": 0.6, "scale": 1.0}, _capacity(True)),
        Strategy("playability", "Penalize Playability", {"alpha": 1.5}, _playability),
        Strategy("distance", "Recovery Using Distance", {"alpha": 3.5, **_FADING}, _distance),
        Strategy("bridges", "Single Bridges", _BRIDGED, _bridges),
        Strategy("amplified", "Single Bridges Amplified", {**_BRIDGED, "power": 0.2}, _bridges),
        Strategy(
            "amplified-distance",
            "Single Bridges with Recovery Distance",
            {**_BRIDGED, **_FADING, "power": 0.2},
            _bridges,
        ),
    )
}
"""The strategies by name, in the order of the document."""


def get_strategy(text: str) -> Strategy:
    """The strategy that a text names, with numbers where it gives any.

    >>> str(get_strategy("distance:alpha=4,gamma=0.05"))
    'distance:alpha=4,gamma=0.05'
    """
    name, _, rest = text.partition(":")
    if name not in STRATEGIES:
        raise UnknownName("strategy", name, STRATEGIES)
    numbers: dict[str, float] = {}
    for part in filter(None, rest.split(",")):
        key, _, number = part.partition("=")
        try:
            numbers[key.strip()] = float(number)
        except ValueError:
            raise BadStrategy(f"{part!r} is no parameter: write {name}:alpha=3.5") from None
    return STRATEGIES[name].with_numbers(numbers)
