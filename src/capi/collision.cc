// Exported functions of collision detection.
#include "collision/collision.h"

#include <mujoco/mujoco.h>

#include "capi/boundary.h"
#include "collision/contact.h"

using sinew::capi::Guard;

extern "C" {

void mj_collision(const mjModel* m, mjData* d) {
  Guard("mj_collision", [&] { sinew::Collision(m, d); });
}

int mj_addContact(const mjModel*, mjData* d, const mjContact* con) {
  return Guard("mj_addContact", [&] { return sinew::AddContact(d, *con) ? 0 : 1; });
}

}  // extern "C"
