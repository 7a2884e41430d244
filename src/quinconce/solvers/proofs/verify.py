"""Checks a certificate with the plain rules only: a strategy is played against every reply.

A certificate is text. Headers say what it claims, in the manner of a record:

    [Format "quinconce certificate 1"]
    [Game "NAME"]
    [Rules "1"]                      the version of the rules
    [Options "KEY=VALUE …"]
    [Position "TEXT"]                where the claim begins; left out for the start of the game
    [Winners "1"]                    the seats that win, from 0, joined by +
    [Within "20"]                    in so many plies or fewer
    [Digest "…"]                     SHA-256, in hexadecimal, of the text without this line

An empty line follows, then one line for every position in which a winner is to move but cannot win
at once, and which a game can reach where the winners play by the certificate: the position and the
answer, a move. Where a winner can win at once he does, and no line says so.

    m/o/rn//// m@1

A position is written as everywhere in the house, but for the empty cells at the end of each row,
which are left out, and `turn=…`, which stands only where the winners have several turns in a round.
Of all positions that the symmetries of the game turn into each other, the winners staying who they
are, the first in plain order stands for all; its answer is turned with it.
"""

from __future__ import annotations

import hashlib
import re
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Final, NamedTuple

from quinconce.core.errors import MoveError, RecordError
from quinconce.core.game import EMPTY, Game
from quinconce.core.option import number
from quinconce.core.phrase import Phrase as _
from quinconce.core.phrase import quoted
from quinconce.core.record import game_of
from quinconce.core.record_parser import HEADER, Sheet
from quinconce.core.symmetry import Symmetry

FORMAT: Final = "quinconce certificate 1"
NEEDED: Final = ("Format", "Game", "Winners", "Within", "Digest")
KNOWN: Final = {*NEEDED, "Rules", "Options", "Position"}
MOST_PLIES: Final = 400  # of a claim: each takes a place on Python's stack
DIGEST: Final = re.compile(r'^\[Digest "[^"\n]*"\]\n', re.MULTILINE)


@dataclass
class Certificate:
    """A claim, and the answers that are to prove it."""

    game: Game[Any]
    start: Any
    side: int  # that wins
    within: int
    answers: Mapping[Any, str]
    lines: Mapping[Any, int]  # where each answer stands
    intact: bool = True  # whether the digest is that of the text

    def claim(self) -> _:
        """What it says, in words."""
        game = self.game
        options = " ".join(f"{name}={value}" for name, value in game.chosen.items())
        players = ", ".join(str(seat + 1) for seat in game.sides[self.side])
        title = _("{game} ({options})", game=game.title, options=options) if options else game.title
        if self.start == game.start():
            where: str = _("the start")
        else:
            where = game.write(self.start)
        return _(
            "{title}, from {where}: player {players} wins within {n} plies, whatever is replied",
            title=title,
            where=where,
            players=players,
            n=self.within,
        )


class Verdict(NamedTuple):
    """What the check of a certificate that holds has seen."""

    answers: int
    replies: int
    longest: int  # plies of the longest game


def read_certificate(text: str) -> Certificate:
    """The certificate that a text is; RecordError, with the line, if it is none."""
    content = text.split("\n")
    sheet = headers_of(content)
    game = game_of(sheet)
    try:
        start = game.read(sheet.headers["Position"]) if "Position" in sheet.headers else None
    except ValueError as error:
        raise sheet.error("Position", error.args[0]) from None
    answers: dict[Any, str] = {}
    lines: dict[Any, int] = {}
    side = winners_of(sheet, game)
    first = len(sheet.headers)
    if content[first : first + 1] != [""]:
        raise RecordError(_("an empty line stands between headers and answers"), first + 1)
    for n, line in enumerate(content[first + 1 :], start=first + 2):
        if line or n < len(content):
            position, answer = read_line(game, side, line, n)
            if position in answers:
                raise RecordError(_("this position has an answer already"), n)
            answers[position], lines[position] = answer, n
    intact = digest(text) == sheet.headers["Digest"]
    start = game.start() if start is None else start
    return Certificate(game, start, side, plies_of(sheet, game), answers, lines, intact)


def headers_of(content: Sequence[str]) -> Sheet:
    """The headers at the beginning, those that must be there among them."""
    sheet = Sheet()
    for n, line in enumerate(content, start=1):
        header = HEADER.fullmatch(line)
        if not header:
            break
        if header[1] in sheet.headers or header[1] not in KNOWN:
            raise RecordError(_("{name} cannot be a header", name=quoted(header[1])), n)
        sheet.headers[header[1]], sheet.lines[header[1]] = header[2], n
    for name in NEEDED:
        if name not in sheet.headers:
            raise RecordError(_("the header {name} is missing", name=name))
    if sheet.headers["Format"] != FORMAT:
        why = _(
            "it is {found}, and this program reads {known}",
            found=quoted(sheet.headers["Format"]),
            known=FORMAT,
        )
        raise sheet.error("Format", why)
    return sheet


def winners_of(sheet: Sheet, game: Game[Any]) -> int:
    """The side that is claimed to win."""
    text = sheet.headers["Winners"]
    for side, seats in enumerate(game.sides):
        if text == "+".join(map(str, seats)):
            return side
    raise sheet.error("Winners", _("{seats} are not seats that win together", seats=quoted(text)))


def plies_of(sheet: Sheet, game: Game[Any]) -> int:
    """Within how many plies; where quiet turns end a game, it must be won before."""
    within, last = number(sheet.headers["Within"]), game.quiet_limit or MOST_PLIES
    if within is None or not 1 <= within <= last:
        raise sheet.error("Within", _("a proof goes from 1 to {last} plies", last=last))
    return within


def digest(text: str) -> str:
    """The digest of a certificate's text."""
    return hashlib.sha256(DIGEST.sub("", text, count=1).encode()).hexdigest()


def own_turns(game: Game[Any], side: int) -> list[int]:
    """The turns of a round in which a side moves."""
    return [turn for turn, seat in enumerate(game.cycle) if game.side(seat) == side]


def read_line(game: Game[Any], side: int, line: str, n: int) -> tuple[Any, str]:
    """A position and its answer."""
    words = line.split(" ")
    if len(words) < 2 or not all(words):
        raise RecordError(_("{line} is not a position and a move", line=quoted(line)), n)
    rows, *fields, answer = words
    model = game.start()
    turns = own_turns(game, side)
    if len(turns) == 1 and "turn" in model._fields:
        fields.insert(model._fields.index("turn") - 1, f"turn={turns[0]}")
    board = "/".join(row.ljust(game.width, EMPTY) for row in rows.split("/"))
    try:
        return game.read(" ".join((board, *fields))), answer
    except ValueError as error:
        raise RecordError(error.args[0], n) from None


def write_line(game: Game[Any], side: int, position: Any, answer: str) -> str:
    """What `read_line` reads."""
    board, *fields = game.write(position).split(" ")
    if len(own_turns(game, side)) == 1:
        fields = [field for field in fields if not field.startswith("turn=")]
    rows = "/".join(row.rstrip(EMPTY) for row in board.split("/"))
    return " ".join((rows, *fields, answer))


def write_certificate(certificate: Certificate) -> str:
    """The text of a certificate, its lines in plain order."""
    game, side = certificate.game, certificate.side
    headers = {
        "Format": FORMAT,
        "Game": game.name,
        "Rules": str(game.rules),
        "Options": " ".join(f"{name}={value}" for name, value in game.chosen.items()),
        "Position": game.write(certificate.start),
        "Winners": "+".join(map(str, game.sides[side])),
        "Within": str(certificate.within),
    }
    if certificate.start == game.start():
        del headers["Position"]
    head = [f'[{name} "{value}"]\n' for name, value in headers.items()]
    lines = [write_line(game, side, *line) + "\n" for line in certificate.answers.items()]
    body = "\n" + "".join(sorted(lines))
    sealed = f'[Digest "{digest("".join(head) + body)}"]\n'
    return "".join((*head, sealed, body))


class Symmetries:
    """The symmetries of a game that leave every player on his side."""

    def __init__(self, game: Game[Any]) -> None:
        self.game = game
        self.kept = [
            symmetry
            for symmetry in game.symmetries()
            if all(game.side(seat) == game.side(to) for seat, to in enumerate(symmetry.seats))
        ]

    def first(self, position: Any) -> Any:
        """The first in plain order of all that a position can be turned into."""
        return min(self.game.image(symmetry, position) for symmetry in self.kept)

    def turned(self, position: Any) -> tuple[Symmetry, Any]:
        """The same, and a symmetry that turns the position into it."""
        first = self.first(position)
        images = ((symmetry, self.game.image(symmetry, position)) for symmetry in self.kept)
        return next(pair for pair in images if pair[1] == first)


def wins(game: Game[Any], position: Any) -> Iterator[str]:
    """The moves that end the game at once in favour of the side of the player to move."""
    side = game.sides[game.side(game.seat(position))]
    for text, after in game.moves(position):
        outcome = game.outcome(after)
        if outcome and outcome.winners == side:
            yield text


class Check:
    """One walk through all games that can be played against a certificate.

    Answers that lead round in a circle never end it: some game then takes more plies than claimed.
    """

    def __init__(self, certificate: Certificate, watch: Callable[[int], None]) -> None:
        self.certificate = certificate
        self.game = certificate.game
        self.symmetries = Symmetries(self.game)
        self.watch = watch
        self.longest: dict[Any, int] = {}  # the plies still to play at most, by position
        self.replies = 0

    def refused(self, position: Any, why: _) -> RecordError:
        """The error that names a position where the certificate fails."""
        here = self.game.write(position)
        return RecordError(
            _("in position «{position}»: {why}", position=here, why=why),
            self.certificate.lines.get(position),
        )

    def ahead(self, position: Any, ply: int) -> int:
        """How many plies a game can still take from here."""
        outcome = self.game.outcome(position)
        if outcome:
            if outcome.winners != self.game.sides[self.certificate.side]:
                raise self.refused(position, _("the game is over, and not won as claimed"))
            return 0
        if ply >= self.certificate.within:
            why = _("the game goes on after {n} plies", n=self.certificate.within)
            raise self.refused(position, why)
        if self.game.side(self.game.seat(position)) == self.certificate.side:
            if next(wins(self.game, position), None):
                return 1
            return self.answered(self.symmetries.first(position), ply)
        plies = 0
        for _text, after in self.game.moves(position):
            self.replies += 1
            plies = max(plies, 1 + self.ahead(after, ply + 1))
        return plies

    def answered(self, position: Any, ply: int) -> int:
        """The same where the certificate has to know the move."""
        if position not in self.longest:
            answer = self.certificate.answers.get(position)
            if answer is None:
                raise self.refused(position, _("there is no answer"))
            try:
                after = self.game.after(position, answer)
            except MoveError as error:
                raise RecordError(error.args[0], self.certificate.lines[position]) from None
            self.longest[position] = 1 + self.ahead(after, ply + 1)
            self.watch(len(self.longest))
        if ply + self.longest[position] > self.certificate.within:
            why = _("the game goes on after {n} plies", n=self.certificate.within)
            raise self.refused(position, why)
        return self.longest[position]


def verify(certificate: Certificate, watch: Callable[[int], None] = lambda done: None) -> Verdict:
    """Play every game against a certificate; RecordError where it fails.

    `watch` is told how many answers have been seen to hold.
    """
    check = Check(certificate, watch)
    longest = check.ahead(certificate.start, 0)
    for position in certificate.answers:
        if position not in check.longest:
            why = _("no game that follows the answers comes here, or not as it is written")
            raise check.refused(position, why)
    if not certificate.intact:
        raise RecordError(_("the digest is not that of the text: somebody has changed it"))
    return Verdict(len(check.longest), check.replies, longest)
