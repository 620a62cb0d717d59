"""Contexts of OpenGL, by the name that they have had since 3.6."""

from mujoco.gl_context import GLContext

__all__ = ["GLContext"]
