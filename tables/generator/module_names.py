"""python/mujoco/_names_table.py: names of releases other than 3.8.0, and what each is here."""

from generator.tables import Tables
from generator.text import banner


def generate(tables: Tables) -> dict[str, str]:
    lines = [banner("tables/names.json").replace("//", "#").rstrip(), ""]
    lines += ["# name: since, until, what it is, and its particulars", "ATTRIBUTES = {"]
    for row in tables.names:
        if "is" in row and row["is"] not in ("ignored", "bool"):
            rest = {key: value for key, value in row.items() if key not in ("name", "since", "until", "is")}
            lines.append(f'    "{row["name"]}": ("{row["since"]}", {row.get("until")!r}, "{row["is"]}", {rest!r}),')
    lines += ["}", "", "# name: number here", "ENUMERATORS = {"]
    lines += [f'    "{row["name"]}": {row["value"]},' for row in tables.names if "is" not in row]
    lines += ["}", "", "# attributes of MJCF that change nothing here: element and attribute", "IGNORED = ("]
    lines += [f'    ("{element}", "{attribute}"),' for element, attribute in (row["name"].split(".") for row in tables.names if row.get("is") == "ignored")]
    return {"python/mujoco/_names_table.py": "\n".join([*lines, ")", ""])}
