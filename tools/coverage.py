#!/usr/bin/env python3
"""Line coverage of src/ from the counts that a coverage build has left: the least covered files, and the shares of all
and of the readers of files. Exit status: 0 where both reach their targets, 1 otherwise.

usage: tools/coverage.py [BUILD]     (build/coverage)
"""

import collections
import json
import pathlib
import subprocess
import sys

ROOT = pathlib.Path(__file__).resolve().parents[1]
SHOWN = 40
ALL, READERS = 0.93, 0.96  # targets
# What reads bytes that others wrote: XML, meshes, pictures, fields, binary models, snapshots.
READER_FOLDERS = ("src/mjcf", "src/urdf", "src/read", "src/assets")
READER_FILES = ("src/model/files/mjb.cc", "src/model/storage/extension.cc", "src/step/snapshot.cc")


def counts_of(build: pathlib.Path) -> dict:
    """Returns the largest count of every line, by file of src/."""
    counts = collections.defaultdict(lambda: collections.defaultdict(int))
    files = sorted(build.glob("src/**/*.gcda"))
    for start in range(0, len(files), 50):
        # names of sources are relative to the build folder
        output = subprocess.run(["gcov", "--json-format", "--stdout", *map(str, files[start:start + 50])], cwd=build,
                                capture_output=True, text=True, check=True).stdout
        for report in map(json.loads, output.splitlines()):
            for file in report["files"]:
                path = (build / file["file"]).resolve()
                if (ROOT / "src") in path.parents:
                    lines = counts[path.relative_to(ROOT)]
                    for line in file["lines"]:
                        lines[line["line_number"]] = max(lines[line["line_number"]], line["count"])
    return counts


def is_reader(path: pathlib.Path) -> bool:
    return str(path.parent).startswith(READER_FOLDERS) or str(path) in READER_FILES or path.match("src/model/files/validate*")


def main() -> int:
    counts = counts_of((ROOT / (sys.argv[1] if len(sys.argv) > 1 else "build/coverage")).resolve())
    rows = []
    for path, lines in filter(lambda item: item[1], counts.items()):
        executed = sum(count > 0 for count in lines.values())
        rows.append((executed / len(lines), executed, len(lines), path))
    for share, executed, total, path in sorted(rows)[:SHOWN]:
        print(f"{100 * share:6.1f} %  {executed:5} of {total:5}  {path}")
    reached = True
    for name, target, chosen in (("all", ALL, rows), ("readers of files", READERS, [row for row in rows if is_reader(row[3])])):
        executed, total = sum(row[1] for row in chosen), sum(row[2] for row in chosen)
        print(f"{100 * executed / total:6.1f} %  {executed} of {total} lines in {len(chosen)} files: {name}, target {100 * target:.0f} %")
        reached &= executed >= target * total
    return 0 if reached else 1


if __name__ == "__main__":
    sys.exit(main())
