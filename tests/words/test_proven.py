"""The words for what is proved: always who wins, always in moves of the winner."""

from __future__ import annotations

import re
from pathlib import Path
from typing import Any

import pytest

import quinconce
from quinconce.core.match import replay
from quinconce.puzzles.messages import goal_message
from quinconce.puzzles.puzzle import WIN, all_puzzles
from quinconce.words import Voice
from quinconce.words.proven import value_phrase, winner_moves

SOURCES = Path(quinconce.__file__).parent
DIAM_4 = {"players": "4"}
DIAM_3 = {"players": "3"}
EACH_FOR_ONESELF = {"edition": "1997", "players": "4"}


@pytest.mark.parametrize(
    ("name", "options", "moves", "result", "plies", "words"),
    [
        ("buts", {}, "", "win", 1, "Player 1 (White) wins in 1 move"),
        ("buts", {}, "", "win", 5, "Player 1 (White) wins in 3 moves"),
        ("buts", {}, "", "loss", 4, "Player 2 (Black) wins in 2 moves"),
        ("buts", {}, "G2-E2", "win", 3, "Player 2 (Black) wins in 2 moves"),
        ("buts", {}, "G2-E2", "loss", 2, "Player 1 (White) wins in 1 move"),
        ("buts", {}, "", "win", None, "Player 1 (White) wins"),
        ("buts", {}, "", "loss", None, "Player 2 (Black) wins"),
        ("buts", {}, "", "draw", None, "drawn"),
        ("diam", DIAM_4, "", "win", 3, "Player 1 (red) and Player 2 (orange) win in 2 moves"),
        ("diam", DIAM_4, "", "loss", 2, "Player 3 (brown) and Player 4 (black) win in 1 move"),
        # The first of three moves every other turn.
        ("diam", DIAM_3, "", "win", 5, "Player 1 (red and orange) wins in 3 moves"),
        ("diam", DIAM_3, "", "loss", 4, "Player 2 (brown) and Player 3 (black) win in 2 moves"),
        # Among four sides nobody is told who wins instead.
        ("diam", EACH_FOR_ONESELF, "", "loss", 4, "Player 1 (red) loses"),
        ("diam", EACH_FOR_ONESELF, "", "win", 5, "Player 1 (red) wins in 2 moves"),
    ],
)
def test_a_value_says_who_wins_in_how_many_of_their_moves(
    name: str, options: dict[str, str], moves: str, result: str, plies: int | None, words: str
) -> None:
    match = replay(quinconce.game(name, **options), None, moves.split())
    assert value_phrase(match.game, match.position, result, plies) == words


def test_french_counts_too() -> None:
    game: Any = quinconce.game("buts")
    say = Voice("fr")
    assert say(value_phrase(game, game.start(), "win", 1)) == "Joueur 1 (Blanc) gagne en 1 coup"
    assert say(value_phrase(game, game.start(), "loss", 4)) == "Joueur 2 (Noir) gagne en 2 coups"


@pytest.mark.parametrize("name", quinconce.names())
def test_a_puzzle_and_a_proof_count_alike(name: str) -> None:
    """One position never «wins in 2 moves» here and «wins in 3» there."""
    puzzles = [puzzle for puzzle in all_puzzles(name) if puzzle.goal == WIN]
    assert puzzles
    for puzzle in puzzles[::25]:
        n = winner_moves(puzzle.game, puzzle.position, "win", puzzle.plies)
        told = value_phrase(puzzle.game, puzzle.position, "win", puzzle.plies)
        assert f" wins in {n} move" in told
        assert f"Win in {n} move" in goal_message(puzzle)


def test_no_other_phrase_tells_a_distance_in_plies() -> None:
    """Only what the prover is asked, «within N plies», is in the unit of its option."""
    distance = re.compile(r'"[^"\n]*(?:wins?|loses?|lost) in \{[^"\n]*"')
    texts = [text for path in SOURCES.rglob("*.py") for text in distance.findall(path.read_text())]
    assert texts
    assert [text for text in texts if not re.search(r"\{n\} moves?\b", text)] == []
