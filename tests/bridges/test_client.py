"""The client: it makes, joins, watches, plays, analyses and reviews on a server that listens."""

from __future__ import annotations

import json
import socket
import subprocess
import sys
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from typing import Any

import fake_reviewers
import httpx
import pytest
from live_app import LiveApp, live_app
from tcp_proxy import run_proxy
from waiting import PATIENCE, until

import quinconce
from quinconce import Match
from quinconce.bridges import requests
from quinconce.client import (
    AsyncClient,
    Client,
    NewMatch,
    NoAnswerError,
    RefusedError,
    play_seat,
)
from quinconce.engine.slices import AnalysisReport, ReportLine
from quinconce.server.engines.jobs import SearchQuestion


@pytest.fixture
def app(tmp_path: Path) -> Iterator[LiveApp]:
    slicer = fake_reviewers.in_one_slice(fake_reviewers.report_first_move_best)
    with live_app(tmp_path, report_slicer=slicer) as app:
        yield app


@pytest.fixture
def client(app: LiveApp) -> Iterator[Client]:
    with Client(app.url, language="en", patience=PATIENCE) as client:
        yield client


def seat_links(made: NewMatch) -> list[str]:
    """The links of seats that are not an engine's."""
    return [link for link in made.links if link]


def play_all(client: Client, made: NewMatch, moves: str) -> None:
    """Moves of two friends, one after the other."""
    seats = [client.join(link) for link in seat_links(made)]
    for ply, move in enumerate(moves.split()):
        seats[ply % 2].refresh()
        assert seats[ply % 2].play(move)


def port_of(app: LiveApp) -> int:
    return int(app.url.rpartition(":")[2])


DIAM_WIN = "r@1 m@1 r@5 m@5"  # the second player wins


def test_a_match_is_made_joined_and_played(client: Client) -> None:
    made = client.make("diam", ["friend", "engine:1"], options={"edition": 2003})
    link = seat_links(made)[0]
    assert made.links[1] is None
    seat = client.join(link, "Ada")
    assert (seat.seat, seat.view["seats"][0]["name"]) == (0, "Ada")
    assert seat.play("R @ 1")  # as people type it
    assert seat.view["moves"][0] == "r@1"
    turn = next(seat.turns())
    assert turn.moves[:1] == ["r@1"]
    assert turn.seat == 0
    assert isinstance(turn, quinconce.Match)


def test_who_sat_down_before_keeps_their_name(client: Client) -> None:
    link = seat_links(client.make("diam"))[0]
    client.join(link, "Ada")
    assert client.join(link, "Bob").view["seats"][0]["name"] == "Ada"


def test_turns_end_with_the_match_and_the_outcome_is_known(client: Client) -> None:
    made = client.make("diam", ["engine:1", "friend"])
    seat = client.join(seat_links(made)[0])
    outcome = play_seat(seat, lambda match: min(match.legal()))
    assert outcome == seat.outcome
    assert outcome["told"]
    played = seat.match.outcome()
    assert played
    assert [*played.winners] == outcome["winners"]


def test_those_who_watch_hear_every_event_once_until_the_end(client: Client) -> None:
    made = client.make("diam")
    play_all(client, made, DIAM_WIN)
    seen = client.watch(made.watch)
    assert seen.seat is None
    numbered = [event for event in seen.events() if "seq" in event]
    assert [event["seq"] for event in numbered] == list(range(1, len(numbered) + 1))
    assert [event["move"] for event in numbered if event["kind"] == "move"] == DIAM_WIN.split()
    assert numbered[-1]["kind"] == "end"
    assert list(seen.events(after=numbered[-1]["seq"])) == []


def test_a_stream_goes_on_after_the_last_event_when_it_is_lost(
    app: LiveApp, client: Client
) -> None:
    made = client.make("diam")
    seats = [client.join(link) for link in seat_links(made)]
    with (
        run_proxy(port_of(app)) as proxy,
        Client(proxy.url, patience=PATIENCE) as far,
    ):
        link = made.watch.replace(app.url, proxy.url)
        events = (event for event in far.watch(link).events() if event["kind"] == "move")
        for ply, move in enumerate(DIAM_WIN.split()):
            seats[ply % 2].refresh()
            seats[ply % 2].play(move)
            assert next(events)["move"] == move
            for lost in until(lambda: proxy.streams):
                lost.close()


def test_a_move_whose_answer_was_lost_is_played_once(app: LiveApp, client: Client) -> None:
    made = client.make("diam")
    link = seat_links(made)[0]
    with (
        run_proxy(port_of(app)) as proxy,
        Client(proxy.url, patience=PATIENCE) as far,
    ):
        seat = far.join(link.replace(app.url, proxy.url))
        for each in proxy.links:  # the move passes, and the answer to it does not
            each.cut_at = b"HTTP/1.1 200"
        assert seat.play("r@1")
    assert client.watch(made.watch).view["moves"] == ["r@1"]


def test_what_others_say_meanwhile_does_not_stop_a_move(client: Client) -> None:
    first, second = (client.join(link) for link in seat_links(client.make("diam")))
    second.refresh()
    second.agree("hints")  # the first player has not heard of it
    assert first.play("r@1")
    assert first.view["moves"] == ["r@1"]


def test_a_move_is_not_played_in_another_position(client: Client) -> None:
    link = seat_links(client.make("diam", ["friend", "engine:1"]))[0]
    here, there = client.join(link), client.join(link)
    assert here.play("r@1")
    assert not there.play("r@2")
    assert there.view["moves"][0] == "r@1"


def test_who_agrees_to_takebacks_is_asked_for_another_move(client: Client) -> None:
    person, bot = (client.join(link) for link in seat_links(client.make("diam")))
    person.refresh()
    assert person.play("r@1")
    seen: list[list[str]] = []

    def choose(match: Match[Any]) -> str:
        seen.append(list(match.moves))
        return "m@1" if len(seen) == 1 else "m@2"

    with ThreadPoolExecutor(1) as pool:
        playing = pool.submit(play_seat, bot, choose)
        until(lambda: len(person.refresh()["moves"]) == 2)
        assert person.agree("takeback")
        until(lambda: not person.refresh()["moves"])
        assert person.play("r@3")
        until(lambda: person.refresh()["moves"] == ["r@3", "m@2"])
        assert person.resign()
        assert playing.result(PATIENCE)["winners"] == [1]
    assert seen == [["r@1"], ["r@3"]]


def test_a_takeback_asked_for_while_one_thinks_comes_before_the_move(client: Client) -> None:
    person, bot = (client.join(link) for link in seat_links(client.make("diam")))
    person.refresh()
    assert person.play("r@1")
    turns = bot.turns(agree_to=["takeback"])
    assert next(turns).moves == ["r@1"]
    assert person.agree("takeback")
    assert not bot.play("m@1")
    assert person.refresh()["moves"] == []
    assert person.play("r@3")
    assert next(turns).moves == ["r@3"]
    assert bot.play("m@1")


def test_who_agrees_too_late_asks_for_nothing(client: Client) -> None:
    person, other = (client.join(link) for link in seat_links(client.make("diam")))
    person.refresh()
    assert person.agree("stop")
    other.refresh()
    assert person.refuse("stop")
    assert not other.agree("stop")
    assert person.refresh()["offers"] == []
    assert other.agree("stop")  # now it is their own wish
    assert person.refresh()["offers"][0]["wanted_of"] == [0]


def test_a_match_that_goes_on_after_its_end_is_heard_to_its_last_end(client: Client) -> None:
    made = client.make("diadema", ["friend", "engine:1"])
    seat = client.join(seat_links(made)[0])
    play_seat(seat, lambda match: min(match.legal()))
    first = [event for event in client.watch(made.watch).events() if "seq" in event]
    assert first[-1]["kind"] == "end"
    assert seat.agree("takeback")
    with ThreadPoolExecutor(1) as pool:
        hearing = pool.submit(list, client.watch(made.watch).events())
        play_seat(seat, lambda match: min(match.legal()))
        events = [event for event in hearing.result(PATIENCE) if "seq" in event]
    assert [event["seq"] for event in events] == list(range(1, len(events) + 1))
    assert [event["kind"] for event in events].count("end") == 2
    assert events[-1]["kind"] == "end"
    later = client.watch(made.watch).events(after=first[-1]["seq"])
    assert [event for event in later if "seq" in event] == events[len(first) :]


def test_a_table_has_a_seat_for_a_program(client: Client) -> None:
    made = client.make("diam")
    table = table_link(client, made)
    seat = client.join(table, "Ada")
    assert seat.seat == 0
    assert seat.play("r@1")
    assert client.join(table, "Bob").seat == 1
    with pytest.raises(ValueError, match="every seat of this match is taken"):
        client.join(table)


def table_link(client: Client, made: NewMatch) -> str:
    """The link to the table of a match, which its maker asks for."""
    maker = client._client.requests
    answer = client._thread.run(
        maker.json("POST", f"/api/matches/{made.id}/table/links", {}, made.key)
    )
    link = answer["link"]
    assert isinstance(link, str)
    return link


def test_a_review_is_waited_for(client: Client) -> None:
    made = client.make("diam")
    play_all(client, made, DIAM_WIN)
    review = client.join(seat_links(made)[0]).review()
    assert (review["state"], len(review["plies"])) == ("done", 4)
    assert client.watch(made.watch, made.key).review()["state"] == "done"
    with pytest.raises(RefusedError) as refused:
        client.watch(made.watch).review()
    assert refused.value.status == 403


def test_an_analysis_deepens_until_it_is_done(app: LiveApp, client: Client) -> None:
    def think(_question: SearchQuestion) -> AnalysisReport:
        return AnalysisReport(7, 10, 0.1, (ReportLine(("m@2",), 0.5),), done=True)

    app.services.engines.source.pools[-1].slicer = think
    match = quinconce.Match(quinconce.game("diam"))
    match.play("r@1")
    reports = list(client.analyse(match, lines=1))
    assert (reports[-1]["done"], reports[-1]["depth"]) == (True, 7)
    assert reports[-1]["lines"][0]["moves"] == ["m@2"]


@pytest.mark.anyio
async def test_the_same_with_await(app: LiveApp) -> None:
    async with AsyncClient(app.url, patience=PATIENCE) as client:
        made = await client.make("diam", ["friend", "engine:1"])
        seat = await client.join(seat_links(made)[0])
        turns = 0
        async for match in seat.turns():
            turns += 1
            assert await seat.play(min(match.legal()))
        assert seat.outcome
        assert turns == sum(1 for ply in range(len(seat.view["moves"])) if ply % 2 == 0)


@pytest.mark.anyio
async def test_the_plain_client_works_inside_an_event_loop(app: LiveApp) -> None:
    """As in a notebook, whose cells run in one."""
    with Client(app.url, patience=PATIENCE) as client:
        assert client.make("diam").id


# What is refused.


def test_what_is_wrong_is_told_in_words_and_by_code(client: Client) -> None:
    made = client.make("diam")
    seat = client.join(seat_links(made)[0])
    with pytest.raises(RefusedError, match="not a move of this game") as refused:
        seat.play("nonsense")
    assert refused.value.status == 422
    with pytest.raises(RefusedError) as wrong:
        client.join(f"{made.watch}#{'x' * 22}")
    assert (wrong.value.status, wrong.value.code) == (401, "token")
    with pytest.raises(RefusedError) as missing:
        client.watch(made.watch[:-1] + ("y" if made.watch.endswith("x") else "x"))
    assert missing.value.status == 404
    with pytest.raises(RefusedError):
        client.make("chess")
    with pytest.raises(RefusedError, match=r"cannot be understood \(.*level.*10"):
        client.make("diam", ["friend", "engine:99"])


@pytest.mark.parametrize(
    ("link", "why"),
    [
        ("nonsense", "not a link like"),
        ("http://elsewhere.example/match/abcdefghijkl#s", "leads to another server"),
        ("{url}/match/abcdefghijkl", "only to watch"),
        ("{url}/study/abcdefghijkl#hush", "not a link like"),
    ],
)
def test_a_link_that_is_none_is_told(client: Client, app: LiveApp, link: str, why: str) -> None:
    with pytest.raises(ValueError, match=why) as error:
        client.join(link.format(url=app.url))
    assert "hush" not in str(error.value)


@pytest.mark.parametrize("seat", ["me", "engine", "engine:x", "friend:1", ""])
def test_a_seat_that_is_none_is_told(client: Client, seat: str) -> None:
    with pytest.raises(ValueError, match="neither friend nor engine:LEVEL"):
        client.make("diam", [seat, "friend"])


def test_a_server_that_is_away_is_told_after_a_while() -> None:
    with socket.create_server(("127.0.0.1", 0)) as door:
        url = f"http://localhost:{door.getsockname()[1]}"
    with Client(url, patience=0) as client, pytest.raises(NoAnswerError, match="does not answer"):
        client.make("diam")


def test_a_match_is_not_made_twice_when_the_answer_is_lost(app: LiveApp, client: Client) -> None:
    with (
        run_proxy(port_of(app)) as proxy,
        Client(proxy.url, patience=PATIENCE) as far,
    ):
        far.make("diam", tag="first")
        for each in proxy.links:
            each.cut_at = b"HTTP/1.1 201"
        with pytest.raises(NoAnswerError):
            far.make("diam", tag="second")


@pytest.mark.parametrize("status", [429, 503, 502])
def test_a_server_that_says_later_is_asked_again(
    client: Client, monkeypatch: pytest.MonkeyPatch, status: int
) -> None:
    said: list[int] = []
    raise_refusal = requests.raise_refusal

    def refuse_once(answer: Any) -> None:
        if not said:
            said.append(status)
            raise RefusedError(status, "rate", "later")
        raise_refusal(answer)

    made = client.make("diam")
    monkeypatch.setattr(requests, "raise_refusal", refuse_once)
    assert client.watch(made.watch).id == made.id
    assert said == [status]


@pytest.mark.parametrize(
    "host", ["[::bad", "localhost:x", "localhost:99999", "a\x01b", "localhost:1@"]
)
def test_what_cannot_be_the_address_of_a_server_is_refused_at_once(host: str) -> None:
    with pytest.raises(ValueError, match="is not the address of a server"):
        Client(f"http://{host}/match/abc#secret")


def test_a_proxy_that_speaks_html_is_no_riddle() -> None:
    with pytest.raises(RefusedError, match="418") as refused:
        requests.raise_refusal(httpx.Response(418, text="<h1>teapot</h1>"))
    assert refused.value.code == ""
    with pytest.raises(RefusedError, match="500"):
        requests.raise_refusal(httpx.Response(500, text="[1]"))


@pytest.mark.parametrize("path", ["/known", "/api/schema/openapi.json"])
def test_an_answer_of_another_kind_of_server_is_told(client: Client, path: str) -> None:
    with pytest.raises(RefusedError, match="is no server of Quinconce"):
        client._thread.run(client._client.requests.json("GET", path))


def test_the_key_of_a_maker_opens_no_seat(client: Client) -> None:
    made = client.make("diam")
    with pytest.raises(ValueError, match="opens no seat"):
        client.join(f"{made.watch}#{made.key}")


def test_no_cookie_is_kept(client: Client) -> None:
    client.make("diam")
    assert not list(client._client.requests.http.cookies.jar)


# What it needs.


@pytest.mark.process
def test_without_its_library_it_says_what_to_install() -> None:
    code = "import sys; sys.modules['httpx'] = None; import quinconce.client"
    done = subprocess.run(
        [sys.executable, "-c", code], capture_output=True, encoding="utf-8", check=False
    )
    assert "pip install 'quinconce[client]'" in done.stderr


@pytest.mark.process
def test_quinconce_alone_does_not_load_it() -> None:
    code = "import sys, quinconce, json; print(json.dumps('httpx' in sys.modules))"
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, check=True)
    assert json.loads(done.stdout) is False
