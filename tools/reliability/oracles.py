"""Cases of mechanics whose answer is known: error, and order of convergence in the time step, beside those of MuJoCo 3.8.0
where it is at hand. An error above that of MuJoCo 3.8.0 is a finding."""

import ctypes
import json
import math
import os
import pathlib
import sys

from engine import LIBRARY, Engine
from layout import ROOT, Data, Model
from result import Result

GRAVITY = 9.81
WORST = 1.05  # errors beside those of the reference
ROUNDING = 1e-9  # errors below are those of the last bits, which differ: of 1e5 steps that round once, in numbers around 1
INTEGRATORS = ("Euler", "RK4", "implicitfast")


# ---- closed forms

def complete_integral(k: float) -> float:
    """K(k), the quarter period of sn, by the arithmetic-geometric mean (Abramowitz and Stegun, 17.6)."""
    a, b = 1.0, math.sqrt(1 - k * k)
    while abs(a - b) > 1e-16 * a:
        a, b = (a + b) / 2, math.sqrt(a * b)
    return math.pi / (2 * a)


def jacobi(u: float, k: float) -> tuple[float, float, float]:
    """sn, cn, dn by descending Landen transformations (Abramowitz and Stegun, 16.4)."""
    a, b, scale = [1.0], math.sqrt(1 - k * k), [k]
    while abs(scale[-1]) > 1e-16:
        a, b, scale = a + [(a[-1] + b) / 2], math.sqrt(a[-1] * b), scale + [(a[-1] - b) / 2]
    angle = 2 ** (len(a) - 1) * a[-1] * u
    for mean, difference in zip(reversed(a[1:]), reversed(scale[1:])):
        angle = (angle + math.asin(difference / mean * math.sin(angle))) / 2
    sn = math.sin(angle)
    return sn, math.cos(angle), math.sqrt(1 - k * k * sn * sn)


def swing(start: float, rate: float, time: float) -> float:
    """The angle of a pendulum that is released at `start`; `rate` is that of small swings [rad/s]."""
    k = math.sin(start / 2)
    _, cn, dn = jacobi(rate * time, k)
    return 2 * math.asin(k * cn / dn)


# ---- what the cases share

class Case:
    """A model with an integrator and a time step, stepped to a time."""

    def __init__(self, engine: Engine, body: str, step: float, integrator: str = "Euler", option: str = "", flags: str = "",
                 gravity: str = f"0 0 -{GRAVITY}"):
        xml = (f'<mujoco><compiler angle="radian" inertiafromgeom="auto"/><option timestep="{step!r}" integrator="{integrator}" '
               f'gravity="{gravity}" {option}><flag energy="enable" {flags}/></option>{body}</mujoco>')
        self.world, self.step = engine.load_text(xml.encode()), step
        self.q, self.v = self.world.data_array("qpos"), self.world.data_array("qvel")

    def run(self, time: float) -> "Case":
        step, m, d = self.world.library.mj_step, ctypes.c_void_p(self.world.model_address), ctypes.byref(self.world.d)
        for _ in range(round(time / self.step)):
            step(m, d)
        return self

    def forward(self) -> "Case":
        self.world.call("mj_forward")
        return self

    def energy(self) -> float:
        """Of the present state: a step leaves that of the state before."""
        self.forward()
        return sum(self.world.d.energy)


def ordered(error_of, steps: tuple[float, float]) -> tuple[float, float | None]:
    """The error at the smaller step, and the order that both show."""
    coarse, fine = (error_of(step) for step in steps)
    return fine, math.log2(coarse / fine) if fine > ROUNDING and coarse > 0 else None


# ---- smooth mechanics

PENDULUM = '<worldbody><body><joint axis="0 1 0"/><inertial pos="0 0 -1" mass="1" diaginertia="1e-9 1e-9 1e-9"/></body></worldbody>'


def pendulum(engine):
    for integrator in INTEGRATORS:
        def error(step):
            case = Case(engine, PENDULUM, step, integrator)
            case.q[0] = math.pi / 2
            return abs(case.run(10).q[0] - swing(math.pi / 2, math.sqrt(GRAVITY / (1 + 1e-9)), 10))
        yield f"pendulum from 90 degrees, {integrator}: angle after 10 s [rad]", *ordered(error, (0.004, 0.002))
        case = Case(engine, PENDULUM, 0.002, integrator)
        case.q[0] = math.pi / 2
        before = case.energy()
        yield f"the same, {integrator}, for 100 s: energy / mgl", abs(case.run(100).energy() - before) / GRAVITY, None


def double_pendulum(engine):
    link = '<geom type="capsule" fromto="0 0 0 0 0 -1" size=".02" mass="1" contype="0" conaffinity="0"/>'
    body = f'<worldbody><body><joint axis="0 1 0"/>{link}<body pos="0 0 -1"><joint axis="0 1 0"/>{link}</body></body></worldbody>'
    case = Case(engine, body, 0.001, "RK4")
    case.q[0], case.q[1] = math.pi / 2, 0.3
    before = case.energy()
    # the kinetic energy at most is about what falls from the side to the bottom: two links, their centres at 0.5 and 1.5 m
    yield "double pendulum, RK4, 100 s: energy / largest kinetic", abs(case.run(100).energy() - before) / (2 * GRAVITY), None


def kepler(engine):
    """The force -r / |r|^3 on a unit mass, by a callback that the integrator calls at each of its stages."""
    kind = ctypes.CFUNCTYPE(None, ctypes.POINTER(Model), ctypes.POINTER(Data))

    def pull(m, d):
        q, force = (ctypes.cast(address, ctypes.POINTER(ctypes.c_double)) for address in (d.contents.qpos, d.contents.qfrc_passive))
        cube = math.hypot(q[0], q[1]) ** 3
        force[0] -= q[0] / cube
        force[1] -= q[1] / cube
    callback = kind(pull)
    place = ctypes.c_void_p.in_dll(engine.library, "mjcb_passive")
    body = '<worldbody><body><joint type="slide" axis="1 0 0" ref="1"/><joint type="slide" axis="0 1 0"/><geom size=".1" mass="1"/></body></worldbody>'
    eccentricity = 0.5
    place.value = ctypes.cast(callback, ctypes.c_void_p).value
    try:
        for integrator in INTEGRATORS:
            def error(step):
                case = Case(engine, body, step, integrator)
                case.q[0], case.v[1] = 1 - eccentricity, math.sqrt((1 + eccentricity) / (1 - eccentricity))
                case.run(2 * math.pi)
                return math.hypot(case.q[0] - (1 - eccentricity), case.q[1])
            yield f"Kepler, eccentricity 0.5, {integrator}: place after a period", *ordered(error, (math.pi / 500, math.pi / 1000))
    finally:
        place.value = None


def gyroscope(engine):
    """Steady precession of a heavy symmetric top: I1 W^2 cos(t) - I3 w3 W + m g l = 0 (Goldstein, Classical Mechanics, 5.7)."""
    tilt, length, mass, about_axis, across, precession = 0.5, 0.5, 1.0, 0.1, 0.06, 1.5
    about_pivot = across + mass * length**2
    spin = (about_pivot * precession**2 * math.cos(tilt) + mass * GRAVITY * length) / (about_axis * precession)
    body = (f'<worldbody><body><joint type="ball"/><inertial pos="0 0 {length}" mass="{mass}" diaginertia="{across} {across} {about_axis}"/>'
            '</body></worldbody>')
    for integrator in INTEGRATORS:
        def error(step):
            case = Case(engine, body, step, integrator)
            case.q[0], case.q[2] = math.cos(tilt / 2), math.sin(tilt / 2)
            case.v[0], case.v[2] = -precession * math.sin(tilt), spin
            case.run(1).forward()
            axis = case.world.data_array("xmat")[9 + 2:18:3]
            turned = math.atan2(axis[1], axis[0])
            return math.hypot(turned - math.remainder(precession, 2 * math.pi), math.acos(max(-1, min(1, axis[2]))) - tilt)
        yield f"heavy top, steady precession, {integrator}: direction after 1 s [rad]", *ordered(error, (0.0002, 0.0001))


def free_rotation(engine):
    """About the middle axis of inertia, where a small disturbance turns the body over and over."""
    body = '<worldbody><body><freejoint/><geom type="box" size=".1 .2 .3" mass="1"/></body></worldbody>'
    for integrator in ("Euler", "RK4"):
        case = Case(engine, body, 0.002, integrator, flags='gravity="disable"')
        inertia = [1 / 3 * (a * a + b * b) for a, b in ((0.2, 0.3), (0.1, 0.3), (0.1, 0.2))]

        def momentum():
            matrix, rate = case.forward().world.data_array("xmat")[9:18], list(case.v[3:6])
            return [sum(matrix[3 * i + j] * inertia[j] * rate[j] for j in range(3)) for i in range(3)]
        case.v[3], case.v[4], case.v[5] = 0.01, 5, 0.01
        energy, before = case.energy(), momentum()
        case.run(10)
        after = momentum()
        yield f"body turning over, {integrator}, 10 s: energy", abs(case.energy() - energy) / energy, None
        yield f"the same, {integrator}: angular momentum", math.dist(after, before) / math.hypot(*before), None


# ---- contact and friction

def rolling(engine):
    """A solid ball on a slope rolls with 5/7 of the acceleration along it."""
    angle = 0.3
    body = (f'<worldbody><geom type="plane" size="100 100 1" euler="0 {angle} 0" friction="1 0 0"/>'
            f'<body pos="{0.1 * math.sin(angle)!r} 0 {0.1 * math.cos(angle)!r}"><freejoint/><geom size=".1" friction="1 0 0" mass="1"/></body></worldbody>')
    for cone in ("pyramidal", "elliptic"):
        case = Case(engine, body, 0.001, option=f'cone="{cone}" impratio="100"')
        case.run(1)
        expected = 5 / 7 * GRAVITY * math.sin(angle) / 2
        along = math.cos(angle) * (case.q[0] - 0.1 * math.sin(angle)) - math.sin(angle) * (case.q[2] - 0.1 * math.cos(angle))
        yield f"ball rolling down a slope, {cone}: way after 1 s, relative", abs(along / expected - 1), None


def slope(engine):
    """A box rests below the angle of friction, and slides with g (sin - mu cos) above it."""
    mu = 0.5
    for cone in ("pyramidal", "elliptic"):
        for degrees in (20, 40):
            angle = math.radians(degrees)
            tilt = f"{GRAVITY * math.sin(angle)!r} 0 {-GRAVITY * math.cos(angle)!r}"
            body = (f'<worldbody><geom type="plane" size="9 9 1" friction="{mu} 0 0"/>'
                    f'<body pos="0 0 .0199"><freejoint/><geom type="box" size=".1 .1 .02" mass="1" friction="{mu} 0 0"/></body></worldbody>')
            case = Case(engine, body, 0.002, option=f'cone="{cone}"', gravity=tilt)
            case.run(1)
            start = case.v[0]
            case.run(1)
            slides = math.tan(angle) > mu
            if slides:
                expected = GRAVITY * (math.sin(angle) - mu * math.cos(angle))
                yield f"box on a slope of {degrees} degrees, {cone}: acceleration, relative", abs((case.v[0] - start) / expected - 1), None
            else:
                yield f"box on a slope of {degrees} degrees, {cone}: creep [m/s]", abs(case.v[0]), None


def stopping(engine):
    """A box that is pushed along and across the axes of its cone stops after v^2 / (2 mu g)."""
    mu, speed = 0.5, 2.0
    body = (f'<worldbody><geom type="plane" size="9 9 1" friction="{mu} 0 0"/><body pos="0 0 .0199"><freejoint/>'
            f'<geom type="box" size=".1 .1 .02" mass="1" friction="{mu} 0 0"/></body></worldbody>')
    for cone in ("pyramidal", "elliptic"):
        for direction, degrees in (("along", 0), ("across", 45)):
            case = Case(engine, body, 0.001, option=f'cone="{cone}" impratio="10"')
            case.run(0.2)
            x, y = case.q[0], case.q[1]
            case.v[0], case.v[1] = speed * math.cos(math.radians(degrees)), speed * math.sin(math.radians(degrees))
            case.run(1)
            way = math.hypot(case.q[0] - x, case.q[1] - y)
            yield f"sliding box, {direction} its axes, {cone}: way, relative", abs(way / (speed**2 / (2 * mu * GRAVITY)) - 1), None


def stick_slip(engine):
    """A block with dry friction, drawn by a spring whose end moves with the speed V: it sticks until the spring is long
    enough, slips at V (1 - cos(w t)), and sticks again after a period."""
    stiffness, mass, speed, friction = 100.0, 1.0, 0.1, 2.0
    body = (f'<worldbody><body><joint name="end" type="slide" axis="1 0 0"/><geom size=".1" mass="1e9" contype="0"/></body>'
            f'<body><joint name="block" type="slide" axis="1 0 0" frictionloss="{friction}"/><geom size=".1" mass="{mass}" contype="0"/></body></worldbody>'
            f'<tendon><fixed stiffness="{stiffness}" springlength="0"><joint joint="end" coef="1"/><joint joint="block" coef="-1"/></fixed></tendon>')
    start, rate = friction / stiffness / speed, math.sqrt(stiffness / mass)
    case = Case(engine, body, 0.001, flags='gravity="disable"')
    case.v[0] = speed
    case.run(start)
    stuck, way = abs(case.q[1]), 2 * math.pi / rate * speed
    case.run(2 * math.pi / rate)
    yield "stick-slip: creep until it slips, of the way of a cycle", stuck / way, None
    yield "the same: way of the first cycle, relative", abs((case.q[1] - stuck) / way - 1), None


def bouncing(engine):
    """A ball on a floor that is a spring without damping comes back to where it was dropped."""
    body = ('<worldbody><geom type="plane" size="1 1 1" solref="-50000 0" solimp=".99 .99 .01"/>'
            '<body pos="0 0 1.1"><joint type="slide" axis="0 0 1"/><geom size=".1" mass="1" solref="-50000 0" solimp=".99 .99 .01"/></body></worldbody>')
    for integrator in ("Euler", "RK4"):
        def error(step):
            case = Case(engine, body, step, integrator)
            before = case.energy()
            return abs(case.run(0.9).energy() / before - 1)
        yield f"bouncing ball, {integrator}: energy after the rebound, relative", *ordered(error, (0.0002, 0.0001))


def impact(engine):
    body = ('<worldbody><body><freejoint/><geom size=".1" mass="1"/></body><body pos=".5 .05 0"><freejoint/><geom size=".1" mass="3"/></body></worldbody>')
    case = Case(engine, body, 0.002, flags='gravity="disable"')
    case.v[0] = 1
    case.run(1)
    momentum = [case.v[i] + 3 * case.v[6 + i] for i in range(3)]
    yield "impact of two balls: linear momentum", math.dist(momentum, (1, 0, 0)), None


# ---- mechanisms

def four_bar(engine):
    """A parallelogram moves as a pendulum: its cranks turn by one angle and the coupler only shifts."""
    crank, rod = 0.5, 0.8  # lengths [m]; all links have a mass of 1 kg
    link = f'<inertial pos="0 0 {-crank / 2}" mass="1" diaginertia=".02 .02 .001"/>'
    body = (f'<worldbody><body><joint axis="0 1 0"/>{link}<body pos="0 0 {-crank}"><joint axis="0 1 0"/>'
            f'<inertial pos="{rod / 2} 0 0" mass="1" diaginertia=".001 .05 .05"/><site name="a" pos="{rod} 0 0"/></body></body>'
            f'<body pos="{rod} 0 0"><joint axis="0 1 0"/>{link}<site name="b" pos="0 0 {-crank}"/></body></worldbody>'
            '<equality><connect site1="a" site2="b" solref=".001 1" solimp=".9999 .9999 .001"/></equality>')
    inertia = 2 * (0.02 + crank**2 / 4) + crank**2
    rate = math.sqrt((2 * crank / 2 + crank) * GRAVITY / inertia)
    for integrator in ("Euler", "RK4"):
        def error(step):
            case = Case(engine, body, step, integrator)
            case.q[0], case.q[1], case.q[2] = 0.8, -0.8, 0.8
            return abs(case.run(2).q[0] - swing(0.8, rate, 2))
        yield f"four-bar parallelogram, {integrator}: angle after 2 s [rad]", *ordered(error, (0.0004, 0.0002))


def wrapped_tendon(engine):
    """A tendon over a pulley: two tangents and an arc; its moment about the pulley's axis is the radius."""
    radius, arm = 0.1, 0.3
    body = (f'<worldbody><geom name="pulley" type="cylinder" euler="{math.pi / 2!r} 0 0" size="{radius} .1" contype="0"/>'
            f'<site name="a" pos="{-arm} 0 0"/><site name="above" pos="0 0 .3"/>'
            f'<body><joint axis="0 1 0"/><geom size=".01" pos="{arm} 0 0"/><site name="b" pos="{arm} 0 0"/></body></worldbody>'
            '<tendon><spatial><site site="a"/><geom geom="pulley" sidesite="above"/><site site="b"/></spatial></tendon>')
    case = Case(engine, body, 0.002)
    worst_length = worst_moment = 0.0
    for i in range(41):
        case.q[0] = -0.5 + 0.025 * i  # clockwise by q around +y takes the end down
        case.forward()
        angle = math.pi + case.q[0] - 2 * math.acos(radius / arm)
        expected = 2 * math.sqrt(arm**2 - radius**2) + radius * angle
        worst_length = max(worst_length, abs(case.world.data_array("ten_length")[0] - expected))
        worst_moment = max(worst_moment, abs(case.world.data_array("ten_J")[0] - radius))
    yield "tendon over a pulley: length [m]", worst_length, None
    yield "the same: moment arm [m]", worst_moment, None


def buckling(engine):
    """A column of links with springs between them (Hencky's bar chain), clamped below, loaded above: it falls where
    P a / k > 4 sin^2(pi / (4 n + 2)), which follows from the eigenvalues of second differences."""
    count, stiffness, length = 8, 10.0, 0.125
    links = "".join(f'<body pos="0 0 {length if i else 0}"><joint axis="0 1 0" stiffness="{stiffness}" damping="2"/>'
                    f'<inertial pos="0 0 {length / 2}" mass=".01" diaginertia="1e-5 1e-5 1e-5"/>' for i in range(count))
    body = (f'<worldbody>{links}<body pos="0 0 {length}"><inertial pos="0 0 0" mass="1e-6" diaginertia="1e-9 1e-9 1e-9"/>'
            f'</body>{"</body>" * count}</worldbody>')
    critical = 4 * math.sin(math.pi / (4 * count + 2)) ** 2 * stiffness / length

    def falls(load):
        case = Case(engine, body, 0.01, "implicitfast", flags='gravity="disable"')
        beta = math.pi / (2 * count + 1)
        for i in range(count):
            case.q[i] = 1e-5 * (math.sin((i + 1) * beta) - math.sin(i * beta))
        case.world.data_array("xfrc_applied")[6 * (count + 1) + 2] = -load
        before = sum(case.q)
        return sum(case.run(5).q) > before
    low, high = 0.6 * critical, 1.5 * critical
    while high - low > 1e-7 * critical:
        middle = (low + high) / 2
        low, high = (low, middle) if falls(middle) else (middle, high)
    yield "buckling of a column of 8 links: critical load, relative", abs(low / critical - 1), None


CASES = (pendulum, double_pendulum, kepler, gyroscope, free_rotation, rolling, slope, stopping, stick_slip, bouncing, impact, four_bar,
         wrapped_tendon, buckling)

# Errors that must not be exceeded whatever the reference does: what the method promises.
TARGETS = {"the same, RK4, for 100 s: energy / mgl": 1e-5, "double pendulum, RK4, 100 s: energy / largest kinetic": 1e-5}


def reference() -> pathlib.Path | None:
    return next(iter(sorted((ROOT / ".venv").glob("lib/python3*/site-packages/mujoco/libmujoco.so.3.8.0"))), None)


def figures_of(library: pathlib.Path, count: int) -> list[tuple[str, float, float | None]]:
    """All rows for a library, in a process of its own: both have the same name."""
    reader, writer = os.pipe()
    process = os.fork()
    if process == 0:
        try:
            engine = Engine(library)
            rows = [row for case in CASES[:count or None] for row in case(engine)]
            text = json.dumps(rows)
        except BaseException as error:
            text = json.dumps({"error": repr(error)})
        with os.fdopen(writer, "w") as pipe:
            pipe.write(text)
        os._exit(0)
    os.close(writer)
    with os.fdopen(reader) as pipe:
        text = pipe.read()
    os.waitpid(process, 0)
    answer = json.loads(text) if text else {"error": "the process has ended"}
    if isinstance(answer, dict):
        raise RuntimeError(f"{library}: {answer['error']}")
    return answer


def run(options, deadline: float) -> Result:
    ours = figures_of(LIBRARY, options.count)
    other = reference()
    theirs = figures_of(other, options.count) if other else [(name, math.inf, None) for name, *_ in ours]
    findings, table = [], []
    for (name, error, order), (_, expected, expected_order) in zip(ours, theirs):
        table.append({"case": name, "error": error, "order": order, "MuJoCo 3.8.0": expected if other else None, "its order": expected_order})
        if not error <= WORST * expected + ROUNDING:
            findings.append(f"{name}: {error:.3g}, where MuJoCo 3.8.0 has {expected:.3g}")
        if not error <= TARGETS.get(name, math.inf):
            findings.append(f"{name}: {error:.3g}, must be below {TARGETS[name]:g}")
    figures = {"cases": len(ours), "beside MuJoCo 3.8.0": len(ours) if other else 0}
    if not options.json:
        show(table)
    else:
        figures["table"] = table
    return Result("oracles", len(ours), figures, findings)


def show(table: list[dict]) -> None:
    """The table, as it stands in docs/how/reliability.md."""
    def text(error, order):
        return "" if error is None else f"{error:.1e}" + (f", order {order:.1f}" if order else "")
    print("| case | error | MuJoCo 3.8.0 |\n|---|---|---|")
    for row in table:
        print(f"| {row['case']} | {text(row['error'], row['order'])} | {text(row['MuJoCo 3.8.0'], row['its order'])} |")
    sys.stdout.flush()
