"""Exceptions of the package, and what happens to worlds of batches."""

import enum
import re

_PLACE = re.compile(r"^(?P<file>[^\n:]+):(?P<line>\d+): (?P<rest>.*)$", re.DOTALL)


class EngineError(RuntimeError):
    """What the engine reports while it computes: an index out of range, a full stack."""


class ModelError(ValueError):
    """A model that cannot be used. The text has everything; the attributes have its parts, None where unknown.

    file, line, element: where; problem: what is wrong; remedy: what would be right; others: texts of further problems.
    """

    def __init__(self, text: str):
        super().__init__(text)
        first, *self.others = text.split("\n")
        self.file = self.line = self.element = self.remedy = None
        if first.startswith("Error: "):
            first = self._take_second_line(first.removeprefix("Error: "))
        if ending := re.search(r" \(line (\d+)\)$", first):
            first, self.line = first[: ending.start()], int(ending[1])
        if place := _PLACE.match(first):
            self.file, self.line, first = place["file"], int(place["line"]), place["rest"]
        elif beginning := re.match(r"line (\d+): ", first):
            self.line, first = int(beginning[1]), first[beginning.end() :]
        # elements are named as "body 'torso' / geom 'foot'"
        element = re.match(r"^(?P<element>[a-z_]+(?: '[^']*')?(?: / [a-z_]+(?: '[^']*')?)*): (?P<rest>.+)$", first)
        if element:
            self.element, first = element["element"], element["rest"]
        self.problem, separator, remedy = first.partition("; ")
        if separator:
            self.remedy = remedy

    def _take_second_line(self, first: str) -> str:
        """Of a specification that was not read from a file: its element is named in the second line, and the third is
        the remedy."""
        named = re.match(r"Element name '(?P<name>[^']*)', id \d+(?:, line (?P<line>\d+))?", (self.others or [""])[0])
        if not named:
            return first
        del self.others[0]
        self.element = f"{first.split()[-1]} '{named['name']}'"
        self.line = int(named["line"]) if named["line"] else None
        return first + ("; " + self.others.pop(0) if self.others else "")

    def __reduce__(self):
        return ModelError, (str(self),)


class ModelWarning(UserWarning):
    """What a model is warned of while it is read and compiled, a warning for each text: the model can be used."""


class Status(enum.IntEnum):
    """What happened to a world of a batch since its reset; `Batch.cause` has it in words."""

    RUNNING = 0
    DIVERGED = 1  # a position, velocity or acceleration is no number or huge; the world was reset
    BAD_CONTROL = 2  # a control is; all controls counted as zero
    ARENA_FULL = 3  # contacts or constraint rows were left out
    SINGULAR = 4  # an inertia matrix is close to singular
    FAILED = 5  # an error was raised; the world is as it was before that call
    BAD_TIME = 6  # the time is no number or huge; the world goes on
