"""Everything that a device keeps as one file, and back."""

from __future__ import annotations

from base64 import b64decode, b64encode
from typing import Final, Literal

import msgspec
from msgspec import Struct

from quinconce.core.phrase import Phrase, _, ngettext
from quinconce.device.services import DeviceServices
from quinconce.device.store import split_key

FORMAT: Final = "quinconce device"
# What is kept. `progress` is what pages keep by themselves: lessons done, puzzles solved, names.
KINDS: Final = ("match", "event", "review", "report", "study", "progress")
NO_BACKUP: Final = _("this is not a file that Quinconce has saved from a device")


class BackupEntry(Struct, frozen=True, omit_defaults=True):
    """An entry: its text, or in Base64 what is no text."""

    kind: str
    key: str
    text: str | None = None
    base64: str | None = None

    @property
    def value(self) -> bytes:
        """What is kept; ValueError if it cannot be read."""
        if self.text is not None:
            return self.text.encode()
        return b64decode(self.base64 or "", validate=True)


class Backup(Struct, frozen=True):
    """The file."""

    format: Literal["quinconce device"]
    version: Literal[1]
    saved: float
    entries: list[BackupEntry]


class ImportResult(Struct, frozen=True):
    """What has come from a file, and what was left out because it is here already."""

    matches: int
    studies: int
    skipped: int  # matches and studies that are here already, or cannot be read
    words: str


async def export(services: DeviceServices) -> bytes:
    """Everything in the store, what cannot be read too, as one JSON file."""
    found = [
        backup_entry(kind, key, bytes(value))
        for kind in KINDS
        for key, value in await services.entries.load_raw(kind)
    ]
    return msgspec.json.format(
        msgspec.json.encode(Backup(FORMAT, 1, services.now(), found)), indent=1
    )


def backup_entry(kind: str, key: str, value: bytes) -> BackupEntry:
    """An entry as the file has it."""
    try:
        return BackupEntry(kind, key, text=value.decode())
    except UnicodeDecodeError:
        return BackupEntry(kind, key, base64=b64encode(value).decode())


async def read_backup(services: DeviceServices, data: bytes) -> tuple[int, int, int]:
    """Take over what a file has and this device has not: matches, studies, and what was left out.

    ValueError for what is no such file; StorageError, and nothing taken, if there is no room.
    """
    try:
        file = msgspec.json.decode(data, type=Backup)
        sent = {(each.kind, each.key): each.value for each in file.entries if each.kind in KINDS}
    except (ValueError, RecursionError):  # also errors of msgspec, of UTF-8 and of Base64
        raise ValueError(NO_BACKUP) from None
    here = {
        (kind, key): bytes(value)
        for kind in KINDS
        for key, value in await services.entries.load_raw(kind)
    }
    older = older_matches(here, sent)
    entries = [
        (kind, key, value)
        for (kind, key), value in sent.items()
        if is_wanted(kind, key, here, older)
    ]
    before = (set(services.store.kept), set(services.study_store.rows))
    if not await services.entries.put(entries):
        raise ValueError(NO_BACKUP)  # an event twice: another tab takes over the same file
    await services.refresh()
    matches = len(older) + len(services.store.kept.keys() - before[0])
    studies = len(services.study_store.rows.keys() - before[1])
    wanted = sum(kind in ("match", "study") for kind, _key in sent)
    return matches, studies, max(0, wanted - matches - studies)


Kept = dict[tuple[str, str], bytes]


def older_matches(here: Kept, sent: Kept) -> set[str]:
    """The matches that are here too, but have gone on in the file."""
    found = set()
    for kind, match in sent:
        if kind != "match" or (kind, match) not in here:
            continue
        own = events_of(here, match)
        theirs = events_of(sent, match)
        if len(theirs) > len(own) and all(theirs.get(seq) == text for seq, text in own.items()):
            found.add(match)
    return found


def events_of(entries: Kept, match: str) -> dict[int, bytes]:
    """The events of a match by their numbers."""
    keys = ((key, split_key(key)) for kind, key in entries if kind == "event")
    return {seq: entries["event", key] for key, (of, seq) in keys if of == match}


def is_wanted(kind: str, key: str, here: Kept, older: set[str]) -> bool:
    """Whether an entry of a file is taken over: what is here is not written over."""
    match = split_key(key)[0] if kind in ("event", "report") else key
    if (kind, key) in here:
        return kind == "match" and match in older
    if kind in ("event", "review", "report"):
        return ("match", match) not in here or match in older
    return True


def import_words(matches: int, studies: int, skipped: int) -> list[Phrase]:
    """What an import has done, in words."""
    words = [
        ngettext("{n} game was added.", "{n} games were added.", matches),
        ngettext("{n} study was added.", "{n} studies were added.", studies),
    ]
    if skipped:
        words.append(
            ngettext(
                "{n} was left out: it is here already, or cannot be read.",
                "{n} were left out: they are here already, or cannot be read.",
                skipped,
            )
        )
    return words
