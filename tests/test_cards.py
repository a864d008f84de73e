"""Cards, sets of cards and decks: values that print as code."""

from __future__ import annotations

import dataclasses
import pickle

import pytest
from hypothesis import given
from hypothesis import strategies as st

from crewsolve.cards import MAX_BITS, SUIT_LETTERS, Card, CardSet, Deck
from crewsolve.deal import Deal
from crewsolve.errors import BadCard, BadDeck
from crewsolve.playout import Playout
from tests.strategies import decks

NAMES = {"Card": Card, "CardSet": CardSet, "Deck": Deck, "Deal": Deal, "Playout": Playout}
LINE = "2x3+2; 3; B1 B2 | G1 G2 | B3 R1 | G3 R2; fixed B2:3"


def test_suit_letters_are_rockets_then_the_colours_in_order() -> None:
    assert SUIT_LETTERS[:5] == "RBGPY" and len(SUIT_LETTERS) == len(set(SUIT_LETTERS)) == 26


@given(decks(60))
def test_cards_and_bits_correspond(deck: Deck) -> None:
    assert len(set(deck.cards)) == deck.size
    for index, card in enumerate(deck.cards):
        assert deck.index(card) == index and deck.card(index) == card
        assert deck.bit(card) & deck.suit_mask(card.suit)
        assert deck.parse_card(str(card)) == card
    assert sum(mask.bit_count() for mask in deck.suit_masks) == deck.size
    assert Deck.parse(str(deck)) == deck == eval(repr(deck), NAMES)


@given(decks(40), st.data())
def test_card_sets_are_sets(deck: Deck, data: st.DataObject) -> None:
    one, two = (data.draw(st.sets(st.sampled_from(deck.cards))) for _ in range(2))
    first, second = deck.set(one), deck.set(two)
    assert set(first | second) == one | two and set(first & second) == one & two
    assert set(first - second) == one - two and set(first ^ second) == one ^ two
    assert (first <= second) == (one <= two) and first.isdisjoint(second) == one.isdisjoint(two)
    assert len(first) == len(one) and bool(first) == bool(one)
    assert eval(repr(first), NAMES) == first and hash(CardSet.parse(str(first), deck)) == hash(first)
    for suit in deck.suits:
        assert first.highest(suit) == max((card for card in one if card.suit == suit), default=None)


@pytest.mark.parametrize("text", ["", "7B", "B0", "b7", "B", "BB7", "B-1", "B7 ", "B99999", "é7", "٣3", "B٣"])
def test_what_is_no_card_is_refused(text: str) -> None:
    with pytest.raises(BadCard, match="is no card: write a suit letter and a rank"):
        Card.parse(text)


@pytest.mark.parametrize(
    "text", ["", "4", "4x", "x9", "0x9", "4x0", "4x9-1", "4 x 9", "4x9+", "4x9+4+4", "٤x9"]
)
def test_what_is_no_deck_is_refused(text: str) -> None:
    with pytest.raises(BadDeck):
        Deck.parse(text)


def test_decks_of_more_than_63_cards_can_be_counted_but_not_dealt() -> None:
    assert Deck.parse("7x9").everything.mask == 2**MAX_BITS - 1
    assert Deck.parse("100x100").size == 10_000
    with pytest.raises(BadDeck, match="has 64 cards; at most 63 can be dealt"):
        _ = Deck.parse("7x9+1").everything
    with pytest.raises(BadDeck, match="there are letters for 25"):
        _ = Deck.parse("26x1").everything


def test_sets_of_different_decks_do_not_mix() -> None:
    with pytest.raises(BadDeck, match="different decks: 2x3 and 2x4"):
        _ = Deck.parse("2x3").everything | Deck.parse("2x4").everything


VALUES = [
    Card.parse("B7"),
    Deck.parse("4x9+4"),
    CardSet.parse("B1 R2", Deck.parse("2x3+2")),
    Deal.parse(LINE),
    Playout.parse("R2 B2 G1 R1 | G3", seats=4),
]


@pytest.mark.parametrize("value", VALUES, ids=lambda value: type(value).__name__)
def test_values_are_frozen_hashable_and_print_as_code(value: object) -> None:
    assert eval(repr(value), NAMES) == value
    assert hash(eval(repr(value), NAMES)) == hash(value)
    assert pickle.loads(pickle.dumps(value)) == value
    field = dataclasses.fields(value)[0].name  # type: ignore[arg-type]
    with pytest.raises(dataclasses.FrozenInstanceError):
        setattr(value, field, None)


@pytest.mark.parametrize("value", VALUES[2:], ids=lambda value: type(value).__name__)
def test_notebooks_get_a_picture(value: object) -> None:
    html = value._repr_html_()  # type: ignore[attr-defined]
    assert html.count("<") == html.count(">") and ">R2</span>" in html


def test_pictures_escape_names() -> None:
    deal = dataclasses.replace(Deal.parse(LINE), seat_names=("<b>", "b", "c", "d"))
    assert "&lt;b&gt;" in deal._repr_html_() and "<b>" not in deal._repr_html_()
