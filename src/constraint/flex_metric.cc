// With the integrator `discrete`, what elasticity and damping of flexes add to the metric (docs/how/integrators.md). It
// couples bodies that inertia does not couple, and so is rows of the problem, without bounds (metric_row.h): the rows
// J of an element, an edge or a hinge have, for the velocity at the end of the step, v' = v + h a,
//
//     J' J a = (h^2 K + h D) a,        J' (J a - aref) = (h^2 K + h D) a + h K v      for aref = -rate J v
//
// (D. Baraff, A. Witkin, Large steps in cloth simulation, SIGGRAPH 1998). K leaves out how tension resists turns.
#include <algorithm>
#include <cmath>

#include "constraint/kinds.h"
#include "constraint/metric_row.h"
#include "force/element_force.h"
#include "force/flex_force.h"
#include "kinematics/jacobian.h"
#include "math/element_edges.h"
#include "math/spatial.h"
#include "math/vec3.h"
#include "model/kinds/integrator.h"
#include "model/state/awake.h"
#include "model/view/data_view.h"

namespace sinew::inline constraint {
namespace {

using Vector = Vec3<double>;
constexpr double kSolref[mjNREF] = {0.02, 1}, kSolimp[mjNIMP] = {0.9, 0.95, 0.001, 0.5, 2};  // take no part

// Weight h (h k + b) of a force k x + b x', and the rate k / (h k + b).
struct Weight {
  double weight, rate;

  Weight(double h, double k, double b) : weight(h * (h * k + b)), rate(weight > 0 ? h * k / weight : 0) {}
};

// The motions of some vertices by the dofs that move any of them.
class VertexColumns {
 public:
  static constexpr int kMost = 4;

  VertexColumns(const mjModel* m, const mjData* d, int flex, StackFrame& frame)
      : m_(m), d_(const_cast<mjData*>(d)), first_(m->flex_vertadr[flex]) {
    int longest = 0;
    for (int v = first_; v < first_ + m->flex_vertnum[flex]; ++v) longest = std::max(longest, CountDofs(BodyOf(v)));
    chain_ = frame.Ints(longest);
    dof_ = frame.Ints(kMost * static_cast<ptrdiff_t>(longest));
    column_ = frame.Alloc<Vector>(kMost * kMost * static_cast<ptrdiff_t>(longest));
  }

  void Load(const int* vertex, int count) {
    ncol_ = 0;
    for (int i = 0; i < count; ++i) {
      const int n = BodyChain(m_, BodyOf(first_ + vertex[i]), chain_);
      std::copy_n(chain_, n, dof_ + ncol_);
      ncol_ += n;
    }
    std::sort(dof_, dof_ + ncol_);
    ncol_ = static_cast<int>(std::unique(dof_, dof_ + ncol_) - dof_);
    const DataView<double> data(d_);
    for (int i = 0; i < count; ++i) {
      const int body = BodyOf(first_ + vertex[i]), n = BodyChain(m_, body, chain_);
      const Vector arm = data.flexvert_xpos(first_ + vertex[i]) - data.subtree_com(m_->body_rootid[body]);
      for (int c = 0, k = 0; c < ncol_; ++c) {
        const bool moves = k < n && chain_[k] == dof_[c];
        column_[i * ncol_ + c] = moves ? PointVelocity(data.cdof(dof_[c]), arm) : Vector{0, 0, 0};
        k += moves;
      }
    }
  }

  int ncol() const { return ncol_; }
  const int* dof() const { return dof_; }
  const Vector& operator()(int vertex, int column) const { return column_[vertex * ncol_ + column]; }

 private:
  int BodyOf(int vertex) const { return std::max(0, m_->flex_vertbodyid[vertex]); }
  int CountDofs(int body) const {
    int count = 0;
    for (; body > 0; body = m_->body_parentid[body]) count += m_->body_dofnum[body];
    return count;
  }

  const mjModel* m_;
  mjData* d_;
  int first_, ncol_ = 0;
  int *chain_, *dof_;
  Vector* column_;  // by vertex and dof
};

// The rows of one flex.
class FlexMetric {
 public:
  FlexMetric(RowBuilder& build, int flex, StackFrame& frame)
      : m_(build.model()),
        d_(build.data()),
        build_(build),
        flex_(flex),
        h_(m_->opt.timestep),
        spring_(m_->opt.disableflags & mjDSBL_SPRING ? 0 : 1),
        damper_(m_->opt.disableflags & mjDSBL_DAMPER ? 0 : 1),
        columns_(m_, d_, flex, frame) {}

  void Add() {
    const int dim = m_->flex_dim[flex_], first = m_->flex_edgeadr[flex_];
    for (int element = 0; dim > 1 && element < m_->flex_elemnum[flex_]; ++element) AddElement(element);
    const Weight edge(h_, spring_ * m_->flex_edgestiffness[flex_], damper_ * m_->flex_edgedamping[flex_]);
    const Weight bending(h_, spring_, damper_ * m_->flex_damping[flex_]);
    for (int e = first; e < first + m_->flex_edgenum[flex_]; ++e) {
      if (edge.weight > 0 && !m_->flexedge_rigid[e]) AddEdge(e, edge);
      if (dim == 2 && bending.weight > 0 && m_->flex_edgeflap[2 * e + 1] >= 0) AddHinge(e, bending);
    }
  }

 private:
  Vector Position(int vertex) const { return LoadVec3(d_->flexvert_xpos + 3 * (m_->flex_vertadr[flex_] + vertex)); }

  // Whether one body carries all of these vertices, which then have no motion of their own.
  bool IsRigid(const int* vertex, int count) const {
    const int* body = m_->flex_vertbodyid + m_->flex_vertadr[flex_];
    return std::all_of(vertex, vertex + count, [&](int v) { return body[v] == body[vertex[0]]; });
  }

  // Numbers of what has rows are negative: none is that of a tendon.
  void Close(const RowBlock& rows, int id, double rate) {
    RowParameters parameters;
    parameters.type = mjCNSTR_FRICTION_TENDON;
    parameters.id = -1 - id;
    parameters.solref = kSolref;
    parameters.solimp = kSolimp;
    std::fill_n(parameters.pos, rows.nrow, 0.0);
    std::fill_n(parameters.weight, rows.nrow, 1.0);
    parameters.distance = 0;
    parameters.margin = rate;
    parameters.frictionloss = kMetricLoss;
    build_.Close(rows, parameters);
  }

  void AddElement(int element);
  void AddEdge(int edge, const Weight& weight);
  void AddHinge(int edge, const Weight& weight);

  const mjModel* m_;
  mjData* d_;
  RowBuilder& build_;
  int flex_;
  double h_, spring_, damper_;
  VertexColumns columns_;
};

// Lower triangle L of K = L L' from the upper triangle of K, by rows; directions without stiffness are left out.
void FactorStiffness(const mjtNum* upper, int n, double (&L)[6][6]) {
  double K[6][6], largest = 0;
  for (int i = 0; i < n; ++i) {
    for (int j = i; j < n; ++j) K[j][i] = *upper++;
    largest = std::max(largest, K[i][i]);
  }
  for (int j = 0; j < n; ++j) {
    double pivot = K[j][j];
    for (int k = 0; k < j; ++k) pivot -= L[j][k] * L[j][k];
    constexpr double kSingular = 1e-12;  // relative
    const double root = pivot > kSingular * largest ? std::sqrt(pivot) : 0;
    for (int i = j; i < n; ++i) {
      double sum = K[i][j];
      for (int k = 0; k < j; ++k) sum -= L[i][k] * L[j][k];
      L[i][j] = root > 0 ? sum / root : 0;
    }
  }
}

// The tension of an element's edge is K e, and its forces that times the edge: with the edges x, d(e_j) = 2 x_j . dx_j.
// Damping is part of e (force/element_force.cc).
void FlexMetric::AddElement(int element) {
  const int dim = m_->flex_dim[flex_], edges = kElementEdges[dim];
  const mjtNum* K = m_->flex_stiffness + m_->flex_stiffnessadr[flex_] + kElementStiffness * element;
  if (K[0] == 0) return;
  const int* vertex = m_->flex_elem + m_->flex_elemdataadr[flex_] + (dim + 1) * element;
  if (IsRigid(vertex, dim + 1)) return;
  columns_.Load(vertex, dim + 1);
  RowBlock rows;
  if (!build_.Open(edges, columns_.ncol(), columns_.dof(), &rows)) return;
  double L[6][6];
  FactorStiffness(K, edges, L);
  const Weight weight(h_, 2, 2 * m_->flex_damping[flex_]);
  const double scale = std::sqrt(weight.weight);
  Vector x[6];
  for (int j = 0; j < edges; ++j) {
    const int* end = kLocalEdges[dim][j];
    x[j] = (Position(vertex[end[0]]) - Position(vertex[end[1]])) * scale;
  }
  for (int c = 0; c < columns_.ncol(); ++c) {
    for (int j = 0; j < edges; ++j) {
      const int* end = kLocalEdges[dim][j];
      const double stretch = Dot(x[j], columns_(end[0], c) - columns_(end[1], c));
      for (int row = 0; row <= j; ++row) rows(row, c) = (j == row ? 0 : rows(row, c)) + L[j][row] * stretch;
    }
  }
  Close(rows, m_->flex_elemadr[flex_] + element, weight.rate);
}

void FlexMetric::AddEdge(int edge, const Weight& weight) {
  const int* end = m_->flex_edge + 2 * edge;
  const Vector along = Position(end[0]) - Position(end[1]);
  const double length = Norm(along);
  if (!(length > mjMINVAL)) return;
  columns_.Load(end, 2);
  RowBlock rows;
  if (!build_.Open(1, columns_.ncol(), columns_.dof(), &rows)) return;
  const Vector axis = along * (std::sqrt(weight.weight) / length);
  for (int c = 0; c < columns_.ncol(); ++c) rows(0, c) = Dot(axis, columns_(0, c) - columns_(1, c));
  Close(rows, static_cast<int>(m_->nflexelem) + edge, weight.rate);
}

// The matrix of a hinge is of rank one, c c' for each axis, where the triangles are not folded back at rest.
void FlexMetric::AddHinge(int edge, const Weight& weight) {
  const mjtNum* B = m_->flex_bending + kBending * edge;
  int largest = 0;
  for (int i = 1; i < 4; ++i) largest = B[5 * i] > B[5 * largest] ? i : largest;
  if (!(B[5 * largest] > 0)) return;
  const int *end = m_->flex_edge + 2 * edge, *flap = m_->flex_edgeflap + 2 * edge;
  const int vertex[4] = {end[0], end[1], flap[0], flap[1]};
  if (IsRigid(vertex, 4)) return;
  columns_.Load(vertex, 4);
  RowBlock rows;
  if (!build_.Open(3, columns_.ncol(), columns_.dof(), &rows)) return;
  const double scale = std::sqrt(weight.weight / B[5 * largest]);
  for (int c = 0; c < columns_.ncol(); ++c) {
    Vector sum = {0, 0, 0};
    for (int i = 0; i < 4; ++i) sum += columns_(i, c) * (scale * B[4 * largest + i]);
    for (int axis = 0; axis < 3; ++axis) rows(axis, c) = sum[axis];
  }
  Close(rows, static_cast<int>(m_->nflexelem + m_->nflexedge) + edge, weight.rate);
}

bool AnyCarrierAsleep(const mjModel* m, const mjData* d, int flex) {
  const int* body = m->flex_vertbodyid + m->flex_vertadr[flex];
  return std::any_of(body, body + m->flex_vertnum[flex], [&](int b) { return IsAsleep(m, d, mjOBJ_BODY, b); });
}

}  // namespace

void AddFlexMetricRows(RowBuilder& build) {
  const mjModel* m = build.model();
  if (!IsDiscrete(m) || (m->opt.disableflags & mjDSBL_SPRING && m->opt.disableflags & mjDSBL_DAMPER)) return;
  for (int flex = 0; flex < m->nflex; ++flex) {
    if (m->flex_rigid[flex] || m->flex_interp[flex] != 0 || AnyCarrierAsleep(m, build.data(), flex)) continue;
    StackFrame frame(build.data());
    FlexMetric(build, flex, frame).Add();
  }
}

}  // namespace sinew::inline constraint
