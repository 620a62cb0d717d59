"""python/mujoco/_tables.py: enumerations and constants of the package `mujoco`."""

from generator.python import evaluate_enums
from generator.tables import Tables
from generator.text import banner


def generate(tables: Tables) -> dict[str, str]:
    lines = [banner("tables/enums.json and tables/constants.json").replace("//", "#").rstrip(), "", "ENUMERATIONS = {"]
    names: dict[str, int] = {}
    for enum, values in evaluate_enums(tables):
        names |= values
        lines += [f'    "{enum}": {{', *[f'        "{name}": {value},' for name, value in values.items()], "    },"]
    # this one is a macro for each precision
    lines += ["}", "", "CONSTANTS = {", '    "mjMINVAL": 1e-15,']
    for entry in tables.constants:
        value = _number(entry.get("value", ""), names) if "name" in entry else None
        if value is not None:
            names[entry["name"]] = value
            lines.append(f'    "{entry["name"]}": {value!r},')
    return {"python/mujoco/_tables.py": "\n".join([*lines, "}", ""])}


def _number(text: str, names: dict[str, int]) -> float | int | None:
    try:
        value = eval(text, {"__builtins__": {}}, names)
    except (NameError, SyntaxError, TypeError):
        return None
    return value if isinstance(value, (int, float)) else None
