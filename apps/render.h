#ifndef SINEW_APPS_RENDER_H_
#define SINEW_APPS_RENDER_H_

namespace CLI {
class App;
}

namespace sinew {

// sinew render: a picture of a model, or a sheet of several.
void AddRender(CLI::App& app);

}  // namespace sinew

#endif  // SINEW_APPS_RENDER_H_
