// Text to XmlDocument. pugixml parses without recursion, so that a hostile depth cannot overflow the stack; the copy
// into our own nodes then stops at kMaxDepth, which bounds every recursion over elements in the reader and the
// compiler.
#include <algorithm>
#include <cstddef>
#include <iterator>
#include <pugixml.hpp>
#include <string_view>
#include <unordered_set>
#include <utility>
#include <vector>

#include "core/file_policy.h"
#include "core/load_limits.h"
#include "core/path.h"
#include "core/resources.h"
#include "mjcf/packed_extensions.h"
#include "mjcf/xml/xml_end_tags.h"
#include "mjcf/xml/xml_node.h"
#include "mjcf/xml/xml_spacing.h"

namespace sinew::mjcf {
namespace {

// Documents of strangers must not exhaust the stack of the thread, since elements are copied by recursion.
constexpr int kMaxDepth = 500;

// Memory of an element and of an attribute, in the parser and in the document.
constexpr double kBytesOfElement = 100 + 2 * sizeof(XmlNode),
                 kBytesOfAttribute = 50 + 2 * sizeof(std::pair<std::string, std::string>);

// Line numbers of byte offsets.
class Lines {
 public:
  explicit Lines(const std::string& text) {
    for (std::size_t i = 0; i < text.size(); ++i) {
      if (text[i] == '\n') ends_.push_back(static_cast<std::ptrdiff_t>(i));
    }
  }
  int At(std::ptrdiff_t offset) const {
    return 1 + static_cast<int>(std::lower_bound(ends_.begin(), ends_.end(), offset) - ends_.begin());
  }

 private:
  std::vector<std::ptrdiff_t> ends_;
};

// Parses a text. Attributes that touch are rare: they are looked for, and separated, where the parser stumbles.
pugi::xml_parse_result Parse(std::string* text, pugi::xml_document* parsed) {
  const auto parse = [&] {
    // Text outside of the root shows only in fragments.
    constexpr unsigned kOptions = pugi::parse_default | pugi::parse_comments | pugi::parse_fragment;
    return parsed->load_buffer(text->data(), text->size(), kOptions, pugi::encoding_utf8);
  };
  const pugi::xml_parse_result result = parse();
  if (result.status != pugi::status_bad_attribute) return result;
  std::string separated = SeparateAttributes(*text);
  if (separated.size() == text->size()) return result;
  *text = std::move(separated);
  return parse();
}

// A loader reads a document with all files that it includes, each once.
class Loader {
 public:
  Loader(XmlDocument* document, const mjVFS* vfs) : document_(*document), vfs_(vfs) {}

  // Appends what the root of a file holds to `into`, and for the main file also makes `into` that root.
  void Load(const std::string& name, std::string text, int depth, XmlNode* into, const XmlNode* include);

 private:
  void HoldMemory(std::string_view text, const std::string& file);
  void Copy(const pugi::xml_node& from, const std::string& file, const Lines& lines, int depth, XmlNode* to);
  void Include(const XmlNode& include, int depth, XmlNode* parent);
  static void CopyAttributes(const pugi::xml_node& from, XmlNode* to);
  std::string Tried(const std::string& file, const std::string& includer) const;
  std::string FindFile(const std::string& file, const std::string& includer, std::string* text) const;

  XmlDocument& document_;
  const mjVFS* vfs_;
  int order_ = 0;
  std::vector<LoadMemory> memory_;  // of the documents, until all are read
};

// The memory of a document is estimated by its numbers of elements and attributes, whose text may be a few letters.
void Loader::HoldMemory(std::string_view text, const std::string& file) {
  const auto count = [&](char c) { return static_cast<double>(std::count(text.begin(), text.end(), c)); };
  const double bytes =
      3 * static_cast<double>(text.size()) + kBytesOfElement * count('<') + kBytesOfAttribute * count('=');
  try {
    memory_.push_back(HoldLoadMemory(bytes, "the document"));
  } catch (const Error& error) {
    throw error.At({file, 0, ""});
  }
}

// A file that is included gives its children to the element that includes it; its root is dropped.
void Loader::Load(const std::string& name, std::string text, int depth, XmlNode* into, const XmlNode* include) {
  const std::string& file = document_.files.emplace_back(name);
  HoldMemory(text, file);
  pugi::xml_document parsed;
  const std::string original = text;
  const auto result = Parse(&text, &parsed);
  const Lines lines(text);
  if (!result) {
    // The parser knows where the tags stop matching; the cause is where one was opened. It works in the text's memory
    // and leaves parts of it changed.
    const auto imbalance = result.status == pugi::status_end_element_mismatch ? FindImbalance(original) : std::nullopt;
    if (imbalance) {
      const std::string at = "line " + std::to_string(lines.At(result.offset));
      throw Error("malformed XML: " + imbalance->problem, "add its end tag; the parser stopped in " + at,
                  {file, Lines(original).At(static_cast<ptrdiff_t>(imbalance->opened)), ""});
    }
    throw Error(std::string("malformed XML: ") + result.description(), "", {file, lines.At(result.offset), ""});
  }

  pugi::xml_node root;
  for (const pugi::xml_node& node : parsed.children()) {
    if (node.type() == pugi::node_pcdata) {
      throw Error("text outside of the root element", "", {file, lines.At(node.offset_debug()), ""});
    }
    if (node.type() == pugi::node_element && !root) root = node;
  }
  if (!root) throw Error("the document has no element", "", {file, 0, ""});

  if (!include) {
    if (root.first_child().type() == pugi::node_comment) document_.comment = root.first_child().value();
    Copy(root, file, lines, depth, into);
    return;
  }
  if (!root.first_child()) throw Error("the included file '" + name + "' is empty", "", include->Location());
  for (const pugi::xml_node& child : root.children()) {
    if (child.type() != pugi::node_element) continue;
    XmlNode copy;
    Copy(child, file, lines, depth, &copy);
    if (copy.tag == "include") {
      Include(copy, depth + 1, into);
    } else {
      into->children.push_back(std::move(copy));
    }
  }
}

// The parser accepts an attribute that is given twice; here it is an error, because one of both would be lost.
void Loader::CopyAttributes(const pugi::xml_node& from, XmlNode* to) {
  std::unordered_set<std::string_view> names;
  for (const pugi::xml_attribute& attribute : from.attributes()) {
    if (!names.insert(attribute.name()).second) {
      throw Error("malformed XML: attribute '" + std::string(attribute.name()) + "' is given twice", "",
                  to->Location());
    }
    to->attributes.emplace_back(attribute.name(), attribute.value());
  }
}

// Every element keeps its file, its line, and its place in the order of reading, for errors and for writing back.
void Loader::Copy(const pugi::xml_node& from, const std::string& file, const Lines& lines, int depth, XmlNode* to) {
  to->tag = from.name();
  to->text = from.text().get();
  to->file = &file;
  to->line = lines.At(from.offset_debug());
  to->order = order_++;
  constexpr int kElementsBetweenLooks = 1000;
  if (order_ % kElementsBetweenLooks == 0) CheckLoadTime("the document");
  if (depth > kMaxDepth) {
    throw Error("elements are nested more than " + std::to_string(kMaxDepth) + " deep", "", to->Location());
  }
  CopyAttributes(from, to);
  for (const pugi::xml_node& child : from.children()) {
    if (child.type() != pugi::node_element) continue;
    XmlNode copy;
    Copy(child, file, lines, depth + 1, &copy);
    if (copy.tag == "include") {
      Include(copy, depth + 1, to);
    } else {
      to->children.push_back(std::move(copy));
    }
  }
}

// The element counts as a level of depth, so that chains of files end as chains of elements do.
void Loader::Include(const XmlNode& include, int depth, XmlNode* parent) {
  const std::string* file = include.Find("file");
  if (!file || file->empty()) throw Error("include needs an attribute 'file'", "", include.Location());
  if (include.attributes.size() > 1) throw Error("include has no attribute but 'file'", "", include.Location());
  if (!include.children.empty()) throw Error("include cannot have children", "", include.Location());

  std::string text;
  const std::string found = FindFile(*file, *include.file, &text);
  if (found.empty()) {
    throw Error("cannot open the included file '" + *file + "'", "tried " + Tried(*file, *include.file),
                include.Location());
  }
  // A file may be included once: so loops end, and names cannot clash with themselves.
  if (std::find(document_.files.begin(), document_.files.end(), found) != document_.files.end()) {
    throw Error("file '" + *file + "' is already included", "include each file once, and no file within itself",
                include.Location());
  }
  Load(found, std::move(text), depth, parent, &include);
}

// The places where a file was looked for.
std::string Loader::Tried(const std::string& file, const std::string& includer) const {
  const std::string main = NormalizePath(JoinPath(document_.directory, file));
  const std::string nested = NormalizePath(JoinPath(DirName(includer), file));
  return "'" + main + "'" + (nested == main ? "" : " and '" + nested + "'") + WhyBlocked(main, Vfs::RootOf(vfs_));
}

// A path is tried from the folder of the main file first, then from that of the file which includes it. A virtual file
// system also finds files by their names alone, which comes last: in another folder there may be a file of that name.
std::string Loader::FindFile(const std::string& file, const std::string& includer, std::string* text) const {
  for (const auto find : {Resource::Find::kExactly, Resource::Find::kByName}) {
    for (const std::string_view directory : {std::string_view(document_.directory), DirName(includer)}) {
      const std::string path = NormalizePath(JoinPath(directory, file));
      if (const auto content = ReadResource(vfs_, "", path, find)) {
        text->assign(content->begin(), content->end());
        return path;
      }
    }
  }
  return "";
}

// Addresses of nodes are final only when all are read, hence parents are linked last.
void LinkParents(XmlNode* node) {
  for (XmlNode& child : node->children) {
    child.parent = node;
    LinkParents(&child);
  }
}

}  // namespace

XmlDocument LoadXml(const std::string& name, const std::string& text, const mjVFS* vfs) {
  XmlDocument document;
  document.directory = DirName(name);
  document.root = std::make_unique<XmlNode>();
  Loader(&document, vfs).Load(name, text, 1, document.root.get(), nullptr);
  UnpackExtensions(document.root.get());
  LinkParents(document.root.get());
  return document;
}

}  // namespace sinew::mjcf
