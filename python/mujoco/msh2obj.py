"""Meshes in the binary format of old releases (.msh), and as Wavefront files (.obj).

    python -m mujoco.msh2obj mesh.msh mesh.obj
"""

import dataclasses
import pathlib
import struct
import sys

import numpy as np


@dataclasses.dataclass(frozen=True)
class Msh:
    """A mesh: vertices (n x 3), normals, texture coordinates (n x 2) and faces."""

    vertex_positions: np.ndarray
    vertex_normals: np.ndarray
    vertex_texcoords: np.ndarray
    face_vertex_indices: np.ndarray

    @staticmethod
    def create(file):
        """Reads a file: counts of the four, as 32-bit numbers, then their numbers."""
        data = pathlib.Path(file).read_bytes()
        if len(data) < 16:
            raise ValueError("the file is too short for a mesh")
        nvertex, nnormal, ntexcoord, nface = struct.unpack_from("<4i", data)
        if min(nvertex, nnormal, ntexcoord, nface) < 0:
            raise ValueError("the file has a negative count")
        expected = 16 + 12 * nvertex + 12 * nnormal + 8 * ntexcoord + 12 * nface
        if len(data) != expected:
            raise ValueError(f"the file has {len(data)} bytes, and its counts say {expected}")
        parts, offset = [], 16
        for dtype, rows, columns in (("<f4", nvertex, 3), ("<f4", nnormal, 3), ("<f4", ntexcoord, 2), ("<i4", nface, 3)):
            parts.append(np.frombuffer(data, dtype, rows * columns, offset).reshape(rows, columns))
            offset += 4 * rows * columns
        return Msh(*parts)


def msh_to_obj(msh_file) -> str:
    """The text of an .obj file for a mesh."""
    mesh = Msh.create(msh_file)
    lines = ["v {:.8g} {:.8g} {:.8g}".format(*row) for row in mesh.vertex_positions]
    lines += ["vn {:.8g} {:.8g} {:.8g}".format(*row) for row in mesh.vertex_normals]
    # texture coordinates of .obj begin at the bottom
    lines += ["vt {:.8g} {:.8g}".format(u, 1 - v) for u, v in mesh.vertex_texcoords]
    texture, normal = len(mesh.vertex_texcoords) > 0, len(mesh.vertex_normals) > 0

    def corner(i):
        if texture:
            return f"{i}/{i}/{i}" if normal else f"{i}/{i}"
        return f"{i}//{i}" if normal else f"{i}"

    lines += ["f " + " ".join(corner(i) for i in face) for face in mesh.face_vertex_indices + 1]
    return "\n".join(lines)


def main(arguments):
    if len(arguments) != 2:
        print(__doc__)
        return 2
    pathlib.Path(arguments[1]).write_text(msh_to_obj(arguments[0]))
    return 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
