#include "view_options.h"

#include <charconv>
#include <stdexcept>

#include "arguments.h"

namespace sinew {
namespace {

// The whole text as a number.
bool ReadNumber(std::string_view text, int& number) {
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), number);
  return error == std::errc() && end == text.data() + text.size();
}

void ReadSize(const std::string& text, RendererOptions& renderer) {
  const size_t x = text.find('x');
  if (x != std::string::npos && ReadNumber(std::string_view(text).substr(0, x), renderer.width) &&
      ReadNumber(std::string_view(text).substr(x + 1), renderer.height)) {
    return;
  }
  throw std::runtime_error("the size '" + text + "' is not of the form WIDTHxHEIGHT; give for example 640x480");
}

void ChooseCamera(const mjModel* m, const ViewOptions& options, Renderer& renderer) {
  int number = 0;
  if (options.camera.empty()) {
  } else if (options.camera == "free") {
    mjv_defaultFreeCamera(m, &renderer.camera());
  } else if (ReadNumber(options.camera, number)) {
    if (number < 0 || number >= m->ncam) {
      throw std::runtime_error("there is no camera " + options.camera + "; the model has " + std::to_string(m->ncam) +
                               ", and --camera free looks at all of it");
    }
    renderer.UseCamera(number);
  } else {
    renderer.UseCamera(options.camera);
  }
  mjvCamera& camera = renderer.camera();
  const bool moved = options.has_azimuth || options.has_elevation || options.has_distance;
  if (moved && camera.type == mjCAMERA_FIXED) mjv_defaultFreeCamera(m, &camera);
  if (options.has_azimuth) camera.azimuth = options.azimuth;
  if (options.has_elevation) camera.elevation = options.elevation;
  if (options.has_distance) camera.distance = options.distance;
}

}  // namespace

void AddViewOptions(CLI::App& command, ViewOptions& options) {
  command.add_option("-s,--size", options.size, "Width and height of a picture [pixel]")->capture_default_str();
  command.add_option("--camera", options.camera, "Name or number of a camera, or 'free'");
  const auto number = [&](const std::string& name, double& value, bool& given, const std::string& text) {
    command
        .add_option_function<double>(
            name,
            [&value, &given](double x) {
              value = x;
              given = true;
            },
            text)
        ->check(FiniteReal());
  };
  number("--azimuth", options.azimuth, options.has_azimuth, "Of a free camera: angle about the vertical [degree]");
  number("--elevation", options.elevation, options.has_elevation, "Of a free camera: angle above the horizon [degree]");
  number("--distance", options.distance, options.has_distance, "Of a free camera: distance from the middle [m]");
  command.add_option("--samples", options.samples, "Rays of a pixel: 1, 4, or 0 for four where neighbours differ")
      ->check(CLI::IsMember({0, 1, 4}))
      ->capture_default_str();
}

Renderer MakeRenderer(const Model& model, const ViewOptions& options, RendererOptions renderer) {
  ReadSize(options.size, renderer);
  renderer.samples = options.samples;
  Renderer made(model, renderer);
  ChooseCamera(model, options, made);
  return made;
}

}  // namespace sinew
