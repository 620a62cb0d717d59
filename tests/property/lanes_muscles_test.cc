// Muscles with tendons, and compliant contacts: every lane equals the run of its world alone, bit for bit.
#include <string>
#include <utility>

#include "tests/support/lane_steps.h"

namespace sinew::testing {
namespace {

class LanesOfMuscles : public Lanes {};

// Muscles with elastic and rigid tendons of all curves, on paths from site to site, over a pulley, around a cylinder,
// an ellipsoid, and two of them in a row; beside it a tendon with a spring, a limit and an armature.
constexpr char kMuscles[] = R"(
<worldbody><site name="high" pos="0 0 1.5"/><site name="far" pos="2 .5 1"/></worldbody>
<tendon>
 <spatial name="straight"><site site="a0"/><site site="a1"/><pulley divisor="2"/><site site="a1"/><site site="a2"/></spatial>
 <spatial name="round"><site site="a0"/><geom geom="wheel" sidesite="front"/><site site="a2"/></spatial>
 <spatial name="egg"><site site="b0"/><geom geom="egg"/><site site="b2"/></spatial>
 <spatial name="row"><site site="b0"/><geom geom="egg" sidesite="side"/><geom geom="drum"/><site site="b1"/></spatial>
 <spatial name="rope" stiffness="40" damping="1" limited="true" range="0 1.2" frictionloss=".1" armature=".02"><site site="high"/><site site="a1"/></spatial>
</tendon>
<actuator>
 <musculotendon tendon="straight" force="300" fiberlength=".1" slacklength=".15" pennation="20"/>
 <musculotendon tendon="round" force="300" fiberlength=".12" slacklength=".3" curves="hyfydy"/>
 <musculotendon tendon="egg" force="200" fiberlength=".12" slacklength=".3" curves="degroote"/>
 <musculotendon tendon="egg" force="80" fiberlength=".12" slacklength=".3" curves="geyer" fiberdamping="0"/>
 <musculotendon tendon="row" force="200" fiberlength=".1" slacklength=".2" compliance="rigid"/>
 <musculotendon tendon="round" force="100" fiberlength=".2" slacklength=".2" fiberdamping="0" tausmooth=".1"/>
 <muscle tendon="row" force="100"/>
</actuator>
<sensor><tendonpos tendon="round"/><tendonvel tendon="row"/></sensor>)";

// The walker's legs with what these tendons are attached to. `law`: of all geoms.
std::string MuscularWalker(const char* option, const char* law = "") {
  std::string text = Walker(option, "3", kMuscles);
  const auto insert = [&text](const std::string& behind, const std::string& what) {
    const size_t at = text.find(behind);
    ASSERT_NE(at, std::string::npos) << behind;
    text.insert(at + behind.size(), what);
  };
  insert("<site name=\"imu\"/>", R"(<site name="a0" pos=".12 .08 .1"/><site name="b0" pos=".12 -.08 .1"/>
    <site name="front" pos=".25 .08 -.2"/><site name="side" pos=".3 -.1 -.1"/>)");
  insert(
      R"(<geom fromto="0 0 0 0 0 -.25" size=".04"/>)",
      R"(<site name="a1" pos=".05 0 -.2"/><geom name="wheel" class="wrap" type="cylinder" size=".05 .1" euler="90 0 0" pos="0 0 -.2"/>)");
  insert(R"(<geom fromto="0 0 0 0 0 -.25" size=".03"/>)", R"(<site name="a2" pos=".03 0 -.2"/>)");
  const std::string leg = "limited=\"true\"/>\n   <geom fromto=\"0 0 0 0 0 -.25\" size=\".04\"/><body";
  const size_t second = text.find(leg);
  EXPECT_NE(second, std::string::npos);
  if (second != std::string::npos) {
    text.insert(second + leg.size() - 5, R"(<site name="b1" pos=".04 0 -.24"/><site name="b2" pos=".06 0 -.2"/>
      <geom name="egg" class="wrap" type="ellipsoid" size=".05 .08 .06" pos="0 0 -.05"/>
      <geom name="drum" class="wrap" type="cylinder" size=".04 .1" euler="90 0 0" pos="0 0 -.17"/>)");
  }
  insert("<default><geom ", std::string(law) + " ");
  insert("<joint damping=\"0.3\" armature=\"0.01\"/>",
         R"(<default class="wrap"><geom contype="0" conaffinity="0" mass="0"/></default>)");
  return text;
}

TEST_P(LanesOfMuscles, StepsOfMusclesEqualWorldsAlone) {
  for (const char* option : {"integrator='implicitfast'", "integrator='implicit'", "integrator='discrete'",
                             "integrator='RK4'", "", "solver='PGS'", "jacobian='sparse' cone='elliptic'"}) {
    SCOPED_TRACE(option);
    ExpectStepsEqualAlone(*ReadModel(MuscularWalker(option)), *GetParam());
    if (HasFatalFailure()) return;
  }
}

// Explicit integrators do not hold soles as stiff as those of the others on light legs at 4 ms.
TEST_P(LanesOfMuscles, StepsWithCompliantContactsEqualWorldsAlone) {
  constexpr const char *kHertz = "contactmodel='hertz' modulus='1e6' dissipation='.5' cfriction='.8 .6 .1'",
                       *kMaterial = "contactmodel='hertz' stiffness='3e3' dissipation='.5' frictionlaw='step'",
                       *kLinear = "contactmodel='linear' stiffness='2e3' dissipation='2' cfriction='.8 .6 .1'";
  for (const auto& [option, law] : {std::pair("slipspeed='.1' integrator='implicitfast'", kHertz),
                                    {"slipspeed='.1' integrator='implicit'", kHertz},
                                    {"slipspeed='.1' integrator='implicitfast' solver='PGS'", kHertz},
                                    {"slipspeed='.3' integrator='implicitfast' mixing='hyfydy'", kMaterial},
                                    {"slipspeed='.1' integrator='implicitfast' solver='CG' cone='elliptic'", kLinear},
                                    {"slipspeed='.5'", kLinear},
                                    {"slipspeed='.5' solver='PGS'", kLinear},
                                    {"slipspeed='.5' integrator='RK4'", kLinear}}) {
    SCOPED_TRACE(option);
    ExpectStepsEqualAlone(*ReadModel(MuscularWalker(option, law)), *GetParam());
    if (HasFatalFailure()) return;
  }
}

SINEW_ON_ALL_LANES(LanesOfMuscles);

}  // namespace
}  // namespace sinew::testing
