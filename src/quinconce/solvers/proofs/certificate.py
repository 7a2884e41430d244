"""The text of a certificate: a claim, and the answers that are to prove it.

A certificate is text. Headers say what it claims, in the manner of a record:

    [Format "quinconce certificate 1"]
    [Game "NAME"]
    [Rules "1"]                      the version of the rules
    [Options "KEY=VALUE …"]
    [Position "TEXT"]                where the claim begins; left out for the start of the game
    [Winners "1"]                    the seats that win, from 0, joined by +
    [Within "20"]                    in this many plies or fewer
    [Digest "…"]                     SHA-256, in hexadecimal, of the text without this line

An empty line follows, then one line for every position in which a winner is to move but cannot win
at once, and which a game can reach where the winners play by the certificate: the position and the
answer, a move. Where winners can win at once they do, and no line says so.

    m/o/rn//// m@1

A position is written as in a record, but for the empty cells at the end of each row, which are left
out, and `turn=…`, which stands only where the winners have several turns in a round. Of all
positions that the symmetries of the game turn into each other, the winners staying who they are,
the first in plain order stands for all; its answer is turned with it.
"""

from __future__ import annotations

import hashlib
import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Final

from quinconce.core.claim import Claim
from quinconce.core.errors import RecordError
from quinconce.core.files import name_file_in_errors, read_text
from quinconce.core.game import EMPTY, Game
from quinconce.core.phrase import _, quote
from quinconce.core.record_parser import HEADER_LINE, RawRecord
from quinconce.core.symmetry import Symmetry, canonical_position

FORMAT: Final = "quinconce certificate 1"
LARGEST_CERTIFICATE: Final = 1 << 28  # bytes
REQUIRED_HEADERS: Final = ("Format", "Game", "Winners", "Within", "Digest")
KNOWN_HEADERS: Final = {*REQUIRED_HEADERS, "Rules", "Options", "Position"}
LONGEST_CLAIM: Final = 400  # plies; the check takes a place on Python's stack for each
DIGEST_LINE: Final = re.compile(r'^\[Digest "[^"\n]*"\]\n', re.MULTILINE)


@dataclass
class Certificate:
    """A claim, and the answers that are to prove it."""

    claim: Claim
    answers: Mapping[Any, str]
    lines: Mapping[Any, int]  # where each answer stands
    intact: bool = True  # whether the digest is that of the text


def parse_certificate(text: str) -> Certificate:
    """The certificate that a text is; RecordError, with the line, if it is none."""
    content = text.split("\n")
    sheet = parse_headers(content)
    claim = Claim.from_headers(sheet, LONGEST_CLAIM)
    answers: dict[Any, str] = {}
    lines: dict[Any, int] = {}
    first = len(sheet.headers)
    if content[first : first + 1] != [""]:
        raise RecordError(_("an empty line stands between headers and answers"), first + 1)
    for n, line in enumerate(content[first + 1 :], start=first + 2):
        if line or n < len(content):
            position, answer = parse_line(claim.game, claim.side, line, n)
            if position in answers:
                raise RecordError(_("this position has an answer already"), n)
            answers[position], lines[position] = answer, n
    intact = certificate_digest(text) == sheet.headers["Digest"]
    return Certificate(claim, answers, lines, intact)


def parse_headers(content: Sequence[str]) -> RawRecord:
    """The headers at the beginning, those that must be there among them."""
    sheet = RawRecord()
    for n, line in enumerate(content, start=1):
        header = HEADER_LINE.fullmatch(line)
        if not header:
            break
        if header[1] in sheet.headers or header[1] not in KNOWN_HEADERS:
            raise RecordError(_("{name} cannot be a header", name=quote(header[1])), n)
        sheet.headers[header[1]], sheet.lines[header[1]] = header[2], n
    for name in REQUIRED_HEADERS:
        if name not in sheet.headers:
            raise RecordError(_("the header {name} is missing", name=name))
    if sheet.headers["Format"] != FORMAT:
        why = _(
            "it is {found}, and this program reads {known}",
            found=quote(sheet.headers["Format"]),
            known=FORMAT,
        )
        raise sheet.header_error("Format", why)
    return sheet


def certificate_digest(text: str) -> str:
    """The digest of a certificate's text."""
    return hashlib.sha256(DIGEST_LINE.sub("", text, count=1).encode()).hexdigest()


def turns_of_side(game: Game[Any], side: int) -> list[int]:
    """The turns of a round in which a side moves."""
    return [turn for turn, seat in enumerate(game.cycle) if game.side(seat) == side]


def parse_line(game: Game[Any], side: int, line: str, n: int) -> tuple[Any, str]:
    """A position and its answer."""
    words = line.split(" ")
    if len(words) < 2 or not all(words):
        raise RecordError(_("{line} is not a position and a move", line=quote(line)), n)
    rows, *fields, answer = words
    model = game.start()
    turns = turns_of_side(game, side)
    if len(turns) == 1 and "turn" in model._fields:
        fields.insert(model._fields.index("turn") - 1, f"turn={turns[0]}")
    board = "/".join(row.ljust(game.width, EMPTY) for row in rows.split("/"))
    try:
        return game.read(" ".join((board, *fields))), answer
    except ValueError as error:
        raise RecordError(error.args[0], n) from None


def format_line(game: Game[Any], side: int, position: Any, answer: str) -> str:
    """What `parse_line` reads."""
    board, *fields = game.write(position).split(" ")
    if len(turns_of_side(game, side)) == 1:
        fields = [field for field in fields if not field.startswith("turn=")]
    rows = "/".join(row.rstrip(EMPTY) for row in board.split("/"))
    return " ".join((rows, *fields, answer))


def format_certificate(certificate: Certificate) -> str:
    """The text of a certificate, its lines in plain order."""
    claim = certificate.claim
    headers = {"Format": FORMAT, **claim.headers()}
    head = [f'[{name} "{value}"]\n' for name, value in headers.items()]
    lines = [
        format_line(claim.game, claim.side, *line) + "\n" for line in certificate.answers.items()
    ]
    body = "\n" + "".join(sorted(lines))
    sealed = f'[Digest "{certificate_digest("".join(head) + body)}"]\n'
    return "".join((*head, sealed, body))


class SideSymmetries:
    """The symmetries of a game that leave every player on their side."""

    def __init__(self, game: Game[Any]) -> None:
        self.symmetries = [
            symmetry
            for symmetry in game.symmetries()
            if all(game.side(seat) == game.side(to) for seat, to in enumerate(symmetry.seats))
        ]

    def canonical(self, position: Any) -> Any:
        """The first in plain order of all that a position can be turned into."""
        return canonical_position(position, self.symmetries)

    def canonical_with_symmetry(self, position: Any) -> tuple[Symmetry, Any]:
        """The same, and a symmetry that turns the position into it."""
        first = self.canonical(position)
        images = ((symmetry, symmetry.image(position)) for symmetry in self.symmetries)
        return next(pair for pair in images if pair[1] == first)


def read_certificate(path: Path) -> Certificate:
    """A certificate from a file; ValueError, naming the file, if it is none."""
    with name_file_in_errors(path):
        return parse_certificate(read_text(path, LARGEST_CERTIFICATE))
