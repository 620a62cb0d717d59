// Model: a compiled model, its fields as views.
#include <sinew/extensions.h>

#include <cstring>

#include "fields.h"

namespace sinew::python {
namespace {

std::shared_ptr<mjModel> Own(mjModel* m) { return {m, mj_deleteModel}; }

std::shared_ptr<mjModel> Load(const std::string& path, Memory& memory) {
  char error[kTextSize] = "";
  std::shared_ptr<mjModel> m;
  ModelWarnings warnings;
  {
    const nb::gil_scoped_release released;
    const bool binary = path.ends_with(".mjb");
    m = Own(binary ? Checked([&] { return mj_loadModel(path.c_str(), memory.get()); })
                   : Checked([&] { return mj_loadXML(path.c_str(), memory.get(), error, sizeof(error)); }));
  }
  if (!m) RaiseModelError(error[0] ? error : path + ": no model of this release; compile it again");
  warnings.Raise();
  return m;
}

nb::bytes Save(const Model& model) {
  const int size = mj_sizeModel(model.m.get());
  std::string bytes(static_cast<size_t>(size), '\0');
  mj_saveModel(model.m.get(), nullptr, bytes.data(), size);
  return nb::bytes(bytes.data(), bytes.size());
}

std::shared_ptr<mjModel> LoadBytes(const nb::bytes& bytes) {
  mjModel* m = Checked([&] { return mj_loadModelBuffer(bytes.data(), static_cast<int>(bytes.size())); });
  if (!m) RaiseModelError("the bytes are no model of this release");
  return Own(m);
}

nb::object FieldOf(const ModelArray& field, nb::handle self) {
  const mjModel& m = *nb::cast<const Model&>(self).m;
  const size_t rows = static_cast<size_t>(field.rows(m)), columns = static_cast<size_t>(field.columns(m));
  const bool vector = !field.columns.size && field.columns.factor == 1;
  return ArrayOver(field.Pointer(m), field.kind,
                   vector ? std::vector<size_t>{rows} : std::vector<size_t>{rows, columns}, self);
}

template <size_t n>
void AddMembers(nb::handle cls, const char* name, const StructMember (&members)[n], size_t offset) {
  AddProperty(cls, name, nb::cpp_function([&members, offset](nb::handle self) {
                return Members{nb::borrow(self), reinterpret_cast<char*>(nb::cast<const Model&>(self).m.get()) + offset,
                               members, n};
              }));
}

}  // namespace

// The names' own functions make texts of them, and could change the dictionary meanwhile: a copy is gone through.
Memory::Memory(const nb::dict& files) {
  const auto copy = nb::steal<nb::dict>(PyDict_Copy(files.ptr()));
  std::vector<std::pair<std::string, nb::handle>> entries;
  for (const auto& [name, content] : copy) entries.emplace_back(nb::cast<std::string>(nb::str(name)), content);
  mj_defaultVFS(&vfs_);
  for (const auto& [path, content] : entries) {
    const bool given = nb::isinstance<nb::bytes>(content);
    const nb::bytes bytes = given ? nb::bytes(nb::borrow<nb::bytes>(content)) : nb::bytes("", 0);
    if (!given || mj_addBufferVFS(&vfs_, path.c_str(), bytes.data(), static_cast<int>(bytes.size())) != 0) {
      mj_deleteVFS(&vfs_);
      RaiseValueError("files: '" + path + (given ? "' is given twice" : "' is not bytes"));
    }
  }
}
Memory::~Memory() { mj_deleteVFS(&vfs_); }

std::string PathOf(nb::handle path) { return nb::cast<std::string>(nb::module_::import_("os").attr("fsdecode")(path)); }

void DefineModel(nb::module_& module) {
  DefineMembers(module);
  nb::class_<Model> cls(module, "Model", nb::is_weak_referenceable());
  // The file says in which format it is.
  const auto from_file = [](nb::handle path, const nb::dict& files) {
    Memory memory(files);
    return Model{Load(PathOf(path), memory)};
  };
  cls.def(
         "__init__", [](Model* self, nb::handle shared) { new (self) Model{ModelOf(shared)}; }, nb::arg("shared"))
      .def("__eq__", &IsSame<Model, &Model::m>)
      .def("__hash__", &HashOf<Model, &Model::m>)
      .def("_share", [](const Model& model) { return ShareOf("mjModel", model.m); });
  cls.def_static("from_xml_path", from_file, nb::arg("path"), nb::arg("files") = nb::dict())
      .def_static("from_osim", from_file, nb::arg("path"), nb::arg("files") = nb::dict())
      .def_static("from_hfd", from_file, nb::arg("path"), nb::arg("files") = nb::dict())
      .def_static(
          "from_xml_string",
          [](const std::string& xml, const nb::dict& files) {
            auto all = nb::steal<nb::dict>(PyDict_Copy(files.ptr()));
            all["<string>"] = nb::bytes(xml.data(), xml.size());
            Memory memory(all);
            return Model{Load("<string>", memory)};
          },
          nb::arg("xml"), nb::arg("files") = nb::dict())
      .def_static(
          "from_bytes", [](const nb::bytes& bytes) { return Model{LoadBytes(bytes)}; }, nb::arg("bytes"))
      .def("to_bytes", &Save)
      .def("copy",
           [](const Model& model) { return Model{Own(Checked([&] { return mj_copyModel(nullptr, model.m.get()); }))}; })
      .def("find", [](const Model& model, int type,
                      const std::string& name) { return mj_name2id(model.m.get(), type, name.c_str()); })
      .def("name_of",
           [](const Model& model, int type, int id) {
             const char* name = mj_id2name(model.m.get(), type, id);
             return std::string(name ? name : "");
           })
      .def("__getstate__", &Save)
      .def("__setstate__", [](Model& self, const nb::bytes& bytes) { new (&self) Model{LoadBytes(bytes)}; });
  for (const ModelSize& size : kModelSizes) {
    AddProperty(cls, size.name, nb::cpp_function([&size](const Model& model) {
                  return static_cast<int64_t>((*model.m).*size.member);
                }));
  }
  nb::list fields;
  for (const ModelArray& field : kModelFields) {
    AddProperty(cls, field.name, nb::cpp_function([&field](nb::handle self) { return FieldOf(field, self); }),
                nb::cpp_function(
                    [&field](nb::handle self, nb::handle value) { Assign(FieldOf(field, self), value, field.name); }));
    const char* rows = "";
    for (const ModelSize& size : kModelSizes) {
      if (field.rows.size == size.member && field.rows.factor == 1) rows = size.name;
    }
    fields.append(nb::make_tuple(field.name, rows));
  }
  module.attr("MODEL_FIELDS") = fields;
  AddMembers(cls, "opt", kOptionFields, offsetof(mjModel, opt));
  AddMembers(cls, "stat", kStatisticFields, offsetof(mjModel, stat));
  AddMembers(cls, "vis", kVisualFields, offsetof(mjModel, vis));
}

}  // namespace sinew::python
