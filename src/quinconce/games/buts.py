"""The goal game: slide at home, jump over your own pawns, and stand in the other's goal."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from itertools import pairwise
from typing import Final, NamedTuple

from quinconce.core.board import Board, Piece, Region, make_grid, ray, replace_letter
from quinconce.core.game import EMPTY, PASS, STEP_SEPARATOR, Game
from quinconce.core.option import Edition
from quinconce.core.phrase import Phrase, _, either
from quinconce.core.position import Outcome
from quinconce.core.symmetry import Symmetry, make_symmetry, square_place_maps

ROWS: Final = "ABCDEFGH"
COLUMNS: Final = "12345678"
CELL_NAMES: Final = tuple(row + column for row in ROWS for column in COLUMNS)
START: Final = "........b.b.b.b..b.b.b.b................w.w.w.w..w.w.w.w........"

CAMPS: Final = (range(32, 64), range(32))  # White's, Black's
GOAL_CELLS: Final = ((59, 60), (3, 4))  # H4 H5, A4 A5
ORTHOGONALS: Final = ((-1, 0), (0, -1), (0, 1), (1, 0))
ALL_DIRECTIONS: Final = (*ORTHOGONALS, (-1, -1), (-1, 1), (1, -1), (1, 1))


def home_rays(seat: int, start: int) -> list[list[int]]:
    """The rays of a home move: straight on, up to the border of the camp or one's own goals."""
    rays = []
    for sense in ORTHOGONALS:
        cells = ray(8, start, sense)
        end = next(
            (i for i, to in enumerate(cells) if to not in CAMPS[seat] or to in GOAL_CELLS[seat]),
            len(cells),
        )
        rays.append(cells[:end])
    return rays


def jumps_from(seat: int, start: int) -> list[tuple[int, int]]:
    """What can be jumped over and where one lands, never in one's own goals, in reading order."""
    rays = [ray(8, start, sense) for sense in ALL_DIRECTIONS]
    pairs = [(cells[1], cells[0]) for cells in rays if len(cells) > 1]
    return [(over, to) for to, over in sorted(pairs) if to not in GOAL_CELLS[seat]]


HOME_RAYS: Final = [[home_rays(seat, start) for start in range(64)] for seat in (0, 1)]
JUMP_TABLE: Final = [[jumps_from(seat, start) for start in range(64)] for seat in (0, 1)]


class ButsPosition(NamedTuple):
    """The rows from A to H, and who is to move."""

    board: str
    turn: int


class Buts(Game[ButsPosition]):
    """White (w) below, Black (b) above; nobody is ever captured."""

    title = _("Goals")
    summary = _("Bring a pawn into the other side's goal by leaping over your own pawns.")
    how_to_write = _("write G2-E2 to move at home, G6^E4^C4 to jump")
    menu_order = 40
    editions = (
        Edition(
            _("Goals"),
            "G6-F6 B5-C5 G4^E6 C4-D4 F6^D6 B3-A3 E6^G4 B1^D3^D5^B5^D7",
            15,
            _("open, and well balanced"),
        ),
    )
    reasons = {"goal": _("a pawn stands in the goal")}
    victories = {"goal": _("{player} has a pawn in the goal")}
    notation = r"[A-H][1-8]-[A-H][1-8]|[A-H][1-8](\^[A-H][1-8])+"
    cells = CELL_NAMES
    width = 8
    letters = "wb"
    players = (_("White"), _("Black"))
    kinds = (
        Piece("w", _("white"), 0, "white", "disc", _("a white pawn"), _("the white pawn")),
        Piece("b", _("black"), 1, "black", "disc", _("a black pawn"), _("the black pawn")),
    )

    def start(self) -> ButsPosition:
        return ButsPosition(START, 0)

    def actions(self, position: ButsPosition) -> Iterator[tuple[str, ButsPosition]]:
        board, turn = position
        own = "wb"[turn]
        for start, pawn in enumerate(board):
            if pawn == own:
                lifted = replace_letter(board, start, EMPTY)
                at_home = home_moves(board, turn, start)
                # The same first and last cell are the same move, and a home move names it.
                for to, text in (jump_moves(lifted, turn, start) | at_home).items():
                    yield text, ButsPosition(replace_letter(lifted, to, own), 1 - turn)

    def outcome(self, position: ButsPosition) -> Outcome | None:
        for seat in (0, 1):
            one, other = GOAL_CELLS[1 - seat]
            if "wb"[seat] in (position.board[one], position.board[other]):
                return Outcome((seat,), "goal")
        return None

    def decisive(self, position: ButsPosition) -> frozenset[str]:
        goals = [goal for pair in GOAL_CELLS for goal in pair]
        return frozenset(names_of_cells(goal for goal in goals if position.board[goal] != EMPTY))

    def touches(self, text: str) -> tuple[frozenset[str], ...]:
        """The first and the last cell say everything."""
        steps = super().touches(text)
        return steps[:1] + steps[-1:]

    def same_move(self, position: ButsPosition, text: str) -> str | None:
        """The same first and last cell are the same move, whichever way the jumps went."""
        board, turn = position
        path = [CELL_NAMES.index(name) for name in STEP_SEPARATOR.split(text)]
        start, to = path[0], path[-1]
        lifted = replace_letter(board, start, EMPTY)
        ways = [
            cell not in GOAL_CELLS[1 - turn]
            and lifted[after] == EMPTY
            and "wb"[turn] in [lifted[over] for over, end in JUMP_TABLE[turn][cell] if end == after]
            for cell, after in pairwise(path)
        ]
        if board[start] != "wb"[turn] or "-" in text or start == to or not all(ways):
            return None
        return (jump_moves(lifted, turn, start) | home_moves(board, turn, start))[to]

    def stops(self, position: ButsPosition, text: str) -> frozenset[str]:
        """The cells from which further jumps lead to the last one, and not back over the way."""
        if text == PASS:
            return frozenset()
        board, turn = position
        path = [CELL_NAMES.index(name) for name in STEP_SEPARATOR.split(text)]
        lifted = replace_letter(board, path[0], EMPTY)
        jumps = jump_moves(lifted, turn, path[0])
        if path[-1] not in jumps:
            return frozenset()
        return frozenset(
            CELL_NAMES[cell]
            for cell, way in jumps.items()
            if path[-1] in jump_moves(lifted, turn, cell, way.split("^"))
        )

    def faults(self, position: ButsPosition) -> Iterator[Phrase]:
        board = position.board
        for kind in self.kinds:
            if board.count(kind.letter) != 8:
                yield _("there must be 8 {colour} pawns: none is ever captured", colour=kind.name)
            if kind.letter in (board[goal] for goal in GOAL_CELLS[kind.seat]):
                yield _("a {colour} pawn stands in its own goal", colour=kind.name)
        scorers = [board[goal] for goals in GOAL_CELLS for goal in goals if board[goal] != EMPTY]
        if len(scorers) > 1:
            yield _("two pawns stand in goals, but the first ended the game")
        if scorers == ["wb"[position.turn]]:
            yield _("the player to move has won already: the game was over before")

    def why(self, position: ButsPosition, text: str) -> Phrase:
        board, turn = position
        path = STEP_SEPARATOR.split(text)
        start, to = CELL_NAMES.index(path[0]), CELL_NAMES.index(path[-1])
        if board[start] != "wb"[turn]:
            return _("there is no pawn of yours on {place}", place=path[0])
        if start == to:
            return _("a pawn may not end where it started")
        row, across = start // 8 == to // 8, range(min(start, to), max(start, to) + 1)
        if to in GOAL_CELLS[turn] or ("-" in text and row and GOAL_CELLS[turn][0] in across):
            return _("players may not enter or cross their own goals")
        if board[to] != EMPTY:
            return _("{place} is not empty", place=path[-1])
        names = jump_moves(replace_letter(board, start, EMPTY), turn, start) | home_moves(
            board, turn, start
        )
        if to in names:
            return _("this move is written {move}", move=names[to])
        if "^" in text:
            return _(
                "no jumps over your own pawns lead from {start} to {place}",
                start=path[0],
                place=path[-1],
            )
        if start not in CAMPS[turn] or to not in CAMPS[turn]:
            return _("a home move stays in one's own camp")
        return _(
            "no free straight way leads from {start} to {place}", start=path[0], place=path[-1]
        )

    def aim(self, seat: int) -> Phrase:
        goals = either(names_of_cells(GOAL_CELLS[1 - seat]))
        return _("To win, bring a pawn to {goals}.", goals=goals)

    def prompt(self, position: ButsPosition, legal: Mapping[str, ButsPosition]) -> Phrase:
        jumps = sum("^" in text for text in legal)
        if PASS in legal:
            return super().prompt(position, legal)
        if jumps == len(legal):
            return _("Jump over your own pawns: none of them can move at home.")
        if jumps:
            return _("Move a pawn straight on within your camp, or jump over your own pawns.")
        return _("Move a pawn straight on within your camp.")

    def make_board(self) -> Board:
        places, marks, rim = make_grid(ROWS, COLUMNS, lambda row, column: row + column)
        regions = (
            Region("camp", _("White's camp"), names_of_cells(CAMPS[0]), 0),
            Region("camp", _("Black's camp"), names_of_cells(CAMPS[1]), 1),
            Region("goal", _("White's goal"), names_of_cells(GOAL_CELLS[0]), 0),
            Region("goal", _("Black's goal"), names_of_cells(GOAL_CELLS[1]), 1),
        )
        return Board(places, regions=regions, marks=marks, rim=rim)

    def symmetries(self) -> Sequence[Symmetry]:
        """Left and right, and the two ways of turning the board round for the other player."""
        still, mirror, flip, half_turn = square_place_maps(CELL_NAMES, 8)[:4]
        same, exchanged = {"w": "w", "b": "b"}, {"w": "b", "b": "w"}
        return [
            make_symmetry(CELL_NAMES, still, same),
            make_symmetry(CELL_NAMES, mirror, same),
            make_symmetry(CELL_NAMES, flip, exchanged, (1, 0), (1, 0)),
            make_symmetry(CELL_NAMES, half_turn, exchanged, (1, 0), (1, 0)),
        ]


def names_of_cells(cells: Iterable[int]) -> tuple[str, ...]:
    """The names of cells."""
    return tuple(CELL_NAMES[cell] for cell in cells)


def home_moves(board: str, turn: int, start: int) -> dict[int, str]:
    """Where a pawn can slide in its camp, with the texts."""
    moves: dict[int, str] = {}
    if start in CAMPS[turn]:
        for cells in HOME_RAYS[turn][start]:
            for to in cells:
                if board[to] != EMPTY:
                    break
                moves[to] = f"{CELL_NAMES[start]}-{CELL_NAMES[to]}"
    return moves


def jump_moves(lifted: str, turn: int, start: int, shut: Sequence[str] = ()) -> dict[int, str]:
    """Where a pawn lifted off its cell can jump: shortest paths, the first in reading order.

    It lands on none of the cells that are `shut`.
    """
    own, goals = "wb"[turn], GOAL_CELLS[1 - turn]
    moves = {start: CELL_NAMES[start]}
    paths = [start]
    for cell in paths:  # grows as it is read: breadth first
        if cell not in goals:  # reaching a goal ends the move
            for over, to in JUMP_TABLE[turn][cell]:
                free = lifted[to] == EMPTY and CELL_NAMES[to] not in shut
                if lifted[over] == own and free and to not in moves:
                    moves[to] = f"{moves[cell]}^{CELL_NAMES[to]}"
                    paths.append(to)
    del moves[start]
    return moves
