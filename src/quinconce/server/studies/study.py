"""A study as it is sent and stored: a title, and boards with their trees."""

from __future__ import annotations

from typing import Annotated, Final

from msgspec import Meta, Struct, to_builtins
from msgspec.structs import replace

from quinconce.core.errors import RecordError, phrase_of
from quinconce.core.move_limit import read_position
from quinconce.core.phrase import _, ngettext
from quinconce.core.record import Record
from quinconce.core.registry import game
from quinconce.core.variations import MAX_NOTE_LENGTH, Variations
from quinconce.server.matches.setup import Options
from quinconce.server.refusals import StudyTooLargeError
from quinconce.server.settings import ServerLimits

MAX_TITLE_LENGTH: Final = 100  # characters
Title = Annotated[str, Meta(max_length=MAX_TITLE_LENGTH)]
Note = Annotated[str, Meta(max_length=MAX_NOTE_LENGTH)]


class StudyNode(Struct, frozen=True, forbid_unknown_fields=True, omit_defaults=True):
    """A move of a tree, with the number of the node it comes after; -1 is the start."""

    after: int
    move: Annotated[str, Meta(max_length=400)]
    mark: Annotated[str, Meta(max_length=2)] = ""
    note: Note = ""


class StudyBoard(Struct, frozen=True, forbid_unknown_fields=True):
    """A board: a game from a position on, and its tree."""

    game: Annotated[str, Meta(max_length=40)]
    title: Title = ""
    options: Options = {}
    position: Annotated[str, Meta(max_length=400)] | None = None
    nodes: list[StudyNode] = []
    note: Note = ""  # on the start

    def tree(self) -> Variations:
        """The tree; ValueError if the game, the position or the nodes are none."""
        rules = game(self.game, **self.options)
        start = None if self.position is None else read_position(rules, self.position)
        return Variations.from_nodes(rules, start, to_builtins(self.nodes), self.note)

    def record(self, study: str) -> Record:
        """The board as a record; `study` is the title of the study."""
        tree = self.tree()
        match = tree.match_at([tree.root, *tree.main_line()][-1])
        tags = {name: text for name, text in (("Event", study), ("Board", self.title)) if text}
        moves, over = tuple(match.moves), match.outcome()
        return Record(match.game, moves, match.start, outcome=over, tags=tags, variations=tree)


class StudyContent(Struct, frozen=True, forbid_unknown_fields=True):
    """What a study says."""

    boards: Annotated[list[StudyBoard], Meta(min_length=1, max_length=1000)]
    title: Title = ""

    @property
    def moves(self) -> int:
        """How many moves there are on all boards."""
        return sum(len(board.nodes) for board in self.boards)


def check_content(content: StudyContent, limits: ServerLimits) -> StudyContent:
    """The same in order, every move played; an error that names the board if one does not hold."""
    check_size(content, limits)
    boards = [check_board(board, number) for number, board in enumerate(content.boards, start=1)]
    return StudyContent(boards, tidy_title(content.title))


def check_size(content: StudyContent, limits: ServerLimits) -> None:
    """StudyTooLargeError if there are more boards or moves than may be."""
    if len(content.boards) > limits.study_boards:
        raise StudyTooLargeError(
            ngettext(
                "a study has at most {n} board",
                "a study has at most {n} boards",
                limits.study_boards,
            )
        )
    if content.moves > limits.study_moves:
        raise StudyTooLargeError(
            ngettext(
                "a study has at most {n} move on all its boards",
                "a study has at most {n} moves on all its boards",
                limits.study_moves,
            )
        )


def check_board(board: StudyBoard, number: int) -> StudyBoard:
    """A board with all options said and its moves played."""
    try:
        tree = board.tree()
        tree.check()
    except ValueError as error:
        why = error.why if isinstance(error, RecordError) else phrase_of(error)
        raise ValueError(_("board {number}: {why}", number=number, why=why or "")) from None
    rules = tree.game
    return replace(
        board,
        title=tidy_title(board.title),
        options=dict(rules.chosen),
        position=None if tree.start == rules.start() else rules.write(tree.start),
        nodes=[StudyNode(**node) for node in tree.json()],
        note=tree.root.note,
    )


def tidy_title(title: str) -> str:
    """A title on one line, without what cannot be shown."""
    return " ".join("".join(c if c.isprintable() else " " for c in title).split())
