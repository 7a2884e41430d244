"""Claims: whose they are, what they say, and that they are read as they were written."""

from __future__ import annotations

import json
import pickle
from typing import Any

import pytest
from corpus import FORMS, form_id, sample_positions

import quinconce
from quinconce import Game, RecordError
from quinconce.core.claim import Claim
from quinconce.core.record_parser import RawRecord

DIAM = quinconce.game("diam")
PAIRS = quinconce.game("diam", players=4)
LONGEST = 400
AFTER_ONE = DIAM.after(DIAM.start(), "r@1")
# As the shipped certificate and the checkpoints of earlier versions have them.
HEADERS = {
    "Game": "diam",
    "Rules": "1",
    "Options": "edition=2003 players=2",
    "Winners": "1",
    "Within": "20",
}
DATA = {
    "game": "diam",
    "rules": 1,
    "options": {"edition": "2003", "players": "2"},
    "position": "rm../..../..../..../..../..../..../.... turn=0",
    "side": 1,
    "within": 18,
}


@pytest.mark.parametrize("game", FORMS, ids=form_id)
def test_a_claim_is_read_as_it_was_written(game: Game[Any]) -> None:
    for position in [game.start(), *sample_positions(game)[:4]]:
        for side in range(len(game.sides)):
            claim = Claim(game, position, side, 5 if game.quiet_limit is None else 3)
            read = Claim.from_headers(RawRecord(claim.headers()), LONGEST)
            assert read == Claim.from_data(claim.data()) == claim
            assert hash(read) == hash(claim)
            assert json.loads(json.dumps(claim.data())) == claim.data()
            assert pickle.loads(pickle.dumps(claim.data())) == claim.data()


def test_the_headers_are_those_of_a_certificate() -> None:
    claim = Claim(DIAM, DIAM.start(), 1, 20)
    assert list(claim.headers().items()) == list(HEADERS.items())
    elsewhere = Claim(DIAM, AFTER_ONE, 1, 20).headers()
    assert list(elsewhere) == ["Game", "Rules", "Options", "Position", "Winners", "Within"]
    assert elsewhere["Position"] == "r.../..../..../..../..../..../..../.... turn=1"


def test_the_data_are_those_of_a_checkpoint() -> None:
    claim = Claim(DIAM, DIAM.after(AFTER_ONE, "m@1"), 1, 18)
    assert json.dumps(claim.data()) == json.dumps(DATA)
    assert Claim.from_data(DATA) == claim


def test_the_sentence_names_the_players_and_the_position() -> None:
    assert Claim(DIAM, DIAM.start(), 1, 20).sentence() == (
        "Diam (edition=2003 players=2), from the start: "
        "player 2 wins within 20 plies, whatever is replied"
    )
    told = Claim(PAIRS, PAIRS.after(PAIRS.start(), "r@1"), 0, 9).sentence()
    assert "from r.../" in told
    assert "players 1 and 2 win within 9 plies" in told


@pytest.mark.parametrize(
    ("player", "within", "side"), [(1, 20, 0), (2, 20, 1), (None, 20, 1), (None, 19, 0)]
)
def test_a_claim_is_for_a_player_or_for_who_plays_the_last_ply(
    player: int | None, within: int, side: int
) -> None:
    claim = Claim.for_player(DIAM, DIAM.start(), player, within)
    assert claim == Claim(DIAM, DIAM.start(), side, within)
    assert claim.player == side + 1
    later = Claim.for_player(DIAM, AFTER_ONE, player, within)
    assert later.side == (side if player else 1 - side)


def test_players_on_one_side_have_the_same_claim() -> None:
    claims = [Claim.for_player(PAIRS, PAIRS.start(), player, 9) for player in (1, 2, 3, 4)]
    assert claims[0] == claims[1] != claims[2] == claims[3]
    assert [claim.player for claim in claims] == [1, 1, 3, 3]


@pytest.mark.parametrize("player", [0, 3, -1])
def test_a_player_who_does_not_sit_there_is_refused(player: int) -> None:
    with pytest.raises(ValueError, match="the players go from 1 to 2"):
        Claim.for_player(DIAM, DIAM.start(), player, 9)


def test_an_impossible_position_is_refused() -> None:
    with pytest.raises(ValueError, match="turn"):
        Claim(DIAM, DIAM.start()._replace(turn=7), 0, 9)


def test_plies_out_of_range_are_refused() -> None:
    for within in (-1, 0, 128):
        with pytest.raises(ValueError, match="plies of a proof go from 1 to 127"):
            Claim(DIAM, DIAM.start(), 0, within).check_plies(127)
    Claim(DIAM, DIAM.start(), 0, 127).check_plies(127)
    seega = quinconce.game("seega")
    Claim(seega, seega.start(), 0, 40).check_plies(127)
    with pytest.raises(ValueError, match="after 40 quiet turns"):
        Claim(seega, seega.start(), 0, 41).check_plies(127)


@pytest.mark.parametrize(
    ("name", "value", "why"),
    [
        ("Game", "dame", "Game: there is no game"),
        ("Options", "edition=1000", "Options: option edition"),
        ("Options", "edition=2003 edition=2003", "Options: one of them is given twice"),
        ("Rules", "9", "Rules: it is '9'"),
        ("Position", "nowhere", "Position: "),
        ("Winners", "0+1", "Winners: '0[+]1' are not seats that win together"),
        ("Within", "0", "Within: the plies of a proof go from 1 to 400"),
        ("Within", "401", "Within: the plies of a proof go from 1 to 400"),
        ("Within", "soon", "Within: the plies of a proof go from 1 to 400"),
    ],
)
def test_a_wrong_header_is_named_with_its_line(name: str, value: str, why: str) -> None:
    sheet = RawRecord({**HEADERS, name: value}, {name: 7})
    with pytest.raises(RecordError, match=why) as refused:
        Claim.from_headers(sheet, LONGEST)
    assert refused.value.line == 7


def test_data_of_other_rules_are_refused() -> None:
    with pytest.raises(ValueError, match="this program plays by 1"):
        Claim.from_data({**DATA, "rules": 2})
