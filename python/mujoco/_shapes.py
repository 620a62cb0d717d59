"""Shapes that elements of specifications make of numbers: meshes of 3.16 and flexes of 3.10, by the patterns of flexcomp.

The engine has these patterns in one place, its reader of `flexcomp`: a short document asks for them.
"""

import weakref

import numpy as np

from mujoco import _core, _enums

# What the engine's meshes have no room for: points and tetrahedra of volumes, of the meshes that were given them.
_nodes: "weakref.WeakKeyDictionary[_core.Object, dict[str, list]]" = weakref.WeakKeyDictionary()


def _text(value):
    """A value as MJCF has it."""
    if isinstance(value, str):
        return value
    return " ".join(repr(number) for number in np.ravel(np.asarray(value)).tolist())


def _specification(values):
    """A specification with one flexcomp in the world."""
    from xml.sax.saxutils import quoteattr  # with it come modules for URLs, which take as long as the rest of the package

    attributes = " ".join(f"{name}={quoteattr(_text(value))}" for name, value in values.items() if value is not None)
    return _core.parse(f"<mujoco><worldbody><flexcomp {attributes}/></worldbody></mujoco>", None, False)


# ---- meshes


def _flex(shape, dim, count, spacing):
    """Points and elements of a pattern."""
    spec = _specification({
        "name": "f", "type": shape, "dim": dim, "count": count, "spacing": spacing, "radius": spacing.min() / 4, "rigid": "true"})  # fmt: skip
    flex = _core.mjs_firstElement(spec, int(_enums.mjtObj.mjOBJ_FLEX))
    return np.array(flex.vert).reshape(-1, 3), np.array(flex.elem, dtype=np.int32).reshape(-1, dim + 1)


def _surface(points, tetrahedra):
    """The faces of a volume that only one tetrahedron has, seen from outside in counterclockwise order."""
    seen = {}
    for tetrahedron in tetrahedra:
        for left in range(4):
            face = np.delete(tetrahedron, left)
            seen.setdefault(tuple(sorted(face)), []).append((face, tetrahedron[left]))
    faces = []
    for (face, opposite), *others in seen.values():
        if others:
            continue
        a, b, c = points[face]
        inside = np.cross(b - a, c - a) @ (points[opposite] - a) > 0
        faces.append(face[::-1] if inside else face)
    return np.array(faces, dtype=np.int32)


def _make(shape, volume):
    def method(self, count, spacing, dim=3 if volume else 2):
        if dim not in ((2, 3) if volume else (2,)):
            raise ValueError(f"{shape}: dim is 2 or 3, not {dim}")
        counts, steps = np.resize([*count, 1, 1], 3), np.resize([*np.ravel(spacing), 1.0, 1.0], 3).astype(float)
        if (counts < 1).any() or not (steps[counts > 1] > 0).all():
            raise ValueError(f"{shape}: counts are at least 1, and spacings greater than 0")
        steps[counts == 1] = 1
        try:
            points, elements = _flex(shape, dim, counts.tolist(), steps)
        except ValueError as error:
            raise ValueError(f"{shape}: {error}") from None
        self.uservert = points.ravel()
        self.userface = (elements if dim == 2 else _surface(points, elements)).ravel()
        if dim == 2:
            self.inertia = _enums.mjtMeshInertia.mjMESH_INERTIA_SHELL
        _nodes[self] = {"usernode": points.ravel().tolist(), "usertet": elements.ravel().tolist() if dim == 3 else []}

    return method


def _kept(name):
    def getter(self):
        return _nodes.setdefault(self, {}).setdefault(name, [])

    def setter(self, values):
        _nodes.setdefault(self, {})[name] = list(values)

    return property(getter, setter, doc="Kept with the mesh; the engine takes the surface alone.")


# ---- flexes


def _make_flex(
    self, name, type=None, dim=3, dof=None, count=None, cellcount=None, spacing=None, scale=None, radius=0.0, mass=1.0,
    inertiabox=0.005, equality=0, rigid=0, flatskin=0, elastic2d=0, pos=None, quat=None, origin=None, file=None, mesh=None, vfs=None,
):  # fmt: skip
    """Makes a flex with a body for each of its points, in this body."""
    from mujoco._specs import attach_to

    if mesh is not None or vfs is not None:
        raise ValueError("make_flex: a flex of a mesh asset or of files in memory is not possible: give a file")
    words = {0: "false", 1: "true", 2: "vert", 3: "strain"}
    try:
        child = _specification({
            "name": name, "type": type, "dim": dim, "dof": dof, "count": count, "cellcount": cellcount, "spacing": spacing,
            "scale": scale, "radius": radius or None, "mass": mass, "inertiabox": inertiabox, "rigid": words[int(bool(rigid))],
            "flatskin": words[int(bool(flatskin))], "pos": pos, "quat": quat, "origin": origin, "file": file})  # fmt: skip
    except ValueError as error:
        raise ValueError(f"make_flex: {error}") from None
    flex = _core.mjs_firstElement(child, int(_enums.mjtObj.mjOBJ_FLEX))
    flex.elastic2d = elastic2d
    if int(equality) not in words:
        raise ValueError(f"make_flex: equality is 0 to 3, not {equality}")
    if rigid:
        # a rigid flex has no bodies of its own, and comes without them
        made = _copy_of(flex, _core.mjs_getSpec(self), name)
        made.vertbody = [self.name]
    else:
        attach_to(self.add_frame(), child, "", "")
        made = _core.mjs_findElement(_core.mjs_getSpec(self), int(_enums.mjtObj.mjOBJ_FLEX), name)
    if equality:
        _add_equality(self, name, int(equality))
    return made


def _copy_of(flex, spec, name):
    """A flex with the values of another one."""
    made = _core.mjs_addFlex(spec)
    for field in set(_core.field_names("mjsFlex")) - {"element", "vertbody", "nodebody"}:
        value = getattr(flex, field)
        if isinstance(value, np.ndarray):
            getattr(made, field)[...] = value
        else:
            setattr(made, field, value if isinstance(value, (int, float, str)) else list(value))
    _core.mjs_setName(made, name)
    return made


def _add_equality(body, name, kind):
    """Holds the edges, vertices or strain of a flex."""
    of = _enums.mjtEq
    equality = _core.mjs_addEquality(_core.mjs_getSpec(body), None)
    equality.type = (of.mjEQ_FLEX, of.mjEQ_FLEXVERT, of.mjEQ_FLEXSTRAIN)[kind - 1]
    equality.objtype = _enums.mjtObj.mjOBJ_FLEX
    equality.name1 = name


MEMBERS = {
    "MjsBody.make_flex": _make_flex,
    "MjsMesh.make_box": _make("box", True),
    "MjsMesh.make_cylinder": _make("cylinder", True),
    "MjsMesh.make_disc": _make("disc", False),
    "MjsMesh.make_ellipsoid": _make("ellipsoid", True),
    "MjsMesh.make_grid": _make("grid", True),
    "MjsMesh.make_square": _make("square", False),
    "MjsMesh.usernode": _kept("usernode"),
    "MjsMesh.usertet": _kept("usertet"),
}
