// Strain of a shell about its vertices, for constraints that keep it at zero. Over the edges e at a vertex, with rest
// vectors X_e in the plane of the shell, current vectors x_e, and the masses w_e at their other ends,
//
//     F = (sum_e w_e x_e X_e') B,   B = (sum_e w_e X_e X_e')^-1,   C = F' F
//
// fit the deformation gradient F (3 x 2) to the edges. C is the identity where nothing is strained: the two strains of
// a vertex of mass m are  sqrt(m) (tr C - 2)  and  sqrt(m) (det C - 1).
#ifndef SINEW_KINEMATICS_FLEX_STRAIN_H_
#define SINEW_KINEMATICS_FLEX_STRAIN_H_

#include <mujoco/mujoco.h>

#include "math/vec3.h"

namespace sinew::inline kinematics {

// A vector in the plane of the shell.
struct PlanarVector {
  mjtNum x, y;
};

// An edge at a vertex: its other end with the mass there, its vector now and at rest.
struct Spoke {
  int vertex;
  mjtNum mass;
  Vec3<mjtNum> now;
  PlanarVector rest;
};

// The columns of F.
struct StarGradient {
  Vec3<mjtNum> f, g;

  Vec3<mjtNum> Times(const PlanarVector& y) const { return f * y.x + g * y.y; }
};

// A vertex of a flex (a row of flexvert_xpos) with its edges.
class Star {
 public:
  Star(const mjModel* m, const mjData* d, int flex, int center) : m_(m), d_(d), flex_(flex), center_(center) {}

  int count() const { return m_->flex_vertedgenum[center_]; }
  Spoke At(int i) const;
  StarGradient Deformation() const;
  StarGradient TimesMetric(const StarGradient& G) const;  // G B
  PlanarVector WeightOf(const Spoke& spoke) const;        // w B X: F is the sum of the spokes' x (w B X)'
  mjtNum Scale() const;                                   // root of the vertex' mass
  Vec3<mjtNum> Position(int vertex) const;

 private:
  const mjModel* m_;
  const mjData* d_;
  int flex_, center_;
};

// flexvert_length and flexvert_J of a flex.
void MeasureStrains(const mjModel* m, mjData* d, int flex);

}  // namespace sinew::inline kinematics

#endif  // SINEW_KINEMATICS_FLEX_STRAIN_H_
