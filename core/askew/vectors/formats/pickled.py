"""A reader of pickles that makes nothing but plain values and stand-ins: no code of the file ever runs.

Python's own unpickler calls what a file names. Here a name stays a name, an object becomes a `Thing`, an
array becomes its bytes; names that no gensim file needs are refused.
"""

from __future__ import annotations

import re
import struct
from typing import TYPE_CHECKING

from askew.errors import VectorsError
from askew.vectors.formats.stand_ins import Kind, Name, PickledArray, Thing, Value, fill, made, order

if TYPE_CHECKING:
    from collections.abc import Callable

MOST_KEYS = 4096  # of a dictionary; the big ones repeat the list of words
_MARK = object()
_ALLOWED = re.compile(
    r"(gensim(\.\w+)* \w+|_codecs encode|collections (OrderedDict|defaultdict|Counter)|datetime datetime"
    r"|UserString defaultdict|copyreg _reconstructor|copy_reg _reconstructor|__main__ \w+"
    r"|(__builtin__|builtins) (set|frozenset|list|dict|tuple|int|long|float|str|bytes|bytearray|object|hash)"
    r"|numpy (ndarray|dtype|(float|int|uint)\d+|bool_?)|numpy\.random(\.\w+)* \w+"
    r"|numpy\.(_core|core)\.(multiarray|numeric) (_reconstruct|scalar|_frombuffer)"
    r"|scipy\.sparse(\.\w+)* \w+)"
)


def read_pickle(data: bytes, name: str) -> Value:
    """Return what a pickle holds, as plain values and stand-ins.

    Parameters
    ----------
    name
        Of the file, for messages.

    Raises
    ------
    VectorsError
        If it is damaged, or refers to what no gensim file needs.
    """
    machine = _Machine(data, name)
    try:
        return machine.run()
    except (IndexError, KeyError, TypeError, ValueError, AttributeError, struct.error) as error:
        raise VectorsError(
            "the file is damaged or incomplete", where=name, remedy="Get the whole file again"
        ) from error


class _Machine:
    """The stack machine of pickles: a method for each instruction."""

    def __init__(self, data: bytes, name: str) -> None:
        self._data = data
        self._name = name
        self._place = 0
        self._stack: list[Value] = []
        self._memo: dict[int, Value] = {}

    def run(self) -> Value:
        """Follow the instructions to the end and return the result."""
        data = self._data
        while True:
            code = data[self._place]
            if code in _RUNS:
                _RUNS[code](self)
                code = data[self._place]
            self._place += 1
            if code == 0x2E:
                return self._stack.pop()
            do = _DO.get(code)
            if do is None:
                raise ValueError(code)
            do(self)

    def texts(self) -> None:
        """Read short texts that are each remembered, one after another: this is how words stand there."""
        data, place, memo, stack = self._data, self._place, self._memo, self._stack
        end = place + 2 + data[place + 1]
        while data[place : place + 1] == b"\x8c" and data[end : end + 1] == b"\x94":
            memo[len(memo)] = text = data[place + 2 : end].decode("utf-8", "surrogatepass")
            stack.append(text)
            place = end + 1
            end = place + 2 + (data[place + 1] if place + 1 < len(data) else 0)
        self._place = place

    def references(self) -> None:
        """Read remembered values that are each followed by a number, as words and their rows are."""
        match = _NUMBERED.match(self._data, self._place)
        if match is None:
            return
        self._place = match.end()
        for far, near, four, two, one in _PAIR.findall(match[0]):
            self._stack.append(self._memo[int.from_bytes(far or near, "little")])
            self._stack.append(int.from_bytes(four or two or one, "little", signed=bool(four)))

    def take(self, size: int) -> bytes:
        """Return the next bytes."""
        part = self._data[self._place : self._place + size]
        if size < 0 or len(part) < size:
            raise ValueError(size)
        self._place += size
        return part

    def number(self, size: int, signed: bool = False) -> int:
        """Return the next bytes as a number."""
        return int.from_bytes(self.take(size), "little", signed=signed)

    def line(self) -> str:
        """Return the text up to the end of the line."""
        end = self._data.index(b"\n", self._place)
        return self.take(end + 1 - self._place)[:-1].decode("utf-8", "replace")

    def push(self, value: Value) -> None:
        """Put a value onto the stack."""
        self._stack.append(value)

    def pop(self) -> Value:
        """Take the last value off the stack."""
        value = self._stack.pop()
        if value is _MARK:
            raise ValueError
        return value

    def pop_any(self) -> None:
        """Take the last value off the stack, or a mark."""
        self._stack.pop()

    def twice(self) -> None:
        """Put the last value onto the stack once more."""
        self._stack.append(self._stack[-1])

    def since_mark(self) -> list[Value]:
        """Take all values since the last mark off the stack, and the mark."""
        stack = self._stack
        place = len(stack) - 1
        while stack[place] is not _MARK:
            place -= 1
            if place < 0:
                raise IndexError
        values = stack[place + 1 :]
        del stack[place:]
        return values

    def top(self, kind: type) -> Value:
        """Return the last value, which stays; it must be of a kind."""
        if not isinstance(self._stack[-1], kind):
            raise TypeError
        return self._stack[-1]

    def keep(self, number: int) -> None:
        """Remember the last value under a number."""
        self._memo[number] = self._stack[-1]

    def memoize(self) -> None:
        """Remember the last value under the next number."""
        self._memo[len(self._memo)] = self._stack[-1]

    def recall(self, number: int) -> None:
        """Put a remembered value onto the stack."""
        self._stack.append(self._memo[number])

    def refer(self, module: Value, name: Value) -> None:
        """Put a name onto the stack, if it is one that gensim files need."""
        if not isinstance(module, str) or not isinstance(name, str):
            raise TypeError
        text = f"{module} {name}"
        if not _ALLOWED.fullmatch(text):
            shown = text.replace(" ", ".")[:80]
            raise VectorsError(
                f"the file refers to '{shown}', which no file of word vectors needs",
                where=self._name,
                remedy="It may be harmful; it was not read further, and nothing in it was run",
            )
        self._stack.append(Name(text))

    def pairs(self, values: list[Value]) -> None:
        """Put keys and values into the dictionary that is last on the stack; of a big one only the first."""
        target = self._stack[-1]
        target = target.state if isinstance(target, Thing) else self.top(dict)
        for key, value in zip(values[::2], values[1::2], strict=True):
            if isinstance(key, str | int) and len(target) < MOST_KEYS:
                target[key] = value

    def extend(self, values: list[Value]) -> None:
        """Put values into the list that is last on the stack."""
        target = self._stack[-1]
        if not isinstance(target, Thing):
            self.top(list).extend(values)

    def call(self) -> None:
        """Replace a name and its arguments by what it stands for."""
        arguments = self.pop()
        called = self.pop()
        self._stack.append(made(called, arguments))

    def build(self) -> None:
        """Give an object its attributes."""
        state = self.pop()
        target = self._stack[-1]
        if isinstance(target, PickledArray):
            fill(target, state)
        elif isinstance(target, Kind):
            order(target, state)
        elif isinstance(target, Thing):
            for part in state if isinstance(state, tuple) else (state,):
                if isinstance(part, dict):
                    target.state.update(part)


def _text(size: int) -> Callable[[_Machine], object]:
    def do(machine: _Machine) -> None:
        machine.push(machine.take(machine.number(size)).decode("utf-8", "surrogatepass"))

    return do


def _bytes(size: int) -> Callable[[_Machine], object]:
    def do(machine: _Machine) -> None:
        machine.push(machine.take(machine.number(size)))

    return do


def _old_text(size: int) -> Callable[[_Machine], object]:
    def do(machine: _Machine) -> None:
        machine.push(machine.take(machine.number(size)).decode("latin-1"))

    return do


def _integer(size: int, signed: bool = False) -> Callable[[_Machine], object]:
    def do(machine: _Machine) -> None:
        machine.push(machine.number(size, signed))

    return do


def _long(size: int) -> Callable[[_Machine], object]:
    def do(machine: _Machine) -> None:
        machine.push(machine.number(machine.number(size), signed=True))

    return do


def _constant(value: Value) -> Callable[[_Machine], object]:
    def do(machine: _Machine) -> None:
        machine.push(value)

    return do


def _tuple(size: int) -> Callable[[_Machine], object]:
    def do(machine: _Machine) -> None:
        machine.push(tuple(reversed([machine.pop() for _ in range(size)])))

    return do


def _number_in_words(machine: _Machine) -> None:
    text = machine.line()
    machine.push(text == "01" if text in ("00", "01") else int(text))


def _named(machine: _Machine) -> None:
    name, module = machine.pop(), machine.pop()
    machine.refer(module, name)


def _with_keywords(machine: _Machine) -> None:
    machine.pop()
    machine.call()


def _one_pair(machine: _Machine) -> None:
    value, key = machine.pop(), machine.pop()
    machine.pairs([key, value])


def _one_value(machine: _Machine) -> None:
    value = machine.pop()
    machine.extend([value])


def _dictionary(machine: _Machine) -> None:
    values = machine.since_mark()
    machine.push({})
    machine.pairs(values)


_PAIR = re.compile(rb"(?s:j(....)|h(.))(?s:J(....)|M(..)|K(.))")
_NUMBERED = re.compile(rb"(?s:(?:j....|h.)(?:J....|M..|K.)){1,1000}")
# Instructions that mostly come in long runs of the same, read at once.
_RUNS: dict[int, Callable[[_Machine], None]] = {
    0x8C: lambda m: m.texts(),
    0x6A: lambda m: m.references(),
    0x68: lambda m: m.references(),
}
_DO: dict[int, Callable[[_Machine], object]] = {
    0x80: lambda m: m.take(1),  # the version
    0x95: lambda m: m.take(8),  # a frame: only for reading ahead
    0x28: _constant(_MARK),
    0x30: lambda m: m.pop_any(),
    0x31: lambda m: m.since_mark(),
    0x32: lambda m: m.twice(),
    0x4E: _constant(None),
    0x88: _constant(True),
    0x89: _constant(False),
    0x29: _constant(()),
    0x49: _number_in_words,
    0x4A: _integer(4, signed=True),
    0x4B: _integer(1),
    0x4D: _integer(2),
    0x8A: _long(1),
    0x8B: _long(4),
    0x47: lambda m: m.push(struct.unpack(">d", m.take(8))[0]),
    0x54: _old_text(4),
    0x55: _old_text(1),
    0x42: _bytes(4),
    0x43: _bytes(1),
    0x8E: _bytes(8),
    0x96: _bytes(8),
    0x58: _text(4),
    0x8C: _text(1),
    0x8D: _text(8),
    0x5D: lambda m: m.push([]),
    0x8F: lambda m: m.push([]),  # a set; its values are kept in a list
    0x7D: lambda m: m.push({}),
    0x61: _one_value,
    0x65: lambda m: m.extend(m.since_mark()),
    0x90: lambda m: m.extend(m.since_mark()),
    0x6C: lambda m: m.push(m.since_mark()),
    0x91: lambda m: m.push(m.since_mark()),
    0x74: lambda m: m.push(tuple(m.since_mark())),
    0x85: _tuple(1),
    0x86: _tuple(2),
    0x87: _tuple(3),
    0x64: _dictionary,
    0x73: _one_pair,
    0x75: lambda m: m.pairs(m.since_mark()),
    0x63: lambda m: m.refer(m.line(), m.line()),
    0x93: _named,
    0x52: lambda m: m.call(),
    0x81: lambda m: m.call(),
    0x92: _with_keywords,
    0x62: lambda m: m.build(),
    0x68: lambda m: m.recall(m.number(1)),
    0x6A: lambda m: m.recall(m.number(4)),
    0x71: lambda m: m.keep(m.number(1)),
    0x72: lambda m: m.keep(m.number(4)),
    0x94: lambda m: m.memoize(),
}
