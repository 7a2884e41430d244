"""Several browsers in one match: links, offers, clocks, people who leave, a server that closes."""

from __future__ import annotations

import json
import re
import time
from typing import Any

import pytest
from app_client import FakeClock
from browser_users import FRIEND, ME, BrowserUser, LiveServer, StartServer, Visit, long
from fake_engines import Gate
from playwright.sync_api import Route, expect

ENGINE = {"kind": "engine", "level": 1}


def pair(visit: Visit, game: str = "diam", **setup: Any) -> tuple[BrowserUser, BrowserUser]:
    """Two browsers in one match, the first in the first seat."""
    one, other = visit(), visit()
    links = one.make(game, [ME, FRIEND], **setup)
    other.open_match(links[1] or "")
    expect(other.page.locator("#seats li").nth(1)).to_contain_text("you")
    return one, other


def test_two_browsers_play_one_match(visit: Visit) -> None:
    one, other = pair(visit)
    expect(other.page).not_to_have_url(re.compile("#"))  # the secret does not stay there
    for i, move in enumerate(["r@6", "n@6", "o@2", "n@2"]):
        mover, watcher = (one, other) if i % 2 == 0 else (other, one)
        mover.expect_my_turn()
        mover.play(move)
        expect(watcher.page.locator("#moves [data-ply]").last).to_have_text(move)
    for visitor, told in (
        (one, "You lost: two black pawns face to face"),
        (other, "You won: two black pawns"),
    ):
        expect(visitor.page.locator("#status")).to_contain_text(told)
    one.screenshot("two-browsers-end")


@pytest.mark.long
@pytest.mark.parametrize(
    ("players", "moves", "order"),
    [
        (3, "o@5 m@4 5.1-4 n@8 o@8", (0, 1, 0, 2)),
        (4, "r@5 m@5 o@1 n@2 r@7 m@1", (0, 2, 1, 3)),
    ],
)
def test_three_and_four_browsers_play_in_teams(
    players: int, moves: str, order: tuple[int, ...], visit: Visit
) -> None:
    maker = visit()
    links = maker.make("diam", [ME, *[FRIEND] * (players - 1)], options={"players": players})
    people = [maker]
    for link in links[1:]:
        people.append(visit())
        people[-1].open_match(link or "")
    team = maker.page.locator("#seats li").last
    expect(team).to_contain_text("team 2")
    for i, move in enumerate(moves.split()):
        mover = people[order[i % len(order)]]
        mover.expect_my_turn()
        mover.play(move)
    for visitor in people:
        expect(visitor.page.locator("#status")).to_contain_text(re.compile("won|lost"))
    maker.screenshot(f"{players}-players")


def test_a_move_that_meets_a_friend_who_comes_is_sent_again(visit: Visit) -> None:
    """What raised the number of the last event did not change the position."""
    one, other = pair(visit)
    refused: list[str] = []

    def stale_at_first(route: Route) -> None:
        if refused:
            route.continue_()
            return
        refused.append(route.request.url)
        route.fulfill(status=409, json={"error": "the match has gone on", "code": "stale"})

    one.page.route("**/moves*", stale_at_first)
    one.play("r@1")
    expect(other.page.locator("#moves [data-ply]")).to_have_text(["r@1"])
    expect(one.page.locator("#wrong")).to_have_text("")
    assert refused


def test_whoever_has_no_seat_may_only_watch(visit: Visit) -> None:
    one, other = pair(visit)
    watcher = visit()
    watcher.open_match(one.page.url)
    one.play("r@1")
    expect(watcher.page.locator("#moves [data-ply]")).to_have_text(["r@1"])
    expect(watcher.page.locator("#typed")).to_be_hidden()
    watcher.click("m")
    expect(watcher.page.locator("#whisper")).to_have_text("It is not your turn.")
    assert other.page.locator("#status.mine").is_visible()


def test_the_title_and_the_icon_tell_whose_turn_it_is(visit: Visit) -> None:
    one, other = pair(visit)
    icon = "document.getElementById('favicon').href"
    assert one.page.title().startswith("● Your turn")
    assert one.page.evaluate(icon).endswith("turn.svg")
    assert other.page.evaluate(icon).endswith("mark.svg")
    one.play("r@1")
    other.expect_my_turn()
    assert other.page.title().startswith("● Your turn")
    expect(one.page).to_have_title("Diam · Quinconce")


def test_an_invitation_shows_a_link_to_copy_and_to_scan(visit: Visit) -> None:
    maker = visit(permissions=["clipboard-read", "clipboard-write"])
    page = maker.go("/game/diam")
    page.check("input[name=way][value=friend]")
    page.click("#play")
    box = page.locator(".invitation").first
    expect(box.locator("svg.qr path")).to_be_visible()
    expect(box).to_contain_text("only on this machine")
    link = box.locator("input").input_value()
    assert re.search(r"/match/\w{12}#[\w-]{22}$", link)
    box.get_by_role("button", name="Copy").click()
    expect(box.locator(".said")).to_have_text("Copied.")
    assert page.evaluate("navigator.clipboard.readText()") == link
    maker.screenshot("waiting-for-a-friend")
    friend = visit()
    home = friend.go("/")
    home.fill("#link", link)
    home.press("#link", "Enter")
    expect(friend.page.locator("#seats")).to_contain_text("you")
    expect(page.locator("#invitations .invitation")).to_have_count(0)


def test_a_half_made_move_and_the_focus_survive_what_the_other_does(visit: Visit) -> None:
    one, other = pair(visit)
    one.page.locator("game-board [tabindex='0']").focus()
    one.press_to("r")
    expect(one.page.locator("game-board .picked")).to_have_attribute("data-place", "r")
    one.page.evaluate("document.querySelector('game-board svg').id = 'the-same'")
    other.page.click("[data-act=stop]")  # an offer changes nothing on the board
    expect(one.page.locator("#offers")).to_contain_text("offers a draw")
    expect(one.page.locator("game-board .picked")).to_have_attribute("data-place", "r")
    assert one.page.evaluate("document.activeElement.dataset.place") == "r"
    expect(one.page.locator("#the-same")).to_have_count(1)  # nor does the picture start anew
    one.press_to("4")
    expect(one.page.locator("#moves [data-ply]")).to_have_text(["r@4"])


@pytest.mark.long
def test_the_focus_stays_where_it_was_when_the_other_moves(visit: Visit) -> None:
    one, other = pair(visit)
    other.page.locator("game-board [tabindex='0']").focus()
    other.page.keyboard.press("ArrowDown")
    place = other.page.evaluate("document.activeElement.dataset.place")
    one.play("r@1")
    expect(other.page.locator("#moves [data-ply]")).to_have_count(1)
    assert other.page.evaluate("document.activeElement.dataset.place") == place


def test_a_takeback_is_asked_for_and_granted(visit: Visit) -> None:
    one, other = pair(visit)
    one.play("r@1")
    other.expect_my_turn()
    expect(other.page.locator("[data-act=takeback]")).to_be_hidden()  # they have played nothing
    one.page.click("[data-act=takeback]")
    expect(one.page.locator("#offers")).to_contain_text("You have asked")
    other.page.locator("#offers").get_by_role("button", name="Agree").click()
    expect(one.page.locator("#moves [data-ply]")).to_have_count(0)
    one.expect_my_turn()


def test_a_draw_is_offered_refused_and_agreed(visit: Visit) -> None:
    one, other = pair(visit)
    one.page.click("[data-act=stop]")
    other.page.locator("#offers").get_by_role("button", name="Refuse").click()
    expect(one.page.locator("#offers .offer")).to_have_count(0)
    expect(one.page.locator("#whisper")).to_have_text("Player 2 said no.")
    other.page.click("[data-act=stop]")
    one.page.locator("#offers").get_by_role("button", name="Agree").click()
    for visitor in (one, other):
        expect(visitor.page.locator("#status")).to_have_text(re.compile("A draw: .*agreed"))


def test_one_resigns_only_when_sure_and_a_rematch_swaps_seats(visit: Visit) -> None:
    one, other = pair(visit)
    one.page.click("[data-act=resign]")
    one.page.locator("#sure").get_by_role("button", name="No").click()
    expect(one.page.locator("#status")).to_contain_text("Your turn.")
    one.page.click("[data-act=resign]")
    one.page.locator("#sure").get_by_role("button", name="Yes").click()
    won = re.compile(r"You won: Player 1 \(.*\) resigned")
    expect(other.page.locator("#status")).to_contain_text(won)
    before = other.page.url
    other.page.click("[data-act=rematch]")
    one.page.locator("#offers").get_by_role("button", name="Agree").click()
    for visitor in (one, other):  # one click to offer, one to accept, and both are there
        expect(visitor.page).not_to_have_url(before)
    assert one.page.url == other.page.url
    expect(one.page.locator("#seats li").nth(1)).to_contain_text("you")
    other.expect_my_turn()


def test_looking_back_does_not_disturb_the_game(visit: Visit) -> None:
    one, other = pair(visit)
    for mover, move in ((one, "r@1"), (other, "m@2"), (one, "o@3")):
        mover.expect_my_turn()
        mover.play(move)
    one.page.locator("#moves").focus()
    one.page.keyboard.press("ArrowLeft")
    one.page.keyboard.press("ArrowLeft")
    expect(one.page.locator("#status")).to_have_text("After move 1 (r@1)")
    expect(one.page.locator("#moves [aria-current]")).to_have_text("r@1")
    other.expect_my_turn()
    other.play("n@4")
    expect(one.page.locator("#moves [data-ply]")).to_have_count(4)
    expect(one.page.locator("#status")).to_have_text("After move 1 (r@1)")
    one.page.click("[data-go=last]")
    one.expect_my_turn()


def test_moves_are_tried_without_disturbing_the_game_and_played_from_there(visit: Visit) -> None:
    one, _other = pair(visit)
    one.play("r@1")
    page = one.page
    one.open_menu()
    page.click("#analysis")
    expect(page.locator("#moves [data-ply]")).to_have_text(["r@1"])
    one.play("m@5")
    one.play("o@5")
    page.click("[data-go=back]")
    expect(page.locator("#moves [aria-current]")).to_have_text("m@5")
    page.click("#play-from")
    expect(page.locator("#setup")).to_contain_text("starts from the position")
    page.click("#play")
    expect(page.locator("game-board [data-place='5.1'] .piece")).to_have_count(1)
    page.go_back()
    page.go_back()
    page.click("#return")
    expect(page.locator("#moves [data-ply]")).to_have_text(["r@1"])


@pytest.mark.long
def test_a_record_is_saved_and_opened_again(visit: Visit) -> None:
    one, _other = pair(visit)
    one.play("r@1")
    one.open_menu()
    with one.page.expect_download() as download:
        one.page.get_by_role("link", name="Save the record").click()
    text = download.value.path().read_text()
    with one.page.expect_download() as download:
        one.page.get_by_role("link", name="as JSON").click()
    assert json.loads(download.value.path().read_text())["moves"] == ["r@1"]
    page = one.go("/analysis")
    page.click("#open-record summary")
    page.set_input_files("#file", {"name": "a", "mimeType": "text/plain", "buffer": text.encode()})
    expect(page.locator("#moves [data-ply]")).to_have_text(["r@1"])
    page.fill("#record", "this is no record")
    page.click("#paste button")
    expect(page.locator("#wrong")).to_contain_text("not a record")
    page.fill("#record", text)
    page.click("#paste button")
    expect(page.locator("#whisper")).to_have_text("1 move read.")


def test_the_engine_answers_gives_hints_and_lets_one_take_back(visit: Visit) -> None:
    somebody = visit()
    somebody.make("buts", [ME, ENGINE])
    somebody.play("G2-E2")
    expect(somebody.page.locator("#moves [data-ply]")).to_have_count(2)
    somebody.expect_my_turn()
    somebody.page.click("[data-act=hint]")
    expect(somebody.page.locator("#whisper")).to_contain_text("A good move:")
    expect(somebody.page.locator("game-board .picked")).to_have_count(1)
    expect(somebody.page.locator("game-board .target")).to_have_count(1)
    somebody.page.click("[data-act=takeback]")
    expect(somebody.page.locator("#moves [data-ply]")).to_have_count(0)
    somebody.expect_my_turn()


def test_whoever_plays_the_second_side_sees_the_board_from_there(visit: Visit) -> None:
    one, other = pair(visit, "buts")
    top = "document.querySelector('[data-place=A1]').getBoundingClientRect().y"
    bottom = "document.querySelector('[data-place=H1]').getBoundingClientRect().y"
    assert one.page.evaluate(f"{top} < {bottom}")
    other.page.wait_for_function(f"() => {top} > {bottom}")
    one.open_menu()
    one.page.click("[data-act=flip]")
    one.page.wait_for_function(f"() => {top} > {bottom}")
    one.play("G2-E2")
    one.page.wait_for_function(f"() => {top} > {bottom}")


def test_a_clock_runs_and_decides(start_server: StartServer, visit: Visit) -> None:
    ticker = FakeClock()
    server = start_server(now=ticker, monotonic=ticker)
    one, other = visit(server), visit(server)
    other.open_match(one.make("diam", [ME, FRIEND], clock={"minutes": 1, "increment": 0})[1] or "")
    one.play("r@1")
    expect(other.page.locator("#seats .clock.running")).to_be_visible()
    ticker.now += 61
    expect(other.page.locator("#status")).to_contain_text("You lost: time ran out.")
    one.screenshot("clock")


def test_a_server_that_closes_and_opens_again_is_found_again(
    own_server: LiveServer, visit: Visit
) -> None:
    """Nothing is lost: the game goes on where it was, and the engine that was to move is asked."""
    one, other = visit(own_server), visit(own_server)
    links = one.make("diam", [ME, FRIEND])
    other.open_match(links[1] or "")
    one.play("r@6")
    own_server.stop()
    banner = one.page.locator("#banner")
    expect(banner).to_contain_text("connection is lost")
    one.screenshot("connection-lost")
    own_server.start()
    for visitor in (one, other):
        expect(visitor.page.locator("#banner")).to_be_hidden()
    other.expect_my_turn()
    other.play("n@6")
    expect(one.page.locator("#moves [data-ply]")).to_have_text(["r@6", "n@6"])
    for visitor in (one, other):
        # A request that the closing server gave up is answered by 500, or not at all.
        lost = re.compile("ERR_|status of 500")
        visitor.console_errors[:] = [t for t in visitor.console_errors if not lost.search(t)]


@pytest.mark.long
def test_a_seat_is_resumed_on_another_device_under_the_same_name(visit: Visit) -> None:
    one, _other = pair(visit)
    one.open_menu()
    one.page.fill("#my-name", "Camille <b>")
    one.page.click("#rename button")
    expect(one.page.locator("#seats")).to_contain_text("Camille <b>")
    one.page.locator("#elsewhere").get_by_role("button", name="Make a link").click()
    link = one.page.locator("#elsewhere input").input_value()
    phone = visit(viewport={"width": 360, "height": 740})
    phone.open_match(link)
    expect(phone.page.locator("#seats")).to_contain_text("Camille <b>")
    phone.expect_my_turn()
    phone.play("r@1")
    expect(one.page.locator("#moves [data-ply]")).to_have_text(["r@1"])


def test_the_engine_plays_for_somebody_who_has_left_until_he_is_back(
    start_server: StartServer, visit: Visit
) -> None:
    server = start_server(lend_after=0.0)  # seconds that one has to wait
    one, other = visit(server), visit(server)
    links = one.make("diam", [ME, FRIEND])
    other.open_match(links[1] or "")
    expect(other.page.locator("#seats li").nth(1)).to_contain_text("you")  # it has its cookie
    address = other.page.evaluate("location.href")
    other.go("/")
    lend = one.page.get_by_role("button", name="Let the engine play for")
    expect(lend).to_be_visible()
    lend.click()
    expect(one.page.locator("#seats")).to_contain_text("the engine plays for now")
    one.play("r@1")
    one.expect_my_turn()
    other.open_match(address)
    other.page.get_by_role("button", name="Take my seat back").click()
    expect(one.page.locator("#seats")).not_to_contain_text("the engine plays for now")


def test_a_seat_is_offered_to_the_engine_only_when_the_server_would_agree(
    start_server: StartServer, visit: Visit
) -> None:
    ticker = FakeClock()
    server = start_server(now=ticker, monotonic=ticker)
    one, other = visit(server), visit(server)
    one.hold_time()
    links = one.make("diam", [ME, FRIEND])
    other.open_match(links[1] or "")
    expect(one.page.locator("#seats")).not_to_contain_text("not joined")
    other.go("/")
    expect(one.page.locator("#seats")).to_contain_text("not here")
    lend = one.page.get_by_role("button", name="Let the engine play for")
    expect(lend).to_have_count(0)
    ticker.now += 61
    one.page.clock.fast_forward(61_000)
    one.page.clock.resume()  # the stream, which has been silent for so long, is opened again
    lend.click()
    expect(one.page.locator("#seats")).to_contain_text("the engine plays for now")
    expect(one.page.locator("#wrong")).to_have_text("")


def test_a_new_link_may_be_the_only_one_that_works(visit: Visit) -> None:
    one, _other = pair(visit)
    one.open_menu()
    box = one.page.locator("#elsewhere .invitation")
    box.get_by_role("button", name="Make a link").click()
    old = box.locator("input").input_value()
    phone = visit(viewport={"width": 360, "height": 740})
    phone.open_match(old)
    phone.expect_my_turn()
    box.get_by_role("button", name="all others stop working").click()
    expect(box).to_contain_text("no longer work")
    new = box.locator("input").input_value()
    assert new != old
    stranger = visit()
    stranger.open_match(old)
    expect(stranger.page.locator("#wrong")).to_contain_text("opens no seat")
    phone.page.reload()
    expect(phone.page.locator("#typed")).to_be_hidden()  # it may only watch
    one.play("r@1")  # this browser keeps its seat
    tablet = visit()
    tablet.open_match(new)
    expect(tablet.page.locator("#seats li").first).to_contain_text("you")


@pytest.mark.long
def test_the_link_of_a_friend_who_has_not_come_is_made_anew_and_remembered(visit: Visit) -> None:
    maker = visit()
    page = maker.go("/game/diam")
    page.check("input[name=way][value=friend]")
    page.click("#play")
    field = page.locator("#invitations input")
    old = field.input_value()
    page.get_by_role("button", name="all others stop working").click()
    expect(field).not_to_have_value(old)
    new = field.input_value()
    page.reload()
    expect(field).to_have_value(new)
    friend = visit()
    friend.open_match(old)
    expect(friend.page.locator("#wrong")).to_contain_text("opens no seat")
    friend.go("/")
    friend.open_match(new)
    expect(friend.page.locator("#seats")).to_contain_text("you")


@pytest.mark.parametrize("content", [False, *long([True])])
def test_an_engine_answers_an_offer_to_stop(
    content: bool, visit: Visit, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(
        "quinconce.server.engines.jobs.engine_accepts_stop", lambda _match, _seat: content
    )
    somebody = visit()
    somebody.make("diam", [ME, ENGINE])
    somebody.page.click("[data-act=stop]")
    if content:
        expect(somebody.page.locator("#status")).to_have_text(re.compile("A draw: .*agreed"))
        return
    expect(somebody.page.locator("#whisper")).to_have_text("Engine (level 1) said no.")
    expect(somebody.page.locator("#offers .offer")).to_have_count(0)
    expect(somebody.page.locator("[data-act=stop]")).to_be_visible()
    somebody.expect_my_turn()


def test_whoever_waits_long_for_an_engine_is_told_why(
    start_server: StartServer, visit: Visit
) -> None:
    gate = Gate()
    somebody = visit(start_server(chooser=gate.first_move))
    somebody.hold_time()
    somebody.make("diam", [ME, ENGINE])
    somebody.play("r@1")
    expect(somebody.page.locator("#status")).to_contain_text("is thinking")
    somebody.page.clock.fast_forward(5_000)
    told = re.compile("looks at .* positions|comes before yours")
    expect(somebody.page.locator("#whisper")).to_contain_text(told)
    somebody.page.clock.resume()  # the stream, which has been silent for so long, is opened again
    gate.open()
    somebody.expect_my_turn()


def test_a_deleted_match_is_told(visit: Visit) -> None:
    one, other = pair(visit)
    one.open_menu()
    one.page.click("[data-act=delete]")
    one.page.locator("#sure").get_by_role("button", name="Yes").click()
    expect(one.page).to_have_url(re.compile(r"/$"))
    expect(other.page.locator("#banner")).to_contain_text("deleted")


@pytest.mark.long
def test_a_move_is_soon_seen_by_the_other(visit: Visit, record_property: Any) -> None:
    """How soon is reported, not asserted."""
    one, other = pair(visit)
    times = []
    for i, move in enumerate(["r@1", "m@2", "o@3", "n@4", "r@2", "m@6"]):
        mover, watcher = (one, other) if i % 2 == 0 else (other, one)
        mover.expect_my_turn()
        begun = time.perf_counter()
        mover.play(move)
        expect(watcher.page.locator("#moves [data-ply]")).to_have_count(i + 1)
        times.append(time.perf_counter() - begun)
    record_property("seconds", sorted(times))
