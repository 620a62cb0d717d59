// Meshes: files and numbers to compiled meshes with their trees of boxes and octrees, and these to the arrays of the
// model. Decoded files are cached for the process. Meshes do not depend on each other, so they are compiled in
// parallel.
#include <algorithm>
#include <cmath>
#include <memory>
#include <optional>
#include <set>
#include <string>
#include <string_view>
#include <unordered_set>
#include <utility>

#include "assets/mesh_decoder.h"
#include "assets/mesh_files.h"
#include "compile/assets/asset_file.h"
#include "compile/diagnose.h"
#include "compile/geometry/mesh_surface.h"
#include "compile/passes.h"
#include "compile/rows.h"
#include "core/asset_cache.h"
#include "core/codecs.h"
#include "core/load_limits.h"
#include "core/parallel.h"
#include "core/warning.h"
#include "spec/decode.h"
#include "spec/traverse.h"

namespace sinew::inline compile {
namespace {

using Names = std::unordered_set<std::string>;

// ---- what meshes are used for

struct MeshUses {
  Names colliding;  // need a hull
  Names sampled;    // need their signed distance
};

// Geoms collide by their masks, or in a pair.
MeshUses FindUses(Spec& spec) {
  Names paired;
  for (const auto& pair : spec.List<Pair>()) {
    paired.insert(*pair->geomname1);
    paired.insert(*pair->geomname2);
  }
  MeshUses uses;
  for (Element* element = FirstElement(spec, mjOBJ_GEOM); element; element = NextElement(spec, *element)) {
    const auto& geom = static_cast<const Geom&>(*element);
    if (!HasMeshShape(geom.type)) continue;
    const Mesh* mesh = spec.Find<Mesh>(*geom.meshname);
    if (geom.type == mjGEOM_MESH && mesh && mesh->collision == kCollideTriangles) continue;  // needs no hull
    const bool collides =
        geom.contype != 0 || geom.conaffinity != 0 || (!geom.name.empty() && paired.contains(geom.name));
    if (collides) uses.colliding.insert(*geom.meshname);
    if (geom.type == mjGEOM_SDF) uses.sampled.insert(*geom.meshname);
  }
  for (const auto& mesh : spec.List<Mesh>()) {
    if (mesh->needsdf) uses.sampled.insert(mesh->name);
    if (mesh->plugin.active) uses.sampled.erase(mesh->name);  // the plugin has it
  }
  return uses;
}

// Settings of the element that CompileMesh in assets/ needs.
MeshOptions OptionsOf(const Mesh& mesh, bool collides) {
  if (mesh.maxhullvert != -1 && mesh.maxhullvert < 4) {
    throw Error("maxhullvert is " + std::to_string(mesh.maxhullvert), "use at least 4, or -1 for no bound");
  }
  if (std::all_of(mesh.refquat, mesh.refquat + 4, [](double x) { return x == 0; })) {
    throw Error("refquat is zero", "a rotation is a quaternion of length 1, as 1 0 0 0");
  }
  MeshOptions options;
  options.refpos = LoadVec3(mesh.refpos);
  options.refquat = LoadQuat(mesh.refquat);
  options.scale = LoadVec3(mesh.scale);
  options.inertia = mesh.inertia;
  options.smooth_normals = mesh.smoothnormal;
  options.max_hull_vertices = mesh.maxhullvert;
  options.needs_hull = collides || mesh.inertia == mjMESH_INERTIA_CONVEX;
  options.keeps_frame = mesh.plugin.active;
  return options;
}

// ---- data

// Adds what the element itself gives to what came from the file.
template <class T>
void Merge(const std::vector<T>& given, const char* what, std::vector<T>& data) {
  if (given.empty()) return;
  if (!data.empty()) throw Error(std::string("both the file and the element give ") + what, "remove one of them");
  data = given;
}

// The first mesh that a decoder makes. Its pose and scale do not count: those are the element's.
MeshData Decode(Resource& resource, const mjpDecoder& decoder, const mjVFS* vfs) {
  const auto spec = DecodeResource(resource, decoder, vfs);
  if (spec->List<Mesh>().empty()) throw Error("the decoder found no mesh in the file");
  const Mesh& mesh = *spec->List<Mesh>().front();
  return {*mesh.uservert,
          *mesh.usernormal,
          *mesh.usertexcoord,
          *mesh.userface,
          *mesh.userfacenormal,
          *mesh.userfacetexcoord,
          {}};
}

// Who reads a mesh file: a decoder of the program, or else a built-in format.
struct MeshReader {
  const mjpDecoder* decoder;  // null for a built-in format
  std::optional<MeshFormat> format;

  std::string Name() const {
    if (!decoder) return std::to_string(static_cast<int>(*format));
    return decoder->content_type ? decoder->content_type : decoder->extension;
  }
  MeshData Read(Resource& resource, const mjVFS* vfs) const {
    return decoder ? Decode(resource, *decoder, vfs) : ReadMeshFile(resource, *format, vfs);
  }
};

// STL and OBJ are registered decoders too, but as formats they give messages about the mistake in a file.
MeshReader FindReader(const Mesh& mesh, const Resource& resource) {
  const mjpDecoder* decoder = FindDecoder(resource, *mesh.content_type);
  if (decoder && decoder->decode == DecodeMesh) decoder = nullptr;
  const auto format = FindMeshFormat(*mesh.file, *mesh.content_type);
  if (!decoder && !format) {
    throw Error("no decoder found for mesh file '" + *mesh.file + "'",
                "use one of " + MeshExtensions() +
                    ", or register a decoder; the program 'sinew convert' reads .fbx and .3ds too");
  }
  return {decoder, format};
}

// The cache is asked first, and compares the time stamp of the file.
MeshData LoadFile(const Mesh& mesh, const mjVFS* vfs) {
  const auto resource = OpenAssetFile(mesh, *mesh.compiler().meshdir, *mesh.file, vfs);
  const MeshReader reader = FindReader(mesh, *resource);

  // A file that names other files is read again, since these may change. The same file may be read in two formats.
  if (!reader.decoder && *reader.format == MeshFormat::kGltf) return reader.Read(*resource, vfs);
  AssetCache& cache = AssetCache::Process();
  const std::string key = std::string(resource->name) + "#" + reader.Name();
  if (const auto known = cache.Find<MeshData>(key, *resource)) return *known;
  const auto data = std::make_shared<const MeshData>(reader.Read(*resource, vfs));
  cache.Insert(key, *resource, data, data->Bytes());
  return *data;
}

// Numbers of the element and of its file complete each other, but none may be given twice.
MeshData CollectData(const Mesh& mesh, const mjVFS* vfs) {
  MeshData data;
  if (!mesh.file->empty()) data = LoadFile(mesh, vfs);
  Merge(*mesh.uservert, "vertices", data.vertex);
  Merge(*mesh.usernormal, "normals", data.normal);
  Merge(*mesh.usertexcoord, "texture coordinates", data.texcoord);
  Merge(*mesh.userface, "faces", data.face);
  Merge(*mesh.userfacenormal, "indices of normals", data.facenormal);
  Merge(*mesh.userfacetexcoord, "indices of texture coordinates", data.facetexcoord);
  return data;
}

// ---- trees

// The centre of the circle through three points, by which faces are sorted: for right-angled triangles in pairs, the
// centre of their rectangle. Not a number for points on a line. With u = a - c and v = b - c it is
//   c + (|u|^2 v - |v|^2 u) x (u x v) / (2 |u x v|^2);
// for slivers the last digits decide, and MuJoCo 3.8.0 has them as seen from c.
Vec3<double> Circumcenter(const Vec3<double>& a, const Vec3<double>& b, const Vec3<double>& c) {
  const Vec3<double> u = a - c, v = b - c, normal = Cross(u, v);
  return c + Cross(v * Dot(u, u) - u * Dot(v, v), normal) * (0.5 / Dot(normal, normal));
}

BoxTree FaceTree(const CompiledMesh& mesh) {
  const std::vector<int>& faces = mesh.data.face;
  std::vector<BoxLeaf> leaves;
  leaves.reserve(mesh.data.face_count());
  for (size_t face = 0; face < mesh.data.face_count(); ++face) {
    Vec3<double> corners[3];
    for (size_t k = 0; k < 3; ++k) corners[k] = mesh.points[static_cast<size_t>(faces[3 * face + k])];
    leaves.push_back({static_cast<int>(face), BoxAround(corners), Circumcenter(corners[0], corners[1], corners[2])});
  }
  return BuildTree(std::move(leaves));
}

// ---- the pass for one mesh

// An error names the file too: the numbers that are wrong are usually there.
void DraftMesh(MeshDraft& draft, const PluginDraft* plugin, const MeshUses& uses, const mjVFS* vfs) {
  const Mesh& source = *draft.source;
  try {
    MeshData data = plugin ? PluginSurface(source, *plugin) : CollectData(source, vfs);
    // Many meshes may be of one file, so that their sum is not bounded by what files hold. Points in double precision
    // and the tree take about twice what the data does.
    constexpr double kCompiled = 3;
    KeepLoadMemory(HoldLoadMemory(kCompiled * static_cast<double>(data.Bytes()), "the mesh, with those before it,"));
    draft.mesh = CompileMesh(std::move(data), OptionsOf(source, uses.colliding.contains(source.name)));
    draft.tree = FaceTree(draft.mesh);
    if (uses.sampled.contains(source.name)) {
      draft.octree = BuildOctree(draft.mesh.points, draft.mesh.data.face, draft.tree);
    }
  } catch (const Error& error) {
    if (source.file->empty()) throw error.At(Place(source));
    throw Error(error.problem() + " (file '" + *source.file + "')", error.remedy(), error.where()).At(Place(source));
  }
}

// Reports the note of a mesh file once, however many meshes are made of the file.
void ReportNotes(const std::vector<MeshDraft>& meshes) {
  std::set<std::string_view> told;
  for (const MeshDraft& mesh : meshes) {
    const std::string &note = mesh.mesh.data.note, &file = *mesh.source->file;
    if (note.empty() || !told.insert(file).second) continue;
    Warn("%s", Error("mesh file '" + file + "': " + note, "", Place(*mesh.source)).what());
  }
}

// ---- the model

// Addresses of a mesh in the arrays of the model: where the next one begins.
struct MeshAddresses {
  int vertex, normal, texcoord, face, graph, polygon, polygon_vertex, octree;
};

template <class T, class U>
void Append(const std::vector<T>& values, U* array, int adr) {
  std::copy(values.begin(), values.end(), array + adr);
}

// Polygons, and for each vertex those around it in increasing order.
void WritePolygons(const CompiledMesh& mesh, const MeshAddresses& adr, mjModel* m) {
  int* vertex_count = m->mesh_polymapnum + adr.vertex;
  int corner = adr.polygon_vertex;
  for (size_t i = 0; i < mesh.polygons.size(); ++i) {
    const MeshPolygon& polygon = mesh.polygons[i];
    const int row = adr.polygon + static_cast<int>(i);
    PutRow(m->mesh_polynormal, row, polygon.normal);
    m->mesh_polyvertadr[row] = corner;
    m->mesh_polyvertnum[row] = static_cast<int>(polygon.vertices.size());
    Append(polygon.vertices, m->mesh_polyvert, corner);
    corner += static_cast<int>(polygon.vertices.size());
    for (const int vertex : polygon.vertices) ++vertex_count[vertex];
  }

  const auto vertices = static_cast<int>(mesh.data.vertex_count());
  std::vector<int> end(mesh.data.vertex_count());
  for (int v = 0, start = adr.polygon_vertex; v < vertices; start += vertex_count[v++]) {
    m->mesh_polymapadr[adr.vertex + v] = end[static_cast<size_t>(v)] = start;
  }
  for (size_t i = 0; i < mesh.polygons.size(); ++i) {
    for (const int vertex : mesh.polygons[i].vertices) {
      m->mesh_polymap[end[static_cast<size_t>(vertex)]++] = static_cast<int>(i);
    }
  }
}

// A cell stores its first child, and the model all eight.
void WriteOctree(const std::vector<OctreeCell>& cells, int mesh, int adr, mjModel* m) {
  m->mesh_octadr[mesh] = cells.empty() ? -1 : adr;
  m->mesh_octnum[mesh] = static_cast<int>(cells.size());
  for (const OctreeCell& cell : cells) {
    m->oct_depth[adr] = cell.depth;
    for (int c = 0; c < 8; ++c) m->oct_child[8 * adr + c] = cell.child < 0 ? -1 : cell.child + c;
    PutRow(m->oct_aabb, 2 * adr, cell.box.center);
    PutRow(m->oct_aabb, 2 * adr + 1, cell.box.half);
    PutRow(m->oct_coeff, adr, cell.distance);
    ++adr;
  }
}

// Indices of faces stay as they are: they count within the mesh.
void WriteMesh(const MeshDraft& draft, const MeshAddresses& adr, mjModel* m) {
  const CompiledMesh& mesh = draft.mesh;
  const MeshData& data = mesh.data;
  const int id = draft.source->id;
  m->mesh_vertadr[id] = adr.vertex;
  m->mesh_vertnum[id] = static_cast<int>(data.vertex_count());
  m->mesh_normaladr[id] = adr.normal;
  m->mesh_normalnum[id] = static_cast<int>(data.normal.size() / 3);
  m->mesh_texcoordadr[id] = data.texcoord.empty() ? -1 : adr.texcoord;
  m->mesh_texcoordnum[id] = static_cast<int>(data.texcoord.size() / 2);
  m->mesh_faceadr[id] = adr.face;
  m->mesh_facenum[id] = static_cast<int>(data.face_count());
  m->mesh_graphadr[id] = mesh.graph.empty() ? -1 : adr.graph;
  m->mesh_polyadr[id] = adr.polygon;
  m->mesh_polynum[id] = static_cast<int>(mesh.polygons.size());
  Append(data.vertex, m->mesh_vert, 3 * adr.vertex);
  Append(data.normal, m->mesh_normal, 3 * adr.normal);
  Append(data.texcoord, m->mesh_texcoord, 2 * adr.texcoord);
  Append(data.face, m->mesh_face, 3 * adr.face);
  Append(data.facenormal, m->mesh_facenormal, 3 * adr.face);
  Append(data.facetexcoord, m->mesh_facetexcoord, 3 * adr.face);
  Append(mesh.graph, m->mesh_graph, adr.graph);
  PutRow(m->mesh_scale, id, draft.source->scale);
  PutRow(m->mesh_pos, id, mesh.pos);
  PutRow(m->mesh_quat, id, mesh.quat);
  WritePolygons(mesh, adr, m);
  WriteOctree(draft.octree, id, adr.octree, m);
}

void Advance(const MeshDraft& draft, MeshAddresses& adr) {
  const CompiledMesh& mesh = draft.mesh;
  const auto count = [](const auto& list) { return static_cast<int>(list.size()); };
  adr.vertex += count(mesh.data.vertex) / 3;
  adr.normal += count(mesh.data.normal) / 3;
  adr.texcoord += count(mesh.data.texcoord) / 2;
  adr.face += count(mesh.data.face) / 3;
  adr.graph += count(mesh.graph);
  adr.polygon += count(mesh.polygons);
  adr.octree += count(draft.octree);
  for (const MeshPolygon& polygon : mesh.polygons) adr.polygon_vertex += count(polygon.vertices);
}

}  // namespace

// Says which meshes collide by their triangles.
void DraftTriangleMeshes(Draft& draft) {
  std::vector<double> numbers;
  for (const MeshDraft& mesh : draft.meshes) numbers.push_back(mesh.source->collision);
  if (std::count(numbers.begin(), numbers.end(), kCollideTriangles) == 0) return;
  draft.extensions.push_back({kTriangleArray, std::move(numbers)});
}

// Ids come first, serially: threads then write only to their own mesh.
void DraftMeshes(Draft& draft) {
  const MeshUses uses = FindUses(draft.spec);
  std::vector<const PluginDraft*> plugins;
  for (auto& mesh : draft.spec.List<Mesh>()) {
    mesh->id = static_cast<int>(draft.meshes.size());
    draft.meshes.push_back({mesh.get(), {}, {}, {}});
    At(*mesh, [&] {
      const int plugin = UsePlugin(draft, mesh->plugin, mjPLUGIN_SDF);
      plugins.push_back(plugin < 0 ? nullptr : &draft.plugins[static_cast<size_t>(plugin)]);
    });
  }
  const auto compile = [&](size_t i) { DraftMesh(draft.meshes[i], plugins[i], uses, draft.vfs); };
  const auto loop = static_cast<const mjSpec&>(draft.spec).compiler.usethread ? ParallelFor : SerialFor;
  loop(draft.meshes.size(), compile);
  ReportNotes(draft.meshes);
}

void WriteMeshes(const Draft& draft, mjModel* m) {
  MeshAddresses adr = {};
  for (const MeshDraft& mesh : draft.meshes) {
    WriteMesh(mesh, adr, m);
    Advance(mesh, adr);
  }
}

}  // namespace sinew::inline compile
