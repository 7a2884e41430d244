"""Pages inside another site: they are shown there, know nobody, and nothing else is shown there."""

from __future__ import annotations

import threading
from collections.abc import Iterator
from functools import partial
from http.server import SimpleHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path
from typing import Any

import httpx
import pytest
from browser_users import FRIEND, HERE, ME, BrowserUser, LiveServer, Visit, long
from playwright.sync_api import FrameLocator, expect
from waiting import PATIENCE

from quinconce.puzzles.puzzle import all_puzzles

LINE = "/embed/board?game=diam&moves=r%401+m%401+o%403"
JS_PLAY = "(board, move) => board.dispatchEvent(new CustomEvent('play', {detail: move}))"
WIDE, NARROW = {"width": 760, "height": 520}, {"width": 340, "height": 600}


class QuietHandler(SimpleHTTPRequestHandler):
    """Serves the files of a folder, and says nothing."""

    def log_message(self, *_arguments: object) -> None:
        pass


class OtherSite:
    """A site of others, whose pages have frames in them."""

    def __init__(self, folder: Path) -> None:
        self.folder = folder
        self.pages = 0
        handler = partial(QuietHandler, directory=str(folder))
        self.server = ThreadingHTTPServer(("127.0.0.1", 0), handler)
        threading.Thread(target=self.server.serve_forever, daemon=True).start()

    def write(self, html: str, host: str = "127.0.0.1") -> str:
        """The address of a page with this in it; by `localhost` it is of our own site."""
        page = f"<!doctype html><html lang=en><title>Elsewhere</title><body>{html}"
        self.pages += 1  # each has an address of its own, so that none is found in a cache
        (self.folder / f"{self.pages}.html").write_text(page, encoding="utf-8")
        return f"http://{host}:{self.server.server_port}/{self.pages}.html"

    def close(self) -> None:
        self.server.shutdown()
        self.server.server_close()


@pytest.fixture
def other_site(tmp_path: Path) -> Iterator[OtherSite]:
    site = OtherSite(tmp_path)
    yield site
    site.close()


def show_frame(
    user: BrowserUser,
    site: OtherSite,
    address: str,
    size: dict[str, int] = WIDE,
    host: str = "127.0.0.1",
) -> FrameLocator:
    """Open a page of the other site with a frame in it."""
    width, height = size["width"], size["height"]
    frame = f'<iframe src="{address}" title="Quinconce" width="{width}" height="{height}"></iframe>'
    user.page.goto(site.write(frame, host))
    return user.page.frame_locator("iframe")


def make_study(server: LiveServer) -> str:
    """A study of two boards, the second with a variation and notes; its id."""
    nodes = [
        {"move": "G2-G1", "after": -1, "note": "A quiet start."},
        {"move": "B1-A1", "after": 0},
        {"move": "G6^E4", "after": -1, "note": "A jump."},
    ]
    boards = [{"game": "diam"}, {"game": "buts", "title": "Jumps", "nodes": nodes}]
    body = {"title": "Openings", "boards": boards}
    answer = httpx.post(f"{server.url}/api/studies", json=body, timeout=PATIENCE)
    assert answer.is_success, answer.text
    study: str = answer.json()["id"]
    return study


def test_a_line_is_stepped_through_inside_another_site(
    visit: Visit, server: LiveServer, other_site: OtherSite
) -> None:
    user = visit()
    frame = show_frame(user, other_site, server.url + LINE)
    expect(frame.locator("#moves [aria-current]")).to_have_text("o@3")
    expect(frame.locator("game-board .picture")).to_be_visible()
    frame.get_by_role("button", name="One move back").click()
    expect(frame.locator("#moves [aria-current]")).to_have_text("m@1")
    frame.get_by_role("button", name="To the start").click()
    expect(frame.locator("#moves [aria-current]")).to_have_count(0)
    link = frame.get_by_role("link", name="Open in Quinconce")
    with user.context.expect_page() as opened:
        link.click()
    expect(opened.value.locator("#moves [data-ply]")).to_have_count(3)
    assert user.context.cookies() == []


def test_a_live_game_goes_on_inside_another_site(
    visit: Visit, server: LiveServer, other_site: OtherSite
) -> None:
    player, reader = visit(), visit()
    player.make("diam", [ME, HERE], clock={"minutes": 5})
    player.play("r@1")
    match = player.page.url.split("/match/")[1]
    frame = show_frame(reader, other_site, f"{server.url}/embed/match/{match}")
    expect(frame.locator("#moves [data-ply]")).to_have_text(["r@1"])
    expect(frame.locator("#seats li")).to_have_count(2)
    player.play("m@1")
    expect(frame.locator("#moves [data-ply]")).to_have_text(["r@1", "m@1"])
    expect(frame.locator("#seats .clock.running")).to_be_visible()
    frame.get_by_role("button", name="One move back").click()
    expect(frame.locator("#moves [aria-current]")).to_have_text("r@1")
    player.play("o@3")  # who looks back is not torn away from it
    expect(frame.locator("#moves [data-ply]")).to_have_count(3)
    expect(frame.locator("#moves [aria-current]")).to_have_text("r@1")
    assert reader.context.cookies() == []


def test_players_are_strangers_in_a_frame_of_their_own_site(
    visit: Visit, server: LiveServer, other_site: OtherSite
) -> None:
    """There the browser would send its cookie, with which it could move."""
    player = visit()
    player.make("diam", [ME, HERE])
    match = player.page.url.split("/match/")[1]
    embed = f"{server.url}/embed/match/{match}"
    with player.page.expect_request(lambda request: "/events?" in request.url) as asked:
        frame = show_frame(player, other_site, embed, host="localhost")
    assert "cookie" not in asked.value.all_headers()
    expect(frame.locator("#seats li")).to_have_count(2)
    told = frame.locator("#embed").evaluate("data => JSON.parse(data.textContent).view")
    assert (told["mine"], told["maker"], told["scene"]["legal"]) == ([], False, None)
    assert frame.locator("meta[name=csrf]").count() == 0
    frame.locator("game-board [data-place]").first.click(force=True)
    expect(frame.locator("#moves [data-ply]")).to_have_count(0)


def test_a_puzzle_is_solved_inside_another_site(
    visit: Visit, server: LiveServer, other_site: OtherSite
) -> None:
    user = visit()
    puzzle = all_puzzles("diam")[0]
    frame = show_frame(user, other_site, f"{server.url}/embed/puzzle/{puzzle.id}")
    expect(frame.locator("#status")).not_to_be_empty()
    frame.get_by_role("button", name="Hint").click()
    expect(frame.locator("#whisper")).not_to_be_empty()
    frame.get_by_role("button", name="Solution").click()
    expect(frame.locator("#moves [data-ply]")).to_have_text(list(puzzle.line))
    frame.get_by_role("button", name="Retry").click()
    expect(frame.locator("#moves [data-ply]")).to_have_count(0)
    board = frame.locator("game-board")
    for n in range(0, len(puzzle.line), 2):
        board.evaluate(JS_PLAY, puzzle.line[n])
        expect(frame.locator("#moves [data-ply]").nth(n)).to_have_text(puzzle.line[n])
    expect(frame.locator(".result")).to_be_attached()
    assert user.context.cookies() == []


def test_a_study_is_read_inside_another_site(
    visit: Visit, server: LiveServer, other_site: OtherSite
) -> None:
    user = visit()
    study = make_study(server)
    frame = show_frame(user, other_site, f"{server.url}/embed/study/{study}?board=2")
    expect(frame.get_by_role("heading", name="Openings")).to_be_visible()
    expect(frame.get_by_text("A quiet start.")).to_be_visible()
    frame.get_by_role("button", name="One move on").click()
    expect(frame.locator("#moves [aria-current]")).to_have_text("G2-G1")
    frame.get_by_label("Board", exact=True).and_(frame.locator("select")).select_option("0")
    expect(frame.locator("#moves [data-ply]")).to_have_count(0)
    user.console_errors.clear()


@pytest.mark.parametrize("path", ["/", "/analysis?game=diam", "/match/{match}", "/puzzles/diam"])
def test_no_other_page_is_shown_inside_another_site(
    visit: Visit, server: LiveServer, other_site: OtherSite, path: str
) -> None:
    user = visit()
    user.make("diam", [ME, HERE])
    match = user.page.url.split("/match/")[1]
    with user.page.expect_event("console", lambda message: "frame-ancestors" in message.text):
        show_frame(user, other_site, server.url + path.format(match=match))
    assert user.page.frame_locator("iframe").locator("main").count() == 0
    user.console_errors.clear()


def test_what_is_not_there_is_told_in_the_frame(
    visit: Visit, server: LiveServer, other_site: OtherSite
) -> None:
    user = visit(locale="fr-FR")
    for path in ("match/abcdefghijkl", "puzzle/nonsense", "study/abcdefghijkl", "board?game=chess"):
        frame = show_frame(user, other_site, f"{server.url}/embed/{path}")
        expect(frame.locator(".fault")).not_to_be_empty()
        expect(frame.get_by_role("link", name="Ouvrir dans Quinconce")).to_be_visible()
    frame = show_frame(user, other_site, f"{server.url}/embed/board?game=diam&moves=nonsense")
    expect(frame.locator("#wrong")).not_to_be_empty()


def test_the_snippet_beside_share_is_shown_as_it_is_pasted(
    visit: Visit, server: LiveServer, other_site: OtherSite
) -> None:
    user = visit()
    links = user.make("diam", [ME, FRIEND])
    assert links[1]
    user.play("r@1")
    page = user.page
    page.click("#more > summary")
    page.get_by_role("button", name="Share…").click()
    page.get_by_label("Seen from").select_option("far side")
    snippet = page.get_by_label("Board for another site").input_value()
    assert "#" not in snippet  # no secret
    assert links[1].split("#")[1] not in snippet
    page.goto(other_site.write(snippet))
    frame = page.frame_locator("iframe")
    expect(frame.locator("#moves [data-ply]")).to_have_text(["r@1"])


def test_an_analysis_a_puzzle_and_a_study_have_a_snippet_too(
    visit: Visit, server: LiveServer
) -> None:
    user = visit()
    study = make_study(server)
    puzzle = all_puzzles("diam")[0]
    for path, address in (
        ("/analysis?game=diam&moves=r@1", "/embed/board?game=diam"),
        (f"/puzzles/diam#{puzzle.id}", f"/embed/puzzle/{puzzle.id}"),
        (f"/study/{study}", f"/embed/study/{study}?board=1"),
    ):
        page = user.go(path)
        expect(page.locator("game-board .picture")).to_be_visible()
        page.get_by_role("button", name="Share…").click()
        snippet = page.locator("#share-embed").input_value()
        assert f'src="{server.url}{address}' in snippet


LOOKS: list[tuple[str, str, dict[str, int], str]] = [
    ("light", "en-GB", WIDE, "wide"),
    ("dark", "fr-FR", NARROW, "narrow"),
]


@pytest.mark.parametrize(
    ("theme", "locale", "size", "name"),
    [
        *LOOKS,
        *long([("dark", "en-GB", WIDE, "wide-dark"), ("light", "fr-FR", NARROW, "narrow-light")]),
    ],
)
def test_nothing_is_cut_off_wide_or_narrow_light_or_dark(
    theme: Any,
    locale: str,
    size: dict[str, int],
    name: str,
    visit: Visit,
    server: LiveServer,
    other_site: OtherSite,
) -> None:
    user = visit(color_scheme=theme, locale=locale, viewport={"width": 800, "height": 640})
    user.make("diam", [ME, HERE], clock={"minutes": 5})
    user.play("r@1")
    match = user.page.url.split("/match/")[1]
    puzzle = all_puzzles("diadema")[0]
    study = make_study(server)
    for kind, path in (
        ("board", LINE),
        ("match", f"/embed/match/{match}"),
        ("puzzle", f"/embed/puzzle/{puzzle.id}"),
        ("study", f"/embed/study/{study}?board=2&ply=1"),
    ):
        frame = show_frame(user, other_site, server.url + path, size)
        picture = frame.locator("game-board .picture")
        expect(picture).to_be_visible()
        expect(frame.locator("#status")).not_to_be_empty()
        box = picture.bounding_box()
        assert box
        assert min(box["width"], box["height"]) > 150
        overflow = frame.locator("html").evaluate(
            "html => [html.scrollWidth - innerWidth, html.scrollHeight - innerHeight]"
        )
        assert max(overflow) <= 0, kind
        for remarks in frame.locator(".seats .remarks").all():
            assert remarks.evaluate("text => text.scrollWidth <= text.clientWidth"), kind
        user.screenshot(f"embed-{kind}-{name}")
