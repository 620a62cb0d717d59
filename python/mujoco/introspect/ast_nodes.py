"""Declarations of C: types, functions, structs, enumerations."""

import dataclasses
import re
from typing import Optional, Union

_TYPE_NAME = re.compile(r"(struct |enum |union )?[A-Za-z_]\w*( [A-Za-z_]\w*)*")


def _qualified(before, parts):
    return " ".join([*before, *parts])


@dataclasses.dataclass
class ValueType:
    """A type that is neither a pointer nor an array."""

    name: str
    is_const: bool = False
    is_volatile: bool = False
    nullable: bool = False

    def __post_init__(self):
        if not _TYPE_NAME.fullmatch(self.name):
            raise ValueError(f"{self.name!r} is not a valid type name")

    def decl(self, name_or_decl: Optional[str] = None) -> str:
        """Declares something of this type."""
        parts = ["const"] * self.is_const + ["volatile"] * self.is_volatile + [self.name]
        return " ".join(parts + [name_or_decl] * bool(name_or_decl))

    def __str__(self):
        return self.decl()


@dataclasses.dataclass
class ArrayType:
    """An array."""

    inner_type: "Union[ValueType, PointerType]"
    extents: tuple
    nullable: bool = False

    def __post_init__(self):
        self.extents = tuple(self.extents)

    @property
    def _extents_str(self) -> str:
        return "".join(f"[{extent}]" for extent in self.extents)

    def decl(self, name_or_decl: Optional[str] = None) -> str:
        """Declares something of this type."""
        return self.inner_type.decl(f"{name_or_decl or ''}{self._extents_str}")

    def __str__(self):
        return self.decl()


@dataclasses.dataclass
class PointerType:
    """A pointer."""

    inner_type: "Union[ValueType, ArrayType, PointerType]"
    nullable: bool = False
    is_const: bool = False
    is_volatile: bool = False
    is_restrict: bool = False

    def decl(self, name_or_decl: Optional[str] = None) -> str:
        """Declares something of this type."""
        parts = ["*"] + ["const"] * self.is_const + ["volatile"] * self.is_volatile + ["restrict"] * self.is_restrict
        pointer = " ".join(parts + [name_or_decl] * bool(name_or_decl))
        return self.inner_type.decl(f"({pointer})" if isinstance(self.inner_type, ArrayType) else pointer)

    def __str__(self):
        return self.decl()


@dataclasses.dataclass
class FunctionParameterDecl:
    """A parameter of a function. One that is an array in the declaration stays one, although C makes it a pointer."""

    name: str
    type: Union[ValueType, ArrayType, PointerType]
    nullable: bool = False

    def __str__(self):
        return self.type.decl(self.name)

    @property
    def decltype(self) -> str:
        return self.type.decl()


@dataclasses.dataclass
class FunctionDecl:
    """A function."""

    name: str
    return_type: Union[ValueType, ArrayType, PointerType]
    parameters: tuple
    doc: str

    def __post_init__(self):
        self.parameters = tuple(self.parameters)

    def __str__(self):
        return f"{self.return_type} {self.name}({', '.join(str(p) for p in self.parameters)})"

    @property
    def decltype(self) -> str:
        return f"{self.return_type} ({', '.join(p.decltype for p in self.parameters)})"


@dataclasses.dataclass
class StructFieldDecl:
    """A member of a struct. `array_extent`: shape of the array that a pointer points to."""

    name: str
    type: "Union[ValueType, ArrayType, PointerType, AnonymousStructDecl, AnonymousUnionDecl]"
    doc: str
    array_extent: Optional[tuple] = None

    def __str__(self):
        return self.type.decl(self.name)

    @property
    def decltype(self) -> str:
        return self.type.decl()


@dataclasses.dataclass
class AnonymousStructDecl:
    """A struct without a name."""

    fields: tuple

    def __post_init__(self):
        self.fields = tuple(self.fields)

    def __str__(self):
        return self.decl()

    def _inner_decl(self):
        return "; ".join(str(field) for field in self.fields) + ";"

    def decl(self, name_or_decl: Optional[str] = None) -> str:
        """Declares something of this type."""
        return " ".join([f"struct {{{self._inner_decl()}}}"] + [name_or_decl] * bool(name_or_decl))


class AnonymousUnionDecl(AnonymousStructDecl):
    """A union without a name."""

    def decl(self, name_or_decl: Optional[str] = None) -> str:
        """Declares something of this type."""
        return " ".join([f"union {{{self._inner_decl()}}}"] + [name_or_decl] * bool(name_or_decl))


@dataclasses.dataclass
class StructDecl:
    """A struct."""

    name: str
    declname: str
    fields: tuple

    def __post_init__(self):
        self.fields = tuple(self.fields)

    def decl(self, name_or_decl: Optional[str] = None) -> str:
        """Declares something of this type."""
        return " ".join([self.name or self.declname] + [name_or_decl] * bool(name_or_decl))


@dataclasses.dataclass
class EnumDecl:
    """An enumeration."""

    name: str
    declname: str
    values: dict
