"""Functions of other releases than 3.8.0, and those whose arguments changed: both forms."""

import weakref

import numpy as np

from mujoco import _core, _enums, _release, _structs


# Programs compare the library with mujoco.__version__, so that the two say one release.


def mj_version():
    return _release.number()


def mj_versionString():
    return _release.release()


for _function in (mj_version, mj_versionString):
    _function.__doc__ = getattr(_core, _function.__name__).__doc__


@_structs.takes_shared
def mj_fullM(m, *arguments, **named):
    """The inertia matrix as a dense one: mj_fullM(m, dst, M), or mj_fullM(m, d, dst) since 3.10."""
    names = ("d", "dst") if "d" in named or (arguments and isinstance(arguments[0], _structs.MjData)) else ("dst", "M")
    given = {**dict(zip(names, arguments)), **named}
    if len(arguments) > 2 or set(given) != set(names):
        raise TypeError("mj_fullM(): incompatible function arguments: mj_fullM(m, dst, M) or mj_fullM(m, d, dst)")
    matrix = given["d"].qM if "d" in given else given["M"]
    if len(matrix) == m.nC and m.nC != m.nM:
        # the inertia matrix of d.M, in rows
        _from_rows(given["dst"], matrix, m.M_rownnz, m.M_rowadr, m.M_colind)
    else:
        _core.mj_fullM(m, given["dst"], matrix)


def _from_rows(res, mat, rownnz, rowadr, colind):
    res[...] = 0
    for i, (count, begin) in enumerate(zip(rownnz, rowadr)):
        columns = colind[begin : begin + count]
        res[i, columns] = mat[begin : begin + count]
        res[columns, i] = mat[begin : begin + count]


def mju_sym2dense(res, mat, rownnz, rowadr, colind):
    """A symmetric matrix of which the lower triangle is given in rows, as a dense one."""
    _from_rows(res, mat, rownnz, rowadr, colind)


def mj_readCtrl(m, d, id, time, *arguments, **named):
    """A control in the past: mj_readCtrl(m, d, id, time, interp), or with `result` before interp since 3.14."""
    names = ("result", "interp") if len(arguments) == 2 or "result" in named else ("interp",)
    given = {**dict(zip(names, arguments)), **named}
    value = _core.mj_readCtrl(m, d, id, time, given.get("interp", 0))
    if "result" in given and given["result"] is not None:
        given["result"][0] = value
        return given["result"]
    return value


@_structs.takes_shared
def mjv_moveCamera(m, action, reldx, reldy, scn=None, cam=None):
    """Moves a camera; the scene is not needed since 3.11."""
    if isinstance(scn, _structs.MjvCamera):
        scn, cam = cam, scn
    _core.mjv_moveCamera(m, action, reldx, reldy, scn or _structs.MjvScene(m, 1), cam)


def mj_multiRay(m, d, pnt, vec, geomgroup, flg_static, bodyexclude, geomid, dist, *arguments, **named):
    """Distances along many rays; `normal` before nray since 3.5."""
    names = ("nray", "cutoff") if len(arguments) == 2 and "normal" not in named else ("normal", "nray", "cutoff")
    given = {"normal": None, **dict(zip(names, arguments)), **named}
    _core.mj_multiRay(
        m, d, pnt, vec, geomgroup, flg_static, bodyexclude, geomid, dist, given["normal"], given["nray"], given["cutoff"])


def mju_rayFlex(*arguments, **named):
    """Distance to a flex, by its name until 3.4."""
    return _core.mj_rayFlex(*arguments, **named)


@_structs.takes_shared
def mj_resetCtrl(m, d):
    """Sets all controls to zero."""
    if d.model is not m and d.model.nu != m.nu:
        raise ValueError("model and data do not belong together")
    d.ctrl[:] = 0


@_structs.takes_shared
def mj_actuatorInputName(m, id, input):
    """The name of an input of an actuator: each has one, without a name."""
    if not 0 <= id < m.nu:
        raise IndexError(f"Invalid index {id}. Valid indices from 0 to {m.nu - 1}")
    return None


@_structs.takes_shared
def mj_embedAssets(m):
    """A copy of the model, which holds all its assets anyhow."""
    return _core.copy_model(m)


@_structs.takes_shared
def mj_loadTexture(m, id):
    """Pixels of a texture (height x width x channels), and its colour space."""
    texture = m.texture(id)
    return texture.data.copy(), int(m.tex_colorspace[id])


@_structs.takes_shared
def mj_insideSite(m, d, siteid, point):
    """Whether a point is inside a site."""
    local = d.site_xmat[siteid].reshape(3, 3).T @ (np.asarray(point, float) - d.site_xpos[siteid])
    size, kind = m.site_size[siteid], int(m.site_type[siteid])
    of = _enums.mjtGeom
    if kind == of.mjGEOM_SPHERE:
        return int(local @ local <= size[0] ** 2)
    if kind == of.mjGEOM_BOX:
        return int((np.abs(local) <= size).all())
    if kind == of.mjGEOM_ELLIPSOID:
        return int(((local / size) ** 2).sum() <= 1)
    radius2 = local[0] ** 2 + local[1] ** 2
    if kind == of.mjGEOM_CYLINDER:
        return int(radius2 <= size[0] ** 2 and abs(local[2]) <= size[1])
    beyond = max(abs(local[2]) - size[1], 0.0)
    return int(radius2 + beyond**2 <= size[0] ** 2)


# Worlds that were given threads.
_threaded: "weakref.WeakSet[_structs.MjData]" = weakref.WeakSet()


@_structs.takes_shared
def mju_threadpool(d, nthread):
    """Threads for one world: the engine decides itself, and only remembers that it was asked."""
    if not isinstance(d, _structs.MjData) or nthread < 0:
        raise TypeError("mju_threadpool takes an MjData and a number of threads")
    _threaded.add(d) if nthread else _threaded.discard(d)


@_structs.takes_shared
def has_threads(d) -> bool:
    """Whether a world was given threads."""
    return d in _threaded


@_structs.takes_shared
def mjv_camera2GLCamera(m, d, cam):
    """What OpenGL needs of a camera."""
    scene = _structs.MjvScene(m, 1)
    _core.mjv_updateCamera(m, d, cam, scene)
    camera = _structs.MjvGLCamera()
    camera._assign(scene.camera[0])
    return camera


def from_zip(file):
    """A specification of an archive."""
    from mujoco import _specs

    return _specs.MjSpec.from_zip(file)


def to_zip(spec, file):
    """Writes an archive with a specification and its assets."""
    spec.to_zip(file)


class MjrRendererInfo:
    """What draws."""

    def __init__(self):
        self.backend, self.renderer = "software", "Sinew"


def mjr_defaultRendererInfo(info):
    """Sets what draws to nothing."""
    info.backend = info.renderer = ""


def mjr_getRendererInfo(info):
    """Tells what draws."""
    info.__init__()


class MjPreContact:
    """A contact of a collision function, before its parameters are known."""

    def __init__(self):
        self.dist = 0.0
        self.pos, self.normal, self.tangent = np.zeros(3), np.zeros(3), np.zeros(3)


class MjLogMessage:
    """A message of the engine."""

    def __init__(self, body="", level=0):
        self.body, self.level, self.topic, self.subject = body, level, 0, ""
        self.file, self.func, self.line, self.timestamp = "", "", 0, 0.0


class MjLogConfig:
    """Where messages go; the engine has one way, that of `set_mju_user_warning`."""

    def __init__(self):
        self.logto_console, self.logto_file, self.logfile, self.topics = True, True, "MUJOCO_LOG.TXT", 0

    @staticmethod
    def get():
        return MjLogConfig()

    def set(self):
        if vars(self) != vars(MjLogConfig()):
            raise ValueError("messages go to the console and to MUJOCO_LOG.TXT: set_mju_user_warning takes them instead")


MJTNUM_DTYPE = np.float64
MJTNUM_BYTES = 8
mjSC_IN, mjSC_OUT, mjSC_INOUT = 1, 2, 3

__all__ = [name for name in dir() if name.startswith(("mj_", "mju_", "mjv_", "mjr_", "mjSC", "Mj", "MJ")) or name.endswith("_zip")]
