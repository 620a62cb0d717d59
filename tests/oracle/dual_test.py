"""Gauss-Seidel and noslip on the rows of the release whose interface this is.

Random piles, some with a cloth, of contacts of all dimensions, limits and friction loss. That release makes the rows, both
solve them. Elliptic cones under Gauss-Seidel are left out: ours leave their apex (docs/how/solvers.md). So are conjugate
gradients, which stop early there.

Needs what libraries.py says, and the package mujoco, whose models and states our library reads as its own.
"""

import ctypes
import unittest

try:
    import mujoco
    import numpy as np
except ImportError:
    mujoco = None

from libraries import AVAILABLE, NEEDS, OWN

MODELS = 120
STEPS, EVERY = 120, 10
# Parts of the largest force: sweeps end at a tolerance, and blocks that are nearly singular enlarge rounding by 1e9.
EXACT = 1e-6
JOINTS = ('<freejoint/>',
          '<joint type="slide" axis="1 0 0" frictionloss=".5"/><joint type="slide" axis="0 0 1"/>',
          '<joint type="slide" axis="0 0 1"/><joint axis="0 1 0" range="-10 10" frictionloss=".05"/>',
          '<joint type="slide" axis="0 0 1" frictionloss=".1"/><joint type="ball" range="0 5"/>')
FINGER = ('<body pos=".12 0 0"><joint axis="0 1 0" armature=".001" range="-30 30" frictionloss=".02"/>'
          '<geom type="capsule" size=".03" fromto="0 0 0 .12 0 0" {}/></body>')
CLOTH = ('<flexcomp name="f" type="grid" dim="2" count="3 3 1" spacing=".06 .05 .05" radius=".01" mass=".3" pos="0 0 .02">'
         '<edge equality="true"/><contact selfcollide="none" {}/></flexcomp>')


def choose(rng, *values):
    """Returns one of the values."""
    return values[rng.integers(len(values))]


def surface(rng) -> str:
    """Returns the attributes of a contact."""
    slide, spin, roll = rng.uniform((.1, .002, .0002), (1.6, .05, .01))
    return f'friction="{slide:.4g} {spin:.4g} {roll:.4g}" condim="{choose(rng, 1, 3, 4, 6)}"'


def body(rng, height: float) -> str:
    """Returns a body of a pile."""
    x, y, a, b, c = rng.uniform((-.1, -.1, -20, -20, 0), (.1, .1, 20, 20, 90))
    size = " ".join(f"{s:.4g}" for s in rng.uniform(.06, .1, 3))
    kind = choose(rng, "sphere", "box", "capsule", "ellipsoid")
    finger = FINGER.format(surface(rng)) if rng.random() < .4 else ""
    return (f'<body pos="{x:.3f} {y:.3f} {height:.3f}" euler="{a:.3f} {b:.3f} {c:.3f}">{choose(rng, *JOINTS)}'
            f'<geom type="{kind}" size="{size}" density="{rng.uniform(200, 1500):.4g}" {surface(rng)}/>{finger}</body>')


def model_xml(seed: int) -> str:
    """Returns a pile that falls onto a plane."""
    rng = np.random.default_rng(seed)
    solver, cone = choose(rng, ("PGS", "pyramidal"), ("Newton", "pyramidal"), ("Newton", "elliptic"))
    noslip = choose(rng, 0, 3) if solver == "PGS" else choose(rng, 1, 3, 10)
    option = (f'solver="{solver}" cone="{cone}" noslip_iterations="{noslip}" jacobian="{choose(rng, "dense", "sparse")}" '
              f'impratio="{choose(rng, 1, 1, 2, 10)}" tolerance="0" noslip_tolerance="{choose(rng, "1e-6", "0")}"')
    cloth = CLOTH.format(surface(rng)) if rng.random() < .3 else ""
    bodies = "".join(body(rng, .12 + .17 * i) for i in range(rng.integers(1, 4)))
    # that release asks of the whole world whether the forces to start from are better than none; we ask each island
    start = '<flag warmstart="disable"/>' if solver == "PGS" else ""
    return (f'<mujoco><option {option}>{start}</option><worldbody><geom type="plane" size="3 3 .1" {surface(rng)}/>{cloth}{bodies}'
            "</worldbody></mujoco>")


@unittest.skipUnless(AVAILABLE, NEEDS)
class DualSolvers(unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        cls.solve = ctypes.CDLL(str(OWN)).mj_fwdConstraint
        cls.solve.argtypes = [ctypes.c_void_p, ctypes.c_void_p]

    def check(self, model, state) -> bool:
        """Compares the solutions in a state; returns whether there are rows."""
        data, own = mujoco.MjData(model), mujoco.MjData(model)
        mujoco.mj_copyData(data, model, state)
        for stage in (mujoco.mj_fwdPosition, mujoco.mj_fwdVelocity, mujoco.mj_fwdActuation, mujoco.mj_fwdAcceleration):
            stage(model, data)
        if not np.isfinite(data.efc_AR).all():
            return False  # the release adds to memory that it has not cleared, in some sparse matrices of cloths
        mujoco.mj_copyData(own, model, data)
        mujoco.mj_fwdConstraint(model, data)
        self.solve(model._address, own._address)
        # no force turns vertices of a cloth, and rounding decides how much of it the edges of a pyramid would turn
        names = ("qacc", "qfrc_constraint") if model.nflex else ("qacc", "qfrc_constraint", "efc_force")
        for name in names:
            ours, theirs = getattr(own, name), getattr(data, name)
            if theirs.size:
                self.assertLess(np.abs(ours - theirs).max(), EXACT * max(np.abs(theirs).max(), 1e-3), name)
        # what rounding leaves at, or beside, the ends of a force has either state
        scalar = np.isin(data.efc_type, (mujoco.mjtConstraint.mjCNSTR_CONTACT_PYRAMIDAL,
                                         mujoco.mjtConstraint.mjCNSTR_CONTACT_FRICTIONLESS))
        clear = scalar & (model.nflex == 0) & (np.abs(data.efc_force) > EXACT * np.abs(data.efc_force).max(initial=0))
        self.assertEqual(own.efc_state[clear].tolist(), data.efc_state[clear].tolist())
        return data.nefc > 0

    def test_random_piles(self):
        compared = 0
        for seed in range(MODELS):
            try:
                model = mujoco.MjModel.from_xml_string(model_xml(seed))
            except ValueError:
                continue  # as below, at rest
            data = mujoco.MjData(model)
            with self.subTest(seed=seed):
                for step in range(STEPS):
                    try:
                        mujoco.mj_step(model, data)
                        compared += step % EVERY == 0 and self.check(model, data)
                    except mujoco.FatalError:
                        break  # the release miscounts the columns of some sparse matrices
        self.assertGreater(compared, 800)


if __name__ == "__main__":
    unittest.main()
