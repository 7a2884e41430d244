"""UGI, the Universal Game Interface: its lines as data, for both ends of the conversation.

The match runner cutegames defines it: UCI for any game of two players, with `query` and `response`.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from itertools import pairwise
from typing import TYPE_CHECKING, Any, Final

from quinconce.bridges.time_control import MAX_SECONDS, milliseconds, seconds_for_move
from quinconce.core.game import Game
from quinconce.core.match import Match
from quinconce.core.option import Option
from quinconce.core.phrase import _, quote
from quinconce.core.position import Outcome
from quinconce.core.registry import game_class, menu_names

if TYPE_CHECKING:
    from quinconce.engine.analysis import Analysis

NO_MOVE: Final = "0000"  # where there is nothing to play
START: Final = "startpos"
WORD_SPACE: Final = "_"  # stands for a space where a position has to be one word
MARGIN_SECONDS: Final = 0.01  # before the end of `movetime` at which a search is stopped
LEAST_SEARCHED: Final = 0.5  # of `movetime`, however short it is
GO_NUMBERS: Final = ("p1time", "p2time", "p1inc", "p2inc", "movetime", "depth", "nodes")
GO_NUMBER: Final = re.compile(r"-?[0-9]+(\.[0-9]*)?")  # some runners write fractions
MAX_GO_NUMBER: Final = 10**12  # more is the same


@dataclass(frozen=True)
class GoLimits:
    """How long the engine is asked to think; nothing given leaves it to the level."""

    seconds: float | None = None
    depth: int | None = None
    nodes: int | None = None
    infinite: bool = False


def parse_go(words: Sequence[str], side: int) -> GoLimits:
    """The limits in the words behind `go` for the side to move; what makes no sense is ignored."""
    given = {
        name: parse_go_number(value)
        for name, value in pairwise(words)
        if name in GO_NUMBERS and GO_NUMBER.fullmatch(value)
    }
    seconds = None
    if "movetime" in given:
        whole = min(given["movetime"] / 1000, MAX_SECONDS)
        seconds = max(whole - MARGIN_SECONDS, LEAST_SEARCHED * whole)
    elif (left := given.get(("p1time", "p2time")[side])) is not None:
        increment = given.get(("p1inc", "p2inc")[side], 0)
        seconds = min(seconds_for_move(left / 1000, increment / 1000), MAX_SECONDS)
    return GoLimits(seconds, given.get("depth"), given.get("nodes"), "infinite" in words)


def parse_go_number(text: str) -> int:
    """A number behind `go`: a clock that was overdrawn is empty, and nothing is without end."""
    return int(min(max(0.0, float(text)), MAX_GO_NUMBER))


def split_position(words: Sequence[str]) -> tuple[str | None, list[str]]:
    """The position as text and the moves behind `position`; None for the game's own start.

    ValueError if the words are of another kind.
    """
    at = words.index("moves") if "moves" in words else len(words)
    kind, *fen = words[:at] or [""]
    moves = list(words[at + 1 :])
    if kind == START and not fen:
        return None, moves
    if kind == "fen" and fen:
        return " ".join(fen).replace(WORD_SPACE, " "), moves
    raise ValueError(
        _("{wrong} is not a position: startpos or fen", wrong=quote(" ".join(words[:at])))
    )


def position_line(match: Match[Any]) -> str:
    """The command that tells a program where a match stands."""
    rules = match.game
    start = START if match.start == rules.start() else f"fen {rules.write(match.start)}"
    return " ".join(["position", start, *(["moves"] if match.moves else []), *match.moves])


def one_word(text: object) -> str:
    """A text as a single word: whoever reads `bestmove` and `response` counts two."""
    return WORD_SPACE.join(str(text).split()) or NO_MOVE


def result_word(game: Game[Any], outcome: Outcome | None) -> str:
    """How a match ended, as `query result` is answered."""
    if outcome is None:
        return "none"
    if not outcome.winners:
        return "draw"
    return f"p{game.side(outcome.winners[0]) + 1}win"


def info_line(found: Analysis) -> str:
    """What a search has found so far."""
    line = found.lines[0]
    score = f"cp {line.score}"
    if line.value in ("win", "loss") and line.plies is not None:
        moves = (line.plies + 1) // 2  # of the one who wins or loses
        score = f"mate {moves if line.value == 'win' else -moves}"
    spent = milliseconds(found.seconds)
    pv = " ".join(line.moves)
    return f"info depth {found.depth} score {score} nodes {found.nodes} time {spent} pv {pv}"


def game_options() -> dict[str, list[Option]]:
    """The options of all games by name; several games may have one of the same name."""
    found: dict[str, list[Option]] = {}
    for name in menu_names():
        for key, option in game_class(name).options.items():
            found.setdefault(key, []).append(option)
    return found


def game_option_lines(game: Game[Any]) -> Iterator[str]:
    """The lines that offer the games and their options, as they stand now."""
    yield f"option name Game type combo default {game.name}{combo_values(menu_names())}"
    for key, offers in game_options().items():
        default = game.chosen.get(key, offers[0][0])
        if any(option.numbers for option in offers):
            yield f"option name {key} type string default {default}"
        else:
            values = dict.fromkeys(value for option in offers for value in option)
            yield f"option name {key} type combo default {default}{combo_values(list(values))}"


def combo_values(values: Sequence[str]) -> str:
    """The values that an option offers."""
    return "".join(f" var {value}" for value in values)


def parse_setoption(words: Sequence[str]) -> tuple[str, str]:
    """The name, in small letters, and the value behind `setoption`; both may be empty."""
    small = [word.lower() for word in words]
    at = small.index("value") if "value" in small else len(small)
    name = small[small[:1] == ["name"] : at]
    return " ".join(name), " ".join(words[at + 1 :])


def option_values(game: Game[Any]) -> Mapping[str, str]:
    """What a program has to be told to play a form of a game."""
    return {"Game": game.name, **game.chosen}
