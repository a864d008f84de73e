"""Pictures of the values for notebooks: small, self-contained HTML."""

from __future__ import annotations

from collections.abc import Iterable
from html import escape
from typing import TYPE_CHECKING

from crewsolve.cards import Card, CardSet

if TYPE_CHECKING:
    from crewsolve.deal import Deal
    from crewsolve.playout import Playout

COLOURS = ("#333333", "#1565c0", "#2e7d32", "#ad1457", "#b28704")
"""Ink of the rockets and of the four colours of the real game; further suits start again at the colours."""


def _ink(card: Card) -> str:
    return COLOURS[0] if card.is_rocket else COLOURS[1 + (card.suit - 1) % (len(COLOURS) - 1)]


def _spans(cards: Iterable[Card]) -> str:
    style = "font-weight:600;margin-right:.35em;color:"
    return "".join(f'<span style="{style}{_ink(card)}">{card}</span>' for card in cards)


def cards_html(cards: CardSet) -> str:
    """Cards in the colours of their suits."""
    return f"<div>{_spans(cards) or '∅'}</div>"


def _table(rows: Iterable[Iterable[str]]) -> str:
    body = "".join("<tr>" + "".join(f"<td>{cell}</td>" for cell in row) + "</tr>" for row in rows)
    return f"<table>{body}</table>"


def deal_html(deal: Deal) -> str:
    """One row per seat: leader mark, name, hand; then the tasks."""
    names = deal.seat_names or tuple(f"seat {seat}" for seat in range(deal.seats))
    rows = [
        ["▶" if seat == deal.leader else "", escape(names[seat]), _spans(hand)]
        for seat, hand in enumerate(deal.hands)
    ]
    rows.append(["", "tasks", escape(str(deal.tasks))])
    if deal.played:
        rows.append(["", "played", _spans(deal.played)])
    return _table(rows)


def playout_html(playout: Playout) -> str:
    """One row per trick."""
    return _table([f"{number}", _spans(trick)] for number, trick in enumerate(playout.tricks, 1))
