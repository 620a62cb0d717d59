"""python/mujoco/introspect/_declarations.py: functions and structs of the C interface as text, one row each."""

from generator.tables import Entry, Tables
from generator.text import banner


# Texts that programs compare with those of MuJoCo 3.8.0.
TEXTS = {
    "mju_transformSpatial": "Coordinate transform of 6D motion or force vector in rotation:translation format. "
                            "rotnew2old is 3-by-3, NULL means no rotation; flg_force specifies force or motion type.",
    "mj_copyData": "Copy mjData. m is only required to contain the size fields from MJMODEL_INTS.",
    "mjData.qpos": "position",
    "mjVisual.offwidth": "width of offscreen buffer",
    "mjVisual.ambient": "ambient rgb (alpha=1)",
    "mjVisual.diffuse": "diffuse rgb (alpha=1)",
    "mjVisual.specular": "specular rgb (alpha=1)",
    "mjVisual.active": "is headlight active",
    "mjData.warning": "warning statistics (mutable)",
    "mjVisual.ipd": "inter-pupilary distance for free camera",
    "mjuiItem.pdata": "data pointer (type-specific)",
}
# Parameters that may be null here, and not by the declaration there.
NEVER_NULL = {"mj_copyData"}


def generate(tables: Tables) -> dict[str, str]:
    lines = [banner("tables/functions.json, tables/types.json, tables/model.json and tables/data.json").replace("//", "#").rstrip()]
    lines += ["", "# name, result, parameters, those that may be null, meaning", "FUNCTIONS = ("]
    for entry in tables.functions:
        if "name" in entry and "..." not in entry["params"]:
            row = (entry["name"], entry["returns"], tuple(entry["params"]), _nullable(entry), TEXTS.get(entry["name"], entry.get("doc", "")))
            lines.append(f"    {row!r},")
    lines += [")", "", "# name, fields: type, name, extents, meaning, extents of what is pointed to", "STRUCTS = ("]
    for entry in tables.types:
        if "struct" not in entry:
            continue
        name = entry["struct"]
        source = {"mjModel": tables.model, "mjData": tables.data}.get(name) or entry["fields"]
        fields = tuple(_field(tables, name, field) for field in source if "name" in field and "params" not in field)
        lines.append(f"    ({name!r}, {fields!r}),")
    return {"python/mujoco/introspect/_declarations.py": "\n".join([*lines, ")", ""])}


def _nullable(entry: Entry) -> tuple[str, ...]:
    return () if entry["name"] in NEVER_NULL else tuple(entry.get("nullable", ()))


def _field(tables: Tables, struct: str, entry: Entry) -> tuple:
    doc = TEXTS.get(f"{struct}.{entry['name']}", entry.get("doc", ""))
    if "fields" in entry:
        inner = tuple(_field(tables, struct, field) for field in entry["fields"] if "name" in field)
        return (inner, entry["name"], (), doc, None)
    if "rows" not in entry:
        return (entry["type"], entry["name"], tuple(_extent(tables, e) for e in entry.get("extent", ())), doc, None)
    extents = tuple(_extent(tables, e) for e in (entry["rows"], entry["cols"]) if e != "1")
    if entry.get("kind") == "vector":
        # an array in the struct has one extent
        size = 1
        for extent in extents:
            size *= extent
        return (entry["type"], entry["name"], (size,), doc, None)
    return (entry["type"] + "*", entry["name"], (), doc, extents)


def _extent(tables: Tables, text: str) -> int | str:
    number = tables.number(text)
    if number is not None:
        return number
    factors = [tables.number(factor) for factor in text.replace("+", "*+").split("*")]
    if "+" in text:
        return sum(tables.number(part) or 0 for part in text.split("+"))
    if all(factor is not None for factor in factors):
        product = 1
        for factor in factors:
            product *= factor
        return product
    return text


