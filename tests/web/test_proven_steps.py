"""Proven results while one leafs through a line: always of the position on show, asked for once."""

from __future__ import annotations

from typing import Any

from browser_users import BrowserUser, Visit
from playwright.sync_api import Page, Route, expect

PATH = "**/api/truths"
MOVES = ["@A", "@1", "@2", "@5", "@B", "@3"]


def value(ply: int) -> dict[str, Any]:
    """A value that says whose it is."""
    return {"result": "win", "plies": 2 * ply + 1, "moves": ply + 1, "words": f"position {ply}"}


def answer_of_moves(route: Route) -> bool:
    """Answer what is asked of the legal moves of one position alone; whether it was that."""
    body: Any = route.request.post_data_json
    if body["since"] < len(body["moves"]):
        return False
    told = {"since": body["since"], "positions": [None], "played": [], "legal": {}, "moves": []}
    route.fulfill(json=told)
    return True


def answer_truths(page: Page) -> list[dict[str, Any]]:
    """Answer in the server's place, so that nothing has to be solved; the lines asked for."""
    asked: list[dict[str, Any]] = []

    def answer(route: Route) -> None:
        if answer_of_moves(route):
            return
        body: Any = route.request.post_data_json
        asked.append(body)
        since, n = body["since"], len(body["moves"])
        told = [value(ply) for ply in range(since, n + 1)]
        legal = {"@C": value(100)}
        route.fulfill(json={"since": since, "positions": told, "played": told[:-1], "legal": legal})

    page.route(PATH, answer)
    return asked


def open_line(somebody: BrowserUser, moves: list[str]) -> Page:
    page = somebody.page
    somebody.go(f"/analysis?game=diadema&moves={' '.join(moves)}")
    expect(page.locator("#moves [data-ply]")).to_have_count(len(moves))
    page.get_by_role("button", name="Proven results").click()
    return page


def test_one_request_brings_the_values_of_a_whole_line(visit: Visit) -> None:
    somebody = visit()
    asked = answer_truths(somebody.page)
    page = open_line(somebody, MOVES)
    expect(page.locator("#proved")).to_have_text("Proven: position 6.")
    expect(page.locator("#moves .mark")).to_have_text([f"+{n + 1}" for n in range(6)])
    for ply in [5, 4, 3, 2, 1, 0, 1, 2]:
        step = "back" if f"position {ply + 1}." in page.locator("#proved").inner_text() else "on"
        page.click(f"[data-go={step}]")
        expect(page.locator("#proved")).to_have_text(f"Proven: position {ply}.")
    assert [(each["since"], each["moves"]) for each in asked] == [(0, MOVES)]
    # Of a line that branches off, only what is new is asked for.
    page.fill("#typed-move", "@C")
    page.press("#typed-move", "Enter")
    expect(page.locator("#proved")).to_have_text("Proven: position 3.")
    assert [(each["since"], each["moves"]) for each in asked[1:]] == [(2, [*MOVES[:2], "@C"])]
    page.click("[data-go=back]")
    expect(page.locator("#proved")).to_have_text("Proven: position 2.")
    assert len(asked) == 2


def test_the_sentence_is_never_that_of_another_position(visit: Visit) -> None:
    somebody = visit()
    asked = answer_truths(somebody.page)
    page = open_line(somebody, MOVES[:2])
    expect(page.locator("#proved")).to_have_text("Proven: position 2.")
    page.unroute(PATH)
    waiting: list[Route] = []

    def hold(route: Route) -> None:
        if not answer_of_moves(route):
            waiting.append(route)

    page.route(PATH, hold)
    somebody.play("@2")
    expect(page.locator("#proved")).to_have_text("Looking it up…")
    for step, text in (("back", "Proven: position 2."), ("on", "Looking it up…")) * 2:
        page.click(f"[data-go={step}]")
        expect(page.locator("#proved")).to_have_text(text)
    assert len(waiting) == 1, "the same is not asked for twice while the answer is on its way"
    told = {"since": 2, "positions": [value(2), value(3)], "played": [value(7)], "legal": {}}
    waiting[0].fulfill(json=told)
    expect(page.locator("#proved")).to_have_text("Proven: position 3.")
    expect(page.locator("#moves .mark")).to_have_text(["+1", "+2", "+8"])
    assert len(asked) == 1


def test_values_are_asked_for_again_when_the_request_is_lost(visit: Visit) -> None:
    somebody = visit()
    asked = answer_truths(somebody.page)
    lost: list[str] = []

    def lose(route: Route) -> None:
        if answer_of_moves(route):
            return
        lost.append(route.request.url)
        somebody.page.unroute(PATH, lose)
        route.abort()

    somebody.page.route(PATH, lose)
    page = open_line(somebody, MOVES[:1])
    expect(page.locator("#proved")).to_have_text("Proven: position 1.")
    assert (len(lost), len(asked)) == (1, 1)
    somebody.console_errors[:] = [t for t in somebody.console_errors if "ERR_" not in t]


def test_a_proved_win_says_who_wins(visit: Visit) -> None:
    """With the real solver: three of four in a row, and the next move wins."""
    somebody = visit()
    page = open_line(somebody, ["@A", "@D", "@1", "@E", "@2", "@F"])
    expect(page.locator("#proved")).to_have_text("Proven: Player 1 (light) wins in 1 move.")
    expect(page.locator("#moves [data-ply='6']")).to_have_attribute(
        "aria-label", "Move 3: @F, Player 1 (light) wins in 1 move"
    )
    expect(page.locator("#moves [data-ply='6'] .mark")).to_have_text("−1")
