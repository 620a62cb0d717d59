"""Edits of specifications and what is saved of them, against the release whose interface this is, call by call.

Needs what libraries.py says.
"""

import ctypes
import pathlib
import re
import tempfile
import unittest
from xml.etree import ElementTree

from libraries import AVAILABLE, NEEDS, OWN, REFERENCE

BODY, KEY, FRAME = 1, 24, 100  # mjtObj
POINTERS = (
    "mj_parseXML mj_parseXMLString mj_compile mj_copySpec mjs_attach mjs_findElement mjs_findSpec mjs_firstElement "
    "mjs_nextElement mjs_getName"
).split()

PARENT = """<mujoco model="parent"><worldbody><frame name="f"/>
  <body name="pb"><joint name="pj"/><geom size=".1"/></body>
  <body name="pc"><joint name="pk"/><geom size=".1"/></body></worldbody>
  <keyframe><key name="home" qpos="0.7 .8"/></keyframe></mujoco>"""
CHILD = """<mujoco model="child"><worldbody><geom name="wg" size=".3"/>
  <body name="b"><joint name="j"/><geom size=".1"/></body><body name="b2"><geom size=".2"/></body></worldbody>
  <actuator><motor name="m" joint="j"/></actuator><contact><exclude body1="world" body2="b"/></contact>
  <keyframe><key name="k" qpos=".5" ctrl=".3"/></keyframe></mujoco>"""

# What stands in a world: b bodies, g geoms, s sites; ( ) a frame without a name, F{ } one with it.
ORDERS = [
    "F{ba (bb) bc N{bd} be}", "ba F{bb} bc G{bd} be", "(ba) bb (bc) bd", "ba (bb) bc (bd) be N{bf} bg",
    "(g1) g2 (g3) g4 N{g5} g6", "g1 (s1 g2) s2 N{s3} s4 g3", "ba (bb N{bc} bd) be", "F{N{ba} bb (bc) bd}", "N{} ba M{}",
    "F{(g1 N{g2}) g3 ba (bb) bc}", "F{ba} G{bb (bc) bd}", "F{ba N{bb}} bc G{bd M{be} bf}", "(g1 (N{g2}))",
]  # fmt: skip


def world_of(order: str) -> str:
    """Returns the elements that an order stands for."""
    made = ""
    for token in re.findall(r"\w+\{|\(|\)|\}|\w+", order):
        if token.endswith("{"):
            made += f'<frame name="{token[:-1]}">'
        elif token == "(":
            made += "<frame>"
        elif token in ")}":
            made += "</frame>"
        elif token[0] == "b":
            made += f'<body name="{token}"><geom size=".1"/></body>'
        else:
            made += f'<geom name="{token}" size=".1"/>' if token[0] == "g" else f'<site name="{token}"/>'
    return made


# What MuJoCo 3.8.0 loses when it saves and this library writes, as docs/how/xml-out.md says: the classes of what was
# attached, and that inertias are to be saved. An empty prefix makes it write a class without a name.
LOST = re.compile(r' (?:class|childclass)="x_main(?:_y)?"| saveinertial="true"|  <default>\n    <default/>\n  </default>\n\n')
REAL = re.compile(r"-?\d+\.\d+(e[-+]?\d+)?")
CONTROL = re.compile(r' ctrl="[^"]*"')


def without_order(text: str) -> str:
    """Returns a document whose bodies have their elements in the order of their texts.

    MuJoCo 3.8.0 writes what has no frame before what has one, so that bodies and geoms get other numbers when the text
    is read. This library keeps their order (docs/how/xml-out.md; tests/unit/mjcf has its tests).
    """
    root = ElementTree.fromstring(text)
    for place in reversed(list(root.iter())):  # what is inside comes first
        place.text = place.tail = None
        if place.tag in ("worldbody", "body", "frame"):
            place[:] = sorted(place, key=ElementTree.tostring)
    return ElementTree.tostring(root, encoding="unicode")


class Library:
    """One of the libraries, with specifications as numbers."""

    def __init__(self, path: pathlib.Path):
        self._c = ctypes.CDLL(str(path))
        for name in POINTERS:
            getattr(self._c, name).restype = ctypes.c_void_p
        self._c.mjs_getString.restype = ctypes.c_char_p

    def call(self, function: str, *args):
        """Calls a function; numbers of 64 bits are pointers, texts become bytes."""
        converted = [
            ctypes.c_void_p(a) if isinstance(a, int) and a > 1 << 20 else a.encode() if isinstance(a, str) else a
            for a in args
        ]
        return getattr(self._c, function)(*converted)

    def parse(self, xml: str) -> int | None:
        return self.call("mj_parseXMLString", xml, None, ctypes.create_string_buffer(1000), 1000)

    def element(self, struct: int) -> int:
        """Returns the element of a specification: its first member."""
        return ctypes.cast(struct, ctypes.POINTER(ctypes.c_void_p))[0]

    def find(self, spec: int, kind: int, name: str) -> int | None:
        return self.call("mjs_findElement", spec, kind, name)

    def attach(self, parent: int, child: int) -> int | None:
        return self.call("mjs_attach", parent, child, "x_", "_y")

    def names(self, spec: int, kind: int) -> list:
        found, element = [], self.call("mjs_firstElement", spec, kind)
        while element:
            found.append(self.call("mjs_getString", self.call("mjs_getName", element)))
            element = self.call("mjs_nextElement", spec, element)
        return found

    def save(self, spec: int) -> tuple:
        """Returns the status and the text, with six digits of each number: MuJoCo 3.8.0 writes no more."""
        text, error = ctypes.create_string_buffer(100000), ctypes.create_string_buffer(1000)
        status = self.call("mj_saveXMLString", spec, text, len(text), error, len(error))
        return status, REAL.sub(lambda real: f"{float(real[0]):.6g}", LOST.sub("", text.value.decode()))

    def saved(self, xml: str) -> str:
        spec = self.parse(xml)
        return self.save(spec)[1] if self.call("mj_compile", spec, None) else "not compiled"


@unittest.skipUnless(AVAILABLE, NEEDS)
class SpecificationTest(unittest.TestCase):
    def setUp(self):
        self.libraries = [Library(path) for path in (OWN, REFERENCE)]

    def _compare(self, answers):
        own, reference = (answers(library) for library in self.libraries)
        self.assertEqual(own, reference)

    def _without_controls(self, library, saved: tuple) -> tuple:
        """Drops the controls, which MuJoCo 3.8.0 loses when a keyframe waits during a deletion or a replication."""
        status, text = saved
        if library is self.libraries[0]:
            self.assertRegex(text, CONTROL)
        return status, CONTROL.sub("", text)

    def test_keyframes_wait_for_the_compilation(self):
        def answers(library):
            parent, child = library.parse(PARENT), library.parse(CHILD)
            found = [library.attach(library.find(parent, FRAME, "f"), library.element(child)) is not None]
            found.append(library.names(parent, KEY))
            library.call("mj_compile", parent, None)
            found += [library.names(parent, KEY), library.save(parent)]
            # deletion makes all keyframes wait, also in a copy
            found.append(library.call("mjs_delete", parent, library.find(parent, BODY, "pc")))
            copy = library.call("mj_copySpec", parent)
            found += [library.names(parent, KEY), library.save(parent)[0], library.names(copy, KEY)]
            for spec in (parent, copy):
                library.call("mj_compile", spec, None)
                found += [library.names(spec, KEY), self._without_controls(library, library.save(spec))]
            return found

        self._compare(answers)

    def test_a_model_attached_to_itself(self):
        def answers(library):
            spec = library.parse(PARENT)
            library.call("mjs_setDeepCopy", spec, 1)
            library.attach(library.find(spec, FRAME, "f"), library.find(spec, BODY, "pb"))
            found = [library.names(spec, KEY), library.call("mjs_findSpec", spec, "parent")]
            library.call("mj_compile", spec, None)
            return found + [library.names(spec, KEY), library.save(spec)]

        self._compare(answers)

    def test_the_world_becomes_a_body(self):
        for copies in (0, 1):
            with self.subTest(copies=copies):

                def answers(library, copies=copies):
                    parent, child = library.parse(PARENT), library.parse(CHILD)
                    library.call("mjs_setDeepCopy", parent, copies)
                    library.attach(library.find(parent, FRAME, "f"), library.find(child, BODY, "world"))
                    library.call("mj_compile", parent, None)
                    return library.save(parent)

                self._compare(answers)

    def test_attach_in_a_document(self):
        with tempfile.TemporaryDirectory() as folder:
            pathlib.Path(folder, "child.xml").write_text(CHILD)
            for world in (
                '<attach model="c" body="world" prefix="x_"/>',
                '<attach model="c" prefix=""/>',
                '<frame pos="1 0 0"><attach model="c" body="b" prefix="x_"/></frame>'
                '<frame pos="2 0 0"><attach model="c" body="b" prefix="x_"/></frame>',
                '<attach model="c" body="b" prefix="x_"/><body><attach model="c" body="b" prefix="x_"/></body>',
                '<replicate count="2"><attach model="c" prefix="x_"/></replicate>',
            ):
                with self.subTest(world=world):
                    path = pathlib.Path(folder, "main.xml")
                    path.write_text(
                        '<mujoco><asset><model name="c" file="child.xml"/></asset>'
                        f"<worldbody>{world}</worldbody></mujoco>"
                    )

                    def answers(library, path=path, world=world):
                        spec = library.call("mj_parseXML", str(path), None, ctypes.create_string_buffer(1000), 1000)
                        if not spec:
                            return "refused"
                        found = [library.call("mjs_findSpec", spec, name) is not None for name in ("c", "child")]
                        library.call("mj_compile", spec, None)
                        status, text = library.save(spec)
                        if "replicate" in world:
                            status, text = self._without_controls(library, (status, text))
                        return found + [status, without_order(text)]

                    self._compare(answers)

    def test_what_is_saved(self):
        models = [f"<mujoco><worldbody>{world_of(order)}</worldbody></mujoco>" for order in ORDERS]
        models += [f'<mujoco><worldbody><body name="q">{world_of(o)}</body></worldbody></mujoco>' for o in ORDERS]
        models += [
            '<mujoco><compiler saveinertial="true"/><worldbody><geom size="1"/><body><freejoint/>'
            '<geom type="ellipsoid" size=".1 .2 .3" pos=".1 0 0"/></body><body/></worldbody></mujoco>',
            '<mujoco><worldbody><body><joint springdamper="1 .5"/><geom size=".1"/></body></worldbody></mujoco>',
            '<mujoco><default><default class="c"/></default><worldbody><frame childclass="c"><frame><geom size=".1"/>'
            '</frame></frame><body childclass="c"><frame name="f"><geom size=".1"/></frame></body></worldbody></mujoco>',
        ]
        for model in models:
            with self.subTest(model=model):
                self._compare(lambda library, model=model: without_order(library.saved(model)))

    def test_nothing_to_save(self):
        def answers(library):
            text, error = ctypes.create_string_buffer(1000), ctypes.create_string_buffer(1000)
            spec = library.parse(PARENT)
            return [
                library.call("mj_saveXMLString", None, text, 1000, error, 1000),
                library.call("mj_saveXML", None, "unused.xml", error, 1000),
                library.save(spec)[0],
            ]

        self._compare(answers)


if __name__ == "__main__":
    unittest.main()
