"""Data: the class of worlds. It is derived from that of the package `mujoco`, from which it has the fields; this file and python/src have
what is different here."""

from sinew import _sinew
from sinew._binding import core
from sinew._model import Model, bytes_of

_Base = core.classes["mjData"]
_READ_ONLY = frozenset(_sinew.DATA_READ_ONLY)


class Data(_Base):
    __slots__ = ()
    _of_sinew = True

    def __new__(cls, model):
        if type(model) is not Model:
            made = core.shared(model, "mjData", True)
            if made is not None:
                return _adopted(cls, made, _sinew_model(model.model))
            model = _sinew_model(model)
        return _adopted(cls, core.over_data(_sinew.make_data(model), model), model)

    def __init__(self, model):
        pass  # that of the class it derives from would make another world

    def __setattr__(self, name, value):
        if name in _READ_ONLY:
            raise AttributeError(f"{name} is computed, and cannot be set")
        try:
            _Base.__setattr__(self, name, value)
        except (TypeError, ValueError, OverflowError) as error:
            raise ValueError(f"{name}: the value does not fit") from error

    def __eq__(self, other):
        return isinstance(other, Data) and self._address == other._address

    def __hash__(self):
        return hash(self._address)

    def __reduce__(self):
        return _unpickled, (self.model, self.snapshot())

    def _share(self):
        return core.share_of(self)

    model = property(lambda self: self._extra)
    plugin_data = property(lambda self: _Base.plugin_data.__get__(self).view("int64"))
    error_control = property(lambda self: self._error_control())
    _contact = property(lambda self: core.bytes_of(self, "contact"))

    def copy(self):
        return over(_sinew.copy_data(self), self.model)


_sinew.add_to_data(Data)
for _name in core.byte_fields("mjData"):
    setattr(Data, _name, bytes_of(_name))
for _name in _READ_ONLY:
    if _name.startswith("flg_"):
        setattr(Data, _name, property(lambda self, flag=getattr(_Base, _name): int(flag.__get__(self))))
_sinew.Data = Data


def _sinew_model(model):
    return model if isinstance(model, Model) else Model(model)


def _adopted(cls, made, model):
    """An object of a class over the world of an MjData that was just made."""
    self = core.Object.__new__(cls)
    self._adopt(made)
    self._extra = model
    return self


def over(capsule, model):
    """A new object over a world that a capsule shares."""
    return _adopted(Data, core.over_data(capsule, model), model)


def _unpickled(model, snapshot):
    data = Data(model)
    data.restore(snapshot)
    data.forward()
    data.restore(snapshot)
    return data
