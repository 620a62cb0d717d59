#include "viewer/window.h"

#define GLFW_INCLUDE_GLCOREARB
#include <GLFW/glfw3.h>
#include <backends/imgui_impl_glfw.h>
#include <backends/imgui_impl_opengl3.h>
#include <imgui.h>

#include <algorithm>
#include <chrono>
#include <cstdlib>
#include <cstring>
#include <memory>
#include <stdexcept>
#include <string>
#include <string_view>
#include <vector>

#include "picture_file.h"
#include "viewer/mouse.h"
#include "viewer/panels.h"

namespace sinew {
namespace {

constexpr int kVideoRate = 30;           // pictures a second
constexpr double kNoticeSeconds = 2.5;   // a notice stays
constexpr double kWatchSeconds = 0.5;    // between looks at files
constexpr double kShareOfPicture = 0.7;  // of the time of a picture that simulation may take
constexpr int kFineSamples = 4;          // of a pixel by rays, where time does not press

double Seconds() { return glfwGetTime(); }

std::string LastError() {
  const char* text = nullptr;
  glfwGetError(&text);
  return text ? text : "unknown";
}

// GLFW and its window.
class GlfwWindow {
 public:
  GlfwWindow(int width, int height, const std::string& title) {
    if (!glfwInit()) {
      throw std::runtime_error("there is no display for a window (" + LastError() +
                               "): start it from a desktop or with xvfb-run; without one, use sinew render or sinew "
                               "simulate --video");
    }
    glfwWindowHint(GLFW_CONTEXT_VERSION_MAJOR, 3);
    glfwWindowHint(GLFW_CONTEXT_VERSION_MINOR, 3);
    glfwWindowHint(GLFW_OPENGL_PROFILE, GLFW_OPENGL_CORE_PROFILE);
    glfwWindowHint(GLFW_OPENGL_FORWARD_COMPAT, GLFW_TRUE);
    glfwWindowHint(GLFW_STENCIL_BITS, 8);
    glfwWindowHint(GLFW_SAMPLES, 4);
    window_ = glfwCreateWindow(width, height, title.c_str(), nullptr, nullptr);
    if (!window_) {
      const std::string error = LastError();
      glfwTerminate();
      throw std::runtime_error("no window with OpenGL 3.3 could be opened (" + error +
                               "): install a graphics driver, or libgl1-mesa-dri for drawing on the processor");
    }
    glfwMakeContextCurrent(window_);
    glfwSwapInterval(1);
  }
  ~GlfwWindow() {
    glfwDestroyWindow(window_);
    glfwTerminate();
  }
  GlfwWindow(const GlfwWindow&) = delete;
  GlfwWindow& operator=(const GlfwWindow&) = delete;

  GLFWwindow* get() const { return window_; }

 private:
  GLFWwindow* window_ = nullptr;
};

template <class F>
F GlFunction(const char* name) {
  return reinterpret_cast<F>(glfwGetProcAddress(name));
}

bool DrawsOnProcessor() {
  const auto get = GlFunction<PFNGLGETSTRINGPROC>("glGetString");
  const auto* name = reinterpret_cast<const char*>(get(GL_RENDERER));
  return name && std::string_view(name).find("llvmpipe") != std::string_view::npos;
}

// A picture from memory behind the panels: rays draw where there is no graphics processor.
class Backdrop {
 public:
  void Show(const std::vector<unsigned char>& rgb, int width, int height, float shown_width, float shown_height) {
    const auto bind = GlFunction<PFNGLBINDTEXTUREPROC>("glBindTexture");
    const auto parameter = GlFunction<PFNGLTEXPARAMETERIPROC>("glTexParameteri");
    if (!texture_) GlFunction<PFNGLGENTEXTURESPROC>("glGenTextures")(1, &texture_);
    bind(GL_TEXTURE_2D, texture_);
    parameter(GL_TEXTURE_2D, GL_TEXTURE_MIN_FILTER, GL_LINEAR);
    parameter(GL_TEXTURE_2D, GL_TEXTURE_MAG_FILTER, GL_LINEAR);
    GlFunction<PFNGLPIXELSTOREIPROC>("glPixelStorei")(GL_UNPACK_ALIGNMENT, 1);
    GlFunction<PFNGLTEXIMAGE2DPROC>("glTexImage2D")(GL_TEXTURE_2D, 0, GL_RGB8, width, height, 0, GL_RGB,
                                                    GL_UNSIGNED_BYTE, rgb.data());
    bind(GL_TEXTURE_2D, 0);
    const auto id = reinterpret_cast<ImTextureID>(static_cast<intptr_t>(texture_));
    ImGui::GetBackgroundDrawList()->AddImage(id, ImVec2(0, 0), ImVec2(shown_width, shown_height), ImVec2(0, 1),
                                             ImVec2(1, 0));
  }

 private:
  GLuint texture_ = 0;
};

class Viewer {
 public:
  Viewer(Session& session, const WindowOptions& options)
      : session_(session), options_(options), window_(options.width, options.height, "sinew") {
    const char* chosen = std::getenv("SINEW_RENDER");
    rays_ = chosen && chosen == std::string_view("cpu");
    if (!chosen || chosen == std::string_view("auto")) rays_ = DrawsOnProcessor();
    setenv("SINEW_RENDER", rays_ ? "cpu" : "gl", 1);
    setenv("SINEW_LIGHT", "pixels", 0);  // no program has learned from these pictures
    mjv_defaultOption(&view_.option);
    mjv_defaultScene(&view_.scene);
    mjr_defaultContext(context_.get());
    mjcb_time = Seconds;  // the profiler's clock
    if (options.all_panels) view_.info = view_.profiler = view_.sensors = true;
    StartGui();
    Connect();
  }
  ~Viewer() {
    if (video_) video_->Finish();
    mjcb_time = nullptr;
    mjr_freeContext(context_.get());
    mjv_freeScene(&view_.scene);
    ImGui_ImplOpenGL3_Shutdown();
    ImGui_ImplGlfw_Shutdown();
    ImGui::DestroyContext();
  }
  Viewer(const Viewer&) = delete;
  Viewer& operator=(const Viewer&) = delete;

  void Run() {
    if (!options_.record.empty()) StartVideo(options_.record);
    const double begin = Seconds();
    double last = begin;
    bool end = false;
    while (!end && !glfwWindowShouldClose(window_.get()) && !session_.abandoned()) {
      glfwPollEvents();
      const double now = Seconds();
      const double passed = std::min(now - last, 0.1);
      last = now;
      WatchFiles(now);
      if (shown_generation_ != session_.generation()) ShowNewModel();
      session_.Advance(passed, kShareOfPicture / 30);
      RecordPlots(session_, view_);
      end = options_.seconds > 0 && now - begin > options_.seconds;
      DrawPicture(now, end);
      if (view_.wanted) Do(*std::exchange(view_.wanted, std::nullopt));
      if (view_.opened) Open(*std::exchange(view_.opened, std::nullopt));
    }
  }

 private:
  static Viewer& Of(GLFWwindow* window) { return *static_cast<Viewer*>(glfwGetWindowUserPointer(window)); }

  // Ours first: ImGui calls those that it finds.
  void Connect() {
    GLFWwindow* w = window_.get();
    glfwSetWindowUserPointer(w, this);
    glfwSetKeyCallback(w, [](GLFWwindow* at, int key, int, int action, int mods) {
      if (action != GLFW_RELEASE && !ImGui::GetIO().WantTextInput) Of(at).Key(key, mods);
    });
    glfwSetMouseButtonCallback(w, [](GLFWwindow* at, int button, int action, int mods) {
      if (!ImGui::GetIO().WantCaptureMouse || action == GLFW_RELEASE) Of(at).Button(button, action, mods);
    });
    glfwSetCursorPosCallback(w, [](GLFWwindow* at, double x, double y) { Of(at).Drag(x, y); });
    glfwSetScrollCallback(w, [](GLFWwindow* at, double, double by) {
      if (!ImGui::GetIO().WantCaptureMouse) Of(at).Zoom(-0.05 * by);
    });
    glfwSetDropCallback(w, [](GLFWwindow* at, int count, const char** paths) {
      if (count > 0) Of(at).view_.opened = paths[0];
    });
    ImGui_ImplGlfw_InitForOpenGL(w, true);
    ImGui_ImplOpenGL3_Init("#version 330");
  }

  void StartGui() {
    ImGui::CreateContext();
    ImGui::GetIO().IniFilename = nullptr;  // nothing is left behind in the folder
    ImGui::StyleColorsDark();
    ImGui::GetStyle().WindowRounding = 4;
    ImGui::GetStyle().Colors[ImGuiCol_WindowBg].w = 0.85f;
  }

  // ---- models

  void Open(const std::string& path) {
    if (session_.Open(path)) Notice("opened " + path);
  }

  void WatchFiles(double now) {
    if (now - watched_at_ < kWatchSeconds) return;
    watched_at_ = now;
    if (session_.ReloadIfChanged() && session_.error().empty()) Notice("loaded again");
  }

  void ShowNewModel() {
    shown_generation_ = session_.generation();
    constexpr int kGeoms = 10000;
    const bool first = !has_model_;
    mjtByte flags[mjNRNDFLAG];
    std::copy_n(view_.scene.flags, mjNRNDFLAG, flags);
    mjv_makeScene(session_.m(), &view_.scene, kGeoms);
    if (!first) std::copy_n(flags, mjNRNDFLAG, view_.scene.flags);
    mjr_makeContext(session_.m(), context_.get(), mjFONTSCALE_100);
    const bool camera_left = view_.camera.type == mjCAMERA_FIXED && view_.camera.fixedcamid >= session_.m()->ncam;
    if (first || camera_left || session_.path() != shown_path_) mjv_defaultFreeCamera(session_.m(), &view_.camera);
    shown_path_ = session_.path();
    has_model_ = true;
    glfwSetWindowTitle(window_.get(), ("sinew: " + session_.path()).c_str());
  }

  // ---- pictures

  void DrawPicture(double now, bool last) {
    int width = 0, height = 0, shown_width = 0, shown_height = 0;
    glfwGetFramebufferSize(window_.get(), &width, &height);
    glfwGetWindowSize(window_.get(), &shown_width, &shown_height);
    ImGui_ImplOpenGL3_NewFrame();
    ImGui_ImplGlfw_NewFrame();
    ImGui::NewFrame();
    if (has_model_ && width > 0 && height > 0) DrawModel(width, height, shown_width, shown_height, now);
    view_.notice = now < notice_until_ ? notice_ : "";
    DrawPanels(session_, view_, static_cast<float>(shown_width), static_cast<float>(shown_height));
    ImGui::Render();
    ImGui_ImplOpenGL3_RenderDrawData(ImGui::GetDrawData());
    if (last && !options_.screenshot.empty()) WriteWindow(options_.screenshot, width, height);
    glfwSwapBuffers(window_.get());
  }

  void DrawModel(int width, int height, int shown_width, int shown_height, double now) {
    mjv_updateScene(session_.m(), session_.d(), &view_.option, &session_.perturb, &view_.camera, mjCAT_ALL,
                    &view_.scene);
    const mjrRect all = {0, 0, width, height};
    if (rays_ && (context_->offWidth != width || context_->offHeight != height)) {
      mjr_resizeOffscreen(width, height, context_.get());
    }
    if (rays_) context_->offSamples = session_.paused || !screenshot_.empty() ? kFineSamples : 1;
    mjr_setBuffer(rays_ ? mjFB_OFFSCREEN : mjFB_WINDOW, context_.get());
    mjr_render(all, &view_.scene, context_.get());
    const bool film = video_ && now >= next_video_;
    if (rays_ || film || !screenshot_.empty()) {
      pixels_.resize(3 * static_cast<size_t>(width) * static_cast<size_t>(height));
      mjr_readPixels(pixels_.data(), nullptr, all, context_.get());
    }
    if (film) AddToVideo(width, height);
    if (!screenshot_.empty()) {
      WritePicture(screenshot_, width, height);
      screenshot_.clear();
    }
    if (rays_) {
      backdrop_.Show(pixels_, width, height, static_cast<float>(shown_width), static_cast<float>(shown_height));
    }
  }

  // pixels_ from top to bottom
  std::vector<unsigned char> Upright(int width, int height) const {
    std::vector<unsigned char> rows(pixels_.size());
    const size_t row = 3 * static_cast<size_t>(width);
    for (size_t y = 0; y < static_cast<size_t>(height); ++y) {
      std::copy_n(pixels_.begin() + static_cast<long>(y * row), row,
                  rows.begin() + static_cast<long>((static_cast<size_t>(height) - 1 - y) * row));
    }
    return rows;
  }

  void WritePicture(const std::string& path, int width, int height) {
    try {
      sinew::WritePicture(path, width, height, Upright(width, height));
      Notice("wrote " + path);
    } catch (const std::exception& e) {
      Notice(e.what());
    }
  }

  // With panels: what the window itself shows.
  void WriteWindow(const std::string& path, int width, int height) {
    pixels_.resize(3 * static_cast<size_t>(width) * static_cast<size_t>(height));
    GlFunction<PFNGLPIXELSTOREIPROC>("glPixelStorei")(GL_PACK_ALIGNMENT, 1);
    GlFunction<PFNGLREADPIXELSPROC>("glReadPixels")(0, 0, width, height, GL_RGB, GL_UNSIGNED_BYTE, pixels_.data());
    sinew::WritePicture(path, width, height, Upright(width, height));
  }

  void StartVideo(const std::string& path) {
    int width = 0, height = 0;
    glfwGetFramebufferSize(window_.get(), &width, &height);
    video_ = std::make_unique<VideoWriter>(path, width, height, kVideoRate);
    video_width_ = width;
    video_height_ = height;
    video_path_ = path;
    next_video_ = Seconds();
    view_.recording = true;
    Notice("recording " + path);
  }

  void StopVideo() {
    video_->Finish();
    video_.reset();
    view_.recording = false;
    Notice("wrote " + video_path_);
  }

  // A picture for each thirtieth of a second of the clock, however many are shown.
  void AddToVideo(int width, int height) {
    if (width != video_width_ || height != video_height_) return StopVideo();
    const std::vector<unsigned char> rows = Upright(width, height);
    for (const double now = Seconds(); next_video_ <= now; next_video_ += 1.0 / kVideoRate) video_->Add(rows);
  }

  void Notice(const std::string& text) {
    notice_ = text;
    notice_until_ = Seconds() + kNoticeSeconds;
  }

  // ---- keys

  void Key(int key, int mods) {
    const bool control = (mods & GLFW_MOD_CONTROL) != 0, shift = (mods & GLFW_MOD_SHIFT) != 0;
    if (const KeyBinding* binding = FindBinding(key, control, shift)) return Do(binding->command);
    if (!control) ToggleByKey(key, shift, view_.option, view_.scene);
  }

  static std::string NextFile(const std::string& stem, const std::string& extension) {
    for (int i = 1;; ++i) {
      std::string path = stem + "-" + std::to_string(i) + extension;
      if (!std::filesystem::exists(path)) return path;
    }
  }

  void Do(Command command) {
    switch (command) {
      case Command::kHelp:
        view_.help = !view_.help;
        return;
      case Command::kInfo:
        view_.info = !view_.info;
        return;
      case Command::kProfiler:
        view_.profiler = !view_.profiler;
        return;
      case Command::kSensors:
        view_.sensors = !view_.sensors;
        return;
      case Command::kLeftPanel:
        view_.left_panel = !view_.left_panel;
        return;
      case Command::kRightPanel:
        view_.right_panel = !view_.right_panel;
        return;
      case Command::kFullScreen:
        return ToggleFullScreen();
      case Command::kQuit:
        glfwSetWindowShouldClose(window_.get(), GLFW_TRUE);
        return;
      default:
        if (session_.loaded()) DoWithModel(command);
    }
  }

  void DoWithModel(Command command) {
    const mjModel* m = session_.m();
    switch (command) {
      case Command::kFrames:
        view_.option.frame = (view_.option.frame + 1) % mjNFRAME;
        return;
      case Command::kLabels:
        view_.option.label = (view_.option.label + 1) % mjNLABEL;
        return;
      case Command::kPause:
        session_.paused = !session_.paused;
        return;
      case Command::kStep:
        return session_.Step(1);
      case Command::kStepBack:
        return session_.Step(-1);
      case Command::kFaster:
        return session_.ChangeSpeed(1);
      case Command::kSlower:
        return session_.ChangeSpeed(-1);
      case Command::kReset:
        return session_.Reset();
      case Command::kReload:
        if (session_.Reload()) Notice("loaded again");
        return;
      case Command::kAlign:
        return mjv_defaultFreeCamera(m, &view_.camera);
      case Command::kFreeCamera:
        view_.camera.type = mjCAMERA_FREE;
        return;
      case Command::kPreviousCamera:
        return CycleCamera(-1, static_cast<int>(m->ncam), view_.camera);
      case Command::kNextCamera:
        return CycleCamera(1, static_cast<int>(m->ncam), view_.camera);
      case Command::kScreenshot:
        screenshot_ = NextFile("screenshot", ".png");
        return;
      case Command::kCopyState:
        glfwSetClipboardString(window_.get(), session_.StateAsKeyframe().c_str());
        return Notice("the state is in the clipboard");
      case Command::kPrintModel:
        mj_printModel(m, "MJMODEL.TXT");
        return Notice("wrote MJMODEL.TXT");
      case Command::kPrintData:
        mj_printData(m, session_.d(), "MJDATA.TXT");
        return Notice("wrote MJDATA.TXT");
      case Command::kRecord:
        return ToggleVideo();
      default:
        return;
    }
  }

  void ToggleVideo() {
    try {
      video_ ? StopVideo() : StartVideo(NextFile("video", ".mp4"));
    } catch (const std::exception& e) {
      Notice(e.what());
    }
  }

  void ToggleFullScreen() {
    GLFWwindow* w = window_.get();
    if (glfwGetWindowMonitor(w)) {
      glfwSetWindowMonitor(w, nullptr, place_[0], place_[1], place_[2], place_[3], 0);
      return;
    }
    glfwGetWindowPos(w, &place_[0], &place_[1]);
    glfwGetWindowSize(w, &place_[2], &place_[3]);
    GLFWmonitor* monitor = glfwGetPrimaryMonitor();
    const GLFWvidmode* mode = monitor ? glfwGetVideoMode(monitor) : nullptr;
    if (mode) glfwSetWindowMonitor(w, monitor, 0, 0, mode->width, mode->height, mode->refreshRate);
  }

  // ---- mouse

  MouseView Seen() {
    MouseView seen = {session_.m(), session_.d(), &view_.option, &view_.scene, &view_.camera, &session_.perturb, 1, 1};
    glfwGetWindowSize(window_.get(), &seen.width, &seen.height);
    return seen;
  }

  void Button(int button, int action, int mods) {
    if (!session_.loaded() || button > GLFW_MOUSE_BUTTON_MIDDLE) return;
    if (action == GLFW_RELEASE) return mouse_.Release(Seen());
    double x = 0, y = 0;
    glfwGetCursorPos(window_.get(), &x, &y);
    mouse_.Press(Seen(), static_cast<MouseButton>(button), (mods & GLFW_MOD_CONTROL) != 0, x, y, Seconds());
  }

  void Drag(double x, double y) {
    if (!has_model_) return;
    const bool shift = glfwGetKey(window_.get(), GLFW_KEY_LEFT_SHIFT) == GLFW_PRESS ||
                       glfwGetKey(window_.get(), GLFW_KEY_RIGHT_SHIFT) == GLFW_PRESS;
    mouse_.Drag(Seen(), x, y, shift);
  }

  void Zoom(double by) {
    if (has_model_) Mouse::Zoom(Seen(), by);
  }

  Session& session_;
  const WindowOptions options_;
  GlfwWindow window_;
  ViewState view_;
  std::unique_ptr<mjrContext> context_ = std::make_unique<mjrContext>();  // too large for the stack
  Backdrop backdrop_;
  std::vector<unsigned char> pixels_;  // of the last picture, from bottom to top
  bool rays_ = false, has_model_ = false;
  int shown_generation_ = 0;
  std::string shown_path_, screenshot_, notice_;
  double notice_until_ = 0, watched_at_ = 0;

  std::unique_ptr<VideoWriter> video_;
  std::string video_path_;
  int video_width_ = 0, video_height_ = 0;
  double next_video_ = 0;

  Mouse mouse_;
  int place_[4] = {100, 100, 1280, 800};  // of the window before it filled the screen
};

}  // namespace

void ShowWindow(Session& session, const WindowOptions& options) { Viewer(session, options).Run(); }

}  // namespace sinew
