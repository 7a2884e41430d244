"""The device in a browser's worker: JavaScript hands requests in, and keeps what is stored."""

from __future__ import annotations

import asyncio
from importlib import import_module
from typing import Any, Final

from quinconce.core.phrase import _
from quinconce.device.app import Device, DeviceRequest, Entry
from quinconce.device.store import LATER
from quinconce.words import LANGUAGES, Voice

KEEPS_NOTHING: Final = _("This browser keeps nothing: what you play is gone with its window.")
KEPT_BY_LATER: Final = _(
    "A newer Quinconce has kept your games in this browser, and they stay as they are: load the"
    " page again to find them. What you play until then is gone with its window."
)


def to_javascript(value: Any) -> Any:
    """A value as JavaScript has it; dicts become plain objects."""
    js: Any = import_module("js")
    ffi: Any = import_module("pyodide.ffi")
    return ffi.to_js(value, dict_converter=js.Object.fromEntries)


class BrowserStore:
    """IndexedDB by a JavaScript object; each entry is bytes under a kind and a key."""

    def __init__(self, store: Any) -> None:
        self.store = store

    async def load(self) -> list[tuple[str, str, bytes]]:
        """Every entry as it is at one moment."""
        rows = (await self.store.load()).to_py()
        return [(kind, key, bytes(value)) for kind, key, value in rows]

    async def put(self, entries: list[Entry], known: list[Entry]) -> bool:
        """Write all entries or none; False if the store has something else than `known`."""
        return bool(await self.store.put(to_javascript(entries), to_javascript(known)))


class Answers:
    """The device, and the requests that it is answering, by their numbers."""

    def __init__(self, device: Device) -> None:
        self.device = device
        self.tasks: dict[int, asyncio.Future[None]] = {}

    async def answer(self, number: int, request: DeviceRequest, begin: Any, send: Any) -> None:
        """Answer a request: `begin` is called with status and headers, `send` with each part."""
        task = asyncio.ensure_future(self.stream(request, begin, send))
        self.tasks[number] = task
        try:
            await task
        finally:
            del self.tasks[number]

    async def stream(self, request: DeviceRequest, begin: Any, send: Any) -> None:
        """Hand on each part of an answer as it comes."""
        answer = await self.device.answer(request)
        begin(answer.status, to_javascript(answer.headers))
        if isinstance(answer.body, bytes):
            send(to_javascript(answer.body))
        else:
            async for part in answer.body:
                send(to_javascript(part))


OPENED: Final[list[Answers]] = []


async def open_device(store: Any, trouble: str) -> Any:
    """Open the device once with a store; `trouble` says why it is not the browser's own.

    Returns what there is to say of that by language, each a sentence or nothing.
    """
    device = Device(BrowserStore(store))
    OPENED.append(Answers(device))  # so that what another tab writes meanwhile is not missed
    await device.open()
    if not trouble:
        return to_javascript({each: device.complaint(each) or "" for each in LANGUAGES})
    words = KEPT_BY_LATER if trouble == LATER else KEEPS_NOTHING
    return to_javascript({each: Voice(each)(words) for each in LANGUAGES})


async def refresh() -> None:
    """Another tab has written."""
    for each in OPENED:
        await each.device.refresh()


async def answer(
    number: int, method: str, path: str, headers: Any, body: Any, begin: Any, send: Any
) -> None:
    """Answer a request of a page."""
    request = DeviceRequest(method, path, headers.to_py(), bytes(body.to_py()))
    await OPENED[0].answer(number, request, begin, send)


def give_up(number: int) -> None:
    """Answer a request no further."""
    if task := OPENED[0].tasks.get(number):
        task.cancel()
