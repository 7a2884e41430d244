"""The games as PettingZoo environments, in which agents take turns."""

from __future__ import annotations

from typing import Any

import numpy as np

from quinconce.bridges.actions import VERSION
from quinconce.bridges.arguments import game_of
from quinconce.bridges.episode import ILLEGAL_REWARD, MAX_PLIES, Episode, Mask
from quinconce.bridges.extras import missing_extra
from quinconce.bridges.observations import Planes
from quinconce.bridges.rendering import RENDER_FPS, RENDER_MODES, check_render_mode, render
from quinconce.core.game import Game

try:
    from gymnasium import spaces
    from pettingzoo import AECEnv
    from pettingzoo.utils import wrappers
except ImportError as error:
    raise missing_extra(error, "rl") from None

Observation = dict[str, Any]


def env(game: Game[Any] | str, **settings: Any) -> AECEnv[str, Observation, int]:
    """An environment as most programs want it; the settings are those of `raw_env`.

    An action that is not legal ends the episode with a reward of -1, one that the game does not
    have is an AssertionError.
    """
    wrapped: Any = IllegalEnds(raw_env(game, **settings), ILLEGAL_REWARD)
    wrapped = wrappers.AssertOutOfBoundsWrapper(wrapped)
    return wrappers.OrderEnforcingWrapper(wrapped)


class IllegalEnds(wrappers.TerminateIllegalWrapper[str, Observation, int]):  # type: ignore[misc]
    """An action that is not legal is the end, after which nobody has a legal one."""

    def step(self, action: int | None) -> None:
        """Touch a place, or be done, or end the episode."""
        super().step(action)
        if self._terminated:
            env: Any = self.unwrapped
            env.infos = {agent: {"action_mask": env.action_masks()} for agent in env.agents}


# PettingZoo's own name for it, in small letters like a function.
class raw_env(AECEnv[str, Observation, int]):  # type: ignore[misc]  # noqa: N801
    """A game without any wrapper: an action that is not legal is an ActionError."""

    def __init__(
        self,
        game: Game[Any] | str,
        *,
        max_plies: int | None = MAX_PLIES,
        render_mode: str | None = None,
        **options: object,
    ) -> None:
        super().__init__()
        check_render_mode(render_mode)
        self.game = game_of(game, **options)
        self.max_plies, self.render_mode = max_plies, render_mode
        self.metadata = {
            "name": f"quinconce_{self.game.name}_v{VERSION}",
            "render_modes": list(RENDER_MODES),
            "render_fps": RENDER_FPS,
            "is_parallelizable": False,
        }
        self.episode = Episode(self.game, max_plies)
        self.possible_agents = [f"player_{seat}" for seat in range(self.game.seats)]
        self.seats = {agent: seat for seat, agent in enumerate(self.possible_agents)}
        count = self.episode.actions.count
        planes = spaces.Box(**self.episode.observations.box)
        self.state_space = planes
        self.observation_spaces = {
            agent: spaces.Dict(
                {
                    "observation": planes,
                    "action_mask": spaces.Box(0, 1, (count,), np.int8),
                }
            )
            for agent in self.possible_agents
        }
        self.action_spaces = {agent: spaces.Discrete(count) for agent in self.possible_agents}

    def observation_space(self, agent: str) -> spaces.Space[Any]:
        """The space of what an agent observes."""
        return self.observation_spaces[agent]

    def action_space(self, agent: str) -> spaces.Space[Any]:
        """The space of an agent's actions."""
        return self.action_spaces[agent]

    def reset(self, seed: int | None = None, options: dict[str, Any] | None = None) -> None:
        """Begin a new episode; nothing in it is drawn by lot."""
        self.episode = Episode(self.game, self.max_plies)
        self.agents = self.possible_agents[:]
        self.rewards = dict.fromkeys(self.agents, 0.0)
        self._cumulative_rewards = dict.fromkeys(self.agents, 0.0)
        self.terminations = dict.fromkeys(self.agents, False)
        self.truncations = dict.fromkeys(self.agents, False)
        self.infos: dict[str, dict[str, Any]] = {agent: {} for agent in self.agents}
        self._select_agent()

    def _select_agent(self) -> None:
        """The player to move is next, and their info has the mask of legal actions."""
        agent = self.possible_agents[self.episode.seat]
        self.agent_selection = agent
        self.infos[agent] = {"action_mask": self.episode.mask()}

    def step(self, action: int | None) -> None:
        """Touch a place, or be done; with None an agent leaves after the end."""
        agent = self.agent_selection
        if self.terminations[agent] or self.truncations[agent]:
            self._was_dead_step(action)
            return
        episode = self.episode
        episode.touch(action)
        self._cumulative_rewards[agent] = 0.0
        self.infos[agent] = {}
        if episode.over:
            self.rewards = dict(zip(self.agents, episode.rewards(), strict=True))
            self.terminations = dict.fromkeys(self.agents, not episode.truncated)
            self.truncations = dict.fromkeys(self.agents, episode.truncated)
            self._accumulate_rewards()
        self._select_agent()
        if self.render_mode == "human":
            self.render()

    def observe(self, agent: str) -> Observation:
        """What an agent sees, and its legal actions: none if another one is to move.

        After the end there are none, also where an illegal action was the end.
        """
        seen = self.episode.observation(self.seats[agent])
        return {"observation": seen, "action_mask": self._mask_of(agent)}

    def action_masks(self) -> Any:
        """The legal actions of the agent that is to act, for those who learn with masks."""
        return self._mask_of(self.agent_selection)

    def _mask_of(self, agent: str) -> Mask:
        episode = self.episode
        acts = self.seats[agent] == episode.seat and not self.terminations.get(agent, True)
        return episode.mask() if acts else np.zeros(episode.actions.count, np.int8)

    def state(self) -> Planes:
        """The whole state, as seat 0 sees it."""
        return self.episode.observation(0)

    def render(self) -> Any:
        """The episode as `render_mode` says."""
        return render(self.episode, self.render_mode)

    def close(self) -> None:
        """Nothing is open."""
