"""Scaling: a file of OpenSim for a person of another size, by distances between markers."""

import dataclasses as _dataclasses
import pathlib as _pathlib
import xml.etree.ElementTree as _tree
from collections.abc import Sequence as _Sequence
from typing import Iterable as _Iterable
from typing import Mapping as _Mapping
from typing import Optional as _Optional
from typing import Union as _Union

import numpy as _np
import numpy.typing as _typing

import sinew as _sinew
from sinew.biomech.document import frames_of, growth, holder_of, multiply, numbers, read, rotation, scale_function, store, text
from sinew.biomech.markers import Markers
from sinew.biomech.subject import Subject
from sinew.biomech.tables import Array, Path

_AXES = "xyz"


@_dataclasses.dataclass
class Measurement:
    """Distances that say how large bodies are: `pairs` of markers, and `bodies` with the axes along which the mean ratio of measured
    distances to the model's scales them, in the bodies' frames: {"femur_r": "xyz", "pelvis": "z"}."""

    pairs: _Sequence[tuple[str, str]]
    bodies: _Mapping[str, str]
    name: str = "measurement"


def scale_factors(subject: Subject, markers: Markers, measurements: _Iterable[Measurement]) -> dict[str, Array]:
    """Factors of bodies along their x, y, z: of each measurement the mean, over its pairs, of the mean measured distance over the
    distance in the model at its default pose. Axes without a measurement have 1.

    Raises ValueError: a marker or body that does not exist, markers that are never seen together, a distance of zero in the
    model.
    """
    places = _default_places(subject)
    factors: dict[str, Array] = {}
    for measurement in measurements:
        ratios = []
        for pair in measurement.pairs:
            for label in pair:
                if label not in places or label not in markers.labels:
                    where = "the model" if label not in places else "the measurement"
                    raise ValueError(f"{measurement.name}: {where} has no marker '{label}'")
            between = _np.linalg.norm(markers[pair[0]] - markers[pair[1]], axis=1)
            own = float(_np.linalg.norm(places[pair[0]] - places[pair[1]]))
            if not _np.isfinite(between).any() or own == 0:
                raise ValueError(f"{measurement.name}: '{pair[0]}' and '{pair[1]}' are never seen together, or are one point of the model")
            ratios.append(float(_np.nanmean(between)) / own)
        if not ratios:
            raise ValueError(f"{measurement.name}: there are no pairs of markers")
        for body, axes in measurement.bodies.items():
            if not set(axes.lower()) <= set(_AXES):
                raise ValueError(f"{measurement.name}: the axes of '{body}' are '{axes}'; they are some of x, y, z")
            of_body = factors.setdefault(body, _np.ones(3))
            of_body[[_AXES.index(axis) for axis in axes.lower()]] = _np.mean(ratios)
    return factors


def _default(subject: Subject) -> "_sinew.Data":
    data = _sinew.Data(subject.model)
    data.qpos[:] = subject.default
    data.forward()
    return data


def _default_places(subject: Subject) -> dict[str, Array]:
    data = _default(subject)
    return {subject.model.site(i).name: _np.array(data.site_xpos[i]) for i in range(subject.model.nsite)}


def scale_model(
    path: Path,
    factors: _Mapping[str, _Union[float, _typing.ArrayLike]],
    output: Path,
    mass: _Optional[float] = None,
    keep_shares: bool = False,
) -> Subject:
    """Writes a file of OpenSim (version 3 or 4), scaled body by body, and returns its subject.

    `factors`: of bodies by name, one number or three along x, y, z of the body; others keep their size. Scaled are joints,
    translations of custom joints, centres of mass, moments of inertia, points of paths, wrap objects, markers, contact
    geometry and shapes; then optimal fibre lengths and slack lengths of muscles, by the ratio of their paths' lengths in the default
    pose. `mass`: the whole mass in kg; without it that of the file. Masses of bodies grow with the product of their factors before that,
    or keep their shares of the whole (`keep_shares`).

    Moments of inertia are those of the stretched distribution of mass, whatever it is: with C = tr(I)/2 - I, C' = S C S.
    OpenSim has the same for equal factors, and takes a cylinder otherwise.

    Raises FileError: a file that is no model, a number that is none. ValueError: a body that does not exist, a factor that is not
    positive.
    """
    document = read(path)
    scales = _checked(document, factors)
    before = Subject(path)
    _scale_bodies(path, document, scales, mass, keep_shares)
    _scale_frames(path, document, scales)
    _scale_joints(path, document, scales)
    _scale_points(path, document, scales)
    _pathlib.Path(output).write_text(text(document), encoding="utf-8")
    if _scale_muscles(path, document, before, Subject(output)):
        _pathlib.Path(output).write_text(text(document), encoding="utf-8")
    return Subject(output)


def _checked(document: _tree.Element, factors: _Mapping[str, _Union[float, _typing.ArrayLike]]) -> dict[str, Array]:
    names = {body.get("name", "") for body in document.iter("Body")}
    scales = {}
    for name, factor in factors.items():
        if name not in names:
            raise ValueError(f"the model has no body '{name}'; it has: {', '.join(sorted(names))}")
        scales[name] = _np.broadcast_to(_np.asarray(factor, float), 3).copy()
        if not (_np.isfinite(scales[name]) & (scales[name] > 0)).all():
            raise ValueError(f"the factors of '{name}' are {scales[name].tolist()}; they must be positive")
    return scales


def _scale_bodies(path: Path, document: _tree.Element, scales: dict[str, Array], mass: _Optional[float], keep_shares: bool) -> None:
    """Masses, centres and moments of inertia, and what is seen of bodies."""
    bodies = list(document.iter("Body"))
    old = _np.array([_mass(path, body) for body in bodies])
    grown = [1.0 if keep_shares else float(_np.prod(scales.get(body.get("name", ""), _np.ones(3)))) for body in bodies]
    total = old.sum() if mass is None else mass
    new = old * grown
    new *= total / new.sum() if new.sum() > 0 else 1.0
    for body, was, is_ in zip(bodies, old, new):
        scale = scales.get(body.get("name", ""), _np.ones(3))
        multiply(path, body.find("mass"), is_ / was if was > 0 else 1.0)
        multiply(path, body.find("mass_center"), scale)
        _scale_inertia(path, body, scale, is_ / was if was > 0 else 1.0)
        for shapes in ("attached_geometry", "VisibleObject"):
            for shape in body.iterfind(f"{shapes}//scale_factors"):
                multiply(path, shape, scale)


def _mass(path: Path, body: _tree.Element) -> float:
    element = body.find("mass")
    return float(numbers(path, element, 1)[0]) if element is not None else 0.0


def _scale_inertia(path: Path, body: _tree.Element, scale: Array, of_mass: float) -> None:
    joined, single = body.find("inertia"), [body.find(f"inertia_{axes}") for axes in ("xx", "yy", "zz", "xy", "xz", "yz")]
    if joined is not None:
        values = numbers(path, joined, 6)
    elif all(element is not None for element in single):
        values = _np.concatenate([numbers(path, element, 1) for element in single if element is not None])
    else:
        return
    xx, yy, zz, xy, xz, yz = values
    inertia = _np.array([[xx, xy, xz], [xy, yy, yz], [xz, yz, zz]])
    moments = scale[:, None] * (0.5 * _np.trace(inertia) * _np.eye(3) - inertia) * scale
    turned = of_mass * (_np.trace(moments) * _np.eye(3) - moments)
    values = turned[[0, 1, 2, 0, 0, 1], [0, 1, 2, 1, 2, 2]]
    if joined is not None:
        store(joined, values)
    for element, value in zip(single, values):
        if element is not None:
            store(element, value)


def _scale_frames(path: Path, document: _tree.Element, scales: dict[str, Array]) -> None:
    """Where joints are in their bodies."""
    for frame in document.iter("PhysicalOffsetFrame"):
        holder = holder_of(frame)
        if holder in scales:
            multiply(path, frame.find("translation"), scales[holder])
    for body in document.iter("Body"):  # of version 3, whose joints stand in their children
        for joint in body.iterfind("joint/*"):
            multiply(path, joint.find("location"), scales.get(body.get("name", ""), _np.ones(3)))
            multiply(path, joint.find("location_in_parent"), scales.get(holder_of(joint), _np.ones(3)))


def _scale_joints(path: Path, document: _tree.Element, scales: dict[str, Array]) -> None:
    """Translations of custom joints, along axes in the frame of the parent."""
    frames = frames_of(document)
    for joint in document.iter("CustomJoint"):
        parent = holder_of(joint)
        body, axes = frames.get(parent, (parent, _parent_axes(joint)))
        if body not in scales:
            continue
        for transform in joint.iterfind("SpatialTransform/TransformAxis"):
            axis = transform.find("axis")
            if transform.get("name", "").startswith("translation") and axis is not None:
                direction = axes @ numbers(path, axis, 3)
                holder = transform.find("function")
                moved = bool((transform.findtext("coordinates") or "").strip())
                scale_function(path, transform if holder is None else holder, float(growth(scales[body], direction[:, None])[0]), moved)


def _parent_axes(joint: _tree.Element) -> Array:
    turn = joint.find("orientation_in_parent")
    return rotation([float(word) for word in (turn.text or "0 0 0").split()]) if turn is not None else _np.eye(3)


_POINTS = ("PathPoint", "ConditionalPathPoint", "Marker", "ContactSphere", "ContactHalfSpace", "ContactMesh")


def _scale_points(path: Path, document: _tree.Element, scales: dict[str, Array]) -> None:
    """Points of paths, markers, contact geometry, wrap objects."""
    frames = frames_of(document)
    for element in document.iter():
        holder = holder_of(element)
        body, axes = frames.get(holder, (holder, _np.eye(3)))
        if body not in scales:
            continue
        scale = scales[body]
        if element.tag in _POINTS:
            _scale_in(path, element.find("location"), scale, axes)
        elif element.tag == "MovingPathPoint":
            for i, axis in enumerate("xyz"):
                place = element.find(f"{axis}_location")
                if place is not None:
                    scale_function(path, place, float(growth(scale, axes[:, [i]])[0]), False)
    for owner in document.iter("Body"):
        for wrap in owner.iterfind(".//WrapObjectSet/objects/*"):
            if owner.get("name") in scales:
                _scale_wrap(path, wrap, scales[owner.get("name", "")])


def _scale_in(path: Path, element: _Optional[_tree.Element], scale: Array, axes: Array) -> None:
    """Scales a point in a frame with these axes along those of the body."""
    if element is not None:
        store(element, axes.T @ (scale * (axes @ numbers(path, element, 3))))


def _scale_wrap(path: Path, wrap: _tree.Element, scale: Array) -> None:
    multiply(path, wrap.find("translation"), scale)
    turn = wrap.find("xyz_body_rotation")
    along = growth(scale, rotation(numbers(path, turn, 3).tolist()) if turn is not None else _np.eye(3))
    if wrap.tag == "WrapCylinder":
        multiply(path, wrap.find("radius"), float(along[:2].mean()))
        multiply(path, wrap.find("length"), float(along[2]))
    elif wrap.tag == "WrapSphere":
        multiply(path, wrap.find("radius"), float(along.mean()))
    elif wrap.tag == "WrapEllipsoid":
        multiply(path, wrap.find("dimensions"), along)
    elif wrap.tag == "WrapTorus":
        for tag in ("inner_radius", "outer_radius"):
            multiply(path, wrap.find(tag), float(along[:2].mean()))


def _scale_muscles(path: Path, document: _tree.Element, before: Subject, after: Subject) -> bool:
    """Lengths of fibres and tendons by the ratios of the lengths of paths in the default pose; whether there are any."""
    lengths = [_lengths(subject) for subject in (before, after)]
    found = False
    for element in document.iter():
        name = element.get("name", "")
        if element.find("optimal_fiber_length") is not None and name in lengths[0]:
            ratio = lengths[1][name] / lengths[0][name]
            multiply(path, element.find("optimal_fiber_length"), ratio)
            multiply(path, element.find("tendon_slack_length"), ratio)
            found = True
    return found


def _lengths(subject: Subject) -> dict[str, float]:
    data = _default(subject)
    return {subject.model.actuator(i).name: float(data.actuator_length[i]) for i in range(subject.model.nu)}
