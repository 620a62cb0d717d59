// Contacts of two geoms: how their forces change with positions and velocities.
#ifndef SINEW_GRADIENT_CONTACT_COLUMNS_H_
#define SINEW_GRADIENT_CONTACT_COLUMNS_H_

#include "constraint/wrench.h"
#include "gradient/contact_geometry.h"
#include "gradient/force_changes.h"
#include "gradient/pair_columns.h"
#include "gradient/row_forces.h"

namespace sinew {

class ContactColumns {
 public:
  ContactColumns(const mjModel* m, mjData* d, const RowForces& rows, PairColumns& pair)
      : m_(m), d_(d), rows_(rows), pair_(pair), geometry_(m, d) {}

  // Takes the part of a contact that has rows from the columns of the balance, and keeps how its force changes, if it
  // is asked for. Throws where it has no derivative.
  void Subtract(int contact, Columns& out, ForceChanges* changes);

 private:
  static constexpr int kMaxDim = 6;

  // Forces, residuals' gains and the Hessian of the cost in the directions of the contact's frame (three forces, three
  // torques); `scale`: the change of all forces with the distance, relative, as the impedance changes.
  struct Directions {
    int dim;
    double force[kMaxDim], B[kMaxDim], H[kMaxDim][kMaxDim];
    double stiffness, scale;
  };
  Directions DirectionsOf(const mjContact& contact) const;
  void AddPyramid(const mjContact& contact, Directions& out) const;
  void AddCone(const mjContact& contact, Directions& out) const;

  static void KeepInertia(const Directions& at, const ContactAxes<double>& axes, ContactChange& change);

  // Changes of the directions' forces from those of residuals.
  static void Answer(const Directions& at, const double* residual, double distance, double* force);

  const mjModel* m_;
  mjData* d_;
  const RowForces& rows_;
  PairColumns& pair_;
  PairGeometry geometry_;
};

}  // namespace sinew

#endif  // SINEW_GRADIENT_CONTACT_COLUMNS_H_
