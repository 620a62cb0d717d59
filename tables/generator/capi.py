"""src/capi: checks of arguments, definitions of global variables and of functions that are not provided yet, and the list
of exports."""

import json
import re

from generator.tables import Entry, Tables, declare, parameter_name, parameter_type
from generator.text import banner

# Names of functions that 3.8.0 does not have, as patterns of the linker: include/mujoco/mjbatch.h, include/sinew.
_ADDED = ("mjb_*", "sinew_*")

# Exported names that no public header declares, but the reference's binary extensions import.
_UNDECLARED = (
    "_mjPRIVATE__get_tls_error_fn",
    "_mjPRIVATE__get_tls_warning_fn",
    "_mjPRIVATE__get_xml_precision",
    "_mjPRIVATE__set_tls_error_fn",
    "_mjPRIVATE__set_tls_warning_fn",
    "_mjPRIVATE__set_xml_precision",
    "mj_arenaAllocByte",
)


def generate(tables: Tables) -> dict[str, str]:
    return {
        "src/capi/checks_generated.h": _checks(tables),
        "src/capi/exports.map": _exports(tables),
        "src/capi/globals_generated.cc": _globals(tables),
        "src/capi/unimplemented_generated.cc": _unimplemented(tables),
    }


def _exports(tables: Tables) -> str:
    names = [entry["name"] for entry in tables.functions + tables.globals if "name" in entry]
    lines = [f"    {name};" for name in [*sorted(names + list(_UNDECLARED)), *_ADDED]]
    head = banner("tables/functions.json and tables/globals.json").replace("//", "#")
    return head + "\n".join(["{", "  global:", *lines, "  local:", "    *;", "};"]) + "\n"


_CHECKS_HEAD = """\
// What the functions of the C interface require of their arguments (capi/arguments.h): SINEW_CHECK(mj_jac), as the first
// statement of mj_jac.
#ifndef SINEW_CAPI_CHECKS_GENERATED_H_
#define SINEW_CAPI_CHECKS_GENERATED_H_

// clang-format off
"""


def _checks(tables: Tables) -> str:
    """A macro for each function that requires anything: it sees the arguments under their names in the table."""
    lines = [banner("tables/functions.json") + _CHECKS_HEAD]
    for entry in tables.functions:
        if statements := _statements(entry):
            lines += [f"#define SINEW_CHECK_{entry['name']} \\", "; \\\n".join(f"  {s}" for s in statements), ""]
    return "\n".join([*lines, "// clang-format on", "", "#endif  // SINEW_CAPI_CHECKS_GENERATED_H_"]) + "\n"


def _statements(entry: Entry) -> list[str]:
    """Pointers come first, since limits of numbers may stand in what they point to."""
    function, checks = entry["name"], [check.partition(" if ") for check in entry.get("checks", [])]
    given = [p for p in required_pointers(entry) if not any(p in _names(c) for c, _, _ in checks)]
    statements = [f"SINEW_NOT_NULL({', '.join([function, *given])})"] if given else []
    for what, _, condition in checks:
        if match := re.fullmatch(r"(\w+) (>=|<) (.+)", what):
            statement = _number_check(function, *match.groups())
            statements.append(f"if ({condition}) {statement}" if condition else statement)
        else:
            statements.append(f"SINEW_NOT_NULL_IF({condition}, {function}, {what})")
    return statements + [f"SINEW_SAME_MODEL({function}, {m}, {d})" for m, d in _worlds_beside(entry, given)]


def _worlds_beside(entry: Entry, given: list[str]) -> list[tuple[str, str]]:
    """Returns the model and each world that must fit it, but for the pair that SINEW_NOT_NULL compares."""
    of = {kind: [parameter_name(p) for p in entry["params"] if re.match(rf"(const )?{kind}\* ", p)] for kind in ("mjModel", "mjData")}
    pairs = [(m, d) for m in of["mjModel"][:1] for d in of["mjData"] if d != "dest" and entry["name"] != "mj_recompile"]
    return [pair for pair in pairs if given[:2] != list(pair)]


def _number_check(function: str, argument: str, relation: str, bound: str) -> str:
    if relation == "<":
        return f"SINEW_IN_RANGE({function}, {argument}, {bound})"
    return f"SINEW_{'AT_LEAST_ONE' if bound == '1' else 'NOT_NEGATIVE'}({function}, {argument})"


def required_pointers(entry: Entry) -> list[str]:
    """Returns the names of pointers to data that must be given, at least if a condition holds."""
    free = entry.get("nullable", []) + entry.get("own", [])
    pointers = [p for p in entry["params"] if ("*" in p or "[" in p) and "(*" not in p]
    return [name for name in map(parameter_name, pointers) if name not in free]


def _names(check: str) -> list[str]:
    return check.split(", ")


def _globals(tables: Tables) -> str:
    lines = [banner("tables/globals.json"), "#include <mujoco/mujoco.h>", ""]
    for entry in tables.globals:
        if "value" not in entry:
            continue
        code = declare({**entry, "returns": entry["type"]} if "params" in entry else entry)
        value = entry["value"]
        if isinstance(value, str):
            lines.append(f"{code} = {value};" if value != "{}" else f"{code} = {{}};")
            continue
        lines += [f"{code} = {{", *(f"    {_strings(item)}," for item in value), "};"]
    return "\n".join(lines) + "\n"


def _strings(item: str | list[str]) -> str:
    if isinstance(item, str):
        return json.dumps(item)
    return "{" + ", ".join(json.dumps(text) for text in item) + "}"


def _unimplemented(tables: Tables) -> str:
    """Stubs are weak: the definition of a function takes the place of its stub, whatever the list still says."""
    missing = set(tables.unimplemented)
    lines = [
        banner("tables/unimplemented.txt and tables/functions.json"),
        "#include <mujoco/mujoco.h>",
        "",
        '#include "capi/unimplemented.h"',
        "",
        "using sinew::capi::Unimplemented;",
        "",
    ]
    lines += [_stub(entry) for entry in tables.functions if entry["name"] in missing]
    return "\n".join(lines) + "\n"


def _stub(entry: Entry) -> str:
    parameters = ", ".join(parameter_type(p) for p in entry["params"])
    result = "" if entry["returns"] == "void" else " return {};"
    head = f"[[gnu::weak]] {entry['returns']} {entry['name']}({parameters})"
    return f'{head} {{ Unimplemented("{entry["name"]}");{result} }}'
