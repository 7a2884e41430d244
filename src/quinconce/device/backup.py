"""Everything that a device keeps as one file, and back."""

from __future__ import annotations

from base64 import b64decode, b64encode
from collections.abc import Mapping
from typing import Final, Literal

import msgspec
from msgspec import Struct

from quinconce.core.phrase import Phrase, _, ngettext
from quinconce.device.services import DeviceServices
from quinconce.device.store import ASIDE, Place, split_key, subject

FORMAT: Final = "quinconce device"
# What is kept. `progress` is what pages keep by themselves: lessons done, puzzles solved, names.
KINDS: Final = ("match", "event", "review", "report", "study", "progress", ASIDE)
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
    kept = await services.entries.read()
    found = [
        backup_entry(kind, key, value)
        for kind in KINDS
        for key, value in kept.get(kind, {}).items()
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

    What cannot be read here is put aside for what can. ValueError for what is no such file;
    StorageError, and nothing taken, if there is no room.
    """
    try:
        file = msgspec.json.decode(data, type=Backup)
        sent = {(each.kind, each.key): each.value for each in file.entries if each.kind in KINDS}
    except (ValueError, RecursionError):  # also errors of msgspec, of UTF-8 and of Base64
        raise ValueError(NO_BACKUP) from None
    entries = services.entries
    while True:  # until no other tab writes meanwhile
        here = {
            place: value
            for place, value in entries.known.items()
            if place not in entries.unreadable
        }
        matches = newer_matches(here, sent)
        taken = [place for place in sent if is_wanted(place, here, sent, matches)]
        # Of a match that is taken over, no event stays that cannot be read.
        gone = [place for place in entries.unreadable if place[0] == "event"]
        gone = [place for place in gone if subject(*place) in matches and place not in sent]
        places = (*taken, *gone)
        if await entries.put(*((*place, sent.get(place)) for place in places)):
            break
    await services.refresh()
    entries.check_read()
    added = sum(match in services.store.kept for _kind, match in matches)
    studies = sum(kind == "study" and key in services.study_store.rows for kind, key in taken)
    wanted = sum(kind in ("match", "study") for kind, _key in sent)
    return added, studies, wanted - added - studies


Values = Mapping[Place, bytes]


def newer_matches(here: Values, sent: Values) -> set[Place]:
    """The matches of a file that are not here, or here only up to a place."""
    found, ours, theirs = set(), lines(here), lines(sent)
    for place in sent:
        if place[0] == "match":
            own, line = ours.get(place[1], {}), theirs.get(place[1], {})
            goes_on = place not in here or len(line) > len(own)
            if goes_on and all(line.get(seq) == text for seq, text in own.items()):
                found.add(place)
    return found


def lines(entries: Values) -> dict[str, dict[int, bytes]]:
    """The events of each match by their numbers."""
    found: dict[str, dict[int, bytes]] = {}
    for (kind, key), value in entries.items():
        if kind == "event":
            match, seq = split_key(key)
            found.setdefault(match, {})[seq] = value
    return found


def is_wanted(place: Place, here: Values, sent: Values, matches: set[Place]) -> bool:
    """Whether an entry of a file is taken over: what can be read here is not written over."""
    if place[0] == "match":
        return place in matches
    about = subject(*place)
    fits = about in matches or (about not in here and about not in sent)
    return place not in here and (fits or about[0] != "match" or place[0] == ASIDE)


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
