"""Packages that other distributions put below this one, such as `mujoco.mjx`, wherever they are installed.

What the distribution of MuJoCo itself installs under this name is not looked at: its modules belong to its binaries.
"""

import importlib.machinery
import os
import sys

_OFFICIAL = frozenset((
    "batch", "cgl", "egl", "glfw", "introspect", "minimize", "msh2obj", "osmesa", "plugin", "renderer", "rendering",
    "rollout", "studio", "sysid", "usd", "viewer", "gl_context",
))  # fmt: skip


class _Finder:
    @staticmethod
    def find_spec(name, path=None, target=None):
        package, _, module = name.rpartition(".")
        if package != "mujoco" or module.startswith("_") or module in _OFFICIAL:
            return None
        folders = [os.path.join(folder, "mujoco") for folder in sys.path]
        found = [folder for folder in folders if os.path.isfile(os.path.join(folder, module, "__init__.py"))]
        return importlib.machinery.PathFinder.find_spec(name, found) if found else None


sys.meta_path.append(_Finder)
