"""A default in the documents is what the library uses: a model with `attribute="default"` is the model without it.

Each attribute of tables/mjcf_defaults.json and tables/mjcf_read.json is written into an element of its kind, in a scene that has
something of everything, and the compiled models are compared byte by byte. SINEW_LIBRARY names another library to ask.
"""

import ctypes
import json
import pathlib
import sys
import tempfile
import unittest

ROOT = pathlib.Path(__file__).resolve().parents[2]
sys.path.insert(0, str(ROOT / "tables"))
sys.path.insert(0, str(ROOT / "tests/docs"))

from defaults import library  # noqa: E402
from generator.mjcf import Schema  # noqa: E402
from generator.tables import Tables  # noqa: E402

SCHEMA = Schema(Tables(ROOT / "tables"))

# A scene to whose elements those under test refer.
SCENE = """<mujoco>
  <asset>
    <texture name="texture" type="2d" builtin="flat" width="4" height="4"/>
    <texture name="surroundings" type="cube" builtin="flat" width="4" height="4"/>
    <material name="material"/>
    <mesh name="mesh" vertex="0 0 0 1 0 0 0 1 0 0 0 1"/>
    <hfield name="hfield" nrow="2" ncol="2" size="1 1 1 1"/>
    IN_ASSET
  </asset>
  <worldbody>
    IN_WORLD
    <camera name="camera" resolution="4 4"/>
    <body name="parent" pos="0 0 1">
      <joint name="joint" range="-10 10"/>
      <geom name="geom" size="0.1"/>
      <site name="site"/>
      <body name="body" pos="1 0 0">
        <joint name="joint2" type="slide" range="0 1"/>
        <geom name="geom2" size="0.1"/>
        <site name="site2" pos="0.1 0 0"/>
        IN_BODY
      </body>
    </body>
    <body name="ballbody" pos="0 2 0"><joint name="ball" type="ball"/><geom size="0.1"/></body>
    <flexcomp name="sheet" type="grid" dim="2" count="3 3 1" spacing="0.1 0.1 0.1" radius="0.01" mass="1" pos="3 0 0"/>
    <flexcomp name="block" type="grid" dim="3" count="3 3 3" spacing="0.1 0.1 0.1" radius="0.01" mass="1" pos="5 0 0" dof="trilinear"><contact selfcollide="none"/></flexcomp>
  </worldbody>
  <tendon>
    <spatial name="tendon" range="0 5"><site site="site"/><site site="site2"/></spatial>
    <spatial name="tendon2"><site site="site2"/><site site="site"/></spatial>
    IN_TENDON
  </tendon>
  <actuator>
    <motor name="actuator" joint="joint"/>
    <muscle name="muscle" tendon="tendon" lengthrange="0.5 2"/>
    IN_ACTUATOR
  </actuator>
  ELSEWHERE
</mujoco>"""

# What an element needs beside the attribute, in its place in the scene: ATTRIBUTES stands for what is tried.
_IN_BODY = {
    "body": '<body ATTRIBUTES><joint/><geom size="0.1"/></body>',
    "body/frame": '<frame ATTRIBUTES><geom size="0.1"/></frame>',
    "body/replicate": '<replicate count="2" ATTRIBUTES><geom size="0.1"/></replicate>',
    "body/inertial": '<body><joint/><inertial mass="1" pos="0 0 0" diaginertia="1 1 1" ATTRIBUTES/></body>',
    "body/joint": '<body><joint ATTRIBUTES/><geom size="0.1"/></body>',
    "body/geom": '<geom size="0.1" ATTRIBUTES/>',
    "body/site": "<site ATTRIBUTES/>",
    "body/camera": "<camera ATTRIBUTES/>",
    "body/light": "<light ATTRIBUTES/>",
    "body/composite": '<composite type="cable" curve="s" count="4" prefix="c" ATTRIBUTES><geom type="capsule" size="0.01"/></composite>',
}
_CABLE = '<composite type="cable" curve="s" count="4" prefix="c">{}{}</composite>'
for part in ("joint", "site", "geom", "skin"):
    geom = '<geom type="box" size="0.01 0.01 0.01"/>' if part != "geom" else ""
    own = {"joint": 'kind="main" ', "geom": 'type="box" size="0.01 0.01 0.01" '}.get(part, "")
    _IN_BODY[f"body/composite/{part}"] = _CABLE.format(geom, f"<{part} {own}ATTRIBUTES/>")
for part in ("rotation", "translation"):
    _IN_BODY[f"body/joint/{part}"] = f'<body><joint><{part} ATTRIBUTES/></joint><geom size="0.1"/></body>'
_IN_BODY["body/site/translation"] = '<site><translation joint="joint" ATTRIBUTES/></site>'
_LIMIT = '<limitforce range="0 1" stiffness="1" transition="0.1" ATTRIBUTES/>'
_IN_BODY["body/joint/limitforce"] = f'<body><joint>{_LIMIT}</joint><geom size="0.1"/></body>'
_IN_BODY["body/site/bushing"] = '<site name="held"><bushing site="site" stiffness="1 1 1 1 1 1" ATTRIBUTES/></site>'
_IN_WORLD = {
    "body/freejoint": '<body><freejoint ATTRIBUTES/><geom size="0.1"/></body>',
    "body/flexcomp": '<flexcomp name="f" spacing="0.1 0.1 0.1" count="3 3 1" ATTRIBUTES/>',
    "body/flexcomp/edge": '<flexcomp name="f" spacing="0.1 0.1 0.1" count="3 3 1"><edge ATTRIBUTES/></flexcomp>',
    "body/flexcomp/contact": '<flexcomp name="f" spacing="0.1 0.1 0.1" count="3 3 1"><contact ATTRIBUTES/></flexcomp>',
    "body/flexcomp/elasticity": '<flexcomp name="f" spacing="0.1 0.1 0.1" count="3 3 1"><elasticity ATTRIBUTES/></flexcomp>',
}
_FLEX = '<deformable><flex name="f" dim="2" body="body" vertex="0 0 0 1 0 0 0 1 0" element="0 1 2" {}>{}</flex></deformable>'
_ELSEWHERE = {
    "custom/numeric": '<custom><numeric name="n" data="1 2" ATTRIBUTES/></custom>',
    "custom/tuple/element": '<custom><tuple name="t"><element objtype="body" objname="body" ATTRIBUTES/></tuple></custom>',
    "contact/pair": '<contact><pair geom1="geom" geom2="geom2" ATTRIBUTES/></contact>',
    "contact/exclude": '<contact><exclude body1="body" body2="ballbody" ATTRIBUTES/></contact>',
    "equality/connect": '<equality><connect body1="body" anchor="0 0 0" ATTRIBUTES/></equality>',
    "equality/weld": '<equality><weld body1="body" ATTRIBUTES/></equality>',
    "equality/joint": '<equality><joint joint1="joint" joint2="joint2" ATTRIBUTES/></equality>',
    "equality/tendon": '<equality><tendon tendon1="tendon" tendon2="tendon2" ATTRIBUTES/></equality>',
    "equality/flex": '<equality><flex flex="sheet" ATTRIBUTES/></equality>',
    "equality/flexvert": '<equality><flexvert flex="sheet" ATTRIBUTES/></equality>',
    "equality/flexstrain": '<equality><flexstrain flex="block" ATTRIBUTES/></equality>',
    "deformable/flex": _FLEX.format("ATTRIBUTES", ""),
    "deformable/flex/edge": _FLEX.format("", "<edge ATTRIBUTES/>"),
    "deformable/flex/contact": _FLEX.format("", "<contact ATTRIBUTES/>"),
    "deformable/flex/elasticity": _FLEX.format("", "<elasticity ATTRIBUTES/>"),
    "compiler/lengthrange": "<compiler><lengthrange ATTRIBUTES/></compiler>",
    "option/flag": "<option><flag ATTRIBUTES/></option>",
    "keyframe/key": "<keyframe><key ATTRIBUTES/></keyframe>",
}
for skin in ("asset/skin", "deformable/skin"):
    _ELSEWHERE[skin] = (
        f'<{skin.split("/")[0]}><skin name="s" vertex="0 0 0 1 0 0 0 1 0" face="0 1 2" ATTRIBUTES>'
        f'<bone body="body" bindpos="0 0 0" bindquat="1 0 0 0" vertid="0 1 2" vertweight="1 1 1"/></skin></{skin.split("/")[0]}>'
    )
_IN_ASSET = {
    "asset/mesh": '<mesh name="m" vertex="0 0 0 1 0 0 0 1 0 0 0 1" ATTRIBUTES/>',
    "asset/hfield": '<hfield name="h" nrow="2" ncol="2" size="1 1 1 1" ATTRIBUTES/>',
    "asset/texture": '<texture name="t" builtin="flat" width="4" height="4" ATTRIBUTES/>',
    "asset/material": '<material name="m" ATTRIBUTES/>',
}
_IN_TENDON = {
    "tendon/spatial": '<spatial ATTRIBUTES><site site="site"/><site site="site2"/></spatial>',
    "tendon/spatial/ligament": '<spatial><site site="site"/><site site="site2"/><ligament slacklength="1" stiffness="1" '
    "ATTRIBUTES/></spatial>",
    "tendon/fixed": '<fixed ATTRIBUTES><joint joint="joint" coef="1"/></fixed>',
}
# What some kinds of actuators need, and of what the model is made again where that is another attribute of the element.
_ACTUATORS = {
    "actuator/intvelocity": 'actrange="0 1"',
    "actuator/damper": 'ctrlrange="0 1"',
    "actuator/adhesion": 'ctrlrange="0 1"',
    "actuator/muscle": 'lengthrange="0.5 2"',
    "actuator/musculotendon": 'force="100" fiberlength="0.5" slacklength="0.4"',
    "actuator/dcmotor": 'motorconst="0.1" resistance="1"',
}
# Sensors of objects that are given by a kind and a name.
_OBJECTS = {"objtype": "site", "objname": "site", "geom1": "geom", "geom2": "geom2", "camera": "camera", "dim": "1", "mesh": "mesh"}

# Attributes that cannot be tried by themselves: why not.
UNTRIED = {
    "compiler coordinate": "one word only",
    "body/light directional": "the older word for type",
    "option errornorm": "what is given is kept among the numbers of the model",
    "option mixing": "what is given is kept among the numbers of the model",
    **{f"actuator/musculotendon {curve}curve": "what is given is kept among the numbers of the model"
       for curve in ("active", "vel", "passive", "tendon")},
    "asset/mesh builtin": "any word needs params",
    "actuator/position kv": "leaves a zero with a sign",
    "actuator/intvelocity kv": "leaves a zero with a sign",
    "actuator/position timeconst": "leaves another number where none is used",
}  # fmt: skip


def place(path: str) -> str | None:
    """Returns the scene with the element in it; None where the element is not one of those that are tried."""
    where = {"IN_BODY": "", "IN_WORLD": "", "IN_ASSET": "", "IN_TENDON": "", "IN_ACTUATOR": "", "ELSEWHERE": ""}
    section, _, name = path.partition("/")
    tables = {"IN_BODY": _IN_BODY, "IN_WORLD": _IN_WORLD, "IN_ASSET": _IN_ASSET, "IN_TENDON": _IN_TENDON, "ELSEWHERE": _ELSEWHERE}
    for key, table in tables.items():
        if path in table:
            where[key] = table[path]
            break
    else:
        if section in ("compiler", "option", "size", "statistic"):
            where["ELSEWHERE"] = f"<{section} ATTRIBUTES/>"
        elif section == "visual" and name:
            where["ELSEWHERE"] = f"<visual><{name} ATTRIBUTES/></visual>"
        elif section == "actuator" and name and "/" not in name and name != "plugin":
            target = 'body="body"' if name == "adhesion" else 'tendon="tendon"' if name.startswith("musc") else 'joint="joint"'
            where["IN_ACTUATOR"] = f"<{name} {target} {_ACTUATORS.get(path, '')} ATTRIBUTES/>"
        elif section == "sensor" and name and "/" not in name and name != "plugin":
            where["ELSEWHERE"] = f"<sensor><{name} {sensor_objects(path)} ATTRIBUTES/></sensor>"
            if SCHEMA.elements[path].get("extension"):
                where["IN_ACTUATOR"] = f'<musculotendon name="fibre" tendon="tendon" {_ACTUATORS["actuator/musculotendon"]}/>'
        else:
            return None
    text = SCENE
    for key, value in where.items():
        text = text.replace(key, value)
    return text


def sensor_objects(path: str) -> str:
    given = {}
    for row in SCHEMA.attributes(SCHEMA.elements[path]):
        name = row["name"]
        if row.get("required"):
            kind = row.get("to")
            value = _OBJECTS.get(name) or kind
            if path.startswith("sensor/ball"):
                value = "ball"
            if kind == "actuator" and SCHEMA.elements[path].get("extension"):
                value = "fibre"
            given[name] = value
    if path in ("sensor/distance", "sensor/normal", "sensor/fromto"):
        given |= {"geom1": "geom", "geom2": "geom2"}
    if path == "sensor/rangefinder":
        given["site"] = "site"
    return " ".join(f'{name}="{value}"' for name, value in given.items())


class Library:
    def __init__(self) -> None:
        self.lib = ctypes.CDLL(str(library()))
        self.lib.mj_loadXML.restype = ctypes.c_void_p
        self.lib.mj_sizeModel.argtypes = [ctypes.c_void_p]
        self.lib.mj_sizeModel.restype = ctypes.c_int64
        self.lib.mj_saveModel.argtypes = [ctypes.c_void_p, ctypes.c_char_p, ctypes.c_void_p, ctypes.c_int]
        self.lib.mj_deleteModel.argtypes = [ctypes.c_void_p]
        self.folder = tempfile.TemporaryDirectory()

    def compiled(self, text: str) -> bytes | str:
        """Returns the bytes of the model, or what is wrong with the text."""
        path, error = pathlib.Path(self.folder.name) / "model.xml", ctypes.create_string_buffer(2000)
        path.write_text(text)
        model = self.lib.mj_loadXML(str(path).encode(), None, error, len(error))
        if not model:
            return error.value.decode()
        size = self.lib.mj_sizeModel(model)
        buffer = ctypes.create_string_buffer(size)
        self.lib.mj_saveModel(model, None, buffer, size)
        self.lib.mj_deleteModel(model)
        return buffer.raw


class DefaultsTest(unittest.TestCase):
    def test_each_default_changes_nothing(self) -> None:
        lib, tried, untried, wrong = Library(), 0, [], []
        defaults = json.loads((ROOT / "tables/mjcf_defaults.json").read_text())
        defaults |= json.loads((ROOT / "tables/mjcf_read.json").read_text())
        without: dict[str, bytes | str] = {}
        for key, value in defaults.items():
            path, name = key.rsplit(" ", 1)
            text = place(path)
            if text is None or key in UNTRIED:
                untried.append(key)
                continue
            # the attribute under test stands in the place of what the scene gives
            bare = text.replace("ATTRIBUTES", "")
            if f' {name}="' in text.split("ATTRIBUTES")[0].rsplit("<", 1)[1]:
                untried.append(key)
                continue
            if path not in without:
                without[path] = lib.compiled(bare)
                if isinstance(without[path], str):
                    wrong.append(f"{path} itself: {without[path]}")
            model = lib.compiled(text.replace("ATTRIBUTES", f'{name}="{value}"'))
            if model != without[path]:
                wrong.append(f'{key}="{value}": {model if isinstance(model, str) else "another model"}')
            tried += 1
        print(f"{tried} defaults tried, {len(untried)} not: {', '.join(untried)}")
        self.assertEqual(wrong, [], "\n".join(wrong))
        self.assertGreater(tried, 850)


if __name__ == "__main__":
    unittest.main()
