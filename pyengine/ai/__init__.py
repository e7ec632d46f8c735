"""The computer player: search, evaluation, levels."""

from pyengine.ai.levels import LEVELS, Level
from pyengine.ai.search import Search

__all__ = ["LEVELS", "Level", "Search"]
