"""The games as Gymnasium environments: one seat learns, the engine or a policy plays the others."""

from __future__ import annotations

from typing import Any, Final

import numpy as np

from quinconce import engine
from quinconce.bridges.actions import VERSION, ActionError
from quinconce.bridges.arguments import game_of, parse_seat, plain_number
from quinconce.bridges.episode import (
    ILLEGAL_REWARD,
    MAX_PLIES,
    Episode,
    Mask,
    Policy,
    restore,
)
from quinconce.bridges.extras import missing_extra
from quinconce.bridges.observations import Planes
from quinconce.bridges.rendering import RENDER_FPS, RENDER_MODES, check_render_mode, render
from quinconce.core import registry
from quinconce.core.game import Game
from quinconce.core.phrase import _, quote
from quinconce.engine.levels import level_by_number

try:
    import gymnasium
    from gymnasium import error as errors
    from gymnasium import spaces
except ImportError as error:
    raise missing_extra(error, "rl") from None

NAMESPACE: Final = "quinconce"


class OpponentEnv(gymnasium.Env[Planes, np.int64]):
    """A game seen from one seat; between its turns the opponent plays all other seats.

    The opponent is the engine at a level, or a policy. With `seat=None` every episode draws one. An
    action that is not legal ends the episode with a reward of -1; one that the game does not have
    is an InvalidAction error.
    """

    metadata = {"render_modes": list(RENDER_MODES), "render_fps": RENDER_FPS}

    def __init__(
        self,
        game: Game[Any] | str,
        *,
        level: int = 1,
        policy: Policy | None = None,
        seat: int | None = 0,
        max_plies: int | None = MAX_PLIES,
        render_mode: str | None = None,
        **options: object,
    ) -> None:
        check_render_mode(render_mode)
        self.game = game_of(game, **options)
        self.max_plies, self.render_mode = max_plies, render_mode
        self.level = plain_number(level)
        level_by_number(self.level)
        if policy is not None and not callable(policy):
            raise ValueError(_("{wrong} is no policy: give a function", wrong=quote(policy)))
        self.policy = policy
        self.fixed_seat = None if seat is None else parse_seat(self.game, seat)
        self.episode = Episode(self.game, max_plies)
        self.seat, self.ended = self.fixed_seat or 0, True
        self.observation_space = spaces.Box(**self.episode.observations.box)
        self.action_space = spaces.Discrete(self.episode.actions.count)

    def reset(
        self, *, seed: int | None = None, options: dict[str, Any] | None = None
    ) -> tuple[Planes, dict[str, Any]]:
        """Begin a new episode; the opponent plays until it is the learner's turn."""
        super().reset(seed=seed)
        self.episode, self.ended = Episode(self.game, self.max_plies), True
        drawn = int(self.np_random.integers(self.game.seats))
        self.seat = drawn if self.fixed_seat is None else self.fixed_seat
        self.engine_seed = int(self.np_random.integers(1 << 62))
        self._let_others_play()
        self.ended = False  # only now: an opponent that fails leaves no episode to step in
        return self._observation(), self._info()

    def step(self, action: Any) -> tuple[Planes, float, bool, bool, dict[str, Any]]:
        """Touch a place, or be done; then the opponent plays until it is the learner's turn.

        If the opponent fails, nothing has changed.
        """
        if self.ended:
            raise errors.ResetNeeded(str(_("the episode is over: begin another one")))
        episode = self.episode
        try:
            number = episode.actions.number(action)
        except ActionError as refused:
            raise errors.InvalidAction(str(refused)) from None
        going_on = not episode.over  # unless the others have made all moves that there may be
        if going_on and number not in episode.touches:
            self.ended = True
            return self._observation(), ILLEGAL_REWARD, True, False, self._info(illegal=True)
        if going_on:
            self._touch(number)
        if self.render_mode == "human":
            self.render()
        self.ended = episode.over
        reward = episode.rewards()[self.seat]
        ended = episode.outcome is not None
        return self._observation(), reward, ended, episode.truncated, self._info()

    def _touch(self, action: int) -> None:
        """Touch a place; the others answer a whole turn, or it is taken back if they cannot."""
        episode, path = self.episode, self.episode.path
        match, plies = episode.match, len(episode.match.moves)
        try:
            if episode.touch(action):
                self._let_others_play()
        except BaseException:
            while len(match.moves) > plies:
                match.undo()
            self.episode = restore(self.game, episode.max_plies, match, path)
            raise

    def _let_others_play(self) -> None:
        episode = self.episode
        while not episode.over and episode.seat != self.seat:
            if self.policy is None:
                episode.play(engine.choose(episode.match, self.level, seed=self.engine_seed))
            else:
                episode.touch(self.policy(episode.observation(episode.seat), episode.mask()))

    def _observation(self) -> Planes:
        return self.episode.observation(self.seat)

    def _info(self, illegal: bool = False) -> dict[str, Any]:
        return {"action_mask": self.action_masks(), "seat": self.seat, "illegal": illegal}

    def action_masks(self) -> Mask:
        """The legal actions, for those who learn with masks; none when the episode has ended."""
        mask = self.episode.mask()
        return np.zeros_like(mask) if self.ended else mask

    def render(self) -> Any:
        """The episode as `render_mode` says."""
        return render(self.episode, self.render_mode)


def environment_id(name: str) -> str:
    """The name under which Gymnasium knows a game."""
    return f"{NAMESPACE}/{name}-v{VERSION}"


for name in registry.names():
    gymnasium.register(
        environment_id(name), entry_point=f"{__name__}:OpponentEnv", kwargs={"game": name}
    )
