"""Static tests: reasons why a position is lost that need no play, in plain Python.

They are the kernel's tests of `crewsolve.kernels.doom`, told with a reason. All are necessary conditions. The
cards *usable* in a trick won by seat p are the cards that are no task and p's own tasks; a seat without a
usable card to follow with must have played all its cards of the suit before, one to a trick. So a task has
an earliest trick, and the tasks that come late must fit into the tricks left then. Two tasks that exclude
each other each wait for the other, until no trick is left.
"""

from __future__ import annotations

from dataclasses import dataclass, field

from crewsolve.cards import Card
from crewsolve.encodings.static_rockets import fixed_tasks_fit, free_tasks_fit
from crewsolve.position import Position
from crewsolve.tasks import FixedTasks, FreeTasks, Status

_NEVER = 99
_ROCKETS = "however the rockets share tricks, they force too many tricks on their holders"


def static_loss(position: Position) -> str | None:
    """Why the position is lost, None where the static tests do not see it.

    >>> from crewsolve.deal import Deal
    >>> deal = Deal.parse("2x3+2; 3; B1 B2 | G1 G2 | R1 B3 | R2 G3; fixed B1:0 G1:1")
    >>> static_loss(Position.of(deal))
    'the seats need 1 + 1 + 0 + 1 = 3 tricks, but 2 are left'
    """
    if position.outcome is Status.FAILED:
        return "a task has already failed"
    tasks = position.deal.tasks
    hands = _hands_before_the_trick(position)
    if isinstance(tasks, FreeTasks):
        return _free_counting(position, hands, tasks)
    return _Fixed(position, hands, tasks).reason()


def _hands_before_the_trick(position: Position) -> list[int]:
    """The hands with the cards of the running trick taken back: who loses from there loses from here."""
    hands = list(position.hand_masks)
    for place, card in enumerate(position.current.cards):
        hands[(position.current.leader + place) % len(hands)] |= position.deal.deck.bit(card)
    return hands


def _sure_wins(hands: list[int], seat: int, rockets: int, tricks: int, tasks: int) -> int:
    """How many rockets of a seat that are no tasks win a trick for sure: above all others, and played.

    In a hand that is longer than the tricks one card stays unplayed.
    """
    others = 0
    for other, hand in enumerate(hands):
        if other != seat:
            others |= hand & rockets
    sure = hands[seat] & rockets & ~tasks & ~((1 << others.bit_length()) - 1)
    return max(0, sure.bit_count() - (hands[seat].bit_count() > tricks))


def _free_counting(position: Position, hands: list[int], tasks: FreeTasks) -> str | None:
    seats, left = position.deal.seats, 0
    for hand in hands:
        left |= hand & tasks.cards.mask
    room = [
        count - (won & tasks.cards.mask).bit_count()
        for count, won in zip(tasks.counts, position.won_masks, strict=True)
    ]
    slack = sum(room) - left.bit_count()
    if slack < 0:
        return f"{left.bit_count()} free tasks are open, but the seats may win only {sum(room)} more"
    needs = []
    for seat in range(seats):
        rockets, tricks = position.deal.deck.suit_masks[0], position.tricks_left
        share = max(0, room[seat] - slack) + _sure_wins(hands, seat, rockets, tricks, left)
        needs.append(max(-(-share // seats), _sure_wins(hands, seat, rockets, tricks, 0)))
    if not left:
        return None
    reason = _too_many(needs, position.tricks_left)
    if reason is None and not free_tasks_fit(position, hands, left, room, slack):
        reason = _ROCKETS
    return reason


def _too_many(needs: list[int], tricks: int) -> str | None:
    if sum(needs) <= tricks:
        return None
    parts = " + ".join(map(str, needs))
    return f"the seats need {parts} = {sum(needs)} tricks, but {tricks} are left"


@dataclass
class _Fixed:
    """The tests for fixed tasks, on raw masks."""

    position: Position
    hands: list[int]
    tasks: FixedTasks
    owned: list[int] = field(init=False)
    waits: list[list[int]] = field(init=False)

    def __post_init__(self) -> None:
        deal = self.position.deal
        live = 0
        for hand in self.hands:
            live |= hand
        self.owned = [self.tasks.owned_mask(seat) & live for seat in range(deal.seats)]
        self.all_tasks = 0
        for mask in self.owned:
            self.all_tasks |= mask
        self.suits = deal.deck.suit_masks
        self.anytime = deal.rules.trumps_anytime
        self.tricks = self.position.tricks_left
        self.waits = [[(hand & suit).bit_count() for suit in self.suits] for hand in self.hands]

    def reason(self) -> str | None:
        if not self.all_tasks:
            return None
        return self._counting() or self._times()

    def _counting(self) -> str | None:
        """Tasks of one owner in one hand take different tricks, and so do its tasks and its best rockets."""
        needs = []
        for seat, hand in enumerate(self.hands):
            own = self.owned[seat]
            sure = _sure_wins(self.hands, seat, self.suits[0], self.tricks, own)
            most = max((own & other).bit_count() for other in self.hands)
            needs.append(max(most, (own & hand).bit_count() + sure))
        reason = _too_many(needs, self.tricks)
        if reason is None and not fixed_tasks_fit(self.position, self.hands, self.owned):
            reason = _ROCKETS
        return reason

    def _times(self) -> str | None:
        """Raise the earliest trick of each task until nothing changes or one has no trick left."""
        earliest: dict[int, int] = {}
        while True:
            changed = False
            for owner, mask in enumerate(self.owned):
                for bit in _bits(mask):
                    time = self._earliest(owner, bit)
                    if time >= self.tricks:
                        return self._too_late(owner, bit, time)
                    if time > earliest.get(bit, 0):
                        earliest[bit] = time
                        changed = True
            if not changed:
                return None
            reason = self._crowded(earliest)
            if reason or not self._raise_waits(earliest):
                return reason

    def _raise_waits(self, earliest: dict[int, int]) -> bool:
        """A seat is void of a suit only after its late tasks of that suit."""
        raised = False
        for seat, hand in enumerate(self.hands):
            for suit, mask in enumerate(self.suits):
                times = sorted((earliest.get(bit, 0) for bit in _bits(hand & mask)), reverse=True)
                most = max((time + n for n, time in enumerate(times, 1) if time), default=0)
                if most > self.waits[seat][suit]:
                    self.waits[seat][suit] = most
                    raised = True
        return raised

    def _crowded(self, earliest: dict[int, int]) -> str | None:
        """The tasks that come after t tricks must fit into the others."""
        for t in range(1, self.tricks):
            late = sum(bit for bit, time in earliest.items() if time >= t)
            needs = [max((own & late & hand).bit_count() for hand in self.hands) for own in self.owned]
            if sum(needs) > self.tricks - t:
                cards = self.position.deal.deck.from_mask(late)
                return (
                    f"none of {cards} can be won in the next {t} tricks, together they need {sum(needs)}, "
                    f"but only {self.tricks - t} follow"
                )
        return None

    def _card(self, bit: int) -> Card:
        return self.position.deal.deck.card(bit.bit_length() - 1)

    def _too_late(self, owner: int, bit: int, time: int) -> str:
        card = self._card(bit)
        if time >= _NEVER:
            return (
                f"{card} can never be won by seat {owner}: no trick with it that seat {owner} wins "
                "has only cards it may win"
            )
        return (
            f"{card} cannot be won by seat {owner} before {time} other tricks, but {self.tricks} are left: "
            "it and other tasks exclude each other"
        )

    def _earliest(self, owner: int, bit: int) -> int:
        return min(self._earliest_led(owner, bit, led) for led in range(len(self.suits)))

    def _earliest_led(self, owner: int, bit: int, led: int) -> int:
        """The tricks before the owner can win the card in a trick of suit `led`."""
        rockets, hand = self.suits[0], self.hands[owner]
        strong = self.suits[led] | rockets
        usable = ~(self.all_tasks & ~self.owned[owner])
        ruff_wait = 0 if led == 0 or self.anytime else self.waits[owner][led]
        if hand & bit:
            if not bit & strong:
                return _NEVER
            start = ruff_wait if led and bit & rockets else 0
            return max(start, self._others(owner, owner, led, usable, bit))
        holder = next(seat for seat, other in enumerate(self.hands) if other & bit)
        least = (bit & strong).bit_length()
        start = 0 if bit & self.suits[led] or (self.anytime and bit & rockets) else self.waits[holder][led]
        time = _NEVER
        for winners, wait in ((self.suits[led], 0), (rockets, ruff_wait)):
            best = (hand & usable & winners) >> least << least
            if best:
                top = 1 << (best.bit_length() - 1)
                time = min(time, max(start, wait, self._others(owner, holder, led, usable, top)))
        return time

    def _others(self, owner: int, holder: int, led: int, usable: int, best: int) -> int:
        """The tricks before all other seats can play below the owner's card `best`."""
        strong, time = self.suits[led] | self.suits[0], 0
        for seat, hand in enumerate(self.hands):
            if seat in (owner, holder):
                continue
            cards = hand & usable & ~(strong & ~(2 * best - 1))
            if cards & self.suits[led] or (self.anytime and cards & self.suits[0]):
                continue
            if not cards:
                return _NEVER
            time = max(time, self.waits[seat][led])
        return time


def _bits(mask: int) -> list[int]:
    bits = []
    while mask:
        bits.append(mask & -mask)
        mask &= mask - 1
    return bits
