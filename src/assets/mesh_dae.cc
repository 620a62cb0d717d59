// COLLADA 1.4 and 1.5 (Khronos, 2008): the triangles of the visual scene, in metres. The axis that a file calls up does
// not count: robots give their meshes in the frame of the link. Materials, skinning and animations are passed over.
#include <algorithm>
#include <array>
#include <cmath>
#include <cstdint>
#include <map>
#include <numbers>
#include <optional>
#include <pugixml.hpp>
#include <string>
#include <string_view>
#include <unordered_map>
#include <utility>
#include <vector>

#include "assets/mesh_builder.h"
#include "assets/mesh_files.h"
#include "assets/scene_budget.h"
#include "assets/scene_placement.h"
#include "assets/text_reader.h"
#include "core/error.h"
#include "core/load_limits.h"
#include "math/quat.h"

namespace sinew::inline assets {
namespace {

using Node = pugi::xml_node;

[[noreturn]] void Refuse(const std::string& problem) { throw Error("the COLLADA file " + problem, "export it again"); }

// The name without the prefix of a namespace.
std::string_view NameOf(const Node& node) {
  const std::string_view name = node.name();
  return name.substr(name.rfind(':') + 1);
}

Node Child(const Node& node, std::string_view name) {
  for (const Node& child : node.children()) {
    if (NameOf(child) == name) return child;
  }
  return {};
}

std::vector<double> Reals(const Node& node) {
  TextReader words{std::string(node.text().get())};
  std::vector<double> numbers;
  while (words.HasWord()) numbers.push_back(words.Real());
  return numbers;
}

std::vector<int64_t> Ints(const Node& node) {
  TextReader words{std::string(node.text().get())};
  std::vector<int64_t> numbers;
  while (words.HasWord()) numbers.push_back(words.Int());
  return numbers;
}

// A whole number of an attribute; the default where there is none.
size_t Whole(const Node& node, const char* name, size_t otherwise) {
  const pugi::xml_attribute attribute = node.attribute(name);
  if (!attribute) return otherwise;
  TextReader words{std::string(attribute.value())};
  const int64_t value = words.Int();
  constexpr int64_t kLargest = 1'000'000'000;
  if (value < 0 || value > kLargest) Refuse(std::string("has a '") + name + "' out of range");
  return static_cast<size_t>(value);
}

// ---- the transformations of a node

template <size_t N>
std::array<double, N> Exactly(const Node& node) {
  const std::vector<double> numbers = Reals(node);
  if (numbers.size() != N) Refuse("has a '" + std::string(NameOf(node)) + "' of another length");
  std::array<double, N> array;
  std::copy(numbers.begin(), numbers.end(), array.begin());
  return array;
}

// They apply in the order in which they stand, the last one first.
ScenePlacement PlacementOf(const Node& node) {
  ScenePlacement placement;
  for (const Node& child : node.children()) {
    const std::string_view kind = NameOf(child);
    if (kind == "matrix") {
      const auto m = Exactly<16>(child);
      placement = placement * ScenePlacement::FromRows(std::span(m).first<12>());
    } else if (kind == "translate") {
      const auto t = Exactly<3>(child);
      placement = placement * ScenePlacement{Identity3<double>(), {t[0], t[1], t[2]}};
    } else if (kind == "scale") {
      const auto s = Exactly<3>(child);
      placement = placement * ScenePlacement{{{s[0], 0, 0, 0, s[1], 0, 0, 0, s[2]}}, {0, 0, 0}};
    } else if (kind == "rotate") {
      const auto r = Exactly<4>(child);  // axis and degrees
      const Vec3<double> axis = {r[0], r[1], r[2]};
      const double length = Norm(axis);
      if (!(length > 0)) continue;
      const Quat<double> turn = AxisAngle(axis * (1 / length), r[3] * std::numbers::pi / 180);
      placement = placement * ScenePlacement{ToMat3(turn), {0, 0, 0}};
    } else if (kind == "skew" || kind == "lookat") {
      Refuse("has a node with '" + std::string(kind) + "', which is not read");
    }
  }
  return placement;
}

// ---- geometries

class Document {
 public:
  explicit Document(std::span<const std::byte> file) {
    constexpr unsigned kOptions = pugi::parse_default;
    const pugi::xml_parse_result result = document_.load_buffer(file.data(), file.size(), kOptions);
    if (!result) Refuse(std::string("is no XML: ") + result.description());
    root_ = document_.document_element();
    if (NameOf(root_) != "COLLADA") Refuse("has another root element");
    CollectIds();
  }

  MeshData Read();

 private:
  using Triangles = std::vector<CornerBits>;

  void CollectIds();
  Node Find(const Node& node, const char* attribute) const;
  const std::vector<float>& Positions(const Node& vertices);
  void AddPrimitives(const Node& primitives, MeshBuilder& faces);
  const Triangles& TrianglesOf(const Node& geometry);
  void AddGeometry(const Node& geometry, const ScenePlacement& placement);
  void AddNode(const Node& node, const ScenePlacement& parent, int depth);
  double Unit() const;

  pugi::xml_document document_;
  Node root_;
  std::unordered_map<std::string_view, Node> by_id_;
  // Arrays and triangles that were read already, by the offset of their element in the file.
  std::map<ptrdiff_t, std::vector<float>> positions_;
  std::map<ptrdiff_t, Triangles> triangles_;
  SceneBudget budget_;
  MeshBuilder builder_;
};

// The first element with an identifier counts. The walk is no recursion: elements may be nested deep.
void Document::CollectIds() {
  Node node = root_;
  while (node) {
    if (const pugi::xml_attribute id = node.attribute("id")) by_id_.emplace(id.value(), node);
    if (node.first_child()) {
      node = node.first_child();
      continue;
    }
    while (node && node != root_ && !node.next_sibling()) node = node.parent();
    node = node == root_ ? Node() : node.next_sibling();
  }
}

// Returns the node that an address within the file ("#id") refers to; a null node for other addresses.
Node Document::Find(const Node& node, const char* attribute) const {
  const std::string_view address = node.attribute(attribute).value();
  if (!address.starts_with('#')) return {};
  const auto found = by_id_.find(address.substr(1));
  return found == by_id_.end() ? Node() : found->second;
}

// The x, y and z of a <vertices> (or of a source itself), which an accessor finds among the numbers of an array.
const std::vector<float>& Document::Positions(const Node& vertices) {
  const auto [entry, is_new] = positions_.try_emplace(vertices.offset_debug());
  if (!is_new) return entry->second;
  Node source = vertices;
  for (const Node& input : vertices.children()) {
    if (NameOf(input) == "input" && std::string_view(input.attribute("semantic").value()) == "POSITION") {
      source = Find(input, "source");
    }
  }
  const Node accessor = Child(Child(source, "technique_common"), "accessor");
  const Node array = Find(accessor, "source");
  if (!array) Refuse("has vertices without positions");
  const std::vector<double> numbers = Reals(array);
  const size_t count = Whole(accessor, "count", 0), stride = Whole(accessor, "stride", 1);
  const size_t offset = Whole(accessor, "offset", 0);
  if (stride < 3) Refuse("has positions of less than three numbers");
  if (offset > numbers.size() || count > (numbers.size() - offset) / stride)
    Refuse("has less positions than it declares");
  std::vector<float>& positions = entry->second;
  positions.reserve(3 * count);
  for (size_t i = 0; i < count; ++i) {
    for (size_t k = 0; k < 3; ++k) positions.push_back(static_cast<float>(numbers[offset + i * stride + k]));
  }
  return positions;
}

// The vertices of the corners that a <p> lists, which holds `stride` indices for each corner.
std::vector<int64_t> VerticesOf(const Node& list, size_t stride, size_t offset) {
  const std::vector<int64_t> indices = Ints(list);
  std::vector<int64_t> vertices;
  for (size_t i = offset; i < indices.size(); i += stride) vertices.push_back(indices[i]);
  return vertices;
}

// One of <triangles>, <polylist>, <polygons>, <tristrips>, <trifans>.
void Document::AddPrimitives(const Node& primitives, MeshBuilder& faces) {
  const std::string_view kind = NameOf(primitives);
  size_t stride = 0, offset = 0;
  Node vertices;
  for (const Node& input : primitives.children()) {
    if (NameOf(input) != "input") continue;
    const size_t at = Whole(input, "offset", 0);
    stride = std::max(stride, at + 1);
    if (std::string_view(input.attribute("semantic").value()) != "VERTEX") continue;
    vertices = Find(input, "source");
    offset = at;
  }
  if (!vertices) return;
  const std::vector<float>& positions = Positions(vertices);
  const std::vector<int64_t> counts = kind == "polylist" ? Ints(Child(primitives, "vcount")) : std::vector<int64_t>();
  for (const Node& child : primitives.children()) {
    const std::string_view name = NameOf(child);
    // A polygon with holes has its outline in a <p> of its own; the holes are filled.
    const Node list = name == "p" ? child : name == "ph" ? Child(child, "p") : Node();
    if (!list) continue;
    CheckLoadTime("the scene of a mesh file");
    const std::vector<int64_t> corners = VerticesOf(list, stride, offset);
    const std::span<const int64_t> all(corners);
    if (kind == "tristrips") {
      faces.AddStrip(all, positions);
    } else if (kind == "trifans") {
      faces.AddFan(all, positions);
    } else if (kind == "polygons") {
      faces.AddPolygon(all, positions);
    } else if (kind == "triangles") {
      for (size_t i = 0; i + 2 < all.size(); i += 3) faces.AddPolygon(all.subspan(i, 3), positions);
    } else {
      size_t begin = 0;
      for (const int64_t count : counts) {
        if (count < 0 || static_cast<size_t>(count) > all.size() - begin) Refuse("has less corners than its polygons");
        faces.AddPolygon(all.subspan(begin, static_cast<size_t>(count)), positions);
        begin += static_cast<size_t>(count);
      }
    }
  }
}

// They are read once, however often a geometry is used.
const Document::Triangles& Document::TrianglesOf(const Node& geometry) {
  const auto [entry, is_new] = triangles_.try_emplace(geometry.offset_debug());
  if (!is_new) return entry->second;
  static constexpr std::string_view kPrimitives[] = {"triangles", "polylist", "polygons", "tristrips", "trifans"};
  MeshBuilder faces;
  for (const Node& child : Child(geometry, "mesh").children()) {
    if (std::find(std::begin(kPrimitives), std::end(kPrimitives), NameOf(child)) == std::end(kPrimitives)) continue;
    AddPrimitives(child, faces);
  }
  entry->second.assign(faces.corners().begin(), faces.corners().end());
  return entry->second;
}

void Document::AddGeometry(const Node& geometry, const ScenePlacement& placement) {
  if (NameOf(geometry) != "geometry") return;
  const Triangles& triangles = TrianglesOf(geometry);
  budget_.TakeCorners(triangles.size());
  placement.Add(triangles, builder_);
}

// ---- the scene

// A node that is its own descendant ends with the budget of nodes.
void Document::AddNode(const Node& node, const ScenePlacement& parent, int depth) {
  budget_.TakeNode(depth);
  CheckLoadTime("the scene of a mesh file");
  const ScenePlacement placement = NameOf(node) == "node" ? parent * PlacementOf(node) : parent;
  for (const Node& child : node.children()) {
    budget_.TakeElement();
    const std::string_view kind = NameOf(child);
    if (kind == "node") {
      AddNode(child, placement, depth + 1);
    } else if (kind == "instance_node") {
      if (const Node target = Find(child, "url"); NameOf(target) == "node") AddNode(target, placement, depth + 1);
    } else if (kind == "instance_geometry") {
      AddGeometry(Find(child, "url"), placement);
    } else if (kind == "instance_controller") {
      AddGeometry(Find(Child(Find(child, "url"), "skin"), "source"), placement);  // as it is before it bends
    }
  }
}

// The length of a unit of the file [m].
double Document::Unit() const {
  const pugi::xml_attribute meter = Child(Child(root_, "asset"), "unit").attribute("meter");
  if (!meter) return 1;
  TextReader words{std::string(meter.value())};
  const double unit = words.Real();
  if (!(unit > 0) || !std::isfinite(unit)) Refuse("has a unit that is no length");
  return unit;
}

// The scene that the file names, else its first; all geometries where there is none.
MeshData Document::Read() {
  const double unit = Unit();
  const ScenePlacement metres = {{{unit, 0, 0, 0, unit, 0, 0, 0, unit}}, {0, 0, 0}};
  Node scene = Find(Child(Child(root_, "scene"), "instance_visual_scene"), "url");
  if (!scene) scene = Child(Child(root_, "library_visual_scenes"), "visual_scene");
  if (scene) {
    AddNode(scene, metres, 1);
  } else {
    for (const Node& geometry : Child(root_, "library_geometries").children()) AddGeometry(geometry, metres);
  }
  if (builder_.corner_count() == 0) {
    throw Error("the scene in the COLLADA file has no triangles", "export the shape itself");
  }
  return builder_.Finish();
}

}  // namespace

MeshData LoadDae(std::span<const std::byte> bytes) { return Document(bytes).Read(); }

}  // namespace sinew::inline assets
