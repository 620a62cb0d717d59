"""Equality with the reference, but for what this library computes otherwise on purpose.

    conform_departing.py CONFORM-ARGUMENT...

Runs `python -m conform` with these arguments. departures.json names the fields that differ, by model; a stage may fail there in
these fields alone. A model of that list all of whose stages pass is a fault of the list, and fails too.
"""

import json
import pathlib
import subprocess
import sys
import tempfile

DEPARTURES = json.loads(pathlib.Path(__file__).with_name("departures.json").read_text())


def failures(models: list[dict]) -> list[str]:
    found = []
    for model in models:
        allowed = set(DEPARTURES.get(model["name"], {}).get("fields", []))
        failed = [stage for stage in model["stages"] if not stage["passes"]]
        if allowed and not failed:
            found.append(f"{model['name']}: equals the reference now; take it out of {pathlib.Path(__file__).parent.name}/departures.json")
        for stage in failed:
            fields = {field["field"] for field in stage["fields"] if field["class"] not in ("exact", "close")}
            if not fields or fields - allowed:
                found.append(f"{model['name']} {stage['stage']}: {sorted(fields - allowed)} {stage['detail']}")
        if not model["stages"]:
            found.append(f"{model['name']}: no stage was compared")
    return found


def main() -> int:
    with tempfile.TemporaryDirectory() as folder:
        report = pathlib.Path(folder) / "report.json"
        command = [sys.executable, "-m", "conform", *sys.argv[1:], "--json", str(report)]
        if subprocess.run(command, check=False).returncode not in (0, 1):
            return 2
        found = failures(json.loads(report.read_text())["models"])
    print("\n".join(found) or "equal, but for the departures that are listed")
    return 1 if found else 0


if __name__ == "__main__":
    raise SystemExit(main())
