// Meshes that are decomposed into convex pieces when a document is read (docs/how/meshes.md).
#ifndef SINEW_MJCF_MACROS_DECOMPOSE_H_
#define SINEW_MJCF_MACROS_DECOMPOSE_H_

#include "mjcf/read/sections.h"

namespace sinew::mjcf {

// Reads how a mesh collides. Of one that is decomposed, adds the pieces as meshes.
void ReadDecomposition(Context& context, ElementReader& reader, Mesh& mesh);

// Gives geoms of such meshes a geom for each piece, which collides in their place. They keep their mass and their
// looks.
void AddPieces(Context& context);

}  // namespace sinew::mjcf

#endif  // SINEW_MJCF_MACROS_DECOMPOSE_H_
