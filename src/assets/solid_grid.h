// A shape as cells of a regular grid.
#ifndef SINEW_ASSETS_SOLID_GRID_H_
#define SINEW_ASSETS_SOLID_GRID_H_

#include <vector>

#include "assets/mesh_data.h"
#include "math/vec3.h"

namespace sinew::inline assets {

// A block of cells: from `low` up to, without, `high`.
struct CellBlock {
  int low[3], high[3];

  int Extent(int axis) const { return high[axis] - low[axis]; }
};

class SolidGrid {
 public:
  // Cells that the surface of a mesh touches, and what they enclose. `resolution` cells along the longest side.
  SolidGrid(const std::vector<Vec3<double>>& vertices, const std::vector<int>& faces, int resolution);

  // All cells with the shape, and a cell around them.
  const CellBlock& whole() const { return whole_; }
  double cell() const { return cell_; }
  bool IsSolid(int x, int y, int z) const { return state_[Index(x, y, z)] != kOutside; }
  // Distance of the middles of a cell and of the nearest solid one.
  double DistanceOf(int x, int y, int z) const { return distance_[Index(x, y, z)]; }
  // The corner of a cell with the least coordinates.
  Vec3<double> Corner(int x, int y, int z) const {
    return origin_ + Vec3<double>{static_cast<double>(x), static_cast<double>(y), static_cast<double>(z)} * cell_;
  }
  Vec3<double> Centre(int x, int y, int z) const {
    const double half = 0.5 * cell_;
    return Corner(x, y, z) + Vec3<double>{half, half, half};
  }
  // The cells that a box in space meets.
  CellBlock BlockOf(const Vec3<double>& low, const Vec3<double>& high) const;

 private:
  enum State : char { kUnknown, kSurface, kOutside };

  size_t Index(int x, int y, int z) const {
    return (static_cast<size_t>(x) * static_cast<size_t>(size_[1]) + static_cast<size_t>(y)) *
               static_cast<size_t>(size_[2]) +
           static_cast<size_t>(z);
  }
  void MarkTriangle(const Vec3<double> (&corner)[3]);
  void FloodOutside();
  void FindDistances();

  Vec3<double> origin_;
  double cell_;
  int size_[3];
  CellBlock whole_;
  std::vector<State> state_;
  std::vector<float> distance_;
};

}  // namespace sinew::inline assets

#endif  // SINEW_ASSETS_SOLID_GRID_H_
