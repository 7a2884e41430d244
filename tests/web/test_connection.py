"""Lost requests, lost streams, a server that dies: the page is right again soon, without a reload.

`RIGHT_AGAIN` is the promise. What is done while the server is away happens once when it is back.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from copy import copy
from pathlib import Path
from typing import Any

import pytest
from browser_users import (
    FRIEND,
    HERE,
    ME,
    BrowserUser,
    LiveServer,
    StartServer,
    Visit,
    long,
    violations,
)
from playwright.sync_api import Route, expect
from server_process import ServerProcess, run_server
from tcp_proxy import run_proxy

RIGHT_AGAIN = 5_000  # milliseconds
VIEW = re.compile(r"/api/matches/\w{12}(\?.*)?$")  # the address of the match itself
MOVES = re.compile(r"/api/matches/\w{12}/moves(\?.*)?$")
DELAYS = """async () => {
    const style = document.querySelector('link[href$="board.css"]').href;
    const {FIRST_PATIENCE, retryDelay} = await import(style.replace("board.css", "retry.js"));
    const {CHECK, SILENCE} = await import(style.replace("board.css", "stream.js"));
    const draw = (n) => Array.from({length: 500}, () => retryDelay(n));
    return {
        delays: [0, 1, 2, 3, 10, 100].map(draw),
        unanswered: FIRST_PATIENCE,
        silent: SILENCE + CHECK,
    };
}"""
# When the page asked for something, in its own time.
NOTE_REQUESTS = """() => {
    window.requests = [];
    const send = window.fetch;
    window.fetch = (...request) => {
        window.requests.push(performance.now());
        return send(...request);
    };
}"""

# How often something has come by the stream, if only a sign of life.
COUNT_CHUNKS = """
    window.chunks = 0;
    const { read } = ReadableStreamDefaultReader.prototype;
    ReadableStreamDefaultReader.prototype.read = async function () {
        const chunk = await read.call(this);
        window.chunks += 1;
        return chunk;
    };
"""


def pair(visit: Visit, to: Any = None) -> tuple[BrowserUser, BrowserUser]:
    """Two browsers in one match, the first in the first seat; a reload would be noticed."""
    one, other = (visit(to), visit(to)) if to else (visit(), visit())
    links = one.make("diam", [ME, FRIEND])
    other.open_match(links[1] or "")
    expect(other.page.locator("#seats li").nth(1)).to_contain_text("you")
    # Neither «has not joined yet» nor «not here».
    expect(one.page.locator("#seats")).not_to_contain_text("not")
    for visitor in (one, other):
        visitor.page.evaluate("window.stayed = true")
    return one, other


def expect_moves(visitor: BrowserUser, *moves: str) -> None:
    found = visitor.page.locator("#moves [data-ply]")
    expect(found).to_have_text(list(moves))


def expect_connected(visitor: BrowserUser) -> None:
    """The page has found the server again, has not been loaded again, and complained only then."""
    expect(visitor.page.locator("#banner")).to_be_hidden()
    assert visitor.page.evaluate("window.stayed")
    lost = re.compile("ERR_|status of (500|503)")
    visitor.console_errors[:] = [t for t in visitor.console_errors if not lost.search(t)]


def fail(route: Route, how: str) -> None:
    """Let a request fail in some way."""
    if how == "lost":
        route.abort()
    elif how == "answer lost":
        route.fetch()
        route.abort()
    elif how == "cut off":
        route.fulfill(status=200, content_type="application/json", body='{"id": "abc')
    elif how.isdigit():
        route.fulfill(status=int(how), json={"error": "no", "code": "broken"})
    else:
        assert how == "silent"  # no answer ever comes


def fail_first(visitor: BrowserUser, path: re.Pattern[str], how: str, times: int = 1) -> list[str]:
    """Let the first requests to an address fail; the list grows with each."""
    failed: list[str] = []

    def handle(route: Route) -> None:
        if len(failed) >= times:
            route.continue_()
            return
        failed.append(route.request.method)
        fail(route, how)

    visitor.page.route(path, handle)
    return failed


def second_tab(visitor: BrowserUser) -> BrowserUser:
    """The same match in another tab, which reads it when somebody moves in the first."""
    tab = copy(visitor)
    tab.page = visitor.context.new_page()
    tab.open_match(visitor.page.url)
    tab.expect_my_turn()
    tab.page.evaluate("window.stayed = true")
    return tab


def test_the_move_of_another_needs_no_read(visit: Visit) -> None:
    one, other = pair(visit)
    reads = fail_first(other, VIEW, "500", times=1_000)
    one.play("r@1")
    expect_moves(other, "r@1")
    other.expect_my_turn()
    other.play("m@2")
    expect_moves(one, "r@1", "m@2")
    assert reads == []
    other.page.unroute(VIEW)


@pytest.mark.parametrize("how", ["lost", *long(["cut off", "500", "503", "silent"])])
def test_one_failed_read_after_a_nudge_is_repeated(how: str, visit: Visit) -> None:
    one, _other = pair(visit)
    tab = second_tab(one)
    failed = fail_first(tab, VIEW, how)
    one.play("r@1")
    expect_moves(tab, "r@1")
    assert failed == ["GET"]
    expect(tab.page.locator("#status.mine")).to_be_hidden()
    expect_connected(tab)


def test_failed_reads_are_told_as_long_as_they_last(visit: Visit) -> None:
    one, _other = pair(visit)
    tab = second_tab(one)
    failed = fail_first(tab, VIEW, "lost", times=1_000)
    tab.page.evaluate(NOTE_REQUESTS)
    one.play("r@1")
    expect(tab.page.locator("#banner")).to_contain_text("connection is lost")
    begun = tab.page.evaluate("window.requests[0]")
    tab.page.wait_for_function(
        "begun => performance.now() > begun + 3000 && window.requests.length > 1", arg=begun
    )
    soon = [at for at in tab.page.evaluate("window.requests") if at <= begun + 3000]
    assert len(soon) < 12, "a page that cannot reach the server does not hammer on it"
    assert failed
    tab.page.unroute(VIEW)
    expect_moves(tab, "r@1")
    expect_connected(tab)


@pytest.mark.long
def test_an_earlier_position_is_asked_for_again(visit: Visit) -> None:
    one, _other = pair(visit)
    one.play("r@1")
    failed = fail_first(one, re.compile("/plies/0"), "lost", times=2)
    one.page.keyboard.press("ArrowLeft")
    expect(one.page.locator("#status")).to_contain_text("Before the first move")
    assert len(failed) == 2
    expect_connected(one)


@pytest.fixture
def proxied(own_server: LiveServer) -> Iterator[Any]:
    with run_proxy(own_server.port) as proxy:
        yield proxy


@pytest.mark.long
@pytest.mark.parametrize("where", [b"event: move", b'"kind"', b"retry", b": "])
def test_a_stream_that_breaks_off_is_opened_again(
    where: bytes, proxied: Any, own_server: LiveServer, visit: Visit
) -> None:
    one, other = pair(visit, proxied)
    proxied.cut_streams_at(where)
    one.play("r@1")
    expect_moves(other, "r@1")
    other.play("m@2")
    expect_moves(one, "r@1", "m@2")
    expect_connected(one)
    expect_connected(other)


def test_a_stream_that_falls_silent_is_opened_again(proxied: Any, visit: Visit) -> None:
    """As behind a router that has forgotten the connection: it neither speaks nor ends."""
    one, other = pair(visit, proxied)
    before = len(proxied.streams)
    proxied.silence_streams()
    one.play("r@1")
    expect_moves(other, "r@1")
    expect_connected(other)
    assert len(proxied.streams) > before
    other.play("m@2")
    expect_moves(one, "r@1", "m@2")
    expect_connected(one)


def test_a_quiet_stream_is_left_alone(start_server: StartServer, visit: Visit) -> None:
    """The server gives signs of life, so that nobody takes a long thought for a lost connection."""
    server = start_server(keepalive=0.05)
    with run_proxy(server.port) as proxy:
        one = visit(proxy)
        one.page.add_init_script(COUNT_CHUNKS)
        one.hold_time()  # the page's time goes by signs of life
        one.make("diam", [ME, FRIEND])
        for _ in range(7):  # together longer than a page bears silence
            heard = one.page.evaluate("window.chunks")
            one.page.wait_for_function("heard => window.chunks > heard", arg=heard)
            one.page.clock.run_for(700)
        assert len(proxy.streams) == 1
        expect(one.page.locator("#banner")).to_be_hidden()
        one.page.goto("about:blank")  # before its connection is cut


@pytest.fixture
def process(tmp_path: Path) -> Iterator[ServerProcess]:
    with run_server(tmp_path) as running:
        yield running


@pytest.mark.long
@pytest.mark.process
def test_a_server_that_is_killed_and_started_again(process: ServerProcess, visit: Visit) -> None:
    one, other = pair(visit, process)
    one.play("r@1")
    expect_moves(other, "r@1")
    # The first time for so long that the delays have grown as long as they get.
    for mover, watcher, move, failures in ((other, one, "m@2", 8), (one, other, "o@3", 0)):
        played = mover.moves
        process.kill()
        for visitor in (one, other):
            expect(visitor.page.locator("#banner")).to_contain_text("connection is lost")
        for place in mover.touches(move):
            mover.click(place)
        expect(mover.page.locator("#banner")).to_contain_text(f"Your move {move} has not been sent")
        for _ in range(failures):
            mover.page.wait_for_event("requestfailed")
        process.start()
        expect_moves(watcher, *played, move)
        expect_moves(mover, *played, move)
        expect_connected(one)
        expect_connected(other)


@pytest.mark.parametrize(
    ("how", "seats"),
    [
        ("lost", [ME, FRIEND]),
        ("answer lost", [ME, HERE]),
        *long((how, [ME, FRIEND]) for how in ("answer lost", "cut off", "503")),
        *long((how, [ME, HERE]) for how in ("lost", "cut off", "503")),
    ],
)
def test_a_move_whose_request_fails_is_played_once(
    how: str, seats: list[dict[str, str]], visit: Visit
) -> None:
    """Whether it reached the server or not; also where one browser plays both sides."""
    one = visit()
    one.make("diam", seats)
    one.page.evaluate("window.stayed = true")
    failed = fail_first(one, MOVES, how)
    for place in one.touches("r@1"):
        one.click(place)
    expect_moves(one, "r@1")
    assert failed == ["POST"]
    expect_connected(one)
    expect(one.page.locator("#wrong")).to_have_text("")
    id_ = one.page.url.rpartition("/")[2]
    view = one.context.request.get(f"/api/matches/{id_}").json()
    assert (view["moves"], view["seq"]) == (["r@1"], 1)


def test_a_move_that_cannot_be_sent_is_shown_and_sent_when_one_wants(visit: Visit) -> None:
    one, other = pair(visit)
    fail_first(one, MOVES, "lost", times=1_000)
    for place in one.touches("r@1"):
        one.click(place)
    banner = one.page.locator("#banner")
    expect(banner).to_contain_text("Your move r@1 has not been sent.")
    expect(one.page.locator("game-board .picked")).to_have_attribute("data-place", "r")
    one.screenshot("not-sent")
    assert violations(one.page) == []
    banner.get_by_role("button", name="Discard this move").click()
    expect(banner).to_be_hidden()
    one.hold_time()  # by itself the page does not send it again
    for place in one.touches("o@2"):
        one.click(place)
    expect(banner).to_contain_text("Your move o@2 has not been sent.")
    one.page.unroute(MOVES)
    banner.get_by_role("button", name="Send again").click()
    expect_moves(one, "o@2")
    expect_moves(other, "o@2")
    expect_connected(one)


@pytest.mark.long
def test_what_failed_while_the_server_was_away_is_not_told_for_ever(
    own_server: LiveServer, visit: Visit
) -> None:
    one = visit(own_server)
    one.make("diam", [ME, {"kind": "engine", "level": 1}])
    one.page.evaluate("window.stayed = true")
    own_server.stop()
    expect(one.page.locator("#banner")).to_contain_text("connection is lost")
    one.page.click("[data-act=hint]")
    expect(one.page.locator("#wrong")).to_contain_text("does not answer")
    own_server.start()
    expect_connected(one)
    expect(one.page.locator("#wrong")).to_have_text("")


def test_a_seat_is_claimed_though_the_server_does_not_answer_at_first(visit: Visit) -> None:
    one, other = visit(), visit()
    link = one.make("diam", [ME, FRIEND])[1] or ""
    failed = fail_first(other, re.compile("/claims$"), "lost")
    other.go(link)
    expect(other.page.locator("#seats li").nth(1)).to_contain_text("you")
    assert failed
    other.page.evaluate("window.stayed = true")
    expect_connected(other)


def test_the_pages_of_a_crowd_come_back_soon_one_after_the_other(visit: Visit) -> None:
    """However slow the machine is, a page itself never waits as long as it has promised."""
    visitor = visit()
    visitor.go("/")
    waits = visitor.page.evaluate(DELAYS)
    first = max(waits["delays"][0])
    assert waits["unanswered"] + first < RIGHT_AGAIN
    assert waits["silent"] + first < RIGHT_AGAIN
    for i, drawn in enumerate(waits["delays"]):
        assert max(drawn) <= 3000 < RIGHT_AGAIN
        assert min(drawn) > 0
        assert max(drawn) - min(drawn) > 0.8 * min(500 * 2**i, 3000) * 0.9
