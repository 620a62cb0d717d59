// Models: how they are read, compiled and copied, and their options.
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

std::shared_ptr<mjModel> LoadBytes(const nb::bytes& bytes) {
  mjModel* m = Checked([&] { return mj_loadModelBuffer(bytes.data(), static_cast<int>(bytes.size())); });
  if (!m) RaiseModelError("the bytes are no model of this release");
  return Own(m);
}

// Members of the struct in a model: its options, statistics or settings of pictures.
nb::object MembersOf(nb::handle model, const std::string& name) {
  char* base = reinterpret_cast<char*>(&ModelIn(model));
  const auto members = [&](size_t offset, const auto& table) {
    return nb::cast(Members{nb::borrow(model), base + offset, table, std::size(table)});
  };
  if (name == "opt") return members(offsetof(mjModel, opt), kOptionFields);
  if (name == "stat") return members(offsetof(mjModel, stat), kStatisticFields);
  return members(offsetof(mjModel, vis), kVisualFields);
}

// Fields, each with the name of the size that is the number of its rows.
nb::list Fields() {
  nb::list fields;
  for (const ModelArray& field : kModelFields) {
    const char* rows = "";
    for (const ModelSize& size : kModelSizes) {
      if (field.rows.size == size.member && field.rows.factor == 1) rows = size.name;
    }
    fields.append(nb::make_tuple(field.name, rows));
  }
  return fields;
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

// What python/sinew/_model.py makes its class of.
void DefineModel(nb::module_& module) {
  DefineMembers(module);
  // The file says in which format it is.
  module.def(
      "load_model",
      [](nb::handle path, const nb::dict& files) {
        Memory memory(files);
        return WrapModel(Load(PathOf(path), memory));
      },
      nb::arg("path"), nb::arg("files") = nb::dict());
  module.def(
      "load_model_text",
      [](const std::string& xml, const nb::dict& files) {
        auto all = nb::steal<nb::dict>(PyDict_Copy(files.ptr()));
        all["<string>"] = nb::bytes(xml.data(), xml.size());
        Memory memory(all);
        return WrapModel(Load("<string>", memory));
      },
      nb::arg("xml"), nb::arg("files") = nb::dict());
  module.def(
      "load_model_bytes", [](const nb::bytes& bytes) { return WrapModel(LoadBytes(bytes)); }, nb::arg("bytes"));
  module.def("copy_model", [](nb::handle model) {
    const auto m = ModelOf(model);
    return WrapModel(Own(Checked([&] { return mj_copyModel(nullptr, m.get()); })));
  });
  module.def("members_of", &MembersOf);
  module.attr("MODEL_FIELDS") = Fields();
}

}  // namespace sinew::python
