"""System identification: mass and damping of a pendulum from a recorded motion, by Gauss and Newton's method.

The residual is measured minus simulated angles; its derivatives by parameters are finite differences of rollouts, one
world for each parameter, with parameters of their own.

    python examples/system_identification.py      # prints parameters of each iteration; exit code 0 when they are found
"""

import argparse

import numpy as np

import sinew

PENDULUM = """
<mujoco>
  <option timestep="0.01" integrator="implicitfast"/>
  <worldbody>
    <body name="arm" pos="0 0 1">
      <joint name="hinge" axis="0 1 0" damping="{damping}"/>
      <geom type="capsule" fromto="0 0 0 0 0 -.5" size=".03" mass="{mass}"/>
    </body>
  </worldbody>
  <actuator><motor joint="hinge"/></actuator>
</mujoco>"""
TRUTH = {"mass": 1.3, "damping": 0.12}


def record(steps, noise, rng):
    """The motion of the true pendulum under a chirp: controls and angles."""
    data = sinew.Data(sinew.Model.from_xml_string(PENDULUM.format(**TRUTH)))
    time = np.arange(steps) * data.model.opt.timestep
    controls = np.sin(2 * np.pi * (0.2 + 0.3 * time) * time)[:, None]
    angles = []
    for control in controls:
        data.ctrl[:] = control
        data.step()
        angles.append(data.qpos[0])
    return controls, np.array(angles) + noise * rng.standard_normal(steps)


class Identification:
    """Simulated angles for guesses, all at once."""

    def __init__(self, guesses):
        self.model = sinew.Model.from_xml_string(PENDULUM.format(mass=1, damping=0.1))
        self.batch = sinew.Batch(self.model, guesses)
        self.mass, self.inertia = self.batch.parameter("body_mass"), self.batch.parameter("body_inertia")
        self.damping = self.batch.parameter("dof_damping")

    def simulate(self, guesses, controls):
        # the shape is known: inertia grows with mass
        self.mass[:, 1] = guesses[:, 0]
        self.inertia[:, 1] = self.model.body_inertia[1] * (guesses[:, :1] / self.model.body_mass[1])
        self.damping[:, 0] = guesses[:, 1]
        self.batch.set_const()
        self.batch.reset()
        control = np.repeat(controls[None], len(guesses), axis=0)
        return self.batch.rollout(control, ["qpos"])["qpos"][:, :, 0]


def identify(controls, angles, guess, iterations, show):
    step = 1e-6
    identification = Identification(1 + len(guess))
    for i in range(iterations):
        guesses = guess + np.vstack((np.zeros(len(guess)), step * np.eye(len(guess))))
        simulated = identification.simulate(guesses, controls)
        residual = angles - simulated[0]
        jacobian = (simulated[1:] - simulated[0]).T / step
        change = np.linalg.lstsq(jacobian, residual, rcond=None)[0]
        if show:
            print(f"{i}: mass {guess[0]:.5f}  damping {guess[1]:.5f}  residual {np.sqrt(np.mean(residual**2)):.2e} rad")
        guess = np.maximum(guess + change, 0.1 * guess)
    return guess


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--steps", type=int, default=300, help="steps of the recording (default 300)")
    parser.add_argument("--noise", type=float, default=1e-3, help="of the measured angles [rad] (default 0.001)")
    parser.add_argument("--iterations", type=int, default=8, help="(default 8)")
    options = parser.parse_args()
    controls, angles = record(options.steps, options.noise, np.random.default_rng(0))
    found = identify(controls, angles, np.array([0.8, 0.3]), options.iterations, show=True)
    truth = np.array([TRUTH["mass"], TRUTH["damping"]])
    print(f"found mass {found[0]:.4f}, damping {found[1]:.4f}; true {truth[0]}, {truth[1]}")
    return 0 if np.allclose(found, truth, rtol=0.02) else 1


if __name__ == "__main__":
    raise SystemExit(main())
