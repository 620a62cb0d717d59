// Strain constraints that hold nothing: they compile, with a warning.
#include <algorithm>

#include "core/handlers.h"
#include "tests/unit/compile/compile_xml.h"
#include "tests/unit/mjcf/read_helpers.h"

namespace sinew {
namespace {

std::string Soft(const std::string& young, const std::string& cell) {
  return "<worldbody><flexcomp name='f' type='grid' dim='3' dof='trilinear' count='3 3 3' spacing='.1 .1 .1' "
         "radius='.01' mass='1'><elasticity young='" +
         young + "'/><contact selfcollide='none'/></flexcomp></worldbody><equality><flexstrain flex='f' cell='" + cell +
         "'/></equality>";
}

TEST(FlexStrain, AnElasticFlexKeepsItsStiffness) {
  ModelPtr m;
  const std::string warnings = mjcf::WarningsOf([&] { m = CompileXml(Soft("1000", "0 0 0")); });
  EXPECT_NE(warnings.find("the flex is elastic"), std::string::npos) << warnings;
  EXPECT_EQ(m->neq, 1);
}

TEST(FlexStrain, ACellThatDoesNotExist) {
  const std::string warnings = mjcf::WarningsOf([] { CompileXml(Soft("0", "0 1 0")); });
  EXPECT_NE(warnings.find("no cell 1.000000 along axis 1"), std::string::npos) << warnings;
  EXPECT_EQ(mjcf::WarningsOf([] { CompileXml(Soft("0", "0 0 0")); }), "");
}

TEST(FlexStrain, AboutVerticesOfWhatIsNoShell) {
  ModelPtr m;
  const std::string warnings = mjcf::WarningsOf([&] {
    m = CompileXml(
        "<worldbody><flexcomp name='f' type='grid' dim='3' count='3 3 3' spacing='.1 .1 .1' radius='.01' mass='1'>"
        "<edge equality='vert'/><contact selfcollide='none'/></flexcomp></worldbody>");
  });
  EXPECT_NE(warnings.find("flexvert constraints hold flexes of dimension 2; flex 'f'"), std::string::npos) << warnings;
  EXPECT_EQ(m->neq, 1);
  EXPECT_EQ(std::count(m->flex_vertedgenum, m->flex_vertedgenum + m->nflexvert, 0), m->nflexvert);
}

TEST(FlexStrain, ACellAroundSegmentsMayBeFlat) {
  ModelPtr m;
  const std::string warnings = mjcf::WarningsOf([&] {
    m = CompileXml(
        "<worldbody><flexcomp name='f' type='grid' dim='1' dof='trilinear' count='5 1 1' spacing='.1 .1 .1' "
        "radius='.01' mass='1'><elasticity young='1000'/><contact selfcollide='none'/></flexcomp></worldbody>");
  });
  EXPECT_NE(warnings.find("cell 0 of the flex has no volume"), std::string::npos) << warnings;
  EXPECT_EQ(std::count(m->flex_stiffness, m->flex_stiffness + m->nflexstiffness, 0), m->nflexstiffness);
}

}  // namespace
}  // namespace sinew
