"""Diam: pile up pawns on a ring of eight cells until two alike face each other above the ground."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from itertools import permutations
from math import cos, pi
from typing import Final, NamedTuple

from quinconce.core import counts
from quinconce.core.board import Board, Mark, Piece, Place, Point, polar_point, replace_letter
from quinconce.core.game import EMPTY, PASS, Game
from quinconce.core.option import Edition, Option
from quinconce.core.phrase import Phrase, _, ngettext
from quinconce.core.position import Outcome
from quinconce.core.symmetry import Symmetry, make_symmetry

MAX_PILE_HEIGHT: Final = 4  # pawns in a pile
PAWNS_PER_COLOUR: Final = 4  # pawns of a colour
CELL_DIGITS: Final = "12345678"
RING_RADII: Final = tuple(
    (level + 1) / cos(pi / 8) for level in range(MAX_PILE_HEIGHT + 1)
)  # between levels

COLOURS: Final = {
    "r": (_("red"), "red", "ring", _("a red pawn"), _("the red pawn")),
    "o": (_("orange"), "orange", "triangle", _("an orange pawn"), _("the orange pawn")),
    "m": (_("brown"), "brown", "square", _("a brown pawn"), _("the brown pawn")),
    "n": (_("black"), "black", "lozenge", _("a black pawn"), _("the black pawn")),
    "j": (_("yellow"), "yellow", "triangle", _("a yellow pawn"), _("the yellow pawn")),
    "v": (_("green"), "green", "square", _("a green pawn"), _("the green pawn")),
    "b": (_("blue"), "blue", "lozenge", _("a blue pawn"), _("the blue pawn")),
}
PAIRS: Final = {
    "r": _("two red pawns"),
    "o": _("two orange pawns"),
    "m": _("two brown pawns"),
    "n": _("two black pawns"),
    "j": _("two yellow pawns"),
    "v": _("two green pawns"),
    "b": _("two blue pawns"),
}

# Every form of the game that a sheet has: the seats that win together, the order of turns, and the
# colours that each seat places from its reserve.
FORMS: Final = {
    ("2003", "2"): (((0,), (1,)), (0, 1), ("ro", "mn")),
    ("2003", "3"): (((0,), (1, 2)), (0, 1, 0, 2), ("ro", "m", "n")),
    ("2003", "4"): (((0, 1), (2, 3)), (0, 2, 1, 3), ("r", "o", "m", "n")),
    ("1997", "2"): (((0,), (1,)), (0, 1), ("rj", "vb")),
    ("1997", "4"): (((0,), (1,), (2,), (3,)), (0, 1, 2, 3), ("r", "j", "v", "b")),
}

# The pawns above level 1 on the first four cells, highest level first: each may face its like.
FACING_PAWNS: Final = [4 * cell + level for level in (3, 2, 1) for cell in range(4)]


class DiamPosition(NamedTuple):
    """Eight piles of four letters, level 1 first, and the step of the cycle of turns."""

    board: str
    turn: int


class Diam(Game[DiamPosition]):
    """Both editions, for two, three or four players."""

    title = _("Diam")
    summary = _(
        "Make two pawns of your colour face each other across the ring, at the same height."
    )
    how_to_write = _(
        "write r@3 to place a red pawn on cell 3, 3.2-4 to move the pawn at level 2 of cell 3"
    )
    options = {
        "edition": Option(
            _("edition"),
            {
                "2003": _("the published game: place on any pile that is not full"),
                "1997": _("the authors' rules: place on empty cells only"),
            },
        ),
        "players": Option(
            _("players"),
            {
                "2": _("two players with two colours each"),
                "3": _("one player with two colours against a team of two (2003 only)"),
                "4": _("two teams of two (2003), or four players on their own (1997)"),
            },
            counted=counts.players,
        ),
    }
    menu_order = 10
    editions = (
        Edition(
            _("Diam, the 2003 edition"),
            "r@1 m@1 o@3 n@3 r@3 m@5 o@6 n@6 r@6 m@7 r@7 n@2 3.1-4",
            10,
            _("solved: the second side wins; with three players, the first"),
            {"edition": "2003"},
            _("2003 edition"),
        ),
        Edition(
            _("Diam, 1997 rules"),
            "r@1 v@3 j@5 b@7 1.1-2 v@8 j@4 7.1-8 2.1-3 b@1 4.1-5 v@6 r@2 1.1-2",
            10,
            _("open: nobody knows who should win"),
            {"edition": "1997"},
            _("1997 rules"),
        ),
    )
    reasons = {"diam": _("a diam")}
    width = MAX_PILE_HEIGHT

    def __init__(self, /, **options: object) -> None:
        super().__init__(**options)
        edition, players = self.chosen["edition"], self.chosen["players"]
        if (edition, players) not in FORMS:
            raise ValueError(
                _(
                    "the {edition} edition has no rules for {players}",
                    edition=edition,
                    players=counts.players(int(players)),
                )
            )
        self.sides, self.cycle, self.placed_colours = FORMS[edition, players]
        self.letters = "".join(self.placed_colours)
        # A team moves the pawns of both partners.
        self.movable_colours = [
            "".join(self.placed_colours[mate] for mate in side)
            for side in self.sides
            for _seat in side
        ]
        self.stacking = edition == "2003"
        self.cells = tuple(
            f"{cell}.{level + 1}" for cell in CELL_DIGITS for level in range(MAX_PILE_HEIGHT)
        )
        self.notation = rf"[{self.letters}]@[1-8]|[1-8]\.[1-4]-[1-8]"

    def start(self) -> DiamPosition:
        return DiamPosition(EMPTY * len(self.cells), 0)

    def actions(self, position: DiamPosition) -> Iterator[tuple[str, DiamPosition]]:
        board, turn = position
        seat, following = self.cycle[turn], self.next_turn(position)
        piles = split_piles(board)
        cells = [board[i : i + MAX_PILE_HEIGHT] for i in range(0, len(board), MAX_PILE_HEIGHT)]
        tallest = MAX_PILE_HEIGHT - 1 if self.stacking else 0
        for letter in self.placed_colours[seat]:
            if board.count(letter) < PAWNS_PER_COLOUR:
                for cell, pile in enumerate(piles):
                    if len(pile) <= tallest:
                        after = replace_letter(board, MAX_PILE_HEIGHT * cell + len(pile), letter)
                        yield f"{letter}@{cell + 1}", DiamPosition(after, following)
        own = self.movable_colours[seat]
        for cell, pile in enumerate(piles):
            for level, letter in enumerate(pile):
                if letter in own:
                    for arrival in ((cell + 1) % 8, (cell - 1) % 8):
                        if len(pile) - level + len(piles[arrival]) <= MAX_PILE_HEIGHT:
                            moved = cells.copy()
                            moved[cell] = pile[:level].ljust(MAX_PILE_HEIGHT, EMPTY)
                            moved[arrival] = (piles[arrival] + pile[level:]).ljust(
                                MAX_PILE_HEIGHT, EMPTY
                            )
                            text = f"{cell + 1}.{level + 1}-{arrival + 1}"
                            yield text, DiamPosition("".join(moved), following)

    def outcome(self, position: DiamPosition) -> Outcome | None:
        board = position.board
        for pawn in FACING_PAWNS:
            letter = board[pawn]
            if letter == board[pawn + 16] and letter != EMPTY:  # the highest diam decides
                return Outcome(self.sides[self.side(self.owner(letter))], "diam")
        return None

    def decisive(self, position: DiamPosition) -> frozenset[str]:
        board = position.board
        diams = [pawn for pawn in FACING_PAWNS if EMPTY != board[pawn] == board[pawn + 16]][:1]
        return frozenset(self.cells[at] for pawn in diams for at in (pawn, pawn + 16))

    def won_by(self, position: DiamPosition, outcome: Outcome) -> Phrase | None:
        if outcome.reason != "diam" or not (pawns := self.decisive(position)):
            return None
        pawn = min(pawns)
        colour, level = position.board[self.cells.index(pawn)], pawn.partition(".")[2]
        return _("{pawns} face to face at level {level}", pawns=PAIRS[colour], level=level)

    def owner(self, letter: str) -> int:
        """The seat that places pawns of this colour."""
        return next(seat for seat, colours in enumerate(self.placed_colours) if letter in colours)

    def reserve(self, position: DiamPosition, letter: str) -> int:
        return PAWNS_PER_COLOUR - position.board.count(letter)

    def faults(self, position: DiamPosition) -> Iterator[Phrase]:
        board = position.board
        for letter in self.letters:
            if board.count(letter) > PAWNS_PER_COLOUR:
                yield ngettext(
                    "there is more than {n} {colour} pawn",
                    "there are more than {n} {colour} pawns",
                    PAWNS_PER_COLOUR,
                    colour=COLOURS[letter][0],
                )
        for cell, pile in enumerate(split_piles(board)):
            if EMPTY in pile:
                yield _("a pawn floats above nothing on cell {cell}", cell=cell + 1)
        # A turn changes one arrival cell, so all the diams it makes join the same two cells.
        diams = [pawn for pawn in FACING_PAWNS if EMPTY != board[pawn] == board[pawn + 16]]
        if len({pawn // MAX_PILE_HEIGHT for pawn in diams}) > 1:
            yield _("one turn cannot make diams across two different pairs of cells")

    def why(self, position: DiamPosition, text: str) -> Phrase:
        piles = split_piles(position.board)
        seat = self.seat(position)
        if "@" in text:
            letter, cell = text.split("@")
            height, colour = len(piles[int(cell) - 1]), COLOURS[letter][0]
            if letter not in self.placed_colours[seat]:
                return _("the {colour} reserve is not yours", colour=colour)
            if not self.reserve(position, letter):
                return _("no {colour} pawn is left in the reserve", colour=colour)
            if not self.stacking and height < MAX_PILE_HEIGHT:
                return _(
                    "cell {cell} is not empty, and this edition places on empty cells only",
                    cell=cell,
                )
            return ngettext(
                "the pile on cell {cell} would have {n} pawn",
                "the pile on cell {cell} would have {n} pawns",
                height + 1,
                cell=cell,
            )
        start, level, arrival = int(text[0]), int(text[2]), int(text[4])
        pile, height = piles[start - 1], len(piles[arrival - 1])
        if level > len(pile):
            return _("there is no pawn at {pawn}", pawn=text[:3])
        if pile[level - 1] not in self.movable_colours[seat]:
            return _("the pawn at {pawn} is not yours to move", pawn=text[:3])
        if (arrival - start) % 8 not in (1, 7):
            return _("cell {arrival} is not next to cell {cell}", arrival=arrival, cell=start)
        return ngettext(
            "the pile on cell {cell} would have {n} pawn",
            "the pile on cell {cell} would have {n} pawns",
            height + len(pile) - level + 1,
            cell=arrival,
        )

    def aim(self, seat: int) -> Phrase:
        if len(self.sides[self.side(seat)]) > 1:
            return _(
                "To win, get two pawns of one of your team's colours face to face, at the same"
                " level (2 or higher)."
            )
        if len(self.placed_colours[seat]) > 1:
            return _(
                "To win, get two of your pawns of one colour face to face, at the same level"
                " (2 or higher)."
            )
        return _("To win, get two of your pawns face to face, at the same level (2 or higher).")

    def prompt(self, position: DiamPosition, legal: Mapping[str, DiamPosition]) -> Phrase:
        placing = sum("@" in text for text in legal)
        team = len(self.sides[self.side(self.seat(position))]) > 1
        if PASS in legal:
            return super().prompt(position, legal)
        if placing == len(legal):
            return (
                _("Place a pawn on any cell.")
                if self.stacking
                else _("Place a pawn on an empty cell.")
            )
        if not placing:
            return (
                _("Move a pawn of your team, with all that is on it, to the next cell.")
                if team
                else _("Move one of your pawns, with all that is on it, to the next cell.")
            )
        if self.stacking:
            return (
                _("Place a pawn on any cell, or move one of your team's to the next cell.")
                if team
                else _("Place a pawn on any cell, or move one of yours to the next cell.")
            )
        return _("Place a pawn on an empty cell, or move one of yours to the next cell.")

    def tell(self, before: DiamPosition, text: str, after: DiamPosition, mover: Phrase) -> Phrase:
        if text == PASS:
            return super().tell(before, text, after, mover)
        if "@" in text:
            piece, cell = COLOURS[text[0]][3], text[2]
            return _("{mover} placed {piece} on cell {cell}", mover=mover, piece=piece, cell=cell)
        pile, level = split_piles(before.board)[int(text[0]) - 1], int(text[2])
        piece, above = COLOURS[pile[level - 1]][3], len(pile) - level
        ends = {"mover": mover, "piece": piece, "start": text[0], "end": text[4]}
        if not above:
            return _("{mover} moved {piece} from cell {start} to cell {end}").fill(**ends)
        return ngettext(
            "{mover} moved {piece} and the pawn on it from cell {start} to cell {end}",
            "{mover} moved {piece} and the {n} pawns on it from cell {start} to cell {end}",
            above,
            **ends,
        )

    @property
    def kinds(self) -> tuple[Piece, ...]:
        return tuple(
            Piece(letter, COLOURS[letter][0], self.owner(letter), *COLOURS[letter][1:])
            for letter in self.letters
        )

    @property
    def players(self) -> tuple[Phrase, ...]:
        return tuple(
            _("{one} and {other}", one=COLOURS[colours[0]][0], other=COLOURS[colours[1]][0])
            if len(colours) == 2
            else COLOURS[colours][0]
            for colours in self.placed_colours
        )

    def make_board(self) -> Board:
        """Piles are unrolled along their spokes: level 1 innermost, level 4 at the rim."""
        places: list[Place] = []
        for i, cell in enumerate(CELL_DIGITS):
            label = _("cell {cell}", cell=cell)
            places.append(
                Place(cell, *polar_point(i, 8, 3), label, None, sector(i, 1, MAX_PILE_HEIGHT))
            )
            for level in range(1, MAX_PILE_HEIGHT + 1):
                label = _("cell {cell}, level {level}", cell=cell, level=level)
                at, outline = polar_point(i, 8, level + 0.5), sector(i, level, level)
                places.append(Place(f"{cell}.{level}", *at, label, cell, outline))
        marks = [Mark(cell, *polar_point(i, 8, 5.4)) for i, cell in enumerate(CELL_DIGITS)]
        for level in range(1, MAX_PILE_HEIGHT + 1):
            middle = (RING_RADII[level - 1] + RING_RADII[level]) / 2
            marks.append(Mark(str(level), *polar_point(0.5, 8, middle), inside=True))
        rim = tuple(polar_point(i + 0.5, 8, RING_RADII[-1]) for i in range(8))
        return Board(tuple(places), reserves=self.kinds, marks=tuple(marks), rim=rim)

    def symmetries(self) -> Sequence[Symmetry]:
        """Turns and mirrors of the ring, with the exchanges of colours that keep the turns."""
        exchanges = []
        for shift in range(len(self.cycle)):
            seats = {a: self.cycle[(i + shift) % len(self.cycle)] for i, a in enumerate(self.cycle)}
            turns = [(turn + shift) % len(self.cycle) for turn in range(len(self.cycle))]
            for images in permutations(self.letters):
                letters = dict(zip(self.letters, images, strict=True))
                if all(
                    {letters[letter] for letter in self.placed_colours[a]}
                    == set(self.placed_colours[b])
                    for a, b in seats.items()
                ):
                    exchanges.append((letters, turns, [seats[seat] for seat in sorted(seats)]))
        return [
            make_symmetry(self.cells, ring_map(shift, sense), letters, turns, seats)
            for letters, turns, seats in exchanges
            for sense in (1, -1)
            for shift in range(8)
        ]


def sector(cell: float, lowest: int, highest: int) -> tuple[Point, ...]:
    """The corners of a cell between two levels."""
    inner, outer = RING_RADII[lowest - 1], RING_RADII[highest]
    sides = [(cell - 0.5, outer), (cell + 0.5, outer), (cell + 0.5, inner), (cell - 0.5, inner)]
    return tuple(polar_point(step, 8, radius) for step, radius in sides)


def split_piles(board: str) -> list[str]:
    """The eight piles, bottom first."""
    return [
        board[i : i + MAX_PILE_HEIGHT].rstrip(EMPTY) for i in range(0, len(board), MAX_PILE_HEIGHT)
    ]


def ring_map(shift: int, sense: int) -> dict[str, str]:
    """Where the cells and their levels go when the ring is turned, or mirrored and turned."""
    cells = {cell: CELL_DIGITS[(shift + sense * i) % 8] for i, cell in enumerate(CELL_DIGITS)}
    levels = {
        f"{a}.{level}": f"{b}.{level}"
        for a, b in cells.items()
        for level in range(1, MAX_PILE_HEIGHT + 1)
    }
    return cells | levels
