// URDF to Spec.
#ifndef SINEW_URDF_READ_H_
#define SINEW_URDF_READ_H_

#include <memory>

#include <mujoco/mujoco.h>

#include "mjcf/xml/xml_node.h"
#include "spec/spec.h"
#include "urdf/options.h"

namespace sinew::urdf {

// Reads a robot from a document with the root <robot>. Throws Error with every problem that one pass finds; what the
// model cannot hold becomes warnings of the specification. Options in the file's own extension,
// <mujoco><urdf .../></mujoco>, add to those that are given.
std::unique_ptr<Spec> ReadUrdf(const mjcf::XmlDocument& document, const UrdfOptions& options, const mjVFS* vfs);

}  // namespace sinew::urdf

#endif  // SINEW_URDF_READ_H_
