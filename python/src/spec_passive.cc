// Limit forces of joints, ligaments along tendons, bushings of sites and reflexes of actuators in a specification.
#include <nanobind/stl/tuple.h>
#include <sinew/elements_beyond.h>
#include <sinew/passive_elements.h>
#include <sinew/reflexes.h>

#include <iterator>
#include <optional>
#include <string>
#include <tuple>
#include <vector>

#include "spec.h"

namespace sinew::python {
namespace {

// Kinds of functions in the order of their numbers.
constexpr const char* kFunctions[] = {"polynomial", "spline", "simmspline", "polyline"};

mjsJoint* Joint(const Element& e) { return As<mjsJoint>(e, mjOBJ_JOINT, "joint"); }
mjsTendon* Tendon(const Element& e) { return As<mjsTendon>(e, mjOBJ_TENDON, "tendon"); }
mjsSite* Site(const Element& e) { return As<mjsSite>(e, mjOBJ_SITE, "site"); }
mjsActuator* Actuator(const Element& e) { return As<mjsActuator>(e, mjOBJ_ACTUATOR, "actuator"); }

std::vector<double> List(nb::handle value, const char* name) {
  const Numbers numbers = NumbersOf(value, name);
  return {numbers.data(), numbers.data() + numbers.size()};
}

// Reads two numbers; where there may be one, it stands for both.
std::vector<double> Two(nb::handle value, const char* name, bool may_be_one) {
  std::vector<double> numbers = List(value, name);
  if (may_be_one && numbers.size() == 1) numbers.push_back(numbers[0]);
  if (numbers.size() != 2) RaiseValueError(std::string(name) + " takes two numbers");
  return numbers;
}

int FunctionOf(const std::string& word) {
  std::string all;
  for (size_t i = 0; i < std::size(kFunctions); ++i) {
    if (word == kFunctions[i]) return static_cast<int>(i);
    all += (all.empty() ? "" : ", ") + std::string(kFunctions[i]);
  }
  RaiseValueError("function is '" + word + "'; it is one of " + all);
}

void AddLimitForce(const Element& e, nb::handle range, nb::handle stiffness, double transition, double damping,
                   double forcedamping) {
  const std::vector<double> ends = Two(range, "range", false), both = Two(stiffness, "stiffness", true);
  Expect(sinew_addLimitForce(Joint(e), ends.data(), both.data(), damping, transition));
  Expect(sinew_dampLimitForce(Joint(e), forcedamping));
}

void AddLigament(const Element& e, double slacklength, double stiffness, double transition, double damping) {
  Expect(sinew_addLigament(Tendon(e), slacklength, stiffness, transition, damping));
}

// `numbers`: coefficients of a polynomial; else x of all points, then their y.
void AddLigamentCurve(const Element& e, double slacklength, double force, const std::string& function,
                      nb::handle numbers) {
  const std::vector<double> list = List(numbers, "numbers");
  Expect(sinew_addLigamentCurve(Tendon(e), slacklength, force, FunctionOf(function), list.data(),
                                static_cast<int>(list.size())));
}

void AddBushing(const Element& e, const std::string& other, nb::handle stiffness, nb::handle damping) {
  const std::vector<double> matrix = List(stiffness, "stiffness");
  std::vector<double> rates;
  if (!damping.is_none()) {
    rates = List(damping, "damping");
    if (rates.size() != 6) RaiseValueError("damping takes six numbers: three of rotations, three of translations");
  }
  Expect(sinew_addBushing(Site(e), other.c_str(), matrix.data(), static_cast<int>(matrix.size()),
                          rates.empty() ? nullptr : rates.data()));
}

// A phase is a sensor with the lower and upper end of its range.
using Phases = std::vector<std::tuple<std::string, double, double>>;

void AddReflex(const Element& e, const std::string& sensor, double gain, double reference, double offset, bool rectify,
               const std::string& factor, const Phases& phases) {
  Expect(sinew_addReflex(Actuator(e), sensor.c_str(), gain, reference, offset, rectify ? 1 : 0, factor.c_str()));
  for (const auto& [name, low, high] : phases) {
    const double range[] = {low, high};
    Expect(sinew_addReflexPhase(Actuator(e), name.c_str(), range));
  }
}

}  // namespace

void DefinePassiveElements(nb::class_<Element>& cls) {
  cls.def("add_limit_force", &AddLimitForce, nb::arg("range"), nb::arg("stiffness"), nb::arg("transition"),
          nb::arg("damping") = 0., nb::arg("forcedamping") = 0.)
      .def("clear_limit_forces", [](const Element& e) { Expect(sinew_clearLimitForces(Joint(e))); })
      .def("add_ligament", &AddLigament, nb::arg("slacklength"), nb::arg("stiffness"), nb::arg("transition") = 0.06,
           nb::arg("damping") = 0.003)
      .def("add_ligament_curve", &AddLigamentCurve, nb::arg("slacklength"), nb::arg("force"), nb::arg("function"),
           nb::arg("numbers"))
      .def("clear_ligaments", [](const Element& e) { Expect(sinew_clearLigaments(Tendon(e))); })
      .def("add_bushing", &AddBushing, nb::arg("other"), nb::arg("stiffness"), nb::arg("damping") = nb::none())
      .def("clear_bushings", [](const Element& e) { Expect(sinew_clearBushings(Site(e))); })
      .def("add_reflex", &AddReflex, nb::arg("sensor"), nb::arg("gain") = 1., nb::arg("reference") = 0.,
           nb::arg("offset") = 0., nb::arg("rectify") = true, nb::arg("factor") = "", nb::arg("phases") = Phases())
      .def("clear_reflexes", [](const Element& e) { Expect(sinew_clearReflexes(Actuator(e))); });
}

}  // namespace sinew::python
