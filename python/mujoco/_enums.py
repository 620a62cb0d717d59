"""Enumerations: numbers that know their names, and equal the same numbers of Python and of numpy."""

from mujoco import _core, _names_table, _tables


class Enumeration(int):
    """A value of an enumeration."""

    __members__: dict[str, "Enumeration"] = {}
    _by_value: dict[int, "Enumeration"] = {}
    _name: str

    def __new__(cls, value):
        if isinstance(value, str):
            raise TypeError(f"{cls.__name__}: a number is needed, not {value!r}")
        number = value.__index__()
        try:
            return cls._by_value[number]
        except KeyError:
            raise ValueError(f"Invalid int value for {cls.__name__}: {number}") from None

    @property
    def name(self):
        return self._name

    @property
    def value(self):
        return int(self)

    def __repr__(self):
        return f"<{type(self).__name__}.{self._name}: {int(self)}>"

    def __str__(self):
        return f"{type(self).__name__}.{self._name}"

    def __format__(self, spec):
        return format(int(self), spec) if spec else str(self)

    def __reduce__(self):
        return type(self), (int(self),)

    def __copy__(self):
        return self

    def __deepcopy__(self, memo):
        return self


def make(name: str, values: dict[str, int]) -> type:
    """The class of an enumeration."""
    members: dict[str, Enumeration] = {}
    by_value: dict[int, Enumeration] = {}
    cls = type(name, (Enumeration,), {"__module__": __name__, "__members__": members, "_by_value": by_value})
    for key, number in values.items():
        member = int.__new__(cls, number)
        member._name = key
        members[key] = member
        by_value.setdefault(number, member)
        setattr(cls, key, member)
    return cls


def _with_newer():
    """The enumerations of 3.8.0 with what other releases add; numbers of the engine stay."""
    enumerations = {name: dict(values) for name, values in _tables.ENUMERATIONS.items()}
    for name, number in _names_table.ENUMERATORS.items():
        enumeration, _, value = name.partition(".")
        enumerations.setdefault(enumeration, {}).setdefault(value, number)
    return enumerations


ALL = {name: make(name, values) for name, values in _with_newer().items()}
globals().update(ALL)
_core.set_enumerations(ALL)
__all__ = list(ALL)
