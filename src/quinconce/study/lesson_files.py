"""The files of lessons: positions and tasks once for all languages, words for each language.

`GAME.txt` holds lines `key: value`. `lesson` and `step` begin a lesson and a step, which have
these ids; `options` of a lesson are the form of the game. A step has a `task`, see `tasks`, and an
`answer`; a `position`, or else the start of the game, from which `moves` are played; `reply`,
`refused`, `teaches` and `claim`, see `LessonStep`, where there are any.

`GAME.LANGUAGE.md` has a heading `# id: title` for each lesson and `## id: title` for each step, in
the same order. Below that of a step stand paragraphs: the text, the task, `hint: …`, `done: …`.
Whatever is wrong is a ValueError that names file and line.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Iterator
from functools import cache
from typing import Any, Final, NamedTuple, NoReturn

from quinconce.core.errors import MoveError
from quinconce.core.game import Game
from quinconce.core.match import Match
from quinconce.core.option import parse_options
from quinconce.core.registry import game, game_class
from quinconce.study.lesson import Lesson, LessonStep, LessonWords, StepWords
from quinconce.study.tasks import Attempt, Task, parse_task
from quinconce.words.voice import WORDS_FOLDER

LESSON_FOLDER: Final = WORDS_FOLDER / "lessons"
LESSON_KEYS: Final = ("lesson", "options")
STEP_KEYS: Final = (
    "step",
    "teaches",
    "position",
    "moves",
    "refused",
    "task",
    "answer",
    "reply",
    "claim",
)
CLAIMS: Final = ("only-win", "only-hold")
ID: Final = re.compile("[a-z0-9]+(-[a-z0-9]+)*")
HEADING: Final = re.compile(r"(#+) (.+?): (.+)")
WORD: Final = re.compile(r"[^\W_]+(?:['’.-][^\W_]+)*")
MOST_WORDS: Final = 40  # of the text and the task of a step together
LABELS: Final = ("hint: ", "done: ")


class FileLine(NamedTuple):
    """The value behind a key, and where it stands."""

    file: str
    number: int
    value: str

    def fail(self, why: object) -> NoReturn:
        """ValueError that names file and line."""
        raise ValueError(f"{self.file}, line {self.number}: {why}") from None

    def check(self, function: Callable[[str], Any]) -> Any:
        """What a function makes of the value; its ValueError gets file and line."""
        try:
            return function(self.value)
        except ValueError as error:
            why = error.why if isinstance(error, MoveError) else error.args[0]
            return self.fail(why)


Block = dict[str, FileLine]  # the lines of a lesson's head or of a step, by their keys


# Positions and tasks.


def parse_lessons(name: str, text: str, file: str) -> tuple[Lesson, ...]:
    """The lessons of a game."""
    lessons: list[tuple[FileLine, Game[Any], list[LessonStep]]] = []
    seen: set[str] = set()
    for block in blocks(text, file):
        first = next(iter(block.values()))
        if first.value in seen or not ID.fullmatch(first.value):
            first.fail(f"{first.value!r} is not an id, or not a new one")
        seen.add(first.value)
        if "lesson" in block:
            options = block.get("options", first._replace(value=""))
            rules = options.check(lambda value: game(name, **parse_options(value.split())))
            lessons.append((first, rules, []))
        elif not lessons:
            first.fail("a step stands before the first lesson")
        else:
            lessons[-1][2].append(parse_step(lessons[-1][1], block))
    for first, _rules, steps in lessons:
        if not steps:
            first.fail("a lesson has no steps")
    return tuple(Lesson(first.value, rules, tuple(steps)) for first, rules, steps in lessons)


def blocks(text: str, file: str) -> Iterator[Block]:
    """The lines from one `lesson` or `step` to the next."""
    block: Block = {}
    for number, whole in enumerate(text.splitlines(), start=1):
        if not whole.strip() or whole.startswith("#"):
            continue
        key, colon, value = whole.partition(":")
        line = FileLine(file, number, value.strip())
        if key in ("lesson", "step"):
            if block:
                yield block
            block = {}
        if not block and key not in ("lesson", "step"):
            line.fail("nothing has begun yet")
        allowed = LESSON_KEYS if "lesson" in (key, *block) else STEP_KEYS
        if not colon or key not in allowed or key in block or not line.value:
            line.fail(f"{whole!r} has no place here")
        block[key] = line
    if block:
        yield block


def parse_step(rules: Game[Any], block: Block) -> LessonStep:
    """A step from its lines; what it says of moves is checked by the rules."""
    first = block["step"]
    for key in ("task", "answer"):
        if key not in block:
            first.fail(f"the step has no {key}")
    start = block["position"].check(rules.read) if "position" in block else rules.start()
    match = first._replace(value="").check(lambda _value: Match(rules, start))
    moves = words_of(block, "moves")
    play_all(match, block.get("moves"), moves)
    step = LessonStep(
        id=first.value,
        game=rules,
        start=start,
        moves=moves,
        task=block["task"].check(parse_task),
        answer=block["answer"].value,
        replies=words_of(block, "reply"),
        refused=words_of(block, "refused"),
        teaches=words_of(block, "teaches"),
        claim=block["claim"].value if "claim" in block else None,
    )
    check_step(step, block)
    return step


def words_of(block: Block, key: str) -> tuple[str, ...]:
    """The words behind a key; none where the key is missing."""
    return tuple(block[key].value.split()) if key in block else ()


def play_all(match: Match[Any], line: FileLine | None, moves: Iterable[str]) -> None:
    """Play moves that stand on a line."""
    for text in moves:
        assert line is not None
        line._replace(value=text).check(match.play)


def check_step(step: LessonStep, block: Block) -> None:
    """ValueError if the answer, the replies or what is refused are not what the rules say."""
    if "claim" in block and step.claim not in CLAIMS:
        block["claim"].fail(f"{step.claim!r} is not a claim: write {' or '.join(CLAIMS)}")
    for text in step.refused:
        if is_playable(step, text):
            block["refused"].fail(f"{text} is not refused")
    match = step.match()
    block["answer"].check(match.play)
    task: Task = step.task
    if not task.is_met(Attempt(match)):
        block["answer"].fail(f"{step.answer} does not do the task")
    if step.replies and not any(is_playable(step, step.answer, text) for text in step.replies):
        block["reply"].fail(f"no reply is legal after {step.answer}")


def is_playable(step: LessonStep, *moves: str) -> bool:
    """Whether the rules allow moves in the position of a step."""
    try:
        step.match(moves)
    except MoveError:
        return False
    return True


# Words.


def parse_words(lessons: tuple[Lesson, ...], text: str, file: str) -> LessonWords:
    """The words of a game's lessons in one language."""
    wanted = [
        (mark, id_)
        for lesson in lessons
        for mark, id_ in (("#", lesson.id), *(("##", step.id) for step in lesson.steps))
    ]
    found = LessonWords({}, {})
    end = FileLine(file, len(text.splitlines()), "")
    sections = list(split_sections(text, file))
    for (mark, id_), (heading, paragraphs) in zip(wanted, sections, strict=False):
        parts = HEADING.fullmatch(heading.value)
        if not parts or parts[1] != mark or parts[2] != id_:
            heading.fail(f"{mark} {id_}: should stand here")
        if mark == "#":
            if paragraphs:
                paragraphs[0].fail("a lesson has a title only; this belongs to no step")
            found.titles[id_] = parts[3]
        else:
            found.steps[id_] = parse_step_words(heading, parts[3], paragraphs)
    if len(sections) > len(wanted):
        sections[len(wanted)][0].fail("there is no such step")
    if len(sections) < len(wanted):
        end.fail(f"{' '.join(wanted[len(sections)])} is missing")
    return found


def split_sections(text: str, file: str) -> Iterator[tuple[FileLine, list[FileLine]]]:
    """Every heading with the paragraphs below it, each on one line."""
    heading: FileLine | None = None
    paragraphs: list[FileLine] = []
    inside = False  # whether the line before belongs to a paragraph
    for number, whole in enumerate(text.splitlines(), start=1):
        line = FileLine(file, number, whole.strip())
        if line.value.startswith("#"):
            if heading:
                yield heading, paragraphs
            heading, paragraphs, inside = line, [], False
        elif not line.value:
            inside = False
        elif heading is None:
            line.fail("a heading should stand here")
        elif inside:
            last = paragraphs.pop()
            paragraphs.append(last._replace(value=f"{last.value} {line.value}"))
        else:
            paragraphs.append(line)
            inside = True
    if heading:
        yield heading, paragraphs


def parse_step_words(heading: FileLine, title: str, paragraphs: list[FileLine]) -> StepWords:
    """The words of a step from its paragraphs."""
    if len(paragraphs) not in (3, 4):
        heading.fail("a step has a text, a task, a hint and what was done")
    text, task, *labelled = paragraphs
    labels = LABELS if len(labelled) == 2 else LABELS[1:]
    for line, label in zip(labelled, labels, strict=True):
        if not line.value.startswith(label):
            line.fail(f"{label!r} should stand here")
    for line in (text, task):
        if line.value.startswith(LABELS):
            line.fail("the text or the task is missing")
    if (n := len(WORD.findall(f"{text.value} {task.value}"))) > MOST_WORDS:
        text.fail(f"text and task have {n} words, more than {MOST_WORDS}")
    hint, done = ("", *(line.value for line in labelled))[-2:]
    hint, done = hint.removeprefix(LABELS[0]), done.removeprefix(LABELS[1])
    return StepWords(title, text.value, task.value, hint, done)


# The lessons that are shipped.


@cache
def lessons_of(name: str) -> tuple[Lesson, ...]:
    """All lessons of a game, the first one first; none if there are none."""
    game_class(name)
    path = LESSON_FOLDER / f"{name}.txt"
    if not path.exists():
        return ()
    return parse_lessons(name, path.read_text(encoding="utf-8"), path.name)


@cache
def words_of_lessons(name: str, language: str) -> LessonWords:
    """What the lessons of a game say in a language."""
    lessons = lessons_of(name)
    if not lessons:
        return LessonWords({}, {})
    path = LESSON_FOLDER / f"{name}.{language}.md"
    return parse_words(lessons, path.read_text(encoding="utf-8"), path.name)


@cache
def steps_of(name: str) -> dict[str, LessonStep]:
    """All steps of a game in the order in which they are taught, by their ids."""
    return {step.id: step for lesson in lessons_of(name) for step in lesson.steps}
