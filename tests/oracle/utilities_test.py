"""Utility functions of the C interface against those of the release whose interface it is, on random and on edge inputs.

Needs what libraries.py says.
"""

import ctypes
import os
import tempfile
import unittest

try:
    import numpy as np
except ImportError:
    np = None

from calls import Library, difference, functions
from libraries import AVAILABLE, NEEDS, OWN, REFERENCE

SECTIONS = ("Ray casting", "Vector math", "Sparse math", "Quaternions", "Poses", "Decompositions / Solvers", "Miscellaneous")

# Numbers are of order one, so that a sum of a few of them in another order differs by some 1e-15.
TOLERANCE = 1e-12

# The iteration of mju_mat2Rot ends 1e-9 rad from its limit.
TOLERANCES = {"mju_mat2Rot": 1e-9}

# Compared by other tests: the parts of the engine that use them have their own.
ELSEWHERE = {"mju_encodePyramid", "mju_decodePyramid", "mju_muscleGain", "mju_muscleBias", "mju_muscleDynamics",
             "mju_boxQPmalloc", "mju_warningText"}

def _unit(vector):
    return vector / np.linalg.norm(vector)


class Cases:
    """Arguments for every function: `name` -> list of argument lists."""

    def __init__(self):
        self._random = np.random.default_rng(1)
        self.all: dict[str, list[list]] = {}
        for family in (self._short_vectors, self._long_vectors, self._matrices, self._quaternions, self._poses,
                       self._factorizations, self._bands, self._box_qp, self._rays, self._numbers, self._text):
            family()

    def _add(self, name: str, *args):
        self.all.setdefault("mju_" + name, []).append(list(args))

    def _normal(self, *shape):
        return self._random.normal(size=shape) if shape else float(self._random.normal())

    def _positive_definite(self, n):
        root = self._normal(n, n)
        return root @ root.T + n * np.eye(n)

    def _quats(self):
        """Unit, scaled, and special quaternions."""
        special = np.vstack([np.eye(4), -np.eye(4), [[0, 0, 0, 0], [1, 1e-16, 0, 0], [1, 1e-9, 0, 0], [2, 1, 1, 1]]])
        random = self._normal(20, 4)
        return [*special, *random, *(random / np.linalg.norm(random, axis=1, keepdims=True))]

    def _vectors(self):
        """Random and special vectors in space."""
        special = [[0, 0, 0], [1, 0, 0], [0, 0, 2], [0, 0, -2], [1e-16, 0, 0], [1e-16, 0, -1], [1e-9, 0, 1]]
        return [*np.array(special, float), *self._normal(12, 3)]

    def _short_vectors(self):
        out = np.full(3, 7.0)
        for v in self._vectors():
            w, s = self._normal(3), self._normal()
            for name in ("zero3", "normalize3", "norm3"):
                self._add(name, v)
            for name in ("copy3", "addTo3", "subFrom3", "dot3", "dist3"):
                self._add(name, v, w)
            for name in ("add3", "sub3", "cross"):
                self._add(name, out, v, w)
            for name in ("scl3", "addToScl3"):
                self._add(name, w, v, s)
            self._add("addScl3", out, v, w, s)
            for name in ("mulMatVec3", "mulMatTVec3"):
                self._add(name, out, self._normal(9), v)
        for q in self._quats():
            for name in ("zero4", "unit4", "normalize4"):
                self._add(name, q)
            self._add("copy4", self._normal(4), q)

    def _long_vectors(self):
        for n in (0, 1, 3, 4, 7, 8, 33, 100):
            out, a, b, s = np.full(n + 1, 7.0), self._normal(n + 1), self._normal(n + 1), self._normal()
            self._add("zero", a, n)
            self._add("fill", a, s, n)
            for name in ("sum", "L1", "norm", "isZero"):
                self._add(name, a, n)
            self._add("isZero", np.zeros(n + 1), n)
            for name in ("copy", "addTo", "subFrom", "dot", "d2n", "n2d"):
                self._add(name, b, a, n)
            for name in ("add", "sub"):
                self._add(name, out, a, b, n)
            self._add("scl", out, a, s, n)
            self._add("addToScl", out, a, s, n)
            self._add("addScl", out, a, b, s, n)
            self._add("f2n", out, a.astype(np.float32), n)
            self._add("n2f", np.zeros(n + 1, np.float32), a, n)
            self._add("insertionSort", a, n)
            self._add("insertionSortInt", self._random.integers(-5, 5, n + 1).astype(np.int32), n)
            if n > 0:  # the release reads outside an empty vector
                self._add("normalize", a, n)
                self._add("normalize", 1e-17 * a, n)

    def _matrices(self):
        for r, c, k in ((1, 1, 1), (2, 3, 4), (5, 2, 7), (9, 13, 11), (0, 3, 2), (3, 0, 2)):
            A, d = self._normal(r * c), self._normal(r)
            self._add("mulMatVec", np.full(r, 7.0), A, self._normal(c), r, c)
            self._add("mulMatTVec", np.full(c, 7.0), A, self._normal(r), r, c)
            self._add("transpose", np.full(r * c, 7.0), A, r, c)
            self._add("mulMatMat", np.full(r * k, 7.0), A, self._normal(c * k), r, c, k)
            self._add("mulMatMatT", np.full(r * k, 7.0), A, self._normal(k * c), r, c, k)
            self._add("mulMatTMat", np.full(c * k, 7.0), A, self._normal(r * k), r, c, k)
            self._add("sqrMatTD", np.full(c * c, 7.0), A, d, r, c)
            self._add("sqrMatTD", np.full(c * c, 7.0), A, None, r, c)
            sparse = np.where(self._random.random(r * c) < 0.5, 0.0, A)
            ints = [np.full(max(r, 1), 7, np.int32), np.full(max(r, 1), 7, np.int32), np.full(r * c, 7, np.int32)]
            for capacity in (r * c, int(np.count_nonzero(sparse)), 1, 0, -1):
                self._add("dense2sparse", np.full(r * c, 7.0), sparse, r, c, *ints, capacity)
            mask = sparse.reshape(r, c) != 0
            nnz = mask.sum(axis=1).astype(np.int32)
            adr = np.concatenate([[0], np.cumsum(nnz)[:-1]]).astype(np.int32)[:r]
            self._add("sparse2dense", np.full(r * c, 7.0), sparse[sparse != 0], r, c, nnz, adr,
                      np.nonzero(mask)[1].astype(np.int32))
        for n in (0, 1, 2, 5, 12):
            A = self._normal(n * n)
            self._add("mulVecMatVec", self._normal(n), A, self._normal(n), n)
            self._add("symmetrize", np.full(n * n, 7.0), A, n)
            self._add("eye", A, n)
        for force in (0, 1):
            rotation = np.linalg.qr(self._normal(3, 3))[0].ravel()
            for axes in (rotation, None):
                self._add("transformSpatial", np.zeros(6), self._normal(6), force, self._normal(3), self._normal(3), axes)

    def _quaternions(self):
        res3, res4, res9 = np.full(3, 7.0), np.full(4, 7.0), np.full(9, 7.0)
        for q in self._quats():
            p, v, s = self._normal(4), self._normal(3), self._normal()
            self._add("rotVecQuat", res3, v, q)
            self._add("negQuat", res4, q)
            self._add("mulQuat", res4, p, q)
            self._add("mulQuatAxis", res4, q, v)
            self._add("derivQuat", res4, q, v)
            self._add("quat2Vel", res3, q, 0.1 + abs(s))
            self._add("subQuat", res3, _unit(p), q)
            self._add("quat2Mat", res9, q)
            self._add("quatIntegrate", q, v, s)
            self._add("quatIntegrate", q, np.zeros(3), s)
        for v in self._vectors():
            self._add("quatZ2Vec", res4, v)
            self._add("axisAngle2Quat", res4, v, self._normal())
            self._add("axisAngle2Quat", res4, v, 0.0)
            for sequence in (b"xyz", b"XYZ", b"zxz", b"Zyx", b"XyX"):
                self._add("euler2Quat", res4, v, sequence)
        for A, near in self._square_matrices():
            self._add("mat2Quat", res4, A.ravel())
            self._add("mat2Rot", near, A.ravel())

    def _square_matrices(self):
        """Diagonal matrices, rotations of all four kinds of quaternion and others, each with a quaternion close to it."""
        diagonal = [np.diag(d) for d in ([1, 1, 1], [1, -1, -1], [-1, 1, -1], [-1, -1, 1], [0, 0, 0], [2, 2, 2])]
        pairs = [(A.astype(float), np.array([1.0, 0, 0, 0])) for A in diagonal]
        for noise in [0.0] * 40 + [0.05] * 10:
            w, *v = q = _unit(self._normal(4))
            cross = np.cross(np.eye(3), v) * -1
            R = np.eye(3) + 2 * w * cross + 2 * cross @ cross
            pairs.append((R + noise * self._normal(3, 3), _unit(q + 0.1 * self._normal(4))))
        return pairs

    def _poses(self):
        out = [np.full(3, 7.0), np.full(4, 7.0)]
        for q in self._quats():
            self._add("mulPose", *out, self._normal(3), self._normal(4), self._normal(3), q)
            self._add("negPose", *out, self._normal(3), q)
            self._add("trnVecPose", out[0], self._normal(3), q, self._normal(3))

    def _factorizations(self):
        for n in (0, 1, 2, 5, 9, 20):
            A = self._positive_definite(n)
            L = np.linalg.cholesky(A) if n else A
            self._add("cholFactor", A.ravel(), n, 0.0)
            self._add("cholFactor", (A - 2 * n * np.eye(n)).ravel(), n, 1e-3)
            self._add("cholSolve", np.zeros(n), L.ravel(), self._normal(n), n)
            self._add("cholUpdate", L.ravel(), self._normal(n), n, 1)
            self._add("cholUpdate", L.ravel(), 0.1 * self._normal(n), n, 0)
        for A in [self._normal(3, 3) for _ in range(20)] + [np.zeros((3, 3)), np.eye(3), np.diag([1.0, 3, 2])]:
            self._add("eig3", np.zeros(3), np.zeros(9), np.zeros(4), (A + A.T).ravel())

    def _bands(self):
        for size, width, dense in ((5, 2, 1), (6, 3, 0), (7, 1, 2), (4, 4, 0), (3, 1, 3), (8, 3, 2)):
            shape = (size, width, dense)
            A, length = self._positive_definite(size), (size - dense) * width + dense * size
            band = np.zeros(length)
            for i in range(size):
                start = i * width + width - 1 - i if i < size - dense else (size - dense) * (width - size) + i * size
                for j in range(max(0, i - width + 1) if i < size - dense else 0, i + 1):
                    band[start + j] = A[i, j]
                self._add("bandDiag", i, *shape)
            self._add("dense2Band", np.full(length, 7.0), A.ravel(), *shape)
            for symmetric in (0, 1):
                self._add("band2Dense", np.full(size * size, 7.0), band, *shape, symmetric)
                self._add("bandMulMatVec", np.full(2 * size, 7.0), band, self._normal(2 * size), *shape, 2, symmetric)
            self._add("cholFactorBand", band, *shape, 0.1, 0.2)
            self._add("cholSolveBand", np.zeros(size), band, self._normal(size), *shape)

    def _box_qp(self):
        for n in (1, 2, 3, 5, 8, 8, 8):
            H, g, start = self._positive_definite(n).ravel(), 3 * n * self._normal(n), self._normal(n)
            lower = -self._random.random(n)
            upper = lower + 2 * self._random.random(n)
            for box in ((lower, upper), (None, upper), (lower, None), (None, None)):
                self._add("boxQP", start, np.zeros(n * (n + 7)), np.zeros(n, np.int32), H, g, n, *box)
            self._add("boxQP", start, np.zeros(n * (n + 7)), None, -H, g, n, lower, upper)

    def _rays(self):
        for kind in (0, 2, 3, 4, 5, 6):
            for target in [np.zeros(3)] * 10 + [self._normal(3) for _ in range(10)]:
                rotation, size = np.linalg.qr(self._normal(3, 3))[0].ravel(), 0.2 + self._random.random(3)
                start = self._normal(3)
                for normal in (np.full(3, 7.0), None):
                    self._add("rayGeom", np.zeros(3), rotation, size, start, target - start, kind, normal)
            self._add("rayGeom", np.zeros(3), rotation, size, start, np.zeros(3), kind, np.full(3, 7.0))
        face, vertex = np.array([0, 1, 2, 0, 1, 3, 0, 2, 3], np.int32), np.eye(4, 3, -1).astype(np.float32)
        for _ in range(30):
            start, target = self._normal(3), self._random.random(3) / 2
            for nearest in (np.full(1, 7, np.int32), None):
                self._add("raySkin", 3, 4, face, vertex.ravel(), start, target - start, nearest)
        self._add("raySkin", 0, 4, face, vertex.ravel(), start, target, np.full(1, 7, np.int32))

    def _numbers(self):
        special = [0.0, -0.0, 0.5, -0.5, 1.5, -1.5, 2.5, 0.25, 1.0, 2.0, -1.0, 1e10, -1.1e10]
        for x in [*special, *self._normal(20)]:
            for name in ("sign", "round", "isBad", "sigmoid"):
                if not (name == "round" and abs(x) > 2e9):
                    self._add(name, x)
            for name in ("min", "max"):
                self._add(name, x, self._normal())
            self._add("clip", x, -0.7, 0.6)
        for x in (np.nan, np.inf, -np.inf):
            self._add("isBad", x)
        for k, b in ((2.0, 0.3), (1.0, 2.0), (1.0, 4.0), (0.0, 0.0), (0.0, 1.0), (-1.0, 0.5), (1.0, 2.0 + 1e-16)):
            for t in (0.0, 0.7, 5.0):
                self._add("springDamper", 1.0, 0.5, k, b, t)
        for base in (2, 3, 5, 7):
            for index in (-1, 0, 1, 2, 3, 10, 1000, 123456):
                self._add("Halton", index, base)
        self._add("standardNormal", np.zeros(1))
        self._add("standardNormal", None)

    def _text(self):
        for kind in [*range(-1, 28), 100, 101]:
            self._add("type2Str", kind)
        for name in (b"body", b"xbody", b"plugin", b"frame", b"default", b"", b"nothing"):
            self._add("str2Type", name)
        for size in (0, 1, 1023, 1024, 1536, 1 << 20, 3 << 30, 1 << 40, 1 << 50, 1 << 60, 1 << 63):
            self._add("writeNumBytes", size)
        for n in (0, 1, 3, 4, 8):
            self._add("strncpy", np.array([65] * 8 + [0], np.uint8), b"xyz", n)


@unittest.skipUnless(AVAILABLE, NEEDS)
class UtilitiesTest(unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        cls.ours, cls.theirs = Library(OWN), Library(REFERENCE)
        cls.cases = Cases().all

    def test_every_function_of_the_families_is_compared(self):
        expected = {name for name, f in functions().items() if f["section"] in SECTIONS and name.startswith("mju_")}
        self.assertEqual(expected - ELSEWHERE - set(self.cases), set())

    def test_results_are_equal(self):
        libc = ctypes.CDLL(None)
        for name, cases in self.cases.items():
            with self.subTest(function=name):
                for args in cases:
                    results = []
                    for library in (self.ours, self.theirs):
                        libc.srand(1)
                        results.append(library.call(name, args))
                    self._compare(name, args, *results)

    def test_prints_are_equal(self):
        sparse = [np.array(a, np.int32) for a in ([1, 0, 2], [0, 1, 1], [2, 0, 1])]
        for name, args in (("mju_printMat", [np.array([1.0, -2, 3.5, 1e5]), 2, 2]), ("mju_printMat", [None, 0, 2]),
                           ("mju_printMatSparse", [np.array([1.0, -2, 1e4]), 3, *sparse])):
            self.assertEqual(_printed(self.ours, name, args), _printed(self.theirs, name, args))

    def _compare(self, name: str, args: list, ours: list, theirs: list):
        if name in ("mju_strncpy",):
            ours, theirs = ours[1:], theirs[1:]  # the value is the address of the copy
        if name == "mju_boxQP":
            ours, theirs = _solution(ours, args), _solution(theirs, args)
        error = max(difference(a, b) for a, b in zip(ours, theirs, strict=True))
        self.assertLessEqual(error, TOLERANCES.get(name, TOLERANCE), f"{name}{tuple(args)}: {ours} instead of {theirs}")


def _printed(library: Library, name: str, args: list) -> bytes:
    """Returns what a call writes to standard output."""
    libc, screen = ctypes.CDLL(None), os.dup(1)
    libc.fflush(None)
    with tempfile.TemporaryFile() as file:
        os.dup2(file.fileno(), 1)
        library.call(name, args)
        libc.fflush(None)
        os.dup2(screen, 1)
        os.close(screen)
        file.seek(0)
        return file.read()


def _solution(results: list, args: list) -> list:
    """Returns what mju_boxQP documents of its results: rank, solution, lower triangle of the factor, free dimensions."""
    rank, solution, factor, *rest = results
    if rank < 0:
        return [rank]
    free = [rest[0][:rank]] if args[2] is not None else []
    return [rank, solution, np.tril(factor[:rank * rank].reshape(rank, rank)), *free]


if __name__ == "__main__":
    unittest.main()
