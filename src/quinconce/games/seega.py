"""Seega: fill the board two pawns at a time, then catch the other's pawns between two of yours."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence
from itertools import chain, combinations
from math import comb
from typing import NamedTuple

from quinconce.core import counts
from quinconce.core.board import Board, Piece, Region, make_grid, ray, replace_letter
from quinconce.core.game import EMPTY, PASS, Game
from quinconce.core.option import Edition, Option
from quinconce.core.phrase import MAX_NAMED, Phrase, _, either, ngettext, together
from quinconce.core.position import Outcome, PositionField, Tally
from quinconce.core.symmetry import Symmetry, make_symmetry, square_place_maps


class SeegaPosition(NamedTuple):
    """The rows from the top, who is to move, the phase, and the duty to open after a `pass`."""

    board: str
    turn: int
    phase: int  # 1: placing, 2: moving
    duty: int  # 1: the player to move has to let the blocked player out, where they can


Plays = Iterator[tuple[str, SeegaPosition]]


class CapturePath(NamedTuple):
    """A pawn that is capturing: the board now, its cell, and where it can go on, taking whom."""

    board: str
    cell: int
    further: list[tuple[int, list[int]]]


class Seega(Game[SeegaPosition]):
    """White (w) starts both phases; the centre is a refuge."""

    title = _("Seega")
    summary = _("Fill the board two pawns at a time, then capture by closing in from two sides.")
    how_to_write = _(
        "write @b2+d4 to place, b3-c3 to move, b3xc3xd3 to capture, ~b2 to take off your own pawn"
    )
    options = {
        "size": Option(
            _("size"), {"5": _("12 pawns each"), "7": _("24 pawns each"), "9": _("40 pawns each")}
        ),
        "reach": Option(
            _("reach of a pawn"),
            {"slide": _("a pawn moves any distance"), "step": _("a pawn moves one cell only")},
        ),
        "chain": Option(
            _("captures in a row"),
            {
                "compulsory": _("a capturing pawn goes on as long as it can"),
                "optional": _("a capturing pawn may stop after any capture"),
            },
        ),
        "blocked": Option(
            _("a blocked player"),
            {
                "replay": _("a blocked player passes, and the other has to let them out"),
                "remove": _("a blocked player takes off pawns: two if White, one if Black"),
            },
        ),
        "quiet": Option(
            _("quiet turns"),
            {
                "40": _("this many turns without a capture jam the game"),
                "none": _("no limit of quiet turns"),
            },
            numbers=range(2, 1001),
        ),
    }
    jam_options = frozenset(("quiet",))
    menu_order = 30
    editions = (
        Edition(
            _("Seega"),
            "@c1+e5 @c5+e4 @b2+d4 @a1+d1 @a4+b5 @c2+d3 @d5+e3 @b1+b4 @d2+e1 @c4+e2 @a2+b3 @a3+a5"
            " b3xc3xb3xb4 a3xb3xa3xd3",
            20,
            _("open; White has the better chances"),
        ),
    )
    reasons = {
        "grand": _("grand victory, as no enemy pawn is left"),
        "minor": _("minor victory, as the game has jammed and the pawns were counted"),
        "equal": _("the game has jammed, with equal numbers of pawns"),
    }
    victories = {
        "grand": _("{player} has taken all your pawns"),
        "minor": _("{player} has more pawns"),
    }
    own_victories = {
        "grand": _("you have taken all the other's pawns"),
        "minor": _("you have more pawns"),
    }
    fields = (
        PositionField("phase", _("phase"), {1: _("placing pawns"), 2: _("moving pawns")}),
        PositionField(
            "duty",
            _("before this turn"),
            {0: _("the other player moved"), 1: _("the other player was blocked and passed")},
        ),
    )
    letters = "wb"
    players = (_("White"), _("Black"))
    kinds = (
        Piece("w", _("white"), 0, "white", "disc", _("a white pawn"), _("the white pawn")),
        Piece("b", _("black"), 1, "black", "disc", _("a black pawn"), _("the black pawn")),
    )

    def __init__(self, /, **options: object) -> None:
        super().__init__(**options)
        self.width = size = int(self.chosen["size"])
        quiet = self.chosen["quiet"]
        self.quiet_limit = None if quiet == "none" else int(quiet)
        self.stock = (size * size - 1) // 2
        self.columns, self.rows = "abcdefghi"[:size], "987654321"[-size:]
        self.cells = tuple(f"{column}{row}" for row in self.rows for column in self.columns)
        self.cells_by_name = sorted(range(size * size), key=self.cells.__getitem__)
        self.centre = size * size // 2
        # Every cell's four rays, nearest cell first, and the neighbours that begin them.
        senses = ((0, 1), (1, 0), (0, -1), (-1, 0))
        self.rays = [
            [cells for sense in senses if (cells := ray(size, cell, sense))]
            for cell in range(size * size)
        ]
        self.neighbours = [[ray[0] for ray in rays] for rays in self.rays]
        self.ring = self.neighbours[self.centre]
        # Around every cell: an enemy that could be caught from here, and where the helper stands.
        self.flanks = [
            [(ray[0], ray[1]) for ray in rays if len(ray) > 1 and ray[0] != self.centre]
            for rays in self.rays
        ]
        if self.chosen["reach"] == "step":
            self.rays = [[ray[:1] for ray in rays] for rays in self.rays]
        cell = f"[{self.columns[0]}-{self.columns[-1]}][1-{size}]"
        self.notation = rf"@{cell}\+{cell}|~{cell}(\+{cell})?|{cell}-{cell}|{cell}(x{cell})+"

    def start(self) -> SeegaPosition:
        return SeegaPosition(EMPTY * len(self.cells), 0, 1, 0)

    def actions(self, position: SeegaPosition) -> Plays:
        if position.phase == 1:
            return self.placements(position)
        if position.duty:
            return self.opening_moves(position)
        plays = self.movements(position)
        for first in plays:
            return chain((first,), plays)
        return self.removals(position) if self.chosen["blocked"] == "remove" else iter(())

    def placements(self, position: SeegaPosition) -> Plays:
        """Two pawns on empty cells but the centre; Black closes the ring only if forced to."""
        empty, cells = self.cells_to_fill(position.board), self.cells
        for one, two in combinations(empty, 2):
            if len(empty) == 2 or not self.closes_ring(position, {one, two}):
                yield f"@{cells[one]}+{cells[two]}", self.place(position, one, two, len(empty))

    def cells_to_fill(self, board: str) -> list[int]:
        """The empty cells on which pawns are placed."""
        return [cell for cell in self.cells_by_name if board[cell] == EMPTY and cell != self.centre]

    def closes_ring(self, position: SeegaPosition, pair: set[int]) -> bool:
        """Whether Black would come to hold all four neighbours of the centre."""
        missing = {cell for cell in self.ring if position.board[cell] != "b"}
        return position.turn == 1 and bool(missing) and missing <= pair

    def place(self, position: SeegaPosition, one: int, two: int, empty: int) -> SeegaPosition:
        """Where placing two pawns leads; `empty` is how many cells were to fill before."""
        own = "wb"[position.turn]
        after = replace_letter(replace_letter(position.board, one, own), two, own)
        return SeegaPosition(after, 1 - position.turn, 2 if empty == 2 else 1, 0)

    def successor_of_placement(self, position: SeegaPosition, text: str) -> SeegaPosition | None:
        """Where a placement leads, found without the others; None if it is not legal."""
        names = text[1:].split("+", 2)
        empty = self.cells_to_fill(position.board)
        pair = [cell for cell in empty if self.cells[cell] in names]
        if len(pair) != 2 or [self.cells[cell] for cell in pair] != names:
            return None
        if len(empty) > 2 and self.closes_ring(position, set(pair)):
            return None
        one, two = pair
        return self.place(position, one, two, len(empty))

    def movements(self, position: SeegaPosition) -> Plays:
        """The capturing moves if there are any, else the plain ones."""
        captures = self.captures(position)
        for first in captures:
            return chain((first,), captures)
        return self.plain_moves(position)

    def opening_moves(self, position: SeegaPosition) -> Plays:
        """Under the duty to open: the moves that let the other out, if there are any, else all.

        They are plain: who captures comes to an empty cell beside an enemy, and there is none.
        """
        plays, foe = list(self.movements(position)), "bw"[position.turn]
        return iter([play for play in plays if not self.is_blocked(play[1].board, foe)] or plays)

    def captures(self, position: SeegaPosition) -> Plays:
        """The capturing moves, which may be millions: they are made one by one."""
        board, turn = position.board, position.turn
        own, foe = "wb"[turn], "bw"[turn]
        for to in [cell for cell, pawn in enumerate(board) if pawn == EMPTY]:
            if victims := self.find_victims(board, to, own, foe):
                for start in self.pawns_reaching(board, to, own):
                    text = f"{self.cells[start]}x{self.cells[to]}"
                    path = self.capture(board, start, to, victims, turn)
                    yield from self.capture_moves(path, text, turn)

    def plain_moves(self, position: SeegaPosition) -> Plays:
        """The moves that capture nothing."""
        board, turn, cells = position.board, position.turn, self.cells
        own = "wb"[turn]
        for to in [cell for cell, pawn in enumerate(board) if pawn == EMPTY]:
            arrived = replace_letter(board, to, own)
            for start in self.pawns_reaching(board, to, own):
                after = SeegaPosition(replace_letter(arrived, start, EMPTY), 1 - turn, 2, 0)
                yield f"{cells[start]}-{cells[to]}", after

    def pawns_reaching(self, board: str, to: int, own: str) -> list[int]:
        """The pawns that can move to an empty cell: a move read backwards."""
        comers = []
        for cells in self.rays[to]:
            for start in cells:
                if board[start] != EMPTY:
                    if board[start] == own:
                        comers.append(start)
                    break
        return comers

    def find_victims(self, board: str, to: int, own: str, foe: str) -> list[int]:
        """The enemies between a pawn arriving at a cell and another one, never on the centre."""
        victims = []
        for victim, helper in self.flanks[to]:
            if board[victim] == foe and board[helper] == own:
                victims.append(victim)
        return victims

    def capture(
        self, board: str, start: int, to: int, victims: list[int], turn: int
    ) -> CapturePath:
        """A pawn goes to a cell and captures there."""
        after = replace_letter(replace_letter(board, start, EMPTY), to, "wb"[turn])
        for victim in victims:
            after = replace_letter(after, victim, EMPTY)
        return CapturePath(after, to, self.further_captures(after, to, turn))

    def further_captures(self, board: str, cell: int, turn: int) -> list[tuple[int, list[int]]]:
        """Where a pawn can go from its cell to capture, and whom."""
        own, foe = "wb"[turn], "bw"[turn]
        return [
            (to, victims)
            for to in self.reachable_cells(board, cell)
            if (victims := self.find_victims(board, to, own, foe))
        ]

    def capture_moves(self, path: CapturePath, text: str, turn: int) -> Plays:
        """The moves that begin with these captures, chains included; `text` tells them so far."""
        if not path.further or self.chosen["chain"] == "optional":
            yield text, SeegaPosition(path.board, 1 - turn, 2, 0)
        for to, victims in path.further:
            longer = self.capture(path.board, path.cell, to, victims, turn)
            yield from self.capture_moves(longer, f"{text}x{self.cells[to]}", turn)

    def follow_captures(self, position: SeegaPosition, names: Sequence[str]) -> CapturePath | None:
        """A pawn of the player to move that has captured along these cells; None if it cannot."""
        board, turn = position.board, position.turn
        if not set(names) <= set(self.cells) or board[self.cells.index(names[0])] != "wb"[turn]:
            return None
        start, *cells = map(self.cells.index, names)
        path = CapturePath(board, start, self.further_captures(board, start, turn))
        for to in cells:
            victims = dict(path.further).get(to)
            if victims is None:
                return None
            path = self.capture(path.board, path.cell, to, victims, turn)
        return path

    def must_capture(self, position: SeegaPosition) -> bool:
        """Whether the player to move can capture, and so has to."""
        moving = position.phase == 2 and not self.outcome(position)
        return moving and next(self.captures(position), None) is not None

    def successor(self, position: SeegaPosition, text: str) -> SeegaPosition | None:
        if position.phase == 1 and text[:1] == "@":
            return self.successor_of_placement(position, text)
        if not self.must_capture(position):
            return super().successor(position, text)
        names = text.split("x")
        path = self.follow_captures(position, names) if len(names) > 1 else None
        if path is None or (path.further and self.chosen["chain"] == "compulsory"):
            return None
        return SeegaPosition(path.board, 1 - position.turn, 2, 0)

    def moves_along(self, position: SeegaPosition, touched: Sequence[str]) -> Plays:
        if not touched or not self.must_capture(position):
            yield from super().moves_along(position, touched)
            return
        if path := self.follow_captures(position, touched):
            if len(touched) > 1:
                yield from self.capture_moves(path, "x".join(touched), position.turn)
                return
            for to, victims in path.further:
                first = self.capture(path.board, path.cell, to, victims, position.turn)
                text = f"{touched[0]}x{self.cells[to]}"
                yield from self.capture_moves(first, text, position.turn)

    def next_places(self, position: SeegaPosition, touched: Sequence[str]) -> frozenset[str]:
        if not self.must_capture(position):
            return super().next_places(position, touched)
        board, turn, cells = position.board, position.turn, self.cells
        if touched:
            path = self.follow_captures(position, touched)
            return frozenset(cells[to] for to, _victims in path.further) if path else frozenset()
        pawns = [cell for cell, pawn in enumerate(board) if pawn == "wb"[turn]]
        return frozenset(cells[cell] for cell in pawns if self.further_captures(board, cell, turn))

    def reachable_cells(self, board: str, start: int) -> Iterator[int]:
        """The cells a pawn can move to."""
        for cells in self.rays[start]:
            for to in cells:
                if board[to] != EMPTY:
                    break
                yield to

    def removals(self, position: SeegaPosition) -> Plays:
        """A blocked player takes off own pawns: two if White, one if Black, or all there are."""
        board, turn = position.board, position.turn
        pawns = [cell for cell in self.cells_by_name if board[cell] == "wb"[turn]]
        for chosen in combinations(pawns, min(2 - turn, len(pawns))):
            after = board
            for cell in chosen:
                after = replace_letter(after, cell, EMPTY)
            text = "~" + "+".join(self.cells[cell] for cell in chosen)
            yield text, SeegaPosition(after, 1 - turn, 2, 0)

    def is_blocked(self, board: str, own: str) -> bool:
        """Whether no pawn of a colour can move."""
        return not any(
            pawn == own and any(board[to] == EMPTY for to in self.neighbours[cell])
            for cell, pawn in enumerate(board)
        )

    def passed(self, position: SeegaPosition) -> SeegaPosition:
        return position._replace(turn=1 - position.turn, duty=1)

    def outcome(self, position: SeegaPosition) -> Outcome | None:
        if position.phase == 2:
            for seat in (0, 1):
                if "bw"[seat] not in position.board:
                    return Outcome((seat,), "grand")
        return None

    def jammed(self, position: SeegaPosition, by: str) -> Outcome:
        """The pawns are counted; while they are being placed nobody has lost any."""
        ahead = position.board.count("w") - position.board.count("b")
        if ahead == 0 or position.phase == 1:
            return Outcome((), "equal", by)
        return Outcome((0 if ahead > 0 else 1,), "minor", by)

    def is_quiet(self, before: SeegaPosition, after: SeegaPosition) -> bool:
        """A turn that takes no pawn off; placing, in phase 1, changes the number too."""
        return before.board.count(EMPTY) == after.board.count(EMPTY)

    def reserve(self, position: SeegaPosition, letter: str) -> int:
        return self.stock - position.board.count(letter) if position.phase == 1 else 0

    def faults(self, position: SeegaPosition) -> Iterator[Phrase]:
        board, turn, phase, duty = position
        white, black = board.count("w"), board.count("b")
        if phase not in (1, 2) or duty not in (0, 1):
            yield _("phase must be 1 or 2, and duty 0 or 1")
        if max(white, black) > self.stock:
            yield ngettext(
                "there is more than {n} pawn of one colour",
                "there are more than {n} pawns of one colour",
                self.stock,
            )
        if phase == 1:
            full = white + black == 2 * self.stock
            if full or white % 2 or white - black != 2 * turn:
                yield _("pawns are placed two at a time in turn, White first, until all are placed")
            if board[self.centre] != EMPTY:
                yield _("no pawn is placed on the centre")
            if all(board[cell] == "b" for cell in self.ring):
                yield _("Black may not surround the centre while there are other cells")
        elif white + black == 0:
            yield _("the board is empty")
        replay, foe = self.chosen["blocked"] == "replay", "bw"[turn]
        if duty and not (replay and phase == 2 and foe in board and self.is_blocked(board, foe)):
            yield _("there is no duty to open: the other player is not blocked")

    def why(self, position: SeegaPosition, text: str) -> Phrase:
        board, own = position.board, "wb"[position.turn]
        names = re.split(r"[-x+]", text.lstrip("@~"))
        first, last = (self.cells.index(name) for name in (names[0], names[min(1, len(names) - 1)]))
        if text[0] == "@":
            if position.phase == 2:
                return _("all pawns have been placed")
            if names != sorted(set(names)):
                return _("name two different cells, in order")
            if self.centre in (first, last):
                return _("no pawn is placed on the centre")
            if filled := [name for name in names if board[self.cells.index(name)] != EMPTY]:
                return _("{place} is not empty", place=filled[0])
            return _("Black may not surround the centre while there are other cells")
        if position.phase == 1:
            return _("the pawns are still being placed, two at a time")
        if board[first] != own:
            return _("there is no pawn of yours on {place}", place=names[0])
        legal, _after = next(self.moves(position))
        if text[0] == "~":
            if not self.is_blocked(board, own):
                return _("only a blocked player takes off pawns")
            return _("White takes off two pawns of their own, Black one: {move}", move=legal)
        if last not in self.reachable_cells(board, first):
            ends = {"start": names[0], "place": names[1]}
            if self.chosen["reach"] == "step":
                return _("{place} is not an empty cell next to {start}", **ends)
            return _("no free straight way leads from {start} to {place}", **ends)
        meant = next((move for move, _after in self.moves_along(position, names)), None)
        if "x" in text and meant:
            return _("the pawn has to go on capturing: {move}", move=meant)
        takes = "x" in text and any(self.moves_along(position, names[:2]))
        if "x" in legal and not takes:
            return _("there is a capture to make: {move}", move=meant or legal)
        if "x" in text:
            return _("the pawn does not capture at every step of this way")
        return _("the blocked player has to be let out: {move}", move=legal)

    def aim(self, seat: int) -> Phrase:
        return _("To win, take all the other's pawns: one caught between two of yours is taken.")

    def prompt(self, position: SeegaPosition, legal: Mapping[str, SeegaPosition]) -> Phrase:
        if position.phase == 1:
            return self.placing_prompt(position, legal)
        if duty := self.duty(position, legal):
            return duty
        if position.board[self.centre] == EMPTY and position.board.count(EMPTY) == 1:
            return _("Only the centre is empty: move a pawn there.")
        if self.chosen["reach"] == "step":
            return _("Move a pawn one cell along a row or a column.")
        return _("Move a pawn along a row or a column, as far as you like.")

    def placing_prompt(self, position: SeegaPosition, legal: Mapping[str, object]) -> Phrase:
        """What to do while pawns are placed."""
        empty = position.board.count(EMPTY) - 1  # never the centre
        if empty == 2:
            return _("Place your last two pawns.")
        if len(legal) < comb(empty, 2):
            return _("Place two pawns, anywhere but the centre, without surrounding it.")
        return _("Place two pawns, anywhere but the centre.")

    def duty(self, position: SeegaPosition, legal: Mapping[str, SeegaPosition]) -> Phrase | None:
        if position.phase == 1:
            return None
        other, (text, after) = self.players[1 - position.turn], next(iter(legal.items()))
        if text == PASS:
            return _("You cannot move: you pass, and {player} has to let you out.", player=other)
        if text[0] == "~":
            return ngettext(
                "You cannot move: take off one of your pawns.",
                "You cannot move: take off {n} of your pawns.",
                text.count("+") + 1,
            )
        movers = sorted({move[:2] for move in legal})
        few, places = len(movers) <= MAX_NAMED, either(movers)
        if position.duty and not self.is_blocked(after.board, "bw"[position.turn]):
            if few:
                return _("{player} is blocked: let them out with {places}.").fill(
                    player=other, places=places
                )
            return _("{player} is blocked: you have to let them out.", player=other)
        if "x" in text:
            if few:
                return _("You must capture: {places} can.", places=places)
            return _("You must capture: several of your pawns can.")
        if position.duty:
            return _("{player} is blocked, but no move lets them out: play any.", player=other)
        return None

    def hindrance(self, position: SeegaPosition, place: str) -> Phrase | None:
        cell = self.cells.index(place)
        if position.phase == 2:
            return None
        if cell == self.centre:
            return _("No pawn is placed on the centre.")
        if position.board[cell] != EMPTY:
            return _("A pawn stands here already.")
        return _("Black may not surround the centre while other cells are empty.")

    def tallies(self, position: SeegaPosition, seat: int) -> Sequence[Tally]:
        """The pawns left to place; then those left on the board, and those taken."""
        if position.phase == 1:
            return super().tallies(position, seat)
        own, foe = (position.board.count(letter) for letter in ("wb"[seat], "bw"[seat]))
        left, taken = Tally("pieces", own, counts.pawns(own)), self.stock - foe
        if self.chosen["blocked"] == "remove":
            return [left]  # some may have been taken off by their owner
        return [left, Tally("taken", taken, ngettext("{n} taken", "{n} taken", taken))]

    def tell(self, before: SeegaPosition, text: str, after: SeegaPosition, mover: Phrase) -> Phrase:
        if text[0] != "@":
            return super().tell(before, text, after, mover)
        places = together(text[1:].split("+"))
        return _("{mover} placed two pawns, on {places}", mover=mover, places=places)

    def make_board(self) -> Board:
        places, marks, rim = make_grid(self.rows, self.columns, lambda row, column: column + row)
        refuge = Region("refuge", _("refuge"), (self.cells[self.centre],))
        return Board(places, regions=(refuge,), reserves=self.kinds, marks=marks, rim=rim)

    def symmetries(self) -> Sequence[Symmetry]:
        """Turns and mirrors of the square; the players differ, as only Black may not ring."""
        same = {"w": "w", "b": "b"}
        return [
            make_symmetry(self.cells, places, same)
            for places in square_place_maps(self.cells, self.width)
        ]

    def disguises(self) -> Sequence[Symmetry]:
        """The symmetries, and the exchange of the players: few positions tell them apart."""
        exchanged = {"w": "b", "b": "w"}
        return [
            *self.symmetries(),
            *(
                make_symmetry(self.cells, places, exchanged, (1, 0), (1, 0))
                for places in square_place_maps(self.cells, self.width)
            ),
        ]
