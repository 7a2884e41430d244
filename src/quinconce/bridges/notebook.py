"""A board in a notebook that one can click on: a match in Python, shown by the pages' board."""

from __future__ import annotations

import threading
from collections.abc import Callable, Mapping
from pathlib import Path
from typing import Any, Final

import msgspec
import traitlets
from anywidget import AnyWidget
from IPython.core.getipython import get_ipython

from quinconce.bridges.bundle import bundle
from quinconce.core.match import Match
from quinconce.core.move_input import play_typed
from quinconce.core.phrase import Phrase, _, quote
from quinconce.draw import stylesheet
from quinconce.engine import choose
from quinconce.engine.levels import level_by_number
from quinconce.engine.slices import SlicedSearch
from quinconce.server.views.analysis import AnalysisView, report_view
from quinconce.server.views.position import position_view
from quinconce.words import LANGUAGES, Voice, preferred_language
from quinconce.words.browser import browser_phrases

STATIC_FOLDER: Final = Path(__file__).parents[1] / "web" / "static"
BUILT_MODULE: Final = Path(__file__).with_name("widget.js")  # in an installed package
DEFAULT_LEVEL: Final = 5
ANALYSIS_LINES: Final = 3
ANALYSIS_SECONDS: Final = 60.0  # that the engine thinks about one position
SLICE_SECONDS: Final = 0.3  # after which it tells what it has found
# What only a board in a notebook says.
PHRASES: Final = {
    "take_back": _("Take back the last move"),
    "turn_board": _("Turn the board"),
    "analysis": _("Analysis"),
    "engine_move": _("Let the engine move (level {level})"),
}
NO_MOVE_TO_CHOOSE: Final = _("the game is over: there is no move to choose")


def widget_module() -> str:
    """The browser's part as one module: as the package was built, else joined from the sources."""
    if BUILT_MODULE.exists():
        return BUILT_MODULE.read_text(encoding="utf-8")
    return bundle(STATIC_FOLDER / "widget.js")


def widget_stylesheet() -> str:
    """The style of the pages, for what is inside a widget and nothing else on its page."""
    page, own = (
        (STATIC_FOLDER / name).read_text(encoding="utf-8") for name in ("style.css", "widget.css")
    )
    nested = page.replace(":root", "&")
    return f"{stylesheet()}\n.quinconce-widget {{\n{nested}}}\n{own}"


def check_match(match: object) -> Match[Any]:
    """A match; TypeError if it is something else."""
    if not isinstance(match, Match):
        raise TypeError(f"a widget shows a Match, not {type(match).__name__}")
    return match


def check_language(name: str) -> str:
    """The name of a language that Quinconce speaks; ValueError if it does not."""
    if name not in LANGUAGES:
        known = ", ".join(LANGUAGES)
        raise ValueError(
            _("there is no language {name}: choose among {known}", name=quote(name), known=known)
        )
    return name


class BoardWidget(AnyWidget):
    """A board that shows a match and plays in it what is touched.

    `match` is the match itself: it has the moves that were made on the board. What is played in
    it by Python is shown when the cell is done. `moves` can be observed.
    """

    _esm = widget_module()
    _css = widget_stylesheet()
    moves = traitlets.List(traitlets.Unicode(), read_only=True)
    level = traitlets.Int(DEFAULT_LEVEL).tag(sync=True)
    flipped = traitlets.Bool(False).tag(sync=True)
    analysing = traitlets.Bool(False).tag(sync=True)
    # For the views alone.
    scene = traitlets.Dict().tag(sync=True)
    sides = traitlets.Int().tag(sync=True)
    analysis = traitlets.Dict().tag(sync=True)
    thinking = traitlets.Bool(False).tag(sync=True)
    phrases = traitlets.Dict().tag(sync=True)
    language = traitlets.Unicode().tag(sync=True)

    def __init__(
        self,
        match: Match[Any],
        *,
        level: int = DEFAULT_LEVEL,
        flipped: bool = False,
        language: str | None = None,
    ) -> None:
        self._lock = threading.RLock()
        self._revision = 0  # counts the positions on show: an answer to an earlier one is dropped
        self._analysis_number = 0  # the same for analyses
        self._shell: Any = None  # that runs the cells
        self._match = check_match(match)
        self._voice = Voice(check_language(language or preferred_language()))
        super().__init__(
            level=level,
            flipped=flipped,
            language=self._voice.language,
            phrases=browser_phrases(self._voice) | self._say_all(PHRASES),
        )
        self.on_msg(self._receive)
        self.update()
        self._shell = get_ipython()
        if self._shell:
            self._shell.events.register("post_run_cell", self._follow_cell)

    def _say_all(self, phrases: Mapping[str, Phrase]) -> dict[str, Any]:
        return {name: self._voice(phrase) for name, phrase in phrases.items()}

    @property
    def match(self) -> Match[Any]:
        """The match on show; another one can be put in its place."""
        return self._match

    @match.setter
    def match(self, match: Match[Any]) -> None:
        self._match = check_match(match)
        self.update()

    def play(self, move: str) -> None:
        """Play a move, written as people write it; MoveError if the rules refuse it."""
        with self._lock:
            play_typed(self._match, [move])
            self.update()

    def undo(self) -> str:
        """Take back the last move; returns its text."""
        with self._lock:
            text = self._match.undo()
            self.update()
        return text

    def update(self) -> None:
        """Show the match as it is now; needed only if it was changed outside of any cell."""
        with self._lock:
            self._revision += 1
            match = self._match
            view = position_view(match, self._voice, flipped=self.flipped)
            with self.hold_sync():  # one message
                self.thinking = False
                self.sides = len(match.game.sides)
                self.scene = msgspec.to_builtins(view)
                self.analysis = {}
            self._analyse()
            self.set_trait("moves", list(match.moves))

    def close(self) -> None:
        """Take the board out of the notebook, and end what the engine thinks."""
        with self._lock:
            self._revision += 1
            self._analysis_number += 1
        if self._shell:
            self._shell.events.unregister("post_run_cell", self._follow_cell)
            self._shell = None
        super().close()

    @traitlets.validate("level")
    def _check_level(self, proposal: Any) -> int:
        level: int = proposal["value"]
        level_by_number(level, self._match.game.form_id)
        return level

    @traitlets.observe("flipped")
    def _turn(self, _change: object) -> None:
        if self.scene:
            self.update()

    @traitlets.observe("analysing")
    def _switch_analysis(self, _change: object) -> None:
        self._analyse()

    def _follow_cell(self, *_result: object) -> None:
        """Show what a cell has done to the match."""
        over = self.scene["outcome"] is not None
        if self.moves != self._match.moves or over != (self._match.outcome() is not None):
            self.update()

    # What a view asks for.

    def _receive(self, _widget: object, message: dict[str, Any], _buffers: object) -> None:
        with self._lock:
            if self.thinking or message.get("ply") != len(self._match.moves):
                return self._refuse("")  # a view has not seen yet what another has done
            try:
                self._act(message)
            except ValueError as error:
                self._refuse(error)
        return None

    def _act(self, message: dict[str, Any]) -> None:
        """Do what a view asks for; ValueError if it cannot be done."""
        match message:
            case {"act": "play", "move": move}:
                self.play(str(move))
            case {"act": "undo"}:
                self.undo()
            case {"act": "engine"}:
                self._choose()
            case {"act": "narrow", "touched": [*places], "id": question}:
                self._narrow([str(place) for place in places], question)
            case _:
                self._refuse("")

    def _refuse(self, why: object) -> None:
        """Say why something is not done; the views show the position as it is."""
        error = getattr(why, "why", None) or (why.args[0] if isinstance(why, ValueError) else why)
        self.send({"refused": self._voice(error)})

    def _narrow(self, touched: list[str], question: str) -> None:
        """Answer which moves begin with the places touched, where they are too many to list."""
        view = position_view(self._match, self._voice, touched=touched, svg=self.scene["svg"])
        self.send({"answer": question, "scene": msgspec.to_builtins(view)})

    # What the engine does, in a thread: a cell may run meanwhile.

    def _choose(self) -> None:
        if self._match.outcome():
            raise ValueError(NO_MOVE_TO_CHOOSE)
        self.thinking = True
        self._start(self._play_chosen_move, self._match.copy(), self._revision)

    def _play_chosen_move(self, match: Match[Any], revision: int) -> None:
        """Play the engine's move, unless another position is on show meanwhile."""
        try:
            move = choose(match, self.level)
        finally:
            with self._lock:
                if revision == self._revision:
                    self.thinking = False
        with self._lock:
            if revision == self._revision:
                self.play(move)

    def _analyse(self) -> None:
        """Let the engine think about the position on show, if it is asked to."""
        with self._lock:
            self._analysis_number += 1
            if self.analysing and not self._match.outcome():
                self._start(self._publish_analysis, self._match.copy(), self._analysis_number)

    def _publish_analysis(self, match: Match[Any], number: int) -> None:
        """Show what the engine finds, until another analysis is wanted, or none."""
        view, search = AnalysisView("preparing"), None
        while True:
            with self._lock:
                if number != self._analysis_number:
                    return
                self.analysis = msgspec.to_builtins(view)
            if view.done or view.seconds >= ANALYSIS_SECONDS:
                return
            search = search or SlicedSearch(match, lines=ANALYSIS_LINES)
            view = report_view(match, search.run(SLICE_SECONDS), self._voice)

    def _start(
        self, work: Callable[[Match[Any], int], None], match: Match[Any], number: int
    ) -> None:
        """Begin some work on a match, which ends if its number is not the last one any more."""

        def run() -> None:
            try:
                work(match, number)
            except ValueError as error:
                self._refuse(error)

        threading.Thread(target=run, name="quinconce-widget", daemon=True).start()
