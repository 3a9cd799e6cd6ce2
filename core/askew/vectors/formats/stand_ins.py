"""What stands for the objects of a pickle: plain values and names, nothing that runs."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Any, TypeAlias

Value: TypeAlias = Any  # whatever a pickle holds

_LARGEST = 1 << 48


@dataclass(frozen=True, slots=True)
class Name:
    """A name that the file refers to; never looked up."""

    text: str


@dataclass(slots=True)
class Thing:
    """An object of the file: what class it is of, and its attributes."""

    kind: str
    state: dict[Value, Value] = field(default_factory=dict)


@dataclass(slots=True)
class PickledArray:
    """An array of numpy's, its numbers as bytes."""

    kind: str = ""
    shape: tuple[int, ...] = ()
    by_columns: bool = False
    data: bytes = b""


@dataclass(slots=True)
class Kind:
    """A type of numbers, as numpy writes it without the order of bytes."""

    text: str
    order: str = "<"


def made(called: Value, arguments: Value) -> Value:
    """Return the stand-in for what a call would have made."""
    name = called.text if isinstance(called, Name) else ""
    last = name.rpartition(" ")[2]
    if name == "_codecs encode":
        return arguments[0].encode("latin-1")
    if last == "_reconstruct":
        return PickledArray()
    if last == "_frombuffer":
        data, kind, shape, order = arguments
        return PickledArray(_written(kind), _sizes(shape), order == "F", _bytes(data))
    if last == "dtype":
        return Kind(_text(arguments[0]))
    if last in ("OrderedDict", "defaultdict", "Counter", "dict"):
        return {}
    if last in ("set", "frozenset", "list", "tuple"):
        return list(arguments[0]) if arguments and isinstance(arguments[0], list | tuple) else []
    if last == "_reconstructor":
        return Thing(arguments[0].text)
    return Thing(name)


def fill(array: PickledArray, state: Value) -> None:
    """Give an array what its state says."""
    _version, shape, kind, by_columns, data = state
    array.kind, array.shape, array.by_columns = _written(kind), _sizes(shape), bool(by_columns)
    if not isinstance(data, list):  # a list holds Python objects, and is no matrix of numbers
        array.data = data.encode("latin-1") if isinstance(data, str) else _bytes(data)


def order(kind: Kind, state: Value) -> None:
    """Give a type of numbers the order of bytes that its state says."""
    kind.order = _text(state[1])


# Values are taken only as what they are: to turn a list that holds itself, or a number, into text or bytes
# could take all memory there is.


def _sizes(shape: Value) -> tuple[int, ...]:
    if not isinstance(shape, tuple) or not all(type(size) is int and 0 <= size < _LARGEST for size in shape):
        raise TypeError
    return shape


def _bytes(data: Value) -> bytes:
    if not isinstance(data, bytes):
        raise TypeError
    return data


def _text(value: Value) -> str:
    if not isinstance(value, str):
        raise TypeError
    return value


def _written(kind: Value) -> str:
    return f"{kind.order}{kind.text}" if isinstance(kind, Kind) else ""
