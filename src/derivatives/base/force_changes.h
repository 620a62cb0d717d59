// How the forces of contacts and limits change with the state and with accelerations, for sensors that show them.
#ifndef SINEW_DERIVATIVES_BASE_FORCE_CHANGES_H_
#define SINEW_DERIVATIVES_BASE_FORCE_CHANGES_H_

#include <vector>

#include "math/spatial.h"

namespace sinew::inline derivatives {

// A contact that pushes. Wrenches are those on its second side, about the point where it is.
struct ContactChange {
  int contact;  // in mjData
  // Bodies that it acts on with their weights, negative on the first side.
  struct Carrier {
    int body;
    double weight;
  };
  std::vector<Carrier> carriers;
  Vec3<double> point;

  // With a component of the state, at fixed accelerations.
  struct ByColumn {
    int column;
    Spatial<double> wrench;
    double normal;  // the force along the contact's normal
  };
  std::vector<ByColumn> by_state;

  // With the relative acceleration A of the sides: component k of the wrench by Dot(wrench_by[k], A).
  Spatial<double> wrench_by[6], normal_by;
};

// A row of a limit: its velocity and force have slopes by the dofs that move it.
struct LimitChange {
  int row;
  struct ByDof {
    int dof;
    double moment, velocity_by_position;
    double force_by_position, force_by_velocity, force_by_acceleration;
  };
  std::vector<ByDof> by_dof;
};

struct ForceChanges {
  std::vector<ContactChange> contacts;
  std::vector<LimitChange> limits;
};

}  // namespace sinew::inline derivatives

#endif  // SINEW_DERIVATIVES_BASE_FORCE_CHANGES_H_
