"""A record: a finished or running match as text with PGN-like headers, or as its JSON twin."""

from __future__ import annotations

import datetime
import json
import re
import zlib
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import asdict, dataclass, field, replace
from pathlib import Path
from typing import Any, Final

from quinconce.core.errors import MoveError, RecordError
from quinconce.core.files import write_atomically
from quinconce.core.game import Game
from quinconce.core.match import Match
from quinconce.core.move_limit import read_position
from quinconce.core.movetext import write_movetext
from quinconce.core.option import options_text, parse_number
from quinconce.core.phrase import _, ngettext, quote
from quinconce.core.position import Outcome
from quinconce.core.record_parser import (
    PLAIN_FORMAT,
    TREE_FORMAT,
    RawRecord,
    parse_raw_record,
)
from quinconce.core.registry import game_class
from quinconce.core.variations import Variations, check_node_count

ONGOING: Final = "*"
DRAW_RESULT: Final = "draw"
TAG_NAME: Final = re.compile(r"[A-Z][A-Za-z]{0,39}")  # those with a number are ours
SEAT_HEADER: Final = re.compile(r"(Seat|Level|Seed)([0-9])")
HEADERS: Final = (
    "Format",
    "Game",
    "Rules",
    "Options",
    "Position",
    "Date",
    "Result",
    "Reason",
    "By",
    "Digest",
)


@dataclass(frozen=True)
class Seat:
    """Who sat there: a name, and for an engine its level and its seed.

    >>> Seat("Ada").name, Seat("Quinconce", level=5, seed=1).level
    ('Ada', 5)
    """

    name: str = ""
    level: int | None = None
    seed: int | None = None

    def __post_init__(self) -> None:
        # Half a surrogate pair is a str, but no file can hold it.
        if not isinstance(self.name, str) or re.search("[\ud800-\udfff]", self.name):
            raise ValueError(_("{value} is not a name", value=quote(self.name)))
        for value in (self.level, self.seed):
            if value is not None and (type(value) is not int or parse_number(str(value)) is None):
                raise ValueError(_("{value} is not a number", value=quote(value)))


@dataclass(frozen=True)
class Record:
    """A match written down. Positions are never stored, they are replayed.

    >>> from quinconce import Match, game
    >>> match = Match(game("diam"))
    >>> position = match.play("r@1")
    >>> record = Record.of(match, seats=[Seat("Ada"), Seat("Grace")])
    >>> Record.read(record.text()) == record
    True
    >>> record.match().moves
    ['r@1']
    """

    game: Game[Any]
    moves: tuple[str, ...] = ()
    start: Any = None  # a position, if not the usual one
    seats: tuple[Seat, ...] = ()
    date: datetime.date | None = None
    outcome: Outcome | None = None
    tags: Mapping[str, str] = field(default_factory=dict)  # further headers, kept as they are
    variations: Variations | None = None  # None where there is nothing beside the moves

    def __post_init__(self) -> None:
        """What could not be read back as it is written is refused here."""
        if len(self.seats) not in (0, self.game.seats):
            n, wrong = self.game.seats, len(self.seats)
            raise ValueError(
                ngettext(
                    "this game has {n} seat to name, not {wrong}",
                    "this game has {n} seats to name, not {wrong}",
                    n,
                    wrong=wrong,
                )
            )
        if self.date is not None and type(self.date) is not datetime.date:
            raise ValueError(_("{day} is not a day", day=quote(self.date)))
        for text in self.moves:
            if not isinstance(text, str) or text.split() != [text]:
                raise ValueError(_("{text} is not the text of a move", text=quote(text)))
        for name, value in self.tags.items():
            if not (is_tag_name(name) and isinstance(value, str)):
                raise ValueError(_("{name} cannot be a header", name=quote(name)))
        object.__setattr__(self, "moves", tuple(self.moves))
        object.__setattr__(self, "seats", tuple(self.seats))
        if self.start == self.game.start():
            object.__setattr__(self, "start", None)
        if self.variations is not None:
            object.__setattr__(self, "variations", self._own_tree(self.variations))

    def _own_tree(self, tree: Variations) -> Variations | None:
        """The tree for this record alone; None if it says no more than the moves."""
        if (tree.game, tree.start) != (self.game, self.first_position):
            raise ValueError(_("the variations are those of another game or start"))
        if [node.move for node in tree.main_line()] != list(self.moves):
            raise ValueError(_("the main line of the variations is not that of the record"))
        if tree.is_plain():
            return None
        check_node_count(len(tree))
        return tree.copy()

    @property
    def first_position(self) -> Any:
        """The position before the first move."""
        return self.game.start() if self.start is None else self.start

    @property
    def format(self) -> str:
        """The name of the format in which it is written."""
        return PLAIN_FORMAT if self.variations is None else TREE_FORMAT

    @classmethod
    def of(
        cls,
        match: Match[Any],
        seats: Sequence[Seat] = (),
        day: datetime.date | None = None,
        variations: Variations | None = None,
    ) -> Record:
        """The record of a match; its moves are the main line of the variations, if there are."""
        moves, over = tuple(match.moves), match.outcome()
        return cls(match.game, moves, match.start, tuple(seats), day, over, variations=variations)

    @classmethod
    def read(cls, text: str) -> Record:
        """The record that `text` or `json` wrote, every move replayed and checked."""
        return read_record(text)[0]

    def continued(self, moves: Sequence[str], outcome: Outcome | None) -> Record:
        """The same record after other moves; the variations that these leave room for are kept."""
        tree = None if self.variations is None else self.variations.copy()
        if tree is not None:
            tree.follow(moves)
        return replace(self, moves=tuple(moves), outcome=outcome, variations=tree)

    def match(self) -> Match[Any]:
        """The match, replayed; RecordError at the first move that does not hold."""
        return replay_record(self, RawRecord())

    def text(self) -> str:
        """The record as text: headers, an empty line, the moves a round a line, the result."""
        lines = [f'[{name} "{escape_header_value(value)}"]' for name, value in self._headers()]
        lines.append("")
        lines += self._rounds() if self.variations is None else write_movetext(self.variations)
        lines.append(result_text(self.outcome))
        return "\n".join(lines) + "\n"

    def _rounds(self) -> Iterator[str]:
        turns = len(self.game.cycle)
        for i in range(0, len(self.moves), turns):
            yield f"{i // turns + 1}. {' '.join(self.moves[i : i + turns])}"

    def _headers(self) -> Iterator[tuple[str, str]]:
        yield "Format", self.format
        yield "Game", self.game.name
        yield "Rules", str(self.game.rules)
        yield "Options", options_text(self.game.chosen)
        if self.start is not None:
            yield "Position", self.game.write(self.start)
        for i, seat in enumerate(self.seats):
            yield f"Seat{i}", seat.name
            if seat.level is not None:
                yield f"Level{i}", str(seat.level)
            if seat.seed is not None:
                yield f"Seed{i}", str(seat.seed)
        if self.date is not None:
            yield "Date", self.date.isoformat()
        yield "Result", result_text(self.outcome)
        if self.outcome:
            yield "Reason", self.outcome.reason
            if self.outcome.by:
                yield "By", self.outcome.by
        yield from self.tags.items()
        yield "Digest", moves_digest(self.moves)

    def json(self) -> dict[str, Any]:
        """The JSON twin."""
        over = self.outcome
        tree: dict[str, Any] = {}
        if self.variations is not None:
            note = self.variations.root.note
            tree = {"note": note} if note else {}
            tree["nodes"] = self.variations.json()
        return {
            "format": self.format,
            "game": self.game.name,
            "rules": self.game.rules,
            "options": dict(self.game.chosen),
            "position": None if self.start is None else self.game.write(self.start),
            "seats": [asdict(seat) for seat in self.seats],
            "date": None if self.date is None else self.date.isoformat(),
            "result": result_text(over),
            "reason": over.reason if over else None,
            "by": over.by if over else None,
            "tags": dict(self.tags),
            "digest": moves_digest(self.moves),
            "moves": list(self.moves),
            **tree,
        }

    def json_text(self) -> str:
        """The JSON twin, written out."""
        return json.dumps(self.json(), ensure_ascii=False, indent=2) + "\n"

    def save(self, path: Path) -> None:
        """Write a file: the text, or the JSON twin where the name ends in .json."""
        write_atomically(path, self.json_text() if path.suffix == ".json" else self.text())


def is_tag_name(name: str) -> bool:
    """Whether a further header may have this name."""
    return TAG_NAME.fullmatch(name) is not None and name not in HEADERS


def result_text(outcome: Outcome | None) -> str:
    """`*` while the match goes on, `draw`, or the winning seats: `0`, `0+1`."""
    if outcome is None:
        return ONGOING
    return "+".join(map(str, outcome.winners)) or DRAW_RESULT


def moves_digest(moves: Sequence[str]) -> str:
    """Eight digits that another sequence of moves hardly shares: a slip of the pen shows."""
    return f"{zlib.crc32(' '.join(moves).encode()):08x}"


def escape_header_value(value: str) -> str:
    """A header's value with what would end it or its line made harmless."""
    return value.replace("\\", "\\\\").replace('"', '\\"').replace("\n", "\\n").replace("\r", "\\r")


def read_record(text: str) -> tuple[Record, Match[Any]]:
    """A record from its text or its JSON twin, and the match it tells."""
    sheet = parse_raw_record(text)
    record = build_record(sheet)
    match = replay_record(record, sheet)
    if sheet.nodes is not None:
        record = with_variations(record, sheet)
    if sheet.headers.get("Digest", moves_digest(record.moves)) != moves_digest(record.moves):
        why = ngettext(
            "it does not fit the {n} move: it was changed, or one was lost or added",
            "it does not fit the {n} moves: one of them was changed, lost or added",
            len(record.moves),
        )
        raise sheet.header_error("Digest", why)
    return record, match


def build_record(sheet: RawRecord) -> Record:
    """What the headers say, each checked on its own."""
    headers = sheet.headers
    for name in ("Format", "Game"):
        if name not in headers:
            raise RecordError(_("the header {name} is missing", name=name))
    if headers["Format"] not in (PLAIN_FORMAT, TREE_FORMAT):
        why = _(
            "it is {found}, and this program reads {known}",
            found=quote(headers["Format"]),
            known=f"{PLAIN_FORMAT}, {TREE_FORMAT}",
        )
        raise sheet.header_error("Format", why)
    game = game_from_headers(sheet)
    start = None
    if "Position" in headers:
        try:
            start = read_position(game, headers["Position"])
        except ValueError as error:
            raise sheet.header_error("Position", error.args[0]) from None
    tags = {
        name: value
        for name, value in headers.items()
        if name not in HEADERS and not SEAT_HEADER.fullmatch(name)
    }
    for name in tags:
        if not is_tag_name(name):
            raise sheet.header_error(name, _("{name} cannot be a header", name=quote(name)))
    try:
        day = datetime.date.fromisoformat(headers["Date"]) if "Date" in headers else None
    except ValueError:
        raise sheet.header_error(
            "Date", _("{day} is not a day", day=quote(headers["Date"]))
        ) from None
    seats, outcome = seats_from_headers(sheet, game), outcome_from_headers(sheet)
    try:
        return Record(game, tuple(sheet.moves), start, seats, day, outcome, tags)
    except ValueError as error:
        raise RecordError(error.args[0]) from None


def with_variations(record: Record, sheet: RawRecord) -> Record:
    """The record with the tree that was found, all its moves played and checked."""
    found = sheet.nodes or []
    check_node_count(len(found))
    try:
        tree = Variations(record.game, record.start, sheet.note)
        nodes = tree.attach(found)
        tree.check(dict(zip(nodes, sheet.node_lines, strict=False)))
        return replace(record, variations=tree)
    except RecordError:
        raise
    except ValueError as error:
        raise RecordError(error.args[0]) from None


def game_from_headers(sheet: RawRecord) -> Game[Any]:
    """The game with its options."""
    words = [word.partition("=") for word in sheet.headers.get("Options", "").split()]
    options: dict[str, object] = {name: value for name, _equals, value in words}
    if len(options) < len(words):
        raise sheet.header_error("Options", _("one of them is given twice"))
    name = "Game"
    try:
        rules = game_class(sheet.headers["Game"])
        name = "Options"
        game = rules(**options)
    except ValueError as error:
        raise sheet.header_error(name, error.args[0]) from None
    version = sheet.headers.get("Rules", str(game.rules))
    if version != str(game.rules):
        why = _(
            "it is {found}, and this program plays by {known}",
            found=quote(version),
            known=game.rules,
        )
        raise sheet.header_error("Rules", why)
    return game


def seats_from_headers(sheet: RawRecord, game: Game[Any]) -> tuple[Seat, ...]:
    """Who sat where: all seats are named or none."""
    found: dict[int, dict[str, Any]] = {}
    for header, value in sheet.headers.items():
        if named := SEAT_HEADER.fullmatch(header):
            field_name, seat = named[1], int(named[2])
            if seat >= game.seats:
                raise sheet.header_error(
                    header, _("the seats go from 0 to {last}", last=game.seats - 1)
                )
            if field_name == "Seat":
                found.setdefault(seat, {})["name"] = value
            elif parse_number(value) is None:
                raise sheet.header_error(header, _("{value} is not a number", value=quote(value)))
            else:
                found.setdefault(seat, {})[field_name.lower()] = parse_number(value)
    return tuple(Seat(**found[seat]) for seat in sorted(found))  # the record counts them


def outcome_from_headers(sheet: RawRecord) -> Outcome | None:
    """The result that is claimed; whether it holds is for the replay to say."""
    claimed = sheet.headers.get("Result", ONGOING)
    if claimed == ONGOING:
        for name in ("Reason", "By"):
            if name in sheet.headers:
                raise sheet.header_error(name, _("the match goes on, so there is none"))
        return None
    winners = () if claimed == DRAW_RESULT else tuple(int(seat) for seat in claimed.split("+"))
    return Outcome(winners, sheet.headers.get("Reason", ""), sheet.headers.get("By"))


def replay_record(record: Record, sheet: RawRecord) -> Match[Any]:
    """The match that the moves make, ended as the record says."""
    match = Match(record.game, record.start)
    lines = dict(enumerate(sheet.move_lines))
    for i, text in enumerate(record.moves):
        try:
            match.play(text)
        except MoveError as error:
            raise RecordError(error.args[0], lines.get(i), i + 1) from None
    claimed = record.outcome
    if claimed and not match.outcome():
        apply_claimed_end(match, claimed)
    if match.outcome() != claimed:
        why = _(
            "the record says {claimed}, but the moves give {found}",
            claimed=outcome_text(claimed),
            found=outcome_text(match.outcome()),
        )
        raise RecordError(why, lines.get(len(record.moves) - 1), len(record.moves))
    return match


def apply_claimed_end(match: Match[Any], claimed: Outcome) -> None:
    """End a match by what was said beside the board, if that is what is claimed."""
    game = match.game
    if "agreement" in (claimed.reason, claimed.by):
        for seat in range(game.seats):
            match.agree(seat)
    elif len(game.sides) == 2 and claimed.winners in game.sides:
        losers = game.sides[1 - game.sides.index(claimed.winners)]
        if claimed.reason == "resignation":
            for seat in losers:
                match.resign(seat)
        elif claimed.reason == "time":
            match.run_out(losers[0])


def outcome_text(outcome: Outcome | None) -> str:
    """A result as records write it."""
    return " ".join(filter(None, (result_text(outcome), *(outcome[1:] if outcome else ()))))
