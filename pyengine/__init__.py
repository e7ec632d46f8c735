"""Qirkat's engine: rules, records and a computer player for old capture games, in plain Python.

>>> from pyengine import Position
>>> position = Position.start("alquerque/table")
>>> [str(move) for move in position.legal_moves()]
['b2-c3', 'c2-c3', 'd2-c3', 'd3-c3']
"""

from pyengine.errors import EngineError
from pyengine.position import Position
from pyengine.record import Game
from pyengine.rules import find_rules, rulesets

__all__ = ["EngineError", "Game", "Position", "__version__", "find_rules", "rulesets"]

__version__ = "0.1.0"
