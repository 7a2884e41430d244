"""The search among more than two sides: what it must see, what it may claim, and how it stops."""

from __future__ import annotations

import random
import threading
from functools import cache
from typing import Any

import pytest
from brute_force import state_wins_within
from corpus import FORMS, form_id, positions
from moves import match_after
from waiting import until

import quinconce
from quinconce import Game, Match
from quinconce.engine.analysis import run_search
from quinconce.engine.levels import LEVELS
from quinconce.engine.limits import Limits
from quinconce.engine.mcts import TreeSearch
from quinconce.engine.move_choice import choose
from quinconce.engine.weakness import Weakness
from quinconce.kernels import calls
from quinconce.kernels.kernel import kernel_for

CROWDED = [game for game in FORMS if len(game.sides) > 2]
every_crowd = pytest.mark.parametrize("game", CROWDED, ids=form_id)
LIMITED = [number for number, level in enumerate(LEVELS, 1) if level.nodes]
SEEING = [number for number in LIMITED if LEVELS[number - 1].blind_from_ply >= 2]


def wins(game: Game[Any], position: Any) -> set[str]:
    """The moves that win at once for the side of the player to move."""
    side = game.side(game.seat(position))
    return {
        text
        for text, after in game.moves(position)
        if (outcome := game.outcome(after)) and game.side(outcome.winners[0]) == side
    }


def safe(game: Game[Any], position: Any) -> set[str]:
    """The moves that give nobody else the game, on the board or on the next turn."""
    return {
        text
        for text, after in game.moves(position)
        if not game.outcome(after) and not wins(game, after)
    }


@cache
def sampled(game: Game[Any]) -> list[Match[Any]]:
    """Matches from many positions in which there is something to decide."""
    found = positions(game, random.Random(f"crowd {form_id(game)}"), 2000)
    started = (Match(game, position) for position in found)
    return [match for match in started if len(match.legal()) > 1]


def test_some_game_has_more_than_two_sides() -> None:
    assert CROWDED


@every_crowd
def test_a_level_plays_legal_moves_to_the_end(game: Game[Any]) -> None:
    for level in LIMITED[:4]:
        match = Match(game)
        while not match.outcome() and len(match.moves) < 60:
            match.play(choose(match, level, seed=level))
        assert len(match.moves) >= 4


@every_crowd
@pytest.mark.parametrize("level", [SEEING[0], SEEING[1], SEEING[4]])
def test_a_win_in_one_is_taken(game: Game[Any], level: int) -> None:
    met = [match for match in sampled(game) if wins(game, match.position)][:40]
    assert len(met) == 40
    for seed, match in enumerate(met):
        move = choose(match, level, seed=seed)
        assert move in wins(game, match.position), game.write(match.position)


@every_crowd
@pytest.mark.parametrize("level", [SEEING[0], SEEING[1], SEEING[4]])
def test_the_next_players_win_is_parried(game: Game[Any], level: int) -> None:
    met = [
        match
        for match in sampled(game)
        if not wins(game, match.position)
        and 0 < len(safe(game, match.position)) < len(match.legal())
    ][:40]
    assert len(met) == 40
    for seed, match in enumerate(met):
        move = choose(match, level, seed=seed)
        assert move in safe(game, match.position), game.write(match.position)


@every_crowd
def test_even_one_node_sees_what_loses_at_once(game: Game[Any]) -> None:
    for match in sampled(game)[:40]:
        good = wins(game, match.position) or safe(game, match.position)
        assert run_search(TreeSearch(match, Limits(nodes=1))) in good or not good


@every_crowd
def test_the_same_seed_and_nodes_give_the_same_move(game: Game[Any]) -> None:
    seen = set()
    for match in sampled(game)[:15]:
        for seed in (1, 2):
            once, again = (choose(match, LIMITED[1], seed=seed) for _time in range(2))
            assert once == again
            seen.add((match.position, once))
    assert len(seen) > 15  # another seed chooses otherwise somewhere


@every_crowd
def test_a_search_without_end_can_be_stopped(game: Game[Any]) -> None:
    thought = TreeSearch(Match(game))
    whole: list[bool] = []

    def work() -> None:
        going = True
        while going:
            going = thought.deepen(1)
            whole.append(going)

    worker = threading.Thread(target=work)
    worker.start()
    until(lambda: len(whole) >= 3 or not worker.is_alive())
    thought.stop()
    worker.join()
    assert whole[:3] == [True] * 3
    assert not whole[-1]
    assert thought.lines(1)[0].moves[0] in Match(game).legal()


@every_crowd
def test_a_search_stopped_before_it_began_thinks_for_a_round(game: Game[Any]) -> None:
    thought = TreeSearch(Match(game))
    thought.stop()
    assert thought.deepen(1)
    assert thought.nodes > 0
    assert not thought.deepen(1)
    assert thought.lines(1)[0].moves[0] in Match(game).legal()


@every_crowd
def test_nodes_are_a_limit(game: Game[Any]) -> None:
    thought = TreeSearch(Match(game), Limits(nodes=1000))
    run_search(thought)
    assert thought.nodes == 1000


@every_crowd
def test_lines_are_moves_one_after_the_other(game: Game[Any]) -> None:
    longest = 0
    for match in sampled(game)[:40]:
        thought = TreeSearch(match, Limits(nodes=2000))
        run_search(thought)
        found = thought.lines(3)
        assert len({line.moves[0] for line in found}) == min(3, len(match.legal()))
        for line in found:
            after = Match(game, match.position)
            for text in line.moves:
                after.play(text)
            longest = max(longest, len(line.moves))
    assert longest >= 4


# Positions in which the player to move wins on his next turn, whatever the three others do.
FORCED = [
    "vrb./j.../..../r.../..../v.../bv../vr.. turn=0",
    "bbb./jrr./..../v.../..../rj../..../.... turn=0",
    "..../bb../v.../..../j.../vvr./..../bb.. turn=3",
    "vrjb/rbj./vr../..../b.../..../..../vr.. turn=3",
    "..../..../v.../v.../b.../vv../j.../r... turn=2",
    "..../b.../..../..../rbv./jbjr/jr../r... turn=3",
]


def forced_match(text: str) -> Match[Any]:
    game = quinconce.game("diam", edition=1997, players=4)
    return Match(game, game.read(text))


@pytest.mark.parametrize("text", FORCED)
def test_a_forced_win_is_proved_and_is_one_against_any_play(text: str) -> None:
    match = forced_match(text)
    game, kernel = match.game, kernel_for(match.game)
    thought = TreeSearch(match, Limits(nodes=3000))
    run_search(thought)
    line, side = thought.lines(1)[0], game.side(match.seat)
    assert (line.value, line.plies, len(line.moves)) == ("win", 5, 5)
    state = thought.root_moves[0].state
    assert state_wins_within(kernel, state, side, 4)
    assert not state_wins_within(kernel, state, side, 3)
    for move in line.moves:
        match.play(move)
    outcome = match.outcome()
    assert outcome
    assert game.side(outcome.winners[0]) == side


@every_crowd
def test_a_blind_player_overlooks_answers_from_his_sight_on(game: Game[Any]) -> None:
    thought = TreeSearch(
        Match(game), Limits(nodes=500), weakness=Weakness(blindness=500, blind_from_ply=2)
    )
    run_search(thought)
    assert len(thought.root_moves) == len(Match(game).legal())
    out = thought.kernel.new_rows(1)[0]
    answers = sum(calls.successors(root.state, out) for root in thought.root_moves)
    seen = sum(len(thought.children_of(node)) for node in thought.children_of(0))
    assert 0 < seen < 0.8 * answers


def test_a_third_repetition_is_nobodys_win() -> None:
    round_trip = "1.1-2 3.1-4 5.1-6 7.1-8 2.1-1 4.1-3 6.1-5 8.1-7"
    match = match_after(
        "diam", f"r@1 j@3 v@5 b@7 {round_trip} {round_trip}", edition=1997, players=4
    )
    outcome = match.outcome()
    assert outcome
    assert outcome.reason == "repetition"
    closing = match.undo()
    thought = TreeSearch(match, Limits(nodes=400))
    run_search(thought)
    root = next(root for root in thought.root_moves if root.text == closing)
    nobody = 1 << len(match.game.sides)
    assert thought.tree.possible_winners[thought.node_by_state[root.state]] == nobody
    assert all(
        thought.tree.possible_winners[thought.node_by_state[other.state]] != nobody
        for other in thought.root_moves
        if other is not root
    )


@every_crowd
def test_a_weak_player_overlooks_moves(game: Game[Any]) -> None:
    overlooked = 0
    for seed, match in enumerate(sampled(game)[:40]):
        thought = TreeSearch(match, Limits(nodes=50), weakness=Weakness(blindness=500, seed=seed))
        before = {root.text for root in thought.root_moves}
        assert run_search(thought) in before <= set(match.legal())
        assert {root.text for root in thought.root_moves} == before
        overlooked += len(match.legal()) - len(before)
    assert overlooked > 40


@every_crowd
def test_an_estimate_is_worse_with_noise(game: Game[Any]) -> None:
    changed = 0
    for match in sampled(game)[:20]:
        clear, noisy = (
            TreeSearch(match, Limits(nodes=200), weakness=Weakness(noise=noise))
            for noise in (0, 400)
        )
        changed += run_search(clear) != run_search(noisy)
    assert changed
