// Bodies of geoms of all kinds, thrown together at random.
#ifndef SINEW_TESTS_UNIT_COLLISION_HEAP_H_
#define SINEW_TESTS_UNIT_COLLISION_HEAP_H_

#include <random>
#include <sstream>
#include <string>

namespace sinew {

struct HeapSpec {
  unsigned seed;
  int bodies;
  double across;           // |x|, |y| [m]
  double lowest, highest;  // z [m]
};

// MJCF of the bodies: body i has geoms(i) geoms, with further attributes(i, k) of the k-th.
template <class Geoms, class Attributes>
std::string HeapOfBodies(const HeapSpec& heap, const Geoms& geoms, const Attributes& attributes) {
  std::mt19937 random(heap.seed);
  std::uniform_real_distribution<double> across(-heap.across, heap.across), up(heap.lowest, heap.highest),
      angle(0, 360);
  const char* shapes[] = {"type='sphere' size='.06'", "type='capsule' size='.03 .08'", "type='box' size='.04 .05 .06'",
                          "type='ellipsoid' size='.04 .05 .08'", "type='cylinder' size='.04 .06'"};
  std::ostringstream text;
  for (int i = 0; i < heap.bodies; ++i) {
    text << "<body pos='" << across(random) << " " << across(random) << " " << up(random) << "' euler='"
         << angle(random) << " " << angle(random) << " " << angle(random) << "'><freejoint/>";
    for (int k = 0; k < geoms(i); ++k) {
      text << "<geom " << shapes[(i + 2 * k) % 5] << " pos='" << .1 * k << " 0 0' " << attributes(i, k) << "/>";
    }
    text << "</body>";
  }
  return text.str();
}

}  // namespace sinew

#endif  // SINEW_TESTS_UNIT_COLLISION_HEAP_H_
