"""Game records as text, read and written (docs/records.md): a PGN with this engine's rulesets and move texts."""

from pyengine.notation.model import Fault, Line, Record
from pyengine.notation.reader import ReadGame, read_records, read_text
from pyengine.notation.writer import write_record

__all__ = ["Fault", "Line", "ReadGame", "Record", "read_records", "read_text", "write_record"]
