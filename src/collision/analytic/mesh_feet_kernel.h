// Vertices of a mesh that complete the polygon on which it stands (mesh_feet.h), W at a time.
#ifndef SINEW_COLLISION_ANALYTIC_MESH_FEET_KERNEL_H_
#define SINEW_COLLISION_ANALYTIC_MESH_FEET_KERNEL_H_

#include "collision/analytic/mesh_feet.h"
#include "collision/analytic/touching_vertices_kernel.h"

namespace sinew::inline collision {
inline namespace SINEW_ISA {

// The distance that a vertex may lie outside of the polygon, over half the width of the touching vertices, or over the
// bounding radius; the larger one counts. For a regular polygon of 16 corners, 8 of them suffice.
inline constexpr double kUncovered = 0.1, kOfRadius = 0.01;

template <int W>
int FindFurtherFeet(const FeetTask& task, int* vertices) {
  const PlaneUnderMesh plane = {LoadVec3(task.down), LoadVec3(task.first), LoadVec3(task.second), task.centre};
  Foot first[kMaxFirstFeet];  // the lowest one before the others
  for (int i = 0; i < task.count; ++i) first[i] = plane.At(LoadVec3(task.foot[i]));
  TouchingVertices<W> touching(task.blocks, plane, task.margin, first[0], task.room);
  if (touching.count() <= task.count) return 0;  // all are feet
  SupportPolygon<W> polygon(first, task.count);
  const double tolerance = Max(0.5 * kUncovered * Sqrt(touching.SquareOfWidth()), kOfRadius * task.radius);
  int found = 0;
  while (task.count + found < kMaxFeet) {
    const auto farthest = touching.TakeFarthest(polygon, tolerance * tolerance);
    if (farthest.id < 0) break;
    vertices[found++] = farthest.id;
    polygon.Add(farthest.foot);
  }
  return found;
}

}  // namespace SINEW_ISA
}  // namespace sinew::inline collision

#endif  // SINEW_COLLISION_ANALYTIC_MESH_FEET_KERNEL_H_
