"""The Python package of a physics engine with the interface of MuJoCo, on Sinew."""

import ctypes
import os
import sys
from typing import Union

from mujoco import _others  # noqa: F401

_folder = os.path.dirname(os.path.abspath(__file__))
_headers = (os.path.join(_folder, "include", "mujoco"), os.path.join(_folder, "..", "..", "include", "mujoco"))
HEADERS_DIR = next((path for path in _headers if os.path.isdir(path)), _headers[0])
PLUGINS_DIR = os.path.join(_folder, "plugin")
PLUGIN_HANDLES: list[ctypes.CDLL] = []

# The package sinew loads the extension module for its own classes, where it is imported first; and finds this one otherwise.
if "sinew._core" in sys.modules:
    sys.modules["mujoco._core"] = sys.modules["sinew._core"]
from mujoco import _core  # noqa: E402

sys.modules["sinew._core"] = _core
if not getattr(sys, "_is_gil_enabled", lambda: True)():
    from mujoco import _lock  # noqa: F401  switches it on
from mujoco._callbacks import *  # noqa: E402, F403
from mujoco._constants import *  # noqa: E402, F403
from mujoco._enums import *  # noqa: E402, F403
from mujoco._errors import *  # noqa: E402, F403
from mujoco._files import MjVfs  # noqa: E402
from mujoco._functions import *  # noqa: E402, F403
from mujoco._render import *  # noqa: E402, F403
from mujoco._specs import *  # noqa: E402, F403
from mujoco._structs import *  # noqa: E402, F403
from mujoco.gl_context import *  # noqa: E402, F403
from mujoco.renderer import Renderer  # noqa: E402

from mujoco import _names, _release  # noqa: E402
from mujoco._newer import *  # noqa: E402, F403

_names.add()
__version__ = _release.version()
_release.set_level(__version__)
mjVERSION_HEADER = _release.number()

MjStruct = Union[  # type: ignore[valid-type]
    tuple(dict.fromkeys(value for name, value in globals().items() if name.startswith("Mj") and isinstance(value, type)))
]
