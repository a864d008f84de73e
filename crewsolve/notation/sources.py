"""Where text comes from: paths, `-` for stdin and open streams, read in bounded bites.

Nothing here trusts a file: lines and documents longer than any deal are refused before they are read to
their end, and bytes that are no UTF-8 text are refused with the reason.
"""

from __future__ import annotations

import io
import os
import re
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from typing import IO

from crewsolve.errors import BadFile, CrewError

Source = str | os.PathLike[str] | IO[str] | IO[bytes]
"""A path, `-` for stdin, or a stream of text or bytes."""

STDIN_LABEL = "<stdin>"

MAX_LINE = 1 << 16
"""Bytes of one line; a line with 63 cards in every place and a long name needs 2 KiB."""

MAX_DOCUMENT = 1 << 18
"""Bytes of one TOML, `.game` or playout file, comments included."""

_BYTE_ORDER_MARKS = ((b"\xff\xfe", "UTF-16"), (b"\xfe\xff", "UTF-16"), (b"\x00\x00\xfe\xff", "UTF-32"))
_BINARY = re.compile(rb"[\x00-\x08\x0b\x0e-\x1a\x1c-\x1f]")


def label_of(source: Source) -> str:
    """What messages call a source: its path as given, or the name of the stream."""
    if isinstance(source, (str, os.PathLike)):
        path = os.fspath(source)
        return STDIN_LABEL if path == "-" else path
    name = getattr(source, "name", "")
    if not isinstance(name, str) or not name:
        return "<text>"
    return STDIN_LABEL if name in ("-", STDIN_LABEL) else name


@contextmanager
def opened(source: Source) -> Iterator[IO[bytes]]:
    """The bytes of a source; closes only what it has opened."""
    if not isinstance(source, (str, os.PathLike)):
        yield _as_bytes(source)
    elif os.fspath(source) == "-":
        yield _as_bytes(sys.stdin)
    else:
        label = label_of(source)
        try:
            stream = open(source, "rb")
        except (OSError, ValueError) as error:
            reason = error.strerror if isinstance(error, OSError) else str(error)
            raise BadFile(f"cannot be read: {reason}", file=label) from error
        with stream:
            yield stream


def _as_bytes(stream: IO[str] | IO[bytes]) -> IO[bytes]:
    buffer = getattr(stream, "buffer", None)
    if buffer is not None:
        return buffer
    if isinstance(stream, io.TextIOBase):
        return _Encoded(stream)
    return stream  # type: ignore[return-value]


class _Encoded(io.BytesIO):
    """A text stream without bytes below, such as `io.StringIO`, encoded line by line."""

    def __init__(self, stream: io.TextIOBase) -> None:
        super().__init__()
        self._stream = stream

    def readline(self, size: int | None = -1, /) -> bytes:
        return self._stream.readline(-1 if size is None else size).encode("utf-8", "surrogatepass")


def lines_of(stream: IO[bytes], file: str) -> Iterator[tuple[int, str]]:
    """The lines of a stream with their numbers from 1, as they come; the first that is no text is refused."""
    number = 0
    while True:
        try:
            raw = stream.readline(MAX_LINE + 1)
        except OSError as error:
            raise BadFile(f"cannot be read: {error.strerror}", file=file) from error
        if not raw:
            return
        number += 1
        if number == 1:
            raw = raw.removeprefix(b"\xef\xbb\xbf")
        yield number, decoded(raw, file, number)


def decoded(raw: bytes, file: str, line: int) -> str:
    """One line as text; refuses other encodings, binary data and endless lines."""
    for mark, encoding in _BYTE_ORDER_MARKS:
        if line == 1 and raw.startswith(mark):
            raise BadFile(f"is written in {encoding}: save it as UTF-8", file=file, line=line)
    if _BINARY.search(raw):
        raise BadFile("binary data, no deal file: deals are written as text", file=file, line=line)
    if len(raw) > MAX_LINE:
        raise BadFile(f"a line of more than {MAX_LINE} bytes is no deal", file=file, line=line)
    try:
        return raw.decode("utf-8")
    except UnicodeDecodeError as error:
        byte = raw[error.start]
        raise BadFile(
            f"byte 0x{byte:02x} is not UTF-8: save the file as UTF-8", file=file, line=line
        ) from error


def document_of(lines: Iterator[tuple[int, str]], file: str) -> str:
    """All lines as one text, refused where it is longer than any deal file."""
    parts: list[str] = []
    size = 0
    for number, line in lines:
        size += len(line)
        if size > MAX_DOCUMENT:
            raise BadFile(f"more than {MAX_DOCUMENT} bytes for one deal", file=file, line=number)
        parts.append(line)
    return "".join(parts)


@contextmanager
def placed(file: str, line: int) -> Iterator[None]:
    """Give every user's mistake in the block its place."""
    try:
        yield
    except BadFile:
        raise
    except CrewError as error:
        raise BadFile(str(error), file=file, line=line) from error
