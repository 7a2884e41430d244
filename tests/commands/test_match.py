"""`quinconce match`."""

from __future__ import annotations

from pathlib import Path

import pytest
from command_line import run_command, run_refused

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
    ("arguments", "said"),
    [
        (["match", "diam", "0", "3"], "is not a level"),
        (["match", "diam", "3", "11"], "is not a level: they go from 1 to 10"),
        (["match", "diam", "3", "4", "--games", "0"], "--games goes from 1"),
    ],
)
def test_bad_input_is_told_on_one_line_with_exit_code_2(
    capsys: pytest.CaptureFixture[str], arguments: list[str], said: str
) -> None:
    assert said in run_refused(capsys, *arguments)
