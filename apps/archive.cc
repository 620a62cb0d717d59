#include "archive.h"

#include <zip.h>

#include <memory>
#include <stdexcept>
#include <utility>

#include "read_file.h"

namespace sinew {
namespace {

struct Discard {
  void operator()(zip_t* zip) const { zip_discard(zip); }
};
using Zip = std::unique_ptr<zip_t, Discard>;

[[noreturn]] void Refuse(const std::string& path, zip_error_t& error) {
  const std::string text = path + ": " + zip_error_strerror(&error);
  zip_error_fini(&error);
  throw std::runtime_error(text);
}

Zip Create(const std::string& path) {
  int code = 0;
  Zip zip(zip_open(path.c_str(), ZIP_CREATE | ZIP_TRUNCATE, &code));
  if (zip) return zip;
  zip_error_t error;
  zip_error_init_with_code(&error, code);
  Refuse(path, error);
}

// An archive in memory, which must live as long.
Zip Open(const std::string& path, const std::vector<std::byte>& bytes) {
  zip_error_t error;
  zip_error_init(&error);
  zip_source_t* source = zip_source_buffer_create(bytes.data(), bytes.size(), 0, &error);
  if (!source) Refuse(path, error);
  Zip zip(zip_open_from_source(source, ZIP_RDONLY | ZIP_CHECKCONS, &error));
  if (!zip) {
    zip_source_free(source);
    Refuse(path, error);
  }
  zip_error_fini(&error);
  return zip;
}

std::vector<std::byte> ReadEntry(zip_t* zip, zip_uint64_t index, zip_uint64_t size, const std::string& where) {
  std::vector<std::byte> bytes(size);
  const std::unique_ptr<zip_file_t, int (*)(zip_file_t*)> file(zip_fopen_index(zip, index, 0), zip_fclose);
  const zip_int64_t read = file ? zip_fread(file.get(), bytes.data(), size) : -1;
  if (read != static_cast<zip_int64_t>(size)) throw std::runtime_error(where + ": " + zip_strerror(zip));
  return bytes;
}

}  // namespace

Archive ReadZip(const std::string& path, double most_bytes) {
  const std::vector<std::byte> bytes = ReadFile(path);
  const Zip zip = Open(path, bytes);
  Archive archive;
  double total = 0;
  for (zip_int64_t i = 0; i < zip_get_num_entries(zip.get(), 0); ++i) {
    const auto index = static_cast<zip_uint64_t>(i);
    zip_stat_t entry;
    if (zip_stat_index(zip.get(), index, 0, &entry) != 0)
      throw std::runtime_error(path + ": " + zip_strerror(zip.get()));
    const std::string name = entry.name;
    if (name.ends_with('/')) continue;
    total += static_cast<double>(entry.size);
    if (total > most_bytes) throw std::runtime_error(path + ": unpacks to more memory than is allowed");
    archive[name] = ReadEntry(zip.get(), index, entry.size, path + "/" + name);
  }
  return archive;
}

void WriteZip(const std::string& path, const Archive& archive) {
  Zip zip = Create(path);
  for (const auto& [name, bytes] : archive) {
    zip_source_t* source = zip_source_buffer(zip.get(), bytes.data(), bytes.size(), 0);
    const zip_int64_t index = zip_file_add(zip.get(), name.c_str(), source, ZIP_FL_OVERWRITE);
    if (index < 0) {
      zip_source_free(source);
      throw std::runtime_error(path + ": " + zip_strerror(zip.get()));
    }
    zip_set_file_compression(zip.get(), static_cast<zip_uint64_t>(index), ZIP_CM_STORE, 0);
  }
  if (zip_close(zip.get()) != 0) throw std::runtime_error("cannot write '" + path + "': " + zip_strerror(zip.get()));
  std::ignore = zip.release();  // closed
}

}  // namespace sinew
