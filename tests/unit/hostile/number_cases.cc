// Numbers that overflow, are none, or make no physical sense. Those that the format allows must still give a model that
// can be simulated.
#include "tests/unit/hostile/cases.h"

namespace sinew::hostile {

Cases NumberCases() {
  Cases cases;
  const auto add = [&](const char* name, Outcome outcome, const std::string& xml) {
    cases.push_back({std::string(name) + "_" + std::to_string(cases.size()), outcome, xml});
  };
  for (const std::string number : {"1e308", "-1e308", "1e300", "1e999", "nan", "inf", "-inf", "1e-320", "0x", "1,5"}) {
    const Outcome none = number == "0x" || number == "1,5" || number == "1e999" ? Outcome::kError : Outcome::kEither;
    add("geom_position", none, World("<geom size='1' pos='" + number + " 0 0'/>"));
    add("geom_size", none, World("<body><freejoint/><geom size='" + number + "'/></body>"));
    add("body_mass", none, World("<body><freejoint/><geom size='1' mass='" + number + "'/></body>"));
    add("joint_axis", none, World("<body><joint axis='" + number + " 0 0'/><geom size='1'/></body>"));
    add("timestep", none, Model("<option timestep='" + number + "'/>"));
    add("mesh_vertex", Outcome::kEither,
        Model("<asset><mesh name='m' vertex='0 0 0 1 0 0 0 1 0 0 0 " + number +
              "'/></asset><worldbody><geom type='mesh' mesh='m'/></worldbody>"));
  }
  for (const char* size : {"0 0 0", "-1 -1 -1"}) {
    add("no_size", Outcome::kError,
        World("<body><freejoint/><geom type='box' size='" + std::string(size) + "'/></body>"));
  }
  add("mass_zero", Outcome::kError, World("<body><freejoint/></body>"));
  add("axis_zero", Outcome::kError, World("<body><joint axis='0 0 0'/><geom size='1'/></body>"));
  add("quaternion_zero", Outcome::kError, World("<body quat='0 0 0 0'/>"));
  return cases;
}

}  // namespace sinew::hostile
