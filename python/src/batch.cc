// Batch: many worlds of a model (include/sinew/batch.h), arrays over all worlds as views.
#include <sinew/gradients.h>

#include <algorithm>
#include <optional>

#include "fields.h"

namespace sinew::python {
namespace {

using Mask = nb::ndarray<const bool, nb::ndim<1>, nb::c_contig, nb::device::cpu>;
using Keys = nb::ndarray<const int32_t, nb::ndim<1>, nb::c_contig, nb::device::cpu>;

size_t Size(int count) { return static_cast<size_t>(count); }

int Worlds(const Batch& batch) { return sinew_batch_count(batch.b.get()); }

// An array with an entry for each world; nothing for None. What numpy reads as numbers of `kind` ('b': flags, 'i':
// whole numbers) is taken, also lists and arrays with gaps; flags are not numbers, so that a list of worlds is no mask.
template <class Array>
std::optional<Array> PerWorld(const Batch& batch, nb::handle object, const char* name, char kind, const char* type) {
  if (object.is_none()) return std::nullopt;
  const nb::module_ numpy = nb::module_::import_("numpy");
  const nb::object given = numpy.attr("asarray")(object);
  const auto found = nb::cast<std::string>(given.attr("dtype").attr("kind"));
  const bool right = found[0] == kind || (kind == 'i' && found[0] == 'u');
  if (!right || nb::cast<int>(given.attr("ndim")) != 1) {
    PyErr_Format(PyExc_TypeError, "%s must be an array of %s with one entry for each of %d worlds, not %R", name, type,
                 Worlds(batch), object.ptr());
    throw nb::python_error();
  }
  const nb::object typed = numpy.attr("ascontiguousarray")(given, type);
  if (!nb::cast<bool>(numpy.attr("array_equal")(typed, given))) {
    RaiseValueError(std::string(name) + " has a number that " + type + " does not hold");
  }
  const auto array = nb::cast<Array>(typed);
  if (array.size() != static_cast<size_t>(Worlds(batch))) {
    RaiseValueError(std::string(name) + " has " + std::to_string(array.size()) + " entries; there are " +
                    std::to_string(Worlds(batch)) + " worlds");
  }
  return array;
}

// Which worlds: one byte for each, or null for all. The bytes are copied, since other threads of Python may write to
// the array while the batch runs, and results have room for as many worlds as were counted.
class Selection {
 public:
  Selection(const Batch& batch, nb::handle object) : worlds_(static_cast<size_t>(Worlds(batch))) {
    if (const auto mask = PerWorld<Mask>(batch, object, "mask", 'b', "bool")) {
      mask_.emplace(mask->data(), mask->data() + worlds_);
    }
  }

  const unsigned char* bytes() const { return mask_ ? mask_->data() : nullptr; }
  size_t Count() const {
    return mask_ ? worlds_ - static_cast<size_t>(std::count(mask_->begin(), mask_->end(), 0)) : worlds_;
  }

 private:
  std::optional<std::vector<unsigned char>> mask_;
  size_t worlds_;
};

// Calls a function that takes a room for its text; -1 raises.
template <class Function>
int Called(Function&& function) {
  char error[kTextSize];  // not filled with zeros, which would take as long as a small part of a step
  error[0] = '\0';
  int result;
  {
    const nb::gil_scoped_release released;
    result = function(error, kTextSize);
  }
  if (result < 0) RaiseValueError(error);
  return result;
}

// Columns of a field, so that "xpos" is worlds x bodies x 3.
size_t ColumnsOf(const mjModel& m, const std::string& name, bool parameter) {
  if (parameter) {
    for (const ModelArray& field : kModelFields) {
      if (field.name == name) return static_cast<size_t>(field.columns(m));
    }
    return 1;
  }
  for (const DataArray& field : kDataFields) {
    if (field.name == name) return static_cast<size_t>(field.columns);
  }
  return 1;
}

nb::object View(nb::handle self, const sinewBatchArray& array, size_t columns, bool scalar) {
  const size_t worlds = static_cast<size_t>(Worlds(nb::cast<const Batch&>(self)));
  std::vector<size_t> shape = {worlds};
  if (!scalar && columns > 1) shape.push_back(static_cast<size_t>(array.size) / columns);
  if (!scalar) shape.push_back(columns > 1 ? columns : static_cast<size_t>(array.size));
  return ArrayOver(array.data, KindOf(array.type), shape, self);
}

using Finder = int (*)(sinewBatch*, const char*, sinewBatchArray*, char*, int);

nb::object Array(nb::handle self, const std::string& name, Finder find, bool parameter) {
  const Batch& batch = nb::cast<const Batch&>(self);
  sinewBatchArray array;
  Called([&](char* error, int size) { return find(batch.b.get(), name.c_str(), &array, error, size); });
  const size_t columns = ColumnsOf(*sinew_batch_model(batch.b.get()), name, parameter);
  const bool count = !parameter && name[0] == 'n';  // ncon, nefc, ...
  return View(self, array, columns, array.size == 1 && (count || name == "time"));
}

// Which of the words an argument is; ValueError for another one.
int IndexOf(const std::string& word, const char* argument, std::initializer_list<const char*> words) {
  int i = 0;
  std::string list;
  for (const char* known : words) {
    if (word == known) return i;
    list += std::string(i++ ? ", '" : "'") + known + "'";
  }
  RaiseValueError(std::string(argument) + " is '" + word + "'; allowed: " + list);
}

Batch Make(nb::handle of, int worlds, int threads, bool persistent, const std::string& precision,
           unsigned int first_world, const std::string& packs) {
  if (precision != "double" && precision != "float") RaiseValueError("precision is 'double' or 'float'");
  if (threads < 0) RaiseValueError("threads is " + std::to_string(threads) + "; 0 takes all processors");
  const sinewBatchConfig config = {threads, persistent, precision == "float" ? sinewFLOAT : sinewDOUBLE, first_world,
                                   IndexOf(packs, "packs", {"faster", "always", "never"})};
  char error[kTextSize] = "";
  sinewBatch* b;
  nb::object model = ModelObject(of);
  const auto m = python::ModelOf(model);
  {
    const nb::gil_scoped_release released;
    b = sinew_batch_make(m.get(), worlds, &config, error, kTextSize);
  }
  if (!b) RaiseValueError(error);
  return {std::move(model), {}, {b, sinew_batch_delete}};
}

nb::object NewArray(ElementKind kind, const std::vector<size_t>& shape, void** memory) {
  size_t bytes = ElementSize(kind);
  for (const size_t extent : shape) bytes *= extent;
  auto* block = new char[bytes + 1]();
  const nb::capsule owner(block, [](void* p) noexcept { delete[] static_cast<char*>(p); });
  *memory = block;
  return ArrayOver(block, kind, shape, owner);
}

// What a record of a rollout is: a field, or a part of the state.
struct Recorded {
  ElementKind kind;
  std::vector<size_t> shape;  // of one world and step, as outputs have it
  int signature;              // of a part of the state, else 0
};

Recorded FindRecorded(const mjModel& m, const std::string& name) {
  constexpr const char* kParts[] = {"time",           "qpos",       "qvel",         "act",          "history",
                                    "qacc_warmstart", "ctrl",       "qfrc_applied", "xfrc_applied", "eq_active",
                                    "mocap_pos",      "mocap_quat", "userdata",     "plugin_state"};
  for (int i = 0; i < mjNSTATE; ++i) {
    if (name != kParts[i]) continue;
    const size_t columns = ColumnsOf(m, name, /*parameter=*/false), size = Size(mj_stateSize(&m, 1 << i));
    if (name == "time") return {ElementKind::kNum, {}, 1 << i};
    return {ElementKind::kNum, columns > 1 ? std::vector<size_t>{size / columns, columns} : std::vector<size_t>{size},
            1 << i};
  }
  const mjData none{};
  for (const DataArray& field : kDataFields) {
    if (field.name != name) continue;
    const size_t columns = static_cast<size_t>(field.columns), size = field.Count(m, none);
    return {field.kind, columns > 1 ? std::vector<size_t>{size / columns, columns} : std::vector<size_t>{size}, 0};
  }
  return {ElementKind::kInt, {}, 0};  // a count, or a name that the batch refuses
}

// An array of the caller for a record, or a new one.
nb::object RecordArray(const nb::object& out, const std::string& name, ElementKind kind,
                       const std::vector<size_t>& shape, void** memory) {
  if (out.is_none() || !nb::cast<bool>(out.attr("__contains__")(name))) return NewArray(kind, shape, memory);
  const nb::object given = out[name.c_str()], wanted = NewArray(kind, {0}, memory).attr("dtype");
  nb::list extents;
  for (const size_t extent : shape) extents.append(extent);
  const bool fits = nb::hasattr(given, "__array_interface__") && given.attr("dtype").equal(wanted) &&
                    given.attr("shape").equal(nb::tuple(extents)) &&
                    nb::cast<bool>(given.attr("flags")["C_CONTIGUOUS"]) &&
                    nb::cast<bool>(given.attr("flags")["WRITEABLE"]);
  if (!fits) {
    RaiseValueError("out['" + name + "'] must be a writable array in C order of " +
                    nb::cast<std::string>(nb::str(wanted)) + " with the shape " +
                    nb::cast<std::string>(nb::str(nb::tuple(extents))));
  }
  *memory = reinterpret_cast<void*>(nb::cast<uintptr_t>(given.attr("ctypes").attr("data")));
  return given;
}

// Records beside fields have one number for each world: its status, and the rows up to its failure.
nb::dict Rollout(Batch& batch, nb::handle controls, const std::vector<std::string>& names, nb::handle mask,
                 int control_spec, nb::object out) {
  const mjModel& m = *sinew_batch_model(batch.b.get());
  const Selection chosen(batch, mask);
  const Numbers control = NumbersOf(controls, "control");
  if (control_spec & ~mjSTATE_USER) {
    RaiseValueError("control_spec is " + std::to_string(control_spec) + "; give bits of mjSTATE_USER");
  }
  const size_t worlds = chosen.Count(), size = Size(mj_stateSize(&m, control_spec)), ndim = control.ndim();
  const bool shared = ndim == 2;
  if ((!shared && (ndim != 3 || control.shape(0) != worlds)) || control.shape(ndim - 1) != size) {
    RaiseValueError("control must have the shape (" + std::to_string(worlds) + ", steps, " + std::to_string(size) +
                    "), or (steps, " + std::to_string(size) + ") for all worlds");
  }
  const size_t steps = control.shape(ndim - 2);
  sinewBatchInputs inputs = {control.data(), control_spec, shared, nullptr};
  void* statuses = nullptr;
  nb::dict results;
  std::vector<sinewBatchRecord> records;
  for (const std::string& name : names) {
    if (results.contains(name.c_str())) continue;  // the array that is there already has what is asked for
    void* memory = nullptr;
    if (name == "status" || name == "rows") {
      results[name.c_str()] = RecordArray(out, name, ElementKind::kInt, {worlds}, &memory);
      if (name == "rows") inputs.rows = static_cast<int*>(memory);
      if (name == "status") statuses = memory;
      continue;
    }
    const Recorded recorded = FindRecorded(m, name);
    std::vector<size_t> shape = {worlds, steps};
    shape.insert(shape.end(), recorded.shape.begin(), recorded.shape.end());
    results[name.c_str()] = RecordArray(out, name, recorded.kind, shape, &memory);
    records.push_back({recorded.signature ? nullptr : name.c_str(), recorded.signature, memory});
  }
  const unsigned char* bytes = chosen.bytes();
  Called([&](char* error, int size) {
    return sinew_batch_rolloutInputs(batch.b.get(), bytes, static_cast<int>(steps), &inputs, records.data(),
                                     static_cast<int>(records.size()), error, size);
  });
  const int* status = sinew_batch_status(batch.b.get());
  for (size_t world = 0, place = 0; statuses && world < Size(Worlds(batch)); ++world) {
    if (!bytes || bytes[world]) static_cast<int*>(statuses)[place++] = status[world];
  }
  return results;
}

// Models that each world runs on from now on; none: that of the batch. They live as long as the batch has them.
void SetModels(Batch& batch, nb::object models) {
  std::vector<std::shared_ptr<mjModel>> kept;
  for (nb::handle of : models.is_none() ? nb::list() : nb::list(models))
    kept.push_back(python::ModelOf(ModelObject(of)));
  if (!models.is_none() && kept.size() != Size(Worlds(batch))) {
    RaiseValueError("there are " + std::to_string(kept.size()) + " models, and " + std::to_string(Worlds(batch)) +
                    " worlds");
  }
  std::vector<const mjModel*> pointers;
  for (const auto& m : kept) pointers.push_back(m.get());
  Called([&](char* error, int size) {
    return sinew_batch_setModels(batch.b.get(), models.is_none() ? nullptr : pointers.data(), error, size);
  });
  batch.models = std::move(kept);
}

// Contacts that the last call has kept, padded to a number of rows; without one, to as many as a world has.
nb::tuple Contacts(Batch& batch, std::optional<int> capacity, nb::handle mask) {
  const Selection chosen(batch, mask);
  const unsigned char* bytes = chosen.bytes();
  const auto call = [&](int rows, const sinewBatchContacts* to) {
    return Called(
        [&](char* error, int size) { return sinew_batch_contacts(batch.b.get(), bytes, rows, to, error, size); });
  };
  const int rows = capacity ? *capacity : call(0, nullptr);
  if (rows < 0) RaiseValueError("capacity is " + std::to_string(rows));
  const size_t n = chosen.Count(), r = static_cast<size_t>(rows);
  nb::list arrays;
  const auto add = [&](auto** array, ElementKind kind, const std::vector<size_t>& shape) {
    void* memory;
    arrays.append(NewArray(kind, shape, &memory));
    *array = static_cast<std::remove_reference_t<decltype(*array)>>(memory);
  };
  sinewBatchContacts to = {};
  add(&to.count, ElementKind::kInt, {n});
  add(&to.geom, ElementKind::kInt, {n, r, 2});
  add(&to.flex, ElementKind::kInt, {n, r, 2});
  add(&to.dim, ElementKind::kInt, {n, r});
  add(&to.dist, ElementKind::kNum, {n, r});
  add(&to.pos, ElementKind::kNum, {n, r, 3});
  add(&to.frame, ElementKind::kNum, {n, r, 3, 3});
  add(&to.friction, ElementKind::kNum, {n, r, 5});
  add(&to.force, ElementKind::kNum, {n, r, 6});
  call(rows, &to);
  return nb::tuple(arrays);
}

using Flags = nb::ndarray<const bool, nb::ndim<1>, nb::c_contig, nb::device::cpu>;

// Distances and geoms of rays; points and directions are worlds x rays x 3.
nb::tuple Rays(Batch& batch, nb::handle points, nb::handle directions, int type, int id, bool upright,
               std::optional<Flags> groups, bool sees_static, int excluded, nb::handle mask) {
  const Selection chosen(batch, mask);
  const Numbers point = NumbersOf(points, "points"), direction = NumbersOf(directions, "directions");
  const size_t n = chosen.Count(), rays = point.shape(1);
  if (groups && groups->size() != mjNGROUP)
    RaiseValueError("groups has one flag for each of " + std::to_string(mjNGROUP));
  void *dist, *geom;
  nb::object distances = NewArray(ElementKind::kNum, {n, rays}, &dist);
  nb::object geoms = NewArray(ElementKind::kInt, {n, rays}, &geom);
  const auto* group = groups ? reinterpret_cast<const unsigned char*>(groups->data()) : nullptr;
  const sinewBatchRays of = {static_cast<int>(rays),
                             point.data(),
                             direction.data(),
                             type,
                             id,
                             upright,
                             group,
                             !sees_static,
                             excluded,
                             static_cast<double*>(dist),
                             static_cast<int*>(geom)};
  const unsigned char* bytes = chosen.bytes();
  Called([&](char* error, int size) { return sinew_batch_rays(batch.b.get(), bytes, &of, error, size); });
  return nb::make_tuple(distances, geoms);
}

// Jacobians of the position and the rotation of an element.
nb::tuple Jacobian(Batch& batch, int type, int id, nb::handle mask) {
  const Selection chosen(batch, mask);
  const size_t nv = static_cast<size_t>(sinew_batch_model(batch.b.get())->nv);
  void *jacp, *jacr;
  nb::object position = NewArray(ElementKind::kNum, {chosen.Count(), 3, nv}, &jacp);
  nb::object rotation = NewArray(ElementKind::kNum, {chosen.Count(), 3, nv}, &jacr);
  const unsigned char* bytes = chosen.bytes();
  Called([&](char* error, int size) {
    return sinew_batch_jacobian(batch.b.get(), bytes, type, id, static_cast<double*>(jacp), static_cast<double*>(jacr),
                                error, size);
  });
  return nb::make_tuple(position, rotation);
}

// Says what happened to the first world that has failed.
void RaiseFirstCause(const Batch& batch, int failed) {
  const int* status = sinew_batch_status(batch.b.get());
  int world = 0;
  while (world < static_cast<int>(Worlds(batch)) && status[world] != sinewFAILED) ++world;
  char cause[kTextSize] = "";
  sinew_batch_cause(batch.b.get(), world, cause, kTextSize);
  RaiseValueError(std::to_string(failed) + " worlds failed; world " + std::to_string(world) + ": " + cause);
}

// A, B, C, D of the chosen worlds, from a function of the batch, its worlds' bytes and the four arrays; C and D only
// where they are wanted.
template <class Function>
nb::tuple Matrices(Batch& batch, nb::handle mask, bool sensors, const Function& function) {
  const Selection chosen(batch, mask);
  const mjModel& m = *sinew_batch_model(batch.b.get());
  const size_t n = chosen.Count(), nx = static_cast<size_t>(2 * m.nv + m.na), nu = static_cast<size_t>(m.nu),
               ns = sensors ? static_cast<size_t>(m.nsensordata) : 0;
  void *a, *b, *c, *d;
  nb::object A = NewArray(ElementKind::kNum, {n, nx, nx}, &a), B = NewArray(ElementKind::kNum, {n, nx, nu}, &b);
  nb::object C = NewArray(ElementKind::kNum, {n, ns, nx}, &c), D = NewArray(ElementKind::kNum, {n, ns, nu}, &d);
  const unsigned char* bytes = chosen.bytes();
  const auto wanted = [&](void* array) { return ns > 0 ? static_cast<double*>(array) : nullptr; };
  const int failed = Called([&](char* error, int size) {
    return function(batch.b.get(), bytes, static_cast<double*>(a), static_cast<double*>(b), wanted(c), wanted(d), error,
                    size);
  });
  if (failed > 0) RaiseFirstCause(batch, failed);
  return sensors ? nb::make_tuple(A, B, C, D) : nb::make_tuple(A, B);
}

nb::tuple Derivatives(Batch& batch, double eps, bool centered, nb::handle mask) {
  return Matrices(batch, mask, /*sensors=*/true, [&](sinewBatch* b, const unsigned char* bytes, auto... rest) {
    return sinew_batch_transitionFD(b, bytes, eps, centered, rest...);
  });
}

// In closed form.
nb::tuple Linearize(Batch& batch, bool sensors, nb::handle mask, double smoothing) {
  if (sensors) {
    if (smoothing != 0) RaiseValueError("sensors have no smoothed derivatives: leave sensors or smoothing out");
    return Matrices(batch, mask, sensors, sinew_batch_transition);
  }
  return Matrices(batch, mask, sensors,
                  [&](sinewBatch* b, const unsigned char* bytes, double* A, double* B, double*, double*, char* error,
                      int size) { return sinew_batch_smoothTransition(b, bytes, smoothing, A, B, error, size); });
}

// Gradients of rollouts by their starts, their controls and the parameters that are named.
nb::tuple RolloutGradient(Batch& batch, nb::handle controls, nb::handle slopes, const std::vector<std::string>& names,
                          nb::handle mask, double smoothing) {
  const mjModel& m = *sinew_batch_model(batch.b.get());
  const Selection chosen(batch, mask);
  const size_t n = chosen.Count(), nu = static_cast<size_t>(m.nu), nx = static_cast<size_t>(m.nq + m.nv + m.na);
  const Numbers control = NumbersOf(controls, "control"), by_states = NumbersOf(slopes, "by_states");
  const auto check = [&](const Numbers& array, const char* name, size_t last) {
    if (array.ndim() == 3 && array.shape(0) == n && array.shape(2) == last &&
        array.shape(1) == by_states.shape(by_states.ndim() == 3 ? 1 : 0)) {
      return;
    }
    RaiseValueError(std::string(name) + " must have the shape (" + std::to_string(n) + ", steps, " +
                    std::to_string(last) + ")");
  };
  check(by_states, "by_states", nx);
  check(control, "control", nu);
  const size_t steps = by_states.shape(1);
  void *start, *ctrl;
  nb::object by_start = NewArray(ElementKind::kNum, {n, nx}, &start);
  nb::object by_control = NewArray(ElementKind::kNum, {n, steps, nu}, &ctrl);
  const size_t nbody = static_cast<size_t>(m.nbody), nv = static_cast<size_t>(m.nv),
               ngeom = static_cast<size_t>(m.ngeom), njnt = static_cast<size_t>(m.njnt);
  sinewParameterGradients gradients = {};
  const struct {
    const char* name;
    double** array;
    std::vector<size_t> shape;
  } known[] = {{"body_mass", &gradients.body_mass, {n, nbody}},
               {"body_inertia", &gradients.body_inertia, {n, nbody, 3}},
               {"dof_damping", &gradients.dof_damping, {n, nv}},
               {"dof_armature", &gradients.dof_armature, {n, nv}},
               {"dof_frictionloss", &gradients.dof_frictionloss, {n, nv}},
               {"jnt_stiffness", &gradients.jnt_stiffness, {n, njnt}},
               {"actuator_gainprm", &gradients.actuator_gainprm, {n, nu, 3}},
               {"actuator_biasprm", &gradients.actuator_biasprm, {n, nu, 3}},
               {"geom_friction", &gradients.geom_friction, {n, ngeom}},
               {"geom_size", &gradients.geom_size, {n, ngeom, 3}}};
  nb::dict by_parameters;
  for (const std::string& name : names) {
    bool found = by_parameters.contains(name.c_str());  // a second time: the array is there
    for (const auto& parameter : known) {
      if (found || name != parameter.name) continue;
      void* memory;
      by_parameters[name.c_str()] = NewArray(ElementKind::kNum, parameter.shape, &memory);
      *parameter.array = static_cast<double*>(memory);
      found = true;
    }
    if (!found)
      RaiseValueError("parameter '" + name + "' has no gradients; docs/how/gradients.md names those that have");
  }
  const unsigned char* bytes = chosen.bytes();
  const int failed = Called([&](char* error, int size) {
    return sinew_batch_smoothRolloutGradient(batch.b.get(), bytes, smoothing, static_cast<int>(steps), control.data(),
                                             by_states.data(), static_cast<double*>(start), static_cast<double*>(ctrl),
                                             &gradients, error, size);
  });
  if (failed > 0) RaiseFirstCause(batch, failed);
  return nb::make_tuple(by_start, by_control, by_parameters);
}

void Randomize(Batch& batch, const std::string& name, nb::handle lowest, nb::handle highest, const std::string& draw,
               const std::string& combine) {
  const Numbers low = NumbersOf(lowest, "low"), high = NumbersOf(highest, "high");
  if (low.size() != high.size()) RaiseValueError("low and high have different sizes");
  const int drawn = IndexOf(draw, "draw", {"uniform", "loguniform", "normal"});
  const int combined = IndexOf(combine, "combine", {"set", "add", "scale"});
  Called([&](char* error, int size) {
    return sinew_batch_randomize(batch.b.get(), name.c_str(), low.data(), high.data(), static_cast<int>(low.size()),
                                 drawn, combined, error, size);
  });
}

std::string Cause(const Batch& batch, int world) {
  char text[kTextSize] = "";
  if (sinew_batch_cause(batch.b.get(), world, text, kTextSize) < 0) {
    PyErr_SetString(PyExc_IndexError, text);
    throw nb::python_error();
  }
  return text;
}

// Copies a world with its model, results as after mj_forward.
Data World(const Batch& batch, int world) {
  const mjModel* m = nullptr;
  char error[kTextSize] = "";
  const mjData* d = sinew_batch_world(batch.b.get(), world, &m, error, kTextSize);
  if (!d) RaiseValueError(error);
  const std::shared_ptr<mjModel> model(mj_copyModel(nullptr, m), mj_deleteModel);
  return {WrapModel(model), model, {mj_copyData(nullptr, m, d), mj_deleteData}};
}

void DefineCalls(nb::class_<Batch>& cls) {
  cls.def(
         "step",
         [](Batch& batch, int steps, nb::handle mask, int stage) {
           const Selection chosen(batch, mask);
           return Called(
               [&](char* e, int n) { return sinew_batch_step(batch.b.get(), chosen.bytes(), steps, stage, e, n); });
         },
         nb::arg("steps") = 1, nb::arg("mask") = nb::none(), nb::arg("stage") = 0)
      .def(
          "step_async",
          [](Batch& batch, int steps, nb::handle mask, int stage) {
            const Selection chosen(batch, mask);
            Called([&](char* e, int n) {
              return sinew_batch_stepAsync(batch.b.get(), chosen.bytes(), steps, stage, e, n);
            });
          },
          nb::arg("steps") = 1, nb::arg("mask") = nb::none(), nb::arg("stage") = 0)
      .def("wait",
           [](Batch& batch) { return Called([&](char* e, int n) { return sinew_batch_wait(batch.b.get(), e, n); }); })
      .def(
          "forward",
          [](Batch& batch, nb::handle mask, int stage) {
            const Selection chosen(batch, mask);
            return Called(
                [&](char* e, int n) { return sinew_batch_forward(batch.b.get(), chosen.bytes(), stage, e, n); });
          },
          nb::arg("mask") = nb::none(), nb::arg("stage") = static_cast<int>(mjSTAGE_ACC))
      .def(
          "reset",
          [](Batch& batch, nb::handle mask, nb::handle keyframes, int stage) {
            const Selection chosen(batch, mask);
            const auto array = PerWorld<Keys>(batch, keyframes, "keyframes", 'i', "int32");
            std::vector<int> keys;  // a copy, as of masks
            if (array) keys.assign(array->data(), array->data() + array->size());
            return Called([&](char* e, int n) {
              return sinew_batch_reset(batch.b.get(), chosen.bytes(), array ? keys.data() : nullptr, stage, e, n);
            });
          },
          nb::arg("mask") = nb::none(), nb::arg("keyframes") = nb::none(),
          nb::arg("stage") = static_cast<int>(mjSTAGE_ACC))
      .def(
          "set_const",
          [](Batch& batch, nb::handle mask) {
            const Selection chosen(batch, mask);
            return Called([&](char* e, int n) { return sinew_batch_setConst(batch.b.get(), chosen.bytes(), e, n); });
          },
          nb::arg("mask") = nb::none())
      .def(
          "keep_contacts",
          [](Batch& batch, bool keep) {
            Called([&](char* e, int n) { return sinew_batch_keepContacts(batch.b.get(), keep, e, n); });
          },
          nb::arg("keep") = true)
      .def("_contacts", &Contacts, nb::arg("capacity").none(), nb::arg("mask").none())
      .def("_rays", &Rays, nb::arg("points"), nb::arg("directions"), nb::arg("type"), nb::arg("id"), nb::arg("upright"),
           nb::arg("groups").none(), nb::arg("static"), nb::arg("exclude"), nb::arg("mask").none())
      .def("_jacobian", &Jacobian, nb::arg("type"), nb::arg("id"), nb::arg("mask").none())
      .def("rollout", &Rollout, nb::arg("control"), nb::arg("records") = std::vector<std::string>{"qpos", "qvel"},
           nb::arg("mask") = nb::none(), nb::arg("control_spec") = static_cast<int>(mjSTATE_CTRL),
           nb::arg("out") = nb::none())
      .def("set_models", &SetModels, nb::arg("models").none())
      .def("transition_derivatives", &Derivatives, nb::arg("eps") = 1e-6, nb::arg("centered") = true,
           nb::arg("mask") = nb::none())
      .def("linearize", &Linearize, nb::arg("sensors") = false, nb::arg("mask") = nb::none(),
           nb::arg("smoothing") = 0.0)
      .def("rollout_gradient", &RolloutGradient, nb::arg("control"), nb::arg("by_states"),
           nb::arg("parameters") = std::vector<std::string>{}, nb::arg("mask") = nb::none(),
           nb::arg("smoothing") = 0.0);
}

}  // namespace

void DefineBatch(nb::module_& module) {
  nb::class_<Batch> cls(module, "Batch", nb::is_weak_referenceable());
  cls.def(
         "__init__",
         [](Batch* self, nb::object model, int worlds, int threads, bool persistent, const std::string& precision,
            unsigned int first_world, const std::string& packs) {
           new (self) Batch(Make(std::move(model), worlds, threads, persistent, precision, first_world, packs));
         },
         nb::arg("model"), nb::arg("worlds"), nb::arg("threads") = 0, nb::arg("persistent") = false,
         nb::arg("precision") = "double", nb::arg("first_world") = 0, nb::arg("packs") = "faster")
      .def_prop_ro("model", [](const Batch& batch) { return batch.model; })
      .def_prop_ro("count", [](const Batch& batch) { return Worlds(batch); })
      .def_prop_ro("threads", [](const Batch& batch) { return sinew_batch_threads(batch.b.get()); })
      .def_prop_ro("obstacle_to_packs",
                   [](const Batch& batch) -> std::optional<std::string> {
                     const char* obstacle = sinew_batch_obstacle(batch.b.get());
                     return obstacle ? std::optional<std::string>(obstacle) : std::nullopt;
                   })
      .def("__len__", &Worlds)
      .def("state",
           [](nb::handle self, const std::string& name) { return Array(self, name, sinew_batch_state, false); })
      .def("output",
           [](nb::handle self, const std::string& name) { return Array(self, name, sinew_batch_output, false); })
      .def("parameter",
           [](nb::handle self, const std::string& name) { return Array(self, name, sinew_batch_parameter, true); })
      .def("randomize", &Randomize, nb::arg("name"), nb::arg("low"), nb::arg("high"), nb::arg("draw") = "uniform",
           nb::arg("combine") = "set")
      .def("clear_randomization", [](Batch& batch) { sinew_batch_clearRandomization(batch.b.get()); })
      .def("seed",
           [](Batch& batch, uint64_t seed) {
             Called([&](char* e, int n) { return sinew_batch_seed(batch.b.get(), seed, e, n); });
           })
      .def_prop_ro("status",
                   [](nb::handle self) {
                     const Batch& batch = nb::cast<const Batch&>(self);
                     return ArrayOver(const_cast<int*>(sinew_batch_status(batch.b.get())), ElementKind::kInt,
                                      {static_cast<size_t>(Worlds(batch))}, self);
                   })
      .def("cause", &Cause, nb::arg("world"))
      .def("__reduce_ex__",
           [](const Batch&, int) {
             PyErr_SetString(PyExc_TypeError,
                             "a Batch is neither copied nor pickled: make another of its model, and copy its state");
             throw nb::python_error();
           })
      .def("world", &World, nb::arg("world"));
  DefineCalls(cls);
}

}  // namespace sinew::python
