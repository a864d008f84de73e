"""A second slow twin: every two-seat deal with one task, decided on raw masks with a table of positions.

It shares no code with the package, not even the rules.
"""

from __future__ import annotations

from functools import cache

from crewsolve.deal import Deal


def two_seats_winnable(deal: Deal) -> bool:
    """Whether the leader, who owns the only task, can win it: all plays are tried."""
    ranks = deal.deck.ranks
    task = deal.deck.index(next(iter(deal.tasks.cards)))

    def bits(mask: int) -> list[int]:
        return [card for card in range(deal.deck.size) if mask >> card & 1]

    @cache
    def wins(own: int, other: int, own_leads: bool) -> bool:
        lead, follow = (own, other) if own_leads else (other, own)
        for a in bits(lead):
            same = [b for b in bits(follow) if b // ranks == a // ranks]
            for b in same or bits(follow):
                own_wins = own_leads != (b // ranks == a // ranks and b > a)
                if task in (a, b):
                    if own_wins:
                        return True
                    continue
                mine, theirs = (a, b) if own_leads else (b, a)
                if wins(own ^ 1 << mine, other ^ 1 << theirs, own_wins):
                    return True
        return False

    return wins(deal.hands[deal.leader].mask, deal.hands[1 - deal.leader].mask, True)
