"""Functions of the C interface."""

import re

from mujoco.introspect import _declarations
from mujoco.introspect.ast_nodes import FunctionDecl, FunctionParameterDecl
from mujoco.introspect.type_parsing import parse_type

_NAMED = re.compile(r"(.*?)\b([A-Za-z_]\w*)((?:\[[^\]]*\])*)$", re.DOTALL)


def _parameter(text, nullable):
    before, name, extents = _NAMED.match(text).groups()
    return FunctionParameterDecl(name, parse_type(before + extents), name in nullable)


FUNCTIONS = {
    name: FunctionDecl(name, parse_type(returns), tuple(_parameter(p, nullable) for p in parameters if "(*" not in p), doc)
    for name, returns, parameters, nullable, doc in _declarations.FUNCTIONS
}
