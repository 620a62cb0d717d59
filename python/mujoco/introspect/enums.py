"""Enumerations of the C interface."""

from mujoco import _tables
from mujoco.introspect.ast_nodes import EnumDecl

ENUMS = {name: EnumDecl(name, f"enum {name}_", dict(values)) for name, values in _tables.ENUMERATIONS.items()}
