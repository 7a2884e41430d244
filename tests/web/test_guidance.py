"""What the page tells a player: what to do, why not, what was played, how it ended."""

from __future__ import annotations

import re

import pytest
from browser_users import FRIEND, HERE, ME, Visit, long
from playwright.sync_api import expect

MUST_CAPTURE = "...../...../...../..w../wb..b turn=0 phase=2 duty=0"
BLOCKED = "...../...../...../bb.../wwb.. turn=0 phase=2 duty=0"
BEFORE_BLOCKED = "...../...../...../b.b../wwb.. turn=1 phase=2 duty=0"


FURTHER_GAMES = [
    ("diadema", "Your turn. Place a ball on any empty point.", "on one line"),
    ("seega", "Your turn. Place two pawns, anywhere but the centre.", "take all"),
    ("buts", "Your turn. Move a pawn straight on within your camp, or jump", "A4 or A5"),
]


@pytest.mark.parametrize(
    ("game", "prompt", "aim"),
    [
        ("diam", "Your turn. Place a pawn on any cell.", "face to face"),
        *long(FURTHER_GAMES),
    ],
)
def test_the_line_says_what_to_do_and_at_first_how_to_win(
    game: str, prompt: str, aim: str, visit: Visit
) -> None:
    somebody = visit()
    somebody.make(game, [ME, FRIEND])
    expect(somebody.page.locator("#status")).to_contain_text(prompt)
    expect(somebody.page.locator("#aim")).to_contain_text(aim)


def test_the_aim_is_told_at_the_first_two_turns_of_each_seat(visit: Visit) -> None:
    somebody = visit()
    somebody.make("diadema", [ME, HERE])
    for move in ("@A", "@D", "@1", "@E"):
        expect(somebody.page.locator("#aim")).to_contain_text("To win")
        somebody.play(move)
    expect(somebody.page.locator("#status")).to_contain_text("Your turn: Player 1 (light).")
    expect(somebody.page.locator("#aim")).to_be_hidden()


def test_who_is_not_to_move_is_not_told_what_to_do(visit: Visit) -> None:
    one, other = visit(), visit()
    links = one.make("diadema", [ME, FRIEND])
    other.open_match(links[1] or "")
    expect(other.page.locator("#status")).to_have_text("Player 1 (light) to move ")
    expect(other.page.locator("#aim")).to_be_hidden()


def test_a_move_is_told_in_words_with_its_notation(visit: Visit) -> None:
    one, other, watcher = visit(), visit(), visit(locale="fr-FR")
    links = one.make("diam", [ME, FRIEND])
    other.open_match(links[1] or "")
    watcher.open_match(one.page.url)
    one.play("r@3")
    said = {
        one: "You placed a red pawn on cell 3 · r@3",
        other: "Player 1 (red and orange) placed a red pawn on cell 3 · r@3",
        watcher: "Joueur 1 (rouge et orange) a posé un pion rouge sur la case 3 · r@3",
    }
    for visitor, told in said.items():
        expect(visitor.page.locator("#whisper")).to_have_text(told)
    one.page.reload()
    expect(one.page.locator("#whisper")).to_have_text(said[one])
    other.play("m@3")
    one.expect_my_turn()
    one.page.click("[data-go=back]")
    expect(one.page.locator("#whisper")).to_contain_text("placed a red pawn on cell 3 · r@3")
    one.page.click("[data-go=on]")
    expect(one.page.locator("#whisper")).to_contain_text("placed a brown pawn on cell 3 · m@3")


def test_a_picked_pawn_says_what_comes_next_and_nothing_stale_stays(visit: Visit) -> None:
    somebody = visit()
    somebody.make("diam", [ME, FRIEND])
    whisper = somebody.page.locator("#whisper")
    somebody.click("r")
    expect(whisper).to_have_text("Choose where the red pawn goes. (8 places)")
    somebody.open_menu()
    with somebody.page.expect_response(lambda answer: "flip=1" in answer.url):
        somebody.page.click("[data-act=flip]")  # another drawing, the same move under way
    expect(whisper).to_contain_text("Choose where the red pawn goes.")
    picked = somebody.page.locator("game-board .picked")
    somebody.page.keyboard.press("Escape")  # closes the menu, and nothing else
    expect(somebody.page.locator("#more")).not_to_have_attribute("open", "")
    expect(picked).to_have_count(1)
    somebody.page.keyboard.press("Escape")
    expect(picked).to_have_count(0)
    expect(whisper).not_to_contain_text("Choose")
    somebody.click("o")
    somebody.click("5")
    expect(whisper).to_have_text("You placed an orange pawn on cell 5 · o@5")


def test_a_picked_pawn_is_forgotten_when_the_page_looks_back(visit: Visit) -> None:
    somebody = visit()
    somebody.make("diam", [ME, HERE])
    somebody.play("r@3")
    somebody.expect_my_turn()
    somebody.click("m")
    expect(somebody.page.locator("#whisper")).to_contain_text("Choose where the brown pawn goes.")
    somebody.page.click("[data-go=back]")
    expect(somebody.page.locator("#whisper")).to_have_text("")
    somebody.page.click("[data-go=last]")
    expect(somebody.page.locator("#whisper")).to_contain_text("placed a red pawn on cell 3")


def test_the_first_pawn_of_a_placement_is_seen_and_survives_a_wrong_cell(visit: Visit) -> None:
    somebody = visit()
    somebody.make("seega", [ME, HERE])
    drawn = somebody.page.locator("game-board .half-made")
    somebody.click("b2")
    expect(somebody.page.locator("[data-place=b2] .half-made.white")).to_be_visible()
    expect(somebody.page.locator("#whisper")).to_contain_text("Chosen: b2.")
    somebody.click("c3")
    expect(somebody.page.locator("#wrong")).to_contain_text("no pawn is placed on the centre")
    expect(drawn).to_have_count(1)
    somebody.screenshot("half-made-placement")
    somebody.click("d4")
    expect(somebody.page.locator("#moves [data-ply]")).to_have_text(["@b2+d4"])
    expect(drawn).to_have_count(0)
    expect(somebody.page.locator("#wrong")).to_have_text("")
    somebody.expect_my_turn()
    somebody.click("a1")
    somebody.click("b2")
    expect(somebody.page.locator("#wrong")).to_contain_text("b2 is not empty")
    somebody.click("a1")  # taken back
    expect(drawn).to_have_count(0)


@pytest.mark.long
def test_a_drawn_pawn_is_as_large_as_one_on_the_board(visit: Visit) -> None:
    somebody = visit()
    somebody.make("seega", [ME, HERE])
    for n, move in enumerate(("@b2+d4", "@a1+e5"), start=1):
        somebody.play(move)
        expect(somebody.page.locator("#moves [data-ply]")).to_have_count(n)
    somebody.click("b4")
    expect(somebody.page.locator("[data-place=b4] .half-made")).to_be_visible()
    drawn, standing = somebody.page.evaluate(
        "() => ['b4', 'b2'].map((place) => document"
        ".querySelector(`[data-place=${place}] .body`).getBoundingClientRect().width)"
    )
    assert abs(drawn - standing) <= 1


def test_a_chain_shows_where_its_pawn_has_come_to(visit: Visit) -> None:
    somebody = visit()
    chain = "...../...bw/...../..w../wb... turn=0 phase=2 duty=0"
    somebody.make("seega", [ME, HERE], options={"chain": "optional"}, position=chain)
    somebody.click("c2")
    somebody.click("c1")
    expect(somebody.page.locator("[data-place=c1] .half-made.white")).to_be_visible()
    expect(somebody.page.locator("#whisper")).to_contain_text("once more to stop there")


@pytest.mark.parametrize(
    ("locale", "reason"),
    [("fr-FR", "Vous devez prendre, avec c2."), *long([("en-GB", "You must capture: c2 can.")])],
)
def test_with_a_compulsory_capture_another_pawn_says_so(
    locale: str, reason: str, visit: Visit
) -> None:
    somebody = visit(locale=locale)
    somebody.make("seega", [ME, HERE], position=MUST_CAPTURE)
    expect(somebody.page.locator("#status")).to_contain_text(reason)
    somebody.click("a1")
    expect(somebody.page.locator("#whisper")).to_have_text(reason)
    somebody.click("c2")
    expect(somebody.page.locator("game-board .picked")).to_have_attribute("data-place", "c2")


def test_a_place_that_begins_nothing_says_why(visit: Visit) -> None:
    somebody = visit()
    somebody.make("diam", [ME, HERE])
    whisper = somebody.page.locator("#whisper")
    somebody.click("5")
    expect(whisper).to_have_text("First choose a pawn from your reserve.")
    somebody.click("6")
    expect(whisper).to_have_text("First choose a pawn from your reserve.")
    somebody.click("m")
    expect(whisper).to_have_text("This is not yours to play.")
    expect(somebody.page.locator("#wrong")).to_have_text("")
    somebody.play("r@5")
    somebody.expect_my_turn()
    somebody.click("5.1")
    expect(whisper).to_have_text("This is not yours to play.")


def test_pawns_taken_and_left_are_counted(visit: Visit) -> None:
    somebody = visit()
    somebody.make("seega", [ME, HERE], position=MUST_CAPTURE)
    seats = somebody.page.locator("#seats li")
    expect(seats.first).to_contain_text("2 pawns · 10 taken")
    somebody.play("c2xc1")
    expect(seats.first).to_contain_text("2 pawns · 11 taken")
    expect(seats.nth(1)).to_contain_text("1 pawn · 10 taken")


def test_quiet_turns_and_repetitions_are_told_as_they_matter(visit: Visit) -> None:
    somebody = visit()
    start = "....b/...../...../...../w.... turn=0 phase=2 duty=0"
    somebody.make("seega", [ME, HERE], options={"quiet": "12"}, position=start)
    notice = somebody.page.locator("#status .notice")
    for move in ("a1-b1", "e5-e4"):
        expect(notice).to_have_count(0)
        somebody.play(move)
        somebody.expect_my_turn()
    expect(notice).to_have_text("10 more turns without a capture end the game: it would be a draw.")
    for move in ("b1-a1", "e4-e5"):
        somebody.play(move)
        somebody.expect_my_turn()
    expect(notice).to_contain_text("This position has come up twice: a third time ends the game.")


# Passing.


def test_the_page_passes_after_a_moment_with_a_word_why(visit: Visit) -> None:
    somebody = visit()
    somebody.hold_time()
    somebody.make("seega", [ME, HERE], position=BLOCKED)
    somebody.page.clock.run_for(100)
    why = "You cannot move: you pass, and Black has to let you out."
    expect(somebody.page.locator("#status")).to_contain_text(why)
    assert somebody.moves == []
    somebody.page.clock.run_for(1000)
    assert somebody.moves == []
    somebody.page.clock.run_for(1000)
    expect(somebody.page.locator("#moves [data-ply]")).to_have_text(["pass"])
    expect(somebody.page.locator("#whisper")).to_contain_text("passed · pass")
    expect(somebody.page.locator("#status")).to_contain_text("White is blocked: let them out")


def test_the_button_passes_at_once(visit: Visit) -> None:
    somebody = visit()
    somebody.hold_time()
    somebody.make("seega", [ME, HERE], position=BLOCKED)
    somebody.page.click("[data-act=pass]")
    expect(somebody.page.locator("#moves [data-ply]")).to_have_text(["pass"])
    somebody.page.clock.run_for(10_000)
    expect(somebody.page.locator("#wrong")).to_have_text("")
    assert somebody.moves == ["pass"]


def test_nobody_passes_while_the_page_looks_back_or_for_another(visit: Visit) -> None:
    one, other = visit(), visit()
    one.hold_time()
    other.hold_time()
    links = one.make("seega", [ME, FRIEND], position=BEFORE_BLOCKED)
    other.open_match(links[1] or "")
    other.expect_my_turn()
    other.play("c2-b2")
    expect(one.page.locator("#status")).to_contain_text("You cannot move")
    one.page.click("[data-go=back]")
    expect(one.page.locator("#status")).to_contain_text("Before the first move")
    for visitor in (one, other):
        visitor.page.clock.run_for(10_000)
        assert visitor.moves == ["c2-b2"]
    one.page.click("[data-go=last]")
    one.page.clock.run_for(2000)
    expect(other.page.locator("#moves [data-ply]")).to_have_text(["c2-b2", "pass"])


def test_taking_back_goes_behind_a_pass_that_nobody_chose(visit: Visit) -> None:
    somebody = visit()
    somebody.make("seega", [ME, HERE], position=BEFORE_BLOCKED)
    somebody.play("c2-b2")
    expect(somebody.page.locator("#moves [data-ply]")).to_have_text(["c2-b2", "pass"])
    somebody.page.click("[data-act=takeback]")
    expect(somebody.page.locator("#moves [data-ply]")).to_have_count(0)


# The end.


def test_the_end_is_told_to_each_in_their_words(visit: Visit) -> None:
    one, other, watcher = visit(), visit(), visit()
    links = one.make("diadema", [ME, FRIEND])
    other.open_match(links[1] or "")
    watcher.open_match(one.page.url)
    for i, move in enumerate(["@4", "@D", "@7", "@3", "@6", "D^2", "@5"]):
        mover = (one, other)[i % 2]
        mover.expect_my_turn()
        mover.play(move)
    told = {
        one: "You won: four side by side on a circle.",
        other: "You lost: light has four side by side on a circle.",
        watcher: "Player 1 (light) wins: four side by side on a circle.",
    }
    for visitor, words in told.items():
        expect(visitor.page.locator("#status")).to_contain_text(words)


@pytest.mark.long
def test_a_resignation_is_told_to_both(visit: Visit) -> None:
    one, other = visit(), visit(locale="fr-FR")
    links = one.make("diadema", [ME, FRIEND])
    other.open_match(links[1] or "")
    one.play("@A")
    one.page.click("[data-act=resign]")
    one.page.click("#sure button[value=yes]")
    expect(one.page.locator("#status")).to_contain_text("You lost: you resigned.")
    said = re.compile("Vous avez gagné\u00a0: Joueur 1 .* a abandonné")
    expect(other.page.locator("#status")).to_contain_text(said)


def test_nothing_of_the_game_is_said_once_it_is_over(visit: Visit) -> None:
    one = visit()
    one.make("buts", [ME, HERE])
    whisper = one.page.locator("#whisper")
    one.click("E1")
    expect(whisper).to_have_text("First touch the piece that goes there.")
    one.page.click("[data-act=resign]")
    one.page.click("#sure [value=yes]")
    expect(one.page.locator("#status")).to_contain_text("resignation")
    expect(whisper).to_have_text("")
    one.click("F1")
    expect(whisper).to_have_text("")  # and not that it is not one's turn


def test_what_is_counted_belongs_to_the_position_on_show(visit: Visit) -> None:
    one = visit()
    one.make("diam", [ME, HERE])
    one.play("r@1")
    one.play("m@2")
    counts = one.page.locator("#seats .remarks")
    expect(counts).to_have_text(["7 to place", "7 to place"])
    one.page.click("[data-go=back]")
    expect(one.page.locator("#status")).to_contain_text("After move 1 (r@1)")
    expect(counts).to_have_text(["7 to place", "8 to place"])
    one.click("2")
    expect(one.page.locator("#whisper")).not_to_contain_text("not your turn")
