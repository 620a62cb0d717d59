"""The model of a subject as the tools of this package see it: its coordinates by name, without and with muscles."""

import functools as _functools
import pathlib as _pathlib
import warnings as _warnings
from typing import Any as _Any
from typing import Optional as _Optional
from typing import Union as _Union

import numpy as _np
import numpy.typing as _typing

import sinew as _sinew
from sinew.biomech.bare import Bare, Joint, compiled, stripped, with_masses
from sinew.biomech.tables import Array, Path, Table

# Columns are axes of a ground with y up, in a world with z up.
_Y_UP = _np.array([[1.0, 0.0, 0.0], [0.0, 0.0, -1.0], [0.0, 1.0, 0.0]])


class Subject:
    """A model whose coordinates are hinges and slides: a file (`.osim`, MJCF) or a `sinew.Spec`.

    `up` says which axis of the ground frame of measured markers and forces is up: "y" as in OpenSim, or "z", where ground
    is the world of the model. Without it, a file of OpenSim has "y" and all others "z".

    What a file says and the model has not, but for meshes, is a `sinew.ModelWarning`.

    Arrays of coordinates are frames x `len(subject.coordinates)`, in rad and m, in the order of `coordinates`.
    """

    def __init__(self, source: _Union[Path, "_sinew.Spec"], up: _Optional[str] = None) -> None:
        if isinstance(source, _sinew.Spec):
            spec = source
        else:
            with _warnings.catch_warnings():
                _warnings.filterwarnings("ignore", ".*a mesh is not shown", _sinew.ModelWarning)
                spec = _sinew.Spec.from_xml_path(source)
        self.spec = with_masses(spec)
        is_osim = not isinstance(source, _sinew.Spec) and _pathlib.Path(source).suffix.lower() == ".osim"
        up = up or ("y" if is_osim else "z")
        if up not in ("y", "z"):
            raise ValueError(f"up is '{up}'; it is 'y' or 'z'")
        self.ground = _Y_UP if up == "y" else _np.eye(3)
        joints = [Joint(self.bare.model, i) for i in range(self.bare.model.njnt)]
        self.coordinates = [joint.name for joint in joints]
        self.rotational = _np.array([joint.rotational for joint in joints], bool)
        self.weighted: dict[_Any, _Any] = {}  # models for inverse kinematics by weights of markers
        self.couplings: _Any = None
        self.rigid: _Optional[Bare] = None  # the model with tendons that do not stretch
        self.loose: _Optional[Bare] = None  # the same, with bodies that float
        self.sites = {site.name for site in self.spec.all("site")}

    @_functools.cached_property
    def bare(self) -> "Bare":
        """The bodies and joints alone."""
        return Bare(stripped(self.spec))

    @_functools.cached_property
    def model(self) -> "_sinew.Model":
        """The whole model."""
        return compiled(self.spec)

    @_functools.cached_property
    def default(self) -> Array:
        """The default pose: the keyframe `default` where there is one, or the first, or the pose at zero."""
        names = [self.model.name_of(int(_sinew.mjtObj.mjOBJ_KEY), i) for i in range(self.model.nkey)]
        pose = self.model.key_qpos[names.index("default") if "default" in names else 0] if names else self.model.qpos0
        return _np.array(pose, float)

    def number(self, coordinate: str) -> int:
        """The place of a coordinate."""
        if coordinate not in self.coordinates:
            raise KeyError(f"there is no coordinate '{coordinate}'; there are: {', '.join(self.coordinates)}")
        return self.coordinates.index(coordinate)

    def poses(self, table: Table) -> Array:
        """Coordinates from a table, frames x coordinates, in rad and m. Those that the table has not are at their
        default; columns that are no coordinates are passed over."""
        values = _np.tile(self.default, (len(table), 1))
        for i, name in enumerate(self.coordinates):
            if name in table.labels:
                values[:, i] = table[name]
                if table.in_degrees and self.rotational[i]:
                    values[:, i] = _np.radians(values[:, i])
        return values

    def table(self, time: Array, poses: Array, degrees: bool = True) -> Table:
        """A table of coordinates, as a file `.mot` has them."""
        values = _np.array(poses, float)
        if degrees:
            values[:, self.rotational] = _np.degrees(values[:, self.rotational])
        return Table(time, list(self.coordinates), values, "Coordinates", degrees)

    def to_world(self, vectors: _typing.ArrayLike) -> Array:
        """Vectors (..., 3) of ground in axes of the model's world."""
        vectors = _np.asarray(vectors, float)
        return _np.asarray((vectors.reshape(-1, 3) @ self.ground.T).reshape(vectors.shape))

    def to_ground(self, vectors: _typing.ArrayLike) -> Array:
        """Vectors (..., 3) of the model's world in axes of ground."""
        return _np.asarray(_np.asarray(vectors, float) @ self.ground)
