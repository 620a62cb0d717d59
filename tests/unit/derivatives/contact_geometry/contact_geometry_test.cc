#include "derivatives/contact_geometry/contact_geometry.h"

#include <gtest/gtest.h>

#include <functional>
#include <optional>
#include <string>

#include "derivatives/contact_geometry/witness_points.h"
#include "math/quat.h"
#include "tests/support/polished_contacts.h"
#include "tests/testing/model.h"

namespace sinew {
namespace {

// Two geoms that overlap, free to be moved.
World Pair(const std::string& first, const std::string& second) {
  World w(
      ModelFromText("<mujoco><option ccd_tolerance='1e-14' ccd_iterations='200'/><asset><mesh name='wedge' vertex='-"
                    ".2 -.2 0  .3 -.2 0  0 .3 0  0 0 -.4  -.2 -.2 -.1'/></asset><worldbody><body><freejoint/><geom " +
                    first + "/></body><body><freejoint/><geom " + second + "/></body></worldbody></mujoco>"));
  mj_forward(w.m.get(), w.d.get());
  return w;
}

// The place of a geom among those of the contact, which come in the order of their types.
int SideOf(const World& w, int geom) { return w.d->contact[0].geom[0] == geom ? 0 : 1; }

struct Shifts {
  SideShifts side[2];
  ContactShift size[kPairNumbers];
};

Shifts ShiftsOf(const World& w, const std::string& what) {
  Shifts shifts = {};
  EXPECT_EQ(w.d->ncon, 1) << what;
  if (w.d->ncon == 0) return shifts;
  PairGeometry geometry(w.m.get(), w.d.get());
  for (int b = 0; b < 2; ++b) EXPECT_TRUE(geometry.Differentiate(w.d->contact[0], b, shifts.side[b])) << what;
  EXPECT_TRUE(geometry.DifferentiateSizes(w.d->contact[0], shifts.size)) << what;
  return shifts;
}

void ExpectNear(const ContactShift& expected, const ContactShift& actual, double tolerance, const std::string& what) {
  EXPECT_NEAR(expected.dist, actual.dist, tolerance) << what << " distance";
  for (int k = 0; k < 3; ++k) {
    EXPECT_NEAR(expected.pos[k], actual.pos[k], tolerance) << what << " point";
    EXPECT_NEAR(expected.turn[k], actual.turn[k], tolerance) << what << " frame";
  }
}

// An ellipsoid with equal axes is a sphere, whose pairs have formulas.
TEST(ContactGeometryTest, RoundEllipsoidsAreSpheres) {
  const std::string others[] = {"type='capsule' size='.1 .3' pos='.05 .1 .17' euler='80 10 0'",
                                "type='capsule' size='.1 .1' pos='.05 .0 .28' euler='10 10 0'",
                                "type='cylinder' size='.1 .3' pos='.05 .1 .17' euler='80 10 0'",
                                "type='cylinder' size='.1 .2' pos='.02 .03 .28' euler='5 4 0'",
                                "type='cylinder' size='.1 .2' pos='.13 .03 .275' euler='10 0 0'",
                                "type='box' size='.2 .2 .2' pos='.02 .03 .28' euler='5 4 20'",
                                "type='box' size='.2 .2 .2' pos='.02 .03 .36' euler='45 4 0'",
                                "type='box' size='.1 .1 .1' pos='-.02 -.02 .25' euler='45 35 0'"};
  for (const std::string& other : others) {
    const World by_formula = Pair("type='sphere' size='.1'", other);
    const World by_points = Pair("type='ellipsoid' size='.1 .1 .1'", other);
    const Shifts expected = ShiftsOf(by_formula, other), actual = ShiftsOf(by_points, other);
    // motions are about points that differ as much as the search is off
    constexpr double kTolerance = 1e-6;
    for (int geom = 0; geom < 2; ++geom) {
      const int one = SideOf(by_formula, geom), other_one = SideOf(by_points, geom);
      for (int k = 0; k < 6; ++k) {
        ExpectNear(expected.side[one].by[k], actual.side[other_one].by[k], kTolerance, other);
      }
    }
  }
}

// A contact by differences over `step` and half of it, extrapolated.
class Differences {
 public:
  Differences(const World& w, int contact, double step) : w_(w), contact_(contact), step_(step) {}

  ContactShift By(const std::function<void(double)>& move) const {
    const ContactShift one = Central(move, step_), two = Central(move, step_ / 2);
    const auto mix = [](auto fine, auto coarse) { return (fine * 4.0 - coarse) * (1.0 / 3); };
    return {mix(two.dist, one.dist), mix(two.pos, one.pos), mix(two.turn, one.turn)};
  }

 private:
  ContactShift Central(const std::function<void(double)>& move, double step) const {
    const auto after = [&](double by) {
      move(by);
      mj_kinematics(w_.m.get(), w_.d.get());
      mj_collision(w_.m.get(), w_.d.get());
      EXPECT_GT(w_.d->ncon, contact_);
      const mjContact found = w_.d->contact[w_.d->ncon > contact_ ? contact_ : 0];
      move(-by);
      return found;
    };
    const mjContact above = after(step), below = after(-step);
    Vec3<double> axes[3], changes[3];
    for (int k = 0; k < 3; ++k) {
      const Vec3<double> one = LoadVec3(below.frame + 3 * k), other = LoadVec3(above.frame + 3 * k);
      axes[k] = (one + other) * 0.5;
      changes[k] = (other - one) * (0.5 / step);
    }
    return {(above.dist - below.dist) * (0.5 / step), (LoadVec3(above.pos) - LoadVec3(below.pos)) * (0.5 / step),
            TurnOfAxes(axes, changes)};
  }

  const World& w_;
  int contact_;
  double step_;
};

// A motion of the geom of a free body about a point; k: rotations, then translations.
void MoveGeom(World& w, int geom, const Vec3<double>& point, int k, double by) {
  double* qpos = w.d->qpos + 7 * w.m->geom_bodyid[geom] - 7;
  if (k >= 3) {
    qpos[k - 3] += by;
    return;
  }
  Vec3<double> axis = Zero3<double>();
  axis[k] = 1;
  const Quat<double> turn = AxisAngle(axis, by);
  StoreVec3(point + Rotate(turn, LoadVec3(qpos) - point), qpos);
  StoreQuat(turn * LoadQuat(qpos + 3), qpos + 3);
}

// Compares the closed form of a contact with differences of what mj_collision finds.
void ExpectAsDifferences(World& w, int id, double step, double tolerance, const std::string& what, bool exact) {
  mjModel* m = w.m.get();
  mjData* d = w.d.get();
  mj_kinematics(m, d);
  mj_collision(m, d);
  if (exact) MakeContactsExact(m, d);
  if (d->ncon <= id) {
    ADD_FAILURE() << what << " has no contact " << id;
    return;
  }
  const mjContact contact = d->contact[id];
  PairGeometry geometry(m, d);
  Shifts actual = {};
  for (int b = 0; b < 2; ++b) EXPECT_TRUE(geometry.Differentiate(contact, b, actual.side[b])) << what;
  EXPECT_TRUE(geometry.DifferentiateSizes(contact, actual.size)) << what;
  std::optional<PolishedPairs> polished;
  if (exact) polished.emplace(mjCOLLISIONFUNC);
  const Differences differences(w, id, step);
  for (int b = 0; b < 2; ++b) {
    const std::string at = what + " contact " + std::to_string(id) + " side " + std::to_string(b);
    for (int k = 0; k < 6; ++k) {
      const auto move = [&](double by) { MoveGeom(w, contact.geom[b], LoadVec3(contact.pos), k, by); };
      ExpectNear(differences.By(move), actual.side[b].by[k], tolerance, at + " motion " + std::to_string(k));
    }
    for (int k = 0; k < 3; ++k) {
      double& size = m->geom_size[3 * contact.geom[b] + k];
      const auto move = [&](double by) { size += by; };
      ExpectNear(differences.By(move), actual.size[3 * b + k], tolerance, at + " size " + std::to_string(k));
    }
  }
}

struct TwoGeoms {
  std::string first, second;
  int contacts = 1;
};

// Differences of contacts in long double precision are exact to their rounding over a step, and fifth derivatives.
TEST(ContactGeometryTest, WitnessPointsMoveAsPolishedOnes) {
  const TwoGeoms pairs[] = {
      {"type='ellipsoid' size='.3 .4 .2'", "type='ellipsoid' size='.2 .1 .15' pos='.05 .1 .32' euler='10 20 30'"},
      // as the wings of a fly
      {"type='ellipsoid' size='.3 .4 .01'", "type='ellipsoid' size='.3 .2 .01' pos='.05 .1 .012' euler='1 2 30'"},
      {"type='capsule' size='.1 .3' euler='85 0 0'",
       "type='ellipsoid' size='.2 .1 .15' pos='.03 .02 .23' euler='10 0 0'"},
      {"type='capsule' size='.1 .3'", "type='ellipsoid' size='.2 .1 .15' pos='.03 .02 .52' euler='10 0 0'"},
      {"type='ellipsoid' size='.3 .4 .2'", "type='cylinder' size='.1 .2' pos='.05 .1 .28' euler='75 20 0'"},
      {"type='ellipsoid' size='.3 .4 .2'", "type='cylinder' size='.1 .2' pos='.02 .03 .38' euler='3 2 0'"},
      {"type='ellipsoid' size='.3 .4 .2'", "type='box' size='.2 .2 .2' pos='.02 .03 .38' euler='5 4 20'"},
      {"type='ellipsoid' size='.3 .4 .2'", "type='box' size='.2 .2 .2' pos='.02 .03 .46' euler='45 4 0'"},
      {"type='cylinder' size='.1 .3' euler='85 0 0'", "type='cylinder' size='.1 .2' pos='.02 .03 .19' euler='0 80 0'"},
      {"type='cylinder' size='.1 .3' euler='85 0 0'", "type='box' size='.2 .2 .2' pos='.02 .03 .36' euler='45 4 0'"},
      // round sides that cross by a small angle touch in one point
      {"type='capsule' size='.1 .3' euler='85 0 0'", "type='cylinder' size='.1 .2' pos='.02 .03 .19' euler='85 25 0'"},
      {"type='cylinder' size='.1 .3' euler='85 0 0'", "type='cylinder' size='.1 .2' pos='.02 .03 .19' euler='85 25 0'"},
  };
  constexpr double kTolerance = 1e-6;
  for (const auto& [first, second, contacts] : pairs) {
    World w = Pair(first, second);
    ASSERT_EQ(w.d->ncon, contacts) << first << " | " << second;
    for (int id = 0; id < contacts; ++id) {
      ExpectAsDifferences(w, id, 2e-5, kTolerance, first + " | " + second, /*exact=*/true);
    }
  }
}

// Those of meshes, whose corners have no polishing, by differences that are wide against the noise of the search.
TEST(ContactGeometryTest, WitnessPointsOfMeshesMoveAsDifferencesSay) {
  const TwoGeoms pairs[] = {
      {"type='ellipsoid' size='.3 .2 .2'", "type='mesh' mesh='wedge' pos='.1 .1 .4' euler='3 4 0'"},
      {"type='ellipsoid' size='.3 .2 .2'", "type='mesh' mesh='wedge' pos='.1 .1 -.19' euler='3 4 0'"},
  };
  constexpr double kTolerance =
      5e-3;  // noise of the search / 1e-3: its points are off by the root of rounding and more
  for (const auto& [first, second, contacts] : pairs) {
    World w = Pair(first, second);
    ExpectAsDifferences(w, 0, 2e-3, kTolerance, first + " | " + second, /*exact=*/false);
  }
}

// Contacts of polytopes are exact, and so are the differences of what finds them, but for rounding over the step and
// its fourth power.
TEST(ContactGeometryTest, PolytopesMoveAsDifferencesSay) {
  const std::string wedge = "type='mesh' mesh='wedge' ", box = "type='box' size='.2 .15 .1' ";
  const TwoGeoms pairs[] = {
      // of boxes: a face with a face, which is clipped, with an edge and with a vertex; two edges
      {box, box + "pos='.1 .05 .19' euler='2 3 30'", 4},
      {box, box + "pos='.1 .05 .33' euler='50 2 30'"},
      {box, box + "pos='.1 .05 -.332' euler='50 2 30'"},
      {box, box + "pos='.03 .05 .29' euler='45 35 20'"},
      {box, "type='box' size='.1 .1 .1' pos='.21 .02 .19' euler='20 40 45'"},
      // of a box and a mesh, and of two meshes: a vertex, edges
      {box, wedge + "pos='.05 .03 .49' euler='5 6 10'"},
      {box, wedge + "pos='.2 .02 .36' euler='40 10 10'"},
      {box, wedge + "pos='.05 .03 -.112' euler='5 6 10'"},
      {wedge, wedge + "pos='.05 .02 .39' euler='5 7 0'"},
      {wedge, wedge + "pos='.02 .284 .1' euler='100 20 30'"},
      {wedge, wedge + "pos='.05 .02 -.4' euler='5 7 0'"},
      // faces that lie on each other up to a thousandth
      {box, wedge + "pos='.05 .03 -.095' euler='.04 .05 10'", 4},
      {wedge, box + "pos='.05 .03 .095' euler='.04 .05 10'", 4},
      // an edge on a face
      {wedge, box + "pos='.05 .03 .17' euler='45 .05 0'", 2},
      // points and segments beside meshes
      {"type='sphere' size='.1'", wedge + "pos='.1 .1 .38' euler='3 4 0'"},
      {"type='sphere' size='.1'", wedge + "pos='.1 .1 -.09' euler='3 4 0'"},
      {"type='capsule' size='.1 .3' euler='80 0 0'", wedge + "pos='.05 .03 .48' euler='3 4 0'"},
  };
  constexpr double kTolerance = 1e-8;
  for (const auto& [first, second, contacts] : pairs) {
    World w = Pair(first, second);
    EXPECT_GE(w.d->ncon, contacts) << first << " | " << second;
    for (int id = 0; id < w.d->ncon; ++id) {
      ExpectAsDifferences(w, id, 1e-5, kTolerance, first + " | " + second, /*exact=*/false);
    }
  }
  // a margin rounds them, and the search ends at its tolerance
  World w = Pair(box + "margin='.01'", wedge + "pos='.05 .03 .505' euler='5 6 10'");
  ExpectAsDifferences(w, 0, 1e-5, 1e-7, "margin", /*exact=*/false);
}

}  // namespace
}  // namespace sinew
