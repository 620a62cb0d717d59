"""A model whose inertia matrix is that of inverse kinematics: its bodies have the weights of their markers as point masses."""

import functools as _functools
from typing import Any as _Any

import numpy as _np

import sinew as _sinew
from sinew.biomech.bare import Bare, cross, mass_matrices, stripped
from sinew.biomech.springs import Springs
from sinew.biomech.subject import Subject
from sinew.biomech.tables import Array

_LEAST_MASS = 1e-9  # of bodies without markers, which must have some; weights are of the order of one


class Weighted:
    """The model in frames in which the same markers are seen: bodies have the weights of the markers as masses."""

    def __init__(self, subject: Subject, names: list[str], weights: Array) -> None:
        spec = stripped(subject.spec, set(names))
        held: dict[str, list[int]] = {}
        for i, name in enumerate(names):
            parent: _Any = spec.find("site", name).parent
            held.setdefault(parent.name, []).append(i)
        for body in spec.all("body"):
            if body.name != "world":
                of = held.get(body.name, [])
                places = _np.array([spec.find("site", names[i]).pos for i in of]).reshape(-1, 3)
                _give_masses(body, places, weights[of])
        for joint in spec.all("joint"):
            joint.armature = 0
        spec.option.gravity = _np.zeros(3)
        self.bare, self.names = Bare(spec), names
        model = self.bare.model
        sites = _np.array([model.find(int(_sinew.mjtObj.mjOBJ_SITE), name) for name in names], int)
        self.order = None if (sites == _np.arange(model.nsite)).all() else sites
        self.weights = weights
        self.moves = self.bare.moved_by[model.site_bodyid[sites]].astype(float)  # markers x coordinates
        self.roots = model.body_rootid[model.dof_bodyid]

    @_functools.cached_property
    def springs(self) -> Springs:
        """The same model with springs."""
        return Springs(self.bare.spec, self.names, self.weights)

    def places(self, outputs: dict[str, Array]) -> Array:
        """Places of the markers, 3 x frames x markers."""
        places = outputs["site_xpos"] if self.order is None else outputs["site_xpos"][:, self.order]
        return _np.ascontiguousarray(places.transpose(2, 0, 1))

    def pulls(self, poses: Array, measured: Array, with_matrix: bool = True) -> tuple[Array, Array, Array]:
        """Of each frame: the cost of markers, their pull on coordinates (minus half the slope of the cost), and the matrix where
        it is asked for. The pull is that of springs between markers and measured places (frames x markers x 3)."""
        fields = ["site_xpos", "cdof", "subtree_com"] + ["M"] * with_matrix
        outputs = self.bare.at(fields, qpos=poses)
        places = self.places(outputs)
        misses = measured.transpose(2, 0, 1) - places
        wrenches = _np.empty((6, *places.shape[1:]))  # moments about the origin, forces
        forces = _np.multiply(misses, self.weights, out=wrenches[3:])
        for i, (j, k) in enumerate(((1, 2), (2, 0), (0, 1))):
            _np.subtract(places[j] * forces[k], places[k] * forces[j], out=wrenches[i])
        by_coordinate = wrenches @ self.moves
        turns = outputs["cdof"][..., :3]
        speeds = outputs["cdof"][..., 3:] - cross(turns, outputs["subtree_com"][:, self.roots])  # of the point at the origin
        along = _np.einsum("kfv,fvk->fv", by_coordinate[:3], turns) + _np.einsum("kfv,fvk->fv", by_coordinate[3:], speeds)
        matrix = mass_matrices(self.bare.model, outputs["M"]) if with_matrix else _np.empty(0)
        return _np.einsum("kfm,kfm->f", misses, forces), along, matrix

    def errors(self, poses: Array, measured: Array) -> Array:
        """Distances of markers from measured ones, frames x markers."""
        misses = self.places(self.bare.at(("site_xpos",), qpos=poses)) - measured.transpose(2, 0, 1)
        return _np.asarray(_np.sqrt(_np.einsum("kfm,kfm->fm", misses, misses)))


def _give_masses(body: _Any, places: Array, weights: Array) -> None:
    """Makes a body one of point masses at places in its frame."""
    total = weights.sum()
    centre = weights @ places / total if total > 0 else _np.zeros(3)
    arms = places - centre
    moments = _np.einsum("m,mi,mj->ij", weights, arms, arms)
    inertia = (_np.trace(moments) + _LEAST_MASS) * _np.eye(3) - moments
    body.explicitinertial = 1
    body.inertia = (0, 0, 0)
    body.mass = max(total, _LEAST_MASS)
    body.ipos = centre
    body.iquat = (1, 0, 0, 0)
    body.fullinertia = inertia[[0, 1, 2, 0, 0, 1], [0, 1, 2, 1, 2, 2]]


def weighted(subject: Subject, names: list[str], weights: Array) -> Weighted:
    """The model with these weights, from an earlier call where it was the same."""
    key = tuple(zip(names, weights.tolist()))
    if key not in subject.weighted:
        if len(subject.weighted) > 64:
            subject.weighted.clear()
        subject.weighted[key] = Weighted(subject, names, weights)
    found: Weighted = subject.weighted[key]
    return found
