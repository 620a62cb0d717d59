#include "compile/constants/length_range.h"

#include "math/quat.h"
#include "model/storage/data.h"
#include "model/storage/defaults.h"
#include "tests/unit/compile/compile_xml.h"

namespace sinew {
namespace {

constexpr char kHinge[] =
    "<worldbody><body><joint name='j' axis='0 1 0' range='-30 60'/>"
    "<geom type='capsule' size='.05' fromto='0 0 0 1 0 0'/></body></worldbody>";

// The ends are not exactly the limits of -30 and 60 degrees, which are soft.
TEST(LengthRange, OfAMuscleIsMeasured) {
  const ModelPtr m = CompileXml(std::string(kHinge) + "<actuator><muscle joint='j'/></actuator>");
  ExpectNear(m->actuator_lengthrange, {-.52416871, 1.04776749}, 1e-7);
}

TEST(LengthRange, IsKeptWhenGiven) {
  const ModelPtr m = CompileXml(std::string(kHinge) + "<actuator><muscle joint='j' lengthrange='0 1'/></actuator>");
  ExpectNear(m->actuator_lengthrange, {0, 1}, 0);
}

TEST(LengthRange, OfOtherActuatorsIsNotMeasured) {
  const ModelPtr m = CompileXml(std::string(kHinge) + "<actuator><motor joint='j'/></actuator>");
  ExpectNear(m->actuator_lengthrange, {0, 0}, 0);
}

TEST(LengthRange, UnboundedMotionIsAnError) {
  const std::string text = ErrorOf(
      "<worldbody><body><joint name='j'/><geom size='.1'/></body></worldbody><actuator><muscle joint='j'/></actuator>");
  EXPECT_NE(text.find("did not settle"), std::string::npos) << text;
}

TEST(LengthRange, LimitsMayServe) {
  const ModelPtr m = CompileXml(std::string(kHinge) + "<actuator><motor joint='j'/><motor joint='j'/></actuator>");
  const DataPtr d(MakeData(*m));
  mjLROpt options;
  DefaultLROpt(&options);
  options.mode = mjLRMODE_ALL;
  options.uselimit = 1;
  SetLengthRange(m.get(), d.get(), 1, options);
  ExpectNear(m->actuator_lengthrange + 2, {-kPi / 6, kPi / 3}, 1e-15);
}

}  // namespace
}  // namespace sinew
