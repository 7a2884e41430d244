"""Tags: the key of a tag, and the records of the matches under it."""

from __future__ import annotations

import asyncio
import hmac
from typing import Any

from litestar import Request

from quinconce.core.phrase import _
from quinconce.server.errors import RefusalError
from quinconce.server.matches.live import apply_events
from quinconce.server.matches.online_match import OnlineMatch
from quinconce.server.security.auth import bearer_token
from quinconce.server.security.secrets import hash_secret, new_secret
from quinconce.server.storage.schema import MATCHES
from quinconce.server.storage.store import ConflictError, MatchRow, Store


async def authorize_tag(store: Store, tag: str, request: Request[Any, Any, Any]) -> str | None:
    """See that whoever asks may use a tag; whoever is first gets its key."""
    key = new_secret()
    if await store.tag_key_hash(tag) is None:
        try:
            await store.insert_tag(tag, hash_secret(key))
        except ConflictError:
            pass
        else:
            return key
    if not hmac.compare_digest(
        hash_secret(bearer_token(request) or ""), await store.tag_key_hash(tag) or ""
    ):
        raise RefusalError(403, "tag", _("this tag belongs to somebody: send its key as the token"))
    return None


async def tag_records(store: Store, tag: str) -> list[tuple[MatchRow, str]]:
    """The records of a tag, in the order in which the matches were made."""
    return [
        (kept, await record_text(store, kept)) for kept in await store.matches(MATCHES.c.tag == tag)
    ]


async def record_text(store: Store, kept: MatchRow) -> str:
    """A match from the store as a record."""
    past = await store.events(kept.id, 0)

    def replay() -> str:
        course = OnlineMatch(kept.setup)
        apply_events(course, past)
        return course.record(kept.made).text()

    return await asyncio.to_thread(replay)
