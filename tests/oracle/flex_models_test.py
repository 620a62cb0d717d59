"""Random models with flexes, against the release whose interface this is.

What is compiled must be equal. In states around rest, the contacts of pairs that have formulas must be the same, and so
must be passive forces and the rows of constraints. Of more than fifty contacts, others are kept on purpose: their number and
the deepest are compared. Parents of elastic flexes are neither turned nor do they move: there our forces differ on purpose
(docs/how/flexes.md).

Needs what libraries.py says, and the package mujoco, whose models and states our library reads as its own.
"""

import itertools
import unittest

try:
    import mujoco
    import numpy as np
except ImportError:
    mujoco = None

from in_box import line_is_in_box
from libraries import AVAILABLE, NEEDS
from own_library import OwnLibrary

MODELS = 600
STATES = 3    # of each model
EXACT = 1e-9  # of contacts, forces and rows, in parts of the largest: rounding, with the stiffness of constraints

COUNTS = {1: ("3 1 1", "6 1 1"), 2: ("3 3 1", "5 4 1", "7 6 1"), 3: ("2 2 2", "3 3 2")}
GEOMS = {"sphere": ".1", "capsule": ".03 .04", "box": ".12 .1 .05"}


def choose(rng, *values):
    """Returns one of the values."""
    return values[rng.integers(len(values))]


def stiffness(rng, dim: int, dof: str) -> str:
    """Returns what holds a flex together."""
    if dof in ("trilinear", "quadratic"):
        held = choose(rng, '<elasticity young="500" poisson=".2" damping=".002"/>', '<edge equality="strain"/>')
        return held if dim == 3 else ""
    material = 'young="500" poisson=".2" damping=".002"'
    words = {1: ['<edge equality="true"/>', '<edge stiffness="50" damping=".1"/>'],
             2: ['<edge equality="true"/>', '<edge equality="vert"/>', f'<elasticity {material} thickness=".01"'
                 f' elastic2d="{choose(rng, "bend", "stretch", "both") if dof == "full" else "stretch"}"/>'],
             3: ['<edge equality="true"/>', f"<elasticity {material}/>"]}
    return choose(rng, "", *words[dim])


def flexcomp(rng, name: str) -> str:
    """Returns a flex of a random type, dimension, and way to move, about the origin of its parent."""
    kind = choose(rng, "grid", "grid", "box", "cylinder", "ellipsoid", "square", "disc", "circle")
    dim = {"grid": rng.integers(1, 4), "circle": 1, "square": 2, "disc": 2}.get(kind, rng.integers(2, 4))
    dof = choose(rng, "full", "full", "radial", "trilinear", "quadratic", "2d")
    count = {"circle": "6 1 1", "square": "5 5 1", "disc": "3 3 1"}.get(kind, "3 3 3")
    count = choose(rng, *COUNTS[dim]) if kind == "grid" else count
    radius = choose(rng, ".005", ".01")
    held = stiffness(rng, dim, dof)
    pin = choose(rng, "", '<pin id="0"/>') if "elasticity" not in held and dof != "radial" and dim < 3 else ""
    # triangles that meet in their plane have no normal of their own
    internal = choose(rng, "true", "false") if dof in ("full", "radial") and dim < 3 else "false"
    margin = choose(rng, "0", "0", ".004")
    spacing = choose(rng, ".05 .06 .055", ".05 .05 .05")  # cells that are cubes have modes of repeated stiffness
    return (f'<flexcomp name="{name}" type="{kind}" dim="{dim}" dof="{dof}" count="{count}" spacing="{spacing}" '
            f'radius="{radius}" mass=".5">{held}{pin}<contact selfcollide="none" internal="{internal}" '
            f'margin="{margin}" passive="{choose(rng, "false", "false", "true")}"/></flexcomp>')


def model_xml(seed: int) -> str:
    """Returns a flex that lies in what its parent's place makes of it: on a floor, a geom, or both."""
    rng = np.random.default_rng(seed)
    flex = flexcomp(rng, "f")
    solid = 'dim="3"' in flex  # these have formulas against planes alone
    on_box = not solid and rng.random() < .5
    # a cloth has more contacts with a box than are kept
    kind = "box" if on_box else choose(rng, *GEOMS)
    geom = "" if solid else f'<geom type="{kind}" size="{GEOMS[kind]}" pos=".02 .01 {rng.uniform(-.05, .02):.3f}"/>'
    floor = '<geom type="box" size=".5 .5 .1" pos="0 0 -.1"/>' if on_box else '<geom type="plane" size="1 1 .1"/>'
    # in a turned cell, rounding of its edges decides between modes of one stiffness
    # and vertices that nodes move are elsewhere in MuJoCo 3.8.0 (docs/from-mujoco/departures.md)
    upright = "elasticity" in flex or "strain" in flex or "trilinear" in flex or "quadratic" in flex
    turned = "" if upright else f' euler="0 {rng.uniform(-8, 8):.3f} {rng.uniform(0, 90):.3f}"'
    option = (f'jacobian="{choose(rng, "dense", "sparse", "auto")}" cone="{choose(rng, "pyramidal", "elliptic")}"')
    flag = choose(rng, "", "", '<flag midphase="disable"/>')
    ball = '<body pos="0 .03 .12"><freejoint/><geom size=".06"/></body>' if not solid else ""
    return (f'<mujoco><option {option}>{flag}</option><worldbody>{floor}{geom}{ball}'
            f'<body name="b" pos="0 0 {rng.uniform(.003, .06):.3f}"{turned}>{flex}</body></worldbody></mujoco>')


def segment_is_in_box(model, data) -> bool:
    """Returns whether a segment of a rope is inside of a box, which it leaves by the shortest way here."""
    boxes = np.flatnonzero(model.geom_type == mujoco.mjtGeom.mjGEOM_BOX)
    ropes = np.flatnonzero(model.flex_dim == 1)
    segments = [(flex, segment) for flex in ropes for segment in range(model.flex_elemnum[flex])]
    for flex, segment in segments:
        first = model.flex_elemdataadr[flex] + 2 * segment
        start, end = data.flexvert_xpos[model.flex_vertadr[flex] + model.flex_elem[first:first + 2]]
        if any(line_is_in_box(model, data, start, end, box) for box in boxes):
            return True
    return False


def contacts(data) -> dict:
    """Returns distance, position and normal of the contacts of each pair."""
    found = {}
    for contact in data.contact[:data.ncon]:
        key = (*contact.geom, *contact.flex, *contact.elem, *contact.vert)
        row = np.concatenate([[contact.dist], contact.pos, contact.frame[:3]])
        found.setdefault(tuple(map(int, key)), []).append(row)
    return found


@unittest.skipUnless(AVAILABLE, NEEDS)
class FlexModels(unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        cls.own = OwnLibrary()

    def same(self, ours, theirs, what: str) -> None:
        """Arrays are equal, but for rounding."""
        self.assertEqual(ours.shape, theirs.shape, what)
        if theirs.size:
            scale = max(float(np.abs(theirs).max()), 1e-3)
            self.assertLess(float(np.abs(ours - theirs).max()), EXACT * scale, what)

    def same_models(self, ours, theirs) -> None:
        for name in dir(theirs):
            value = getattr(theirs, name)
            if isinstance(value, np.ndarray) and value.dtype.kind in "fiu":
                self.same(getattr(ours, name).astype(float), value.astype(float), name)

    def same_number_and_depth(self, ours, theirs) -> None:
        self.assertEqual(ours.ncon, theirs.ncon)
        self.assertAlmostEqual(ours.contact.dist.min(), theirs.contact.dist.min(), delta=EXACT)

    def same_contacts(self, ours: dict, theirs: dict) -> None:
        self.assertEqual({key: len(rows) for key, rows in ours.items()},
                         {key: len(rows) for key, rows in theirs.items()})
        for key, rows in theirs.items():
            for row in rows:
                self.assertLess(min(np.abs(row - other).max() for other in ours[key]), EXACT, key)

    def check(self, model, rng, reference, own) -> None:
        """Compares all stages up to the rows of constraints in a state near rest."""
        mujoco.mj_resetData(model, reference)
        slides = model.jnt_qposadr[model.jnt_type == mujoco.mjtJoint.mjJNT_SLIDE]
        reference.qpos[slides] += rng.uniform(-.004, .004, len(slides))
        reference.qvel[:] = rng.uniform(-.1, .1, model.nv)
        mujoco.mj_copyData(own, model, reference)
        try:
            mujoco.mj_fwdPosition(model, reference)
        except mujoco.FatalError:
            return  # the release stops where a vertex that cannot move touches a plane
        mujoco.mj_fwdVelocity(model, reference)
        self.own.call("mj_fwdPosition", model, own)
        self.own.call("mj_fwdVelocity", model, own)
        if segment_is_in_box(model, reference):
            return
        if reference.ncon >= mujoco.mjMAXCONPAIR:
            self.same_number_and_depth(own, reference)
            return
        self.same_contacts(contacts(own), contacts(reference))
        # passive contacts are damped here, and do not pull (docs/from-mujoco/departures.md)
        forces = () if model.flex_passive.any() else ("qfrc_spring", "qfrc_damper")
        for name in ("flexvert_xpos", "flexedge_length", *forces, "efc_pos", "efc_D", "efc_aref"):
            self.same(np.array(getattr(own, name)), np.array(getattr(reference, name)), name)

    def test_segments(self):
        """Contacts of ropes with what lies along them, or crosses them in a symmetric way, have the same order, too."""
        rope = '<flexcomp name="{}" type="grid" dim="1" count="5 1 1" spacing=".05 .05 .05" radius=".01" mass="1" ' \
               'pos="0 0 {}" euler="0 0 {}"><contact selfcollide="none" internal="false"/></flexcomp>'
        others = ['<geom size=".03" pos=".02 0 -.03"/>', '<geom size=".03" pos="0 0 -.03"/>',
                  '<geom type="capsule" size=".02 .08" euler="0 90 0" pos="0 0 -.02"/>',
                  '<geom type="capsule" size=".02 .08" euler="0 90 90" pos="0 0 -.02"/>',
                  '<geom type="box" size=".2 .01 .02" pos="0 0 -.02"/>', '<geom type="box" size=".01 .2 .02" pos="0 0 -.02"/>',
                  '<geom type="box" size=".07 .07 .02" euler="0 0 45" pos="0 0 -.02"/>',
                  # segments that only touch at their ends would have one contact, where that release has two
                  f'<body name="c" pos=".03 0 0">{rope.format("other", -.01, 0)}</body>',
                  f'<body name="c" pos="0 .03 0">{rope.format("other", -.01, 90)}</body>',
                  f'<body name="c" pos=".03 0 0">{rope.format("other", -.013, 180)}</body>']
        for other in others:
            for turn in (0, 90, 180):
                with self.subTest(other=other, turn=turn):
                    model = mujoco.MjModel.from_xml_string(
                        f'<mujoco><worldbody>{other}<body name="b" euler="0 0 {turn}">{rope.format("f", .005, 0)}</body>'
                        "</worldbody></mujoco>")
                    reference, own = mujoco.MjData(model), mujoco.MjData(model)
                    mujoco.mj_fwdPosition(model, reference)
                    self.own.call("mj_fwdPosition", model, own)
                    self.assertEqual(own.ncon, reference.ncon)
                    for name in ("elem", "dist", "pos", "frame"):
                        self.same(getattr(own.contact, name).astype(float),
                                  getattr(reference.contact, name).astype(float), name)

    def test_layers(self):
        """Of a crushed solid, the active layers meet each other, whatever the mode."""
        for mode, active, off in itertools.product(("auto", "narrow", "bvh", "sap"), (1, 2, 3), ("", '<flag midphase="disable"/>')):
            with self.subTest(mode=mode, active=active, off=off):
                model = mujoco.MjModel.from_xml_string(
                    f'<mujoco><option>{off}</option><worldbody><flexcomp name="f" type="grid" dim="3" count="5 4 4" spacing=".05 .05 .05" '
                    f'radius=".001" mass="1"><contact selfcollide="{mode}" internal="false" activelayers="{active}"/></flexcomp>'
                    "</worldbody></mujoco>")
                reference, own = mujoco.MjData(model), mujoco.MjData(model)
                reference.qpos[:] = np.random.default_rng(1).normal(size=model.nq) * .014
                mujoco.mj_copyData(own, model, reference)
                mujoco.mj_fwdPosition(model, reference)
                self.own.call("mj_fwdPosition", model, own)
                pairs = [sorted(map(tuple, np.sort(d.contact.elem, axis=1).tolist())) for d in (own, reference)]
                self.assertTrue(0 < len(pairs[1]) < mujoco.mjMAXCONPAIR, len(pairs[1]))
                self.assertEqual(*pairs)

    def active_nodes(self, xml: str) -> None:
        """Compares the nodes of trees that are marked where a model is at rest."""
        model = mujoco.MjModel.from_xml_string(xml)
        reference, own = mujoco.MjData(model), mujoco.MjData(model)
        mujoco.mj_fwdPosition(model, reference)
        self.own.call("mj_fwdPosition", model, own)
        self.assertEqual(own.bvh_active.tolist(), reference.bvh_active.tolist(), xml)

    def test_boxes_that_touch(self):
        """Boxes of a sphere, a box or a world with a plane that end where those of a flex begin: rounding decides alike."""
        rng = np.random.default_rng(7)
        for _ in range(300):
            size, radius, place = rng.integers(20, 90) / 1000, choose(rng, .01, .005, .002), rng.integers(-100, 100) / 1000
            margins, side = (choose(rng, 0, .001, .002), choose(rng, 0, .003)), choose(rng, -1, 1)
            shape = choose(rng, f'type="sphere" size="{size}"', f'type="box" size="{size} {size} {size}"')
            plane = choose(rng, "", '<geom type="plane" size="2 2 .1" pos="0 0 -1"/>')
            height = round(place + side * (size + radius + sum(margins)), 6)
            self.active_nodes(
                f'<mujoco><worldbody>{plane}<geom {shape} pos="0 0 {place}" margin="{margins[0]}"/><flexcomp name="f" type="grid" dim="2" '
                f'count="4 4 1" spacing=".05 .05 .05" radius="{radius}" mass="1" pos="0 0 {height}"><contact selfcollide="none" '
                f'internal="false" margin="{margins[1]}"/></flexcomp></worldbody></mujoco>')

    def test_nodes_near_fields(self):
        """A distance field marks the nodes that it is near, of triangles alone, whether boxes overlap or not."""
        field = '<mesh name="o" vertex="-.1 0 0 .1 0 0 0 -.1 0 0 .1 0 0 0 -.1 0 0 .1"/>'
        for dim, height, side in itertools.product((1, 2, 3), (.05, .11, .13, .16, .19), (0, .08)):
            count = {1: "6 1 1", 2: "4 4 1", 3: "3 3 2"}[dim]
            self.active_nodes(
                f'<mujoco><asset>{field}</asset><worldbody><geom type="plane" size="2 2 .1" pos="0 0 -1"/><geom type="sdf" mesh="o"/>'
                f'<flexcomp name="f" type="grid" dim="{dim}" count="{count}" spacing=".04 .04 .04" radius=".001" mass="1" '
                f'pos="{side} 0 {height}"><contact selfcollide="none" internal="false"/></flexcomp></worldbody></mujoco>')

    def test_random_models(self):
        compared = kept = 0
        for seed in range(MODELS):
            xml = model_xml(seed)
            try:
                model = mujoco.MjModel.from_xml_string(xml)
            except ValueError:
                continue  # what the release does not compile is no measure
            with self.subTest(seed=seed):
                self.same_models(self.own.compile(xml), model)
                reference, own = mujoco.MjData(model), mujoco.MjData(model)
                rng = np.random.default_rng(seed)
                for state in range(STATES):
                    with self.subTest(state=state):
                        self.check(model, rng, reference, own)
                        kept += reference.ncon >= mujoco.mjMAXCONPAIR
                compared += 1
        self.assertGreater(compared, MODELS * 2 // 3)
        self.assertGreater(kept, 0, "no model had more contacts than are kept")


if __name__ == "__main__":
    unittest.main()
