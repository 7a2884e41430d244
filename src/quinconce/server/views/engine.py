"""What an engine is doing that somebody waits for, in figures and in words."""

from __future__ import annotations

from typing import Any, Final, Literal

from msgspec import Struct

from quinconce.core import counts
from quinconce.core.game import Game
from quinconce.core.phrase import Phrase, _, ngettext
from quinconce.server.engines.dispatch import EngineActivity, Outage
from quinconce.words import Voice
from quinconce.words.preparation import percent, preparing_phrase

EngineState = Literal["idle", "asked", "away", "preparing", "queued", "thinking"]
AWAY: Final = _(
    "The engine’s computers cannot be reached. Nothing is lost: it goes on when they are back."
)
HELPED: Final = _("The engine’s computers cannot be reached: this server thinks in their place.")


class EngineView(Struct, frozen=True):
    """What the engine does just now.

    It is idle; will be asked in a moment; waits because its machines cannot be reached; is being
    prepared, which happens once for every game; is at other matches first; or thinks. `words` say
    so, unless it is idle.
    """

    state: EngineState
    level: int | None = None  # at which it thinks
    seconds: float | None = None  # that it thinks at most, where time is what limits it
    ahead: int = 0  # questions that are answered before
    share: float | None = None  # about how much is prepared, from 0 to 1; None: all of it
    words: str | None = None
    seq: int | None = None  # the last event of the match
    away: bool = False  # whether its machines cannot be reached, though this server may help out


def preparation_view(
    game: Game[Any], share: float | None, outage: Outage | None, say: Voice
) -> EngineView:
    """How far the engine is with getting ready for a game."""
    if outage == "waiting":
        return EngineView("away", words=say(AWAY), away=True)
    away = outage is not None
    if share is None:
        return EngineView("idle", away=away)
    words = say(preparing_phrase(game, share))
    return EngineView("preparing", share=share, words=words, away=away)


def activity_view(
    game: Game[Any],
    activity: EngineActivity | None,
    waiting: bool,
    seq: int,
    outage: Outage | None,
    say: Voice,
) -> EngineView:
    """What the engine of a match is doing; `waiting` says whether the match waits for it."""
    if outage == "waiting" and (activity or waiting):
        return EngineView("away", words=say(AWAY), seq=seq, away=True)
    away = outage is not None
    if activity is None:
        words = say(_("The engine will be asked in a moment.")) if waiting else None
        return EngineView("asked" if waiting else "idle", words=words, seq=seq, away=away)
    state: EngineState = (
        "preparing" if activity.waits else "queued" if activity.ahead else "thinking"
    )
    return EngineView(
        state,
        activity.number,
        activity.level and activity.level.seconds,
        activity.ahead,
        activity.share,
        say(HELPED if away and activity.share is None else activity_phrase(game, activity)),
        seq,
        away,
    )


def activity_phrase(game: Game[Any], activity: EngineActivity) -> Phrase:
    """What an engine is doing, in words."""
    level, number = activity.level, activity.number
    if activity.share is not None:
        if activity.waits and activity.share and level and level.is_full_strength:
            return _(
                "Preparing full strength for {game} (first time only): about {n} %",
                game=game.title,
                n=percent(activity.share),
            )
        if activity.waits:
            return preparing_phrase(game, activity.share)
        return _(
            "The engine thinks more slowly while it is being prepared for {game}: about {n} %.",
            game=game.title,
            n=percent(activity.share),
        )
    if activity.ahead:
        return ngettext(
            "The engine is busy: {n} question comes before yours.",
            "The engine is busy: {n} questions come before yours.",
            activity.ahead,
        )
    if level is None:
        return _("The engine thinks about it.")
    if level.seconds is not None:
        return _(
            "The engine (level {level}) looks up what is proved and thinks for up to {s:g} s.",
            level=number,
            s=level.seconds,
        )
    return _(
        "The engine (level {level}) looks at {positions}.",
        level=number,
        positions=counts.positions(level.nodes or 0),
    )
