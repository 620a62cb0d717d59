"""Contexts of OpenGL, by the variable MUJOCO_GL: egl, osmesa or glfw; without it what is there."""

import os

_CHOICE = os.environ.get("MUJOCO_GL", "").lower().strip()


def _make():
    if _CHOICE in ("disable", "disabled", "off", "false", "0"):
        return None
    if _CHOICE in ("egl",):
        from mujoco.egl import GLContext
    elif _CHOICE in ("osmesa",):
        from mujoco.osmesa import GLContext
    else:
        from mujoco.glfw import GLContext
    return GLContext


class GLContext:
    """An OpenGL context without a window of its own that is seen."""

    def __init__(self, max_width, max_height):
        cls = _make()
        if cls is None:
            raise RuntimeError("OpenGL is switched off by MUJOCO_GL")
        self._context = cls(max_width, max_height)

    def make_current(self):
        self._context.make_current()

    def free(self):
        if getattr(self, "_context", None) is not None:
            self._context.free()
            self._context = None

    def __del__(self):
        self.free()


__all__ = ["GLContext"]
