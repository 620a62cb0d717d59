// How the geometry of a contact changes when its geoms move.
#ifndef SINEW_GRADIENT_CONTACT_GEOMETRY_H_
#define SINEW_GRADIENT_CONTACT_GEOMETRY_H_

#include <mujoco/mujoco.h>

#include "math/spatial.h"

namespace sinew {

// For each component of a geom's motion about the contact point (rotation, then translation, in world axes): changes of
// the distance and of the point, and the rotation of the frame.
struct ContactSide {
  Spatial<double> dist;
  Vec3<double> pos[6], turn[6];

  double Dist(const Spatial<double>& s) const { return Dot(dist, s); }
  static Vec3<double> Sum(const Vec3<double> (&columns)[6], const Spatial<double>& s) {
    Vec3<double> sum = Zero3<double>();
    for (int k = 0; k < 6; ++k) sum += columns[k] * s[k];
    return sum;
  }
};

// The contacts of a pair of geoms, by central differences of the function that finds them over a millionth of a metre
// and of a radian: relative errors are 1e-9 and less. False where a contact of the pair comes or goes on both sides.
class PairGeometry {
 public:
  // Geoms are moved in the world and put back.
  PairGeometry(const mjModel* m, mjData* d) : m_(m), d_(d) {}

  // `side`: 0 or 1, the geom that moves.
  bool Differentiate(const mjContact& contact, int side, ContactSide& out);

 private:
  // The contact of the pair that is nearest to `contact`, after the motion; false without any nearby.
  bool After(const mjContact& contact, int geom, int component, double step, mjContact& found);

  const mjModel* m_;
  mjData* d_;
  mjContact scratch_[mjMAXCONPAIR];
};

}  // namespace sinew

#endif  // SINEW_GRADIENT_CONTACT_GEOMETRY_H_
