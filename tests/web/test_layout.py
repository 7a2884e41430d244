"""What is in view: the board, the line below it and the needed button, in every window."""

from __future__ import annotations

import pytest
from browser_users import FRIEND, HERE, ME, BrowserUser, Visit, long, violations
from playwright.sync_api import expect
from waiting import until

import quinconce

ENGINE = {"kind": "engine", "level": 1}
WINDOWS = [(360, 640), (844, 390), (320, 568), (568, 320), (768, 1024), (1440, 900)]
GAMES = quinconce.names()
RESULT_TIME = 2600  # milliseconds for which the result stands over the board


def resize(visitor: BrowserUser, width: int, height: int) -> None:
    visitor.page.set_viewport_size({"width": width, "height": height})
    assert visitor.page.evaluate("document.documentElement.scrollWidth") <= width
    assert visitor.page.evaluate("scrollY") == 0


def expect_in_view(visitor: BrowserUser, *needed: str) -> None:
    for each in ("game-board svg", "#status", *needed):
        expect(visitor.page.locator(each).first).to_be_in_viewport(ratio=1)
    board = visitor.page.locator("game-board").bounding_box()
    status = visitor.page.locator("#status").bounding_box()
    assert board
    assert status
    below = status["y"] >= board["y"] + board["height"] - 1
    beside = status["x"] >= board["x"] + board["width"] - 1
    assert below or beside


@pytest.mark.parametrize("game", [GAMES[0], *long(GAMES[1:])])
def test_what_is_asked_and_its_answer_are_in_view(game: str, visit: Visit) -> None:
    one, other = visit(locale="fr-FR"), visit()
    _own, link = one.make(game, [ME, FRIEND])
    assert link
    other.open_match(link)
    other.page.click("[data-act=stop]")
    for width, height in WINDOWS:
        resize(one, width, height)
        expect_in_view(one, "#offers button.main", "#offers button:last-child")
    one.page.locator("#offers button.main").click()
    expect(one.page.locator("[data-act=rematch]")).to_be_visible()
    for width, height in WINDOWS:
        resize(one, width, height)
        expect_in_view(one, "[data-act=rematch]")


def test_pass_is_in_view_when_there_is_nothing_else(visit: Visit) -> None:
    visitor = visit()
    visitor.make("diam", [ME, HERE])
    for width, height in WINDOWS:
        resize(visitor, width, height)
        visitor.page.evaluate("document.querySelector('[data-act=pass]').hidden = false")
        expect_in_view(visitor, "[data-act=pass]")


@pytest.mark.parametrize("game", [GAMES[0], *long(GAMES[1:])])
def test_a_phone_on_its_side_gives_the_board_all_its_height(game: str, visit: Visit) -> None:
    visitor = visit(viewport={"width": 844, "height": 390})
    visitor.make(game, [ME, HERE])
    box = visitor.page.locator("game-board svg").bounding_box()
    assert box
    assert box["height"] >= 375
    visitor.page.locator("#more").scroll_into_view_if_needed()
    expect(visitor.page.locator("game-board svg")).to_be_in_viewport(ratio=1)
    legal = visitor.first_legal_move()
    visitor.play(legal)  # the board is played on where it stands


@pytest.mark.parametrize(
    "page", ["/analysis?game=seega", *long(["/puzzles/diam", "/puzzles/buts"])]
)
def test_other_pages_with_a_board_fit_too(page: str, visit: Visit) -> None:
    visitor = visit(locale="fr-FR")
    visitor.go(page)
    expect(visitor.page.locator("game-board svg")).to_be_visible()
    needed = ["[data-act=solution]", "[data-act=next]"] if "puzzles" in page else []
    for width, height in WINDOWS:
        resize(visitor, width, height)
        expect_in_view(visitor, *needed)
    assert violations(visitor.page) == []


@pytest.mark.parametrize("size", [*long(["100%"]), "200%"])
def test_a_match_with_its_menu_open_is_never_wider_than_the_window(size: str, visit: Visit) -> None:
    visitor = visit(locale="fr-FR")
    visitor.make("diam", [ME, ENGINE])
    visitor.open_menu()
    visitor.page.locator("#elsewhere").get_by_role("button").first.click()
    expect(visitor.page.locator("#elsewhere svg.qr")).to_be_visible()
    visitor.page.evaluate(f"document.documentElement.style.fontSize = '{size}'")
    for width, height in WINDOWS:
        visitor.page.set_viewport_size({"width": width, "height": height})
        assert visitor.page.evaluate("document.documentElement.scrollWidth") <= width, width


def test_the_buttons_are_in_three_groups(visit: Visit) -> None:
    visitor = visit()
    visitor.make("diadema", [ME, ENGINE])
    visitor.expect_my_turn()
    visitor.play("@A")
    visitor.expect_my_turn()
    page = visitor.page
    for name, buttons in {
        "This game": ["Take back", "Offer a draw", "Resign"],
        "Help": ["Hint", "Proven results", "Remarks"],
    }.items():
        group = page.get_by_role("group", name=name, exact=True)
        expect(group.get_by_role("button")).to_have_text(buttons)
    menu = page.locator("#more")
    expect(menu.get_by_text("Turn the board")).to_be_hidden()
    visitor.open_menu()
    for text in ("Turn the board", "Sound", "Copy link to watch", "Delete this match"):
        expect(menu.get_by_role("button", name=text)).to_be_visible()
    for text in ("Analysis board", "Save the record", "Print"):
        expect(menu.get_by_role("link", name=text)).to_be_visible()


def test_the_menu_opens_and_closes_with_the_keyboard(visit: Visit) -> None:
    visitor = visit()
    visitor.make("diam", [ME, HERE])
    page = visitor.page
    summary = page.locator("#more > summary")
    summary.focus()
    page.keyboard.press("Enter")
    flip = page.get_by_role("button", name="Turn the board")
    expect(flip).to_be_visible()
    page.keyboard.press("Tab")
    expect(flip).to_be_focused()
    before = page.locator("game-board").inner_html()
    page.keyboard.press("Enter")
    expect(flip).to_be_focused()
    page.wait_for_function(
        "before => document.querySelector('game-board').innerHTML !== before", arg=before
    )
    page.keyboard.press("Escape")
    expect(flip).to_be_hidden()
    expect(summary).to_be_focused()


def test_people_who_watch_see_no_empty_group(visit: Visit) -> None:
    one, watcher = visit(), visit()
    one.make("diam", [ME, FRIEND])
    watcher.open_match(one.page.url)
    expect(watcher.page.locator("[data-act=resign]")).to_be_hidden()
    expect(watcher.page.locator("#group-game")).to_be_hidden()
    expect(watcher.page.locator("#group-help")).to_be_hidden()
    expect(watcher.page.locator("#more > summary")).to_be_visible()
    expect(one.page.locator("#group-game")).to_be_visible()


def board_box(visitor: BrowserUser) -> dict[str, float]:
    box = until(lambda: visitor.page.locator("game-board svg").bounding_box())
    return {side: round(value) for side, value in box.items()}


@pytest.mark.parametrize("size", [(360, 640), (768, 1024), (1440, 900)])
def test_the_board_stays_where_it_is_whatever_comes_and_goes(
    size: tuple[int, int], visit: Visit
) -> None:
    width, height = size
    one, other = visit(viewport={"width": width, "height": height}), visit()
    one.hold_time()
    _own, link = one.make("diadema", [ME, FRIEND])
    assert link
    box = board_box(one)
    other.open_match(link)
    one.play("@A")
    assert board_box(one) == box
    other.page.click("[data-act=stop]")
    expect(one.page.locator("#offers button.main")).to_be_visible()
    assert board_box(one) == box
    other.page.click("#offers button")
    other.expect_my_turn()
    other.play("@D")
    one.expect_my_turn()
    assert board_box(one) == box
    other.page.click("[data-act=resign]")
    other.page.click("#sure [value=yes]")
    result = one.page.locator(".result")
    expect(result).to_contain_text("You won")
    assert board_box(one) == box
    expect(one.page.locator("[data-act=review]")).to_be_visible()
    one.page.clock.run_for(RESULT_TIME)
    expect(result).to_have_count(0)
    one.page.clock.resume()
    assert board_box(one) == box
    one.page.click("[data-act=review]")
    expect(one.page.locator("#learn")).to_be_visible()
    one.page.locator("#moves").focus()
    one.page.keyboard.press("ArrowLeft")
    expect(one.page.locator("#verdict")).not_to_be_empty()
    one.page.evaluate("scrollTo(0, 0)")
    assert board_box(one) == box


def test_the_end_offers_one_next_step(visit: Visit) -> None:
    visitor = visit()
    visitor.make("diadema", [ME, HERE])
    visitor.play("@A")
    visitor.page.click("[data-act=resign]")
    visitor.page.click("#sure [value=yes]")
    review = visitor.page.locator("[data-act=review]")
    expect(review).to_be_visible()
    colours = [
        each.evaluate("button => getComputedStyle(button).backgroundColor")
        for each in (review, visitor.page.locator("[data-act=rematch]"))
    ]
    assert colours[0] != colours[1]
    where = [each.bounding_box() for each in (review, visitor.page.locator("[data-act=rematch]"))]
    assert where[0]
    assert where[1]
    assert (where[0]["y"], where[0]["x"]) <= (where[1]["y"], where[1]["x"])


@pytest.mark.parametrize("size", [(360, 640), (1440, 900)])
@pytest.mark.parametrize(
    ("address", "buttons"),
    [("/puzzles/diadema", ["hint", "solution"]), ("/learn/diadema", ["answer"])],
)
def test_the_board_of_puzzles_and_lessons_stays_too(
    address: str, buttons: list[str], size: tuple[int, int], visit: Visit
) -> None:
    width, height = size
    visitor = visit(viewport={"width": width, "height": height})
    page = visitor.go(address)
    if "learn" in address:
        page.locator(".lesson-list a").first.click()
    expect(page.locator("game-board [tabindex='0']")).to_have_count(1)
    expect(page.locator("game-board svg")).to_be_visible()
    expect(page.locator("#status")).not_to_be_empty()
    box = board_box(visitor)
    for name in buttons:
        page.click(f"[data-act={name}]")
        expect(page.locator("#whisper")).not_to_be_empty()
        assert board_box(visitor) == box


def test_a_toggle_that_is_off_looks_off_under_the_mouse_too(visit: Visit) -> None:
    visitor = visit()
    visitor.make("diadema", [ME, ENGINE])
    visitor.expect_my_turn()
    look = (
        "button => ['backgroundColor', 'borderColor'].map((key) => getComputedStyle(button)[key])"
    )
    toggle = visitor.page.locator("[data-act=truth]")
    expect(toggle).to_have_attribute("aria-pressed", "false")
    off = toggle.evaluate(look)
    assert off == visitor.page.locator("[data-act=hint]").evaluate(look)  # as any other button
    toggle.hover()
    hovered = toggle.evaluate(look)
    toggle.click()
    expect(toggle).to_have_attribute("aria-pressed", "true")
    visitor.page.mouse.move(0, 0)
    on = toggle.evaluate(look)
    assert on[0] != off[0] == hovered[0]
    assert on[1] not in (off[1], hovered[1])
