"""What moves on the board: a piece that was played travels, unless somebody wants no motion."""

from __future__ import annotations

from typing import Any

import pytest
from browser_users import BrowserUser, Visit, long
from playwright.sync_api import expect

SEATS: list[dict[str, Any]] = [{"kind": "me"}, {"kind": "here"}]
TRAVELLING = "document.querySelector('game-board').getAnimations({subtree: true}).length"
BOX = "document.querySelector('[data-place=\"{place}\"] .piece').getBoundingClientRect().toJSON()"
# The place that a finger would touch in the middle of the piece of a place.
TOUCHED = """(name) => {
    const piece = document.querySelector(`[data-place="${name}"] .piece`);
    const {x, y, width, height} = piece.getBoundingClientRect();
    const under = document.elementFromPoint(x + width / 2, y + height / 2);
    return under.closest("[role][data-place]")?.dataset.place ?? null;
}"""


def stop_motion(visitor: BrowserUser) -> None:
    """Let everything that moves stand still, so that there is time to look."""
    session = visitor.context.new_cdp_session(visitor.page)
    session.send("Animation.enable")
    session.send("Animation.setPlaybackRate", {"playbackRate": 0})


@pytest.mark.parametrize(
    ("game", "moves", "place"),
    [
        ("diam", "r@1 m@2 1.1-2", "2.2"),
        *long([("diadema", "@A @4 A-1", "1"), ("buts", "G2^E4", "E4")]),
    ],
)
def test_a_piece_travels_to_where_it_was_moved(
    game: str, moves: str, place: str, visit: Visit
) -> None:
    visitor = visit(reduced_motion="no-preference")
    visitor.make(game, SEATS)
    stop_motion(visitor)
    for move in moves.split():
        visitor.play(move)
    assert visitor.page.evaluate(TRAVELLING) > 0
    under_way = visitor.page.evaluate(BOX.format(place=place))
    assert visitor.page.evaluate(TOUCHED, place) != place, "a touch means the place it passes"
    visitor.page.evaluate("for (const each of document.getAnimations()) each.finish()")
    assert visitor.page.evaluate(TOUCHED, place) == place
    arrived = visitor.page.evaluate(BOX.format(place=place))
    assert abs(under_way["x"] - arrived["x"]) + abs(under_way["y"] - arrived["y"]) > 10


def test_what_travels_is_not_disturbed_by_what_the_other_says(visit: Visit) -> None:
    one, other = visit(reduced_motion="no-preference"), visit()
    links = one.make("diam", [{"kind": "me"}, {"kind": "friend"}])
    other.open_match(links[1] or "")
    stop_motion(one)
    one.play("r@1")
    assert one.page.evaluate(TRAVELLING) > 0
    expect(other.page.locator("#moves")).to_contain_text("r@1")  # else the offer would be stale
    other.page.click("[data-act=stop]")
    expect(one.page.locator("#offers")).to_contain_text("offers a draw")
    assert one.page.evaluate(TRAVELLING) > 0


def test_nothing_travels_for_who_wants_no_motion(visit: Visit) -> None:
    visitor = visit()
    visitor.make("diam", SEATS)
    stop_motion(visitor)
    for move in ("r@1", "m@2", "1.1-2"):
        visitor.play(move)
        assert visitor.page.evaluate(TRAVELLING) == 0
