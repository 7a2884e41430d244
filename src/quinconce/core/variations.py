"""A tree of variations: the moves of a game with other moves beside them, marks and notes."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Mapping, Sequence
from typing import Any, Final

from quinconce.core.errors import MoveError, RecordError
from quinconce.core.game import MAX_MOVE_LENGTH, Game
from quinconce.core.match import Match
from quinconce.core.phrase import _, ngettext, quote

MAX_NODES: Final = 20_000  # moves of a tree that is read; to replay them takes a second or two
MAX_NOTE_LENGTH: Final = 2_000  # characters
MARKS: Final = ("", "!", "?", "!!", "??", "!?", "?!")  # by their number in a text: $1 is «!»
NODE_FIELDS: Final[Mapping[str, type]] = {"after": int, "move": str, "mark": str, "note": str}
HALF_CHARACTER: Final = re.compile("[\ud800-\udfff]")  # no file can hold it


class Node:
    """A move of a tree, what is said of it, and the moves that follow: the first goes on the line.

    The root stands for the start: it has no move and no mark, but it may have a note.
    """

    __slots__ = ("_mark", "_note", "children", "move", "parent")

    def __init__(self, move: str = "", parent: Node | None = None) -> None:
        self.move = move
        self.parent = parent
        self.children: list[Node] = []
        self._mark = self._note = ""

    def __repr__(self) -> str:
        return f"Node({self.move!r}, mark={self.mark!r}, note={self.note!r})"

    @property
    def mark(self) -> str:
        """One of `! ? !! ?? !? ?!`, or nothing."""
        return self._mark

    @mark.setter
    def mark(self, mark: str) -> None:
        if mark not in MARKS or (mark and self.parent is None):
            raise ValueError(_("{mark} is not a mark of a move", mark=quote(mark)))
        self._mark = mark

    @property
    def note(self) -> str:
        """What is said of the move, or nothing."""
        return self._note

    @note.setter
    def note(self, note: str) -> None:
        self._note = trim_note(note)

    @property
    def leads(self) -> bool:
        """Whether the line before it goes on with it, and not with another move."""
        return self.parent is None or self.parent.children[0] is self

    def path(self) -> list[Node]:
        """The nodes from the first move to this one; none for the root."""
        found, node = [], self
        while node.parent is not None:
            found.append(node)
            node = node.parent
        return found[::-1]

    def line(self) -> list[Node]:
        """The path to this node, and on with the first move each time."""
        found, node = self.path(), self
        while node.children:
            node = node.children[0]
            found.append(node)
        return found


class Variations:
    """A tree of moves from a start. `add` takes any text; `play` and `check` ask the rules.

    >>> from quinconce import game
    >>> tree = Variations(game("diam"))
    >>> last = tree.play(tree.root, "r@1", "m@1")
    >>> other = tree.play(tree.root, "o@3")
    >>> [node.move for node in tree.main_line()]
    ['r@1', 'm@1']
    """

    def __init__(self, game: Game[Any], start: Any = None, note: str = "") -> None:
        self.game = game
        self.start = game.start() if start is None else start
        self.root = Node()
        self.root.note = note

    @classmethod
    def of(cls, match: Match[Any]) -> Variations:
        """The tree with the moves of a match and no others."""
        tree = cls(match.game, match.start)
        tree.follow(match.moves)
        return tree

    @classmethod
    def from_nodes(
        cls, game: Game[Any], start: Any, nodes: Sequence[Mapping[str, Any]], note: str = ""
    ) -> Variations:
        """The tree that `json` wrote; RecordError if it is none. The rules are not asked."""
        tree = cls(game, start, note)
        tree.attach(nodes)
        return tree

    def __repr__(self) -> str:
        return f"Variations({self.game!r}, {len(self)} moves)"

    def __len__(self) -> int:
        return sum(1 for _node in self.nodes())

    def __eq__(self, other: object) -> bool:
        return (
            isinstance(other, Variations)
            and (self.game, self.start, self.root.note)
            == (other.game, other.start, other.root.note)
            and self.json() == other.json()
        )

    def __reduce__(self) -> tuple[Any, ...]:
        # Flat: a deep tree would be copied and sent by calls as deep.
        return type(self).from_nodes, (self.game, self.start, self.json(), self.root.note)

    def copy(self) -> Variations:
        """The same tree once more."""
        return self.from_nodes(self.game, self.start, self.json(), self.root.note)

    def nodes(self) -> Iterator[Node]:
        """All moves in the order of a record: a move, the others in its place, what follows it."""
        stack = self.root.children[:1]
        while stack:
            node = stack.pop()
            yield node
            stack += node.children[:1]
            if node.leads and node.parent:
                stack += reversed(node.parent.children[1:])

    def main_line(self) -> list[Node]:
        """The moves that were played, or matter most."""
        return self.root.line()

    def branches(self) -> list[Node]:
        """The first move of each variation, in the order of a record."""
        return [node for node in self.nodes() if not node.leads]

    def note_count(self) -> int:
        """How many notes there are."""
        return bool(self.root.note) + sum(bool(node.note) for node in self.nodes())

    def is_plain(self) -> bool:
        """Whether there is nothing but one line of moves."""
        return not self.root.note and all(
            node.leads and not node.mark and not node.note for node in self.nodes()
        )

    def add(self, after: Node, move: str, mark: str = "", note: str = "") -> Node:
        """A move after a node, without asking the rules; the one that stands there, if it does."""
        for child in after.children:
            if child.move == move:
                return child
        return append_child(after, move, mark, note)

    def play(self, after: Node, *moves: str) -> Node:
        """Add the moves one after the other if they are legal, and return the last.

        MoveError, and nothing is added, if one of them is not.
        """
        match = self.match_at(after)
        for move in moves:
            match.play(move)
        for move in moves:
            after = self.add(after, move)
        return after

    def promote(self, node: Node) -> None:
        """Let the line go on with this move; the one that led before comes next."""
        if node.parent is not None:
            node.parent.children.remove(node)
            node.parent.children.insert(0, node)

    def delete(self, node: Node) -> None:
        """Take out a move and everything after it."""
        if node.parent is None:
            raise ValueError(_("the start of a tree cannot be deleted"))
        node.parent.children.remove(node)

    def follow(self, moves: Iterable[str]) -> None:
        """Make these moves the main line; what followed the last of them on it is taken out."""
        node = self.root
        for move in moves:
            node = self.add(node, move)
            self.promote(node)
        node.children.clear()

    def match_at(self, node: Node) -> Match[Any]:
        """The match that leads to a node; MoveError if a move is not legal."""
        match = Match(self.game, self.start)
        for step in node.path():
            match.play(step.move)
        return match

    def check(self, lines: Mapping[Node, int] | None = None) -> None:
        """Play every move; RecordError at one that is refused, with its line if that is known."""
        match = Match(self.game, self.start)
        stack = [(node, 1) for node in reversed(self.root.children)]
        while stack:
            node, depth = stack.pop()
            while len(match.moves) >= depth:
                match.undo()
            try:
                match.play(node.move)
            except MoveError as error:
                raise RecordError(error.args[0], (lines or {}).get(node), depth) from None
            stack += [(child, depth + 1) for child in reversed(node.children)]

    def json(self) -> list[dict[str, Any]]:
        """The nodes as plain data, each with the number of the one it comes after, -1 at the start.

        It is flat, so that depth costs nothing. The note of the start is not part of it.
        """
        numbers: dict[Node, int] = {self.root: -1}
        written: list[dict[str, Any]] = []
        for number, node in enumerate(self.nodes()):
            numbers[node] = number
            data: dict[str, Any] = {"after": numbers[node.parent or self.root], "move": node.move}
            if node.mark:
                data["mark"] = node.mark
            if node.note:
                data["note"] = node.note
            written.append(data)
        return written

    def attach(self, nodes: Sequence[Mapping[str, Any]]) -> list[Node]:
        """Hang what `json` wrote into an empty tree; RecordError if something else wrote it."""
        check_node_count(len(nodes))
        made: list[Node] = []
        places: set[tuple[int, str]] = set()
        for number, data in enumerate(nodes):
            check_node(data, number)
            after, move = data["after"], data["move"]
            if (after, move) in places:
                raise RecordError(_("{move} stands twice in one place", move=quote(move)))
            places.add((after, move))
            parent = made[after] if after >= 0 else self.root
            try:
                made.append(append_child(parent, move, data.get("mark", ""), data.get("note", "")))
            except ValueError as error:
                raise RecordError(error.args[0]) from None
        return made


def append_child(parent: Node, move: str, mark: str, note: str) -> Node:
    """A new node, the last of those after its parent; ValueError if no record could hold it."""
    short = isinstance(move, str) and len(move) <= MAX_MOVE_LENGTH
    if not short or move.split() != [move] or re.search(r"[(){}]", move):
        raise ValueError(_("{text} is not the text of a move", text=quote(move)))
    node = Node(move, parent)
    node.mark, node.note = mark, note
    parent.children.append(node)
    return node


def check_node(data: Mapping[str, Any], number: int) -> None:
    """Refuse what `Variations.json` does not write, before it is looked at."""
    parts = data if isinstance(data, Mapping) else {}
    for name, kind in NODE_FIELDS.items():
        if type(parts.get(name, "" if name in ("mark", "note") else None)) is not kind:
            raise RecordError(_("{name} is missing or of the wrong kind", name=quote(name)))
    if unknown := sorted(set(parts) - set(NODE_FIELDS)):
        raise RecordError(_("{name} is no part of a record", name=quote(unknown[0])))
    if not -1 <= parts["after"] < number:
        raise RecordError(
            _("{value} is not the number of a node before this one", value=quote(parts["after"]))
        )


def check_node_count(count: int) -> None:
    """Refuse a tree that no record holds, because to read it would take too long."""
    if count > MAX_NODES:
        raise RecordError(
            ngettext(
                "the variations of a record have at most {n} move",
                "the variations of a record have at most {n} moves",
                MAX_NODES,
            )
        )


def trim_note(note: str) -> str:
    """A note without space around it; ValueError if it is none."""
    if isinstance(note, str):
        check_note_length(note)
    if not isinstance(note, str) or HALF_CHARACTER.search(note):
        raise ValueError(_("{note} is not a note", note=quote(note)))
    return note.replace("\r\n", "\n").replace("\r", "\n").strip()


def check_note_length(note: str) -> None:
    """ValueError if a note is too long."""
    if len(note) > MAX_NOTE_LENGTH:
        raise ValueError(
            ngettext(
                "a note has at most {n} character",
                "a note has at most {n} characters",
                MAX_NOTE_LENGTH,
            )
        )
