"""What a page needs to search a position by itself, and what its lines are in the rules' words.

The page has the modules of WebAssembly and the constants of the search; a position comes as the
states that compiled code reads, packed as words of 64 bits.
"""

from __future__ import annotations

import struct
from base64 import b64decode, b64encode
from collections import Counter
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from functools import lru_cache
from pathlib import Path
from typing import Any, Final, NamedTuple

from quinconce.core.errors import TooManyMovesError
from quinconce.core.game import Game
from quinconce.core.match import LAST_OCCURRENCE, Match
from quinconce.core.move_limit import sample_moves
from quinconce.core.phrase import _
from quinconce.engine import deepening, scores, workspace
from quinconce.engine.limits import MAX_DEPTH
from quinconce.engine.position_search import move_between
from quinconce.engine.principal_variation import Line, searched_line
from quinconce.engine.scores import drawn_share, score_scale
from quinconce.engine.slices import ReportLine, may_repeat, report_line
from quinconce.engine.weights import weight_values
from quinconce.kernels.kernel import Kernel, kernel_for
from quinconce.kernels.webassembly import interface, module_path

WORD_BYTES: Final = 8
# The entries that a page calls, by the names it has for them.
ENTRIES: Final = {
    "key": "kernels.calls.key",
    "think": "engine.deepening.think",
    "variation": "engine.deepening.variation",
}


@dataclass(frozen=True)
class PageSearch:
    """A position to search: states are rows of words, packed."""

    kind: str  # of state, which names the module
    fields: int  # words of a state
    state: str
    moves: str  # where the legal moves lead, in the order of their texts
    texts: list[str]
    quiet_turns: list[int]  # after each
    quiet_limit: int
    repeated: str  # positions that end the match if they come once more
    max_moves: int  # rows that a position may have
    weights: list[int]
    fair: float  # the share of each side in a draw
    points: float  # of the scale by which scores become shares
    doubt: float


def page_search(match: Match[Any]) -> PageSearch | None:
    """What a page needs for a position; None where it cannot search it: more than two sides."""
    game = match.game
    if len(game.sides) > 2 or match.outcome():
        return None
    kernel = kernel_for(game)
    state, legal = kernel.encode(match.position), sample_moves(game, match.position)
    ends = [place for place, times in Counter(match.positions).items() if times >= LAST_OCCURRENCE]
    scale = score_scale(game)
    return PageSearch(
        kind=type(state).__name__,
        fields=len(state),
        state=pack([state]),
        moves=pack(map(kernel.encode, legal.values())),
        texts=list(legal),
        quiet_turns=list(map(match.quiet_after, legal.values())),
        quiet_limit=game.quiet_limit or 0,
        repeated=pack(map(kernel.encode, ends)),
        max_moves=min(workspace.SEARCHED_MOVES, kernel.max_successors),
        weights=weight_values(kernel),
        fair=drawn_share(game),
        points=scale.points,
        doubt=scale.doubt,
    )


def pack(states: Iterable[Any]) -> str:
    """States as words of 64 bits, in base64."""
    words = [word for state in states for word in state]
    return b64encode(struct.pack(f"<{len(words)}q", *words)).decode("ascii")


def unpack(kernel: Kernel, text: str) -> list[Any]:
    """The positions of packed states; ValueError if they are none."""
    start = kernel.encode(kernel.game.start())
    try:
        content = b64decode(text, validate=True)
        words = struct.unpack(f"<{len(content) // WORD_BYTES}q", content)
        rows = zip(*[iter(words)] * len(start), strict=True)
        return [kernel.decode(type(start)._make(row)) for row in rows]
    except (ArithmeticError, LookupError, ValueError, struct.error):
        raise ValueError(_("these are no states of a position")) from None


class FoundLine(NamedTuple):
    """A line that a page has found: states from the one after its first move on."""

    states: str
    score: int
    proved: int  # the score, or what is proved of it


def told_lines(match: Match[Any], depth: int, lines: Iterable[FoundLine]) -> list[ReportLine]:
    """The lines of a search to a depth in words; ValueError if one begins with no legal move."""
    repeats = may_repeat(match)
    return [report_line(match.game, line, repeats) for line in read_lines(match, depth, lines)]


def read_lines(match: Match[Any], depth: int, lines: Iterable[FoundLine]) -> list[Line]:
    """The lines of a search to a depth; ValueError if one begins with no legal move.

    A line ends where the rules know no move to its next state.
    """
    kernel = kernel_for(match.game)
    found = []
    for line in lines:
        moves, position = [], match.position
        for after in unpack(kernel, line.states):
            text = known_move(match.game, position, after)
            if text is None:
                break
            moves.append(text)
            position = after
        if not moves:
            raise ValueError(_("a line begins with no legal move"))
        found.append(searched_line(tuple(moves), line.score, line.proved, depth))
    return found


@lru_cache(maxsize=1 << 14)
def known_move(game: Game[Any], before: Any, after: Any) -> str | None:
    """The move between two positions, kept: lines of one depth are much like those of the next."""
    try:
        return move_between(game, before, after)
    except TooManyMovesError:
        return None


def module_files() -> Mapping[str, Path]:
    """The modules, by the names of their files."""
    return {path.name: path for path in map(module_path, interface())}


def engine_constants() -> dict[str, Any]:
    """What a page has to know of compiled code: entries, places, sizes, scores."""
    modules = {
        kind: {short: entries[name].number for short, name in ENTRIES.items() if name in entries}
        for kind, entries in interface().items()
    }
    names = (
        (deepening, "ROOT_COUNT DEPTH WHOLE_DEPTH NODE_BUDGET LINE_SCORE PROGRESS_SIZE"),
        (workspace, "STOP_FLAG NODE_LIMIT QUIET_LIMIT THREAD_COUNT CONTROL_SIZE"),
        (workspace, "MAX_PLY SIGNATURE_COUNT DEFER_SLOTS"),
        (scores, "WIN ENDGAME_WIN COUNTED_WIN PROVED_THRESHOLD MAX_ESTIMATE INFINITE NO_SCORE"),
    )
    constants = {name: getattr(room, name) for room, given in names for name in given.split()}
    more = {"MAX_DEPTH": MAX_DEPTH, "LAST_OCCURRENCE": LAST_OCCURRENCE}
    return {"modules": modules, "constants": constants | more}
