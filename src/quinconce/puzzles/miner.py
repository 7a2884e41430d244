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
from quinconce.engine.levels import level_by_number
from quinconce.engine.move_choice import pick_move
from quinconce.engine.weights import evaluation_weights
from quinconce.kernels import calls
from quinconce.kernels.kernel import kernel_for
from quinconce.puzzles.judge import main_line, trickiest_reply
from quinconce.puzzles.oracle import EndgameOracle, Oracle, SolutionOracle, TooHardError
from quinconce.puzzles.puzzle import HOLD, SHORTEST_SOLUTION, WIN, Puzzle, puzzle_id
from quinconce.solvers.endgames.tables import endgame_table
from quinconce.solvers.retrograde import solution

LONGEST_SEARCHED_WIN: Final = 11  # plies of a win that is looked for by search
LONGEST_SOLVED_WIN: Final = 25  # where the whole game is known
LONGEST_HOLD: Final = 7
MINER_SLICES: Final = 5  # of each question of a search: what takes longer is no puzzle for people
MINER_MEGABYTES: Final = 24.0
UNIQUENESS_MARGIN: Final = 2  # plies in which the other moves shall not win either
MOST_OF_ONE_KIND: Final = 0.4  # of all puzzles, at most, that may be of one grade
MOST_HOLDS: Final = 0.25  # and that are about not losing
MOST_FROM_TABLE: Final = 0.3  # from tables of endings, where there are some
TABLE_POSITIONS_PER_MATCH: Final = 300  # positions of a table that are looked at for each match
LONGEST_MATCH: Final = 300  # plies
PLAYER_LEVELS: Final = range(3, 9)
RANDOM_MOVE_CHANCE: Final = 0.05  # of a move that nobody thought about


@dataclass
class Candidate:
    """A puzzle with what it is sorted by."""

    puzzle: Puzzle
    tempting: int  # moves that look better at a glance than the right one
    legal: int


def play_matches(game: Game[Any], chance: random.Random) -> Iterator[Match[Any]]:
    """Matches between players of many strengths, who now and then play anything."""
    while True:
        match = Match(game)
        numbers = [chance.choice(PLAYER_LEVELS) for _seat in range(game.seats)]
        players = [level_by_number(number, game.form_id) for number in numbers]
        while not match.outcome() and len(match.moves) < LONGEST_MATCH:
            if chance.random() < RANDOM_MOVE_CHANCE:
                match.play(chance.choice(list(match.legal())))
            else:
                match.play(pick_move(match, players[match.seat], chance, None, 1))
        yield match


class Miner:
    """The puzzles of one game that were found so far."""

    def __init__(self, game: Game[Any], wanted: int, seed: int) -> None:
        self.game = game
        self.wanted = wanted
        self.rng = random.Random(f"{seed} {game!r}")
        known = solution(game)
        self.oracle: Oracle = (
            SolutionOracle(game, known)
            if known
            else EndgameOracle(game, MINER_SLICES, MINER_MEGABYTES)
        )
        self.kernel = kernel_for(game)
        self.weights = evaluation_weights(self.kernel)
        self.candidates: dict[str, Candidate] = {}
        self.kind_counts: Counter[tuple[str, int]] = Counter()  # by goal and grade

    def mine(self) -> Iterator[Puzzle]:
        """One puzzle after the other, at most one of a match, until there are enough."""
        for match in play_matches(self.game, self.rng):
            if len(self.candidates) >= self.wanted:
                return
            seen = (
                self.scan_whole_match(match) if self.oracle.complete else self.scan_backwards(match)
            )
            new = [
                puzzle
                for puzzle in chain(seen, self.scan_endgame_table())
                if puzzle.id not in self.candidates
            ]
            # What there is least of comes first.
            for puzzle in sorted(new, key=lambda each: self.kind_counts[each.goal, each.grade]):
                if not self.has_enough(puzzle) and (found := self.find_solution(puzzle)):
                    self.candidates[puzzle.id] = found
                    self.kind_counts[puzzle.goal, puzzle.grade] += 1
                    yield puzzle
                    break

    def scan_whole_match(self, match: Match[Any]) -> Iterator[Puzzle]:
        """The puzzles of a match of a game that is known whole."""
        for position in match.positions[:-1]:
            side = self.game.side(self.game.seat(position))
            found = find_win_puzzle(self.oracle, position, side, LONGEST_SOLVED_WIN)
            if found := found or find_hold_puzzle(self.oracle, position, side):
                yield found

    def scan_backwards(self, match: Match[Any]) -> Iterator[Puzzle]:
        """The puzzles of the winner, from the end of a match back to where no win is found.

        A search takes longest where there is no win; near the end there is most likely one.
        """
        outcome = match.outcome()
        if not outcome or not outcome.winners:
            return
        side = self.game.side(outcome.winners[0])
        for plies in range(SHORTEST_SOLUTION, min(LONGEST_SEARCHED_WIN, len(match.moves)) + 1):
            position = match.positions[-1 - plies]
            if self.game.side(self.game.seat(position)) != side:
                continue
            try:
                if found := find_win_puzzle(self.oracle, position, side, plies):
                    yield found
                elif not self.oracle.wins_within(position, side, plies):
                    return
            except TooHardError:
                return

    def scan_endgame_table(self) -> Iterator[Puzzle]:
        """Puzzles with few pieces, where a table tells that no other move ever wins."""
        table = None if self.oracle.complete else endgame_table(self.game)
        exact = sum(found.puzzle.alone is None for found in self.candidates.values())
        if not table or exact > MOST_FROM_TABLE * len(self.candidates):
            return
        start = self.kernel.encode(self.game.start())
        for _try in range(TABLE_POSITIONS_PER_MATCH):
            pieces = self.rng.randint(SHORTEST_SOLUTION, table.pieces)
            first, last = (int(calls.endgame_layer_start(start, n)) for n in (pieces, pieces + 1))
            state = calls.from_index(start, self.rng.randrange(first, last))
            position = self.kernel.decode(state)
            side = self.game.side(self.game.seat(position))
            after = [next_ for _text, next_ in self.game.moves(position)]
            if sum(bool(self.oracle.ever_wins(each, side)) for each in after) == 1:
                with suppress(TooHardError):
                    if found := find_win_puzzle(self.oracle, position, side, LONGEST_SEARCHED_WIN):
                        yield found
                        return

    def has_enough(self, puzzle: Puzzle) -> bool:
        """Whether there are enough of this kind."""
        holds = sum(n for (goal, _grade), n in self.kind_counts.items() if goal == HOLD)
        if puzzle.goal == HOLD and holds >= MOST_HOLDS * self.wanted:
            return True
        return self.kind_counts[puzzle.goal, puzzle.grade] >= MOST_OF_ONE_KIND * self.wanted

    def find_solution(self, puzzle: Puzzle) -> Candidate | None:
        """A puzzle with its whole solution; none if it goes in circles, or is too hard."""
        self.oracle.reset_allowance()
        try:
            line = main_line(self.oracle, puzzle, puzzle.line[0])
        except TooHardError:
            return None
        positions = puzzle.match(line).positions
        if len(line) != puzzle.plies or len(set(positions)) != len(positions):
            return None
        return self.as_candidate(replace(puzzle, line=line))

    def as_candidate(self, puzzle: Puzzle) -> Candidate:
        """How many moves look better than the right one, before anybody thinks about them."""
        looks = {
            text: -int(calls.evaluate(self.kernel.encode(after), self.weights))
            for text, after in self.game.moves(puzzle.position)
        }
        right = looks[puzzle.line[0]]
        return Candidate(puzzle, sum(look > right for look in looks.values()), len(looks))

    def by_difficulty(self) -> list[Puzzle]:
        """Everything found, from easy to hard."""

        def difficulty(found: Candidate) -> tuple[int, int, bool, int, int, str]:
            puzzle, holds = found.puzzle, found.puzzle.goal == HOLD
            return puzzle.grade, puzzle.plies, holds, found.tempting, found.legal, puzzle.id

        return [found.puzzle for found in sorted(self.candidates.values(), key=difficulty)]


def find_win_puzzle(certain: Oracle, position: Any, side: int, most: int) -> Puzzle | None:
    """A position that one move wins, and no other within as many plies and some more."""
    certain.reset_allowance()
    game = certain.game
    after = dict(game.moves(position))
    if len(after) < 2:
        return None
    plies = certain.shortest_win(position, side, most)
    if plies is None or plies < SHORTEST_SOLUTION:
        return None
    winning = [text for text in after if certain.wins_within(after[text], side, plies - 1)]
    if len(winning) != 1:
        return None
    others = [after[text] for text in after if text not in winning]
    alone: int | None = plies + UNIQUENESS_MARGIN
    if all(certain.ever_wins(other, side) is False for other in others):
        alone = None
    elif certain.complete:
        return None
    else:
        try:
            if any(
                certain.wins_within(other, side, plies + UNIQUENESS_MARGIN - 1) for other in others
            ):
                return None
        except TooHardError:
            alone = plies
    return Puzzle(game, position, WIN, plies, alone, (winning[0],), puzzle_id(game, position))


def find_hold_puzzle(certain: Oracle, position: Any, side: int) -> Puzzle | None:
    """A position in which one move after the other is the only one that does not lose."""
    if not certain.complete or certain.ever_wins(position, side):
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
        match.play(trickiest_reply(certain, match.legal(), side))
        if certain.ever_wins(match.position, side):  # whatever is replied
            break
    if plies < SHORTEST_SOLUTION:
        return None
    return Puzzle(game, position, HOLD, plies, None, (first,), puzzle_id(game, position))
