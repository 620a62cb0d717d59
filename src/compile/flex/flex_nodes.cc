// Nodes of flexes: their lattice, the bodies that carry them, and the stiffness of each cell
// (docs/how/flex-compile.md).
#include "compile/flex/flex_nodes.h"

#include <algorithm>
#include <cmath>
#include <string>

#include "compile/diagnose.h"
#include "compile/flex/flex_cells.h"
#include "compile/flex/flex_elasticity.h"
#include "compile/rows.h"
#include "core/warning.h"
#include "kinematics/flex_cell.h"
#include "math/mat3.h"
#include "model/kinds/flex_equality.h"

namespace sinew::inline compile {
namespace {

// A block is a square matrix over three coordinates of each node of the cell.
int BlockSize(const NodeLattice& lattice) {
  const int width = 3 * lattice.nodes_per_cell();
  return width * width;
}

int FirstTakenCell(const FlexDraft& flex) {
  const auto taken = std::find(flex.empty_cells.begin(), flex.empty_cells.end(), false);
  return taken == flex.empty_cells.end() ? 0 : static_cast<int>(taken - flex.empty_cells.begin());
}

// The edges of a cell from its first node on, given the places of the nodes.
std::array<Vec3<double>, 3> CellEdges(const NodeLattice& lattice, int cell, const std::vector<Vec3<double>>& nodes) {
  const int n = lattice.order;
  const auto at = [&](int i, int j, int k) { return nodes[static_cast<size_t>(lattice.CellNode(cell, i, j, k))]; };
  const Vec3<double> first = at(0, 0, 0);
  return {at(n, 0, 0) - first, at(0, n, 0) - first, at(0, 0, n) - first};
}

// The size of a cell of aligned nodes, from its first node to its last, as MuJoCo 3.8.0 rounds it.
Vec3<double> CellSize(const NodeLattice& lattice, int cell, const std::vector<Vec3<double>>& nodes) {
  const int n = lattice.order;
  const auto at = [&](int i) { return nodes[static_cast<size_t>(lattice.CellNode(cell, i, i, i))]; };
  const Vec3<double> diagonal = at(n) - at(0);
  return {std::fabs(diagonal.x), std::fabs(diagonal.y), std::fabs(diagonal.z)};
}

// The axes of the lattice, edges of a cell; zero along a flat side.
std::array<Vec3<double>, 3> LatticeAxes(const FlexDraft& flex, const std::vector<Vec3<double>>& nodes) {
  std::array<Vec3<double>, 3> axes = CellEdges(flex.lattice, FirstTakenCell(flex), nodes);
  for (Vec3<double>& axis : axes) {
    const double length = Norm(axis);
    // divided, not scaled, so that vectors along an axis of the world stay exact
    axis = length > mjMINVAL ? Vec3<double>{axis.x / length, axis.y / length, axis.z / length} : Vec3<double>{0, 0, 0};
  }
  return axes;
}

Vec3<double> Along(const std::array<Vec3<double>, 3>& axes, const Vec3<double>& v) {
  return {Dot(axes[0], v), Dot(axes[1], v), Dot(axes[2], v)};
}

// Replaces axes without length by what is perpendicular to the others.
void CompleteAxes(std::array<Vec3<double>, 3>& axes) {
  for (size_t a = 0; a < 3; ++a) {
    if (Norm(axes[a]) > 0) continue;
    const Vec3<double>&b = axes[(a + 1) % 3], &c = axes[(a + 2) % 3];
    Vec3<double> best = Cross(b, c);
    for (int k = 0; k < 3 && Norm(best) < 0.5; ++k) {
      Vec3<double> unit = {0, 0, 0};
      unit[(static_cast<int>(a) + k) % 3] = 1;
      best = unit - b * Dot(b, unit) - c * Dot(c, unit);
    }
    axes[a] = best * (1 / Norm(best));
  }
}

// The dofs of all nodes, in the order in which nodes name them: rows of the equations of integrate/implicit_cells.h.
class NodeRows {
 public:
  NodeRows(const std::vector<FlexDraft>& flexes, const mjModel* m)
      : m_(m), row_(static_cast<size_t>(m->nv), -1), dofs_(static_cast<size_t>(m->nv)) {
    for (const FlexDraft& flex : flexes) {
      if (!flex.moved_by_nodes()) continue;
      for (const int body : flex.node_bodies) {
        ForDofs(body, [this](int& row) { row = row < 0 ? count_++ : row; });
      }
    }
  }

  // Rows between the first and the last one of a cell.
  int Spread(const FlexDraft& flex, int cell) {
    int first = count_, last = 0;
    flex.lattice.ForNodes(cell, [&](int, int node) {
      ForDofs(flex.node_bodies[static_cast<size_t>(node)], [&](int row) {
        first = std::min(first, row);
        last = std::max(last, row);
      });
    });
    return std::max(0, last - first);
  }

  // Between the rows of a dof and of those that move it, which the inertia matrix couples with it.
  int SpreadOfInertia() const {
    int most = 0;
    for (int dof = 0; dof < m_->nv; ++dof) {
      const int row = row_[static_cast<size_t>(dof)];
      for (int above = m_->dof_parentid[dof]; row >= 0 && above >= 0; above = m_->dof_parentid[above]) {
        const int other = row_[static_cast<size_t>(above)];
        if (other >= 0) most = std::max(most, std::abs(row - other));
      }
    }
    return most;
  }

 private:
  template <class Visit>
  void ForDofs(int body, const Visit& visit) {
    const int count = NodeDofs(m_, body, dofs_.data());
    for (int k = 0; k < count; ++k) visit(row_[static_cast<size_t>(dofs_[static_cast<size_t>(k)])]);
  }

  const mjModel* m_;
  std::vector<int> row_, dofs_;  // by dof; scratch
  int count_ = 0;
};

}  // namespace

// Returns the lattice of a flex's nodes. Options that need vertices with bodies of their own are refused.
NodeLattice FindLattice(const Flex& flex) {
  if (flex.order == 0) {
    if (!flex.nodebody->empty()) throw Error("the flex has nodes and no order of interpolation", "set dof");
    return {};
  }
  if (flex.order < 1 || flex.order > 2) throw Error("the order of interpolation is not 1 or 2", "set dof");
  double nodes = 1;
  for (const int count : flex.cellcount) {
    if (count < 1) throw Error("attribute 'cellcount' is not positive", "give the numbers of cells");
    nodes *= static_cast<double>(count) * flex.order + 1;
  }
  if (static_cast<double>(flex.nodebody->size()) != nodes) {
    throw Error("the flex has " + std::to_string(flex.nodebody->size()) + " nodes",
                "cellcount and dof ask for " + std::to_string(static_cast<long long>(nodes)));
  }
  if (flex.selfcollide != mjFLEXSELF_NONE) {
    throw Error("a flex that is moved by nodes cannot collide with itself", "set selfcollide to none");
  }
  if (flex.internal) throw Error("a flex that is moved by nodes has no internal contacts", "set internal to false");
  if (flex.elastic2d != 0) throw Error("a flex that is moved by nodes is elastic as a solid", "remove elastic2d");
  return {flex.order, {flex.cellcount[0], flex.cellcount[1], flex.cellcount[2]}};
}

// Nodes stand at the origins of their bodies unless the flex says where they are.
void ComputeNodePositions(const Draft& draft, const std::vector<Pose>& body_poses, FlexDraft& flex) {
  const Flex& source = *flex.source;
  const std::vector<double>& given = *source.node;
  if (!given.empty() && given.size() != 3 * source.nodebody->size()) {
    throw Error("there are " + std::to_string(given.size()) + " coordinates of nodes", "give three of each, or none");
  }
  for (size_t i = 0; i < source.nodebody->size(); ++i) {
    const int body = Require(draft.spec, mjOBJ_BODY, (*source.nodebody)[i]).id;
    const Pose& pose = body_poses[static_cast<size_t>(body)];
    flex.node_bodies.push_back(body);
    flex.node.push_back(given.empty() ? Vec3<double>{0, 0, 0} : LoadVec3(given.data() + 3 * i));
    flex.node0.push_back(pose.pos + Rotate(pose.quat, flex.node.back()));
  }
  flex.centered = std::all_of(given.begin(), given.end(), [](double x) { return x == 0; });
  flex.empty_cells = EmptyCells(flex.lattice, source.dim, flex.simplices.vertices, flex.vert);
  // A flat lattice has no third axis: nodes lose that coordinate.
  flex.lattice_axes = LatticeAxes(flex, flex.node0);
  for (Vec3<double>& node : flex.node0) node = Along(flex.lattice_axes, node);
  CompleteAxes(flex.lattice_axes);
}

std::vector<Vec3<double>> PointsInLattice(const FlexDraft& flex) {
  std::vector<Vec3<double>> points;
  for (const Vec3<double>& point : flex.points) points.push_back(Along(flex.lattice_axes, point));
  return points;
}

// A cell without volume has no stiffness. Around segments it needs none, as cells there exert no force.
void ReportFlatCell(const Flex& source, int cell) {
  const std::string what = "cell " + std::to_string(cell) + " of the flex has no volume, and resists no deformation";
  if (source.dim > 1) throw Error(what, "give the flex a depth, or remove young");
  const Error notice(what, "remove young, and hold segments by their edges", Place(source));
  Warn("%s", notice.what());
}

void SetCellStiffness(FlexDraft& flex) {
  const Flex& source = *flex.source;
  const bool elastic = source.young > 0;
  if (elastic && flex.equality == flex_equality::kCells) {
    const Error notice("the flex is elastic: its strain constraints hold nothing", "remove them, or young",
                       Place(source));
    Warn("%s", notice.what());
  }
  const bool strain = flex.equality == flex_equality::kCells && !elastic;
  flex.stiffness.assign(static_cast<size_t>(CellStiffnessCount(flex)), 0);
  if (!strain && !elastic) return;

  const int block = BlockSize(flex.lattice);
  auto block_begin = flex.stiffness.begin();
  std::vector<double> numbers;
  Vec3<double> size_before = {-1, -1, -1};
  for (int cell = 0; cell < flex.lattice.cell_count(); ++cell, block_begin += block) {
    if (flex.empty_cells[static_cast<size_t>(cell)]) continue;
    const Vec3<double> size = CellSize(flex.lattice, cell, flex.node0);
    if (!strain && !(size.x * size.y * size.z > 0)) {
      ReportFlatCell(source, cell);
      continue;
    }
    // Cells are mostly alike.
    if (size.x != size_before.x || size.y != size_before.y || size.z != size_before.z) {
      numbers = strain ? CellStrainModes(source.order, size)
                       : CellStiffness(source.order, size, {source.young, source.poisson, source.thickness});
      size_before = size;
    }
    std::copy(numbers.begin(), numbers.end(), block_begin);
  }
}

int CellStiffnessCount(const FlexDraft& flex) {
  return flex.moved_by_nodes() ? flex.lattice.cell_count() * BlockSize(flex.lattice) : 0;
}

void WriteNodes(const FlexDraft& flex, int id, mjModel* m) {
  for (size_t i = 0; i < flex.node.size(); ++i) {
    const int row = m->flex_nodeadr[id] + static_cast<int>(i);
    m->flex_nodebodyid[row] = flex.node_bodies[i];
    PutRow(m->flex_node, row, flex.node[i]);
    PutRow(m->flex_node0, row, flex.node0[i]);
  }
}

void WriteBandwidth(const std::vector<FlexDraft>& flexes, mjModel* m) {
  NodeRows rows(flexes, m);
  int bandwidth = rows.SpreadOfInertia();
  for (const FlexDraft& flex : flexes) {
    for (int cell = 0; flex.moved_by_nodes() && cell < flex.lattice.cell_count(); ++cell) {
      if (!flex.empty_cells[static_cast<size_t>(cell)]) bandwidth = std::max(bandwidth, rows.Spread(flex, cell));
    }
  }
  std::fill_n(m->flex_bandwidth, m->nflex, bandwidth);
}

}  // namespace sinew::inline compile
