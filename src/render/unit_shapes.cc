// Makes triangles of shapes of size one, which instances scale: the sphere about the origin, tubes and
// cones along z, boxes from -1 to 1. Angles of u go round z; the numbers of pieces are those of the model's
// visual/quality.
#include "render/unit_shapes.h"

#include <algorithm>
#include <cmath>
#include <numbers>

namespace sinew::inline render {
namespace {

// Point is a point of a surface and its outward unit normal.
struct Point {
  float p[3], n[3];
};

Point At(double x, double y, double z, double nx, double ny, double nz) {
  return {{static_cast<float>(x), static_cast<float>(y), static_cast<float>(z)},
          {static_cast<float>(nx), static_cast<float>(ny), static_cast<float>(nz)}};
}

// A surface over a grid of parameters, u to the right and v upwards seen from outside. Each cell is cut from its upper
// left to its lower right corner, as MuJoCo 3.8.0 shows by light at single vertices. Triangles without area, where a
// row is a single point, are left out.
template <class Surface>
void AddGrid(int columns, int rows, Surface surface, TriangleList& list) {
  const auto add = [&](const Point& a, const Point& b, const Point& c) {
    const float* const corners[3] = {a.p, b.p, c.p};
    const float* const normals[3] = {a.n, b.n, c.n};
    const auto same = [](const Point& s, const Point& t) {
      return std::abs(s.p[0] - t.p[0]) + std::abs(s.p[1] - t.p[1]) + std::abs(s.p[2] - t.p[2]) < 1e-6f;
    };
    if (!same(a, b) && !same(b, c) && !same(c, a)) list.Add(corners, normals, nullptr);
  };
  const auto at = [&](int i, int k) { return surface(double(i) / columns, double(k) / rows); };
  for (int k = 0; k < rows; ++k) {
    for (int i = 0; i < columns; ++i) {
      add(at(i, k), at(i + 1, k), at(i, k + 1));
      add(at(i + 1, k + 1), at(i, k + 1), at(i + 1, k));
    }
  }
}

constexpr double kTurn = 2 * std::numbers::pi;

int Slices(Divisions divisions) { return std::max(divisions.slices, 3); }

// Latitudes from `south`, in quarter turns, to the pole.
TriangleList Ball(Divisions divisions, int stacks, double south) {
  TriangleList list;
  AddGrid(
      Slices(divisions), stacks,
      [&](double u, double v) {
        const double latitude = (south + (1 - south) * v) * kTurn / 4, c = std::cos(latitude);
        const double x = c * std::cos(u * kTurn), y = c * std::sin(u * kTurn), z = std::sin(latitude);
        return At(x, y, z, x, y, z);
      },
      list);
  return list;
}

}  // namespace

TriangleList UnitSphere(Divisions divisions) { return Ball(divisions, std::max(divisions.stacks, 2), -1); }
TriangleList UnitCap(Divisions divisions) { return Ball(divisions, divisions.HalfStacks(), 0); }

// The tube has no ends: a cylinder closes it by disks, a capsule by caps.
TriangleList UnitTube(Divisions divisions) {
  TriangleList list;
  AddGrid(
      Slices(divisions), std::max(divisions.stacks, 1),
      [](double u, double v) {
        const double x = std::cos(u * kTurn), y = std::sin(u * kTurn);
        return At(x, y, 2 * v - 1, x, y, 0);
      },
      list);
  return list;
}

TriangleList UnitDisk(Divisions divisions) {
  TriangleList list;
  AddGrid(
      Slices(divisions), divisions.HalfStacks(),
      [](double u, double v) { return At((1 - v) * std::cos(u * kTurn), (1 - v) * std::sin(u * kTurn), 0, 0, 0, 1); },
      list);
  return list;
}

// Makes the mantle from a circle of radius one at z = 0 to the tip at z = 1. Its normals rise by 45 degrees.
TriangleList UnitCone(Divisions divisions) {
  TriangleList list;
  AddGrid(
      Slices(divisions), std::max(divisions.stacks, 1),
      [](double u, double v) {
        const double c = std::cos(u * kTurn), s = std::sin(u * kTurn), slope = std::sqrt(0.5);
        return At((1 - v) * c, (1 - v) * s, v, slope * c, slope * s, slope);
      },
      list);
  return list;
}

TriangleList UnitBox(Divisions divisions) {
  TriangleList list;
  for (int axis = 0; axis < 3; ++axis) {
    for (const int side : {-1, 1}) {
      AddGrid(
          std::max(divisions.quads, 1), std::max(divisions.quads, 1),
          [&](double u, double v) {
            // On the sides v goes up along z; on top and bottom, along y. The sign turns u to the right.
            const int right = axis == 0 ? 1 : 0, up = axis == 2 ? 1 : 2, sign = axis == 1 ? -side : side;
            double p[3], n[3] = {0, 0, 0};
            p[axis] = n[axis] = side;
            p[right] = sign * (2 * u - 1);
            p[up] = 2 * v - 1;
            return At(p[0], p[1], p[2], n[0], n[1], n[2]);
          },
          list);
    }
  }
  return list;
}

TriangleList UnitPlane(Divisions divisions) {
  TriangleList list;
  AddGrid(
      std::max(divisions.quads, 1), std::max(divisions.quads, 1),
      [](double u, double v) { return At(2 * u - 1, 2 * v - 1, 0, 0, 0, 1); }, list);
  return list;
}

TriangleList PlaneGrid() {
  constexpr int kReach = mjMAXPLANEGRID / 2;
  TriangleList list;
  const auto cell = [&](int x, int y) {
    AddGrid(
        1, 1, [&](double u, double v) { return At(x + u, y + v, 0, 0, 0, 1); }, list);
  };
  for (int r = 0; r < kReach; ++r) {  // the ring of cells between squares of half sizes r and r + 1
    for (int i = -r - 1; i <= r; ++i) {
      cell(i, -r - 1);
      cell(i, r);
    }
    for (int i = -r; i < r; ++i) {
      cell(-r - 1, i);
      cell(r, i);
    }
  }
  return list;
}

int VerticesOfPlaneGrid(int reach) {
  const int cells = 2 * std::clamp(reach, 1, mjMAXPLANEGRID / 2);
  return cells * cells * 6;
}

}  // namespace sinew::inline render
