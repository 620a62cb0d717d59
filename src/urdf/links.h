// Links: inertia, shapes that are seen, shapes that collide.
#ifndef SINEW_URDF_LINKS_H_
#define SINEW_URDF_LINKS_H_

#include "urdf/context.h"
#include "urdf/meshes.h"

namespace sinew::urdf {

// Collects the colours of the materials in a robot, in the order of the file.
void CollectColors(Context& context, const XmlNode& robot);

// Reads what a link has into its body.
void ReadLink(Context& context, const XmlNode& node, Meshes& meshes, Body& body);

}  // namespace sinew::urdf

#endif  // SINEW_URDF_LINKS_H_
