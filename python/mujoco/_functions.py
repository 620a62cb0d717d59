"""Functions of the C interface."""

import numpy as np

from mujoco import _core
from mujoco._structs import takes_shared

for _name in dir(_core):
    if _name.startswith(("mj_", "mjd_", "mju_", "mjv_")):
        globals()[_name] = getattr(_core, _name)


@takes_shared
def mj_saveModel(m, filename=None, buffer=None):
    """Writes a model to a file, or into an array of bytes."""
    if filename is not None:
        _core.save_file(m, filename)
    if buffer is not None:
        data = _core.save_buffer(m)
        if len(buffer) < len(data):
            raise ValueError("the buffer is too short for the model")
        memoryview(buffer).cast("B")[: len(data)] = data


def mj_printSchema(flg_html, flg_pad):
    """The schema of MJCF as text or HTML."""
    return _core.print_schema(bool(flg_html), bool(flg_pad))


@takes_shared
def mj_saveLastXML(filename, m):
    """Writes the model that was loaded last."""
    _core.save_last_xml(filename, m)


@takes_shared
def mj_setLengthRange(m, d, index, opt):
    """Measures the length range of an actuator."""
    _core.set_length_range(m, d, index, opt)


def mj_loadAllPluginLibraries(directory):
    """Loads all libraries of a folder, which register plugins."""
    _core.load_plugins(directory)


def mju_getXMLDependencies(filename):
    """The files that a model names, and itself."""
    return _core.xml_dependencies(filename)


def mju_standardNormal(num2=None):
    """A standard normal number."""
    return _core.standard_normal()


def mj_defaultSolRefImp(solref, solimp):
    """Sets the default parameters of constraints, of those arrays that are given."""
    for name, array, size in (("solref", solref, 2), ("solimp", solimp, 5)):
        if array is not None and np.shape(array) != (size,):
            raise TypeError(f"{name} should be of size {size}")
    if solref is not None:
        solref[:] = (0.02, 1.0)
    if solimp is not None:
        solimp[:] = (0.9, 0.95, 0.001, 0.5, 2.0)


@takes_shared
def _realloc_con_efc(d, ncon, nefc, nJ=0):
    """Makes room for contacts and constraint rows, which the caller fills."""
    _core.resize_arena(d, ncon, nefc, nJ)


# ---- functions whose arrays say where others are read and written: what they say is checked


def _check_rows(values, rownnz, rowadr, colind, rows, columns):
    """Whether rows of a sparse matrix lie in its arrays, and its columns are columns."""
    counts, begins, places = (np.ravel(array) for array in (rownnz, rowadr, colind))
    if any(array.dtype.kind not in "iu" for array in (counts, begins, places) if array.size):
        raise TypeError("rownnz, rowadr and colind are integers")
    if len(counts) != rows or len(begins) != rows:
        raise TypeError(f"rownnz and rowadr should have length {rows}")
    if rows and (counts.min() < 0 or begins.min() < 0 or (begins + counts).max() > min(np.size(values), len(places))):
        raise TypeError("rows of the matrix are not in its arrays")
    for begin, count in zip(begins, counts):
        row = places[begin : begin + count]
        if count and (row.min() < 0 or row.max() >= columns):
            raise TypeError("a column of the matrix is not in it")


@takes_shared
def mj_addM(m, d, dst, rownnz, rowadr, colind):
    """Adds the inertia matrix to a sparse matrix with rows of the dofs."""
    if isinstance(m, _core.classes["mjModel"]):
        _check_rows(dst, rownnz, rowadr, colind, m.nv, m.nv)
    _core.mj_addM(m, d, dst, rownnz, rowadr, colind)


def mju_sparse2dense(res, mat, rownnz, rowadr, colind):
    """A sparse matrix as a dense one."""
    if np.ndim(res) != 2:
        raise TypeError("res should be a matrix")
    _check_rows(mat, rownnz, rowadr, colind, *np.shape(res))
    _core.mju_sparse2dense(res, mat, rownnz, rowadr, colind)


def mju_printMatSparse(mat, rownnz, rowadr, colind):
    """Prints a sparse matrix."""
    _check_rows(mat, rownnz, rowadr, colind, np.size(rownnz), 1 << 30)
    _core.mju_printMatSparse(mat, rownnz, rowadr, colind)


def mju_raySkin(nface, nvert, face, vert, pnt, vec, vertid):
    """Distance along a ray to a skin."""
    if np.size(face) and (np.min(face) < 0 or np.max(face) >= nvert):
        raise TypeError("face names vertices that are not there")
    return _core.mju_raySkin(nface, nvert, np.ravel(face), np.ravel(vert), pnt, vec, vertid)


@takes_shared
def mjd_inverseFD(m, d, eps, flg_actuation, DfDq, DfDv, DfDa, DsDq, DsDv, DsDa, DmDq):
    """Derivatives of inverse dynamics by finite differences; `DmDq` has the columns of d.qM, or of d.M since 3.10."""
    in_rows = DmDq is not None and np.ndim(DmDq) == 2 and np.shape(DmDq)[1] == m.nC != m.nM
    inertia = np.zeros((m.nv, m.nM)) if in_rows else DmDq
    _core.mjd_inverseFD(m, d, eps, flg_actuation, DfDq, DfDv, DfDa, DsDq, DsDv, DsDa, inertia)
    if in_rows:
        DmDq[...] = inertia[:, m.mapM2M]
