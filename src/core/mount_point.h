// A provider that was notified of its use with a virtual file system, or with one file.
#ifndef SINEW_CORE_MOUNT_POINT_H_
#define SINEW_CORE_MOUNT_POINT_H_

#include <mujoco/mujoco.h>

#include <string>
#include <utility>

#include "core/vfs.h"

namespace sinew::inline core {

struct Vfs::MountPoint {
  std::string name;
  mjpResourceProvider provider;
  mjResource resource = {};

  MountPoint(std::string path, const mjVFS* vfs, const mjpResourceProvider& p) : name(std::move(path)), provider(p) {
    resource.name = name.data();
    resource.vfs = const_cast<mjVFS*>(vfs);
    resource.provider = &provider;
  }
  bool Begin() { return !provider.mount || provider.mount(&resource) != 0; }
  void End() {
    if (provider.unmount) provider.unmount(&resource);
  }
};

}  // namespace sinew::inline core

#endif  // SINEW_CORE_MOUNT_POINT_H_
