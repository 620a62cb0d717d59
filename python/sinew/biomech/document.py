"""Documents of OpenSim as trees: numbers of elements, frames, functions."""

import xml.etree.ElementTree as _tree
from collections.abc import Sequence as _Sequence
from typing import Optional as _Optional
from typing import Union as _Union

import numpy as _np

from sinew.biomech.tables import Array, FileError, Path


def text(document: _tree.Element) -> str:
    return '<?xml version="1.0" encoding="UTF-8" ?>\n' + _tree.tostring(document, encoding="unicode") + "\n"


def read(path: Path) -> _tree.Element:
    try:
        root = _tree.parse(path).getroot()
    except _tree.ParseError as error:
        raise FileError(path, error.position[0], f"this is no XML: {error}") from None
    if root.tag != "OpenSimDocument" or root.find("Model") is None:
        raise FileError(path, 0, "this is no model of OpenSim")
    return root


def numbers(path: Path, element: _tree.Element, count: int) -> Array:
    try:
        values = _np.array([float(word) for word in (element.text or "").split()])
    except ValueError:
        values = _np.empty(0)
    if len(values) != count:
        raise FileError(path, 0, f"{element.tag} is '{(element.text or '').strip()}'; it takes {count} numbers")
    return values


def multiply(path: Path, element: _Optional[_tree.Element], factor: _Union[float, Array]) -> None:
    """Multiplies the numbers of an element, if there is one."""
    if element is not None:
        factor = _np.asarray(factor, float)
        store(element, numbers(path, element, max(1, factor.size)) * factor)


def store(element: _tree.Element, values: Array) -> None:
    element.text = " ".join(repr(float(value)) for value in _np.atleast_1d(values))


def last(text: _Optional[str]) -> str:
    return (text or "").strip().rsplit("/", 1)[-1]


def holder_of(element: _tree.Element) -> str:
    """The name of the frame that an element of either version is fixed to."""
    for tag in ("socket_parent_frame", "socket_parent", "socket_frame", "body", "body_name", "parent_body"):
        found = element.find(tag)
        if found is not None and last(found.text):
            return last(found.text)
    return ""


def frames_of(document: _tree.Element) -> dict[str, tuple[str, Array]]:
    """Of each offset frame: the body that it is fixed to, and its axes there."""
    direct = {}
    for frame in document.iter("PhysicalOffsetFrame"):
        turn = frame.find("orientation")
        angles = [float(word) for word in (turn.text or "0 0 0").split()] if turn is not None else [0.0] * 3
        direct[frame.get("name", "")] = holder_of(frame), rotation(angles)
    frames = {}
    for name, (holder, axes) in direct.items():
        for _ in range(len(direct)):
            if holder not in direct:
                break
            axes, holder = direct[holder][1] @ axes, direct[holder][0]
        frames[name] = holder, axes
    return frames


def rotation(angles: _Sequence[float]) -> Array:
    """Turns about x, then the new y, then the new z."""
    (sx, sy, sz), (cx, cy, cz) = _np.sin(angles), _np.cos(angles)
    about_x = _np.array([[1, 0, 0], [0, cx, -sx], [0, sx, cx]])
    about_y = _np.array([[cy, 0, sy], [0, 1, 0], [-sy, 0, cy]])
    about_z = _np.array([[cz, -sz, 0], [sz, cz, 0], [0, 0, 1]])
    return _np.asarray(about_x @ about_y @ about_z)


def growth(scale: Array, axes: Array) -> Array:
    """How much lengths along axes (columns) grow."""
    return _np.asarray(_np.linalg.norm(scale[:, None] * axes, axis=0))


_FUNCTIONS = ("Constant", "SimmSpline", "NaturalCubicSpline", "PiecewiseLinearFunction", "PolynomialFunction", "MultiplierFunction", "LinearFunction", "GCVSpline")


def scale_function(path: Path, parent: _tree.Element, factor: float, moved: bool) -> None:
    """Multiplies a function by a factor. One that is linear in a coordinate stays: the coordinate is a length itself."""
    for position, function in enumerate(list(parent)):
        if function.tag not in _FUNCTIONS or (function.tag == "LinearFunction" and moved):
            continue
        if function.tag == "MultiplierFunction" and function.find("scale") is not None:
            multiply(path, function.find("scale"), factor)
            continue
        parent.remove(function)
        wrapper = _tree.Element("MultiplierFunction")
        inner = _tree.SubElement(wrapper, "function")
        inner.append(function)
        store(_tree.SubElement(wrapper, "scale"), _np.array(factor))
        parent.insert(position, wrapper)
