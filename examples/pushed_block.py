"""Gradients through contact: a block that a finger pushes over a table.

First the friction of the block and the damping of the finger are found from a recorded motion of both. Then the controls of the
finger, one for each step, are changed by gradient descent until the block comes to a place. Both use the gradient of a
rollout, whose cost does not grow with the number of unknowns; the times of the same gradients by finite differences of
rollouts are shown beside. Contacts are soft and the finger touches the block from the start: steps in which a contact
begins or ends are kinks of the path, in which slopes say little.

    python examples/pushed_block.py      # prints iterations; exit code 0 when both are reached
"""

import argparse
import time

import numpy as np

import sinew

MODEL = """
<mujoco>
  <option timestep=".005" cone="elliptic" tolerance="1e-14" iterations="100"/>
  <worldbody>
    <geom name="table" type="plane" size="5 5 .1" friction=".01"/>
    <body name="block" pos="0 0 .1">
      <joint type="slide" axis="1 0 0"/><joint type="slide" axis="0 0 1"/>
      <geom name="block" type="box" size=".1 .1 .1" friction=".08" solref=".1 1"/>
    </body>
    <body pos="-.179 0 .1">
      <joint name="finger" type="slide" axis="1 0 0" damping="4" armature=".1"/><geom size=".08" solref=".1 1" condim="1"/>
    </body>
  </worldbody>
  <actuator><position joint="finger" kp="100" kv="4"/></actuator>
</mujoco>"""
TRUTH = {"friction": 0.08, "damping": 4.0}


class Push:
    """Rollouts: the paths of block and finger, and gradients of sums of weights times the paths. Worlds differ in their
    weights alone."""

    def __init__(self, steps, worlds=1):
        self.batch = sinew.Batch(sinew.Model.from_xml_string(MODEL), worlds)
        self.model, self.steps = self.batch.model, steps
        self.friction = self.batch.parameter("geom_friction")
        self.damping = self.batch.parameter("dof_damping")
        self.start = {name: self.batch.state(name).copy() for name in ("qpos", "qvel", "qacc_warmstart")}
        self.block = self.model.geom("block").id

    def set(self, friction, damping):
        self.friction[:, self.block, 0], self.damping[:, 2] = friction, damping

    def _restart(self):
        for name, values in self.start.items():
            self.batch.state(name)[:] = values

    def path(self, controls):
        """x of block and finger after each step [m], in the first world."""
        self._restart()
        first = np.arange(self.batch.count) == 0
        return self.batch.rollout(controls[None, :, None], ["qpos"], mask=first)["qpos"][0][:, [0, 2]]

    def gradient(self, controls, weights, parameters=()):
        """By controls and by parameters, of each world; weights: worlds x steps x 2."""
        self._restart()
        worlds = self.batch.count
        slopes = np.zeros((worlds, self.steps, self.model.nq + self.model.nv))
        slopes[..., [0, 2]] = weights
        all_controls = np.repeat(controls[None, :, None], worlds, 0)
        _, by_control, by = self.batch.rollout_gradient(all_controls, slopes, list(parameters))
        return by_control[..., 0], by


def minimize(function, x, iterations, done):
    """Quasi-Newton descent (BFGS) from x; `function` gives value and gradient."""
    value, slope = function(x)
    inverse = 0.1 / np.linalg.norm(slope) * np.eye(len(x))
    for i in range(iterations):
        print(f"  {i}: {value:.3e}  at {np.array2string(x[:4], precision=5)}")
        if done(value):
            break
        way, length = -inverse @ slope, 1.0
        while length > 1e-6:
            new_value, new_slope = function(x + length * way)
            if new_value < value + 1e-4 * length * (slope @ way):
                break
            length *= 0.5
        else:
            break  # no descent any more
        step, change = length * way, new_slope - slope
        x, value, slope = x + step, new_value, new_slope
        product = step @ change
        if product > 0:
            left = np.eye(len(x)) - np.outer(step, change) / product
            inverse = left @ inverse @ left.T + np.outer(step, step) / product
    return x, value


def compare(unknowns, gradient, change, step=1e-6):
    """The same gradient by differences (`change` between both sides of a step), and the processor time of both."""
    begin = time.process_time()
    slopes = gradient()
    middle = time.process_time()
    differences = np.stack([change(way) / (2 * step) for way in step * np.eye(unknowns)], -1)
    end = time.process_time()
    error = np.abs(slopes - differences).max() / np.abs(differences).max()
    print(f"  {unknowns} unknowns: gradient {1e3 * (middle - begin):.1f} ms, differences {1e3 * (end - middle):.1f} ms; "
          f"they differ by {error:.0e} of the largest")


def identify(steps):
    """Gauss and Newton's method: the slopes of each measured position are the gradient of one world of a batch."""
    times = np.linspace(steps // 5, steps - 1, 12).astype(int)
    push, controls = Push(steps, worlds=2 * len(times)), 0.35 * np.minimum(1, np.arange(steps) / 100)
    weights = np.zeros((2 * len(times), steps, 2))
    for k, t in enumerate(times):
        weights[2 * k, t, 0] = weights[2 * k + 1, t, 1] = 1

    def measured(x):
        push.set(*x)
        return push.path(controls)[times].ravel()

    def slopes(x):
        push.set(*x)
        by = push.gradient(controls, weights, ["geom_friction", "dof_damping"])[1]
        return np.stack((by["geom_friction"][:, push.block], by["dof_damping"][:, 2]), 1)

    seen = measured(TRUTH.values())
    print(f"friction of the block and damping of the finger from a motion over {seen[-2]:.2f} m:")
    guess = np.array([0.12, 3.0])
    compare(2, lambda: slopes(guess), lambda step: (measured(guess + step) - measured(guess - step)))
    for i in range(12):
        residual = measured(guess) - seen
        print(f"  {i}: friction {guess[0]:.6f}  damping {guess[1]:.5f}  residual {np.abs(residual).max():.1e} m")
        if np.abs(residual).max() < 1e-9:
            break
        guess = np.maximum(guess - np.linalg.lstsq(slopes(guess), residual, rcond=None)[0], guess / 3)
    return np.allclose(guess, list(TRUTH.values()), rtol=1e-4)


def reach(steps, place):
    push = Push(steps)

    def loss(controls, gradient=True):
        x = push.path(controls)
        value = 0.5 * (x[-1, 0] - place) ** 2 + 1e-6 * np.sum(np.diff(controls) ** 2)
        if not gradient:
            return value, None
        weights = np.zeros((1, steps, 2))
        weights[0, -1, 0] = x[-1, 0] - place
        smooth = np.zeros(steps)
        smooth[1:] += np.diff(controls)
        smooth[:-1] -= np.diff(controls)
        return value, push.gradient(controls, weights)[0][0] + 2e-6 * smooth

    print(f"controls that push the block to {place} m:")
    controls = 0.15 * np.ones(steps)
    compare(steps, lambda: loss(controls)[1], lambda way: loss(controls + way, False)[0] - loss(controls - way, False)[0])
    controls = minimize(loss, controls, 60, lambda value: value < 1e-8)[0]
    end = push.path(controls)[-1, 0]
    print(f"  it comes to {end:.5f} m")
    return abs(end - place) < 1e-3


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--steps", type=int, default=150, help="of a push, of 5 ms (default 150)")
    parser.add_argument("--place", type=float, default=0.3, help="[m] (default 0.3)")
    options = parser.parse_args()
    return 0 if identify(options.steps) & reach(options.steps, options.place) else 1


if __name__ == "__main__":
    raise SystemExit(main())
