"""The review of a game on its page: the curve, the mistakes, and finding something better."""

from __future__ import annotations

import json
import random
import re
import threading
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import Any

import pytest
from browser_users import BrowserUser, StartServer, Visit, violations
from corpus import random_match
from fake_engines import Gate
from fake_reviewers import PausingReviewer, report_first_move_best
from playwright.sync_api import expect
from waiting import PATIENCE, until

import quinconce
from quinconce import Match
from quinconce.core.match import MatchData
from quinconce.server.reviews.reports import first_moves, judge_other_move, prepare_attempt
from quinconce.study.review import PositionReport, SlicedReport
from quinconce.words.review import attempt_sentence

ME, HERE, FRIEND = {"kind": "me"}, {"kind": "here", "name": "Bo"}, {"kind": "friend"}
MOVES = ["o@1", "n@2", "r@3", "m@4"]  # only the first of them is what the stand-in would play
PERCENT, POUR_CENT = re.compile(r"^\d+%$"), re.compile("^\\d+\u00a0%$")
LONG = 600.0  # seconds of a slice in which a whole search fits
PHONE = {"viewport": {"width": 360, "height": 640}, "has_touch": True, "is_mobile": True}


def lose_game(player: BrowserUser, game: str = "diam", moves: Sequence[str] = MOVES) -> str:
    """Play a game to its end in the seats of this browser: the first player resigns."""
    player.make(game, [ME, HERE])
    path = "/api/matches/" + player.page.url.rpartition("/")[2]
    request = player.context.request
    headers = {"X-CSRF-Token": request.get("/api/me").json()["csrf"]}
    for n, move in enumerate(moves):
        body = {"seq": n, "move": move}
        assert request.post(f"{path}/moves", data=body, headers=headers).ok
    body = {"seq": len(moves), "seat": 0}
    assert request.post(f"{path}/resignations", data=body, headers=headers).ok
    expect(player.page.locator("[data-act=review]")).to_be_visible()
    return player.page.url


def test_a_lost_game_is_reviewed_and_a_mistake_tried_again_by_keys(visit: Visit) -> None:
    player = visit()
    player.page.add_init_script(
        "delete globalThis.WebAssembly"
    )  # the stand-in judges what is tried
    address = lose_game(player)
    page = player.page
    watcher = visit()
    watcher.open_match(address)
    expect(watcher.page.locator("[data-act=review]")).to_be_hidden()
    page.get_by_role("button", name="Review the game").press("Enter")
    curve = page.get_by_role("slider", name="Expected result, move by move")
    expect(curve).to_be_focused()
    expect(page.locator("#accuracy b")).to_have_text([PERCENT, PERCENT])
    expect(page.locator("#moves .mark")).to_have_text(["??", "??", "??"])
    expect(page.locator("[data-act=review]")).to_be_hidden()
    expect(watcher.page.locator("#moves .mark")).to_have_count(3)  # without a reload
    expect(page.locator("#verdict")).to_contain_text("m@4 is a blunder")
    # The curve is a slider: its keys go from move to move, and from mistake to mistake.
    page.keyboard.press("Home")
    expect(curve).to_have_attribute("aria-valuenow", "0")
    page.keyboard.press("PageUp")
    expect(curve).to_have_attribute("aria-valuenow", "2")
    expect(curve).to_have_attribute(
        "aria-valuetext", "After move 2 of 4, expected for Player 1: 80%"
    )
    expect(page.locator("#verdict")).to_have_text("n@2 is a blunder; m@1 was much better.")
    expect(page.locator("game-board .ghost-piece")).to_have_count(1)
    expect(page.locator("game-board .badge-layer text")).to_have_text("??")
    label = page.locator("#moves [data-ply='2']").get_attribute("aria-label") or ""
    assert label == "Move 1: n@2, n@2 is a blunder; m@1 was much better."
    assert violations(page) == []
    player.screenshot("review")
    # A better move is looked for on the board.
    page.get_by_role("button", name="Try again").press("Enter")
    expect(page.locator("#verdict")).to_have_text("Bo played n@2. Find a better move.")
    expect(page.locator("#review-progress")).to_have_text("1 / 3")
    for place in ("n", "5"):
        player.press_to(place)
    expect(page.locator("#verdict")).to_have_text("n@5 is not good enough: try something else.")
    assert violations(page) == []
    for place in ("m", "1"):
        player.press_to(place)
    expect(page.locator("#verdict")).to_have_text("Yes, m@1 is better.")
    expect(page.locator("#whisper")).not_to_contain_text("Choose where")
    expect(page.locator("#answer")).to_be_hidden()
    page.get_by_role("button", name="Next mistake").press("Enter")
    expect(page.locator("#verdict")).to_have_text("Player 1 played r@3. Find a better move.")
    page.get_by_role("button", name="Show the answer").press("Enter")
    expect(page.locator("#verdict")).to_contain_text("r@3 is a blunder")
    expect(page.locator("game-board .arrow")).to_have_count(1)
    page.get_by_role("button", name="Back to the review").press("Enter")
    expect(page.locator("#learn")).to_be_focused()
    expect(curve).to_have_attribute("aria-valuenow", "3")
    # The mistakes of one player alone.
    page.locator("#accuracy").get_by_role("button", name="Player 1").press("Enter")
    page.locator("#learn").press("Enter")
    expect(page.locator("#verdict")).to_have_text("Bo played n@2. Find a better move.")
    page.get_by_role("button", name="Back to the review").press("Enter")
    page.locator("#accuracy").get_by_role("button", name="Bo").press("Enter")
    expect(page.locator("#review-progress")).to_have_text("No mistakes: well played!")
    player.open_menu()
    with page.expect_download() as saved:
        page.get_by_role("link", name="with the review").click()
    assert "$4" in Path(saved.value.path()).read_text(encoding="utf-8")


@pytest.mark.long
def test_on_a_phone_in_french_a_watcher_learns_from_what_players_made(visit: Visit) -> None:
    player = visit()
    address = lose_game(player)
    player.page.click("[data-act=review]")
    expect(player.page.locator("#learn")).to_be_visible()
    watcher = visit(locale="fr-FR", color_scheme="dark", **PHONE)
    watcher.open_match(address)
    page = watcher.page
    expect(page.locator("#accuracy b")).to_have_text([POUR_CENT, POUR_CENT])
    page.locator("#curve").tap(position={"x": 165, "y": 20})
    expect(page.locator("#verdict")).to_have_text(
        "n@2 est une gaffe\u00a0; m@1 était bien meilleur."
    )
    for part in ("game-board svg", "#curve", "#verdict", "#learn", "#retry"):
        expect(page.locator(part)).to_be_in_viewport(ratio=1)
    assert page.evaluate("document.documentElement.scrollWidth") <= 360
    assert violations(page) == []
    watcher.screenshot("review-phone")
    page.get_by_role("button", name="Apprendre de ses erreurs").tap()
    expect(page.locator("#verdict")).to_have_text("Bo a joué n@2. Trouvez un meilleur coup.")
    for place in ("m", "1"):
        watcher.click(place)
    expect(page.locator("#verdict")).to_have_text("Oui, m@1 est meilleur.")
    expect(page.locator("#moves [data-ply]")).to_have_text(["o@1", "n@2??", "r@3??", "m@4??"])


def test_a_move_that_is_tried_is_judged_by_the_search_of_the_page(
    start_server: StartServer, visit: Visit
) -> None:
    reviewer = PausingReviewer()
    player = visit(start_server(reviewer=reviewer))
    match = random_match(quinconce.game("buts"), random.Random(31), 4)
    lose_game(player, "buts", match.moves)
    page = player.page
    page.click("[data-act=review]")
    expect(page.locator("#learn")).to_be_visible()
    expect(page.locator("#review-progress")).to_be_empty()  # it is done
    asked = list(reviewer.plies)
    page.locator("#moves [data-ply='3']").click()
    page.click("#retry")
    expect(page.locator("#verdict")).to_contain_text("Find a better move.")
    before = first_moves(match, 2)
    *_others, move = sorted(before.legal().keys() - {match.moves[2]})
    with page.expect_request("**/review/attempts") as request:
        player.touch(move)
    sent = request.value.post_data_json
    assert sent
    assert sent["found"]["lines"]
    reports = {ply: report_first_move_best(data_at(match, ply)) for ply in range(5)}
    attempt = prepare_attempt(match, reports, 3, move)
    report = SlicedReport(attempt.match).run(LONG)
    assert report
    judged = judge_other_move(attempt, json.dumps(report.json()))
    expect(page.locator("#verdict")).to_have_text(str(attempt_sentence(judged, match.moves[2])))
    assert reviewer.plies == asked  # the server has searched nothing
    assert len(page.workers) == 1
    page.click("#end-practice")
    until(lambda: page.evaluate("0") == len(page.workers))


def data_at(match: Match[Any], ply: int) -> MatchData:
    return MatchData.of(first_moves(match, ply))


@pytest.fixture
def gate() -> Iterator[Gate]:
    made = Gate()
    yield made
    made.open()


def test_a_review_is_shown_as_it_comes(start_server: StartServer, gate: Gate, visit: Visit) -> None:
    allowed = threading.Semaphore(0)

    def review(data: MatchData) -> str:
        if len(data.moves) == 2:
            assert allowed.acquire(timeout=PATIENCE)
        if len(data.moves) > 2:
            gate.wait()
        return report_first_move_best(data)

    player = visit(start_server(reviewer=review))
    lose_game(player)
    player.page.click("[data-act=review]")
    progress = player.page.locator("#review-progress")
    expect(progress).to_have_text("Reviewing: 2 of 4 moves…")
    allowed.release()
    expect(progress).to_have_text("Reviewing: 3 of 4 moves… 1 error so far.")
    expect(player.page.locator("#moves .mark")).to_have_text(["??"])
    player.page.click("#learn")  # there is no need to wait for the end
    expect(player.page.locator("#verdict")).to_have_text("Bo played n@2. Find a better move.")
    player.page.click("#end-practice")
    expect(player.page.locator("#accuracy b")).to_have_text(["…", "…"])
    gate.open()
    expect(progress).to_be_empty()
    expect(player.page.locator("#moves .mark")).to_have_count(3)


def report_proofs_and_errors(data: MatchData) -> str:
    """A report by which a proved win goes by unseen, and two errors follow.

    The second of them is punished at once, the first after three plies.
    """
    ply, match = len(data.moves), data.match()
    own = [1.0, 0.5, 0.9, 0.95, 0.05][ply]
    seen = [(0.5,) * 6, (0.5,) * 6, (0.5, 0.5, 0.9, 0.9, 0.9, 0.9), (0.95,) * 6, (0.05,) * 6][ply]
    best = min(match.legal()) if ply else "r@1"
    bounds = {0: (1.0, 1.0), 1: (0.5, 0.5)}.get(ply, (0.0, 1.0))
    scores = (own, 1 - own) if ply % 2 == 0 else (1 - own, own)
    return json.dumps(PositionReport(scores, best, (best,), *bounds, seen=seen).json())


def test_mistakes_come_once_each_the_soonest_punished_first_and_are_counted_at_the_end(
    start_server: StartServer, visit: Visit
) -> None:
    player = visit(start_server(reviewer=report_proofs_and_errors))
    lose_game(player)
    page = player.page
    page.click("[data-act=review]")
    expect(page.locator("#accuracy b")).to_have_text([PERCENT, PERCENT])
    expect(page.locator("#moves [data-ply]")).to_have_text(["o@1○", "n@2??", "r@3??", "m@4"])
    verdict, progress = page.locator("#verdict"), page.locator("#review-progress")
    # What is proved is told where nobody could see it; it is no mistake.
    page.locator("#moves [data-ply='1']").click()
    expect(verdict).to_have_text("A proven win went by, further ahead than one sees: r@1 kept it.")
    expect(page.locator("#retry")).to_be_hidden()
    page.get_by_role("button", name="Learn from mistakes").press("Enter")
    expect(verdict).to_have_text("Player 1 played r@3. Find a better move.")
    expect(progress).to_have_text("1 / 2")
    page.get_by_role("button", name="Show the answer").press("Enter")
    page.get_by_role("button", name="Next mistake").press("Enter")
    expect(verdict).to_have_text("Bo played n@2. Find a better move.")
    expect(progress).to_have_text("2 / 2")
    for place in ("m", "1"):
        player.press_to(place)
    expect(verdict).to_have_text("Yes: m@1 holds the draw, and that is proven.")
    page.get_by_role("button", name="Finish").press("Enter")
    expect(verdict).to_have_text("1 of 2 mistakes found.")
    expect(progress).to_be_empty()
    expect(page.locator("#learn")).to_be_focused()
    assert violations(page) == []
    # The way from the last mistake to the first has its own name.
    page.get_by_role("button", name="Next mistake").press("Enter")
    expect(verdict).to_contain_text("r@3 is a blunder")
    page.get_by_role("button", name="First mistake").press("Enter")
    expect(verdict).to_contain_text("n@2 ")


def test_a_review_of_before_is_made_again_when_a_player_comes_back(
    start_server: StartServer, visit: Visit, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("quinconce.server.reviews.reviews.ENGINE_VERSION", "1.0")
    server = start_server()
    player = visit(server)
    address = lose_game(player)
    player.page.click("[data-act=review]")
    expect(player.page.locator("#moves .mark")).to_have_text(["??", "??", "??"])
    player.page.goto("about:blank")  # so that nobody follows the match while the server is away
    server.stop()
    monkeypatch.undo()
    server.reviewer = report_proofs_and_errors
    server.start()
    player.page.goto(address)
    expect(player.page.locator("#moves .mark")).to_have_text(["○", "??", "??"])
    expect(player.page.locator("#review-again")).to_be_hidden()
