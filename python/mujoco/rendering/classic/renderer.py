"""`mujoco.Renderer`, by the name that it has had since 3.6."""

from mujoco.renderer import Renderer

__all__ = ["Renderer"]
