"""Why an engine does not answer."""

from __future__ import annotations

from quinconce.core.phrase import _, ngettext
from quinconce.server.refusals import RefusalError


class HintsOffError(RefusalError):
    """People play against each other and have not all agreed to hints."""

    code = "hints"
    default_phrase = _("hints are off between people, unless all agree")


class TooManyHintsError(RefusalError):
    """The match has had as many hints as the settings allow."""

    code = "hints"

    def __init__(self, limit: int) -> None:
        super().__init__(
            ngettext(
                "this match has had {n} hint: enough", "this match has had {n} hints: enough", limit
            )
        )


class BusyError(RefusalError):
    """Too many questions wait for the engines."""

    code = "thinking"
    default_phrase = _("the engines are busy")

    def __init__(self) -> None:
        super().__init__(retry_after=5)


class EngineFailedError(RefusalError):
    """The engine has died or kept silent each time it was asked."""

    code = "engine"
    default_phrase = _("the engine does not answer")


class EnginesAwayError(RefusalError):
    """The cluster on which engines think is away."""

    code = "engine"
    default_phrase = _("the engine’s computers cannot be reached: try again later")

    def __init__(self) -> None:
        super().__init__(retry_after=5)


class TooManyAnalysesError(RefusalError):
    """As many analyses are under way as the settings allow, of one address or of all."""

    code = "analyses"
    default_phrase = _("too many analyses are under way: try again in a moment")

    def __init__(self) -> None:
        super().__init__(retry_after=5)
