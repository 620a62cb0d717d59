#!/usr/bin/env python3
"""Makes the meshes of models/hands/shapes: a bolt and its nut, and ten things of a kitchen and a workshop.

Surfaces are closed and face outward; lengths are in metres. Usage: python3 tools/hand_shapes.py [FOLDER]
"""
import math
import pathlib
import sys


class Mesh:
    def __init__(self):
        self.points, self.faces = [], []

    def point(self, x, y, z):
        self.points.append((x, y, z))
        return len(self.points) - 1

    def quad(self, a, b, c, d):
        self.faces += [(a, b, c), (a, c, d)]

    def write(self, path, title):
        lines = [f"# {title}; made by tools/hand_shapes.py"]
        lines += ["v %.7g %.7g %.7g" % p for p in self.points]
        lines += ["f %d %d %d" % tuple(i + 1 for i in face) for face in self.faces]
        path.write_text("\n".join(lines) + "\n")


def revolve(mesh, profile, around):
    """Turns a profile of (radius, height) about z: closed, or from axis to axis; its left side is outside."""
    from_axis = profile[0][0] == 0
    rings = []
    for r, z in profile:
        if r == 0:
            rings.append([mesh.point(0, 0, z)] * around)
        else:
            rings.append([mesh.point(r * math.cos(2 * math.pi * i / around), r * math.sin(2 * math.pi * i / around), z)
                          for i in range(around)])
    for k in range(len(rings) - 1 if from_axis else len(rings)):
        a, b = rings[k], rings[(k + 1) % len(rings)]
        for i in range(around):
            j = (i + 1) % around
            if a[i] != a[j]:
                mesh.faces.append((a[i], a[j], b[i] if b[i] == b[j] else b[j]))
            if b[i] != b[j]:
                mesh.faces.append((a[i], b[j], b[i]))


def sweep(mesh, path, radius, around):
    """A round bar along a path in the plane y = 0, with flat ends."""
    rings = []
    for k, (x, z) in enumerate(path):
        (x0, z0), (x1, z1) = path[max(k - 1, 0)], path[min(k + 1, len(path) - 1)]
        length = math.hypot(x1 - x0, z1 - z0)
        side = ((z1 - z0) / length, -(x1 - x0) / length)  # across the path, in the plane
        r = radius(k / (len(path) - 1))
        angle = [2 * math.pi * i / around for i in range(around)]
        rings.append([mesh.point(x + r * math.cos(a) * side[0], r * math.sin(a), z + r * math.cos(a) * side[1])
                      for a in angle])
    for a, b in zip(rings, rings[1:]):
        for i in range(around):
            j = (i + 1) % around
            mesh.quad(a[i], a[j], b[j], b[i])
    for ring, (x, z), turn in ((rings[0], path[0], True), (rings[-1], path[-1], False)):
        middle = mesh.point(x, 0, z)
        for i in range(around):
            j = (i + 1) % around
            mesh.faces.append((middle, ring[j], ring[i]) if turn else (middle, ring[i], ring[j]))


def ears(polygon):
    """Triangles of a polygon that runs counterclockwise."""
    def cross(a, b, c):
        return (b[0] - a[0]) * (c[1] - a[1]) - (b[1] - a[1]) * (c[0] - a[0])

    left, triangles = list(range(len(polygon))), []
    while len(left) > 3:
        for i in range(len(left)):
            a, b, c = (polygon[left[(i + k - 1) % len(left)]] for k in range(3))
            others = [polygon[k] for k in left if polygon[k] not in (a, b, c)]
            if cross(a, b, c) > 0 and not any(
                    cross(a, b, p) >= 0 and cross(b, c, p) >= 0 and cross(c, a, p) >= 0 for p in others):
                triangles.append(tuple(left[(i + k - 1) % len(left)] for k in range(3)))
                del left[i]
                break
    return triangles + [tuple(left)]


def extrude(mesh, polygon, height):
    low = [mesh.point(x, y, -height / 2) for x, y in polygon]
    high = [mesh.point(x, y, height / 2) for x, y in polygon]
    for a, b, c in ears(polygon):
        mesh.faces += [(low[c], low[b], low[a]), (high[a], high[b], high[c])]
    for i in range(len(polygon)):
        j = (i + 1) % len(polygon)
        mesh.quad(low[i], low[j], high[j], high[i])


PITCH, AROUND = 0.004, 24


def thread(mesh, play, turns, base, inward):
    """A surface that winds up, with a trapezoid for its profile; row i is the profile, again and again, at an angle.

    A row goes on, a pitch higher, where the last one ends. Returns the rows, and the points of a profile.
    """
    root, crest = 0.0064 + play, 0.008 + play
    profile = [(root, 0), (root, 0.2), (crest, 0.45), (crest, 0.75)]
    columns, rows = len(profile), []
    for i in range(AROUND):
        angle, row = 2 * math.pi * i / AROUND, []
        for k in range(columns * turns + 1):
            radius, part = profile[k % columns]
            z = base + PITCH * (k // columns + part + i / AROUND)
            row.append(mesh.point(radius * math.cos(angle), radius * math.sin(angle), z))
        rows.append(row)
    for i in range(AROUND):
        a, b, shift = rows[i], rows[(i + 1) % AROUND], columns if i == AROUND - 1 else 0
        for k in range(columns * turns - shift):
            corners = (a[k], b[k + shift], b[k + 1 + shift], a[k + 1])
            mesh.quad(*(corners[::-1] if inward else corners))
    return rows, columns


def bolt(mesh):
    """A thread with pointed ends."""
    rows, columns = thread(mesh, 0, 7, 0, False)
    top = len(rows[0]) - 1
    lower = [row[0] for row in rows] + [rows[0][k] for k in range(columns, 0, -1)]
    upper = [row[top] for row in rows] + [rows[-1][k] for k in range(top - 1, top - columns - 1, -1)]
    low, high = mesh.point(0, 0, -PITCH / 2), mesh.point(0, 0, PITCH * 8.5)
    for i in range(len(lower)):
        mesh.faces.append((low, lower[(i + 1) % len(lower)], lower[i]))
    for i in range(len(upper)):
        mesh.faces.append((high, upper[i], upper[(i + 1) % len(upper)]))


def nut(mesh):
    """A thread that faces inward, in a drum of 14 mm: 0.25 mm wider than the bolt."""
    rows, columns = thread(mesh, 0.00025, 3, 0, True)
    top, last = len(rows[0]) - 1, AROUND - 1

    def ring(z):
        return [mesh.point(0.014 * math.cos(2 * math.pi * i / AROUND), 0.014 * math.sin(2 * math.pi * i / AROUND), z)
                for i in range(AROUND)]

    low, high = ring(0), ring(4 * PITCH)
    for i in range(AROUND):
        j = (i + 1) % AROUND
        mesh.quad(low[i], low[j], high[j], high[i])
        mesh.quad(rows[i][0], rows[j][columns if i == last else 0], low[j], low[i])
        if i < last:
            mesh.quad(high[i], high[j], rows[j][top], rows[i][top])
    mesh.quad(high[last], high[0], rows[0][top], rows[last][top - columns])
    for k in range(columns):
        mesh.faces.append((rows[0][k + 1], rows[0][k], low[0]))
        mesh.faces.append((high[last], rows[last][top - columns + k], rows[last][top - columns + k + 1]))


def arc(x, z, radius, begin, end, steps):
    """Points of an arc in degrees, counterclockwise from +x towards +z."""
    return [(x + radius * math.cos(math.radians(begin + (end - begin) * i / steps)),
             z + radius * math.sin(math.radians(begin + (end - begin) * i / steps))) for i in range(steps + 1)]


def mug(mesh):
    revolve(mesh, [(0, 0), (0.037, 0), (0.04, 0.004), (0.04, 0.09), (0.036, 0.09), (0.036, 0.006), (0, 0.006)], 32)
    sweep(mesh, arc(0.038, 0.048, 0.026, 90, -90, 12), lambda _: 0.004, 10)


def bowl(mesh):
    outside = [(0.0, 0.0)] + [(r, z + 0.055) for r, z in arc(0, 0, 0.055, -65, -5, 6)]
    inside = [(r, z + 0.055) for r, z in arc(0, 0, 0.05, -5, -65, 6)] + [(0.0, 0.007)]
    revolve(mesh, outside + inside, 24)


def bottle(mesh):
    revolve(mesh, [(0, 0), (0.028, 0), (0.032, 0.005), (0.032, 0.08), (0.012, 0.115), (0.012, 0.14), (0, 0.14)], 24)


def ring(mesh):
    revolve(mesh, arc(0.035, 0, 0.01, 0, 330, 11), 24)


def banana(mesh):
    sweep(mesh, arc(0, 0, 0.08, 20, 120, 12), lambda t: 0.005 + 0.012 * math.sin(math.pi * (0.1 + 0.8 * t)), 12)


def cog(mesh):
    teeth = []
    for i in range(12):
        for radius, part in ((0.027, 0), (0.027, 0.5), (0.034, 0.6), (0.034, 0.9)):
            angle = 2 * math.pi * (i + part) / 12
            teeth.append((radius * math.cos(angle), radius * math.sin(angle)))
    extrude(mesh, teeth, 0.014)


def bar(outline, height):
    return lambda mesh: extrude(mesh, [(x * 0.001, y * 0.001) for x, y in outline], height)


SHAPES = {
    "bolt": bolt,
    "nut": nut,
    "mug": mug,
    "bowl": bowl,
    "bottle": bottle,
    "ring": ring,
    "banana": banana,
    "cog": cog,
    "bracket": bar([(0, 0), (60, 0), (60, 12), (12, 12), (12, 60), (0, 60)], 0.03),
    "channel": bar([(0, 0), (50, 0), (50, 40), (40, 40), (40, 10), (10, 10), (10, 40), (0, 40)], 0.05),
    "cross": bar([(-10, -35), (10, -35), (10, -10), (35, -10), (35, 10), (10, 10), (10, 35), (-10, 35), (-10, 10),
                  (-35, 10), (-35, -10), (-10, -10)], 0.02),
    "hammer": bar([(-6, -80), (6, -80), (6, 20), (40, 20), (40, 40), (-40, 40), (-40, 20), (-6, 20)], 0.02),
}


def main():
    folder = pathlib.Path(sys.argv[1] if len(sys.argv) > 1 else "models/hands/shapes")
    folder.mkdir(parents=True, exist_ok=True)
    for name, make in SHAPES.items():
        mesh = Mesh()
        make(mesh)
        mesh.write(folder / f"{name}.obj", name)


if __name__ == "__main__":
    main()
