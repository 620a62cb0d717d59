"""Set-up files of OpenSim's tools (`.xml`): weights of markers and coordinates, external loads."""

import pathlib as _pathlib
import xml.etree.ElementTree as _tree
from typing import Optional as _Optional
from typing import Union as _Union

import numpy as _np

from sinew.biomech.dynamics import ExternalLoad
from sinew.biomech.tables import Array, FileError, Path, Table, read_table


def _document(path: Path, *tags: str) -> _tree.Element:
    """The first element with one of these tags."""
    try:
        root = _tree.parse(path).getroot()
    except _tree.ParseError as error:
        raise FileError(path, error.position[0], f"this is no XML: {error}") from None
    for tag in tags:
        found = root if root.tag == tag else root.find(f".//{tag}")
        if found is not None:
            return found
    raise FileError(path, 0, f"there is no {' or '.join(tags)}")


def _text(element: _tree.Element, tag: str, default: str = "") -> str:
    found = element.find(tag)
    text = (found.text or "").strip() if found is not None else ""
    return text if text and text.lower() != "unassigned" else default


def _number(path: Path, element: _tree.Element, tag: str, default: float) -> float:
    text = _text(element, tag, str(default))
    try:
        return float(text)
    except ValueError:
        raise FileError(path, 0, f"{tag} of '{element.get('name')}' is '{text}', which is no number") from None


def read_weights(path: Path) -> tuple[dict[str, float], dict[str, tuple[float, float]]]:
    """Weights of the tasks of an `InverseKinematicsTool` or `IKTaskSet`: of markers, and of coordinates with their
    values. Tasks that are not applied are left out."""
    tasks = _document(path, "IKTaskSet")
    markers, coordinates = {}, {}
    for task in tasks.iter():
        if task.tag in ("IKMarkerTask", "IKCoordinateTask") and _text(task, "apply", "true").lower() == "true":
            weight = _number(path, task, "weight", 1.0)
            if task.tag == "IKMarkerTask":
                markers[task.get("name", "")] = weight
            else:
                coordinates[task.get("name", "")] = (_number(path, task, "value", 0.0), weight)
    return markers, coordinates


def _columns(path: Path, table: Table, identifier: str) -> Array:
    """The three columns of an identifier: it with x, y, z behind, or 1, 2, 3."""
    for endings in ("xyz", "123"):
        labels = [identifier + ending for ending in endings]
        if all(label in table.labels for label in labels):
            return _np.stack([table[label] for label in labels], axis=1)
    raise FileError(path, 0, f"the data have no columns {identifier}x, {identifier}y, {identifier}z")


def read_external_loads(path: Path, data: _Optional[_Union[Path, Table]] = None) -> list[ExternalLoad]:
    """The loads of an OpenSim `ExternalLoads` file. `data`: the table of forces, or its file; without it the file that the
    set-up names, beside the set-up. Loads that are switched off are left out."""
    document = _document(path, "ExternalLoads")
    if data is None:
        name = _text(document, "datafile")
        if not name:
            raise FileError(path, 0, "no datafile is named; give the data")
        data = _pathlib.Path(path).parent / name
    table = data if isinstance(data, Table) else read_table(data)
    loads = []
    for force in document.iter("ExternalForce"):
        switched_off = _text(force, "isDisabled", "false").lower() == "true" or _text(force, "appliesForce", "true").lower() == "false"
        if switched_off:
            continue
        parts = {key: _text(force, f"{key}_identifier") for key in ("force", "point", "torque")}
        values = {key: _columns(path, table, name) if name else None for key, name in parts.items()}
        pushes = values["force"] if values["force"] is not None else _np.zeros((len(table), 3))
        body = _frame(_text(force, "applied_to_body"))
        if not body:
            raise FileError(path, 0, f"ExternalForce '{force.get('name')}' has no applied_to_body")
        loads.append(ExternalLoad(
            body, table.time, pushes, values["point"], values["torque"],
            _frame(_text(force, "force_expressed_in_body", "ground")), _frame(_text(force, "point_expressed_in_body", "ground")),
            force.get("name", "load"),
        ))  # fmt: skip
    return loads


def _frame(path: str) -> str:
    """The name of a frame, which version 4 writes as a path: /bodyset/tibia_r."""
    return path.rsplit("/", 1)[-1]
