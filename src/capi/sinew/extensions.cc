// The functions of <sinew/extensions.h>: what MuJoCo 3.8.0 does not have. Options come as structs of plain types and
// are converted here. Functions with a buffer for a text report errors there.
#include <sinew/dense_output.h>
#include <sinew/extensions.h>

#include <algorithm>
#include <cstddef>
#include <span>
#include <string>
#include <string_view>

#include "capi/arguments.h"
#include "capi/boundary.h"
#include "core/file_policy.h"
#include "core/load_limits.h"
#include "core/stack.h"
#include "core/vfs.h"
#include "mjcf/schema/xsd.h"
#include "model/storage/data.h"
#include "read/read_xml.h"
#include "render/world_renderer.h"
#include "step/snapshot.h"
#include "step/step.h"

using sinew::capi::Guard;
using sinew::capi::GuardWithText;

namespace {

// The path of packages is a list of folders with colons between them, as in ROS; empty entries do not count.
sinew::urdf::UrdfOptions Convert(const sinewUrdfOptions& given) {
  sinew::urdf::UrdfOptions options;
  options.mimic = given.mimic != 0;
  options.visuals = given.visuals != 0;
  options.actuators = given.actuators != 0;
  options.floatingbase = given.floatingbase != 0;
  std::string_view list = given.package_path ? given.package_path : "";
  while (!list.empty()) {
    const std::string_view folder = list.substr(0, list.find(':'));
    if (!folder.empty()) options.package_path.emplace_back(folder);
    list.remove_prefix(std::min(folder.size() + 1, list.size()));
  }
  return options;
}

}  // namespace

// Two macros, because arguments of # are not expanded.
#define SINEW_TEXT_OF(number) #number
#define SINEW_DOTTED(major, minor, patch) SINEW_TEXT_OF(major) "." SINEW_TEXT_OF(minor) "." SINEW_TEXT_OF(patch)

const char* sinew_versionString() {
  return SINEW_DOTTED(SINEW_VERSION_MAJOR, SINEW_VERSION_MINOR, SINEW_VERSION_PATCH);
}

mjSpec* sinew_parseUrdf(const char* filename, const sinewUrdfOptions* options, const mjVFS* vfs, char* error,
                        int error_sz) {
  return GuardWithText<mjSpec*>("sinew_parseUrdf", error, error_sz, nullptr, [=] {
    return sinew::ReadXml(sinew::capi::Given("filename", filename), vfs,
                          options ? Convert(*options) : sinew::urdf::UrdfOptions())
        .release();
  });
}

// Bounds of memory and time for loads that begin afterwards, in all threads; 0 stands for the default, less for none.
void sinew_setLoadLimits(double bytes, double seconds) { sinew::SetLoadLimits({bytes, seconds}); }

// A virtual file system that mj_defaultVFS has not made is an error.
void sinew_setFileRoot(mjVFS* vfs, const char* folder) {
  Guard("sinew_setFileRoot", [=] {
    const std::string root = folder ? folder : "";
    if (!vfs) return sinew::SetFileRoot(root);
    sinew::Vfs* files = sinew::Vfs::Of(vfs);
    if (!files) throw sinew::Error("the virtual file system is not initialized", "call mj_defaultVFS first");
    files->SetRoot(root);
  });
}

// Returns the length of the whole text, so that a caller can get it without a buffer first.
int sinew_printXsd(char* buffer, int buffer_sz) {
  return Guard("sinew_printXsd", [=] {
    const std::string text = sinew::mjcf::SchemaXsd();
    if (buffer && buffer_sz > 0) {
      buffer[text.copy(buffer, static_cast<std::size_t>(buffer_sz) - 1)] = '\0';
    }
    return static_cast<int>(text.size());
  });
}

int sinew_snapshotSize(const mjModel* m) {
  SINEW_NOT_NULL(sinew_snapshotSize, m);
  return Guard("sinew_snapshotSize", [=] { return static_cast<int>(sinew::SnapshotSize(*m)); });
}

// Null pointers are fine where there is nothing to read or write.
void sinew_stepDense(const mjModel* m, mjData* d, const double* times, int ntime, double* states) {
  SINEW_NOT_NULL(sinew_stepDense, m, d);
  SINEW_NOT_NULL_IF(ntime > 0, sinew_stepDense, times, states);
  SINEW_NOT_NEGATIVE(sinew_stepDense, ntime);
  Guard("sinew_stepDense", [=] {
    sinew::RequireStack(d);
    sinew::StepWithDenseOutput(m, d, times, ntime, states);
  });
}

// The bytes are of one world of this model; a smaller buffer is an error that names the size.
int sinew_saveSnapshot(const mjModel* m, const mjData* d, void* buffer, int buffer_sz) {
  SINEW_NOT_NULL(sinew_saveSnapshot, m, d, buffer);
  return Guard("sinew_saveSnapshot", [=] {
    const size_t size = sinew::SnapshotSize(*m);
    if (buffer_sz < 0 || static_cast<size_t>(buffer_sz) < size) {
      throw sinew::Error("buffer_sz " + std::to_string(buffer_sz) + " is too small for a snapshot of " +
                             std::to_string(size) + " bytes",
                         "ask sinew_snapshotSize");
    }
    sinew::SaveSnapshot(*m, *d, {static_cast<std::byte*>(buffer), size});
    return static_cast<int>(size);
  });
}

// Returns 0, or -1 with a text when the bytes are not a snapshot of this model.
int sinew_loadSnapshot(const mjModel* m, mjData* d, const void* buffer, int buffer_sz, char* error, int error_sz) {
  SINEW_NOT_NULL(sinew_loadSnapshot, m, d);
  return GuardWithText("sinew_loadSnapshot", error, error_sz, -1, [=] {
    const size_t size = buffer && buffer_sz > 0 ? static_cast<size_t>(buffer_sz) : 0;
    sinew::LoadSnapshot(*m, d, {static_cast<const std::byte*>(buffer), size});
    return 0;
  });
}

// The struct that C sees is incomplete; here it holds the C++ object.
struct sinewRenderer_ {
  sinew::WorldRenderer renderer;
  uint64_t signature;  // of the model that it was made for: meshes and textures of that one are in it
};

sinewRenderer* sinew_makeRenderer(const mjModel* m, int width, int height, int samples, char* error, int error_sz) {
  return GuardWithText<sinewRenderer*>("sinew_makeRenderer", error, error_sz, nullptr, [=]() -> sinewRenderer* {
    if (!m) throw sinew::Error("m is NULL", "give a model");
    if (samples != 0 && samples != 1 && samples != 4) {
      throw sinew::Error("pixels cannot have " + std::to_string(samples) + " samples", "ask for 0, 1 or 4");
    }
    const auto sampling = samples == 0   ? sinew::rays::Sampling::kAdaptive
                          : samples == 1 ? sinew::rays::Sampling::kOne
                                         : sinew::rays::Sampling::kFour;
    return new sinewRenderer{{*m, width, height, sampling}, m->signature};
  });
}

void sinew_freeRenderer(sinewRenderer* renderer) { delete renderer; }
void sinew_rendererSize(const sinewRenderer* renderer, int* width, int* height) {
  SINEW_NOT_NULL(sinew_rendererSize, renderer, width, height);
  *width = renderer->renderer.width();
  *height = renderer->renderer.height();
}

// Arrays may be null for pictures that are not wanted; each has its worlds one after the other.
int sinew_renderWorlds(sinewRenderer* renderer, const mjModel* m, mjData* const* worlds, int nworld,
                       const mjvOption* option, const mjvCamera* camera, unsigned char* rgb, float* depth,
                       int* segments, char* error, int error_sz) {
  return GuardWithText("sinew_renderWorlds", error, error_sz, -1, [=] {
    if (!renderer || !m || !option || !camera || (nworld > 0 && !worlds)) {
      throw sinew::Error("renderer, m, worlds, option or camera is NULL", "only rgb, depth and segments may be");
    }
    if (m->signature != renderer->signature) {
      throw sinew::Error("the renderer was made for another model than m", "make one for this model");
    }
    for (int i = 0; i < nworld; ++i) {
      if (worlds[i] && sinew::HasLayoutOf(*m, *worlds[i])) continue;
      throw sinew::Error(
          "worlds[" + std::to_string(i) + "] is " + (worlds[i] ? "data of another model than m" : "NULL"),
          "give data that mj_makeData has made for m");
    }
    renderer->renderer.Draw(*m, worlds, nworld, *option, *camera, {rgb, depth, segments});
    return 0;
  });
}

// The official Python package shares std::string with the library, so it needs the name of its standard library.
const char* sinew_cxxLibrary(void) {
#ifdef _LIBCPP_VERSION
  return "libc++";
#else
  return "libstdc++";
#endif
}
