"""Sums and products in the order of MuJoCo 3.8.0: numbers equal to the last bit, where no sine or cosine is in them.

Where forces cancel, as in inverse dynamics of a state that needs none, only rounding is left, and two libraries agree on that
with equal bits alone. Needs what libraries.py says, and the package mujoco.
"""

import unittest

try:
    import mujoco
    import numpy as np
except ImportError:
    mujoco = None

from libraries import AVAILABLE, NEEDS
from own_library import OwnLibrary

LEFT_OUT = {"bvh_aabb", "oct_aabb", "oct_coeff", "light_dir0"}  # bounds, which only have to enclose, and what is for pictures
SHAPES = {"sphere": 1, "capsule": 2, "cylinder": 2, "ellipsoid": 3, "box": 3}
EQUAL = 0.98  # part of sines and cosines with equal bits: 0.997 of each, and less where their quotient is rounded anew
WEDGE = '<mesh name="w" vertex="-.1 -.1 -.05 .1 -.1 -.05 .1 .1 -.05 -.1 .1 -.05 -.1 0 .06 .1 0 .05"/>'


class Random:
    """Numbers of three digits, as text."""

    def __init__(self, seed: int):
        self.rng = np.random.default_rng(seed)

    def numbers(self, count: int, low: float = -1, high: float = 1) -> str:
        return " ".join(f"{x:.3f}" for x in self.rng.uniform(low, high, count))

    def places(self) -> str:
        return f'pos="{self.numbers(3)}" quat="{self.numbers(4)}"'


def document(body: str, assets: str = "", option: str = "") -> str:
    return f"<mujoco><option {option}/><asset>{assets}</asset><worldbody>{body}</worldbody></mujoco>"


def elements(r: Random, dim: int, passive: str = "") -> str:
    """Two triangles at an edge, or a tetrahedron, that resist stretching and bending, or are loose and have contacts."""
    shell = ' thickness=".013" elastic2d="both"' if dim == 2 else ""
    held = "" if passive else f'<elasticity young="1000" poisson=".2"{shell}/>'
    return (f'<flexcomp name="f" type="direct" dim="{dim}" mass="1" radius=".01" point="{r.numbers(12)}" '
            f'element="{"0 1 2 1 0 3" if dim == 2 else "0 1 2 3"}">{held}'
            f'<contact selfcollide="none" internal="false" passive="{passive or "false"}"/></flexcomp>')


@unittest.skipUnless(AVAILABLE, NEEDS)
class LastBit(unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        cls.own = OwnLibrary()

    def equal(self, ours, theirs, what: str) -> None:
        differ = int(np.sum(np.asarray(ours) != np.asarray(theirs)))
        self.assertEqual(differ, 0, f"{what}: {differ} of {np.size(theirs)} numbers differ")

    def compiled(self, xml: str, but: str = ""):
        """Returns the model, of which all real numbers are the same in both libraries, but for one field."""
        ours, theirs = self.own.compile(xml), mujoco.MjModel.from_xml_string(xml)
        for name in dir(theirs):
            value = getattr(theirs, name)
            if isinstance(value, np.ndarray) and value.dtype == np.float64 and name not in (*LEFT_OUT, but):
                self.equal(getattr(ours, name), value, name)
        return theirs

    def test_directions_and_frames(self):
        r = Random(1)
        for _ in range(50):
            self.compiled(document(
                f'<frame {r.places()}><frame {r.places()}><geom type="mesh" mesh="w" {r.places()}/></frame>'
                f'<body {r.places()}><joint type="slide" axis="{r.numbers(3)}" pos="{r.numbers(3)}"/><geom size=".1"/></body>'
                f'</frame><body {r.places()}><frame {r.places()}><joint type="slide" axis="{r.numbers(3)}" pos="{r.numbers(3)}"/>'
                f'</frame><geom size=".1" mass=".3" xyaxes="{r.numbers(6)}"/><light dir="{r.numbers(3)}" pos="{r.numbers(3)}"/></body>',
                WEDGE))

    def test_angles_in_degrees(self):
        r = Random(2)
        xml = document("".join(f'<geom size=".1" euler="0 {r.numbers(1, -180, 180)} 0"/>' for _ in range(200)))
        ours, theirs = self.own.compile(xml), mujoco.MjModel.from_xml_string(xml)
        self.assertGreater(np.mean((ours.geom_quat == theirs.geom_quat)[:, ::2]), EQUAL)

    def test_mass_and_inertia(self):
        r = Random(3)
        for shape, sizes in SHAPES.items():
            for mass in ("", f'mass="{r.numbers(1, .01, .3)}"'):
                self.compiled(document("".join(
                    f'<body pos="{r.numbers(3)}"><freejoint/><geom type="{shape}" size="{r.numbers(sizes, .01, .3)}" {mass}/>'
                    "</body>" for _ in range(20))))
        box = 'type="box" size="{}" mass="{}"'
        for _ in range(20):
            two = "".join(f"<geom {box.format(r.numbers(3, .01, .3), r.numbers(1, .01, .3))} {r.places()}/>" for _ in range(2))
            full = f'<inertial pos="{r.numbers(3)}" mass="1" fullinertia="1 1.2 1.3 {r.numbers(3, -.1, .1)}"/>'
            self.compiled(document(f"<body><freejoint/>{two}</body><body><freejoint/>{full}</body>"))

    def test_elements_of_flexes(self):
        r = Random(4)
        for dim in (2, 3):
            for _ in range(20):
                self.compiled(document(f'<body name="a" {r.places()}><body name="b" {r.places()}>{elements(r, dim)}</body></body>'))

    def test_cells_of_flexes(self):
        """A cube stays a cube where its body is turned; vertices are elsewhere then (docs/from-mujoco/departures.md)."""
        r = Random(7)
        for dof in ("trilinear", "quadratic"):
            for held in ('<elasticity young="1000" poisson=".2"/>', '<edge equality="strain"/>'):
                self.compiled(document(
                    f'<body name="a" {r.places()}><flexcomp name="f" type="grid" dim="3" count="3 3 3" spacing=".08 .08 .08" mass="1" '
                    f'radius=".01" dof="{dof}">{held}<contact selfcollide="none" internal="false"/></flexcomp></body>'), "flex_vert0")

    def test_inertia_matrix_and_bias(self):
        """Bodies are turned by their quaternions, and joints stay at zero."""
        r = Random(5)
        for _ in range(10):
            joints = ("<freejoint/>", '<joint type="ball"/>', *(f'<joint axis="{r.numbers(3)}"/>' for _ in range(3)))
            chain = "".join(f'<body {r.places()}>{joint}<geom type="box" size="{r.numbers(3, .1, .3)}" {r.places()}/>'
                            for joint in joints) + "</body>" * 5
            model = self.compiled(document(chain))
            own, reference = mujoco.MjData(model), mujoco.MjData(model)
            own.qvel[:] = reference.qvel[:] = r.rng.normal(size=model.nv)
            mujoco.mj_forward(model, reference)
            self.own.call("mj_forward", model, own)
            for name in ("cinert", "qM", "qLD", "cvel", "qfrc_bias"):
                self.equal(getattr(own, name), getattr(reference, name), name)

    def test_rest_of_inverse_dynamics(self):
        """What is left of the forces of a motion that needs none."""
        r = Random(8)
        for _ in range(10):
            model = mujoco.MjModel.from_xml_string(document("".join(
                f'<body {r.places()}>{joint}<geom type="box" size="{r.numbers(3, .1, .3)}" {r.places()}/>'
                for joint in ("<freejoint/>", *(f'<joint axis="{r.numbers(3)}" damping=".3" frictionloss=".2"/>' for _ in range(3))))
                + "</body>" * 4).replace("<asset>", '<option><flag contact="disable"/></option><asset>'))
            own, reference = mujoco.MjData(model), mujoco.MjData(model)
            own.qvel[:] = reference.qvel[:] = r.rng.normal(size=model.nv)
            mujoco.mj_forward(model, reference)
            own.qacc[:] = reference.qacc
            mujoco.mj_inverse(model, reference)
            self.own.call("mj_inverse", model, own)
            self.equal(own.qfrc_inverse, reference.qfrc_inverse, "qfrc_inverse")

    def test_shares_of_an_element_in_a_contact(self):
        """In rows, and in the force of a passive contact, of which short steps bear the stiffness of the release."""
        r = Random(6)
        found = {"false": 0, "true": 0}
        for i in range(40):
            passive = "true" if i % 2 else "false"
            model = mujoco.MjModel.from_xml_string(document(
                f'<geom size=".5"/><body name="b">{elements(r, 2, passive)}</body>', option='timestep=".0001"'))
            own, reference = mujoco.MjData(model), mujoco.MjData(model)
            mujoco.mj_fwdPosition(model, reference)
            mujoco.mj_fwdVelocity(model, reference)
            for name in ("mj_kinematics", "mj_comPos", "mj_flex", "mj_makeM", "mj_factorM", "mj_collision"):
                self.own.call(name, model, own)
            self.assertEqual(own.ncon, reference.ncon)
            if own.ncon == 0:
                continue
            for name in ("pos", "frame", "dist"):
                getattr(own.contact, name)[:] = getattr(reference.contact, name)
            self.own.call("mj_makeConstraint", model, own)
            self.own.call("mj_fwdVelocity", model, own)
            self.equal(own.efc_J, reference.efc_J, "efc_J")
            self.equal(own.qfrc_spring, reference.qfrc_spring, "qfrc_spring")
            found[passive] += own.ncon
        self.assertGreater(min(found.values()), 0)


if __name__ == "__main__":
    unittest.main()
