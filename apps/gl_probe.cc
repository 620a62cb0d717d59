#include "gl_probe.h"

#include <dlfcn.h>
#include <mujoco/mujoco.h>
#include <sinew/sinew.h>

#include <algorithm>
#include <cstdint>
#include <cstdlib>
#include <exception>
#include <memory>

namespace sinew {
namespace {

constexpr int kSize = 16;  // of a picture [pixel]

// A library that is loaded while it is asked; functions are cast to what the caller names.
class Library {
 public:
  explicit Library(const char* name) : handle_(dlopen(name, RTLD_NOW | RTLD_GLOBAL)) {}
  explicit operator bool() const { return handle_ != nullptr; }

  template <class F>
  F Function(const char* name) const {
    return reinterpret_cast<F>(dlsym(handle_, name));
  }

 private:
  void* handle_;  // stays: drivers do not like to be unloaded
};

// What the context that is current draws, in a picture of a ball.
std::string DrawWithContext(const char* renderer) {
  const char* chosen = std::getenv("SINEW_RENDER");
  const std::string before = chosen ? chosen : "auto";
  setenv("SINEW_RENDER", "gl", 1);
  std::string result;
  try {
    const Model model = Model::FromXmlText(
        "<mujoco><visual><global offwidth='16' offheight='16'/></visual><worldbody><geom "
        "size='1'/></worldbody></mujoco>");
    Data data(model);
    data.Forward();
    mjvScene scene;
    mjvOption option;
    mjvCamera camera;
    mjv_defaultScene(&scene);
    mjv_defaultOption(&option);
    mjv_defaultFreeCamera(model, &camera);
    mjv_makeScene(model, &scene, 10);
    const auto context = std::make_unique<mjrContext>();  // too large for the stack
    mjr_defaultContext(context.get());
    mjr_makeContext(model, context.get(), mjFONTSCALE_100);
    mjr_setBuffer(mjFB_OFFSCREEN, context.get());
    mjv_updateScene(model, data, &option, nullptr, &camera, mjCAT_ALL, &scene);
    const mjrRect all = {0, 0, kSize, kSize};
    uint8_t rgb[3 * kSize * kSize] = {};
    mjr_render(all, &scene, context.get());
    mjr_readPixels(rgb, nullptr, all, context.get());
    mjr_freeContext(context.get());
    mjv_freeScene(&scene);
    const bool lit = std::any_of(std::begin(rgb), std::end(rgb), [](uint8_t byte) { return byte > 0; });
    result = lit ? std::string("works: ") + renderer : "draws black pictures; please report it";
  } catch (const std::exception& e) {
    result = e.what();
  }
  setenv("SINEW_RENDER", before.c_str(), 1);
  return result;
}

const char* RendererName(void* (*find)(const char*)) {
  const auto get = reinterpret_cast<const unsigned char* (*)(unsigned)>(find("glGetString"));
  constexpr unsigned kRenderer = 0x1F01;  // GL_RENDERER
  const unsigned char* name = get ? get(kRenderer) : nullptr;
  return name ? reinterpret_cast<const char*>(name) : "unknown driver";
}

// Numbers are those of EGL/egl.h and EGL/eglext.h.
std::string ProbeEgl() {
  using Handle = void*;
  constexpr int kSurfaceless = 0x31DD, kOpenGlApi = 0x30A2, kRenderable = 0x3040, kOpenGlBit = 8, kSurfaceType = 0x3033,
                kNone = 0x3038;
  const Library egl("libEGL.so.1");
  if (!egl) return "no libEGL.so.1: install libegl1 and libegl-mesa0";
  const auto find = egl.Function<void* (*)(const char*)>("eglGetProcAddress");
  const auto display_of = reinterpret_cast<Handle (*)(unsigned, void*, const int*)>(find("eglGetPlatformDisplayEXT"));
  const Handle display = display_of ? display_of(kSurfaceless, nullptr, nullptr)
                                    : egl.Function<Handle (*)(void*)>("eglGetDisplay")(nullptr);
  if (!display || !egl.Function<unsigned (*)(Handle, int*, int*)>("eglInitialize")(display, nullptr, nullptr)) {
    return "no display without a screen: install a driver, as libegl-mesa0";
  }
  const int wanted[] = {kSurfaceType, 0, kRenderable, kOpenGlBit, kNone};
  Handle config = nullptr;
  int count = 0;
  egl.Function<unsigned (*)(Handle, const int*, Handle*, int, int*)>("eglChooseConfig")(display, wanted, &config, 1,
                                                                                        &count);
  egl.Function<unsigned (*)(unsigned)>("eglBindAPI")(kOpenGlApi);
  const auto make_current = egl.Function<unsigned (*)(Handle, Handle, Handle, Handle)>("eglMakeCurrent");
  const Handle context = egl.Function<Handle (*)(Handle, Handle, Handle, const int*)>("eglCreateContext")(
      display, count > 0 ? config : nullptr, nullptr, nullptr);
  std::string result = "gives no OpenGL context: install a driver, as libegl-mesa0 and libgl1-mesa-dri";
  if (context && make_current(display, nullptr, nullptr, context)) {
    result = DrawWithContext(RendererName(find));
    make_current(display, nullptr, nullptr, nullptr);
  }
  if (context) egl.Function<unsigned (*)(Handle, Handle)>("eglDestroyContext")(display, context);
  egl.Function<unsigned (*)(Handle)>("eglTerminate")(display);
  return result;
}

// Numbers are those of GL/gl.h.
std::string ProbeOsMesa() {
  using Handle = void*;
  constexpr unsigned kRgba = 0x1908, kUnsignedByte = 0x1401;
  Library mesa("libOSMesa.so.8");
  if (!mesa) return "no libOSMesa.so.8: install libosmesa6";
  const Handle context =
      mesa.Function<Handle (*)(unsigned, int, int, int, Handle)>("OSMesaCreateContextExt")(kRgba, 24, 8, 0, nullptr);
  std::vector<uint8_t> buffer(4 * kSize * kSize);
  const auto make_current = mesa.Function<uint8_t (*)(Handle, void*, unsigned, int, int)>("OSMesaMakeCurrent");
  if (!context || !make_current(context, buffer.data(), kUnsignedByte, kSize, kSize)) return "gives no context";
  const std::string result =
      DrawWithContext(RendererName(mesa.Function<void* (*)(const char*)>("OSMesaGetProcAddress")));
  make_current(nullptr, nullptr, 0, 0, 0);
  mesa.Function<void (*)(Handle)>("OSMesaDestroyContext")(context);
  return result;
}

}  // namespace

std::vector<std::pair<std::string, std::string>> ProbeOpenGl() {
  return {{"EGL", ProbeEgl()}, {"OSMesa", ProbeOsMesa()}};
}

}  // namespace sinew
