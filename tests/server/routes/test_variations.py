"""Trees of variations that strangers hand in: checked move by move, and written as records."""

from __future__ import annotations

import threading
from pathlib import Path
from typing import Any

import pytest
from app_client import AppClient, open_app

from quinconce.core.position_editor import find_fault
from quinconce.core.record import read_record
from quinconce.core.variations import MAX_NODES, Variations
from quinconce.draw import picture
from quinconce.server.views import editor

pytestmark = [pytest.mark.anyio, pytest.mark.sqlite("it never comes to the database")]
NODES: list[dict[str, Any]] = [
    {"after": -1, "move": "r@1"},
    {"after": 0, "move": "m@5", "mark": "!", "note": "A note"},
    {"after": 0, "move": "n@6"},
]


async def send(app: AppClient, nodes: list[dict[str, Any]], **more: Any) -> tuple[int, Any]:
    answer = await app.visitor.post("/api/variations", {"game": "diam", "nodes": nodes, **more})
    return answer.status_code, answer.json()


async def test_a_tree_is_written_as_a_record_that_can_be_read(tmp_path: Path) -> None:
    async with open_app(tmp_path) as app:
        status, told = await send(app, NODES, note="From the start", names=["Ada", "Noor"])
        assert (status, told["moves"]) == (200, 3)
        record, match = read_record(told["record"])
        assert match.moves == ["r@1", "m@5"]
        assert [seat.name for seat in record.seats] == ["Ada", "Noor"]
        assert record.variations
        assert record.variations.json() == NODES
        assert record.variations.root.note == "From the start"
        explored = (await app.visitor.post("/api/explore", {"record": told["record"]})).json()
        assert explored["nodes"] == NODES
        assert explored["players"][0] == "Player 1 (red and orange)"
        assert explored["sides"] == [[0], [1]]


async def test_a_tree_that_cannot_be_is_refused_in_one_sentence(tmp_path: Path) -> None:
    chain = [{"after": i - 1, "move": "r@1"} for i in range(MAX_NODES + 1)]
    async with open_app(tmp_path) as app:
        for nodes, status in (
            ([*NODES, {"after": 2, "move": "n@9"}], 422),
            ([*NODES, {"after": 9, "move": "n@1"}], 422),
            ([*NODES, {"after": 0, "move": "n@1", "mark": "!!!"}], 422),
            ([*NODES, {"after": 0, "move": "n@1", "note": "x" * 2001}], 422),
            ([*NODES, {"move": "n@1"}], 422),
            (chain, 413),
        ):
            found, told = await send(app, nodes)
            assert found == status, told
            assert told["error"]
            assert "\n" not in told["error"]


async def test_trees_and_positions_are_looked_at_beside_the_event_loop(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    threads: set[int] = set()

    def watch(do: Any) -> Any:
        def watched(*arguments: Any, **named: Any) -> Any:
            threads.add(threading.get_ident())
            return do(*arguments, **named)

        return watched

    monkeypatch.setattr(Variations, "check", watch(Variations.check))
    monkeypatch.setattr(editor, "find_fault", watch(find_fault))
    monkeypatch.setattr(editor, "picture", watch(picture))
    async with open_app(tmp_path) as app:
        loop_thread = app.call_in_app(threading.get_ident)
        status, _told = await send(app, NODES)
        assert status == 200
        assert (await app.visitor.post("/api/editor", {"game": "diam"})).status_code == 200
    assert threads
    assert loop_thread not in threads


async def test_the_address_that_the_page_had_before_leads_to_it(tmp_path: Path) -> None:
    async with open_app(tmp_path) as app:
        for query in ("", "?game=diam&moves=r%401+m%402", "?match=abcdefabcdef&ply=3"):
            answer = await app.visitor.get(f"/explore{query}", accept="text/html")
            assert answer.status_code == 200
            assert answer.url.raw_path.decode() == f"/analysis{query}"
