// Exported functions of collision detection. Positions are in the world's frame, lengths in metres.
#include "collision/collision.h"

#include <mujoco/mujoco.h>

#include <string>

#include "capi/arguments.h"
#include "capi/boundary.h"
#include "collision/contact.h"
#include "collision/distance.h"
#include "constraint/arena_fields.h"
#include "core/error.h"

using sinew::capi::Guard;

extern "C" {

void mj_collision(const mjModel* m, mjData* d) {
  SINEW_CHECK(mj_collision);
  Guard("mj_collision", [&] { sinew::Collision(m, d); });
}

namespace {

// Checks the ids and dimension by which stages index arrays, in a contact that a program made.
void CheckContact(const mjModel* m, const mjContact& contact) {
  const int dim = contact.dim;
  if (dim != 1 && dim != 3 && dim != 4 && dim != 6) {
    throw sinew::Error("argument 'con' has dim " + std::to_string(dim), "use 1, 3, 4 or 6");
  }
  for (int side = 0; m && side < 2; ++side) {
    const int geom = contact.geom[side], flex = contact.flex[side];
    if (geom < -1 || geom >= m->ngeom) {
      throw sinew::Error("argument 'con' has geom " + std::to_string(geom), "use one of the model, or -1");
    }
    if (flex < -1 || flex >= m->nflex) {
      throw sinew::Error("argument 'con' has flex " + std::to_string(flex), "use one of the model, or -1");
    }
  }
}

}  // namespace

// A contact takes the place in the arena where constraint rows begin.
int mj_addContact(const mjModel* m, mjData* d, const mjContact* con) {
  SINEW_CHECK(mj_addContact);
  return Guard("mj_addContact", [&] {
    const mjContact contact = *con;  // which may be one of mjData
    CheckContact(m, contact);
    sinew::ClearRows(d);
    return sinew::AddContact(d, contact) ? 0 : 1;
  });
}

// The distance is negative for geoms that overlap. From distmax on it is distmax, and fromto is zero; else that has the
// nearest points, the one on geom1 first.
mjtNum mj_geomDistance(const mjModel* m, mjData* d, int geom1, int geom2, mjtNum distmax, mjtNum fromto[6]) {
  SINEW_CHECK(mj_geomDistance);
  return Guard("mj_geomDistance", [&] { return sinew::GeomDistance(m, d, geom1, geom2, distmax, fromto); });
}

// Returns the most contacts that one pair can make, for sizing arrays.
int mj_maxContact(const mjModel* m, int g1, int g2, int has_margin) {
  SINEW_CHECK(mj_maxContact);
  return Guard("mj_maxContact", [&] { return sinew::MaxContacts(m, g1, g2, has_margin); });
}

}  // extern "C"
