#include "viewer/window/window.h"

#include <backends/imgui_impl_glfw.h>
#include <backends/imgui_impl_opengl3.h>
#include <imgui.h>

#include <algorithm>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "viewer/mouse.h"
#include "viewer/panels/panels.h"
#include "viewer/panels/style.h"
#include "viewer/window/gl_window.h"
#include "viewer/window/input.h"
#include "viewer/window/picture.h"
#include "viewer/window/recorder.h"

namespace sinew {
namespace {

constexpr double kNoticeSeconds = 2.5;   // a notice stays
constexpr double kWatchSeconds = 0.5;    // between looks at files
constexpr double kShareOfPicture = 0.7;  // of the time of a picture that simulation may take

double Seconds() { return glfwGetTime(); }

class Viewer {
 public:
  Viewer(Session& session, const WindowOptions& options)
      : session_(session), options_(options), window_(options.width, options.height, "sinew") {
    mjv_defaultOption(&view_.option);
    mjv_defaultScene(&view_.scene);
    mjcb_time = Seconds;  // the profiler's clock
    if (options.all_panels) view_.info = view_.profiler = view_.sensors = true;
    view_.look.text_percent = options.text_percent ? options.text_percent : window_.text_percent();
    StartGui();
  }
  ~Viewer() {
    mjcb_time = nullptr;
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
      const double passed = now - std::exchange(last, now);
      WatchFiles(now);
      if (shown_generation_ != session_.generation()) ShowNewModel();
      session_.Advance(passed, kShareOfPicture / Recorder::kRate);
      RecordPlots(session_, view_);
      end = options_.seconds > 0 && now - begin > options_.seconds;
      DrawPicture(now, end);
      TakeInput();
    }
  }

 private:
  void StartGui() {
    ImGui::CreateContext();
    ImGui::GetIO().IniFilename = nullptr;  // nothing is left behind in the folder
    input_.Connect(window_.get());
    ImGui_ImplGlfw_InitForOpenGL(window_.get(), true);
    ImGui_ImplOpenGL3_Init("#version 330");
    ShowLook();
  }

  // Colours and font, which can only change between pictures.
  void ShowLook() {
    if (shown_look_ == view_.look) return;
    const bool text = !shown_look_ || shown_look_->text_percent != view_.look.text_percent;
    ApplyLook(view_.look);
    if (std::exchange(shown_look_, view_.look)) {  // the first texture is made with the first picture
      ImGui_ImplOpenGL3_DestroyFontsTexture();
      ImGui_ImplOpenGL3_CreateFontsTexture();
    }
    if (text) picture_.ChangeText(view_.look.text_percent);
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
    const bool first = !picture_.has_model();
    picture_.Take(session_.m(), view_.look.text_percent, view_.scene);
    const bool camera_left = view_.camera.type == mjCAMERA_FIXED && view_.camera.fixedcamid >= session_.m()->ncam;
    if (first || camera_left || session_.path() != shown_path_) mjv_defaultFreeCamera(session_.m(), &view_.camera);
    if (session_.path() != shown_path_) view_.sensor_lines.clear();
    shown_path_ = session_.path();
    glfwSetWindowTitle(window_.get(), ("sinew: " + session_.path()).c_str());
  }

  // ---- pictures

  void DrawPicture(double now, bool last) {
    int width = 0, height = 0, shown_width = 0, shown_height = 0;
    glfwGetFramebufferSize(window_.get(), &width, &height);
    glfwGetWindowSize(window_.get(), &shown_width, &shown_height);
    if (synchronized_ != view_.vertical_sync) {
      synchronized_ = view_.vertical_sync;
      glfwSwapInterval(view_.vertical_sync ? 1 : 0);
    }
    ShowLook();
    ImGui_ImplOpenGL3_NewFrame();
    ImGui_ImplGlfw_NewFrame();
    ImGui::NewFrame();
    if (picture_.has_model() && width > 0 && height > 0) {
      const std::string told = picture_.Draw(session_, view_, width, height, shown_width, shown_height);
      if (!told.empty()) Notice(told);
    }
    view_.notice = now < notice_until_ ? notice_ : "";
    DrawPanels(session_, view_, static_cast<float>(shown_width), static_cast<float>(shown_height));
    ImGui::Render();
    ImGui_ImplOpenGL3_RenderDrawData(ImGui::GetDrawData());
    if (last && !options_.screenshot.empty()) {
      std::vector<unsigned char> pixels;
      ReadWindow(width, height, pixels);
      WritePicture(options_.screenshot, width, height, Upright(pixels, width, height));
    }
    glfwSwapBuffers(window_.get());
  }

  void StartVideo(const std::string& path) {
    int width = 0, height = 0;
    glfwGetFramebufferSize(window_.get(), &width, &height);
    picture_.recorder().Start(path, width, height, Seconds());
    view_.recording = true;
    Notice("recording " + path);
  }

  void StopVideo() {
    Notice("wrote " + picture_.recorder().Finish());
    view_.recording = false;
  }

  void ToggleVideo() {
    try {
      picture_.recorder().is_on() ? StopVideo() : StartVideo(NextFile("video", ".mp4"));
    } catch (const std::exception& e) {
      Notice(e.what());
    }
  }

  void Notice(const std::string& text) {
    notice_ = text;
    notice_until_ = Seconds() + kNoticeSeconds;
  }

  // ---- keys and mouse, after the panels have said what is theirs

  void TakeInput() {
    const ImGuiIO& io = ImGui::GetIO();
    for (const KeyEvent& event : std::exchange(input_.keys, {})) {
      if (!io.WantTextInput) Key(event);
    }
    for (const MouseEvent& event : std::exchange(input_.mouse, {})) TakeMouse(event, io.WantCaptureMouse);
    for (const std::string& path : std::exchange(input_.dropped, {})) Open(path);
    if (view_.wanted) Do(*std::exchange(view_.wanted, std::nullopt));
    if (view_.opened) Open(*std::exchange(view_.opened, std::nullopt));
    if (view_.saved) Save(*std::exchange(view_.saved, std::nullopt));
  }

  void Save(const std::string& path) {
    if (session_.Save(path)) Notice("wrote " + path);
  }

  void Key(const KeyEvent& event) {
    const bool control = (event.mods & GLFW_MOD_CONTROL) != 0, shift = (event.mods & GLFW_MOD_SHIFT) != 0;
    if (const KeyBinding* binding = FindBinding(event.key, control, shift)) return Do(binding->command);
    if (!control) ToggleByKey(event.key, shift, view_.option, view_.scene);
  }

  void TakeMouse(const MouseEvent& event, bool for_panels) {
    if (!picture_.has_model()) return;
    MouseView seen = {session_.m(), session_.d(), &view_.option, &view_.scene, &view_.camera, &session_.perturb, 1, 1};
    glfwGetWindowSize(window_.get(), &seen.width, &seen.height);
    const bool control = (event.mods & GLFW_MOD_CONTROL) != 0, shift = (event.mods & GLFW_MOD_SHIFT) != 0;
    switch (event.kind) {
      case MouseEvent::Kind::kRelease:
        return mouse_.Release(seen);
      case MouseEvent::Kind::kMove:
        return mouse_.Drag(seen, event.x, event.y, shift);
      case MouseEvent::Kind::kPress:
        if (for_panels) return;
        return mouse_.Press(seen, static_cast<MouseButton>(event.button), control, event.x, event.y, event.seconds);
      case MouseEvent::Kind::kWheel:
        if (!for_panels) Mouse::Zoom(seen, -0.05 * event.by);
    }
  }

  // ---- commands

  static void Toggle(bool& what) { what = !what; }

  void ChangeText(int by) { view_.look.text_percent = std::clamp(view_.look.text_percent + by, kLeastText, kMostText); }

  void Do(Command command) {
    switch (command) {
      case Command::kHelp:
        return Toggle(view_.help);
      case Command::kInfo:
        return Toggle(view_.info);
      case Command::kProfiler:
        return Toggle(view_.profiler);
      case Command::kSensors:
        return Toggle(view_.sensors);
      case Command::kLeftPanel:
        return Toggle(view_.left_panel);
      case Command::kRightPanel:
        return Toggle(view_.right_panel);
      case Command::kLargerText:
        return ChangeText(kTextStep);
      case Command::kSmallerText:
        return ChangeText(-kTextStep);
      case Command::kOpen:
        return view_.dialog.Show(FileDialog::Purpose::kOpen, session_.path());
      case Command::kFullScreen:
        return window_.ToggleFullScreen();
      case Command::kQuit:
        return glfwSetWindowShouldClose(window_.get(), GLFW_TRUE);
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
      case Command::kAlign:
        return mjv_defaultFreeCamera(m, &view_.camera);
      case Command::kFreeCamera:
        view_.camera.type = mjCAMERA_FREE;
        return;
      case Command::kPreviousCamera:
        return CycleCamera(-1, static_cast<int>(m->ncam), view_.camera);
      case Command::kNextCamera:
        return CycleCamera(1, static_cast<int>(m->ncam), view_.camera);
      default:
        DoWithSession(command);
    }
  }

  void DoWithSession(Command command) {
    switch (command) {
      case Command::kPause:
        return Toggle(session_.paused);
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
      case Command::kSelectParent:
        return session_.SelectParent();
      case Command::kReload:
        if (session_.Reload()) Notice("loaded again");
        return;
      default:
        Export(command);
    }
  }

  void Export(Command command) {
    switch (command) {
      case Command::kSave:
        return view_.dialog.Show(FileDialog::Purpose::kSave, session_.path());
      case Command::kScreenshot:
        return picture_.Keep(NextFile("screenshot", ".png"));
      case Command::kRecord:
        return ToggleVideo();
      case Command::kCopyState:
        return Copy(session_.StateAsKeyframe(), "the state is in the clipboard");
      case Command::kCopyCamera:
        return Copy(CameraAsElement(view_.scene, static_cast<double>(session_.m()->vis.global.fovy)),
                    "the camera is in the clipboard");
      case Command::kPrintModel:
        mj_printModel(session_.m(), "MJMODEL.TXT");
        return Notice("wrote MJMODEL.TXT");
      case Command::kPrintData:
        mj_printData(session_.m(), session_.d(), "MJDATA.TXT");
        return Notice("wrote MJDATA.TXT");
      default:
        return;
    }
  }

  void Copy(const std::string& text, const char* notice) {
    glfwSetClipboardString(window_.get(), text.c_str());
    Notice(notice);
  }

  Session& session_;
  const WindowOptions options_;
  GlfwWindow window_;
  Input input_;
  ViewState view_;
  std::optional<Look> shown_look_;
  WindowPicture picture_;
  bool synchronized_ = false;
  int shown_generation_ = 0;
  std::string shown_path_, notice_;
  double notice_until_ = 0, watched_at_ = 0;
  Mouse mouse_;
};

}  // namespace

void ShowWindow(Session& session, const WindowOptions& options) { Viewer(session, options).Run(); }

}  // namespace sinew
