// Model files of all formats to Spec.
#ifndef SINEW_READ_READ_FILE_H_
#define SINEW_READ_READ_FILE_H_

#include <mujoco/mujoco.h>

#include <memory>
#include <string>
#include <string_view>

#include "spec/spec.h"

namespace sinew::inline read {

// Reads MJCF, URDF and models of OpenSim and Hyfydy (extension .xml, .urdf, .osim or .hfd, or media type text/xml), and
// other files with the decoder for their media type or extension. Throws Error.
std::unique_ptr<Spec> ReadModelFile(const std::string& file, std::string_view content_type, const mjVFS* vfs);

}  // namespace sinew::inline read

#endif  // SINEW_READ_READ_FILE_H_
