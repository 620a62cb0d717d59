"""A robot on four legs walks, and catches itself when balls hit it. Feet are placed by M. H. Raibert's rule (Legged robots
that balance, MIT Press, 1986), diagonal legs step together, and inverse kinematics gives the angles of the servos.

    python examples/walk.py                     # in a window, in real time
    python examples/walk.py --web               # in a browser
    python examples/walk.py --record walk.csv   # ten seconds of controls, for sinew simulate --controls
"""

import argparse
import pathlib

import numpy as np

import sinew

MODEL = pathlib.Path(__file__).resolve().parents[1] / "models" / "robots" / "quadruped.xml"
PERIOD = 0.02  # s between controls: 5 time steps
CYCLE = 0.4  # s, of all legs
STANDING = 0.6  # share of the cycle in which a foot stands
THIGH, SHIN = 0.2, 0.2  # m
HEIGHT = 0.3  # m, of the trunk above the feet
START = 0.3  # s, in which it stands
LIFT = 0.08  # m, of a foot
CORRECTION = 0.09  # s: how much farther a foot is placed for each m/s that the trunk is too fast
SPEED = 0.5  # m/s
BALL_AHEAD = 0.3  # m that the trunk goes while a ball falls


class Walk:
    """The controller. Positions of feet are in the frame of the trunk's heading: forward, left, up.

    Two balls on ropes are held by `torques`, until the trunk comes to the `places` (x) where they will hit it.
    """

    def __init__(self, torques, places):
        self.hips = np.array([[0.19, 0.13, 0], [0.19, -0.13, 0], [-0.19, 0.13, 0], [-0.19, -0.13, 0]])  # m
        self.phases = np.array([0, 0.5, 0.5, 0])  # diagonal legs together
        self.feet = np.tile([0.0, 0.0, -HEIGHT], (4, 1))  # from the hips
        self.lifted = self.feet.copy()  # where each foot has left the ground
        self.torques, self.released = np.asarray(torques), np.asarray(places) - BALL_AHEAD

    def controls(self, time, qpos, qvel):
        """Angles of the servos, outward, hip and knee of each leg; torques of the balls."""
        rotation = matrix_of(qpos[3:7])
        heading = np.arctan2(rotation[1, 0], rotation[0, 0])
        ahead = np.array([[np.cos(heading), np.sin(heading)], [-np.sin(heading), np.cos(heading)]])
        velocity = ahead @ qvel[:2]
        # It starts within a second, and comes back to the line y = 0.
        wanted = np.array([min(1.0, time) * SPEED, np.clip(-0.6 * qpos[1], -0.25, 0.25)])
        turning = np.clip(-2.0 * heading, -0.8, 0.8)  # rad/s
        level = matrix_of_angle(-heading) @ rotation  # roll and pitch alone
        for leg in range(4):
            self._move(leg, time, velocity, wanted, turning, qvel[5])
        # The servos of standing legs bring the trunk back to level; feet in the air stay level whatever the trunk does.
        standing = ((time / CYCLE + self.phases) % 1 < STANDING) | (time < START)
        feet = np.where(standing[:, None], self.feet, (self.hips + self.feet) @ level - self.hips)
        return np.concatenate([*[angles(foot) for foot in feet], self.torques * (qpos[0] < self.released)])

    def _move(self, leg, time, velocity, wanted, turning, turns):
        """Moves a foot by one period: back with the ground, or through the air to where it will stand."""
        arm = np.array([-self.hips[leg, 1], self.hips[leg, 0]])  # velocity of a hip for each rad/s
        phase = (time / CYCLE + self.phases[leg]) % 1
        if time < START:
            return
        if phase < STANDING:
            self.feet[leg, :2] -= (wanted + turning * arm) * PERIOD
            self.feet[leg, 2] += 0.3 * (-HEIGHT - self.feet[leg, 2])
            self.lifted[leg] = self.feet[leg]
            return
        moved = velocity + turns * arm
        goal = 0.5 * STANDING * CYCLE * moved + CORRECTION * (moved - wanted - turning * arm)
        goal = np.clip(goal, -0.16, 0.16)
        share = (phase - STANDING) / (1 - STANDING)
        smooth = 0.5 - 0.5 * np.cos(np.pi * min(1.0, 1.15 * share))
        self.feet[leg, :2] = self.lifted[leg, :2] + smooth * (goal - self.lifted[leg, :2])
        self.feet[leg, 2] = -HEIGHT + LIFT * np.sin(np.pi * share)


def angles(foot):
    """Outward, hip and knee angle that bring a foot from below its hip to a place."""
    forward, left, up = foot
    outward = np.arctan2(left, -up)
    down = np.hypot(left, up)
    reach = np.clip(np.hypot(forward, down), 0.12, 0.99 * (THIGH + SHIN))
    knee = np.arccos((THIGH**2 + SHIN**2 - reach**2) / (2 * THIGH * SHIN)) - np.pi
    bend = np.arccos((THIGH**2 + reach**2 - SHIN**2) / (2 * THIGH * reach))
    return outward, np.arctan2(-forward, down) + bend, knee


def matrix_of(quaternion):
    w, x, y, z = quaternion
    return np.array([
        [1 - 2 * (y * y + z * z), 2 * (x * y - w * z), 2 * (x * z + w * y)],
        [2 * (x * y + w * z), 1 - 2 * (x * x + z * z), 2 * (y * z - w * x)],
        [2 * (x * z - w * y), 2 * (y * z + w * x), 1 - 2 * (x * x + y * y)],
    ])  # fmt: skip


def matrix_of_angle(angle):
    """The rotation about the vertical."""
    return np.array([[np.cos(angle), -np.sin(angle), 0], [np.sin(angle), np.cos(angle), 0], [0, 0, 1]])


class Robot:
    """A world with the controller, whose controls change every PERIOD."""

    def __init__(self):
        self.model = sinew.Model.from_xml_path(str(MODEL))
        self.data = sinew.Data(self.model)
        self.data.reset("stand")
        balls = [self.model.body(name) for name in ("left_ball", "right_ball")]
        self.walk = Walk(self.model.keyframe("stand").ctrl[-2:], [ball.pos[0] for ball in balls])
        self.next = 0.0

    def step(self):
        """A time step; returns the controls where they change."""
        due = self.data.time > self.next - 1e-9
        if due:
            self.next += PERIOD
            # three digits, so that a table of them is what was done
            self.data.ctrl[:] = np.round(self.walk.controls(self.data.time, self.data.qpos, self.data.qvel), 3)
        now = self.data.time
        self.data.step()
        return (now, self.data.ctrl.copy()) if due else None


def record(path, seconds=10.0):
    """Writes the controls as `sinew simulate --controls` reads them; returns how far the robot came."""
    robot = Robot()
    names = [robot.model.actuator(i).name for i in range(robot.model.nu)]
    lines = ["time," + ",".join(f"ctrl:{name}" for name in names)]
    while robot.data.time < seconds:
        if row := robot.step():
            lines.append(",".join(f"{number:.3f}".rstrip("0").rstrip(".") for number in (row[0], *row[1])))
    pathlib.Path(path).write_text("\n".join(lines) + "\n")
    return robot.data.qpos[0]


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--web", action="store_true", help="show it in a browser")
    parser.add_argument("--record", metavar="FILE", help="write ten seconds of controls, and show nothing")
    options = parser.parse_args()
    if options.record:
        print(f"{record(options.record):.2f} m in 10 s")
        return
    robot = Robot()
    with sinew.view(robot.model, robot.data, web=options.web) as viewer:
        viewer.run(robot.step)


if __name__ == "__main__":
    main()
