"""The objects of JSON-RPC 2.0, read strictly and written so that any channel can carry them."""

from __future__ import annotations

import json
import math
from typing import Any

from pyengine.errors import EngineError
from pyengine.foreign import MAX_NESTING, read_json, too_deep

#: The longest message read, in characters; a record of many games is the longest there is.
MAX_MESSAGE = 4_000_000

NOT_JSON, NOT_A_REQUEST, NO_METHOD, BAD_PARAMS, UNEXPECTED = -32700, -32600, -32601, -32602, -32603

Json = dict[str, Any]
Id = str | int | float | None


class RpcFault(Exception):
    """A message that cannot be answered, with the code of its error object."""

    def __init__(self, code: int, message: str, data: Json | None = None) -> None:
        super().__init__(message)
        self.code = code
        self.data = data


def parse(text: str) -> Json:
    """The request object in a text; raises `RpcFault`."""
    if not isinstance(text, str) or len(text) > MAX_MESSAGE:
        raise RpcFault(NOT_A_REQUEST, f"a message is a text of at most {MAX_MESSAGE} characters")
    if too_deep(text):
        raise RpcFault(NOT_A_REQUEST, f"a message is nested at most {MAX_NESTING} deep")
    try:
        message = read_json(text)
    except ValueError as error:
        raise RpcFault(NOT_JSON, f"the message is not JSON: {error}") from None
    if isinstance(message, list):
        raise RpcFault(NOT_A_REQUEST, "batches are not served; send one request a message")
    if not isinstance(message, dict):
        raise RpcFault(NOT_A_REQUEST, "a request is a JSON object")
    return message


def request_id(message: Json) -> Id:
    """The id of a request, None when it has none; raises `RpcFault`."""
    request = message.get("id")
    strange = isinstance(request, bool | list | dict)
    if strange or (isinstance(request, float) and not math.isfinite(request)):
        raise RpcFault(NOT_A_REQUEST, "an id is a text, a number or null")
    return request


def check_request(message: Json) -> None:
    """Raise `RpcFault` unless the message is a request or a notification."""
    if message.get("jsonrpc") != "2.0":
        raise RpcFault(NOT_A_REQUEST, 'a request has "jsonrpc": "2.0"')
    if not isinstance(message.get("method"), str):
        raise RpcFault(NOT_A_REQUEST, "a request names its method by a text")


def failure(request: Id, error: Exception) -> Json:
    """The error answer for anything that was raised."""
    fault: Json
    if isinstance(error, RpcFault):
        fault = {"code": error.code, "message": str(error)}
        if error.data is not None:
            fault["data"] = error.data
    elif isinstance(error, EngineError):
        fault = {"code": BAD_PARAMS, "message": str(error), "data": error.as_data()}
    else:
        message = f"unexpected {type(error).__name__}: {error}"
        fault = {"code": UNEXPECTED, "message": message[:500], "data": {"kind": "unexpected"}}
    return {"jsonrpc": "2.0", "id": request, "error": fault}


def answer(request: Id, result: Any) -> Json:
    """The answer to a request that went well."""
    return {"jsonrpc": "2.0", "id": request, "result": result}


def notification(method: str, params: Json) -> Json:
    """A message that wants no answer."""
    return {"jsonrpc": "2.0", "method": method, "params": params}


def dump(message: Json) -> str:
    """A message as text, in ASCII, so that half a surrogate pair from a client cannot break the channel."""
    return json.dumps(message, separators=(",", ":"), allow_nan=False)
