// The visible parts of a document: markers, and shapes that are fixed to bodies.
#ifndef SINEW_OSIM_DISPLAY_H_
#define SINEW_OSIM_DISPLAY_H_

#include "osim/context.h"

namespace sinew::osim {

// Markers become sites.
void ReadMarkers(Context& context, const XmlNode& model);

// Spheres, ellipsoids, cylinders, bricks and meshes of frames become geoms that touch nothing and weigh nothing. Meshes
// whose files are not there, or are none that the engine reads, are told.
void ReadDisplayGeometry(Context& context, const XmlNode& model);

}  // namespace sinew::osim

#endif  // SINEW_OSIM_DISPLAY_H_
