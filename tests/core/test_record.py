"""Records: written, read back, and refused when they do not hold."""

from __future__ import annotations

import copy
import datetime
import errno
import json
import pickle
import random
from pathlib import Path
from typing import Any

import pytest
from corpus import random_match
from hypothesis import given
from hypothesis import strategies as st

import quinconce
from quinconce import Match, Outcome, Record, RecordError, Seat

DAY = datetime.date(2026, 11, 15)
PEOPLE = (Seat("Camille"), Seat("Engine", level=5, seed=18446744073709551615))


def finished() -> Record:
    match = Match(quinconce.game("diadema"))
    for text in ("@A", "@D", "@1", "@E", "@2", "@F", "@C"):
        match.play(text)
    return Record.of(match, PEOPLE, DAY)


TEXT = """\
[Format "quinconce 1"]
[Game "diadema"]
[Rules "1"]
[Options ""]
[Seat0 "Camille"]
[Seat1 "Engine"]
[Level1 "5"]
[Seed1 "18446744073709551615"]
[Date "2026-11-15"]
[Result "0"]
[Reason "line"]
[Digest "ada07400"]

1. @A @D
2. @1 @E
3. @2 @F
4. @C
0
"""


def refused(text: str) -> RecordError:
    with pytest.raises(RecordError) as error:
        Record.read(text)
    return error.value


def test_a_record_is_written_like_this() -> None:
    assert finished().text() == TEXT


def test_a_record_is_read_as_it_was_written() -> None:
    assert Record.read(TEXT) == finished()
    assert Record.read(TEXT).text() == TEXT


def test_the_json_twin_is_read_as_it_was_written() -> None:
    twin = json.loads(json.dumps(finished().json()))
    assert twin["moves"] == ["@A", "@D", "@1", "@E", "@2", "@F", "@C"]
    assert twin["seats"][1] == {"name": "Engine", "level": 5, "seed": 18446744073709551615}
    assert Record.read(json.dumps(twin)) == finished()


@pytest.mark.parametrize("name", quinconce.names())
def test_running_and_finished_matches_of_every_game_are_read_back(name: str) -> None:
    whole = random_match(quinconce.game(name), random.Random(name))
    match = Match(whole.game)
    for text in whole.moves:
        if len(match.moves) % 40 == 0:
            record = Record.of(match)
            assert Record.read(record.text()) == record
            assert Record.read(json.dumps(record.json())) == record
        match.play(text)
    assert Record.read(Record.of(match).text()).outcome == whole.outcome()


def test_the_options_and_the_start_are_kept() -> None:
    game = quinconce.game("seega", size=7, reach="step", quiet=12)
    start = game.start()._replace(board="w" + "." * 47 + "b", phase=2)
    match = Match(game, start)
    match.play("a7-a6")
    record = Record.of(match)
    assert 'size=7 reach=step chain=compulsory blocked=replay quiet=12"' in record.text()
    assert Record.read(record.text()) == record
    assert record.match().position == match.position


def test_the_usual_start_is_not_written() -> None:
    game = quinconce.game("diadema")
    assert "Position" not in Record.of(Match(game, game.start())).text()
    explicit = TEXT.replace("[Seat0", '[Position "......./....... turn=0"]\n[Seat0')
    assert Record.read(explicit) == finished()


@pytest.mark.parametrize("end", ["resign", "agree", "run_out"])
@pytest.mark.parametrize(
    ("name", "options"),
    [("buts", {}), ("diam", {"players": 4}), ("seega", {}), ("diam", {"players": 3})],
)
def test_what_was_said_beside_the_board_is_kept(
    end: str, name: str, options: dict[str, Any]
) -> None:
    match = Match(quinconce.game(name, **options))
    match.play(next(iter(match.legal())))
    seats = range(match.game.seats) if end == "agree" else match.game.sides[1]
    for seat in seats:
        if not match.outcome():
            getattr(match, end)(seat)
    record = Record.of(match)
    assert record.outcome
    assert Record.read(record.text()) == record
    assert Record.read(json.dumps(record.json())) == record


@given(name=st.text(), tag=st.text())
def test_any_name_and_tag_is_kept(name: str, tag: str) -> None:
    match = Match(quinconce.game("buts"))
    record = Record(match.game, seats=(Seat(name), Seat()), tags={"Event": tag})
    assert Record.read(record.text()) == record
    assert Record.read(json.dumps(record.json())) == record


@pytest.mark.parametrize("tag", ["Game", "Digest", "Seat0", "two words", "", 'a"]', "lower"])
def test_a_tag_cannot_stand_for_a_header_of_ours(tag: str) -> None:
    with pytest.raises(ValueError, match="cannot be a header"):
        Record(quinconce.game("buts"), tags={tag: "value"})


def test_all_seats_are_named_or_none() -> None:
    with pytest.raises(ValueError, match="2 seats to name, not 1"):
        Record.of(Match(quinconce.game("buts")), [Seat("alone")])


def test_a_record_by_hand_needs_little() -> None:
    by_hand = '[Format "quinconce 1"]\r\n[Game "diadema"]\r\n\r\n@A @D\r\n@1\r\n*\r\n'
    record = Record.read(by_hand)
    assert record.moves == ("@A", "@D", "@1")
    assert record.outcome is None
    assert Record.read("\ufeff" + by_hand) == record


@pytest.mark.parametrize("cut", range(len(TEXT.rstrip())))
def test_a_truncated_record_is_refused(cut: int) -> None:
    error = refused(TEXT[:cut])
    if cut > TEXT.index("1. @A"):
        assert error.line is not None
        assert error.move is not None


@pytest.mark.parametrize("cut", range(0, 900, 7))
def test_a_truncated_twin_is_refused(cut: int) -> None:
    twin = json.dumps(finished().json(), indent=1)
    assert refused(twin[: min(cut, len(twin) - 1)])


def test_an_illegal_move_is_named_with_its_line() -> None:
    error = refused(TEXT.replace("@1 @E", "@1 @A"))
    assert (error.line, error.move) == (15, 4)
    assert "A is not empty" in str(error)
    assert str(error).startswith("line 15, move 4: ")


def test_an_illegal_move_in_the_twin_is_named_by_its_number() -> None:
    twin = finished().json()
    twin["moves"][3] = "@A"
    error = refused(json.dumps(twin))
    assert (error.line, error.move) == (None, 4)


def test_a_move_after_the_end_is_named() -> None:
    error = refused(TEXT.replace("4. @C", "4. @C @B"))
    assert (error.line, error.move) == (17, 8)
    assert "over" in str(error)


@pytest.mark.parametrize(
    ("old", "new"),
    [("@E", "@G"), ("2. @1 @E\n", ""), ("1. @A @D", "1. @D @A"), ("@F", "@3")],
)
def test_a_changed_move_is_found_out_even_if_it_is_legal(old: str, new: str) -> None:
    error = refused(TEXT.replace(old, new))
    assert error.line is not None


@pytest.mark.parametrize(
    ("old", "new", "line"),
    [
        ('[Result "0"]', '[Result "1"]', 18),
        ("\n0\n", "\n1\n", 18),
        ('[Reason "line"]', '[Reason "circle"]', 17),
        ('[Reason "line"]', '[Reason "resignation"]', 17),
        ('[Game "diadema"]', '[Game "chess"]', 2),
        ('[Format "quinconce 1"]', '[Format "quinconce 3"]', 1),
        ('[Rules "1"]', '[Rules "2"]', 3),
        ('[Options ""]', '[Options "size=5"]', 4),
        ('[Options ""]', '[Options "x y z"]', 4),
        ('[Options ""]', '[Options "a=1 a=1"]', 4),
        ('[Date "2026-11-15"]', '[Date "yesterday"]', 9),
        ('[Level1 "5"]', '[Level1 "five"]', 7),
        ("[Level1", "[Level2", 7),
        ('[Rules "1"]', '[Rules "1"', 3),
        ('[Rules "1"]', '[Format "quinconce 1"]', 3),
        ('[Digest "ada07400"]', '[Digest "00000000"]', 12),
        ("\n0\n", "\n0 @B\n", 18),
        ('[Options ""]', '[Position "......./ turn=0"]', 4),
        ('[Options ""]', '[event "x"]', 4),
        ('[Options ""]', '[Seat10 "x"]', 4),
        ('[Options ""]', '[Options "self=2"]', 4),
    ],
)
def test_a_wrong_header_is_named_with_its_line(old: str, new: str, line: int) -> None:
    assert old in TEXT
    assert refused(TEXT.replace(old, new)).line == line


def test_a_result_that_the_moves_do_not_give_is_refused() -> None:
    running = TEXT.replace('[Result "0"]', '[Result "*"]').replace("\n0\n", "\n*\n")
    assert "the match goes on, so there is none" in str(refused(running))
    running = running.replace('[Reason "line"]\n', "")
    assert "the moves give 0 line" in str(refused(running))
    early = TEXT.replace("4. @C\n", "").replace('[Digest "ada07400"]\n', "")
    error = refused(early)
    assert (error.line, error.move) == (15, 6)


def test_a_resignation_nobody_could_have_made_is_refused() -> None:
    text = (
        '[Format "quinconce 1"]\n[Game "diam"]\n[Options "players=4"]\n[Reason "resignation"]\n\n'
    )
    assert Record.read(f"{text}0+1\n").outcome == Outcome((0, 1), "resignation")
    assert refused(f"{text}0\n")
    alone = text.replace("players=4", "edition=1997 players=4")
    assert refused(f"{alone}0\n")


@pytest.mark.parametrize(
    "text", ["", "\n", "hello", "{", "{}", "[]", '{"format": "quinconce 1"}', "*"]
)
def test_what_is_no_record_is_refused(text: str) -> None:
    assert refused(text)


def test_a_twin_with_wrong_parts_is_refused() -> None:
    changes: list[dict[str, Any]] = [
        {"moves": "none"},
        {"moves": [1, None]},
        {"rules": "1"},
        {"seats": [1, 2]},
        {"seats": [{}] * 3},
        {"seats": [{"name": "alone"}]},
        {"seats": [{"name": "a", "Seat": "b"}, {"name": "c"}]},
        {"seats": [{"name": "a", "level": "3"}, {"name": "c"}]},
        {"seats": [{"name": "a", "level": True}, {"name": "c"}]},
        {"tags": {"Position": "......./....... turn=0"}},
        {"tags": {"Seat0": "x"}},
        {"tags": {"event": "x"}},
        {"seats": [{"level": "x"}, {}]},
        {"options": {"size": [5]}},
        {"tags": {"Game": "x"}},
        {"tags": {"Event": 3}},
        {"result": "me"},
        {"more": 1},
        {"digest": "0"},
        {"position": "x"},
        {"date": "x"},
    ]
    for change in changes:
        assert refused(json.dumps(finished().json() | change))


def test_a_twin_with_an_option_inside_an_option_is_refused() -> None:
    twin = Record(quinconce.game("diam")).json()
    assert Record.read(json.dumps(twin))
    twin["options"] = {"edition": "2003 players=4"}
    assert refused(json.dumps(twin))
    twin["options"] = {"edition": [2003]}
    assert refused(json.dumps(twin))
    twin["options"] = {"edition": 1997, "players": 4}
    assert Record.read(json.dumps(twin)).game == quinconce.game("diam", edition=1997, players=4)


@pytest.mark.parametrize(
    "parts",
    [
        {"date": datetime.datetime(2026, 11, 15, 12)},
        {"date": "2026-11-15"},
        {"moves": ("G2-G1 B1-A1",)},
        {"moves": ("",)},
        {"moves": (None,)},
        {"tags": {"Event": 1}},
    ],
)
def test_what_could_not_be_read_back_is_refused_at_once(parts: dict[str, Any]) -> None:
    with pytest.raises(ValueError, match=r"not a day|not the text of a move|cannot be a header"):
        Record(quinconce.game("buts"), **parts)


@pytest.mark.parametrize(
    "seat", [("a", -1), ("a", True), ("a", "hard"), ("a", 1, 2**70), (None,), ("\ud800",)]
)
def test_a_seat_that_could_not_be_read_back_is_refused_at_once(seat: tuple[Any, ...]) -> None:
    with pytest.raises(ValueError, match="is not a n"):
        Seat(*seat)


def test_lists_and_the_usual_start_are_put_in_order() -> None:
    game = quinconce.game("buts")
    parts: Any = {"moves": ["G2-G1"], "start": game.start(), "seats": [Seat("a"), Seat("b")]}
    record = Record(game, **parts)
    assert Record.read(record.text()) == record
    assert record.start is None


def test_errors_travel_between_processes() -> None:
    error = refused(TEXT.replace("@1 @E", "@1 @A"))
    again = pickle.loads(pickle.dumps(error))
    assert (str(again), again.line, again.move) == (str(error), error.line, error.move)
    with pytest.raises(quinconce.InvalidMoveError) as wrong:
        Match(quinconce.game("buts")).play("x")
    copied = copy.deepcopy(wrong.value)
    assert (str(copied), copied.text, copied.why) == (str(wrong.value), "x", wrong.value.why)


def test_a_deep_or_huge_record_is_refused() -> None:
    assert refused('{"a":' * 100_000)
    assert "longer than" in str(refused("x" * 2_000_000))
    assert refused('{"rules": ' + "9" * 10_000 + "}")


@given(st.text() | st.text(alphabet='[]" \n*01.@ADx-{}:,', max_size=60))
def test_garbage_is_a_value_error(text: str) -> None:
    try:
        Record.read(text)
    except ValueError:
        return
    pytest.fail("read")


@given(data=st.data())
def test_one_wrong_letter_is_refused_or_harmless(data: st.DataObject) -> None:
    at = data.draw(st.integers(0, len(TEXT) - 1))
    changed = TEXT[:at] + data.draw(st.characters(codec="utf-8")) + TEXT[at + 1 :]
    try:
        record = Record.read(changed)
    except ValueError:
        return
    assert record.moves == finished().moves
    assert record.outcome == finished().outcome


def test_a_record_is_saved_whole(tmp_path: Path) -> None:
    file = tmp_path / "match.quinconce"
    file.write_text("before")
    finished().save(file)
    assert file.read_text(encoding="utf-8") == TEXT
    assert list(tmp_path.iterdir()) == [file]


def test_a_record_that_cannot_be_saved_leaves_the_old_one(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    def full(_file: int) -> None:
        raise OSError(errno.ENOSPC, "no space")

    monkeypatch.setattr("os.fsync", full)
    file = tmp_path / "match.quinconce"
    file.write_text("before")
    with pytest.raises(OSError, match="no space"):
        finished().save(file)
    assert file.read_text() == "before"
    assert list(tmp_path.iterdir()) == [file]


def test_a_saved_file_keeps_its_mode_and_its_link(tmp_path: Path) -> None:
    file, link = tmp_path / "match.quinconce", tmp_path / "link"
    file.touch(0o600)
    link.symlink_to(file)
    finished().save(link)
    assert link.is_symlink()
    assert file.read_text(encoding="utf-8") == TEXT
    assert file.stat().st_mode & 0o777 == 0o600
