"""Positions to test with: from random play, and constructed ones that random play hardly meets."""

from __future__ import annotations

import random
from collections.abc import Callable, Iterator
from functools import cache
from itertools import groupby
from typing import Any

from quinconce import Game, Match
from quinconce.core.registry import game_forms, names

FORMS = [form for name in names() for form in game_forms(name)]
# A form of every size and reach among those that differ in little: each time with other options.
NEAR_FORMS = [
    forms[n % len(forms)]
    for n, forms in enumerate(
        list(group)
        for _key, group in groupby(FORMS, lambda form: list(form.chosen.values())[:2] or form.name)
    )
]


def game_count(game: Game[Any]) -> int:
    """How many random games of a form are played whole in the longest tier.

    On the largest boards, where ten take as long as a hundred elsewhere, a hundred only of the
    forms that differ in more than an option.
    """
    return 100 if game.width < 9 or game in NEAR_FORMS else 10


# Moves of Diam 2003 after which player 2 wins within ten plies.
DIAM_ENDGAME = "o@1 m@1 o@1 n@1 1.1-2 m@5 2.1-3 n@8 o@5 m@8"


def form_id(game: Game[Any]) -> str:
    return game.form_id


def random_match(game: Game[Any], chance: random.Random, plies: int = 10_000) -> Match[Any]:
    """A random match, played to its end or so many plies."""
    match = Match(game)
    while len(match.moves) < plies and (legal := match.legal()):
        match.play(chance.choice(list(legal)))
    return match


def positions(game: Game[Any], chance: random.Random, n: int) -> Iterator[Any]:
    """About n positions: some from random play, as many constructed, all of them possible."""
    match = random_match(game, chance, 300)
    yield from chance.sample(match.positions, min(n // 2, len(match.positions)))
    found = 0
    while found < n // 2:
        position = CONSTRUCTED[game.name](game, chance)
        try:
            game.check(position)
        except ValueError:
            continue
        found += 1
        yield position


@cache
def sample_positions(game: Game[Any]) -> list[Any]:
    """Forty positions of a game, always the same."""
    return list(positions(game, random.Random(form_id(game)), 40))


def random_diam(game: Game[Any], chance: random.Random) -> Any:
    """Pawns piled at random, or one side walled in by full piles."""
    piles = [""] * 8
    turn = chance.randrange(len(game.cycle))
    if chance.random() < 0.1:
        side = game.sides[game.side(game.cycle[turn])]
        own = [kind.letter for kind in game.kinds if kind.seat in side for _pawn in range(4)]
        others = [kind.letter for kind in game.kinds if kind.seat not in side for _pawn in range(4)]
        chance.shuffle(own)
        chance.shuffle(others)
        wall = others[:4] + own + others[4:8]
        shift = chance.randrange(8)
        for i in range(0, len(wall), 4):
            piles[(shift + i // 4) % 8] = "".join(wall[i : i + 4])
    else:
        pawns = [letter for letter in game.letters for _pawn in range(chance.choice((1, 2, 3, 4)))]
        chance.shuffle(pawns)
        busy = chance.sample(range(8), chance.randint(4, 8))
        for pawn in pawns:
            if free := [cell for cell in busy if len(piles[cell]) < 4]:
                piles[chance.choice(free)] += pawn
    return game.start()._replace(board="".join(pile.ljust(4, ".") for pile in piles), turn=turn)


def random_diadema(game: Game[Any], chance: random.Random) -> Any:
    balls = "c" * chance.randint(0, 6) + "f" * chance.randint(0, 6)
    board = list(balls.ljust(14, "."))
    chance.shuffle(board)
    return game.start()._replace(board="".join(board), turn=chance.randrange(2))


def random_buts(game: Game[Any], chance: random.Random) -> Any:
    """Pawns in a crowd make long chains, pawns apart make a pass."""
    cells = list(range(64))
    chance.shuffle(cells)
    kind = chance.random()
    if kind < 0.1:  # one side far from home, each pawn alone: it has to pass
        turn = chance.randrange(2)
        alone = [16 * row + column for row in (0, 1) for column in (0, 2, 5, 7)]
        far = alone if turn == 0 else [63 - cell for cell in alone]
        others = [cell for cell in cells if cell not in far and cell not in (3, 4, 59, 60)][:8]
        board = ["."] * 64
        for cell in far:
            board[cell] = "wb"[turn]
        for cell in others:
            board[cell] = "bw"[turn]
        return game.start()._replace(board="".join(board), turn=turn)
    if kind < 0.5:
        row = chance.randrange(8)
        cells.sort(key=lambda cell: abs(cell // 8 - row) + chance.random() * 3)
    board = ["."] * 64
    for i, cell in enumerate(cells[:16]):
        board[cell] = "wb"[i % 2]
    return game.start()._replace(board="".join(board), turn=chance.randrange(2))


def random_seega(game: Game[Any], chance: random.Random) -> Any:
    """Placing or moving, on a full board or an empty one, often with somebody stuck."""
    size = game.width * game.width
    centre, stock = size // 2, (size - 1) // 2
    if chance.random() < 0.2:
        turn = chance.randrange(2)
        rounds = chance.randrange(stock // 2)
        letters = list("w" * 2 * (rounds + turn) + "b" * 2 * rounds)
        board = list("".join(letters).ljust(size - 1, "."))
        chance.shuffle(board)
        board.insert(centre, ".")
        return game.start()._replace(board="".join(board), turn=turn)
    white, black = chance.randint(0, stock), chance.randint(0, stock)
    if chance.random() < 0.4:  # a few in a corner, many around them
        few, many = chance.sample("wb", 2)
        cells = sorted(range(size), key=lambda cell: cell // game.width + cell % game.width)
        n = chance.randint(1, 4)
        letters = [few] * n + [many] * chance.randint(2, stock)
        board = ["."] * size
        for cell, letter in zip(cells, letters, strict=False):
            board[cell] = letter
    else:
        board = list(("w" * white + "b" * black).ljust(size, "."))[:size]
        chance.shuffle(board)
    turn, duty = chance.randrange(2), int(chance.random() < 0.3)
    return game.start()._replace(board="".join(board), turn=turn, phase=2, duty=duty)


CONSTRUCTED: dict[str, Callable[[Game[Any], random.Random], Any]] = {
    "diam": random_diam,
    "diadema": random_diadema,
    "buts": random_buts,
    "seega": random_seega,
}


def few_pawns(game: Game[Any], chance: random.Random, pawns: int) -> Any:
    """A board of Seega's second phase with few pawns, where there is a choice."""
    while True:
        own = chance.randint(1, pawns - 1)
        board = list(("w" * own + "b" * (pawns - own)).ljust(25, "."))
        chance.shuffle(board)
        position = game.start()._replace(board="".join(board), phase=2, turn=chance.randrange(2))
        try:
            game.check(position)
        except ValueError:
            continue
        if not game.outcome(position) and len(dict(game.moves(position))) > 1:
            return position
