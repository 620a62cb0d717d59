"""Sampling control: swings a pendulum up with a motor too weak to lift it, by model predictive path integral control.

Each control step samples many control sequences around the current plan, rolls all of them out in one call, and takes
their mean weighted by exp(-cost / temperature) (G. Williams, A. Aldrich, E. Theodorou, "Model Predictive Path Integral
Control", Journal of Guidance, Control and Dynamics 40, 2017).

    python examples/mppi.py                       # prints angle and cost; exit code 0 when the pendulum stands
"""

import argparse

import numpy as np

import sinew

PENDULUM = """
<mujoco>
  <option timestep="0.02" integrator="implicitfast"/>
  <worldbody>
    <body pos="0 0 1">
      <joint name="hinge" axis="0 1 0" damping="0.05"/>
      <geom type="capsule" fromto="0 0 0 0 0 -.5" size=".03" mass=".2"/>
      <geom type="sphere" pos="0 0 -.5" size=".08" mass="1"/>
    </body>
  </worldbody>
  <actuator><motor joint="hinge" ctrlrange="-2 2" ctrllimited="true"/></actuator>
</mujoco>"""


def cost(qpos, qvel, control):
    """Costs of trajectories: samples x steps x ... -> samples."""
    upright = 1 + np.cos(qpos[..., 0])  # 0 when it stands
    return np.sum(4 * upright + 0.05 * qvel[..., 0] ** 2 + 0.01 * control[..., 0] ** 2, axis=1)


class Planner:
    """The plan, and its improvement from a state."""

    def __init__(self, model, samples, horizon, noise=1.5, temperature=0.1, seed=0):
        self.batch = sinew.Batch(model, samples)
        self.plan = np.zeros((horizon, model.nu))
        self.low, self.high = model.actuator_ctrlrange.T
        self.noise, self.temperature, self.rng = noise, temperature, np.random.default_rng(seed)

    def improve(self, data):
        for name in ("qpos", "qvel"):
            self.batch.state(name)[:] = getattr(data, name)
        samples = np.clip(self.plan + self.noise * self.slow_noise(), self.low, self.high)
        result = self.batch.rollout(samples, ["qpos", "qvel"])
        costs = cost(result["qpos"], result["qvel"], samples)
        # the temperature is relative to how much costs differ
        weights = np.exp(-(costs - costs.min()) / (self.temperature * costs.std() + 1e-9))
        self.plan = np.tensordot(weights / weights.sum(), samples, axes=1)
        return costs.min()

    def slow_noise(self, knot=10):
        """Noise that is linear between knots: what changes at each step averages out before it moves anything."""
        steps, inputs = self.plan.shape
        knots = self.rng.standard_normal((self.batch.count, steps // knot + 2, inputs))
        place = np.arange(steps) / knot
        left, share = place.astype(int), (place % 1)[:, None]
        return (1 - share) * knots[:, left] + share * knots[:, left + 1]

    def next_control(self):
        control = self.plan[0].copy()
        self.plan = np.concatenate((self.plan[1:], np.zeros_like(self.plan[:1])))
        return control


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--samples", type=int, default=128, help="control sequences for each plan (default 128)")
    parser.add_argument("--horizon", type=int, default=80, help="steps of a sequence (default 80)")
    parser.add_argument("--time", type=float, default=5, help="simulated time [s] (default 5)")
    options = parser.parse_args()
    model = sinew.Model.from_xml_string(PENDULUM)
    data, planner = sinew.Data(model), Planner(model, options.samples, options.horizon)
    while data.time < options.time:
        best = planner.improve(data)
        data.ctrl[:] = planner.next_control()
        data.step()
        if round(data.time / model.opt.timestep) % 50 == 0:
            print(f"t = {data.time:4.1f} s   angle {np.degrees(data.qpos[0]):7.1f} degrees   cost {best:7.1f}")
    stands = np.cos(data.qpos[0]) < -0.9
    print("it stands" if stands else "it does not stand")
    return 0 if stands else 1


if __name__ == "__main__":
    raise SystemExit(main())
