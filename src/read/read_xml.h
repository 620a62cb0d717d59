// Text to Spec. The root element of XML says in which format it is: <mujoco> is MJCF (src/mjcf), <robot> URDF
// (src/urdf), <OpenSimDocument> a model of OpenSim (src/osim). A name that ends in .hfd is that of a model of Hyfydy
// (src/hfd).
#ifndef SINEW_READ_READ_XML_H_
#define SINEW_READ_READ_XML_H_

#include <memory>
#include <string>

#include <mujoco/mujoco.h>

#include "spec/spec.h"
#include "urdf/options.h"

namespace sinew::inline read {

// Reads a model. Throws Error, which names every problem that one pass finds: file, line, element, attribute, text, and
// what is allowed. References between elements are names still: the compiler resolves them.
std::unique_ptr<Spec> ReadXml(const std::string& file, const mjVFS* vfs, const urdf::UrdfOptions& options = {});

// The same from text; `name` stands for the file in messages, and its folder begins relative paths.
std::unique_ptr<Spec> ReadXmlText(const std::string& text, const std::string& name, const mjVFS* vfs,
                                  const urdf::UrdfOptions& options = {});

}  // namespace sinew::inline read

#endif  // SINEW_READ_READ_XML_H_
