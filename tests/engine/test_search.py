"""The engine: legal, sees what it must, proves what it says, and can be stopped."""

from __future__ import annotations

import json
import random
import threading
from collections import Counter
from collections.abc import Iterator
from itertools import islice
from typing import Any

import pytest
from brute_force import plies_to_win
from corpus import FORMS, form_id, positions
from moves import match_after

import quinconce
from quinconce import Game, Match
from quinconce.core.game import after_moves
from quinconce.engine import Analysis, analyse, choose
from quinconce.engine.alpha_beta import HELPER_START_NODES, AlphaBetaSearch
from quinconce.engine.analysis import run_search
from quinconce.engine.levels import LAST_LEVEL
from quinconce.engine.limits import Limits
from quinconce.engine.preparation import new_search
from quinconce.engine.scores import JAM_SCORE
from quinconce.engine.solved import move_oracle, proved_value
from quinconce.engine.weights import (
    WEIGHTS_FILE,
    evaluation_weights,
    read_weights_file,
    weights_key,
)
from quinconce.kernels.kernel import kernel_for

# Every form of the small boards, and one of two words, which the plain rules are slow with.
LARGE = quinconce.game("seega", size=9)
PLAYED = [
    game
    for game in FORMS
    if game.chosen.get("quiet", "40") == "40" and game.chosen.get("size", "5") == "5"
] + [LARGE]
every_form = pytest.mark.parametrize("game", PLAYED, ids=form_id)
TWO_SIDED = [game for game in PLAYED if len(game.sides) == 2]
two_sided = pytest.mark.parametrize("game", TWO_SIDED, ids=form_id)


def last(results: Iterator[Analysis]) -> Analysis:
    *_earlier, final = results
    return final


def wins(game: Game[Any], position: Any, side: int) -> bool:
    """Whether the board has given this side the game."""
    outcome = game.outcome(position)
    return outcome is not None and bool(outcome.winners) and game.side(outcome.winners[0]) == side


def winning(game: Game[Any], position: Any) -> set[str]:
    """The moves that win at once."""
    side = game.side(game.seat(position))
    return {text for text, after in game.moves(position) if wins(game, after, side)}


def losing(game: Game[Any], position: Any) -> set[str]:
    """The moves that lose at once, or let another win with the next move."""
    side = game.side(game.seat(position))
    return {
        text
        for text, after in game.moves(position)
        if (game.outcome(after) and not wins(game, after, side)) or winning(game, after)
    }


def sharp(game: Game[Any], n: int) -> list[Any]:
    """Positions in which somebody can win at once, and as many in which another threatens to."""
    found: tuple[list[Any], list[Any]] = [], []
    chance = random.Random(f"sharp {form_id(game)}")
    for _round in range(3 if game == LARGE else 100):
        for position in positions(game, chance, 20):
            moves = sum(1 for _move in islice(game.moves(position), 200))
            if game.outcome(position) or not 1 < moves < 100:
                continue
            if winning(game, position):
                found[0].append(position)
            elif 0 < len(losing(game, position)) < moves:
                found[1].append(position)
        if min(len(found[0]), len(found[1])) >= n // 2:
            break
    return found[0][: n // 2] + found[1][: n // 2]


@pytest.mark.slow
@every_form
def test_wins_in_one_are_found_and_threats_are_parried_from_the_third_level(
    game: Game[Any],
) -> None:
    won = parried = 0
    for number, position in enumerate(sharp(game, 12)):
        match = Match(game, position)
        level = 3 + number % 7
        move = choose(match, level, seed=number)
        if good := winning(game, position):
            assert move in good, (level, game.write(position))
            won += 1
        else:
            assert move not in losing(game, position), (level, game.write(position))
            parried += 1
    assert won
    assert parried or game == LARGE


@every_form
def test_only_legal_moves_are_played(game: Game[Any]) -> None:
    """From the start with the weakest levels, which do the strangest things."""
    match = Match(game)
    for ply in range(12 if len(game.cells) > 60 else 30):
        if match.outcome():
            break
        move = choose(match, 1 + ply % 3, seed=ply)
        assert move in match.legal()
        match.play(move)
    assert match.moves


@pytest.mark.slow
@pytest.mark.parametrize(
    "game",
    [game for game in TWO_SIDED if len(game.cells) <= 32 and game.chosen.get("reach") != "step"],
    ids=form_id,
)
def test_what_is_proved_is_right_and_the_shortest(game: Game[Any]) -> None:
    """Against a search of three plies by the plain rules: found if it is there, else not said."""
    proved = 0
    for position in sharp(game, 10):
        expected = plies_to_win(game, position, 3)
        analysis = last(analyse(Match(game, position), depth=4, nodes=200_000))
        line = analysis.lines[0]
        if expected is not None:
            assert (line.value, line.plies) == ("win", expected), game.write(position)
            proved += 1
        else:
            assert line.value != "win" or len(line.moves) > 3, game.write(position)
        if line.value == "win":
            end = after_moves(game, position, line.moves)
            assert line.plies in (None, len(line.moves))
            assert wins(game, end, game.side(game.seat(position)))
        if line.value == "loss":
            assert all(
                plies_to_win(game, after, 3) is not None or line.plies != 4
                for _text, after in game.moves(position)
            )
    assert proved


def test_what_was_not_searched_to_its_end_claims_no_loss() -> None:
    """Out of nodes when one move turned out to lose: the others may not, or not as soon."""
    game = quinconce.game("diam")
    match = Match(game, game.read("non./..../..../..../..../..../rm../rm.. turn=0"))
    claims = {
        last(analyse(match, nodes=nodes)).lines[0].plies for nodes in range(5000, 60_000, 2500)
    }
    assert claims <= {None, 12}


def test_an_opponents_diam_is_seen() -> None:
    """A move that completes the other's diam loses at once: known.md has the line."""
    match = match_after("diam", "r@1 b@3 j@2 3.1-2 2.1-1 v@4 r@5 b@7 j@6 7.1-6", edition="1997")
    assert "6.1-5" in losing(match.game, match.position)
    assert choose(match, 3, seed=1) != "6.1-5"


def test_a_third_occurrence_is_a_draw_for_the_engine_too() -> None:
    """One ball short of a four, Dark may not come back a third time, and has nothing better."""
    match = match_after("diadema", "@A @D @B @4")
    there_and_back = ["A-G", "D-E", "G-A", "E-D"]
    for text in there_and_back + there_and_back[:3]:
        match.play(text)
    thought = AlphaBetaSearch(match)
    while thought.depth < 3:
        thought.deepen(len(thought.root_moves))
    scores = {root.text: root.score for root in thought.root_moves}
    assert scores["E-D"] == 0  # the third time
    assert any(score not in (0, scores["E-D"]) for score in scores.values())


def seega_ending(board: str, quiet: str, turn: int) -> Match[Any]:
    game = quinconce.game("seega", quiet=quiet)
    return Match(game, game.read(f"{board} turn={turn} phase=2 duty=0"))


@pytest.mark.slow
def test_quiet_turns_are_counted_and_a_jam_is_a_minor_victory() -> None:
    match = seega_ending("ww.../...../...../...../....b", "2", 0)
    analysis = last(analyse(match, depth=6))
    assert (analysis.lines[0].value, analysis.lines[0].plies) == ("win", 2)
    match.play(analysis.best)
    behind = last(analyse(match, depth=6))
    assert (behind.lines[0].value, behind.lines[0].plies) == ("loss", 1)


def test_a_grand_victory_comes_before_a_minor_one() -> None:
    """White can take the last pawn, or play a quiet move that jams the game: he takes it."""
    match = seega_ending("w.bw./...../...../...../w....", "2", 0)
    best = last(analyse(match, depth=4))
    match.play(best.best)
    outcome = match.outcome()
    assert outcome is not None
    assert outcome.reason == "grand"


BEHIND = [
    "b..../bw.../...w./...../.b.ww",
    "wbbb./...../...../www../.....",
    ".w.../..b../....w/ww.../...bb",
]


@pytest.mark.parametrize("board", BEHIND)
def test_who_is_behind_lets_a_game_jam_rather_than_give_pawns_away(board: str) -> None:
    """A capture would put the jam off: but a minor defeat is better than a grand one."""
    match = seega_ending(board, "6", 1)
    while not match.outcome():
        match.play(run_search(new_search(match, Limits(nodes=20_000))))
    outcome = match.outcome()
    assert outcome is not None
    assert (outcome.reason, outcome.winners, len(match.moves)) == ("minor", (0,), 6)


@pytest.mark.slow
@pytest.mark.parametrize("board", BEHIND)
def test_a_jam_that_could_be_put_off_is_feared_but_not_called_proved(board: str) -> None:
    best = last(analyse(seega_ending(board, "6", 1), depth=8)).lines[0]
    assert (best.score, best.value, best.plies) == (-JAM_SCORE, None, None)


@pytest.mark.slow
def test_a_deeper_search_does_not_take_back_that_a_jam_is_won() -> None:
    match = seega_ending("ww.../w..../...../....b/....b", "8", 0)
    values = [found.lines[0].value for found in analyse(match, depth=15)]
    assert "win" in values
    assert set(values[values.index("win") :]) == {"win"}


def wins_within(match: Match[Any], seat: int, plies: int) -> bool:
    """Whether the plain rules say that a seat wins, whatever the other does."""
    outcome = match.outcome()
    if outcome or plies <= 0:
        return outcome is not None and seat in outcome.winners
    own = match.seat == seat
    for text in match.legal():
        match.play(text)
        wins = wins_within(match, seat, plies - 1)
        match.undo()
        if wins == own:
            return own
    return not own


DEEP = 5


@pytest.mark.slow
def test_what_is_called_won_by_counting_is_won_by_the_plain_rules() -> None:
    chance = random.Random(5)
    claims = Counter[str]()
    for _position in range(60):
        cells = [*"wwwwbb", *"." * 18]
        chance.shuffle(cells)
        cells.insert(12, ".")
        board = "/".join("".join(cells[row : row + 5]) for row in range(0, 25, 5))
        match = seega_ending(board, "3", chance.randrange(2))
        best = last(analyse(match, depth=DEEP)).lines[0]
        if best.value and abs(best.score) == JAM_SCORE:
            claims[best.value] += 1
            assert best.plies is not None
            seat = match.seat if best.value == "win" else 1 - match.seat
            assert wins_within(match, seat, DEEP)
            match.play(best.moves[0])
            assert wins_within(match, seat, best.plies - 1)
            assert not wins_within(match, seat, best.plies - 2)
            for text in best.moves[1:]:
                match.play(text)
            assert match.outcome()
            assert len(best.moves) == best.plies
    assert min(claims["win"], claims["loss"]) >= 5


def test_equal_numbers_at_a_jam_are_no_win() -> None:
    match = seega_ending("w..../...../...../...../....b", "2", 0)
    assert last(analyse(match, depth=6)).lines[0].value is None


@two_sided
def test_the_same_seed_and_nodes_choose_the_same(game: Game[Any]) -> None:
    match = Match(game)
    match.play(random.Random(3).choice(sorted(match.legal())))
    for level in (1, 4, 6):
        assert choose(match, level, seed=11) == choose(match, level, seed=11)
    assert len({choose(match, 1, seed=seed) for seed in range(12)}) > 1


@pytest.mark.slow
@two_sided
def test_limits_of_nodes_and_depth_are_kept(game: Game[Any]) -> None:
    match = Match(game)
    limited = last(analyse(match, nodes=3000))
    assert limited.nodes <= max(3000, len(match.legal()) * 100)
    results = list(analyse(match, depth=3))
    if move_oracle(game):  # what is known needs no search
        assert [result.lines[0].value is None for result in results] == [False]
    else:
        assert [result.depth for result in results] == [1, 2, 3]
        assert results[0].nodes < results[-1].nodes
        assert last(analyse(match, depth=2)).depth == 2


def test_several_lines_are_different_and_in_order() -> None:
    match = match_after("diadema", "@A @D @B @4")
    lines = last(analyse(match, depth=4, lines=3)).lines
    assert len({line.moves[0] for line in lines}) == 3
    assert [line.score for line in lines] == sorted((line.score for line in lines), reverse=True)
    for line in lines:
        after_moves(match.game, match.position, line.moves)
    assert last(analyse(match, depth=4)).lines[0].score == lines[0].score


@pytest.fixture
def helped(monkeypatch: pytest.MonkeyPatch) -> None:
    """A second thread helps from the first depth on, where searches are as small as in tests."""
    monkeypatch.setattr("quinconce.engine.alpha_beta.HELPER_START_NODES", 0)


def test_a_second_thread_helps_where_there_is_enough_to_do() -> None:
    thought = new_search(match_after("buts"), Limits(threads=2))
    assert isinstance(thought, AlphaBetaSearch)
    while thought.nodes < HELPER_START_NODES:
        assert thought.workspaces[1].nodes[0] == 0
        thought.deepen(1)
    thought.deepen(1)
    assert thought.workspaces[1].nodes[0]


def test_a_second_thread_helps_with_fewer_nodes_if_no_more_are_allowed() -> None:
    helped = []
    for _search in range(10):  # on a busy machine a thread may come too late for a short one
        thought = new_search(match_after("buts"), Limits(nodes=HELPER_START_NODES, threads=2))
        run_search(thought)
        assert isinstance(thought, AlphaBetaSearch)
        helped.append(thought.workspaces[1].nodes[0] > 0)
    assert any(helped)


@pytest.mark.usefixtures("helped")
def test_two_threads_prove_the_same() -> None:
    for position in sharp(quinconce.game("diam"), 6):
        match = Match(quinconce.game("diam"), position)
        one, two = (last(analyse(match, depth=4, threads=n)).lines[0] for n in (1, 2))
        assert (one.value, one.plies) == (two.value, two.plies)


@pytest.mark.slow
@pytest.mark.usefixtures("helped")
def test_what_two_threads_prove_is_true() -> None:
    """Searched without the table of the solved game, deep enough for every way they share work."""
    game = quinconce.game("diadema")
    claims = helping = 0
    for position in positions(game, random.Random("two threads"), 60):
        match = Match(game, position)
        if match.outcome():
            continue
        thought = new_search(match, Limits(depth=9, threads=2))
        run_search(thought)
        assert isinstance(thought, AlphaBetaSearch)
        helping += int(thought.workspaces[1].nodes[0])
        line = thought.lines(1)[0]
        if line.value and line.plies:
            claims += 1
            assert proved_value(match) == (line.value, line.plies), game.write(position)
    assert claims > 10
    assert helping > 10_000


def test_two_analyses_at_once_do_not_disturb_each_other() -> None:
    matches = [match_after("buts"), match_after("diadema", "@A @D"), match_after("buts", "G2-G3")]
    alone = [last(analyse(match, depth=4)) for match in matches]
    together: list[Analysis] = []

    def work(match: Match[Any]) -> None:
        together.append(last(analyse(match, depth=4)))

    threads = [threading.Thread(target=work, args=(match,)) for match in matches]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    known = {(found.lines, found.nodes) for found in alone}
    assert {(found.lines, found.nodes) for found in together} == known


@pytest.mark.usefixtures("helped")
def test_closing_an_analysis_stops_it_and_leaves_no_thread() -> None:
    before = set(threading.enumerate())
    endless = analyse(match_after("buts"), threads=2)
    next(endless)
    searching = set(threading.enumerate()) - before
    assert searching
    endless.close()  # type: ignore[attr-defined]
    assert not any(thread.is_alive() for thread in searching)


def test_time_ends_an_analysis_with_a_result() -> None:
    found = last(analyse(match_after("buts"), seconds=0.05))
    assert found.best in match_after("buts").legal()
    assert found.depth < 20


def test_weak_levels_overlook_what_strong_ones_see() -> None:
    """A beginner misses some wins in one, but takes most."""
    game = quinconce.game("diadema")
    missed = taken = 0
    for number, position in enumerate(sharp(game, 40)):
        if good := winning(game, position):
            seen = choose(Match(game, position), 1, seed=number) in good
            taken += seen
            missed += not seen
    assert missed
    assert taken


@pytest.mark.parametrize("wrong", [0, LAST_LEVEL + 1, -1, "5", 2.0, None, True])
def test_what_is_not_a_level_is_refused(wrong: Any) -> None:
    with pytest.raises(ValueError, match="from 1 to 10"):
        choose(match_after("diadema"), wrong)


def test_nothing_is_searched_when_the_game_is_over() -> None:
    match = match_after("diadema", "@A @1 @B @2 @C @3 @D")
    with pytest.raises(ValueError, match="over"):
        choose(match, 3)
    with pytest.raises(ValueError, match="over"):
        next(analyse(match))
    with pytest.raises(ValueError, match="line"):
        next(analyse(match_after("diadema"), lines=0))


def test_fitted_weights_name_every_feature_of_their_game() -> None:
    known = {
        weights_key(kernel, options): kernel
        for kernel in map(kernel_for, FORMS)
        for options in range(len(kernel.weight_options) + 1)
    }
    assert json.loads(json.dumps(read_weights_file()))
    for name, values in read_weights_file().items():
        assert set(values) == set(known[name].features), f"{name} in {WEIGHTS_FILE}"
    for game in TWO_SIDED:
        kernel = kernel_for(game)
        used = evaluation_weights(kernel)
        assert len(used) == len(kernel.features)
        # The default options of every game are fitted; others have those of the nearest form.
        if game == quinconce.game(game.name):
            assert used.tolist() != evaluation_weights(kernel, by_hand=True).tolist()


def test_a_weight_of_an_unknown_feature_is_an_error(monkeypatch: pytest.MonkeyPatch) -> None:
    kernel = kernel_for(quinconce.game("diadema"))
    monkeypatch.setitem(read_weights_file(), weights_key(kernel), {"no such feature": 1})
    with pytest.raises(KeyError, match="no such feature"):
        evaluation_weights(kernel)
    evaluation_weights(kernel, by_hand=True)
