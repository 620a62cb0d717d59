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

// Once all links are read: gives the body of a link that moves, and has no mass and nothing that has and is fixed to
// it, so little that it can be simulated, and tells it.
void GiveMass(Context& context, const XmlNode& node, Body& body);

}  // namespace sinew::urdf

#endif  // SINEW_URDF_LINKS_H_
