"""The pages that a device writes: by the templates and the values of a server."""

from __future__ import annotations

from quinconce.device.match_answers import look_at
from quinconce.device.messages import HTML_TYPE, DeviceAnswer, PageRequest, answer_text, redirect
from quinconce.device.services import DeviceServices
from quinconce.server.answers import learn, pages, puzzle_pages
from quinconce.server.answers.analysis import analysis_page
from quinconce.server.answers.common import Page, view_for
from quinconce.server.answers.games import rules_values
from quinconce.server.answers.studies import study_page
from quinconce.server.language import LANGUAGE_COOKIE, negotiate_voice
from quinconce.server.security.auth import browser_hashes
from quinconce.server.settings import DAY
from quinconce.server.studies.studies import stored_content
from quinconce.server.views.match import plays_on_far_side, record_seats
from quinconce.words import LANGUAGES


def answer_page(request: PageRequest, page: Page, status: int = 200) -> DeviceAnswer:
    """A page, in the language and the colours that its reader wants.

    A language that the address asks for is to be kept in a cookie: whoever hands the page on sets
    it, because a worker cannot.
    """
    wished = request.query_params.get("lang")
    keep = f"{LANGUAGE_COOKIE}={wished}; path=/; max-age={int(400 * DAY)}; samesite=lax"
    headers = {"set-cookie": keep} if wished in LANGUAGES else {}
    answer = answer_text(pages.page_html(request, page), HTML_TYPE, headers)
    return DeviceAnswer(status, answer.headers, answer.body)


async def home(services: DeviceServices, request: PageRequest) -> DeviceAnswer:
    """The boards, one's own games, and a place for a link."""
    say, most = negotiate_voice(request), pages.MAX_RUNNING + pages.MAX_FINISHED
    held = await services.store.matches_for_keys(browser_hashes(request), most)
    running, finished = await pages.own_match_rows(services, held, say)
    return answer_page(request, pages.home_page(running, finished, request.base, say))


async def game(_services: DeviceServices, request: PageRequest, name: str) -> DeviceAnswer:
    """The rules of a game, and the form in which a match of it is set up."""
    return answer_page(request, pages.game_page(request, name))


async def match(services: DeviceServices, request: PageRequest, match: str) -> DeviceAnswer:
    """The board of a match."""
    known, asker = await look_at(services, request, match)
    async with services.live_matches.current(match, known) as live:
        rules = live.state.game
        flipped = plays_on_far_side(rules, asker.seats)
        view = await view_for(services, request, live, asker, flipped or None)
    services.engine_turns.schedule(live)
    return answer_page(request, pages.match_page(rules, view, flipped, negotiate_voice(request)))


async def print_match(services: DeviceServices, request: PageRequest, match: str) -> DeviceAnswer:
    """The record of a match, to be printed."""
    async with services.live_matches.locked(match) as live:
        state, made = live.state, live.row.made
    say = negotiate_voice(request)
    page = pages.print_page(match, state.match, record_seats(state), made, say)
    return answer_page(request, page)


async def study(services: DeviceServices, request: PageRequest, study: str) -> DeviceAnswer:
    """A study to read, and to change for who has its secret in the address."""
    said = stored_content(await services.studies.read(study))
    return answer_page(request, study_page(said.title, negotiate_voice(request)))


async def analysis(_services: DeviceServices, request: PageRequest) -> DeviceAnswer:
    """Any position of any game, to try moves."""
    return answer_page(request, analysis_page(request, request.base))


async def explore(_services: DeviceServices, request: PageRequest) -> DeviceAnswer:
    """Where the analysis board stood before: links to it still work."""
    query = request.scope["query_string"].decode()
    return redirect(f"/analysis?{query}" if query else "/analysis", 301)


async def rules_sheet(_services: DeviceServices, request: PageRequest, name: str) -> DeviceAnswer:
    """The rules of an edition on one sheet of paper."""
    values = rules_values(name, request.query_params, negotiate_voice(request))
    return answer_page(request, Page("rules_sheet.html", values))


async def rules_panel(_services: DeviceServices, request: PageRequest, name: str) -> DeviceAnswer:
    """The rules in short, as a part of a page that shows them beside its board."""
    values = rules_values(name, request.query_params, negotiate_voice(request))
    return answer_page(request, Page("rules_panel.html", values))


async def known(_services: DeviceServices, request: PageRequest) -> DeviceAnswer:
    """What is known of the games, with plots."""
    from quinconce.server.views.facts import facts_html  # Markdown

    text = facts_html(negotiate_voice(request).language)
    return answer_page(request, Page("known.html", {"text": text}))


async def learn_games(_services: DeviceServices, request: PageRequest) -> DeviceAnswer:
    """The games to choose from, for people who want to learn one."""
    return answer_page(request, learn.learn_page(negotiate_voice(request)))


async def lessons(_services: DeviceServices, request: PageRequest, name: str) -> DeviceAnswer:
    """The lessons of a game."""
    return answer_page(request, learn.lessons_page(request, name))


async def lesson_sheet(_services: DeviceServices, request: PageRequest, name: str) -> DeviceAnswer:
    """A lesson on paper."""
    return answer_page(request, learn.lesson_sheet(request, name))


async def lesson_step(
    _services: DeviceServices, request: PageRequest, name: str, step: str
) -> DeviceAnswer:
    """A step of a lesson on the board."""
    return answer_page(request, learn.step_page(name, step, negotiate_voice(request)))


async def puzzle_games(_services: DeviceServices, request: PageRequest) -> DeviceAnswer:
    """The games that have puzzles, to choose from."""
    return answer_page(request, puzzle_pages.puzzle_games_page(negotiate_voice(request)))


async def mixed_run(_services: DeviceServices, request: PageRequest) -> DeviceAnswer:
    """Puzzles of all games, one after the other."""
    return answer_page(request, puzzle_pages.mixed_run_page(negotiate_voice(request)))


async def puzzles(_services: DeviceServices, request: PageRequest, name: str) -> DeviceAnswer:
    """The puzzles of a game by their grades."""
    return answer_page(request, puzzle_pages.puzzles_page(request, name))


async def puzzle_run(_services: DeviceServices, request: PageRequest, name: str) -> DeviceAnswer:
    """The puzzles of a game, one after the other."""
    return answer_page(request, puzzle_pages.run_page(request, name))


async def puzzle_of_day(_services: DeviceServices, request: PageRequest, name: str) -> DeviceAnswer:
    """The puzzle of the day, among the puzzles of its game."""
    return redirect(puzzle_pages.daily_address(request, name))


async def puzzle_sheet(_services: DeviceServices, request: PageRequest, name: str) -> DeviceAnswer:
    """Puzzles of a game on paper."""
    return answer_page(request, puzzle_pages.puzzle_sheet(request, name))
