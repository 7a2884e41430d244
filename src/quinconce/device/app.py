"""A device that answers what a page asks, as a server would: the same requests, the same shapes."""

from __future__ import annotations

import logging
import time
from collections.abc import AsyncGenerator, Callable, Iterator
from contextlib import aclosing, contextmanager
from typing import Final, cast

from quinconce.core.phrase import Phrase, _, ngettext
from quinconce.device import backup
from quinconce.device.backup import ImportResult
from quinconce.device.engine import report_slice
from quinconce.device.messages import (
    DeviceAnswer,
    DeviceRequest,
    MalformedError,
    PageRequest,
    answer_json,
)
from quinconce.device.page_answers import answer_page
from quinconce.device.routes import WrongMethodError, find_handler
from quinconce.device.services import DeviceServices
from quinconce.device.store import DeviceStore, Entry, MemoryStore
from quinconce.server.answers.pages import fault_page
from quinconce.server.engines.jobs import MoveChooser
from quinconce.server.errors import Fault, RouteError, fault_of, status_fault
from quinconce.server.language import negotiate_voice
from quinconce.server.off_loop import AT_ONCE
from quinconce.server.reviews.reviews import ReportSlicer
from quinconce.words import LANGUAGES, Voice

__all__ = [
    "Device",
    "DeviceAnswer",
    "DeviceRequest",
    "DeviceStore",
    "Entry",
    "ImportResult",
    "MemoryStore",
]

LOG: Final = logging.getLogger("quinconce.device")
DEFECT: Final = Fault(500, "broken", _("something went wrong in this page: load it again"))
# The addresses of the file with everything: to save, and to take over.
EXPORT_PATH: Final = "/api/device/export"
IMPORT_PATH: Final = "/api/device/import"


class Device:
    """Answers requests from what its store holds; `open` it first."""

    def __init__(
        self,
        store: DeviceStore,
        now: Callable[[], float] = time.time,
        chooser: MoveChooser | None = None,
        report_slicer: ReportSlicer = report_slice,
    ) -> None:
        with at_once():
            self.services = DeviceServices(store, now, chooser, report_slicer)

    async def open(self) -> None:
        """Read what the store holds; what cannot be read is left as it is: see `complaint`."""
        with at_once():
            await self.services.open()

    async def refresh(self) -> None:
        """Read it again, because another tab has written; streams tell what is new."""
        with at_once():
            await self.services.refresh()

    async def close(self) -> None:
        """End streams, engines and clocks."""
        with at_once():
            await self.services.close()

    def complaint(self, language: str = LANGUAGES[0]) -> str | None:
        """What there is to say of a store, or of entries, that cannot be read; None if all can."""
        say = Voice(language)
        if trouble := self.services.entries.trouble:
            told = say(trouble)
            return told[0].upper() + told[1:]
        if not (n := len(self.services.entries.unreadable)):
            return None
        words = ngettext(
            "{n} entry that is kept on this device cannot be read; it is left as it is.",
            "{n} entries that are kept on this device cannot be read; they are left as they are.",
            n,
        )
        return say(words)

    async def answer(self, request: DeviceRequest) -> DeviceAnswer:
        """The answer to a request; what goes wrong is told in the one shape of errors."""
        with at_once():
            try:
                asked = PageRequest(request)
            except ValueError:  # an address that is none
                asked = PageRequest(DeviceRequest("GET", "/", request.headers, b""))
                return answer_fault(asked, status_fault(400))
            try:
                answer = await self._answer(asked)
            except Exception as error:
                return answer_fault(asked, find_fault(asked, error))
        if not isinstance(answer.body, bytes):
            answer.body = stream_at_once(cast("AsyncGenerator[bytes, None]", answer.body))
        elif asked.scope["method"] == "HEAD":
            answer.body = b""
        return answer

    async def _answer(self, request: PageRequest) -> DeviceAnswer:
        if self.services.entries.trouble:
            await self.services.refresh()  # it may be over
        most = self.services.settings.limits.body_bytes
        if len(request.body) > most and request.path != IMPORT_PATH:
            raise RouteError(413, "large")
        method = "GET" if request.method == "HEAD" else request.method
        if (method, request.path) == ("GET", EXPORT_PATH):
            return DeviceAnswer(200, {"content-type": "application/json"}, await self.export())
        if (method, request.path) == ("POST", IMPORT_PATH):
            counts = await backup.read_backup(self.services, request.body)
            return answer_json(import_result(counts, negotiate_voice(request)))
        found = find_handler(method, request.path)
        if found is None:
            raise RouteError(404, "missing")
        handler, parts = found
        answer = await handler(self.services, request, **parts)
        return answer if isinstance(answer, DeviceAnswer) else answer_json(answer)

    async def export(self) -> bytes:
        """Everything that is kept (matches, progress, studies) as one JSON file."""
        return await backup.export(self.services)

    async def import_(self, data: bytes, language: str = LANGUAGES[0]) -> ImportResult:
        """Take over what such a file has and this device has not.

        ValueError, which says so in one sentence, for what is no such file.
        """
        with at_once():
            counts = await backup.read_backup(self.services, data)
        return import_result(counts, Voice(language))


def import_result(counts: tuple[int, int, int], say: Voice) -> ImportResult:
    """What an import has done, in words too."""
    words: list[Phrase] = backup.import_words(*counts)
    return ImportResult(*counts, " ".join(map(say, words)))


@contextmanager
def at_once() -> Iterator[None]:
    """What is done within it, and by tasks that begin in it, needs no thread."""
    token = AT_ONCE.set(True)
    try:
        yield
    finally:
        AT_ONCE.reset(token)


async def stream_at_once(pieces: AsyncGenerator[bytes, None]) -> AsyncGenerator[bytes, None]:
    """The pieces of a stream, each made without a thread, whoever reads it."""
    async with aclosing(pieces):
        while True:
            with at_once():
                try:
                    piece = await anext(pieces)
                except StopAsyncIteration:
                    return
            yield piece


def find_fault(request: PageRequest, error: Exception) -> Fault:
    """What is told of an error; a defect is logged, never shown."""
    match error:
        case MalformedError():
            return status_fault(400, str(error))
        case WrongMethodError():
            return status_fault(405)
    fault = fault_of(error)
    if fault is None:
        LOG.error("%s %r failed", request.method, request.path, exc_info=error)
        return DEFECT
    return fault


def answer_fault(request: PageRequest, fault: Fault) -> DeviceAnswer:
    """The answer to a request that failed: a page for somebody who looks, else as programs want."""
    say = negotiate_voice(request)
    if request.path.startswith("/api") or "text/html" not in request.headers.get("accept", ""):
        return answer_json(fault.body(say), fault.status)
    return answer_page(request, fault_page(fault, say), fault.status)
