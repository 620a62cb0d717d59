"""Constants of the C interface."""

from mujoco import _core, _tables

globals().update(_tables.CONSTANTS)
for _name in dir(_core):
    if _name.startswith("mj") and _name.endswith("STRING"):
        globals()[_name] = getattr(_core, _name)
