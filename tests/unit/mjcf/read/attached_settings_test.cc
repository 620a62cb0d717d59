// Compiler settings of models that were attached have no place in a document: what they do is written.
#include <gtest/gtest.h>

#include <cmath>
#include <memory>
#include <string>

#include "compile/compile.h"
#include "mjcf/write/write.h"
#include "read/read_xml.h"
#include "spec/attach.h"

namespace sinew {
namespace {

std::unique_ptr<Spec> Read(const std::string& settings, const std::string& name) {
  return ReadXmlText("<mujoco model='" + name + "'><compiler " + settings +
                         "/><worldbody><body name='b' pos='0 0 1'><freejoint/><geom size='.1' pos='.2 0 0'/>"
                         "<geom type='box' size='.1 .2 .3' pos='0 .1 0' group='1'/></body></worldbody></mujoco>",
                     "", nullptr);
}

TEST(Write, SettingsOfAttachedModelsHold) {
  const std::string plain, odd[] = {"inertiagrouprange='0 0'", "boundmass='100'", "boundinertia='9'",
                                    "alignfree='true'", "alignfree='true' inertiagrouprange='1 1'"};
  for (const std::string& settings : odd) {
    for (const bool is_child : {false, true}) {
      SCOPED_TRACE(settings);
      if (!is_child && settings.starts_with("bound")) continue;  // bounds of a document hold for all its bodies
      const auto parent = Read(is_child ? plain : settings, "parent"),
                 child = Read(is_child ? settings : plain, "child");
      Attach(parent->world().Add<Frame>(), *child->Find<Body>("b"), {"x_", ""}, true);
      const ModelPtr before = Compile(*parent, nullptr);
      const auto saved = ReadXmlText(mjcf::WriteXml(*parent), "", nullptr);
      const ModelPtr after = Compile(*saved, nullptr);
      ASSERT_EQ(before->nbody, after->nbody);
      for (int b = 1; b < before->nbody; ++b) {
        EXPECT_NEAR(before->body_mass[b], after->body_mass[b], 1e-9);
        for (int i = 0; i < 3; ++i) {
          EXPECT_NEAR(before->body_pos[3 * b + i], after->body_pos[3 * b + i], 1e-9);
          EXPECT_NEAR(before->body_ipos[3 * b + i], after->body_ipos[3 * b + i], 1e-9);
          EXPECT_NEAR(before->body_inertia[3 * b + i], after->body_inertia[3 * b + i], 1e-9);
        }
      }
    }
  }
}

// A document whose inertias all follow from geoms, with a body that was attached and has another.
TEST(Write, InertiasOfAttachedModelsHoldWhereThoseOfTheDocumentFollowFromGeoms) {
  const auto read = [](const std::string& settings, const std::string& name) {
    return ReadXmlText("<mujoco model='" + name + "'><compiler " + settings +
                           "/><worldbody><body name='b'><joint/><inertial pos='0 0 1' mass='2' diaginertia='1 1 1'/>"
                           "<geom size='.1'/></body></worldbody></mujoco>",
                       "", nullptr);
  };
  for (const std::string more : {"", " saveinertial='true'"}) {
    const auto parent = read("inertiafromgeom='true'" + more, "parent"), child = read("", "child");
    Attach(parent->world().Add<Frame>(), *child->Find<Body>("b"), {"x_", ""}, true);
    const ModelPtr before = Compile(*parent, nullptr);
    const auto saved = ReadXmlText(mjcf::WriteXml(*parent), "", nullptr);
    const ModelPtr after = Compile(*saved, nullptr);
    EXPECT_EQ(before->body_mass[2], 2);
    EXPECT_NE(before->body_mass[1], 2);
    for (int b = 1; b < 3; ++b) EXPECT_NEAR(before->body_mass[b], after->body_mass[b], 1e-4) << more;
  }
}

// A joint of type free with more settings than <freejoint> has, in a model whose free bodies are aligned, or are not.
TEST(Write, FreeJointsOfAttachedModelsStayAligned) {
  for (const bool child_aligns : {false, true}) {
    const auto read = [](bool aligns, const std::string& name) {
      return ReadXmlText(
          "<mujoco model='" + name + "'><compiler alignfree='" + (aligns ? "true" : "false") +
              "'/><worldbody><body name='b'><joint type='free' group='3' damping='.1'/>"
              "<geom type='box' size='.1 .2 .3' pos='0 .1 0' euler='20 30 40'/></body></worldbody></mujoco>",
          "", nullptr);
    };
    const auto parent = read(!child_aligns, "parent"), child = read(child_aligns, "child");
    Attach(parent->world().Add<Frame>(), *child->Find<Body>("b"), {"x_", ""}, true);
    const ModelPtr before = Compile(*parent, nullptr);
    const auto saved = ReadXmlText(mjcf::WriteXml(*parent), "", nullptr);
    const ModelPtr after = Compile(*saved, nullptr);
    ASSERT_EQ(before->nbody, 3);
    EXPECT_NE(before->body_simple[1], before->body_simple[2]);
    for (int b = 1; b < 3; ++b) {
      EXPECT_EQ(before->body_simple[b], after->body_simple[b]);
      for (int i = 0; i < 3; ++i) EXPECT_NEAR(before->body_ipos[3 * b + i], after->body_ipos[3 * b + i], 1e-12);
    }
    EXPECT_EQ(before->dof_damping[6], after->dof_damping[6]);
  }
}

// Primitives that take their sizes from a mesh, by its box in one model and by its inertia in the other.
TEST(Write, FittedGeomsOfAttachedModelsKeepTheirSizes) {
  for (const bool child_fits_box : {false, true}) {
    const auto read = [](bool fits_box, const std::string& name) {
      return ReadXmlText("<mujoco model='" + name + "'><compiler fitaabb='" + (fits_box ? "true" : "false") +
                             "'/><asset><mesh name='m' vertex='0 0 0 1 0 0 0 2 0 0 0 3 .2 .2 1'/></asset><worldbody>"
                             "<body name='b' pos='0 0 1'><freejoint/><frame pos='.1 0 0' euler='0 0 30'>"
                             "<geom type='ellipsoid' mesh='m' pos='0 .3 0' fitscale='.5'/></frame>"
                             "<geom type='capsule' mesh='m'/></body></worldbody></mujoco>",
                         "", nullptr);
    };
    const auto parent = read(!child_fits_box, "parent"), child = read(child_fits_box, "child");
    Attach(parent->world().Add<Frame>(), *child->Find<Body>("b"), {"x_", ""}, true);
    const ModelPtr before = Compile(*parent, nullptr);
    const auto saved = ReadXmlText(mjcf::WriteXml(*parent), "", nullptr);
    const ModelPtr after = Compile(*saved, nullptr);
    ASSERT_EQ(before->ngeom, 4);
    EXPECT_GT(std::abs(before->geom_size[0] - before->geom_size[6]), 0.01);
    for (int i = 0; i < 12; ++i) EXPECT_NEAR(before->geom_size[i], after->geom_size[i], 1e-12) << i;
    for (int i = 0; i < 12; ++i) EXPECT_NEAR(before->geom_pos[i], after->geom_pos[i], 1e-12) << i;
    for (int i = 0; i < 16; ++i) EXPECT_NEAR(before->geom_quat[i], after->geom_quat[i], 1e-12) << i;
    for (int b = 1; b < 3; ++b) EXPECT_NEAR(before->body_mass[b], after->body_mass[b], 1e-9);
  }
}

}  // namespace
}  // namespace sinew
