"""Where puzzles come from: matches that the engine plays against itself, position by position."""

from __future__ import annotations

import random
from collections import Counter
from collections.abc import Iterator
from contextlib import suppress
from dataclasses import dataclass, replace
from itertools import chain
from typing import Any, Final

from quinconce.core.game import Game
from quinconce.core.match import Match
from quinconce.engine.levels import LEVELS
from quinconce.engine.move_choice import chosen
from quinconce.engine.weights import weights
from quinconce.kernels import calls
from quinconce.kernels.kernel import kernel
from quinconce.puzzles.judge import main_line, trap
from quinconce.puzzles.oracle import Certainty, Ended, Solved, TooHardError
from quinconce.puzzles.puzzle import HOLD, LEAST, WIN, Puzzle, name_of
from quinconce.solvers.endgames.tables import endings
from quinconce.solvers.retrograde import solution

LONGEST: Final = 11  # plies of a win that is looked for by search
LONGEST_KNOWN: Final = 25  # where the whole game is known
LONGEST_HOLD: Final = 7
SLICES: Final = 5  # of each question of a search: what takes longer is no puzzle for people
MEGABYTES: Final = 24.0
FURTHER: Final = 2  # plies in which the other moves shall not win either
SHARE: Final = 0.4  # of all puzzles, at most, that may be of one grade
HOLDS: Final = 0.25  # and that are about not losing
TABLED: Final = 0.3  # from tables of endings, where there are some
TRIES: Final = 300  # positions of a table that are looked at for each match
MATCH: Final = 300  # plies
PLAYERS: Final = LEVELS[2:8]
CHANCE: Final = 0.05  # of a move that nobody thought about


@dataclass
class Found:
    """A puzzle with what it is sorted by."""

    puzzle: Puzzle
    tempting: int  # moves that look better at a glance than the right one
    legal: int


def matches(game: Game[Any], chance: random.Random) -> Iterator[Match[Any]]:
    """Matches between players of many strengths, who now and then play anything."""
    while True:
        match = Match(game)
        players = [chance.choice(PLAYERS) for _seat in range(game.seats)]
        while not match.outcome() and len(match.moves) < MATCH:
            if chance.random() < CHANCE:
                match.play(chance.choice(list(match.legal())))
            else:
                match.play(chosen(match, players[match.seat], chance, None, 1))
        yield match


class Mine:
    """The puzzles of one game that were found so far."""

    def __init__(self, game: Game[Any], wanted: int, seed: int) -> None:
        self.game = game
        self.wanted = wanted
        self.chance = random.Random(f"{seed} {game!r}")
        known = solution(game)
        self.certain: Certainty = Solved(game, known) if known else Ended(game, SLICES, MEGABYTES)
        self.kernel = kernel(game)
        self.weights = weights(self.kernel)
        self.found: dict[str, Found] = {}
        self.kinds: Counter[tuple[str, int]] = Counter()  # by goal and grade

    def dig(self) -> Iterator[Puzzle]:
        """One puzzle after the other, at most one of a match, until there are enough."""
        for match in matches(self.game, self.chance):
            if len(self.found) >= self.wanted:
                return
            seen = self.everywhere(match) if self.certain.whole else self.backwards(match)
            new = [puzzle for puzzle in chain(seen, self.few()) if puzzle.id not in self.found]
            # What there is least of comes first.
            for puzzle in sorted(new, key=lambda each: self.kinds[each.goal, each.grade]):
                if not self.full(puzzle) and (found := self.worked_out(puzzle)):
                    self.found[puzzle.id] = found
                    self.kinds[puzzle.goal, puzzle.grade] += 1
                    yield puzzle
                    break

    def everywhere(self, match: Match[Any]) -> Iterator[Puzzle]:
        """The puzzles of a match of a game that is known whole."""
        for position in match.positions[:-1]:
            side = self.game.side(self.game.seat(position))
            found = won(self.certain, position, side, LONGEST_KNOWN)
            if found := found or held(self.certain, position, side):
                yield found

    def backwards(self, match: Match[Any]) -> Iterator[Puzzle]:
        """The puzzles of the winner, from the end of a match back to where no win is found.

        A search takes longest where there is nothing, and there he is likeliest to find something.
        """
        outcome = match.outcome()
        if not outcome or not outcome.winners:
            return
        side = self.game.side(outcome.winners[0])
        for plies in range(LEAST, min(LONGEST, len(match.moves)) + 1):
            position = match.positions[-1 - plies]
            if self.game.side(self.game.seat(position)) != side:
                continue
            try:
                if found := won(self.certain, position, side, plies):
                    yield found
                elif not self.certain.wins(position, side, plies):
                    return
            except TooHardError:
                return

    def few(self) -> Iterator[Puzzle]:
        """Puzzles with few pieces, where a table tells that no other move ever wins."""
        table = None if self.certain.whole else endings(self.game)
        exact = sum(found.puzzle.alone is None for found in self.found.values())
        if not table or exact > TABLED * len(self.found):
            return
        start = self.kernel.encode(self.game.start())
        for _try in range(TRIES):
            pieces = self.chance.randint(LEAST, table.pieces)
            first, last = (int(calls.endgame_layer_start(start, n)) for n in (pieces, pieces + 1))
            state = calls.from_index(start, self.chance.randrange(first, last))
            position = self.kernel.decode(state)
            side = self.game.side(self.game.seat(position))
            after = [next_ for _text, next_ in self.game.moves(position)]
            if sum(bool(self.certain.ever_wins(each, side)) for each in after) == 1:
                with suppress(TooHardError):
                    if found := won(self.certain, position, side, LONGEST):
                        yield found
                        return

    def full(self, puzzle: Puzzle) -> bool:
        """Whether there are enough of this kind."""
        holds = sum(n for (goal, _grade), n in self.kinds.items() if goal == HOLD)
        if puzzle.goal == HOLD and holds >= HOLDS * self.wanted:
            return True
        return self.kinds[puzzle.goal, puzzle.grade] >= SHARE * self.wanted

    def worked_out(self, puzzle: Puzzle) -> Found | None:
        """A puzzle with its whole solution; none if it goes in circles, or is too hard."""
        self.certain.begin()
        try:
            line = main_line(self.certain, puzzle, puzzle.line[0])
        except TooHardError:
            return None
        positions = puzzle.match(line).positions
        if len(line) != puzzle.plies or len(set(positions)) != len(positions):
            return None
        return self.weighed(replace(puzzle, line=line))

    def weighed(self, puzzle: Puzzle) -> Found:
        """How many moves look better than the right one, before anybody thinks about them."""
        looks = {
            text: -int(calls.evaluate(self.kernel.encode(after), self.weights))
            for text, after in self.game.moves(puzzle.position)
        }
        right = looks[puzzle.line[0]]
        return Found(puzzle, sum(look > right for look in looks.values()), len(looks))

    def puzzles(self) -> list[Puzzle]:
        """Everything found, from easy to hard."""

        def hard(found: Found) -> tuple[int, int, bool, int, int, str]:
            puzzle, holds = found.puzzle, found.puzzle.goal == HOLD
            return puzzle.grade, puzzle.plies, holds, found.tempting, found.legal, puzzle.id

        return [found.puzzle for found in sorted(self.found.values(), key=hard)]


def won(certain: Certainty, position: Any, side: int, most: int) -> Puzzle | None:
    """A position that one move wins, and no other within as many plies and some more."""
    certain.begin()
    game = certain.game
    after = dict(game.moves(position))
    if len(after) < 2:
        return None
    plies = certain.shortest(position, side, most)
    if plies is None or plies < LEAST:
        return None
    winning = [text for text in after if certain.wins(after[text], side, plies - 1)]
    if len(winning) != 1:
        return None
    others = [after[text] for text in after if text not in winning]
    alone: int | None = plies + FURTHER
    if all(certain.ever_wins(other, side) is False for other in others):
        alone = None
    elif certain.whole:
        return None
    else:
        try:
            if any(certain.wins(other, side, plies + FURTHER - 1) for other in others):
                return None
        except TooHardError:
            alone = plies
    return Puzzle(game, position, WIN, plies, alone, (winning[0],), name_of(game, position))


def held(certain: Certainty, position: Any, side: int) -> Puzzle | None:
    """A position in which one move after the other is the only one that does not lose."""
    if not certain.whole or certain.ever_wins(position, side):
        return None
    game, first, plies = certain.game, "", 0
    match = Match(game, position)
    while plies < LONGEST_HOLD:
        legal = match.legal()
        holding = [text for text in legal if certain.holds(legal[text], side)]
        if len(holding) != 1 or len(legal) < 2:
            break
        first = first or holding[0]
        match.play(holding[0])
        plies = len(match.moves)
        if match.outcome():
            break
        match.play(trap(certain, match.legal(), side))
        if certain.ever_wins(match.position, side):  # whatever is replied
            break
    if plies < LEAST:
        return None
    return Puzzle(game, position, HOLD, plies, None, (first,), name_of(game, position))
