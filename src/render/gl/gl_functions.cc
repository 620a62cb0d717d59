// A library that draws must not ask for a window system at load time, and programs bring their own: here it is found
// out which of EGL, GLX and OSMesa has a current context in this thread. Functions of the window systems are declared
// by hand, with the numbers of their public registries, so that no headers of theirs are needed to build.
#include "render/gl/gl_functions.h"

#include <dlfcn.h>

#include <array>
#include <string_view>

#include "core/error.h"

namespace sinew::inline render {
namespace {

using Function = void (*)();
using GetFunction = Function (*)(const char*);
using GetContext = const void* (*)();

bool EglHasWindow();
bool EglWindowSize(int* width, int* height);
bool GlxHasWindow();
bool GlxWindowSize(int* width, int* height);
bool NoWindow();
bool NoWindowSize(int* width, int* height);

// A way to make contexts, in a library that the program may have loaded.
struct Platform {
  std::array<const char*, 3> libraries;
  // Names of two functions: one returns the current context, the other finds functions of OpenGL.
  const char *get_context, *get_function;
  bool (*has_window)();
  bool (*window_size)(int*, int*);
};
// They are asked in this order. An EGL context is found first where programs link both.
constexpr Platform kPlatforms[] = {
    {{"libEGL.so.1", "libEGL.so", nullptr}, "eglGetCurrentContext", "eglGetProcAddress", EglHasWindow, EglWindowSize},
    {{"libGLX.so.0", "libGL.so.1", "libGL.so"},
     "glXGetCurrentContext",
     "glXGetProcAddressARB",
     GlxHasWindow,
     GlxWindowSize},
    {{"libOSMesa.so.8", "libOSMesa.so.6", "libOSMesa.so"},
     "OSMesaGetCurrentContext",
     "OSMesaGetProcAddress",
     NoWindow,
     NoWindowSize},
};

// A library that is loaded, whoever did so; its own functions are then found, whatever is visible elsewhere.
void* LoadedLibrary(const char* name) { return name ? dlopen(name, RTLD_LAZY | RTLD_NOLOAD) : nullptr; }

template <class F>
F Symbol(void* library, const char* name) {
  return reinterpret_cast<F>(dlsym(library, name));
}

// A function of a library that stays loaded, from anywhere.
template <class F>
F LoadedSymbol(const char* const* names, const char* name) {
  for (int i = 0; i < 3; ++i) {
    void* library = LoadedLibrary(names[i]);
    if (!library) continue;
    const F found = Symbol<F>(library, name);
    dlclose(library);
    if (found) return found;
  }
  return nullptr;
}

// An attribute of the surface that EGL draws to; false without one.
bool AskEgl(int attribute, int* value) {
  constexpr int kDraw = 0x3059;  // EGL_DRAW
  const char* const* names = kPlatforms[0].libraries.data();
  const auto display = LoadedSymbol<void* (*)()>(names, "eglGetCurrentDisplay");
  const auto surface = LoadedSymbol<void* (*)(int)>(names, "eglGetCurrentSurface");
  const auto query = LoadedSymbol<unsigned (*)(void*, void*, int, int*)>(names, "eglQuerySurface");
  if (!display || !surface || !query || !surface(kDraw)) return false;
  return query(display(), surface(kDraw), attribute, value) != 0;
}

// Whether EGL's surface is a window: only buffers of pixels have the attribute that is queried.
bool EglHasWindow() {
  constexpr int kLargestPbuffer = 0x3058;  // EGL_LARGEST_PBUFFER
  int value = -1;
  return AskEgl(kLargestPbuffer, &value) && value == -1;
}
bool EglWindowSize(int* width, int* height) {
  constexpr int kHeight = 0x3056, kWidth = 0x3057;  // EGL_HEIGHT, EGL_WIDTH
  return AskEgl(kWidth, width) && AskEgl(kHeight, height);
}

// The drawable is an X identifier, and 0 without one.
unsigned long GlxDrawable() {
  const auto drawable = LoadedSymbol<unsigned long (*)()>(kPlatforms[1].libraries.data(), "glXGetCurrentDrawable");
  return drawable ? drawable() : 0;
}
bool GlxHasWindow() { return GlxDrawable() != 0; }
bool GlxWindowSize(int* width, int* height) {
  constexpr int kWidth = 0x801D, kHeight = 0x801E;  // GLX_WIDTH, GLX_HEIGHT
  const char* const* names = kPlatforms[1].libraries.data();
  const auto display = LoadedSymbol<void* (*)()>(names, "glXGetCurrentDisplay");
  const auto query = LoadedSymbol<void (*)(void*, unsigned long, int, unsigned*)>(names, "glXQueryDrawable");
  if (!display || !query || !display() || !GlxDrawable()) return false;
  unsigned w = 0, h = 0;
  query(display(), GlxDrawable(), kWidth, &w);
  query(display(), GlxDrawable(), kHeight, &h);
  *width = static_cast<int>(w);
  *height = static_cast<int>(h);
  return true;
}

bool NoWindow() { return false; }
bool NoWindowSize(int*, int*) { return false; }

// Renderers that are known to draw on the processor, by the name that they tell. There, rays are faster, and costly
// filters are left out.
bool IsSoftware(std::string_view renderer) {
  for (const std::string_view name : {"llvmpipe", "softpipe", "swrast", "Software Rasterizer", "SwiftShader"}) {
    if (renderer.find(name) != std::string_view::npos) return true;
  }
  return false;
}

template <class F>
void Load(GetFunction get, const char* name, F& function) {
  function = reinterpret_cast<F>(get(name));
}

// Throws Error below 3.3, the first version with all that shaders.h needs.
void CheckVersion(const GlFunctions& gl) {
  GLint major = 0, minor = 0;
  gl.GetIntegerv(GL_MAJOR_VERSION, &major);
  gl.GetIntegerv(GL_MINOR_VERSION, &minor);
  if (10 * major + minor >= 33) return;
  throw Error(
      "the OpenGL context has version " + std::to_string(major) + "." + std::to_string(minor) + ", drawing needs 3.3",
      "update the graphics driver, or set SINEW_RENDER=cpu");
}

// Finds all functions of one library, or nothing where this thread has no context of it. A context in which a
// function is missing is an error, as every OpenGL 3.3 has each of them.
std::optional<GlFunctions> FindIn(const Platform& platform, void* library) {
  const auto get_context = Symbol<GetContext>(library, platform.get_context);
  const auto get = Symbol<GetFunction>(library, platform.get_function);
  if (!get_context || !get || !get_context()) return std::nullopt;
  GlFunctions gl;
  gl.current = get_context;
  gl.context = const_cast<void*>(get_context());
#define SINEW_GL_LOAD(name, upper) \
  Load(get, "gl" #name, gl.name);  \
  if (!gl.name) throw Error("the OpenGL context has no gl" #name, "set SINEW_RENDER=cpu, or update the driver");
  SINEW_GL_FUNCTIONS(SINEW_GL_LOAD)
#undef SINEW_GL_LOAD
  CheckVersion(gl);
  GLint major = 0, minor = 0;
  gl.GetIntegerv(GL_MAJOR_VERSION, &major);
  gl.GetIntegerv(GL_MINOR_VERSION, &minor);
  // Clip control came with 4.5; without it depth loses the precision that its reversed range would bring.
  if (10 * major + minor >= 45) Load(get, "glClipControl", gl.ClipControl);
  const auto* renderer = reinterpret_cast<const char*>(gl.GetString(GL_RENDERER));
  gl.renderer = renderer ? renderer : "";
  gl.software = IsSoftware(gl.renderer);
  gl.window = platform.has_window();
  gl.window_size = platform.window_size;
  return gl;
}

}  // namespace

// Opening a library that is loaded counts one more user of it. A library in which nothing was found is let go.
std::optional<GlFunctions> FindGlFunctions() {
  for (const Platform& platform : kPlatforms) {
    for (const char* name : platform.libraries) {
      void* library = LoadedLibrary(name);
      if (!library) continue;
      std::optional<GlFunctions> found = FindIn(platform, library);
      if (found) return found;  // the library stays: GLFW lets go of it before contexts are freed
      dlclose(library);
    }
  }
  return std::nullopt;
}

}  // namespace sinew::inline render
