#include "render.h"

#include <sinew/sinew.h>

#include <CLI/CLI.hpp>
#include <algorithm>
#include <cmath>
#include <cstdio>
#include <limits>
#include <memory>
#include <nlohmann/json.hpp>
#include <stdexcept>
#include <string>
#include <vector>

#include "arguments.h"
#include "load.h"
#include "picture_file.h"
#include "progress.h"
#include "view_options.h"

namespace sinew {
namespace {

struct RenderOptions {
  RobotOptions robot;
  std::string model, output = "picture.png";
  std::string keyframe;
  double seconds = 0;
  std::string sheet;  // cameras, keyframes or time
  int pictures = 12;
  std::string kind = "color";
  ViewOptions view;
  bool json = false;
};

// Colours that tell numbers apart: the radical inverses of a number in the bases 2, 3 and 5 (J. Halton, 1960).
uint8_t Tell(int number, int base) {
  double value = 0, digit = 1.0 / base;
  for (int rest = number + 1; rest > 0; rest /= base, digit /= base) value += digit * (rest % base);
  return static_cast<uint8_t>(25 + 220 * value);
}

std::vector<uint8_t> Segments(const Picture& picture) {
  std::vector<uint8_t> rgb(picture.rgb.size(), 0);
  for (size_t i = 0; 2 * i < picture.segments.size(); ++i) {
    const int id = picture.segments[2 * i + 1];
    if (id < 0) continue;
    rgb[3 * i] = Tell(id, 2);
    rgb[3 * i + 1] = Tell(id, 3);
    rgb[3 * i + 2] = Tell(id, 5);
  }
  return rgb;
}

// White is near, black is nothing; in between, in equal steps of distance.
std::vector<uint8_t> Distances(const Picture& picture) {
  float near = std::numeric_limits<float>::infinity(), far = 0;
  for (const float depth : picture.depth) {
    if (!std::isfinite(depth)) continue;
    near = std::min(near, depth);
    far = std::max(far, depth);
  }
  std::vector<uint8_t> rgb(picture.rgb.size(), 0);
  for (size_t i = 0; i < picture.depth.size(); ++i) {
    if (!std::isfinite(picture.depth[i])) continue;
    const float share = far > near ? (far - picture.depth[i]) / (far - near) : 1;
    std::fill_n(rgb.begin() + static_cast<long>(3 * i), 3, static_cast<uint8_t>(40 + 215 * share));
  }
  return rgb;
}

std::vector<uint8_t> Show(const Picture& picture, const std::string& kind) {
  if (kind == "depth") return Distances(picture);
  if (kind == "segmentation") return Segments(picture);
  return {picture.rgb.begin(), picture.rgb.end()};
}

// Pictures of one size, in rows of about as many as there are rows.
class Sheet {
 public:
  Sheet(int width, int height, int count) : width_(width), height_(height) {
    columns_ = std::max(1, static_cast<int>(std::ceil(std::sqrt(count))));
    const int rows = (std::max(count, 1) + columns_ - 1) / columns_;
    rgb_.resize(3 * static_cast<size_t>(columns_ * width) * static_cast<size_t>(rows * height));
  }

  void Add(const std::vector<uint8_t>& picture) {
    const int column = count_ % columns_, row = count_ / columns_;
    for (int y = 0; y < height_; ++y) {
      const size_t to = static_cast<size_t>((row * height_ + y) * columns_ * width_ + column * width_);
      std::copy_n(picture.begin() + 3L * y * width_, 3 * width_, rgb_.begin() + static_cast<long>(3 * to));
    }
    ++count_;
  }

  int width() const { return columns_ * width_; }
  int height() const { return static_cast<int>(rgb_.size()) / (3 * width()); }
  const std::vector<uint8_t>& rgb() const { return rgb_; }

 private:
  int width_, height_, columns_ = 1, count_ = 0;
  std::vector<uint8_t> rgb_;
};

void StepUntil(const Model& model, Data& data, double time) {
  while (data.time() < time - 0.5 * model->opt.timestep) data.Step();
}

void RunRender(const RenderOptions& options) {
  const Loaded loaded = Load(options.model, options.robot);
  PrintWarnings(loaded.warnings);
  const Model& model = loaded.model;
  Data data(model);
  if (!options.keyframe.empty()) data.ResetToKeyframe(FindKeyframe(model, options.keyframe));
  RendererOptions wanted;
  wanted.depth = options.kind == "depth";
  wanted.segmentation = options.kind == "segmentation";
  Renderer renderer = MakeRenderer(model, options.view, wanted);
  const double start = data.time();

  int count = 1;
  if (options.sheet == "cameras") count = static_cast<int>(model->ncam);
  if (options.sheet == "keyframes") count = static_cast<int>(model->nkey);
  if (options.sheet == "time") count = options.pictures;
  if (count == 0) throw std::runtime_error("the model has no " + options.sheet + " for a sheet");

  std::unique_ptr<Sheet> sheet;
  Progress progress("drawing", count);
  for (int i = 0; i < count; ++i) {
    if (options.sheet == "cameras") renderer.UseCamera(i);
    if (options.sheet == "keyframes") data.ResetToKeyframe(i);
    const double share = options.sheet == "time" ? (count > 1 ? static_cast<double>(i) / (count - 1) : 1) : 1;
    StepUntil(model, data, start + share * options.seconds);
    data.Forward();
    const Picture picture = renderer.Render(data);
    if (!sheet) sheet = std::make_unique<Sheet>(picture.width, picture.height, count);
    sheet->Add(Show(picture, options.kind));
    if (count > 1) progress.Update(i + 1);
  }
  if (count > 1) progress.Finish();
  WritePicture(options.output, sheet->width(), sheet->height(), sheet->rgb());
  if (options.json) {
    const nlohmann::ordered_json report = {
        {"file", options.output}, {"width", sheet->width()}, {"height", sheet->height()}, {"pictures", count}};
    std::printf("%s\n", report.dump(2).c_str());
  } else {
    std::printf("%s: %d x %d pixels\n", options.output.c_str(), sheet->width(), sheet->height());
  }
}

}  // namespace

void AddRender(CLI::App& app) {
  auto options = std::make_shared<RenderOptions>();
  CLI::App* command = app.add_subcommand("render", "Draw a model to a file, without a display");
  command->add_option("model", options->model, "MJCF, URDF or MJB file, or an archive (.zip)")->required();
  command->add_option("output", options->output, "File to write: .png or .jpg by its name")->capture_default_str();
  command->add_option("-k,--keyframe", options->keyframe, "Name or number of the keyframe to show");
  command->add_option("-t,--time", options->seconds, "Seconds to simulate first")
      ->check(NonNegativeReal())
      ->capture_default_str();
  command->add_option("--sheet", options->sheet, "Several pictures in one: all cameras, all keyframes, or over --time")
      ->check(CLI::IsMember({"cameras", "keyframes", "time"}));
  command->add_option("--pictures", options->pictures, "Pictures of a sheet over time")
      ->check(CLI::Range(1, 400))
      ->capture_default_str();
  command->add_option("--kind", options->kind, "What pixels show")
      ->check(CLI::IsMember({"color", "depth", "segmentation"}))
      ->capture_default_str();
  AddViewOptions(*command, options->view);
  AddRobotOptions(*command, &options->robot);
  command->add_flag("--json", options->json, "Print the report as JSON");
  command->callback([options] { RunRender(*options); });
}

}  // namespace sinew
