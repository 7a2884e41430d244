"""What must hold for every game with every set of options."""

from __future__ import annotations

import random
import re
from typing import Any

import pytest
from corpus import CONSTRUCTED, FORMS, form_id, random_match, sample_positions
from hypothesis import assume, given
from hypothesis import strategies as st

import quinconce
from quinconce import Game, InvalidMoveError, Match, MoveError, Record
from quinconce.core.move_input import parse_typed_move
from quinconce.core.option import parse_number
from quinconce.core.registry import game_class, game_forms

every_form = pytest.mark.parametrize("game", FORMS, ids=form_id)
every_name = pytest.mark.parametrize("name", quinconce.names())


def test_the_corpus_knows_every_game() -> None:
    assert set(CONSTRUCTED) == set(quinconce.names())


def test_every_set_of_options_is_met() -> None:
    counts = {name: len(game_forms(name)) for name in quinconce.names()}
    assert counts == {"buts": 1, "diadema": 1, "diam": 5, "seega": 48}


@every_form
def test_random_playouts_end(game: Game[Any]) -> None:
    chance = random.Random(form_id(game))
    match = random_match(game, chance)
    outcome = match.outcome()
    assert outcome is not None
    assert not match.legal()
    assert outcome.winners == () or outcome.winners in game.sides
    assert game.reason(outcome)
    record = Record.of(match)
    assert Record.read(record.text()) == record


@every_form
def test_moves_match_the_notation_and_touch_places_of_the_board(game: Game[Any]) -> None:
    places = set(game.board().place_names())
    for position in sample_positions(game)[::3]:
        for text, after in game.moves(position):
            assert text == "pass" or re.fullmatch(game.notation, text)
            assert text == "pass" or game.touches(text)
            assert all(step <= places for step in game.touches(text))
            game.check(after)


@every_form
def test_a_move_has_one_text_and_leads_to_the_next_turn(game: Game[Any]) -> None:
    for position in sample_positions(game)[1::3]:
        moves = list(game.moves(position))
        assert len({text for text, _after in moves}) == len(moves)
        assert all(after.turn == (position.turn + 1) % len(game.cycle) for _text, after in moves)
        assert bool(moves) != bool(game.outcome(position))


@every_form
def test_positions_are_read_as_they_were_written(game: Game[Any]) -> None:
    for position in sample_positions(game):
        text = game.write(position)
        assert "\n" not in text
        assert game.read(text) == position
        assert game.read(f"  {text} ") == position


@every_form
def test_pieces_stand_on_places_and_none_is_forgotten(game: Game[Any]) -> None:
    places = set(game.board().place_names())
    for position in sample_positions(game):
        pieces = game.pieces(position)
        assert set(pieces) <= places
        on_board = "".join(letter for place, letter in pieces.items() if place in game.cells)
        assert sorted(on_board) == sorted(position.board.replace(".", ""))
        for kind in game.board().reserves:
            assert len(pieces[kind.letter]) == game.reserve(position, kind.letter)


@every_form
def test_the_geometry_names_only_its_own_places(game: Game[Any]) -> None:
    board = game.board()
    names = board.place_names()
    assert len(set(names)) == len(names)
    assert set(game.cells) <= set(names)
    points = [(place.x, place.y) for place in board.places if place.name in game.cells]
    assert len(set(points)) == len(points)
    assert all(place.parent is None or place.parent in names for place in board.places)
    assert all(set(line) <= set(names) for line in board.lines)
    at = {place.name: (place.x, place.y) for place in board.places}
    for circle in board.circles:
        assert all(
            (at[place][0] ** 2 + at[place][1] ** 2) ** 0.5 == pytest.approx(circle.radius, abs=1e-3)
            for place in circle.places
        )
    for line in board.lines:  # straight, and in order
        (x0, y0), (x1, y1) = at[line[0]], at[line[-1]]
        along = [((at[p][0] - x0) * (x1 - x0) + (at[p][1] - y0) * (y1 - y0)) for p in line]
        across = [((at[p][0] - x0) * (y1 - y0) - (at[p][1] - y0) * (x1 - x0)) for p in line]
        assert along == sorted(along)
        assert across == pytest.approx([0] * len(line), abs=1e-2)
    assert all(set(region.places) <= set(names) for region in board.regions)
    assert [kind.letter for kind in game.kinds] == list(game.letters)
    assert len(game.players) == game.seats == len({seat for side in game.sides for seat in side})


@every_form
def test_symmetric_positions_have_symmetric_successors(game: Game[Any]) -> None:
    maps = game.symmetries()
    chance = random.Random(5)
    some = chance.sample(sample_positions(game), 6)
    assert len({(m.order, tuple(m.letters.items()), m.turns) for m in maps}) == len(maps)
    for symmetry in maps if len(maps) <= 16 else chance.sample(list(maps), 16):
        for position in some:
            image = symmetry.image(position)
            game.check(image)
            successors = {symmetry.image(after) for _text, after in game.moves(position)}
            assert successors == {after for _text, after in game.moves(image)}
            touched = {
                tuple(
                    frozenset(symmetry.places[place] for place in step)
                    for step in game.touches(text)
                )
                for text, _after in game.moves(position)
            }
            assert touched == {game.touches(text) for text, _after in game.moves(image)}
            won, mirrored = game.outcome(position), game.outcome(image)
            if won is None:
                assert mirrored is None
            else:
                assert mirrored is not None
                assert mirrored.reason == won.reason
                assert set(mirrored.winners) == {symmetry.seats[seat] for seat in won.winners}


@every_form
def test_every_refusal_has_a_reason(game: Game[Any]) -> None:
    """Moves legal elsewhere are tried here: each is played or refused with a sentence."""
    chance = random.Random(6)
    some = chance.sample(sample_positions(game), 12)
    elsewhere = sorted({text for position in some for text, _after in game.moves(position)})
    for position in some:
        legal = dict(game.moves(position))
        for text in chance.sample(elsewhere, min(12, len(elsewhere))):
            if text not in legal:
                with pytest.raises(MoveError) as refused:
                    game.after(position, text)
                assert len(refused.value.why) > 10
                assert refused.value.position == game.write(position)
                assert repr(text) in str(refused.value)


@every_form
def test_what_people_type_is_understood(game: Game[Any]) -> None:
    for position in sample_positions(game)[::4]:
        for text in list(dict(game.moves(position)))[::7][:5]:
            assert parse_typed_move(game, position, text) == text
            assert parse_typed_move(game, position, f"  {text.upper()} ") == text
            assert parse_typed_move(game, position, text.lower()) == text


@every_form
def test_equal_games_are_equal(game: Game[Any]) -> None:
    twin = quinconce.game(game.name, **game.chosen)
    assert twin == game
    assert hash(twin) == hash(game)
    assert eval(repr(game), {"game": quinconce.game}) == game
    assert game != object()


@every_name
@given(text=st.text() | st.from_regex(r"[-@^x~+.a-hA-H0-9rjvbomn]{0,12}", fullmatch=True))
def test_garbage_played_is_a_value_error(name: str, text: str) -> None:
    match = Match(quinconce.game(name))
    legal = match.legal()
    assume(text not in legal)
    with pytest.raises(MoveError):
        match.play(text)
    try:
        meant = parse_typed_move(match.game, match.position, text)
    except ValueError:
        return
    if meant not in legal:
        with pytest.raises(MoveError):
            match.play(meant)
    assert match.moves == []
    assert match.legal() == legal


@every_name
@given(text=st.text() | st.from_regex(r"[./rombvjcfw0-9]{0,40}( turn=[0-9]{1,3})?", fullmatch=True))
def test_garbage_read_is_a_value_error(name: str, text: str) -> None:
    game = quinconce.game(name)
    try:
        position = game.read(text)
    except ValueError:
        return
    assert game.write(position) == " ".join(text.split())


@every_name
@given(data=st.data())
def test_a_position_changed_in_one_letter_is_read_or_refused(
    name: str, data: st.DataObject
) -> None:
    game = quinconce.game(name)
    text = game.write(
        data.draw(st.sampled_from(random_match(game, random.Random(8), 60).positions))
    )
    at = data.draw(st.integers(0, len(text) - 1))
    changed = text[:at] + data.draw(st.characters()) + text[at + 1 :]
    try:
        position = game.read(changed)
    except ValueError:
        return
    game.check(position)
    assert list(game.moves(position)) or game.outcome(position)


@every_name
@given(
    options=st.dictionaries(
        st.text() | st.sampled_from(["self", "name", "cls"]),
        st.text() | st.integers() | st.floats() | st.none(),
    )
)
def test_garbage_options_are_a_value_error(name: str, options: dict[str, Any]) -> None:
    assume(not options.keys() <= game_class(name).options.keys())
    with pytest.raises(ValueError, match="there is no option"):
        quinconce.game(name, **options)


@every_name
@given(value=st.text() | st.integers() | st.floats() | st.none() | st.binary())
def test_a_value_not_offered_is_a_value_error(name: str, value: Any) -> None:
    for key, option in game_class(name).options.items():
        number = parse_number(str(value)) if isinstance(value, str | int) else None
        offered = str(value) in option or number in option.numbers
        if not offered:
            with pytest.raises(ValueError, match=f"option {key} cannot be"):
                quinconce.game(name, **{key: value})


@pytest.mark.parametrize("name", ["", "nothing", "Diam", "../diam", "__init__", None, 3])
def test_an_unknown_game_is_a_value_error(name: Any) -> None:
    with pytest.raises(ValueError, match="there is no game"):
        quinconce.game(name)


@every_name
@pytest.mark.parametrize("thing", [None, 3, b"pass", ["pass"]])
def test_a_move_that_is_no_text_is_invalid(name: str, thing: Any) -> None:
    with pytest.raises(InvalidMoveError):
        Match(quinconce.game(name)).play(thing)
