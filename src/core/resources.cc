// Opens files of models: in memory, through providers, on disk, in the order that the header gives.
#include "core/resources.h"

#include <algorithm>
#include <charconv>
#include <cstdint>
#include <cstring>
#include <filesystem>
#include <fstream>
#include <mutex>
#include <string_view>
#include <system_error>
#include <unordered_set>

#include "core/file_policy.h"
#include "core/load_limits.h"
#include "core/mount_point.h"
#include "core/path.h"
#include "core/providers.h"

namespace sinew::inline core {
namespace {

// Timestamps of files on disk are times, those of files in memory hashes of the content.
constexpr std::string_view kTime = "time:";
constexpr std::string_view kHash = "hash:";

// 64-bit FNV-1a.
uint64_t Hash(const Bytes& bytes) {
  uint64_t hash = 14695981039346656037u;
  for (const unsigned char byte : bytes) hash = (hash ^ byte) * 1099511628211u;
  return hash;
}

std::optional<int64_t> ParseTime(std::string_view timestamp) {
  if (!timestamp.starts_with(kTime)) return std::nullopt;
  int64_t time = 0;
  const char* end = timestamp.data() + timestamp.size();
  const auto result = std::from_chars(timestamp.data() + kTime.size(), end, time);
  return result.ec == std::errc() && result.ptr == end ? std::optional(time) : std::nullopt;
}

bool IsReadable(const std::string& path, const mjVFS* vfs) {
  std::error_code error;
  return std::filesystem::is_regular_file(path, error) && MayRead(path, Vfs::RootOf(vfs));
}

// The files that are open. A base that a program made is known by not being among them.
struct OpenResources {
  std::mutex mutex;
  std::unordered_set<const mjResource*> all;

  static OpenResources& Instance() {
    static OpenResources instance;
    return instance;
  }
};

}  // namespace

Resource* Resource::Of(const mjResource* resource) {
  OpenResources& open = OpenResources::Instance();
  const std::lock_guard lock(open.mutex);
  return open.all.contains(resource) ? static_cast<Resource*>(const_cast<mjResource*>(resource)) : nullptr;
}

Resource::Resource(const mjVFS* vfs_in, std::string path) : mjResource{}, path_(std::move(path)) {
  name = path_.data();
  vfs = const_cast<mjVFS*>(vfs_in);
  OpenResources& open = OpenResources::Instance();
  const std::lock_guard lock(open.mutex);
  open.all.insert(this);
}

Resource::~Resource() {
  if (provider) provider->close(this);
  if (mount_) mount_->End();
  OpenResources& open = OpenResources::Instance();
  const std::lock_guard lock(open.mutex);
  open.all.erase(this);
}

std::unique_ptr<Resource> Resource::Open(const mjVFS* vfs, const std::string& dir, const std::string& name, Find find) {
  std::unique_ptr<Resource> resource(new Resource(vfs, JoinPath(dir, name)));
  const std::string& path = resource->path_;
  const Vfs* files = Vfs::Of(vfs);
  if (const VfsEntry* entry = files ? files->Find(path) : nullptr; entry && resource->OpenEntry(*entry)) {
    return resource;
  }
  if (const mjpResourceProvider* registered = FindProvider(path)) {
    if (files) {
      Vfs::Of(vfs)->MountRegistered(vfs, *registered);
    } else {
      resource->mount_ = std::make_unique<Vfs::MountPoint>(registered->prefix, nullptr, *registered);
      resource->mount_->Begin();
    }
    return resource->OpenProvider(*registered) ? std::move(resource) : nullptr;
  }
  const VfsEntry* by_name = files && find == Find::kByName ? files->FindByName(path) : nullptr;
  if (by_name && resource->OpenEntry(*by_name)) return resource;
  return resource->OpenDisk() ? std::move(resource) : nullptr;
}

std::unique_ptr<Resource> Resource::Unopened(const mjVFS* vfs, const std::string& name) {
  return std::unique_ptr<Resource>(new Resource(vfs, name));
}

bool Resource::Exists(const mjVFS* vfs, const std::string& dir, const std::string& name) {
  const std::string path = JoinPath(dir, name);
  const Vfs* files = Vfs::Of(vfs);
  const bool is_elsewhere = FindProvider(path) || (files && (files->Find(path) || files->FindByName(path)));
  return is_elsewhere ? Open(vfs, dir, name) != nullptr : IsReadable(path, vfs);
}

bool Resource::OpenEntry(const VfsEntry& entry) {
  if (!entry.file) return OpenProvider(entry.provider);
  content_ = entry.file;
  SetTimestamp(std::string(kHash) + std::to_string(Hash(*content_)));
  return true;
}

bool Resource::OpenProvider(const mjpResourceProvider& opener) {
  provider_ = opener;
  provider = &provider_;
  if (opener.open(this) != 0) return true;
  provider = nullptr;  // nothing to close
  return false;
}

bool Resource::OpenDisk() {
  if (!IsReadable(path_, vfs)) return false;
  std::ifstream file(path_, std::ios::binary | std::ios::ate);
  if (!file) return false;
  const auto size = static_cast<size_t>(std::max<std::streamoff>(file.tellg(), 0));
  CheckLoadMemory(static_cast<double>(size), "the file '" + path_ + "'");  // files may be sparse
  auto content = std::make_shared<Bytes>(size);
  file.seekg(0);
  file.read(reinterpret_cast<char*>(content->data()), static_cast<std::streamsize>(content->size()));
  if (file.gcount() != static_cast<std::streamsize>(content->size())) return false;
  content_ = std::move(content);
  std::error_code error;
  const auto time = std::filesystem::last_write_time(path_, error).time_since_epoch();
  if (!error) SetTimestamp(std::string(kTime) + std::to_string(static_cast<int64_t>(time.count())));
  return true;
}

void Resource::SetTimestamp(const std::string& text) {
  std::memset(timestamp, 0, sizeof(timestamp));
  text.copy(timestamp, sizeof(timestamp) - 1);
}

std::optional<std::span<const unsigned char>> Resource::Read() {
  if (content_) return std::span<const unsigned char>(*content_);
  if (!provider) return std::nullopt;
  const void* buffer = nullptr;
  const int size = provider->read(this, &buffer);
  if (size < 0 || (size > 0 && !buffer)) return std::nullopt;
  return std::span(static_cast<const unsigned char*>(buffer), static_cast<size_t>(size));
}

int Resource::Compare(const char* since) const {
  if (!since) return 1;
  const std::optional<int64_t> now = ParseTime(timestamp), then = ParseTime(since);
  if (now && then) return (*now > *then) - (*now < *then);
  return std::strcmp(timestamp, since) == 0 ? 0 : 1;
}

size_t DirLength(const mjResource& resource) {
  if (!resource.name) return 0;
  const std::string_view name = resource.name;
  size_t scheme = Scheme(name).size();
  if (scheme == 0 && resource.provider && resource.provider->prefix) scheme = std::strlen(resource.provider->prefix);
  return std::max(DirName(name).size(), scheme > 0 ? std::min(scheme + 1, name.size()) : 0);
}

int IsModified(const mjResource& resource, const char* since) {
  if (resource.provider) return resource.provider->modified ? resource.provider->modified(&resource, since) : 1;
  const Resource* file = Resource::Of(&resource);
  return file ? file->Compare(since) : 1;
}

std::optional<Bytes> ReadResource(const mjVFS* vfs, const std::string& dir, const std::string& name,
                                  Resource::Find find) {
  const std::unique_ptr<Resource> resource = Resource::Open(vfs, dir, name, find);
  const auto content = resource ? resource->Read() : std::nullopt;
  if (!content) return std::nullopt;
  return Bytes(content->begin(), content->end());
}

}  // namespace sinew::inline core
