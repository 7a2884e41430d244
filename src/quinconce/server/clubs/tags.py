"""Tags: the key of a tag, and the records of the matches under it."""

from __future__ import annotations

from collections.abc import Sequence
from contextlib import suppress

from quinconce.server.matches.online_match import OnlineMatch
from quinconce.server.matches.protocols import ConflictError, MatchRow, NewMatch
from quinconce.server.off_loop import run_slow
from quinconce.server.refusals import TagKeyError
from quinconce.server.security.secrets import hash_secret, is_secret, new_secret
from quinconce.server.storage.store import Store


async def insert_tagged(
    store: Store, tag: str, key: str, matches: Sequence[NewMatch], at: float
) -> str | None:
    """Store matches under a tag; returns the key of a tag that is used for the first time.

    TagKeyError if the tag is somebody's, and `key` is not its key.
    """
    if await store.tag_key_hash(tag) is None:
        new_key = new_secret()
        with suppress(ConflictError):  # somebody else was first
            await store.insert_matches(matches, at, (tag, hash_secret(new_key)))
            return new_key
    await check_tag_key(store, tag, key)
    await store.insert_matches(matches, at)
    return None


async def check_tag_key(store: Store, tag: str, key: str) -> None:
    """TagKeyError if this is not the key of a tag."""
    known = await store.tag_key_hash(tag) or ""
    if not is_secret(key, known):
        raise TagKeyError


async def tag_records(store: Store, tag: str) -> list[tuple[MatchRow, str]]:
    """The records of a tag, in the order in which the matches were made."""
    return [(row, await record_text(store, row)) for row in await store.tagged_matches(tag)]


async def record_text(store: Store, row: MatchRow) -> str:
    """A match from the store as a record."""
    past = await store.events(row.id, 0)

    def replay() -> str:
        return OnlineMatch(row.setup).after(past).record(row.made).text()

    return await run_slow(len(past), replay)
