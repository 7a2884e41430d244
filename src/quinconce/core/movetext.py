"""The moves of a record with variations, notes and marks, as text: read and written."""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import Any, Final

from quinconce.core.errors import RecordError
from quinconce.core.phrase import Phrase, _, quote
from quinconce.core.variations import (
    MARKS,
    Node,
    Variations,
    check_node_count,
    check_note_length,
)

LINE_WIDTH: Final = 100  # characters; a note is never broken
TOKEN: Final = re.compile(r"\{([^\\}]*(?:\\.[^\\}]*)*)\}|[()]|[^\s(){}]+", re.S)
SPACE: Final = re.compile(r"\s*")
ROUND_NUMBER: Final = re.compile(r"[0-9]{1,6}\.(?:\.\.)?")
MARK_NUMBER: Final = re.compile(r"\$[0-9]+")
RESULT_PATTERN: Final = re.compile(r"\*|draw|[0-9](\+[0-9])*")
ESCAPES: Final = {"n": "\n", "r": "\r"}


class MovetextReader:
    """Reads what follows the headers into nodes as JSON has them, with their lines."""

    def __init__(self) -> None:
        self.nodes: list[dict[str, Any]] = []
        self.lines: list[int] = []
        self.note = ""  # of the start
        self.result = ""
        self._line = 0  # of the file, which is read now
        self._last = -1  # the node after which the next move comes
        self._begun = False  # whether the line that is read has a move
        self._open: list[tuple[int, int]] = []  # of each open variation, the node beside it, a line
        self._early = ""  # a note before the first move of a variation

    def read(self, text: str, line: int) -> None:
        """Read the rest of a record, which begins at this line of its file."""
        self._line = line
        at = 0
        while True:
            space = SPACE.match(text, at)
            if space:
                self._line += space[0].count("\n")
                at = space.end()
            if at == len(text):
                break
            token = TOKEN.match(text, at)
            if not token:
                raise self._error(
                    _("the note that begins here does not end")
                    if text[at] == "{"
                    else _("a brace closes nothing")
                )
            self._take(token[0], token[1])
            self._line += token[0].count("\n")
            at = token.end()
        if self._open:
            self._last, self._line = self._open[-1]
            raise self._error(_("the variation that begins here does not end"))

    def main_line(self) -> list[int]:
        """The numbers of the nodes that were played."""
        first: dict[int, int] = {}
        for number, node in enumerate(self.nodes):
            first.setdefault(node["after"], number)
        found, number = [], -1
        while number in first:
            number = first[number]
            found.append(number)
        return found

    def _take(self, word: str, note: str | None) -> None:
        if self.result:
            raise self._error(_("{word} follows the result", word=quote(word)))
        if note is not None:
            self._take_note(unescape_note(note))
        elif word == "(":
            self._open_variation()
        elif word == ")":
            self._close_variation()
        elif MARK_NUMBER.fullmatch(word):
            self._take_mark(word)
        elif RESULT_PATTERN.fullmatch(word) and not self._open:
            self.result = word
        elif not ROUND_NUMBER.fullmatch(word):
            self._take_move(word)

    def _take_move(self, word: str) -> None:
        check_node_count(len(self.nodes) + 1)
        node = {"after": self._last, "move": word}
        if self._early:
            node["note"], self._early = self._early, ""
        self._last, self._begun = len(self.nodes), True
        self.nodes.append(node)
        self.lines.append(self._line)

    def _take_note(self, note: str) -> None:
        try:
            if self._begun:
                node = self.nodes[self._last]
                node["note"] = join_notes(node.get("note", ""), note)
            elif self._open:
                self._early = join_notes(self._early, note)
            else:
                self.note = join_notes(self.note, note)
        except ValueError as error:
            raise self._error(error.args[0]) from None

    def _take_mark(self, word: str) -> None:
        number = int(word[1:]) if len(word) < 4 else len(MARKS)
        if not 1 <= number < len(MARKS):
            raise self._error(_("{mark} is no mark: they go from $1 to $6", mark=quote(word)))
        if not self._begun:
            raise self._error(_("{mark} follows no move", mark=word))
        node = self.nodes[self._last]
        if "mark" in node:
            raise self._error(_("a move has one mark, and {mark} would be another", mark=word))
        node["mark"] = MARKS[number]

    def _open_variation(self) -> None:
        if not self._begun:
            raise self._error(_("a variation follows the move in whose place it stands"))
        self._open.append((self._last, self._line))
        self._last, self._begun = self.nodes[self._last]["after"], False

    def _close_variation(self) -> None:
        if not self._open:
            raise self._error(_("a parenthesis closes nothing"))
        if not self._begun:
            raise self._error(_("a variation has no move"))
        self._last = self._open.pop()[0]

    def _error(self, why: Phrase) -> RecordError:
        """An error at the place that is read; its move is the last one before."""
        count, node = 0, self._last
        while node >= 0:
            count, node = count + 1, self.nodes[node]["after"]
        return RecordError(why, self._line, count)


def join_notes(first: str, second: str) -> str:
    """Two notes of one move; ValueError if they are too long, so that no long one is copied."""
    joined = f"{first}\n{second}" if first and second else first or second
    check_note_length(joined)
    return joined


def unescape_note(text: str) -> str:
    """A note as it was before `escape_note`; where somebody broke a line by hand is a space."""
    return re.sub(r"\\(.)", lambda found: ESCAPES.get(found[1], found[1]), join_lines(text))


def join_lines(text: str) -> str:
    """A text on one line: where lines were broken stands one space.

    A pattern for the space around a line's end would look at long runs of it again and again.
    """
    first, *others = text.split("\n")
    if not others:
        return text
    between = [line for line in map(str.strip, others[:-1]) if line]
    return " ".join([first.rstrip(), *between, others[-1].lstrip()])


def escape_note(note: str) -> str:
    """A note with what would end it or its line made harmless."""
    return note.replace("\\", "\\\\").replace("}", "\\}").replace("\n", "\\n")


def write_movetext(tree: Variations) -> Iterator[str]:
    """The lines of a tree: a round a line, and each variation on lines of its own."""
    turns = len(tree.game.cycle)
    line = f"{{{escape_note(tree.root.note)}}}" if tree.root.note else ""
    fresh = bool(line)  # whether the next move begins a line
    numbered = True  # whether it needs the number of its round, though it does not begin one
    # A move, its ply and how many variations it stands in; None where one ends.
    stack: list[tuple[Node, int, int] | None] = [(node, 0, 0) for node in tree.root.children[:1]]
    while stack:
        found = stack.pop()
        if found is None:
            line, fresh, numbered = f"{line})", True, True
            continue
        node, ply, depth = found
        word = move_words(node, ply, turns, numbered or not node.leads)
        if not node.leads:
            word, fresh = f"({word}", True
        if line and (
            fresh or (not depth and ply % turns == 0) or len(line) + len(word) >= LINE_WIDTH
        ):
            yield line
            line = ""
        line = f"{line} {word}" if line else word
        fresh = numbered = False
        stack += [(child, ply + 1, depth) for child in node.children[:1]]
        if node.leads and node.parent:
            for other in reversed(node.parent.children[1:]):
                stack += [None, (other, ply, depth + 1)]
    if line:
        yield line


def move_words(node: Node, ply: int, turns: int, numbered: bool) -> str:
    """A move with its mark and its note, and the number of its round where that begins."""
    words = []
    if ply % turns == 0:
        words.append(f"{ply // turns + 1}.")
    elif numbered:
        words.append(f"{ply // turns + 1}...")
    words.append(node.move)
    if node.mark:
        words.append(f"${MARKS.index(node.mark)}")
    if node.note:
        words.append(f"{{{escape_note(node.note)}}}")
    return " ".join(words)
