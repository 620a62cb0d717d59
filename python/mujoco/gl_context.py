"""Contexts of OpenGL: by the variable MUJOCO_GL egl, osmesa or glfw; without it the first that there is."""

import contextlib
import importlib
import os
import threading

_OFF = ("disable", "disabled", "off", "false", "0")
_KNOWN = ("egl", "osmesa", "glfw")
_current = threading.local()  # the context that each thread has made current last


def _choices():
    choice = os.environ.get("MUJOCO_GL", "").lower().strip()
    if choice in _OFF:
        raise RuntimeError("OpenGL is switched off by MUJOCO_GL")
    if choice in _KNOWN:
        return (choice,)
    if choice not in ("", "enable", "enabled", "on", "true", "1"):
        raise RuntimeError(f"invalid value for environment variable MUJOCO_GL: {choice}")
    return ("glfw", "egl", "osmesa") if os.environ.get("DISPLAY") else ("egl", "osmesa", "glfw")


class GLContext:
    """An OpenGL context without a window that is seen."""

    def __init__(self, max_width, max_height):
        self._context = None
        problems = []
        for choice in _choices():
            try:
                self._context = importlib.import_module(f"mujoco.{choice}").GLContext(max_width, max_height)
                return
            except (ImportError, RuntimeError) as error:
                problems.append(f"{choice}: {error}")
        raise RuntimeError("no OpenGL context can be made: " + "; ".join(problems))

    def make_current(self):
        self._context.make_current()
        _current.context = self

    @contextlib.contextmanager
    def as_current(self):
        """Makes the context current for a while; then the one that was before."""
        before = getattr(_current, "context", None)
        self.make_current()
        try:
            yield self
        finally:
            if before is not None and before is not self and before._context is not None:
                before.make_current()

    def free(self):
        context, self._context = getattr(self, "_context", None), None
        if context is not None:
            context.free()

    def __del__(self):
        self.free()


__all__ = ["GLContext"]
