"""The prompt at which people solve puzzles in the terminal, one after the other."""

from __future__ import annotations

from contextlib import suppress
from typing import Final

from rich.console import Console

from quinconce.core.move_input import parse_typed_move
from quinconce.core.phrase import _
from quinconce.puzzles.messages import (
    goal_message,
    hint_move,
    refutation_message,
    uniqueness_message,
    verdict_message,
)
from quinconce.puzzles.puzzle import Puzzle
from quinconce.terminal.prompt import Prompt, enable_line_editing
from quinconce.words import Voice

PUZZLE_HELP: Final = _(
    "Type a move, or: moves (all legal moves), show (the board), hint, retry, solution, next, help,"
    " quit"
)


class PuzzlePrompt(Prompt):
    """Shows puzzles, judges the moves that are typed, and replies to them."""

    def __init__(self, numbered: list[tuple[int, Puzzle]], console: Console, say: Voice) -> None:
        self.numbered = numbered  # the puzzles, each with its number; at least one
        self.index = 0
        super().__init__(self.puzzle.match(), console, say)
        self.commands |= {
            _("hint"): self.print_hint,
            _("retry"): self.show_puzzle,
            _("solution"): self.print_solution,
            _("next"): self.next_puzzle,
        }

    @property
    def puzzle(self) -> Puzzle:
        """The puzzle to solve now."""
        return self.numbered[self.index][1]

    def run(self) -> None:
        """Ask for moves until all puzzles are solved or somebody leaves."""
        enable_line_editing()
        self.help()
        self.show_puzzle()
        with suppress(EOFError, KeyboardInterrupt):
            while not self.handle_input(self.ask(_("your move > "))):
                pass

    def play_move(self, typed: str) -> bool | None:
        """Judge a move and reply to it; True to leave, after the last puzzle."""
        from quinconce.puzzles.judge import judge_move  # slow to load

        try:
            move = parse_typed_move(self.puzzle.game, self.match.position, typed)
            answer = judge_move(self.puzzle, (*self.match.moves, move))
        except ValueError as error:
            self.print_refusal(error)
            return None
        self.match = self.puzzle.match(answer.moves)
        if answer.verdict in ("right", "solved"):
            self.show()
        self.print_phrase(verdict_message(self.puzzle, answer))
        if refuted := refutation_message(self.puzzle, answer):
            self.print_phrase(refuted)
        return self.next_puzzle() if answer.verdict == "solved" else None

    def show_puzzle(self, _rest: str = "") -> None:
        """Print the puzzle, from its start."""
        n, puzzle = self.numbered[self.index]
        self.match = puzzle.match()
        self.print_phrase(
            _("Puzzle {n}, grade {grade} ({id})", n=n, grade=puzzle.grade, id=puzzle.id)
        )
        self.show()
        self.print_phrase(goal_message(puzzle))

    def next_puzzle(self, _rest: str = "") -> bool:
        """Go on to the next puzzle; True after the last."""
        self.index += 1
        if self.index == len(self.numbered):
            self.print_phrase(_("That was the last puzzle."))
            return True
        self.show_puzzle()
        return False

    def print_solution(self, _rest: str) -> None:
        """Print the moves against the best defence."""
        self.print_phrase(_("The solution: {moves}.", moves=" ".join(self.puzzle.line)))
        self.print_phrase(uniqueness_message(self.puzzle))

    def print_hint(self, _rest: str) -> None:
        """Print where the next move begins."""
        try:
            move = hint_move(self.puzzle, self.match.moves)
        except ValueError as error:
            self.print_refusal(error)
            return
        places = sorted(self.puzzle.game.touches(move)[0])
        self.print_phrase(_("The move begins here: {place}", place=" ".join(places)))

    def help(self, _rest: str = "") -> None:
        """Print what can be typed."""
        self.print_phrase(PUZZLE_HELP)
