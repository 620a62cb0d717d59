// Data: a world, its fields as views.
#include <sinew/extensions.h>
#include <sinew/gradients.h>

#include <optional>

#include "fields.h"

namespace sinew::python {
namespace {

std::shared_ptr<mjData> Own(mjData* d) { return {d, mj_deleteData}; }

const mjModel* ModelOf(const Data& data) { return data.m.get(); }

// Numbers that a function reads: of the size that it takes.
Numbers Input(nb::handle object, mjtSize size, const char* name) {
  Numbers array = NumbersOf(object, name);
  if (static_cast<mjtSize>(array.size()) != size) {
    RaiseValueError(std::string(name) + " has " + std::to_string(array.size()) + " numbers; it takes " +
                    std::to_string(size));
  }
  return array;
}

// A new array of numbers, which owns them.
struct Fresh {
  double* numbers;
  nb::object array;
};
Fresh MakeArray(const std::vector<size_t>& shape) {
  size_t size = 1;
  for (const size_t extent : shape) size *= extent;
  auto* numbers = new double[size + 1]();
  const nb::capsule owner(numbers, [](void* memory) noexcept { delete[] static_cast<double*>(memory); });
  return {numbers, ArrayOver(numbers, ElementKind::kNum, shape, owner)};
}

size_t Size(mjtSize n) { return static_cast<size_t>(n); }

using Jacobian = void (*)(const mjModel*, const mjData*, mjtNum*, mjtNum*, int);

// Translation and rotation parts, 3 x nv each.
nb::tuple JacobianOf(const Data& data, int id, mjtSize count, Jacobian function, const char* what) {
  if (id < 0 || id >= count) {
    PyErr_Format(PyExc_IndexError, "there is no %s %d; there are %lld", what, id, static_cast<long long>(count));
    throw nb::python_error();
  }
  const size_t nv = Size(data.m->nv);
  const Fresh position = MakeArray({3, nv}), rotation = MakeArray({3, nv});
  Checked([&] { function(ModelOf(data), data.d.get(), position.numbers, rotation.numbers, id); });
  return nb::make_tuple(position.array, rotation.array);
}

nb::bytes Snapshot(const Data& data) {
  std::string bytes(static_cast<size_t>(sinew_snapshotSize(ModelOf(data))), '\0');
  Checked([&] { sinew_saveSnapshot(ModelOf(data), data.d.get(), bytes.data(), static_cast<int>(bytes.size())); });
  return nb::bytes(bytes.data(), bytes.size());
}
void Restore(Data& data, const nb::bytes& bytes) {
  char error[kTextSize] = "";
  if (sinew_loadSnapshot(ModelOf(data), data.d.get(), bytes.data(), static_cast<int>(bytes.size()), error,
                         sizeof(error)) != 0) {
    RaiseValueError(error);
  }
}

// Makes a world, and returns the capsule that shares it.
nb::object Make(nb::handle model) {
  const auto m = python::ModelOf(model);
  mjData* d = Checked([&] { return mj_makeData(m.get()); });
  if (!d) RaiseValueError("a world of this model could not be made");
  return ShareOf("mjData", Own(d));
}

// Finite differences of a step, and of inverse dynamics.
nb::tuple Transition(Data& data, double eps, bool centered) {
  const mjModel& m = *data.m;
  const size_t nx = Size(2 * m.nv + m.na), nu = Size(m.nu), ns = Size(m.nsensordata);
  const Fresh a = MakeArray({nx, nx}), b = MakeArray({nx, nu}), c = MakeArray({ns, nx}), d = MakeArray({ns, nu});
  {
    const nb::gil_scoped_release released;
    Checked([&] { mjd_transitionFD(&m, data.d.get(), eps, centered, a.numbers, b.numbers, c.numbers, d.numbers); });
  }
  return nb::make_tuple(a.array, b.array, c.array, d.array);
}
nb::tuple InverseDerivatives(Data& data, double eps, bool actuation) {
  const size_t nv = Size(data.m->nv);
  const Fresh q = MakeArray({nv, nv}), v = MakeArray({nv, nv}), a = MakeArray({nv, nv});
  {
    const nb::gil_scoped_release released;
    Checked([&] {
      mjd_inverseFD(ModelOf(data), data.d.get(), eps, actuation, q.numbers, v.numbers, a.numbers, nullptr, nullptr,
                    nullptr, nullptr);
    });
  }
  return nb::make_tuple(q.array, v.array, a.array);
}

// Analytic derivatives of a step, and of its sensors or with smoothed constraints.
nb::tuple Linearize(Data& data, bool sensors, double smoothing) {
  if (sensors && smoothing != 0)
    RaiseValueError("sensors have no smoothed derivatives: leave sensors or smoothing out");
  const size_t n = 2 * Size(data.m->nv) + Size(data.m->na), nu = Size(data.m->nu);
  const size_t s = sensors ? Size(data.m->nsensordata) : 0;
  const Fresh A = MakeArray({n, n}), B = MakeArray({n, nu}), C = MakeArray({s, n}), D = MakeArray({s, nu});
  char error[kTextSize] = "";
  const int status = [&] {
    const nb::gil_scoped_release release;
    return Checked([&] {
      if (!sensors) {
        return sinew_smoothTransition(ModelOf(data), data.d.get(), smoothing, A.numbers, B.numbers, error,
                                      sizeof(error));
      }
      return sinew_transition(ModelOf(data), data.d.get(), A.numbers, B.numbers, s ? C.numbers : nullptr,
                              s ? D.numbers : nullptr, error, sizeof(error));
    });
  }();
  if (status != 0) RaiseValueError(error);
  return sensors ? nb::make_tuple(A.array, B.array, C.array, D.array) : nb::make_tuple(A.array, B.array);
}

nb::object MassMatrix(const Data& data) {
  const size_t nv = Size(data.m->nv);
  const Fresh matrix = MakeArray({nv, nv});
  Checked([&] { mj_fullM(ModelOf(data), matrix.numbers, data.d->qM); });
  return matrix.array;
}

nb::object State(const Data& data, int parts) {
  const Fresh state = MakeArray({static_cast<size_t>(Checked([&] { return mj_stateSize(ModelOf(data), parts); }))});
  mj_getState(ModelOf(data), data.d.get(), state.numbers, parts);
  return state.array;
}
void SetState(Data& data, nb::handle state, int parts) {
  const int size = Checked([&] { return mj_stateSize(ModelOf(data), parts); });
  mj_setState(ModelOf(data), data.d.get(), Input(state, size, "state").data(), parts);
}

nb::object ContactForce(const Data& data, int contact) {
  if (contact < 0 || contact >= data.d->ncon) {
    PyErr_Format(PyExc_IndexError, "there is no contact %d; there are %d", contact, data.d->ncon);
    throw nb::python_error();
  }
  const Fresh force = MakeArray({6});
  Checked([&] { mj_contactForce(ModelOf(data), data.d.get(), contact, force.numbers); });
  return force.array;
}

nb::tuple Ray(const Data& data, nb::handle from, nb::handle direction, bool with_static, int except_body) {
  const Numbers start = Input(from, 3, "point"), along = Input(direction, 3, "direction");
  int geom = -1;
  mjtNum normal[3] = {};
  const double distance = Checked([&] {
    return mj_ray(ModelOf(data), data.d.get(), start.data(), along.data(), nullptr, with_static, except_body, &geom,
                  normal);
  });
  return nb::make_tuple(distance, geom);
}

template <void (*function)(const mjModel*, mjData*)>
void Call(Data& data) {
  Checked([&] { function(data.m.get(), data.d.get()); });
}

void DefineCalls(Methods& cls) {
  const auto released = nb::call_guard<nb::gil_scoped_release>();
  cls.def(
         "step",
         [](Data& data, int steps) {
           if (steps < 0) throw EngineError("step: steps cannot be negative");
           Checked([&] {
             for (int i = 0; i < steps; ++i) mj_step(data.m.get(), data.d.get());
           });
         },
         nb::arg("steps") = 1, released)
      .def("step1", &Call<mj_step1>, released)
      .def("step2", &Call<mj_step2>, released)
      .def("forward", &Call<mj_forward>, released)
      .def("inverse", &Call<mj_inverse>, released)
      .def("kinematics", &Call<mj_fwdKinematics>, released)
      .def("rne_post_constraint", &Call<mj_rnePostConstraint>, released)
      .def(
          "_reset",
          [](Data& data, int keyframe) {
            Checked([&] {
              if (keyframe < 0) return mj_resetData(data.m.get(), data.d.get());
              if (keyframe >= data.m->nkey) {
                throw EngineError("there is no keyframe " + std::to_string(keyframe) + "; there are " +
                                  std::to_string(data.m->nkey));
              }
              mj_resetDataKeyframe(data.m.get(), data.d.get(), keyframe);
            });
          },
          nb::arg("keyframe") = -1);
}

void DefineQueries(Methods& cls) {
  cls.def("_jac_body", [](const Data& data, int id) { return JacobianOf(data, id, data.m->nbody, mj_jacBody, "body"); })
      .def("_jac_site",
           [](const Data& data, int id) { return JacobianOf(data, id, data.m->nsite, mj_jacSite, "site"); })
      .def("_jac_geom",
           [](const Data& data, int id) { return JacobianOf(data, id, data.m->ngeom, mj_jacGeom, "geom"); })
      .def("mass_matrix", &MassMatrix)
      .def("contact_force", &ContactForce, nb::arg("contact"))
      .def("ray", &Ray, nb::arg("point"), nb::arg("direction"), nb::arg("with_static") = true,
           nb::arg("except_body") = -1)
      .def("transition_derivatives", &Transition, nb::arg("eps") = 1e-6, nb::arg("centered") = true)
      .def("linearize", &Linearize, nb::arg("sensors") = false, nb::arg("smoothing") = 0.0)
      .def("inverse_derivatives", &InverseDerivatives, nb::arg("eps") = 1e-6, nb::arg("actuation") = false)
      .def("state", &State, nb::arg("parts") = static_cast<int>(mjSTATE_INTEGRATION))
      .def("set_state", &SetState, nb::arg("state"), nb::arg("parts") = static_cast<int>(mjSTATE_INTEGRATION))
      .def("snapshot", &Snapshot)
      .def("restore", &Restore, nb::arg("snapshot"));
}

// Fields, each with the name of the size that is the number of its rows.
nb::list Fields() {
  nb::list fields;
  const auto add = [&](const DataArray& field) {
    const char* rows = "";
    for (const ModelSize& size : kModelSizes) {
      if (field.rows.model == size.member && field.rows.factor == 1) rows = size.name;
    }
    fields.append(nb::make_tuple(field.name, rows));
  };
  for (const DataArray& field : kDataFields) add(field);
  for (const DataArray& field : kArenaFields) add(field);
  return fields;
}

// Sizes and addresses of the arena, which are not to be written.
nb::list ReadOnly() {
  nb::list names;
  for (const StructMember& member : kDataScalars) {
    if (std::string_view(member.name) != "time") names.append(member.name);
  }
  for (const StructMember& member : kDataVectors) {
    if (member.kind != ElementKind::kNum) names.append(member.name);
  }
  return names;
}

nb::list WarningCounts(const Data& data) {
  nb::list counts;
  for (const mjWarningStat& warning : data.d->warning) counts.append(nb::make_tuple(warning.number, warning.lastinfo));
  return counts;
}

}  // namespace

// What python/sinew/_data.py makes its class of.
void DefineData(nb::module_& module) {
  module.def("make_data", &Make);
  module.def("copy_data", [](const Data& data) {
    return ShareOf("mjData", Own(Checked([&] { return mj_copyData(nullptr, ModelOf(data), data.d.get()); })));
  });
  module.def("add_to_data", [](nb::handle cls) {
    Methods methods = {nb::borrow(cls)};
    methods.def("warnings", &WarningCounts);
    DefineCalls(methods);
    DefineQueries(methods);
    DefineErrorControl(methods);
  });
  module.attr("DATA_FIELDS") = Fields();
  module.attr("DATA_READ_ONLY") = ReadOnly();
  nb::list contact;
  for (const StructMember& member : kContactFields) {
    contact.append(nb::make_tuple(member.name, NumpyName(member.kind), member.count, member.offset));
  }
  module.attr("CONTACT_MEMBERS") = contact;
  module.attr("CONTACT_SIZE") = sizeof(mjContact);
}

}  // namespace sinew::python
