"""Reviews over the API: who may have one, how it comes, and what it says of another move."""

from __future__ import annotations

import asyncio
import json
import random
import threading
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from app_client import AppClient, Body, MatchDriver, open_app
from corpus import random_match
from fake_reviewers import PausingReviewer, report_first_move_best
from sqlalchemy import text
from waiting import PATIENCE, until_true

from quinconce.core.match import MatchData
from quinconce.core.record import read_record
from quinconce.core.registry import game
from quinconce.engine.page_search import pack, page_search
from quinconce.kernels.kernel import kernel_for
from quinconce.server.reviews import reviews as reviews_module
from quinconce.server.reviews.reports import first_moves

pytestmark = pytest.mark.anyio
MOVES = "o@1 n@2 r@3 m@4"  # only the first of them is what the stand-in would play
ME_AND_ENGINE = [{"kind": "me"}, {"kind": "engine", "level": 1}]


async def end_match(app: AppClient, moves: str = MOVES, **setup: Any) -> MatchDriver:
    """A match in which the first player has resigned."""
    match = await app.create_match(**setup)
    await match.play(moves)
    await match.send_ok(0, "resignations")
    return match


async def read_review(match: MatchDriver, **headers: str) -> Body:
    answer = await match.watcher.get(f"{match.path}/review", **headers)
    assert answer.status_code == 200, answer.text
    found: Body = answer.json()
    return found


async def review_when(match: MatchDriver, holds: Callable[[Body], bool]) -> Body:
    """The review, once something holds of it."""

    async def look() -> Body | None:
        review = await read_review(match)
        return review if holds(review) else None

    found: Body = await until_true(look)
    return found


async def review_in_state(match: MatchDriver, state: str) -> Body:
    return await review_when(match, lambda review: bool(review["state"] == state))


async def review_of(match: MatchDriver, positions: int) -> Body:
    """The review, once so many positions were looked at."""
    return await review_when(match, lambda review: bool(review["done"] >= positions))


async def make_review(match: MatchDriver, **body: Any) -> Body:
    answer = await match.people[0].post(f"{match.path}/review", body)
    assert answer.status_code == 200, answer.text
    return await review_in_state(match, "done")


async def test_a_review_is_for_games_that_are_over_and_asked_for_by_players(
    tmp_path: Path,
) -> None:
    async with open_app(tmp_path) as app:
        match = await app.create_match()
        await match.play(MOVES)
        for answer in (
            await match.people[0].post(f"{match.path}/review"),
            await match.watcher.get(f"{match.path}/review"),
        ):
            assert answer.status_code == 422
            assert answer.json()["code"] == "running"
            assert answer.json()["error"] == "a game is reviewed once it is over"
        await match.send_ok(0, "resignations")
        assert (await read_review(match))["state"] == "none"
        refused = await match.watcher.post(f"{match.path}/review")
        assert (refused.status_code, refused.json()["code"]) == (403, "seat")
        assert (await read_review(match))["may_start"] is False
        begun = await match.people[1].post(f"{match.path}/review")
        assert (begun.json()["state"], begun.json()["may_start"]) == ("open", True)
        assert (await review_in_state(match, "done"))["of"] == 4


async def test_a_review_says_of_each_move_what_it_was_worth(tmp_path: Path) -> None:
    async with open_app(tmp_path) as app:
        match = await end_match(app)
        found = await make_review(match)
        assert (found["state"], found["done"], found["of"]) == ("done", 4, 4)
        assert (found["engine"], found["outdated"]) == (reviews_module.ENGINE_VERSION, False)
        first, second, *_others = found["plies"]
        assert (first["judgement"], first["mark"], first["best"]) == (None, None, "o@1")
        assert first["words"] == "o@1 is what the engine would play."
        assert (second["judgement"], second["mark"], second["seat"]) == ("blunder", "??", 1)
        assert second["words"] == "n@2 is a blunder; m@1 was much better."
        assert (second["touches"], second["best_touches"]) == ([["n"], ["2"]], [["m"], ["1"]])
        assert [ply["score_before"] for ply in found["plies"][:2]] == [0.5, 0.5]
        assert second["score_after"] == pytest.approx(0.2)
        assert (second["punished_in"], second["went_by"]) == (4, None)
        assert [len(scores) for scores in found["curve"]] == [2] * 5
        assert found["accuracy"][0] > found["accuracy"][1]
        french = await read_review(match, accept_language="fr")
        assert french["plies"][1]["words"].startswith("n@2 est une gaffe")


async def test_what_was_made_is_not_made_again_but_for_a_newer_engine(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    reviewer = PausingReviewer()
    async with open_app(tmp_path, reviewer=reviewer) as app:
        match = await end_match(app)
        await make_review(match)
        await make_review(match, again=True)
        assert reviewer.plies == [0, 1, 2, 3, 4]
        monkeypatch.setattr(app.services.reviews, "engine", "99.0")
        assert (await make_review(match))["outdated"] is True
        assert reviewer.plies == [0, 1, 2, 3, 4]
        assert (await make_review(match, again=True))["engine"] == "99.0"
        assert reviewer.plies == [0, 1, 2, 3, 4] * 2


async def test_a_review_comes_move_by_move_and_a_stream_tells_how_far_it_is(
    tmp_path: Path,
) -> None:
    reviewer = PausingReviewer(stop_before=3)
    async with open_app(tmp_path, reviewer=reviewer, program_keepalive=0.05) as app:
        match = await end_match(app)
        await match.people[0].post(f"{match.path}/review")
        half = await review_of(match, 3)
        assert (half["state"], len(half["plies"]), len(half["curve"])) == ("open", 2, 3)
        reviewer.gate.open()
        await review_in_state(match, "done")
        told = app.call_in_app(first_news, app, match.id)
        assert told == {"kind": "review", "done": 5, "of": 5, "state": "done"}


async def first_news(app: AppClient, match: str) -> Body:
    """What a stream tells of a review that it has heard of."""
    from quinconce.server.answers.streams import Teller, stream_lines
    from quinconce.server.security.auth import Access

    live = await app.services.live_matches.get(match)
    lines = stream_lines(app.services, live, 1000, Access(), Teller(), "somebody")
    async with asyncio.timeout(PATIENCE):
        async for told in lines:
            if b"review" in told:
                found: Body = json.loads(told)
                return found
    raise AssertionError


async def test_a_restart_loses_no_position_that_was_looked_at(tmp_path: Path) -> None:
    before, after = PausingReviewer(stop_before=2), PausingReviewer()
    async with open_app(tmp_path, reviewer=before) as app:
        match = await end_match(app)
        await match.people[0].post(f"{match.path}/review")
        await review_of(match, 2)
        app.call_in_app(app.services.reviews.close)
        before.gate.open()
    async with open_app(tmp_path, reviewer=after) as app:
        match = MatchDriver(app.client, match.created, [None, None])
        await review_in_state(match, "done")
    assert after.plies == [2, 3, 4]


async def test_a_review_has_limits(tmp_path: Path) -> None:
    reviewer = PausingReviewer(stop_before=0)
    limits = {"review_length": 4, "reviews_waiting": 1}
    async with open_app(tmp_path, reviewer=reviewer, limits=limits) as app:
        long = await end_match(app, f"{MOVES} o@5")
        refused = await long.people[0].post(f"{long.path}/review")
        assert (refused.status_code, refused.json()["code"]) == (413, "length")
        assert refused.json()["error"] == "games of more than 4 moves are not reviewed here"
        empty = await end_match(app, "")
        refused = await empty.people[0].post(f"{empty.path}/review")
        assert (refused.status_code, refused.json()["code"]) == (422, "review")
        one, other = await end_match(app), await end_match(app)
        assert (await one.people[0].post(f"{one.path}/review")).status_code == 200
        refused = await other.people[0].post(f"{other.path}/review")
        assert (refused.status_code, refused.json()["code"]) == (429, "reviews")
        assert int(refused.headers["retry-after"]) >= 60
        reviewer.gate.open()
        await review_in_state(one, "done")
        await make_review(other)


async def test_a_reviewer_that_fails_can_be_asked_again(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(reviews_module, "RETRY_DELAY", 0.0)
    broken = threading.Event()
    broken.set()

    def reviewer(data: MatchData) -> str:
        if broken.is_set() and len(data.moves) == 2:
            raise RuntimeError("ill")
        return report_first_move_best(data)

    async with open_app(tmp_path, reviewer=reviewer) as app:
        match = await end_match(app)
        await match.people[0].post(f"{match.path}/review")
        assert (await review_in_state(match, "failed"))["done"] == 2
        broken.clear()
        assert (await make_review(match))["done"] == 4


async def test_a_match_that_goes_on_has_no_review_any_more(tmp_path: Path) -> None:
    async with open_app(tmp_path) as app:
        match = await app.create_match(seats=ME_AND_ENGINE)
        await match.play("o@1")
        await match.view_when(lambda view: view["scene"]["turn"] == 0, seat=0)
        await match.send_ok(0, "resignations")
        await make_review(match)
        await match.send_ok(0, "agreements", matter="takeback")
        assert (await match.watcher.get(f"{match.path}/review")).status_code == 422
        await match.send_ok(0, "resignations")
        again = await match.watcher.get(f"{match.path}/review")
        assert again.json()["state"] == "none"
        # Nobody but the maker has a seat; without any move there is nothing to review.
        refused = await match.people[0].post(f"{match.path}/review")
        assert refused.json()["code"] == "review"


async def test_another_move_is_judged(tmp_path: Path) -> None:
    async with open_app(tmp_path) as app:
        match = await end_match(app)
        path = f"{match.path}/review/attempts"
        assert (await match.watcher.post(path, {"ply": 2, "move": "m@1"})).status_code == 404
        await make_review(match)
        better = (await match.watcher.post(path, {"ply": 2, "move": "M @ 1"})).json()
        assert (better["good"], better["move"]) == (True, "m@1")
        assert better["words"] == "Yes, m@1 is better."
        worse = (await match.watcher.post(path, {"ply": 2, "move": "n@5"})).json()
        assert (worse["good"], worse["judgement"]) == (False, "blunder")
        assert worse["words"] == "n@5 is not good enough: try something else."
        same = (await match.watcher.post(path, {"ply": 2, "move": "n@2"})).json()
        assert (same["good"], same["words"]) == (
            False,
            "n@2 is what was played: find something better.",
        )
        illegal = await match.watcher.post(path, {"ply": 2, "move": "o@2"})
        assert illegal.status_code == 422
        app.services.reviews.attempts["testclient"] = 24
        busy = await match.watcher.post(path, {"ply": 2, "move": "n@5"})
        assert (busy.status_code, busy.json()["code"]) == (429, "thinking")
        beyond = await match.watcher.post(path, {"ply": 5, "move": "b@1"})
        assert (beyond.status_code, beyond.json()["code"]) == (404, "review")


async def test_another_move_is_judged_by_what_a_page_has_found(tmp_path: Path) -> None:
    reviewer = PausingReviewer()
    async with open_app(tmp_path, reviewer=reviewer) as app:
        played = random_match(game("buts"), random.Random(31), 4)
        match = await end_match(app, " ".join(played.moves), game="buts")
        await make_review(match)
        asked, path = list(reviewer.plies), f"{match.path}/review/attempts"
        after = first_moves(played, 2)
        *_others, move = sorted(after.legal().keys() - {played.moves[2]})
        after.play(move)
        given = page_search(after)
        assert given
        for score, good in ((-500, True), (500, False)):  # of the one who moves next
            next_position = after.game.after(after.position, given.texts[0])
            state = pack([kernel_for(after.game).encode(next_position)])
            lines = [{"states": state, "score": score, "proved": score}]
            found = {"depth": 7, "lines": lines, "seen": [score] * 3}
            answer = await match.watcher.post(path, {"ply": 3, "move": move, "found": found})
            assert answer.json()["good"] is good, answer.text
        assert reviewer.plies == asked
        for nonsense in (
            found | {"lines": []},
            found | {"lines": [lines[0] | {"states": "?"}]},
            found | {"lines": [lines[0] | {"states": given.state}]},
            found | {"lines": lines * 3},
            found | {"seen": [0] * 99},
            found | {"depth": 0},
            {},
        ):
            body = {"ply": 3, "move": move, "found": nonsense}
            refused = await match.watcher.post(path, body)
            assert refused.status_code in (400, 422), refused.text
            assert "\n" not in refused.json()["error"]


async def test_a_record_is_saved_with_what_the_review_says(tmp_path: Path) -> None:
    async with open_app(tmp_path) as app:
        match = await end_match(app)
        missing = await match.watcher.get(f"{match.path}/record?review=1")
        assert (missing.status_code, missing.json()["code"]) == (404, "review")
        await make_review(match)
        saved = (await match.watcher.get(f"{match.path}/record?review=1")).text
        record = read_record(saved)[0]
        assert record.variations
        assert record.moves == tuple(MOVES.split())
        assert record.outcome
        nodes = record.variations.main_line()
        assert [node.mark for node in nodes] == ["", "??", "??", "??"]
        assert nodes[1].note == "n@2 is a blunder; m@1 was much better."
        assert [node.move for node in nodes[0].children] == ["n@2", "m@1"]
        twin = (await match.watcher.get(f"{match.path}/record.json?review=1&lang=fr")).json()
        assert len(twin["nodes"]) == 7
        assert "gaffe" in twin["nodes"][1]["note"]
        plain = (await match.watcher.get(f"{match.path}/record")).text
        assert read_record(plain)[0].variations is None


async def test_the_curve_of_a_review_is_a_picture(tmp_path: Path) -> None:
    async with open_app(tmp_path) as app:
        match = await end_match(app)
        path = f"{match.path}/review/curve.svg"
        missing = await match.watcher.get(path)
        assert (missing.status_code, missing.json()["code"]) == (404, "review")
        await make_review(match)
        drawn = await match.watcher.get(f"{path}?lang=fr&theme=dark")
        assert drawn.headers["content-type"].startswith("image/svg+xml")
        assert drawn.text.count('class="blunder"') == 3
        assert "Le résultat attendu" in drawn.text
        again = await match.watcher.get(
            path + "?lang=fr&theme=dark", **{"If-None-Match": drawn.headers["etag"]}
        )
        assert again.status_code == 304


async def test_a_review_is_deleted_with_its_match(tmp_path: Path) -> None:
    async with open_app(tmp_path) as app:
        match = await end_match(app)
        await make_review(match)
        assert count_rows(app) == [1, 5]
        gone = await app.visitor.request("DELETE", match.path)
        assert gone.status_code == 204
        assert count_rows(app) == [0, 0]


def count_rows(app: AppClient) -> list[int]:
    """How many reviews are stored, and reports of positions."""
    read: Callable[..., Any] = app.services.database.read
    return [
        app.call_in_app(
            read, lambda c, t=table: c.execute(text(f"SELECT count(*) FROM {t}")).scalar_one()
        )
        for table in ("reviews", "review_positions")
    ]


async def test_sides_that_play_each_for_themselves_are_reviewed(tmp_path: Path) -> None:
    seats = [{"kind": "friend"}] * 4
    options = {"edition": "1997", "players": "4"}
    async with open_app(tmp_path) as app:
        match = await app.create_match(seats=seats, options=options)
        await match.play("r@1")
        for seat in range(4):
            await match.send_ok(seat, "agreements", matter="stop")
        found = await make_review(match)
        assert [len(scores) for scores in found["curve"]] == [4, 4]
        assert found["accuracy"] == [100.0, None, None, None]
