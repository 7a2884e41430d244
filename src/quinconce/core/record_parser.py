"""A record as it is found, text or JSON: headers and moves, and the lines where they stand."""

from __future__ import annotations

import json
import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any, Final

from quinconce.core.errors import RecordError
from quinconce.core.movetext import ESCAPES, RESULT_PATTERN, ROUND_NUMBER, MovetextReader
from quinconce.core.option import options_text
from quinconce.core.phrase import Phrase, _, ngettext, quote

MAX_RECORD_LENGTH: Final = 1_000_000  # characters; a match has some thousands
HEADER_LINE: Final = re.compile(r'\[([A-Za-z][A-Za-z0-9]*) "((?:[^"\\]|\\.)*)"\]')
TREE_LETTERS: Final = re.compile(r"[(){}$]")
PLAIN_FORMAT: Final = "quinconce 1"
TREE_FORMAT: Final = "quinconce 2"  # with variations, notes or marks

# The parts of the JSON twin and their kinds.
JSON_FIELDS: Final[Mapping[str, Any]] = {
    "format": str,
    "game": str,
    "rules": int,
    "options": dict,
    "position": str | None,
    "seats": list,
    "date": str | None,
    "result": str,
    "reason": str | None,
    "by": str | None,
    "tags": dict,
    "digest": str,
    "moves": list,
}

# The parts that it has only where there are variations, notes or marks.
JSON_TREE_FIELDS: Final[Mapping[str, Any]] = {"note": str, "nodes": list}

# The parts of a seat in it, the headers they stand for, and their kinds.
JSON_SEAT_FIELDS: Final[tuple[tuple[str, str, Any], ...]] = (
    ("name", "Seat", str),
    ("level", "Level", int | None),
    ("seed", "Seed", int | None),
)


@dataclass
class RawRecord:
    """A record as it was found: headers and moves, and the lines where they stand."""

    headers: dict[str, str] = field(default_factory=dict)
    lines: dict[str, int] = field(default_factory=dict)
    moves: list[str] = field(default_factory=list)
    move_lines: list[int] = field(default_factory=list)
    nodes: list[Any] | None = None  # as the JSON twin has them, where the format has a tree
    node_lines: list[int] = field(default_factory=list)
    note: str = ""  # of the start

    def header_error(self, name: str, why: Phrase) -> RecordError:
        """An error about a header."""
        return RecordError(_("{name}: {why}", name=name, why=why), self.lines.get(name))


def parse_raw_record(text: str) -> RawRecord:
    """The sheet of a record's text or JSON twin; RecordError if it is neither."""
    if not isinstance(text, str):
        raise RecordError(_("this is not text"))
    if len(text) > MAX_RECORD_LENGTH:
        raise RecordError(
            ngettext(
                "this is not a record: it is longer than {n} character",
                "this is not a record: it is longer than {n} characters",
                MAX_RECORD_LENGTH,
            )
        )
    text = text.removeprefix("\ufeff")
    return parse_json(text) if text.lstrip().startswith("{") else parse_text(text)


def parse_text(text: str) -> RawRecord:
    """Headers, moves and the result at the end; rounds may be numbered."""
    sheet = RawRecord()
    lines = text.split("\n")
    first = parse_header_lines(sheet, lines)
    if not sheet.headers:
        raise RecordError(_("this is not a record: it has no headers"))
    if sheet.headers.get("Format") == TREE_FORMAT:
        last = parse_tree(sheet, "\n".join(lines[first:]), first + 1)
    else:
        last = parse_moves(sheet, lines, first)
    end = text.rstrip().count("\n") + 1
    if not last:
        raise RecordError(
            _("the record breaks off: no result stands at its end"), end, len(sheet.moves)
        )
    if last != sheet.headers.get("Result", last):
        raise RecordError(
            _("the result at the end is not that of the header"), end, len(sheet.moves)
        )
    sheet.headers["Result"] = last
    return sheet


def parse_header_lines(sheet: RawRecord, lines: Sequence[str]) -> int:
    """Put the headers into the sheet; returns the index of the first line after them."""
    for i, content in enumerate(map(str.strip, lines)):
        if content.startswith("["):
            header = HEADER_LINE.fullmatch(content)
            if not header:
                raise RecordError(
                    _('{text} is not a header like [Name "value"]', text=quote(content)), i + 1
                )
            name = header[1]
            if name in sheet.headers:
                raise RecordError(_("the header {name} stands twice", name=name), i + 1)
            sheet.headers[name] = re.sub(r"\\(.)", lambda m: ESCAPES.get(m[1], m[1]), header[2])
            sheet.lines[name] = i + 1
        elif content:
            return i
    return len(lines)


def parse_moves(sheet: RawRecord, lines: Sequence[str], first: int) -> str:
    """Put moves into the sheet; returns the result at their end."""
    last = ""
    for line, content in enumerate(lines[first:], start=first + 1):
        for word in content.split():
            if last:
                raise RecordError(_("{word} follows the result", word=quote(word)), line)
            if TREE_LETTERS.search(word):
                why = _(
                    'variations, notes and marks need the header [Format "{name}"]',
                    name=TREE_FORMAT,
                )
                raise RecordError(why, line, len(sheet.moves) + 1)
            if RESULT_PATTERN.fullmatch(word):
                last = word
            elif not ROUND_NUMBER.fullmatch(word):
                sheet.moves.append(word)
                sheet.move_lines.append(line)
    return last


def parse_tree(sheet: RawRecord, text: str, line: int) -> str:
    """Put moves with variations into the sheet; returns the result at their end."""
    reader = MovetextReader()
    reader.read(text, line)
    played = reader.main_line()
    sheet.moves = [reader.nodes[number]["move"] for number in played]
    sheet.move_lines = [reader.lines[number] for number in played]
    sheet.nodes, sheet.node_lines, sheet.note = reader.nodes, reader.lines, reader.note
    return reader.result


def parse_json(text: str) -> RawRecord:
    """The same from the JSON twin."""
    try:
        data = json.loads(text)
    except (ValueError, RecursionError) as error:
        line = error.lineno if isinstance(error, json.JSONDecodeError) else None
        raise RecordError(_("this is not JSON, or it breaks off"), line) from None
    sheet = RawRecord()
    fields = dict(JSON_FIELDS)
    if data.get("format") == TREE_FORMAT:
        data.setdefault("note", "")
        fields |= JSON_TREE_FIELDS
    for name, kinds in fields.items():
        if not isinstance(data.get(name), kinds):
            raise RecordError(_("{name} is missing or of the wrong kind", name=quote(name)))
    if not RESULT_PATTERN.fullmatch(data["result"]):
        raise RecordError(_("{result} is not a result", result=quote(data["result"])))
    if unknown := sorted(set(data) - set(fields)):
        raise RecordError(_("{name} is no part of a record", name=quote(unknown[0])))
    sheet.nodes, sheet.note = data.get("nodes"), data.pop("note", "")
    for name, value in data.items():
        if isinstance(value, str | int):
            sheet.headers[name.capitalize()] = str(value)
    for name, value in data["options"].items():
        if not isinstance(value, str | int) or str(value).split() != [str(value)]:
            raise RecordError(_("{name} is missing or of the wrong kind", name=quote(name)))
    if data["options"]:
        sheet.headers["Options"] = options_text(data["options"])
    for i, seat in enumerate(data["seats"]):
        parts = seat if isinstance(seat, dict) else {}
        if unknown := sorted(parts.keys() - {name for name, _header, _kinds in JSON_SEAT_FIELDS}):
            raise RecordError(_("{name} is no part of a record", name=quote(unknown[0])))
        for name, header, kinds in JSON_SEAT_FIELDS:
            if not isinstance(parts.get(name), kinds):
                raise RecordError(_("{name} is missing or of the wrong kind", name=quote(name)))
            if parts.get(name) is not None:
                sheet.headers[f"{header}{i}"] = str(parts[name])
    for name, value in data["tags"].items():
        if name in sheet.headers or name.lower() in JSON_FIELDS or not isinstance(value, str):
            raise RecordError(_("{name} cannot be a header", name=quote(name)))
        sheet.headers[name] = value
    sheet.moves = [move if isinstance(move, str) else repr(move) for move in data["moves"]]
    return sheet
