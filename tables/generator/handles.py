"""src/spec/handles_generated.h: what the public structs of mjspec.h point to, as objects that own it."""

from generator.tables import Entry, Tables
from generator.text import banner

# Objects of C++ behind the handle types of the public header.
_OBJECTS = {
    "mjString*": "std::string",
    "mjStringVec*": "std::vector<std::string>",
    "mjIntVec*": "std::vector<int>",
    "mjIntVecVec*": "std::vector<std::vector<int>>",
    "mjFloatVec*": "std::vector<float>",
    "mjFloatVecVec*": "std::vector<std::vector<float>>",
    "mjDoubleVec*": "std::vector<double>",
    "mjByteVec*": "std::vector<std::byte>",
}


def generate(tables: Tables) -> dict[str, str]:
    structs = [
        entry
        for entry in tables.types
        if entry.get("header") == "mjspec" and _handles(entry)
    ]
    # A struct that stands inside another one comes first.
    structs.sort(key=lambda entry: entry["struct"] not in ("mjsPlugin", "mjsCompiler"))
    lines = [
        banner("tables/types.json"),
        "// HandlesOf<Struct>: the strings and arrays that a public struct of mjspec.h points to. Bind makes the struct point to",
        "// them; who copies a struct copies its handles too and binds again (spec/element.h).",
        "#ifndef SINEW_SPEC_HANDLES_GENERATED_H_",
        "#define SINEW_SPEC_HANDLES_GENERATED_H_",
        "",
        "#include <cstddef>",
        "#include <string>",
        "#include <vector>",
        "",
        "#include <mujoco/mujoco.h>",
        "",
        "namespace sinew::inline spec {",
        "",
        "template <class Struct>",
        "struct HandlesOf;",
        "",
    ]
    for entry in structs:
        lines += _specialization(entry)
    lines += ["}  // namespace sinew::inline spec", "", "#endif  // SINEW_SPEC_HANDLES_GENERATED_H_", ""]
    return {"src/spec/handles_generated.h": "\n".join(lines)}


def _handles(entry: Entry) -> list[tuple[str, str]]:
    """Returns (type, name) of what a struct points to or embeds."""
    found = []
    for field in entry.get("fields", []):
        kind = field.get("type", "")
        if kind in _OBJECTS:
            found.append((_OBJECTS[kind], field["name"]))
        elif kind in ("mjsPlugin", "mjsCompiler"):
            found.append((f"HandlesOf<{kind}>", field["name"]))
    return found


def _specialization(entry: Entry) -> list[str]:
    struct, handles = entry["struct"], _handles(entry)
    lines = ["template <>", f"struct HandlesOf<{struct}> {{"]
    lines += [f"  {kind} {name};" for kind, name in handles]
    lines += ["", f"  void Bind({struct}* s) {{"]
    for kind, name in handles:
        nested = kind.startswith("HandlesOf")
        lines.append(f"    {name}.Bind(&s->{name});" if nested else f"    s->{name} = &{name};")
    return lines + ["  }", "};", ""]
