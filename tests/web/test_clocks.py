"""The clocks on the page of a match show the time that the server counts, whatever happens."""

from __future__ import annotations

from collections.abc import Callable

import pytest
from app_client import FakeClock
from browser_users import FRIEND, ME, BrowserUser, LiveServer, StartServer, Visit
from playwright.sync_api import expect
from waiting import until

ONE_MOVE_BACK = "[data-go=back]"
TO_THE_LAST = "[data-go=last]"


class TimedTable:
    """Players at a match with a clock; the time of the server and of their browsers is one."""

    def __init__(self, server: LiveServer, clock: FakeClock) -> None:
        self.server = server
        self.clock = clock
        self.players: list[BrowserUser] = []

    def seat(self, player: BrowserUser) -> None:
        """Take the time of a browser in hand; before its first page is opened."""
        player.hold_time(self.clock.now)
        self.players.append(player)

    def wait(self, seconds: float) -> None:
        """Let time pass for everybody; what is heard meanwhile seems to come late, and may."""
        for player in self.players:
            player.page.clock.run_for(int(seconds * 1000))
        self.clock.now += seconds

    def wait_for(self, ready: Callable[[], bool]) -> None:
        """Let time pass about as fast as it does, until something has come."""

        def look() -> bool:
            self.wait(0.05)
            return ready()

        until(look)

    def compare(self) -> list[float]:
        """What the clocks of the server say, once every page says the same within a second."""
        told: list[float] = []

        def agree() -> bool:
            told[:] = self.left_on_server()
            shown = [left_on_page(each) for each in self.players if "/match/" in each.page.url]
            return all(
                abs(int(counted) - seen) <= 1
                for clocks in shown
                for counted, seen in zip(told, clocks, strict=True)
            )

        until(agree)
        return told

    def left_on_server(self) -> list[float]:
        page = self.players[0].page
        match = page.url.split("/match/")[1].split("#")[0]
        view = self.players[0].context.request.get(f"/api/matches/{match}").json()
        left: list[float] = view["clock"]["left"]
        return left


def left_on_page(player: BrowserUser) -> list[int]:
    """The seconds on the clocks of a page, by seat."""
    rows = player.page.locator("#seats li")
    shown = {}
    for row in rows.all():
        minutes, seconds = row.locator(".clock").inner_text().split(":")
        shown[row.get_attribute("data-seat") or ""] = 60 * int(minutes) + int(float(seconds))
    return [shown[seat] for seat in sorted(shown)]


@pytest.fixture
def table(start_server: StartServer) -> TimedTable:
    clock = FakeClock()
    return TimedTable(start_server(now=clock, monotonic=clock, database_now=clock), clock)


def test_the_clocks_say_what_the_server_counts(table: TimedTable, visit: Visit) -> None:
    one, other = visit(on=table.server), visit(on=table.server)
    table.seat(one)
    table.seat(other)
    _own, link = one.make("diam", [ME, FRIEND], clock={"minutes": 10, "increment": 5})
    assert link
    other.open_match(link)
    one.play("r@1")
    other.expect_my_turn()
    table.wait(3)
    other.play("m@2")
    one.expect_my_turn()
    assert table.compare()[1] < 603
    table.wait(9)
    assert table.compare()[0] == pytest.approx(596, abs=1)
    # A look back, and the way on.
    one.page.click(ONE_MOVE_BACK)
    expect(one.page.locator("#status .turn")).to_contain_text("After move 1")
    table.compare()
    table.wait(7)
    one.page.click(TO_THE_LAST)
    one.expect_my_turn()
    table.compare()
    # The opponent's page is closed, and opened again.
    other.go("about:blank")
    expect(one.page.locator("#seats li").last).to_contain_text("not here")
    table.wait(24)
    table.compare()
    other.open_match(link)
    table.wait_for(lambda: "not here" not in one.page.locator("#seats").inner_text())
    table.compare()
    # The connection is lost for a while.
    one.context.set_offline(True)
    table.wait(8)
    expect(one.page.locator("#banner")).to_be_visible()
    table.compare()
    one.context.set_offline(False)
    table.wait_for(one.page.locator("#banner").is_hidden)
    one.console_errors[:] = [text for text in one.console_errors if "ERR_" not in text]
    table.compare()
    # Both are loaded anew.
    table.wait(11)
    for player in (one, other):
        player.page.reload()
        expect(player.page.locator("#seats .clock").first).not_to_be_empty()
    table.compare()
    table.wait(5)
    assert table.compare()[0] < 596 - 7 - 24 - 8 - 11 - 5


def test_on_a_phone_the_clocks_stand_beside_the_names_above_the_board(visit: Visit) -> None:
    visitor = visit(viewport={"width": 360, "height": 640})
    visitor.make("diam", [ME, FRIEND], clock={"minutes": 10, "increment": 5})
    page = visitor.page
    board = page.locator("game-board").bounding_box()
    for row in page.locator("#seats li").all():
        expect(row.locator(".clock")).to_have_text("10:00")
        for part in (".clock", ".player"):
            expect(row.locator(part)).to_be_in_viewport(ratio=1)
        where = row.bounding_box()
        assert where
        assert board
        assert where["y"] + where["height"] <= board["y"] + 1
    page.set_viewport_size({"width": 1280, "height": 800})
    expect(page.locator(".side-panel #seats .clock").first).to_be_in_viewport(ratio=1)
