"""The pages: both languages, light and dark, narrow and wide, for everybody, from nowhere else."""

from __future__ import annotations

import re

import pytest
from browser_users import (
    FRIEND,
    HERE,
    ME,
    PICTURES,
    BrowserUser,
    LiveServer,
    Visit,
    long,
    violations,
)
from playwright.sync_api import Response, expect

import quinconce

PAGES = [
    "/",
    *(f"/game/{name}" for name in quinconce.names()),
    "/learn",
    "/puzzles",
    "/analysis",
    "/known",
    "/nothing/here",
]
# One of each kind; the pages of the other games differ by their boards and words.
KINDS = [path for path in PAGES if not path.startswith("/game/")] + [PAGES[1]]
MAIN_PAGES = ["/", PAGES[1], "/analysis"]
MORE_GAMES = [path for path in PAGES if path not in KINDS]
WIDTHS = {"narrow": 320, "phone": 360, "tablet": 768, "desk": 1440}


def open_page(visitor: BrowserUser, path: str) -> None:
    """Open a page, with everything that comes later."""
    visitor.go(path)
    if path == "/analysis":
        expect(visitor.page.locator("game-board svg")).to_be_visible()


# Dark pages differ from light ones by their colours alone: one of each kind is enough.
IN_THE_DARK = ["/", PAGES[1], "/analysis", "/nothing/here"]


@pytest.mark.parametrize(
    ("path", "theme"),
    [
        *((path, "light") for path in KINDS),
        *long((path, "light") for path in MORE_GAMES),
        *long((path, "dark") for path in IN_THE_DARK),
    ],
)
def test_a_page_is_for_everybody(path: str, theme: str, visit: Visit) -> None:
    visitor = visit(color_scheme=theme, locale="fr-FR" if theme == "dark" else "en-GB")
    open_page(visitor, path)
    if visitor.page.locator("#setup").count():
        visitor.page.check("input[name=way][value=mixed]")
        visitor.page.click("#options summary")
    assert violations(visitor.page) == []


def test_what_is_wrong_with_a_page_is_found(visit: Visit) -> None:
    """The check itself can fail."""
    page = visit().go("/nothing/here")
    page.evaluate("document.querySelector('main').append(document.createElement('img'))")
    assert [each.split(":")[0] for each in violations(page)] == ["image-alt"]


@pytest.mark.parametrize(
    ("game", "theme"),
    [
        (quinconce.names()[0], "light"),
        *long((game, "light") for game in quinconce.names()[1:]),
        *long([(quinconce.names()[0], "dark")]),
    ],
)
def test_a_table_is_for_everybody(game: str, theme: str, visit: Visit) -> None:
    visitor = visit(color_scheme=theme)
    visitor.make(game, [ME, FRIEND] if theme == "light" else [ME, HERE])
    if theme == "light":
        visitor.page.locator("#invitations").get_by_role("button", name="Make a link").click()
        expect(visitor.page.locator("svg.qr")).to_be_visible()
    visitor.open_menu()
    legal = visitor.first_legal_move()
    visitor.click(visitor.touches(legal)[0])
    assert violations(visitor.page) == []
    visitor.page.goto(f"{visitor.page.url}/print")
    assert violations(visitor.page) == []


@pytest.mark.parametrize(
    ("path", "theme"),
    [
        *((path, "dark") for path in MAIN_PAGES),
        *long((path, "dark") for path in PAGES if path not in MAIN_PAGES),
        *long((path, "light") for path in PAGES),
    ],
)
def test_a_page_is_never_wider_than_the_window(path: str, theme: str, visit: Visit) -> None:
    """And pictures of it are kept, for people to look at."""
    PICTURES.mkdir(exist_ok=True)
    visitor = visit(color_scheme=theme, locale="fr-FR" if theme == "dark" else "en-GB")
    open_page(visitor, path)
    for size, width in WIDTHS.items():
        visitor.page.set_viewport_size({"width": width, "height": 900})
        assert visitor.page.evaluate("document.documentElement.scrollWidth") <= width
        file = PICTURES / f"page{path.replace('/', '-')}-{size}-{theme}.png"
        visitor.page.screenshot(path=file, full_page=path == "/")
        assert file.stat().st_size > 1000


@pytest.mark.parametrize("game", [quinconce.names()[0], *long(quinconce.names()[1:])])
def test_a_board_fits_the_window(game: str, visit: Visit) -> None:
    visitor = visit(locale="fr-FR")
    visitor.make(game, [ME, HERE])
    for width, height in ((320, 568), (360, 740), (768, 1024), (1440, 900), (900, 500)):
        visitor.page.set_viewport_size({"width": width, "height": height})
        box = visitor.page.locator("game-board svg").bounding_box()
        assert box
        assert box["width"] <= width
        assert box["height"] <= height
        assert visitor.page.evaluate("document.documentElement.scrollWidth") <= width


def test_the_text_may_be_twice_as_large(visit: Visit) -> None:
    visitor = visit(viewport={"width": 720, "height": 900}, locale="fr-FR")
    for path in PAGES:
        open_page(visitor, path)
        visitor.page.evaluate("document.documentElement.style.fontSize = '200%'")
        assert visitor.page.evaluate("document.documentElement.scrollWidth") <= 720, path
    visitor.make("diam", [ME, HERE])
    visitor.page.evaluate("document.documentElement.style.fontSize = '200%'")
    assert visitor.page.evaluate("document.documentElement.scrollWidth") <= 720
    visitor.screenshot("text-200")


def test_a_first_visit_is_light_and_loads_nothing_from_elsewhere(
    visit: Visit, server: LiveServer
) -> None:
    visitor = visit(user_agent="somebody who was never here")  # whose browser has kept nothing
    sizes: dict[str, int] = {}

    def weigh(response: Response) -> None:
        told = response.request.sizes()
        sizes[response.url] = told["responseHeadersSize"] + told["responseBodySize"]

    visitor.page.on("response", weigh)
    visitor.go("/")
    visitor.page.wait_for_load_state("networkidle")
    assert all(url.startswith(server.url) for url in sizes)
    assert len(sizes) >= 5
    assert sum(sizes.values()) < 70_000, sizes


def test_the_policy_allows_no_script_or_style_in_the_page(visit: Visit) -> None:
    visitor = visit()
    answers: list[Response] = []
    visitor.page.on("response", lambda answer: answers.append(answer))
    visitor.go("/game/diam")
    policy = answers[0].headers["content-security-policy"]
    assert "default-src 'none'" in policy
    assert "unsafe" not in policy.replace("'wasm-unsafe-eval'", "")  # the engine's modules
    assert visitor.page.locator("[style], [onclick]").count() == 0
    assert visitor.page.locator("script:not([src]):not([type='application/json'])").count() == 0


def test_the_language_is_the_browsers_until_one_chooses(visit: Visit) -> None:
    visitor = visit(locale="fr-FR")
    page = visitor.go("/")
    expect(page.locator("html")).to_have_attribute("lang", "fr")
    expect(page.locator("h1")).to_have_text("Choisissez un plateau")
    page.get_by_role("link", name="English").click()
    expect(page.locator("h1")).to_have_text("Choose a board")
    expect(page).to_have_url(re.compile("/$"))  # the address is shared without the language
    visitor.go("/game/seega?chain=optional")
    expect(page.locator("h2").first).to_have_text("New game")
    page.get_by_role("link", name="Français").click()
    expect(page.locator("h2").first).to_have_text("Nouvelle partie")
    expect(page).to_have_url(re.compile(r"/game/seega\?chain=optional$"))


@pytest.mark.parametrize(
    "path", [*MAIN_PAGES, "match", *long(path for path in PAGES if path not in MAIN_PAGES)]
)
def test_a_french_page_says_nothing_in_english(path: str, visit: Visit) -> None:
    """No sentence of the English page stands in the French one, names and moves aside."""
    one, other = visit(locale="en-GB"), visit(locale="fr-FR")
    for visitor in (one, other):
        if path == "match":
            visitor.make("diadema", [ME, FRIEND])
        else:
            open_page(visitor, path)
    texts = [
        {line.strip() for line in visitor.page.inner_text("body").split("\n")}
        for visitor in (one, other)
    ]
    same = {text for text in texts[0] & texts[1] if re.search(r"[a-z]{3,} [a-z]{3,}", text)}
    assert {text for text in same if "@" not in text and "localhost" not in text} == set()


def test_light_and_dark_are_chosen_and_remembered(visit: Visit) -> None:
    visitor = visit(color_scheme="light")
    page = visitor.go("/")
    scheme = "getComputedStyle(document.documentElement).colorScheme"
    assert page.evaluate(scheme) == "light dark"
    page.click("#theme")
    assert page.evaluate(scheme) == "dark"
    visitor.go("/analysis")
    assert page.evaluate(scheme) == "dark"
    page.click("#theme")
    assert page.evaluate(scheme) == "light"


def test_a_game_is_set_up_from_its_card(visit: Visit) -> None:
    visitor = visit()
    page = visitor.go("/")
    page.get_by_role("link", name="With friends, with a clock… Diädema").click()
    page.click("#play")
    expect(page.locator("#seats li")).to_have_count(2)
    expect(page.locator("#seats")).to_contain_text("you")  # whoever begins, which is by lot
    match = page.url
    visitor.go("/")
    page.locator(".own a").first.click()
    expect(page).to_have_url(match)


def test_a_page_that_is_missing_helps(visit: Visit) -> None:
    visitor = visit()
    for path in ("/nothing", "/game/chess", "/match/aaaaaaaaaaaa", "/match/a", "/static/x/y.js"):
        answer = visitor.page.goto(path)
        assert answer
        assert answer.status == 404
        expect(visitor.page.locator("h1")).to_have_text("Nothing here")
        expect(visitor.page.get_by_role("link", name="To the boards")).to_be_visible()
    visitor.page.goto("/game/seega?size=6")
    expect(visitor.page.locator(".fault")).to_contain_text("size")


def test_a_set_up_offers_every_option_and_keeps_to_the_sheets(visit: Visit) -> None:
    visitor = visit()
    page = visitor.go("/game/diam")
    page.click("#options summary")
    page.check("input[data-option=players][value='3']")
    expect(page.locator("#play")).to_be_enabled()
    page.check("input[data-option=edition][value='1997']")
    expect(page.locator("#setup-wrong")).to_contain_text("no rules")
    expect(page.locator("#play")).to_be_disabled()
    page.check("input[data-option=edition][value='2003']")
    page.check("input[name=way][value=mixed]")
    expect(page.locator(".seat-row")).to_have_count(3)
    expect(page.locator(".seat-row").nth(1)).to_contain_text("team 2")
    page.select_option("#seat-1", "here")
    page.fill("[name=name-1]", "Dominique")
    page.check("input[name=order][value=given]")
    page.click("#clock summary")
    page.check("input[name=clock][value=minutes]")
    expect(page.locator("#chosen-clock")).to_have_text("10 minutes each + 5 seconds a move")
    page.click("#play")
    expect(page.locator("#seats li").nth(1)).to_contain_text("Dominique")
    expect(page.locator("#seats li").nth(2)).to_contain_text("Engine (level 2)")
    expect(page.locator("#seats li .clock").first).to_have_text("10:00")
    expect(page.locator(".heading")).to_contain_text("10 min + 5 s")


def test_a_number_of_ones_own_is_an_option_too(visit: Visit) -> None:
    visitor = visit()
    page = visitor.go("/game/seega")
    page.click("#options summary")
    page.check("input[data-option=quiet][value='']")
    page.fill("[data-number=quiet]", "12")
    page.check("input[data-option=size][value='7']")
    page.click("#play")
    expect(page.locator(".heading")).to_contain_text("quiet turns 12")
    expect(page.locator("game-board [data-place=g7]")).to_be_visible()


def test_options_are_told_in_words_of_the_page(visit: Visit) -> None:
    """The names of values are for programs: a French page says what they mean."""
    visitor = visit(locale="fr-FR")
    page = visitor.go("/game/seega?reach=step")
    expect(page.locator("#setup")).not_to_contain_text("step")
    page = visitor.go("/analysis?game=seega&reach=step&size=7")
    expect(page.locator("#facts")).to_have_text("taille 7 · un pion avance d’une case")


@pytest.mark.parametrize("game", [quinconce.names()[0], *long(quinconce.names()[1:])])
def test_the_rules_are_told_with_drawn_examples(game: str, visit: Visit) -> None:
    visitor = visit(locale="fr-FR")
    page = visitor.go(f"/game/{game}")
    assert page.locator("#rules figure svg").count() >= 8
    assert page.locator("#rules h2").count() >= 4
    ids = page.evaluate("[...document.querySelectorAll('[id]')].map((each) => each.id)")
    assert len(ids) == len(set(ids))


def test_a_record_is_printed_on_one_sheet(visit: Visit) -> None:
    visitor = visit()
    visitor.make("diam", [ME, HERE])
    for move in ["r@6", "n@6", "o@2", "n@2"]:
        visitor.play(move)
    page = visitor.go(f"{visitor.page.url}/print")
    expect(page.locator("tbody tr")).to_have_count(2)
    expect(page.locator("figure")).to_have_count(4)
    PICTURES.mkdir(exist_ok=True)
    paper = page.pdf(path=PICTURES / "record.pdf", format="A4", prefer_css_page_size=True)
    assert len(re.findall(rb"/Type\s*/Page\b", paper)) == 1


def test_sounds_are_off_until_somebody_wants_them(visit: Visit) -> None:
    visitor = visit()
    visitor.make("diam", [ME, HERE])
    visitor.open_menu()
    button = visitor.page.locator("[data-act=sound]")
    expect(button).to_have_attribute("aria-pressed", "false")
    button.click()
    expect(button).to_have_attribute("aria-pressed", "true")
    visitor.play("r@1")
