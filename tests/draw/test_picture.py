"""The pictures: what must hold for every game with every set of options."""

from __future__ import annotations

import random
import re
from collections import Counter
from itertools import islice
from typing import Any
from xml.etree import ElementTree

import pytest
from corpus import FORMS, form_id, random_match, sample_positions
from moves import match_after

import quinconce
from quinconce import Game, Match
from quinconce.draw import THEMES, Picture, picture, picture_of, stylesheet
from quinconce.draw.svg import stylesheet_for_theme
from quinconce.words import LANGUAGES, Voice

SVG = "{http://www.w3.org/2000/svg}"
Element = ElementTree.Element
every_form = pytest.mark.parametrize("game", FORMS, ids=form_id)
every_name = pytest.mark.parametrize("name", quinconce.names())


def parsed(drawn: Picture) -> Element:
    """The root of a picture, which is well-formed and obeys the strictest policy."""
    root = ElementTree.fromstring(drawn.svg)
    assert root.tag == f"{SVG}svg"
    for element in root.iter():
        assert "style" not in element.attrib
        assert not any(key.startswith("on") or "href" in key for key in element.attrib)
        assert element.tag != f"{SVG}script"
    ids = [element.get("id") for element in root.iter() if element.get("id")]
    assert len(set(ids)) == len(ids)
    return root


def places(root: Element) -> dict[str, Element]:
    """Everything with the name of a place, each once."""
    found = [element for element in root.iter() if element.get("data-place")]
    named = {element.attrib["data-place"]: element for element in found}
    assert len(named) == len(found)
    return named


def having(root: Element, word: str) -> list[Element]:
    """The elements of a class."""
    return [element for element in root.iter() if word in element.get("class", "").split()]


def inside(root: Element, word: str) -> set[str]:
    """The innermost places that an element of a class lies in."""
    return {
        name
        for name, place in places(root).items()
        for child in place.iter()
        if word in child.get("class", "").split()
        and not any(
            child in inner.iter()
            for inner in place.iter()
            if inner is not place and inner.get("data-place")
        )
    }


@every_form
def test_pictures_are_well_formed_and_show_every_piece(game: Game[Any]) -> None:
    for position in sample_positions(game)[::8]:
        root = parsed(picture(game, position, reserves=range(game.seats)))
        pieces = game.pieces(position)
        shown = Counter(element.get("data-piece") for element in having(root, "piece"))
        assert shown == Counter("".join(pieces.values()))
        standing = {
            name: "".join(
                element.attrib["data-piece"]
                for element in place.iter()
                if element.get("data-piece")
            )
            for name, place in places(root).items()
            if name in pieces
        }
        assert standing == pieces


@every_form
def test_every_touch_of_a_legal_move_has_its_place(game: Game[Any]) -> None:
    for position in sample_positions(game)[1::8]:
        known = places(parsed(picture(game, position)))
        for text, _after in islice(game.moves(position), 200):
            for step in game.touches(text):
                for place in step:
                    assert known[place].get("role") in ("button", "group")
                    assert known[place].get("tabindex") in ("0", "-1")
                    assert known[place].get("aria-label")


@every_form
def test_places_nest_as_the_board_says(game: Game[Any]) -> None:
    root = parsed(picture(game, sample_positions(game)[0]))
    known = places(root)
    for place in game.board().places:
        holders = {name for name, element in known.items() if known[place.name] in element.iter()}
        assert holders == {place.name, place.parent} - {None}


@every_form
def test_only_one_place_is_reached_by_the_tab_key(game: Game[Any]) -> None:
    """And nothing that can be focused lies in a button: a pile with pawns is a group."""
    for position in sample_positions(game)[2::13]:
        root = parsed(picture(game, position))
        assert [e.get("tabindex") for e in root.iter() if e.get("tabindex")].count("0") == 1
        for button in (e for e in root.iter() if e.get("role") == "button"):
            assert [e for e in button.iter() if e.get("tabindex")] == [button]


@pytest.mark.parametrize("spoken", LANGUAGES)
@every_form
def test_labels_are_spoken_and_tell_places_apart(game: Game[Any], spoken: str) -> None:
    say = Voice(spoken)
    for position in sample_positions(game)[3::13]:
        known = places(parsed(picture(game, position, say=say)))
        said = [e.attrib["aria-label"] for e in known.values() if e.get("role")]
        assert all(said)
        assert len(set(said)) == len(said)
        assert not any("{" in label for label in said)


@every_form
def test_the_last_move_is_marked(game: Game[Any]) -> None:
    match = random_match(game, random.Random(11), 30)
    for ply in range(1, len(match.moves) + 1, 7):
        text, before, after = match.moves[ply - 1], match.positions[ply - 1], match.positions[ply]
        root = parsed(picture_of(match, ply))
        old, new = game.pieces(before), game.pieces(after)
        cells = {place.name for place in game.board().places}
        came = {place for place in cells & new.keys() if old.get(place) != new[place]}
        left = {place for place in cells & old.keys() if new.get(place) != old[place]}
        lit = {element.attrib["data-place"] for element in having(root, "last")}
        assert bool(lit) == (text != "pass")
        assert came <= lit <= came | left | frozenset().union(*game.touches(text))
        assert inside(root, "halo") == lit
        ghosts = inside(root, "ghost")
        assert ghosts == (left if text.startswith("~") else left - lit - new.keys())
        told = parsed(picture(game, after, last=text))
        assert (text == "pass") == (not having(told, "last"))


@every_form
def test_the_same_position_gives_the_same_picture(game: Game[Any]) -> None:
    position = sample_positions(game)[4]
    twin = quinconce.game(game.name, **game.chosen)
    assert picture(game, position).svg == picture(twin, twin.read(game.write(position))).svg


@every_form
def test_flipped_is_turned_by_half(game: Game[Any]) -> None:
    """Twice is not at all; the middle stays, and everything is still there."""
    board = game.board()
    assert board.half_turn().half_turn() == board
    turned = {place.name: place for place in board.half_turn().places}
    assert all((turned[p.name].x, turned[p.name].y) == (-p.x, -p.y) for p in board.places)
    position = sample_positions(game)[5]
    one, other = (parsed(picture(game, position, flipped=flip)) for flip in (False, True))
    assert places(one).keys() == places(other).keys()
    assert one.get("viewBox") == other.get("viewBox")


@every_form
def test_everything_drawn_lies_in_the_picture(game: Game[Any]) -> None:
    for flipped in (False, True):
        root = parsed(picture(game, sample_positions(game)[6], flipped=flipped, touchable=False))
        left, top, width, height = map(int, root.attrib["viewBox"].split())
        for text in root.iter(f"{SVG}text"):
            x, y, half = (int(text.attrib[key]) for key in ("x", "y", "font-size"))
            middle = y - 0.35 * half
            assert left + half / 2 <= x <= left + width - half / 2
            assert top + half / 2 <= middle <= top + height - half / 2


@every_name
def test_reserves_show_how_many_wait(name: str) -> None:
    for game in (game for game in FORMS if game.name == name):
        for match in (Match(game), random_match(game, random.Random(2), 3)):
            known = places(parsed(picture_of(match)))
            for kind in game.board().reserves:
                tray = known[kind.letter]
                n = game.reserve(match.position, kind.letter)
                (count,) = having(tray, "count")
                assert count.text == str(n)
                assert str(n) in tray.attrib["aria-label"]
                mine = kind.seat == game.seat(match.position)
                assert ("to-move" in tray.attrib["class"]) == mine


def test_reserves_can_be_drawn_alone_and_left_out() -> None:
    match = match_after("diam", "r@1 m@2")
    alone = places(parsed(picture_of(match, ground=False, reserves=[1])))
    assert list(alone) == ["m", "n"]
    without = places(parsed(picture_of(match, reserves=())))
    assert not {"r", "o", "m", "n"} & without.keys()
    moving = match_after("seega").game.read("wwwww/bbbbb/ww.bb/wwwbb/bbbww turn=0 phase=2 duty=0")
    assert not having(parsed(picture(match_after("seega").game, moving)), "reserve")


def test_two_pictures_on_one_page_share_no_id() -> None:
    match = match_after("diam", "r@1")
    one, other = picture_of(match, prefix="one-"), picture_of(match, prefix="two-")
    ids = re.findall(r' id="([^"]*)"', one.svg + other.svg)
    assert len(set(ids)) == len(ids) == 2 * (8 + 32 + 4)
    assert 'id="one-1-1"' in one.svg


def test_a_pile_is_spoken_from_the_bottom_up() -> None:
    match = match_after("diam", "r@3 m@3 o@3 n@4")
    known = places(parsed(picture_of(match)))
    assert known["3"].attrib["aria-label"] == "cell 3, pile of 3: red under brown under orange"
    assert known["3.2"].attrib["aria-label"] == "cell 3, level 2: brown"
    assert known["4"].attrib["aria-label"] == "cell 4: black"
    assert known["5"].attrib["aria-label"] == "cell 5: empty"
    assert known["r"].attrib["aria-label"] == "reserve, red: 3"
    french = places(parsed(picture_of(match, say=Voice("fr"))))
    assert (
        french["3"].attrib["aria-label"] == "case 3, pile de 3\u00a0: rouge sous marron sous orange"
    )


def test_a_landmark_is_spoken() -> None:
    known = places(parsed(picture_of(match_after("seega", "@a1+a2"))))
    assert known["c3"].attrib["aria-label"] == "cell c3, refuge: empty"
    assert known["a1"].attrib["aria-label"] == "cell a1: white"
    goals = places(parsed(picture_of(match_after("buts"))))
    assert goals["A4"].attrib["aria-label"] == "cell A4, Black's goal: empty"


def test_the_picture_says_what_it_is() -> None:
    match = match_after("diam", "r@1 m@1 r@5")
    assert parsed(picture_of(match)).get("aria-label") == "Diam after r@5: brown and black to move"
    match.play("m@5")
    over = parsed(picture_of(match, touchable=False))
    assert over.get("aria-label") == "Diam after m@5: a diam"
    assert over.get("role") == "img"
    assert not [element for element in over.iter() if element.get("tabindex")]


def way(root: Element, place: str) -> list[tuple[str, str]]:
    """The legs of the piece on a place, the last one first."""
    legs = having(places(root)[place], "leg")
    return [(leg.attrib["class"], leg.attrib["transform"]) for leg in legs]


def test_a_chain_goes_step_by_step_and_each_jump_is_a_hop() -> None:
    match = match_after("buts", "G6-F6 B5-C5 G4^E6 C4-D4 F6^D6 B3-A3 E6^G4 B1^D3^D5^B5^D7")
    root = parsed(picture_of(match))
    assert way(root, "D7") == [
        ("leg turn-3", "translate(-200 -200)"),
        ("leg turn-2", "translate(0 200)"),
        ("leg turn-1", "translate(-200 0)"),
        ("leg turn-0", "translate(-200 -200)"),
    ]
    assert len(having(root, "hop")) == 4
    assert len(having(root, "track")) == 1
    still = parsed(picture_of(match, still=True))
    assert not having(still, "leg")
    assert not having(still, "hop")
    assert having(still, "track")


def test_a_chain_that_ends_where_it_began_is_shown() -> None:
    placed = "@c1+e5 @c5+e4 @b2+d4 @a1+d1 @a4+b5 @c2+d3 @d5+e3 @b1+b4 @d2+e1 @c4+e2 @a2+b3 @a3+a5"
    match = match_after("seega", f"{placed} b3xc3xb3xb4 a3xb3xa3xd3 c1xc3xc1")
    root = parsed(picture_of(match))
    assert [leg for leg, _way in way(root, "c1")] == ["leg turn-1", "leg turn-0"]
    assert {element.attrib["data-place"] for element in having(root, "last")} == {"c1"}
    assert inside(root, "ghost") == match.game.pieces(match.positions[-2]).keys() - {"w", "b"} - (
        match.game.pieces(match.position).keys()
    )


def test_after_a_pass_nothing_is_lit() -> None:
    game = quinconce.game("diadema")
    position = game.start()
    assert not having(parsed(picture(game, position, last="pass")), "last")
    assert not having(parsed(picture(game, position, last="pass", before=position)), "last")


def test_what_a_pawn_carries_arrives_with_it() -> None:
    root = parsed(picture_of(match_after("diam", "r@3 m@3 o@4 n@8 3.1-4")))
    assert [len(way(root, place)) for place in ("4.1", "4.2", "4.3")] == [0, 1, 1]
    assert {e.attrib["data-place"] for e in having(root, "last")} == {"3.1", "3.2", "4.2", "4.3"}


def test_a_placed_pawn_comes_from_its_reserve() -> None:
    match = match_after("diadema", "@A")
    assert len(way(parsed(picture_of(match)), "A")) == 1
    bare = parsed(picture_of(match, reserves=()))
    assert not way(bare, "A")
    assert inside(bare, "appearing") == {"A"}


def test_a_jump_on_a_circle_follows_it_and_what_is_captured_fades() -> None:
    root = parsed(picture_of(match_after("diadema", "@A @B @D @1 AxC")))
    assert [leg for leg, _way in way(root, "C")] == ["leg turn-1", "leg turn-0"]
    assert inside(root, "ghost") == {"B"}
    straight = parsed(picture_of(match_after("diadema", "@A @1 @D @G Ax2")))
    assert [leg for leg, _way in way(straight, "2")] == ["leg turn-0"]


@pytest.mark.parametrize(
    ("name", "moves", "won"),
    [
        ("diam", "r@1 m@1 r@5 m@5", {"1.2", "5.2"}),
        ("diadema", "@A @D @1 @E @2 @F @C", {"A", "1", "2", "C"}),
        ("buts", "G6^E4 B1-A1 F5-E5", set()),
    ],
)
def test_what_decided_the_game_is_shown(name: str, moves: str, won: set[str]) -> None:
    match = match_after(name, moves)
    root = parsed(picture_of(match))
    assert {element.attrib["data-place"] for element in having(root, "won")} == won
    assert ("over" in root.attrib["class"]) == bool(won)


@every_form
def test_decisive_places_are_there_only_when_the_board_decided(game: Game[Any]) -> None:
    for position in sample_positions(game):
        decisive = game.decisive(position)
        assert decisive <= game.pieces(position).keys()
        outcome = game.outcome(position)
        # Where no enemy is left, no place is more decisive than another.
        assert bool(decisive) == (outcome is not None and outcome.reason != "grand")
        if outcome and decisive:
            owners = {game.pieces(position)[place] for place in decisive}
            assert {k.seat for k in game.kinds if k.letter in owners} <= set(outcome.winners)


@pytest.mark.parametrize("theme", THEMES)
def test_a_settled_picture_needs_no_variables(theme: str) -> None:
    style = stylesheet_for_theme(theme)
    assert not re.search(r"var\(|--|light-dark|@|/\*", style)
    assert style.count("{") == style.count("}") > 40
    assert stylesheet_for_theme("light") != stylesheet_for_theme("dark")
    assert f"<style>{style[:9]}" in picture_of(match_after("buts"), theme=theme).svg


def test_a_theme_that_is_not_there_is_refused() -> None:
    with pytest.raises(ValueError, match="there is no theme 'pink'"):
        picture_of(match_after("buts"), theme="pink")


def test_the_page_brings_the_style_itself() -> None:
    page = parsed(picture_of(match_after("buts"), standalone=False))
    assert not list(page.iter(f"{SVG}style"))
    assert page.get("width") is None
    alone = picture_of(match_after("buts"))
    assert alone._repr_svg_() == alone.svg
    (style,) = parsed(alone).iter(f"{SVG}style")
    assert style.text == stylesheet()


def test_every_class_and_colour_that_is_drawn_has_a_style() -> None:
    sheet = stylesheet()
    for game in FORMS:
        for kind in game.kinds:
            assert f".{kind.colour} > .body" in sheet
        for region in game.board().landmarks():
            assert f".picture .{region.name} {{" in sheet
    used = set(re.findall(r"var\((--[\w-]+)\)", sheet))
    assert used == set(re.findall(r"(--[\w-]+):", sheet))


@every_name
def test_every_kind_of_piece_is_told_by_more_than_hue(name: str) -> None:
    """By its shape, or, with two kinds, by being much lighter."""
    values = dict(re.findall(r"--(\w+): light-dark\((#\w{6}),", stylesheet()))
    for game in (game for game in FORMS if game.name == name):
        if len({kind.shape for kind in game.kinds}) < len(game.kinds):
            one, other = (brightness(values[kind.colour]) for kind in game.kinds)
            assert abs(one - other) > 0.6


def brightness(colour: str) -> float:
    red, green, blue = (int(colour[i : i + 2], 16) / 255 for i in (1, 3, 5))
    return 0.2126 * red + 0.7152 * green + 0.0722 * blue
