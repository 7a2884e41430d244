"""People around one keyboard: moves, commands, refusals, and nothing lost."""

from __future__ import annotations

import json
import os
import signal
import subprocess
from collections.abc import Callable
from dataclasses import replace
from datetime import date
from functools import partial
from io import StringIO
from pathlib import Path
from typing import Any

import pexpect
import pytest
from command_line import QUINCONCE, spawn_in_terminal
from moves import match_after
from rich.console import Console
from waiting import PATIENCE

import quinconce
from quinconce import Match, Outcome, Record, Seat
from quinconce.terminal.match_prompt import MatchPrompt
from quinconce.words import Voice

Play = Callable[..., tuple[MatchPrompt, str]]


@pytest.fixture
def play(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> Play:
    """Type these lines at the prompt of a match, and leave: the prompt and what was shown."""
    monkeypatch.chdir(tmp_path)

    def typed(
        *lines: str | Callable[[], str],
        match: Match[Any] | None = None,
        path: Path | None = None,
        lang: str = "en",
        seats: tuple[Seat, ...] = (),
        record: Record | None = None,
    ) -> tuple[MatchPrompt, str]:
        left = iter(lines)

        def answer(_prompt: str = "") -> str:
            for line in left:
                return line if isinstance(line, str) else line()
            raise EOFError

        monkeypatch.setattr("builtins.input", answer)
        shown = StringIO()
        match = match or Match(quinconce.game("diadema"))
        console = Console(file=shown, width=100)
        record = record or Record.of(match, seats)
        prompt = MatchPrompt(match, record, path, console, Voice(lang))
        prompt.run()
        return prompt, shown.getvalue()

    return typed


def test_a_game_is_played_to_its_end(play: Play) -> None:
    prompt, shown = play("@A", "@d", " @ 1 ", "@E", "@2", "@F", "@C", "never read")
    assert prompt.match.outcome() == Outcome((0,), "line")
    assert "Player 1 (light) wins: four on a line." in shown


def test_a_refused_move_says_why(play: Play) -> None:
    prompt, shown = play("@A", "@A", "A-1", "castles", "@B")
    assert "No: A is not empty" in shown
    assert "No: there is no ball of yours on A" in shown
    assert "No: not a move of this game" in shown
    assert prompt.match.moves == ["@A", "@B"]


def test_legal_moves_are_shown_on_request(play: Play) -> None:
    for word in ("moves", "?", "MOVES"):
        _prompt, shown = play(word)
        assert "@1  @2  @3" in shown


def test_undo_takes_back(play: Play) -> None:
    prompt, shown = play("@A", "@B", "undo", "undo", "undo")
    assert prompt.match.moves == []
    assert "Taken back: @B" in shown
    assert "there is no move to take back" in shown


def test_a_match_is_saved_and_resumed(play: Play, tmp_path: Path) -> None:
    play("@A", "@B", "save here.quinconce", "quit")
    record = Record.read((tmp_path / "here.quinconce").read_text(encoding="utf-8"))
    assert record.moves == ("@A", "@B")
    play("@C", "quit", match=record.match(), path=tmp_path / "here.quinconce")
    assert Record.read((tmp_path / "here.quinconce").read_text()).moves == ("@A", "@B", "@C")


def test_what_was_not_saved_is_saved_on_leaving(play: Play, tmp_path: Path) -> None:
    _prompt, shown = play("@A", "@B")  # and the line goes dead
    (file,) = tmp_path.glob("diadema-*.quinconce")
    assert Record.read(file.read_text()).moves == ("@A", "@B")
    assert f"quinconce play --resume {file.name}" in shown.replace("\n", " ")


def test_nothing_is_written_when_nothing_was_played(play: Play, tmp_path: Path) -> None:
    play("help", "quit")
    assert list(tmp_path.iterdir()) == []


def test_a_takeback_after_saving_is_saved_too(play: Play, tmp_path: Path) -> None:
    play("@A", "@B", "save here", "undo", "@C", "quit")
    assert Record.read((tmp_path / "here").read_text()).moves == ("@A", "@C")


def test_a_folder_that_cannot_be_written_is_told(play: Play) -> None:
    _prompt, shown = play("@A", "save /nowhere/at/all", "quit")
    assert "Not saved in /nowhere/at/all: there is no such file or folder" in shown


def test_what_cannot_be_saved_there_is_saved_elsewhere(
    play: Play, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("tempfile.tempdir", str(tmp_path))
    _prompt, shown = play("@A", "quit", path=Path("/nowhere/at/all"))
    (file,) = tmp_path.glob("diadema-*.quinconce")
    assert f"--resume {file}" in shown.replace("\n", "")
    assert Record.read(file.read_text()).moves == ("@A",)


@pytest.mark.parametrize("name", [".", "/", "~nobody/x", "a\0b", "x" * 300, "no/where"])
def test_an_odd_file_name_loses_nothing(play: Play, tmp_path: Path, name: str) -> None:
    _prompt, shown = play("@A", f"save {name}", "@B", "quit")
    assert "Not saved in" in shown
    (file,) = tmp_path.glob("diadema-*.quinconce")
    assert Record.read(file.read_text()).moves == ("@A", "@B")


def test_another_file_is_overwritten_only_if_one_says_so(play: Play, tmp_path: Path) -> None:
    (tmp_path / "mine").write_text("precious")
    play("@A", "save mine", "n", "quit")
    assert (tmp_path / "mine").read_text() == "precious"
    play("@A", "save mine", "y", "quit")
    assert Record.read((tmp_path / "mine").read_text()).moves == ("@A",)


def test_every_move_is_saved_at_once_where_there_is_a_file(play: Play, tmp_path: Path) -> None:
    file = tmp_path / "here"
    seen = []

    def looking(text: str) -> str:
        seen.append(len(Record.read(file.read_text()).moves) if file.exists() else 0)
        return text

    lines = [partial(looking, text) for text in ("@A", "@B", "undo", "@C")]
    play(*lines, path=file)
    assert seen == [0, 1, 2, 1]


def test_two_matches_in_one_folder_do_not_share_a_file(play: Play, tmp_path: Path) -> None:
    play("@A", "quit")
    play("@B", "quit")
    records = [Record.read(file.read_text()) for file in tmp_path.glob("*.quinconce")]
    assert sorted(record.moves for record in records) == [("@A",), ("@B",)]


def test_resuming_keeps_what_the_record_says(play: Play, tmp_path: Path) -> None:
    file = tmp_path / "match.json"
    seats = (Seat("Ada"), Seat("Engine", 5, 7))
    record = Record(
        quinconce.game("diadema"), ("@A",), None, seats, date(1999, 1, 1), None, {"Event": "Open"}
    )
    play("quit", match=record.match(), record=record, path=file)
    first, *answers = json.loads(file.read_text())["moves"]
    assert first == "@A"
    assert len(answers) == 1  # the engine's
    assert Record.read(file.read_text()) == replace(record, moves=("@A", *answers))


def test_the_way_to_resume_can_be_pasted(play: Play) -> None:
    _prompt, shown = play("@A", "quit", path=Path("a b.quinconce"))
    assert "quinconce play --resume 'a b.quinconce'" in shown


def test_the_end_is_told_once(play: Play) -> None:
    _prompt, shown = play("@A", "@D", "@1", "@E", "@2", "@F", "@C")
    assert shown.count("wins: four on a line") == 1
    assert "Resume with" not in shown


WALLED = "r@2 m@1 r@2 m@1 r@2 m@1 r@2 m@1 o@3 n@4 o@3 n@4 o@3 n@4 o@3 n@4"


def test_a_forced_pass_is_played_with_a_word_why(play: Play) -> None:
    prompt, shown = play(match=match_after("diam", WALLED), lang="fr")
    assert prompt.match.moves[16:17] == ["pass"]
    assert "Vous n’avez aucun coup\u00a0: vous passez." in shown
    assert "Joueur 1 (rouge et orange) a passé · pass" in shown


def test_undo_goes_behind_a_forced_pass(play: Play) -> None:
    match = match_after("diam", WALLED.removesuffix(" n@4"))
    prompt, _shown = play("n@4", "undo", match=match)
    assert prompt.match.moves == WALLED.split()[:-1]


def test_resigning_asks_and_ends(play: Play, tmp_path: Path) -> None:
    prompt, shown = play("@A", "resign", "n", "resign", "y")
    assert prompt.match.outcome() == Outcome((0,), "resignation")
    assert "The game goes on." in shown
    (file,) = tmp_path.glob("*.quinconce")
    assert Record.read(file.read_text()).outcome == Outcome((0,), "resignation")


def test_a_draw_needs_everybody(play: Play) -> None:
    prompt, _shown = play("@A", "draw", "y", "n", "draw", "y", "y")
    assert prompt.match.outcome() == Outcome((), "agreement")


def test_in_a_team_both_partners_are_asked(play: Play) -> None:
    match = Match(quinconce.game("diam", players=4))
    prompt, _shown = play("resign", "y", "n", "resign", "y", "y", match=match)
    assert prompt.match.outcome() == Outcome((2, 3), "resignation")


def test_with_more_than_two_sides_nobody_resigns(play: Play) -> None:
    match = Match(quinconce.game("diam", edition=1997, players=4))
    prompt, shown = play("resign", match=match)
    assert prompt.match.outcome() is None
    assert "nobody resigns" in shown


def test_names_are_shown(play: Play) -> None:
    seats = (Seat("Ada"), Seat("[bold]Blaise"))
    _prompt, shown = play("@A", "@D", "@1", "@E", "@2", "@F", "@C", seats=seats)
    assert "reserve of [bold]Blaise (dark)" in shown
    assert "Ada (light) wins" in shown


def test_french_words_are_understood_in_french(play: Play) -> None:
    prompt, shown = play("@A", "coups", "annuler", "@B", "abandon", "oui", lang="fr")
    assert prompt.match.outcome() == Outcome((0,), "resignation")
    assert "Joueur 1 (clair) gagne\u00a0: abandon." in shown
    assert "Coup annulé\u00a0: @A" in shown


def test_a_move_with_two_meanings_is_told(play: Play) -> None:
    game = quinconce.game("seega", chain="optional")
    start = game.read("...../...bw/...../..w../wb... turn=0 phase=2 duty=0")
    _prompt, shown = play("c2-c1", match=Match(game, start))
    assert "could mean c2xc1, c2xc4xc1" in shown


@pytest.mark.process
def test_two_people_play_in_a_terminal(tmp_path: Path) -> None:
    file = tmp_path / "match.quinconce"
    child = spawn_in_terminal(
        "play", "diadema", "--seat", "1=Ada", "--seat", "2=Blaise", "--save", str(file)
    )
    moves = ("@A", "@D", "@1", "@E", "@2", "@F", "@C")
    for name, move in zip(("Ada", "Blaise") * 4, moves, strict=False):
        child.expect(f"{name} .*> ")
        child.sendline(move)
    child.expect("Ada .* wins: four on a line")
    child.expect(pexpect.EOF)
    assert Record.read(file.read_text()).outcome == Outcome((0,), "line")


@pytest.mark.process
@pytest.mark.parametrize("number", [signal.SIGHUP, signal.SIGTERM])
def test_a_closed_terminal_or_a_kill_loses_nothing(tmp_path: Path, number: int) -> None:
    environment = os.environ | {"QUINCONCE_LANG": "en", "TMPDIR": str(tmp_path)}
    child = pexpect.spawn(
        QUINCONCE[0],
        [*QUINCONCE[1:], "play", "buts"],
        encoding="utf-8",
        timeout=PATIENCE,
        env=environment,
        cwd=str(tmp_path),
    )
    child.expect("> ")
    child.sendline("G2-G1")
    child.expect("Black.*> ")
    child.kill(number)
    child.expect(pexpect.EOF)
    (file,) = tmp_path.glob("*.quinconce")
    assert Record.read(file.read_text()).moves == ("G2-G1",)


@pytest.mark.process
@pytest.mark.parametrize("typed", [b"r@1\n\xff\nm@1\n", b"r@1\nm@1"])
def test_odd_bytes_lose_nothing(tmp_path: Path, typed: bytes) -> None:
    done = subprocess.run(
        [*QUINCONCE, "play", "diam"],
        input=typed,
        cwd=tmp_path,
        env=os.environ | {"PYTHONIOENCODING": "utf-8"},
        capture_output=True,
        check=True,
    )
    assert b"Traceback" not in done.stderr
    (file,) = tmp_path.glob("*.quinconce")
    assert Record.read(file.read_text()).moves == ("r@1", "m@1")


@pytest.mark.process
def test_without_a_keyboard_the_prompt_ends(tmp_path: Path) -> None:
    command = " ".join(f"'{word}'" for word in [*QUINCONCE, "play", "diam"])
    done = subprocess.run(
        ["sh", "-c", f"{command} <&-"], cwd=tmp_path, capture_output=True, check=True
    )
    assert b"Traceback" not in done.stderr


@pytest.mark.process
def test_an_interrupt_saves_and_leaves_no_traceback(tmp_path: Path) -> None:
    file = tmp_path / "match.quinconce"
    child = spawn_in_terminal("play", "buts", "--save", str(file))
    child.expect("> ")
    child.sendline("G2-G1")
    child.expect("Black.*> ")
    child.sendintr()
    child.expect("Saved")
    child.expect(pexpect.EOF)
    assert "Traceback" not in (child.before or "")
    assert Record.read(file.read_text()).moves == ("G2-G1",)


def test_people_are_told_what_to_do_and_at_first_how_to_win(play: Play) -> None:
    _prompt, shown = play("@A", "@D", "@1", "@E", "@2")
    assert shown.count("Place a ball on any empty point.") == 2
    assert shown.count("Place a ball on any empty point, or move one.") == 2
    assert shown.count("Place a ball, move one, or jump over a neighbour.") == 2
    assert shown.count("To win, get four of your balls") == 4
    assert "Player 2 (dark) placed a dark ball on E · @E" in shown


def test_against_the_engine_the_end_is_told_to_the_person(play: Play) -> None:
    match = match_after("diadema", "@A @D @1 @E @2 @F")
    seats = (Seat(), Seat(level=1))
    _prompt, shown = play("@C", match=match, seats=seats)
    assert "You placed a light ball on C · @C" in shown
    assert "You won: four on a line." in shown


def test_pawns_are_counted_and_a_capture_is_asked_for(play: Play) -> None:
    game = quinconce.game("seega")
    start = game.read("...../...../...../..w../wb..b turn=0 phase=2 duty=0")
    _prompt, shown = play("a1-a2", "c2xc1", match=Match(game, start))
    assert "Player 1 (White): 2 pawns, 10 taken" in shown
    assert "You must capture: c2 can." in shown
    assert "No: there is a capture to make: c2xc1" in shown
    assert "Player 1 (White) moved c2 to c1 and captured b1 · c2xc1" in shown
    assert "Player 2 (Black): 1 pawn, 10 taken" in shown
