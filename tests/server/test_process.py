"""A server as people run it: races, streams, kill -9, and nothing secret in its log."""

from __future__ import annotations

import json
import socket
import threading
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from http.client import HTTPConnection
from pathlib import Path
from typing import Any

import httpx
import pytest
from server_process import ServerProcess, run_server
from waiting import PATIENCE, until

from quinconce.cli import main
from quinconce.server import serve

pytestmark = pytest.mark.process


@pytest.fixture(scope="module")
def server(tmp_path_factory: pytest.TempPathFactory) -> Iterator[ServerProcess]:
    """One server for the tests that leave it as it is; its log is read at the end."""
    with run_server(tmp_path_factory.mktemp("server")) as process:
        yield process


def test_of_two_who_race_for_one_number_one_wins(server: ServerProcess) -> None:
    made = server.create_match()
    racers = 8
    start = threading.Barrier(racers)

    def race(n: int) -> int:
        with httpx.Client(base_url=server.url, timeout=PATIENCE) as client:
            client.get("/api/health")
            start.wait()
            return client.post(
                f"{made['path']}/moves",
                json={"seq": 0, "move": f"r@{n + 1}"},
                headers={"Authorization": f"Bearer {made['tokens'][0]}"},
            ).status_code

    with ThreadPoolExecutor(racers) as pool:
        statuses = sorted(pool.map(race, range(racers)))
    assert statuses == [200] + [409] * (racers - 1)
    assert len(server.view(made)["moves"]) == 1


def test_a_retry_after_a_lost_answer_is_answered_again(server: ServerProcess) -> None:
    made = server.create_match()
    # Whoever sends the move is gone before they have read the answer.
    hasty = HTTPConnection(server.url.removeprefix("http://"))
    headers = {"Authorization": f"Bearer {made['tokens'][0]}", "Content-Type": "application/json"}
    hasty.request("POST", f"{made['path']}/moves", '{"seq": 0, "move": "r@3"}', headers)
    until(lambda: server.view(made)["moves"] == ["r@3"])
    hasty.close()
    again = server.move(made, 0, "r@3", 0)
    assert (again.status_code, again.json()["new"]) == (200, False)
    assert server.view(made)["moves"] == ["r@3"]


class Listener:
    """Somebody who follows a match in a thread of their own."""

    def __init__(self, url: str, **headers: str) -> None:
        self.lines: list[str] = []
        self.headers: dict[str, str] = {}
        self.opened = threading.Event()
        self.closed = threading.Event()
        self.socket: socket.socket | None = None
        self.thread = threading.Thread(target=self.listen, args=(url, headers), daemon=True)
        self.thread.start()
        assert self.opened.wait(PATIENCE)

    def listen(self, url: str, headers: dict[str, str]) -> None:
        named = {name.replace("_", "-"): value for name, value in headers.items()}
        with (
            httpx.Client(timeout=PATIENCE) as client,
            client.stream("GET", url, headers=named) as answer,
        ):
            self.headers = dict(answer.headers)
            self.socket = answer.extensions["network_stream"].get_extra_info("socket")
            self.opened.set()
            try:
                for line in answer.iter_lines():
                    self.lines.append(line)
            except httpx.TransportError:
                assert self.closed.is_set()

    def close(self) -> None:
        """Leave, without waiting for the next line."""
        self.closed.set()
        assert self.socket
        self.socket.shutdown(socket.SHUT_RDWR)
        self.thread.join(PATIENCE)
        assert not self.thread.is_alive()

    def ids(self) -> list[int]:
        return [int(line[4:]) for line in list(self.lines) if line.startswith("id: ")]

    def said(self) -> list[dict[str, Any]]:
        return [json.loads(line) for line in list(self.lines) if line.startswith("{")]


def test_a_browser_follows_and_comes_back_where_it_was(server: ServerProcess) -> None:
    made = server.create_match()
    url = f"{server.url}{made['path']}/events"
    first = Listener(url, Accept="text/event-stream")
    assert first.headers["content-type"].startswith("text/event-stream")
    assert "content-encoding" not in first.headers
    for seq, (seat, move) in enumerate([(0, "r@1"), (1, "m@1"), (0, "r@2")]):
        assert server.move(made, seat, move, seq).status_code == 200
    until(lambda: first.ids() == [1, 2, 3])
    assert "event: move" in first.lines
    data = [json.loads(line[6:]) for line in first.lines if line.startswith("data: ")]
    assert [told["move"] for told in data if told["kind"] == "move"] == ["r@1", "m@1", "r@2"]
    first.close()
    assert server.move(made, 1, "m@2", 3).status_code == 200
    second = Listener(url, Accept="text/event-stream", Last_Event_ID="2")
    until(lambda: second.ids() == [3, 4])
    third = Listener(f"{url}?after=4", Accept="text/event-stream")
    assert server.move(made, 0, "r@3", 4).status_code == 200
    until(lambda: third.ids() == [5])
    until(lambda: second.ids() == [3, 4, 5])
    for listener in (second, third):
        listener.close()


def test_a_program_follows_line_by_line_and_is_seen_in_its_seat(server: ServerProcess) -> None:
    made = server.create_match()
    url = f"{server.url}{made['path']}/events"
    watcher = Listener(url)
    assert watcher.headers["content-type"].startswith("application/x-ndjson")
    until(lambda: {"kind": "presence", "present": [False, False]} in watcher.said())
    player = Listener(url, Authorization=f"Bearer {made['tokens'][1]}")
    until(lambda: {"kind": "presence", "present": [False, True]} in watcher.said())
    assert server.view(made)["seats"][1]["present"]
    server.move(made, 0, "r@1", 0)
    until(lambda: any(told.get("move") == "r@1" for told in player.said()))
    player.close()
    until(lambda: watcher.said()[-1].get("present") == [False, False])
    assert not server.view(made)["seats"][1]["present"]
    # A match that is deleted ends its streams.
    answer = server.client.delete(made["path"], headers={"Authorization": f"Bearer {made['key']}"})
    assert answer.status_code == 204
    watcher.thread.join(PATIENCE)
    assert not watcher.thread.is_alive()


def test_the_end_and_a_takeback_are_told_to_programs(server: ServerProcess) -> None:
    made = server.create_match()
    listener = Listener(f"{server.url}{made['path']}/events")
    for seq, (seat, move) in enumerate([(0, "r@1"), (1, "m@1"), (0, "r@5")]):
        server.move(made, seat, move, seq)
    for seat, seq in ((0, 3), (1, 4)):
        server.client.post(
            f"{made['path']}/agreements",
            json={"seq": seq, "matter": "takeback"},
            headers={"Authorization": f"Bearer {made['tokens'][seat]}"},
        )
    until(lambda: any(told["kind"] == "takeback" and told["ply"] == 2 for told in listener.said()))
    seq = server.view(made)["seq"]
    server.move(made, 0, "r@5", seq)
    server.move(made, 1, "m@5", seq + 1)
    until(lambda: any(told["kind"] == "end" for told in listener.said()))
    end = listener.said()[-1]
    assert (end["winners"], end["reason"], end["seat"]) == ([1], "diam", None)
    listener.close()


def test_no_secret_is_in_the_log(server: ServerProcess) -> None:
    made = server.create_match()
    server.move(made, 0, "r@1", 0)
    server.client.post(f"{made['path']}/claims", json={"secret": made["tokens"][1]})
    cookie = server.client.cookies["quinconce"]
    server.client.get("/api/me")
    server.client.cookies.clear()
    until(lambda: made["id"] in server.log.read_text())
    log = server.log.read_text()
    assert "POST" in log
    for secret in (*made["tokens"], made["key"], cookie):
        assert secret not in log
    assert "Traceback" not in log


def test_no_acknowledged_move_is_lost_when_the_server_is_killed(tmp_path: Path) -> None:
    moves = [f"{colour}@{cell}" for cell in range(1, 5) for colour in "rmon"]
    with run_server(tmp_path, "not_a_move") as server:
        made = server.create_match()
        seats = [{"kind": "friend"}, {"kind": "engine", "level": 3}]
        unanswered = server.create_match(seats=seats)
        assert server.move(unanswered, 0, "r@1", 0).status_code == 200
        acknowledged: list[str] = []
        killed = threading.Event()

        def play() -> None:
            for seq, move in enumerate(moves):
                if seq == len(moves) - 4:  # so that there is something left to play
                    killed.wait(PATIENCE)
                try:
                    if server.move(made, seq % 2, move, seq).status_code != 200:
                        return
                except httpx.HTTPError:
                    return
                acknowledged.append(move)

        player = threading.Thread(target=play)
        player.start()
        until(lambda: len(acknowledged) >= 5)
        server.kill()
        killed.set()
        player.join(PATIENCE)
        server.mover = "first_move"
        server.start()
        kept = server.view(made)["moves"]
        # What was being written may be there too; what was answered has to be.
        assert kept[: len(acknowledged)] == acknowledged
        assert len(kept) <= len(acknowledged) + 1
        assert kept == moves[: len(kept)]
        seq = len(kept)
        assert server.move(made, seq % 2, moves[seq], seq).status_code == 200
        # The engine that was to move is asked again.
        until(lambda: server.view(unanswered)["moves"] == ["r@1", "m@1"])


def test_a_process_of_the_engine_that_dies_is_replaced(tmp_path: Path) -> None:
    seats = [{"kind": "friend"}, {"kind": "engine", "level": 3}]
    with run_server(tmp_path, "die_once", QUINCONCE_SCAR=str(tmp_path / "scar")) as server:
        made = server.create_match(seats=seats)
        server.move(made, 0, "r@1", 0)
        until(lambda: len(server.view(made)["moves"]) == 2)
        assert (tmp_path / "scar").exists()
        assert "a process of the engine died" in server.log.read_text()


@pytest.mark.sqlite
def test_a_second_one_finds_the_first(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setenv("XDG_DATA_HOME", str(tmp_path))
    monkeypatch.setenv("QUINCONCE_LANG", "en")
    monkeypatch.setattr(serve, "HEALTH_TIMEOUT", PATIENCE)
    database = f"sqlite:///{tmp_path / 'matches.sqlite'}"
    assert serve.find_running_server(database) is None
    with run_server(tmp_path) as server:
        assert serve.find_running_server(database) == (server.url, None)
        assert serve.find_running_server(f"sqlite:///{tmp_path / 'other.sqlite'}") is None
        main(["serve", "--database", database])
        assert capsys.readouterr().out == f"The server is running already: {server.url}\n"
        with pytest.raises(SystemExit):
            main(["serve", "--database", database, "--share"])
        assert "for this machine only" in capsys.readouterr().err
        notice = serve.address_file(database)
        assert json.loads(notice.read_text())["pid"] == server.process.pid
    assert serve.find_running_server(database) is None
    assert not notice.exists()
