// Facets of convex hulls: coplanar triangles merged to polygons, for contacts of faces.
#ifndef SINEW_ASSETS_HULL_POLYGONS_H_
#define SINEW_ASSETS_HULL_POLYGONS_H_

#include <span>
#include <vector>

#include "math/vec3.h"

namespace sinew::inline assets {

// The polygons of a triangulated hull: their vertices, counter-clockwise seen from outside. Triangles belong to one
// polygon when they are connected by edges and their normals are the same in steps of 0.01 rad of azimuth and polar
// angle.
std::vector<std::vector<int>> MergeFaces(std::span<const Vec3<double>> vertices, std::span<const int> faces);

}  // namespace sinew::inline assets

#endif  // SINEW_ASSETS_HULL_POLYGONS_H_
