"""`quinconce play`: its seats, its files, and how it refuses."""

from __future__ import annotations

import json
from pathlib import Path

import pytest
from command_line import run_command, run_refused

pytestmark = pytest.mark.usefixtures("in_english")


def test_engines_play_each_other_in_the_terminal(capsys: pytest.CaptureFixture[str]) -> None:
    told = run_command(
        capsys,
        "play",
        "diam",
        *("--seat", "1=engine:3", "--seat", "2=engine:1", "--seed", "5", "--save", "kept.json"),
    )
    assert "Engine (level 3, red and orange)" in told
    kept = json.loads(Path("kept.json").read_text(encoding="utf-8"))
    assert [(seat["level"], seat["seed"]) for seat in kept["seats"]] == [(3, 5), (1, 5)]
    assert kept["result"] != "*"


@pytest.mark.parametrize(
    ("arguments", "said"),
    [
        (["play"], "name a game, or a record"),
        (["play", "chess"], "there is no game 'chess'"),
        (["play", "diam", "--seat", "3=Eve"], "'3=Eve' is not like N=NAME with N among 1, 2"),
        (["play", "diam", "--seat", "Eve"], "'Eve' is not like N=NAME"),
        (["play", "diam", "--seat", "1=a", "--seat", "1=b"], "player 1 is named twice"),
        (["play", "diam", "--seat", "1=\udcff"], "is not a name"),
        (["play", "diam", "--save", ""], "there is a file already"),
        (["play", "diam", "--resume", "nowhere"], "give nothing else"),
        (["play", "--resume", "nowhere"], "nowhere: there is no such file or folder"),
        (["play", "diam", "--seat", "1=engine:11"], "is not a level"),
        (["play", "diam", "--seat", "1=engine:strong"], "'strong' is not a level"),
    ],
)
def test_bad_input_is_told_on_one_line_with_exit_code_2(
    capsys: pytest.CaptureFixture[str], arguments: list[str], said: str
) -> None:
    assert said in run_refused(capsys, *arguments)
