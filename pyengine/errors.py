"""The one kind of error that bad input raises: a sentence for people, a kind and data for programs."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from functools import partial


class EngineError(ValueError):
    """A text that cannot be accepted (ruleset, position, move, record).

    `str(error)` is an English sentence a person can act on. `kind` names the fault (`position.row-length`,
    `move.illegal` …) and `data` holds the values that a translated sentence needs (all of them JSON values).
    """

    def __init__(self, kind: str, message: str, **data: object) -> None:
        super().__init__(message)
        self.kind = kind
        self.data: Mapping[str, object] = data

    def as_data(self) -> dict[str, object]:
        """The fault as a JSON object: `{"kind": …}` and its values."""
        return {"kind": self.kind, **self.data}

    def __reduce__(self) -> tuple[Callable[[], EngineError], tuple[()]]:
        # An error of another process comes here whole; the default would call this class with the message alone.
        return partial(EngineError, self.kind, str(self), **self.data), ()
