"""Callbacks of the engine that are functions of Python or of C."""

import ctypes

from mujoco import _core

_NAMES = (
    "mjcb_passive", "mjcb_control", "mjcb_contactfilter", "mjcb_sensor", "mjcb_time", "mjcb_act_dyn", "mjcb_act_gain",
    "mjcb_act_bias", "mju_user_warning", "mju_user_malloc", "mju_user_free",
)  # fmt: skip


def _address(function):
    """The address of a function of ctypes; 0 for one of Python."""
    if isinstance(function, ctypes._CFuncPtr):
        return ctypes.cast(function, ctypes.c_void_p).value or 0
    return 0


def _make(name):
    def setter(function):
        if function is not None and not callable(function):
            raise TypeError("callback is not an Optional[Callable]")
        _core.set_callback(name, function, _address(function))

    def getter():
        return _core.get_callback(name)

    setter.__name__, getter.__name__ = f"set_{name}", f"get_{name}"
    return setter, getter


_core.start_clock()
for _name in _NAMES:
    globals()[f"set_{_name}"], globals()[f"get_{_name}"] = _make(_name)


def clear():
    """Removes all callbacks."""
    for name in _NAMES:
        _core.set_callback(name, None, 0)
