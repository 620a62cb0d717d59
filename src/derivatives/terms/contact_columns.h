// Contacts of two geoms: how their forces change with positions and velocities.
#ifndef SINEW_DERIVATIVES_TERMS_CONTACT_COLUMNS_H_
#define SINEW_DERIVATIVES_TERMS_CONTACT_COLUMNS_H_

#include "constraint/pulling_anchors.h"
#include "derivatives/base/contact_columns_kernel.h"
#include "derivatives/base/force_changes.h"
#include "derivatives/base/pair_columns.h"
#include "derivatives/base/row_forces.h"
#include "derivatives/contact_geometry/contact_geometry.h"

namespace sinew::inline derivatives {

// The law of the anchor of a contact; that of none where it has none.
AnchorLaw<double> LawOfAnchor(const std::vector<PullingAnchor>& anchors, int contact);

// How the wrench of a contact follows the relative acceleration: the Hessian between the directions' wrenches.
void KeepInertia(const ContactResponse<double>& response, ContactChange& change);

class ContactColumns {
 public:
  ContactColumns(const mjModel* m, mjData* d, const RowForces& rows, PairColumns& pair)
      : m_(m),
        d_(d),
        rows_(rows),
        pair_(pair),
        geometry_(m, d),
        anchors_(FindPullingAnchors(m, d)),
        surfaces_(FindSurfaces(m)) {}

  // Takes the part of a contact that has rows from the columns of the residual, and keeps how its force changes, if it
  // is asked for. Throws where it has no derivative.
  void Subtract(int contact, Columns& out, ForceChanges* changes);

  // Adds to the slopes of a scalar by geom_size what the contact contributes. `motion`: the scalar's slopes by the
  // residual of forces, as motions of the bodies about the centres of their trees. Throws where the contact vanishes.
  void AddSizeGradients(int contact, const std::vector<Spatial<double>>& motion, double* geom_size);

  // ---- what contacts of flexes have as well (flex_contact_columns.h)

  using Law = ContactLaw<double>;
  using Response = ContactResponse<double>;

  // All directions share the impedance of the first row; damping differs in the tangents of a cone that has a reference
  // of its own.
  Law LawOf(const mjContact& contact) const;
  // Whether the contact pushes, or would begin to.
  static bool Acts(const Law& law);
  static ContactAxes<double> AxesOf(const mjContact& contact);

 private:
  // Begins the pair of the contact's bodies.
  Response ResponseOf(const mjContact& contact, const Law& law);
  void AddPyramid(const mjContact& contact, Law& out) const;
  void AddCone(const mjContact& contact, Law& out) const;

  const mjModel* m_;
  mjData* d_;
  const RowForces& rows_;
  PairColumns& pair_;
  PairGeometry geometry_;
  std::vector<PullingAnchor> anchors_;
  Surfaces surfaces_;
};

}  // namespace sinew::inline derivatives

#endif  // SINEW_DERIVATIVES_TERMS_CONTACT_COLUMNS_H_
