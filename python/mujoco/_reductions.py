"""Operations of 3.16 on specifications that leave less of them. The compiler has them as settings: a copy is compiled with one, and
says which elements are not in its model, and what inertia bodies have there."""

import math

from mujoco import _core, _enums, _files

_SEEN = "geoms", "meshes", "materials", "textures"
_OF_MATERIALS = "geoms", "sites", "tendons", "skins", "flexes"
_ALWAYS = 1  # a value of inertiafromgeom


def _compiled(spec, vfs, setting=None):
    """A copy of the specification, compiled with a setting, and its model. Its elements have the order of the original."""
    copy = spec.copy()
    if setting:
        setattr(copy.compiler, setting, 1)
    return copy, _core.compile(copy._raw, _files.merged(spec._assets, vfs))


def _adopt(spec, body, model, number):
    if spec.compiler.inertiafromgeom == _ALWAYS:
        raise ValueError(f"inertiafromgeom is true, so that an inertial of body '{body.name}' would not count: set it to auto (2) before")
    body.mass, body.explicitinertial = model.body_mass[number], 1
    body.ipos[:], body.iquat[:], body.inertia[:] = model.body_ipos[number], model.body_iquat[number], model.body_inertia[number]
    body.ialt.type, body.fullinertia[0] = _enums.mjtOrientation.mjORIENTATION_QUAT, math.nan


def adopt_inertial(self, body, vfs=None):
    """Gives a body the inertia that its geoms have, as its own."""
    if body == self.worldbody:
        raise ValueError("the world body has no inertial")
    number = self.bodies.index(body)
    copy, model = _compiled(self, vfs)
    if not body.explicitinertial or self.compiler.inertiafromgeom == _ALWAYS:
        _adopt(self, body, model, copy.bodies[number].id)


def discard_visual(self, vfs=None):
    """Deletes what is only seen: materials, textures, geoms that touch nothing and are not named, and their meshes. Bodies keep the
    inertia that they had of them. Returns the number of elements deleted."""
    copy, model = _compiled(self, vfs, "discardvisual")
    always = self.compiler.inertiafromgeom == _ALWAYS
    for body, of in zip(self.bodies[1:], copy.bodies[1:]):
        if any(geom.id < 0 for geom in of.geoms) and (always or not body.explicitinertial):
            _adopt(self, body, model, of.id)
    for kind in _OF_MATERIALS:
        for element in getattr(self, kind):
            element.material = ""
            if kind in ("geoms", "sites", "tendons"):
                getattr(element.classname, kind[:-1]).material = ""
    gone = [element for kind in _SEEN for element, of in zip(getattr(self, kind), getattr(copy, kind)) if of.id < 0]
    for element in gone:
        self.delete(element)
    return len(gone)


def fuse_static(self, vfs=None):
    """Makes a frame of each body that nothing moves, with what was in it. Returns the number of these bodies."""
    copy, model = _compiled(self, vfs, "fusestatic")
    bodies = self.bodies  # kept: their objects are the same as long as they are in use
    number_of = {id(body): of.id for body, of in zip(bodies, copy.bodies)}
    fused = [body for body in bodies if number_of[id(body)] < 0]
    heirs = []  # those whose inertia is not that of their geoms
    for body in fused:
        heir, given = body, False
        while number_of[id(heir)] < 0:
            given = given or heir.explicitinertial
            heir = heir.parent
        if heir != self.worldbody and (given or heir.explicitinertial) and self.compiler.inertiafromgeom != _ALWAYS:
            heirs.append(heir)
    for body in reversed(fused):
        body.to_frame()
    for heir in heirs:
        _adopt(self, heir, model, number_of[id(heir)])
    return len(fused)
