// What sinew.view needs of a world: the state that viewers show, and the force of a pull (apps/viewer/link.h).
#include "viewer/link.h"

#include "fields.h"

namespace sinew::python {
namespace {

// The numbers of a pull, of which the body is the first; 0 is none.
void Pull(Data& data, nb::handle object) {
  const Numbers numbers = NumbersOf(object, "pull");
  if (numbers.size() != static_cast<size_t>(kPullNumbers)) RaiseValueError("a pull has another size");
  const double body = numbers.data()[0];
  if (!(body >= 0 && body < static_cast<double>(data.m->nbody))) RaiseValueError("a pull of a body that is not there");
  const mjvPerturb perturb = PerturbOf(numbers.data());
  Checked([&] { ApplyPull(data.m.get(), data.d.get(), perturb); });
}

}  // namespace

void DefineViewing(nb::module_& module) {
  module.attr("VIEWED_STATE") = kLinkState;
  module.attr("PULL_NUMBERS") = kPullNumbers;
  module.def("pull", &Pull, nb::arg("data"), nb::arg("numbers"));
}

}  // namespace sinew::python
