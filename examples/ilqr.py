"""Trajectory optimization: a humanoid that was pushed regains its balance, by iterative linear-quadratic control (iLQR/iLQG,
Y. Tassa, T. Erez, E. Todorov, Synthesis and stabilization of complex behaviors through online trajectory optimization, IROS
2012).

The steps of the trajectory are worlds of a batch, so that one call gives their linear maps, analytically, through contacts.
With --differences they are finite differences instead; both times are shown.

    python examples/ilqr.py      # prints costs of each iteration; exit code 0 when the humanoid stands at the end
"""

import argparse
import pathlib
import time

import numpy as np

import sinew

MODEL = pathlib.Path(__file__).resolve().parents[1] / "models" / "humanoid.xml"


class Trajectory:
    """States and controls of one world, the cost along them, and the linear maps of all steps at once."""

    def __init__(self, steps, push, differences):
        self.model = sinew.Model.from_xml_path(str(MODEL))
        self.model.opt.iterations = 50  # derivatives want the solver's minimum
        self.data, self.batch = sinew.Data(self.model), sinew.Batch(self.model, steps)
        self.differences, self.seconds = differences, 0.0
        self.data.reset(0)
        self.goal = self.data.qpos.copy()
        self.data.qvel[0] = push
        self.start = np.concatenate((self.data.qpos, self.data.qvel))
        nv = self.model.nv
        # upright, at its height, at rest; joints matter less
        weight = np.concatenate((np.full(nv, 0.5), np.full(nv, 0.02)))
        weight[0:2], weight[2], weight[3:6] = 5, 50, 50
        weight[nv : nv + 6] = 0.5
        self.weight, self.effort = weight, 0.02

    def difference(self, state, other):
        """What leads from the other state to this one, in the tangent space (positions of the root in front)."""
        nq = self.model.nq
        turn = relative(other[3:7], state[3:7])
        return np.concatenate((state[:3] - other[:3], turn, state[7:nq] - other[7:nq], state[nq:] - other[nq:]))

    def error(self, state):
        return self.difference(state, np.concatenate((self.goal, np.zeros(self.model.nv))))

    def cost(self, states, controls):
        errors = np.array([self.error(state) for state in states])
        return 0.5 * (np.sum(self.weight * errors**2) + self.effort * np.sum(controls**2))

    def run(self, control):
        """States and controls; `control` gives that of a step from its number and state."""
        nq = self.model.nq
        self.data.reset(0)
        self.data.qpos[:], self.data.qvel[:] = self.start[:nq], self.start[nq:]
        states, controls = [self.start], []
        for t in range(self.batch.count):
            controls.append(np.clip(control(t, states[-1]), -1, 1))
            self.data.ctrl[:] = controls[-1]
            self.data.step()
            states.append(np.concatenate((self.data.qpos, self.data.qvel)))
        return np.array(states), np.array(controls)

    def linearize(self, states, controls):
        nq = self.model.nq
        self.batch.state("qpos")[:], self.batch.state("qvel")[:] = states[:-1, :nq], states[:-1, nq:]
        self.batch.state("ctrl")[:] = controls
        begin = time.process_time()
        if self.differences:
            A, B = self.batch.transition_derivatives(1e-6, False)[:2]
        else:
            A, B = self.batch.linearize()
        self.seconds += time.process_time() - begin
        return A, B


def relative(a, b):
    """The rotation vector from orientation a to b."""
    w = a @ b
    v = a[0] * b[1:] - b[0] * a[1:] - np.cross(a[1:], b[1:])
    length = np.linalg.norm(v)
    return 2 * np.arctan2(length, abs(w)) * np.sign(w) * v / length if length > 0 else v


def backward(trajectory, states, A, B, controls, regular):
    """Changes of controls, and their gains: the optimum of the linear-quadratic problem (Riccati's recursion)."""
    Q = np.diag(trajectory.weight)
    V, v = Q.copy(), trajectory.weight * trajectory.error(states[-1])
    steps, gains = [], []
    for t in range(len(controls) - 1, -1, -1):
        regularized = V + regular * np.eye(len(v))
        by_u = B[t].T @ v + trajectory.effort * controls[t]
        H = B[t].T @ regularized @ B[t] + trajectory.effort * np.eye(len(by_u))
        G = B[t].T @ regularized @ A[t]
        both = np.linalg.solve(H, np.column_stack((by_u, G)))
        step, gain = -both[:, 0], -both[:, 1:]
        steps.append(step)
        gains.append(gain)
        closed = A[t] + B[t] @ gain
        v = trajectory.weight * trajectory.error(states[t]) + closed.T @ v
        v += gain.T @ (trajectory.effort * (controls[t] + step)) + closed.T @ V @ B[t] @ step
        V = Q + closed.T @ V @ closed + trajectory.effort * gain.T @ gain
        V = 0.5 * (V + V.T)
    return steps[::-1], gains[::-1]


def improve(trajectory, states, controls, cost, regular):
    """A shorter and shorter step along the change, until the cost falls."""
    A, B = trajectory.linearize(states, controls)
    steps, gains = backward(trajectory, states, A, B, controls, regular)
    for scale in (1, 0.5, 0.25, 0.1, 0.03):
        def control(t, state, scale=scale):
            return controls[t] + scale * steps[t] + gains[t] @ trajectory.difference(state, states[t])

        new_states, new_controls = trajectory.run(control)
        new_cost = trajectory.cost(new_states, new_controls)
        if new_cost < cost:
            return new_states, new_controls, new_cost
    return None


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--steps", type=int, default=150, help="of the trajectory, of 5 ms (default 150)")
    parser.add_argument("--iterations", type=int, default=40, help="(default 40)")
    parser.add_argument("--push", type=float, default=0.4, help="velocity of the start [m/s] (default 0.4)")
    parser.add_argument("--differences", action="store_true", help="linear maps by finite differences")
    options = parser.parse_args()
    trajectory = Trajectory(options.steps, options.push, options.differences)
    begin = time.process_time()
    states, controls = trajectory.run(lambda t, state: np.zeros(trajectory.model.nu))
    cost, regular = trajectory.cost(states, controls), 1e-3
    print(f"without control: cost {cost:.1f}, height at the end {states[-1, 2]:.3f} m")
    for i in range(options.iterations):
        better = improve(trajectory, states, controls, cost, regular)
        regular = max(1e-6, regular / 4) if better else regular * 10
        if better:
            gained, (states, controls, cost) = cost - better[2], better
            print(f"{i}: cost {cost:.2f}, height at the end {states[-1, 2]:.3f} m")
            if gained < 1e-3 * cost:
                break
        elif regular > 1e3:
            break
    kind = "differences" if options.differences else "closed form"
    total = time.process_time() - begin
    print(f"linear maps by {kind}: {trajectory.seconds:.2f} s of processor time, of {total:.2f} s in all")
    upright = np.linalg.norm(trajectory.error(states[-1])[3:6])
    return 0 if abs(states[-1, 2] - trajectory.goal[2]) < 0.05 and upright < 0.3 else 1


if __name__ == "__main__":
    raise SystemExit(main())
