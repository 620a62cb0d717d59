// Signed distance fields: the exported functions, contacts, rays, taxels.
#include "collision/field/sdf.h"

#include <gtest/gtest.h>

#include <cmath>
#include <set>
#include <string>
#include <utility>
#include <vector>

#include "core/error.h"
#include "plugin/registry.h"
#include "tests/testing/model.h"
#include "tests/unit/capi/error_trap.h"

namespace sinew {
namespace {

using Vec = Vec3<double>;

// The mesh "block", a cube with half size 0.1, and one geom of each of the given kinds.
std::string Model(const std::string& geom1, const std::string& geom2, const std::string& pose = "pos='0 0 .19'",
                  const std::string& option = "") {
  return "<mujoco><option " + option +
         "/><asset><mesh name='block' vertex='-.1 -.1 -.1 .1 -.1 -.1 -.1 .1 -.1 .1 .1 -.1 -.1 -.1 .1 .1 -.1 .1 -.1 .1 "
         ".1 .1 .1 .1'/></asset><worldbody><geom " +
         geom1 + "/><body " + pose + "><freejoint/><geom " + geom2 + "/></body></worldbody></mujoco>";
}

const char* const kField = "type='sdf' mesh='block'";

World Touching(const std::string& geom1, const std::string& geom2, const std::string& pose = "pos='0 0 .19'",
               const std::string& option = "") {
  World w(ModelFromText(Model(geom1, geom2, pose, option)));
  mj_forward(w.m.get(), w.d.get());
  return w;
}

// ---- values

// Two fields by name, as mjSDF has them.
struct Fields {
  const mjpPlugin* plugin[2] = {nullptr, nullptr};
  int id[2];
  mjtGeom type[2];
  double relpos[3] = {0, 0, 0}, relmat[9] = {1, 0, 0, 0, 1, 0, 0, 0, 1};

  mjSDF Sdf(mjtSDFType kind) { return {plugin, id, kind, relpos, relmat, type}; }
};

double DistanceAt(const World& w, Fields& fields, mjtSDFType kind, const Vec& x) {
  const mjSDF sdf = fields.Sdf(kind);
  return mjc_distance(w.m.get(), w.d.get(), &sdf, &x.x);
}

Vec GradientAt(const World& w, Fields& fields, mjtSDFType kind, const Vec& x) {
  const mjSDF sdf = fields.Sdf(kind);
  Vec gradient;
  mjc_gradient(w.m.get(), w.d.get(), &sdf, &gradient.x, &x.x);
  return gradient;
}

TEST(Sdf, CombinationsOfTwoSpheres) {
  const World w = Touching("size='.1'", "size='.3'");
  Fields fields = {{nullptr, nullptr}, {0, 1}, {mjGEOM_SPHERE, mjGEOM_SPHERE}};
  fields.relpos[0] = .5;  // the centre of the second is at x = -0.5 of the first
  const Vec x = {-.15, 0, 0};
  const double A = .05, B = .05;
  EXPECT_NEAR(DistanceAt(w, fields, mjSDFTYPE_SINGLE, x), A, 1e-15);
  EXPECT_NEAR(DistanceAt(w, fields, mjSDFTYPE_INTERSECTION, x), B, 1e-15);
  EXPECT_NEAR(DistanceAt(w, fields, mjSDFTYPE_MIDSURFACE, x), 0, 1e-15);
  EXPECT_NEAR(DistanceAt(w, fields, mjSDFTYPE_COLLISION, x), A + B + std::max(A, B), 1e-15);
  EXPECT_NEAR(Norm(GradientAt(w, fields, mjSDFTYPE_MIDSURFACE, x) - Vec{-1, 0, 0}), 0, 1e-15);
  EXPECT_NEAR(Norm(GradientAt(w, fields, mjSDFTYPE_INTERSECTION, {-.1, 0, 0}) - Vec{1, 0, 0}), 0, 1e-15);
}

TEST(Sdf, GradientsAreThoseOfTheDistances) {
  const World w = Touching("size='.1'", "size='.3'");
  Fields fields = {{nullptr, nullptr}, {0, 1}, {mjGEOM_SPHERE, mjGEOM_SPHERE}};
  fields.relpos[1] = .2;
  const double turn[9] = {0, -1, 0, 1, 0, 0, 0, 0, 1};
  std::copy_n(turn, 9, fields.relmat);
  for (const mjtSDFType kind : {mjSDFTYPE_SINGLE, mjSDFTYPE_INTERSECTION, mjSDFTYPE_COLLISION}) {
    for (const Vec& x : {Vec{.01, .02, .03}, Vec{.2, -.1, .05}, Vec{-.3, .2, .1}}) {
      const Vec gradient = GradientAt(w, fields, kind, x);
      for (int k = 0; k < 3; ++k) {
        Vec ahead = x, behind = x;
        ahead[k] += 1e-6;
        behind[k] -= 1e-6;
        const double slope = (DistanceAt(w, fields, kind, ahead) - DistanceAt(w, fields, kind, behind)) / 2e-6;
        EXPECT_NEAR(gradient[k], slope, 1e-9);  // of central differences
      }
    }
  }
}

TEST(Sdf, OctreesInterpolateAndReachBeyondTheirBox) {
  const World w = Touching(kField, "size='.1'");
  Fields fields = {{nullptr, nullptr}, {0, 0}, {mjGEOM_SDF, mjGEOM_SDF}};
  EXPECT_NEAR(DistanceAt(w, fields, mjSDFTYPE_SINGLE, {.03, .02, .01}), -.07, 1e-8);  // linear in x there; floats
  EXPECT_NEAR(DistanceAt(w, fields, mjSDFTYPE_SINGLE, {0, 0, .105}), .005, 1e-8);
  EXPECT_NEAR(DistanceAt(w, fields, mjSDFTYPE_SINGLE, {0, 0, .5}), .4, 1.1e-6);  // a micrometre off, as established
  EXPECT_NEAR(GradientAt(w, fields, mjSDFTYPE_SINGLE, {0, 0, .5}).z, 1, 1e-7);   // of forward differences
  EXPECT_NEAR(GradientAt(w, fields, mjSDFTYPE_SINGLE, {.001, .002, .0998}).z, 2 * .11 / 64, 1e-8);  // across a leaf
}

TEST(Sdf, WhatHasNoFieldIsNamed) {
  const World w = Touching("type='mesh' mesh='block'", "size='.1'");
  EXPECT_EQ(mjc_getSDF(w.m.get(), 0), nullptr);
  const ErrorTrap trap;
  Fields fields = {{nullptr, nullptr}, {0, 0}, {mjGEOM_MESH, mjGEOM_MESH}};
  DistanceAt(w, fields, mjSDFTYPE_SINGLE, {0, 0, 0});
  EXPECT_NE(trap.text().find("mesh 0 has no signed distance"), std::string::npos) << trap.text();
  fields.type[0] = mjGEOM_HFIELD;
  DistanceAt(w, fields, mjSDFTYPE_SINGLE, {0, 0, 0});
  EXPECT_NE(trap.text().find("type 1 has no signed distance"), std::string::npos) << trap.text();
  mjc_getSDF(w.m.get(), 2);
  EXPECT_NE(trap.text().find("argument 'id' is 2"), std::string::npos) << trap.text();
}

// ---- contacts

// Numbers of contacts recorded from another engine, in general position.
TEST(SdfContact, AsManyAsRecorded) {
  const char* const pose = "pos='.01 .02 .19' euler='10 20 30'";
  EXPECT_EQ(Touching(kField, "size='.1'", pose).d->ncon, 29);
  EXPECT_EQ(Touching(kField, "type='capsule' size='.08 .05'", pose).d->ncon, 38);
  EXPECT_EQ(Touching(kField, "type='ellipsoid' size='.1 .08 .12'", pose).d->ncon, 36);
  EXPECT_EQ(Touching(kField, "type='cylinder' size='.1 .08'", pose).d->ncon, 20);
  EXPECT_EQ(Touching(kField, kField, pose).d->ncon, 34);
  EXPECT_EQ(Touching(kField, "type='mesh' mesh='block'", "pos='.01 .02 .2' euler='10 20 30'").d->ncon, 4);
}

TEST(SdfContact, OfAMeshIsAsDeepAsItIs) {
  const World w = Touching(kField, "type='mesh' mesh='block'");
  ASSERT_GT(w.d->ncon, 0);
  double deepest = 0;
  for (int i = 0; i < w.d->ncon; ++i) deepest = std::min(deepest, w.d->contact[i].dist);
  EXPECT_NEAR(deepest, -.01, 1e-8);  // vertices are floats
}

TEST(SdfContact, NormalsPointToTheSecondGeom) {
  const World w = Touching(kField, "size='.1'");
  ASSERT_EQ(w.d->contact[0].geom[0], 1);  // the sphere: its type is the smaller one
  for (int i = 0; i < w.d->ncon; ++i) {
    const mjContact& contact = w.d->contact[i];
    EXPECT_LT(contact.frame[2], -.9);
    EXPECT_LE(contact.dist, 0);
    EXPECT_GE(contact.dist, -.01);  // no deeper than the shapes are in each other
  }
}

TEST(SdfContact, MarginsDoNotCount) {
  EXPECT_EQ(Touching(kField, "size='.1' margin='.05'", "pos='0 0 .22'").d->ncon, 0);
  EXPECT_EQ(Touching(kField, "type='mesh' mesh='block' margin='.05'", "pos='0 0 .22'").d->ncon, 0);
}

TEST(SdfContact, FollowsTheOptions) {
  EXPECT_EQ(Touching(kField, "size='.1'", "pos='0 0 .19'", "sdf_initpoints='0'").d->ncon, 0);
  EXPECT_LE(Touching(kField, "size='.1'", "pos='0 0 .19'", "sdf_initpoints='5'").d->ncon, 5);
  const World many = Touching(kField, "size='.1'", "pos='0 0 .1'", "sdf_initpoints='90'");
  EXPECT_EQ(many.d->ncon, mjMAXCONPAIR);
  EXPECT_EQ(mj_maxContact(many.m.get(), 0, 1, -1), mjMAXCONPAIR);
}

TEST(SdfContact, ABlockStandsOnAPlaneByItsVertices) {
  const World w = Touching("type='plane' size='1 1 1'", kField, "pos='0 0 .09'");
  ASSERT_EQ(w.d->ncon, 4);  // all corners of the face: on three, a block may tip over the missing one
  std::set<std::pair<bool, bool>> corners;
  for (int i = 0; i < 4; ++i) {
    EXPECT_NEAR(w.d->contact[i].dist, -.01, 1e-8);  // vertices are floats
    corners.emplace(w.d->contact[i].pos[0] > 0, w.d->contact[i].pos[1] > 0);
  }
  EXPECT_EQ(corners.size(), 4u);
}

TEST(SdfContact, DistanceIsKnownWhereShapesOverlap) {
  const World apart = Touching(kField, "size='.1'", "pos='0 0 .3'");
  EXPECT_EQ(mj_geomDistance(apart.m.get(), apart.d.get(), 0, 1, .5, nullptr), .5);
  const World deep = Touching(kField, "size='.1'");
  double fromto[6];
  const double depth = mj_geomDistance(deep.m.get(), deep.d.get(), 0, 1, .5, fromto);
  EXPECT_LT(depth, -.003);
  EXPECT_NEAR(Norm(LoadVec3(fromto) - LoadVec3(fromto + 3)), -depth, 1e-12);
  EXPECT_GT(fromto[2], fromto[5]);  // from the block's surface down into it, to the sphere's
}

// ---- plugins

double BallDistance(const mjtNum point[3], const mjData*, int) { return Norm(LoadVec3(point)) - .1; }
void BallGradient(mjtNum gradient[3], const mjtNum point[3], const mjData*, int) {
  StoreVec3(Normalized(LoadVec3(point)), gradient);
}
int NoState(const mjModel*, int) { return 0; }
int resets = 0, computations = 0;
void CountReset(const mjModel*, mjtNum*, void*, int) { ++resets; }
void CountCompute(const mjModel*, mjData*, int, int) { ++computations; }

const mjpPlugin& RegisterBall() {
  mjpPlugin plugin = {};
  plugin.name = "test.ball";
  plugin.capabilityflags = mjPLUGIN_SDF;
  plugin.nstate = NoState;
  plugin.reset = CountReset;
  plugin.compute = CountCompute;
  plugin.sdf_distance = BallDistance;
  plugin.sdf_gradient = BallGradient;
  return *PluginAt(RegisterPlugin(plugin));
}

TEST(SdfPlugin, GivesTheShapeAndIsTold) {
  const mjpPlugin& ball = RegisterBall();
  const std::string field = "type='sdf' mesh='block'><plugin plugin='test.ball'/></geom><geom size='.01' pos='5 5 5'";
  const std::string xml = Model(field, "size='.1'", "pos='0 0 .18'", "sdf_initpoints='7'");
  World w(ModelFromText("<mujoco><extension><plugin plugin='test.ball'/></extension>" +
                        xml.substr(std::string("<mujoco>").size())));
  resets = computations = 0;
  mj_forward(w.m.get(), w.d.get());
  EXPECT_EQ(mjc_getSDF(w.m.get(), 0), &ball);
  EXPECT_EQ(resets, 1);
  EXPECT_EQ(computations, 7);
  ASSERT_GT(w.d->ncon, 0);
  EXPECT_EQ(w.d->contact[0].geom[1], 0);
  EXPECT_LT(w.d->contact[0].frame[2], -.9);
}

// ---- rays

TEST(SdfRay, HitsTheSurfaceFromBothSides) {
  const World w = Touching(kField, "size='.01'", "pos='5 5 5'");
  const auto cast = [&](const Vec& point, const Vec& direction, int* geom, Vec* normal) {
    return mj_ray(w.m.get(), w.d.get(), &point.x, &direction.x, nullptr, 1, -1, geom, normal ? &normal->x : nullptr);
  };
  int geom;
  Vec normal;
  EXPECT_NEAR(cast({.02, .01, 1}, {0, 0, -1}, &geom, &normal), .9, 2e-7);  // kOnSurface, floats
  EXPECT_EQ(geom, 0);
  EXPECT_NEAR(Norm(normal - Vec{0, 0, 1}), 0, 1e-9);
  EXPECT_NEAR(cast({.02, .01, 1}, {0, 0, -2}, &geom, nullptr), .45, 1e-7);  // in units of the direction
  EXPECT_NEAR(cast({.02, .01, 0}, {0, 0, -1}, &geom, nullptr), .1, 2e-7);
  EXPECT_EQ(cast({.2, .2, 1}, {0, 0, -1}, &geom, nullptr), -1);
}

// Near an edge, interpolated distances are up to 3 mm too large: the ray steps over the surface and comes back.
TEST(SdfRay, FindsSurfacesThatAStepCrosses) {
  const World w = Touching(kField, "size='.01'", "pos='5 5 5'");
  for (double y = 0; y < .0985; y += .001) {
    const Vec point = {-1, y, .5 * y}, direction = {1, 0, 0};
    const double x = mj_ray(w.m.get(), w.d.get(), &point.x, &direction.x, nullptr, 1, -1, nullptr, nullptr);
    EXPECT_NEAR(x, .9, 3e-3) << y;
  }
}

// ---- taxels

TEST(SdfTactile, FeelsOctrees) {
  World w(ModelFromText(
      "<mujoco><asset><mesh name='block' vertex='-.1 -.1 -.1 .1 -.1 -.1 -.1 .1 -.1 .1 .1 -.1 -.1 -.1 .1 .1 -.1 .1 -.1 "
      ".1 .1 .1 .1 .1'/><mesh name='pad' builtin='plate' params='3 3' scale='.05 .05 .01' inertia='shell'/></asset>"
      "<worldbody><geom name='skin' size='.1'/>"
      "<body pos='0 0 .05'><freejoint/><geom type='sdf' mesh='block'/></body></worldbody>"
      "<sensor><tactile geom='skin' mesh='pad'/></sensor></mujoco>"));
  mj_forward(w.m.get(), w.d.get());
  ASSERT_GT(w.d->ncon, 0);
  Fields fields = {{nullptr, nullptr}, {0, 0}, {mjGEOM_SDF, mjGEOM_SDF}};
  for (int i = 0; i < w.m->mesh_vertnum[1]; ++i) {
    const float* v = w.m->mesh_vert + 3 * (w.m->mesh_vertadr[1] + i);
    const double local[3] = {v[0], v[1], v[2]};
    double place[3];  // in the frame of the mesh's file, which is that of the skin
    mju_rotVecQuat(place, local, w.m->mesh_quat + 4);
    mju_addTo3(place, w.m->mesh_pos + 3);
    const double depth = DistanceAt(w, fields, mjSDFTYPE_SINGLE, {place[0], place[1], place[2] - .05});
    ASSERT_LT(depth, 0);
    EXPECT_NEAR(w.d->sensordata[i], depth / (.05 - depth), 1e-12) << i;  // poses are rounded
  }
}

}  // namespace
}  // namespace sinew
