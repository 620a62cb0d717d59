"""Tables over time in OpenSim's formats `.mot` and `.sto`: a header, a line of labels, rows of numbers."""

import dataclasses as _dataclasses
import os as _os
import pathlib as _pathlib
from collections.abc import Sequence as _Sequence
from typing import Any as _Any
from typing import Union as _Union

import numpy as _np
import numpy.typing as _typing

Path = _Union[str, _os.PathLike[str]]
Array = _typing.NDArray[_np.float64]


class FileError(ValueError):
    """A file that cannot be read: its name, the line, and what is wrong there."""

    def __init__(self, path: Path, line: int, reason: str) -> None:
        super().__init__(f"{path}:{line}: {reason}" if line else f"{path}: {reason}")
        self.path, self.line, self.reason = _pathlib.Path(path), line, reason


@_dataclasses.dataclass
class Table:
    """Columns of numbers over time.

    `time`: frames, in s. `labels`: names of columns, without time. `data`: frames x columns. `in_degrees`: whether
    columns that are angles are in degrees, as files mostly have them; other units are SI.
    """

    time: Array
    labels: list[str]
    data: Array
    name: str = "table"
    in_degrees: bool = False

    def __post_init__(self) -> None:
        self.time = _np.asarray(self.time, float)
        self.data = _np.asarray(self.data, float)
        if self.data.shape != (len(self.time), len(self.labels)):
            raise ValueError(
                f"data of a table has the shape {self.data.shape}; {len(self.time)} times and {len(self.labels)} labels "
                f"take {(len(self.time), len(self.labels))}"
            )

    def __len__(self) -> int:
        return len(self.time)

    def __getitem__(self, label: str) -> Array:
        """The column of a label, a view."""
        return self.data[:, self.column(label)]

    def column(self, label: str) -> int:
        """The number of the column of a label."""
        try:
            return self.labels.index(label)
        except ValueError:
            raise KeyError(f"there is no column '{label}'; there are: {', '.join(self.labels)}") from None

    def between(self, start: float, end: float) -> "Table":
        """The rows from a time to another one, both with them."""
        rows = (self.time >= start - 1e-9) & (self.time <= end + 1e-9)
        return _dataclasses.replace(self, time=self.time[rows], data=self.data[rows])

    def at(self, times: _typing.ArrayLike) -> Array:
        """All columns at other times, times x columns, on straight lines between rows."""
        times = _np.asarray(times, float)
        return _np.stack([_np.interp(times, self.time, column) for column in self.data.T], axis=-1)


def numbers(path: Path, line: int, words: _Sequence[str], gaps: bool = False) -> list[float]:
    """Numbers from words of a line. With `gaps` an empty word is a number that is not known."""
    values = []
    for position, word in enumerate(words):
        try:
            values.append(float(word) if word.strip() or not gaps else float("nan"))
        except ValueError:
            raise FileError(path, line, f"'{word}' in column {position + 1} is no number") from None
    return values


def text_lines(path: Path) -> list[str]:
    """The lines of a file, which must be text."""
    try:
        return _pathlib.Path(path).read_text(encoding="utf-8-sig").splitlines()
    except UnicodeDecodeError as error:
        raise FileError(path, 0, f"this is no text: byte {error.start} is not UTF-8") from None


def check_times(path: Path, times: _Sequence[float], first_line: int) -> None:
    """Times must be numbers and ascend."""
    for i, time in enumerate(times):
        if not _np.isfinite(time):
            raise FileError(path, first_line + i, f"the time is {time}")
        if i and time <= times[i - 1]:
            raise FileError(path, first_line + i, f"the time {time:g} does not come after {times[i - 1]:g} in the row before")


def _header(path: Path, lines: list[str]) -> tuple[int, dict[str, tuple[str, int]]]:
    """The number of the line `endheader`, and settings above it with their lines; counted from zero."""
    settings: dict[str, tuple[str, int]] = {}
    for i, line in enumerate(lines):
        if line.strip().lower() == "endheader":
            return i, settings
        key, equals, value = line.partition("=")
        if equals:
            settings[key.strip().lower()] = value.strip(), i
    raise FileError(path, len(lines), "there is no line 'endheader'; a header ends with it")


def _check_count(path: Path, settings: dict[str, tuple[str, int]], keys: _Sequence[str], count: int, what: str) -> None:
    for key in keys:
        if key in settings:
            value, line = settings[key]
            if not value.isdigit() or int(value) != count:
                raise FileError(path, line + 1, f"{key} is '{value}', but the file has {count} {what}")


def read_table(path: Path) -> Table:
    """Reads a `.mot` or `.sto` file. Raises `FileError`, with file and line, where it is damaged: no header, a row of
    another length than the labels, a word that is no number, times that do not ascend, counts that do not fit."""
    lines = text_lines(path)
    end, settings = _header(path, lines)
    first = end + 1
    while first < len(lines) and not lines[first].strip():
        first += 1
    if first == len(lines):
        raise FileError(path, end + 1, "no labels follow the header")
    labels = lines[first].split()
    if labels[0].lower() != "time":
        raise FileError(path, first + 1, f"the first label is '{labels[0]}'; it must be 'time'")
    for label in labels:
        if labels.count(label) > 1:
            raise FileError(path, first + 1, f"the label '{label}' stands there twice")
    rows = []
    for i in range(first + 1, len(lines)):
        words = lines[i].split()
        if not words:
            if any(line.strip() for line in lines[i:]):
                raise FileError(path, i + 1, "an empty line stands between rows")
            break
        if len(words) != len(labels):
            raise FileError(path, i + 1, f"the row has {len(words)} numbers; there are {len(labels)} labels")
        rows.append(numbers(path, i + 1, words))
    check_times(path, [row[0] for row in rows], first + 2)
    _check_count(path, settings, ("nrows", "datarows"), len(rows), "rows")
    _check_count(path, settings, ("ncolumns", "datacolumns"), len(labels), "columns")
    data = _np.array(rows).reshape(len(rows), len(labels))
    degrees = settings.get("indegrees", ("no", 0))[0].lower() in ("yes", "true", "1")
    name = lines[0].strip() if end and "=" not in lines[0] else _pathlib.Path(path).stem
    return Table(data[:, 0], labels[1:], data[:, 1:], name, degrees)


def write_table(table: Table, path: Path) -> None:
    """Writes a table as `.mot` or `.sto`, which are the same but for their name. Numbers are read back with all bits."""
    header = [
        table.name, "version=1", f"nRows={len(table)}", f"nColumns={len(table.labels) + 1}",
        f"inDegrees={'yes' if table.in_degrees else 'no'}", "endheader", "\t".join(["time", *table.labels]),
    ]  # fmt: skip
    _write(path, header, _np.column_stack([table.time, table.data]))


def _write(path: Path, header: _Sequence[str], rows: _Any) -> None:
    lines = ["\t".join(repr(float(value)) for value in row) for row in rows]
    _pathlib.Path(path).write_text("\n".join([*header, *lines]) + "\n", encoding="utf-8")
