// Contacts of a pair that land: what they are, and their law (docs/how/speculative.md).
#ifndef SINEW_COLLISION_SPECULATIVE_LANDING_H_
#define SINEW_COLLISION_SPECULATIVE_LANDING_H_

#include <mujoco/mujoco.h>

#include "collision/geom.h"
#include "collision/item.h"
#include "collision/speculative/motion.h"

namespace sinew::inline collision {

// Contacts that push and would go so deep before they stop that a geom gets out of the other on the wrong side land,
// too; on planes and height fields, which have one side, those of fast geoms. Contacts whose stiffness is given are
// left as they are.
void LandTouchingContacts(const mjModel* m, mjData* d, const StepMotions& motions);

// The contacts of a pair that is apart, or of which other points are, which are appended to those of the world: the
// solver takes as much of the approach in this step as lets the surfaces meet at its end. A contact whose own law has
// damping and no stiffness, which bounces, keeps that.
class Landings {
 public:
  Landings(const mjModel* m, mjData* d, const StepMotions& motions, const ItemPair& pair);

  const GeomMotion& first() const { return first_; }
  const GeomMotion& second() const { return second_; }
  // Distance at which the pair begins to push.
  double margin() const { return margin_; }

  // A place where they may meet: points of both surfaces at a part of the step, the normal from the first geom to the
  // second.
  void AddPoint(double part, const Vec3<double>& on_first, const Vec3<double>& on_second, const Vec3<double>& normal);
  void AddPoint(double part, const ContactPoint<double>& point) {
    const Vec3<double> half = point.normal * (0.5 * point.dist);
    AddPoint(part, point.pos - half, point.pos + half, point.normal);
  }

  // The geoms touch, and have contacts that land.
  void SetLanding() { lands_ = true; }

  // Appends contacts for the places if the step brings any of them together faster than contacts can stop it.
  void Finish();

 private:
  double ClosingAt(const Vec3<double>& pos, const Vec3<double>& normal) const;
  Vec3<double> AtStart(double part, const Vec3<double>& pos) const;

  static constexpr int kMost = 16;
  struct Landing {
    Vec3<double> pos, normal;
    double gap;
  };

  const mjModel* m_;
  mjData* d_;
  const StepMotions& motions_;
  const ItemPair& pair_;
  GeomMotion first_, second_;
  double margin_, slow_;
  bool lands_ = false;
  Landing landing_[kMost];
  int count_ = 0;
};

}  // namespace sinew::inline collision

#endif  // SINEW_COLLISION_SPECULATIVE_LANDING_H_
