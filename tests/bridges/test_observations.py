"""Observations: what each plane says, whose view it is, and that a version stays what it is."""

from __future__ import annotations

import hashlib
import json
import pickle
import random
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from corpus import FORMS, NEAR_FORMS, form_id, random_match

from quinconce import Match, game
from quinconce.bridges.actions import VERSION, actions_of
from quinconce.bridges.episode import Episode
from quinconce.bridges.observations import observations_of, seats_from

PAGE = Path(__file__).parents[2] / "docs" / "actions-and-observations.md"
DIGESTS = Path(__file__).parents[1] / "golden" / "files" / "observations.json"


def episode_after(form: Any, *touched: str, moves: str = "") -> Episode:
    match = Match(form)
    for text in moves.split():
        match.play(text)
    episode = Episode(form, match=match)
    for place in touched:
        episode.touch(episode.actions.numbers[place])
    return episode


def plane(episode: Episode, name: str, seat: int = 0) -> dict[str, int]:
    """The columns of a plane that are not 0."""
    row = episode.observation(seat)[episode.observations.planes.index(name)]
    places = episode.observations.places
    return {place: int(n) for place, n in zip(places, row, strict=True) if n}


def number(episode: Episode, name: str, seat: int = 0) -> int:
    """The number that a plane has in every column."""
    values = set(episode.observation(seat)[episode.observations.planes.index(name)].tolist())
    assert len(values) == 1
    return int(values.pop())


@pytest.mark.parametrize("form", NEAR_FORMS, ids=form_id)
def test_pieces_stand_in_the_planes_of_their_kinds(form: Any) -> None:
    match = random_match(form, random.Random(1), 25)
    episode = Episode(form, match=match)
    for seat in range(form.seats):
        seen: dict[str, str] = {}
        for index, kind in enumerate(episode.observations.kinds[seat]):
            for place, n in plane(episode, f"pieces_{index}", seat).items():
                assert place not in seen
                seen[place] = kind.letter * n
        assert seen == {place: held for place, held in form.pieces(match.position).items() if held}


def test_the_own_kinds_come_first_then_the_others_as_their_turns_come() -> None:
    for players, orders in (
        (2, ["romn", "mnro"]),
        (3, ["romn", "mron", "nrom"]),
        (4, ["rmon", "onrm", "monr", "nrmo"]),
    ):
        kinds = observations_of(game("diam", players=players)).kinds
        assert ["".join(kind.letter for kind in own) for own in kinds] == orders
    assert seats_from(game("diam", players=4), 1) == [1, 3, 0, 2]


def test_touches_are_numbered_by_the_first_and_the_last_at_a_place() -> None:
    episode = episode_after(game("seega"), "b2")
    assert plane(episode, "first_touch") == plane(episode, "last_touch") == {"b2": 1}
    sample = game("seega").editions[0].sample_moves
    *before, chain = sample.split()[:-1]
    assert chain == "b3xc3xb3xb4"
    episode = episode_after(game("seega"), "b3", "c3", "b3", moves=" ".join(before))
    assert plane(episode, "first_touch") == {"b3": 1, "c3": 2}
    assert plane(episode, "last_touch") == {"c3": 2, "b3": 3}
    episode.touch(episode.actions.numbers["b4"])
    assert not plane(episode, "last_touch")


def test_numbers_of_the_match_fill_their_planes() -> None:
    sample = game("seega").editions[0].sample_moves
    start = episode_after(game("seega"))
    assert number(start, "phase") == 1
    assert number(start, "quiet_left") == 40
    later = episode_after(game("seega"), moves=sample)
    assert (number(later, "phase"), number(later, "duty")) == (2, 0)
    assert number(later, "seat", 1) == 1
    four = episode_after(game("diam", players=4), moves="r@1 m@2 o@3")
    assert (number(four, "turn"), number(four, "seat", 2)) == (3, 2)
    assert number(four, "quiet_left") == 127


def test_a_long_quiet_limit_is_written_as_far_as_a_plane_goes() -> None:
    assert number(episode_after(game("seega", quiet=1000)), "quiet_left") == 127
    assert number(episode_after(game("seega", quiet=126)), "quiet_left") == 126


def test_repetitions_and_quiet_turns_and_passes_are_counted() -> None:
    dance = "r@1 m@5 1.1-2 5.1-6 2.1-1 6.1-5"
    assert number(episode_after(game("diam"), moves="r@1 m@5"), "repetitions") == 0
    assert number(episode_after(game("diam"), moves=dance), "repetitions") == 1
    seega = game("seega")
    blocked = seega.read("wb.../b..../...../...../....b turn=0 phase=2 duty=0")
    match = Match(seega, blocked)
    match.play("pass")
    episode = Episode(seega, match=match)
    assert (number(episode, "passes"), number(episode, "duty")) == (1, 1)
    assert number(episode, "quiet_left") == 39


@pytest.mark.parametrize("form", NEAR_FORMS, ids=form_id)
def test_an_episode_is_copied_and_pickled_with_its_touches(form: Any) -> None:
    episode = Episode(form)
    for _touch in range(5):
        episode.touch(episode.legal_actions()[0])
    for again in (episode.copy(), pickle.loads(pickle.dumps(episode))):
        assert str(again) == str(episode)
        assert np.array_equal(again.observation(0), episode.observation(0))
        assert np.array_equal(again.mask(), episode.mask())
        again.touch(again.legal_actions()[0])
        assert str(again) != str(episode)


# The version.


def digest(form: Any) -> str:
    """Everything that a policy depends on, from the same sixty actions each time."""
    actions, observations = actions_of(form), observations_of(form)
    found = hashlib.sha256(repr((actions.places, actions.count, observations.planes)).encode())
    episode = Episode(form)
    for step in range(60):
        legal = episode.legal_actions()
        if not legal:
            break
        for seat in range(form.seats):
            found.update(episode.observation(seat).tobytes())
        found.update(episode.mask().tobytes())
        episode.touch(legal[(7 * step + 3) % len(legal)])
    found.update(repr(episode.rewards()).encode())
    return found.hexdigest()[:16]


@pytest.mark.parametrize("form", NEAR_FORMS, ids=form_id)
def test_a_version_stays_what_it_is(form: Any) -> None:
    """A policy that was trained must not break: whatever changes this raises VERSION."""
    stored = json.loads(DIGESTS.read_text(encoding="utf-8"))
    assert stored["version"] == VERSION
    assert stored["digests"][form_id(form)] == digest(form)


# What sixty actions from the start do not come by: a chain that may be ended, a pass, a jam.
RARE: dict[str, tuple[dict[str, object], str]] = {
    "chain": ({"chain": "optional"}, "...../..b../...wb/w..../b.... turn=1 phase=2 duty=0"),
    "pass": ({}, "wb.../b..../...../...../....b turn=0 phase=2 duty=0"),
    "jam": ({"quiet": 2}, "w..../w..../...../...../....b turn=0 phase=2 duty=0"),
}


def what_follows(options: dict[str, object], position: str) -> str:
    """Every row of four actions from a position, and what is seen and paid at its end."""
    form, found = game("seega", **options), hashlib.sha256()

    def follow(episode: Episode, path: tuple[int, ...]) -> None:
        legal = episode.legal_actions()
        if len(path) == 4 or not legal:
            found.update(repr((path, legal, episode.rewards())).encode())
            found.update(episode.observation(0).tobytes())
            return
        for action in legal:
            further = episode.copy()
            further.touch(action)
            follow(further, (*path, action))

    follow(Episode(form, match=Match(form, form.read(position))), ())
    return found.hexdigest()[:16]


@pytest.mark.parametrize("name", RARE)
def test_what_is_rare_stays_what_it_is_in_a_version(name: str) -> None:
    stored = json.loads(DIGESTS.read_text(encoding="utf-8"))
    assert stored["rare"][name] == what_follows(*RARE[name])


def test_the_page_has_the_version_and_the_shapes() -> None:
    text = PAGE.read_text(encoding="utf-8")
    assert text.startswith(f"# Actions and observations, version {VERSION}\n")
    for form in FORMS:
        assert str(observations_of(form).shape) in text
        assert str(actions_of(form).count) in text
        for name in observations_of(form).planes:
            assert f"`{name}`" in text or name.startswith("pieces_")
