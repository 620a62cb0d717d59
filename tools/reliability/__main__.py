"""Tries to break the library, and prints what it took: a subcommand for each line of docs/how/reliability.md."""

import argparse
import json
import pathlib
import sys
import time

sys.path.insert(0, str(pathlib.Path(__file__).parent))

import arenas  # noqa: E402
import bad_numbers  # noqa: E402
import builds  # noqa: E402
import edits  # noqa: E402
import errors  # noqa: E402
import fuzz  # noqa: E402
import hostile  # noqa: E402
import oracles  # noqa: E402
import round_trips  # noqa: E402
import snapshots  # noqa: E402
import soak  # noqa: E402
from engine import LIBRARY  # noqa: E402

# Name, what it does, how it is run, candidates in the tests (./test reliability); None: not among them.
LINES = {
    "fuzz-assets": ("damaged STL, OBJ, MSH, PLY, OFF, glTF, COLLADA, SKN, PNG and height field files", fuzz.run_assets, 11000),
    "fuzz-models": ("damaged MJCF and URDF: compile, two steps", fuzz.run_models, 500),
    "fuzz-binaries": ("damaged MJB files, state vectors and snapshots", fuzz.run_binaries, 1500),
    "hostile": ("models that ask for more than there is: 2 s, 1 GB, an error that says where", hostile.run, 60),
    "errors": ("errors of 1,000 mutated models: file, line, attribute", errors.run, 500),
    "exits": ("edits of every field of a model between steps", edits.run, 600),
    "arenas": ("worlds with arenas of 20 sizes", arenas.run, 8),
    "bad-numbers": ("NaN, infinity and 1e300 in every numeric field of a model and a world", bad_numbers.run, 600),
    "round-trips": ("random documents: compiled, stepped, saved, compiled again, in a batch; the models are the same", round_trips.run, None),
    "snapshots": ("worlds continued from snapshots and states; damaged snapshots", snapshots.run, 500),
    "soak": ("steps and reloads: resident memory", soak.run, 20_000),
    "oracles": ("cases of mechanics whose answer is known, beside MuJoCo 3.8.0", oracles.run, 4),
    "determinism": ("equal bits of ten scenes over threads, instruction sets, builds and processors (tests/determinism/machines.sh)", builds.run_determinism, None),
    "sanitizers": ("the suite under address, undefined and thread sanitizers (./test)", builds.run_sanitizers, None),
    "coverage": ("lines that tests execute (tools/coverage.sh)", builds.run_coverage, None),
}
SHOWN = 20  # findings of a line


def parse() -> argparse.Namespace:
    parser = argparse.ArgumentParser(prog="tools/reliability", description=__doc__,
                                     epilog="Exit status: 0 without findings, 1 with some, 2 when something is missing.")
    lines = parser.add_subparsers(dest="line", required=True, metavar="LINE")
    commands = {name: lines.add_parser(name, help=text, description=text) for name, (text, *_) in LINES.items()}
    commands["all"] = lines.add_parser("all", help="all lines that need no build of their own")
    for command in commands.values():
        command.add_argument("--count", type=int, default=0, help="candidates [what covers the line once]")
        command.add_argument("--seconds", type=float, default=0, help="stop after this time [none]")
        command.add_argument("--seed", type=int, default=0, help="of the choice of candidates [0]")
        command.add_argument("--each", type=int, default=3, help="elements of each field, for bad-numbers [3]")
        command.add_argument("--small", action="store_true", help="as many candidates as the tests take")
        command.add_argument("--json", action="store_true", help="print the results as JSON")
    return parser.parse_args()


def main() -> int:
    options = parse()
    if not LIBRARY.is_file():
        print(f"there is no library {LIBRARY}: build it with ./run --build, or name one in SINEW_LIBRARY", file=sys.stderr)
        return 2
    results, given = [], options.count
    for name in LINES if options.line == "all" else [options.line]:
        _, run, small = LINES[name]
        if small is None and options.line == "all":
            continue
        options.count = small if options.small and not given else given
        begin = time.monotonic()
        result = run(options, begin + options.seconds if options.seconds else float("inf"))
        result.seconds = time.monotonic() - begin
        results.append(result)
        if not options.json:
            show(result)
    if options.json:
        print(json.dumps([vars(result) for result in results], indent=1))
    return 0 if all(result.passed for result in results) else 1


def show(result) -> None:
    figures = ", ".join(f"{value} {name}" for name, value in result.figures.items())
    print(f"{result.line}: {result.count} candidates, {len(result.findings)} findings, {result.seconds:.1f} s; {figures}")
    for text in result.findings[:SHOWN]:
        print(f"  {text}")
    if len(result.findings) > SHOWN:
        print(f"  and {len(result.findings) - SHOWN} more; --json has all")
    sys.stdout.flush()


if __name__ == "__main__":
    sys.exit(main())
