// Collision functions of the C interface.
#include "collision/collision.h"

#include <mujoco/mujoco.h>

#include "collision/contact.h"

void mj_collision(const mjModel* m, mjData* d) { sinew::Collision(m, d); }

int mj_addContact(const mjModel*, mjData* d, const mjContact* con) { return sinew::AddContact(d, *con) ? 0 : 1; }

int mj_isPyramidal(const mjModel* m) { return m->opt.cone == mjCONE_PYRAMIDAL; }
