"""Every game played through the page to its end, and how a move is made by hand."""

from __future__ import annotations

import re
from typing import Any

import pytest
from browser_users import JS_ARROW_PATH, JS_PLACE_MIDDLE, BrowserUser, Visit, long
from playwright.sync_api import expect

SCREEN: list[dict[str, Any]] = [
    {"kind": "me"},
    {"kind": "here"},
    {"kind": "here"},
    {"kind": "here"},
]

# A short game of every form: the game, its options, the seats, the moves, how it ends in words.
GAMES: dict[str, tuple[str, dict[str, str], int, str, str]] = {
    "diam": ("diam", {}, 2, "r@6 n@6 o@2 n@2", r"Player 2 \(brown and black\) wins: .*face"),
    "diam-1997": (
        "diam",
        {"edition": "1997"},
        2,
        "r@8 b@5 r@3 v@2 r@6 b@4 6.1-5 b@1 8.1-1",
        r"Player 1 \(red and yellow\) wins",
    ),
    "diam-3": ("diam", {"players": "3"}, 3, "o@5 m@4 5.1-4 n@8 o@8", r"Player 1 .* wins"),
    "diam-4": (
        "diam",
        {"players": "4"},
        4,
        "r@5 m@5 o@1 n@2 r@7 m@1",
        r"Player 3 .* Player 4 .* win:",
    ),
    "diam-1997-4": (
        "diam",
        {"edition": "1997", "players": "4"},
        4,
        "r@6 j@2 v@5 b@1 6.1-5 j@8 v@6 1.1-2 r@1 j@3 5.1-4 2.2-3 1.1-8",
        r"Player 1 \(red\) wins",
    ),
    "diadema": ("diadema", {}, 2, "@4 @D @7 @3 @6 D^2 @5", r"Player 1 .* wins: .*circle"),
    "seega": (
        "seega",
        {"quiet": "6"},
        2,
        "@b1+d4 @a5+e5 @b3+e2 @a2+e4 @a3+d2 @e1+e3 @a1+c2 @a4+c5 @b2+d1 @b4+d3 @c1+d5 @b5+c4"
        " c2-c3 pass c3-c2 d3-c3 d4-d3 e4-d4",
        r"A draw: .*equal numbers",
    ),
    "buts": (
        "buts",
        {},
        2,
        "G2^E4 C2-B2 F3^D5 C4-C2 G8^E6^C4 B5-B4 F5^D3^B5 C6^A8 E4^C6^A4",
        r"Player 1 \(White\) wins: a pawn stands in the goal",
    ),
}


@pytest.mark.parametrize(
    ("which", "by"),
    [
        *((which, "mouse") for which in ("diam", "diam-1997", "diadema", "seega", "buts")),
        *long((which, "mouse") for which in ("diam-3", "diam-4", "diam-1997-4")),
        ("diadema", "keyboard"),
        *long((which, "keyboard") for which in ("diam", "diam-1997", "seega", "buts")),
    ],
)
def test_a_game_is_played_to_its_end(which: str, by: str, visit: Visit) -> None:
    game, options, seats, moves, end = GAMES[which]
    somebody = visit()
    somebody.make(game, SCREEN[:seats], options=options)
    for i, move in enumerate(moves.split()):
        somebody.expect_my_turn()
        somebody.play(move, keys=by == "keyboard")
        if by == "mouse" and i == min(8, len(moves.split()) - 2):
            somebody.screenshot(f"{which}-wide-light")
    expect(somebody.page.locator("#status")).to_have_text(re.compile(end))
    last = somebody.page.locator("#moves [data-ply]").last
    expect(last).to_be_in_viewport()  # the list has followed
    expect(somebody.page.locator("[data-act=rematch]")).to_be_visible()
    expect(somebody.page.locator("[data-act=resign]")).to_be_hidden()
    somebody.screenshot(f"{which}-end-{by}")


@pytest.mark.parametrize("which", ["diam", *long(["diam-4", "diadema", "seega", "buts"])])
def test_a_game_is_played_with_a_finger_on_a_phone(which: str, visit: Visit) -> None:
    game, options, seats, moves, _end = GAMES[which]
    somebody = visit(
        viewport={"width": 360, "height": 740},
        has_touch=True,
        is_mobile=True,
        color_scheme="dark",
        locale="fr-FR",
    )
    somebody.make(game, SCREEN[:seats], options=options)
    for move in moves.split()[:3]:
        somebody.expect_my_turn()
        for place in somebody.touches(move):
            x, y = somebody.page.evaluate(JS_PLACE_MIDDLE, place)
            somebody.page.touchscreen.tap(x, y)
        expect(somebody.page.locator("#moves [data-ply]").last).to_have_text(move)
    assert somebody.page.evaluate("document.documentElement.scrollWidth") == 360
    somebody.screenshot(f"{which}-phone-dark-fr")


def analyse(somebody: BrowserUser, game: str, position: str, **options: str) -> None:
    query = "&".join(f"{key}={value}" for key, value in options.items())
    somebody.go(f"/analysis?game={game}&position={position.replace(' ', '%20')}&{query}")
    expect(somebody.page.locator("game-board svg")).to_be_visible()


CHAIN = "...../...bw/...../..w../wb... turn=0 phase=2 duty=0"


def test_touching_the_last_place_again_stops_a_chain_that_may_stop(visit: Visit) -> None:
    somebody = visit()
    analyse(somebody, "seega", CHAIN, chain="optional")
    somebody.click("c2")
    somebody.click("c1")
    expect(somebody.page.locator("#whisper")).to_contain_text("once more")
    assert somebody.moves == []
    somebody.click("c1")
    expect(somebody.page.locator("#moves [data-ply]")).to_have_text(["c2xc1"])


def test_a_chain_that_may_stop_may_also_go_on(visit: Visit) -> None:
    somebody = visit()
    analyse(somebody, "seega", CHAIN, chain="optional")
    for place in ("c2", "c1", "c4"):
        somebody.click(place)
    expect(somebody.page.locator("#moves [data-ply]")).to_have_text(["c2xc1xc4"])


@pytest.mark.parametrize("clock", [None, {"minutes": 10, "increment": 5}])
def test_a_stop_on_the_way_does_not_end_the_turn_while_the_path_can_go_on(
    clock: dict[str, int] | None, visit: Visit
) -> None:
    somebody = visit()
    somebody.make("buts", SCREEN[:2], clock=clock)
    for move in ("F3-E3", "B1-A1"):
        somebody.play(move)
    somebody.expect_my_turn()
    somebody.click("G6")
    somebody.click("E4")
    expect(somebody.page.locator("#whisper")).to_contain_text("Touch E4 once more to stop there")
    expect(somebody.page.locator('[data-place="E2"].target')).to_be_visible()
    somebody.click("E2")
    moves = somebody.page.locator("#moves [data-ply]")
    expect(moves.nth(2)).to_have_text("G6^E4^E2")
    somebody.page.click("[data-act=takeback]")
    expect(moves).to_have_count(2)
    for place in ("G6", "E4", "E4"):  # once more: it stops there
        somebody.click(place)
    expect(moves.nth(2)).to_have_text("G6^E4")


def test_a_piece_that_has_stopped_on_its_way_is_dragged_on(visit: Visit) -> None:
    somebody = visit()
    somebody.make("buts", SCREEN[:2])
    for move in ("F3-E3", "B1-A1"):
        somebody.play(move)
    somebody.expect_my_turn()
    somebody.drag("G6", "E4")
    somebody.drag("E4", "E2")
    expect(somebody.page.locator("#moves [data-ply]").nth(2)).to_have_text("G6^E4^E2")


def test_two_places_of_one_step_are_touched_in_any_order(visit: Visit) -> None:
    somebody = visit()
    analyse(somebody, "seega", "...../...../...../...../..... turn=0 phase=1 duty=0")
    somebody.click("d4")
    somebody.click("b2")
    expect(somebody.page.locator("#moves [data-ply]")).to_have_text(["@b2+d4"])


def test_the_innermost_place_is_tried_first_and_then_the_pile(visit: Visit) -> None:
    """A pawn in hand goes onto a pile by touching any pawn of it."""
    somebody = visit()
    somebody.go("/analysis?game=diam&moves=r%401+m%402")
    expect(somebody.page.locator("#moves [data-ply]")).to_have_count(2)
    somebody.click("1.1")
    expect(somebody.page.locator("[data-place='1.1']")).to_have_class(re.compile("picked"))
    somebody.click("2.1")
    expect(somebody.page.locator("#moves [data-ply]").last).to_have_text("1.1-2")


def test_what_was_picked_up_can_be_let_go(visit: Visit) -> None:
    somebody = visit()
    analyse(
        somebody,
        "buts",
        "......../b.b.b.b./.b.b.b.b/......../......../w.w.w.w./.w.w.w.w/........ turn=0",
    )
    picked = somebody.page.locator("game-board .picked")
    targets = somebody.page.locator("game-board .target")
    somebody.click("G4")
    expect(picked).to_have_count(1)
    assert targets.count() > 3
    somebody.click("G4")
    expect(picked).to_have_count(0)
    expect(targets).to_have_count(0)
    somebody.click("G4")
    somebody.click("G6")  # another pawn is picked up instead
    expect(picked).to_have_attribute("data-place", "G6")
    somebody.page.keyboard.press("Tab")
    somebody.page.locator("game-board [tabindex='0']").focus()
    somebody.page.keyboard.press("Escape")
    expect(picked).to_have_count(0)
    assert somebody.moves == []


def test_a_pawn_is_dragged_with_the_mouse(visit: Visit) -> None:
    somebody = visit()
    somebody.go("/analysis?game=buts")
    expect(somebody.page.locator("game-board svg")).to_be_visible()
    somebody.page.mouse.move(*somebody.middle("G2"))
    somebody.page.mouse.down()
    somebody.page.mouse.move(*somebody.middle("E2"), steps=5)
    somebody.screenshot("dragging")
    somebody.page.mouse.up()
    expect(somebody.page.locator("#moves [data-ply]")).to_have_text(["G2-E2"])


@pytest.mark.parametrize(
    ("game", "position", "options", "touches", "why"),
    [
        ("seega", "...../...../...../..w../wb..b turn=0 phase=2 duty=0", {}, "a1 a2", "capture"),
        ("diam", "rmnm/o.../n.../..../..../..../..../.... turn=0", {}, "2.1 1", "pile"),
        (
            "seega",
            "...../...../b..../..w../w.... turn=0 phase=2 duty=0",
            {},
            "c2 e4",
            "straight way",
        ),
    ],
)
def test_a_refused_move_says_why(
    game: str, position: str, options: dict[str, str], touches: str, why: str, visit: Visit
) -> None:
    somebody = visit()
    analyse(somebody, game, position, **options)
    for place in touches.split():
        somebody.click(place)
    expect(somebody.page.locator("#wrong")).to_contain_text(why)
    assert somebody.moves == []


def test_a_typed_move_is_understood_or_refused_with_the_reason(visit: Visit) -> None:
    somebody = visit()
    somebody.make("diam", SCREEN[:2])
    somebody.page.fill("#typed-move", "5.1-6")
    somebody.page.press("#typed-move", "Enter")
    expect(somebody.page.locator("#wrong")).to_contain_text("5")
    somebody.page.fill("#typed-move", " R@3 ")
    somebody.page.press("#typed-move", "Enter")
    expect(somebody.page.locator("#moves [data-ply]")).to_have_text(["r@3"])
    expect(somebody.page.locator("#wrong")).to_have_text("")


@pytest.mark.parametrize("which", ["diam", *long(which for which in GAMES if which != "diam")])
def test_every_place_is_reached_by_arrow_keys(which: str, visit: Visit) -> None:
    """From wherever one is, also in the middle of a game."""
    game, options, _seats, moves, _end = GAMES[which]
    somebody = visit()
    query = "&".join(f"{k}={v}" for k, v in options.items())
    played = " ".join(moves.split()[:-1]).replace("+", "%2B").replace("@", "%40")
    somebody.go(f"/analysis?game={game}&{query}&moves={played.replace(' ', '+')}")
    expect(somebody.page.locator("#moves [data-ply]")).to_have_count(len(moves.split()) - 1)
    lost = somebody.page.evaluate(f"""async () => {{
        const way = {JS_ARROW_PATH};
        const board = document.querySelector("game-board");
        const names = board.places().map((place) => place.dataset.place);
        const lost = [];
        for (const start of [names[0], names[names.length >> 1], names.at(-1)]) {{
            board.at(start).focus();
            for (const name of names) if (!(await way(name))) lost.push([start, name]);
        }}
        return names.length ? lost : null;
    }}""")
    assert lost == []


@pytest.mark.parametrize("which", ["diam-3", *long(["diam", "diam-4"])])
def test_rounds_are_numbered_by_the_turns_of_the_game(which: str, visit: Visit) -> None:
    """With three players the first moves every other turn: a round has four."""
    game, options, seats, moves, _end = GAMES[which]
    somebody = visit()
    query = "&".join(f"{k}={v}" for k, v in options.items())
    played = "+".join(moves.split()).replace("@", "%40")
    somebody.go(f"/analysis?game={game}&{query}&moves={played}")
    turns = {2: 2, 3: 4, 4: 4}[seats]
    rounds = [f"{n + 1}." for n in range(-(-len(moves.split()) // turns))]
    expect(somebody.page.locator("#moves .round")).to_have_text(rounds)


def test_a_button_below_a_typed_move_is_hit_at_once(visit: Visit) -> None:
    """Nothing moves away under a click that takes the field's focus."""
    somebody = visit()
    somebody.make("seega", SCREEN[:2])
    page, resign = somebody.page, somebody.page.locator("[data-act=resign]")
    page.focus("#typed-move")
    page.wait_for_function("() => document.querySelector('#typed .note').checkVisibility()")
    beside_the_field = resign.bounding_box()
    page.evaluate("() => document.activeElement.blur()")
    assert resign.bounding_box() == beside_the_field
    page.focus("#typed-move")
    resign.click()
    expect(page.locator("#sure")).to_be_visible()
