"""The Python side of a board in a notebook: touches play in the match, and threads do no harm."""

from __future__ import annotations

import subprocess
import sys
import threading
from typing import Any

import pytest
from waiting import until

import quinconce
from quinconce import IllegalMoveError, Match, game
from quinconce.bridges import notebook
from quinconce.bridges.notebook import BoardWidget
from quinconce.engine.slices import AnalysisReport, ReportLine


class Board:
    """A widget, what a view does with it, and what it answers."""

    def __init__(self, match: Match[Any], **looks: Any) -> None:
        self.widget = quinconce.widget(match, language="en", **looks)
        self.answers: list[dict[str, Any]] = []
        self.widget.send = self.take

    def take(self, answer: dict[str, Any], _buffers: object = None) -> None:
        self.answers.append(answer)

    def act(self, act: str, **details: Any) -> None:
        """What a view sends that has seen the last position."""
        self.send({"act": act, "ply": self.widget.scene["ply"], **details})

    def send(self, message: dict[str, Any]) -> None:
        self.widget._handle_custom_msg(message, [])


@pytest.fixture
def match() -> Match[Any]:
    return Match(game("diam"))


@pytest.fixture
def board(match: Match[Any]) -> Board:
    return Board(match)


def test_what_is_touched_is_played_in_the_match(board: Board, match: Match[Any]) -> None:
    seen: list[list[str]] = []
    board.widget.observe(lambda change: seen.append(change["new"]), "moves")
    for move in ("r@1", "m@1", "r@5", "m@5"):
        board.act("play", move=move)
    assert board.widget.match is match
    assert match.moves == ["r@1", "m@1", "r@5", "m@5"] == seen[-1]
    assert match.outcome()
    assert board.widget.scene["outcome"]["winners"] == [1]
    assert not board.answers


def test_a_move_that_the_rules_refuse_is_answered_with_the_reason(board: Board) -> None:
    board.act("play", move="m@1")
    assert board.answers == [{"refused": "the brown reserve is not yours"}]
    assert board.widget.moves == []


def test_a_touch_of_a_view_that_is_late_is_not_played(board: Board, match: Match[Any]) -> None:
    for _view in range(2):
        board.send({"act": "play", "ply": 0, "move": "r@1"})
    assert match.moves == ["r@1"]
    assert board.answers == [{"refused": ""}]


@pytest.mark.parametrize(
    "message", [{}, {"act": "dance"}, {"act": "play"}, {"act": "narrow", "touched": 3}]
)
@pytest.mark.parametrize("ply", [0, "0", None])
def test_a_message_that_means_nothing_changes_nothing(
    board: Board, match: Match[Any], message: dict[str, Any], ply: object
) -> None:
    board.send({"ply": ply, **message})
    assert match.moves == []
    assert board.answers == [{"refused": ""}]


def test_moves_are_taken_back(board: Board, match: Match[Any]) -> None:
    board.act("play", move="r@1")
    board.act("undo")
    board.act("undo")
    assert match.moves == []
    assert board.answers == [{"refused": "there is no move to take back"}]


def test_python_plays_on_the_board_too(board: Board) -> None:
    board.widget.play("R@1")
    assert board.widget.scene["last"] == "r@1"
    with pytest.raises(IllegalMoveError):
        board.widget.play("r@2")
    assert board.widget.undo() == "r@1"
    assert board.widget.scene["ply"] == 0


def test_another_match_can_be_shown(board: Board) -> None:
    other = Match(game("diadema"))
    other.play("@A")
    board.widget.match = other
    assert board.widget.moves == ["@A"]
    assert board.widget.scene["position"] == other.game.write(other.position)


def test_what_a_cell_does_to_the_match_is_shown(board: Board, match: Match[Any]) -> None:
    match.play("r@1")
    board.widget._follow_cell()
    assert board.widget.moves == ["r@1"]
    match.resign(1)
    board.widget._follow_cell()
    assert board.widget.scene["outcome"]["reason"] == "resignation"


def test_a_turned_board_is_drawn_from_the_other_side(board: Board) -> None:
    before = board.widget.scene["svg"]
    board.widget.flipped = True
    assert board.widget.scene["svg"] != before
    board.widget.flipped = False
    assert board.widget.scene["svg"] == before


def test_it_speaks_french(match: Match[Any]) -> None:
    widget = quinconce.widget(match, language="fr")
    assert widget.scene["status"].startswith("Au tour de Joueur 1")
    assert widget.phrases["turn_board"] == "Tourner le plateau"
    assert widget.language == "fr"


def test_there_is_no_eleventh_level(match: Match[Any], board: Board) -> None:
    with pytest.raises(ValueError, match="11"):
        quinconce.widget(match, level=11)
    with pytest.raises(ValueError, match="0"):
        board.widget.level = 0
    assert board.widget.level == 5


def test_what_is_no_match_is_refused(board: Board, match: Match[Any]) -> None:
    with pytest.raises(TypeError, match="a widget shows a Match, not str"):
        quinconce.widget("diam")  # type: ignore[arg-type]
    with pytest.raises(TypeError, match="a widget shows a Match, not int"):
        board.widget.match = 5  # type: ignore[assignment]
    assert board.widget.match is match


def test_a_language_that_it_does_not_speak_is_refused(match: Match[Any]) -> None:
    with pytest.raises(ValueError, match="there is no language 'de': choose among en, fr"):
        quinconce.widget(match, language="de")


def test_a_missing_extra_is_named_in_one_line(
    match: Match[Any], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setitem(sys.modules, "anywidget", None)
    monkeypatch.delitem(sys.modules, "quinconce.bridges.notebook")
    with pytest.raises(ImportError, match=r"pip install quinconce\[notebook\]$"):
        quinconce.widget(match)


@pytest.mark.process
def test_a_program_without_a_notebook_loads_nothing_of_it() -> None:
    code = "import sys, quinconce; print(*sys.modules)"
    loaded = set(subprocess.check_output([sys.executable, "-c", code], text=True).split())
    assert not loaded & {"anywidget", "IPython", "msgspec", "quinconce.bridges", "quinconce.engine"}


@pytest.mark.process
def test_a_script_that_ends_with_a_board_says_nothing() -> None:
    code = "import quinconce as q; board = q.widget(q.Match(q.game('diam')))"
    done = subprocess.run([sys.executable, "-c", code], check=True, capture_output=True)
    assert (done.stdout, done.stderr) == (b"", b"")


class Shell:
    """What runs the cells of a notebook, and calls who has asked for it."""

    def __init__(self) -> None:
        self.events = self
        self.called: list[Any] = []

    def register(self, event: str, call: Any) -> None:
        assert event == "post_run_cell"
        self.called.append(call)

    def unregister(self, event: str, call: Any) -> None:
        self.called.remove(call)


def test_a_board_follows_cells_until_it_is_closed(
    match: Match[Any], monkeypatch: pytest.MonkeyPatch
) -> None:
    shell = Shell()
    monkeypatch.setattr(notebook, "get_ipython", lambda: shell)
    widget = quinconce.widget(match)
    match.play("r@1")
    for call in shell.called:
        call("the result of the cell")
    assert widget.moves == ["r@1"]
    widget.close()
    widget.close()
    assert shell.called == []


# The engine.


class Thought:
    """An engine that a test holds until it lets it go."""

    def __init__(self) -> None:
        self.begun, self.may_end = threading.Event(), threading.Event()

    def choose(self, match: Match[Any], level: int) -> str:
        self.begun.set()
        until(self.may_end.is_set)
        return next(iter(match.legal()))


@pytest.fixture
def thought(monkeypatch: pytest.MonkeyPatch) -> Thought:
    thought = Thought()
    monkeypatch.setattr(notebook, "choose", thought.choose)
    return thought


def test_the_engine_moves_when_it_is_asked_to(
    board: Board, match: Match[Any], thought: Thought
) -> None:
    board.act("engine")
    until(thought.begun.is_set)
    assert board.widget.thinking
    board.act("play", move="r@1")  # not while it thinks
    assert match.moves == []
    thought.may_end.set()
    until(lambda: board.widget.moves)
    assert board.widget.moves == match.moves
    assert not board.widget.thinking


def test_a_move_for_another_position_than_that_on_show_is_dropped(
    board: Board, match: Match[Any], thought: Thought
) -> None:
    board.act("engine")
    until(thought.begun.is_set)
    board.widget.play("o@8")
    [thread] = [each for each in threading.enumerate() if each.name == "quinconce-widget"]
    thought.may_end.set()
    thread.join()
    assert match.moves == ["o@8"]
    assert not board.widget.thinking


def test_after_the_end_the_engine_has_no_move(board: Board, match: Match[Any]) -> None:
    match.resign(0)
    board.widget.update()
    board.act("engine")
    assert board.answers == [{"refused": "the game is over: there is no move to choose"}]


def test_an_engine_that_fails_leaves_the_board_to_play_on(
    board: Board, match: Match[Any], monkeypatch: pytest.MonkeyPatch
) -> None:
    def fail(match: Match[Any], level: int) -> str:
        raise ValueError("no engine today")

    monkeypatch.setattr(notebook, "choose", fail)
    board.act("engine")
    until(lambda: board.answers)
    assert board.answers == [{"refused": "no engine today"}]
    until(lambda: not board.widget.thinking)
    board.act("play", move="r@1")
    assert match.moves == ["r@1"]


class Search:
    """A search that goes one ply deeper with every slice, for ever."""

    def __init__(self, match: Match[Any], *, lines: int) -> None:
        self.match, self.depth = match, 0

    def run(self, seconds: float) -> AnalysisReport:
        self.depth += 1
        line = ReportLine((next(iter(self.match.legal())),), 0.75)
        return AnalysisReport(self.depth, 10 * self.depth, 0.1, (line,), done=self.depth == 50)


@pytest.fixture
def searching(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(notebook, "SlicedSearch", Search)


def analysis_threads() -> list[threading.Thread]:
    return [each for each in threading.enumerate() if each.name == "quinconce-widget"]


@pytest.mark.usefixtures("searching")
def test_an_analysis_follows_the_position_on_show(board: Board, match: Match[Any]) -> None:
    board.widget.analysing = True
    found = until(lambda: board.widget.analysis.get("lines"))
    assert found[0]["moves"] == [next(iter(match.legal()))]
    assert found[0]["words"] == "expected score 75 %"
    board.act("play", move="r@1")
    found = until(lambda: board.widget.analysis.get("lines"))
    assert found[0]["moves"] == [next(iter(match.legal()))]
    board.widget.analysing = False
    for thread in analysis_threads():
        thread.join()


@pytest.mark.usefixtures("searching")
def test_an_analysis_ends_at_its_end_and_with_the_board(board: Board) -> None:
    board.widget.analysing = True
    until(lambda: board.widget.analysis.get("done"))
    board.widget.analysing = False
    board.widget.analysing = True
    board.widget.close()
    for thread in analysis_threads():
        thread.join()


def test_widgets_are_known_by_their_class(match: Match[Any]) -> None:
    assert isinstance(quinconce.widget(match), BoardWidget)
