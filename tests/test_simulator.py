"""The judge: replays card by card, names the first illegal card and the task that fails."""

from __future__ import annotations

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from crewsolve.cards import Card, Deck
from crewsolve.deal import Deal
from crewsolve.errors import FailedTask, IllegalPlay
from crewsolve.playout import Playout
from crewsolve.position import Position
from crewsolve.rules import legal_plays, trick_winner
from crewsolve.simulator import replay, verify
from crewsolve.tasks import Status
from tests.strategies import deals

DEAL = Deal.parse("2x3+2; 3; B1 B2 | G1 G2 | B3 R1 | G3 R2; fixed B2:3 G2:3")
FREE = DEAL.freed()


def playout(text: str) -> Playout:
    return Playout.parse(text, seats=4)


def test_a_win_is_replayed_with_leaders_and_winners() -> None:
    won = verify(DEAL, playout("R2 B2 G1 R1 | G3 B1 G2 B3"))
    assert [(trick.leader, trick.winner) for trick in won.tricks] == [(3, 3), (3, 3)]
    assert won.outcome is Status.DONE
    assert won.achieved() == {Card.parse("B2"): 3, Card.parse("G2"): 3}


def test_a_win_may_stop_once_all_is_decided() -> None:
    deal = Deal.parse("2x3+2; 3; B1 B2 | G1 G2 | B3 R1 | G3 R2; fixed B2:3")
    assert verify(deal, playout("R2 B2 G1 R1")).outcome is Status.DONE
    full = playout("R2 B2 G1 R1 | G3 B1 G2 B3")
    assert len(replay(deal, full).tricks) == 2
    early = replay(deal, full, stop_early=True)
    assert early.stopped_early and len(early.tricks) == 1
    assert not replay(deal, full).stopped_early


@pytest.mark.parametrize(
    ("plays", "message", "card", "seat", "trick"),
    [
        ("B1", "trick 1, seat 3: B1 is in the hand of seat 0", "B1", 3, 0),
        (
            "R2 B1 G1 B3",
            "trick 1, seat 2: B3 does not follow the led suit; seat 2 must play one of R1",
            "B3",
            2,
            0,
        ),
        ("R2 B1 G1 R1 | G3 B1", "trick 2, seat 0: B1 has been played before", "B1", 0, 1),
        ("R2 B1 G1 R1 | G3 B2 G2 B3 | G3", "trick 3, seat 3: G3 comes after the last trick", "G3", 3, 2),
        ("R2 P9", "trick 1, seat 0: P9 is held by nobody", "P9", 0, 0),
    ],
)
def test_the_first_illegal_card_is_named(plays: str, message: str, card: str, seat: int, trick: int) -> None:
    for judge in (replay, verify):
        with pytest.raises(IllegalPlay) as caught:
            judge(DEAL, [Card.parse(word) for word in plays.replace("|", "").split()])
        assert str(caught.value) == message
        assert (caught.value.card, caught.value.seat, caught.value.trick) == (Card.parse(card), seat, trick)


@pytest.mark.parametrize(
    ("deal", "plays", "message"),
    [
        ("fixed B2:0", "R2 B2", "the playout ends before this is done: seat 0 wins B2"),
        ("fixed B2:0", "R2 B2 G1 R1", "trick 1: seat 3 wins B2, which is a task of seat 0"),
        ("free B2 G1 / 1,0,0,1", "R2 B2 G1 R1", "trick 1: seat 3 has won 2 tasks (B2 G1), more than its 1"),
    ],
)
def test_the_task_that_fails_is_named(deal: str, plays: str, message: str) -> None:
    with pytest.raises(FailedTask) as caught:
        verify(Deal.parse(f"2x3+2; 3; B1 B2 | G1 G2 | B3 R1 | G3 R2; {deal}"), playout(plays))
    assert str(caught.value) == message


def test_a_task_that_stays_in_a_hand_has_failed() -> None:
    deal = Deal.parse("1x3; 0; B1 B3 | B2; fixed B3:0")
    with pytest.raises(FailedTask, match="B3, a task of seat 0, is never played"):
        verify(deal, [Card.parse("B1"), Card.parse("B2")])
    assert verify(deal, [Card.parse("B3"), Card.parse("B2")]).position.over


@pytest.mark.parametrize("tasks", ["fixed B1:0", "free B1 / 1,0"])
def test_without_a_trick_no_task_can_be_won(tasks: str) -> None:
    with pytest.raises(FailedTask, match=r"B1, .* never played"):
        verify(Deal.parse(f"1x2; 0; B1 | ; {tasks}"), [])


@settings(deadline=None, max_examples=200)
@given(deals(), st.data())
def test_verify_accepts_exactly_the_plays_that_win(deal: Deal, data: st.DataObject) -> None:
    position = Position.of(deal)
    while not position.over and data.draw(st.integers(0, 4)):
        position = position.play(data.draw(st.sampled_from(list(position.legal))))
    if position.outcome is Status.DONE:
        assert verify(deal, position.played).outcome is Status.DONE
    else:
        with pytest.raises(FailedTask):
            verify(deal, position.played)


def test_a_task_already_failed_fails_again() -> None:
    with pytest.raises(FailedTask, match="trick 1: seat 3 wins B2, which is a task of seat 0"):
        verify(
            Deal.parse("2x3+2; 3; B1 B2 | G1 G2 | B3 R1 | G3 R2; fixed B2:0; played R2 B2 G1 R1"),
            playout("R2 B2 G1 R1 | G3 B1 G2 B3"),
        )


def test_a_playout_starts_with_the_cards_played() -> None:
    with pytest.raises(FailedTask, match="does not start with the cards already played"):
        verify(DEAL.after(Card.parse("G3")), playout("R2 B2 G1 R1"))


def test_free_tasks_are_won_by_any_fair_share() -> None:
    assert FREE.tasks.is_free
    with pytest.raises(FailedTask, match="the playout ends before"):
        verify(FREE, playout("R2 B2"))
    assert verify(FREE, playout("R2 B2 G1 R1 | G3 B1 G2 B3")).outcome is Status.DONE


def test_led_rockets_must_be_followed_and_beat_every_colour() -> None:
    deck = Deck.parse("2x3+2")
    hand = deck.set(map(Card.parse, ("B1", "G2", "R1")))
    assert str(legal_plays(hand, 0)) == "R1"
    assert str(legal_plays(hand, None)) == "B1 G2 R1"
    cards = [Card.parse(word) for word in ("B3", "R1", "B1", "R2", "G3")]
    assert trick_winner(cards, 4) == 2
    assert trick_winner(cards[:1] + cards[4:], 1) == 1


@settings(deadline=None, max_examples=200)
@given(deals(positions=False), st.data())
def test_cards_are_kept_from_hand_to_trick(deal: Deal, data: st.DataObject) -> None:
    position = Position.of(deal)
    while not position.over:
        seat, before = position.seat, position
        position = position.play(data.draw(st.sampled_from(list(position.legal))))
        assert position.hand(seat) <= before.hand(seat)
        in_hands = sum(len(position.hand(s)) for s in range(deal.seats))
        assert in_hands + len(position.played) == len(deal.in_play)
        if len(position.tricks) > len(before.tricks):
            assert position.seat == position.tricks[-1].winner
    assert sum(len(position.won(s)) for s in range(deal.seats)) == deal.seats * deal.tricks
    assert position.outcome is not Status.OPEN
    assert not position.legal
    assert replay(deal, position.played).outcome is position.outcome
