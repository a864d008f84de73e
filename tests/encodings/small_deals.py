"""Random small deals of every shape that a method must take, the same on every machine."""

from __future__ import annotations

from collections.abc import Callable, Iterator

from crewsolve.cards import ROCKETS, Deck
from crewsolve.deal import Deal
from crewsolve.position import Position
from crewsolve.randomness import Stream
from crewsolve.rules import Rules
from crewsolve.tasks import FixedTasks, FreeTasks, Tasks

MAX_CARDS = 10


def small_deals(start: int, count: int) -> Iterator[Deal]:
    """Deals number `start` and on."""
    for number in range(start, start + count):
        yield small_deal(Stream(20_210_714, number))


def small_deal(stream: Stream) -> Deal:
    """A deal of up to ten cards, often with some cards played."""
    deck = _deck(stream)
    seats = 2 + stream.below(4)
    order = stream.shuffled(range(deck.size))
    if stream.below(4) == 0:
        order = order[: max(seats, deck.size - stream.below(3))]
    hands = [deck.from_mask(sum(1 << card for card in order[seat::seats])) for seat in range(seats)]
    turn = stream.below(seats)
    hands = hands[turn:] + hands[:turn]
    tasks = _tasks(stream, deck, order, seats)
    rules = Rules(trumps_anytime=stream.below(3) == 0)
    deal = Deal(deck, tuple(hands), stream.below(seats), tasks, rules)
    return _after_some_cards(stream, deal) if stream.below(3) == 0 else deal


def _deck(stream: Stream) -> Deck:
    while True:
        deck = Deck(1 + stream.below(5), 1 + stream.below(6), stream.below(4))
        if 4 <= deck.size <= MAX_CARDS:
            return deck


def _tasks(stream: Stream, deck: Deck, cards: list[int], seats: int) -> Tasks:
    number = len(cards) if stream.below(12) == 0 else stream.below(5)
    chosen = stream.sample(cards, min(number, len(cards)))
    fixed = FixedTasks.of({deck.card(card): stream.below(seats) for card in chosen}, deck)
    if stream.below(2):
        return fixed
    free = fixed.freed(seats)
    if stream.below(4):
        return free
    return FreeTasks(free.cards, tuple(count + stream.below(2) for count in free.counts), at_most=True)


def _after_some_cards(stream: Stream, deal: Deal) -> Deal:
    position = Position.of(deal)
    for _ in range(stream.below(deal.seats * deal.tricks + 1)):
        legal = list(position.legal)
        position = position.play(legal[stream.below(len(legal))])
    return deal.after(*position.played)


def _uneven(deal: Deal) -> bool:
    return len({len(hand) for hand in deal.hands}) == 2


def _rocket_led(deal: Deal) -> bool:
    position = Position.of(deal)
    led = [trick.cards[0] for trick in (*position.tricks, position.current) if trick.cards]
    return any(card.suit == ROCKETS for card in led)


def _leader_has_only_rockets(deal: Deal) -> bool:
    return bool(deal.hands[deal.leader]) and all(card.is_rocket for card in deal.hands[deal.leader])


def _task_in_longer_hand(deal: Deal) -> bool:
    return any(len(hand) > deal.tricks and hand & deal.tasks.cards for hand in deal.hands)


def _task_done_in_trick_1(deal: Deal) -> bool:
    position = Position.of(deal)
    return bool(position.tricks) and bool(deal.deck.set(position.tricks[0].cards) & deal.tasks.cards)


SHAPES: dict[str, Callable[[Deal], bool]] = {
    **{f"{n} seats": lambda deal, n=n: deal.seats == n for n in range(2, 6)},  # type: ignore[misc]
    **{f"{n} colours": lambda deal, n=n: deal.deck.colours == n for n in range(1, 6)},  # type: ignore[misc]
    "rockets": lambda deal: deal.deck.rockets > 0,
    "no rockets": lambda deal: deal.deck.rockets == 0,
    "uneven hands": _uneven,
    "a rocket led": _rocket_led,
    "only rockets to lead": _leader_has_only_rockets,
    "a task in trick 1": _task_done_in_trick_1,
    "a task on a rocket": lambda deal: bool(deal.tasks.cards.of_suit(ROCKETS)),
    "a task in the longer hand": _task_in_longer_hand,
    "within a trick": lambda deal: bool(Position.of(deal).current.cards),
    "no task": lambda deal: len(deal.tasks) == 0,
    "all cards tasks": lambda deal: deal.tasks.cards == deal.in_play,
    "fixed": lambda deal: not deal.tasks.is_free,
    "free": lambda deal: deal.tasks.is_free,
    "counts with room": lambda deal: isinstance(deal.tasks, FreeTasks) and deal.tasks.at_most,
    "trumps anytime": lambda deal: deal.rules.trumps_anytime,
    "cards left out": lambda deal: not deal.is_complete,
}
"""What the small deals must show, each at least a hundred times but for the rare ones."""
