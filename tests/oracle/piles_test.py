"""Contacts of random piles of every pair of primitives, against those of the release whose interface this is.

Pairs that have formulas must have the same contacts to 1e-10, but where they are better here on purpose
(docs/from-mujoco/departures.md): boxes have all corners of their patch, and a capsule whose axis is inside of a box leaves it
by the shortest way, which tests/property/contact_depth_test.cc measures. Of the others the presence, the deepest distance and its
normal are compared: their contact points are what an iteration finds.

Needs what libraries.py says, and the package mujoco, whose models and states our library reads as its own.
"""

import ctypes
import itertools
import unittest

try:
    import mujoco
    import numpy as np
except ImportError:
    mujoco = None

from in_box import line_is_in_box
from libraries import AVAILABLE, NEEDS, OWN

TYPES = ("plane", "sphere", "capsule", "ellipsoid", "cylinder", "box")
FORMULAS = {("sphere", "sphere"), ("sphere", "capsule"), ("sphere", "cylinder"), ("sphere", "box"),
            ("capsule", "capsule"), ("capsule", "box"), ("box", "box")}
NAMES = dict(zip((0, 2, 3, 4, 5, 6), TYPES))  # by mjtGeom
STATES = 60  # of each pile
BODIES = 6   # of either type

EXACT = 1e-10     # of contacts by formulas: rounding, with cancellation at grazing poses
TOUCHING = 1e-6   # m: contacts this shallow may be found by one and not by the other
DISTANCE = 2e-3   # of the size: the release ends its iterations at about this error
NORMAL = 5e-2     # rad: its root
LOST = 0.005      # in this share of pairs of boxes the release has a corner that is not on both of them
OUTLIERS = 0.03   # in this share of pairs it ends at another local minimum; sampling directions confirms our depths


def has_formula(pair: tuple[str, str]) -> bool:
    """Returns whether the contacts of a pair of types are unique."""
    return pair[0] == "plane" or pair in FORMULAS


def geom(kind: str, rng) -> str:
    """Returns a geom of random size."""
    size = " ".join(f"{x:.6f}" for x in rng.uniform(0.05, 0.15, 3))
    return f'<geom type="{kind}" size="{size}"/>'


def pile(pair: tuple[str, str], rng):
    """Returns a model with bodies of both types; a plane stands in the world instead of the first."""
    kinds = [pair[1]] * BODIES + ([] if pair[0] == "plane" else [pair[0]] * BODIES)
    bodies = "".join(f"<body><freejoint/>{geom(kind, rng)}</body>" for kind in kinds)
    ground = '<geom type="plane" size="1 1 1" euler="10 20 30"/>' if pair[0] == "plane" else ""
    # with one contact for a pair of shapes without formula, the deepest one is compared, not how it is multiplied
    return mujoco.MjModel.from_xml_string(
        f'<mujoco><option ccd_tolerance="1e-10" ccd_iterations="200"><flag multiccd="disable"/></option>'
        f"<worldbody>{ground}{bodies}</worldbody></mujoco>")


def scatter(model, data, rng) -> None:
    """Moves all bodies to random poses close together."""
    pose = data.qpos.reshape(-1, 7)
    pose[:, :3] = rng.uniform(-0.25, 0.25, pose[:, :3].shape)
    pose[:, 3:] = rng.normal(size=pose[:, 3:].shape)
    mujoco.mj_kinematics(model, data)
    mujoco.mj_comPos(model, data)


def contacts(data) -> dict:
    """Returns distance, position and normal of the contacts of each pair of geoms."""
    found = {}
    for contact in data.contact[:data.ncon]:
        row = np.concatenate([[contact.dist], contact.pos, contact.frame[:3]])
        found.setdefault(tuple(map(int, contact.geom)), []).append(row)
    return found


def axis_is_in_box(model, data, capsule: int, box: int) -> bool:
    """Returns whether a point of a capsule's axis is inside of a box."""
    along = data.geom_xmat[capsule].reshape(3, 3)[:, 2] * model.geom_size[capsule][1]
    return line_is_in_box(model, data, data.geom_xpos[capsule] - along, data.geom_xpos[capsule] + along, box)


def holds(ours: list, theirs: list) -> bool:
    """Returns whether every contact of theirs is one of ours."""
    return all(min(np.abs(row - other).max() for other in ours) < EXACT for row in theirs)


def agree(ours: list, theirs: list, size: float) -> bool:
    """Returns whether the deepest of either contacts agree."""
    mine, other = (min(rows, key=lambda row: row[0]) for rows in (ours, theirs))
    return abs(mine[0] - other[0]) < DISTANCE * size and np.linalg.norm(mine[4:] - other[4:]) < NORMAL


@unittest.skipUnless(AVAILABLE, NEEDS)
class Piles(unittest.TestCase):
    """Every pair of types in a pile of its own."""

    @classmethod
    def setUpClass(cls):
        cls.library = ctypes.CDLL(str(OWN))
        cls.library.mj_collision.argtypes = [ctypes.c_void_p, ctypes.c_void_p]

    def compare_exactly(self, ours: list, theirs: list) -> None:
        self.assertEqual(len(ours), len(theirs))
        self.assertTrue(holds(ours, theirs))

    def compare_formulas(self, model, data, geoms: tuple[int, int], ours: list, theirs: list) -> bool:
        """Compares a pair with a formula; returns whether boxes have lost a corner."""
        kinds = tuple(NAMES[model.geom_type[geom]] for geom in geoms)
        if kinds == ("box", "box"):
            self.assertLess(np.abs(ours[0][4:] - theirs[0][4:]).max(), EXACT)
            return not holds(ours, theirs)
        if kinds != ("capsule", "box") or not axis_is_in_box(model, data, *geoms):
            self.compare_exactly(ours, theirs)
        return False

    def check(self, pair: tuple[str, str], seed: int) -> tuple[int, int, int]:
        """Returns how many pairs of geoms touch, how many of those touch differently, and how many boxes lose corners."""
        rng = np.random.default_rng(seed)
        model = pile(pair, rng)
        reference, own = mujoco.MjData(model), mujoco.MjData(model)
        count = different = lost = 0
        for state in range(STATES):
            scatter(model, reference, rng)
            mujoco.mj_copyData(own, model, reference)
            mujoco.mj_collision(model, reference)
            self.library.mj_collision(model._address, own._address)
            theirs, ours = contacts(reference), contacts(own)
            count += len(theirs)
            for geoms in theirs.keys() | ours.keys():
                with self.subTest(pair=pair, state=state, geoms=geoms):
                    rows = theirs.get(geoms) or ours[geoms]
                    if geoms not in theirs or geoms not in ours:
                        self.assertGreater(min(row[0] for row in rows), -TOUCHING)
                    elif has_formula(tuple(NAMES[model.geom_type[geom]] for geom in geoms)):
                        lost += self.compare_formulas(model, reference, geoms, ours[geoms], theirs[geoms])
                    else:
                        size = min(model.geom_rbound[list(geoms)])
                        different += not agree(ours[geoms], theirs[geoms], size)
        return count, different, lost

    def test_every_pair(self):
        for seed, pair in enumerate(itertools.combinations_with_replacement(TYPES, 2)):
            if pair != ("plane", "plane"):
                count, different, lost = self.check(pair, seed)
                self.assertGreater(count, STATES)
                self.assertLessEqual(different, OUTLIERS * count, pair)
                self.assertLessEqual(lost, LOST * count, pair)

    def test_sphere_that_just_touches_a_cylinder(self):
        """Whether there is a contact hangs on the last bit: both must round alike on side, cap and rim."""
        rng = np.random.default_rng(0)
        for case in range(600):
            radius, half, ball = (round(x, 2) for x in rng.uniform(0.05, 0.3, 3))
            angle = rng.uniform(0, np.pi / 2)
            place = [(radius + ball, 0, round(rng.uniform(-0.5, 0.5) * half, 3)),
                     (round(0.9 * rng.uniform(0, radius), 3), 0, half + ball),
                     (radius + ball * np.cos(angle), 0, half + ball * np.sin(angle))][case % 3]
            pose = 'pos="{} {} {}" euler="{} {} {}"'.format(*np.round(rng.uniform(-1, 1, 3), 2),
                                                            *np.round(rng.uniform(-180, 180, 3)))
            model = mujoco.MjModel.from_xml_string(
                f'<mujoco><worldbody><geom type="cylinder" size="{radius} {half}" {pose}/><body {pose}>'
                f'<body pos="{" ".join(repr(float(x)) for x in place)}"><joint/><geom size="{ball}"/></body>'
                "</body></worldbody></mujoco>")
            reference, own = mujoco.MjData(model), mujoco.MjData(model)
            mujoco.mj_kinematics(model, reference)
            mujoco.mj_comPos(model, reference)
            mujoco.mj_copyData(own, model, reference)
            mujoco.mj_collision(model, reference)
            self.library.mj_collision(model._address, own._address)
            with self.subTest(case=case):
                self.assertEqual(own.ncon, reference.ncon)
                if own.ncon:
                    self.assertEqual(own.contact.dist[0], reference.contact.dist[0])


if __name__ == "__main__":
    unittest.main()
