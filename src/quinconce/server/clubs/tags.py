"""Tags: the key of a tag, and the records of the matches under it."""

from __future__ import annotations

from quinconce.server.matches.online_match import OnlineMatch
from quinconce.server.matches.protocols import ConflictError, MatchRow
from quinconce.server.off_loop import run_slow
from quinconce.server.refusals import TagKeyError
from quinconce.server.security.secrets import hash_secret, is_secret, new_secret
from quinconce.server.storage.store import Store


async def claim_tag(store: Store, tag: str) -> str | None:
    """The key of a tag that is used for the first time; None if somebody has its key already."""
    if await store.tag_key_hash(tag) is not None:
        return None
    key = new_secret()
    try:
        await store.insert_tag(tag, hash_secret(key))
    except ConflictError:
        return None
    return key


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

    return await run_slow(replay)
