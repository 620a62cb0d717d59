"""Runs candidates in child processes, so that one that crashes or hangs is a finding and not the end of the run.

A child works through candidates one after the other and says in shared memory which one it is at. When it dies, or is at
the same one for too long, that candidate is the finding, and a new child goes on behind it.
"""

import json
import mmap
import os
import resource
import select
import signal
import struct
import sys
import time

MEMORY = 4 << 30  # address space of a child, beside what the parent has


class Progress:
    """A bar on a terminal; nothing elsewhere."""

    def __init__(self, name: str, total: int):
        self.name, self.total, self.shown = name, total, 0.0
        self.visible = sys.stderr.isatty()

    def show(self, done: int, findings: int) -> None:
        now = time.monotonic()
        if not self.visible or now - self.shown < 0.1:
            return
        self.shown = now
        part = done / self.total if self.total else 1
        bar = "#" * int(30 * part)
        sys.stderr.write(f"\r{self.name:<14} [{bar:<30}] {done}/{self.total}, {findings} findings ")
        sys.stderr.flush()

    def end(self) -> None:
        if self.visible:
            sys.stderr.write("\r\033[K")


def _child(candidates, work, first: int, place: mmap.mmap, pipe: int) -> None:
    """Works from candidate `first` on; one line of JSON for each that has something to say."""
    nowhere = os.open(os.devnull, os.O_RDWR)
    os.dup2(nowhere, 1)
    os.dup2(nowhere, 2)
    resource.setrlimit(resource.RLIMIT_CORE, (0, 0))
    resource.setrlimit(resource.RLIMIT_AS, (MEMORY, MEMORY))
    with os.fdopen(pipe, "w", buffering=1) as lines:
        for index in range(first, len(candidates)):
            struct.pack_into("q", place, 0, index)
            answer = work(candidates[index])
            if answer is not None:
                lines.write(json.dumps([index, answer]) + "\n")
        struct.pack_into("q", place, 0, len(candidates))
    os._exit(0)


def describe(status: int) -> str:
    """What a process ended by."""
    if os.WIFSIGNALED(status):
        return f"ended by {signal.Signals(os.WTERMSIG(status)).name}"
    return f"exited with {os.WEXITSTATUS(status)}"


def run(name: str, candidates, work, limit: float = 10, deadline: float = float("inf")) -> tuple[list, list, int]:
    """Calls work(candidate) for each, in children. Returns [(index, answer)] of those that are not None, [(index, what
    happened)] of those that ended their process, and how many were tried before the deadline (time.monotonic())."""
    answers, ends = [], []
    progress = Progress(name, len(candidates))
    place = mmap.mmap(-1, 8)
    first = 0
    while first < len(candidates) and time.monotonic() < deadline:
        struct.pack_into("q", place, 0, first)
        reader, writer = os.pipe()
        process = os.fork()
        if process == 0:
            os.close(reader)
            try:
                _child(candidates, work, first, place, writer)
            except BaseException as error:  # a fault of the tool itself must not look like one of the engine
                os.write(writer, (json.dumps(["tool", repr(error)]) + "\n").encode())
            os._exit(99)
        os.close(writer)
        first, stopped = _watch(process, reader, place, len(candidates), limit, deadline, answers, ends, progress)
        if stopped:
            break
    progress.end()
    place.close()
    return answers, ends, first


def _watch(process, reader, place, total, limit, deadline, answers, ends, progress):
    """Until the child ends. Returns the next candidate, and whether the time is over."""
    at, since, rest, killed = -1, time.monotonic(), b"", ""
    while True:
        ready, _, _ = select.select([reader], [], [], 0.05)
        chunk = os.read(reader, 1 << 16) if ready else None
        if chunk:
            *lines, rest = (rest + chunk).split(b"\n")
            for line in lines:
                index, answer = json.loads(line)
                if index == "tool":
                    raise RuntimeError(f"candidate {struct.unpack_from('q', place)[0]}: {answer}")
                answers.append((index, answer))
        now, index = time.monotonic(), struct.unpack_from("q", place)[0]
        if index != at:
            at, since = index, now
        progress.show(index, len(ends))
        if not killed and at < total and (now - since > limit or now > deadline):
            killed = "over" if now > deadline else f"took more than {limit:g} s"
            os.kill(process, signal.SIGKILL)
        if chunk == b"":
            break
    os.close(reader)
    _, status = os.waitpid(process, 0)
    index = struct.unpack_from("q", place)[0]
    if killed == "over":
        return index, True
    if index < total:
        ends.append((index, killed or describe(status)))
        return index + 1, False
    return total, False
