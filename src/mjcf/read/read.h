// MJCF to Spec.
#ifndef SINEW_MJCF_READ_READ_H_
#define SINEW_MJCF_READ_READ_H_

#include <memory>
#include <string>
#include <string_view>

#include <mujoco/mujoco.h>

#include "mjcf/xml/xml_node.h"
#include "spec/spec.h"

namespace sinew::mjcf {

// Reads the models that a document names, of any format: ReadModelFile of read/read_file.h.
using ModelReader = std::unique_ptr<Spec> (*)(const std::string& file, std::string_view content_type, const mjVFS* vfs);

// Reads a model from a document. Throws Error with every problem that one pass finds.
std::unique_ptr<Spec> ReadMjcf(const XmlDocument& document, const mjVFS* vfs, ModelReader read_model);

}  // namespace sinew::mjcf

#endif  // SINEW_MJCF_READ_READ_H_
