"""The talk of `crewsolve play`: shows the table, asks the person, lets the others play."""

from __future__ import annotations

from collections.abc import Sequence

import click

from crewsolve.agents.player import Offer, Player, Sight
from crewsolve.agents.sitting import Sitting
from crewsolve.cards import Card, CardSet, Deck
from crewsolve.cli.asking import talking
from crewsolve.cli.options import console
from crewsolve.deal import Deal
from crewsolve.errors import CrewError
from crewsolve.playout import Playout
from crewsolve.position import Position, Trick
from crewsolve.randomness import Stream
from crewsolve.tasks import FixedTasks, Status
from crewsolve.view import View

WORDS = {
    "hint": "what the solver player thinks of each choice",
    "undo": "take back your last card (with --undo)",
    "help": "these words",
    "quit": "save the game and leave",
}
"""What may be said instead of a card; a beginning is enough."""


class Quit(Exception):
    """The person leaves the table."""


class Dialogue:
    """One game at the terminal; `sitting` is where it stands, None until the tasks are taken."""

    def __init__(self, key: Sequence[int], *, open_hands: bool, may_undo: bool) -> None:
        self.key = tuple(key)
        self.open_hands = open_hands
        self.may_undo = may_undo
        self.sitting: Sitting | None = None
        self.names: list[str] = []
        self.screen = console()

    def state(self, deal: Deal) -> tuple[Deal, Playout]:
        """What there is to save: the deal with its tasks as taken, and the cards played."""
        if self.sitting is None:
            return deal, Playout(deal.played, deal.seats)
        return self.sitting.deal, self.sitting.playout

    def play(self, deal: Deal, players: Sequence[Player], *, person: int) -> None:
        """Play until all tasks are decided or the person leaves."""
        self.names = [player.name for player in players]
        try:
            with talking("the players think"):
                # Kernels are loaded and compiled here rather than before the first card.
                import crewsolve.agents.solver  # noqa: F401
            sitting = self.sitting = Sitting.begin(deal, players, person=person, key=self.key)
            while not sitting.over:
                sitting = self.sitting = self._asked(sitting) if sitting.asks else self._answered(sitting)
        except (Quit, EOFError):
            click.echo("you leave the table")
            return
        self._end(sitting.position)

    def _answered(self, sitting: Sitting) -> Sitting:
        with talking("the players think"):
            card = sitting.answered()
        seat = sitting.position.seat
        click.echo(f"seat {seat} ({self.names[seat]}) plays {card}")
        return self._told(sitting.play(card))

    def _asked(self, sitting: Sitting) -> Sitting:
        from crewsolve.cli.game_pictures import table_picture

        self.screen.print("", table_picture(sitting, open_hands=self.open_hands))
        while True:
            said = self._said("your card", sitting.position.legal)
            if isinstance(said, Card):
                return self._told(sitting.play(said))
            if said == "hint":
                self._hint(sitting)
            elif said == "undo" and (before := self._undone(sitting)):
                return before

    def _undone(self, sitting: Sitting) -> Sitting | None:
        if not self.may_undo:
            click.echo("cards lie as they are played: start with --undo to take them back")
            return None
        before = sitting.taken_back()
        if before is None:
            click.echo("you have played no card yet")
        return before

    def _told(self, sitting: Sitting) -> Sitting:
        """The same, after saying how a finished trick went."""
        position = sitting.position
        if not position.current.cards and position.tricks:
            self._tell_trick(position.deal, position.tricks[-1])
        return sitting

    def _tell_trick(self, deal: Deal, trick: Trick) -> None:
        assert isinstance(deal.tasks, FixedTasks) and trick.winner is not None
        owners = dict(deal.tasks.owners)
        tasks = [card for card in trick.cards if card in owners]
        words = [f"{card} {'done' if owners[card] == trick.winner else 'failed'}" for card in tasks]
        told = f"; {', '.join(words)}" if words else ""
        click.echo(f"seat {trick.winner} ({self.names[trick.winner]}) wins the trick{told}")

    def _hint(self, sitting: Sitting) -> None:
        from crewsolve.agents.solver import HiddenSolver
        from crewsolve.cli.game_pictures import hint_picture

        view = View.of(sitting.position, sitting.person)
        with talking("the solver player thinks"):
            opinions = HiddenSolver().opinions(Sight(view), sitting.stream(sitting.person))
            exact = self._exact(sitting) if self.open_hands else {}
        self.screen.print(hint_picture(opinions, exact))

    def _exact(self, sitting: Sitting) -> dict[Card, str]:
        from crewsolve.solving import analyse

        played = sitting.position.played[len(sitting.deal.played) :]
        return {card: str(verdict) for card, verdict in analyse(sitting.deal, played=played).verdicts.items()}

    def ask_task(self, offer: Offer) -> Card:
        """The task that the person takes."""
        from crewsolve.cli.game_pictures import offer_picture

        hands = offer.position if self.open_hands else None
        self.screen.print("", offer_picture(offer, self.names, position=hands))
        while True:
            said = self._said("your task", offer.untaken)
            if isinstance(said, Card):
                return said
            if said == "hint":
                self._hint_task(offer)
            elif said == "undo":
                click.echo("tasks stay taken")

    def _hint_task(self, offer: Offer) -> None:
        from crewsolve.agents.solver import HiddenSolverTasks
        from crewsolve.cli.game_pictures import task_hint_picture

        with talking("the solver player thinks"):
            stream = Stream(*self.key, len(offer.untaken))
            opinions = HiddenSolverTasks().opinions(offer, stream)
        self.screen.print(task_hint_picture(opinions))

    def _said(self, prompt: str, choices: CardSet) -> Card | str:
        """A card that may be chosen, or one of `WORDS`; anything else is answered and asked again."""
        while True:
            text = input(f"{prompt}> ").strip()
            word = next((word for word in WORDS if text and word.startswith(text.lower())), None)
            if word == "quit":
                raise Quit
            if word == "help" or not text:
                click.echo("\n".join(f"{name}: {what}" for name, what in WORDS.items()))
            elif word is not None:
                return word
            elif card := _card(text, choices.deck):
                if card in choices:
                    return card
                click.echo(f"{card} is not one of {choices}")

    def _end(self, position: Position) -> None:
        from rich.text import Text

        from crewsolve.cli.pictures import tricks_picture

        won = position.outcome is Status.DONE
        goals = position.deal.tasks.goals()
        done = sum(position.status(goal) is Status.DONE for goal in goals)
        self.screen.print("", tricks_picture(position))
        verdict = Text("won" if won else "lost", style="bold green" if won else "bold red")
        self.screen.print(verdict + Text(f": {done} of {len(goals)} tasks done", style="not bold"))


def _card(text: str, deck: Deck) -> Card | None:
    """The card that is said, in any case; what is none is answered."""
    try:
        return deck.parse_card(text.upper())
    except CrewError as error:
        click.echo(f"{error}; `help` lists what else may be said")
        return None
