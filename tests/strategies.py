"""Hypothesis strategies: decks, deals and positions of every shape that a method must take."""

from __future__ import annotations

from hypothesis import strategies as st

from crewsolve.cards import Deck
from crewsolve.deal import Deal
from crewsolve.position import Position
from crewsolve.rules import Rules
from crewsolve.tasks import FixedTasks, FreeTasks, Tasks


def decks(max_cards: int = 12) -> st.SearchStrategy[Deck]:
    """Decks of 2 to `max_cards` cards: 1 to 5 suits, with and without rockets."""
    return st.builds(Deck, st.integers(1, 5), st.integers(1, 6), st.integers(0, 4)).filter(
        lambda deck: 2 <= deck.size <= max_cards
    )


@st.composite
def deals(draw: st.DrawFn, *, max_cards: int = 12, free: bool | None = None, positions: bool = True) -> Deal:
    """Deals of any subset of a small deck: 2 to 5 seats, uneven hands, tasks on any card, any leader."""
    deck = draw(decks(max_cards))
    cards = draw(st.permutations(range(deck.size)))
    in_play = cards[: draw(st.integers(1, deck.size))]
    seats = draw(st.integers(2, 5))
    hands = [deck.from_mask(sum(1 << card for card in in_play[seat::seats])) for seat in range(seats)]
    hands = hands[(shift := draw(st.integers(0, seats - 1))) :] + hands[:shift]
    chosen = draw(st.lists(st.sampled_from(sorted(in_play)), unique=True, max_size=len(in_play)))
    owners = {deck.card(card): draw(st.integers(0, seats - 1)) for card in chosen}
    tasks: Tasks = FixedTasks.of(owners, deck)
    if draw(st.booleans()) if free is None else free:
        tasks = tasks.freed(seats)
        assert isinstance(tasks, FreeTasks)
    rules = Rules(trumps_anytime=draw(st.booleans()))
    deal = Deal(deck, tuple(hands), draw(st.integers(0, seats - 1)), tasks, rules)
    return draw(positions_of(deal)) if positions else deal


@st.composite
def positions_of(draw: st.DrawFn, deal: Deal) -> Deal:
    """The deal after some legal cards."""
    position = Position.of(deal)
    for _ in range(draw(st.integers(0, deal.seats * deal.tricks))):
        position = position.play(draw(st.sampled_from(list(position.legal))))
    return deal.after(*position.played)
