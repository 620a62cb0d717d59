"""Measured markers: `.trc` in and out, `.c3d` in by the package ezc3d."""

import dataclasses as _dataclasses
import importlib as _importlib
import pathlib as _pathlib
from collections.abc import Sequence as _Sequence

import numpy as _np

from sinew.biomech.tables import Array, FileError, Path, check_times, numbers, text_lines

_UNITS = {"mm": 1e-3, "cm": 1e-2, "m": 1.0, "meters": 1.0, "millimeters": 1e-3}


@_dataclasses.dataclass
class Markers:
    """Places of markers over time.

    `time`: frames, in s. `labels`: names of markers. `data`: frames x markers x 3, in m, in the ground frame of the file
    (OpenSim's has y up); NaN where a marker was not seen.
    """

    time: Array
    labels: list[str]
    data: Array

    def __post_init__(self) -> None:
        self.time = _np.asarray(self.time, float)
        self.data = _np.asarray(self.data, float)
        if self.data.shape != (len(self.time), len(self.labels), 3):
            raise ValueError(
                f"places of markers have the shape {self.data.shape}; {len(self.time)} times and {len(self.labels)} labels "
                f"take {(len(self.time), len(self.labels), 3)}"
            )

    def __len__(self) -> int:
        return len(self.time)

    def __getitem__(self, label: str) -> Array:
        """The places of a marker, frames x 3, a view."""
        try:
            return self.data[:, self.labels.index(label)]
        except ValueError:
            raise KeyError(f"there is no marker '{label}'; there are: {', '.join(self.labels)}") from None

    def between(self, start: float, end: float) -> "Markers":
        """The frames from a time to another one, both with them."""
        rows = (self.time >= start - 1e-9) & (self.time <= end + 1e-9)
        return Markers(self.time[rows], self.labels, self.data[rows])


def _settings(path: Path, lines: list[str]) -> dict[str, str]:
    if len(lines) < 5 or not lines[0].startswith("PathFileType"):
        raise FileError(path, 1, "the first line of a .trc file begins with 'PathFileType'")
    names, values = lines[1].split("\t"), lines[2].split("\t")
    settings = {name.strip(): value.strip() for name, value in zip(names, values)}
    for needed in ("NumFrames", "NumMarkers", "Units"):
        if needed not in settings:
            raise FileError(path, 2, f"the header has no {needed}")
    if settings["Units"].lower() not in _UNITS:
        raise FileError(path, 3, f"Units are '{settings['Units']}'; known are: {', '.join(_UNITS)}")
    for count in ("NumFrames", "NumMarkers"):
        if not settings[count].isdigit():
            raise FileError(path, 3, f"{count} is '{settings[count]}', which is no count")
    return settings


def read_trc(path: Path) -> Markers:
    """Reads a `.trc` file; places become metres, and gaps (empty cells, NaN) NaN. Raises `FileError`, with file and line, where it is
    damaged."""
    lines = text_lines(path)
    settings = _settings(path, lines)
    labels = [word.strip() for word in lines[3].split("\t")[2:] if word.strip()]
    if len(labels) != int(settings["NumMarkers"]):
        raise FileError(path, 4, f"there are {len(labels)} markers; NumMarkers is {settings['NumMarkers']}")
    for label in labels:
        if labels.count(label) > 1:
            raise FileError(path, 4, f"the marker '{label}' stands there twice")
    width = 2 + 3 * len(labels)
    rows: list[list[float]] = []
    first = 0
    for i in range(5, len(lines)):
        if not lines[i].strip():
            if rows and any(line.strip() for line in lines[i:]):
                raise FileError(path, i + 1, "an empty line stands between frames")
            continue
        first = first or i + 1
        words = lines[i].split("\t")
        while len(words) > width and not words[-1].strip():
            words.pop()
        if len(words) > width or len(words) < 2:
            raise FileError(path, i + 1, f"the frame has {len(words)} cells; {len(labels)} markers take {width}")
        rows.append(numbers(path, i + 1, words + [""] * (width - len(words)), gaps=True))
    if len(rows) != int(settings["NumFrames"]):
        raise FileError(path, 3, f"NumFrames is {settings['NumFrames']}, but the file has {len(rows)} frames")
    data = _np.array(rows).reshape(len(rows), width)
    check_times(path, data[:, 1].tolist(), first)
    scale = _UNITS[settings["Units"].lower()]
    return Markers(data[:, 1], labels, scale * data[:, 2:].reshape(len(rows), -1, 3))


def write_trc(markers: Markers, path: Path) -> None:
    """Writes markers as `.trc`, in metres; gaps are empty cells."""
    count, frames = len(markers.labels), len(markers)
    rate = (frames - 1) / (markers.time[-1] - markers.time[0]) if frames > 1 else 1.0
    names = ["DataRate", "CameraRate", "NumFrames", "NumMarkers", "Units", "OrigDataRate", "OrigDataStartFrame", "OrigNumFrames"]
    values = [f"{rate:.6f}"] * 2 + [str(frames), str(count), "m", f"{rate:.6f}", "1", str(frames)]
    axes = "\t".join(f"{axis}{i + 1}" for i in range(count) for axis in "XYZ")
    lines = [
        f"PathFileType\t4\t(X/Y/Z)\t{_pathlib.Path(path).name}", "\t".join(names), "\t".join(values),
        "Frame#\tTime\t" + "\t\t\t".join(markers.labels), "\t\t" + axes, "",
    ]  # fmt: skip
    for i, (time, places) in enumerate(zip(markers.time, markers.data)):
        cells = ["" if _np.isnan(value) else repr(float(value)) for value in places.ravel()]
        lines.append("\t".join([str(i + 1), repr(float(time)), *cells]))
    _pathlib.Path(path).write_text("\n".join(lines) + "\n", encoding="utf-8")


def read_c3d(path: Path, axes: _Sequence[str] = ("x", "y", "z")) -> Markers:
    """Reads the points of a `.c3d` file. `axes` names, for x, y, z of the result, the axis of the laboratory along it
    ("-y": against it): ("x", "z", "-y") for a laboratory with z up and results with y up. Needs the package ezc3d."""
    try:
        ezc3d = _importlib.import_module("ezc3d")
    except ImportError as error:
        raise ImportError("reading .c3d needs a package: pip install ezc3d") from error
    if not _pathlib.Path(path).is_file():
        raise FileNotFoundError(f"{path}: there is no such file")
    try:
        file = ezc3d.c3d(str(path))
    except (OSError, RuntimeError, ValueError) as error:
        raise FileError(path, 0, str(error)) from None
    point = file["parameters"]["POINT"]
    units = point["UNITS"]["value"][0] if point["UNITS"]["value"] else "mm"
    if units.lower() not in _UNITS:
        raise FileError(path, 0, f"POINT:UNITS is '{units}'; known are: {', '.join(_UNITS)}")
    places = file["data"]["points"][:3] * _UNITS[units.lower()]  # 3 x markers x frames
    turned = _np.stack([places["xyz".index(a[-1])] * (-1.0 if a.startswith("-") else 1.0) for a in axes])
    first = file["header"]["points"]["first_frame"]
    time = (first + _np.arange(places.shape[2])) / point["RATE"]["value"][0]
    return Markers(time, list(point["LABELS"]["value"])[: places.shape[1]], turned.transpose(2, 1, 0))
