// Primitive shapes: volume, surface, inertia, bounds.
//
// Sizes are those of geom_size after `fromto` has been resolved: sphere (r), capsule and cylinder (r, half length),
// ellipsoid (semi-axes), box (half lengths), plane (half lengths, spacing). The frame is the geom's: centre, z along
// the axis.
#ifndef SINEW_COMPILE_TREE_SHAPE_H_
#define SINEW_COMPILE_TREE_SHAPE_H_

#include <mujoco/mujoco.h>

#include "math/vec3.h"

namespace sinew::inline compile {

struct Shape {
  mjtGeom type;
  Vec3<double> size;
};

// An axis-aligned box in the frame of what it encloses.
struct Box {
  Vec3<double> center, half;
};

// Whether the shape is that of a mesh: the mesh itself, or its signed distance.
inline bool HasMeshShape(mjtGeom type) { return type == mjGEOM_MESH || type == mjGEOM_SDF; }

// How many of the sizes a shape has.
int SizeCount(mjtGeom type);

// Volume (m^3), or area (m^2) when the mass is on the surface. Zero for planes and for what has no closed form.
double Measure(const Shape& shape, mjtGeomInertia where);

// Principal moments (kg m^2) of a mass that is spread evenly over the volume or surface.
Vec3<double> MomentsOfInertia(const Shape& shape, mjtGeomInertia where, double mass);

Box BoundingBox(const Shape& shape);

// Radius of the bounding sphere about the centre; 0: unbounded.
double BoundingRadius(const Shape& shape);

// Added mass and inertia of the ellipsoid that stands for the shape in the fluid model, at unit fluid density.
struct VirtualInertia {
  Vec3<double> mass, inertia;
};
VirtualInertia FluidInertia(const Shape& shape);

}  // namespace sinew::inline compile

#endif  // SINEW_COMPILE_TREE_SHAPE_H_
