"""The table: seats players, shows each only what it may see, and lets the simulator judge."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from crewsolve.agents.player import Offer, Player, Sight
from crewsolve.cards import Card
from crewsolve.deal import Deal
from crewsolve.errors import BadDeal, InternalBug
from crewsolve.playout import Playout
from crewsolve.position import Position
from crewsolve.randomness import Stream
from crewsolve.tasks import FixedTasks, FreeTasks, Status
from crewsolve.view import View

SEATED = 0x5EA7
"""Keeps the players' streams apart from those of the deals: short keys are filled up with zeros, so the key
(1, 2, 0) alone would give seat 0 the very numbers that dealt the cards of (1, 2)."""


@dataclass(frozen=True)
class Game:
    """A finished game: the deal with its tasks as taken, the cards played, and how it ended."""

    deal: Deal
    playout: Playout
    won: bool
    tasks_done: int


def play_game(deal: Deal, players: Sequence[Player], key: Sequence[int], *, to_the_end: bool = False) -> Game:
    """Play a deal: free tasks are taken first, then cards are played until all tasks are decided.

    Every seat draws from its own stream of (key, seat), so that the same seat with the same knowledge makes
    the same choices whoever else plays; the key may be that of the deal. `to_the_end` plays the decided rest
    as well.
    """
    if len(players) != deal.seats:
        raise BadDeal(f"{len(players)} players for {deal.seats} seats")
    streams = seat_streams(key, deal.seats)
    if isinstance(deal.tasks, FreeTasks):
        deal = take_tasks(deal, players, streams)
    position = Position.of(deal)
    while not position.over and (to_the_end or position.outcome is Status.OPEN):
        position = position.play(choose_card(position, players[position.seat], streams[position.seat]))
    done = sum(position.status(goal) is Status.DONE for goal in deal.tasks.goals())
    playout = Playout(position.played, deal.seats)
    return Game(deal, playout, position.outcome is Status.DONE, done)


def seat_streams(key: Sequence[int], seats: int) -> list[Stream]:
    """The random numbers of every seat."""
    return [Stream(*key, SEATED, seat) for seat in range(seats)]


def choose_card(position: Position, player: Player, stream: Stream) -> Card:
    """Ask the player whose turn it is; an illegal choice is a bug of the player."""
    agent = player.cards
    view = View.of(position, position.seat)
    card = agent.choose_card(Sight(view, position if agent.open_hands else None), stream)
    if card not in position.legal:
        raise InternalBug(
            f"player {player.name} chose {card}, which is not one of {position.legal}: {position.deal}"
        )
    return card


def take_tasks(deal: Deal, players: Sequence[Player], streams: Sequence[Stream]) -> Deal:
    """The task phase: from the leader on each seat in turn takes one task, as often as its count allows."""
    tasks = deal.tasks
    if not isinstance(tasks, FreeTasks):
        return deal
    if sum(tasks.counts) != len(tasks.cards) or deal.played:
        raise BadDeal("tasks can be taken only before the first card and when the counts add up to them")
    picks, untaken = list(tasks.counts), tasks.cards
    owners: dict[Card, int] = {}
    seat = deal.leader
    while untaken:
        if picks[seat]:
            taken = deal.with_tasks(FixedTasks.of(owners, deal.deck))
            agent = players[seat].tasks
            position = Position.of(taken)
            shown = position if agent.open_hands else None
            card = agent.choose_task(
                Offer(View.of(position, seat), untaken, tuple(picks), shown), streams[seat]
            )
            if card not in untaken:
                raise InternalBug(f"player {players[seat].name} took {card}, which is not one of {untaken}")
            owners[card] = seat
            untaken -= deal.deck.set([card])
            picks[seat] -= 1
        seat = (seat + 1) % deal.seats
    return deal.with_tasks(FixedTasks.of(owners, deal.deck))
