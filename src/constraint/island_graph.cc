#include "constraint/island_graph.h"

#include "constraint/equality_pose.h"
#include "constraint/jacobian_product.h"

namespace sinew::inline constraint {
namespace {

// Disjoint sets of trees. The representative of a set is its smallest tree.
class TreeSets {
 public:
  explicit TreeSets(int* parent, int count) : parent_(parent) {
    for (int tree = 0; tree < count; ++tree) parent_[tree] = kUntouched;
  }
  bool Touched(int tree) const { return parent_[tree] != kUntouched; }
  int Find(int tree) {
    while (parent_[tree] != tree) tree = parent_[tree] = parent_[parent_[tree]];
    return tree;
  }
  void Touch(int tree) {
    if (!Touched(tree)) parent_[tree] = tree;
  }
  void Unite(int a, int b) {
    const int root_a = Find(a), root_b = Find(b);
    if (root_a < root_b) {
      parent_[root_b] = root_a;
    } else {
      parent_[root_a] = root_b;
    }
  }

 private:
  static constexpr int kUntouched = -1;
  int* parent_;
};

// Trees that one constraint touches, in sequence; the world (-1) is no tree.
class Edge {
 public:
  explicit Edge(TreeSets& sets) : sets_(sets) {}
  void Visit(int tree) {
    if (tree < 0 || tree == last_) return;
    sets_.Touch(tree);
    if (last_ >= 0) sets_.Unite(last_, tree);
    if (first_ < 0) first_ = tree;
    last_ = tree;
  }
  int first() const { return first_; }

 private:
  TreeSets& sets_;
  int first_ = -1, last_ = -1;
};

// Compressed rows touch the trees of their columns, dense rows those of their nonzeros.
void VisitColumns(const mjModel* m, const mjData* d, int row, Edge& edge) {
  const JacobianRows rows = AllRows(m, d);
  if (rows.rownnz) {
    for (int c = 0; c < rows.rownnz[row]; ++c) edge.Visit(m->dof_treeid[rows.colind[rows.rowadr[row] + c]]);
    return;
  }
  const double* J = rows.J + static_cast<ptrdiff_t>(row) * rows.ncol;
  for (int dof = 0; dof < rows.ncol; ++dof) {
    if (J[dof] == 0) continue;
    const int tree = m->dof_treeid[dof];
    edge.Visit(tree);
    dof = m->tree_dofadr[tree] + m->tree_dofnum[tree] - 1;  // the rest of the tree adds nothing
  }
}

void VisitBodies(const mjModel* m, int body1, int body2, Edge& edge) {
  edge.Visit(m->body_treeid[body1]);
  edge.Visit(m->body_treeid[body2]);
}

void VisitEquality(const mjModel* m, const mjData* d, int row, Edge& edge) {
  const int id = d->efc_id[row];
  if (m->eq_type[id] != mjEQ_CONNECT && m->eq_type[id] != mjEQ_WELD) return VisitColumns(m, d, row, edge);
  const std::array<int, 2> body = EqualityBodies(m, id);
  VisitBodies(m, body[0], body[1], edge);
}

// Parts of flexes move with any number of trees, which a single dense row need not show; compressed rows of a contact,
// or of an element, have the same columns.
void VisitBlock(const mjModel* m, const mjData* d, int row, Edge& edge) {
  const bool sparse = IsSparse(m);
  for (int r = row; r < d->nefc && d->efc_type[r] == d->efc_type[row] && d->efc_id[r] == d->efc_id[row]; ++r) {
    VisitColumns(m, d, r, edge);
    if (sparse) return;
  }
}

// A tree that carries one side of a contact with a flex.
void VisitCarrier(const mjModel* m, int geom, int flex, Edge& edge) {
  if (geom >= 0) return edge.Visit(m->body_treeid[m->geom_bodyid[geom]]);
  const auto visit_first = [&](const int* body, int count) {
    for (int i = 0; i < count && edge.first() < 0; ++i) {
      if (body[i] >= 0) edge.Visit(m->body_treeid[body[i]]);
    }
  };
  visit_first(m->flex_vertbodyid + m->flex_vertadr[flex], m->flex_vertnum[flex]);
  visit_first(m->flex_nodebodyid + m->flex_nodeadr[flex], m->flex_nodenum[flex]);
}

// Where the dofs of a contact with a flex do not move its point, as at the axis of a joint between both sides, dense
// rows show no tree. Then the rows go to one of those that carry the sides, as each row has an island.
void VisitContact(const mjModel* m, const mjData* d, int row, Edge& edge) {
  const mjContact& contact = d->contact[d->efc_id[row]];
  const int* geom = contact.geom;
  if (geom[0] >= 0 && geom[1] >= 0) return VisitBodies(m, m->geom_bodyid[geom[0]], m->geom_bodyid[geom[1]], edge);
  VisitBlock(m, d, row, edge);
  for (int side = 0; side < 2 && edge.first() < 0; ++side) VisitCarrier(m, geom[side], contact.flex[side], edge);
}

void VisitRow(const mjModel* m, const mjData* d, int row, Edge& edge) {
  const int id = d->efc_id[row];
  switch (d->efc_type[row]) {
    case mjCNSTR_EQUALITY:
      return VisitEquality(m, d, row, edge);
    case mjCNSTR_FRICTION_DOF:
      return edge.Visit(m->dof_treeid[id]);
    case mjCNSTR_LIMIT_JOINT:
      return edge.Visit(m->dof_treeid[m->jnt_dofadr[id]]);
    case mjCNSTR_FRICTION_TENDON:
      return VisitBlock(m, d, row, edge);  // of a tendon one row, of an element several
    case mjCNSTR_LIMIT_TENDON:
      return VisitColumns(m, d, row, edge);
    default:
      return VisitContact(m, d, row, edge);
  }
}

// All rows of a constraint touch the same trees, but those of an equality on a flex.
bool SameTreesAsBefore(const mjModel* m, const mjData* d, int row) {
  if (row == 0 || d->efc_type[row] != d->efc_type[row - 1] || d->efc_id[row] != d->efc_id[row - 1]) return false;
  return d->efc_type[row] != mjCNSTR_EQUALITY || m->eq_type[d->efc_id[row]] < mjEQ_FLEX;
}

}  // namespace

int FindIslands(const mjModel* m, const mjData* d, int* tree_set, int* tree_island, int* row_tree) {
  const int ntree = static_cast<int>(m->ntree);
  TreeSets sets(tree_set, ntree);
  for (int row = 0; row < d->nefc; ++row) {
    if (SameTreesAsBefore(m, d, row)) {
      row_tree[row] = row_tree[row - 1];
      continue;
    }
    Edge edge(sets);
    VisitRow(m, d, row, edge);
    row_tree[row] = edge.first();
  }

  int nisland = 0;
  for (int tree = 0; tree < ntree; ++tree) {
    tree_island[tree] = -1;
    if (!sets.Touched(tree)) continue;
    const int smallest = sets.Find(tree);
    tree_island[tree] = smallest == tree ? nisland++ : tree_island[smallest];
  }
  return nisland;
}

}  // namespace sinew::inline constraint
