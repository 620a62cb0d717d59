// Virtual file systems: files in memory by name, folders that a provider mounts, and resources read through either.
// Names are normalized; case counts. The results of changes are VfsResult, and misuse is a warning.
#include <mujoco/mujoco.h>

#include <cstdio>
#include <limits>
#include <optional>
#include <string>

#include "capi/arguments.h"
#include "capi/boundary.h"
#include "core/error.h"
#include "core/path.h"
#include "core/providers.h"
#include "core/resources.h"
#include "core/vfs.h"

using sinew::capi::Given;
using sinew::capi::Guard;
using sinew::capi::GuardWithWarning;

namespace {

// Results of the functions that change a virtual file system.
enum VfsResult { kSuccess = 0, kRepeatedName = 2, kFailure = -1 };

// Programs may forget to initialize these; a null pointer inside shows it.
sinew::Vfs& Get(mjVFS* vfs) {
  if (!vfs || !vfs->impl_) throw sinew::Error("the virtual file system is not initialized", "call mj_defaultVFS first");
  return *sinew::Vfs::Of(vfs);
}

std::string Text(const char* text) { return text ? text : ""; }

}  // namespace

// Only mj_deleteVFS releases the memory that is allocated here.
void mj_defaultVFS(mjVFS* vfs) {
  SINEW_CHECK(mj_defaultVFS);
  Guard("mj_defaultVFS", [&] { vfs->impl_ = new sinew::Vfs; });
}

void mj_deleteVFS(mjVFS* vfs) {
  if (!vfs) return;
  delete sinew::Vfs::Of(vfs);
  vfs->impl_ = nullptr;
}

// A provider answers for all paths below the folder where it is mounted.
int mj_mountVFS(mjVFS* vfs, const char* filepath, const mjpResourceProvider* provider) {
  SINEW_CHECK(mj_mountVFS);
  return GuardWithWarning("mj_mountVFS", -1, [&]() -> int {
    if (!filepath || !sinew::IsComplete(provider)) return kFailure;
    bool failed = false;
    if (!Get(vfs).Mount(vfs, filepath, *provider, &failed)) return kRepeatedName;
    return failed ? kFailure : kSuccess;
  });
}

int mj_unmountVFS(mjVFS* vfs, const char* filename) {
  SINEW_CHECK(mj_unmountVFS);
  return GuardWithWarning("mj_unmountVFS", -1,
                          [&]() -> int { return filename && Get(vfs).Unmount(filename) ? kSuccess : kFailure; });
}

// The content is read at once, so later changes of the file do not count.
int mj_addFileVFS(mjVFS* vfs, const char* directory, const char* filename) {
  SINEW_CHECK(mj_addFileVFS);
  return GuardWithWarning("mj_addFileVFS", -1, [&]() -> int {
    const char* const name = Given("filename", filename);
    if (Get(vfs).ContainsFile(name)) return kRepeatedName;
    std::optional<sinew::Bytes> content = sinew::ReadResource(nullptr, Text(directory), name);
    if (!content) return kFailure;
    return Get(vfs).AddFile(name, *std::move(content)) ? kSuccess : kRepeatedName;
  });
}

// The bytes are copied, so the program may free its buffer.
int mj_addBufferVFS(mjVFS* vfs, const char* name, const void* buffer, int nbuffer) {
  SINEW_CHECK(mj_addBufferVFS);
  return GuardWithWarning("mj_addBufferVFS", -1, [&]() -> int {
    if (nbuffer < 0 || (nbuffer > 0 && !buffer)) return kFailure;
    const auto* bytes = static_cast<const unsigned char*>(buffer);
    return Get(vfs).AddBuffer(name, sinew::Bytes(bytes, bytes + nbuffer)) ? kSuccess : kRepeatedName;
  });
}

// A file is found by its path, or else by its name without folders.
int mj_deleteFileVFS(mjVFS* vfs, const char* filename) {
  SINEW_CHECK(mj_deleteFileVFS);
  return GuardWithWarning("mj_deleteFileVFS", -1,
                          [&]() -> int { return filename && Get(vfs).Remove(filename) ? kSuccess : kFailure; });
}

int mj_containsBufferVFS(mjVFS* vfs, const char* name) {
  SINEW_CHECK(mj_containsBufferVFS);
  return GuardWithWarning("mj_containsBufferVFS", 0, [&] { return int{name && Get(vfs).ContainsBuffer(name)}; });
}
// The folder does not count, because files are known by their names.
int mj_containsFileVFS(mjVFS* vfs, const char*, const char* filename) {
  SINEW_CHECK(mj_containsFileVFS);
  return GuardWithWarning("mj_containsFileVFS", 0, [&] { return int{filename && Get(vfs).ContainsFile(filename)}; });
}

// Files are looked for in the order of core/resources.h: in memory, at providers, on disk.
mjResource* mju_openResource(const char* dir, const char* name, const mjVFS* vfs, char* error, size_t nerror) {
  const int capacity = static_cast<int>(std::min<size_t>(nerror, std::numeric_limits<int>::max()));
  mjResource* none = nullptr;
  return sinew::capi::GuardWithText("mju_openResource", error, capacity, none, [&]() -> mjResource* {
    auto resource = sinew::Resource::Open(vfs, Text(dir), Text(name));
    if (!resource) throw sinew::Error("Error opening file '" + sinew::JoinPath(Text(dir), Text(name)) + "'");
    return resource.release();
  });
}

void mju_closeResource(mjResource* resource) { delete sinew::Resource::Of(resource); }

// The bytes belong to the resource. Returns their number, -1 when there are none.
int mju_readResource(mjResource* resource, const void** buffer) {
  return GuardWithWarning("mju_readResource", -1, [&]() -> int {
    sinew::Resource* file = sinew::Resource::Of(resource);
    const auto content = file && buffer ? file->Read() : std::nullopt;
    if (!content || content->size() > std::numeric_limits<int>::max()) return kFailure;
    *buffer = content->data();
    return static_cast<int>(content->size());
  });
}

// The folder is a part of the resource's name, without a zero at its end.
void mju_getResourceDir(mjResource* resource, const char** dir, int* ndir) {
  SINEW_CHECK(mju_getResourceDir);
  *dir = resource ? resource->name : nullptr;
  *ndir = resource ? static_cast<int>(sinew::DirLength(*resource)) : 0;
}

// Returns whether it changed after the time stamp; without a resource nothing is known to be the same.
int mju_isModifiedResource(const mjResource* resource, const char* timestamp) {
  return resource ? sinew::IsModified(*resource, timestamp) : 1;
}

void mjp_defaultResourceProvider(mjpResourceProvider* provider) {
  SINEW_CHECK(mjp_defaultResourceProvider);
  *provider = {};
}

// Providers are known to the whole process until it ends.
int mjp_registerResourceProvider(const mjpResourceProvider* provider) {
  SINEW_CHECK(mjp_registerResourceProvider);
  // A provider that cannot be used is a warning; two providers of one prefix are an error.
  const char* prefix = provider->prefix ? provider->prefix : "";
  if (!sinew::IsValidScheme(prefix) || !sinew::IsComplete(provider)) {
    mju_warning("mjp_registerResourceProvider: provider '%s' has an invalid prefix, or lacks open, read or close",
                prefix);
    return -1;
  }
  return Guard("mjp_registerResourceProvider", [&] { return sinew::RegisterProvider(*provider); });
}
int mjp_resourceProviderCount() { return sinew::ProviderCount(); }
const mjpResourceProvider* mjp_getResourceProvider(const char* resource_name) {
  return Guard("mjp_getResourceProvider", [&] { return sinew::FindProvider(Text(resource_name)); });
}
const mjpResourceProvider* mjp_getResourceProviderAtSlot(int slot) { return sinew::ProviderAt(slot); }
