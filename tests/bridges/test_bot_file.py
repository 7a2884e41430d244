"""A bot as a Python file, in a process of its own."""

from __future__ import annotations

import sys
from collections.abc import Iterator
from pathlib import Path

import pytest
from moves import match_after

from quinconce.bridges.bot_file import BotThinker, load_function
from quinconce.bridges.contestants import (
    SECOND_PATIENCE,
    ProgramContestant,
    bot_contestant,
    parse_contestant,
)
from quinconce.bridges.time_control import MatchClock, TimeControl
from quinconce.engine.match_runner import ForfeitError

LEAST = "def choose(match):\n    return min(match.legal())\n"


def write_bot(folder: Path, text: str, name: str = "bot.py") -> Path:
    path = folder / name
    path.write_text(text, encoding="utf-8")
    return path


def ask(bot: ProgramContestant, moves: str = "", seconds: float = 600.0) -> str:
    """The move of a bot after some moves of Diam, in a match of its own."""
    clock = MatchClock(TimeControl(seconds, lag=0.1))
    match = match_after("diam", moves)
    with bot.sit_down(match.game) as move:
        return move(match, clock, None)  # type: ignore[arg-type]


@pytest.fixture
def opened() -> Iterator[list[ProgramContestant]]:
    """Bots that are let go at last."""
    bots: list[ProgramContestant] = []
    yield bots
    for bot in bots:
        bot.close()


@pytest.mark.process
def test_a_bot_is_one_function_that_chooses_among_the_legal_moves(
    tmp_path: Path, opened: list[ProgramContestant]
) -> None:
    bot = bot_contestant(write_bot(tmp_path, LEAST))
    opened.append(bot)
    assert bot.name == "bot.py"
    assert ask(bot) == "o@1"
    assert ask(bot, "r@1") == "m@1"


@pytest.mark.process
def test_what_a_bot_prints_or_reads_disturbs_nobody(
    tmp_path: Path, opened: list[ProgramContestant]
) -> None:
    noisy = (
        "import os, sys\n"
        "def choose(match):\n"
        "    print('bestmove r@8')\n"
        "    os.write(1, b'bestmove r@7\\n')\n"
        "    assert sys.stdin.read() == ''\n"
        "    return 'r@1'\n"
    )
    opened.append(bot_contestant(write_bot(tmp_path, noisy)))
    assert ask(opened[0]) == "r@1"


@pytest.mark.process
def test_a_bot_may_import_what_lies_beside_it(
    tmp_path: Path, opened: list[ProgramContestant]
) -> None:
    write_bot(tmp_path, LEAST, "ideas.py")
    opened.append(bot_contestant(write_bot(tmp_path, "from ideas import choose\n")))
    assert ask(opened[0]) == "o@1"


@pytest.mark.process
def test_a_bot_takes_the_place_of_no_module_of_its_name(
    tmp_path: Path, opened: list[ProgramContestant], monkeypatch: pytest.MonkeyPatch
) -> None:
    by_chance = "import random\ndef choose(match):\n    return random.choice(['r@1'])\n"
    write_bot(tmp_path, by_chance, "random.py")
    write_bot(tmp_path, LEAST, "least.py")
    monkeypatch.chdir(tmp_path)  # as who has written them stands among them
    opened.extend(bot_contestant(Path(name)) for name in ("random.py", "least.py"))
    assert [ask(bot) for bot in opened] == ["r@1", "o@1"]


@pytest.mark.process
@pytest.mark.parametrize(
    ("text", "kind", "said"),
    [
        ("def choose(match):\n    return 1 / 0\n", "crash", "ZeroDivisionError: division by zero"),
        ("def choose(match):\n    raise SystemExit(3)\n", "crash", "SystemExit: 3"),
        ("import os\ndef choose(match):\n    os._exit(4)\n", "crash", "code 4"),
        ("def choose(match:\n", "crash", "SyntaxError"),
        ("best = 3\n", "crash", "there is no function choose"),
        ("import no_such_thing\n", "crash", "ModuleNotFoundError"),
        ("def choose(match):\n    return None\n", "illegal", "played 'None'"),
        ("def choose(match):\n    return 'a b'\n", "illegal", "played 'a_b'"),
        ("def choose(match):\n    match.play('r@1')\n    return 'r@1 '\n", "", ""),
    ],
)
def test_what_a_bot_does_wrong_is_told(
    tmp_path: Path, opened: list[ProgramContestant], text: str, kind: str, said: str
) -> None:
    bot = bot_contestant(write_bot(tmp_path, text))
    opened.append(bot)
    if not kind:
        assert ask(bot) == "r@1"  # it has a match of its own to play on
        return
    with pytest.raises(ForfeitError) as failed:
        ask(bot)
    assert failed.value.kind == kind
    assert said in str(failed.value.why)


@pytest.mark.process
def test_a_bot_that_thinks_for_ever_is_ended_and_plays_the_next_match(
    tmp_path: Path, opened: list[ProgramContestant]
) -> None:
    slow = "def choose(match):\n    while not match.moves:\n        pass\n    return 'm@1'\n"
    bot = bot_contestant(write_bot(tmp_path, slow))
    opened.append(bot)
    with pytest.raises(ForfeitError, match=r"bot\.py was out of time"):
        ask(bot, seconds=0.1)
    assert ask(bot, "r@1") == "m@1"


@pytest.mark.process
def test_a_bot_that_is_never_ready_is_not_waited_for_as_long_again(
    tmp_path: Path, opened: list[ProgramContestant]
) -> None:
    bot = bot_contestant(write_bot(tmp_path, "while True:\n    pass\n"))
    opened.append(bot)
    bot.patience = 0.2
    with pytest.raises(ForfeitError, match="it does not answer"):
        ask(bot)
    assert bot.patience == SECOND_PATIENCE


@pytest.mark.process
def test_a_program_that_does_not_say_its_name_is_not_waited_for_as_long_again() -> None:
    script = Path(__file__).parents[1] / "ugi_script.py"
    program = ProgramContestant([sys.executable, str(script), "mute"], patience=0.2)
    program.learn_name()
    assert program.patience == SECOND_PATIENCE


def test_a_file_without_the_function_is_refused(tmp_path: Path) -> None:
    with pytest.raises(ValueError, match="there is no function choose"):
        load_function(write_bot(tmp_path, "choose = 3\n", "empty_bot.py"))


def test_a_file_that_is_missing_is_refused(tmp_path: Path) -> None:
    with pytest.raises(ValueError, match="there is no such file"):
        bot_contestant(tmp_path / "none.py")
    with pytest.raises(ValueError, match="there is no such file"):
        BotThinker(tmp_path / "none.py")


def test_players_as_one_types_them(tmp_path: Path) -> None:
    path = write_bot(tmp_path, LEAST)
    bot, program = parse_contestant(str(path)), parse_contestant("ugi:python3 -c 'a b'")
    assert isinstance(bot, ProgramContestant)
    assert isinstance(program, ProgramContestant)
    assert program.command == ["python3", "-c", "a b"]
    assert parse_contestant("chess") is None
