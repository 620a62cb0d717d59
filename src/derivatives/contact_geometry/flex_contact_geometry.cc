#include "derivatives/contact_geometry/flex_contact_geometry.h"

#include <algorithm>
#include <optional>
#include <string>

#include "collision/flex/geom_element.h"
#include "core/error.h"
#include "derivatives/base/names.h"

namespace sinew::inline derivatives {
namespace {

constexpr double kStep = 1e-6;

std::string NameOfSide(const mjModel* m, const mjContact& contact, int side) {
  return contact.geom[side] >= 0 ? NameOf(m, mjOBJ_GEOM, contact.geom[side])
                                 : NameOf(m, mjOBJ_FLEX, contact.flex[side]);
}

[[noreturn]] void Refuse(const mjModel* m, const mjContact& contact, const std::string& why) {
  throw Error("the contact of " + NameOfSide(m, contact, 0) + " with " + NameOfSide(m, contact, 1) +
                  " has no derivative: " + why,
              "use finite differences, or take the derivative at a state nearby");
}

// Finds the contact of a pair with a flex again, with corners that may be moved.
class FlexPair {
 public:
  FlexPair(const mjModel* m, mjData* d, const mjContact& contact) : m_(m), d_(d), contact_(contact), option_(m->opt) {
    option_.ccd_tolerance = std::min(option_.ccd_tolerance, 1e-14);
    option_.ccd_iterations = std::max(option_.ccd_iterations, 200);
    for (int side = 0; side < 2; ++side) {
      if (contact.geom[side] >= 0) continue;
      if (contact.elem[side] >= 0) {
        element_[side].emplace(m, d, contact.flex[side], contact.elem[side]);
      } else {
        vertex_[side] = FlexVertex(m, d, contact.flex[side], contact.vert[side]);
      }
    }
    RequireSmooth();
  }

  // `corner`: of the element, or 0 for a vertex.
  double& Coordinate(int side, int corner, int axis) {
    return element_[side] ? element_[side]->corner[corner][axis] : vertex_[side][axis];
  }

  // The contact that is nearest to that of the world, if there is any nearby.
  std::optional<ContactPoint<double>> Find() {
    StackFrame frame(d_);
    StackList<ContactPoint<double>> points(frame);
    Collide(points);
    std::optional<ContactPoint<double>> found;
    double least = 1e-3;  // further away, it is another contact: 1000 times the motion
    for (const ContactPoint<double>& point : points) {
      const double distance = Norm(point.pos - LoadVec3(contact_.pos));
      if (distance >= least) continue;
      least = distance;
      found = point;
    }
    return found;
  }

 private:
  // Searches end somewhere on round surfaces, with differences of noise.
  void RequireSmooth() const {
    if (contact_.elem[0] >= 0 && contact_.vert[1] >= 0) Refuse(m_, contact_, "an element is inside out");
    if (contact_.geom[0] < 0) return;
    const int type = m_->geom_type[contact_.geom[0]];
    if (type == mjGEOM_ELLIPSOID || type == mjGEOM_CYLINDER || type == mjGEOM_HFIELD || type == mjGEOM_SDF) {
      Refuse(m_, contact_, "ellipsoids, cylinders and fields have none with flexes");
    }
  }

  void Collide(StackList<ContactPoint<double>>& points) {
    // contacts that are about to end are found nevertheless
    const double margin = std::max({contact_.includemargin, contact_.dist, 0.0}) + 16 * kStep;
    FourContacts four;
    if (contact_.geom[0] >= 0) {
      mjModel fine = *m_;  // refers to the arrays of the model
      fine.opt = option_;
      GeomOfElements geom(&fine, d_, contact_.geom[0]);
      four = geom.CollideFour({*element_[1], *element_[1], *element_[1], *element_[1]}, margin);
      if (!(four.known & 1)) geom.Collide(*element_[1], margin, points);
    } else if (!element_[0]) {
      CollideVertex(option_, vertex_[0], *element_[1], margin, points);
    } else {
      const FlexElement &a = *element_[0], &b = *element_[1];
      four = CollideFourElements(option_, {a, a, a, a}, {b, b, b, b}, margin);
      if (!(four.known & 1)) CollideElements(option_, a, b, margin, points);
    }
    for (int i = 0; i < four.count[0]; ++i) points.Add(four.point[0][i]);
  }

  const mjModel* m_;
  mjData* d_;
  const mjContact& contact_;
  mjOption option_;
  std::optional<FlexElement> element_[2];
  Vec3<double> vertex_[2] = {};
};

// dist = n . (x - o) - r,  pos = x - n (r + dist / 2)
CornerShifts OfVertexOnPlane(const mjContact& contact) {
  CornerShifts shifts;
  const Vec3<double> n = LoadVec3(contact.frame);
  for (int k = 0; k < 3; ++k) {
    Vec3<double> x = Zero3<double>();
    x[k] = 1;
    shifts.by[k] = {n[k], x - n * (0.5 * n[k]), Zero3<double>()};
  }
  return shifts;
}

NormalShift Difference(const mjModel* m, const mjContact& contact, FlexPair& pair, double& coordinate) {
  const double kept = coordinate;
  const auto after = [&](double step) {
    coordinate = kept + step;
    const std::optional<ContactPoint<double>> found = pair.Find();
    coordinate = kept;
    return found;
  };
  std::optional<ContactPoint<double>> above = after(kStep), below = after(-kStep);
  const double scale = 1 / (above && below ? 2 * kStep : kStep);
  if (above.has_value() != below.has_value()) (above ? below : above) = after(0);
  if (!above || !below) Refuse(m, contact, "it vanishes when a vertex moves");
  return {(above->dist - below->dist) * scale, (above->pos - below->pos) * scale,
          (above->normal - below->normal) * scale};
}

}  // namespace

std::vector<ContactCorner> CornersOf(const mjModel* m, const mjContact& contact) {
  std::vector<ContactCorner> corners;
  for (int side = 0; side < 2; ++side) {
    if (contact.geom[side] >= 0) continue;
    if (contact.elem[side] < 0) {
      corners.push_back({side, contact.vert[side]});
      continue;
    }
    const int flex = contact.flex[side], count = m->flex_dim[flex] + 1;
    const int* vertex = m->flex_elem + m->flex_elemdataadr[flex] + static_cast<ptrdiff_t>(contact.elem[side]) * count;
    for (int i = 0; i < count; ++i) corners.push_back({side, vertex[i]});
  }
  return corners;
}

std::vector<CornerShifts> DifferentiateCorners(const mjModel* m, mjData* d, const mjContact& contact,
                                               const std::vector<ContactCorner>& corners) {
  const int geom = contact.geom[0];
  if (geom >= 0 && m->geom_type[geom] == mjGEOM_PLANE) return {OfVertexOnPlane(contact)};
  FlexPair pair(m, d, contact);
  std::vector<CornerShifts> shifts(corners.size());
  int of_side[2] = {0, 0};
  for (size_t c = 0; c < corners.size(); ++c) {
    const int side = corners[c].side, corner = of_side[side]++;
    for (int k = 0; k < 3; ++k) {
      shifts[c].by[k] = Difference(m, contact, pair, pair.Coordinate(side, corner, k));
    }
  }
  return shifts;
}

}  // namespace sinew::inline derivatives
