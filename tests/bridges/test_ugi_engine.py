"""A text engine answers what UGI asks, also while it thinks, and survives the rest."""

from __future__ import annotations

import time
from collections.abc import Iterator
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st
from ugi_conversation import Conversation, FakeThinker
from waiting import until

import quinconce
from quinconce.bridges.ugi_engine import UgiEngine
from quinconce.core.match import replay


@pytest.fixture
def thinker() -> FakeThinker:
    return FakeThinker()


@pytest.fixture
def talk(thinker: FakeThinker) -> Iterator[Conversation]:
    with Conversation(thinker, quinconce.game("diam")) as conversation:
        yield conversation


def test_the_example_of_the_protocol_is_answered(talk: Conversation) -> None:
    talk.say("ugi")
    assert talk.hear("id name") == "id name Fake"
    talk.hear("id author")
    talk.hear("option name Game type combo default diam")
    talk.hear("option name Mood")
    talk.hear("ugiok")
    talk.say("setoption name hash value 512", "isready")
    talk.hear("readyok")
    talk.say("uginewgame", "position startpos")
    assert talk.ask("p1turn") == "true"
    talk.say("go depth 4")
    assert talk.hear("bestmove") == "bestmove o@1"
    talk.say("position startpos moves o@1")
    assert talk.ask("p1turn") == "false"
    assert talk.ask("gameover") == "false"
    assert talk.ask("result") == "none"


def test_nothing_expensive_is_done_before_isready(talk: Conversation, thinker: FakeThinker) -> None:
    talk.say("ugi", "position startpos moves r@1")
    assert talk.ask("islegal m@1") == "true"
    assert thinker.loaded == []
    talk.say("isready")
    talk.hear("readyok")
    assert thinker.loaded == [quinconce.game("diam")]
    talk.say("isready")
    talk.hear("readyok")
    assert len(thinker.loaded) == 1


def test_queries_are_answered_while_it_loads(talk: Conversation, thinker: FakeThinker) -> None:
    thinker.may_load.clear()
    talk.say("isready")
    assert talk.ask("gameover") == "false"
    assert "readyok" not in talk.heard
    thinker.may_load.set()
    talk.hear("readyok")


def test_isready_and_queries_are_answered_while_it_thinks(
    talk: Conversation, thinker: FakeThinker
) -> None:
    thinker.may_answer.clear()
    talk.say("go infinite", "isready")
    talk.hear("readyok")
    assert talk.ask("islegal r@1") == "true"
    assert not any(line.startswith("bestmove") for line in talk.heard)
    talk.say("stop")
    talk.hear("bestmove")


def test_isready_waits_for_what_goes_on_after_an_answer(
    talk: Conversation, thinker: FakeThinker
) -> None:
    thinker.may_rest.clear()
    talk.say("isready", "go depth 1")
    talk.hear("bestmove")
    talk.say("isready")
    assert talk.ask("gameover") == "false"
    assert [line for line in talk.heard if line == "readyok"] == ["readyok"]
    thinker.may_rest.set()
    talk.hear("readyok")


def test_a_second_go_is_refused_until_the_first_is_answered(
    talk: Conversation, thinker: FakeThinker
) -> None:
    thinker.may_answer.clear()
    talk.say("go", "go")
    assert "under way" in talk.hear("info string")
    thinker.may_answer.set()
    talk.hear("bestmove")
    talk.say("go")
    talk.hear("bestmove")
    assert len(thinker.thoughts) == 2


def test_an_infinite_thought_is_answered_only_after_stop(
    talk: Conversation, thinker: FakeThinker
) -> None:
    talk.say("go infinite")
    until(lambda: thinker.thoughts)
    assert talk.ask("p1turn") == "true"
    assert not any(line.startswith("bestmove") for line in talk.heard)
    talk.say("stop")
    talk.hear("bestmove")


def test_a_stop_before_the_thought_has_begun_is_not_lost(
    talk: Conversation, thinker: FakeThinker
) -> None:
    thinker.may_load.clear()
    talk.say("isready", "go infinite", "stop")
    talk.say("query gameover")
    talk.hear("response")
    thinker.may_load.set()
    talk.hear("bestmove")
    assert thinker.thoughts[0].is_stopped()


def test_a_stop_without_a_thought_is_nothing(talk: Conversation, thinker: FakeThinker) -> None:
    talk.say("stop", "go")
    talk.hear("bestmove")
    assert thinker.stops == 0
    assert not thinker.thoughts[0].is_stopped()


def test_the_position_of_a_thought_does_not_change_meanwhile(
    talk: Conversation, thinker: FakeThinker
) -> None:
    thinker.may_answer.clear()
    talk.say("position startpos moves r@1 m@1", "go", "position startpos moves r@2")
    assert talk.ask("p1turn") == "false"
    thinker.may_answer.set()
    talk.hear("bestmove")
    assert thinker.thoughts[0].match.moves == ["r@1", "m@1"]


def test_time_is_counted_from_the_moment_that_go_was_read(
    talk: Conversation, thinker: FakeThinker
) -> None:
    talk.say("isready")
    talk.hear("readyok")
    thinker.may_rest.clear()
    talk.say("go depth 1")
    talk.hear("bestmove")
    talk.say("go movetime 1000")
    until(lambda: talk.engine.is_thinking)
    read = time.monotonic()
    thinker.may_rest.set()
    talk.hear("bestmove")
    deadline = thinker.thoughts[1].deadline
    assert deadline is not None
    assert thinker.thoughts[1].limits.seconds == pytest.approx(0.99)
    assert deadline < read + 0.99


def test_without_isready_time_is_counted_once_it_is_ready(
    talk: Conversation, thinker: FakeThinker
) -> None:
    thinker.may_load.clear()
    talk.say("go movetime 1000")
    until(lambda: talk.engine.is_thinking)
    loaded = time.monotonic()
    thinker.may_load.set()
    talk.hear("bestmove")
    deadline = thinker.thoughts[0].deadline
    assert deadline is not None
    assert deadline >= loaded + 0.99
    assert thinker.loaded == [quinconce.game("diam")]


def test_a_position_may_be_one_word(talk: Conversation) -> None:
    talk.say("setoption name Game value seega", "position startpos moves @a1+a2 @a4+a5")
    fen = talk.ask("fen")
    assert " " not in fen
    talk.say("uginewgame", f"position fen {fen}")
    assert talk.ask("fen") == fen
    talk.say(f"position fen {fen.replace('_', ' ')} moves @b1+b2")
    assert talk.ask("p1turn") == "false"


@pytest.mark.parametrize(
    ("moves", "legal", "answer"),
    [
        ("r@1", "m@1", "true"),
        ("r@1", "r@2", "false"),
        ("r@1", "nonsense", "false"),
        ("", "pass", "false"),
    ],
)
def test_islegal(talk: Conversation, moves: str, legal: str, answer: str) -> None:
    talk.say(f"position startpos moves {moves}")
    assert talk.ask(f"islegal {legal}") == answer


def test_an_unknown_question_gets_an_answer_too(talk: Conversation) -> None:
    assert talk.ask("weather") == "unknown"
    assert talk.ask("") == "unknown"
    assert talk.ask("islegal") == "unknown"


WON = "@A @D @1 @E @2 @F @C"


def test_the_end_on_the_board_is_told(talk: Conversation) -> None:
    talk.say("setoption name game value diadema", f"position startpos moves {WON}")
    assert talk.ask("gameover") == "true"
    assert talk.ask("result") == "p1win"
    assert talk.ask("islegal @B") == "false"
    talk.say("go movetime 10")
    assert talk.hear("bestmove") == "bestmove 0000"


def test_a_third_repetition_ends_the_game(talk: Conversation) -> None:
    talk.say("setoption name Game value diadema")
    there_and_back = "A-1 D-3 1-A 3-D"
    for times, over in ((1, "false"), (2, "true")):
        talk.say(f"position startpos moves @A @D {' '.join([there_and_back] * times)}")
        assert talk.ask("gameover") == over
    assert talk.ask("result") == "draw"


def test_quiet_turns_end_the_game(talk: Conversation) -> None:
    talk.say("setoption name Game value seega", "setoption name quiet value 2")
    start = "fen w.b../...../...../...../ww... turn=0 phase=2 duty=0"
    talk.say(f"position {start} moves a1-a2")
    assert talk.ask("gameover") == "false"
    talk.say(f"position {start} moves a1-a2 c5-c4")
    assert talk.ask("gameover") == "true"
    assert talk.ask("result") == "p1win"  # who has more pawns


def test_a_move_that_the_rules_refuse_loses(talk: Conversation) -> None:
    talk.say("position startpos moves r@1 r@2")
    assert "'r@2'" in talk.hear("info string")
    assert talk.ask("gameover") == "true"
    assert talk.ask("result") == "p1win"
    talk.say("go depth 1")
    assert talk.hear("bestmove") == "bestmove 0000"
    talk.say("position startpos moves r@1 m@2")
    assert talk.ask("gameover") == "false"


def test_moves_after_the_end_change_no_result(talk: Conversation) -> None:
    talk.say("setoption name Game value diadema", f"position startpos moves {WON} @B")
    talk.hear("info string")
    assert talk.ask("result") == "p1win"


def test_a_position_that_is_none_changes_nothing(talk: Conversation) -> None:
    talk.say("position startpos moves r@1", "position fen rubbish", "position")
    talk.hear("info string")
    talk.hear("info string")
    assert talk.ask("p1turn") == "false"


def test_options_are_taken_in_any_case_and_any_order(
    talk: Conversation, thinker: FakeThinker
) -> None:
    talk.say("setoption name PLAYERS value 4", "setoption name gAME value Diam")
    talk.say("setoption name MOOD value Bright", "setoption name unheard of value 3")
    talk.say("setoption NAME size VALUE 7", "isready")
    talk.hear("readyok")
    assert thinker.loaded == [quinconce.game("diam", players=4)]
    assert thinker.options == {"mood": "Bright"}
    assert not any(line.startswith("info") for line in talk.heard)


@pytest.mark.parametrize(
    ("options", "why"),
    [
        ({"Game": "chess"}, "there is no game 'chess'"),
        ({"players": "5"}, "option players cannot be '5'"),
        ({"edition": "1997", "players": "3"}, "no"),
        ({"edition": "1997", "players": "4"}, "UGI knows two sides"),
    ],
)
def test_what_cannot_be_played_is_refused_in_one_line(
    talk: Conversation, options: dict[str, str], why: str
) -> None:
    talk.say(*(f"setoption name {name} value {value}" for name, value in options.items()))
    talk.say("isready")
    assert why in talk.hear("info string")
    talk.hear("readyok")
    talk.say("position startpos moves r@1")
    assert talk.ask("islegal m@1") == "true"
    assert sum(line.startswith("info") for line in talk.heard) == 1


def test_the_options_beside_a_wrong_one_are_set(talk: Conversation, thinker: FakeThinker) -> None:
    talk.say("setoption name Game value seega", "setoption name size value 6")
    talk.say("setoption name quiet value 20", "isready")
    assert "option size cannot be '6'" in talk.hear("info string")
    talk.hear("readyok")
    assert thinker.loaded == [quinconce.game("seega", quiet=20)]


def test_another_game_has_its_own_options_again(talk: Conversation, thinker: FakeThinker) -> None:
    talk.say("setoption name edition value 1997", "isready")
    talk.hear("readyok")
    talk.say("setoption name Game value buts", "isready")
    talk.hear("readyok")
    talk.say("setoption name Game value diam", "isready")
    talk.hear("readyok")
    assert [game.form_id for game in thinker.loaded] == ["diam-1997-2", "buts", "diam-2003-2"]


def test_four_sides_are_refused_from_the_first(thinker: FakeThinker) -> None:
    with pytest.raises(ValueError, match="UGI knows two sides"):
        UgiEngine(thinker, quinconce.game("diam", edition=1997, players=4), print)


def test_unknown_commands_are_told_and_ignored(talk: Conversation) -> None:
    talk.say("xyzzy now", "", "   ", "GO")
    assert talk.hear("info string") == "info string there is no command 'xyzzy'"
    assert talk.ask("gameover") == "false"


WORDS = (
    "ugi isready uginewgame setoption name value Game players position startpos fen moves go "
    "movetime depth infinite stop query gameover result islegal r@1 m@1 pass 1 -5 99999999999999999"
)
WORD = st.one_of(st.text(max_size=8), st.sampled_from(WORDS.split(" ")))


@given(st.lists(st.lists(WORD, max_size=6).map(" ".join), max_size=8))
def test_garbage_is_survived_and_answers_have_two_words(lines: list[str]) -> None:
    heard: list[str] = []
    engine = UgiEngine(FakeThinker(), quinconce.game("diam"), heard.append)
    assert engine.run(iter([*lines, "query gameover"]))
    for line in heard:
        assert len(line.splitlines()) == 1
        if line.startswith(("bestmove", "response")):
            assert len(line.split()) == 2
    assert any(line.startswith("response") for line in heard) or "quit" in " ".join(lines).split()


def test_quit_and_the_end_of_input_stop_a_thought(thinker: FakeThinker) -> None:
    thinker.may_answer.clear()
    with Conversation(thinker, quinconce.game("buts")) as talk:
        talk.say("go infinite")
        until(lambda: thinker.thoughts)
    assert talk.ended == [True]
    thinker.may_answer.clear()
    with Conversation(thinker, quinconce.game("buts")) as talk:
        talk.say("go infinite", "quit", "query gameover")
    assert talk.ended == [True]
    assert not any(line.startswith("response") for line in talk.heard)


@pytest.mark.parametrize(
    "rules",
    [
        quinconce.game("diadema"),
        quinconce.game("diam", players=3),
        quinconce.game("diam", players=4),
        quinconce.game("seega", quiet=6),
    ],
    ids=lambda rules: rules.form_id,
)
def test_a_match_runner_gets_the_same_result_from_both_programs(
    rules: quinconce.Game[Any],
) -> None:
    """Asks as cutegames does: both programs are told every position, and asked how it ended."""
    moves: list[str] = []
    with Conversation(FakeThinker(), rules) as p1, Conversation(FakeThinker(), rules) as p2:
        for program in (p1, p2):
            program.say("ugi", "isready", "uginewgame")
            program.hear("readyok")
        while True:
            told = f"position startpos moves {' '.join(moves)}" if moves else "position startpos"
            p1.say(told)
            program = p1 if p1.ask("p1turn") == "true" else p2
            program.say("isready", told)
            program.hear("readyok")
            if program.ask("gameover") == "true":
                break
            program.say("go movetime 1000")
            _bestmove, move = program.hear("bestmove").split()
            moves.append(move)
        for program in (p1, p2):
            program.say(told)
        assert p1.ask("gameover") == p2.ask("gameover") == "true"
        result = p1.ask("result")
        assert result == p2.ask("result")
    outcome = replay(rules, None, moves).outcome()
    assert outcome
    side = rules.side(outcome.winners[0]) if outcome.winners else None
    assert result == {0: "p1win", 1: "p2win", None: "draw"}[side]
