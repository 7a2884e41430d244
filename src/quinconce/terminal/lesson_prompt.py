"""The prompt at which people take lessons in the terminal, step by step."""

from __future__ import annotations

from contextlib import suppress
from typing import Final

from rich.console import Console
from rich.text import Text

from quinconce.core.phrase import Phrase, _
from quinconce.study.lesson import LessonStep, StepWords, judge_step
from quinconce.study.lesson_files import lessons_of, words_of_lessons
from quinconce.terminal.prompt import Prompt, enable_line_editing
from quinconce.words import Voice

LESSON_HELP: Final = _(
    "Type a move, or: moves (all legal moves), show (the board), retry, solution, next, back,"
    " help, quit"
)


class LessonPrompt(Prompt):
    """Shows the steps of a game's lessons, and judges the moves that are typed."""

    def __init__(self, name: str, first: str, console: Console, say: Voice) -> None:
        self.words = words_of_lessons(name, say.language)
        self.steps = [(lesson, step) for lesson in lessons_of(name) for step in lesson.steps]
        ids = [step.id for _lesson, step in self.steps]
        self.index = ids.index(first)
        self.done = False  # whether the step is done
        super().__init__(self.step.match(), console, say)
        self.commands |= {
            _("retry"): self.show_step,
            _("solution"): self.print_answer,
            _("next"): self.next_step,
            _("back"): self.previous_step,
        }

    @property
    def step(self) -> LessonStep:
        """The step to play now."""
        return self.steps[self.index][1]

    @property
    def step_words(self) -> StepWords:
        """What the step says."""
        return self.words.steps[self.step.id]

    def run(self) -> None:
        """Ask for moves until all steps are done or somebody leaves."""
        enable_line_editing()
        self.help()
        self.show_step()
        with suppress(EOFError, KeyboardInterrupt):
            while not self.handle_input(self.ask(self.question())):
                pass

    def question(self) -> Phrase:
        """What stands before what is typed."""
        return _("Enter to go on > ") if self.done else _("your move > ")

    def handle_input(self, typed: str) -> bool | None:
        """Do what was typed; Enter alone goes on from a step that is done. True to leave."""
        if self.done and not typed:
            return self.next_step()
        return super().handle_input(typed)

    def play_move(self, typed: str) -> bool | None:
        """Judge a move and reply to it; True to leave, after the last step."""
        try:
            answer = judge_step(self.step, typed)
        except ValueError as error:
            self.print_refusal(error)
            return None
        if not answer.right:
            if answer.refutation:
                self.print_phrase(answer.refutation)
            self.print_text(self.step_words.hint)
            return None
        self.match = self.step.match(answer.moves)
        self.done = True
        self.show()
        self.print_text(self.step_words.done)
        return self.next_step() if self.step is self.steps[-1][1] else None

    def show_step(self, _rest: str = "") -> None:
        """Print the step, from its start."""
        lesson, step = self.steps[self.index]
        self.match = step.match()
        self.done = False
        number, of = lesson.steps.index(step) + 1, len(lesson.steps)
        self.console.print()
        self.print_phrase(
            _(
                "{lesson}, {number} of {of}: {title} ({id})",
                lesson=self.words.titles[lesson.id],
                number=number,
                of=of,
                title=self.step_words.title,
                id=step.id,
            )
        )
        self.show()
        self.print_text(self.step_words.text)
        self.console.print(Text(self.step_words.task, style="bold"))

    def next_step(self, _rest: str = "") -> bool:
        """Go on to the next step; True after the last."""
        if self.index + 1 == len(self.steps):
            self.print_phrase(_("That was the last step."))
            return True
        self.index += 1
        self.show_step()
        return False

    def previous_step(self, _rest: str) -> None:
        """Go back one step; the first is shown again."""
        self.index = max(0, self.index - 1)
        self.show_step()

    def print_answer(self, _rest: str) -> None:
        """Print a move that does the task."""
        self.print_phrase(_("For example {move}.", move=self.step.answer))

    def print_text(self, text: str) -> None:
        """Print words of a lesson, which are in the right language already."""
        self.console.print(Text(text))

    def help(self, _rest: str = "") -> None:
        """Print what can be typed."""
        self.print_phrase(LESSON_HELP)
