// glTF 2.0 (Khronos, 2021), as text (.gltf) and binary (.glb): the triangles of the default scene, in its frame and its
// units as they are. Materials, skins and animations are passed over.
#include <algorithm>
#include <array>
#include <bit>
#include <cstdint>
#include <nlohmann/json.hpp>
#include <numeric>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "assets/base64.h"
#include "assets/bytes.h"
#include "assets/mesh_builder.h"
#include "assets/mesh_files.h"
#include "assets/scene_budget.h"
#include "assets/scene_placement.h"
#include "core/error.h"
#include "core/load_limits.h"
#include "math/quat.h"

namespace sinew::inline assets {
namespace {

using Json = nlohmann::json;

[[noreturn]] void Refuse(const std::string& problem) { throw Error("the glTF file " + problem, "export it again"); }

// ---- values of the document, of which none is trusted

const Json kNothing;

const Json& Member(const Json& object, const char* key) {
  if (!object.is_object()) return kNothing;
  const auto found = object.find(key);
  return found == object.end() ? kNothing : *found;
}

// A size or an index, which JSON writes as a whole number.
std::optional<size_t> Whole(const Json& object, const char* key) {
  const Json& value = Member(object, key);
  if (value.is_null()) return std::nullopt;
  if (!value.is_number_unsigned()) Refuse(std::string("has a '") + key + "' that is no whole number");
  return value.get<size_t>();
}

// An element of an array at the top, as meshes[3].
const Json& ElementOf(const Json& document, const char* array, size_t index) {
  const Json& list = Member(document, array);
  if (!list.is_array() || index >= list.size()) {
    Refuse(std::string("names ") + array + "[" + std::to_string(index) + "], which it does not have");
  }
  return list[index];
}

// Exactly N numbers; the default where there are none.
template <size_t N>
std::array<double, N> Reals(const Json& object, const char* key, const std::array<double, N>& otherwise) {
  const Json& list = Member(object, key);
  if (list.is_null()) return otherwise;
  if (!list.is_array() || list.size() != N) Refuse(std::string("has a '") + key + "' of another length");
  std::array<double, N> numbers;
  for (size_t i = 0; i < N; ++i) {
    if (!list[i].is_number()) Refuse(std::string("has a '") + key + "' that is no list of numbers");
    numbers[i] = list[i].get<double>();
  }
  return numbers;
}

// ---- buffers

// A name in a URI may have characters as "%20".
std::string FromUri(std::string_view text) {
  const auto digit = [&](size_t at) -> int {
    constexpr std::string_view kDigits = "0123456789abcdef";
    if (at >= text.size()) return -1;
    const char c = text[at] >= 'A' && text[at] <= 'F' ? static_cast<char>(text[at] - 'A' + 'a') : text[at];
    const size_t value = kDigits.find(c);
    return value == std::string_view::npos ? -1 : static_cast<int>(value);
  };
  std::string name;
  for (size_t i = 0; i < text.size(); ++i) {
    const bool is_code = text[i] == '%' && digit(i + 1) >= 0 && digit(i + 2) >= 0;
    name += is_code ? static_cast<char>(16 * digit(i + 1) + digit(i + 2)) : text[i];
    if (is_code) i += 2;
  }
  return name;
}

// The two parts of a binary file (sec. 4.4): the document, and the buffer without an address.
struct Container {
  std::string_view json;
  std::span<const std::byte> binary;
};

Container OpenContainer(std::span<const std::byte> file) {
  const auto text = [](std::span<const std::byte> bytes) {
    return std::string_view(reinterpret_cast<const char*>(bytes.data()), bytes.size());
  };
  if (!text(file).starts_with("glTF")) return {text(file), {}};
  constexpr uint32_t kJson = 0x4E4F534A, kBinary = 0x004E4942;
  ByteReader reader(file);
  reader.Skip(4);
  if (const auto version = reader.Take<uint32_t>(); version != 2) {
    Refuse("has the version " + std::to_string(version) + ", and only 2 is read");
  }
  reader.Skip(4);  // the length of the file, which is known
  Container parts;
  while (reader.left() >= 8) {
    const auto length = reader.Take<uint32_t>(), kind = reader.Take<uint32_t>();
    if (length > reader.left()) Refuse("has a part that is longer than the file");
    const std::span<const std::byte> part = file.subspan(file.size() - reader.left(), length);
    if (kind == kJson && parts.json.empty()) parts.json = text(part);
    if (kind == kBinary && parts.binary.empty()) parts.binary = part;
    reader.Skip(length);
  }
  return parts;
}

// ---- the document

class Document {
 public:
  Document(std::span<const std::byte> file, const OpenBeside& open) : open_(open) {
    const Container parts = OpenContainer(file);
    binary_ = parts.binary;
    document_ = Json::parse(parts.json, nullptr, /*allow_exceptions=*/false);
    if (!document_.is_object()) Refuse("has no document, or one that is no JSON");
    const Json& version = Member(Member(document_, "asset"), "version");
    if (!version.is_string() || !version.get_ref<const std::string&>().starts_with("2.")) {
      Refuse("is not of version 2");
    }
    CheckExtensions();
    const Json& buffers = Member(document_, "buffers");
    buffers_.resize(buffers.is_array() ? buffers.size() : 0);
  }

  // All triangles of the default scene; of all meshes where there is no scene.
  MeshData Read();

 private:
  struct View {
    std::span<const std::byte> bytes;
    size_t stride;  // 0: numbers follow each other
  };
  // Numbers in a buffer, read as the components of vectors or as indices.
  struct Accessor {
    View view;
    size_t type, count;  // the component type of the documents: 5120 is a signed byte
    bool normalized;
    double At(size_t index, size_t component) const;
  };

  void CheckExtensions() const;
  std::span<const std::byte> Buffer(size_t index);
  View BufferView(size_t index);
  Accessor OpenAccessor(size_t index, const std::string& shape);
  std::vector<size_t> Corners(const Json& primitive, size_t count, size_t weight);
  void AddPrimitive(const Json& primitive, const ScenePlacement& placement);
  void AddMesh(size_t index, const ScenePlacement& placement);
  void AddNode(size_t index, const ScenePlacement& parent, int depth);

  const OpenBeside& open_;
  std::span<const std::byte> binary_;
  Json document_;
  std::vector<std::optional<Bytes>> buffers_;  // those that were read
  SceneBudget budget_;
  MeshBuilder builder_;
};

// Positions may be quantized; other extensions that a file requires change what it says.
void Document::CheckExtensions() const {
  const Json& required = Member(document_, "extensionsRequired");
  if (!required.is_array()) return;
  static constexpr std::string_view kHarmless[] = {"KHR_mesh_quantization", "KHR_texture_transform",
                                                   "KHR_texture_basisu", "EXT_texture_webp", "KHR_materials_unlit"};
  for (const Json& name : required) {
    const std::string text = name.is_string() ? name.get<std::string>() : "";
    if (std::find(std::begin(kHarmless), std::end(kHarmless), text) != std::end(kHarmless)) continue;
    throw Error("the glTF file requires the extension '" + text.substr(0, 60) + "', which is not read",
                "export it without compression");
  }
}

std::span<const std::byte> Document::Buffer(size_t index) {
  const Json& buffer = ElementOf(document_, "buffers", index);
  const Json& address = Member(buffer, "uri");
  if (address.is_null()) {
    if (index != 0) Refuse("has a buffer without an address that is not its first");
    return binary_;
  }
  if (!address.is_string()) Refuse("has a buffer whose address is no text");
  std::optional<Bytes>& bytes = buffers_[index];
  if (!bytes) {
    const std::string& text = address.get_ref<const std::string&>();
    const size_t comma = text.find(',');
    if (!text.starts_with("data:")) {
      bytes = open_ ? open_(FromUri(text)) : std::nullopt;
      if (!bytes) throw Error("cannot open the buffer '" + text + "' of the glTF file", "put it beside the file");
    } else if (comma == std::string::npos || !text.substr(0, comma).ends_with(";base64")) {
      Refuse("has a buffer that is no base64");
    } else {
      bytes = FromBase64(std::string_view(text).substr(comma + 1));
      if (!bytes) Refuse("has a buffer that is no base64");
    }
  }
  return std::as_bytes(std::span(*bytes));
}

Document::View Document::BufferView(size_t index) {
  const Json& view = ElementOf(document_, "bufferViews", index);
  const auto buffer = Whole(view, "buffer"), length = Whole(view, "byteLength");
  if (!buffer || !length) Refuse("has a bufferView without a buffer or a length");
  const std::span<const std::byte> bytes = Buffer(*buffer);
  const size_t offset = Whole(view, "byteOffset").value_or(0);
  if (offset > bytes.size() || *length > bytes.size() - offset)
    Refuse("has a bufferView that is longer than its buffer");
  return {bytes.subspan(offset, *length), Whole(view, "byteStride").value_or(0)};
}

size_t BytesOfComponent(size_t type) {
  static constexpr size_t kBytes[] = {1, 1, 2, 2, 0, 4, 4};  // 5120 to 5126; 5124 is not used
  if (type < 5120 || type > 5126 || type == 5124) Refuse("has numbers of an unknown type");
  return kBytes[type - 5120];
}

Document::Accessor Document::OpenAccessor(size_t index, const std::string& shape) {
  const Json& accessor = ElementOf(document_, "accessors", index);
  const auto view_index = Whole(accessor, "bufferView"), count = Whole(accessor, "count");
  if (!view_index || !count || !Member(accessor, "sparse").is_null()) {
    Refuse("has numbers that are sparse or have no bufferView, which is not read");
  }
  const Json& type = Member(accessor, "type");
  if (!type.is_string() || type.get_ref<const std::string&>() != shape) Refuse("has numbers that are no " + shape);
  View view = BufferView(*view_index);
  const size_t component = Whole(accessor, "componentType").value_or(0);
  const size_t item = BytesOfComponent(component) * (shape == "VEC3" ? 3 : 1);
  if (view.stride == 0) view.stride = item;
  const size_t offset = Whole(accessor, "byteOffset").value_or(0);
  const size_t room = offset <= view.bytes.size() ? view.bytes.size() - offset : 0;
  if (view.stride < item || (*count > 0 && (room < item || *count - 1 > (room - item) / view.stride))) {
    Refuse("has numbers that are longer than their bufferView");
  }
  view.bytes = view.bytes.subspan(std::min(offset, view.bytes.size()));
  const Json& normalized = Member(accessor, "normalized");
  return {view, component, *count, normalized.is_boolean() && normalized.get<bool>()};
}

// Normalized integers stand for -1 to 1, or 0 to 1 (sec. 3.11).
double Document::Accessor::At(size_t index, size_t component) const {
  const size_t bytes = BytesOfComponent(type);
  const std::byte* from = view.bytes.data() + index * view.stride + component * bytes;
  const auto take = [&]<class T>(T value, double largest) {
    std::memcpy(&value, from, sizeof(value));
    return normalized ? std::max(static_cast<double>(value) / largest, -1.0) : static_cast<double>(value);
  };
  switch (type) {
    case 5120:
      return take(int8_t{}, 127);
    case 5121:
      return take(uint8_t{}, 255);
    case 5122:
      return take(int16_t{}, 32767);
    case 5123:
      return take(uint16_t{}, 65535);
    case 5125:
      return take(uint32_t{}, 1);
    default:
      return take(float{}, 1);
  }
}

// ---- scenes

enum Mode : size_t { kTriangles = 4, kStrip = 5, kFan = 6 };

// The positions that the corners of a primitive are, of which there are `count`; `weight` says how many corners of
// triangles each makes.
std::vector<size_t> Document::Corners(const Json& primitive, size_t count, size_t weight) {
  CheckLoadTime("the scene of a mesh file");
  const auto index = Whole(primitive, "indices");
  if (!index) {
    budget_.TakeCorners(weight * count);
    std::vector<size_t> corners(count);
    std::iota(corners.begin(), corners.end(), size_t{0});
    return corners;
  }
  const Accessor indices = OpenAccessor(*index, "SCALAR");
  budget_.TakeCorners(weight * indices.count);
  std::vector<size_t> corners;
  corners.reserve(indices.count);
  for (size_t i = 0; i < indices.count; ++i) {
    const double corner = indices.At(i, 0);
    if (!(corner >= 0) || corner >= static_cast<double>(count)) Refuse("names a vertex that it does not have");
    corners.push_back(static_cast<size_t>(corner));
  }
  return corners;
}

void Document::AddPrimitive(const Json& primitive, const ScenePlacement& placement) {
  budget_.TakeElement();
  const size_t mode = Whole(primitive, "mode").value_or(kTriangles);
  if (mode < kTriangles || mode > kFan) return;  // points and lines
  const auto position_index = Whole(Member(primitive, "attributes"), "POSITION");
  if (!position_index) return;
  const Accessor positions = OpenAccessor(*position_index, "VEC3");
  const std::vector<size_t> indices = Corners(primitive, positions.count, mode == kTriangles ? 1 : 3);
  // Many primitives may share the positions, so only those of this one are read, a point for each corner.
  std::vector<float> points;
  points.reserve(3 * indices.size());
  for (const size_t index : indices) {
    for (size_t k = 0; k < 3; ++k) points.push_back(static_cast<float>(positions.At(index, k)));
  }
  std::vector<int64_t> corners(indices.size());
  std::iota(corners.begin(), corners.end(), 0);
  MeshBuilder faces;
  if (mode == kStrip) faces.AddStrip(corners, points);
  if (mode == kFan) faces.AddFan(corners, points);
  if (mode == kTriangles) {
    for (size_t i = 0; i + 2 < corners.size(); i += 3) faces.AddPolygon(std::span(corners).subspan(i, 3), points);
  }
  placement.Add(faces.corners(), builder_);
}

void Document::AddMesh(size_t index, const ScenePlacement& placement) {
  const Json& primitives = Member(ElementOf(document_, "meshes", index), "primitives");
  if (!primitives.is_array()) return;
  for (const Json& primitive : primitives) AddPrimitive(primitive, placement);
}

ScenePlacement PlacementOf(const Json& node) {
  if (!Member(node, "matrix").is_null()) {
    const auto m = Reals<16>(node, "matrix", {});  // by columns
    return {{{m[0], m[4], m[8], m[1], m[5], m[9], m[2], m[6], m[10]}}, {m[12], m[13], m[14]}};
  }
  const auto t = Reals<3>(node, "translation", {0, 0, 0}), s = Reals<3>(node, "scale", {1, 1, 1});
  const auto q = Reals<4>(node, "rotation", {0, 0, 0, 1});  // x, y, z, w
  const Mat3<double> R = ToMat3(Normalized(Quat<double>{q[3], q[0], q[1], q[2]}));
  return {R * Mat3<double>{{s[0], 0, 0, 0, s[1], 0, 0, 0, s[2]}}, {t[0], t[1], t[2]}};
}

// A node that is its own descendant ends with the budget of nodes.
void Document::AddNode(size_t index, const ScenePlacement& parent, int depth) {
  budget_.TakeNode(depth);
  const Json& node = ElementOf(document_, "nodes", index);
  const ScenePlacement placement = parent * PlacementOf(node);
  if (const auto mesh = Whole(node, "mesh")) AddMesh(*mesh, placement);
  const Json& children = Member(node, "children");
  if (!children.is_array()) return;
  for (const Json& child : children) {
    if (!child.is_number_unsigned()) Refuse("has a node whose child is no whole number");
    AddNode(child.get<size_t>(), placement, depth + 1);
  }
}

MeshData Document::Read() {
  const Json& scenes = Member(document_, "scenes");
  if (scenes.is_array() && !scenes.empty()) {
    const Json& roots = Member(ElementOf(document_, "scenes", Whole(document_, "scene").value_or(0)), "nodes");
    for (const Json& root : roots.is_array() ? roots : Json::array()) {
      if (!root.is_number_unsigned()) Refuse("has a scene whose node is no whole number");
      AddNode(root.get<size_t>(), {}, 1);
    }
  } else if (const Json& meshes = Member(document_, "meshes"); meshes.is_array()) {
    for (size_t i = 0; i < meshes.size(); ++i) AddMesh(i, {});
  }
  if (builder_.corner_count() == 0)
    throw Error("the scene in the glTF file has no triangles", "export the shape itself");
  return builder_.Finish();
}

}  // namespace

MeshData LoadGltf(std::span<const std::byte> bytes, const OpenBeside& open) { return Document(bytes, open).Read(); }

}  // namespace sinew::inline assets
