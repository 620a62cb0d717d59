"""Joint reactions: what passes through each joint beside the muscles that cross it."""

import dataclasses as _dataclasses
import xml.etree.ElementTree as _tree
from typing import Any as _Any
from typing import Iterable as _Iterable
from typing import Optional as _Optional

import numpy as _np

import sinew as _sinew
from sinew.biomech.bare import Bare, cross
from sinew.biomech.dynamics import ExternalLoad, Motion, motion, wrenches
from sinew.biomech.muscles import dense_moments, rigid_tree
from sinew.biomech.subject import Subject
from sinew.biomech.tables import Array, Table

_UNIT = {"pos": "0 0 0", "mass": "1", "diaginertia": "1 1 1"}
_PLACING = ("pos", "quat", "axisangle", "xyaxes", "zaxis", "euler")


@_dataclasses.dataclass
class Reactions:
    """Loads in joints, one for each body, with the place of the joint.

    `bodies`: names, of the children in their joints. `force`, `moment`: frames x bodies x 3, in N and N m, in the axes that were
    asked for; the moment is about `point`, the joint's place in the child, in ground, in m.
    """

    time: Array
    bodies: list[str]
    force: Array
    moment: Array
    point: Array

    def table(self) -> Table:
        """Nine columns for each body: forces (`femur_r_fx`), moments (`_mx`), points (`_px`)."""
        labels = [f"{body}_{part}{axis}" for body in self.bodies for part in "fmp" for axis in "xyz"]
        data = _np.stack([self.force, self.moment, self.point], axis=2).reshape(len(self.time), -1)
        return Table(self.time, labels, data, "Joint Reactions")


def _loose(subject: Subject) -> Bare:
    """The model with its muscles in which each body floats freely: the derivatives of a path's length by the motions of
    bodies are the forces with which it acts on them. Joints are beside it, for points of paths that move with them."""
    root = rigid_tree(subject)
    world = root.find("worldbody")
    assert world is not None
    bodies = list(world.iter("body"))
    for body in world.findall("body"):
        world.remove(body)
    for body in bodies:
        loose = _tree.SubElement(world, "body", {k: v for k, v in body.attrib.items() if k not in _PLACING})
        loose.extend([child for child in body if child.tag not in ("body", "joint", "freejoint", "inertial")])
        loose.extend([_tree.Element("freejoint"), _tree.Element("inertial", _UNIT)])  # its motion is not asked for
        for joint in body.findall("joint"):
            holder = _tree.SubElement(world, "body")
            holder.append(_tree.Element("inertial", _UNIT))
            holder.append(_tree.Element("joint", {k: joint.attrib[k] for k in ("name", "type") if k in joint.attrib}))
    return Bare(_sinew.Spec.from_xml_string(_tree.tostring(root, encoding="unicode")))


def _muscle_wrenches(subject: Subject, poses: Array, places: dict[str, Array], pulls: Table) -> tuple[Array, Array]:
    """Forces and torques (about origins) of muscles on bodies, frames x bodies x 3, in the world."""
    if subject.loose is None:
        subject.loose = _loose(subject)
    bare, model, ours = subject.loose, subject.loose.model, subject.bare.model
    numbers = [model.find(int(_sinew.mjtObj.mjOBJ_BODY), ours.body(i).name) for i in range(1, ours.nbody)]
    first_q, first_v = (address[model.body_jntadr[numbers]] for address in (model.jnt_qposadr, model.jnt_dofadr))
    qpos = _np.zeros((len(poses), model.nq))
    qpos[:, first_q[:, None] + _np.arange(3)] = places["xpos"][:, 1:]
    qpos[:, first_q[:, None] + _np.arange(3, 7)] = places["xquat"][:, 1:]
    for i, name in enumerate(subject.coordinates):
        qpos[:, int(model.joint(name).qposadr)] = poses[:, i]
    outputs = bare.at(("actuator_moment", "moment_rownnz", "moment_rowadr", "moment_colind"), qpos=qpos)
    tension = _np.zeros((len(poses), model.nu))
    for label in pulls.labels:
        tension[:, int(model.find(int(_sinew.mjtObj.mjOBJ_ACTUATOR), label))] = pulls[label]
    by_dof = -_np.einsum("fa,fav->fv", tension, dense_moments(model, outputs))
    force = by_dof[:, first_v[:, None] + _np.arange(3)]
    local = by_dof[:, first_v[:, None] + _np.arange(3, 6)]
    torque = (places["xmat"].reshape(len(poses), -1, 3, 3)[:, 1:] @ local[..., None])[..., 0]
    none = _np.zeros((len(poses), 1, 3))
    return _np.concatenate([none, force], axis=1), _np.concatenate([none, torque], axis=1)


def _through_joints(subject: Subject, moved: Motion, outside: Array) -> tuple[Array, Array, Array]:
    """Of each frame and body: the force and torque with which its parent acts on it, about the joint's point, and that point. `outside`:
    force and torque at centres of mass, frames x bodies x 6."""
    model = subject.bare.model
    data = _sinew.Data(model)
    last = model.body_jntadr + model.body_jntnum - 1
    with_joint = _np.flatnonzero(model.body_jntnum > 0)
    result = _np.empty((3, len(moved.time), model.nbody, 3))
    for f in range(len(moved.time)):
        data.qpos[:], data.qvel[:], data.qacc[:] = moved.coordinates[f], moved.velocities[f], moved.accelerations[f]
        data.xfrc_applied[:] = outside[f]
        data.inverse()
        data.rne_post_constraint()
        point = _np.array(data.xpos)
        point[with_joint] = data.xanchor[last[with_joint]]
        wrench = data.cfrc_int
        centre = data.subtree_com[model.body_rootid]
        result[:, f] = wrench[:, 3:], wrench[:, :3] + cross(centre - point, wrench[:, 3:]), point
    return result[0], result[1], result[2]


def joint_reactions(
    subject: Subject,
    table: Table,
    pulls: Table,
    loads: _Iterable[ExternalLoad] = (),
    cutoff: _Optional[float] = None,
    on: str = "child",
    expressed_in: str = "ground",
) -> Reactions:
    """Forces and moments in joints: what the parent does to the child beside the muscles that cross the joint.

    `table`, `loads`, `cutoff`: as for `inverse_dynamics`. `pulls`: tensions of tendons by names of actuators, in N, such as
    `static_optimization(...).forces`; muscles that it has not do not pull. `on`: "child", or "parent" for the opposite load.
    `expressed_in`: "ground", "child" or "parent": in whose axes. Moments are about the point of the joint in the child (of a body
    without a joint: its origin). What reserves do is part of the moment, and so is the moment along a
    coordinate with which points of paths move.

    Raises ValueError: other values of `on` and `expressed_in`, actuators that the model has not, tables of other frames.

    Steele et al., Gait & Posture 35, 2012; Featherstone, Rigid Body Dynamics Algorithms, 2008.
    """
    if on not in ("child", "parent") or expressed_in not in ("ground", "child", "parent"):
        raise ValueError(f"on is '{on}', expressed_in '{expressed_in}'; known are child and parent, and ground, child and parent")
    known = {actuator.name for actuator in subject.spec.all("actuator")}
    for label in pulls.labels:
        if label not in known:
            raise ValueError(f"the model has no actuator '{label}'")
    moved = motion(subject, table, cutoff)
    if len(pulls) != len(moved.time) or _np.abs(pulls.time - moved.time).max() > 1e-5:
        raise ValueError("the pulls of muscles are not at the frames of the motion")
    model = subject.bare.model
    places = {k: v.copy() for k, v in subject.bare.at(("xpos", "xquat", "xmat", "xipos"), qpos=moved.coordinates).items()}
    force, torque = _muscle_wrenches(subject, moved.coordinates, places, pulls)
    torque += cross(places["xpos"] - places["xipos"], force)
    outside = wrenches(subject, moved.time, moved.coordinates, loads)
    for body, push, point, free in zip(outside.bodies, outside.force, outside.point, outside.torque):
        force[:, body] += push
        torque[:, body] += free + cross(point - places["xipos"][:, body], push)
    force, moment, point = _through_joints(subject, moved, _np.concatenate([force, torque], axis=2))
    sign = 1.0 if on == "child" else -1.0
    names = [model.body(i).name for i in range(1, model.nbody)]
    turned = [_turned(subject, places, sign * part, expressed_in)[:, 1:] for part in (force, moment)]
    return Reactions(moved.time, names, turned[0], turned[1], subject.to_ground(point)[:, 1:])


def _turned(subject: Subject, places: dict[str, Array], vectors: Array, expressed_in: str) -> _Any:
    """Vectors of bodies, frames x bodies x 3, in other axes than the world's."""
    if expressed_in == "ground":
        return subject.to_ground(vectors)
    axes = places["xmat"].reshape(len(vectors), -1, 3, 3)
    if expressed_in == "parent":
        parents = subject.bare.model.body_parentid
        axes = _np.where((parents == 0)[None, :, None, None], subject.ground, axes[:, parents])
    return (axes.swapaxes(-1, -2) @ vectors[..., None])[..., 0]
