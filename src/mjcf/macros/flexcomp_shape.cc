// Points and elements of the patterns of flexcomp: chains, grids, discs and blocks that are projected to cylinders and
// ellipsoids. The order of points and elements is that of MuJoCo 3.8.0, measured on its models, because pins and
// textures refer to it.
#include "mjcf/macros/flexcomp_shape.h"

#include <algorithm>
#include <cmath>
#include <map>

#include "simd/functions.h"

namespace sinew::mjcf {
namespace {

// The corners of a cube go around its lower face, then in the same order around the upper one.
constexpr int kCorners[8][3] = {{0, 0, 0}, {1, 0, 0}, {1, 1, 0}, {0, 1, 0}, {0, 0, 1}, {1, 0, 1}, {1, 1, 1}, {0, 1, 1}};
// Six tetrahedra about the diagonal from corner 1 to corner 7; neighboring cubes agree on the diagonals of their faces.
constexpr int kTetrahedra[6][4] = {{0, 3, 1, 7}, {0, 1, 4, 7}, {1, 3, 2, 7}, {1, 2, 6, 7}, {1, 5, 4, 7}, {1, 6, 5, 7}};

// A block of points about the origin; spacings are in metres.
struct Lattice {
  const int* count;
  const double* spacing;

  // Position about the origin.
  Vec3<double> Point(int x, int y, int z) const {
    return {spacing[0] * (x - 0.5 * (count[0] - 1)), spacing[1] * (y - 0.5 * (count[1] - 1)),
            spacing[2] * (z - 0.5 * (count[2] - 1))};
  }
  double HalfSize(int axis) const { return 0.5 * spacing[axis] * (count[axis] - 1); }
  int Index(int x, int y, int z) const { return (x * count[1] + y) * count[2] + z; }

  // Texture lies along two axes, of which a point is the i-th and j-th.
  void AddTexture(int u, int i, int v, int j, FlexcompShape& shape) const {
    shape.texcoord.push_back(static_cast<float>(i) / static_cast<float>(count[u] - 1));
    shape.texcoord.push_back(static_cast<float>(j) / static_cast<float>(count[v] - 1));
  }
};

// Segments run along the first axis.
void AddSegments(const Lattice& lattice, FlexcompShape& shape) {
  for (int x = 0; x + 1 < lattice.count[0]; ++x) shape.elements.insert(shape.elements.end(), {x, x + 1});
}

// Each square is cut along the diagonal from its corner (0, 0) to (1, 1).
void AddTriangles(const Lattice& lattice, FlexcompShape& shape) {
  for (int x = 0; x + 1 < lattice.count[0]; ++x) {
    for (int y = 0; y + 1 < lattice.count[1]; ++y) {
      const int a = lattice.Index(x, y, 0), b = lattice.Index(x + 1, y, 0);
      const int c = lattice.Index(x + 1, y + 1, 0), d = lattice.Index(x, y + 1, 0);
      shape.elements.insert(shape.elements.end(), {a, b, c, a, c, d});
    }
  }
}

// Each cube of eight points becomes six tetrahedra.
void AddTetrahedra(const Lattice& lattice, FlexcompShape& shape) {
  for (int x = 0; x + 1 < lattice.count[0]; ++x) {
    for (int y = 0; y + 1 < lattice.count[1]; ++y) {
      for (int z = 0; z + 1 < lattice.count[2]; ++z) {
        for (const auto& tetrahedron : kTetrahedra) {
          for (int corner : tetrahedron) {
            const int* c = kCorners[corner];
            shape.elements.push_back(lattice.Index(x + c[0], y + c[1], z + c[2]));
          }
        }
      }
    }
  }
}

// ---- discs

// Whether a square of a disc has its other diagonal: in quadrants where x and y differ in sign, so that diagonals run
// along circles.
bool IsFlipped(const Lattice& lattice, int x, int y) {
  return (x < 0.5 * (lattice.count[0] - 1)) != (y < 0.5 * (lattice.count[1] - 1));
}

// The length of the result is a product of two lengths, by convention of the documents' discs.
Vec3<double> ToDisc(const Lattice& lattice, const Vec3<double>& p) {
  const double norm = std::sqrt(p.x * p.x + p.y * p.y);
  if (norm < kMinVal) return {0, 0, p.z};
  const double reach = std::max(std::fabs(p.x), std::fabs(p.y));
  return {reach * lattice.HalfSize(0) * (p.x / norm), reach * lattice.HalfSize(1) * (p.y / norm), p.z};
}

// ---- solids

// A face of the block: the axis that is constant and its side, the two others, and the triangles of each of its squares
// over the corners a (0, 0), b (1, 0), c (1, 1), d (0, 1) of the two others. Tetrahedra over them turn when they are
// compiled.
struct Face {
  int axis, side, u, v;
  const char* triangles[2];
};
constexpr Face kShell[] = {{2, 0, 0, 1, {"acb", "adc"}},
                           {1, 0, 0, 2, {"abc", "acd"}},
                           {1, 1, 0, 2, {"bad", "bdc"}},
                           {0, 0, 1, 2, {"bad", "bdc"}},
                           {0, 1, 1, 2, {"abc", "acd"}}};
constexpr Face kBall[] = {{2, 0, 0, 1, {"abc", "adc"}}, {2, 1, 0, 1, {"abc", "adc"}}, {1, 0, 0, 2, {"abc", "adc"}},
                          {1, 1, 0, 2, {"abc", "adc"}}, {0, 0, 1, 2, {"abc", "adc"}}, {0, 1, 1, 2, {"abc", "adc"}}};

// The point of the squeezed block: it keeps its direction, in units of the half sizes, and its largest coordinate
// becomes its distance from the axis or the centre.
Vec3<double> SqueezedPoint(SolidShape solid, const Lattice& lattice, const int (&at)[3]) {
  const int axes = solid == SolidShape::kBox ? 0 : solid == SolidShape::kCylinder ? 2 : 3;
  double u[3] = {0, 0, 0};  // from -1 to 1
  for (int i = 0; i < 3; ++i) {
    if (lattice.count[i] > 1) u[i] = 2.0 * at[i] / (lattice.count[i] - 1) - 1;
  }
  double square = 0, reach = 0;
  for (int i = 0; i < axes; ++i) {
    square += u[i] * u[i];
    reach = std::max(reach, std::fabs(u[i]));
  }
  Vec3<double> p;
  for (int i = 0; i < 3; ++i) {
    const bool squeezed = i < axes && square >= kMinVal;
    p[i] = squeezed ? reach * lattice.HalfSize(i) * (u[i] / std::sqrt(square)) : u[i] * lattice.HalfSize(i);
  }
  return p;
}

// Collects points face by face. In dimension 3 point 0 is the centre, and every triangle of the surface makes a
// tetrahedron with it.
class SolidMaker {
 public:
  SolidMaker(SolidShape solid, int dim, const Lattice& lattice) : solid_(solid), dim_(dim), lattice_(lattice) {
    if (dim != 3) return;
    shape_.points.push_back({0, 0, 0});
    shape_.texcoord.assign(2, 0);
  }

  // All points of a face come before its triangles; those that an earlier face has are not repeated.
  void AddPoints(const Face& face) {
    for (int i = 0; i < lattice_.count[face.u]; ++i) {
      for (int j = 0; j < lattice_.count[face.v]; ++j) Id(face, i, j);
    }
  }

  void AddTriangles(const Face& face) {
    for (int i = 0; i + 1 < lattice_.count[face.u]; ++i) {
      for (int j = 0; j + 1 < lattice_.count[face.v]; ++j) {
        const int corners[] = {Id(face, i, j), Id(face, i + 1, j), Id(face, i + 1, j + 1), Id(face, i, j + 1)};
        for (const char* triangle : face.triangles) {
          if (dim_ == 3) shape_.elements.push_back(0);
          for (int k = 0; k < 3; ++k) shape_.elements.push_back(corners[triangle[k] - 'a']);
        }
      }
    }
  }

  FlexcompShape Take() { return std::move(shape_); }

 private:
  // Returns the number of the point at place (i, j) of a face, and makes the point where no other face has it yet.
  int Id(const Face& face, int i, int j) {
    int at[3];
    at[face.axis] = face.side * (lattice_.count[face.axis] - 1);
    at[face.u] = i;
    at[face.v] = j;
    const auto [found, is_new] =
        ids_.try_emplace(lattice_.Index(at[0], at[1], at[2]), static_cast<int>(shape_.points.size()));
    if (is_new) {
      shape_.points.push_back(SqueezedPoint(solid_, lattice_, at));
      lattice_.AddTexture(face.u, i, face.v, j, shape_);
    }
    return found->second;
  }

  SolidShape solid_;
  int dim_;
  Lattice lattice_;
  std::map<int, int> ids_;  // of lattice points
  FlexcompShape shape_;
};

}  // namespace

// Points are numbered with the last coordinate running fastest.
FlexcompShape MakeGrid(int dim, const int count[3], const double spacing[3]) {
  FlexcompShape shape;
  const Lattice lattice = {count, spacing};
  for (int x = 0; x < count[0]; ++x) {
    for (int y = 0; y < count[1]; ++y) {
      for (int z = 0; z < count[2]; ++z) {
        shape.points.push_back(lattice.Point(x, y, z));
        if (dim > 1) lattice.AddTexture(0, x, 1, y, shape);
      }
    }
  }
  if (dim == 1) AddSegments(lattice, shape);
  if (dim == 2) AddTriangles(lattice, shape);
  if (dim == 3) AddTetrahedra(lattice, shape);
  return shape;
}

// The last point is joined to the first; the radius follows from the length of a chord.
FlexcompShape MakeCircle(int count, double spacing) {
  FlexcompShape shape;
  const int points = count - 1;
  const double angle = 2 * kPi / points, radius = spacing / (2 * Sin(angle / 2));
  for (int i = 0; i < points; ++i) {
    shape.points.push_back({radius * Cos(angle * i), radius * Sin(angle * i), 0});
    shape.elements.insert(shape.elements.end(), {i, (i + 1) % points});
  }
  return shape;
}

FlexcompShape MakeDisc(const int count[3], const double spacing[3]) {
  const Lattice lattice = {count, spacing};
  FlexcompShape shape = MakeGrid(2, count, spacing);
  for (Vec3<double>& point : shape.points) point = ToDisc(lattice, point);
  // Squares come in the order of the grid, two triangles (a, b, c), (a, c, d) each.
  size_t square = 0;
  for (int x = 0; x + 1 < count[0]; ++x) {
    for (int y = 0; y + 1 < count[1]; ++y, square += 6) {
      if (!IsFlipped(lattice, x, y)) continue;
      int* e = shape.elements.data() + square;
      const int a = e[0], b = e[1], c = e[2], d = e[5];
      const int flipped[6] = {a, b, d, b, c, d};
      std::copy_n(flipped, 6, e);
    }
  }
  return shape;
}

// The dimension decides between a surface that is open at the top and a solid about its centre.
FlexcompShape MakeSolid(SolidShape solid, int dim, const int count[3], const double spacing[3]) {
  SolidMaker maker(solid, dim, {count, spacing});
  const auto add = [&](const auto& faces) {
    for (const Face& face : faces) maker.AddPoints(face);
    for (const Face& face : faces) maker.AddTriangles(face);
  };
  if (dim == 3) {
    add(kBall);
  } else {
    add(kShell);
  }
  return maker.Take();
}

}  // namespace sinew::mjcf
