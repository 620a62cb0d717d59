// Compiler settings of models that were attached have no place in a document: what they do is written.
#include <gtest/gtest.h>

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
      const auto saved = ReadXmlText(WriteXml(*parent), "", nullptr);
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

}  // namespace
}  // namespace sinew
