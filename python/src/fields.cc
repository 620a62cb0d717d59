#include "fields.h"

#include <cstring>
#include <string_view>

#include "element.h"

namespace sinew::python {
namespace {

// The letter of a kind of elements in element.h.
constexpr char LetterOf(ElementKind kind) {
  switch (kind) {
    case ElementKind::kNum:
      return 'd';
    case ElementKind::kFloat:
      return 'f';
    case ElementKind::kInt:
      return 'i';
    case ElementKind::kByte:
    case ElementKind::kContact:
      return 'B';
    case ElementKind::kChar:
      return 'b';
    default:
      return 'l';
  }
}

}  // namespace

const char* NumpyName(ElementKind kind) { return sinew::NumpyName(LetterOf(kind)); }

namespace {

template <class T>
T Load(const char* at) {
  T value;
  std::memcpy(&value, at, sizeof(value));
  return value;
}

}  // namespace

const StructMember* Members::Find(std::string_view name) const {
  const std::string path = part + std::string(name);
  for (size_t i = 0; i < count; ++i) {
    if (members[i].name == path) return &members[i];
  }
  return nullptr;
}

std::optional<std::string> Members::FindPart(std::string_view name) const {
  if (name.ends_with('_')) name.remove_suffix(1);
  const std::string path = part + std::string(name) + ".";
  for (size_t i = 0; i < count; ++i) {
    if (std::string_view(members[i].name).starts_with(path)) return path;
  }
  return std::nullopt;
}

std::vector<std::string> Members::Names() const {
  std::vector<std::string> names;
  for (size_t i = 0; i < count; ++i) {
    std::string_view name = members[i].name;
    if (!name.starts_with(part)) continue;
    name.remove_prefix(part.size());
    const std::string first(name.substr(0, name.find('.')));
    const std::string known = first == "global" ? "global_" : first;
    if (names.empty() || names.back() != known) names.push_back(known);
  }
  return names;
}

nb::object Read(const StructMember& member, char* base, nb::handle owner) {
  char* at = base + member.offset;
  if (member.count > 1) return ArrayOver(at, member.kind, {member.count}, owner);
  switch (member.kind) {
    case ElementKind::kNum:
      return nb::float_(Load<double>(at));
    case ElementKind::kFloat:
      return nb::float_(static_cast<double>(Load<float>(at)));
    case ElementKind::kInt:
      return nb::int_(Load<int>(at));
    case ElementKind::kByte:
      return nb::int_(static_cast<int>(Load<mjtByte>(at)));
    default:
      return nb::int_(Load<int64_t>(at));
  }
}

void Write(const StructMember& member, char* base, nb::handle owner, nb::handle value) {
  if (member.count > 1) return Assign(Read(member, base, owner), value, member.name);
  nb::object array = ArrayOver(base + member.offset, member.kind, {1}, owner);
  Assign(array, value, member.name);
}

void Assign(nb::handle array, nb::handle value, const char* name) {
  try {
    array[nb::ellipsis()] = value;
  } catch (nb::python_error& error) {
    nb::raise_from(error, PyExc_ValueError, "%s: the value does not fit", name);
  }
}

Numbers NumbersOf(nb::handle object, const char* name) {
  try {
    return nb::cast<Numbers>(nb::module_::import_("numpy").attr("ascontiguousarray")(object, "float64"));
  } catch (nb::python_error& error) {
    nb::raise_from(error, PyExc_TypeError, "%s: these are no numbers", name);
  }
}

void AddProperty(nb::handle cls, const char* name, nb::object get, nb::object set) {
  nb::setattr(cls, name, nb::module_::import_("builtins").attr("property")(get, set));
}

namespace {

nb::object GetMember(nb::handle self, const std::string& name) {
  const Members& of = nb::cast<const Members&>(self);
  if (const StructMember* member = of.Find(name)) return Read(*member, of.base, self);
  if (const auto part = of.FindPart(name)) return nb::cast(Members{of.owner, of.base, of.members, of.count, *part});
  throw nb::attribute_error(("there is no member '" + name + "'").c_str());
}

void SetMember(nb::handle self, const std::string& name, nb::handle value) {
  const Members& of = nb::cast<const Members&>(self);
  const StructMember* member = of.Find(name);
  if (!member) throw nb::attribute_error(("there is no member '" + name + "'").c_str());
  Write(*member, of.base, self, value);
}

}  // namespace

void DefineMembers(nb::module_& module) {
  nb::class_<Members>(module, "Members", "Members of a structure of the engine.")
      .def("__getattr__", &GetMember)
      .def("__setattr__", &SetMember)
      .def("__dir__", &Members::Names);
}

}  // namespace sinew::python
