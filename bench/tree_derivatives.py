"""Times derivatives of the forward dynamics of a tree of 36 dofs without contacts, beside Pinocchio's.

    python3 bench/tree_derivatives.py [--dofs 36]

Needs the packages `sinew` and `pin` (both by pip). Both have the same tree: a floating base with five limbs of hinges. Pinocchio computes the joint-space derivatives of its forward dynamics (ABA derivatives); the engine A and
B of a step, which contain them: the step's own dynamics, their derivatives by position, velocity and force, and the solution
with the inertia matrix. Each library is called from Python, on preallocated data; rounds alternate, the median of processor
time counts. The derivatives are compared first.
"""

import argparse
import statistics
import sys
import time
from xml.etree import ElementTree

import numpy as np

import sinew


LIMBS = 5


def tree(dofs):
    """Links: name, mass, parent, position, turn about z, and axis. A trunk and chains of hinges with skew axes."""
    yield "trunk", 3.0, None, "0 0 0", 0, None
    for i in range(dofs - 6):
        limb, depth = i % LIMBS, i // LIMBS
        angle = 2 * np.pi * limb / LIMBS
        position = f"{0.2 * np.cos(angle):.6f} {0.2 * np.sin(angle):.6f} 0" if depth == 0 else "0.02 0.03 -0.2"
        axis = ("1 0 0", "0 1 0", "0 0 1")[(i + depth) % 3]
        yield f"l{i}", 0.5 + 0.01 * i, "trunk" if depth == 0 else f"l{i - LIMBS}", position, 0.05 * limb, axis


def inertia_of(mass):
    return 0.02 * mass, 0.03 * mass, 0.01 * mass


def urdf(dofs):
    lines = ['<robot name="tree">']
    for name, mass, parent, position, turn, axis in tree(dofs):
        x, y, z = inertia_of(mass)
        lines.append(
            f'<link name="{name}"><inertial><origin xyz="0.01 0.02 -0.1" rpy="0 0 0"/><mass value="{mass}"/>'
            f'<inertia ixx="{x}" iyy="{y}" izz="{z}" ixy="0" ixz="0" iyz="0"/></inertial></link>'
        )
        if parent:
            lines.append(
                f'<joint name="{name}" type="revolute"><parent link="{parent}"/><child link="{name}"/>'
                f'<origin xyz="{position}" rpy="0.1 0.2 {turn}"/><axis xyz="{axis}"/>'
                '<limit lower="-9" upper="9" effort="999" velocity="999"/></joint>'
            )
    return "\n".join([*lines, "</robot>"])


def mjcf(dofs):
    """The same tree, with the free joint that Pinocchio is given apart from the file."""
    bodies = {}
    for name, mass, parent, position, turn, axis in tree(dofs):
        joint = f'<joint name="{name}" axis="{axis}"/>' if parent else "<freejoint/>"
        body = ElementTree.fromstring(
            f'<body name="{name}" pos="{position}" euler="{"0.1 0.2 " + str(turn) if parent else "0 0 0"}">{joint}'
            f'<inertial pos="0.01 0.02 -0.1" mass="{mass}" diaginertia="{" ".join(map(str, inertia_of(mass)))}"/></body>'
        )
        bodies[name] = body
        if parent:
            bodies[parent].append(body)
    return (
        '<mujoco><compiler angle="radian" eulerseq="XYZ" balanceinertia="false"/><worldbody>'
        + ElementTree.tostring(bodies["trunk"], encoding="unicode")
        + "</worldbody></mujoco>"
    )


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--dofs", type=int, default=36)
    parser.add_argument("--rounds", type=int, default=21)
    parser.add_argument("--require", type=float, help="exit code 1 if we take more than so many times Pinocchio's time")
    options = parser.parse_args()
    import pinocchio as pin

    model = sinew.Model.from_xml_string(mjcf(options.dofs))
    data = sinew.Data(model)
    theirs = pin.buildModelFromXML(urdf(options.dofs), pin.JointModelFreeFlyer())
    scratch = theirs.createData()
    nv, h = model.nv, model.opt.timestep
    assert nv == theirs.nv == options.dofs, (nv, theirs.nv)

    rng = np.random.default_rng(0)
    joints = rng.uniform(-1, 1, nv - 6)
    order = [theirs.joints[theirs.getJointId(model.joint(i).name)].idx_v for i in range(1, model.njnt)]
    q = pin.neutral(theirs)
    q[np.array(order) + 1] = joints  # behind the quaternion
    data.qpos[7:] = joints
    velocity, force = rng.uniform(-1, 1, nv - 6), rng.uniform(-1, 1, nv - 6)
    v, tau = np.zeros(nv), np.zeros(nv)
    v[order], tau[order] = velocity, force
    data.qvel[6:], data.qfrc_applied[6:] = velocity, force

    # the dofs of hinges have the same coordinates in both
    A, _ = data.linearize()
    pin.computeABADerivatives(theirs, scratch, q, v, tau)
    by_q, by_v = (x[np.ix_(order, order)] for x in (scratch.ddq_dq, scratch.ddq_dv))
    ours_q, ours_v = A[nv + 6 :, 6:nv] / h, (A[nv + 6 :, nv + 6 :] - np.eye(nv - 6)) / h
    for found, expected in ((ours_q, by_q), (ours_v, by_v)):
        error = np.abs(found - expected).max() / np.abs(expected).max()
        print(f"difference from Pinocchio, relative: {error:.1e}")
        if error > 1e-9:
            return 1

    def seconds(function, repeats=300):
        begin = time.process_time()
        for _ in range(repeats):
            function()
        return (time.process_time() - begin) / repeats

    pairs = [
        (seconds(lambda: pin.computeABADerivatives(theirs, scratch, q, v, tau)), seconds(data.linearize))
        for _ in range(options.rounds)
    ]
    their_time, our_time = (statistics.median(side) for side in zip(*pairs))
    print(f"Pinocchio {1e6 * their_time:.1f} us, A and B of a step {1e6 * our_time:.1f} us: {our_time / their_time:.2f} times")
    return 1 if options.require and our_time > options.require * their_time else 0


if __name__ == "__main__":
    sys.exit(main())
