"""Inverse dynamics of a recorded motion: which torques moved an arm, given its angles over time.

Velocities and accelerations are central differences of the angles. The torques that are found, put into the simulation
again, repeat the motion.

    python examples/inverse_dynamics.py           # prints errors; exit code 0 when torques and motion agree
"""

import argparse

import numpy as np

import sinew

ARM = """
<mujoco>
  <option timestep="0.001"/>
  <worldbody>
    <body pos="0 0 1">
      <joint name="shoulder" axis="0 1 0" damping=".2"/>
      <geom type="capsule" fromto="0 0 0 .3 0 0" size=".04"/>
      <body pos=".3 0 0">
        <joint name="elbow" axis="0 1 0" damping=".1"/>
        <geom type="capsule" fromto="0 0 0 .25 0 0" size=".03"/>
      </body>
    </body>
  </worldbody>
  <actuator><motor joint="shoulder"/><motor joint="elbow"/></actuator>
</mujoco>"""


def record(data, steps):
    """Angles before each step and after the last, and the torques that made them."""
    angles, torques = [data.qpos.copy()], []
    for i in range(steps):
        time = i * data.model.opt.timestep
        data.ctrl[:] = 6 + 2 * np.sin(4 * time), 2 * np.cos(7 * time)
        data.step()
        torques.append(data.ctrl.copy())
        angles.append(data.qpos.copy())
    return np.array(angles), np.array(torques)


def torques_of(data, angles):
    """Torques between the second and the last but one of the angles."""
    h = data.model.opt.timestep
    found = []
    for before, now, after in zip(angles, angles[1:], angles[2:]):
        data.qpos[:], data.qvel[:], data.qacc[:] = now, (now - before) / h, (after - 2 * now + before) / h**2
        data.inverse()
        found.append(data.qfrc_inverse.copy())
    return np.array(found)


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--steps", type=int, default=1000, help="steps of the recording (default 1000)")
    options = parser.parse_args()
    model = sinew.Model.from_xml_string(ARM)
    model.opt.enableflags |= int(sinew.mjtEnableBit.mjENBL_INVDISCRETE)
    angles, torques = record(sinew.Data(model), options.steps)
    found = torques_of(sinew.Data(model), angles)
    error = np.abs(found - torques[1:]).max()
    print(f"largest error of the torques: {error:.1e} N m of {np.abs(torques).max():.1f} N m")

    repeated = sinew.Data(model)
    repeated.qpos[:], repeated.qvel[:] = angles[1], (angles[1] - angles[0]) / model.opt.timestep
    for torque in found:
        repeated.ctrl[:] = torque
        repeated.step()
    drift = np.abs(repeated.qpos - angles[-1]).max()
    print(f"the repeated motion ends {drift:.1e} rad beside the recorded one")
    return 0 if error < 1e-5 and drift < 1e-6 else 1


if __name__ == "__main__":
    raise SystemExit(main())
