// Compiles a mesh: checks it, places it in the frame of its inertia, and derives hull, normals and polygons
// (docs/how/meshes.md).
#include "assets/mesh.h"

#include <algorithm>
#include <cmath>
#include <string>

#include "assets/hull_polygons.h"
#include "assets/mesh_inertia.h"
#include "assets/mesh_normals.h"
#include "core/error.h"
#include "math/orientation.h"

namespace sinew::inline assets {
namespace {

using Points = std::vector<Vec3<double>>;

// ---- checks of what files and users give

// Indices at the corners of faces: none, or three for each face, each below `count`.
void CheckIndices(const std::vector<int>& indices, const MeshData& data, size_t count, const char* what) {
  if (indices.empty()) return;
  if (indices.size() != data.face.size()) {
    throw Error("the mesh has " + std::to_string(data.face_count()) + " faces and " + what + " indices of " +
                    std::to_string(indices.size() / 3),
                "give three for each face");
  }
  const auto bad =
      std::find_if(indices.begin(), indices.end(), [count](int i) { return i < 0 || static_cast<size_t>(i) >= count; });
  if (bad == indices.end()) return;
  throw Error("in face " + std::to_string((bad - indices.begin()) / 3) + ", " + what + " " + std::to_string(*bad) +
                  " does not exist",
              "indices run from 0 to " + std::to_string(static_cast<ptrdiff_t>(count) - 1));
}

void CheckFinite(const std::vector<float>& numbers, const char* what) {
  const auto bad = std::find_if(numbers.begin(), numbers.end(), [](float x) { return !std::isfinite(x); });
  if (bad == numbers.end()) return;
  throw Error(std::string(what) + " " + std::to_string(bad - numbers.begin()) + " is not a finite number",
              "correct it");
}

void CheckMultiple(size_t count, size_t unit, const char* what) {
  if (count % unit == 0) return;
  throw Error("the mesh has " + std::to_string(count) + " numbers of " + what,
              "their number must be a multiple of " + std::to_string(unit));
}

void CheckData(const MeshData& data) {
  CheckMultiple(data.vertex.size(), 3, "vertices");
  CheckMultiple(data.face.size(), 3, "faces");
  CheckMultiple(data.normal.size(), 3, "normals");
  CheckMultiple(data.texcoord.size(), 2, "texture coordinates");
  if (data.vertex_count() < 4) {
    throw Error("the mesh has " + std::to_string(data.vertex_count()) + " vertices", "give at least 4");
  }
  if (!data.texcoord.empty() && data.facetexcoord.empty() && data.texcoord.size() != 2 * data.vertex_count()) {
    throw Error("the mesh has " + std::to_string(data.texcoord.size() / 2) + " texture coordinates and " +
                    std::to_string(data.vertex_count()) + " vertices",
                "give one for each vertex, or indices of texture coordinates for each face");
  }
  CheckFinite(data.vertex, "vertex coordinate");
  CheckIndices(data.face, data, data.vertex_count(), "vertex");
  CheckIndices(data.facenormal, data, data.normal.size() / 3, "normal");
  CheckIndices(data.facetexcoord, data, data.texcoord.size() / 2, "texture coordinate");
}

// ---- stages

Points ToPoints(const std::vector<float>& numbers) {
  Points points;
  points.reserve(numbers.size() / 3);
  for (size_t i = 0; i + 2 < numbers.size(); i += 3) points.push_back({numbers[i], numbers[i + 1], numbers[i + 2]});
  return points;
}

std::vector<float> ToFloats(const Points& points) {
  std::vector<float> numbers;
  numbers.reserve(3 * points.size());
  for (const Vec3<double>& p : points) {
    for (int i = 0; i < 3; ++i) numbers.push_back(static_cast<float>(p[i]));
  }
  return numbers;
}

// Normals, computed if there are none, and their indices at the corners of faces. Given without indices there are k for
// each vertex, of which faces use the first.
Points TakeNormals(MeshData& data, const Points& vertices, bool smooth) {
  if (data.normal.empty()) data.normal = VertexNormals(vertices, data.face, smooth);
  Points normals = ToPoints(data.normal);
  if (data.facenormal.empty()) {
    if (normals.size() % vertices.size() != 0) {
      throw Error("the mesh has " + std::to_string(normals.size()) + " normals and " + std::to_string(vertices.size()) +
                      " vertices",
                  "give a normal for each vertex, or indices of normals for each face");
    }
    const int step = static_cast<int>(normals.size() / vertices.size());
    data.facenormal = data.face;
    for (int& index : data.facenormal) index *= step;
  }
  return normals;
}

// Indices 1 and 2 of every face exchanged: a mirrored mesh keeps its inside.
void Mirror(std::vector<int>& corners) {
  for (size_t i = 0; i + 2 < corners.size(); i += 3) std::swap(corners[i + 1], corners[i + 2]);
}

bool IsMirrored(const Vec3<double>& scale) { return scale.x * scale.y * scale.z < 0; }

// A unit vector; e_z for normals that files leave empty, which are those below 3.2e-8.
Vec3<double> UnitNormal(const Vec3<double>& n) {
  const double square = Dot(n, n);
  return square >= kMinVal ? n * (1 / std::sqrt(square)) : Vec3<double>{0, 0, 1};
}

// From the frame of the data to that of refpos and refquat, scaled. Normals are scaled like positions: what recorded
// models hold, though only uniform scales keep them normal.
void ApplyReference(const MeshOptions& options, Points& vertices, Points& normals) {
  const Mat3<double> R = ToMat3(Normalized(options.refquat));
  const Vec3<double>& s = options.scale;
  const auto scaled = [&s](const Vec3<double>& v) { return Vec3<double>{v.x * s.x, v.y * s.y, v.z * s.z}; };
  for (Vec3<double>& v : vertices) v = scaled(MulTransposed(R, v - options.refpos));
  for (Vec3<double>& n : normals) n = UnitNormal(scaled(MulTransposed(R, n)));
}

// Moves the mesh to the frame of its principal axes.
void Recenter(const Vec3<double>& pos, const Quat<double>& quat, Points& vertices, Points& normals) {
  const Mat3<double> R = ToMat3(quat);
  for (Vec3<double>& v : vertices) v = MulTransposed(R, v - pos);
  for (Vec3<double>& n : normals) n = MulTransposed(R, n);
}

void FindBounds(const Points& vertices, CompiledMesh& mesh) {
  mesh.lower = mesh.upper = vertices.front();
  for (const Vec3<double>& v : vertices) {
    for (int i = 0; i < 3; ++i) {
      mesh.lower[i] = std::min(mesh.lower[i], v[i]);
      mesh.upper[i] = std::max(mesh.upper[i], v[i]);
    }
  }
}

// The normal of a polygon by its first corners. When these are nearly on a line it has no direction worth keeping, and
// models of MuJoCo 3.8.0 hold e_x divided by the length of the cross product, 1e14 and more: no unit vector, as a mark.
Vec3<double> PolygonNormal(const Vec3<double>& a, const Vec3<double>& b, const Vec3<double>& c) {
  constexpr double kSliver = 1e-14;  // m^2
  Vec3<double> normal = Cross(b - a, c - a);
  const double length = Norm(normal);
  if (length < kSliver) return {length > 0 ? 1 / length : 1, 0, 0};
  DivideByNorm(normal);
  return normal;
}

std::vector<MeshPolygon> OrientPolygons(std::vector<std::vector<int>> polygons, const Points& vertices) {
  std::vector<MeshPolygon> result;
  result.reserve(polygons.size());
  for (std::vector<int>& polygon : polygons) {
    const auto corner = [&](size_t i) { return vertices[static_cast<size_t>(polygon[i])]; };
    const Vec3<double> normal = PolygonNormal(corner(0), corner(1), corner(2));
    result.push_back({std::move(polygon), normal});
  }
  return result;
}

}  // namespace

CompiledMesh CompileMesh(MeshData data, const MeshOptions& options) {
  CheckData(data);
  Points vertices = ToPoints(data.vertex);

  // The hull is that of the data as given: what follows moves it with the vertices.
  CompiledMesh mesh = {};
  std::vector<std::vector<int>> polygons;
  std::vector<int> hull_faces;
  if (options.needs_hull || data.face.empty()) {
    const MeshHull hull = ConvexHull(vertices, options.max_hull_vertices);
    mesh.graph = hull.Graph();
    hull_faces = hull.faces;
    if (data.face.empty()) data.face = hull.faces;
    polygons = MergeFaces(vertices, hull.faces);
  }

  // Into the frame of the principal axes.
  Points normals = TakeNormals(data, vertices, options.smooth_normals);
  ApplyReference(options, vertices, normals);
  if (IsMirrored(options.scale)) {
    for (std::vector<int>* corners : {&data.face, &data.facenormal, &data.facetexcoord, &hull_faces}) Mirror(*corners);
  }
  const bool of_hull = options.inertia == mjMESH_INERTIA_CONVEX;
  const MeshInertia inertia = FindInertia(vertices, of_hull ? hull_faces : data.face, options.inertia);
  mesh.pos = options.keeps_frame ? Vec3<double>{0, 0, 0} : inertia.com;
  mesh.quat = options.keeps_frame ? Quat<double>{1, 0, 0, 0} : inertia.axes;
  mesh.measure = inertia.measure;
  mesh.half = inertia.half;
  if (!options.keeps_frame) Recenter(mesh.pos, mesh.quat, vertices, normals);

  FindBounds(vertices, mesh);
  mesh.polygons = OrientPolygons(std::move(polygons), vertices);
  data.vertex = ToFloats(vertices);
  data.normal = ToFloats(normals);
  if (!data.texcoord.empty() && data.facetexcoord.empty()) data.facetexcoord = data.face;
  mesh.points = std::move(vertices);
  mesh.data = std::move(data);
  return mesh;
}

}  // namespace sinew::inline assets
