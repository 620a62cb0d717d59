// Contacts in which flexes take part, whose sides move with weighted means of bodies (kinematics/contact_carriers.h).
//
// About the point of the contact, with the weights w_b of the bodies, negative on the first side, and the motion V_b
// and the acceleration Y_b that comes from a,
//
//   V = sum_b w_b V_b,    dof i feels  omega_i s_i . W,   omega_i = sum of w_b over the bodies that it moves
//
// Weights are shares 1 / |p - x_i| of corners, so that d(log w_i) = -u_i . (dp - dx_i) / |p - x_i| + the same of the
// mean; all R follow the weighted mean of inverse inertias.
#ifndef SINEW_GRADIENT_FLEX_CONTACT_COLUMNS_H_
#define SINEW_GRADIENT_FLEX_CONTACT_COLUMNS_H_

#include "gradient/body_point.h"
#include "gradient/contact_columns.h"
#include "gradient/flex_contact_geometry.h"

namespace sinew {

class FlexContactColumns {
 public:
  FlexContactColumns(const mjModel* m, mjData* d, const PairMotions& motions, const ContactColumns& contacts)
      : m_(m), d_(d), motions_(motions), contacts_(contacts) {}

  // Takes the part of a contact that has rows from the columns of the balance. Throws where it has no derivative.
  void Subtract(int contact, Columns& out);

 private:
  // A body that carries a side: its weight, and the corner that it belongs to (-1: a geom or a lone vertex, which has
  // all of the weight).
  struct Carrier {
    int body, side, corner;
    double weight;
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
  void AddCarrier(int body, int side, int corner, double weight);
  void LoadDofs();
  Spatial<double> AtPoint(const Spatial<double>& motion, int body) const;
  bool Moves(int dof, int body) const;
  bool MovesAxis(const Dof& j, const Dof& i) const;
  Change ChangeBy(const mjContact& contact, const Dof& j) const;
  void SubtractPosition(const mjContact& contact, const ContactColumns::Touch& touch, const Dof& j, Columns& out) const;

  const mjModel* m_;
  mjData* d_;
  const PairMotions& motions_;
  const ContactColumns& contacts_;

  // of the contact at hand
  Vec3<double> point_ = {0, 0, 0};
  std::vector<ContactCorner> corner_;
  std::vector<BodyPoint> place_;  // of the corners
  std::vector<CornerShifts> shift_;
  std::vector<Carrier> carrier_;
  std::vector<Dof> dof_;
};

}  // namespace sinew

#endif  // SINEW_GRADIENT_FLEX_CONTACT_COLUMNS_H_
