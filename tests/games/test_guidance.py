"""What the rules tell people: what to do, why not, what was played, what counts, who won."""

from __future__ import annotations

import random
import re
from typing import Any

import pytest
from corpus import FORMS, form_id, random_match, sample_positions

import quinconce
from quinconce import Game, Match, Outcome, Seat
from quinconce.core.game import PASS
from quinconce.core.match import replay
from quinconce.core.move_input import hindrances
from quinconce.core.phrase import Phrase, either, together
from quinconce.core.position import REASONS
from quinconce.words import Voice
from quinconce.words.sentences import move_sentence, outcome_sentence

every_form = pytest.mark.parametrize("game", FORMS, ids=form_id)
VOICES = [Voice("en"), Voice("fr")]
RAW = re.compile(r"[{}]|\b\w+=\d|None|\(\)|  |\.\.")  # what no sentence for people contains


def check_sentence(phrase: Phrase, *, dot: bool = True) -> None:
    """A phrase is a sentence of each language, without codes or holes."""
    said = [voice(phrase) for voice in VOICES]
    assert said[0] != said[1], phrase
    for text in said:
        assert len(text) > 5, text
        assert not RAW.search(text), text
        assert text.endswith(".") == dot, text
        assert not dot or text[0].isupper(), text


def positions_to_ask(game: Game[Any]) -> list[Any]:
    """Positions of a random match, and constructed ones, where the game goes on."""
    match = random_match(game, random.Random(form_id(game)), 120)
    asked = [*match.positions[::6], *sample_positions(game)[::3]]
    return [position for position in asked if not game.outcome(position)]


@pytest.mark.slow
@every_form
def test_every_position_is_told_in_both_languages(game: Game[Any]) -> None:
    """What to do, why nothing begins at a place, what moves do, and what is counted."""
    for position in positions_to_ask(game):
        legal = dict(game.moves(position))
        check_sentence(game.prompt(position, legal))
        check_hindrances(game, position, legal)
        for text, after in list(legal.items())[:: max(1, len(legal) // 7)]:
            told = game.tell(position, text, after, Phrase("Ada"))
            check_sentence(told, dot=False)
            assert told.startswith("Ada ")
        for tally in (
            tally for seat in range(game.seats) for tally in game.tallies(position, seat)
        ):
            assert tally.n >= 0
            assert all(str(tally.n) in say(tally.words) for say in VOICES)


def check_hindrances(game: Game[Any], position: Any, legal: dict[str, Any]) -> None:
    """A place begins a move, or says why not."""
    paths = [game.touches(text) for text in legal]
    reasons = hindrances(game, position, legal, paths)
    starts = {place for path in paths for place in (path[0] if path else ())}
    assert not starts & set(reasons)
    assert {place.name for place in game.board().places} <= starts | set(reasons)
    for reason in set(reasons.values()):
        check_sentence(reason)


@every_form
def test_every_seat_has_an_aim(game: Game[Any]) -> None:
    for seat in range(game.seats):
        check_sentence(game.aim(seat))


@every_form
def test_every_end_is_told_to_both_sides_and_to_others(game: Game[Any]) -> None:
    match = Match(game)
    for reason in [*game.reasons, *REASONS]:
        by = "quiet" if reason in ("minor", "equal") else None
        drawn = reason in ("equal", "repetition", "passes", "agreement")
        for winners in [()] if drawn else game.sides:
            outcome = Outcome(winners, reason, by)
            told = {outcome_sentence(match, outcome, (), side) for side in game.sides}
            told.add(outcome_sentence(match, outcome))
            for sentence in told:
                check_sentence(sentence)
            assert len(told) == (1 if drawn else 3)


# The sentences themselves.

FULL = [
    "@b1+d4",
    "@a5+e5",
    "@b3+e2",
    "@a2+e4",
    "@a3+d2",
    "@e1+e3",
    "@a1+c2",
    "@a4+c5",
    "@b2+d1",
    "@b4+d3",
    "@c1+d5",
    "@b5+c4",
]
CORNER = "...../...../...../bb.../wwb.."
MUST_CAPTURE = "...../...../...../..w../wb..b turn=0 phase=2 duty=0"
FREE = "...../...../b..../..w../w.... turn=0 phase=2 duty=0"
LINED = "r.../m.../o.../n.../..../..../..../...."
PROMPTS = [
    ("seega", {}, "", "Place two pawns, anywhere but the centre."),
    (
        "seega",
        {},
        "ww.ww/..b../bb.../..b../ww... turn=1 phase=1 duty=0",
        "Place two pawns, anywhere but the centre, without surrounding it.",
    ),
    ("seega", {}, MUST_CAPTURE, "You must capture: c2 can."),
    ("seega", {}, FREE, "Move a pawn along a row or a column, as far as you like."),
    ("seega", {"reach": "step"}, FREE, "Move a pawn one cell along a row or a column."),
    (
        "seega",
        {"blocked": "remove"},
        f"{CORNER} turn=0 phase=2 duty=0",
        "You cannot move: take off 2 of your pawns.",
    ),
    (
        "seega",
        {"blocked": "remove"},
        f"{CORNER.translate(str.maketrans('wb', 'bw'))} turn=1 phase=2 duty=0",
        "You cannot move: take off one of your pawns.",
    ),
    (
        "seega",
        {},
        f"{CORNER} turn=0 phase=2 duty=0",
        "You cannot move: you pass, and Black has to let you out.",
    ),
    (
        "seega",
        {},
        f"{CORNER} turn=1 phase=2 duty=1",
        "White is blocked: let them out with a2, b2 or c1.",
    ),
    (
        "seega",
        {},
        "bwww./www../w..../...../..... turn=0 phase=2 duty=1",
        "Black is blocked, but no move lets them out: play any.",
    ),
    (
        "seega",
        {},
        "...wb/...ww/.w..w/wbwww/ww..w turn=0 phase=2 duty=1",
        "Black is blocked: you have to let them out.",
    ),
    ("diam", {}, "", "Place a pawn on any cell."),
    (
        "diam",
        {},
        f"{LINED} turn=0",
        "Place a pawn on any cell, or move one of yours to the next cell.",
    ),
    (
        "diam",
        {"players": "4"},
        f"{LINED} turn=0",
        "Place a pawn on any cell, or move one of your team's to the next cell.",
    ),
    ("diam", {"edition": "1997"}, "", "Place a pawn on an empty cell."),
    ("diadema", {}, "", "Place a ball on any empty point."),
    (
        "diadema",
        {},
        "cccfcc./ffc.... turn=0",
        "All your balls are out: move one, or jump over a neighbour.",
    ),
    ("buts", {}, "", "Move a pawn straight on within your camp, or jump over your own pawns."),
]


@pytest.mark.parametrize(("name", "options", "text", "prompt"), PROMPTS)
def test_the_rules_say_what_to_do(
    name: str, options: dict[str, str], text: str, prompt: str
) -> None:
    game = quinconce.game(name, **options)
    position = game.read(text) if text else game.start()
    assert game.prompt(position, dict(game.moves(position))) == prompt


def test_the_first_move_of_seega_goes_to_the_centre() -> None:
    match = replay(quinconce.game("seega"), moves=FULL[:-1])
    assert match.game.prompt(match.position, match.legal()) == "Place your last two pawns."
    match.play(FULL[-1])
    said = match.game.prompt(match.position, match.legal())
    assert said == "Only the centre is empty: move a pawn there."


def test_a_long_list_of_pawns_is_not_read_out() -> None:
    game = quinconce.game("seega")
    position = game.read("wb..w/wb..w/wb..w/wb..w/wb..w turn=0 phase=2 duty=0")
    said = game.prompt(position, dict(game.moves(position)))
    assert said == "You must capture: several of your pawns can."


def test_touching_another_pawn_than_one_that_must_capture_says_so() -> None:
    game = quinconce.game("seega")
    position = game.read(MUST_CAPTURE)
    legal = dict(game.moves(position))
    reasons = hindrances(game, position, legal, map(game.touches, legal))
    assert reasons["a1"] == "You must capture: c2 can."
    assert reasons["b1"] == "This is not yours to play."
    assert reasons["c1"] == "First touch the piece that goes there."
    assert "c2" not in reasons


def test_a_cell_touched_before_a_pawn_says_so() -> None:
    game = quinconce.game("diam")
    position = game.start()
    legal = dict(game.moves(position))
    reasons = hindrances(game, position, legal, map(game.touches, legal))
    assert reasons["5"] == reasons["5.1"] == "First choose a pawn from your reserve."
    assert reasons["m"] == "This is not yours to play."
    assert "r" not in reasons


def test_a_reserve_from_which_nothing_comes_says_why() -> None:
    game = quinconce.game("diam", edition="1997")
    full = game.read("r.../v.../r.../v.../j.../b.../j.../b... turn=0")
    legal = dict(game.moves(full))
    reasons = hindrances(game, full, legal, map(game.touches, legal))
    assert reasons["r"] == "There is no place for a new piece now."
    assert reasons["v"] == "This is not yours to play."
    game = quinconce.game("diadema")
    out = game.read("cccfcc./ffc.... turn=0")
    legal = dict(game.moves(out))
    assert hindrances(game, out, legal, map(game.touches, legal))["c"] == "This reserve is empty."
    legal = dict(game.moves(game.start()))
    assert "c" not in hindrances(game, game.start(), legal, map(game.touches, legal))


@pytest.mark.parametrize(
    ("name", "options", "moves", "english", "french"),
    [
        ("diam", {}, "r@1", "Ada placed a red pawn on cell 1", "posé un pion rouge sur la case 1"),
        (
            "diam",
            {},
            "r@1 m@1 1.1-2",
            "Ada moved a red pawn and the pawn on it from cell 1 to cell 2",
            "déplacé un pion rouge et le pion qu’il porte de la case 1 à la case 2",
        ),
        ("diadema", {}, "@A", "Ada placed a light ball on A", "posé une bille claire en A"),
        (
            "diadema",
            {},
            "@A @1 Ax2",
            "Ada jumped from A to 2 and sent back the ball on 1",
            "sauté de A en 2 et renvoyé la bille en 1",
        ),
        (
            "seega",
            {},
            "@a1+b3",
            "Ada placed two pawns, on a1 and b3",
            "posé deux pions, en a1 et b3",
        ),
        ("buts", {}, "G6^E4", "Ada jumped from G6 to E4", "sauté de G6 en E4"),
    ],
)
def test_moves_are_told_in_words(
    name: str, options: dict[str, str], moves: str, english: str, french: str
) -> None:
    match = replay(quinconce.game(name, **options), moves=moves.split())
    ply = len(match.moves)
    seats = (Seat("Ada"),) * match.game.seats
    told = move_sentence(match, ply, seats)
    assert VOICES[0](told) == english
    assert VOICES[1](told) == f"Ada a {french}"
    own = move_sentence(match, ply, seats, [match.game.seat(match.positions[-2])])
    assert VOICES[0](own) == english.replace("Ada", "You")
    assert VOICES[1](own) == f"Vous avez {french}"


@pytest.mark.parametrize(
    ("text", "move", "told"),
    [
        (MUST_CAPTURE, "c2xc1", "White moved c2 to c1 and captured b1"),
        (f"{CORNER} turn=0 phase=2 duty=0", "pass", "White passed"),
    ],
)
def test_what_seega_does_is_told(text: str, move: str, told: str) -> None:
    game = quinconce.game("seega")
    position = game.read(text)
    assert game.tell(position, move, game.after(position, move), game.players[0]) == told


def test_an_engine_is_told_by_its_level() -> None:
    match = replay(quinconce.game("diam"), moves=["r@1", "m@2"])
    told = move_sentence(match, 2, (Seat(), Seat(level=3)), [0])
    assert told == "Engine (level 3) placed a brown pawn on cell 2"


def test_counts_follow_the_phases_of_seega() -> None:
    game = quinconce.game("seega")
    assert [tally.words for tally in game.tallies(game.start(), 0)] == ["12 to place"]
    position = game.read(MUST_CAPTURE)
    assert [tally.words for tally in game.tallies(position, 0)] == ["2 pawns", "10 taken"]
    assert [tally.words for tally in game.tallies(position, 1)] == ["2 pawns", "10 taken"]


def test_the_end_is_told_to_everybody_in_their_own_words() -> None:
    match = replay(quinconce.game("diadema"), moves=["@4", "@D", "@7", "@3", "@6", "D^2", "@5"])
    outcome = match.outcome()
    assert outcome is not None
    told = [outcome_sentence(match, outcome, (), mine) for mine in ([0], [1], [0, 1], [])]
    assert told[0] == "You won: four side by side on a circle."
    assert told[1] == "You lost: light has four side by side on a circle."
    assert told[2] == told[3] == "Player 1 (light) wins: four side by side on a circle."


def test_a_team_wins_together() -> None:
    match = Match(quinconce.game("diam", players=4))
    for text in ("r@1", "m@1", "o@5", "n@8", "r@8", "m@5"):
        match.play(text)
    won, why = match.outcome(), "two brown pawns face to face at level 2."
    assert won == Outcome((2, 3), "diam")
    assert outcome_sentence(match, won, (), [2]) == f"Your team won: {why}"
    assert outcome_sentence(match, won, (), [0, 1]) == f"Your team lost: {why}"
    gave_up = Outcome((0, 1), "resignation")
    assert outcome_sentence(match, gave_up, (), [3]) == "Your team lost: your team resigned."
    said = "Your team won: Player 3 (brown) and Player 4 (black) resigned."
    assert outcome_sentence(match, gave_up, (), [0]) == said


def test_a_count_of_pawns_is_told_to_both() -> None:
    match = Match(quinconce.game("seega"))
    counted = Outcome((1,), "minor", "quiet")
    stop = "too many turns without a capture."
    assert outcome_sentence(match, counted, (), [1]) == f"You won: you have more pawns; {stop}"
    assert outcome_sentence(match, counted, (), [0]) == f"You lost: Black has more pawns; {stop}"


def test_resignation_and_time_are_told_with_names() -> None:
    match = Match(quinconce.game("seega"))
    seats = (Seat("Ada"), Seat("Bo"))
    cases = {
        ("resignation", 0): "You won: Bo (Black) resigned.",
        ("resignation", 1): "You lost: you resigned.",
        ("time", 0): "You won: Bo (Black) ran out of time.",
        ("time", 1): "You lost: time ran out.",
    }
    for (reason, seat), said in cases.items():
        assert outcome_sentence(match, Outcome((0,), reason), seats, [seat]) == said


# What looks back.


def test_quiet_turns_are_told_when_few_are_left() -> None:
    match = replay(quinconce.game("seega", quiet="12"), FREE)
    assert match.notices() == []
    said = []
    for move in ["c2-c1", "a3-a4", "c1-d1", "a4-a5", "d1-e1", "a5-b5", "e1-e2"]:
        match.play(move)
        said.append([str(notice) for notice in match.notices()])
    assert said[0] == []
    assert said[1] == ["10 more turns without a capture end the game: White would win."]
    assert said[-1] == ["5 more turns without a capture end the game: White would win."]
    assert match.notices(2) == said[1]


@pytest.mark.parametrize(
    ("board", "english", "french"),
    [
        ("b..../...../...../...../bw...", "Black would win", "Noir gagnerait"),
        ("b..../...../...../...../.w...", "it would be a draw", "elle serait nulle"),
    ],
)
def test_before_quiet_turns_end_the_game_it_is_told_how(
    board: str, english: str, french: str
) -> None:
    match = replay(quinconce.game("seega", quiet="4"), f"{board} turn=0 phase=2 duty=0")
    for move in ["b1-c1", "a5-b5", "c1-d1"]:
        match.play(move)
    (notice,) = match.notices()
    assert notice == f"1 more turn without a capture ends the game: {english}."
    said = Voice("fr")(notice)
    assert said == f"Encore 1 tour sans prise et la partie est arrêtée\N{NO-BREAK SPACE}: {french}."
    match.play("b5-c5")
    end = match.outcome()
    assert end is not None
    assert end.by == "quiet"
    assert bool(end.winners) == ("win" in english)


def test_a_position_that_comes_up_again_is_told() -> None:
    match = replay(quinconce.game("diadema"), moves=["@A", "@D", "A-1", "D-3", "1-A"])
    assert match.notices() == []
    match.play("3-D")
    assert match.notices() == ["This position has come up twice: a third time ends the game."]
    for move in ["A-1", "D-3", "1-A"]:
        match.play(move)
    assert match.notices()
    match.play("3-D")
    assert match.outcome() == Outcome((), "repetition")


def test_names_in_a_row() -> None:
    assert either(["b3"]) == together(["b3"]) == "b3"
    assert either(["b3", "c4", "d5"]) == "b3, c4 or d5"
    assert together(["b3", "c4", "d5"]) == "b3, c4 and d5"


def test_a_game_that_says_nothing_of_its_own_has_sentences_too() -> None:
    """A sixth game need not write them: the defaults read its moves."""
    game = quinconce.game("diadema")
    board = game.start()
    for legal, said in {
        ("@A",): "Place a piece.",
        ("@A", "A-1"): "Place a piece, or move one.",
        ("A-1", "A^C"): "Move a piece.",
        (PASS,): "You have no move: you pass.",
    }.items():
        assert Game.prompt(game, board, dict.fromkeys(legal, board)) == said
    assert Game.aim(game, 0) == game.summary
    assert Game.victory(quinconce.game("diam"), Outcome((), "passes")) == "every player passed"
