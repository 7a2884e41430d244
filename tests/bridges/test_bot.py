"""The bot: it plays whole games, also on a server that is killed meanwhile, and as a command."""

from __future__ import annotations

import os
import random
import subprocess
import sys
import threading
from concurrent.futures import Future, ThreadPoolExecutor
from pathlib import Path
from typing import Any

import pytest
from server_process import ServerProcess, run_server
from waiting import PATIENCE, until

from quinconce import Match
from quinconce.client import Client, play_seat

pytestmark = pytest.mark.process
AT_ONCE = 10  # games that are played side by side
MOVES_BETWEEN_KILLS = 25


class Game:
    """A game of the bot against the engine of the server, and the moves that it has chosen."""

    def __init__(self, server: ServerProcess, number: int) -> None:
        self.chance = random.Random(number)
        self.seat = number % 2
        seats = [{"kind": "engine", "level": 1}, {"kind": "engine", "level": 1}]
        seats[self.seat] = {"kind": "friend"}
        self.made = server.create_match(seats=seats)
        self.link: str = self.made["seats"][self.seat]["link"]
        self.chosen: dict[int, list[str]] = {}  # by ply

    def play(self, counter: threading.Semaphore) -> dict[str, Any]:
        """Play to the end, by chance; each choice is counted."""

        def choose(match: Match[Any]) -> str:
            move = self.chance.choice(sorted(match.legal()))
            self.chosen.setdefault(len(match.moves), []).append(move)
            counter.release()
            return move

        with Client(self.link, patience=PATIENCE) as client:
            return play_seat(client.join(self.link, "Bot"), choose)

    def check(self, view: dict[str, Any]) -> None:
        """The match is over, and has the bot's moves as they were chosen, each of them once."""
        assert view["scene"]["outcome"]
        own = {ply: [move] for ply, move in enumerate(view["moves"]) if ply % 2 == self.seat}
        assert own == self.chosen


@pytest.mark.parametrize("games", [6, pytest.param(50, marks=pytest.mark.long)])
def test_games_end_and_no_move_is_played_twice_while_the_server_is_killed(
    games: int, tmp_path: Path
) -> None:
    chosen = threading.Semaphore(0)
    kills = 0
    with run_server(tmp_path, "random_move") as server, ThreadPoolExecutor(AT_ONCE) as pool:
        played = [Game(server, number) for number in range(games)]
        results: list[Future[dict[str, Any]]] = [pool.submit(game.play, chosen) for game in played]
        while not all(result.done() for result in results):
            if wait_for_moves(chosen, results):
                server.kill()
                server.start()
                kills += 1
        for game, result in zip(played, results, strict=True):
            assert result.result()["told"]
            game.check(server.view(game.made))
    assert kills >= games // 6


def wait_for_moves(chosen: threading.Semaphore, results: list[Future[Any]]) -> bool:
    """Whether the bots have chosen some more moves before all of them were done."""
    for _move in range(MOVES_BETWEEN_KILLS):
        until(lambda: chosen.acquire(blocking=False) or all(each.done() for each in results))
    return not all(result.done() for result in results)


def run_bot(*arguments: str, link: str = "") -> subprocess.CompletedProcess[str]:
    return subprocess.run(
        [sys.executable, "-m", "quinconce", "bot", *arguments],
        env=os.environ | {"QUINCONCE_LANG": "en"},
        input=link,
        capture_output=True,
        encoding="utf-8",
        check=False,
    )


def test_the_command_plays_a_seat_to_the_end(tmp_path: Path) -> None:
    with run_server(tmp_path) as server:
        made = server.create_match(
            game="diadema", seats=[{"kind": "friend"}, {"kind": "engine", "level": 1}]
        )
        done = run_bot("-", "--level", "2", "--name", "Marvin", link=made["seats"][0]["link"])
        assert done.returncode == 0, done.stderr
        view = server.view(made)
        first, last = done.stdout.splitlines()
        assert "Marvin" in first
        assert last.startswith(("You won", "You lost", "A draw"))
        assert view["scene"]["outcome"]
        again = run_bot(made["seats"][0]["link"])  # a match that is over
        assert again.stdout.splitlines()[-1] == last


def test_bad_input_is_told_on_one_line_with_exit_code_2(tmp_path: Path) -> None:
    with run_server(tmp_path) as server:
        watch = server.create_match()["watch"]
        for arguments, why in (
            ([f"{watch}#{'x' * 22}"], "the server refuses: "),
            ([watch], "this link has no secret: it is only to watch"),
            ([server.url], "is not a link like http://HOST/match/ID#SECRET"),
            (["nonsense"], "is not the address of a server, like http://HOST"),
            ([watch, "--level", "11"], "is not a level"),
        ):
            refused = run_bot(*arguments)
            assert refused.returncode == 2
            assert refused.stderr.startswith("quinconce: ")
            assert refused.stderr.count("\n") == 1
            assert why in refused.stderr
