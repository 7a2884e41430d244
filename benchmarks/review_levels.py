"""How a review judges our own levels: their errors, and how accurate they are.

    python -m benchmarks.review_levels [FORM …] [--games 20] [--nodes 100000] [--file levels.jsonl]
                                       [--table]

A form is a game with options, as `diam edition=1997` in quotes. Each of LEVELS plays matches
against itself after OPENING_PLIES moves of chance, of MOST_PLIES at most, and every position is
looked at as a review does it. What was found is added to the file, a match a line, so that the
program can be stopped at any time and goes on where it was. At last, or at once with `--table`, the
table of all matches in the file is printed: the judgements are made anew from what was found.
"""

from __future__ import annotations

import argparse
import json
import math
import random
import sys
from collections import defaultdict
from collections.abc import Iterator, Sequence
from pathlib import Path
from statistics import fmean, stdev
from typing import Any, Final, NamedTuple

from benchmarks.calibration import parse_form
from quinconce import Match
from quinconce.core.move_limit import sample_moves
from quinconce.engine import choose
from quinconce.engine.elo import Z_95
from quinconce.study.review import PositionReport, Review, join_reports, report_position
from quinconce.words.review import JUDGEMENTS

FORMS: Final = ("buts", "diadema", "diam", "diam edition=1997", "seega")
LEVELS: Final = (1, 3, 5, 7, 9)
OPENING_PLIES: Final = 2
MOST_PLIES: Final = 200
HEADINGS: Final = (
    "level",
    "matches",
    "moves",
    "??",
    "?",
    "?!",
    "went by",
    "accuracy",
    "first seat − second",
)


class Played(NamedTuple):
    """A match of a level against itself, and what was found at its positions."""

    form: str
    level: int
    number: int
    start: str
    moves: Sequence[str]
    reports: Sequence[dict[str, Any]]

    def review(self) -> Review:
        """The review of the match."""
        match = begin_match(self.form, self.start)
        for text in self.moves:
            match.play(text)
        return join_reports(match, [PositionReport.from_json(each) for each in self.reports])


def begin_match(form: str, start: str) -> Match[Any]:
    """A match from a position."""
    game = parse_form(form)
    return Match(game, game.read(start))


def random_start(form: str, number: int) -> str:
    """The position after some moves of chance, the same for every level."""
    game, chance = parse_form(form), random.Random(f"{form} {number}")
    match = Match(game)
    for _ply in range(OPENING_PLIES):
        match.play(chance.choice(sorted(sample_moves(game, match.position))))
    return game.write(match.position)


def play_match(form: str, level: int, number: int, nodes: int) -> Played:
    """A match of a level against itself; every position is looked at before the next move."""
    start = random_start(form, number)
    match = begin_match(form, start)
    reports = [report_position(match, nodes).json()]
    while not match.outcome() and len(match.moves) < MOST_PLIES:
        match.play(choose(match, level, seed=number))
        reports.append(report_position(match, nodes).json())
    return Played(form, level, number, start, match.moves, reports)


def read_matches(file: Path) -> Iterator[Played]:
    """The matches of a file."""
    if file.exists():
        with file.open(encoding="utf-8") as lines:
            for line in lines:
                yield Played(*json.loads(line))


def play_matches(forms: Sequence[str], games: int, nodes: int, file: Path) -> None:
    """Play the matches that the file does not have yet, those of all levels in turn."""
    known = {played[:3] for played in read_matches(file)}
    for number in range(games):
        for form in forms:
            for level in LEVELS:
                if (form, level, number) not in known:
                    played = play_match(form, level, number, nodes)
                    with file.open("a", encoding="utf-8") as lines:
                        lines.write(json.dumps(played) + "\n")


class LevelFigures:
    """What the reviews of a level's matches say."""

    def __init__(self) -> None:
        self.matches = self.plies = self.went_by = 0
        self.errors = dict.fromkeys(JUDGEMENTS, 0)
        self.accuracy: list[float] = []  # of a match, both seats together
        self.gaps: list[float] = []  # between the first seat and the second

    def add(self, found: Review) -> None:
        """Count a match."""
        self.matches += 1
        self.plies += len(found.plies)
        for ply in found.plies:
            self.went_by += ply.went_by is not None
            if ply.judgement:
                self.errors[ply.judgement] += 1
        seats = [one for one in found.accuracy if one is not None]
        self.accuracy.append(fmean(seats))
        if len(seats) > 1:
            self.gaps.append(seats[0] - seats[1])

    def row(self, level: int) -> str:
        """The figures as a row of a table."""
        shares = [self.errors[kind] / self.plies for kind in reversed(JUDGEMENTS)]
        cells = [
            str(level),
            str(self.matches),
            str(self.plies),
            *(f"{100 * share:.1f} %" for share in (*shares, self.went_by / self.plies)),
            mean_with_interval(self.accuracy),
            mean_with_interval(self.gaps),
        ]
        return f"| {' | '.join(cells)} |"


def mean_with_interval(values: Sequence[float]) -> str:
    """The mean, and half of the interval that holds it with a confidence of 95 %."""
    if len(values) < 2:
        return "-"
    return f"{fmean(values):.0f} ±{Z_95 * stdev(values) / math.sqrt(len(values)):.0f}"


def print_tables(forms: Sequence[str], file: Path) -> None:
    """Print a table for each form."""
    found: defaultdict[tuple[str, int], LevelFigures] = defaultdict(LevelFigures)
    for played in read_matches(file):
        found[played.form, played.level].add(played.review())
    for form in forms:
        sys.stdout.write(f"\n{form}\n\n| {' | '.join(HEADINGS)} |\n{'|---' * len(HEADINGS)}|\n")
        for level in LEVELS:
            if (form, level) in found:
                sys.stdout.write(found[form, level].row(level) + "\n")


def main() -> None:
    """Play, look, and print the tables."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("forms", nargs="*", default=FORMS)
    parser.add_argument("--games", type=int, default=20)
    parser.add_argument("--nodes", type=int, default=100_000, help="nodes of a position")
    parser.add_argument("--file", type=Path, default=Path("levels.jsonl"))
    parser.add_argument("--table", action="store_true", help="print the tables of the file only")
    given = parser.parse_args()
    if not given.table:
        play_matches(given.forms, given.games, given.nodes, given.file)
    print_tables(given.forms, given.file)


if __name__ == "__main__":
    main()
