"""Drawing with OpenGL."""

from mujoco import _core
from mujoco._structs import model_of

MjrRect, MjrContext = _core.classes["mjrRect"], _core.classes["mjrContext"]


def _init_context(self, model=None, fontscale=None):
    self._adopt(_core.empty_context() if model is None else _core.make_context(model_of(model), int(fontscale)))


MjrContext.__init__ = _init_context
MjrContext.free = lambda self: _core.free_context(self)

for _name in dir(_core):
    if _name.startswith("mjr_"):
        globals()[_name] = getattr(_core, _name)
