"""`quinconce match`."""

from __future__ import annotations

import math
import shlex
from pathlib import Path

import pexpect
import pytest
from command_line import QUINCONCE, run_command, run_refused, spawn_in_terminal
from waiting import until

from quinconce.commands.match import rating_text
from quinconce.core.record import read_record

pytestmark = pytest.mark.usefixtures("in_english")


def test_match_compares_two_levels_and_keeps_the_records(
    capsys: pytest.CaptureFixture[str],
) -> None:
    arguments = ("match", "diadema", "4", "1", "--games", "4", "--seed", "2", "--records", "kept")
    told = run_command(capsys, *arguments)
    assert "Level 4 against level 1, 4 matches:" in told
    assert "confidence 95 %" in told
    files = sorted(Path("kept").iterdir())
    assert [file.name for file in files] == [f"000{n}.quinconce" for n in (1, 2, 3, 4)]
    for n, file in enumerate(files):
        record, match = read_record(file.read_text(encoding="utf-8"))
        assert match.outcome()
        assert [seat.level for seat in record.seats] == [[4, 1], [1, 4]][n % 2]
    first, second = (file.read_text(encoding="utf-8") for file in files[:2])
    opening = [text.split("\n\n")[1].split()[1:3] for text in (first, second)]
    assert opening[0] == opening[1]
    assert run_command(capsys, *arguments[:-1], "again").split(".")[0] == told.split(".")[0]


@pytest.mark.parametrize(
    ("value", "text"),
    [
        (-0.0, "+0"),
        (-0.4, "+0"),
        (31.6, "+32"),
        (-31.6, "-32"),
        (math.inf, "+∞"),
        (-math.inf, "-∞"),
    ],
)
def test_a_rating_difference_has_a_sign_and_no_fractions(value: float, text: str) -> None:
    assert rating_text(value) == text


FIRST = "def choose(match):\n    return min(match.legal())\n"
LAST = "def choose(match):\n    return max(match.legal())\n"
LOST = "def choose(match):\n    return 'nowhere'\n"
UGI = shlex.join([*QUINCONCE, "ugi", "--level"])


@pytest.mark.process
def test_bots_levels_and_programs_play_a_contest(capsys: pytest.CaptureFixture[str]) -> None:
    for name, text in {"first.py": FIRST, "lost.py": LOST}.items():
        Path(name).write_text(text, encoding="utf-8")
    players = ("first.py", "lost.py", "engine:2", f"ugi:{UGI} 1")
    told = run_command(
        capsys, "match", *players, "--seconds", "600", "--jobs", "2", "--records", "kept"
    )
    assert told.count("lost.py played 'nowhere': that is not legal.") == 6
    assert "4.  lost.py" in told
    assert "The page is kept/index.html" in told
    page = Path("kept/index.html").read_text(encoding="utf-8")
    assert "Contest: Diam" in page
    records = sorted(Path("kept").glob("*.quinconce"))
    assert len(records) == 12
    for n, file in enumerate(records, 1):
        record, match = read_record(file.read_text(encoding="utf-8"))
        assert match.outcome()
        assert f'href="{n:04}.quinconce"' in page
        assert {seat.name for seat in record.seats} <= {"first.py", "lost.py", "", "Quinconce"}


@pytest.mark.process
def test_two_players_are_compared_over_openings(capsys: pytest.CaptureFixture[str]) -> None:
    Path("a.py").write_text(FIRST, encoding="utf-8")
    Path("b.py").write_text(LAST, encoding="utf-8")
    told = run_command(
        capsys, "match", "diadema", "a.py", "b.py", "--games", "4", "--clock", "600+1"
    )
    assert "a.py against b.py, 4 matches:" in told
    assert "confidence 95 %" in told
    (folder,) = Path().glob("diadema-contest-*")
    records = [
        read_record(path.read_text())[1].moves for path in sorted(folder.glob("*.quinconce"))
    ]
    assert records[0][:4] == records[1][:4] != records[2][:4]
    assert "600 s a match and 1 s more for each move" in (folder / "index.html").read_text()


def play_two_of_ours(capsys: pytest.CaptureFixture[str], game: str, games: int) -> None:
    """Two text engines of ours against each other, without a fault."""
    players = (f"ugi:{UGI} 3", f"ugi:{UGI} 2")
    told = run_command(
        capsys,
        *("match", game, *players, "--games", str(games), "--seconds", "600", "--jobs", "2"),
        *("--records", "kept", "--any-openings"),
    )
    assert "Match " not in told  # nobody did anything wrong
    assert f"Quinconce against Quinconce (2), {games} matches:" in told
    records = [read_record(path.read_text()) for path in Path("kept").glob("*.quinconce")]
    assert len(records) == games
    assert all(match.outcome() for _record, match in records)
    assert not any(record.tags for record, _match in records)


@pytest.mark.process
def test_a_contest_that_is_interrupted_keeps_what_was_played(tmp_path: Path) -> None:
    Path("a.py").write_text(FIRST, encoding="utf-8")
    Path("b.py").write_text(LAST, encoding="utf-8")
    arguments = ("--games", "100000", "--seconds", "600", "--records", "kept")
    child = spawn_in_terminal("match", "buts", "a.py", "b.py", *arguments)
    until((tmp_path / "kept" / "0002.quinconce").exists)
    child.sendintr()
    child.expect("Stopped")
    child.expect("a.py against b.py, [0-9,]+ matches")
    child.expect("The page is kept/index.html")
    child.expect(pexpect.EOF)
    assert 'href="0001.quinconce"' in (tmp_path / "kept" / "index.html").read_text()


@pytest.mark.process
def test_two_text_engines_play_each_other(capsys: pytest.CaptureFixture[str]) -> None:
    play_two_of_ours(capsys, "diam", 4)


@pytest.mark.process
@pytest.mark.long
@pytest.mark.parametrize("game", ["diam", "diadema", "seega", "buts"])
def test_a_hundred_games_of_two_text_engines_are_without_a_fault(
    capsys: pytest.CaptureFixture[str], game: str
) -> None:
    play_two_of_ours(capsys, game, 100)


@pytest.mark.parametrize(
    ("arguments", "said"),
    [
        (["match", "diam", "0", "3"], "is not a level"),
        (["match", "diam", "3", "11"], "is not a level: they go from 1 to 10"),
        (["match", "diam", "3", "4", "--games", "0"], "--games goes from 1"),
        (["match"], "name at least two players"),
        (["match", "diam", "3"], "name at least two players"),
        (["match", "chess", "3", "4"], "there is no game 'chess'"),
        (["match", "diam", "3", "chess"], "'chess' is no player"),
        (["match", "diam", "3", "engine:11"], "is not a level"),
        (["match", "diam", "3", "none.py"], "none.py: there is no such file"),
        (["match", "diam", "1", "2", "--records", __file__], "there is a file already"),
        (["match", "diam", "3", "ugi:no-such-program"], "there is no program 'no-such-program'"),
        (["match", "diam", "3", "4", "--seconds", "0"], "--seconds goes from 0.001"),
        (["match", "diam", "3", "4", "--clock", "soon"], "--clock is like 60 or 60+1"),
        (["match", "diam", "3", "4", "--clock", "0"], "--clock is like 60 or 60+1"),
        (["match", "diam", "3", "4", "--clock", "9", "--seconds", "1"], "not both"),
        (["match", "diam", "1", "2", "3", "-o", "edition=1997", "-o", "players=4"], "two sides"),
    ],
)
def test_bad_input_is_told_on_one_line_with_exit_code_2(
    capsys: pytest.CaptureFixture[str], arguments: list[str], said: str
) -> None:
    assert said in run_refused(capsys, *arguments)
