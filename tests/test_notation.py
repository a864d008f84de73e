"""Every format reads back what it writes, and every mistake is told with its place."""

from __future__ import annotations

import io
import json
import tracemalloc
from dataclasses import replace
from pathlib import Path

import pytest
from hypothesis import assume, given, settings
from hypothesis import strategies as st

from crewsolve import notation
from crewsolve.cards import Card, Deck
from crewsolve.deal import Deal
from crewsolve.errors import BadDeal, BadFile, CrewError, UnknownName
from crewsolve.notation import FORMATS, dump, dumps, load, loads, recognise, scan
from crewsolve.notation.records import MAX_BAD_RUN
from crewsolve.notation.sources import MAX_LINE
from crewsolve.playout import Playout
from crewsolve.position import Position
from crewsolve.tasks import FreeTasks
from tests import naive
from tests.strategies import deals

EXAMPLES = Path(__file__).parents[1] / "examples"
LINE = "2x3+2; 3; B1 B2 | G1 G2 | B3 R1 | G3 R2; fixed B2:3 G1:0"


@st.composite
def labelled_deals(draw: st.DrawFn) -> Deal:
    """Deals with any names, and free tasks with room to spare."""
    deal = draw(deals())
    names = draw(st.lists(st.text(max_size=8), min_size=deal.seats, max_size=deal.seats, unique=True))
    deal = replace(
        deal, name=draw(st.text(max_size=20)), seat_names=tuple(draw(st.sampled_from([names, ()])))
    )
    if isinstance(deal.tasks, FreeTasks) and draw(st.booleans()):
        room = tuple(count + draw(st.integers(0, 2)) for count in deal.tasks.counts)
        deal = deal.with_tasks(FreeTasks(deal.tasks.cards, room, at_most=True))
    return deal


@settings(deadline=None, max_examples=300)
@given(labelled_deals(), st.sampled_from(["toml", "json"]))
def test_named_fields_round_trip_with_labels(deal: Deal, format: str) -> None:
    text = dumps(deal, format=format)
    again = loads(text)
    assert (again, again.name, again.seat_names) == (deal, deal.name, deal.seat_names)
    assert dumps(again, format=format) == text


@settings(deadline=None, max_examples=300)
@given(labelled_deals())
def test_the_line_round_trips_whatever_the_name(deal: Deal) -> None:
    text = dumps(deal, format="line")
    assert text.count("\n") == 1
    again = loads(text)
    assert again == deal == Deal.parse(str(deal))
    assert dumps(again, format="line") == text


@settings(deadline=None, max_examples=300)
@given(labelled_deals())
def test_game_files_round_trip_or_say_why_not(deal: Deal) -> None:
    holds = not (deal.tasks.is_free or str(deal.rules) or deal.played)
    if holds:
        assert loads(dumps(deal, format="game"), base=1) == deal
    else:
        with pytest.raises(BadDeal, match=r"fixed tasks only|house rule|already played"):
            dumps(deal, format="game")


@settings(deadline=None, max_examples=100)
@given(labelled_deals())
def test_repr_can_be_pasted_back(deal: Deal) -> None:
    names = {"Deal": Deal, "Card": Card, "Deck": Deck}
    assert eval(repr(deal), names) == deal
    assert hash(eval(repr(deal), names)) == hash(deal)


@settings(deadline=None, max_examples=100)
@given(st.lists(labelled_deals(), min_size=1, max_size=5), st.sampled_from(["line", "json"]))
def test_streams_of_deals_round_trip(several: list[Deal], format: str) -> None:
    stream = io.StringIO()
    dump(several, stream, format=format)
    assert [record.get() for record in scan(io.StringIO(stream.getvalue()))] == several


@settings(deadline=None, max_examples=200)
@given(deals(), st.sampled_from(notation.PLAYOUT_FORMATS), st.data())
def test_playouts_round_trip(deal: Deal, format: str, data: st.DataObject) -> None:
    position = Position.of(deal)
    while not position.over and data.draw(st.booleans()):
        position = position.play(data.draw(st.sampled_from(list(position.legal))))
    assume(position.played)
    playout = Playout(position.played, deal.seats)
    text = notation.dumps_playout(playout, format=format)
    assert notation.loads_playout(text, seats=deal.seats) == playout


@pytest.mark.parametrize("ending", [".toml", ".game", ".json", ".jsonl", ".deals", ""])
def test_files_are_written_by_their_ending_and_read_by_their_content(tmp_path: Path, ending: str) -> None:
    deal = Deal.parse(LINE)
    path = tmp_path / f"deal{ending}"
    dump(deal, path)
    assert load(path) == load(str(path)) == deal
    with path.open() as text, path.open("rb") as raw:
        assert load(text) == load(raw) == deal
    assert recognise(next(iter(path.read_text().splitlines()))) == (notation.format_of_ending(path) or "line")


def test_one_file_holds_one_toml_deal(tmp_path: Path) -> None:
    with pytest.raises(BadDeal, match="a toml file holds one deal, not 2: write them as line or json"):
        dump([Deal.parse(LINE)] * 2, tmp_path / "two.toml")


def test_toml_takes_seats_and_hands_in_every_shape() -> None:
    same = [
        'seats = 2\nhands = ["B1 B2", "G1"]\nleader = 1',
        'seats = ["Ada", "Bo"]\nhands = [["B1", "B2"], ["G1"]]\nleader = "Bo"',
        'hands = [["B2 B1"], "G1"]\nleader = 1\n[tasks]\n',
    ]
    for text in same:
        assert loads('deck = "2x2"\n' + text) == Deal.parse("2x2; 1; B1 B2 | G1; fixed")


def test_toml_tasks_may_name_their_seats() -> None:
    deal = load(EXAMPLES / "rescue.toml")
    assert str(deal.tasks) == "fixed B3:2 G6:0 P4:3 P6:2 P9:3 Y9:1"
    assert deal.leader == 2 and deal.rocket_leader


def test_the_leader_may_be_left_to_the_highest_rocket() -> None:
    assert Deal.parse(LINE.replace("; 3;", "; -;")) == Deal.parse(LINE)
    assert (
        Deal.parse("2x3+2; -; B1 | R1 | R2; free B1 R1").tasks
        == Deal.parse("2x3+2; 2; B1 | R1 | R2; free B1 R1 / 1,0,1").tasks
    )


def test_json_may_be_spread_over_lines() -> None:
    deal = Deal.parse(LINE)
    assert loads(json.dumps(json.loads(dumps(deal, format="json")), indent=2)) == deal


def test_game_values_count_from_zero_where_a_zero_occurs() -> None:
    text = "2 0 2\n[1,2] [0,1]\n[0,2] [1,0]\n[1,2]\n[0,1]\n"
    assert loads(text) == Deal.parse("1x3+3; 0; B3 R2 | B1 R3; fixed B3:0 R2:1")
    ones = text.replace("[1,0]", "[1,1]")
    assert loads(ones) == Deal.parse("1x2+2; 0; B2 R1 | B1 R2; fixed B2:0 R1:1")
    assert loads(ones, base=0) == Deal.parse("1x3+3; 0; B3 R2 | B2 R3; fixed B3:0 R2:1")
    with pytest.raises(BadFile, match=r"<text>:3: card \[1,0\] in a file whose values count from 1"):
        loads(text, base=1)


def test_game_start_counts_as_said() -> None:
    deal = load(EXAMPLES / "small.game")
    assert (deal.leader, deal.seats, str(deal.tasks)) == (1, 3, "fixed B3:2 G1:0 P3:2")
    assert loads(dumps(deal, format="game").replace("3 1 4", "3 0 4")).leader == 0


def test_game_objectives_may_be_blank_or_missing() -> None:
    text = "3 0 3\n[1,1]\n[1,2]\n[2,1]\n"
    for objectives, tasks in [("", "fixed"), ("\n\n[1,1]\n", "fixed B1:2"), ("[1,1]", "fixed B1:0")]:
        assert str(loads(text + "# objectives\n" + objectives).tasks) == tasks


def test_a_byte_order_mark_and_other_line_ends_do_not_matter(tmp_path: Path) -> None:
    path = tmp_path / "windows.toml"
    path.write_bytes(b"\xef\xbb\xbf" + dumps(Deal.parse(LINE)).replace("\n", "\r\n").encode())
    assert load(path) == Deal.parse(LINE)


def toml(hands: str = '"B1 B2", "G1 G2"', tasks: str = "fixed = { B1 = 0 }", more: str = "leader = 0") -> str:
    return f'deck = "2x3+2"\n{more}\nhands = [{hands}]\n[tasks]\n{tasks}\n'


MISTAKES = [
    ("unknown card", toml('"B1 B2",\n"G1 Q2"'), 4, r"card Q2 is not in deck 2x3\+2: it holds"),
    ("card as text", toml('"B1 b2", "G1 G2"'), 3, r"'b2' is no card: .* did you mean B2\?"),
    ("rank too high", toml('"B1 B9", "G1 G2"'), 3, r"card B9 is not in deck 2x3\+2: it holds B and G with"),
    ("dealt twice", toml('"B1 B2",\n"G1 B2"'), 4, "card B2 is dealt to seats 0 and 1: take it from one"),
    ("twice in a hand", toml('"B1 B1", "G1 G2"'), 3, "card B1 is listed twice in one hand"),
    ("nobody holds", toml(tasks="fixed = { B1 = 0,\n  G3 = 1 }").replace(",\n", ", "), 5,
     "task G3 is a card nobody holds: deal it or drop the task"),
    ("hand sizes", toml('"B1 B2 B3", "G1"'), 3, "hands of 3, 1 cards: sizes may differ by one at most"),
    ("no leader", toml(more=""), 1, "no leader: no hand holds a rocket, so name the seat"),
    ("task twice", toml(tasks="fixed = { B1 = 0, B1 = 1 }"), 5, "task B1 is given twice: drop one"),
    ("free twice", toml(tasks='free = ["B1", "B1"]'), 5, "task B1 is given twice"),
    ("no such seat", toml(tasks="fixed = { B1 = 2 }"), 5, "task B1 is given to seat 2; the seats are 0 to 1"),
    ("no such leader", toml(more="leader = 7"), 2, "leader 7 is no seat; the seats are 0 to 1"),
    ("unknown name", toml(more='seats = ["Ada", "Bo"]\nleader = "Adda"'), 3, "did you mean 'Ada'"),
    ("unknown key", toml(more="leader = 0\nhnads = 3"), 3, "unknown key 'hnads'; did you mean 'hands'?"),
    ("unknown task key", toml(tasks="fixd = {}"), 5, "unknown key of tasks 'fixd'; did you mean 'fixed'"),
    ("both kinds", toml(tasks='fixed = {}\nfree = ["B1"]'), 6, "fixed or free, never both"),
    ("counts", toml(tasks='free = ["B1"]\ncounts = [1, 1]'), 6, "add up to 2, but there are 1 free tasks"),
    ("count for each", toml(tasks='free = ["B1"]\ncounts = [1]'), 6, "1 counts of free tasks for 2 seats"),
    ("seats", toml(more="leader = 0\nseats = 3"), 3, "3 seats, but 2 hands: give one hand for each seat"),
    ("rule", toml(more='leader = 0\nrules = "trump_anytime"'), 3, "did you mean 'trumps_anytime'"),
    ("deck", toml().replace("2x3+2", "2by3"), 1, "'2by3' is no deck: write SUITSxRANKS"),
    ("large deck", toml().replace("2x3+2", "9x9"), 1, "deck 9x9 has 81 cards; at most 63"),
    ("no deck", "leader = 0\nhands = []\n", 1, "no 'deck': write for example deck = "),
    ("no hands", 'deck = "2x3"\n', 1, "no 'hands': write for example hands = "),
    ("syntax", 'deck = "2x3\n', 1, "no valid TOML"),
    ("key twice", toml(more="leader = 0\nleader = 1"), 3, "a key is given twice"),
    ("huge number", toml(more="leader = 0x" + "f" * 5000), 2, "leader: a huge number is no seat number"),
    ("nested", "deck = " + "[" * 5000, 1, "nested too deeply"),
    ("illegal played", toml(more='leader = 0\nplayed = "G1"'), 3, "trick 1, seat 0: G1 is in the hand"),
    ("empty", "", 1, "no deal in it: the file is empty"),
    ("comments", "# nothing\n\n", 1, "no deal in it: the file is empty but for comments"),
    ("prose", "Dear crew,\n", 1, "'Dear crew,' starts no deal: write TOML"),
    ("short line", "x; 2x3; 0; B1 | B2\n", 1, "a deal line needs deck; leader; hands; tasks"),
    ("line twice", "\n# a comment\n2x3; 0; B1 | B1; fixed\n", 3, "card B1 is dealt to seats 0 and 1"),
    ("line task twice", "2x3; 0; B1 | B2; fixed B1:0 B1:1\n", 1, "task B1 is given twice"),
    ("line free twice", "2x3; 0; B1 | B2; free B1 B1\n", 1, "task B1 is given twice"),
    ("line leader", "2x3; x; B1 | B2; fixed\n", 1, "leader 'x' is no seat number; write 0, 1, … or -"),
    ("long number", f"2x3; {'9' * 5000}; B1 | B2; fixed\n", 1, "is no seat number"),
    ("line extras", "2x3; 0; B1 | B2; fixed; rulez x\n", 1, "after the tasks come `rules …` and `played …`"),
    ("json", '{"deck": "2x3",\n', 1, "no valid JSON"),
    ("json twice", '{"deck": "2x3", "deck": "2x3"}\n', 1, "deck is given twice"),
    ("json card", '{"deck": "2x3", "leader": 0, "hands": ["B7", "B1"]}', 1, "card B7 is not in deck 2x3"),
    ("json half", '{"deck": "2x3", "name": "\\ud800"}\n', 1, "half of a surrogate pair"),
    ("json nested", '{"deck": ' + "[" * 60000, 1, "nested too deeply|no valid JSON"),
    ("game header", "3 5 4\n", 1, "3 players, start 5, 4 suits: players count from 0"),
    ("game suit", "2 0 2\n[1,1]\n[2,1]\n", 3, r"card \[2,1\] has suit 2, but the first line gives"),
    ("game card", "2 0 2\n[1,1] x\n[1,2]\n", 2, r"'x' is no card: write \[suit,value\]"),
    ("game twice", "2 0 2\n[1,1] [1,2]\n# c\n[1,1]\n", 4, "card B1 is dealt to seats 0 and 1"),
    ("game task", "2 0 2\n[1,1]\n[1,2]\n\n[1,3]\n", 5, "task B3 is a card nobody holds"),
    ("game task twice", "2 0 2\n[1,1]\n[1,2]\n[1,1]\n[1,1]\n", 5, "task B1 is given twice"),
    ("game sizes", "2 0 2\n[1,1] [1,3] [1,4]\n[1,2]\n", 2, "hands of 3, 1 cards"),
    ("game hands", "3 0 2\n[1,1]\n[1,2]\n", 1, "2 lines of hands for 3 players: write one for each"),
    ("game rest", "1 0 2\n[1,1]\n[1,1]\n[1,1]\n", 4, "cards after the last player's objectives"),
]  # fmt: skip


@pytest.mark.parametrize(("text", "line", "message"), [m[1:] for m in MISTAKES], ids=[m[0] for m in MISTAKES])
def test_mistakes_are_told_with_place_card_and_remedy(text: str, line: int, message: str) -> None:
    with pytest.raises(BadFile, match=message) as caught:
        loads(text, file="my.deal")
    assert str(caught.value).startswith(f"my.deal:{line}: ")
    assert (caught.value.file, caught.value.line) == ("my.deal", line)


def test_a_missing_card_matters_only_where_the_deck_must_be_complete() -> None:
    text = "2x2; 0; B1 B2 | G1; fixed\n"
    assert loads(text).is_complete is False
    with pytest.raises(BadFile, match=r"<text>:1: the deck 2x2 must be complete, but nobody holds G2"):
        loads(text, complete=True)
    assert loads("2x2; 0; B1 B2 | G1 G2; fixed", complete=True).is_complete


@pytest.mark.parametrize(
    ("content", "message"),
    [
        (b"", "the file is empty"),
        (b"\x7fELF\x02\x01\x01\x00\x00", "binary data, no deal file"),
        ('deck = "2x3"'.encode("utf-16"), "is written in UTF-16: save it as UTF-8"),
        ('name = "crème"'.encode("latin-1"), "byte 0xe8 is not UTF-8: save the file as UTF-8"),
        (b"2x3; 0; B1 | B2; fixed\n" + b"\x00" * 10, "binary data"),
    ],
)
def test_what_is_no_text_is_refused(tmp_path: Path, content: bytes, message: str) -> None:
    path = tmp_path / "junk"
    path.write_bytes(content)
    with pytest.raises(BadFile, match=message):
        load(path)


def test_a_missing_file_and_a_folder_are_told_apart(tmp_path: Path) -> None:
    with pytest.raises(BadFile, match="No such file"):
        load(tmp_path / "none.toml")
    with pytest.raises(BadFile, match="directory"):
        load(tmp_path)


class Endless(io.RawIOBase):
    """A file of 100 MB that repeats one block and notes how much of it was read."""

    def __init__(self, block: bytes) -> None:
        self.block, self.read_bytes, self.name = block, 0, "junk"

    def readable(self) -> bool:
        return True

    def readinto(self, buffer: memoryview) -> int:  # type: ignore[override]
        size = min(len(buffer), len(self.block), 100_000_000 - self.read_bytes)
        buffer[:size] = self.block[:size]
        self.read_bytes += size
        return size


@pytest.mark.parametrize(
    "block",
    [b"x", b"junk ", b"\n", b"# junk\n", b"a = 1\n", b'a = "', b"{", b'{"a":', b"{\n", b"4 0 5\n", b"[1,1]\n",
     b"1;2x3;", b"1;2x3;\n", b"\xff", bytes(range(256))],
)  # fmt: skip
def test_a_hundred_megabytes_of_junk_are_refused_quickly(block: bytes) -> None:
    junk = Endless(block * (8192 // len(block)))
    tracemalloc.start()
    records = list(scan(io.BufferedReader(junk)))
    _, peak = tracemalloc.get_traced_memory()
    tracemalloc.stop()
    assert records and all(record.error for record in records)
    assert junk.read_bytes < 2_000_000
    assert peak < 30_000_000


def test_one_bad_deal_stops_no_other() -> None:
    text = f"# three deals\n{LINE}\nnonsense\nlast; {LINE}\n"
    records = list(scan(io.StringIO(text)))
    assert [record.line for record in records] == [2, 3, 4]
    assert [record.error is None for record in records] == [True, False, True]
    assert [record.name for record in records] == ["<text>:2", "<text>:3", "last"]
    assert records[1].error_json() == {
        "name": "<text>:3",
        "error": "<text>:3: a deal line needs deck; leader; hands; tasks, separated by semicolons",
        "file": "<text>",
        "line": 3,
    }
    with pytest.raises(CrewError):
        records[1].get()


def test_a_stream_is_read_as_it_comes() -> None:
    class Slow(io.StringIO):
        lines_read = 0

        def readline(self, size: int | None = -1, /) -> str:
            self.lines_read += 1
            return super().readline(-1 if size is None else size)

    slow = Slow(f"{LINE}\n" * 100)
    records = scan(slow)
    next(records)
    assert slow.lines_read <= 2
    assert 1 + sum(1 for _ in records) == 100


def test_a_thousand_bad_deals_in_a_row_end_the_reading() -> None:
    records = list(scan(io.StringIO(f"{LINE}\n" + "bad\n" * 5000)))
    assert len(records) == 1 + MAX_BAD_RUN + 1
    assert "the rest is not read" in str(records[-1].error)


def test_a_line_longer_than_any_deal_is_refused() -> None:
    with pytest.raises(BadFile, match=f"<text>:1: a line of more than {MAX_LINE} bytes"):
        loads("x" * (MAX_LINE + 1))


def test_one_deal_means_one() -> None:
    with pytest.raises(BadFile, match="<text>:2: a second deal where one is expected"):
        loads(f"{LINE}\n{LINE}\n")


def test_the_format_can_be_forced() -> None:
    with pytest.raises(BadFile, match="no valid TOML"):
        loads(LINE, format="toml")
    assert loads(LINE, format="line") == Deal.parse(LINE)
    with pytest.raises(UnknownName, match="unknown format 'tom'; did you mean 'toml'"):
        loads(LINE, format="tom")
    with pytest.raises(UnknownName, match="unknown format"):
        dumps(Deal.parse(LINE), format="xml")
    assert set(FORMATS) == {"toml", "line", "game", "json"}


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("", "p:1: no card in it"),
        ("B1 B2\nB3 x", "p:2: 'x' is no card"),
        ("B1 | B2 B3", "p:1: trick 1 of the playout has 1 cards for 2 seats: one each"),
        ("B1 B2 | B3 B4 B5", "p:1: the last trick of the playout has 3 cards for 2 seats"),
        ('{"cards": []}', "p:1: no playout in it|no playout in it"),
        ('{"plays": [["B1", 2]]}', "plays is a list of tricks"),
        ('{"plays": ', "p:1: no valid JSON"),
    ],
)
def test_bad_playouts_are_told_with_their_place(text: str, message: str) -> None:
    with pytest.raises(CrewError, match=message):
        notation.loads_playout(text, seats=2, file="p")


def test_playouts_may_have_comments_and_a_trick_to_a_line() -> None:
    text = "# my play\nB1 B2 |  # hm\nB3 B4 |\nB5"
    assert str(notation.loads_playout(text, seats=2)) == "B1 B2 | B3 B4 | B5"
    assert notation.loads_playout('["B1", "B2", "B3"]', seats=2).tricks[1] == (Card.parse("B3"),)


WINNABLE = {
    "classic": True, "free for three": True, "no rockets": True, "official": False, "house rule": True,
    "unwinnable": False, "at most": True, "small.game:1": True,
}  # fmt: skip


def test_the_examples_are_what_they_say() -> None:
    files = ("classic.toml", "free.toml", "no_rockets.toml", "small.deals", "small.game")
    found = {
        record.name.rsplit("/", 1)[-1]: naive.winnable(record.get())
        for file in files
        for record in scan(EXAMPLES / file)
    }
    assert found == WINNABLE
