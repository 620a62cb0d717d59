#include "kinematics/kinematics.h"

#include <gtest/gtest.h>

#include "kinematics/velocity.h"
#include "tests/support/tree_model.h"
#include "tests/support/two_links.h"

namespace sinew::testing {
namespace {

Vector At(const double* field, int row) { return LoadVec3(field + 3 * row); }

void ExpectNear(const Vector& a, const Vector& b, double tolerance) {
  for (int k = 0; k < 3; ++k) EXPECT_NEAR(a[k], b[k], tolerance) << "component " << k;
}

TEST(Kinematics, HingeTurnsAboutItsAnchor) {
  TreeSpec spec;
  BodySpec body;
  body.pos = {1, 2, 3};
  body.joints = {{.type = mjJNT_HINGE, .pos = {0.5, 0, 0}, .axis = {0, 0, 1}, .qpos0 = 0.25}};
  spec.bodies = {body};
  const ModelPtr m = MakeTree(spec);
  const DataPtr d(MakeData(*m));

  // at qpos0 the body stands where it was placed
  Kinematics(m.get(), d.get());
  ExpectNear(At(d->xpos, 1), {1, 2, 3}, 1e-15);

  // a quarter turn moves the origin around the anchor, which stays
  d->qpos[0] = 0.25 + kPi / 2;
  Kinematics(m.get(), d.get());
  ExpectNear(At(d->xanchor, 0), {1.5, 2, 3}, 1e-15);
  ExpectNear(At(d->xpos, 1), {1.5, 1.5, 3}, 1e-15);
  ExpectNear(At(d->xaxis, 0), {0, 0, 1}, 1e-15);
}

// Of several joints of a body, each has the anchor and axis to which the earlier ones moved it.
TEST(Kinematics, JointsOfABodyActInOrder) {
  TreeSpec spec;
  BodySpec body;
  body.joints = {{.type = mjJNT_HINGE, .axis = {0, 0, 1}}, {.type = mjJNT_SLIDE, .axis = {1, 0, 0}}};
  spec.bodies = {body};
  const ModelPtr m = MakeTree(spec);
  const DataPtr d(MakeData(*m));
  d->qpos[0] = kPi / 2;
  d->qpos[1] = 2;
  Kinematics(m.get(), d.get());
  ExpectNear(At(d->xaxis, 1), {0, 1, 0}, 1e-15);
  ExpectNear(At(d->xpos, 1), {0, 2, 0}, 1e-15);
}

TEST(Kinematics, QuaternionsAreNormalizedWhereTheyAreUsed) {
  TreeSpec spec;
  BodySpec body;
  body.joints = {{.type = mjJNT_FREE}};
  spec.bodies = {body};
  const ModelPtr m = MakeTree(spec);
  const DataPtr d(MakeData(*m));

  d->qpos[3] = 0;
  d->qpos[4] = 5;
  Kinematics(m.get(), d.get());
  EXPECT_EQ(d->qpos[4], 5) << "positions are not written";
  EXPECT_EQ(d->xquat[4 + 1], 1);

  d->qpos[4] = 0;
  Kinematics(m.get(), d.get());
  EXPECT_EQ(d->xquat[4], 1) << "a zero quaternion is the identity";
}

TEST(Kinematics, WorldRowIsReset) {
  TreeSpec spec;
  spec.bodies = {BodySpec{}};
  const ModelPtr m = MakeTree(spec);
  const DataPtr d(MakeData(*m));
  d->xpos[0] = d->xquat[1] = d->xmat[1] = d->ximat[1] = 7;
  Kinematics(m.get(), d.get());
  ExpectNear(At(d->xpos, 0), {0, 0, 0}, 0);
  EXPECT_EQ(d->xquat[1], 0);
  EXPECT_EQ(d->xmat[1], 0);
  EXPECT_EQ(d->ximat[1], 0);
}

TEST(ComPos, SubtreeWithoutMassHasItsBodysCenter) {
  TreeSpec spec;
  BodySpec massless;
  massless.pos = {1, 0, 0};
  massless.ipos = {0, 0.5, 0};
  massless.mass = 0;
  massless.inertia = {0, 0, 0};
  spec.bodies = {massless};
  const ModelPtr m = MakeTree(spec);
  const DataPtr d(MakeData(*m));
  Kinematics(m.get(), d.get());
  ComPos(m.get(), d.get());
  ExpectNear(At(d->subtree_com, 1), {1, 0.5, 0}, 1e-15);
  ExpectNear(At(d->subtree_com, 0), {0, 0, 0}, 0);
}

TEST(ComPos, WorkedModel) {
  const TwoLinks links;
  const double cdof0[] = {0, .984807753012, .173648177667, -.177380645411, .076208715182, -.432201100908};
  const double cvel2[] = {1.612859176651, -.429588377358, -1.193260111564,
                          -.070463754013, .028686942106,  -.186352763012};
  for (int k = 0; k < 6; ++k) EXPECT_NEAR(links.d->cdof[k], cdof0[k], kTwelveDecimals);
  for (int k = 0; k < 6; ++k) EXPECT_NEAR(links.d->cvel[12 + k], cvel2[k], kTwelveDecimals);
  ExpectNear(At(links.d->subtree_com, 1), {.538868499549, .064638123057, .831280417294}, kTwelveDecimals);
}

TEST(SubtreeVel, WorkedModel) {
  const TwoLinks links;
  SubtreeVel(links.m.get(), links.d.get());
  ExpectNear(At(links.d->subtree_linvel, 1), {-.033784784062, -.018021439492, -.106496469755}, kTwelveDecimals);
  ExpectNear(At(links.d->subtree_angmom, 1), {.043676135611, -.006610466961, -.05142691928}, kTwelveDecimals);
}

// The momentum of the world's subtree is the sum over bodies, however they are connected.
TEST(SubtreeVel, MomentumIsTheSumOverBodies) {
  std::mt19937 random(3);
  const ModelPtr m = MakeTree(RandomTree(random, 12));
  const DataPtr d(MakeData(*m));
  RandomState(*m, d.get(), random);
  Kinematics(m.get(), d.get());
  ComPos(m.get(), d.get());
  ComVel(m.get(), d.get());
  SubtreeVel(m.get(), d.get());

  // momenta about the world's origin, with inertias in world axes
  Vector linear = {0, 0, 0}, angular = {0, 0, 0};
  for (int b = 1; b < m->nbody; ++b) {
    const double* v = d->cvel + 6 * b;
    const Vector w = LoadVec3(v), c = At(d->xipos, b);
    const Vector velocity = LoadVec3(v + 3) + Cross(w, c - At(d->subtree_com, m->body_rootid[b]));
    const Mat3<double> R = LoadMat3(d->ximat + 9 * b);
    Vector spin = MulTransposed(R, w);
    for (int k = 0; k < 3; ++k) spin[k] *= m->body_inertia[3 * b + k];
    linear += velocity * m->body_mass[b];
    angular += R * spin + Cross(c, velocity * m->body_mass[b]);
  }
  const double mass = m->body_subtreemass[0];
  // sums of a dozen terms of size ten
  ExpectNear(At(d->subtree_linvel, 0) * mass, linear, 1e-12);
  ExpectNear(At(d->subtree_angmom, 0), angular - Cross(At(d->subtree_com, 0), linear), 1e-12);
}

}  // namespace
}  // namespace sinew::testing
