// A file holds a hash of the rest, the number of pieces, and of each the number of its points and their coordinates.
#include "assets/piece_cache.h"

#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <filesystem>
#include <iterator>
#include <random>
#include <string>
#include <system_error>

#include "core/error.h"
#include "core/resources.h"
#include "core/write_file.h"

namespace sinew::inline assets {
namespace {

using Pieces = std::vector<std::vector<Vec3<double>>>;

constexpr int kVersion = 1;  // of the method and of the file

// FNV-1a (G. Fowler, L. C. Noll, K.-P. Vo), in two streams of 64 bits.
class Hash {
 public:
  template <class T>
  void Add(const T* values, size_t count) {
    const auto* bytes = reinterpret_cast<const unsigned char*>(values);
    for (size_t i = 0; i < count * sizeof(T); ++i) {
      first_ = (first_ ^ bytes[i]) * kPrime;
      second_ = (second_ ^ bytes[i] ^ (second_ >> 32)) * kPrime;
    }
  }
  uint64_t first() const { return first_; }
  std::string Text() const {
    char text[33];
    std::snprintf(text, sizeof text, "%016llx%016llx", static_cast<unsigned long long>(first_),
                  static_cast<unsigned long long>(second_));
    return text;
  }

 private:
  static constexpr uint64_t kPrime = 1099511628211u;
  uint64_t first_ = 14695981039346656037u, second_ = 1469598103934665603u;
};

std::string NameOf(const MeshData& data, const DecomposeOptions& options) {
  Hash hash;
  const double numbers[] = {kVersion, options.error, static_cast<double>(options.count),
                            static_cast<double>(options.resolution)};
  const size_t sizes[] = {data.vertex.size(), data.face.size()};
  hash.Add(numbers, std::size(numbers));
  hash.Add(sizes, std::size(sizes));
  hash.Add(data.vertex.data(), data.vertex.size());
  hash.Add(data.face.data(), data.face.size());
  return "pieces-" + hash.Text();
}

// Empty: nothing is kept.
std::filesystem::path Folder() {
  if (const char* own = std::getenv("SINEW_CACHE")) return own;
  const char* cache = std::getenv("XDG_CACHE_HOME");
  if (cache && *cache) return std::filesystem::path(cache) / "sinew";
  const char* home = std::getenv("HOME");
  return home && *home ? std::filesystem::path(home) / ".cache" / "sinew" : std::filesystem::path();
}

std::vector<double> Packed(const Pieces& pieces) {
  std::vector<double> numbers = {static_cast<double>(pieces.size())};
  for (const auto& piece : pieces) {
    numbers.push_back(static_cast<double>(piece.size()));
    for (const Vec3<double>& p : piece) numbers.insert(numbers.end(), {p.x, p.y, p.z});
  }
  Hash hash;
  hash.Add(numbers.data(), numbers.size());
  double check;
  const uint64_t bits = hash.first();
  std::memcpy(&check, &bits, sizeof check);
  numbers.insert(numbers.begin(), check);
  return numbers;
}

// Reads numbers one after the other; a count that leads beyond the end ends it.
class Numbers {
 public:
  Numbers(const std::vector<double>& numbers, size_t at) : numbers_(numbers), at_(at) {}
  double Next() { return numbers_[at_++]; }
  // How many items of a size follow, by the number that stands here; -1 where there are not so many.
  ptrdiff_t Count(size_t size) {
    if (at_ == numbers_.size()) return -1;
    const double count = Next(), room = static_cast<double>((numbers_.size() - at_) / size);
    return count >= 0 && count <= room ? static_cast<ptrdiff_t>(count) : -1;
  }

 private:
  const std::vector<double>& numbers_;
  size_t at_;
};

// Empty where the numbers are not those of Packed.
Pieces Unpacked(const std::vector<double>& packed) {
  if (packed.size() < 2) return {};
  Hash hash;
  hash.Add(packed.data() + 1, packed.size() - 1);
  const uint64_t bits = hash.first();
  if (std::memcmp(packed.data(), &bits, sizeof bits) != 0) return {};
  Numbers numbers(packed, 1);
  const ptrdiff_t count = numbers.Count(1);
  Pieces pieces;
  for (ptrdiff_t i = 0; i < count; ++i) {
    const ptrdiff_t points = numbers.Count(3);
    if (points < 0) return {};
    auto& piece = pieces.emplace_back();
    for (ptrdiff_t k = 0; k < points; ++k) {
      const double x = numbers.Next(), y = numbers.Next(), z = numbers.Next();
      piece.push_back({x, y, z});
    }
  }
  return pieces;
}

Pieces Load(const std::filesystem::path& file) {
  const auto bytes = ReadResource(nullptr, "", file.string());
  if (!bytes) return {};
  std::vector<double> numbers(bytes->size() / sizeof(double));
  if (!numbers.empty()) std::memcpy(numbers.data(), bytes->data(), numbers.size() * sizeof(double));
  return Unpacked(numbers);
}

// Under another name first, so that no other process reads a half.
void Save(const Pieces& pieces, const std::filesystem::path& file) {
  std::error_code error;
  std::filesystem::create_directories(file.parent_path(), error);
  const std::filesystem::path part = file.string() + "." + std::to_string(std::random_device()());
  const std::vector<double> numbers = Packed(pieces);
  try {
    WriteFile(part.string(), {reinterpret_cast<const char*>(numbers.data()), numbers.size() * sizeof(double)});
    std::filesystem::rename(part, file, error);
  } catch (const Error&) {  // it is found again next time
    error = std::make_error_code(std::errc::io_error);
  }
  if (error) std::filesystem::remove(part, error);
}

}  // namespace

Pieces DecomposeOnce(const MeshData& data, const DecomposeOptions& options) {
  const std::filesystem::path folder = Folder();
  if (folder.empty()) return Decompose(data, options);
  const std::filesystem::path file = folder / NameOf(data, options);
  if (Pieces known = Load(file); !known.empty()) return known;
  Pieces pieces = Decompose(data, options);
  Save(pieces, file);
  return pieces;
}

}  // namespace sinew::inline assets
