"""Diädema: four balls in line on a seven-pointed star, or side by side on one of its circles."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from math import cos, pi
from typing import Final, NamedTuple

from quinconce.core.board import Board, Circle, Mark, Piece, Place, polar_point, replace_letter
from quinconce.core.game import EMPTY, PASS, Game
from quinconce.core.option import Edition
from quinconce.core.phrase import Phrase, _, ngettext
from quinconce.core.position import Outcome
from quinconce.core.symmetry import Symmetry, make_symmetry

BALLS_PER_PLAYER: Final = 6  # balls of a player
OUTER: Final = "ABCDEFG"
INNER: Final = "1234567"  # 1 lies between A and B, 7 between G and A
VERTICES: Final = OUTER + INNER
LINES: Final = ("A12C", "B23D", "C34E", "D45F", "E56G", "F67A", "G71B")


def runs_of_length(length: int) -> list[str]:
    """Every run of a number of vertices, in both senses, on a line or a circle."""
    lines = [line[i : i + length] for line in LINES for i in range(5 - length)]
    circles = [(circle * 2)[i : i + length] for circle in (OUTER, INNER) for i in range(7)]
    return [sense for run in lines + circles for sense in (run, run[::-1])]


def vertex_indices(runs: list[str]) -> list[tuple[int, ...]]:
    """Runs of vertices as indices into the board, each once."""
    return list(dict.fromkeys(tuple(VERTICES.index(vertex) for vertex in run) for run in runs))


# From each vertex: the neighbours; and the jumps, as what is jumped over and where one lands.
NEIGHBOURS: Final = [
    [b for a, b in vertex_indices(runs_of_length(2)) if a == start] for start in range(14)
]
JUMPS_FROM: Final = [
    [(b, c) for a, b, c in vertex_indices(runs_of_length(3)) if a == start] for start in range(14)
]
WINNING_FOURS: Final = vertex_indices(runs_of_length(4)[::2])


class DiademaPosition(NamedTuple):
    """The outer circle, then the inner one, and who is to move."""

    board: str
    turn: int


class Diadema(Game[DiademaPosition]):
    """Clair (c) against foncé (f); a jump over the other's ball gives it back."""

    title = _("Diädema")
    summary = _(
        "Line up four balls on a seven-pointed star; a ball jumped over goes back to its owner."
    )
    how_to_write = _(
        "write @A to place, A-1 to step, A^C to jump over your own ball, AxC over the other's"
    )
    menu_order = 20
    editions = (
        Edition(
            _("Diädema"), "@3 @D @F @2 @B @1 @G 2^A G-6 @G", 10, _("solved: with best play, a draw")
        ),
    )
    reasons = {"line": _("four on a line"), "circle": _("four side by side on a circle")}
    victories = {
        "line": _("{player} has four on a line"),
        "circle": _("{player} has four side by side on a circle"),
    }
    notation = "@[A-G1-7]|[A-G1-7][-^x][A-G1-7]"
    cells = tuple(VERTICES)
    width = 7
    letters = "cf"
    players = (_("light"), _("dark"))
    kinds = (
        Piece("c", players[0], 0, "light", "disc", _("a light ball"), _("the light ball")),
        Piece("f", players[1], 1, "dark", "disc", _("a dark ball"), _("the dark ball")),
    )

    def start(self) -> DiademaPosition:
        return DiademaPosition(EMPTY * 14, 0)

    def actions(self, position: DiademaPosition) -> Iterator[tuple[str, DiademaPosition]]:
        board, turn = position
        own, following = "cf"[turn], 1 - turn
        if board.count(own) < BALLS_PER_PLAYER:
            for at, ball in enumerate(board):
                if ball == EMPTY:
                    yield (
                        f"@{VERTICES[at]}",
                        DiademaPosition(replace_letter(board, at, own), following),
                    )
        for start, ball in enumerate(board):
            if ball != own:
                continue
            lifted = replace_letter(board, start, EMPTY)
            for to in NEIGHBOURS[start]:
                if board[to] == EMPTY:
                    after = replace_letter(lifted, to, own)
                    yield f"{VERTICES[start]}-{VERTICES[to]}", DiademaPosition(after, following)
            for over, to in JUMPS_FROM[start]:
                jumped = board[over]
                if jumped != EMPTY and board[to] == EMPTY:
                    after = replace_letter(lifted, to, own)
                    if jumped == own:
                        yield f"{VERTICES[start]}^{VERTICES[to]}", DiademaPosition(after, following)
                    else:
                        after = replace_letter(after, over, EMPTY)
                        yield f"{VERTICES[start]}x{VERTICES[to]}", DiademaPosition(after, following)

    def outcome(self, position: DiademaPosition) -> Outcome | None:
        board = position.board
        for seat in (0, 1):
            own = "cf"[seat]
            if board.count(own) >= 4:
                for four in WINNING_FOURS:
                    a, b, c, d = four
                    if board[a] == own and board[b] == own and board[c] == own and board[d] == own:
                        return Outcome((seat,), "line" if four in WINNING_FOURS[:7] else "circle")
        return None

    def decisive(self, position: DiademaPosition) -> frozenset[str]:
        board = position.board
        fours = [{board[at] for at in four} for four in WINNING_FOURS]
        won = [
            four
            for four, balls in zip(WINNING_FOURS, fours, strict=True)
            if balls in ({"c"}, {"f"})
        ]
        return frozenset(VERTICES[at] for four in won for at in four)

    def reserve(self, position: DiademaPosition, letter: str) -> int:
        return BALLS_PER_PLAYER - position.board.count(letter)

    def faults(self, position: DiademaPosition) -> Iterator[Phrase]:
        for kind in self.kinds:
            if position.board.count(kind.letter) > BALLS_PER_PLAYER:
                yield ngettext(
                    "there is more than {n} {colour} ball",
                    "there are more than {n} {colour} balls",
                    BALLS_PER_PLAYER,
                    colour=kind.name,
                )
        if any(
            all(position.board[i] == "cf"[position.turn] for i in four) for four in WINNING_FOURS
        ):
            yield _("the player to move has won already: the game was over before")

    def why(self, position: DiademaPosition, text: str) -> Phrase:
        board, own = position.board, "cf"[position.turn]
        start, mark, to = text.rpartition(text[-2])
        landing = board[VERTICES.index(to)]
        if start and board[VERTICES.index(start)] != own:
            return _("there is no ball of yours on {place}", place=start)
        if landing != EMPTY:
            return _("{place} is not empty", place=to)
        if mark == "@":
            return ngettext(
                "your {n} ball is on the board",
                "all your {n} balls are on the board",
                BALLS_PER_PLAYER,
            )
        if mark == "-":
            return _(
                "{place} is not a neighbour of {start} on a line or circle", place=to, start=start
            )
        over = [o for o, t in JUMPS_FROM[VERTICES.index(start)] if VERTICES[t] == to]
        if not over:
            return _(
                "no line or circle leads from {start} over one ball to {place}",
                start=start,
                place=to,
            )
        if board[over[0]] == EMPTY:
            return _("there is no ball on {place} to jump over", place=VERTICES[over[0]])
        if board[over[0]] == own:
            return _("the ball jumped over is your own: write {text}", text=f"{start}^{to}")
        return _("the ball jumped over is the other's: write {text}", text=f"{start}x{to}")

    def aim(self, seat: int) -> Phrase:
        return _("To win, get four of your balls on one line, or side by side on a circle.")

    def prompt(self, position: DiademaPosition, legal: Mapping[str, DiademaPosition]) -> Phrase:
        if PASS in legal:
            return super().prompt(position, legal)
        marks = {text[-2] for text in legal}
        places, steps, jumps = "@" in marks, "-" in marks, bool(marks & {"^", "x"})
        return {
            (True, False, False): _("Place a ball on any empty point."),
            (True, True, False): _("Place a ball on any empty point, or move one."),
            (True, False, True): _("Place a ball on any empty point, or jump over a neighbour."),
            (True, True, True): _("Place a ball, move one, or jump over a neighbour."),
            (False, True, False): _("All your balls are out: move one to a point beside it."),
            (False, False, True): _("All your balls are out: jump over a neighbour."),
            (False, True, True): _("All your balls are out: move one, or jump over a neighbour."),
        }[places, steps, jumps]

    def tell(
        self, before: DiademaPosition, text: str, after: DiademaPosition, mover: Phrase
    ) -> Phrase:
        if "x" not in text:
            return super().tell(before, text, after, mover)
        return _(
            "{mover} jumped from {start} to {end} and sent back the ball on {place}",
            mover=mover,
            start=text[0],
            end=text[-1],
            place=self.pieces_taken(before, after)[0],
        )

    def make_board(self) -> Board:
        # The lines of the star {7/2} with its points at radius 5 cross on this circle.
        inner = 5 * cos(2 * pi / 7) / cos(pi / 7)
        points = {vertex: polar_point(i, 7, 5) for i, vertex in enumerate(OUTER)}
        points |= {vertex: polar_point(i + 0.5, 7, inner) for i, vertex in enumerate(INNER)}
        places = tuple(Place(v, *points[v], _("point {place}", place=v)) for v in VERTICES)
        circles = (Circle(5, tuple(OUTER)), Circle(inner, tuple(INNER)))
        marks = [Mark(vertex, *polar_point(i, 7, 5.95)) for i, vertex in enumerate(OUTER)]
        marks += [
            Mark(vertex, *polar_point(i + 0.5, 7, inner - 0.9), inside=True)
            for i, vertex in enumerate(INNER)
        ]
        return Board(places, tuple(map(tuple, LINES)), circles, (), self.kinds, tuple(marks))

    def symmetries(self) -> Sequence[Symmetry]:
        """Turns and mirrors of the star, and the exchange of the two players."""
        maps = []
        for seats in ((0, 1), (1, 0)):
            letters = {"cf"[seat]: "cf"[image] for seat, image in enumerate(seats)}
            for sense in (1, -1):
                for shift in range(7):
                    # Mirrored, the inner vertex after an outer one comes before its image.
                    inner = shift if sense == 1 else shift - 1
                    places = {v: OUTER[(shift + sense * i) % 7] for i, v in enumerate(OUTER)}
                    places |= {v: INNER[(inner + sense * i) % 7] for i, v in enumerate(INNER)}
                    maps.append(make_symmetry(self.cells, places, letters, seats, seats))
        return maps
