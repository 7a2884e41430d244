"""What commands share: matches, levels, ranges and output files, as people type them."""

from __future__ import annotations

from pathlib import Path

import pytest

from quinconce.commands.options import (
    DEFAULT_LEVEL,
    check_output_file,
    check_range,
    parse_engine_level,
    parse_match,
)
from quinconce.words import Voice


@pytest.mark.parametrize(
    ("text", "language", "level"),
    [
        ("engine:3", "en", 3),
        ("engine", "en", DEFAULT_LEVEL),
        ("engine:10", "fr", 10),
        ("moteur:3", "fr", 3),
        ("moteur", "fr", DEFAULT_LEVEL),
        ("moteur:3", "en", None),
        ("Engine:3", "en", None),
        ("engineer", "en", None),
        ("Ada", "en", None),
        ("", "en", None),
    ],
)
def test_an_engine_is_given_by_its_level(text: str, language: str, level: int | None) -> None:
    assert parse_engine_level(text, Voice(language)) == level


@pytest.mark.parametrize("text", ["engine:0", "engine:11", "engine:", "engine:03", "engine:strong"])
def test_there_is_no_other_level(text: str) -> None:
    with pytest.raises(ValueError, match="is not a level: they go from 1 to 10"):
        parse_engine_level(text, Voice("en"))


@pytest.mark.parametrize("value", [0.5, 65, float("nan"), float("inf")])
def test_a_value_out_of_its_range_is_refused(value: float) -> None:
    with pytest.raises(ValueError, match="--jobs goes from 1 to 64"):
        check_range("--jobs", value, 1, 64)


@pytest.mark.parametrize("value", [None, 1, 64])
def test_a_value_in_its_range_is_accepted(value: float | None) -> None:
    check_range("--jobs", value, 1, 64)


def test_a_file_can_be_written_only_in_a_folder_that_exists(tmp_path: Path) -> None:
    check_output_file(None)
    check_output_file(Path("file"))
    check_output_file(tmp_path / "file")
    with pytest.raises(ValueError, match=r"no/file: there is no such file or folder"):
        check_output_file(tmp_path / "no" / "file")


def test_a_match_starts_from_a_position_and_goes_on_with_typed_moves() -> None:
    match = parse_match("diam", ["players=3"], None, "r@1")
    text = match.game.write(match.position)
    again = parse_match("diam", ["players=3"], text, " M@2 ")
    assert again.game.chosen["players"] == "3"
    assert again.moves == ["m@2"]
    assert again.start == match.position
