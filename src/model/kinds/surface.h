// Surfaces that move and that stick (docs/how/surfaces.md): where a model holds their numbers.
//
// The compiler adds a number array to models in which any geom or pair says something about it: a row of
// kSurfaceNumbers for each geom, then the adhesion of each pair.
#ifndef SINEW_MODEL_KINDS_SURFACE_H_
#define SINEW_MODEL_KINDS_SURFACE_H_

#include <mujoco/mujoco.h>
#include <sinew/extensions.h>

namespace sinew::inline model {

inline constexpr char kSurfaceArray[] = sinewSURFACES;
enum SurfaceNumber {
  kSurfaceVelocity = sinewSURFACE_VELOCITY,  // m/s, then rad/s about the origin of the geom; in its frame
  kSurfaceAdhesion = sinewSURFACE_ADHESION,  // N
  kSurfaceNumbers = sinewNSURFACE
};

// The surfaces of a model; null inside where it has no such array.
struct Surfaces {
  const mjtNum* numbers = nullptr;

  // Files of instruction sets use these: a copy that one of them emitted would be called on every machine.
  [[gnu::always_inline]] explicit operator bool() const { return numbers != nullptr; }
  [[gnu::always_inline]] const mjtNum* Geom(int geom) const { return numbers + kSurfaceNumbers * geom; }
  mjtNum Pair(const mjModel* m, int pair) const { return numbers[kSurfaceNumbers * m->ngeom + pair]; }

  // Whether the surface of a side of a contact moves in the frame of its geom. Flexes have none that does.
  bool Moves(int geom) const;
  // The six numbers of a geom's velocity.
  [[gnu::always_inline]] const mjtNum* Velocity(int geom) const { return Geom(geom) + kSurfaceVelocity; }
};
Surfaces FindSurfaces(const mjModel* m);

inline int SurfaceArraySize(int ngeom, int npair) { return kSurfaceNumbers * ngeom + npair; }

// Whether any geom or pair sticks.
bool HasAdhesion(const mjModel* m, const Surfaces& surfaces);

// The force that a contact may pull with [N], 0 for none: that of the explicit pair; without one that of the side of
// higher priority, or the sum of both sides. Flexes have none.
double AdhesionOf(const mjModel* m, const Surfaces& surfaces, const mjContact& contact);

// The explicit pair of two geoms, or -1.
int FindExplicitPair(const mjModel* m, int geom1, int geom2);

}  // namespace sinew::inline model

#endif  // SINEW_MODEL_KINDS_SURFACE_H_
