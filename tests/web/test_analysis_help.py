"""The analysis board with its engine, what is proven, its position editor and its files."""

from __future__ import annotations

import re
from typing import Any

import msgspec
import pytest
from browser_users import Visit, violations
from playwright.sync_api import Page, Route, expect

from quinconce.server.answers.analysis import AnalysisRequest
from quinconce.server.views.analysis import AnalysisView

WINS, DRAWN = "Player 2 (dark) wins in 4 moves", "drawn"


def line(score: float, moves: list[str], words: str, **proof: Any) -> dict[str, Any]:
    told = {"score": score, "value": None, "proven": False, "plies": None}
    return told | {"moves": moves, "words": words} | proof


def report(depth: int, lines: list[dict[str, Any]], *, done: bool = False) -> str:
    """A report as the server writes it, and a sign of life."""
    told = {"state": "done" if done else "thinking", "depth": depth, "nodes": 1000 * depth}
    view = msgspec.convert(told | {"lines": lines, "done": done}, AnalysisView)
    return msgspec.json.encode(view).decode() + "\n\n"


def ask_the_server(page: Page) -> None:
    """Let a browser be one that cannot search by itself."""
    page.add_init_script("delete globalThis.WebAssembly")


def answer_analyses(page: Page) -> list[dict[str, Any]]:
    """Stand in for the server's engine: two reports, and the requests so far."""
    ask_the_server(page)
    asked: list[dict[str, Any]] = []

    def answer(route: Route) -> None:
        body: Any = route.request.post_data_json
        asked.append(body)
        first = "@D" if body["moves"] else "@4"
        lines = [line(0.625, [first, "@5", "@6"], "expected score 63%")]
        more = [*lines, line(1.0, ["@G"], WINS, value="win", proven=True, plies=7)]
        text = report(2, lines) + report(9, more, done=True)
        route.fulfill(body=text, content_type="application/x-ndjson")

    page.route("**/api/analysis", answer)
    return asked


def test_the_engine_is_switched_on_follows_the_position_and_is_switched_off(visit: Visit) -> None:
    somebody = visit()
    page = somebody.page
    asked = answer_analyses(page)
    somebody.go("/analysis?game=diadema&moves=@A")
    expect(page.locator("#moves [aria-current]")).to_have_text("@A")
    button = page.get_by_role("button", name="Engine", exact=True)
    expect(button).to_have_attribute("aria-pressed", "false")
    expect(page.locator("#value-bar")).to_be_hidden()
    assert not asked

    button.click()
    expect(page.locator("#engine-state")).to_have_text("Depth 9 · positions searched: 9K")
    rows = page.locator("#engine-lines li:visible")
    expect(rows).to_have_text(["63%@D@5 @6", "+4@G"])
    expect(rows.nth(1).get_by_role("button")).to_have_attribute("aria-label", f"Play @G: {WINS}")
    expect(page.locator("#engine-told")).to_have_text(f"@D: expected score 63%. @G: {WINS}")
    bar = page.get_by_role("meter", name="Expected score")
    expect(bar).to_have_attribute("aria-valuenow", "38")  # of Player 1, and Player 2 is to move
    expect(bar).to_have_attribute("aria-valuetext", "Player 1 (light): expected score 38%")
    arrows = page.locator("game-board .over-board")
    expect(arrows).to_have_count(2)
    rows.nth(1).get_by_role("button").focus()
    expect(arrows).to_have_count(1)
    assert violations(page) == []
    box, board = bar.bounding_box(), page.locator("game-board svg").bounding_box()
    assert box
    assert board
    assert abs(box["height"] - board["height"]) < 60

    rows.nth(0).get_by_role("button").click()  # plays it, and the engine follows
    expect(page.locator("#moves [data-ply]")).to_have_text(["@A", "@D"])
    expect(bar).to_have_attribute("aria-valuenow", "63")
    page.locator("#engine-lines").blur()
    page.keyboard.press("Home")
    expect(rows.nth(0)).to_contain_text("@4")
    assert [body["moves"] for body in asked] == [["@A"], ["@A", "@D"], []]
    assert {body["lines"] for body in asked} == {3}
    for body in asked:
        msgspec.convert(body, AnalysisRequest)  # as the server reads it

    button.click()
    expect(page.locator("#engine-box")).to_be_hidden()
    expect(bar).to_be_hidden()
    expect(arrows).to_have_count(0)
    page.keyboard.press("ArrowRight")
    expect(page.locator("#moves [aria-current]")).to_have_text("@A")
    assert len(asked) == 3


# The points of the arrow on show, each as the place that it is next to.
JS_ARROW_PLACES = """() => {
    const svg = document.querySelector("game-board svg");
    const back = svg.getScreenCTM().inverse();
    const middles = [...document.querySelectorAll("game-board [data-place]")].map((place) => {
        const {x, y, width, height} = place.querySelector(".hit").getBoundingClientRect();
        const at = new DOMPoint(x + width / 2, y + height / 2).matrixTransform(back);
        return {name: place.dataset.place, at};
    });
    const far = (point, {at}) => Math.hypot(point.x - at.x, point.y - at.y);
    const tip = svg.querySelector(".arrow-head").points[0];
    return [...svg.querySelector(".arrow").points].slice(0, -1).concat(tip).map((point) =>
        middles.reduce((one, other) => (far(point, other) < far(point, one) ? other : one)).name);
}"""


def show_line(visit: Visit, address: str, move: str) -> Page:
    """The analysis board with the engine's one line."""
    page = visit().page
    ask_the_server(page)
    told = report(9, [line(0.625, [move], "expected score 63%")], done=True)
    page.route(
        "**/api/analysis",
        lambda route: route.fulfill(body=told, content_type="application/x-ndjson"),
    )
    page.goto(f"/analysis?{address}")
    page.get_by_role("button", name="Engine", exact=True).click()
    expect(page.locator("game-board .over-board")).to_have_count(1)
    return page


@pytest.mark.parametrize(
    ("address", "move", "path"),
    [
        ("game=buts&moves=F3-E3+B1-A1", "G6^E4^E2", "G6 E4 E4 E2"),
        (
            "game=seega&position=bwbww/.w.wb/...bw/....b/bbwbw+turn=0+phase=2+duty=0",
            "c1xc3xc1",
            "c1 c3 c3 c1",
        ),
    ],
)
def test_an_arrow_follows_the_path_of_the_piece(
    address: str, move: str, path: str, visit: Visit
) -> None:
    page = show_line(visit, address, move)
    assert page.evaluate(JS_ARROW_PLACES) == path.split()
    shaft = (page.locator(".arrow").get_attribute("points") or "").split()
    assert len(set(shaft)) == 4 - (move[0] == "G")  # there and back are two lines, side by side


@pytest.mark.parametrize(
    ("game", "move", "places", "colour"),
    [
        ("diam&moves=r@1", "m@3", ["3"], "brown"),
        ("diadema&moves=@A", "@G", ["G"], "dark"),
        ("seega", "@b2+d4", ["b2", "d4"], "white"),
    ],
)
def test_a_placing_is_a_ghost_on_its_place_and_no_arrow(
    game: str, move: str, places: list[str], colour: str, visit: Visit
) -> None:
    page = show_line(visit, f"game={game}", move)
    expect(page.locator("game-board .arrow")).to_have_count(0)
    ghosts = page.locator(f"game-board .ghost-piece.{colour}")
    expect(ghosts).to_have_count(len(places))
    for ghost, place in zip(ghosts.all(), places, strict=True):
        box, around = (
            each.bounding_box()
            for each in (ghost, page.locator(f'game-board [data-place="{place}"] > .hit'))
        )
        assert box
        assert around
        assert around["x"] - 5 <= box["x"] <= around["x"] + around["width"]
        assert around["y"] - 5 <= box["y"] <= around["y"] + around["height"]


def test_what_the_engine_refuses_is_said_and_a_lost_stream_is_opened_again(visit: Visit) -> None:
    somebody = visit()
    page = somebody.page
    answers: list[dict[str, Any]] = [
        {"status": 503, "json": {"error": "too many analyses are under way", "code": "analyses"}},
        {"body": report(3, [line(0.5, ["@4"], "expected score 50%")])},  # cut off
        {"body": report(7, [line(0.5, ["@5"], "expected score 50%")], done=True)},
    ]
    ask_the_server(page)
    page.route("**/api/analysis", lambda route: route.fulfill(**answers.pop(0)))
    somebody.go("/analysis?game=diadema")
    page.get_by_role("button", name="Engine", exact=True).click()
    expect(page.locator("#engine-state")).to_have_text("too many analyses are under way")
    expect(page.locator("#engine-state")).to_have_text("Depth 7 · positions searched: 7K")
    assert not answers
    somebody.console_errors[:] = [t for t in somebody.console_errors if "503" not in t]


def known(move: str, result: str | None, words: str, moves: int | None = None) -> dict[str, Any]:
    return {"move": move, "result": result, "moves": moves, "words": words, "plies": None}


def test_every_legal_move_is_listed_with_its_proven_value(visit: Visit) -> None:
    somebody = visit(viewport={"width": 360, "height": 740}, locale="fr-FR")
    page = somebody.page
    asked: list[Any] = []
    moves = [
        known("@B", "win", WINS, 4),
        known("@D", "draw", DRAWN),
        known("@E", "loss", "perd", 2),
    ]

    def answer(route: Route) -> None:
        body: Any = route.request.post_data_json
        asked.append((body["since"], body["moves"]))
        none = [None] * (len(body["moves"]) + 1 - body["since"])
        told = {"since": body["since"], "positions": none, "played": none[1:], "legal": {}}
        route.fulfill(json=told | {"moves": [*moves, known("@F", None, "ouvert")]})

    page.route("**/api/truths", answer)
    somebody.go("/analysis?game=diadema&moves=@A")
    page.click("[data-act=truth]")
    entries = page.locator("#proven-moves > .known-moves button")
    expect(entries).to_have_text([f"+4@B{WINS}", f"=@D{DRAWN}", "−2@Eperd"])
    expect(entries.nth(1)).to_have_attribute("aria-label", f"Jouer @D\xa0: {DRAWN}")
    expect(page.locator("#proved")).to_have_text(f"Prouvé\xa0: {WINS}.")  # as one move wins
    # The places where the moves end have the colour of their values, and a sign.
    for kind, sign in (("win", "+"), ("draw", "="), ("loss", "−")):
        expect(page.locator(f"game-board .over-board.{kind} text")).to_have_text(sign)
    page.locator("#proven-moves summary").click()
    expect(page.locator("#proven-moves .open button")).to_have_text("?@Fouvert")
    assert page.evaluate("document.documentElement.scrollWidth") <= 360
    assert violations(page) == []
    entries.nth(0).hover()
    expect(page.locator("game-board .over-board")).to_have_count(1)
    entries.nth(0).click()
    expect(page.locator("#moves [data-ply]")).to_have_text(["@A", "@B"])
    expect(entries.nth(0)).to_be_visible()
    n = len(asked)
    page.click("[data-go=back]")
    expect(page.locator("#moves [aria-current]")).to_have_text("@A")
    expect(entries).to_have_count(3)
    assert len(asked) == n  # what is known is not asked for again
    page.click("[data-act=truth]")
    expect(page.locator("#proven-moves")).to_be_hidden()
    expect(page.locator("game-board .over-board")).to_have_count(0)


def test_a_position_is_set_up_by_hand_and_by_keys(visit: Visit) -> None:
    somebody = visit()
    page = somebody.go("/analysis?game=seega&moves=@a1%2Bb1")
    expect(page.locator("#moves [aria-current]")).to_be_visible()
    page.get_by_role("button", name="Set up a position").click()
    expect(page.locator("#status")).to_have_text("This position is possible.")
    page.click("#editor-clear")
    page.select_option("#editor-phase", "2")
    expect(page.locator("#status")).to_have_text("Impossible: the board is empty.")
    use = page.get_by_role("button", name="Analyse this position")
    expect(use).to_be_disabled()
    assert violations(page) == []
    somebody.click("c3")
    expect(page.locator("[data-place=c3] [data-piece=w]")).to_be_visible()
    page.locator("[data-letter=b]").click()
    somebody.click("d3")
    somebody.click("e3")
    expect(page.locator("[data-piece=b]")).to_have_count(2)
    somebody.click("e3")  # once more takes it off
    expect(page.locator("[data-piece=b]")).to_have_count(1)
    page.locator("[data-place=d3]").focus()
    page.keyboard.press("ArrowUp")
    page.keyboard.press("w")
    page.keyboard.press("Enter")
    expect(page.locator("[data-place=d4] [data-piece=w]")).to_be_visible()
    page.keyboard.press("Delete")
    expect(page.locator("[data-place=d4] [data-piece=w]")).to_have_count(0)
    expect(page.locator("[data-letter=w] .count")).to_have_text("1")
    page.select_option("#editor-turn", "1")
    expect(page.locator("#editor-text")).to_have_value(
        "...../...../..wb./...../..... turn=1 phase=2 duty=0"
    )
    use.click()
    expect(page.locator("#status")).to_contain_text("Player 2 (Black) to move.")
    expect(page.locator("#moves [data-ply]")).to_have_count(0)
    expect(page).to_have_url(re.compile("phase%3D2"))
    somebody.play("d3-d5")

    page.get_by_role("button", name="Set up a position").click()
    page.fill("#editor-text", "nonsense")
    page.press("#editor-text", "Enter")
    expect(page.locator("#wrong")).to_contain_text("is not a position")
    page.keyboard.press("Escape")
    expect(page.locator("#moves [aria-current]")).to_have_text("d3-d5")
    expect(page.locator("#status")).to_contain_text("Player 1 (White) to move.")


def test_a_finger_sets_up_piles_on_a_phone(visit: Visit) -> None:
    somebody = visit(viewport={"width": 360, "height": 740}, has_touch=True, locale="fr-FR")
    page = somebody.go("/analysis?game=diam")
    expect(page.locator("game-board svg")).to_be_visible()
    page.tap("#edit")
    expect(page.locator("#status")).to_have_text("Cette position est possible.")
    page.locator("[data-place='3.4']").tap()  # it falls
    expect(page.locator("[data-place='3.1'] [data-piece=r]")).to_be_visible()
    page.locator("[data-place=m].reserve").tap()  # chooses what lies there
    for cell in ("3.4", "3.4", "1.4", "5.4"):
        page.locator(f"[data-place='{cell}']").tap()
    expect(page.locator("[data-place='3'] .piece")).to_have_count(3)
    expect(page.locator("#status")).to_have_text("Cette position est possible.")
    page.locator("[data-place='7.4']").tap()
    expect(page.locator("#status")).to_contain_text("Impossible\xa0: il y a plus de 4 pions")
    expect(page.locator("#editor-use")).to_be_disabled()
    assert page.evaluate("document.documentElement.scrollWidth") <= 360
    page.tap("#editor-cancel")
    expect(page.locator("game-board .places .piece")).to_have_count(0)


def test_a_tree_is_saved_as_a_file_and_opened_again(visit: Visit) -> None:
    somebody = visit()
    page = somebody.go("/analysis?game=diam&moves=r@1 m@5")
    expect(page.locator("#moves [aria-current]")).to_have_text("m@5")
    page.fill("#note", "A {note} (with signs)")
    page.get_by_role("button", name="good move", exact=True).click()
    page.click("[data-go=back]")
    expect(page.locator("#moves [aria-current]")).to_have_text("r@1")
    somebody.click("n")
    somebody.click("6")
    expect(page.locator("#moves .variation [aria-current]")).to_have_text("n@6")
    with page.expect_download() as download:
        page.get_by_role("button", name="Save as a file").click()
    assert download.value.suggested_filename == "diam.quinconce"
    text = download.value.path().read_text()
    assert re.search(r'Format "quinconce 2"', text)

    somebody.go("/analysis?game=buts")
    expect(page.locator("game-board svg")).to_be_visible()
    page.click("#open-record summary")
    page.fill("#record", text)
    page.click("#paste button")
    expect(page.locator("#moves [data-ply]")).to_have_text(["r@1", "m@5!", "n@6"])
    expect(page.locator("#moves .note-text")).to_have_text("A {note} (with signs)")
    expect(page.locator("#whisper")).to_have_text("3 moves read.")
    for wrong, why in (
        (text.replace("n@6", "n@9"), "n@9"),
        (text.replace(")", ""), "does not end"),
    ):
        page.fill("#record", wrong)
        page.click("#paste button")
        expect(page.locator("#wrong")).to_contain_text(why)
        expect(page.locator("#moves [data-ply]")).to_have_count(3)


def test_a_link_with_moves_that_cannot_be_is_explained(visit: Visit) -> None:
    somebody = visit()
    page = somebody.go("/analysis?game=diam&moves=r@1 r@9")
    expect(page.locator("#wrong")).to_contain_text("not a move of this game")
    expect(page.locator("game-board svg")).to_be_visible()  # the start, instead
    packed = page.evaluate(
        """async () => {
            const style = document.querySelector('link[href$="style.css"]').href;
            const {packTree} = await import(style.replace("style.css", "tree_link.js"));
            return packTree({nodes: [{after: -1, move: "r@1"}, {after: 0, move: "r@2"}], note: ""});
        }"""
    )
    page.goto("about:blank")
    somebody.go(f"/analysis?game=diam&moves=r@1#{packed}")
    expect(page.locator("#wrong")).to_contain_text("reserve is not yours")
    expect(page.locator("#moves [data-ply]")).to_have_text(["r@1"])


def test_a_puzzle_is_analysed_once_its_solution_is_known(visit: Visit) -> None:
    somebody = visit()
    page = somebody.go("/puzzles/diam")
    link = page.get_by_role("link", name="Analysis board")
    expect(page.locator("game-board svg")).to_be_visible()
    expect(link).to_be_hidden()
    page.click("[data-act=solution]")
    expect(link).to_be_visible()
    moves = somebody.moves
    link.click()
    expect(page.locator("#moves [data-ply]")).to_have_text(moves)
    expect(page).to_have_url(re.compile("position="))
