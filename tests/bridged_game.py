"""One random game through all bridges at once, each step compared with the plain rules."""

from __future__ import annotations

import random
from typing import Any

import numpy as np
import pyspiel

from quinconce import Game, Match, Outcome
from quinconce.bridges.gymnasium import OpponentEnv
from quinconce.bridges.openspiel import parameters_of
from quinconce.bridges.pettingzoo import raw_env
from quinconce.core.board import begins_with


class BridgedGame:
    """The same game in PettingZoo, OpenSpiel and Gymnasium, and as a plain match."""

    def __init__(self, form: Game[Any], chance: random.Random, max_plies: int) -> None:
        self.form, self.chance, self.max_plies = form, chance, max_plies
        self.plain = Match(form)
        self.touched: list[str] = []
        settings: dict[str, Any] = {"max_plies": max_plies, **form.chosen}
        self.zoo = raw_env(form.name, **settings)
        self.zoo.reset()
        spiel = pyspiel.load_game("quinconce", parameters_of(form, max_plies))
        self.spiel = spiel.new_initial_state()
        seat = chance.randrange(form.seats)
        self.gym = OpponentEnv(form.name, policy=self.act, seat=seat, **settings)

    def act(self, observation: Any, mask: Any) -> int:
        """Choose an action for the player to move, and play it in all bridges but Gymnasium's."""
        seat, zoo, spiel = self.plain.seat, self.zoo, self.spiel
        seen, reward, terminated, truncated, info = zoo.last()
        assert zoo.agent_selection == f"player_{seat}"
        assert (reward, terminated, truncated) == (0, False, False)
        for other in (mask, info["action_mask"], zoo.action_masks()):
            assert np.array_equal(seen["action_mask"], other)
            assert other.dtype == np.int8
        assert np.array_equal(seen["observation"], observation)
        assert spiel.current_player() == seat
        assert spiel.legal_actions() == list(np.flatnonzero(mask))
        if self.chance.random() < 0.1:  # OpenSpiel takes long to write one
            assert np.array_equal(spiel.observation_tensor(seat), observation.ravel())
        action = int(self.chance.choice(np.flatnonzero(mask)))
        place = zoo.episode.actions.name(action)
        zoo.step(action)
        spiel.apply_action(action)
        self.follow(place)
        return action

    def follow(self, place: str) -> None:
        """Play the move in the plain match as soon as the touches make one."""
        if place != "done":
            self.touched.append(place)
        played = self.zoo.episode.match.moves
        if len(played) == len(self.plain.moves):
            return
        text = played[-1]
        steps = self.form.touches(text)
        assert begins_with(steps, self.touched)
        assert len(self.touched) == sum(map(len, steps))
        self.plain.play(text)
        self.touched = []
        for position in (self.zoo.episode.match.position, self.spiel.episode.match.position):
            assert position == self.plain.position

    def play(self) -> Outcome | None:
        """Play to the end, which has to be the same everywhere; how the plain match ended."""
        observation, info = self.gym.reset(seed=self.chance.randrange(1 << 30))
        reward, terminated, truncated = 0.0, False, False
        while not (terminated or truncated):
            action = self.act(observation, info["action_mask"])
            observation, reward, terminated, truncated, info = self.gym.step(action)
        outcome = self.plain.outcome()
        expected = seat_rewards(self.form, outcome)
        assert terminated == (outcome is not None)
        assert truncated == (outcome is None and len(self.plain.moves) == self.max_plies)
        assert reward == expected[self.gym.seat]
        assert self.gym.episode.match.moves == self.plain.moves
        agents = [f"player_{seat}" for seat in range(self.form.seats)]
        assert self.zoo.rewards == dict(zip(agents, expected, strict=True))
        assert self.zoo.terminations == dict.fromkeys(agents, terminated)
        assert self.zoo.truncations == dict.fromkeys(agents, truncated)
        assert self.spiel.is_terminal()
        assert self.spiel.returns() == expected
        return outcome


def seat_rewards(form: Game[Any], outcome: Outcome | None) -> list[float]:
    """What the specification pays: 1 for a win, half of it for one that was counted."""
    if outcome is None or not outcome.winners:
        return [0.0] * form.seats
    win = 0.5 if outcome.reason == "minor" else 1.0
    return [win if seat in outcome.winners else -win for seat in range(form.seats)]
