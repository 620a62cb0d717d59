// A file is a row of sections, "$Name" to "$EndName". Of these, MeshFormat, Nodes and Elements count:
//
//     MeshFormat   version, 0 for text or 1 for binary numbers, bytes of a size; binary: a 1 that shows the byte order
//     Nodes        2.2: count, then (tag, x, y, z);  4.1: blocks, first all tags and then all coordinates
//     Elements     2.2: count, then (tag, type, labels, nodes), in binary files runs of one type;
//                  4.1: blocks of one type, (tag, nodes)
//
// C. Geuzaine, J.-F. Remacle, "Gmsh reference manual", section on the MSH file format.
#include "assets/gmsh.h"

#include <algorithm>
#include <array>
#include <charconv>
#include <cmath>
#include <cstdint>
#include <cstring>
#include <string>
#include <string_view>
#include <system_error>
#include <type_traits>
#include <unordered_map>
#include <utility>

#include "core/error.h"
#include "core/real_text.h"

namespace sinew::inline assets {
namespace {

[[noreturn]] void ThrowBad(const std::string& problem) {
  throw Error("the Gmsh file " + problem, "export it again as MSH, version 4.1 or 2.2");
}

// The beginning of a word as a message may show it, which must be legal text whatever bytes the file has.
std::string Excerpt(std::string word) {
  constexpr size_t kMost = 16;
  word.resize(std::min(word.size(), kMost));
  std::replace_if(
      word.begin(), word.end(), [](char c) { return c < ' ' || c > '~'; }, '?');
  return word;
}

// Takes numbers off the front of a section: text, or in binary mode the machine's own.
class Cursor {
 public:
  Cursor(std::string_view rest, bool binary) : rest_(rest), binary_(binary) {}

  // The size of what is left, which no count of things that follow can exceed.
  size_t left() const { return rest_.size(); }

  int64_t Int() { return Number<int32_t>(); }
  int64_t Size() { return Number<int64_t>(); }
  double Real() { return Number<double>(); }

  // A number that is text in binary files too.
  template <class T>
  T Word() {
    const size_t begin = rest_.find_first_not_of(" \t\r\n");
    if (begin == std::string_view::npos) ThrowBad("ends too early");
    const std::string word(rest_.substr(begin, rest_.find_first_of(" \t\r\n", begin) - begin));
    const char* const text = word.c_str();
    T value = {};
    const char* end = text;
    if constexpr (std::is_floating_point_v<T>) {
      char* stop = nullptr;
      value = static_cast<T>(RealOfText(text, &stop));
      end = stop;
    } else if (const auto parsed = std::from_chars(text, text + word.size(), value); parsed.ec == std::errc()) {
      end = parsed.ptr;
    }
    if (end == text || *end != '\0') ThrowBad("has '" + Excerpt(word) + "' instead of a number");
    rest_.remove_prefix(begin + word.size());
    return value;
  }

  // Whether nothing is left but the end of the last line.
  bool AtEnd() const { return rest_.find_first_not_of(" \t\r\n") == std::string_view::npos; }

  // Binary numbers begin behind the end of a line.
  void StartBinary(bool binary) {
    binary_ = binary;
    if (!binary) return;
    const size_t end = rest_.find('\n');
    if (end == std::string_view::npos) ThrowBad("ends too early");
    rest_.remove_prefix(end + 1);
  }

 private:
  template <class T>
  T Number() {
    if (!binary_) return Word<T>();
    T value;
    if (rest_.size() < sizeof(T)) ThrowBad("ends too early");
    std::memcpy(&value, rest_.data(), sizeof(T));
    rest_.remove_prefix(sizeof(T));
    return value;
  }

  std::string_view rest_;
  bool binary_;
};

// Returns the text between the lines "$Name" and "$EndName".
std::string_view FindSection(std::string_view file, const std::string& name) {
  const size_t begin = file.find("$" + name), end = file.find("$End" + name);
  if (begin == std::string_view::npos || end == std::string_view::npos) ThrowBad("has no section " + name);
  const size_t line = file.find('\n', begin);
  if (line >= end) ThrowBad("has an empty section " + name);
  return file.substr(line + 1, end - line - 1);
}

// Dimension of the simplices of first order, by Gmsh's element type; 0: another element.
int Dimension(int64_t type) { return type == 1 ? 1 : type == 2 ? 2 : type == 4 ? 3 : 0; }

// Nodes of the element types from 1 on.
constexpr std::array<int, 20> kNodes = {0, 2, 3, 4, 4, 8, 6, 5, 3, 6, 9, 10, 27, 18, 14, 1, 8, 20, 15, 13};

class GmshReader {
 public:
  explicit GmshReader(std::string_view file) : file_(file) {
    Cursor format(FindSection(file, "MeshFormat"), false);
    version_ = format.Word<double>();
    binary_ = format.Word<int>() != 0;
    if (version_ != 2.2 && version_ != 4.1) ThrowBad("has another version than 2.2 and 4.1");
    if (format.Word<int>() != sizeof(double)) ThrowBad("has sizes of other than 8 bytes");
    format.StartBinary(binary_);
    if (binary_ && format.Int() != 1) ThrowBad("was written by a machine of another byte order");
  }

  GmshMesh Read() {
    Cursor nodes(FindSection(file_, "Nodes"), binary_), elements(FindSection(file_, "Elements"), binary_);
    if (version_ == 2.2) {
      ReadOldNodes(nodes);
      ReadOldElements(elements);
    } else {
      ReadNodes(nodes);
      ReadElements(elements);
    }
    if (!nodes.AtEnd()) ThrowBad("has more nodes than it declares");
    if (!elements.AtEnd()) ThrowBad("has more elements than it declares");
    if (mesh_.dim == 0) ThrowBad("has no segments, triangles or tetrahedra");
    return std::move(mesh_);
  }

 private:
  void ReadOldNodes(Cursor& in) {
    const auto count = in.Word<int64_t>();
    in.StartBinary(binary_);
    for (int64_t i = 0; i < count; ++i) {
      const int64_t tag = in.Int();
      AddPoint(tag, in);
    }
  }

  void ReadOldElements(Cursor& in) {
    const auto count = in.Word<int64_t>();
    in.StartBinary(binary_);
    for (int64_t done = 0; done < count;) {
      // Text: each element has its type. Binary: a run of elements has one.
      int64_t run = 1;
      if (!binary_) in.Int();  // tag
      const int64_t type = in.Int();
      if (binary_) run = in.Int();
      const int64_t labels = in.Int();
      if (run < 1) ThrowBad("has an empty run of elements");
      for (int64_t i = 0; i < run; ++i) {
        if (binary_) in.Int();  // tag
        for (int64_t k = 0; k < labels; ++k) in.Int();
        AddElement(type, in, &Cursor::Int);
      }
      done += run;
    }
  }

  void ReadNodes(Cursor& in) {
    const int64_t blocks = in.Size(), all = in.Size(), first_tag = in.Size(), last_tag = in.Size();
    for (int64_t b = 0; b < blocks; ++b) {
      const int64_t dim = in.Int();
      in.Int();  // tag of the entity
      const int64_t parameters = in.Int() != 0 ? dim : 0, count = in.Size();
      if (count < 0 || static_cast<uint64_t>(count) > in.left()) ThrowBad("declares more nodes than it has");
      std::vector<int64_t> tags(static_cast<size_t>(count));
      for (int64_t& tag : tags) tag = in.Size();
      for (const int64_t tag : tags) {
        if (tag < first_tag || tag > last_tag) {
          ThrowBad("has a node with the tag " + std::to_string(tag) + ", and declares tags from " +
                   std::to_string(first_tag) + " to " + std::to_string(last_tag));
        }
        AddPoint(tag, in);
        for (int64_t k = 0; k < parameters; ++k) in.Real();
      }
    }
    if (all != static_cast<int64_t>(mesh_.points.size())) ThrowBad("has another number of nodes than it declares");
  }

  void ReadElements(Cursor& in) {
    const int64_t blocks = in.Size(), all = in.Size();
    for (int k = 0; k < 2; ++k) in.Size();  // first and last tag
    int64_t sum = 0;
    for (int64_t b = 0; b < blocks; ++b) {
      const int64_t dim = in.Int();
      in.Int();  // tag of the entity
      const int64_t type = in.Int(), count = in.Size();
      if (Dimension(type) > 0 && Dimension(type) != dim) {
        ThrowBad("has elements of type " + std::to_string(type) + " in an entity of dimension " + std::to_string(dim));
      }
      if (count < 0 || count > all - sum) ThrowBad("has more elements than it declares");
      sum += count;
      for (int64_t i = 0; i < count; ++i) {
        in.Size();  // tag
        AddElement(type, in, &Cursor::Size);
      }
    }
    if (sum != all) ThrowBad("has fewer elements than it declares");
  }

  void AddPoint(int64_t tag, Cursor& in) {
    Vec3<double> p;
    for (int k = 0; k < 3; ++k) {
      p[k] = in.Real();
      if (!std::isfinite(p[k]))
        ThrowBad("has a node at a place that is not finite, with the tag " + std::to_string(tag));
    }
    if (!ids_.emplace(tag, static_cast<int>(mesh_.points.size())).second) {
      ThrowBad("has two nodes with the tag " + std::to_string(tag));
    }
    mesh_.points.push_back(p);
  }

  // Elements of a higher dimension than before replace these, which are their border.
  void AddElement(int64_t type, Cursor& in, int64_t (Cursor::*take)()) {
    if (type < 1 || type >= static_cast<int64_t>(kNodes.size())) {
      ThrowBad("has elements of type " + std::to_string(type));
    }
    const int dim = Dimension(type);
    if (dim > mesh_.dim) {
      mesh_.dim = dim;
      mesh_.elements.clear();
    }
    for (int k = 0; k < kNodes[static_cast<size_t>(type)]; ++k) {
      const auto found = ids_.find((in.*take)());
      if (found == ids_.end()) ThrowBad("has an element with a node that does not exist");
      if (dim == mesh_.dim && dim > 0) mesh_.elements.push_back(found->second);
    }
  }

  std::string_view file_;
  double version_;
  bool binary_;
  GmshMesh mesh_;
  std::unordered_map<int64_t, int> ids_;  // of points, by tag
};

}  // namespace

GmshMesh LoadGmsh(std::span<const std::byte> bytes) {
  const std::string_view file(reinterpret_cast<const char*>(bytes.data()), bytes.size());
  if (!file.starts_with("$MeshFormat")) ThrowBad("does not begin with $MeshFormat");
  return GmshReader(file).Read();
}

}  // namespace sinew::inline assets
