// Contacts in which flexes take part, whose sides move with weighted means of bodies (kinematics/contact_carriers.h).
//
// About the point of the contact, with the weights w_b of the bodies, negative on the first side, and the motion V_b
// and the acceleration Y_b that comes from a,
//
//   V = sum_b w_b V_b,    the force at dof i is  omega_i s_i . W,   omega_i = sum of w_b over the bodies that it moves
//
// Corners of elements have shares 1 / |p - x_i|, so that d(log w_i) = -u_i . (dp - dx_i) / |p - x_i| - the mean of
// these. Where nodes move the corners, bodies weigh by the polynomials of their nodes at the mean of the corners'
// coordinates. All R follow the weighted mean of inverse inertias.
#ifndef SINEW_DERIVATIVES_TERMS_FLEX_CONTACT_COLUMNS_H_
#define SINEW_DERIVATIVES_TERMS_FLEX_CONTACT_COLUMNS_H_

#include "derivatives/contact_geometry/flex_contact_geometry.h"
#include "derivatives/terms/contact_columns.h"
#include "force/flex_force.h"

namespace sinew::inline derivatives {

class FlexContactColumns {
 public:
  FlexContactColumns(const mjModel* m, mjData* d, const PairMotions& motions, const ContactColumns& contacts)
      : m_(m), d_(d), motions_(motions), contacts_(contacts) {}

  // Takes the part of a contact that has rows from the columns of the residual, and keeps how its force changes, if it
  // is asked for. Throws where it has no derivative.
  void Subtract(int contact, Columns& out, ForceChanges* changes);
  // The same of one without rows.
  void SubtractPassive(int contact, const PassivePush& push, Columns& out);

 private:
  // A corner moves with the weighted mean of points on bodies: of one, or of nodes.
  struct Anchor {
    int body;
    double weight;
    Vec3<double> place;
  };
  struct Corner {
    ContactCorner id;
    Vec3<double> place, coordinates;  // coordinates: in the box of the flex
    double share;
    std::vector<Anchor> anchors;
    CornerShifts shift;
  };
  // A body that carries a side: its weight, which changes with the share of a corner (-1: of none) or, by the gradient,
  // with the mean of the corners' coordinates.
  struct Carrier {
    int body, side, corner;
    double weight;
    Vec3<double> gradient;
    Spatial<double> V, Y;  // about the point
  };
  // A dof that moves any of them, about the point.
  struct Dof {
    int dof;
    double weight;            // omega
    Spatial<double> s, p, m;  // as in PairDof
  };
  struct Change {
    ContactShift shift;
    std::vector<double> weight;  // of the carriers
    double regularization;       // of all R, relative
  };

  void Load(const mjContact& contact);
  void LoadCorners(const mjContact& contact);
  void LoadCarriers(const mjContact& contact);
  void AddAnchors(int flex, int vertex, Corner& corner) const;
  void LoadDofs();
  Spatial<double> AtPoint(const Spatial<double>& motion, int body) const;
  bool Moves(int dof, int body) const;
  bool MovesAxis(const Dof& j, const Dof& i) const;
  Change ChangeBy(const mjContact& contact, const Dof& j) const;
  void ChangeWeights(const std::vector<Vec3<double>>& motion, Change& change) const;
  ContactColumns::Response ResponseOf(const mjContact& contact, const ContactColumns::Law& law) const;
  // `kept`: takes how the force changes; or null.
  void SubtractDof(const mjContact& contact, const ContactColumns::Response& response, const Dof& j, Columns& out,
                   ContactChange* kept) const;
  // The change of the relative motion with the position of dof j.
  void ChangeMotion(const Dof& j, const Change& change, Spatial<double>& dV, Spatial<double>& dY) const;
  // Takes a change of the wrench with the position of dof j from its column, and the turn of the present one.
  void SubtractWrench(const Dof& j, const Change& change, const Spatial<double>& present,
                      const Spatial<double>& by_position, Columns& out) const;

  const mjModel* m_;
  mjData* d_;
  const PairMotions& motions_;
  const ContactColumns& contacts_;

  // of the contact at hand
  Vec3<double> point_ = {0, 0, 0};
  std::vector<Corner> corner_;
  std::vector<Carrier> carrier_;
  std::vector<Dof> dof_;
};

// Adds contacts of flexes that push by springs and dampers; a: the accelerations at which the residual is
// differentiated.
void AddPassiveContacts(const mjModel* m, mjData* d, const double* a, Columns& force);

}  // namespace sinew::inline derivatives

#endif  // SINEW_DERIVATIVES_TERMS_FLEX_CONTACT_COLUMNS_H_
