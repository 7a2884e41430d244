"""The games as tools of the Model Context Protocol, for programs that talk to language models."""

from __future__ import annotations

from collections import OrderedDict
from collections.abc import Callable, Mapping
from functools import wraps
from importlib.metadata import version
from itertools import count
from typing import Any, Final, ParamSpec, TypeVar

from quinconce.bridges.extras import missing_extra
from quinconce.core.match import Match
from quinconce.core.move_input import parse_typed_move
from quinconce.core.move_limit import read_position
from quinconce.core.phrase import _, quote
from quinconce.core.registry import game, game_class, menu_names
from quinconce.draw import THEMES, picture_of
from quinconce.draw.raster import PAPER_COLOURS, render_png
from quinconce.engine.levels import LAST_LEVEL, level_by_number
from quinconce.words import LANGUAGES, Voice

try:
    from mcp.server.mcpserver import Image, MCPServer
    from mcp.server.mcpserver.exceptions import ToolError
except ImportError as error:
    raise missing_extra(error, "mcp") from None

P = ParamSpec("P")
R = TypeVar("R")
MOST_MATCHES: Final = 200  # that are kept; the one that was touched longest ago is forgotten
PICTURE_WIDTH: Final = 640  # pixels
DEFAULT_LEVEL: Final = 5
INSTRUCTIONS: Final = (
    "Five abstract board games, some of them solved. Read the rules of a game first; start a"
    " match, and play moves in its notation. A match is named by the id that start returns."
)


def refuse_politely(tool: Callable[P, R]) -> Callable[P, R]:
    """What a tool refuses is one line for the model, and no fault of the server."""

    @wraps(tool)
    def call(*arguments: P.args, **named: P.kwargs) -> R:
        try:
            return tool(*arguments, **named)
        except ValueError as error:
            raise ToolError(Voice("en")(error.args[0])) from None

    return call


class MatchTools:
    """The tools, and the matches that were started with them."""

    def __init__(self) -> None:
        self.matches: OrderedDict[str, Match[Any]] = OrderedDict()
        self._ids = map(str, count(1))
        self._say = Voice("en")

    def find(self, match: str) -> Match[Any]:
        """The match with an id; ValueError if there is none."""
        if match not in self.matches:
            raise ValueError(_("there is no match {id}: start one", id=quote(match)))
        self.matches.move_to_end(match)
        return self.matches[match]

    def describe(self, id_: str) -> dict[str, Any]:
        """A match as every tool shows it."""
        match = self.find(id_)
        outcome = match.outcome()
        ended: dict[str, Any] = {"over": outcome is not None}
        if outcome:
            reason = self._say(match.game.reason(outcome))
            ended |= {"winners": list(outcome.winners), "reason": reason}
        return {
            "match": id_,
            "game": match.game.name,
            "options": dict(match.game.chosen),
            "position": match.game.write(match.position),
            "seat": match.seat,
            "player": self._say(match.game.players[match.seat]),
            "moves": match.moves,
            **ended,
        }

    def list_games(self) -> list[dict[str, Any]]:
        """The games, with what each is about, its options and their values, the default first."""
        return [
            {
                "game": name,
                "title": self._say(game_class(name).title),
                "summary": self._say(game_class(name).summary),
                "options": {
                    option: {value: self._say(text) for value, text in offered.meanings.items()}
                    for option, offered in game_class(name).options.items()
                },
            }
            for name in menu_names()
        ]

    def rules(self, game: str, language: str = "en") -> str:
        """The rules of a game in Markdown, with its notation; in English (en) or French (fr)."""
        if language not in LANGUAGES:
            known = ", ".join(LANGUAGES)
            raise ValueError(
                _("there is no language {wrong}: choose among {known}").fill(
                    wrong=quote(language), known=known
                )
            )
        return Voice(language).rules_text(game_class(game).name)

    def start(
        self, game: str, options: Mapping[str, str | int] | None = None, position: str | None = None
    ) -> dict[str, Any]:
        """Start a match, with options by name, from the start or from a position as text."""
        rules = make_game(game, dict(options or {}))
        match = Match(rules, None if position is None else read_position(rules, position))
        id_ = next(self._ids)
        self.matches[id_] = match
        if len(self.matches) > MOST_MATCHES:
            self.matches.popitem(last=False)
        return self.describe(id_)

    def position(self, match: str) -> dict[str, Any]:
        """The position of a match as text, who is to move, the moves so far, and how it ended."""
        return self.describe(match)

    def legal_moves(self, match: str) -> list[str]:
        """All legal moves in the notation of the game; none when the match is over."""
        return sorted(self.find(match).legal())

    def play(self, match: str, move: str) -> dict[str, Any]:
        """Play a move for the player to move; what the rules refuse says why."""
        here = self.find(match)
        here.play(parse_typed_move(here.game, here.position, move))
        return self.describe(match)

    def picture(self, match: str) -> Image:
        """The board as a picture, PNG."""
        theme = THEMES[0]
        drawn = picture_of(self.find(match), theme=theme).svg
        return Image(data=render_png(drawn, PICTURE_WIDTH, PAPER_COLOURS[theme]), format="png")

    def engine_move(
        self, match: str, level: int = DEFAULT_LEVEL, play: bool = True
    ) -> dict[str, Any]:
        """The engine chooses a move, at a level from 1 to 10; with `play` it is played too."""
        from quinconce.engine.move_choice import choose  # slow to load

        here = self.find(match)
        level_by_number(level)
        move = choose(here, level, seed=None if level == LAST_LEVEL else len(here.moves))
        if play:
            here.play(move)
        return {"move": move, **self.describe(match)}

    def proven_value(self, match: str) -> dict[str, Any]:
        """What is proved: the value for the player to move, and of each move; else `unknown`.

        Plies are those to the end of the game.
        """
        from quinconce.engine.solved import proved_moves, proved_value  # slow to load

        here = self.find(match)
        moves = proved_moves(here)
        value = proved_value(here, moves)
        return {
            "value": value.result if value else "unknown",
            "plies": value.plies if value else None,
            "moves": {
                text: {"value": known.result, "plies": known.plies}
                for text, known in sorted(moves.items())
            },
        }


def make_game(name: str, options: dict[str, str | int]) -> Any:
    """A game with its options."""
    return game(name, **options)


def make_server() -> MCPServer[Any]:
    """The server with its tools, and no match yet."""
    server: MCPServer[Any] = MCPServer(
        "quinconce", instructions=INSTRUCTIONS, version=version("quinconce")
    )
    tools = MatchTools()
    for tool in (
        tools.list_games,
        tools.rules,
        tools.start,
        tools.legal_moves,
        tools.play,
        tools.position,
        tools.picture,
        tools.engine_move,
        tools.proven_value,
    ):
        server.add_tool(refuse_politely(tool))
    return server
