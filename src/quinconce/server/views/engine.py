"""What an engine is doing that somebody waits for, in figures and in words."""

from __future__ import annotations

from typing import Final, Literal

from msgspec import Struct

from quinconce.core import counts
from quinconce.core.phrase import Phrase, _, ngettext
from quinconce.server.engines.source import EngineActivity, Outage
from quinconce.words import Voice

# It is never `preparing` any more: older programs may know the word.
EngineState = Literal["idle", "asked", "away", "preparing", "queued", "thinking"]
AWAY: Final = _(
    "The engine’s computers cannot be reached. Nothing is lost: it goes on when they are back."
)
HELPED: Final = _("The engine’s computers cannot be reached: this server thinks in their place.")


class EngineView(Struct, frozen=True):
    """What the engine does just now.

    It is idle; will be asked in a moment; waits because its machines cannot be reached; is at other
    matches first; or thinks. `words` say so, unless it is idle.
    """

    state: EngineState
    level: int | None = None  # at which it thinks
    seconds: float | None = None  # that it thinks at most, where time is what limits it
    ahead: int = 0  # questions that are answered before
    share: float | None = None  # always null: an engine need not be prepared
    words: str | None = None
    seq: int | None = None  # the last event of the match
    away: bool = False  # whether its machines cannot be reached, though this server may help out


def outage_view(outage: Outage | None, say: Voice) -> EngineView:
    """Whether an engine can be asked."""
    if outage == "waiting":
        return EngineView("away", words=say(AWAY), away=True)
    return EngineView("idle", away=outage is not None)


def activity_view(
    activity: EngineActivity | None, waiting: bool, seq: int, outage: Outage | None, say: Voice
) -> EngineView:
    """What the engine of a match is doing; `waiting` says whether the match waits for it."""
    if outage == "waiting" and (activity or waiting):
        return EngineView("away", words=say(AWAY), seq=seq, away=True)
    away = outage is not None
    if activity is None:
        words = say(_("The engine will be asked in a moment.")) if waiting else None
        return EngineView("asked" if waiting else "idle", words=words, seq=seq, away=away)
    return EngineView(
        "queued" if activity.ahead else "thinking",
        activity.number,
        activity.level and activity.level.seconds,
        activity.ahead,
        words=say(HELPED if away else activity_phrase(activity)),
        seq=seq,
        away=away,
    )


def activity_phrase(activity: EngineActivity) -> Phrase:
    """What an engine is doing, in words."""
    level, number = activity.level, activity.number
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
