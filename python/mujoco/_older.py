"""Arrays of worlds that releases before 3.4 had: islands by their dofs and rows, and the transposed Jacobian."""

import numpy as np

from mujoco import _core


def _transposed(self):
    """Rows of the transpose of the constraint Jacobian: how long, where, columns, values, and equal neighbours."""
    nefc, nv = self.nefc, self.model.nv
    if _core.mj_isSparse(self.model):
        row = np.repeat(np.arange(nefc), self.efc_J_rownnz[:nefc])
        places = np.concatenate([np.arange(a, a + n) for a, n in zip(self.efc_J_rowadr, self.efc_J_rownnz)] or [np.zeros(0, int)]).astype(int)
        column, value = self.efc_J_colind[places], self.efc_J[places]
    else:
        dense = np.reshape(self.efc_J, (nefc, nv))
        row, column = (part.ravel() for part in np.nonzero(dense))
        value = dense[row, column]
    order = np.lexsort((row, column))
    counts = np.bincount(column[order], minlength=nv).astype(np.int32) if nv else np.zeros(0, np.int32)
    begins = np.concatenate([[0], np.cumsum(counts)[:-1]]).astype(np.int32) if nv else counts
    rows, values = row[order].astype(np.int32), value[order]
    same = np.zeros(nv, np.int32)
    for i in range(nv - 2, -1, -1):
        a, b, n = begins[i], begins[i + 1], counts[i]
        if n == counts[i + 1] and np.array_equal(rows[a : a + n], rows[b : b + n]):
            same[i] = same[i + 1] + 1
    return {"rownnz": counts, "rowadr": begins, "colind": rows, "": values, "rowsuper": same}


def _part(name):
    return property(lambda self: _transposed(self)[name], doc="Of the transpose of efc_J, until 3.3.0; computed when asked for.")


def _island_of_dofs(self):
    """The place of each dof in its island; -1 for dofs in none."""
    island, begins = self.dof_island, self.island_idofadr
    places = np.full(len(island), -1, np.int32)
    if not self.nisland:
        return places
    inside = island >= 0
    places[inside] = self.map_dof2idof[inside] - begins[island[inside]]
    return places


MEMBERS = {
    "MjData.dof_islandind": property(_island_of_dofs),
    "MjData.island_dofnum": property(lambda self: self.island_nv),
    "MjData.island_dofind": property(lambda self: self.map_idof2dof[: self.nidof]),
    "MjData.island_efcnum": property(lambda self: self.island_nefc),
    "MjData.island_efcadr": property(lambda self: self.island_iefcadr),
    "MjData.island_efcind": property(lambda self: self.map_iefc2efc),
    "MjData.solver_nisland": property(lambda self: int(min(max(self.nisland, bool(self.nefc)), len(self.solver_niter)))),
    "MjData.efc_JT": _part(""),
    "MjData.efc_JT_rownnz": _part("rownnz"),
    "MjData.efc_JT_rowadr": _part("rowadr"),
    "MjData.efc_JT_colind": _part("colind"),
    "MjData.efc_JT_rowsuper": _part("rowsuper"),
}
