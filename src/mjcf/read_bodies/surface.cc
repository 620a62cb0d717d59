// The surfaces of geoms and pairs: velocity and adhesion.
#include <algorithm>
#include <cmath>

#include "mjcf/read/sections.h"
#include "mjcf/write/write_sections.h"

namespace sinew::mjcf {
namespace {

constexpr int kVelocityNumbers = kSurfaceAdhesion - kSurfaceVelocity;

bool Same(double a, double b) { return a == b || (std::isnan(a) && std::isnan(b)); }

}  // namespace

// Of a velocity, numbers that are left out are zero.
void ReadSurface(ElementReader& reader, SurfaceValues* values) {
  if (const auto velocity = reader.Reals("surfacevel")) {
    std::fill_n(values->begin() + kSurfaceVelocity, kVelocityNumbers, 0.0);
    std::copy(velocity->begin(), velocity->end(), values->begin() + kSurfaceVelocity);
  }
  (*values)[kSurfaceAdhesion] = reader.Real("adhesion", (*values)[kSurfaceAdhesion]);
}

void WriteSurface(const SurfaceValues& values, const SurfaceValues& base, ElementWriter& writer) {
  const double *velocity = values.data() + kSurfaceVelocity, *of_class = base.data() + kSurfaceVelocity;
  if (!std::equal(velocity, velocity + kVelocityNumbers, of_class, Same)) {
    writer.Reals("surfacevel", {velocity, kVelocityNumbers});
  }
  WriteAdhesion(values[kSurfaceAdhesion], base[kSurfaceAdhesion], writer);
}

void WriteAdhesion(double adhesion, double base, ElementWriter& writer) {
  if (!Same(adhesion, base)) writer.Real("adhesion", adhesion);
}

}  // namespace sinew::mjcf
