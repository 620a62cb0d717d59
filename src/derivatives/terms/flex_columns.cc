#include "derivatives/terms/flex_columns.h"

#include <algorithm>

#include "derivatives/base/names.h"
#include "derivatives/terms/cell_columns.h"
#include "derivatives/terms/flex_contact_columns.h"
#include "derivatives/terms/flex_rows.h"
#include "force/passive_kernel.h"
#include "model/kinds/integrator.h"
#include "model/view/view_of.h"

namespace sinew::inline derivatives {
namespace {

// Numbers for each element, the upper triangle of K by rows, and for each edge (force/flex_force.cc).
constexpr int kStiffness = 21, kBending = 17;

bool HasNonzero(const double* values, ptrdiff_t count) {
  return std::any_of(values, values + count, [](double x) { return x != 0; });
}
bool Stretches(const mjModel* m, int flex) {
  const double* stiffness = m->flex_stiffness + m->flex_stiffnessadr[flex];
  return m->flex_dim[flex] > 1 && HasNonzero(stiffness, kStiffness * static_cast<ptrdiff_t>(m->flex_elemnum[flex]));
}
bool Bends(const mjModel* m, int flex) {
  const double* bending = m->flex_bending + kBending * static_cast<ptrdiff_t>(m->flex_edgeadr[flex]);
  return m->flex_dim[flex] == 2 && HasNonzero(bending, kBending * static_cast<ptrdiff_t>(m->flex_edgenum[flex]));
}

// Bodies that slide at rest take a force's component along x for their first slide, and so on (force/flex_force.cc):
// that is the force where these are their axes, and one that rows know nothing of where they are not.
bool TakesStretchAsItIs(const mjModel* m, int body) {
  constexpr int kSlidesAtRest = 2;  // value of body_simple
  if (m->body_simple[body] != kSlidesAtRest) return true;
  for (int k = 0; k < m->body_jntnum[body]; ++k) {
    if (m->jnt_axis[3 * (m->body_jntadr[body] + k) + k] != 1) return false;
  }
  return true;
}

// The forces of a flex whose vertices stand still in bodies.
class FlexOfVertices {
 public:
  FlexOfVertices(const mjModel* m, const mjData* d, int flex, const ResidualPoint& at, ResidualColumns& out)
      : m_(m),
        d_(d),
        flex_(flex),
        at_(at),
        sizes_(m),
        out_(out),
        first_edge_(m->flex_edgeadr[flex]),
        points_(PointsOfFlex(m, d, flex)) {
    for (BodyPoint& point : points_) {
      if (m->body_dofnum[point.body] == 3) point.TakeForcesInSlides(m, d);  // of bending
    }
  }

  void Add() {
    const bool stretches = Stretches(m_, flex_);
    const double k = Off(mjDSBL_SPRING) ? 0 : m_->flex_edgestiffness[flex_];
    const double b = Off(mjDSBL_DAMPER) ? 0 : m_->flex_edgedamping[flex_];
    if (stretches || k != 0 || b != 0) {
      for (int e = 0; e < m_->flex_edgenum[flex_]; ++e) {
        const int* end = m_->flex_edge + 2 * (first_edge_ + e);
        rows_.push_back(RowOfDistance(points_[Size(end[0])], points_[Size(end[1])]));
      }
    }
    if (k != 0 || b != 0) AddEdges(k, b);
    if (stretches) AddElements();
    if (Bends(m_, flex_)) AddBending();
  }

 private:
  bool Off(int flag) const { return (m_->opt.disableflags & flag) != 0; }
  double Length(int edge) const { return d_->flexedge_length[first_edge_ + edge]; }

  void AddEdges(double k, double b) {
    const bool implicit = at_.HasStep() && IsImplicit(m_) && b != 0;
    for (int e = 0; e < m_->flex_edgenum[flex_]; ++e) {
      if (m_->flexedge_rigid[first_edge_ + e]) continue;
      const Row row = rows_[Size(e)].row();
      const double stretch = Length(e) - m_->flexedge_length0[first_edge_ + e];
      const ScalarForce force = {
          .f = -k * stretch - b * row.Times(d_->qvel), .f_length = -k, .f_velocity = -b, .g = -b};
      AddScalarForce(row, force, d_->qvel, out_.force);
      if (!implicit) continue;
      AddImplicitScalarForce(row, ImplicitRow(m_, row, at_.b), force, d_->qvel, m_->opt.timestep, out_.step);
    }
  }

  // An elongation e = L^2 - L0^2 + (L^2 - P^2) b / h, P = L - h L', with its slopes.
  struct Elongation {
    double value, by_length, by_velocity;
  };
  Elongation ElongationOf(int e) const {
    const double h = m_->opt.timestep, rate = m_->flex_damping[flex_] / h, L = Length(e);
    const double rest = m_->flexedge_length0[first_edge_ + e], speed = rows_[Size(e)].row().Times(d_->qvel);
    const double before = L - h * speed;
    return {L * L - rest * rest + (L * L - before * before) * rate, 2 * L + 2 * (L - before) * rate,
            2 * before * h * rate};
  }

  // The elements' tensions t = K e pull by L t along the edges.
  void AddElements() {
    const int edges = m_->flex_edgenum[flex_], count = m_->flex_dim[flex_] == 2 ? 3 : 6;
    std::vector<Elongation> elongation;
    for (int e = 0; e < edges; ++e) elongation.push_back(ElongationOf(e));
    std::vector<double> tension(Size(edges));
    const int* edge = m_->flex_elemedge + m_->flex_elemedgeadr[flex_];
    const double* K = m_->flex_stiffness + m_->flex_stiffnessadr[flex_];
    for (int element = 0; element < m_->flex_elemnum[flex_]; ++element, edge += count, K += kStiffness) {
      const double* k = K;
      for (int i = 0; i < count; ++i) {
        for (int j = i; j < count; ++j, ++k) {
          tension[Size(edge[i])] += *k * elongation[Size(edge[j])].value;
          AddCoupling(edge[i], edge[j], *k, elongation[Size(edge[j])]);
          if (i == j) continue;
          tension[Size(edge[j])] += *k * elongation[Size(edge[i])].value;
          AddCoupling(edge[j], edge[i], *k, elongation[Size(edge[i])]);
        }
      }
    }
    for (int e = 0; e < edges; ++e) {
      const double t = tension[Size(e)];
      AddScalarForce(rows_[Size(e)].row(), {.f = -Length(e) * t, .f_length = -t}, d_->qvel, out_.force);
    }
  }

  // The tension of one edge changes with the elongation of another one.
  void AddCoupling(int edge, int other, double k, const Elongation& elongation) {
    const Row row = rows_[Size(edge)].row(), by = rows_[Size(other)].row();
    const double scale = -k * Length(edge);
    for (int j = 0; j < by.count; ++j) {
      const int q = by.dof[j], v = sizes_.velocity() + q;
      const double by_q = elongation.by_length * by.J[j] + elongation.by_velocity * by.TurnTimes(j, d_->qvel);
      row.Subtract(scale * by_q, out_.force[q]);
      row.Subtract(scale * elongation.by_velocity * by.J[j], out_.force[v]);
    }
  }

  // Forces -B x - c n at the four vertices of each edge between two triangles, and -b B x'.
  void AddBending() {
    for (int e = first_edge_; e < first_edge_ + m_->flex_edgenum[flex_]; ++e) {
      const int* flap = m_->flex_edgeflap + 2 * e;
      if (flap[1] < 0) continue;
      const BodyPoint* point[4] = {&points_[Size(m_->flex_edge[2 * e])], &points_[Size(m_->flex_edge[2 * e + 1])],
                                   &points_[Size(flap[0])], &points_[Size(flap[1])]};
      AddHinge(point, m_->flex_bending + kBending * e);
    }
  }

  void AddHinge(const BodyPoint* const (&point)[4], const double* B) {
    const double spring = Off(mjDSBL_SPRING) ? 0 : 1, damper = Off(mjDSBL_DAMPER) ? 0 : m_->flex_damping[flex_];
    const Vec3<double> e0 = point[1]->place - point[0]->place, e1 = point[2]->place - point[0]->place,
                       e2 = point[3]->place - point[0]->place;
    const Vec3<double> n1 = Cross(e1, e2), n2 = Cross(e2, e0), n3 = Cross(e0, e1), n[4] = {-(n1 + n2 + n3), n1, n2, n3};
    for (int i = 0; i < 4; ++i) {
      Vec3<double> force = n[i] * (-B[16] * spring);
      for (int j = 0; j < 4; ++j) {
        force -= (point[j]->place * spring + point[j]->Times(d_->qvel) * damper) * B[4 * i + j];
      }
      SubtractRotated(*point[i], force);
    }
    for (int k = 0; k < 4; ++k) {
      for (int j = 0; j < point[k]->count(); ++j) {
        const int q = point[k]->dof[Size(j)], v = sizes_.velocity() + q;
        const Vec3<double> dx = point[k]->J[Size(j)], dv = point[k]->RotatedTimes(j, d_->qvel);
        Vec3<double> dn[4];
        TurnNormals({e0, e1, e2}, k, dx, dn);
        for (int i = 0; i < 4; ++i) {
          const double b = B[4 * i + k];
          point[i]->Add(dn[i] * (B[16] * spring) + (dx * spring + dv * damper) * b, out_.force[q]);
          point[i]->Add(dx * (damper * b), out_.force[v]);
        }
      }
    }
  }

  // Computes how the normals turn with a motion dx of vertex k.
  static void TurnNormals(const Vec3<double> (&e)[3], int k, const Vec3<double>& dx, Vec3<double> (&dn)[4]) {
    Vec3<double> de[3];
    for (int a = 0; a < 3; ++a) de[a] = k == 0 ? -dx : k == a + 1 ? dx : Zero3<double>();
    dn[1] = Cross(de[1], e[2]) + Cross(e[1], de[2]);
    dn[2] = Cross(de[2], e[0]) + Cross(e[2], de[0]);
    dn[3] = Cross(de[0], e[1]) + Cross(e[0], de[1]);
    dn[0] = -(dn[1] + dn[2] + dn[3]);
  }

  // A force at a point that turns with its body.
  void SubtractRotated(const BodyPoint& point, const Vec3<double>& force) {
    for (int j = 0; point.turns && j < point.count(); ++j) {
      double* column = out_.force[point.dof[Size(j)]];
      for (int i = 0; i < point.count(); ++i) column[point.dof[Size(i)]] -= Dot(force, point.Turned(i, j));
    }
  }

  const mjModel* m_;
  const mjData* d_;
  int flex_;
  const ResidualPoint at_;
  const StateSizes sizes_;
  ResidualColumns& out_;
  int first_edge_;
  std::vector<BodyPoint> points_;
  std::vector<OwnRow> rows_;  // of the edges
};

}  // namespace

std::string ObstacleOfFlexes(const mjModel* m) {
  for (int f = 0; f < m->nflex; ++f) {
    const auto refuse = [&](const char* what) { return NameOf(m, mjOBJ_FLEX, f) + what; };
    if (m->flex_rigid[f]) continue;
    if (m->flex_interp[f] != 0 || !Stretches(m, f)) continue;
    const int* body = m->flex_vertbodyid + m->flex_vertadr[f];
    if (std::all_of(body, body + m->flex_vertnum[f], [m](int b) { return TakesStretchAsItIs(m, b); })) continue;
    return refuse(" stretches between bodies that slide, and not along x, y and z");
  }
  return {};
}

void AddFlexColumns(const mjModel* m, mjData* d, const ResidualPoint& at, ResidualColumns& out) {
  if (m->nflex == 0 || PassiveDisabled(m)) return;
  AddPassiveContacts(m, d, at.a, out.force);
  for (int f = 0; f < m->nflex; ++f) {
    if (!m->flex_rigid[f] && m->flex_interp[f] == 0) FlexOfVertices(m, d, f, at, out).Add();
    if (HasElasticCells(m, f)) AddCellColumns(m, d, f, PassiveLoad(m, f), out.force);
  }
}

}  // namespace sinew::inline derivatives
