// Wavefront OBJ, read by tinyobjloader.
#define TINYOBJLOADER_IMPLEMENTATION  // compiled here, so that every C++ library can be used
#include <tiny_obj_loader.h>

#include <algorithm>
#include <cmath>
#include <istream>
#include <numeric>
#include <set>
#include <streambuf>
#include <string>
#include <string_view>
#include <utility>

#include "assets/mesh_files.h"
#include "assets/polygon_cut.h"
#include "core/error.h"
#include "core/real_text.h"
#include "math/vec3.h"

namespace sinew::inline assets {
namespace {

// The text without two kinds of lines that tinyobjloader adds to the format, skin weights (vw) and tags (t): nothing
// here reads them, and the library trusts the numbers in them.
// Lines are blanked where they are, since most files have none: `copy` holds the text where one has.
std::string_view WithoutExtensions(std::string_view text, std::string& copy) {
  const char* const end = text.data() + text.size();
  for (const char* begin = text.data(); begin < end;) {
    const char* const line_end = std::find_if(begin, end, [](char c) { return c == '\n' || c == '\r'; });
    const char* const word = std::find_if(begin, line_end, [](char c) { return c != ' ' && c != '\t'; });
    const std::string_view rest(word, line_end);
    if (rest.starts_with("vw") || rest.starts_with("t ") || rest.starts_with("t\t")) {
      if (copy.empty()) copy = text;
      std::fill(copy.begin() + (begin - text.data()), copy.begin() + (line_end - text.data()), ' ');
    }
    begin = line_end == end ? end : line_end + 1;
  }
  return copy.empty() ? text : copy;
}

// A stream of characters that stay where they are.
class TextBuffer : public std::streambuf {
 public:
  explicit TextBuffer(std::string_view text) {
    char* const begin = const_cast<char*>(text.data());  // buffers that are only read do not write
    setg(begin, begin, begin + text.size());
  }
};

// Whether a word is a finite number. The library reads what it does not understand as zero.
bool IsNumber(std::string_view word) {
  const bool is_plain = word.find_first_not_of("+-.0123456789eE") == std::string_view::npos;
  if (is_plain && word.find_first_of("0123456789") != std::string_view::npos) return true;
  const std::string text(word);
  char* end = nullptr;
  const double value = RealOfText(text.c_str(), &end);
  return end == text.c_str() + text.size() && std::isfinite(value);
}

// Takes the next word off a line.
std::string_view TakeWord(std::string_view* line) {
  constexpr std::string_view kBlanks = " \t";
  line->remove_prefix(std::min(line->find_first_not_of(kBlanks), line->size()));
  const std::string_view word = line->substr(0, line->find_first_of(kBlanks));
  line->remove_prefix(word.size());
  return word;
}

// The numbers of a line that begins with a keyword: of places and normals three, of texture coordinates up to three.
void CheckNumbers(std::string_view line, int number) {
  const std::string_view keyword = TakeWord(&line);
  if (keyword != "v" && keyword != "vn" && keyword != "vt") return;
  for (int i = 0; i < 3; ++i) {
    const std::string_view word = TakeWord(&line);
    if (word.empty() || word.starts_with('#')) return;
    if (!IsNumber(word)) {
      throw Error(
          "line " + std::to_string(number) + ": '" + std::string(word.substr(0, 20)) + "' is not a finite number",
          "correct it, or export the mesh again");
    }
  }
}

// Calls visit(line, number) for the lines of a text, which end with either sign, or with both.
template <class Visit>
void ForEachLine(std::string_view text, Visit&& visit) {
  for (int number = 1; !text.empty(); ++number) {
    const std::string_view line = text.substr(0, text.find_first_of("\r\n"));
    visit(line, number);
    text.remove_prefix(line.size());
    text.remove_prefix(std::min<size_t>(text.starts_with("\r\n") ? 2 : 1, text.size()));
  }
}

// A mesh has the one material of its geom: files whose parts have different ones lose that.
std::string NoteOnMaterials(std::string_view text) {
  std::set<std::string_view> names;
  ForEachLine(text, [&](std::string_view line, int) {
    if (TakeWord(&line) == "usemtl") names.insert(TakeWord(&line));
  });
  if (names.size() < 2) return "";
  return "the file has parts of " + std::to_string(names.size()) +
         " materials, which are not read: a geom has one; split the file, or give the geom a material with a texture";
}

struct ObjFile {
  tinyobj::attrib_t attributes;
  std::vector<tinyobj::shape_t> objects;
  std::string note;  // on its materials
};

ObjFile Parse(std::string_view text, bool triangulate) {
  constexpr bool kDefaultColors = false;
  TextBuffer buffer(text);
  std::istream stream(&buffer);
  ObjFile file;
  std::vector<tinyobj::material_t> materials;
  std::string warning, error;
  if (!tinyobj::LoadObj(&file.attributes, &file.objects, &materials, &warning, &error, &stream, nullptr, triangulate,
                        kDefaultColors)) {
    throw Error("the OBJ file cannot be read: " + error.substr(0, error.find('\n')), "correct it, or export it again");
  }
  return file;
}

// Whether the counts of corners of all polygons are right: they are kept in bytes.
bool HasAllCounts(const ObjFile& file) {
  return std::all_of(file.objects.begin(), file.objects.end(), [](const tinyobj::shape_t& object) {
    const auto& counts = object.mesh.num_face_vertices;
    return std::accumulate(counts.begin(), counts.end(), size_t{0}) == object.mesh.indices.size();
  });
}

// Reads a file with its polygons as they are; when the count of one does not fit, the library has to cut them.
ObjFile ParsePolygons(std::span<const std::byte> bytes) {
  std::string copy;
  const std::string_view text = WithoutExtensions({reinterpret_cast<const char*>(bytes.data()), bytes.size()}, copy);
  ForEachLine(text, CheckNumbers);
  ObjFile file = Parse(text, false);
  if (!HasAllCounts(file)) file = Parse(text, true);
  file.note = NoteOnMaterials(text);
  return file;
}

// Appends the corners of an object's triangles. A polygon with a vertex that does not exist stays a fan, for the
// message that follows.
void AddTriangleCorners(const tinyobj::mesh_t& object, std::span<const float> vertices,
                        std::vector<tinyobj::index_t>* corners) {
  const tinyobj::index_t* corner = object.indices.data();
  std::vector<int> polygon;
  for (const unsigned char count : object.num_face_vertices) {
    polygon.clear();
    for (int k = 0; k < count; ++k) polygon.push_back(corner[k].vertex_index);
    const bool is_valid = std::all_of(polygon.begin(), polygon.end(), [&](int vertex) {
      return vertex >= 0 && static_cast<size_t>(vertex) < vertices.size() / 3;
    });
    if (count > 3 && is_valid) {
      for (const int k : CutPolygon(polygon, vertices)) corners->push_back(corner[k]);
    } else {
      for (int k = 2; k < count; ++k) corners->insert(corners->end(), {corner[0], corner[k - 1], corner[k]});
    }
    corner += count;
  }
}

// ---- corners that lack a normal or a texture coordinate (index -1) while the file has some

// The normal of a triangle; the numbers of vertices are checked later, so one that does not exist gives none.
Vec3<double> FlatNormal(const MeshData& mesh, size_t face) {
  Vec3<double> corner[3];
  for (size_t k = 0; k < 3; ++k) {
    const int vertex = mesh.face[3 * face + k];
    if (vertex < 0 || static_cast<size_t>(vertex) >= mesh.vertex_count()) return {0, 0, 1};
    for (int i = 0; i < 3; ++i) corner[k][i] = mesh.vertex[3 * static_cast<size_t>(vertex) + static_cast<size_t>(i)];
  }
  return Normalized(Cross(corner[1] - corner[0], corner[2] - corner[0]));
}

// Corners without a normal take that of their face; normals that no corner has are left out, and computed later.
void CompleteNormals(MeshData& mesh) {
  const auto is_missing = [](int index) { return index < 0; };
  if (std::all_of(std::begin(mesh.facenormal), std::end(mesh.facenormal), is_missing)) {
    mesh.normal.clear();
    mesh.facenormal.clear();
  }
  for (size_t i = 0; i < mesh.facenormal.size(); ++i) {
    if (!is_missing(mesh.facenormal[i])) continue;
    const Vec3<double> normal = FlatNormal(mesh, i / 3);
    mesh.facenormal[i] = static_cast<int>(mesh.normal.size() / 3);
    for (int k = 0; k < 3; ++k) mesh.normal.push_back(static_cast<float>(normal[k]));
  }
}

// Corners without a texture coordinate share one at the image's corner.
void CompleteTexcoords(MeshData& mesh) {
  const auto is_missing = [](int index) { return index < 0; };
  if (std::all_of(std::begin(mesh.facetexcoord), std::end(mesh.facetexcoord), is_missing)) {
    mesh.texcoord.clear();
    mesh.facetexcoord.clear();
  }
  if (std::none_of(std::begin(mesh.facetexcoord), std::end(mesh.facetexcoord), is_missing)) return;
  std::replace_if(std::begin(mesh.facetexcoord), std::end(mesh.facetexcoord), is_missing,
                  static_cast<int>(mesh.texcoord.size() / 2));
  mesh.texcoord.insert(mesh.texcoord.end(), {0, 0});
}

// Faces, and the indices of normals and texture coordinates at their corners where the file has any.
void CopyFaces(const std::vector<tinyobj::index_t>& corners, MeshData& mesh) {
  mesh.face.reserve(corners.size());
  for (const tinyobj::index_t& corner : corners) mesh.face.push_back(corner.vertex_index);
  if (!mesh.normal.empty()) {
    mesh.facenormal.reserve(corners.size());
    for (const tinyobj::index_t& corner : corners) mesh.facenormal.push_back(corner.normal_index);
    CompleteNormals(mesh);
  }
  if (!mesh.texcoord.empty()) {
    mesh.facetexcoord.reserve(corners.size());
    for (const tinyobj::index_t& corner : corners) mesh.facetexcoord.push_back(corner.texcoord_index);
    CompleteTexcoords(mesh);
  }
}

}  // namespace

MeshData LoadObj(std::span<const std::byte> bytes) {
  ObjFile file = ParsePolygons(bytes);

  // Texture coordinates of OBJ begin at the lower left corner of the image.
  MeshData mesh;
  mesh.vertex = std::move(file.attributes.vertices);
  mesh.normal = std::move(file.attributes.normals);
  mesh.texcoord = std::move(file.attributes.texcoords);
  for (size_t i = 1; i < mesh.texcoord.size(); i += 2) mesh.texcoord[i] = 1 - mesh.texcoord[i];
  mesh.note = std::move(file.note);
  std::vector<tinyobj::index_t> corners;
  for (const tinyobj::shape_t& object : file.objects) AddTriangleCorners(object.mesh, mesh.vertex, &corners);
  CopyFaces(corners, mesh);
  return mesh;
}

}  // namespace sinew::inline assets
