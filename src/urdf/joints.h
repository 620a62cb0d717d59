// Joints: how a link moves in its parent.
#ifndef SINEW_URDF_JOINTS_H_
#define SINEW_URDF_JOINTS_H_

#include <string>

#include "urdf/context.h"

namespace sinew::urdf {

// The ends of a joint; empty where an end is missing, which is a problem then.
struct JointEnds {
  std::string parent, child;
};
JointEnds ReadEnds(Context& context, const XmlNode& node);

// Places the body of the child link and gives it the joints.
void ReadJoint(Context& context, const XmlNode& node, Body& body);

// Couples joints that mimic others; once all joints exist.
void ReadMimic(Context& context, const XmlNode& node);

}  // namespace sinew::urdf

#endif  // SINEW_URDF_JOINTS_H_
