"""Exceptions of the package."""

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
        first = re.sub(r" \(line \d+\)$", "", first)
        self.file = self.line = self.element = self.remedy = None
        place = _PLACE.match(first)
        if place:
            self.file, self.line, first = place["file"], int(place["line"]), place["rest"]
        # elements are named as "body 'torso' / geom 'foot'"
        element = re.match(r"^(?P<element>[a-z_]+(?: '[^']*')?(?: / [a-z_]+(?: '[^']*')?)*): (?P<rest>.+)$", first)
        if element:
            self.element, first = element["element"], element["rest"]
        self.problem, separator, remedy = first.partition("; ")
        if separator:
            self.remedy = remedy

    def __reduce__(self):
        return ModelError, (str(self),)
