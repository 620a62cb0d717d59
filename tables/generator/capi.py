"""src/capi: definitions of global variables and of functions that are not provided yet, and the list of exports."""

import json

from generator.tables import Entry, Tables, declare, parameter_type
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
        "src/capi/exports.map": _exports(tables),
        "src/capi/globals_generated.cc": _globals(tables),
        "src/capi/unimplemented_generated.cc": _unimplemented(tables),
    }


def _exports(tables: Tables) -> str:
    names = [entry["name"] for entry in tables.functions + tables.globals if "name" in entry]
    lines = [f"    {name};" for name in [*sorted(names + list(_UNDECLARED)), *_ADDED]]
    head = banner("tables/functions.json and tables/globals.json").replace("//", "#")
    return head + "\n".join(["{", "  global:", *lines, "  local:", "    *;", "};"]) + "\n"


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
