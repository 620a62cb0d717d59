// Strains at the vertices of a shell and their Jacobian come from the edges around each vertex (formulas:
// kinematics/flex_strain.h).
#include "kinematics/flex_strain.h"

#include <algorithm>
#include <cmath>

#include "kinematics/jacobian.h"
#include "math/dense.h"
#include "math/rows.h"
#include "math/vec3.h"
#include "model/view/view_of.h"

namespace sinew::inline kinematics {
namespace {

using Vector = Vec3<mjtNum>;
using Gradient = StarGradient;

// The strains are functions of F alone; a spoke whose vector changes by dx changes F by w dx X'B, and so
//
//     d tr C  = 2 w (F B X) . dx          d det C = 2 w (F adj(C) B X) . dx
//
// The order of operations here and in Deformation gives the bits of MuJoCo 3.8.0.
void AddRows(const mjModel* m, mjData* d, const Star& star, int center, const Gradient& F, mjtNum scale) {
  const mjtNum ff = Dot(F.f, F.f), fg = Dot(F.f, F.g), gg = Dot(F.g, F.g);
  const Gradient slope[2] = {F, {F.f * gg - F.g * fg, F.g * ff - F.f * fg}};
  for (int i = 0; i < 2; ++i) {
    const int row = 2 * center + i, adr = m->flexvert_J_rowadr[row];
    const SparseRow J = {m->flexvert_J_rownnz[row], m->flexvert_J_colind + adr, d->flexvert_J + adr};
    std::fill_n(J.values, J.count, 0.0);
    const Gradient spread = star.TimesMetric(slope[i]);
    for (int k = 0; k < star.count(); ++k) {
      const Spoke spoke = star.At(k);
      const Vector pull = spread.Times(spoke.rest) * spoke.mass;
      AddPointRow(m, d, pull, star.Position(spoke.vertex), m->flex_vertbodyid[spoke.vertex], J);
      AddPointRow(m, d, -pull, star.Position(center), m->flex_vertbodyid[center], J);
    }
    Scale(J.values, J.values, 2 * scale, J.count);
  }
}

}  // namespace

Spoke Star::At(int i) const {
  const int first = m_->flex_vertadr[flex_];
  const int edge = m_->flex_edgeadr[flex_] + m_->flex_vertedge[m_->flex_vertedgeadr[center_] + i];
  const int* ends = m_->flex_edge + 2 * edge;
  const int other = first + (first + ends[0] == center_ ? ends[1] : ends[0]);

  // Rest coordinates are given in the box of the flex, from 0 to 1.
  const mjtNum *from = Row3(m_->flex_vert0, center_), *to = Row3(m_->flex_vert0, other);
  const mjtNum* half = Row3(m_->flex_size, flex_);
  const PlanarVector rest = {2 * half[0] * (to[0] - from[0]), 2 * half[1] * (to[1] - from[1])};
  const mjtNum mass = std::max(mjMINVAL, m_->body_mass[m_->flex_vertbodyid[other]]);
  return {other, mass, Position(other) - Position(center_), rest};
}

Gradient Star::TimesMetric(const Gradient& G) const {
  const mjtNum* B = m_->flex_vertmetric + 4 * center_;
  return {G.Times({B[0], B[2]}), G.Times({B[1], B[3]})};
}

PlanarVector Star::WeightOf(const Spoke& spoke) const {
  const mjtNum *B = m_->flex_vertmetric + 4 * center_, w = spoke.mass;
  const PlanarVector X = spoke.rest;
  return {w * (B[0] * X.x + B[1] * X.y), w * (B[2] * X.x + B[3] * X.y)};
}

Gradient Star::Deformation() const {
  Gradient sum = {{0, 0, 0}, {0, 0, 0}};
  for (int k = 0; k < count(); ++k) {
    const Spoke spoke = At(k);
    const Vector moment = spoke.now * spoke.mass;
    sum.f += moment * spoke.rest.x;
    sum.g += moment * spoke.rest.y;
  }
  return TimesMetric(sum);
}

mjtNum Star::Scale() const {
  const mjtNum mass = m_->body_mass[m_->flex_vertbodyid[center_]];
  return mass > mjMINVAL ? std::sqrt(mass) : 1;
}

Vec3<mjtNum> Star::Position(int vertex) const { return ViewOf(d_).flexvert_xpos(vertex); }

void MeasureStrains(const mjModel* m, mjData* d, int flex) {
  const int first = m->flex_vertadr[flex];
  for (int v = first; v < first + m->flex_vertnum[flex]; ++v) {
    const Star star(m, d, flex, v);
    const Gradient F = star.Deformation();
    const mjtNum ff = Dot(F.f, F.f), fg = Dot(F.f, F.g), gg = Dot(F.g, F.g), scale = star.Scale();
    d->flexvert_length[2 * v] = scale * (ff + gg - 2);
    d->flexvert_length[2 * v + 1] = scale * (ff * gg - fg * fg - 1);
    AddRows(m, d, star, v, F, scale);
  }
}

}  // namespace sinew::inline kinematics
