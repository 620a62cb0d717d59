// Triangles of the shapes that a draw list names, of unit size: for renderers that draw triangles. A shape is scaled by
// its instance's size; a capsule is a tube and two caps, which are moved apart instead of being stretched.
#ifndef SINEW_RENDER_UNIT_SHAPES_H_
#define SINEW_RENDER_UNIT_SHAPES_H_

#include "render/draw_assets.h"

namespace sinew::inline render {

TriangleList UnitSphere(Divisions divisions);  // radius 1
TriangleList UnitCap(Divisions divisions);     // the half of it with z >= 0
TriangleList UnitTube(Divisions divisions);    // radius 1, z from -1 to 1, open
TriangleList UnitDisk(Divisions divisions);    // radius 1, z = 0, seen from +z
TriangleList UnitCone(Divisions divisions);    // base radius 1 at z = 0, tip at z = 1, open
TriangleList UnitBox(Divisions divisions);     // from -1 to 1
TriangleList UnitPlane(Divisions divisions);   // z = 0, x and y from -1 to 1, seen from +z

// The grid of a plane whose cells have size one, as far as planes reach; those about the middle come first, and a
// square of cells from -reach to reach has so many vertices.
TriangleList PlaneGrid();
int VerticesOfPlaneGrid(int reach);

}  // namespace sinew::inline render

#endif  // SINEW_RENDER_UNIT_SHAPES_H_
