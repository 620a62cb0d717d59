// `sinew compile MODEL [OUTPUT]` checks a model and writes it compiled; `sinew convert MODEL OUTPUT` turns it into
// another format. They differ in what they make of a robot: the first compiles it as programs do, the second keeps all
// that its file says.
#ifndef SINEW_APPS_CONVERT_H_
#define SINEW_APPS_CONVERT_H_

#include <CLI/App.hpp>

namespace sinew {

void AddCompile(CLI::App& app);
void AddConvert(CLI::App& app);

}  // namespace sinew

#endif  // SINEW_APPS_CONVERT_H_
