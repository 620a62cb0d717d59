"""Coordinates that follow others by a polynomial, as the patella follows the knee."""

import xml.etree.ElementTree as _tree

import numpy as _np

from sinew.biomech.subject import Subject
from sinew.biomech.tables import Array


class Couplings:
    """The equalities between joints of a subject, as functions: those coordinates that are free move all."""

    def __init__(self, subject: Subject) -> None:
        equalities = _tree.fromstring(subject.spec.to_xml()).findall("equality/joint")
        reference = subject.bare.model.qpos0
        self._laws = [_law(subject, element, reference) for element in equalities if element.get("active") != "false"]
        dependent = {law[0] for law in self._laws}
        if any(law[1] in dependent for law in self._laws):
            raise ValueError("a coordinate follows one that follows another: inverse kinematics takes one step of this kind")
        self.free = _np.array([i for i in range(len(subject.coordinates)) if i not in dependent], int)

    def follow(self, poses: Array) -> None:
        """Sets the coordinates that follow others, in place."""
        for own, other, polynomial in self._laws:
            poses[:, own] = polynomial(poses[:, other] if other >= 0 else _np.zeros(len(poses)))

    def rates(self, poses: Array) -> Array:
        """Of each frame, velocities of all coordinates by those of the free ones: frames x coordinates x free."""
        rates = _np.zeros((*poses.shape, len(self.free)))
        rates[:, self.free, _np.arange(len(self.free))] = 1
        for own, other, polynomial in self._laws:
            if other >= 0:
                rates[:, own, _np.searchsorted(self.free, other)] = polynomial.deriv()(poses[:, other])
        return rates


def _law(subject: Subject, element: _tree.Element, reference: Array) -> tuple[int, int, _np.polynomial.Polynomial]:
    own, other = subject.number(element.attrib["joint1"]), element.get("joint2")
    number = subject.number(other) if other else -1
    if element.get("function", "polynomial") != "polynomial" or "x" in element.attrib:
        raise ValueError(f"coordinate '{subject.coordinates[own]}' follows '{other}' by a spline; inverse kinematics takes polynomials")
    if "coef" in element.attrib:
        return own, number, _np.polynomial.Polynomial([float(word) for word in element.attrib["coef"].split()])
    written = _np.polynomial.Polynomial([float(word) for word in element.get("polycoef", "0 1 0 0 0").split()])
    shift = _np.polynomial.Polynomial([-reference[number] if number >= 0 else 0.0, 1.0])
    return own, number, reference[own] + written(shift)


def couplings_of(subject: Subject) -> Couplings:
    """The couplings of a subject, read once."""
    if subject.couplings is None:
        subject.couplings = Couplings(subject)
    found: Couplings = subject.couplings
    return found
