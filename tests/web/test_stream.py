"""The events of a match in the browser: every kind reaches the page, however its bytes arrive."""

from __future__ import annotations

from itertools import product
from typing import Any

import pytest
from browser_users import Visit
from playwright.sync_api import expect

from quinconce.server.matches.events import Event

# What the module makes of bytes that arrive in pieces of a given size.
PARSED = """async ([text, size]) => {
    const module = document.querySelector('link[href$="board.css"]').href
        .replace("board.css", "stream.js");
    const {eventData} = await import(module);
    const bytes = new TextEncoder().encode(text);
    const body = new ReadableStream({
        start(controller) {
            for (let at = 0; at < bytes.length; at += size) {
                controller.enqueue(bytes.slice(at, at + size));
            }
            controller.close();
        },
    });
    const found = [];
    for await (const data of eventData(body)) found.push(data);
    return found;
}"""


def test_an_event_of_a_kind_unknown_to_the_page_still_reaches_it(
    visit: Visit, monkeypatch: pytest.MonkeyPatch
) -> None:
    """A server newer than the page may send kinds that the page has never heard of."""
    one, other = visit(), visit()
    links = one.make("diam", [{"kind": "me"}, {"kind": "friend"}])
    other.open_match(links[1] or "")
    expect(one.page.locator("#seats")).not_to_contain_text("not joined")
    as_dict = Event.as_dict

    def of_a_new_kind(event: Event) -> dict[str, Any]:
        return as_dict(event) | {"kind": "a-new-kind"}

    monkeypatch.setattr(Event, "as_dict", of_a_new_kind)
    one.play("r@1")
    expect(other.page.locator("#moves [data-ply]")).to_have_text(["r@1"])
    other.expect_my_turn()


def test_events_are_parsed_however_their_bytes_are_torn(visit: Visit) -> None:
    lines = [
        "retry: 1000",
        "",
        ": a sign of life",
        "",
        "id: 1",
        "event: name",
        'data: {"name": "Éloïse ●"}',
        "",
        "data:first",
        "data: second",
        "",
        "data: an event that is cut off",
    ]
    somebody = visit()
    somebody.go("/")
    for end, size in product(("\n", "\r\n"), (1, 2, 7, 1000)):
        found = somebody.page.evaluate(PARSED, [end.join(lines), size])
        assert found == ['{"name": "Éloïse ●"}', "first\nsecond"], (end, size)
