// Points and elements of a flexcomp: a pattern, a mesh, or as the document gives them.
#include <algorithm>
#include <array>
#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <utility>

#include "assets/gmsh.h"
#include "assets/mesh_decoder.h"
#include "assets/mesh_files.h"
#include "compile/assets/asset_file.h"
#include "mjcf/macros/flexcomp.h"
#include "spec/orientation.h"

namespace sinew::mjcf {
namespace {

// ---- patterns

// Bounds the size that a short document can set, before anything is allocated.
void CheckPattern(const Context& context, const Flexcomp& comp) {
  std::uint64_t points = 1;
  for (int i = 0; i < 3; ++i) {
    if (comp.count[i] < 1) throw Error("attribute 'count' is not positive", "give the numbers of points");
    points *= static_cast<std::uint64_t>(std::min(comp.count[i], 1 << 20));
    if (!(comp.spacing[i] >= 2 * comp.flex.radius + comp.flex.margin)) {
      throw Error("the spacing is less than the diameter of the points", "reduce radius or margin");
    }
  }
  if (points > context.copies_left) {
    throw Error("attribute 'count' asks for more points than a model may have", "give smaller counts");
  }
  const int axes = comp.is_solid() ? 3 : comp.type == Flexcomp::kCircle ? 1 : comp.flex.dim;
  for (int i = 0; i < 3; ++i) {
    const bool used = i < axes;
    if (used ? comp.count[i] > 1 : comp.count[i] == 1) continue;
    throw Error("count[" + std::to_string(i) + "] is " + std::to_string(comp.count[i]) + " in dimension " +
                    std::to_string(comp.flex.dim),
                used ? "give 2 or more" : "give 1");
  }
  if (comp.type == Flexcomp::kCircle && comp.count[0] < 4) {
    throw Error("a circle needs a count of 4", "give more points");
  }
}

// Segments, triangles or tetrahedra: each pattern can only be cut into some of them.
void CheckDimension(const Flexcomp& comp) {
  const int dim = comp.flex.dim;
  const bool fits = comp.type == Flexcomp::kCircle ? dim == 1
                    : comp.is_solid()              ? dim == 2 || dim == 3
                    : comp.type == Flexcomp::kMesh ? dim == 2 || dim == 3
                                                   : dim >= 1 && dim <= 3;
  if (!fits) throw Error("the pattern has no elements of dimension " + std::to_string(dim), "set dim");
}

// Later passes rely on this check: the dimension gives the number of points of an element.
void CheckShape(const Flexcomp& comp) {
  const FlexcompShape& shape = comp.shape;
  const size_t corners = static_cast<size_t>(comp.flex.dim) + 1;
  if (shape.points.empty()) throw Error("the flex has no points", "give some");
  if (shape.elements.size() % corners == 0) return;
  throw Error("the elements have " + std::to_string(shape.elements.size()) + " points",
              "in dimension " + std::to_string(comp.flex.dim) + " each takes " + std::to_string(corners));
}

// The pattern is made about the origin; PlacePoints moves it into the frame of the parent.
FlexcompShape MakePattern(const Flexcomp& comp) {
  const int dim = comp.flex.dim;
  switch (comp.type) {
    case Flexcomp::kGrid:
    case Flexcomp::kSquare:
      return MakeGrid(dim, comp.count, comp.spacing);
    case Flexcomp::kDisc:
      return MakeDisc(comp.count, comp.spacing);
    case Flexcomp::kCircle:
      return MakeCircle(comp.count[0], comp.spacing[0]);
    case Flexcomp::kBox:
      return MakeSolid(SolidShape::kBox, dim, comp.count, comp.spacing);
    case Flexcomp::kCylinder:
      return MakeSolid(SolidShape::kCylinder, dim, comp.count, comp.spacing);
    default:
      return MakeSolid(SolidShape::kEllipsoid, dim, comp.count, comp.spacing);
  }
}

// Texture coordinates of patterns are dropped without a material, since nothing would show them.
void ReadPattern(const Context& context, ElementReader& reader, Flexcomp& comp) {
  if (reader.Has("point") || reader.Has("element")) {
    throw Error("a pattern has its own points and elements", "remove 'point' and 'element', or use type direct");
  }
  CheckPattern(context, comp);
  comp.shape = MakePattern(comp);
  if (comp.flex.material->empty()) comp.shape.texcoord.clear();
  if (comp.type == Flexcomp::kBox || comp.type == Flexcomp::kCylinder ||
      (comp.type == Flexcomp::kGrid && comp.flex.dim == 3)) {
    comp.flex.flatskin = 1;
  }
}

// ---- given points

// Points of files and documents are scaled axis by axis; patterns have `spacing` instead.
Vec3<double> Scaled(const Vec3<double>& p, const Flexcomp& comp) {
  return {p.x * comp.scale[0], p.y * comp.scale[1], p.z * comp.scale[2]};
}

// Elements are checked here, since later passes use their numbers as indices.
void ReadDirect(ElementReader& reader, Flexcomp& comp) {
  const auto points = reader.Reals("point");
  const auto elements = reader.Ints("element");
  if (!points || !elements) throw Error("the points or the elements are missing", "give 'point' and 'element'");
  if (points->size() % 3 != 0) throw Error("attribute 'point' is not made of triples", "give x, y, z of each");
  const size_t count = points->size() / 3;
  for (const int vertex : *elements) {
    if (vertex >= 0 && static_cast<size_t>(vertex) < count) continue;
    throw Error("attribute 'element' has point " + std::to_string(vertex),
                "there are " + std::to_string(count) + " points, from 0 on");
  }
  for (size_t i = 0; i < points->size(); i += 3) {
    comp.shape.points.push_back(Scaled(LoadVec3(points->data() + i), comp));
  }
  comp.shape.elements = *elements;
}

// ---- files

// The name of the file is resolved as that of a mesh, which needs the specification of the flex.
std::unique_ptr<Resource> OpenFile(Context& context, const std::string& file, Flexcomp& comp) {
  if (file.empty()) throw Error("attribute 'file' is missing", "name the file");
  comp.flex.spec = comp.flex.home = &context.spec;
  return OpenAssetFile(comp.flex, *comp.flex.compiler().meshdir, file, context.vfs);
}

// A surface. Vertices at the same place are one point.
void AddSurface(const MeshData& mesh, const std::string& file, Flexcomp& comp) {
  if (mesh.face.empty()) throw Error("the file '" + file + "' has no faces", "export them too");
  std::map<std::array<float, 3>, int> ids;
  std::vector<int> point_of;
  for (size_t i = 0; i + 2 < mesh.vertex.size(); i += 3) {
    const float* v = mesh.vertex.data() + i;
    const auto [found, is_new] = ids.try_emplace({v[0], v[1], v[2]}, static_cast<int>(comp.shape.points.size()));
    if (is_new) comp.shape.points.push_back(Scaled({v[0], v[1], v[2]}, comp));
    point_of.push_back(found->second);
  }
  for (const int vertex : mesh.face) {
    if (vertex < 0 || static_cast<size_t>(vertex) >= point_of.size()) {
      throw Error("a face of the file '" + file + "' has vertex " + std::to_string(vertex),
                  "there are " + std::to_string(point_of.size()) + " vertices, from 0 on");
    }
    comp.shape.elements.push_back(point_of[static_cast<size_t>(vertex)]);
  }
}

// Fills a surface: a tetrahedron from an inner point, which comes first, to each face that is seen from there.
void FillSurface(const Vec3<double>& origin, FlexcompShape& shape) {
  FlexcompShape solid;
  solid.points.push_back(origin);
  solid.points.insert(solid.points.end(), shape.points.begin(), shape.points.end());
  for (size_t f = 0; f < shape.elements.size(); f += 3) {
    Vec3<double> p[3];
    for (size_t k = 0; k < 3; ++k) p[k] = shape.points[static_cast<size_t>(shape.elements[f + k])] - origin;
    if (!(Dot(Cross(p[0], p[1]), p[2]) > kMinVal)) continue;
    solid.elements.push_back(0);
    for (size_t k = 0; k < 3; ++k) solid.elements.push_back(shape.elements[f + k] + 1);
  }
  shape = std::move(solid);
}

// The format comes from the name of the file. Files of meshes are surfaces; those in Gmsh's format have elements, and a
// type of their own.
void ReadMesh(Context& context, ElementReader& reader, Flexcomp& comp) {
  const std::string file = reader.String("file").value_or("");
  const auto resource = OpenFile(context, file, comp);
  const auto format = FindMeshFormat(file, "");
  if (!format || *format == MeshFormat::kMsh) {
    throw Error("the file '" + file + "' is of another format", "use one of " + MeshExtensions() + " but .msh");
  }
  const MeshData mesh = ReadMeshFile(*resource, *format, context.vfs);
  AddSurface(mesh, file, comp);
  if (comp.flex.dim == 3) {
    double origin[3];
    if (!reader.RealsInto("origin", origin)) {
      throw Error("attribute 'origin' is missing", "give a point inside the mesh, or dim=\"2\"");
    }
    FillSurface(Scaled(LoadVec3(origin), comp), comp.shape);
  }
  if (!comp.flex.texcoord->empty() || mesh.texcoord.empty()) return;
  // Corners of faces have texture coordinates of their own. MuJoCo 3.8.0 writes them one after the other for
  // tetrahedra, too, which have four corners.
  *comp.flex.texcoord = mesh.texcoord;
  *comp.flex.elemtexcoord = mesh.facetexcoord;
  if (comp.flex.dim == 3) comp.flex.elemtexcoord->resize(comp.shape.elements.size());
}

// The dimension is that of the elements in the file.
void ReadGmsh(Context& context, ElementReader& reader, Flexcomp& comp) {
  const std::string file = reader.String("file").value_or("");
  GmshMesh mesh = LoadGmsh(ContentOf(*OpenFile(context, file, comp)));
  comp.flex.dim = mesh.dim;
  for (const Vec3<double>& p : mesh.points) comp.shape.points.push_back(Scaled(p, comp));
  comp.shape.elements = std::move(mesh.elements);
}

// ---- all of them

// Removes what no element uses, and returns the new number of each point, or -1. Texture coordinates, where there are
// any, belong to the points.
std::vector<int> Compact(FlexcompShape& shape) {
  std::vector<int> ids(shape.points.size(), -1);
  for (const int vertex : shape.elements) ids[static_cast<size_t>(vertex)] = 0;
  size_t kept = 0;
  for (size_t i = 0; i < ids.size(); ++i) {
    if (ids[i] < 0) continue;
    ids[i] = static_cast<int>(kept);
    shape.points[kept] = shape.points[i];
    if (!shape.texcoord.empty()) std::copy_n(&shape.texcoord[2 * i], 2, &shape.texcoord[2 * kept]);
    ++kept;
  }
  shape.points.resize(kept);
  if (!shape.texcoord.empty()) shape.texcoord.resize(2 * kept);
  for (int& vertex : shape.elements) vertex = ids[static_cast<size_t>(vertex)];
  return ids;
}

// Texture coordinates of the document, two for each point, go before others.
void ReadTexture(ElementReader& reader, FlexcompShape& shape) {
  const auto given = reader.Reals("texcoord");
  if (!given) return;
  if (given->size() != 2 * shape.points.size()) {
    throw Error("attribute 'texcoord' has " + std::to_string(given->size()) + " numbers",
                "give two for each of the " + std::to_string(shape.points.size()) + " points");
  }
  shape.texcoord.assign(given->begin(), given->end());
}

// Moves the points into the frame of the parent.
void PlacePoints(Context& context, ElementReader& reader, Flexcomp& comp) {
  double pos[3] = {0, 0, 0}, quat[4] = {1, 0, 0, 0};
  mjsOrientation alternative = {};
  reader.RealsInto("pos", pos);
  reader.RealsInto("quat", quat);
  reader.RealsInto("axisangle", alternative.axisangle);
  reader.RealsInto("xyaxes", alternative.xyaxes);
  reader.RealsInto("zaxis", alternative.zaxis);
  reader.RealsInto("euler", alternative.euler);
  reader.ReadOrientation(&alternative, quat);
  const Quat<double> q = Orientation(quat, alternative, static_cast<const mjSpec&>(context.spec).compiler);
  for (Vec3<double>& point : comp.shape.points) point = LoadVec3(pos) + Rotate(q, point);
}

}  // namespace

// The order matters: texture belongs to points before those without elements are removed.
void MakePoints(Context& context, ElementReader& reader, Flexcomp& comp) {
  if (comp.type == Flexcomp::kSquare || comp.type == Flexcomp::kDisc) comp.flex.dim = 2;
  CheckDimension(comp);
  if (comp.type == Flexcomp::kMesh) {
    ReadMesh(context, reader, comp);
  } else if (comp.type == Flexcomp::kGmsh) {
    ReadGmsh(context, reader, comp);
  } else if (comp.type == Flexcomp::kDirect) {
    ReadDirect(reader, comp);
  } else {
    ReadPattern(context, reader, comp);
  }
  if (comp.shape.points.size() > context.copies_left) {
    throw Error("the flex has more points than a model may have", "give a coarser mesh");
  }
  CheckShape(comp);
  ReadTexture(reader, comp.shape);
  if (comp.type >= Flexcomp::kMesh) comp.kept = Compact(comp.shape);
  if (!comp.shape.texcoord.empty()) {
    *comp.flex.texcoord = comp.shape.texcoord;
    comp.flex.elemtexcoord->clear();
  }
  PlacePoints(context, reader, comp);
}

}  // namespace sinew::mjcf
