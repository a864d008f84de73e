"""Witteveen, sections 3.3 and 3.4: when two-player deals with one task are winnable, and the bijection."""

from __future__ import annotations

from collections.abc import Iterator

from crewsolve.cards import Card, Deck
from crewsolve.claims.claim import WITTEVEEN, Cases, Claim, Effort, as_many_wrong, constant, expect
from crewsolve.claims.evidence import REAL, check_counts, check_real_deck, is_lost
from crewsolve.deal import Deal, random_deals
from crewsolve.proofs.losing_games import count_document_differs, count_losing, enumerate_deals
from crewsolve.proofs.losing_side import losing_deal
from crewsolve.proofs.two_player import (
    DISCARD,
    NO_ROOM,
    TwoHands,
    document_says_winnable,
    is_winnable,
    judge,
    loses_for_room,
    mirrored,
)
from crewsolve.randomness import Stream

ODD = ("1x3", "1x5", "3x3", "1x7", "3x5")


def _differences(in_first: bool, effort: Effort) -> Cases:
    """Deals of the real deck on which the printed condition and ours differ, in a sample from both sides."""
    stream = Stream(318)
    number = effort.choose(300, 5000)
    losing = (losing_deal(REAL, stream) for _ in range(number))
    sample = [*random_deals(REAL, seats=2, tasks=1, leader="first", seed=318, count=number), *losing]
    chosen = [deal for deal in sample if TwoHands.of(deal).in_first == in_first]
    wrong = sum(document_says_winnable(deal) != is_winnable(deal) for deal in chosen)
    return Cases(wrong, len(chosen))


def _check_theorem(effort: Effort) -> str:
    return f"{check_counts(effort)}; {check_real_deck(effort)}"


def _odd_differences(effort: Effort) -> tuple[int, ...]:
    return tuple(count_document_differs(Deck.parse(deck)) for deck in ODD)


def _listed(effort: Effort) -> tuple[str, ...]:
    """The odd decks whose deals are all given to the solver."""
    return ODD[: effort.choose(4, len(ODD))]


def _check_odd(effort: Effort) -> str:
    decks = _listed(effort)
    wrong = tuple(len(list(_wrongly_winnable(Deck.parse(deck)))) for deck in decks)
    differs = tuple(count_document_differs(Deck.parse(deck)) for deck in decks)
    expect(wrong, differs, "deals the printed form calls winnable and search calls lost")
    return f"search on every deal of {', '.join(decks)}"


def _wrongly_winnable(deck: Deck) -> Iterator[Deal]:
    """The deals that the printed form calls winnable and the solver does not; the other way never happens."""
    for deal in enumerate_deals(deck):
        if document_says_winnable(deal):
            if is_lost(deal):
                yield deal
        else:
            expect(is_lost(deal), True, f"printed as losing: {deal}")


def _cause_odd(effort: Effort) -> str:
    for deck in _listed(effort):
        for deal in _wrongly_winnable(Deck.parse(deck)):
            expect(judge(deal).by, NO_ROOM, f"cause of {deal}")
    return (
        "Σ (2k_i - V) = 1 on an odd deck, so 2k_r - (V+1) + Σ max(0, 2k_i - V) = Σ max(0, V - 2k_i) ≥ 0 "
        "always, though player 2 may have no card left to play on the task"
    )


def discards(deal: Deal) -> tuple[int, int]:
    """|P'_{2,r}| and m_r of the printed playout of property 3: cards of suit r, and tricks both follow."""
    hands = TwoHands.of(deal)
    direct = hands.direct_win()
    assert direct is not None
    suit = hands.suit
    held = sum(Card(suit + 1, rank) not in (direct[0], hands.task) for rank in hands.first[suit])
    theirs = sum(Card(suit + 1, rank) != direct[1] for rank in hands.second[suit])
    return theirs, min(held, theirs)


def _by_discards(effort: Effort) -> list[Deal]:
    """Deals of a small deck that property 3 of Theorem 3.15 wins, with a trick of suit r played before."""
    deals = enumerate_deals(Deck.parse(effort.choose("2x5", "3x4")))
    won = [deal for deal in deals if TwoHands.of(deal).in_first and judge(deal).by == DISCARD]
    return [deal for deal in won if discards(deal)[1] > 0]


def _wrong_index(effort: Effort) -> Cases:
    """In how many of those deals the printed last index is not the number of discards."""
    deals = _by_discards(effort)
    return Cases(sum(_tricks_of_discards(deal) != discards(deal)[0] for deal in deals), len(deals))


def _tricks_of_discards(deal: Deal) -> int:
    """The tricks of the winning playout in which player 2 throws a card of suit r on another suit."""
    playout = judge(deal).playout
    assert playout is not None
    task = next(iter(deal.tasks.cards))
    return sum(first.suit != second.suit == task.suit for first, second in playout.tricks)


def _check_index(effort: Effort) -> str:
    from crewsolve.simulator import verify

    deals = _by_discards(effort)
    for deal in deals:
        playout = judge(deal).playout
        assert playout is not None
        verify(deal, playout)
        theirs, together = discards(deal)
        expect(_tricks_of_discards(deal), theirs - together, f"discards in {deal}")
    return f"{len(deals):,} playouts with |P'_2,r| - m_r discards, replayed by the simulator"


def _bijection(effort: Effort) -> bool:
    """Whether the mapping takes the deals without room onto each other, on every even deck tried."""
    decks = effort.choose(["2x2", "2x3", "3x2", "2x4", "4x2", "1x6"], ["2x5", "3x4", "4x3", "2x6", "1x8"])
    for deck in decks:
        deals = list(enumerate_deals(Deck.parse(deck)))
        domain = {deal for deal in deals if loses_for_room(deal, in_first=True)}
        image = {deal for deal in deals if loses_for_room(deal, in_first=False)}
        if {mirrored(deal) for deal in domain} != image:
            return False
        if any(mirrored(mirrored(deal)) != deal for deal in domain):
            return False
    return True


def _check_bijection(effort: Effort) -> str:
    number, stream = effort.choose(200, 5000), Stream(323)
    for cause, image in (("s2", False), ("s4", True)):
        for _ in range(number):
            deal = losing_deal(REAL, stream, cause=cause)
            there = mirrored(deal)
            expect(loses_for_room(there, in_first=image), True, f"image of {deal}")
            expect(mirrored(there), deal, "the mapping applied twice")
    count = count_losing(REAL)
    expect(count.s2, count.s4, "sizes of the two sets")
    return f"{2 * number:,} random deals of 36 cards mapped there and back; S2 = S4 by the sums"


CLAIMS = (
    Claim(
        "w-theorem-3.15",
        WITTEVEEN,
        "Theorem 3.15",
        "winnable iff property 1, 2 or 3: 0 deals of 36 cards differ",
        constant(0),
        lambda effort: _differences(True, effort),
        _check_theorem,
        agree=as_many_wrong,
    ),
    Claim(
        "w-theorem-3.15-odd",
        WITTEVEEN,
        "Theorem 3.15, Definition 3.1",
        f"the same on odd decks: 0 deals differ on {', '.join(ODD)}",
        constant((0,) * len(ODD)),
        _odd_differences,
        _check_odd,
        _cause_odd,
    ),
    Claim(
        "w-theorem-3.15-playout",
        WITTEVEEN,
        "Theorem 3.15, proof of 3",
        "leads x_1 … x_|P'_2,r| for y_m_r+1 … y_|P'_2,r|: 0 playouts with another number of discards",
        constant(0),
        _wrong_index,
        _check_index,
        lambda effort: "the last lead is x with index |P'_2,r| - m_r: m_r cards have been played before",
        agree=as_many_wrong,
    ),
    Claim(
        "w-theorem-3.18",
        WITTEVEEN,
        "Theorem 3.18",
        "winnable iff property 1, 2 or 3: 0 deals of 36 cards differ",
        constant(0),
        lambda effort: _differences(False, effort),
        _check_theorem,
        agree=as_many_wrong,
    ),
    Claim(
        "w-theorem-3.23",
        WITTEVEEN,
        "Theorem 3.23",
        "complement and swap is a bijection",
        constant(True),
        _bijection,
        _check_bijection,
    ),
)
