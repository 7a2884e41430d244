"""Pictures of positions and matches: SVG, files that a worker makes of it, sheets to print."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from functools import partial
from typing import Any, Final, Literal

from quinconce.core.match import Match
from quinconce.core.phrase import _
from quinconce.draw import picture_of
from quinconce.draw.raster import (
    MOVING_WIDTH,
    frame_durations,
    join_frames,
    moving_frames,
    moving_plies,
    render_frame,
    render_png,
)
from quinconce.server.views.games import describe_options
from quinconce.server.views.match import sits_on_far_side
from quinconce.words import Voice
from quinconce.words.sentences import outcome_sentence, player_name

Theme = Literal["light", "dark"]
MovingKind = Literal["gif", "webp"]
Job = Callable[[], bytes]


def position_svg(match: Match[Any], say: Voice, theme: str | None, turned: bool) -> str:
    """The position that a match has come to; without a theme, a browser chooses."""
    return picture_of(match, say=say, theme=theme, flipped=turned, still=True, touchable=False).svg


def png_job(svg: str, width: int) -> Job:
    """Make a PNG of an SVG of one theme."""
    return partial(render_png, svg, width)


def frame_count(moves: int) -> int:
    """How many frames the moving picture of a match has."""
    return len(moving_plies(moves))


def match_frames(match: Match[Any], say: Voice, theme: Theme, turned: bool) -> list[str]:
    """The frames of a moving picture, as SVG."""
    return moving_frames(match, theme, say=say, flipped=turned)


def frame_job(svg: str, theme: Theme) -> Job:
    """Make a PNG of a frame."""
    return partial(render_frame, svg, theme, MOVING_WIDTH)


def moving_job(kind: MovingKind, frames: Sequence[bytes]) -> Job:
    """Join frames to a moving picture."""
    return partial(join_frames, kind, frames, frame_durations(len(frames)))


MAX_DIAGRAMS: Final = 6  # at most, of a record on paper


def print_values(match: Match[Any], people: tuple[Any, ...], say: Voice) -> dict[str, Any]:
    """A match as a sheet of paper shows it: its moves a round a row, and some diagrams."""
    rules, moves, outcome = match.game, match.moves, match.outcome()
    turns, n = len(rules.cycle), len(moves)
    plies = sorted({round(n * (i + 1) / MAX_DIAGRAMS) for i in range(MAX_DIAGRAMS)} - {0}) or [0]
    looks = {"touchable": False, "still": True, "standalone": False}
    first = rules.cycle.index(rules.seat(match.start))
    heads = [rules.cycle[(first + i) % turns] for i in range(turns)]
    return {
        "title": say(rules.title),
        "facts": " · ".join(describe_options(rules, say, usual=True)),
        "seats": [
            say(player_name(match, seat, people) if named else rules.players[seat])
            for seat, named in enumerate(person.name or person.level for person in people)
        ],
        "heads": [say(rules.players[seat]) for seat in heads],
        "rows": [moves[i : i + turns] for i in range(0, n, turns)],
        "result": say(
            outcome_sentence(match, outcome, people) if outcome else _("The match goes on.")
        ),
        "diagrams": [
            (ply, picture_of(match, ply, say=say, prefix=f"after-{ply}-", **looks).svg)
            for ply in plies
        ],
    }


def puzzle_diagram(match: Match[Any], say: Voice, prefix: str) -> str:
    """The position of a puzzle on paper, from the side of the player to move."""
    flipped = sits_on_far_side(match.game, match.seat)
    looks: dict[str, Any] = {"touchable": False, "still": True, "standalone": False}
    return picture_of(match, say=say, prefix=prefix, flipped=flipped, **looks).svg
