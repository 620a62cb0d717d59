#include "model/print.h"

#include <algorithm>
#include <cctype>
#include <cstdio>
#include <cstring>
#include <string_view>

#include "model/fields.h"
#include "model/names.h"

namespace sinew {
namespace {

// Columns at which values begin.
constexpr std::size_t kWideLabel = 21, kLabel = 19;

std::string Upper(std::string text) {
  std::transform(text.begin(), text.end(), text.begin(), [](unsigned char c) { return std::toupper(c); });
  return text;
}

// What comes before the first `separator`.
std::string_view Head(std::string_view name, char separator) { return name.substr(0, name.find(separator)); }

class Printer {
 public:
  explicit Printer(const std::string& format) : format_(format) {}

  Printer& operator<<(std::string_view piece) {
    text_ += piece;
    return *this;
  }

  // Elements one behind the other.
  void Values(ElementKind kind, const void* values, std::size_t count) {
    for (std::size_t i = 0; i < count; ++i) {
      Value(kind, static_cast<const char*>(values) + i * ElementSize(kind));
      text_ += ' ';
    }
    text_ += '\n';
  }

  // A label, and values in the column that follows labels of that width.
  void Labelled(std::size_t indent, std::string label, std::size_t width, ElementKind kind, const void* values,
                std::size_t count) {
    label.resize(std::max(width, label.size()) + 1, ' ');
    // A format with room for a sign brings the last blank itself.
    if (IsReal(kind)) label.pop_back();
    text_.append(indent, ' ').append(label);
    Values(kind, values, count);
  }

  // An array under its name, a line a row.
  void Rows(const std::string& title, ElementKind kind, const void* values, std::size_t rows, std::size_t columns) {
    if (rows == 0 || columns == 0) return;
    text_ += title + "\n";
    // A column of whole numbers reads better as a line.
    if (columns == 1 && !IsReal(kind)) std::swap(rows, columns);
    for (std::size_t row = 0; row < rows; ++row) {
      text_ += "  ";
      Values(kind, static_cast<const char*>(values) + row * columns * ElementSize(kind), columns);
    }
    text_ += '\n';
  }

  std::string Take() { return std::move(text_); }

 private:
  static bool IsReal(ElementKind kind) { return kind == ElementKind::kNum || kind == ElementKind::kFloat; }

  template <class T>
  static T Load(const char* value) {
    T loaded;
    std::memcpy(&loaded, value, sizeof loaded);
    return loaded;
  }

  void Value(ElementKind kind, const char* value) {
    switch (kind) {
      case ElementKind::kNum:
        return Real(Load<mjtNum>(value));
      case ElementKind::kFloat:
        return Real(static_cast<double>(Load<float>(value)));
      case ElementKind::kInt:
        text_ += std::to_string(Load<int>(value));
        return;
      case ElementKind::kByte:
        text_ += std::to_string(static_cast<int>(Load<mjtByte>(value)));
        return;
      case ElementKind::kSize:
        text_ += std::to_string(Load<mjtSize>(value));
        return;
      case ElementKind::kPointer:
        text_ += Load<uintptr_t>(value) ? "1" : "0";
        return;
      default:
        text_ += *value;
    }
  }

  void Real(double value) {
    char text[400];  // 308 digits before the point, and what a width of two digits adds
    const int length = std::snprintf(text, sizeof text, format_.c_str(), value);
    text_.append(text, static_cast<std::size_t>(std::clamp(length, 0, static_cast<int>(sizeof text) - 1)));
  }

  const std::string& format_;
  std::string text_;
};

// ---- model

// Kinds of objects: the first part of the names of their arrays, and how many there are.
struct Family {
  const char* prefix;
  const char* title;
  mjtObj type;  // mjOBJ_UNKNOWN: has no names
  mjtSize mjModel::*count;
};

constexpr Family kFamilies[] = {{"body", "BODY", mjOBJ_BODY, &mjModel::nbody},
                                {"jnt", "JOINT", mjOBJ_JOINT, &mjModel::njnt},
                                {"dof", "DOF", mjOBJ_UNKNOWN, &mjModel::nv},
                                {"tree", "TREE", mjOBJ_UNKNOWN, &mjModel::ntree},
                                {"geom", "GEOM", mjOBJ_GEOM, &mjModel::ngeom},
                                {"site", "SITE", mjOBJ_SITE, &mjModel::nsite},
                                {"cam", "CAMERA", mjOBJ_CAMERA, &mjModel::ncam},
                                {"light", "LIGHT", mjOBJ_LIGHT, &mjModel::nlight},
                                {"flex", "FLEX", mjOBJ_FLEX, &mjModel::nflex},
                                {"mesh", "MESH", mjOBJ_MESH, &mjModel::nmesh},
                                {"skin", "SKIN", mjOBJ_SKIN, &mjModel::nskin},
                                {"hfield", "HFIELD", mjOBJ_HFIELD, &mjModel::nhfield},
                                {"tex", "TEXTURE", mjOBJ_TEXTURE, &mjModel::ntex},
                                {"mat", "MATERIAL", mjOBJ_MATERIAL, &mjModel::nmat},
                                {"pair", "PAIR", mjOBJ_PAIR, &mjModel::npair},
                                {"exclude", "EXCLUDE", mjOBJ_EXCLUDE, &mjModel::nexclude},
                                {"eq", "EQUALITY", mjOBJ_EQUALITY, &mjModel::neq},
                                {"tendon", "TENDON", mjOBJ_TENDON, &mjModel::ntendon},
                                {"actuator", "ACTUATOR", mjOBJ_ACTUATOR, &mjModel::nu},
                                {"sensor", "SENSOR", mjOBJ_SENSOR, &mjModel::nsensor},
                                {"plugin", "PLUGIN", mjOBJ_PLUGIN, &mjModel::nplugin},
                                {"numeric", "NUMERIC", mjOBJ_NUMERIC, &mjModel::nnumeric},
                                {"text", "TEXT", mjOBJ_TEXT, &mjModel::ntext},
                                {"tuple", "TUPLE", mjOBJ_TUPLE, &mjModel::ntuple},
                                {"key", "KEYFRAME", mjOBJ_KEY, &mjModel::nkey}};

const Family* FamilyOf(const ModelArray& field) {
  for (const Family& family : kFamilies) {
    if (Head(field.name, '_') == family.prefix) return &family;
  }
  return nullptr;
}

bool IsPerObject(const ModelArray& field, const Family& family) {
  return field.rows.size == family.count && field.rows.factor == 1;
}

void PrintObjects(const mjModel& m, const Family& family, Printer& out) {
  for (int id = 0; id < m.*family.count; ++id) {
    out << "\n" << family.title << " " << std::to_string(id) << ":\n";
    const char* name = family.type == mjOBJ_UNKNOWN ? nullptr : Id2Name(m, family.type, id);
    if (name) out << "  name                  " << name << "\n";
    for (const ModelArray& field : kModelFields) {
      if (FamilyOf(field) != &family || !IsPerObject(field, family)) continue;
      const auto columns = static_cast<std::size_t>(field.columns(m));
      const char* row =
          static_cast<const char*>(field.Pointer(m)) + static_cast<std::size_t>(id) * columns * ElementSize(field.kind);
      if (columns > 0) out.Labelled(2, field.name, kWideLabel, field.kind, row, columns);
    }
  }
}

// Members whose names have a part before a point stand under that part.
template <class Struct, std::size_t n>
void PrintStruct(const Struct& object, const StructMember (&members)[n], Printer& out) {
  std::string_view group;
  for (const StructMember& member : members) {
    std::string_view name = member.name;
    const bool grouped = name.find('.') != name.npos;
    if (grouped && Head(name, '.') != group) {
      group = Head(name, '.');
      out << "  " << Upper(std::string(group)) << "\n";
    }
    if (grouped) name.remove_prefix(group.size() + 1);
    out.Labelled(grouped ? 4 : 2, std::string(name), grouped ? kLabel - 2 : kLabel, member.kind, member.In(object),
                 member.count);
  }
}

// ---- data

template <class Array>
void PrintArrays(const mjModel& m, const mjData& d, const Array& fields, Printer& out) {
  for (const DataArray& field : fields) {
    const void* values = field.Pointer(d);
    if (!values || field.kind == ElementKind::kContact) continue;
    out.Rows(Upper(field.name), field.kind, values, static_cast<std::size_t>(field.rows(m, d)),
             static_cast<std::size_t>(field.columns));
  }
}

void PrintContacts(const mjData& d, Printer& out) {
  for (int i = 0; i < d.ncon; ++i) {
    out << "CONTACT " << std::to_string(i) << ":\n";
    PrintStruct(d.contact[i], kContactFields, out);
    out << "\n";
  }
}

}  // namespace

bool IsNumberFormat(const std::string& format) {
  constexpr std::size_t kLongest = 20;
  if (format.size() < 2 || format.size() > kLongest || format[0] != '%') return false;
  std::size_t at = 1;
  const auto skip_digits = [&] {
    const std::size_t begin = at;
    while (at < format.size() && std::isdigit(static_cast<unsigned char>(format[at]))) ++at;
    return at - begin <= 2;  // wider columns overflow lines and buffers
  };
  for (std::string flags; at < format.size() && std::strchr("-+ #0", format[at]); ++at) {
    if (flags.find(format[at]) != flags.npos) return false;
    flags += format[at];
  }
  if (!skip_digits()) return false;
  if (at < format.size() && format[at] == '.') {
    ++at;
    if (!skip_digits()) return false;
  }
  return at + 1 == format.size() && std::strchr("fFgGeE", format[at]);
}

std::string PrintModel(const mjModel& m, const std::string& format) {
  Printer out(format);
  out << "MuJoCo version " << mj_versionString() << "\nmodel name     " << m.names << "\n\nSIZES\n";
  for (const ModelSize& size : kModelSizes) {
    if (m.*size.member != 0) out.Labelled(2, size.name, kLabel, ElementKind::kSize, &(m.*size.member), 1);
  }
  out << "\nOPTION\n";
  PrintStruct(m.opt, kOptionFields, out);
  out << "\nVISUAL\n";
  PrintStruct(m.vis, kVisualFields, out);
  out << "\nSTATISTIC\n";
  PrintStruct(m.stat, kStatisticFields, out);
  for (const Family& family : kFamilies) PrintObjects(m, family, out);

  // What belongs to no object: reference configuration, sparsity, trees. The contents of assets stay out.
  out << "\n";
  for (const ModelArray& field : kModelFields) {
    const bool is_text = field.kind == ElementKind::kChar || Head(field.name, '_').starts_with("name");
    if (FamilyOf(field) || is_text) continue;
    out.Rows(field.name, field.kind, field.Pointer(m), static_cast<std::size_t>(field.rows(m)),
             static_cast<std::size_t>(field.columns(m)));
  }
  return out.Take();
}

std::string PrintData(const mjModel& m, const mjData& d, const std::string& format) {
  Printer out(format);
  out << "SIZES\n";
  PrintStruct(d, kDataScalars, out);
  PrintStruct(d, kDataVectors, out);
  out << "\nWARNING\n";
  for (int i = 0; i < mjNWARNING; ++i) {
    out << "  " << std::to_string(i) << ": lastinfo = " << std::to_string(d.warning[i].lastinfo)
        << ", number = " << std::to_string(d.warning[i].number) << "\n";
  }
  out << "\n";
  PrintArrays(m, d, kDataFields, out);
  PrintContacts(d, out);
  PrintArrays(m, d, kArenaFields, out);
  return out.Take();
}

}  // namespace sinew
