"""The base of every error by which the server refuses what somebody asks for."""

from __future__ import annotations

from typing import Any, ClassVar

from quinconce.core.phrase import Phrase


class RefusalError(Exception):
    """A refusal, with a code for programs and a phrase for people.

    Its class decides the status of the answer, in `server/errors.py` alone. A refusal without a
    phrase is told in the words of its status.
    """

    code: str
    default_phrase: ClassVar[Phrase | None] = None

    def __init__(
        self, phrase: Phrase | None = None, *, retry_after: float = 0, **extra: Any
    ) -> None:
        self.phrase = phrase or self.default_phrase
        self.retry_after = retry_after  # seconds
        self.extra = extra  # what the answer says beside code and phrase
        super().__init__(self.phrase or self.code)
