"""A recorded match with its variations in the terminal: which line is shown, and what is noted."""

from __future__ import annotations

from typing import Any, Final

from rich.console import Console
from rich.text import Text

from quinconce.core.match import Match
from quinconce.core.phrase import Phrase, _
from quinconce.core.record import Record
from quinconce.core.variations import Node, Variations
from quinconce.terminal.keys import open_keyboard
from quinconce.terminal.scenes import render_match
from quinconce.words import Voice
from quinconce.words.sentences import printable

STEPS: Final = {"\x1b[C": 1, "n": 1, " ": 1, "\r": 1, "\n": 1, "\x1b[D": -1, "p": -1}
SHOWN_MOVES: Final = 5  # of a variation, where it is offered


class RecordLines:
    """The line of a record that is shown: what was played, or a variation by its number."""

    def __init__(self, record: Record, match: Match[Any]) -> None:
        self.seats = record.seats
        self.played = match
        self.tree = Variations.of(match) if record.variations is None else record.variations
        self.branches = self.tree.branches()
        self.numbers = {node: number for number, node in enumerate(self.branches, start=1)}
        self.show(self.tree.root)

    def show(self, node: Node) -> None:
        """Choose the line that leads to a node and goes on from there."""
        self.line = [self.tree.root, *node.line()]
        main_line = [self.tree.root, *self.tree.main_line()]
        last = self.line[-1]
        self.match = self.played if last is main_line[-1] else self.tree.match_at(last)

    def show_next_variation(self, ply: int) -> None:
        """Go on from a position with another move than before; after the last, the first again."""
        children = self.line[ply].children
        if len(children) > 1:
            self.show(children[(children.index(self.line[ply + 1]) + 1) % len(children)])

    def remarks(self, ply: int, say: Voice) -> list[str]:
        """The mark and the note of the last move, and where else the line could go."""
        node = self.line[ply]
        remarks = []
        if node.mark or node.note:
            words = " ".join(filter(None, (node.move, node.mark, node.note)))
            remarks = [printable(line) for line in words.split("\n")]
        for child in node.children:
            if child is not self.line[ply + 1]:
                moves = " ".join(step.move for step in child.line()[ply : ply + SHOWN_MOVES])
                number = self.numbers.get(child)
                remarks.append(
                    say(_("Left for this variation: {moves}", moves=moves))
                    if number is None
                    else say(_("Variation {number}: {moves}", number=number, moves=moves))
                )
        return remarks

    def print(self, ply: int, say: Voice, console: Console) -> None:
        """Print the position after `ply` moves of the line, and what is noted."""
        console.print(render_match(self.match, say, console, self.seats, ply))
        if remarks := self.remarks(ply, say):
            console.print(Text("\n".join(remarks)))

    def browse(self, say: Voice, console: Console) -> None:
        """Move by move: the arrow keys, or n and p, go forward and back, v changes the line."""
        ply = 0
        with open_keyboard() as read_key:
            while True:
                console.clear()
                self.print(ply, say, console)
                console.print(Text(say(self._hint(ply)), "dim"))
                key = read_key()
                if key in ("q", "Q", "\x1b"):
                    return
                if key in ("v", "V"):
                    self.show_next_variation(ply)
                ply = min(max(ply + STEPS.get(key, 0), 0), len(self.match.moves))

    def _hint(self, ply: int) -> Phrase:
        end = len(self.match.moves)
        if len(self.line[ply].children) > 1:
            return _(
                "{ply} of {n}: → or n for the next, ← or p for the last, v for another variation, "
                "q to leave",
                ply=ply,
                n=end,
            )
        return _(
            "{ply} of {n}: → or n for the next, ← or p for the last, q to leave", ply=ply, n=end
        )
