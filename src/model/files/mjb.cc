// Reads and writes MJB, the binary file of a model: header, sizes, option structs, then the arrays as they lie in
// memory. The format is that of MuJoCo 3.8.0 (docs/how/mjb.md); a tag at its end marks models with extensions. The
// content is not trusted: lengths are compared before memory is allocated, and indices checked after.
#include "model/files/mjb.h"

#include <array>
#include <cstring>
#include <iterator>
#include <memory>
#include <optional>
#include <string>

#include "core/error.h"
#include "core/file_policy.h"
#include "core/resources.h"
#include "core/write_file.h"
#include "model/files/validate.h"
#include "model/storage/extension.h"
#include "model/view/fields.h"
#include "model/view/layout.h"

namespace sinew::inline model {
namespace {

using Header = std::array<int, 5>;
constexpr const char* kHeaderNames[] = {"ID", "size of a number", "number of sizes", "version", "number of arrays"};

// Identifies the format: a mark, the size of a number, the counts of sizes and arrays, and the version.
constexpr Header kHeader = {54321, sizeof(mjtNum), std::size(kModelSizes), mjVERSION_HEADER, std::size(kModelFields)};

// Ends the file of a model that uses extensions (docs/how/extensions.md).
constexpr char kExtensionTag[] = {'S', 'I', 'N', 'E', 'W', 'E', 'X', '1'};

constexpr size_t kFixedBytes = sizeof(Header) + std::size(kModelSizes) * sizeof(mjtSize) + sizeof(mjOption) +
                               sizeof(mjVisual) + sizeof(mjStatistic);

// Visits the parts of the file behind the header in their order: visit(name, memory, bytes).
template <class Model, class Visit>
void ForEachOption(Model& m, Visit visit) {
  visit("options", &m.opt, sizeof(m.opt));
  visit("visualization options", &m.vis, sizeof(m.vis));
  visit("statistics", &m.stat, sizeof(m.stat));
}

template <class Visit>
void ForEachPart(const mjModel& m, Visit visit) {
  visit("header", kHeader.data(), sizeof(kHeader));
  for (const ModelSize& size : kModelSizes) visit(size.name, &(m.*size.member), sizeof(mjtSize));
  ForEachOption(m, visit);
  for (const ModelArray& array : kModelFields) visit(array.name, array.Pointer(m), array.Bytes(m));
  if (UsesExtensions(m)) visit("tag", kExtensionTag, sizeof(kExtensionTag));
}

// Takes bytes from the front, and throws where fewer are left than a part needs.
class Reader {
 public:
  Reader(const void* bytes, size_t size) : next_(static_cast<const char*>(bytes)), left_(size) {}

  void Read(const char* what, void* to, size_t bytes) {
    if (bytes > left_) {
      throw Error("Truncated model file - ran out of data while reading " + std::string(what));
    }
    if (bytes > 0) std::memcpy(to, next_, bytes);
    next_ += bytes;
    left_ -= bytes;
  }
  size_t left() const { return left_; }

 private:
  const char* next_;
  size_t left_;
};

// Each number of the header must be ours: another version has other fields, and nothing could be read in its place.
void ReadHeader(Reader& reader) {
  if (reader.left() < sizeof(Header)) throw Error("Model file has an incomplete header");
  Header header;
  reader.Read("header", header.data(), sizeof(header));
  for (size_t i = 0; i < header.size(); ++i) {
    if (header[i] == kHeader[i]) continue;
    if (i == 0) throw Error("Model missing header ID");
    throw Error("Model file has another " + std::string(kHeaderNames[i]) + ": expected " + std::to_string(kHeader[i]) +
                    ", found " + std::to_string(header[i]),
                "save the model again with this version");
  }
}

// Whether the arrays, and perhaps the tag, take exactly what is left of the file; if not, says where it ends.
void CheckLength(const mjModel& sizes, size_t left) {
  for (const ModelArray& array : kModelFields) {
    const size_t bytes = ArrayBytes(array, sizes);
    if (bytes > left) {
      throw Error("Truncated model file - ran out of data while reading " + std::string(array.name));
    }
    left -= bytes;
  }
  if (left > 0 && left != sizeof(kExtensionTag)) throw Error("Model file is too large");
}

// A tag, and extensions in the model: both or none.
void CheckTag(const mjModel& m, Reader& reader) {
  char tag[sizeof(kExtensionTag)] = {};
  const bool tagged = reader.left() > 0;
  if (tagged) reader.Read("tag", tag, sizeof(tag));
  if (tagged && std::memcmp(tag, kExtensionTag, sizeof(tag)) != 0) throw Error("Model file is too large");
  if (tagged != UsesExtensions(m)) {
    throw Error(tagged ? "Model file has the tag of extensions, but none of them"
                       : "Model file has extensions, but not their tag",
                "save the model again");
  }
}

}  // namespace

size_t MjbSize(const mjModel& m) {
  size_t size = kFixedBytes;
  for (const ModelArray& array : kModelFields) size += array.Bytes(m);
  return size + (UsesExtensions(m) ? sizeof(kExtensionTag) : 0);
}

void WriteMjb(const mjModel& m, void* buffer, size_t capacity) {
  if (capacity < MjbSize(m)) {
    throw Error(
        "buffer of " + std::to_string(capacity) + " bytes is too small for a model of " + std::to_string(MjbSize(m)),
        "see mj_sizeModel");
  }
  char* next = static_cast<char*>(buffer);
  ForEachPart(m, [&](const char*, const void* from, size_t bytes) {
    if (bytes > 0) std::memcpy(next, from, bytes);
    next += bytes;
  });
}

void WriteMjbFile(const mjModel& m, const char* filename) {
  OutputFile file(filename);
  ForEachPart(m, [&](const char*, const void* from, size_t bytes) { file.Write(from, bytes); });
  file.Close();
}

ModelPtr ReadMjb(const void* bytes, size_t size) {
  Reader reader(bytes, size);
  ReadHeader(reader);

  // The sizes decide how long the rest must be: compared before anything is allocated.
  mjModel sizes = {};
  for (const ModelSize& s : kModelSizes) reader.Read("sizes", &(sizes.*s.member), sizeof(mjtSize));
  ForEachOption(sizes, [&](const char* name, void* to, size_t n) { reader.Read(name, to, n); });
  CheckSizes(sizes);
  CheckLength(sizes, reader.left());
  if (sizes.nbuffer != static_cast<mjtSize>(ModelBufferSize(sizes))) {
    throw Error("Model file has a wrong nbuffer: " + std::to_string(sizes.nbuffer));
  }

  ModelPtr m(MakeModel(sizes));
  m->opt = sizes.opt;
  m->vis = sizes.vis;
  m->stat = sizes.stat;
  for (const ModelArray& array : kModelFields) reader.Read(array.name, array.Pointer(*m), array.Bytes(*m));
  Validate(*m);
  CheckTag(*m, reader);
  return m;
}

ModelPtr ReadMjbFile(const char* filename, const mjVFS* vfs) {
  const std::optional<Bytes> file = ReadResource(vfs, "", filename);
  if (!file) throw Error("Error opening file '" + std::string(filename) + "'" + WhyBlocked(filename, Vfs::RootOf(vfs)));
  return ReadMjb(file->data(), file->size());
}

}  // namespace sinew::inline model
