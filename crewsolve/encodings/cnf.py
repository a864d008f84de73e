"""The published formula: winnability as clauses, group by group (de Jong 2021, section 4, equations 4 to 15).

Variables: `plays(p,t,c)` is x (seat p plays card c to trick t), `led(t,s)` is r (suit s is led to trick t),
`wins(p,t)` is w. The numbers in the docstrings use P seats, T tricks, S suits in play and N cards in play;
they are the numbers for the binomial encoding of "at most". Positions add one unit clause for each card
already played.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass, field
from functools import cached_property

from crewsolve.cards import ROCKETS, SUIT_LETTERS, Card
from crewsolve.deal import Deal
from crewsolve.encodings.at_most import Clause
from crewsolve.encodings.facts import Facts
from crewsolve.encodings.formula import Formula
from crewsolve.encodings.goals import require_goals
from crewsolve.encodings.method import Method
from crewsolve.encodings.sat_method import SatMethod
from crewsolve.position import Position

Clauses = Iterator[Clause]


@dataclass(frozen=True)
class Play:
    """The variables of the published formula for one deal."""

    deal: Deal
    formula: Formula
    hands: list[list[Card]] = field(init=False)

    def __post_init__(self) -> None:
        object.__setattr__(self, "hands", [list(hand) for hand in self.deal.hands])

    @property
    def tricks(self) -> range:
        """T, counted from 0."""
        return range(self.deal.tricks)

    @cached_property
    def suits(self) -> list[int]:
        """S: the suits of which somebody holds a card."""
        return [suit for suit in self.deal.deck.suits if self.deal.in_play.of_suit(suit)]

    @cached_property
    def x(self) -> dict[tuple[int, Card], int]:
        """x_{t,c}: card c is played to trick t by its holder."""
        return {
            (trick, card): self.formula.variable("plays", seat, trick, card)
            for trick in self.tricks
            for seat, hand in enumerate(self.hands)
            for card in hand
        }

    @cached_property
    def r(self) -> dict[tuple[int, int], int]:
        """r_t^s: suit s is led to trick t."""
        return {
            (t, suit): self.formula.variable("led", t, SUIT_LETTERS[suit])
            for t in self.tricks
            for suit in self.suits
        }

    @cached_property
    def w(self) -> dict[tuple[int, int], int]:
        """w_t^p: seat p wins trick t."""
        return {
            (t, p): self.formula.variable("wins", p, t) for t in self.tricks for p in range(self.deal.seats)
        }


def each_seat_plays_a_card(play: Play) -> Clauses:
    """⋁_c x_{t,c} over the hand of p (equation 4, first part): P·T clauses."""
    for trick in play.tricks:
        for hand in play.hands:
            yield [play.x[trick, card] for card in hand]


def each_seat_plays_at_most_one_card(play: Play) -> Clauses:
    """At most one x_{t,c} for c in the hand of p (equation 4, second part): T · Σ_p C(|H_p|, 2) clauses."""
    for trick in play.tricks:
        for hand in play.hands:
            yield from play.formula.at_most([play.x[trick, card] for card in hand], 1)


def each_card_is_played_at_most_once(play: Play) -> Clauses:
    """At most one x_{t,c} over the tricks t (equation 4, third part): N · C(T, 2) clauses."""
    for hand in play.hands:
        for card in hand:
            yield from play.formula.at_most([play.x[trick, card] for trick in play.tricks], 1)


def loses(card: Card, other: Card, led_suit: int) -> bool:
    """Whether `card` would lose to `other` in a trick of `led_suit` (equation 6)."""
    if card.suit == other.suit:
        return card.suit in (led_suit, ROCKETS) and card.rank < other.rank
    if other.suit == ROCKETS:
        return True
    return other.suit == led_suit and card.suit != ROCKETS


def winner_has_the_highest_card(play: Play) -> Clauses:
    """¬w_t^p ∨ ¬r_t^s ∨ ¬x_{t,c} ∨ ¬x_{t,d} where c of p loses to d of another seat (equation 5, first part).

    T clauses for every suit led and every pair of cards in different hands of which one beats the other.
    The led suit is played by the leader, so a card beaten by nothing exists and is unique: with the next
    group this makes w the exact winner.
    """
    beaten = [
        (seat, card, other, suit)
        for seat, hand in enumerate(play.hands)
        for rival, rivals in enumerate(play.hands)
        if rival != seat
        for card in hand
        for other in rivals
        for suit in play.suits
        if loses(card, other, suit)
    ]
    x, r, w = play.x, play.r, play.w
    for trick in play.tricks:
        for seat, card, other, suit in beaten:
            yield [-w[trick, seat], -r[trick, suit], -x[trick, card], -x[trick, other]]


def each_trick_has_a_winner(play: Play) -> Clauses:
    """⋁_p w_t^p (equation 5, second part): T clauses."""
    for trick in play.tricks:
        yield [play.w[trick, seat] for seat in range(play.deal.seats)]


def winner_leads_the_next_suit(play: Play) -> Clauses:
    """¬w_{t-1}^p ∨ ¬x_{t,c} ∨ r_t^{suit of c} for t > 1 (equation 7, first part): (T - 1)·N clauses."""
    for trick in play.tricks[1:]:
        for seat, hand in enumerate(play.hands):
            for card in hand:
                yield [-play.w[trick - 1, seat], -play.x[trick, card], play.r[trick, card.suit]]


def leader_leads_the_first_suit(play: Play) -> Clauses:
    """¬x_{1,c} ∨ r_1^{suit of c} for the hand of the leader (equation 7, second part): |H_leader| clauses."""
    for trick in play.tricks[:1]:
        for card in play.hands[play.deal.leader]:
            yield [-play.x[trick, card], play.r[trick, card.suit]]


def one_suit_is_led(play: Play) -> Clauses:
    """At most one r_t^s over the suits (equation 7, third part): T · C(S, 2) clauses."""
    for trick in play.tricks:
        yield from play.formula.at_most([play.r[trick, suit] for suit in play.suits], 1)


def suit_is_followed(play: Play) -> Clauses:
    """¬x_{t,c} ∨ ¬r_t^s ∨ ⋁_{t'<t} x_{t',d} for c not of suit s, d of suit s in the same hand (equation 8).

    T clauses for every ordered pair of cards of one hand and two suits. Under `trumps_anytime` a rocket
    needs no excuse: the pairs whose c is a rocket are left out.
    """
    rockets_are_free = play.deal.rules.trumps_anytime
    x, r = play.x, play.r
    for trick in play.tricks:
        for hand in play.hands:
            for held in hand:
                earlier = [x[before, held] for before in range(trick)]
                for card in hand:
                    if card.suit != held.suit and not (rockets_are_free and card.is_rocket):
                        yield [-x[trick, card], -r[trick, held.suit], *earlier]


RULES_OF_PLAY: tuple[Callable[[Play], Clauses], ...] = (
    each_seat_plays_a_card,
    each_seat_plays_at_most_one_card,
    each_card_is_played_at_most_once,
    winner_has_the_highest_card,
    each_trick_has_a_winner,
    winner_leads_the_next_suit,
    leader_leads_the_first_suit,
    one_suit_is_led,
    suit_is_followed,
)
"""The clause groups in the order of equation 11; the goals come from `goals`."""


def published_play(position: Position, formula: Formula) -> Facts:
    """Add the rules of play and the cards played so far; the facts are ready for the goals."""
    play = Play(position.deal, formula)
    facts = Facts(position.deal, formula, plays=play.x, wins=play.w)
    for rule in RULES_OF_PLAY:
        formula.extend(rule.__name__, rule(play))
    formula.extend("cards_played_so_far", cards_played_so_far(position, facts))
    return facts


def cards_played_so_far(position: Position, facts: Facts) -> Clauses:
    """x_{t,c} for every card played before the position: one unit clause each."""
    for trick, played in enumerate((*position.tricks, position.current)):
        for card in played.cards:
            yield [facts.played(trick, card)]


def published_formula(position: Position, formula: Formula) -> Facts:
    """The rules of play and the goals: the whole formula of a position."""
    facts = published_play(position, formula)
    require_goals(facts)
    return facts


def cnf_method(name: str, *, sat: str | None = None) -> Method:
    """The method `cnf:<encoding>`: the published formula with that encoding of "at most"."""
    return SatMethod(name, build=published_formula, encoding=name.partition(":")[2], sat=sat)
