// The values of flex_edgeequality: the kind of the first constraint that names a flex, 0 without one; and what it and
// the forces of edges ask for.
#ifndef SINEW_MODEL_KINDS_FLEX_EQUALITY_H_
#define SINEW_MODEL_KINDS_FLEX_EQUALITY_H_

#include <mujoco/mujoco.h>

namespace sinew::inline model {
namespace flex_equality {

inline constexpr int kEdges = 1;     // the lengths of edges
inline constexpr int kVertices = 2;  // the strains about vertices (kinematics/flex_strain.h)
inline constexpr int kCells = 3;     // the modes of strain of cells, in place of their elasticity

}  // namespace flex_equality

// Strains about vertices are those of shells. As in MuJoCo 3.8.0, their constraint on another flex has no rows.
inline bool HasVertexStrains(const mjModel* m, int flex) {
  return m->flex_edgeequality[flex] == flex_equality::kVertices && m->flex_dim[flex] == 2;
}

// Whether forces or constraints read the Jacobian of edges, flexedge_J.
inline bool UsesEdges(const mjModel* m, int flex) {
  return m->flex_edgeequality[flex] == flex_equality::kEdges || m->flex_edgestiffness[flex] != 0 ||
         m->flex_edgedamping[flex] != 0 || m->flex_damping[flex] != 0;
}

}  // namespace sinew::inline model

#endif  // SINEW_MODEL_KINDS_FLEX_EQUALITY_H_
