"""Perft figures found by independent programs: positions as options and moves, counts by depth."""

from __future__ import annotations

from typing import Any, NamedTuple

import pytest

import quinconce
from quinconce import perft
from quinconce.core.game import after_moves


class Row(NamedTuple):
    """A position, as options and moves, and the sequences of exactly 1, 2, … moves from it."""

    name: str
    options: dict[str, Any]
    after: str
    leaves: tuple[int, ...]

    def __str__(self) -> str:
        return "-".join((self.name, *map(str, self.options.values()), self.after[:12]))


def row(name: str, options: dict[str, Any], after: str, figures: str) -> Row:
    leaves = tuple(int(figure.replace(" ", "")) for figure in figures.split("  "))
    return Row(name, options, after, leaves)


def seega_row(reach: str, chain: str, blocked: str, after: str, figures: str) -> Row:
    return row("seega", {"reach": reach, "chain": chain, "blocked": blocked}, after, figures)


SETUP_B = "@a2+b3 @a3+b1 @a4+b4 @c4+d5 @d4+e2 @a5+e1 @c2+d1 @b2+e5 @c5+d3 @a1+e3 @c1+e4 @b5+d2"
# Black is forced to hold the ring, and White is blocked at once.
SETUP_R = "@a1+e5 @b3+d3 @a2+e4 @b1+d5 @a3+e3 @b2+d4 @a4+e2 @c1+c5 @a5+e1 @b5+d1 @b4+d2 @c2+c4"

ROWS = [
    row("diadema", {}, "", "14  182  2 912  44 128  759 346  12 418 826"),
    row("diadema", {}, "@3 @D @F @2 @B @1 @G 2^A G-6 @G", "17  287  4 810  77 958  1 241 965"),
    row(
        "diadema",
        {},
        "@4 @D @7 @3 @B @G @A @6 4-E 3-2 E-4 @5 7xF 5-6 F-5 @7 @1 @C AxF 6xE 1xG @A",
        "13  193  2 469  36 582  475 182",
    ),
    row("buts", {}, "", "46  2 116  103 360  5 044 272  251 493 972"),
    row(
        "buts",
        {},
        "G2-G3 B3-C3 G8-G7 B1^D3^B3^D5 G6^E4 C8-D8 G4-G6 C2-D2 G7^G5 C6-C8 F5^H7 C3-D3 G5-E5 D2-D1 "
        "G3-G4 D8^B8^B6^B4^D4^D2 E4-E1",
        "53  2 486  126 933  6 086 105",
    ),
    row(
        "buts",
        {},
        "G6^E8 C4-B4 G4-F4 C6-D6 G8^E6^G4^E4 B4^B2^D2 E4-E1 D2-D5 E1-E4 C8-D8 F4^D4 B7-C7 F1-H1 "
        "B3-D3 H1-E1",
        "50  2 602  126 029  6 616 870",
    ),
    row("seega", {}, "", "276  63 756  12 113 640  1 853 212 500"),
    row("seega", {"size": 7}, "", "1 128  1 167 480"),
    row("seega", {"size": 9}, "", "3 160  9 489 480"),
    seega_row("slide", "compulsory", "replay", SETUP_B, "3  4  21  50  330  1 912  11 675  75 191"),
    seega_row("slide", "compulsory", "remove", SETUP_B, "3  13  101  290  2 751  10 946  97 530"),
    seega_row("slide", "optional", "replay", SETUP_B, "5  12  63  213  1 337  7 673"),
    seega_row("step", "compulsory", "replay", SETUP_B, "3  4  17  40  212  750  3 913  15 762"),
    seega_row("step", "optional", "remove", SETUP_B, "5  21  128  388  2 692  8 741  64 985"),
    seega_row("slide", "compulsory", "replay", SETUP_R, "1  4  6  8  24  144  530  3 268"),
    seega_row("slide", "compulsory", "remove", SETUP_R, "66  420  1 330  6 234  21 586"),
    row("diam", {"edition": 1997}, "", "16  224  3 136  38 656  481 664  5 444 096"),
    row("diam", {"edition": 1997, "players": 4}, "", "8  56  336  1 680  10 080  55 200"),
    row("diam", {}, "", "16  256  4 608  82 944  1 638 912  32 302 080"),
    row("diam", {"players": 3}, "", "16  128  2 304  23 040  455 616  5 268 544"),
    row("diam", {"players": 4}, "", "8  64  640  6 400  74 232  860 232"),
    row(
        "diam",
        {"edition": 1997},
        "j@4 v@6 r@1 v@8 4.1-5 b@2 j@3 b@4 1.1-8 v@7 5.1-4 6.1-7 8.2-1 2.1-3",
        "12  182  2 156  32 118  385 969",
    ),
    row(
        "diam",
        {"edition": 1997, "players": 4},
        "r@4 j@1 v@2 b@5 r@8 j@7 v@3 5.1-6 8.1-7 7.1-6 2.1-3 b@2 r@5 j@7 3.1-4 6.1-7 4.1-3 j@8 "
        "3.2-2 7.2-6 6.3-7 6.2-5 2.3-3 b@4",
        "6  46  212  1 296  8 708  58 059",
    ),
    row("diam", {}, "r@7 n@1 o@4 m@7 r@3 m@4 o@3 m@5 o@5", "24  607  12 448  275 573"),
    row(
        "diam",
        {"players": 3},
        "r@4 m@3 r@1 n@7 1.1-8 m@1 r@3 3.1-2 o@8 1.1-2 8.2-7 2.3-1 o@1 m@4 1.2-8 1.1-2",
        "26  407  9 581  147 566",
    ),
]


class Count(NamedTuple):
    """One figure of a row."""

    row: Row
    depth: int

    def holds(self) -> None:
        game = quinconce.game(self.row.name, **self.row.options)
        position = after_moves(game, game.start(), self.row.after.split())
        assert perft(game, position, self.depth) == self.row.leaves[self.depth - 1]


def perft_cases(name: str, most: int = 500_000) -> list[Any]:
    """The figures of a game that the plain rules count in seconds."""
    return [
        pytest.param(Count(row, depth), id=f"{row}-{depth}")
        for row in ROWS
        for depth, leaves in enumerate(row.leaves, start=1)
        if row.name == name and leaves <= most
    ]
