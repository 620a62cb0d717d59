"""src/mjcf/schema/gone_generated.cc: words of MJCF that older releases had, from tables/mjcf_gone.json."""

import json

from generator.mjcf import Schema
from generator.tables import TableError, Tables
from generator.text import banner

_ACTIONS = {"delete": "kDelete", "rename": "kRename", "special": "kSpecial", "tell": "kTell"}
_KEYS = {"tag", "attribute", "value", "since", "action", "to", "values", "advice"}


def _text(text: str) -> str:
    return json.dumps(text)


def generate(tables: Tables) -> dict[str, str]:
    rows = json.loads((tables.folder / "mjcf_gone.json").read_text())["words"]
    schema = Schema(tables)
    lines = []
    for row in rows:
        if not set(row) <= _KEYS or row["action"] not in _ACTIONS or ("to" in row) != (row["action"] == "rename"):
            raise TableError(f"mjcf_gone.json: {row}")
        if "to" in row and not schema.has_attribute(row["tag"], row["to"]):
            raise TableError(f"mjcf_gone.json: no element {row['tag']} of mjcf.json has the attribute {row['to']}")
        texts = [_text(row.get(key, "")) for key in ("tag", "attribute", "value", "since")]
        rest = [_text(row.get(key, "")) for key in ("to", "values", "advice")]
        lines.append(f"    {{{', '.join(texts)}, GoneAction::{_ACTIONS[row['action']]}, {', '.join(rest)}}},")
    return {
        "src/mjcf/schema/gone_generated.cc": "\n".join([
            banner("tables/mjcf_gone.json"),
            '#include "mjcf/schema/gone.h"',
            "",
            "namespace sinew::mjcf {",
            "namespace {",
            "",
            "// clang-format off",
            "constexpr GoneWord kGoneWords[] = {",
            *lines,
            "};",
            "// clang-format on",
            "",
            "}  // namespace",
            "",
            "std::span<const GoneWord> GoneWords() { return kGoneWords; }",
            "",
            "}  // namespace sinew::mjcf",
            "",
        ])
    }
