"""What a page shows of lessons: a step with its position, and what became of a move in it."""

from __future__ import annotations

from msgspec import Struct

from quinconce.core.registry import names
from quinconce.server.views.match import sits_on_far_side
from quinconce.server.views.pictures import puzzle_diagram
from quinconce.server.views.position import PositionView, position_view
from quinconce.study.lesson import Lesson, LessonStep, StepJudgement
from quinconce.study.lesson_files import lessons_of, steps_of, words_of_lessons
from quinconce.words import Voice


class LessonStepView(Struct, frozen=True):
    """A step to be played: its words, the position with its legal moves, and its neighbours."""

    id: str
    game: str
    options: dict[str, str | int]
    lesson: str  # the title of its lesson
    number: int  # in its lesson, from 1
    of: int  # steps of its lesson
    title: str
    text: str
    task: str
    answer: str  # a move that does the task
    previous: str | None  # the ids of the steps before and after it
    next: str | None
    flipped: bool  # whether the board is seen from its far side
    scene: PositionView
    only_answer: bool  # whether no other move does the task


class LessonJudgement(Struct, frozen=True):
    """What became of a move: right, or else the position before it stands."""

    right: bool
    words: str
    moves: list[str]  # the move and the reply to it; none if it was wrong
    scenes: list[PositionView]  # after each of these moves


class StepLink(Struct, frozen=True):
    """A step in a list."""

    id: str
    title: str


class LessonLinks(Struct, frozen=True):
    """A lesson in a list, with its steps."""

    id: str
    title: str
    steps: list[StepLink]


def step_ids() -> dict[str, list[str]]:
    """The ids of all steps by the names of games, with which a page counts those done."""
    return {name: list(steps_of(name)) for name in names()}


def lesson_links(name: str, language: str) -> list[LessonLinks]:
    """The lessons of a game, to choose from."""
    words = words_of_lessons(name, language)
    return [
        LessonLinks(
            lesson.id,
            words.titles[lesson.id],
            [StepLink(step.id, words.steps[step.id].title) for step in lesson.steps],
        )
        for lesson in lessons_of(name)
    ]


class SheetStep(Struct, frozen=True):
    """A step on paper."""

    number: int
    title: str
    text: str
    task: str
    answer: str
    done: str
    svg: str


def sheet_steps(lesson: Lesson, say: Voice) -> list[SheetStep]:
    """What a sheet shows of the steps of a lesson."""
    words = words_of_lessons(lesson.game.name, say.language).steps
    return [
        SheetStep(
            number=n,
            title=words[step.id].title,
            text=words[step.id].text,
            task=words[step.id].task,
            answer=step.answer,
            done=words[step.id].done,
            svg=puzzle_diagram(step.match(), say, f"step-{n}-"),
        )
        for n, step in enumerate(lesson.steps, start=1)
    ]


def lesson_of(step: LessonStep) -> Lesson:
    """The lesson that a step belongs to."""
    return next(lesson for lesson in lessons_of(step.game.name) if step in lesson.steps)


def is_flipped(step: LessonStep) -> bool:
    """Whether the learner plays on the far side of the board."""
    return sits_on_far_side(step.game, step.seat)


def step_view(step: LessonStep, say: Voice) -> LessonStepView:
    """A step, in one language."""
    name, lesson = step.game.name, lesson_of(step)
    words, ids = words_of_lessons(name, say.language), list(steps_of(name))
    at, text = ids.index(step.id), words.steps[step.id]
    return LessonStepView(
        id=step.id,
        game=name,
        options=dict(step.game.chosen),
        lesson=words.titles[lesson.id],
        number=lesson.steps.index(step) + 1,
        of=len(lesson.steps),
        title=text.title,
        text=text.text,
        task=text.task,
        answer=step.answer,
        previous=ids[at - 1] if at else None,
        next=ids[at + 1] if at + 1 < len(ids) else None,
        flipped=is_flipped(step),
        scene=scene_after(step, (), say),
        only_answer=step.has_one_answer,
    )


def judgement_view(step: LessonStep, answer: StepJudgement, say: Voice) -> LessonJudgement:
    """What became of a move, by the answer of its judge."""
    words = words_of_lessons(step.game.name, say.language).steps[step.id]
    shown = words.done
    if not answer.right:
        shown = " ".join((say(answer.refutation), words.hint)) if answer.refutation else words.hint
    scenes = [scene_after(step, answer.moves[:ply], say) for ply in range(1, len(answer.moves) + 1)]
    return LessonJudgement(answer.right, shown, list(answer.moves), scenes)


def scene_after(step: LessonStep, moves: tuple[str, ...], say: Voice) -> PositionView:
    """The position after moves of the learner and replies; only the learner has moves to make."""
    return position_view(
        step.match(moves), say, legal=not moves, flipped=is_flipped(step), mine=(step.seat,)
    )
