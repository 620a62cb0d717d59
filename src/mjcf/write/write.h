// Spec to MJCF (docs/how/xml-out.md).
#ifndef SINEW_MJCF_WRITE_WRITE_H_
#define SINEW_MJCF_WRITE_WRITE_H_

#include <string>

#include "spec/spec.h"

namespace sinew::mjcf {

// Significant digits of real numbers that are written, for the whole program: at most so many, and with the default of
// six as many as each number needs to be read again (mjcf/numbers.h).
int XmlPrecision();
void SetXmlPrecision(int digits);

// The text of a model that compiles to what the specification compiles to: orientations as quaternions, angles in
// radians, poses relative to bodies, actuators in general form. With `carry`, extensions stand in <custom>, so that
// MuJoCo 3.8.0 loads the text (mjcf/packed_extensions.h). Throws Error for what the format cannot express.
std::string WriteXml(Spec& spec, bool carry = false);

}  // namespace sinew::mjcf

#endif  // SINEW_MJCF_WRITE_WRITE_H_
