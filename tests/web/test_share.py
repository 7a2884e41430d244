"""Sharing: pictures of the position on show and of the whole game, by link or as a file."""

from __future__ import annotations

import io
from urllib.parse import parse_qs, urlsplit

import pytest
from browser_users import FRIEND, HERE, ME, BrowserUser, Visit, violations
from PIL import Image
from playwright.sync_api import Locator, expect

from quinconce.server.views import pictures

JS_IS_DRAWN = "img => img.complete && img.naturalWidth > 0"
WINDOWS = [(360, 640), (844, 390), (320, 568), (768, 1024), (1440, 900)]


@pytest.fixture(autouse=True)
def _small(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(pictures, "MOVING_WIDTH", 100)


def expect_drawn(visitor: BrowserUser) -> str:
    """Wait until the picture is there; the link to it."""
    expect(visitor.page.locator("#share-status")).to_be_empty()
    preview: Locator = visitor.page.locator("#share-preview")
    assert preview.evaluate(JS_IS_DRAWN)
    link = visitor.page.locator("#share-link").input_value()
    assert link.endswith(preview.get_attribute("src") or "nothing")
    return link


def test_a_position_and_a_game_are_shared_by_link_and_as_files(visit: Visit) -> None:
    visitor = visit()
    visitor.make("diam", [ME, HERE])
    for move in ("r@1", "m@1", "o@3"):
        visitor.play(move)
    page = visitor.page
    page.click("[data-go=back]")
    expect(page.get_by_text("After move 1 (m@1)")).to_be_visible()
    page.click("#more > summary")
    page.get_by_role("button", name="Share…").click()
    dialog = page.get_by_role("dialog", name="Share")
    expect(dialog).to_be_visible()
    link = expect_drawn(visitor)
    query = parse_qs(urlsplit(link).query)
    assert urlsplit(link).path == "/picture/diam.png"
    assert (query["moves"], query["theme"]) == (["r@1 m@1"], ["light"])
    dialog.get_by_label("Colours").select_option("Dark")
    dialog.get_by_label("Seen from").select_option("far side")
    query = parse_qs(urlsplit(expect_drawn(visitor)).query)
    assert (query["turned"], query["theme"]) == (["1"], ["dark"])
    assert violations(page) == []
    for width, height in WINDOWS:
        page.set_viewport_size({"width": width, "height": height})
        assert page.evaluate("document.documentElement.scrollWidth") <= width
        box = dialog.bounding_box()
        assert box
        assert box["x"] >= 0 <= box["y"]
        assert box["x"] + box["width"] <= width
        assert box["y"] + box["height"] <= height
        dialog.get_by_role("link", name="Save the picture").scroll_into_view_if_needed()
        expect(dialog.get_by_role("link", name="Save the picture")).to_be_in_viewport(ratio=1)
    dialog.get_by_label("Picture", exact=True).select_option("The whole game, moving (GIF)")
    expect_drawn(visitor)
    with page.expect_download() as saving:
        dialog.get_by_role("link", name="Save the picture").click()
    assert saving.value.suggested_filename.startswith("diam-")
    with Image.open(saving.value.path()) as file:
        assert (file.format, getattr(file, "n_frames", 1)) == ("GIF", 4)


def test_the_dialog_is_used_by_keys_and_in_french(visit: Visit) -> None:
    visitor = visit(locale="fr-FR", color_scheme="dark", permissions=["clipboard-write"])
    visitor.make("seega", [ME, HERE])
    page = visitor.page
    page.locator("#more > summary").press("Enter")
    page.get_by_role("button", name="Partager…").press("Enter")
    dialog = page.get_by_role("dialog", name="Partager")
    link = expect_drawn(visitor)
    assert "theme=dark" in link
    assert "lang=fr" in link
    page.locator("#share-what").press("ArrowDown")
    assert "/picture/seega.svg" in expect_drawn(visitor)
    page.locator("#share-copy").press("Enter")
    expect(page.locator("#share-said")).not_to_be_empty()
    answer = visitor.context.request.get(expect_drawn(visitor).replace(".svg", ".png"))
    assert Image.open(io.BytesIO(answer.body())).format == "PNG"
    page.keyboard.press("Escape")
    expect(dialog).to_be_hidden()
    expect(page.get_by_role("button", name="Partager…")).to_be_focused()


def test_a_picture_that_does_not_come_says_why(visit: Visit) -> None:
    visitor = visit()
    visitor.make("buts", [ME, HERE])
    page = visitor.page
    page.route(
        "**/picture/**", lambda route: route.fulfill(status=422, json={"error": "Not this one."})
    )
    page.click("#more > summary")
    page.click("[data-act=share]")
    expect(page.locator("#share-status")).to_have_text("Not this one.")
    page.unroute("**/picture/**")
    page.locator("#share-theme").select_option("dark")
    expect_drawn(visitor)


def test_the_analysis_board_shares_the_position_on_show(visit: Visit) -> None:
    visitor = visit()
    page = visitor.go("/analysis?game=seega&size=7&moves=%40a1%2Ba2")
    picture = page.locator("meta[property='og:image']").get_attribute("content") or ""
    assert "/picture/seega.png?size=7&moves=%40a1%2Ba2" in picture
    expect(page.locator("game-board svg")).to_be_visible()
    page.get_by_role("button", name="Share…").click()
    query = parse_qs(urlsplit(expect_drawn(visitor)).query)
    assert (query["size"], query["moves"]) == (["7"], ["@a1+a2"])
    expect(page.locator("#share-what option")).to_have_count(2)  # no match, no moving picture
    assert visitor.context.request.get(picture).headers["content-type"] == "image/png"
    assert violations(page) == []


def share(visitor: BrowserUser, what: str) -> str:
    """Open the dialog, choose a picture, and close it; the link to that picture."""
    page = visitor.page
    if page.locator("#more[open]").count() == 0:
        page.click("#more > summary")
    page.get_by_role("button", name="Share…").click()
    page.select_option("#share-what", what)
    link = expect_drawn(visitor)
    page.keyboard.press("Escape")
    return link


def test_what_is_shared_in_a_review_is_what_the_page_shows(visit: Visit) -> None:
    one, other = visit(), visit()
    links = one.make("diam", [FRIEND, ME])
    other.open_match(links[0] or "")
    other.play("o@1")
    one.play("n@2")
    other.play("r@3")
    one.page.click("[data-act=resign]")
    one.page.locator("#sure").get_by_role("button", name="Yes").click()
    page = one.page
    page.get_by_role("button", name="Review the game").click()
    page.get_by_role("button", name="Learn from mistakes").click()
    expect(page.locator("#verdict")).to_have_text("You played n@2. Find a better move.")
    assert parse_qs(urlsplit(share(one, "png")).query)["moves"] == ["o@1"]
    one.click("m")
    one.click("1")
    expect(page.locator("#verdict")).to_have_text("Yes, m@1 is better.")
    assert parse_qs(urlsplit(share(one, "png")).query)["moves"] == ["o@1 m@1"]
    # The curve is one's own on the page and in the picture, and both say so.
    expect(page.locator("#curve .whose")).to_have_text("Your expected score")
    curve = one.context.request.get(share(one, "curve")).text()
    assert "Expected score: Player 2 (brown and black)" in curve
    expect(other.page.locator("#curve .whose")).to_have_text("Your expected score")
    curve = other.context.request.get(share(other, "curve")).text()
    assert "Expected score: Player 1 (red and orange)" in curve
    watcher = visit()
    watcher.open_match(page.url)
    expect(watcher.page.locator("#curve .whose")).to_have_text("Expected score: Player 1")
