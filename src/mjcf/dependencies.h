// The files of a model: what somebody who moves it to another place has to take along.
#ifndef SINEW_MJCF_DEPENDENCIES_H_
#define SINEW_MJCF_DEPENDENCIES_H_

#include <string>
#include <vector>

namespace sinew::mjcf {

// The file itself, the files that it includes, those of its assets, and other models with what these need; each once,
// in this order. Paths are those that reading and compiling the model opens. An asset need not exist; an included file
// or a model that cannot be read throws Error.
std::vector<std::string> XmlDependencies(const std::string& file);

}  // namespace sinew::mjcf

#endif  // SINEW_MJCF_DEPENDENCIES_H_
