"""Model: the class of models. It is derived from that of the package `mujoco`, from which it has the fields; this file has what is
different here."""

from sinew import _sinew
from sinew._binding import core

_Base = core.classes["mjModel"]


class Model(_Base):
    __slots__ = ()
    _of_sinew = True

    def __new__(cls, shared):
        made = core.shared(shared, "mjModel", True)
        if made is None:
            raise TypeError(f"model must be a sinew.Model, not {type(shared).__name__}")
        self = core.Object.__new__(cls)
        self._adopt(made)
        return self

    def __setattr__(self, name, value):
        try:
            _Base.__setattr__(self, name, value)
        except (TypeError, ValueError, OverflowError) as error:
            raise ValueError(f"{name}: the value does not fit") from error

    def __eq__(self, other):
        return isinstance(other, Model) and self._address == other._address

    def __hash__(self):
        return hash(self._address)

    def __reduce__(self):
        return _unpickled, (self.to_bytes(),)

    def _share(self):
        return core.share_of(self)

    from_xml_path = staticmethod(_sinew.load_model)
    from_osim = staticmethod(_sinew.load_model)
    from_hfd = staticmethod(_sinew.load_model)
    from_xml_string = staticmethod(_sinew.load_model_text)
    from_bytes = staticmethod(_sinew.load_model_bytes)

    def to_bytes(self):
        return core.save_buffer(self)

    def copy(self):
        return _sinew.copy_model(self)

    def find(self, type, name):
        return core.mj_name2id(self, type, name)

    def name_of(self, type, id):
        return core.mj_id2name(self, type, id) or ""

    opt = property(lambda self: _sinew.members_of(self, "opt"))
    stat = property(lambda self: _sinew.members_of(self, "stat"))
    vis = property(lambda self: _sinew.members_of(self, "vis"))


def _unpickled(content):
    return Model.from_bytes(content)


def bytes_of(name):
    """Letters and flags, which are texts and, from some level on, of type bool in the package mujoco, as numbers."""

    def setter(self, value):
        core.bytes_of(self, name)[...] = value

    return property(lambda self: core.bytes_of(self, name), setter)


for _name in core.byte_fields("mjModel"):
    setattr(Model, _name, bytes_of(_name))
_sinew.Model = Model
