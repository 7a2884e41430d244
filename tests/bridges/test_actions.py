"""Actions: numbers for touches, the same in every bridge, and paths that make the legal moves."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import many_moves
import pytest
from corpus import FORMS, NEAR_FORMS, form_id, sample_positions

from quinconce import Match, game
from quinconce.bridges.actions import LongTouches, Play, Touches, actions_of
from quinconce.bridges.episode import Episode
from quinconce.bridges.observations import observations_of
from quinconce.bridges.symmetries import augmentation_of
from quinconce.core.move_limit import MOVE_LIMIT

COUNTS = {"diadema": 17, "diam": 45, "buts": 65}
SEEGA_COUNTS = {"5": 28, "7": 52, "9": 84}


def leaves(touches: Touches, path: tuple[int, ...] = ()) -> Iterator[tuple[tuple[int, ...], Play]]:
    """Every row of actions that makes a whole turn, with its move."""
    for action, below in touches.items():
        if isinstance(below, tuple):
            yield (*path, action), below
        else:
            assert below, "a path that leads nowhere"
            yield from leaves(below, (*path, action))


@pytest.mark.parametrize("form", FORMS, ids=form_id)
def test_a_game_has_an_action_for_every_place_and_one_for_done(form: Any) -> None:
    actions = actions_of(form)
    assert actions.count == COUNTS.get(form.name) or SEEGA_COUNTS[form.chosen["size"]]
    assert [actions.name(n) for n in range(actions.count)] == [*form.board().place_names(), "done"]
    assert actions.done == actions.count - 1


@pytest.mark.parametrize("form", NEAR_FORMS, ids=form_id)
def test_the_paths_of_a_position_make_its_legal_moves_and_no_others(form: Any) -> None:
    actions = actions_of(form)
    for position in sample_positions(form):
        legal = dict(form.moves(position))
        if len(legal) > MOVE_LIMIT:
            continue
        made: dict[str, Any] = {}
        ways = 0
        for path, play in leaves(actions.touches(position)):
            ended = path[-1] == actions.done and play[0] != "pass"
            assert (path[:-1] if ended else path) in actions.paths(play[0])
            made[play[0]] = play[1]
            ways += 1
        assert made == legal
        # Two moves with one path would hide each other.
        assert ways == sum(len(actions.paths(text)) for text in legal)


@pytest.mark.parametrize("form", NEAR_FORMS, ids=form_id)
def test_touches_made_one_by_one_are_those_made_at_once(form: Any) -> None:
    actions = actions_of(form)
    for position in sample_positions(form)[::4]:
        listed = actions.touches(position)
        if isinstance(listed, LongTouches) or "pass" in dict(form.moves(position)):
            continue
        found = list(leaves(listed))
        if len(found) < 100:
            assert sorted(leaves(LongTouches(actions, position, ()))) == sorted(found)


def test_chains_by_the_million_are_made_a_touch_at_a_time() -> None:
    rules = game("seega", **many_moves.OPTIONS)
    episode = Episode(rules, match=Match(rules, rules.read(many_moves.MANY)))
    assert isinstance(episode.touches, LongTouches)
    for _touch in range(100):
        before = episode.legal_actions()
        assert episode.mask().nonzero()[0].tolist() == before
        if episode.touch(before[-1]):
            break
    plain = Match(rules, rules.read(many_moves.MANY))
    assert plain.play(episode.match.moves[0]) == episode.match.position
    with pytest.raises(KeyError):
        LongTouches(episode.actions, plain.start, ())[episode.actions.done]


def test_places_of_one_step_come_in_any_order() -> None:
    actions = actions_of(game("seega"))
    b2, d4 = actions.numbers["b2"], actions.numbers["d4"]
    touches: Any = actions.touches(game("seega").start())
    assert touches[b2][d4] == touches[d4][b2]
    assert touches[b2][d4][0] == "@b2+d4"
    assert b2 not in touches[b2]


def test_done_ends_a_move_that_could_go_on() -> None:
    text = "...../..b../...wb/w..../b.... turn=1 phase=2 duty=0"
    optional, compulsory = game("seega", chain="optional"), game("seega")
    actions = actions_of(optional)
    c4, c3, a3 = (actions.numbers[place] for place in ("c4", "c3", "a3"))
    touches: Any = actions.touches(optional.read(text))
    assert set(touches) == {c4}
    assert set(touches[c4]) == {c3}
    assert set(touches[c4][c3]) == {a3, actions.done}
    assert touches[c4][c3][actions.done][0] == "c4xc3"
    assert touches[c4][c3][a3][0] == "c4xc3xa3"
    forced: Any = actions_of(compulsory).touches(compulsory.read(text))
    assert set(forced[c4][c3]) == {a3}


def test_done_alone_passes_where_nothing_else_is_legal() -> None:
    rules = game("seega")
    actions = actions_of(rules)
    position = rules.read("wb.../b..../...../...../..... turn=0 phase=2 duty=0")
    touches: Any = actions.touches(position)
    assert list(touches) == [actions.done]
    assert touches[actions.done][0] == "pass"


def test_a_game_that_is_over_has_no_action() -> None:
    rules = game("diadema")
    over = rules.start()._replace(board="cccc..........", turn=1)
    assert not actions_of(rules).touches(over)


def test_a_game_is_given_by_itself_or_by_its_name() -> None:
    for given in ("diadema", game("diadema")):
        assert actions_of(given).game == observations_of(given).game == game("diadema")
        assert Episode(given).game == augmentation_of(given).game == game("diadema")
    for wrong in ("chess", 5, None):
        for make in (actions_of, observations_of, Episode, augmentation_of):
            with pytest.raises(ValueError, match="there is no game"):
                make(wrong)  # type: ignore[arg-type]
