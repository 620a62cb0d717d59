"""src/mjcf/schema/schema_generated.cc: the MJCF schema as static data, from tables/mjcf.json."""

import json
import re

from generator.tables import Entry, TableError, Tables
from generator.text import banner

# Kinds of values in src/mjcf/schema/schema.h.
_VALUES = {
    "real": "kReal",
    "int": "kInt",
    "keyword": "kKeyword",
    "keywords": "kKeywords",
    "flag": "kFlag",
    "string": "kString",
    "reference": "kString",
    "references": "kStrings",
}

# How a field of a public struct stores values.
_STORAGE = {
    "double": "kDouble",
    "mjtNum": "kDouble",
    "float": "kFloat",
    "int": "kInt",
    "mjtByte": "kByte",
    "mjString*": "kString",
    "mjStringVec*": "kStringVec",
    "mjDoubleVec*": "kDoubleVec",
    "mjFloatVec*": "kFloatVec",
    "mjIntVec*": "kIntVec",
}

_UNBOUNDED = -1


class Schema:
    """Elements by path, with their attributes resolved."""

    def __init__(self, tables: Tables):
        table = json.loads((tables.folder / "mjcf.json").read_text())
        self.keywords: dict[str, dict[str, str]] = table["keywords"]
        self._groups: dict[str, list[Entry]] = table["groups"]
        self.elements: dict[str, Entry] = {element["path"]: element for element in table["elements"]}
        if len(self.elements) != len(table["elements"]):
            raise TableError("mjcf.json: an element stands there twice")
        since = json.loads((tables.folder / "mjcf_since.json").read_text())
        self.first_release: str = since["first"]
        self.last_release: str = since["last"]
        self._since: dict[str, str] = since["since"]
        self._check_names(tables)
        self._check_defaults(tables)

    def _check_names(self, tables: Tables) -> None:
        """Whatever is named as a value of the interface is one."""
        known = tables.value_names()
        named = [(f"keywords {name}", value) for name, words in self.keywords.items() for value in words.values()]
        named += [(path, element["type"]) for path, element in self.elements.items() if "type" in element]
        for path, element in self.elements.items():
            for row in self.attributes(element):
                named.append((f"{path} {row['name']}", row.get("bit", "0")))
        for where, value in named:
            if str(value).startswith("mj") and value not in known:
                raise TableError(f"mjcf.json: {where}: no enumeration of enums.json has the value {value}")

    def _check_defaults(self, tables: Tables) -> None:
        """Defaults and releases that the documents show are those of attributes that are there."""
        rows = [(f"{path} {row['name']}", row) for path, element in self.elements.items() for row in self.attributes(element)]
        known = {name for name, _ in rows}
        words = {f"{name}={word}" for name, row in rows if "keywords" in row for word in self.keywords[row["keywords"]]}
        for name in json.loads((tables.folder / "mjcf_defaults.json").read_text()):
            if name not in known:
                raise TableError(f"mjcf_defaults.json: mjcf.json has no attribute '{name}'")
        for name in self._since:
            if name not in known and name not in words and name not in self.elements:
                raise TableError(f"mjcf_since.json: mjcf.json has no element, attribute or word '{name}'")

    def since(self, path: str, attribute: str = "") -> str:
        """Returns the release of MuJoCo since which an element, or an attribute of it, is there; "" for what is older than
        the first release in the table, came with its element, or is an extension that no release has."""
        source = self.elements[path].get("defaults_of", path)
        return self._since.get(f"{source} {attribute}" if attribute else path, "")

    def words_since(self, path: str, row: Entry) -> dict[str, str]:
        """Returns the release since which words of an attribute are there, of words that came later than the attribute."""
        source = self.elements[path].get("defaults_of", path)
        releases = {word: self._since.get(f"{source} {row['name']}={word}") for word in self.keywords.get(row.get("keywords", ""), {})}
        return {word: release for word, release in releases.items() if release}

    def struct(self, element: Entry) -> str:
        return self.source(element).get("struct", "")

    def source(self, element: Entry) -> Entry:
        """Returns the element whose attributes a row of a default class sets."""
        return self.elements[element["defaults_of"]] if "defaults_of" in element else element

    def attributes(self, element: Entry) -> list[Entry]:
        """Returns the rows of an element, groups expanded, in the order in which a file is written."""
        source = self.source(element)
        rows = []
        for row in [{"use": group} for group in source.get("use", [])] + source.get("attributes", []):
            if "use" in row and row["use"] not in self._groups:
                raise TableError(f"mjcf.json: {element['path']} uses the group {row['use']}, which is not there")
            rows += self._groups[row["use"]] if "use" in row else [row]
        if source is not element:
            # A class need not give what its elements must.
            rows = [{**row, "required": False} for row in rows if row.get("in_default", True)]
        names = [row["name"] for row in rows]
        if len(set(names)) != len(names):
            raise TableError(f"mjcf.json: {element['path']} has an attribute twice")
        return rows

    def has_attribute(self, tag: str, name: str) -> bool:
        """Whether some element of a name has an attribute."""
        found = [element for path, element in self.elements.items() if path.rpartition("/")[2] == tag]
        return any(row["name"] == name for element in found for row in self.attributes(element))

    def children(self, element: Entry) -> list[str]:
        """Returns the paths of the elements that may stand in an element."""
        path = element.get("contents", element["path"])
        inside = [other for other in self.elements if other.rpartition("/")[0] == path]
        if path == "mujoco":
            inside = [p for p, e in self.elements.items() if "/" not in p and p != path and e.get("top", True)]
        elif self.elements[path]["count"] == "R":
            inside.append(path)
        return inside


def generate(tables: Tables) -> dict[str, str]:
    schema = Schema(tables)
    attributes, rows = _attributes(tables, schema)
    lines = [
        banner("tables/mjcf.json"),
        '#include "mjcf/schema/schema.h"',
        "",
        "#include <cstddef>",
        "",
        '#include "model/storage/error_control.h"',
        '#include "model/storage/extension.h"',
        '#include "model/kinds/integrator.h"',
        '#include "model/kinds/sensor_kinds.h"',
        "",
        "namespace sinew::mjcf {",
        "namespace {",
        "",
        "// clang-format off",
        *_keywords(schema),
        "constexpr Attribute kAttributes[] = {",
        *attributes,
        "};",
        "",
        *_elements(schema, rows),
        "// clang-format on",
        "}  // namespace",
        "",
        "std::span<const Attribute> Attributes() { return kAttributes; }",
        "std::span<const ElementRow> Elements() { return kElements; }",
        "",
        "}  // namespace sinew::mjcf",
        "",
    ]
    return {"src/mjcf/schema/schema_generated.cc": "\n".join(lines)}


def _keywords(schema: Schema) -> list[str]:
    lines = []
    for name, words in schema.keywords.items():
        pairs = ", ".join(f'{{"{word}", {value}}}' for word, value in words.items())
        lines.append(f"constexpr Keyword {_constant(name)}[] = {{{pairs}}};")
    return [*lines, ""]


def _attributes(tables: Tables, schema: Schema) -> tuple[list[str], dict[str, list[int]]]:
    """Returns the text of all different attributes, and the indices of each element's."""
    texts: dict[str, int] = {}
    rows: dict[str, list[int]] = {}
    for path, element in schema.elements.items():
        rows[path] = [texts.setdefault(_attribute(tables, schema, path, row), len(texts)) for row in schema.attributes(element)]
    return [f"  {text}," for text in texts], rows


def _attribute(tables: Tables, schema: Schema, path: str, row: Entry) -> str:
    low, high = _count(row)
    struct = schema.struct(schema.elements[path])
    text = meaning(row, schema.since(path, row["name"]), schema.words_since(path, row))
    storage, offset = "kNone", "0"
    if "field" in row:
        storage, capacity = _field(tables, struct, row)
        offset = f"offsetof({struct}, {row['field']})"
        if capacity is not None and high > capacity:
            raise TableError(f"mjcf.json: {struct}.{row['field']} is too short for {row['name']}")
    if row["type"] not in _VALUES:
        raise TableError(f"mjcf.json: {row['name']}: type {row['type']} is none of {', '.join(_VALUES)}")
    keywords = "{}"
    if "keywords" in row:
        if row["keywords"] not in schema.keywords:
            raise TableError(f"mjcf.json: no keywords {row['keywords']}")
        keywords = _constant(row["keywords"])
    trim = _bool(row.get("trim", False))
    # "disable" sets the bits of the disable flags, "enable" those of the enable flags.
    bit = row.get("bit", "0")
    bit = f"-{bit}" if bit.startswith("mjDSBL") else bit
    return (
        f'{{"{row["name"]}", Value::{_VALUES[row["type"]]}, Storage::{storage}, {_bool(row.get("required", False))}, '
        f"{low}, {high}, {trim}, {offset}, {keywords}, {bit}, {_bool(row.get('extension', False))}, "
        f"{_text(text)}}}"
    )


def _count(row: Entry) -> tuple[int, int]:
    if row["type"] not in ("real", "int"):
        return 1, 1
    match = re.fullmatch(r"(\d+)(?:(\.\.)(\d*))?", row["count"])
    if not match:
        raise TableError(f"mjcf.json: count {row['count']} of {row['name']}")
    low, range_, high = match.groups()
    return int(low), int(low) if not range_ else int(high) if high else _UNBOUNDED


def _field(tables: Tables, struct: str, row: Entry) -> tuple[str, int | None]:
    """Returns the storage of a field and its length, which is None for vectors without a bound."""
    members = tables.struct(struct)["fields"]
    *outer, name = row["field"].split(".")
    for part in outer:
        member = next((member for member in members if member.get("name") == part), None)
        if member is None:
            raise TableError(f"mjcf.json: {struct} has no field {row['field']}")
        members = member["fields"] if "fields" in member else tables.struct(member["type"])["fields"]
    member = next((member for member in members if member.get("name") == name), None)
    if member is None:
        raise TableError(f"mjcf.json: {struct} has no field {row['field']}")
    kind = member["type"]
    # Enumerations are stored like integers.
    storage = _STORAGE.get(kind) or "kInt"
    if kind.endswith("*"):
        return storage, None
    length = 1
    for extent in member.get("extent", []):
        length *= _extent(tables, extent)
    return storage, length


def _extent(tables: Tables, extent: str) -> int:
    return sum(tables.number(part.strip()) or 0 for part in extent.split("+"))


def _elements(schema: Schema, rows: dict[str, list[int]]) -> list[str]:
    index = {path: i for i, path in enumerate(schema.elements)}
    attributes = [i for path in schema.elements for i in rows[path]]
    children = [[index[child] for child in schema.children(element)] for element in schema.elements.values()]
    flat = [child for inside in children for child in inside]
    lines = [*_integers("kAttributeIndices", attributes), *_integers("kChildIndices", flat)]
    lines.append("constexpr ElementRow kElements[] = {")
    at_attribute = at_child = 0
    for (path, element), inside in zip(schema.elements.items(), children, strict=True):
        n = len(rows[path])
        name = path.rpartition("/")[2]
        lines.append(
            f"  {{\"{name}\", \"{path}\", '{element['count']}', "
            f"{{kAttributeIndices + {at_attribute}, {n}}}, {{kChildIndices + {at_child}, {len(inside)}}}, "
            f"{element.get('type', '-1')}, {_bool(element.get('extension', False))}, {_text(meaning(element, schema.since(path)))}}},"
        )
        at_attribute += n
        at_child += len(inside)
    return [*lines, "};", ""]


def _integers(name: str, values: list[int]) -> list[str]:
    lines = [f"constexpr std::uint16_t {name}[] = {{"]
    for i in range(0, len(values), 24):
        lines.append("  " + ", ".join(str(value) for value in values[i : i + 24]) + ",")
    return [*lines, "};", ""]


def _constant(name: str) -> str:
    """Returns kCamelCase for snake_case."""
    return "k" + "".join(part.capitalize() for part in name.split("_")) + "Words"


def meaning(entry: Entry, since: str = "", words: dict[str, str] | None = None) -> str:
    """Returns the sentence that says what an element or attribute means, with its unit, and since which release of MuJoCo
    it is there, and words that it takes."""
    text = entry["doc"][0].upper() + entry["doc"][1:]
    text = f"{text} [{entry['unit']}]." if "unit" in entry else f"{text}."
    text = f"{text} Since MuJoCo {since}." if since else text
    return " ".join([text, *(f"Word {word} since MuJoCo {release}." for word, release in (words or {}).items())])


def _text(text: str) -> str:
    return json.dumps(text, ensure_ascii=False)


def _bool(value: bool) -> str:
    return "true" if value else "false"
