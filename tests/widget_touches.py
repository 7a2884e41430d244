"""How a test plays on a board in a notebook: by clicking on the places of a move."""

from __future__ import annotations

from playwright.sync_api import Locator, expect

# The places to touch for a move; what is played from now on is seen.
JS_BEGIN = """(view, text) => {
    const board = view.querySelector("game-board");
    window.hasPlayed = false;
    board.addEventListener("play", () => (window.hasPlayed = true), {once: true});
    return board.partialMove.legal.find((move) => move.move === text).touches.flat();
}"""
JS_PLACE = """(view, name) => {
    const place = view.querySelector(`[data-place="${name}"]`);
    return place.querySelector(":scope > .dot") ?? place.querySelector(":scope > .hit") ?? place;
}"""
JS_FINISH = """(view) => {
    const board = view.querySelector("game-board");
    if (board.partialMove.touched.length) board.finishMove();
}"""


def play_move(view: Locator, move: str) -> None:
    """Click on the places of a legal move, and wait until it is the last."""
    if move == "pass":
        view.get_by_role("button", name="Pass", exact=True).click()
    else:
        touch_places(view, move)
    expect(view.locator(".whisper")).to_contain_text(f"· {move}")


def touch_places(view: Locator, move: str) -> None:
    """Click on the places of a legal move until it is played."""
    for place in view.evaluate(JS_BEGIN, move):
        touch_place(view, place)
        if view.evaluate("() => window.hasPlayed"):
            return
    # A move that is whole, though a longer one begins like it, wants one touch more.
    view.evaluate(JS_FINISH)


def touch_place(view: Locator, place: str) -> None:
    """Click on the middle of a place."""
    found = view.evaluate_handle(JS_PLACE, place).as_element()
    assert found
    found.click(force=True)
