#include "step/partial_stages.h"

#include "step/world.h"

namespace sinew::inline step {

void PosesAndTendons(const mjModel* m, mjData* d) {
  Kinematics(m, d);
  ComPos(m, d);
  Tendon(m, d);
}

void PosesAndInertia(const mjModel* m, mjData* d) {
  Kinematics(m, d);
  ComPos(m, d);
  CamLight(m, d);
  Tendon(m, d);
  MakeM(m, d);
}

void PositionsOfForces(const mjModel* m, mjData* d) {
  Kinematics(m, d);
  ComPos(m, d);
  Flex(m, d);
  Tendon(m, d);
  MakeM(m, d);
  Collision(m, d);
  MakeConstraint(m, d);
  Transmission(m, d);
}

void PositionsOfInverse(const mjModel* m, mjData* d) {
  FwdKinematics(m, d);
  MakeM(m, d);
  FactorMadeM(m, d);
  Collision(m, d);
  MakeConstraint(m, d);
  Transmission(m, d);
}

void PositionsOfTendons(const mjModel* m, mjData* d) {
  Tendon(m, d);
  MakeM(m, d);
  MakeConstraint(m, d);
  Transmission(m, d);
}

void RowsOfContacts(const mjModel* m, mjData* d) {
  const World world(m, d);
  world.MakeConstraint();
  world.Island();
  world.Transmission();
  world.ProjectConstraint();
}

void RowsOfSolvers(const mjModel* m, mjData* d) {
  MakeConstraint(m, d);
  Island(m, d);
  ProjectConstraint(m, d);
  ReferenceConstraint(m, d);
}

void RowsWithReference(const mjModel* m, mjData* d) {
  MakeConstraint(m, d);
  ReferenceConstraint(m, d);
}

}  // namespace sinew::inline step
