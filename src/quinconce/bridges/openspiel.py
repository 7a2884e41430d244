"""The games as OpenSpiel games: `pyspiel.load_game("quinconce(game=…)")` after this is imported."""

from __future__ import annotations

import json
from collections.abc import Iterable, Mapping
from contextlib import suppress
from functools import cached_property
from typing import Any, Final

import numpy as np

from quinconce.bridges.actions import VERSION, Actions, check_version
from quinconce.bridges.episode import MAX_PLIES, Episode
from quinconce.bridges.extras import missing_extra
from quinconce.bridges.observations import observations_of
from quinconce.core.game import Game
from quinconce.core.match import replay
from quinconce.core.option import parse_number
from quinconce.core.phrase import _, quote
from quinconce.core.registry import game, game_class, menu_names

try:
    import pyspiel
except ImportError as error:
    raise missing_extra(error, "openspiel") from None

SHORT_NAME: Final = "quinconce"
# What a struct of a state tells; without the moves it tells no state.
STRUCT_KEYS: Final = (
    "game",
    "options",
    "start",
    "moves",
    "touched",
    "position",
    "current_player",
)


# Parameters. One has one type for all games: a number, where an option has a value that is one.
# There 0 leaves the option as the game has it, and values in words are -1, -2 … in their order.
# `version` is that of actions and observations: a text that names another one loads no game.


def default_parameters() -> dict[str, Any]:
    """Every parameter with its default: the first game of the menu, and no option set."""
    names = menu_names()
    unset: dict[str, int | str] = {}
    for name in names:
        for key, option in game_class(name).options.items():
            in_numbers = len(words_of(option)) < len(option)
            unset[key] = 0 if in_numbers or unset.get(key) == 0 else ""
    return {"game": names[0], "max_plies": MAX_PLIES, "version": VERSION, **unset}


def words_of(option: Iterable[str]) -> list[str]:
    """The values of an option that are no numbers."""
    return [value for value in option if parse_number(value) is None]


def parameters_of(rules: Game[Any], max_plies: int = MAX_PLIES) -> dict[str, Any]:
    """The parameters that load a game with its options: for `pyspiel.load_game("quinconce", …)`."""
    parameters = default_parameters() | {"game": rules.name, "max_plies": max_plies}
    for key, value in rules.chosen.items():
        words = words_of(rules.options[key])
        if parameters[key] == 0:
            parameters[key] = -1 - words.index(value) if value in words else int(value)
        else:
            parameters[key] = value
    return parameters


def load_rules(parameters: Mapping[str, Any]) -> Game[Any]:
    """The game that parameters name; ValueError, saying why, if there is none."""
    name, options = parameters["game"], {}
    words = {key: words_of(option) for key, option in game_class(name).options.items()}
    for key, value in parameters.items():
        if key not in ("game", "max_plies", "version") and value:
            in_words = isinstance(value, int) and 0 < -value <= len(words.get(key, ()))
            options[key] = words[key][-value - 1] if in_words else value
    return game(name, **options)


def is_zero_sum(rules: Game[Any]) -> bool:
    """Whether the rewards of all seats add up to nothing: there are two sides of one size."""
    return len(rules.sides) == 2 and len(rules.sides[0]) == len(rules.sides[1])


def game_type(rules: Game[Any] | None = None) -> pyspiel.GameType:
    """What OpenSpiel has to know of one game, or of all of them before one is chosen."""
    utility = pyspiel.GameType.Utility
    return pyspiel.GameType(
        short_name=SHORT_NAME,
        long_name="Quinconce",
        dynamics=pyspiel.GameType.Dynamics.SEQUENTIAL,
        chance_mode=pyspiel.GameType.ChanceMode.DETERMINISTIC,
        information=pyspiel.GameType.Information.PERFECT_INFORMATION,
        utility=utility.ZERO_SUM if rules and is_zero_sum(rules) else utility.GENERAL_SUM,
        reward_model=pyspiel.GameType.RewardModel.TERMINAL,
        max_num_players=rules.seats if rules else 4,
        min_num_players=rules.seats if rules else 2,
        provides_information_state_string=True,
        provides_information_state_tensor=True,
        provides_observation_string=True,
        provides_observation_tensor=True,
        parameter_specification=default_parameters(),
    )


class QuinconceGame(pyspiel.Game):  # type: ignore[misc]
    """One of our games with its options, as OpenSpiel sees it."""

    def __init__(self, parameters: Mapping[str, Any] | None = None) -> None:
        given = default_parameters() | dict(parameters or {})
        check_version(given["version"])
        rules, max_plies = load_rules(given), given["max_plies"]
        count = Episode(rules, max_plies).actions.count
        even = {"utility_sum": 0.0} if is_zero_sum(rules) else {}
        info = pyspiel.GameInfo(
            num_distinct_actions=count,
            max_chance_outcomes=0,
            num_players=rules.seats,
            min_utility=-1.0,
            max_utility=1.0,
            # No turn has more touches than there are places.
            max_game_length=max_plies * count,
            **even,
        )
        super().__init__(game_type(rules), info, given)

    # What a game needs comes from its parameters: its copy or pickle has nothing else.

    @cached_property
    def rules(self) -> Game[Any]:
        """The game as we know it."""
        return load_rules(self.get_parameters())

    @cached_property
    def max_plies(self) -> int:
        """How many moves are played before a game is stopped."""
        return int(self.get_parameters()["max_plies"])

    def new_initial_state(self, state: Any = None) -> QuinconceState:
        """A state at the start, or the one that a struct, its dictionary or its JSON describes."""
        return QuinconceState(self, state)

    def make_py_observer(self, iig_obs_type: Any = None, params: Any = None) -> PlanesObserver:
        """What writes observations; those of all kinds see the whole board."""
        if params:
            raise ValueError(
                _("observations have no parameters, but got {params}", params=quote(params))
            )
        return PlanesObserver(self.rules, bool(iig_obs_type and iig_obs_type.perfect_recall))


class QuinconceState(pyspiel.State):  # type: ignore[misc]
    """An episode as OpenSpiel sees it; stopped after `max_plies` moves, it is a draw."""

    def __init__(self, game: QuinconceGame, struct: Any = None) -> None:
        super().__init__(game)
        self.episode = Episode(game.rules, game.max_plies)
        if struct is not None:
            self.episode = episode_from(game, struct)

    def current_player(self) -> int:
        """The seat to move."""
        return player_of(self.episode)

    def _legal_actions(self, player: int) -> list[int]:
        return self.episode.legal_actions() if player == self.episode.seat else []

    def _apply_action(self, action: int) -> None:
        self.episode.touch(action)

    def _action_to_string(self, player: int, action: int) -> str:
        return self.episode.actions.name(self.episode.actions.number(action))

    def is_terminal(self) -> bool:
        """Whether the match is over, or was stopped."""
        return self.episode.over

    def returns(self) -> list[float]:
        """What each seat has got."""
        return self.episode.rewards()

    def __str__(self) -> str:
        return str(self.episode)

    # Structs: the match as text, so that a state from one knows what came before.

    def _to_struct(self) -> dict[str, Any]:
        episode = self.episode
        match, write = episode.match, episode.game.write
        return {
            "game": episode.game.name,
            "options": dict(episode.game.chosen),
            "start": write(match.start),
            "moves": list(match.moves),
            "touched": [episode.actions.name(action) for action in episode.path],
            "position": write(match.position),
            "current_player": player_of(episode),
        }

    def _to_observation_struct(self, player: int) -> dict[str, Any]:
        match = self.episode.match
        return self._to_struct() | {
            "player": player,
            "quiet": match.quiet,
            "repetitions": match.repetitions,
            "passes": match.passes,
        }

    def _action_to_struct(self, player: int, action: int) -> dict[str, str]:
        return {"touch": self._action_to_string(player, action)}

    def _struct_to_actions(self, struct: Mapping[str, str]) -> list[int]:
        return [touch_number(self.episode.actions, struct.get("touch"))]


def episode_from(game: QuinconceGame, struct: Any) -> Episode:
    """The episode that a struct tells; ValueError, saying why, if it tells none of this game."""
    told = struct
    if isinstance(struct, str):
        with suppress(ValueError, RecursionError):  # what is no JSON tells no state either
            told = json.loads(struct)
    told = told.to_dict() if isinstance(told, pyspiel.StateStruct) else told
    if not isinstance(told, Mapping) or "moves" not in told or not told.keys() <= {*STRUCT_KEYS}:
        known = ", ".join(STRUCT_KEYS)
        raise ValueError(
            _(
                "{struct} tells no state: it has moves, and nothing but {known}",
                struct=quote(struct),
                known=known,
            )
        )
    rules, lists = game.rules, [told.get(key, []) for key in ("moves", "touched")]
    if not all(isinstance(found, list) for found in lists):
        raise ValueError(_("the moves and the touches of a state are lists"))
    if (told.get("game", rules.name), told.get("options", rules.chosen)) != (
        rules.name,
        rules.chosen,
    ):
        raise ValueError(_("the state belongs to another game than {game}", game=repr(rules)))
    match = replay(rules, told.get("start"), lists[0])
    position = rules.write(match.position)
    if told.get("position", position) != position:
        wrong = quote(told["position"])
        raise ValueError(
            _("the moves lead to {position}, not to {wrong}", position=quote(position), wrong=wrong)
        )
    episode = Episode(rules, game.max_plies, match)
    for place in lists[1]:
        if episode.touch(touch_number(episode.actions, place)):
            raise ValueError(_("the touches make a whole move: it belongs among the moves"))
    player = player_of(episode)
    if told.get("current_player", player) != player:
        wrong = quote(told["current_player"])
        raise ValueError(
            _("the player to move is {player}, not {wrong}", player=player, wrong=wrong)
        )
    return episode


def player_of(episode: Episode) -> int:
    """The seat to move, or OpenSpiel's number for the end."""
    return int(pyspiel.PlayerId.TERMINAL) if episode.over else episode.seat


def touch_number(actions: Actions, place: object) -> int:
    """The action that touches a place."""
    number = actions.numbers.get(str(place))
    if number is None:
        raise ValueError(_("there is no place {place} to touch", place=quote(place)))
    return number


class PlanesObserver:
    """Writes the planes of an observation into one tensor, which is used again each time."""

    def __init__(self, rules: Game[Any], perfect_recall: bool) -> None:
        shape = observations_of(rules).shape
        self.perfect_recall = perfect_recall
        self.tensor = np.zeros(shape[0] * shape[1], np.float32)
        self.dict = {"observation": self.tensor.reshape(shape)}

    def set_from(self, state: QuinconceState, player: int) -> None:
        """Write what a player sees in a state."""
        self.dict["observation"][:] = state.episode.observation(player)

    def string_from(self, state: QuinconceState, player: int) -> str:
        """What a player knows, as text: the position, or all that was played."""
        return state.history_str() if self.perfect_recall else str(state)


pyspiel.register_game(game_type(), QuinconceGame)
