// A mesh `m` of n pieces becomes the meshes m, m_piece0, ... Geoms of m no longer collide, and n geoms of the pieces,
// without mass, stand beside each.
#include <algorithm>
#include <filesystem>
#include <string>
#include <utility>
#include <vector>

#include "assets/mesh_decoder.h"
#include "assets/mesh_files.h"
#include "assets/piece_cache.h"
#include "compile/assets/asset_file.h"
#include "mjcf/read/sections.h"
#include "spec/traverse.h"

namespace sinew::mjcf {
namespace {

constexpr int kPieceGroup = 3;  // of geoms that only collide, by custom

MeshData DataOf(const Context& context, const Mesh& mesh) {
  if (mesh.file->empty()) return {*mesh.uservert, {}, {}, *mesh.userface, {}, {}, {}};
  const auto resource = OpenAssetFile(mesh, *mesh.compiler().meshdir, *mesh.file, context.vfs);
  const auto format = FindMeshFormat(*mesh.file, *mesh.content_type);
  if (!format) throw Error("no decoder found for mesh file '" + *mesh.file + "'", "use one of " + MeshExtensions());
  return ReadMeshFile(*resource, *format, context.vfs);
}

// Pieces are in the frame of the file, as the mesh is.
void AddPieceMesh(Context& context, const Mesh& mesh, const std::vector<Vec3<double>>& points, std::string name) {
  Mesh& piece = context.spec.Add<Mesh>();
  piece.where = mesh.where;
  if (!context.spec.SetName(piece, name)) throw Error("another mesh has the name '" + name + "'", "rename it");
  for (const Vec3<double>& p : points) {
    for (int k = 0; k < 3; ++k) piece.uservert->push_back(static_cast<float>(p[k]));
  }
  std::copy_n(mesh.scale, 3, piece.scale);
  std::copy_n(mesh.refpos, 3, piece.refpos);
  std::copy_n(mesh.refquat, 4, piece.refquat);
  piece.maxhullvert = mesh.maxhullvert;
}

std::string PieceName(const std::string& whole, size_t piece) { return whole + "_piece" + std::to_string(piece); }

bool Collides(const Geom& geom) { return geom.contype != 0 || geom.conaffinity != 0; }

void AddPiecesOf(Context& context, Geom& geom, size_t count) {
  if (context.copies_left < count) throw Error("the document makes too many geoms of pieces", "lower convexcount");
  context.copies_left -= count;
  for (size_t i = 0; i < count; ++i) {
    Geom& piece = geom.parent->Add<Geom>(nullptr, geom.frame);
    piece.CopyValues(geom);
    piece.where = geom.where;
    if (!geom.name.empty()) context.spec.SetName(piece, PieceName(geom.name, i));
    *piece.meshname = PieceName(*geom.meshname, i);
    piece.mass = 0;
    piece.group = kPieceGroup;
  }
  geom.contype = geom.conaffinity = 0;
}

}  // namespace

void ReadDecomposition(Context& context, ElementReader& reader, Mesh& mesh) {
  const bool is_decomposed = reader.Keyword("convex").value_or(0) != 0;
  DecomposeOptions options;
  options.error = reader.Real("convexerror").value_or(options.error);
  options.count = reader.Int("convexcount").value_or(options.count);
  options.resolution = reader.Int("convexresolution").value_or(options.resolution);
  if (!is_decomposed) return;
  if (mesh.collision == kCollideTriangles) {
    return reader.Fail("a mesh that is decomposed does not collide by its triangles",
                       "remove the attribute 'convex' or 'collision'");
  }
  try {
    if (mesh.name.empty()) context.spec.SetName(mesh, std::filesystem::path(*mesh.file).stem().string());
    const auto pieces = DecomposeOnce(DataOf(context, mesh), options);
    for (size_t i = 0; i < pieces.size(); ++i) AddPieceMesh(context, mesh, pieces[i], PieceName(mesh.name, i));
    context.pieces[mesh.name] = pieces.size();
  } catch (const Error& error) {
    reader.Fail(error.problem(), error.remedy());
  }
}

void AddPieces(Context& context) {
  if (context.pieces.empty()) return;
  std::vector<std::pair<Geom*, size_t>> whole;
  for (Element* e = FirstElement(context.spec, mjOBJ_GEOM); e; e = NextElement(context.spec, *e)) {
    auto& geom = static_cast<Geom&>(*e);
    const auto pieces = context.pieces.find(*geom.meshname);
    if (geom.type == mjGEOM_MESH && Collides(geom) && pieces != context.pieces.end()) {
      whole.emplace_back(&geom, pieces->second);
    }
  }
  for (const auto& [geom, count] : whole) AddPiecesOf(context, *geom, count);
}

}  // namespace sinew::mjcf
