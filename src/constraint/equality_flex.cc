// Rows of equalities on flexes whose Jacobians the flex stage has prepared: lengths of edges, and strains at vertices.
#include "constraint/equality_row.h"
#include "constraint/kinds.h"
#include "model/kinds/flex_equality.h"

namespace sinew::inline constraint {
namespace {

// One row: a residual with its compressed Jacobian.
struct StoredRow {
  double residual, weight;
  int nnz;
  const int* colind;
  const double* J;
};

void AddStored(RowBuilder& build, int id, const StoredRow& stored) {
  RowBlock rows;
  if (!build.Open(1, stored.nnz, stored.colind, &rows)) return;
  for (int c = 0; c < stored.nnz; ++c) rows(0, c) = stored.J[c];
  CloseScalar(build, rows, id, stored.residual, stored.weight);
}

}  // namespace

// Each edge that can change keeps its length.
void AddFlexEdges(RowBuilder& build, int id) {
  const mjModel* m = build.model();
  const mjData* d = build.data();
  const int flex = m->eq_obj1id[id], first = m->flex_edgeadr[flex];
  for (int edge = first; edge < first + m->flex_edgenum[flex]; ++edge) {
    if (m->flexedge_rigid[edge]) continue;
    const int adr = m->flexedge_J_rowadr[edge];
    AddStored(build, id,
              {d->flexedge_length[edge] - m->flexedge_length0[edge], m->flexedge_invweight0[edge],
               m->flexedge_J_rownnz[edge], m->flexedge_J_colind + adr, d->flexedge_J + adr});
  }
}

// Two strains of the deformation about each vertex vanish.
void AddFlexVertices(RowBuilder& build, int id) {
  const mjModel* m = build.model();
  const mjData* d = build.data();
  const int flex = m->eq_obj1id[id], first = m->flex_vertadr[flex];
  if (!HasVertexStrains(m, flex)) return;
  for (int vertex = first; vertex < first + m->flex_vertnum[flex]; ++vertex) {
    const double weight = m->body_invweight0[2 * m->flex_vertbodyid[vertex]];
    for (int row = 2 * vertex; row < 2 * vertex + 2; ++row) {
      const int adr = m->flexvert_J_rowadr[row];
      AddStored(build, id,
                {d->flexvert_length[row], weight, m->flexvert_J_rownnz[row], m->flexvert_J_colind + adr,
                 d->flexvert_J + adr});
    }
  }
}

}  // namespace sinew::inline constraint
