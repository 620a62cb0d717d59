"""Round trips of models through XML: model -> XML -> model, every field of mjModel compared.

    round_trip.py [--library LIB] [--digits N] [--jobs N] [--own] [--text] MODEL.xml FOLDER @LIST ...

A folder stands for the models in it, LIST is a file with one of these a line. For every model three comparisons:
    own        what our library compiles from the file, and from the XML that it writes of it
    reference  the same two files, compiled by the release whose interface it is
    text       lines in which our XML differs from the release's

With --own only the first, several times as fast. `digits` are those with which numbers are written (17 keep them). Needs
what libraries.py says, and the package mujoco.
"""

import argparse
import concurrent.futures
import ctypes
import difflib
import multiprocessing
import pathlib
import sys
import tempfile

from libraries import OWN, REFERENCE

# A model that is compiled again from numbers in full precision differs by the rounding of angles and orientations.
TOLERANCE = 1e-9

# Fields that are not numbers of the model: bytes of its buffer, paths of files, structure of the original.
SKIPPED = {"nbuffer", "signature", "npaths", "paths", "narena"}

ERROR_SIZE = 2000


class Library:
    """The functions of one shared library that load and save models."""

    def __init__(self, path: pathlib.Path):
        self._lib = ctypes.CDLL(str(path))
        for name in ("mj_loadXML", "mj_loadModelBuffer"):
            getattr(self._lib, name).restype = ctypes.c_void_p
        self._lib.mj_saveModel.argtypes = [ctypes.c_void_p, ctypes.c_char_p, ctypes.c_void_p, ctypes.c_int]
        self._lib.mj_sizeModel.argtypes = self._lib.mj_deleteModel.argtypes = [ctypes.c_void_p]
        self._lib.mj_sizeModel.restype = ctypes.c_int64

    def set_digits(self, digits: int) -> None:
        self._lib._mjPRIVATE__set_xml_precision(digits)

    def load(self, path: pathlib.Path, text: str | None = None) -> int:
        """Returns a model from a file, or from `text` as though that were the content of the file."""
        error = ctypes.create_string_buffer(ERROR_SIZE)
        vfs = None
        if text is not None:
            vfs = (ctypes.c_char * 4096)()
            self._lib.mj_defaultVFS(vfs)
            content = text.encode()
            self._lib.mj_addBufferVFS(vfs, str(path).encode(), content, len(content))
        model = self._lib.mj_loadXML(str(path).encode(), vfs, error, ERROR_SIZE)
        if vfs is not None:
            self._lib.mj_deleteVFS(vfs)
        if not model:
            raise ValueError(error.value.decode(errors="replace"))
        return model

    def xml(self, model: int) -> str:
        """Returns what the library writes of the model that it loaded last."""
        error = ctypes.create_string_buffer(ERROR_SIZE)
        with tempfile.NamedTemporaryFile(suffix=".xml") as file:
            if self._lib.mj_saveLastXML(file.name.encode(), ctypes.c_void_p(model), error, ERROR_SIZE) != 1:
                raise ValueError(error.value.decode(errors="replace"))
            return pathlib.Path(file.name).read_text()

    def binary(self, model: int) -> bytes:
        """Returns the model in its binary format, and deletes it."""
        size = self._lib.mj_sizeModel(model)
        buffer = ctypes.create_string_buffer(size)
        self._lib.mj_saveModel(model, None, buffer, size)
        self._lib.mj_deleteModel(model)
        return buffer.raw


def fields(binary: bytes) -> dict:
    """Returns all fields of a binary model as arrays, by name."""
    import mujoco
    import numpy as np

    with tempfile.NamedTemporaryFile(suffix=".mjb") as file:
        file.write(binary)
        file.flush()
        model = mujoco.MjModel.from_binary_path(file.name)
    values = {}
    for owner, prefix in ((model, ""), (model.opt, "opt."), (model.stat, "stat.")):
        for name in dir(owner):
            value = getattr(owner, name)
            if not name.startswith("_") and name not in SKIPPED and isinstance(value, (int, float, bytes, np.ndarray)):
                values[prefix + name] = value if isinstance(value, bytes) else np.array(value, dtype=float)
    return values


def differences(first: bytes, second: bytes) -> list[str]:
    """Returns the fields in which two models differ, with the largest relative difference."""
    import numpy as np

    one, two = fields(first), fields(second)
    found = []
    for name, value in one.items():
        other = two[name]
        if isinstance(value, bytes):
            if value != other:
                found.append(name)
        elif value.shape != other.shape:
            found.append(f"{name} {value.shape} {other.shape}")
        elif value.size:
            with np.errstate(invalid="ignore"):
                error = np.abs(value - other)
            scale = max(1.0, float(np.nanmax(np.abs(value), initial=0)))
            worst = float(np.nanmax(error, initial=0)) / scale
            if worst > TOLERANCE:
                found.append(f"{name} {worst:.1g}")
    return found


def round_trip(path: pathlib.Path, own: pathlib.Path, reference: pathlib.Path | None, digits: int) -> dict:
    """Returns the differences of one model; an entry "error" says why there are none."""
    ours = Library(own)
    ours.set_digits(digits)
    copy = path.with_name(".round_trip.xml")
    try:
        model = ours.load(path)
    except ValueError as error:
        return {"error": f"own library does not load it: {error}"}
    text = ours.xml(model)
    original = ours.binary(model)
    result = {}
    try:
        result["own"] = differences(original, ours.binary(ours.load(copy, text)))
    except ValueError as error:
        result["own"] = [f"own library refuses its XML: {error}"]
    if not reference:
        return result
    theirs = Library(reference)
    theirs.set_digits(digits)
    try:
        model = theirs.load(path)
        reference_text = theirs.xml(model)
        original = theirs.binary(model)
        result["reference"] = differences(original, theirs.binary(theirs.load(copy, text)))
        lines = [[line for line in xml.splitlines() if line.strip()] for xml in (reference_text, text)]
        result["text"] = [line for line in difflib.unified_diff(*lines, n=0, lineterm="") if line[:3] not in ("---", "+++")]
    except ValueError as error:
        result["reference"] = [f"the release refuses it: {error}"]
    return result


def _worker(pipe, *args) -> None:
    pipe.send(round_trip(*args))


def isolated(path: pathlib.Path, own: pathlib.Path, reference: pathlib.Path | None, digits: int) -> dict:
    """Returns what round_trip does, from a process of its own: a library may crash."""
    if reference:
        import mujoco  # noqa: F401  (loads the release's library and its plugins, which the process inherits)
    here, there = multiprocessing.Pipe()
    process = multiprocessing.Process(target=_worker, args=(there, path, own, reference, digits))
    process.start()
    there.close()
    try:
        result = here.recv()
    except EOFError:
        result = {"error": "crash"}
    process.join()
    return result


def find_models(arguments: list[str]) -> list[pathlib.Path]:
    models = []
    for argument in map(pathlib.Path, arguments):
        models += sorted(argument.rglob("*.xml")) if argument.is_dir() else [argument]
    return models


def report(path: pathlib.Path, result: dict, with_text: bool) -> bool:
    """Prints a line about a model; returns whether it stayed equal."""
    if "error" in result:
        print(f"{path}: {result['error'].strip().splitlines()[0]}", flush=True)
        return False
    kinds = [kind for kind in ("own", "reference") if kind in result]
    lines = [f", {len(result['text'])} lines differ"] if "text" in result else []
    summary = [f"{kind} {result[kind] or 'equal'}" for kind in kinds]
    print(f"{path}: {', '.join(summary)}", *lines, sep="", flush=True)
    if with_text:
        print("\n".join(result.get("text", [])))
    return not any(result[kind] for kind in kinds)


def main() -> int:
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter, fromfile_prefix_chars="@"
    )
    parser.add_argument("--library", type=pathlib.Path, default=OWN)
    parser.add_argument("--digits", type=int, default=17)
    parser.add_argument("--jobs", type=int, default=1, help="models at a time")
    parser.add_argument("--own", action="store_true", help="leave the release out")
    parser.add_argument("--text", action="store_true", help="print the lines in which the texts differ")
    parser.add_argument("models", nargs="+")
    options = parser.parse_args()
    reference = None if options.own else REFERENCE
    paths = find_models(options.models)
    with concurrent.futures.ThreadPoolExecutor(options.jobs) as pool:
        results = pool.map(lambda path: isolated(path.absolute(), options.library, reference, options.digits), paths)
        equal = sum(report(path, result, options.text) for path, result in zip(paths, results))
    print(f"{equal} of {len(paths)} models equal after the round trip")
    return 0 if equal == len(paths) else 1


if __name__ == "__main__":
    sys.exit(main())
