"""Whatever bytes come in, a user sees an answer or a message, never a traceback."""

from __future__ import annotations

import io
from pathlib import Path

from click.testing import CliRunner, Result
from hypothesis import example, given, settings
from hypothesis import strategies as st

from crewsolve.cli import main
from crewsolve.deal import Deal
from crewsolve.errors import CrewError
from crewsolve.notation import FORMATS, loads_playout, scan
from tests.strategies import deals

ROOT = Path(__file__).parents[1]
SEEDS = [path.read_bytes() for path in sorted((ROOT / "examples").iterdir()) if path.is_file()]
TOKENS = [
    b"B1", b"R9", b"Q", b"|", b";", b":", b"/", b"<=", b"[", b"]", b"{", b"}", b'"', b"'", b"#", b"=", b"\n",
    b"\x00", b"\xff", b"\\ud800", b"\\u0000", b"-1", b"0x" + b"f" * 4000, b"9" * 5000, b"1e999", b"nan",
    b"1979-05-27", b"true", b"null", b"deck", b"hands", b"tasks", b"free", b"fixed", b"rules", b"played",
    b"4x9+4", b"99999x99999+99999", b"0x0", "é▶".encode(), b"\xef\xbb\xbf", b"[[", b"," * 50, b"[" * 3000,
]  # fmt: skip


@st.composite
def mutations(draw: st.DrawFn) -> bytes:
    """A valid file with a few places deleted, doubled or overwritten."""
    data = bytearray(draw(st.sampled_from(SEEDS)))
    for _ in range(draw(st.integers(1, 4))):
        start = draw(st.integers(0, len(data)))
        end = min(len(data), start + draw(st.integers(0, 12)))
        new = draw(
            st.one_of(st.sampled_from(TOKENS), st.binary(max_size=6), st.just(bytes(data[start:end]) * 2))
        )
        data[start:end] = new
    return bytes(data)


latin = mutations().map(lambda data: data.decode("latin-1"))
anything = st.one_of(st.binary(max_size=200), st.text(max_size=200).map(str.encode), mutations())


def assert_told(result: Result) -> None:
    """The command ended by itself: with an answer, or with a message and an exit code for it."""
    assert result.exception is None or isinstance(result.exception, SystemExit), repr(result.exception)
    assert result.exit_code in (0, 1, 2)
    if result.exit_code:
        assert "Error: " in result.output or '"error": ' in result.output
    assert "Traceback" not in result.output


@settings(deadline=None, max_examples=500)
@given(anything, st.sampled_from([None, *FORMATS]), st.sampled_from([None, 0, 1]), st.booleans())
@example(b"4 0 5\n" + b"[1,1]" * 5000, None, None, False)
def test_scan_yields_deals_or_mistakes(
    data: bytes, format: str | None, base: int | None, complete: bool
) -> None:
    records = list(scan(io.BytesIO(data), format=format, base=base, complete=complete))
    assert records
    for record in records:
        if record.deal is None:
            assert isinstance(record.error, CrewError)
            assert str(record.error).startswith(f"<text>:{record.line}: ")
            str(record.error).encode()
        else:
            assert Deal.parse(str(record.deal)) == record.deal


@settings(deadline=None, max_examples=200)
@given(anything)
def test_show_tells_what_is_wrong(data: bytes) -> None:
    assert_told(CliRunner().invoke(main, ["show", "-"], input=data))
    assert_told(CliRunner().invoke(main, ["show", "-", "--json"], input=data))


@settings(deadline=None, max_examples=100)
@given(anything, st.sampled_from(FORMATS), st.text(max_size=20))
def test_convert_tells_what_is_wrong(data: bytes, format: str, played: str) -> None:
    arguments = ["convert", "-", "--to", format, f"--played={played}"]
    assert_told(CliRunner().invoke(main, arguments, input=data))


@settings(deadline=None, max_examples=150)
@given(anything)
def test_replay_tells_what_is_wrong(data: bytes) -> None:
    result = CliRunner().invoke(main, ["replay", str(ROOT / "examples" / "rescue.toml"), "-"], input=data)
    assert_told(result)


@settings(deadline=None, max_examples=200)
@given(st.one_of(st.text(max_size=100), latin), st.integers(1, 5))
def test_playouts_are_read_or_refused(text: str, seats: int) -> None:
    try:
        playout = loads_playout(text, seats=seats)
    except CrewError:
        return
    assert loads_playout(str(playout), seats=seats) == playout or not playout.cards


@settings(deadline=None, max_examples=60)
@given(deals())
def test_every_deal_can_be_shown(deal: Deal) -> None:
    result = CliRunner().invoke(main, ["show", "-"], input=str(deal))
    assert result.exit_code == 0, result.output
    for card in deal.tasks.cards:
        assert str(card) in result.output
