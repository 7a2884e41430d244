"""The pages of lessons: every lesson played in a browser, progress, layout, for everybody."""

from __future__ import annotations

import re
from typing import Any, NamedTuple

import pytest
from browser_users import PICTURES, BrowserUser, Visit, long, violations
from playwright.sync_api import expect

import quinconce
from quinconce.study.lesson import Lesson, judge_step
from quinconce.study.lesson_files import lessons_of, steps_of, words_of_lessons

DESKTOP = {"width": 1440, "height": 900}
PHONE = {"width": 360, "height": 740}


class Way(NamedTuple):
    """How somebody takes a lesson."""

    keys: bool
    viewport: dict[str, int]
    language: str


WAYS = (
    Way(False, DESKTOP, "en"),
    Way(True, PHONE, "fr"),
    Way(False, PHONE, "en"),
    Way(True, DESKTOP, "fr"),
    Way(False, PHONE, "fr"),
    Way(True, DESKTOP, "en"),
)
LESSONS = [lesson for name in quinconce.names() for lesson in lessons_of(name)]
IDS = [f"{lesson.game.name}-{lesson.id}" for lesson in LESSONS]
FIRST_LESSONS = [lessons_of(name)[0] for name in quinconce.names()]
TAKEN = [(lesson, WAYS[n % len(WAYS)]) for n, lesson in enumerate(LESSONS)]


def open_step(somebody: BrowserUser, path: str) -> None:
    """Open the page of a step; its board can be touched."""
    somebody.go(path)
    expect(somebody.page.locator("game-board [tabindex='0']")).to_have_count(1)


def fits(somebody: BrowserUser) -> bool:
    """Whether the words, the board and the buttons are in the window, and nothing is wider."""
    found: bool = somebody.page.evaluate(
        "document.querySelector('.needed').getBoundingClientRect().bottom <= innerHeight"
        " && document.querySelector('.lesson-words').getBoundingClientRect().top >= 0"
        " && document.documentElement.scrollWidth <= innerWidth"
    )
    return found


def wrong_move(lesson: Lesson) -> tuple[int, str] | None:
    """The first step of a lesson that has a legal move which is not asked for, and that move."""
    words = words_of_lessons(lesson.game.name, "en").steps
    for n, step in enumerate(lesson.steps):
        for text in step.match().legal() if words[step.id].hint else ():
            if not judge_step(step, text).right:
                return n, text
    return None


@pytest.mark.parametrize(
    ("lesson", "way"),
    [
        case if case[0] in FIRST_LESSONS else pytest.param(*case, marks=pytest.mark.long)
        for case in TAKEN
    ],
    ids=IDS,
)
def test_a_lesson_is_taken(lesson: Lesson, way: Way, visit: Visit) -> None:
    locale = {"en": "en-GB", "fr": "fr-FR"}[way.language]
    somebody, name = visit(viewport=way.viewport, locale=locale), lesson.game.name
    page, words = somebody.page, words_of_lessons(name, way.language).steps
    wrong = wrong_move(lesson)
    open_step(somebody, f"/learn/{name}/{lesson.steps[0].id}")
    for n, step in enumerate(lesson.steps):
        expect(page.locator("#step-title")).to_have_text(words[step.id].title)
        expect(page.locator("#task")).to_have_text(words[step.id].task)
        assert fits(somebody), step.id
        if wrong and n == wrong[0]:
            somebody.touch(wrong[1], keys=way.keys)
            expect(page.locator("#wrong")).to_contain_text(words[step.id].hint)
        somebody.touch(step.answer, keys=way.keys)
        expect(page.locator("#status")).to_have_text(words[step.id].done)
        expect(page.locator(".needed .main:visible")).to_be_focused()
        assert fits(somebody), step.id
        if step.id != lesson.steps[-1].id:
            page.keyboard.press("Enter") if way.keys else page.click("[data-act=next]")
    expect(page.locator(".steps .done")).to_have_count(len(lesson.steps))


def test_progress_is_kept_and_shown(visit: Visit) -> None:
    somebody = visit()
    page = somebody.go("/learn/diadema")
    expect(page.locator("[data-lessons]")).to_be_hidden()
    page.click("#start")
    expect(page).to_have_url(re.compile("/learn/diadema/place$"))
    somebody.touch("@A")
    expect(page.locator("#progress")).to_have_text("Lessons: 1 of 14 steps done")
    page.click("[data-act=next]")
    expect(page).to_have_url(re.compile("/learn/diadema/step$"))
    expect(page).to_have_title(re.compile("^One step · "))
    page.go_back()
    expect(page.locator("#step-title")).to_have_text("A first ball")
    somebody.go("/learn/diadema")
    expect(page.locator("[data-lessons]")).to_have_text("Lessons: 1 of 14 steps done")
    expect(page.locator("[data-step=place]")).to_have_attribute("aria-label", "A first ball, done")
    page.get_by_role("link", name="Go on").click()
    expect(page).to_have_url(re.compile("/learn/diadema/step$"))
    for path in ("/", "/learn"):
        somebody.go(path)
        lines = page.locator("[data-lessons]:visible")
        expect(lines).to_have_text(["Lessons: 1 of 14 steps done"])


def test_somebody_starts_again(visit: Visit) -> None:
    somebody = visit()
    page = somebody.go("/learn/diadema")
    page.evaluate('localStorage.lessons = \'{"diadema": ["place"], "diam": ["place"]}\'')
    page.reload()
    expect(page.locator("#start")).to_have_text("Go on")
    page.get_by_role("button", name="Start again").click()
    expect(page.locator("#start")).to_have_text("Start")
    expect(page.locator("#restart")).to_be_hidden()
    somebody.go("/learn")  # what is done of other games stays
    expect(page.locator("[data-lessons]:visible")).to_have_text(["Lessons: 1 of 28 steps done"])


def test_what_is_stored_may_be_nonsense(visit: Visit) -> None:
    somebody = visit()
    for nonsense in ("[]", "{", "null", '{"diam": 3}'):
        somebody.go("/learn/diam")
        somebody.page.evaluate("(text) => localStorage.setItem('lessons', text)", nonsense)
        open_step(somebody, "/learn/diam/place")
        somebody.touch("r@1")
        expect(somebody.page.locator("#progress")).to_have_text(re.compile(": 1 of 28 "))


def test_a_step_is_skipped_tried_again_and_shown(visit: Visit) -> None:
    somebody = visit()
    open_step(somebody, "/learn/diam/carry")
    page = somebody.page
    page.fill("#typed-move", "2.1-1")
    page.press("#typed-move", "Enter")
    expect(page.locator("#wrong")).to_have_text("the pawn at 2.1 is not yours to move")
    page.click("[data-act=answer]")
    expect(page.locator("#whisper")).to_have_text("For example 2.2-3.")
    expect(page.locator("game-board .picked")).to_have_attribute("data-place", "2.2")
    page.fill("#typed-move", "2.2-3")
    page.press("#typed-move", "Enter")
    expect(page.locator("[data-act=next]")).to_have_text("Next")
    page.click("[data-act=retry]")
    expect(page.locator("[data-act=next]")).to_have_text("Skip this step")
    somebody.touch("2.2-1")
    expect(page.locator("#status")).to_contain_text("Red has carried black along")
    page.locator("body").click(position={"x": 2, "y": 2})  # the focus is nowhere
    page.keyboard.press("Enter")
    expect(page.locator("#step-title")).to_have_text("Four at most")
    page.click("[data-act=next]")
    expect(page.locator("#step-title")).to_have_text("Carried to victory")
    page.click("[data-act=previous]")
    expect(page.locator("#step-title")).to_have_text("Four at most")
    open_step(somebody, "/learn/diam/neighbour")  # the last one leads back to all lessons
    page.click("[data-act=next]")
    expect(page).to_have_url(re.compile("/learn/diam$"))


def test_an_edition_has_its_lesson_at_hand(visit: Visit) -> None:
    page = visit().go("/learn/diam?edition=1997")
    page.get_by_role("link", name="The rules of 1997").click()
    expect(page).to_have_url(re.compile("/learn/diam/empty-cell$"))


LOOKS: dict[str, tuple[list[str], dict[str, Any]]] = {
    "wide-light": (["diam", "seega"], {"viewport": DESKTOP}),
    "phone-dark": (
        ["diadema", "buts"],
        {"viewport": PHONE, "color_scheme": "dark", "locale": "fr-FR"},
    ),
}


@pytest.mark.parametrize("look", ["phone-dark", *long(["wide-light"])])
def test_the_pages_are_for_everybody(look: str, visit: Visit) -> None:
    games, looks = LOOKS[look]
    somebody = visit(**looks)
    page = somebody.page
    PICTURES.mkdir(exist_ok=True)
    firsts = {name: next(iter(steps_of(name))) for name in games}
    for path in (f"/learn/{games[0]}", *(f"/learn/{name}/{id_}" for name, id_ in firsts.items())):
        somebody.go(path)
        if name := path.split("/")[2] if path.count("/") == 3 else "":
            open_step(somebody, path)
            somebody.touch(steps_of(name)[firsts[name]].answer)
            expect(page.locator("#status.mine")).to_be_visible()
        assert violations(page) == []
        assert page.evaluate("document.documentElement.scrollWidth <= innerWidth")
        page.screenshot(path=PICTURES / f"{path[1:].replace('/', '-')}-{look}.png")


@pytest.mark.parametrize("locale", [*long(["en-GB"]), "fr-FR"])
def test_a_class_gets_its_lesson_on_paper(locale: str, visit: Visit) -> None:
    visitor = visit(locale=locale)
    for name in quinconce.names():
        page = visitor.go(f"/learn/{name}/print")
        steps = lessons_of(name)[0].steps
        expect(page.locator(".sheet-puzzles .picture")).to_have_count(len(steps))
        expect(page.locator(".solutions li")).to_have_count(len(steps))
        paper = page.pdf(format="A4", prefer_css_page_size=True)
        assert len(re.findall(rb"/Type\s*/Page\b", paper)) == 2, name  # and one of solutions
    last = lessons_of(name)[-1]
    page.select_option("[name=lesson]", last.id)
    page.get_by_role("button", name=re.compile("Show|Afficher")).click()
    expect(page.locator(".sheet-puzzles .picture")).to_have_count(len(last.steps))
    assert violations(page) == []
    page.set_viewport_size({"width": 320, "height": 640})
    assert page.evaluate("document.documentElement.scrollWidth") <= 320


def test_a_lesson_refuses_a_move_for_the_reason_that_holds(visit: Visit) -> None:
    """Where capturing is compulsory, a board spells every move as a capture."""
    somebody = visit()
    open_step(somebody, "/learn/seega/capture")
    for place in ("c2", "c3"):
        somebody.click(place)
    expect(somebody.page.locator("#wrong")).to_have_text("there is a capture to make: c2xc1")


def test_an_answer_is_an_example_only_where_there_are_several(visit: Visit) -> None:
    somebody = visit(locale="fr-FR")
    for step, words in (("capture", "Jouez c2xc1."), ("slide", "Par exemple c2-e2.")):
        open_step(somebody, f"/learn/seega/{step}")
        somebody.page.click("[data-act=answer]")
        expect(somebody.page.locator("#whisper")).to_have_text(words)
