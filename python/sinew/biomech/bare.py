"""Models as inverse tools see them: bodies and joints alone, with batches of worlds, one for each frame."""

import warnings as _warnings
from collections.abc import Sequence as _Sequence
from typing import Any as _Any
from typing import Optional as _Optional

import numpy as _np
import numpy.typing as _typing

import sinew as _sinew
from sinew.biomech.tables import Array

_FEW = 500  # worlds that one thread has done before others have woken up


def threads_for(worlds: int) -> int:
    """The threads of a batch: one, or all (0)."""
    return 1 if worlds < _FEW else 0


class Joint:
    """A coordinate: its name, and whether it is an angle."""

    def __init__(self, model: "_sinew.Model", index: int) -> None:
        kind = int(model.jnt_type[index])
        self.name = model.joint(index).name
        self.rotational = kind == int(_sinew.mjtJoint.mjJNT_HINGE)
        if kind not in (int(_sinew.mjtJoint.mjJNT_HINGE), int(_sinew.mjtJoint.mjJNT_SLIDE)):
            raise ValueError(
                f"joint '{self.name}' of body '{model.body(int(model.jnt_bodyid[index])).name}' is a ball or free joint; "
                "inverse tools take hinges and slides: replace it by three hinges (and slides)"
            )


class Bare:
    """A model without forces, and batches of it by their size."""

    def __init__(self, spec: "_sinew.Spec") -> None:
        self.spec = spec
        self.model = compiled(spec)
        self.moved_by = moved_by(self.model)
        self._batch: _Any = None

    def batch(self, worlds: int) -> _Any:
        """A batch of at least so many worlds, kept for the next calls."""
        if self._batch is None or len(self._batch) < worlds:
            self._batch = _sinew.Batch(self.model, worlds, threads_for(worlds), packs="always")
        return self._batch

    def at(self, fields: _Sequence[str], **states: Array) -> dict[str, Array]:
        """Fields of Data that follow from parts of the state (`qpos`, `qvel`, `xfrc_applied`, ...): frames x sizes. They are views,
        valid until the next call; parts of the state that are not given are those of the last call."""
        count = len(next(iter(states.values())))
        batch = self.batch(count)
        for name, values in states.items():
            batch.state(name)[:count] = values
        outputs = {name: batch.output(name)[:count] for name in fields}
        mask = None if count == len(batch) else _np.arange(len(batch)) < count
        batch.forward(stage=int(_sinew.mjtStage.mjSTAGE_ACC), mask=mask)  # packs have this stage
        return outputs


def compiled(spec: "_sinew.Spec") -> "_sinew.Model":
    with _warnings.catch_warnings():
        _warnings.simplefilter("ignore", _sinew.ModelWarning)
        return spec.compile()


def with_masses(spec: "_sinew.Spec") -> "_sinew.Spec":
    """A copy whose bodies have the masses of their shapes as their own, since the tools leave shapes out."""
    massive, body_kind = spec.copy(), int(_sinew.mjtObj.mjOBJ_BODY)
    model = compiled(massive)
    for body in massive.all("body"):
        i = model.find(body_kind, body.name) if body.name and not body.explicitinertial else -1
        if i > 0 and model.body_mass[i] > 0:
            body.mass, body.ipos, body.iquat = model.body_mass[i], model.body_ipos[i], model.body_iquat[i]
            body.inertia, body.explicitinertial = model.body_inertia[i], 1
    return massive


def stripped(spec: "_sinew.Spec", sites: _Optional[set[str]] = None) -> "_sinew.Spec":
    """A copy without actuators, tendons, sensors, shapes, and without sites but those named."""
    bare = spec.copy()
    for kind in ("sensor", "actuator", "tendon", "equality", "pair", "exclude", "key", "geom"):
        for element in bare.all(kind):
            element.delete()
    for site in bare.all("site"):
        if site.name not in (sites or ()):
            site.delete()
    return bare


def moved_by(model: "_sinew.Model") -> _typing.NDArray[_np.bool_]:
    """Whether a body is moved by a degree of freedom: bodies x degrees of freedom."""
    moved = _np.zeros((model.nbody, model.nv), bool)
    for body in range(1, model.nbody):
        first, count = int(model.body_dofadr[body]), int(model.body_dofnum[body])
        moved[body] = moved[model.body_parentid[body]]
        moved[body, first : first + count] = True
    return moved


def mass_matrices(model: "_sinew.Model", entries: Array) -> Array:
    """Inertia matrices, frames x nv x nv, from their entries as batches give them (`M`)."""
    matrices = _np.zeros((len(entries), model.nv, model.nv))
    for row in range(model.nv):
        first, count = int(model.M_rowadr[row]), int(model.M_rownnz[row])
        columns = model.M_colind[first : first + count]
        matrices[:, row, columns] = entries[:, first : first + count]
        matrices[:, columns, row] = entries[:, first : first + count]
    return matrices


def cross(a: Array, b: Array) -> Array:
    """Cross products of vectors (..., 3)."""
    x, y = a[..., (1, 2, 0)], b[..., (1, 2, 0)]
    return _np.asarray((a * y - x * b)[..., (1, 2, 0)])
