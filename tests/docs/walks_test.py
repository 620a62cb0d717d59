"""The walks through the engine in src/README.md: every file is there, and has every name that the table gives it."""
import pathlib
import re
import sys

ROOT = pathlib.Path(__file__).resolve().parents[2]
LIMITS = {"Newton's loop": 3, "a contact's normal": 6, "its geometry": 3, "Newton in lanes": 4}  # files, the first one included


def walks(text):
    """Goal of each walk -> its rows (file, names)."""
    found, goal = {}, None
    for line in text.splitlines():
        start = re.match(r"\| from .*? to (.*?) \|", line)
        row = re.match(r"\| `([\w/.]+)` \| (.*) \|$", line)
        if start:
            goal = found.setdefault(start[1], [])
        elif not line.startswith("|"):
            goal = None
        elif row and goal is not None:
            goal.append((row[1], re.findall(r"`(\w+)`", row[2])))
    return found


def main():
    found = walks((ROOT / "src/README.md").read_text())
    errors = [f"src/README.md: no walk to {goal}" for goal in LIMITS if goal not in found]
    for goal, rows in found.items():
        if len(rows) > LIMITS.get(goal, 0):
            errors.append(f"the walk to {goal} has {len(rows)} files")
        for name, words in rows:
            path = ROOT / "src" / name
            text = path.read_text() if path.is_file() else ""
            errors += [f"src/{name}: no {word}" for word in words if word not in text]
            if not path.is_file():
                errors.append(f"src/{name}: not there")
    print("\n".join(errors) or f"{len(found)} walks lead where they say")
    return 1 if errors else 0


if __name__ == "__main__":
    sys.exit(main())
