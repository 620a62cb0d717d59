// The document is changed as a tree of the parser, so that comments, and the order of everything, stay.
#include "mjcf/migrate.h"

#include <filesystem>
#include <functional>
#include <pugixml.hpp>
#include <set>
#include <string_view>
#include <utility>

#include "core/error.h"
#include "core/path.h"
#include "core/resources.h"
#include "math/vec3.h"
#include "mjcf/gone.h"
#include "mjcf/numbers.h"

namespace sinew::mjcf {
namespace {

namespace fs = std::filesystem;
using Node = pugi::xml_node;

// Elements may be nested so deep; includes count.
constexpr int kMaxDepth = 500;

std::string Get(const Node& node, const char* attribute) { return node.attribute(attribute).value(); }

void Set(Node node, const char* attribute, const std::string& value) {
  if (!node.attribute(attribute)) node.append_attribute(attribute);
  node.attribute(attribute).set_value(value.c_str());
}

// Numbers of an attribute; fewer than three where it has no vector.
std::vector<double> Reals(const Node& node, const char* attribute) {
  std::vector<double> numbers;
  for (const std::string& word : Words(Get(node, attribute))) {
    if (ParseReal(word, &numbers.emplace_back()) != NumberError::kNone) return {};
  }
  return numbers;
}

std::string Text(const std::vector<double>& numbers) {
  constexpr int kDigits = 12;  // of positions, whose differences have rounding in the last ones
  std::string text;
  for (const double number : numbers) {
    if (!text.empty()) text += ' ';
    text += RealText(number, kDigits);
  }
  return text;
}

// "<option>", "<geom name='foot'>"
std::string NameOf(const Node& node) {
  const std::string name = Get(node, std::string_view(node.name()) == "default" ? "class" : "name");
  return std::string("<") + node.name() + (name.empty() ? "" : " '" + name + "'") + ">";
}

// Streams are those of the C++ library that pugixml was built with, which may be another one than ours.
struct TextWriter : pugi::xml_writer {
  std::string text;
  void write(const void* data, size_t size) override { text.append(static_cast<const char*>(data), size); }
};

class Migrator {
 public:
  Migrator(const mjVFS* vfs, std::string main_folder) : vfs_(vfs), main_folder_(std::move(main_folder)) {}

  void Load(const std::string& file, pugi::xml_document& document);
  void Expand(Node node, const std::string& file, int depth);
  void Walk(Node node);
  void SetRoot(Node root) { root_ = root; }
  void MovePaths(Node root, const fs::path& from, const fs::path& to);
  void NameTopClass(Node root);
  std::vector<std::string> TakeChanges() { return std::move(changes_); }

 private:
  void Tell(const Node& node, const std::string& change) { changes_.push_back(NameOf(node) + ": " + change); }
  void Leave(const Node& node, const GoneWord& word) {
    changes_.push_back("left: " + NameOf(node) + ": " + word.Problem() + "; " + word.advice);
  }
  void Treat(Node node, pugi::xml_attribute attribute, const GoneWord& word);
  void Rename(Node node, pugi::xml_attribute attribute, const GoneWord& word);
  bool TreatSpecial(Node node, pugi::xml_attribute attribute, const GoneWord& word);

  void ReplaceCollision(Node option, const std::string& value);
  bool MakeLocal(Node compiler);
  bool MakeReplicate(Node composite);
  Node TopDefault(Node root);

  const mjVFS* vfs_;
  std::string main_folder_;
  Node root_;  // of the main document
  std::set<std::string> included_;
  std::vector<std::string> changes_;
};

// ---- files

void Migrator::Load(const std::string& file, pugi::xml_document& document) {
  const auto content = ReadResource(vfs_, "", file);
  if (!content) throw Error("cannot open the file '" + file + "'", "correct the name");
  if (!included_.insert(NormalizePath(file)).second) throw Error("the file '" + file + "' is included twice");
  constexpr unsigned kOptions = pugi::parse_default | pugi::parse_comments | pugi::parse_declaration;
  const auto result = document.load_buffer(content->data(), content->size(), kOptions, pugi::encoding_utf8);
  if (!result) throw Error(std::string("malformed XML: ") + result.description(), "", {file, 0, ""});
}

// Includes become what the files hold, since these may have old words too.
void Migrator::Expand(Node node, const std::string& file, int depth) {
  if (depth > kMaxDepth) throw Error("elements are nested more than " + std::to_string(kMaxDepth) + " deep");
  for (Node child = node.first_child(), next; child; child = next) {
    next = child.next_sibling();
    if (std::string_view(child.name()) != "include") {
      Expand(child, file, depth + 1);
      continue;
    }
    const std::string name = Get(child, "file");
    std::string path = JoinPath(main_folder_, name);
    if (!Resource::Exists(vfs_, "", path)) path = JoinPath(DirName(file), name);
    pugi::xml_document included;
    Load(path, included);
    Expand(included.document_element(), path, depth + 1);
    for (const Node& inside : included.document_element().children()) node.insert_copy_before(inside, child);
    Tell(child, "the file '" + name + "' stands in its place");
    node.remove_child(child);
  }
}

// Folders of assets, and files of models that are attached, are relative to the document.
void Migrator::MovePaths(Node root, const fs::path& from, const fs::path& to) {
  const std::string way = from.lexically_normal().lexically_relative(to.lexically_normal()).string();
  if (way.empty() || way == ".") return;
  const auto moved = [&](const std::string& path) { return IsAbsolutePath(path) ? path : JoinPath(way, path); };
  Node compiler = root.child("compiler");
  if (!compiler) compiler = root.prepend_child("compiler");
  for (const char* folder : {"meshdir", "texturedir"}) {
    const std::string own = Get(compiler, folder);
    Set(compiler, folder, moved(own.empty() ? Get(compiler, "assetdir") : own));
  }
  compiler.remove_attribute("assetdir");
  Tell(compiler, "assets are looked for in '" + way + "'");
  for (Node asset : root.children("asset")) {
    for (Node model : asset.children("model")) Set(model, "file", moved(Get(model, "file")));
  }
}

// ---- words

void Migrator::Walk(Node node) {
  for (Node child = node.first_child(), next; child; child = next) {
    next = child.next_sibling();
    if (child.type() != pugi::node_element) continue;
    if (const GoneWord* word = FindGone(child.name(), "", "")) Leave(child, *word);
    if (const GoneWord* word = FindGone(child.name(), "type", Get(child, "type"))) {
      // A composite goes as a whole, with its words.
      if (word->action == GoneAction::kTell || !MakeReplicate(child)) Leave(child, *word);
      continue;
    }
    for (pugi::xml_attribute attribute = child.first_attribute(), after; attribute; attribute = after) {
      after = attribute.next_attribute();
      const GoneWord* word = FindGone(child.name(), attribute.name(), attribute.value());
      const bool is_class = std::string_view(child.name()) == "default";  // by NameTopClass
      if (word && !is_class) Treat(child, attribute, *word);
    }
    Walk(child);
  }
}

void Migrator::Treat(Node node, pugi::xml_attribute attribute, const GoneWord& word) {
  if (word.action == GoneAction::kRename) return Rename(node, attribute, word);
  if (word.action == GoneAction::kTell ||
      (word.action == GoneAction::kSpecial && !TreatSpecial(node, attribute, word))) {
    return Leave(node, word);
  }
  if (word.action != GoneAction::kDelete) return;
  Tell(node, std::string("'") + word.attribute + "' is deleted; it is gone since MuJoCo " + word.since);
  node.remove_attribute(attribute);
}

// A value without a new word, or beside its successor, is for a person.
void Migrator::Rename(Node node, pugi::xml_attribute attribute, const GoneWord& word) {
  std::string value = attribute.value();
  const std::vector<std::string> values = Words(word.values);
  bool is_known = values.empty();
  for (size_t i = 0; i + 1 < values.size() && !is_known; i += 2) {
    is_known = value == values[i];
    if (is_known) value = values[i + 1];
  }
  if (!is_known || node.attribute(word.to)) return Leave(node, word);
  Tell(node, std::string("'") + word.attribute + "' becomes " + word.to + "=\"" + value + "\"; gone since MuJoCo " +
                 word.since);
  attribute.set_name(word.to);
  attribute.set_value(value.c_str());
}

bool Migrator::TreatSpecial(Node node, pugi::xml_attribute attribute, const GoneWord& word) {
  const std::string_view name = word.attribute;
  const std::string value = attribute.value();
  if (name == "coordinate" && !MakeLocal(node)) return false;
  if (name == "collision") ReplaceCollision(node, value);
  if (name == "passive") {
    for (const char* part : {"spring", "damper"}) Set(node, part, value);
    Tell(node, "'passive' becomes 'spring' and 'damper'; gone since MuJoCo " + std::string(word.since));
  }
  if (name == "exactmeshinertia" && value == "true") {
    Node mesh = TopDefault(root_).append_child("mesh");
    Set(mesh, "inertia", "exact");
    Tell(node, "'exactmeshinertia' becomes inertia=\"exact\" of all meshes, in the class at the top");
  } else if (name != "passive") {
    Tell(node, std::string("'").append(name) + "' is deleted; it is gone since MuJoCo " + word.since);
  }
  node.remove_attribute(attribute);
  return true;
}

// "all", the default, needs nothing. "dynamic" had no pairs; "predefined" had nothing but them.
void Migrator::ReplaceCollision(Node option, const std::string& value) {
  Node root = root_;
  if (value == "dynamic") {
    for (Node contact : root.children("contact")) {
      while (Node pair = contact.child("pair")) contact.remove_child(pair);
    }
    Tell(option, "pairs are deleted, since collision was dynamic");
  } else if (value == "predefined") {
    const std::function<void(Node)> clear = [&](Node node) {
      if (std::string_view(node.name()) == "geom") {
        for (const char* mask : {"contype", "conaffinity"}) node.remove_attribute(mask);
      }
      for (Node child : node.children()) clear(child);
    };
    clear(root);
    Node top = TopDefault(root);
    Node geom = top.child("geom") ? top.child("geom") : top.append_child("geom");
    for (const char* mask : {"contype", "conaffinity"}) Set(geom, mask, "0");
    Tell(option,
         "geoms get contype=\"0\" and conaffinity=\"0\" in the class at the top, since collision was predefined");
  }
}

// ---- classes

Node Migrator::TopDefault(Node root) {
  if (Node top = root.child("default")) return top;
  Node compiler = root.child("compiler");
  return compiler ? root.insert_child_after("default", compiler) : root.prepend_child("default");
}

// The class at the top is main, whatever it was called, and what a class "main" inside of it says is said of all.
void Migrator::NameTopClass(Node root) {
  const std::function<void(Node, const std::string&)> refer = [&](Node node, const std::string& old) {
    for (const char* reference : {"class", "childclass"}) {
      if (Get(node, reference) == old) Set(node, reference, "main");
    }
    for (Node child : node.children()) refer(child, old);
  };
  for (Node top : root.children("default")) {
    const std::string name = Get(top, "class");
    if (!name.empty() && name != "main") {
      refer(root, name);
      Tell(top, "the class at the top, '" + name + "', becomes 'main', as does what refers to it");
    }
    for (Node inside = top.child("default"), next; inside; inside = next) {
      next = inside.next_sibling("default");
      if (Get(inside, "class") != "main") continue;
      for (const Node& value : inside.children()) top.insert_copy_before(value, inside);
      Tell(inside, "what the class 'main' inside of the class at the top says stands there");
      top.remove_child(inside);
    }
  }
}

// ---- global coordinates

constexpr const char* kOrientations[] = {"quat", "axisangle", "xyaxes", "zaxis", "euler"};

bool IsTurned(const Node& node) {
  for (const char* orientation : kOrientations) {
    if (node.attribute(orientation)) return true;
  }
  return false;
}

// Whether bodies are only moved, and each says where it is: then local positions are differences.
bool CanBeLocal(const Node& body) {
  for (const Node& child : body.children("body")) {
    const bool has_place = Reals(child, "pos").size() == 3 || Reals(child.child("inertial"), "pos").size() == 3;
    if (IsTurned(child) || !has_place || !CanBeLocal(child)) return false;
  }
  return true;
}

void Shift(Node node, const char* attribute, const Vec3<double>& by) {
  std::vector<double> numbers = Reals(node, attribute);
  if (numbers.empty() || numbers.size() % 3 != 0) return;
  for (size_t i = 0; i < numbers.size(); ++i) numbers[i] -= by[static_cast<int>(i % 3)];
  Set(node, attribute, Text(numbers));
}

// `at` is the place of the body in the world.
void MakeContentLocal(Node body, const Vec3<double>& at) {
  for (Node child : body.children()) {
    if (std::string_view(child.name()) != "body") {
      Shift(child, "pos", at);
      Shift(child, "fromto", at);
      continue;
    }
    std::vector<double> place = Reals(child, "pos");
    if (place.size() != 3) place = Reals(child.child("inertial"), "pos");  // as old releases did
    MakeContentLocal(child, {place[0], place[1], place[2]});
    Set(child, "pos", Text(place));
    Shift(child, "pos", at);
  }
}

bool Migrator::MakeLocal(Node compiler) {
  Node root = root_;
  for (const Node& world : root.children("worldbody")) {
    if (!CanBeLocal(world)) return false;
  }
  for (Node world : root.children("worldbody")) {
    for (Node child : world.children("body")) {
      // The world is where it was; its own content stays.
      std::vector<double> place = Reals(child, "pos");
      if (place.size() != 3) place = Reals(child.child("inertial"), "pos");
      MakeContentLocal(child, {place[0], place[1], place[2]});
      Set(child, "pos", Text(place));
    }
  }
  Tell(compiler, "positions in the world become positions in the frame of the parent body");
  return true;
}

// ---- particles

// Bodies on a grid around the middle, each with the joints and geoms of the composite; three slides where there is
// none.
bool Migrator::MakeReplicate(Node composite) {
  std::vector<double> count = Reals(composite, "count"), offset = Reals(composite, "offset");
  const std::vector<double> spacing = Reals(composite, "spacing");
  count.resize(3, 1);
  offset.resize(3, 0);
  if (spacing.size() != 1) return false;
  Node at = composite.parent();
  static constexpr const char* kAxes[] = {"1 0 0", "0 1 0", "0 0 1"};
  Node inner;
  for (size_t axis = 0; axis < 3; ++axis) {
    std::vector<double> step(3, 0);
    step[axis] = spacing[0];
    Node replicate = inner ? inner.append_child("replicate") : at.insert_child_before("replicate", composite);
    Set(replicate, "count", Text({count[axis]}));
    Set(replicate, "offset", Text(step));
    Set(replicate, "sep", "_");
    inner = replicate;
    offset[axis] -= 0.5 * (count[axis] - 1) * spacing[0];
  }
  Node body = inner.append_child("body");
  Set(body, "name", Get(composite, "prefix") + "B");
  Set(body, "pos", Text(offset));
  for (const Node& child : composite.children()) {
    const std::string_view kind = child.name();
    if (kind != "joint" && kind != "geom" && kind != "site") continue;
    Node copy = body.append_copy(child);
    copy.remove_attribute("kind");
  }
  for (const char* axis : kAxes) {
    if (composite.child("joint")) break;
    Node joint = body.append_child("joint");
    Set(joint, "type", "slide");
    Set(joint, "axis", axis);
  }
  Tell(composite, "composites of type 'particle' are gone since MuJoCo 3.3.0: 'replicate' of a body");
  at.remove_child(composite);
  return true;
}

}  // namespace

Migration Migrate(const std::string& file, const std::string& to, const mjVFS* vfs) {
  Migrator migrator(vfs, std::string(DirName(file)));
  pugi::xml_document document;
  migrator.Load(file, document);
  const Node root = document.document_element();
  migrator.SetRoot(root);
  migrator.Expand(root, file, 1);
  migrator.NameTopClass(root);
  migrator.Walk(root);
  migrator.MovePaths(root, fs::absolute(file).parent_path(), fs::absolute(to).parent_path());
  TextWriter text;
  document.save(text, "  ", pugi::format_indent | pugi::format_no_declaration, pugi::encoding_utf8);
  return {text.text, migrator.TakeChanges()};
}

}  // namespace sinew::mjcf
