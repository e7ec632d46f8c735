"""All games and their rulesets. A new game is one module with a `GAME`, registered at the end of this file."""

from __future__ import annotations

from functools import lru_cache

from pyengine.errors import EngineError
from pyengine.rules import alquerque, fanorona, konane, seega, surakarta
from pyengine.rules.base import REPETITIONS, Game, Hop, Move, Outcome, Refusal, Rules, State

__all__ = [
    "GAMES",
    "REPETITIONS",
    "Game",
    "Hop",
    "Move",
    "Outcome",
    "Refusal",
    "Rules",
    "State",
    "find_rules",
    "register",
    "rulesets",
]

#: The longest ruleset text read.
MAX_RULESET = 300


GAMES: dict[str, Game] = {}


def register(game: Game) -> None:
    """Make a game known under its name."""
    GAMES[game.name] = game
    find_rules.cache_clear()


@lru_cache(maxsize=64)
def find_rules(ruleset: str) -> Rules:
    """The rules of a ruleset text `game/preset[;option=value…]`, options in any order.

    Raises `EngineError`: `ruleset.unknown` (with the known names), `ruleset.option`, `ruleset.mix`.

    >>> find_rules("alquerque/table").ruleset
    'alquerque/table'
    """
    if not isinstance(ruleset, str) or len(ruleset) > MAX_RULESET:
        raise EngineError(
            "ruleset.unknown", "a ruleset is a text such as alquerque/table", found=""
        )
    name, *words = ruleset.split(";")
    game_name, _, preset = name.partition("/")
    game = GAMES.get(game_name)
    if game is None or preset not in game.presets:
        known = [f"{g.name}/{p}" for g in GAMES.values() for p in g.presets]
        raise EngineError(
            "ruleset.unknown",
            f"there is no ruleset {name[:60]!r}; known: {', '.join(known)}",
            found=name[:60],
            known=known,
        )
    options: dict[str, str] = {}
    for word in words:
        option, equals, value = word.partition("=")
        if not equals or option in options:
            raise EngineError(
                "ruleset.option",
                f"{word[:60]!r} is not an option=value given once",
                found=word[:60],
            )
        options[option] = value
    return game.make(preset, options)


def rulesets() -> list[tuple[str, bool]]:
    """Every ruleset offered, as (ruleset text, whether it is a named variant of a preset)."""
    offered = []
    for game in GAMES.values():
        offered += [(f"{game.name}/{preset}", False) for preset in game.presets]
        offered += [(variant, True) for variant in game.variants]
    return offered


for _game in (alquerque.GAME, konane.GAME, fanorona.GAME, seega.GAME, surakarta.GAME):
    register(_game)
