// Models of SCONE and Hyfydy (.hfd) to Spec (docs/how/hfd.md).
#ifndef SINEW_HFD_READ_H_
#define SINEW_HFD_READ_H_

#include <mujoco/mujoco.h>

#include <memory>
#include <string>

#include "spec/spec.h"

namespace sinew::hfd {

// Reads a text; `name` is that of the file. Throws Error, which names every problem that one pass finds. What a
// document says and a model cannot hold is in the warnings of the specification.
std::unique_ptr<Spec> ReadHfd(const std::string& text, const std::string& name, const mjVFS* vfs);

}  // namespace sinew::hfd

#endif  // SINEW_HFD_READ_H_
