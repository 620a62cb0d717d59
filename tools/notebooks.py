#!/usr/bin/env python3
"""Runs the notebooks of docs/tutorials and keeps what their cells print and draw.

    pip install nbclient ipykernel sinew gymnasium matplotlib av
    tools/notebooks.py            runs all and writes them
    tools/notebooks.py --check    runs all; fails where a cell fails, and writes nothing
"""

import argparse
import pathlib
import re
import sys
import time

import nbclient
import nbformat

FOLDER = pathlib.Path(__file__).resolve().parent.parent / "docs" / "tutorials"


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--check", action="store_true", help="writes nothing")
    parser.add_argument("names", nargs="*", help="of notebooks (default: all)")
    options = parser.parse_args()
    paths = [FOLDER / f"{name}.ipynb" for name in options.names] or sorted(FOLDER.glob("*.ipynb"))
    for path in paths:
        start, notebook = time.monotonic(), nbformat.read(path, as_version=4)
        try:
            nbclient.NotebookClient(notebook, timeout=600, kernel_name="python3").execute(cwd=str(FOLDER))
        except nbclient.exceptions.CellExecutionError as error:
            print(f"{path.name}: {error}", file=sys.stderr)
            return 1
        # when and where it was run is of no interest, and would change the file each time
        for cell in notebook.cells:
            cell.metadata.pop("execution", None)
            for output in cell.get("outputs", []):
                if "text" in output:
                    output["text"] = re.sub(r"\S*/ipykernel_\d+/\d+\.py:\d+: ", "", output["text"])
        notebook.metadata.pop("language_info", None)
        if not options.check:
            nbformat.write(notebook, path)
        for video in FOLDER.glob("*.mp4"):  # it is in the notebook
            video.unlink()
        print(f"{path.name}: {len(notebook.cells)} cells, {time.monotonic() - start:.0f} s")
    return 0


if __name__ == "__main__":
    raise SystemExit(main())
