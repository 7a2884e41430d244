"""A batch of games = the plain rules, touch by touch: masks, observations, ends and rewards."""

from __future__ import annotations

import pickle
import random
from collections import Counter
from copy import deepcopy
from typing import Any

import numpy as np
import pytest
from corpus import FORMS, NEAR_FORMS, form_id, game_count, positions

import quinconce
from quinconce import Game, Match
from quinconce.bridges.actions import VERSION, ActionError
from quinconce.bridges.batch import FIRST_PLIES, Batch
from quinconce.bridges.episode import Episode

SEED = 33
MAX_PLIES = 3000  # which random games hardly reach
# Forms that differ in little from another are compared in the longest tier only.
EVERY_FORM = [
    pytest.param(form, marks=[] if form in NEAR_FORMS else pytest.mark.long, id=form_id(form))
    for form in FORMS
]


def compare(batch: Batch, episodes: list[Episode]) -> None:
    """Everything that a batch says of its games is what an episode of each says."""
    masks, seen, rewards = batch.legal_mask, batch.observation(), batch.rewards()
    first, done, stopped, seats = batch.observation(0), batch.done, batch.truncated, batch.seat
    for n, episode in enumerate(episodes):
        assert batch.position(n) == episode.match.position
        assert batch.path(n) == episode.path
        np.testing.assert_array_equal(masks[n], episode.mask(), str(episode))
        np.testing.assert_array_equal(seen[n], episode.observation(episode.seat), str(episode))
        np.testing.assert_array_equal(first[n], episode.observation(0), str(episode))
        assert seats[n] == episode.seat
        assert (done[n], stopped[n]) == (episode.over, episode.truncated)
        assert rewards[n].tolist() == episode.rewards()
        outcome = episode.outcome
        winners = outcome.winners if outcome else ()
        assert batch.winner[n] == (batch.game.side(winners[0]) if winners else -1)
        assert batch.plies[n] == len(episode.match.moves)


def play_side_by_side(
    game: Game[Any], starts: list[Any], max_plies: int, steps: int
) -> Counter[str]:
    """Play games in a batch and by the plain rules until each has ended; how they ended."""
    batch = Batch(game, len(starts), seed=SEED, max_plies=max_plies)
    batch.reset(positions=starts)
    episodes = [Episode(game, max_plies, Match(game, start)) for start in starts]
    ended = Counter[str]()
    for _step in range(steps):
        compare(batch, episodes)
        actions = batch.random_actions()
        for n, episode in enumerate(episodes):
            if episode.over:
                ended[batch.reason(n)] += 1
                episodes[n] = Episode(game, max_plies, Match(game, starts[n]))
            else:
                episode.touch(int(actions[n]))
        batch.step(actions)
    return ended


@pytest.mark.slow
@pytest.mark.parametrize("game", EVERY_FORM)
def test_random_games_are_those_of_the_plain_rules(game: Game[Any]) -> None:
    ended = play_side_by_side(game, [game.start()] * 2, 30, 100)
    assert ended


@pytest.mark.slow
@pytest.mark.parametrize("game", EVERY_FORM)
def test_constructed_positions_are_played_on_by_the_plain_rules(game: Game[Any]) -> None:
    """Passes, chains, rings and blocked players, which random games hardly meet."""
    chance = random.Random(f"batch {form_id(game)}")
    play_side_by_side(game, list(positions(game, chance, 16)), 12, 14)


@pytest.mark.long
@pytest.mark.parametrize("game", FORMS, ids=form_id)
def test_a_hundred_random_games_end_as_the_plain_rules_say(game: Game[Any]) -> None:
    batch = Batch(game, 20, seed=SEED, max_plies=MAX_PLIES)
    episodes, ended = [Episode(game, MAX_PLIES) for _game in range(20)], 0
    while ended < game_count(game):
        actions = batch.random_actions()
        for n, episode in enumerate(episodes):
            if episode.over:
                episodes[n] = Episode(game, MAX_PLIES)
            else:
                episode.touch(int(actions[n]))
        batch.step(actions)
        over, rewards = batch.done, batch.rewards()
        assert over.tolist() == [episode.over for episode in episodes]
        for n in np.flatnonzero(over).tolist():
            ended += 1
            assert rewards[n].tolist() == episodes[n].rewards()
            assert batch.position(n) == episodes[n].match.position


def test_every_way_to_end_is_met() -> None:
    met = Counter[str]()
    for name, max_plies in (("diadema", 1000), ("seega", 1000), ("buts", 40)):
        batch = Batch(name, 256, seed=SEED, max_plies=max_plies)
        for _step in range(600):
            for n in np.flatnonzero(batch.done).tolist():
                met[batch.reason(n)] += 1
            batch.step(batch.random_actions())
    assert {"board", "repetition", "quiet", "max_plies"} <= met.keys()


def test_passing_all_round_is_a_draw() -> None:
    """Each pawn stands alone far from home: nobody can move, and the second pass ends the game."""
    game = quinconce.game("buts")
    far = ["."] * 64
    for row in (0, 1):
        for column in (0, 2, 5, 7):
            far[16 * row + column] = "w"
            far[63 - 16 * row - column] = "b"
    start = game.start()._replace(board="".join(far))
    ended = play_side_by_side(game, [start], 100, 6)
    assert ended["passes"]


def test_the_same_seed_gives_the_same_games_in_one_thread_or_two() -> None:
    def masks(seed: int, threads: int) -> bytes:
        batch = Batch("seega", 33, seed=seed, threads=threads)
        for _step in range(120):
            batch.step(batch.random_actions())
        return batch.legal_mask.tobytes() + batch.observation().tobytes()

    assert masks(1, 1) == masks(1, 2) != masks(2, 1)


def test_games_that_are_over_begin_anew_with_the_next_step() -> None:
    batch = Batch("diadema", 64, seed=SEED)
    while not batch.done.any():
        batch.step(batch.random_actions())
    over = batch.done
    won = batch.winner[over & ~batch.truncated]
    assert set(won) <= {-1, 0, 1}
    batch.step(batch.random_actions())
    assert not batch.done[over].any()
    assert (batch.plies[over] == 0).all()
    batch.reset(over)
    batch.reset([0, 5])
    assert batch.plies[0] == batch.plies[5] == 0
    batch.reset()
    assert not batch.plies.any()


@pytest.mark.parametrize(
    "actions",
    [[0, 1], [[0, 1, 2]], [0.0, 1.0, 2.0], ["a", "b", "c"], [True, False, True], None],
    ids=repr,
)
def test_actions_of_a_wrong_shape_or_dtype_are_refused(actions: Any) -> None:
    batch = Batch("diadema", 3)
    before = batch.observation()
    with pytest.raises(ValueError, match="3 whole numbers"):
        batch.step(actions)
    np.testing.assert_array_equal(batch.observation(), before)


@pytest.mark.parametrize("action", [-1, 14, 16, 17, 1000])
def test_an_action_that_is_not_legal_changes_nothing(action: int) -> None:
    batch = Batch("diadema", 3)
    before = batch.observation()
    with pytest.raises(ActionError, match="in game 2"):
        batch.step([0, 1, action])
    np.testing.assert_array_equal(batch.observation(), before)
    assert not batch.path(0)


def test_an_action_is_named_as_it_was_given() -> None:
    wrong = np.array([0, (1 << 64) - 1, 2], np.uint64)
    with pytest.raises(ActionError, match=f"action {(1 << 64) - 1:,} is not legal now in game 1"):
        Batch("diadema", 3).step(wrong)


@pytest.mark.parametrize(
    ("arguments", "options", "why"),
    [
        (("chess", 3), {}, "there is no game"),
        (("diam", 0), {}, "size"),
        (("diam", True), {}, "size is 'True'"),
        (("diam", 3.0), {}, "size is '3.0'"),
        (("diam", 3), {"threads": True}, "threads"),
        (("diam", 3), {"max_plies": None}, "max_plies"),
        (("diam", 3), {"version": VERSION + 1}, "have version 0 here, not '1'"),
        (("diam", 3), {"edition": 1900}, "edition"),
        (("diam", 3), {"threads": 0}, "threads"),
        (("diam", 3), {"max_plies": -4}, "max_plies"),
        ((5, 3), {}, "there is no game"),
        ((quinconce.game("diam"), 3), {"edition": 1997}, "has its options"),
    ],
)
def test_a_batch_that_cannot_be_is_refused(arguments: Any, options: Any, why: str) -> None:
    with pytest.raises(ValueError, match=why):
        Batch(*arguments, **options)


def test_positions_to_begin_from_are_checked() -> None:
    batch = Batch("seega", 4, size=7)
    with pytest.raises(ValueError, match="one for each"):
        batch.reset(positions=[batch.game.start()] * 3)
    wrong = batch.game.start()._replace(phase=2)
    with pytest.raises(ValueError, match="empty"):
        batch.reset(positions=[wrong])
    with pytest.raises(ValueError, match="no seat"):
        batch.observation(2)


@pytest.mark.parametrize("seat", [-1, 2, 1.0, True, "0"])
def test_a_seat_that_there_is_not_is_refused(seat: Any) -> None:
    with pytest.raises(ValueError, match="there is no seat"):
        Batch("diadema", 3).observation(seat)


@pytest.mark.parametrize(
    "which",
    [3, True, [99], [-1], [0.0], [[0, 1]], [True, False], np.zeros(0, bool), "all", [None]],
    ids=repr,
)
def test_games_that_there_are_not_are_refused_in_one_line(which: Any) -> None:
    batch = Batch("diadema", 3)
    batch.step([0, 1, 2])
    before = batch.observation()
    with pytest.raises(ValueError, match="names no games") as caught:
        batch.reset(which, [batch.game.start()])
    assert "\n" not in str(caught.value)
    np.testing.assert_array_equal(batch.observation(), before)


@pytest.mark.parametrize(
    "positions", [["x"], [None], 5, "abc", [("c" * 14, 0)], quinconce.game("diadema").start()]
)
def test_positions_that_are_none_change_nothing(positions: Any) -> None:
    batch = Batch("diadema", 3)
    batch.step([0, 1, 2])
    before = batch.observation()
    with pytest.raises(ValueError, match=r"is not a position|give one position"):
        batch.reset(positions=positions)
    np.testing.assert_array_equal(batch.observation(), before)
    batch.reset()
    assert batch.position(0) == batch.game.start()


def test_no_games_at_all_may_begin_anew() -> None:
    batch = Batch("diadema", 3)
    batch.step([0, 1, 2])
    for nothing in ([], (), np.zeros(0, np.int64), [False] * 3):
        batch.reset(nothing)
        batch.reset(nothing, [])
        batch.reset(nothing, [batch.game.start()])
    assert batch.plies.tolist() == [1, 1, 1]


def test_whole_numbers_of_any_kind_will_do() -> None:
    batch = Batch("diadema", np.int64(3), threads=np.int8(2), max_plies=np.int32(9))  # type: ignore[arg-type]
    assert (batch.size, batch.threads, batch.version) == (3, 2, VERSION)
    batch.reset(np.array([1], np.uint8))
    np.testing.assert_array_equal(batch.observation(np.int64(1)), batch.observation(1))  # type: ignore[arg-type]


@pytest.mark.parametrize("threads", [1, 2])
@pytest.mark.parametrize("copy", [deepcopy, lambda batch: pickle.loads(pickle.dumps(batch))])
def test_a_copy_is_played_on_by_itself(copy: Any, threads: int) -> None:
    batch = Batch("seega", 33, seed=SEED, threads=threads)
    for _step in range(20):
        batch.step(batch.random_actions())
    before, other = batch.observation(), copy(batch)
    for _step in range(20):
        other.step(other.random_actions())
    np.testing.assert_array_equal(batch.observation(), before)
    for _step in range(20):
        batch.step(batch.random_actions())
    np.testing.assert_array_equal(batch.observation(), other.observation())


def test_memory_grows_with_the_length_of_the_games_and_not_with_their_limit() -> None:
    batch = Batch("buts", 4, seed=SEED, max_plies=FIRST_PLIES + 40)
    assert batch.games.keys.shape == (4, FIRST_PLIES)
    match = Match(batch.game)
    while not batch.done[0]:
        turn = batch.plies[0]
        actions = batch.random_actions()
        batch.step(actions)
        if batch.plies[0] > turn:
            match.append("", batch.position(0))
            assert batch.games.repetitions[0] == match.repetitions
    assert batch.plies[0] == FIRST_PLIES + 40
    for _step in range(3):
        batch.step(batch.random_actions())
    assert batch.games.keys.shape == (4, FIRST_PLIES + 41)
