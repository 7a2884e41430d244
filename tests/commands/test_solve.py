"""`quinconce solve`: which options go together; its three jobs have files of their own."""

from __future__ import annotations

import pytest
from command_line import run_refused

pytestmark = pytest.mark.usefixtures("in_english")


def test_what_cannot_be_asked_is_refused(capsys: pytest.CaptureFixture[str]) -> None:
    for arguments, why in (
        (("buts",), "too large"),
        (("diadema", "--certificate", "proof"), "--within"),
        (("diam", "--within", "0"), "from 1 to 127"),
        (("diam", "--within", "5", "--player", "3"), "from 1 to 2"),
        (("diam", "--within", "5", "--memory", "0"), "--memory"),
        (("diam", "--within", "5", "--checkpoint", "/"), "folder"),
        (("diam", "--within", "5", "--certificate", "no/such/proof"), "no such file"),
        (("chess",), "no game"),
    ):
        assert why in run_refused(capsys, "solve", *arguments)


@pytest.mark.parametrize(
    ("arguments", "why"),
    [
        (["chess", "--memory", "0", "--pawns", "4"], "--memory goes from 1"),
        (["chess", "--pawns", "4", "--within", "5"], "there is no game 'chess'"),
        (["diam", "--after", "x", "--pawns", "4"], "not a move of this game"),
        (["seega", "--pawns", "1", "--within", "5", "--jobs", "0"], "--pawns solves all positions"),
        (["seega", "--pawns", "1", "--wide"], "--pawns solves all positions"),
        (["seega", "--pawns", "1", "--after", "@a1+a2"], "--pawns solves all positions"),
        (["diam", "--pawns", "1", "--jobs", "0"], "no endings are solved"),
        (["seega", "--pawns", "1", "--jobs", "0"], "--pawns goes from 2 to 10"),
        (["seega", "--pawns", "4", "--jobs", "0", "--cluster", "here"], "--jobs goes from 1 to 64"),
        (["seega", "--folder", "kept", "--jobs", "0"], "say --pawns how many"),
        (["seega", "--jobs", "0", "--wide"], "--jobs goes from 1 to 64"),
        (["seega", "--jobs", "2", "--cluster", "here", "--wide"], "choose --jobs or --cluster"),
        (["seega", "--jobs", "2", "--wide"], "say --within how many plies"),
        (["seega", "--player", "1"], "say --within how many plies"),
        (["seega", "--shortest"], "say --within how many plies"),
        (["seega", "--checkpoint", "kept"], "say --within how many plies"),
        (["seega", "--jobs", "2"], "--jobs and --cluster go with --within or --pawns"),
        (["seega", "--cluster", "here"], "--jobs and --cluster go with --within or --pawns"),
        (
            ["diam", "--within", "5", "--player", "3", "--certificate", "no/f"],
            "the players go from",
        ),
        (["diam", "--within", "0", "--checkpoint", "no/f"], "no/f: there is no such file"),
    ],
)
def test_the_first_of_several_mistakes_is_told(
    capsys: pytest.CaptureFixture[str], arguments: list[str], why: str
) -> None:
    assert why in run_refused(capsys, "solve", *arguments)
