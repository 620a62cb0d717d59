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

  // Adds to the slopes of a scalar by geom_size what the contact contributes. `motion`: the scalar's slopes by the
  // balance of forces, as motions of the bodies about the centres of their trees. Throws where the contact vanishes.
  void AddSizeGradients(int contact, const std::vector<Spatial<double>>& motion, double* geom_size);

  // ---- what contacts of flexes have as well (flex_contact_columns.h)

  static constexpr int kMaxDim = 6;

  // Forces, residuals' gains and the Hessian of the cost in the directions of the contact's frame (three forces, three
  // torques); `scale`: the change of all forces with the distance, relative, as the impedance changes.
  struct Directions {
    int dim;
    double force[kMaxDim], B[kMaxDim], H[kMaxDim][kMaxDim];
    double stiffness, scale;
  };
  // A contact at the solution: about its point, the wrench on the second body, and the relative motion of the bodies
  // (velocity, and acceleration that comes from a).
  struct Touch {
    Directions at;
    ContactAxes<double> axes;
    Spatial<double> wrench, V, Y;
  };
  // How the wrench changes, and the force along the normal.
  struct WrenchChange {
    Spatial<double> wrench;
    double normal;
  };

  static ContactAxes<double> AxesOf(const mjContact& contact);
  Directions DirectionsOf(const mjContact& contact) const;
  // Whether the contact pushes, or would begin to.
  static bool Acts(const Directions& at);
  static Spatial<double> WrenchOf(const Touch& touch, const double* force);
  // With a shift of the geometry, and changes of the relative motion. `rescaled`: of all forces, relative.
  static WrenchChange ChangeBy(const Touch& touch, const ContactShift& shift, const Spatial<double>& dV,
                               const Spatial<double>& dY, double rescaled = 0);
  // With a change of the relative velocity alone.
  static WrenchChange ChangeByVelocity(const Touch& touch, const Spatial<double>& dV);

 private:
  // Begins the pair of the contact's bodies.
  Touch TouchOf(const mjContact& contact, const Directions& at);
  void AddPyramid(const mjContact& contact, Directions& out) const;
  void AddCone(const mjContact& contact, Directions& out) const;

  static void KeepInertia(const Directions& at, const ContactAxes<double>& axes, ContactChange& change);

  // Changes of the directions' forces from those of residuals, and from their own size, relative.
  static void Answer(const Directions& at, const double* residual, double rescaled, double* force);

  const mjModel* m_;
  mjData* d_;
  const RowForces& rows_;
  PairColumns& pair_;
  PairGeometry geometry_;
};

}  // namespace sinew

#endif  // SINEW_GRADIENT_CONTACT_COLUMNS_H_
