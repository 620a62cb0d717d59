"""Models of SCONE and Hyfydy: masses, joints and paths of muscles, computed here from the text of the file."""

import pathlib
import re
import warnings

import numpy as np
import pytest

import sinew

ROOT = pathlib.Path(__file__).resolve().parents[2]
SHARED = ROOT.parent / "shared" / "data" / "hfd"
OWN = ROOT / "models" / "muscle" / "leg.hfd"
PUBLISHED = [pytest.param(SHARED / f"{name}.hfd", id=name,
                          marks=pytest.mark.skipif(not SHARED.is_dir(), reason="no published models beside the repository"))
             for name in ("H0914v3", "H0918v3", "H1622v2n")]
UP = np.array([[1, 0, 0], [0, 0, -1], [0, 1, 0]])  # ground has y up, the model z


# ---- the document, as nested lists of (key, value)

def parse(text):
    text = re.sub(r"/\*.*?\*/|#[^\n]*", "", text, flags=re.S)
    tokens = re.findall(r'"[^"]*"|[{}\[\]=]|[^\s{}\[\]="]+', text)
    at = 0

    def value():
        nonlocal at
        token = tokens[at]
        at += 1
        if token not in "{[":
            return token.strip('"')
        entries = []
        while tokens[at] not in "}]":
            if token == "[":
                entries.append((None, value()))
                continue
            key = tokens[at]
            at += 1
            if tokens[at] == "=":
                at += 1
            entries.append((key, value()))
        at += 1
        return entries

    at = 1
    model = value()
    variables = {key: item for key, item in model if key.startswith("$")}

    def fill(item):
        if isinstance(item, str):
            return variables.get(item, item)
        return [(key, fill(inner)) for key, inner in item]

    return fill(model)


def get(entries, key, fallback=None):
    return next((item for name, item in entries if name == key), fallback)


def every(entries, key):
    return [item for name, item in entries if name == key]


def vector(item):
    if item is None:
        return np.zeros(3)
    if item and item[0][0] is None:
        return np.array([float(number) for _, number in item])
    return np.array([float(get(item, axis, "0")) for axis in "xyz"])


def turn(axis, angle):
    c, s = np.cos(angle), np.sin(angle)
    return np.array([[[1, 0, 0], [0, c, -s], [0, s, c]], [[c, 0, s], [0, 1, 0], [-s, 0, c]], [[c, -s, 0], [s, c, 0], [0, 0, 1]]][axis])


def rotation(item):
    if item is not None and get(item, "w") is not None:
        w, (x, y, z) = float(get(item, "w")), vector(item)
        return np.array([[1 - 2 * (y * y + z * z), 2 * (x * y - w * z), 2 * (x * z + w * y)],
                         [2 * (x * y + w * z), 1 - 2 * (x * x + z * z), 2 * (y * z - w * x)],
                         [2 * (x * z - w * y), 2 * (y * z + w * x), 1 - 2 * (x * x + y * y)]])
    x, y, z = np.radians(vector(item))
    return turn(0, x) @ turn(1, y) @ turn(2, z)


class Document:
    """Poses of bodies in ground, by the coordinates that the file names."""

    def __init__(self, path):
        self.model = parse(path.read_text())
        self.bodies = {get(body, "name"): body for body in every(self.model, "body")}
        self.joints = {name: joint for name, body in self.bodies.items() for joint in every(body, "joint")}
        self.joints.update({get(joint, "child"): joint for joint in every(self.model, "joint")})
        self.dofs = []  # name, owner, r or t, axis, sign
        for dof in every(self.model, "dof"):
            source = get(dof, "source") or dof[0][1]
            found = re.fullmatch(r"(-?)(.*)_([rt])([xyz])(_.*)?", source)
            self.dofs.append((get(dof, "name") or dof[0][0], found[2] + (found[5] or ""), found[3], "xyz".index(found[4]),
                              -1 if found[1] else 1))

    def motion(self, owners, q):
        shift, R = np.zeros(3), np.eye(3)
        for name, owner, kind, axis, sign in self.dofs:
            if owner not in owners:
                continue
            if kind == "t":
                shift[axis] += sign * q.get(name, 0)
            else:
                R = R @ turn(axis, sign * q.get(name, 0))
        return shift, R

    def pose(self, name, q):
        joint = self.joints.get(name)
        if joint is None:
            body = self.bodies[name]
            shift, R = self.motion([name], q)
            return vector(get(body, "pos")) + shift, rotation(get(body, "ori")) @ R
        p, R = self.pose(get(joint, "parent"), q)
        _, own = self.motion([get(joint, "name"), name], q)
        child = R @ rotation(get(joint, "ref_ori")) @ own
        return p + R @ vector(get(joint, "pos_in_parent")) - child @ vector(get(joint, "pos_in_child")), child

    def muscles(self):
        return every(self.model, "point_path_muscle") + every(self.model, "joint_point_path_muscle")

    def length(self, muscle, q):
        points = []
        for _, point in get(muscle, "path"):
            p, R = self.pose(get(point, "body"), q)
            points.append(p + R @ vector(get(point, "pos")))
        return sum(np.linalg.norm(b - a) for a, b in zip(points, points[1:]))


def load(path):
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", sinew.ModelWarning)  # bones are not beside the file
        return sinew.Model.from_hfd(path)


def random_pose(document, model, data, rng):
    """Draws angles and shifts that the file names, and sets them."""
    data.qpos[:] = model.qpos0
    q = {}
    for name, *_ in document.dofs:
        joint = model.find(int(sinew.mjtObj.mjOBJ_JOINT), name)
        assert joint >= 0, name
        q[name] = rng.uniform(-1, 1)
        data.qpos[model.jnt_qposadr[joint]] = q[name]
    data.forward()
    return q


@pytest.mark.parametrize("path", [pytest.param(OWN, id="leg"), *PUBLISHED])
def test_a_model_is_that_of_its_file(path):
    document, model = Document(path), load(path)
    data, rng = sinew.Data(model), np.random.default_rng(1)
    for name, body in document.bodies.items():
        if get(body, "mass") in (None, "0"):
            continue
        index = model.find(int(sinew.mjtObj.mjOBJ_BODY), name)
        assert model.body_mass[index] == float(get(body, "mass")), name
        # the frame of the model's body is that of its principal axes, in some order
        np.testing.assert_allclose(np.sort(model.body_inertia[index]), np.sort(vector(get(body, "inertia"))), rtol=1e-14)
    assert model.ntendon == len(document.muscles()) > 0
    for _ in range(20):
        q = random_pose(document, model, data, rng)
        for name in document.bodies:
            index = model.find(int(sinew.mjtObj.mjOBJ_BODY), name)
            if name == "ground" or index < 0:
                continue
            p, R = document.pose(name, q)
            # rounding of a chain of rotations
            np.testing.assert_allclose(data.xpos[index], UP @ p, atol=1e-14, err_msg=name)
            np.testing.assert_allclose(np.reshape(data.xmat[index], (3, 3)), UP @ R, atol=1e-14, err_msg=name)
        for i, muscle in enumerate(document.muscles()):
            assert data.ten_length[i] == pytest.approx(document.length(muscle, q), abs=1e-14), get(muscle, "name")


@pytest.mark.parametrize("path", [pytest.param(OWN, id="leg"), *PUBLISHED])
def test_moment_arms_are_slopes_of_lengths(path):
    document, model = Document(path), load(path)
    data, step = sinew.Data(model), 1e-5
    q = random_pose(document, model, data, np.random.default_rng(2))
    arms = np.zeros((model.ntendon, model.nv))
    for t in range(model.ntendon):
        begin = model.ten_J_rowadr[t]
        row = slice(begin, begin + model.ten_J_rownnz[t])
        arms[t, model.ten_J_colind[row]] = data.ten_J[row]
    for name, *_ in document.dofs:
        dof = model.jnt_dofadr[model.find(int(sinew.mjtObj.mjOBJ_JOINT), name)]
        for i, muscle in enumerate(document.muscles()):
            ends = [document.length(muscle, {**q, name: q[name] + s * step}) for s in (-1, 1)]
            # central differences: step squared times third derivatives of 1 m/rad^3, and rounding over the step
            assert arms[i, dof] == pytest.approx((ends[1] - ends[0]) / (2 * step), abs=1e-10), (name, get(muscle, "name"))


@pytest.mark.parametrize("path", PUBLISHED)
def test_published_models_stand_and_fall(path):
    model = load(path)
    data = sinew.Data(model)
    assert model.body_mass.sum() == pytest.approx(74.531, abs=1e-3)  # of the Gait2392 models that these are made from
    data.reset(0)
    data.step(500)
    assert np.isfinite(data.qpos).all() and data.time == pytest.approx(0.5)
    assert np.abs(data.qvel).max() < 30  # rad/s: nothing bursts


def test_what_a_file_says_and_a_model_cannot_hold_is_told(tmp_path):
    with warnings.catch_warnings(record=True), pytest.warns(sinew.ModelWarning, match="leg.hfd:7: .*'joint_stiffness' is not used; joints hold"):
        sinew.Model.from_hfd(OWN)
    broken = tmp_path / "broken.hfd"
    broken.write_text("model {\n body { name = b mass = -1 }\n}")
    with pytest.raises(ValueError, match="broken.hfd:2: body 'b' / mass: '-1' is not positive"):
        sinew.Model.from_hfd(broken)
