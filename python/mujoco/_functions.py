"""Functions of the C interface."""

from mujoco import _core, _enums

for _name in dir(_core):
    if _name.startswith(("mj_", "mjd_", "mju_", "mjv_")):
        globals()[_name] = getattr(_core, _name)


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


def mj_saveLastXML(filename, m):
    """Writes the model that was loaded last."""
    _core.save_last_xml(filename, m)


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
    """Sets the default parameters of constraints."""
    solref[:] = (0.02, 1.0)
    solimp[:] = (0.9, 0.95, 0.001, 0.5, 2.0)


def _realloc_con_efc(d, ncon, nefc, nJ=0):
    """Makes room for contacts and constraint rows, which the caller fills."""
    _core.resize_arena(d, ncon, nefc, nJ)
