// The functions of <sinew/meshes.h>.
#include <sinew/meshes.h>

#include <string>

#include "assets/mesh_decoder.h"
#include "capi/arguments.h"
#include "capi/boundary.h"
#include "core/error.h"
#include "core/file_policy.h"
#include "core/load_limits.h"
#include "core/path.h"
#include "core/resources.h"

using sinew::capi::Given;
using sinew::capi::GuardWithText;

// The file is opened as an asset of a model in the folder would be.
mjSpec* sinew_readMesh(const char* dir, const char* file, const mjVFS* vfs, char* error, int error_sz) {
  return GuardWithText<mjSpec*>("sinew_readMesh", error, error_sz, nullptr, [=] {
    const std::string folder = dir ? dir : "", name = Given("file", file);
    const sinew::LoadClock clock;
    const auto resource = sinew::Resource::Open(vfs, folder, name);
    if (!resource) {
      const std::string path = sinew::JoinPath(folder, name);
      throw sinew::Error("cannot open the file '" + path + "'" + sinew::WhyBlocked(path, sinew::Vfs::RootOf(vfs)));
    }
    return sinew::ReadMeshSpec(*resource, vfs).release();
  });
}
