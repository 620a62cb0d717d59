#!/usr/bin/env python3
"""Writes small valid inputs for the fuzz targets: make_seeds.py FOLDER makes FOLDER/TARGET/SEED."""

import base64
import json
import pathlib
import struct
import sys
import zlib

ROOT = pathlib.Path(__file__).resolve().parents[2]
LARGEST = 20_000  # bytes of a model that is a seed: mutations of longer ones seldom meet what counts

TETRAHEDRON = [(0, 0, 0), (1, 0, 0), (0, 1, 0), (0, 0, 1)]
FACES = [(0, 2, 1), (0, 1, 3), (0, 3, 2), (1, 2, 3)]


def floats(*rows):
    return b"".join(struct.pack(f"<{len(row)}f", *row) for row in rows)


def ints(*values):
    return struct.pack(f"<{len(values)}i", *values)


def stl():
    triangles = b"".join(floats((0, 0, 1), *(TETRAHEDRON[v] for v in face)) + b"\0\0" for face in FACES)
    return bytes(80) + ints(len(FACES)) + triangles


def obj(face_format):
    lines = ["o tetrahedron"] + ["v %g %g %g" % v for v in TETRAHEDRON]
    lines += ["vt 0 0", "vt 1 0", "vt 0 1", "vn 0 0 1"]
    lines += ["f " + " ".join(face_format.format(v + 1) for v in face) for face in FACES]
    return "\n".join(lines).encode()


def msh():
    return ints(4, 4, 4, 4) + floats(*TETRAHEDRON, *TETRAHEDRON, *(v[:2] for v in TETRAHEDRON)) + ints(*sum(FACES, ()))


def ply(kind):
    """A tetrahedron with colours and a quadrilateral's worth of lists: as text, or as numbers of one byte order."""
    header = f"ply\nformat {kind} 1.0\ncomment seed\nelement vertex 4\nproperty float x\nproperty float y\nproperty float z\n"
    header += "property uchar red\nelement face 4\nproperty list uchar int vertex_indices\nelement tristrips 1\n"
    header += "property list int short vertex_indices\nend_header\n"
    if kind == "ascii":
        rows = ["%g %g %g 255" % v for v in TETRAHEDRON] + ["3 %d %d %d" % f for f in FACES] + ["4 0 1 2 -1"]
        return (header + "\n".join(rows) + "\n").encode()
    order = "<" if "little" in kind else ">"
    body = b"".join(struct.pack(order + "3fB", *v, 255) for v in TETRAHEDRON)
    body += b"".join(struct.pack(order + "B3i", 3, *f) for f in FACES) + struct.pack(order + "i4h", 4, 0, 1, 2, -1)
    return header.encode() + body


def off():
    rows = ["%g %g %g" % v for v in TETRAHEDRON] + ["3 %d %d %d 255 0 0" % f for f in FACES]
    return ("OFF\n# seed\n4 4 6\n" + "\n".join(rows) + "\n").encode()


def gltf(binary):
    """A tetrahedron below two nodes; its buffer as base64 in the text, or as the second part of a binary file."""
    buffer = floats(*TETRAHEDRON) + struct.pack("<12H", *sum(FACES, ()))
    document = {
        "asset": {"version": "2.0"}, "scene": 0, "scenes": [{"nodes": [0]}],
        "nodes": [{"children": [1], "rotation": [0, 0, 0, 1], "scale": [1, 2, 1]}, {"mesh": 0, "translation": [0, 0, 1]}],
        "meshes": [{"primitives": [{"attributes": {"POSITION": 0}, "indices": 1, "mode": 4}]}],
        "accessors": [{"bufferView": 0, "componentType": 5126, "count": 4, "type": "VEC3"},
                      {"bufferView": 1, "componentType": 5123, "count": 12, "type": "SCALAR"}],
        "bufferViews": [{"buffer": 0, "byteLength": 48}, {"buffer": 0, "byteOffset": 48, "byteLength": 24}],
        "buffers": [{"byteLength": len(buffer)}]}
    if not binary:
        document["buffers"][0]["uri"] = "data:application/octet-stream;base64," + base64.b64encode(buffer).decode()
        return json.dumps(document).encode()
    text = json.dumps(document).encode()
    text += b" " * (-len(text) % 4)
    parts = struct.pack("<2I", len(text), 0x4E4F534A) + text + struct.pack("<2I", len(buffer), 0x004E4942) + buffer
    return b"glTF" + struct.pack("<2I", 2, 12 + len(parts)) + parts


def dae(kind):
    """A tetrahedron in centimetres, turned by its node, as triangles or as polygons with counts."""
    positions = " ".join("%g %g %g" % v for v in TETRAHEDRON)
    corners = " ".join("%d %d %d" % f for f in FACES)
    counts = "<vcount>3 3 3 3</vcount>" if kind == "polylist" else ""
    return f"""<?xml version="1.0"?><COLLADA xmlns="http://www.collada.org/2005/11/COLLADASchema" version="1.4.1">
<asset><unit meter="0.01"/><up_axis>Y_UP</up_axis></asset><library_geometries><geometry id="g"><mesh>
<source id="p"><float_array id="a" count="12">{positions}</float_array><technique_common>
<accessor source="#a" count="4" stride="3"/></technique_common></source>
<vertices id="v"><input semantic="POSITION" source="#p"/></vertices>
<{kind} count="4"><input semantic="VERTEX" source="#v" offset="0"/>{counts}<p>{corners}</p></{kind}>
</mesh></geometry></library_geometries><library_nodes><node id="n"><instance_geometry url="#g"/></node></library_nodes>
<library_visual_scenes><visual_scene id="s"><node><rotate>0 0 1 90</rotate><scale>1 1 2</scale><instance_node url="#n"/></node>
</visual_scene></library_visual_scenes><scene><instance_visual_scene url="#s"/></scene></COLLADA>""".encode()


def vtp(is_text):
    """A tetrahedron, its numbers as text or as base64."""
    def numbers(name, kind, values, code):
        if is_text:
            return f"<DataArray Name='{name}' type='{kind}' format='ascii'>{' '.join(map(str, values))}</DataArray>"
        data = struct.pack(f"<{len(values)}{code}", *values)
        text = base64.b64encode(struct.pack("<I", len(data)) + data).decode()
        return f"<DataArray Name='{name}' type='{kind}' format='binary'>{text}</DataArray>"

    points = numbers("points", "Float32", [float(x) for v in TETRAHEDRON for x in v], "f")
    corners = numbers("connectivity", "Int64", [i for f in FACES for i in f], "q")
    ends = numbers("offsets", "Int64", [3, 6, 9, 12], "q")
    return (f"<VTKFile type='PolyData' byte_order='LittleEndian'><PolyData><Piece><Points>{points}</Points>"
            f"<Polys>{corners}{ends}</Polys></Piece></PolyData></VTKFile>").encode()


def skn():
    bone = b"world".ljust(40, b"\0") + floats((0, 0, 0), (1, 0, 0, 0)) + ints(4, 0, 1, 2, 3) + floats((1, 1, 1, 1))
    return ints(4, 0, 4, 1) + floats(*TETRAHEDRON) + ints(*sum(FACES, ())) + bone


def png(color_type, channels, depth=8, extra=b""):
    def chunk(kind, data):
        return struct.pack(">I", len(data)) + kind + data + struct.pack(">I", zlib.crc32(kind + data))

    width, height = 4, 3
    row = b"\0" + bytes(range((width * channels * depth + 7) // 8))
    header = struct.pack(">IIBBBBB", width, height, depth, color_type, 0, 0, 0)
    return (b"\x89PNG\r\n\x1a\n" + chunk(b"IHDR", header) + extra + chunk(b"IDAT", zlib.compress(row * height)) +
            chunk(b"IEND", b""))


def urdf():
    shapes = ['<box size="1 1 1"/>', '<sphere radius="1"/>', '<cylinder radius="1" length="2"/>']
    inertial = '<inertial><origin xyz="0 0 1" rpy="0 1 0"/><mass value="1"/><inertia ixx="1" iyy="1" izz="1" ixy="0" ixz="0" iyz="0"/></inertial>'
    links = [f'<link name="l{i}">{inertial}<collision><geometry>{shape}</geometry></collision></link>'
             for i, shape in enumerate(shapes + shapes)]
    kinds = ["floating", "revolute", "continuous", "prismatic", "fixed"]
    joints = [f'<joint name="j{i}" type="{kind}"><parent link="l{i}"/><child link="l{i + 1}"/><axis xyz="0 0 1"/>'
              '<limit lower="-1" upper="1" effort="2" velocity="3"/><dynamics damping="1" friction="1"/></joint>'
              for i, kind in enumerate(kinds)]
    mimic = joints[1].replace("<axis", '<mimic joint="j3" multiplier="2" offset="1"/><axis')
    extension = '<mujoco><compiler strippath="false" discardvisual="true"/></mujoco>'
    return {"joints": f'<robot name="r">{"".join(links + joints)}</robot>'.encode(),
            "mimic": f'<robot name="r">{extension}{"".join(links + joints[:1] + [mimic] + joints[2:])}</robot>'.encode()}


def attributes_of(schema, entries):
    """Attributes of an element of the schema table, groups of them resolved."""
    for entry in entries:
        if "use" in entry:
            yield from attributes_of(schema, schema["groups"][entry["use"]])
        else:
            yield entry


def element(schema, path):
    """A model with one element and its parents, each with all attributes: seldom right, but every name is in it."""
    def attributes(entry):
        words = {"string": "x", "reference": "x", "references": "x"}
        known = {}
        for attribute in attributes_of(schema, entry.get("attributes", [])):
            keywords = schema["keywords"].get(attribute.get("keywords"), {})
            known[attribute["name"]] = words.get(attribute["type"], next(iter(keywords), "1"))
        return "".join(f' {name}="{value}"' for name, value in known.items())

    entries = {entry["path"]: entry for entry in schema["elements"]}
    if path in ("mujoco", "include"):
        return f"<mujoco><include file='x'/></mujoco>".encode()
    parts = path.split("/")
    text = ""
    for depth in range(len(parts), 0, -1):
        entry = entries["/".join(parts[:depth])]
        entry = entries.get(entry.get("defaults_of"), entry)
        text = f"<{parts[depth - 1]}{attributes(entry)}>{text}</{parts[depth - 1]}>"
    return f"<mujoco>{'<worldbody>' + text + '</worldbody>' if parts[0] == 'body' else text}</mujoco>".encode()


def mjcf():
    """Models that are right, and each element of the schema."""
    paths = [path for path in sorted((ROOT / "models").rglob("*.xml")) if path.stat().st_size < LARGEST]
    schema = json.loads((ROOT / "tables/mjcf.json").read_text())
    models = {str(path.relative_to(ROOT / "models")).replace("/", "-"): path.read_bytes() for path in paths}
    zoo = {"zoo": (ROOT / "tools/reliability/zoo.xml").read_bytes()}
    return models | zoo | {entry["path"].replace("/", "-"): element(schema, entry["path"]) for entry in schema["elements"]}


def seeds():
    images = {"grey": png(0, 1), "grey16": png(0, 1, 16), "bits": png(0, 1, 1), "grey_alpha": png(4, 2), "rgb": png(2, 3),
              "rgba": png(6, 4)}
    yield "stl", {"tetrahedron": stl()}
    yield "obj", {"plain": obj("{0}"), "normals": obj("{0}//1"), "texture": obj("{0}/1/1")}
    yield "msh", {"tetrahedron": msh()}
    yield "ply", {kind: ply(kind) for kind in ("ascii", "binary_little_endian", "binary_big_endian")}
    yield "off", {"tetrahedron": off()}
    yield "gltf", {"text": gltf(False), "binary": gltf(True)}
    yield "dae", {kind: dae(kind) for kind in ("triangles", "polylist")}
    yield "vtp", {"text": vtp(True), "base64": vtp(False)}
    yield "skn", {"tetrahedron": skn()}
    yield "hfield", images | {"binary": ints(2, 3) + floats(range(6))}
    yield "texture", images | {"raw": ints(4, 3) + bytes(36)}
    yield "mjcf", mjcf()
    yield "urdf", urdf()
    yield "osim", {"leg": (ROOT / "models/muscle/leg.osim").read_bytes()}
    yield "hfd", {"leg": (ROOT / "models/muscle/leg.hfd").read_bytes()}
    yield "mjb", {"change": struct.pack("<2I", 40, 1)}


def main():
    for target, files in seeds():
        folder = pathlib.Path(sys.argv[1]) / target
        folder.mkdir(parents=True, exist_ok=True)
        for name, content in files.items():
            (folder / name).write_bytes(content)


if __name__ == "__main__":
    main()
