"""Triangles of the shapes that geoms have."""

import numpy as np

from mujoco import _enums

_GEOM = _enums.mjtGeom
_BOX_FACES = (
    (4, 7, 5), (4, 6, 7), (0, 2, 4), (2, 6, 4), (0, 1, 2), (1, 3, 2), (1, 5, 7), (1, 7, 3), (2, 3, 7), (2, 7, 6), (0, 4, 1),
    (1, 4, 5),
)  # fmt: skip


def box(size):
    """Corners and triangles; of a plane, with a thickness of nothing."""
    signs = np.array([[x, y, z] for y in (-1, 1) for z in (-1, 1) for x in (-1, 1)], dtype=float)
    return signs * size, np.array(_BOX_FACES)


def _surface(profile, segments):
    """What a profile of (radius, height) makes when it turns about z, from the bottom to the top."""
    angles = np.linspace(0, 2 * np.pi, segments, endpoint=False)
    points = [(r * np.cos(a), r * np.sin(a), z) for r, z in profile for a in angles]
    faces = []
    for ring in range(len(profile) - 1):
        for i in range(segments):
            a, b = ring * segments + i, ring * segments + (i + 1) % segments
            c, d = a + segments, b + segments
            faces += [(a, b, d), (a, d, c)]
    return np.array(points), np.array(faces)


def ellipsoid(size, segments=32):
    angles = np.linspace(-np.pi / 2, np.pi / 2, segments // 2 + 1)
    points, faces = _surface([(np.cos(a), np.sin(a)) for a in angles], segments)
    return points * size, faces


def cylinder(size, segments=32):
    radius, half = size[0], size[2]
    return _surface([(0, -half), (radius, -half), (radius, half), (0, half)], segments)


def capsule(size, segments=32):
    radius, half = size[0], size[2]
    low, high = np.linspace(-np.pi / 2, 0, segments // 4 + 1), np.linspace(0, np.pi / 2, segments // 4 + 1)
    profile = [(radius * np.cos(a), radius * np.sin(a) - half) for a in low]
    profile += [(radius * np.cos(a), radius * np.sin(a) + half) for a in high]
    return _surface(profile, segments)


def mesh(model, dataid):
    """A mesh of the model; the second half of ids are convex hulls, which look like their meshes here."""
    number = dataid // 2
    vertices = slice(model.mesh_vertadr[number], model.mesh_vertadr[number] + model.mesh_vertnum[number])
    faces = slice(model.mesh_faceadr[number], model.mesh_faceadr[number] + model.mesh_facenum[number])
    return model.mesh_vert[vertices].astype(float), model.mesh_face[faces]


def of_geom(model, geom):
    """Points and triangles of a geom of a scene, in its frame; None for what has none."""
    size = np.asarray(geom.size, dtype=float)
    if geom.type == _GEOM.mjGEOM_MESH:
        return mesh(model, geom.dataid)
    if geom.type == _GEOM.mjGEOM_PLANE:
        extent = [size[0] or 50.0, size[1] or 50.0, 0.0]
        return box(np.array(extent))
    shapes = {
        int(_GEOM.mjGEOM_BOX): box, int(_GEOM.mjGEOM_SPHERE): ellipsoid, int(_GEOM.mjGEOM_ELLIPSOID): ellipsoid,
        int(_GEOM.mjGEOM_CYLINDER): cylinder, int(_GEOM.mjGEOM_CAPSULE): capsule,
    }  # fmt: skip
    shape = shapes.get(geom.type)
    return shape(size) if shape else None
