// Plugins whose shapes are signed distance fields with numbers as attributes.
//
// A shape is a class with
//   kName, kAttributes, kDefaults          its name, those of its attributes, and their values where none are given
//   Complaint(a)                           what is wrong with attributes, or null
//   Distance(p, a), Gradient(p, a)         at a point of the geom's frame
//   Half(a)                                half sizes of a box about the origin that holds the surface
#ifndef SINEW_PLUGIN_FIRST_PARTY_SDF_SHAPE_H_
#define SINEW_PLUGIN_FIRST_PARTY_SDF_SHAPE_H_

#include <mujoco/mujoco.h>

#include <algorithm>
#include <array>
#include <iterator>

#include "math/vec3.h"
#include "plugin/first_party/config.h"
#include "plugin/first_party/instance.h"

namespace sinew::inline plugin {

// Shapes without a formula take forward differences, with the step of the plugins that are known by these names.
template <class Shape>
Vec3<double> DifferenceGradient(const Vec3<double>& p, const double* attributes) {
  constexpr double kStep = 1e-8;  // m
  const double here = Shape::Distance(p, attributes);
  Vec3<double> gradient;
  for (int k = 0; k < 3; ++k) {
    Vec3<double> ahead = p;
    ahead[k] += kStep;
    gradient[k] = (Shape::Distance(ahead, attributes) - here) / kStep;
  }
  return gradient;
}

template <class Shape>
class ShapePlugin {
 public:
  static mjpPlugin Make() {
    mjpPlugin plugin = PluginOf<MakeAttributes>(Shape::kName, Shape::kAttributes, mjPLUGIN_SDF);
    plugin.compute = [](const mjModel*, mjData*, int, int) {};
    plugin.sdf_distance = [](const mjtNum p[3], const mjData* d, int instance) {
      return Shape::Distance(LoadVec3(p), AttributesOf(d, instance));
    };
    plugin.sdf_gradient = [](mjtNum gradient[3], const mjtNum p[3], const mjData* d, int instance) {
      StoreVec3(Shape::Gradient(LoadVec3(p), AttributesOf(d, instance)), gradient);
    };
    plugin.sdf_staticdistance = [](const mjtNum p[3], const mjtNum* a) { return Shape::Distance(LoadVec3(p), a); };
    plugin.sdf_attribute = ReadAll;
    plugin.sdf_aabb = [](mjtNum box[6], const mjtNum* a) {
      std::fill_n(box, 3, 0.0);
      StoreVec3(Shape::Half(a), box + 3);
    };
    return plugin;
  }

 private:
  static constexpr int kCount = static_cast<int>(std::size(Shape::kAttributes));
  using Attributes = std::array<double, std::size(Shape::kAttributes)>;

  static const double* AttributesOf(const mjData* d, int instance) {
    return InstanceOf<Attributes>(d, instance).data();
  }

  // Returns what is wrong with the texts, or null.
  static const char* Read(const char* const texts[], double* a) {
    for (int i = 0; i < kCount; ++i) {
      a[i] = Shape::kDefaults[i];
      if (texts[i] && *texts[i] && ReadNumbers(texts[i], a + i, 1) != 1)
        return "the value of an attribute is no number";
    }
    return Shape::Complaint(a);
  }

  static void ReadAll(mjtNum a[], const char*[], const char* texts[]) {
    if (const char* complaint = Read(texts, a)) mju_error("%s: %s", Shape::kName, complaint);
  }

  static Attributes* MakeAttributes(const mjModel* m, int instance) {
    const char* texts[kCount];
    for (int i = 0; i < kCount; ++i) texts[i] = mj_getPluginConfig(m, instance, Shape::kAttributes[i]);
    Attributes attributes;
    if (const char* complaint = Read(texts, attributes.data())) {
      mju_warning("%s: %s", Shape::kName, complaint);
      return nullptr;
    }
    return new Attributes(attributes);
  }
};

}  // namespace sinew::inline plugin

#endif  // SINEW_PLUGIN_FIRST_PARTY_SDF_SHAPE_H_
