// Spheres, cones, tori, plates and the like are made of a few parameters, as vertices and faces.
#include "assets/builtin_mesh.h"

#include <algorithm>
#include <cmath>
#include <map>
#include <string>
#include <utility>

#include "core/error.h"
#include "math/vec3.h"
#include "simd/functions.h"

namespace sinew::inline assets {
namespace {

constexpr double kDegree = kPi / 180;

// More than renderers and colliders take; larger counts are mistakes.
constexpr int kMaxVertices = 1 << 20;

// ---- construction

int AddVertex(MeshData& mesh, const Vec3<double>& v) {
  for (int i = 0; i < 3; ++i) mesh.vertex.push_back(static_cast<float>(v[i]));
  return static_cast<int>(mesh.vertex_count()) - 1;
}

void AddNormal(MeshData& mesh, const Vec3<double>& n) {
  for (int i = 0; i < 3; ++i) mesh.normal.push_back(static_cast<float>(n[i]));
}

void AddFace(MeshData& mesh, int a, int b, int c) { mesh.face.insert(mesh.face.end(), {a, b, c}); }

// ---- parameters

[[noreturn]] void Refuse(const char* parameter, const char* range) {
  throw Error(std::string("parameter '") + parameter + "' of the builtin mesh is out of range",
              std::string("it is ") + range);
}

double Real(double value, const char* name, bool good, const char* range) {
  if (!good) Refuse(name, range);
  return value;
}

// A count, given as a real number; fractions are cut off.
int Count(double value, const char* name, int least, int most, const char* range) {
  if (!(value >= least && value < most + 1.0)) Refuse(name, range);
  return static_cast<int>(value);
}

// ---- sphere

// The middle of the arc between two vertices. In single precision throughout: many points of a sphere are in one plane
// but for their last bits, which decide how the hull is triangulated.
Vec3<float> MiddleOf(const MeshData& mesh, int a, int b) {
  const Vec3<float> sum = LoadVec3(mesh.vertex.data() + 3 * a) + LoadVec3(mesh.vertex.data() + 3 * b);
  const float norm = std::sqrt(Dot(sum, sum));
  return {sum.x / norm, sum.y / norm, sum.z / norm};
}

// The four halves-by-edge of every triangle; midpoints are shared and lie on the unit sphere.
void Subdivide(MeshData& mesh) {
  std::map<std::pair<int, int>, int> midpoints;
  const auto midpoint = [&](int a, int b) {
    const auto [known, is_new] = midpoints.try_emplace(std::minmax({a, b}), 0);
    if (is_new) {
      const Vec3<float> middle = MiddleOf(mesh, a, b);
      known->second = AddVertex(mesh, {middle.x, middle.y, middle.z});
    }
    return known->second;
  };
  const std::vector<int> faces = std::exchange(mesh.face, {});
  for (size_t i = 0; i < faces.size(); i += 3) {
    const int a = faces[i], b = faces[i + 1], c = faces[i + 2];
    const int ab = midpoint(a, b), bc = midpoint(b, c), ca = midpoint(c, a);
    AddFace(mesh, a, ab, ca);
    AddFace(mesh, b, bc, ab);
    AddFace(mesh, c, ca, bc);
    AddFace(mesh, ab, bc, ca);
  }
}

MeshData MakeSphere(std::span<const double> params) {
  const int subdivisions = Count(params[0], "subdivision", 0, 4, "0 to 4");
  // An icosahedron: the corners of three golden rectangles.
  const double phi = (1 + std::sqrt(5.0)) / 2;
  const Vec3<double> corners[] = {{-1, phi, 0}, {1, phi, 0}, {-1, -phi, 0}, {1, -phi, 0},
                                  {0, -1, phi}, {0, 1, phi}, {0, -1, -phi}, {0, 1, -phi},
                                  {phi, 0, -1}, {phi, 0, 1}, {-phi, 0, -1}, {-phi, 0, 1}};
  MeshData mesh;
  for (const Vec3<double>& corner : corners) AddVertex(mesh, Normalized(corner));
  mesh.face = {0, 11, 5, 0, 5, 1, 0, 1, 7, 0, 7, 10, 0, 10, 11, 1, 5, 9, 5, 11, 4,  11, 10, 2,  10, 7, 6, 7, 1, 8,
               3, 9,  4, 3, 4, 2, 3, 2, 6, 3, 6, 8,  3, 8,  9,  4, 9, 5, 2, 4,  11, 6,  2,  10, 8,  6, 7, 9, 8, 1};
  for (int i = 0; i < subdivisions; ++i) Subdivide(mesh);
  return mesh;
}

// ---- hemisphere

// Rows of the subdivided octahedron from the pole down: row i has 4 i vertices, i in each quadrant.
//
//   row i      u_0 --- u_1 --- u_2          one quadrant: i + 1 triangles that point up, i that point down
//   row i + 1  l_0 -- l_1 -- l_2 -- l_3
MeshData MakeHemisphere(std::span<const double> params) {
  const int rows = 1 + Count(params[0], "resolution", 0, 10, "0 to 10");
  MeshData mesh;
  AddVertex(mesh, {0, 0, 1});
  for (int i = 1; i <= rows; ++i) {
    for (int quadrant = 0; quadrant < 4; ++quadrant) {
      for (int j = 0; j < i; ++j) {
        const double a = i - j, b = j, z = rows - i;
        const Vec3<double> turned[] = {{a, b, z}, {-b, a, z}, {-a, -b, z}, {b, -a, z}};
        AddVertex(mesh, Normalized(turned[quadrant]));
      }
    }
  }
  const auto vertex = [](int row, int k) { return row == 0 ? 0 : 1 + 2 * row * (row - 1) + k % (4 * row); };
  for (int i = 0; i < rows; ++i) {
    for (int quadrant = 0; quadrant < 4; ++quadrant) {
      const int u = quadrant * i, l = quadrant * (i + 1);
      for (int j = 0; j < i; ++j) {
        AddFace(mesh, vertex(i, u + j), vertex(i + 1, l + j), vertex(i + 1, l + j + 1));
        AddFace(mesh, vertex(i, u + j), vertex(i + 1, l + j + 1), vertex(i, u + j + 1));
      }
      AddFace(mesh, vertex(i, u + i), vertex(i + 1, l + i), vertex(i + 1, l + i + 1));
    }
  }
  // The disc that closes it.
  const int center = AddVertex(mesh, {0, 0, 0});
  for (int k = 0; k < 4 * rows; ++k) AddFace(mesh, vertex(rows, k), center, vertex(rows, k + 1));
  return mesh;
}

// ---- cone

MeshData MakeCone(std::span<const double> params) {
  const int edges = Count(params[0], "nedge", 0, kMaxVertices / 2, "at least 3");
  const double radius = params[1];
  MeshData mesh;
  // Angles go on from the first ring to the second: rounding, which the order of a cylinder's faces depends on, is then
  // that of MuJoCo 3.8.0.
  const auto add_ring = [&](int first, double r, double z) {
    for (int i = first; i < first + edges; ++i) {
      double sine, cosine;
      SinCos(2 * kPi * i / edges, sine, cosine);
      AddVertex(mesh, {r * cosine, r * sine, z});
    }
  };
  add_ring(0, 1, -1);
  if (radius > 0) {
    add_ring(edges, radius, 1);
  } else {
    AddVertex(mesh, {0, 0, 1});
  }
  return mesh;
}

// ---- superquadrics (Barr, Superquadrics and Angle-Preserving Transformations, 1981)

// sgn(x) |x|^e
double SignedPower(double x, double e) { return std::copysign(Pow(std::fabs(x), e), x); }

// Cosine and sine of an angle, each to a signed power.
struct PowerPair {
  PowerPair(double angle, double e) {
    double s, c;
    SinCos(angle, s, c);
    sine = SignedPower(s, e);
    cosine = SignedPower(c, e);
  }
  double sine, cosine;
};

MeshData MakeSupersphere(std::span<const double> params) {
  constexpr int kMaxResolution = 1000;
  const int n = Count(params[0], "resolution", 3, kMaxResolution, "3 to 1000");
  const double e_longitude = Real(params[1], "e", params[1] >= 0, "at least 0");
  const double e_latitude = Real(params[2], "n", params[2] >= 0, "at least 0");
  MeshData mesh;
  AddVertex(mesh, {0, 0, -1});
  for (int i = 1; i < n; ++i) {
    const PowerPair latitude(-kPi / 2 + i * kPi / n, e_latitude);
    for (int j = 0; j < n; ++j) {
      const PowerPair longitude(-kPi + 2 * kPi * j / n, e_longitude);
      AddVertex(mesh, {latitude.cosine * longitude.cosine, latitude.cosine * longitude.sine, latitude.sine});
    }
  }
  const int top = AddVertex(mesh, {0, 0, 1});

  // A fan around each pole, and pairs of triangles between rings.
  const auto ring = [n](int i, int j) { return 1 + n * (i - 1) + j % n; };
  for (int j = 0; j < n; ++j) AddFace(mesh, 0, ring(1, j + 1), ring(1, j));
  for (int i = 1; i < n - 1; ++i) {
    for (int j = 0; j < n; ++j) {
      AddFace(mesh, ring(i, j), ring(i, j + 1), ring(i + 1, j));
      AddFace(mesh, ring(i, j + 1), ring(i + 1, j + 1), ring(i + 1, j));
    }
  }
  for (int j = 0; j < n; ++j) AddFace(mesh, ring(n - 1, j), ring(n - 1, j + 1), top);
  return mesh;
}

MeshData MakeSupertorus(std::span<const double> params) {
  constexpr int kMaxResolution = 1000;
  const int n = Count(params[0], "resolution", 3, kMaxResolution, "3 to 1000");
  const double radius = Real(params[1], "radius", params[1] > 0 && params[1] <= 1, "above 0 and at most 1");
  const double e_tube = Real(params[2], "s", params[2] > 0, "above 0");
  const double e_circle = Real(params[3], "t", params[3] > 0, "above 0");
  MeshData mesh;
  for (int i = 0; i < n; ++i) {
    const PowerPair circle(2 * kPi * i / n, e_circle);
    for (int j = 0; j < n; ++j) {
      const PowerPair tube(2 * kPi * j / n, e_tube);
      const double distance = 1 + radius * tube.cosine;
      AddVertex(mesh, {distance * circle.cosine, distance * circle.sine, radius * tube.sine});
    }
  }
  const auto vertex = [n](int i, int j) { return n * (i % n) + j % n; };
  for (int i = 0; i < n; ++i) {
    for (int j = 0; j < n; ++j) {
      AddFace(mesh, vertex(i, j), vertex(i + 1, j), vertex(i, j + 1));
      AddFace(mesh, vertex(i + 1, j), vertex(i + 1, j + 1), vertex(i, j + 1));
    }
  }
  return mesh;
}

// ---- grids of points with frames, for sensors of touch

// Counts of points in two directions.
std::pair<int, int> GridCounts(std::span<const double> params) {
  constexpr int kMaxResolution = 1000;
  return {Count(params[0], "resolution", 1, kMaxResolution, "1 to 1000"),
          Count(params[1], "resolution", 1, kMaxResolution, "1 to 1000")};
}

// The middle of bin i of n in [-reach, reach], after its ends were moved by x -> gamma x^5 + (1 - gamma) x in [-1, 1].
double BinCenter(int i, int n, double gamma, double reach) {
  const auto moved = [=](double x) { return (gamma * x * x * x * x * x + (1 - gamma) * x) * reach; };
  return (moved(-1 + 2.0 * i / n) + moved(-1 + 2.0 * (i + 1) / n)) / 2;
}

MeshData MakeWedge(std::span<const double> params) {
  const auto [nx, ny] = GridCounts(params);
  const double fov_x = Real(params[2], "fov[0]", params[2] > 0 && params[2] <= 180, "above 0 and at most 180 degrees");
  const double fov_y = Real(params[3], "fov[1]", params[3] > 0 && params[3] <= 90, "above 0 and at most 90 degrees");
  const double gamma = Real(params[4], "gamma", params[4] >= 0 && params[4] <= 1, "0 to 1");
  MeshData mesh;
  for (int i = 0; i < nx; ++i) {
    double sin_az, cos_az;
    SinCos(BinCenter(i, nx, gamma, fov_x * kDegree), sin_az, cos_az);
    for (int j = 0; j < ny; ++j) {
      double sin_el, cos_el;
      SinCos(BinCenter(j, ny, gamma, fov_y * kDegree), sin_el, cos_el);
      const Vec3<double> outward = {cos_el * sin_az, sin_el, -cos_el * cos_az};
      AddVertex(mesh, outward);
      AddNormal(mesh, outward);
      AddNormal(mesh, {cos_az, 0, sin_az});
      AddNormal(mesh, {-sin_el * sin_az, cos_el, sin_el * cos_az});
    }
  }
  return mesh;
}

MeshData MakePlate(std::span<const double> params) {
  const int nx = GridCounts(params).first, ny = GridCounts(params).second;
  MeshData mesh;
  for (int i = 0; i < nx; ++i) {
    for (int j = 0; j < ny; ++j) {
      AddVertex(mesh, {BinCenter(i, nx, 0, 1), BinCenter(j, ny, 0, 1), -1});
      for (const Vec3<double>& axis : {Vec3<double>{1, 0, 0}, Vec3<double>{0, 1, 0}, Vec3<double>{0, 0, 1}}) {
        AddNormal(mesh, axis);
      }
    }
  }
  for (int i = 0; i + 1 < nx; ++i) {
    for (int j = 0; j + 1 < ny; ++j) {
      const int a = i * ny + j, b = a + ny;
      AddFace(mesh, a, b, a + 1);
      AddFace(mesh, b + 1, a + 1, b);
    }
  }
  return mesh;
}

// ---- dispatch

struct Maker {
  const char* name;
  size_t parameters;
  MeshData (*make)(std::span<const double> params);
};

Maker MakerOf(mjtMeshBuiltin builtin) {
  switch (builtin) {
    case mjMESH_BUILTIN_SPHERE:
      return {"sphere", 1, MakeSphere};
    case mjMESH_BUILTIN_HEMISPHERE:
      return {"hemisphere", 1, MakeHemisphere};
    case mjMESH_BUILTIN_CONE:
      return {"cone", 2, MakeCone};
    case mjMESH_BUILTIN_SUPERSPHERE:
      return {"supersphere", 3, MakeSupersphere};
    case mjMESH_BUILTIN_SUPERTORUS:
      return {"supertorus", 4, MakeSupertorus};
    case mjMESH_BUILTIN_WEDGE:
      return {"wedge", 5, MakeWedge};
    case mjMESH_BUILTIN_PLATE:
      return {"plate", 2, MakePlate};
    default:
      throw Error("there is no builtin mesh of this kind",
                  "choose sphere, hemisphere, cone, supersphere, supertorus, wedge or plate");
  }
}

}  // namespace

MeshData MakeBuiltinMesh(mjtMeshBuiltin builtin, std::span<const double> params) {
  const Maker maker = MakerOf(builtin);
  if (params.size() != maker.parameters) {
    throw Error(std::string("a builtin ") + maker.name + " has " + std::to_string(params.size()) + " parameters",
                "give " + std::to_string(maker.parameters));
  }
  return maker.make(params);
}

void SetBuiltinMesh(mjtMeshBuiltin builtin, std::span<const double> params, mjsMesh* mesh) {
  MeshData data = MakeBuiltinMesh(builtin, params);
  *mesh->uservert = std::move(data.vertex);
  *mesh->usernormal = std::move(data.normal);
  *mesh->userface = std::move(data.face);
  if (builtin == mjMESH_BUILTIN_PLATE) mesh->inertia = mjMESH_INERTIA_SHELL;
}

}  // namespace sinew::inline assets
