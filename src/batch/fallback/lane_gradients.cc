#include "batch/fallback/lane_gradients.h"

#include <algorithm>

#include "collision/pairs.h"
#include "core/error.h"
#include "derivatives/contact_geometry/contact_geometry.h"
#include "derivatives/terms/actuator_law.h"
#include "force/fiber_kernel.h"

namespace sinew::inline batch {
namespace {

static_assert(ActuatorNumbers::kMostActivations == kMostActivations);

// Writes the numbers of one lane, one after the other.
class LaneWriter {
 public:
  LaneWriter(double* numbers, int lane, int width) : next_(numbers + lane), width_(width) {}
  void Add(double x) {
    *next_ = x;
    next_ += width_;
  }
  void Add(const Vec3<double>& v) {
    for (int k = 0; k < 3; ++k) Add(v[k]);
  }

 private:
  double* next_;
  int width_;
};

}  // namespace

void FindActuatorSlopes(const LaneWorlds& worlds, int lane, double* numbers) {
  const ModelView<double> m(&worlds.Model(lane));
  const DataView<double> d(worlds.World(lane));
  LaneWriter out(numbers, lane, worlds.width());
  const std::vector<ForceShare> shares = SharesOfSlopes(m, d);
  for (int i = 0; i < m.nu(); ++i) {
    ForceSlopes slopes;
    if (!ActuatorDisabled(m, i)) slopes = SlopesOfForce(m, d, i, shares[Size(i)].along);
    const ScalarForce& along = slopes.along;
    for (const double x : {along.f_length, along.f_velocity, slopes.f_control}) out.Add(x);
    for (const double x : slopes.f_act) out.Add(x);
    for (const double x : {along.g, along.g_length, along.g_velocity, slopes.g_control + slopes.g_plain}) out.Add(x);
    for (const double x : slopes.g_act) out.Add(x);
  }
}

bool DifferentiateContact(const LaneWorlds& worlds, int lane, const LaneContact& place, double* numbers) {
  const mjModel& m = worlds.Model(lane);
  mjData* d = worlds.World(lane);
  const int width = worlds.width();
  mjContact contact = *place.parameters;
  const double* geometry = place.geometry + lane;
  const auto take = [&](int first, int count, double* to) {
    for (int k = 0; k < count; ++k) to[k] = geometry[(first + k) * width];
  };
  take(LaneContact::kDistance, 1, &contact.dist);
  take(LaneContact::kPoint, 3, contact.pos);
  take(LaneContact::kFrame, 9, contact.frame);
  if (KindOfPair(m.geom_type[contact.geom[0]], m.geom_type[contact.geom[1]]) != PairKind::kFormula) return false;
  LaneWriter out(numbers, lane, width);
  try {
    const ContactSides sides = PairGeometry(&m, d).DifferentiateSides(contact);
    for (const SideShifts& side : sides.side) {
      for (const ContactShift& shift : side.by) {
        out.Add(shift.dist);
        out.Add(shift.pos);
        out.Add(shift.turn);
      }
    }
  } catch (const Error&) {
    return false;  // which is raised again where the world is differentiated alone
  }
  return true;
}

}  // namespace sinew::inline batch
