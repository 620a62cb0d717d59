// OpenSim's model files (.osim, root element OpenSimDocument) to Spec (docs/how/osim.md).
#ifndef SINEW_OSIM_READ_H_
#define SINEW_OSIM_READ_H_

#include <mujoco/mujoco.h>

#include <memory>

#include "mjcf/xml/xml_node.h"
#include "spec/spec.h"

namespace sinew::osim {

// Throws Error, which names every problem that one pass finds. What a document says and a model cannot hold is in the
// warnings of the specification.
std::unique_ptr<Spec> ReadOsim(const mjcf::XmlDocument& document, const mjVFS* vfs);

}  // namespace sinew::osim

#endif  // SINEW_OSIM_READ_H_
