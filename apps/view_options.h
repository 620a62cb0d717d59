// What commands that draw share: the size of pictures, and from where a model is seen.
#ifndef SINEW_APPS_VIEW_OPTIONS_H_
#define SINEW_APPS_VIEW_OPTIONS_H_

#include <sinew/sinew.h>

#include <CLI/CLI.hpp>
#include <string>

namespace sinew {

struct ViewOptions {
  std::string size = "640x480";
  std::string camera;  // name or number; empty: that of the model, else a free one
  double azimuth = 0, elevation = 0, distance = 0;
  bool has_azimuth = false, has_elevation = false, has_distance = false;
  int samples = 0;
};

void AddViewOptions(CLI::App& command, ViewOptions& options);

// A renderer as the options ask; throws for a size or a camera that is not possible, naming those that are.
Renderer MakeRenderer(const Model& model, const ViewOptions& options, RendererOptions renderer = {});

}  // namespace sinew

#endif  // SINEW_APPS_VIEW_OPTIONS_H_
