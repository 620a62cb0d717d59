"""Drawing with OpenGL."""

from mujoco import _core

MjrRect, MjrContext = _core.classes["mjrRect"], _core.classes["mjrContext"]
MjrContext.__new__ = lambda cls, model=None, fontscale=None: _core.make_context(model, int(fontscale)) if model is not None else _core.empty_context()
MjrContext.free = lambda self: _core.free_context(self)

for _name in dir(_core):
    if _name.startswith("mjr_"):
        globals()[_name] = getattr(_core, _name)
