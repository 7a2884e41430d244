"""Why a study is not shown, changed or kept."""

from __future__ import annotations

from quinconce.core.phrase import Phrase, _
from quinconce.server.refusals import RefusalError


class StudyNotFoundError(RefusalError):
    """There is no such study, or no such board in it."""

    code = "study"
    default_phrase = _("there is no such study: it was deleted, or nobody has opened it for a year")


class StudyChangedError(RefusalError):
    """Somebody else has changed the study since it was read."""

    code = "changed"
    default_phrase = _(
        "this study has been changed elsewhere since you opened it: load it again, or save yours"
        " as a new one"
    )

    def __init__(self, version: int) -> None:
        super().__init__(version=version)


class StudyTooLargeError(RefusalError):
    """A study with more boards or moves than it may have."""

    code = "large"

    def __init__(self, phrase: Phrase) -> None:
        super().__init__(phrase)


class TooManyKeptError(RefusalError):
    """The server keeps as many studies as it may."""

    code = "full"
    default_phrase = _("this server keeps as many studies as it can: download yours as a record")
