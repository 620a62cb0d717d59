// Which renderer a context gets, and where it is kept: mjrContext has a layout that programs know and no room for a
// pointer, so a process-wide table holds backends by number. The table is locked; a backend itself is used by one
// thread at a time, as mjr_* requires.
#include "render/backends.h"

#include <cstdlib>
#include <map>
#include <mutex>
#include <string>
#include <string_view>
#include <utility>

#include "core/error.h"
#include "render/gl/gl_backend.h"
#include "render/rays/ray_backend.h"

namespace sinew::inline render {
namespace {

std::mutex mutex;

// Made on the first use and never destroyed: contexts may be freed while the program ends.
std::map<unsigned, std::unique_ptr<RenderBackend>>& Backends() {
  static auto* backends = new std::map<unsigned, std::unique_ptr<RenderBackend>>;
  return *backends;
}

// Some functions of mjr_* have no context in their arguments (mjr_finish, mjr_getError): they go to the backend that
// this thread used last. Zero is none.
thread_local unsigned current = 0;

RenderBackend* Find(unsigned number) {
  const std::lock_guard lock(mutex);
  const auto found = Backends().find(number);
  return found == Backends().end() ? nullptr : found->second.get();
}

// A window needs OpenGL; elsewhere a processor draws faster by rays than a rasterizer in software.
bool PrefersGl(const GlFunctions& gl) { return !gl.software || gl.window; }

// A user's choice that cannot be had is an error that names the remedy; without a choice there is always a renderer.
std::unique_ptr<RenderBackend> MakeBackend(const mjModel* m, mjrContext& con) {
  const RendererChoice choice = ChosenRenderer();
  if (choice == RendererChoice::kCpu) return rays::MakeRayBackend(m, con);
  if (choice == RendererChoice::kGl) {
    const std::optional<GlFunctions> gl = FindGlFunctions();
    if (gl) return MakeGlBackend(*gl, m, con);
    throw Error("SINEW_RENDER is gl, and there is no current OpenGL context",
                "make one current before mjr_makeContext (GLFW, EGL or OSMesa), or set SINEW_RENDER to cpu or auto");
  }
  try {
    const std::optional<GlFunctions> gl = FindGlFunctions();
    if (gl && PrefersGl(*gl)) return MakeGlBackend(*gl, m, con);
  } catch (const Error&) {
    // a context that is too old: rays need none
  }
  return rays::MakeRayBackend(m, con);
}

}  // namespace

RendererChoice ChosenRenderer() {
  const char* set = std::getenv("SINEW_RENDER");
  const std::string_view choice = set ? set : "";
  if (choice.empty() || choice == "auto") return RendererChoice::kAuto;
  if (choice == "gl") return RendererChoice::kGl;
  if (choice == "cpu") return RendererChoice::kCpu;
  throw Error("SINEW_RENDER is '" + std::string(choice) + "'", "set it to auto, gl or cpu");
}

// Numbers are not used twice while a backend has them, so that a context that was freed finds nothing instead of
// another's. The backend is built before the lock is taken, since large meshes take long.
void OpenBackend(const mjModel* m, mjrContext& con) {
  std::unique_ptr<RenderBackend> made = MakeBackend(m, con);
  const std::lock_guard lock(mutex);
  static unsigned last = 0;
  while (++last == 0 || Backends().contains(last)) {
  }
  con.baseBuiltin = current = last;
  Backends()[last] = std::move(made);
}

void CloseBackend(mjrContext& con) {
  std::unique_ptr<RenderBackend> ended;  // destroyed when others can go on
  {
    const std::lock_guard lock(mutex);
    const auto found = Backends().find(con.baseBuiltin);
    if (found == Backends().end()) return;
    ended = std::move(found->second);
    Backends().erase(found);
  }
  con.baseBuiltin = 0;
}

RenderBackend* BackendOf(const mjrContext& con) {
  RenderBackend* backend = Find(con.baseBuiltin);
  if (backend) current = con.baseBuiltin;
  return backend;
}

RenderBackend& RequireBackend(const mjrContext& con) {
  if (RenderBackend* backend = BackendOf(con)) return *backend;
  throw Error("the context has no renderer", "make it with mjr_makeContext");
}

RenderBackend* CurrentBackend() { return Find(current); }

}  // namespace sinew::inline render
