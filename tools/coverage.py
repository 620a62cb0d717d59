#!/usr/bin/env python3
"""Line coverage of src/ from the counts that a coverage build has left: a total, and the least covered files.

usage: tools/coverage.py [BUILD]     (build/coverage)
"""

import collections
import json
import pathlib
import subprocess
import sys

ROOT = pathlib.Path(__file__).resolve().parents[1]
SHOWN = 40


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


def main() -> None:
    counts = counts_of((ROOT / (sys.argv[1] if len(sys.argv) > 1 else "build/coverage")).resolve())
    rows = []
    for path, lines in filter(lambda item: item[1], counts.items()):
        executed = sum(count > 0 for count in lines.values())
        rows.append((executed / len(lines), executed, len(lines), path))
    for share, executed, total, path in sorted(rows)[:SHOWN]:
        print(f"{100 * share:6.1f} %  {executed:5} of {total:5}  {path}")
    executed, total = sum(row[1] for row in rows), sum(row[2] for row in rows)
    print(f"{100 * executed / total:6.1f} %  {executed} of {total} lines in {len(rows)} files")


if __name__ == "__main__":
    main()
