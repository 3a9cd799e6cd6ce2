"""A map of whole numbers to whole numbers in MessagePack, as spaCy writes it."""

from __future__ import annotations

from askew.errors import VectorsError

_SIZES = {0xCC: 1, 0xCD: 2, 0xCE: 4, 0xCF: 8}


def numbers_by_number(data: bytes, name: str) -> dict[int, int]:
    """Return the map.

    Parameters
    ----------
    name
        Of the file, for messages.

    Raises
    ------
    VectorsError
        If it is anything else, or cut short.
    """
    try:
        return _map(data)
    except (IndexError, KeyError, ValueError) as error:
        raise VectorsError("the file is damaged or incomplete", where=name) from error


def _map(data: bytes) -> dict[int, int]:
    first = data[0]
    if 0x80 <= first <= 0x8F:
        count, place = first & 0x0F, 1
    elif first in (0xDE, 0xDF):
        size = 2 if first == 0xDE else 4
        count, place = _unsigned(data, 1, size), 1 + size
    else:
        raise ValueError(first)
    result: dict[int, int] = {}
    for _ in range(count):
        key, place = _number(data, place)
        result[key], place = _number(data, place)
    return result


def _number(data: bytes, place: int) -> tuple[int, int]:
    """Return the number at a place, and the place after it."""
    first = data[place]
    if first < 0x80:
        return first, place + 1
    if first >= 0xE0:
        return first - 0x100, place + 1
    if first in _SIZES:
        size = _SIZES[first]
        return _unsigned(data, place + 1, size), place + 1 + size
    size = _SIZES[first - 4]
    number = _unsigned(data, place + 1, size)
    return number - (1 << 8 * size) if number >> (8 * size - 1) else number, place + 1 + size


def _unsigned(data: bytes, place: int, size: int) -> int:
    part = data[place : place + size]
    if len(part) < size:
        raise IndexError
    return int.from_bytes(part, "big")
