// How far geoms go in a step, from the velocities at its beginning (docs/how/speculative.md).
#ifndef SINEW_COLLISION_SPECULATIVE_MOTION_H_
#define SINEW_COLLISION_SPECULATIVE_MOTION_H_

#include <mujoco/mujoco.h>

#include <span>

#include "core/stack.h"
#include "math/spatial.h"
#include "math/vec3.h"

namespace sinew::inline collision {

// The motion of a geom in a step, in world axes.
struct GeomMotion {
  Vec3<double> shift;  // of its centre [m]
  Vec3<double> turn;   // about the centre, a rotation vector [rad]
  double radius;       // of the sphere around the geom [m]

  // No point of the geom goes farther.
  double Sweep() const { return Norm(shift) + Norm(turn) * radius; }
  // The most that any point of the geom advances along a unit vector.
  double AdvanceAlong(const Vec3<double>& n) const { return Dot(n, shift) + Norm(Cross(n, turn)) * radius; }
};

// Planes and height fields: they have no thickness, and nothing on their other side.
inline bool IsFlat(int type) { return type == mjGEOM_PLANE || type == mjGEOM_HFIELD; }

// The least half size of the box around a geom [m]; zero for planes and height fields.
double HalfThickness(const mjModel* m, int geom);

// Geoms and points in a step.
class StepMotions {
 public:
  // Needs cdof and qvel. The frame must outlive it; it is of no use when the frame is full.
  StepMotions(const mjModel* m, const mjData* d, StackFrame& frame);

  // Geoms that may collide and of which a point may go farther than kFast of their half thickness.
  std::span<const int> fast() const { return {fast_, static_cast<size_t>(count_)}; }
  bool IsFast(int geom) const;

  GeomMotion Of(int geom) const;
  // No point of the geom goes farther; zero for planes and height fields.
  double SweepOf(int geom) const;

  // Where a point of a geom's body goes.
  Vec3<double> ShiftOf(int geom, const Vec3<double>& point) const;

 private:
  static constexpr double kFast = 0.5;

  bool MayCollide(int geom) const;
  void AddFastOf(int body);

  const mjModel* m_;
  const mjData* d_;
  Spatial<double>* velocity_;  // by body
  int* fast_;
  int count_ = 0;
};

}  // namespace sinew::inline collision

#endif  // SINEW_COLLISION_SPECULATIVE_MOTION_H_
