"""Errors of the engine."""

from mujoco._core import FatalError


class UnexpectedError(RuntimeError):
    """An error that is none of the engine's own."""


FatalError.__module__ = "mujoco"
UnexpectedError.__module__ = "mujoco"
__all__ = ["FatalError", "UnexpectedError"]
