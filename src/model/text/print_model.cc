// Prints a model as text: memory, sizes, settings, then object by object, then what belongs to no object. Fields come
// from the tables, so that a new one appears by itself.
#include <algorithm>
#include <cstring>
#include <string>
#include <string_view>
#include <vector>

#include "model/files/mjb.h"
#include "model/kinds/names.h"
#include "model/storage/model.h"
#include "model/text/print.h"
#include "model/text/text_printer.h"
#include "model/view/fields.h"

namespace sinew::inline model {
namespace {

// ---- memory and sizes

bool IsIn(mjtSize mjModel::*size, std::initializer_list<mjtSize mjModel::*> list) {
  return std::find(list.begin(), list.end(), size) != list.end();
}

// Returns the bytes of the arrays whose rows are counted by one of some sizes.
size_t BytesOf(const mjModel& m, std::initializer_list<mjtSize mjModel::*> sizes) {
  size_t bytes = 0;
  for (const ModelArray& array : kModelFields) {
    if (array.rows.size && IsIn(array.rows.size, sizes)) bytes += array.Bytes(m);
  }
  return bytes;
}

void PrintBytes(const char* label, size_t bytes, TextPrinter& out) {
  constexpr size_t kKilo = 1024;
  if (bytes == 0) return;
  if (bytes < kKilo) {
    out.Print("  %-14s%3zu bytes\n", label, bytes);
  } else {
    out.Print("  %-14s%5zu KB\n", label, (bytes + kKilo / 2) / kKilo);
  }
}

// Total size is that of an MJB file, so that the parts add up to it.
void PrintMemory(const mjModel& m, TextPrinter& out) {
  const size_t total = MjbSize(m);
  const size_t meshes =
      BytesOf(m, {&mjModel::nmeshvert, &mjModel::nmeshnormal, &mjModel::nmeshtexcoord, &mjModel::nmeshface,
                  &mjModel::nmeshgraph, &mjModel::nmeshpoly, &mjModel::nmeshpolyvert, &mjModel::nmeshpolymap});
  const size_t skins = BytesOf(m, {&mjModel::nskinvert, &mjModel::nskintexvert, &mjModel::nskinface,
                                   &mjModel::nskinbone, &mjModel::nskinbonevert});
  const size_t bvhs = BytesOf(m, {&mjModel::nbvh, &mjModel::nbvhstatic, &mjModel::nbvhdynamic});
  const size_t textures = BytesOf(m, {&mjModel::ntexdata});
  out.Print("MEMORY\n");
  PrintBytes("total", total, out);
  PrintBytes("meshes", meshes, out);
  PrintBytes("skins", skins, out);
  PrintBytes("bvhs", bvhs, out);
  PrintBytes("textures", textures, out);
  PrintBytes("other", total - meshes - skins - bvhs - textures, out);
}

// Sizes that are zero are left out.
void PrintSizes(const mjModel& m, TextPrinter& out) {
  out.Print("\nSIZES\n");
  for (const ModelSize& size : kModelSizes) {
    const mjtSize value = m.*size.member;
    if (value != 0) out.Print("  %-20s%lld\n", size.name, static_cast<long long>(value));
  }
}

// Reference configurations, in one line each.
void PrintConfiguration(const char* name, const mjtNum* values, mjtSize count, TextPrinter& out) {
  out.Print("%-21s", name);
  for (mjtSize i = 0; i < count; ++i) {
    out.Real(values[i]);
    out.Print(" ");
  }
  out.Print("\n\n");
}

// ---- objects

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
                                {"hfield", "HEIGHTFIELD", mjOBJ_HFIELD, &mjModel::nhfield},
                                {"tex", "TEXTURE", mjOBJ_TEXTURE, &mjModel::ntex},
                                {"mat", "MATERIAL", mjOBJ_MATERIAL, &mjModel::nmat},
                                {"pair", "PAIR", mjOBJ_PAIR, &mjModel::npair},
                                {"exclude", "EXCLUDE", mjOBJ_EXCLUDE, &mjModel::nexclude},
                                {"eq", "EQUALITY", mjOBJ_EQUALITY, &mjModel::neq},
                                {"tendon", "TENDON", mjOBJ_TENDON, &mjModel::ntendon},
                                {"actuator", "ACTUATOR", mjOBJ_ACTUATOR, &mjModel::nu},
                                {"sensor", "SENSOR", mjOBJ_SENSOR, &mjModel::nsensor},
                                {"plugin", "PLUGIN", mjOBJ_PLUGIN, &mjModel::nplugin}};

const char* NameOf(const mjModel& m, mjtObj type, int id) {
  const char* name = Id2Name(m, type, id);
  return name ? name : "";
}

// Whether an array has a row for each object of a family. Of tendons, those that begin with "ten" count, too.
bool BelongsTo(const ModelArray& field, const Family& family) {
  const std::string_view name = field.name, head = name.substr(0, name.find('_'));
  const bool is_called = head == family.prefix || (family.type == mjOBJ_TENDON && head == "ten");
  return is_called && field.rows.size == family.count && field.rows.factor == 1;
}

// Each field has its own line with the label in a column of fixed width, so that objects can be compared by eye.
void PrintRow(const mjModel& m, const ModelArray& field, int id, TextPrinter& out) {
  const auto columns = static_cast<size_t>(field.columns(m));
  if (columns == 0) return;
  out.Print("  %-21s", field.name);
  for (size_t i = 0; i < columns; ++i) {
    if (!TextPrinter::IsReal(field.kind)) out.Print(" ");
    out.Element(field.kind, field.Pointer(m), static_cast<size_t>(id) * columns + i);
    out.Print(" ");
  }
  out.Print("\n");
}

// The hull's adjacency is stored as one array of integers; its first two are the counts
// (model/files/validate_assets.cc).
void PrintHull(const mjModel& m, int mesh, TextPrinter& out) {
  if (m.mesh_graphadr[mesh] < 0) return;
  const int* graph = m.mesh_graph + m.mesh_graphadr[mesh];
  out.Print("  qhull face            %d\n  qhull vert            %d\n", graph[1], graph[0]);
}

// Each step of a path has a type, an object, and a parameter whose meaning depends on the type.
void PrintPath(const mjModel& m, int tendon, TextPrinter& out) {
  out.Print("  path\n    type  objid  prm\n");
  for (int i = m.tendon_adr[tendon]; i < m.tendon_adr[tendon] + m.tendon_num[tendon]; ++i) {
    out.Print("    %d     %d     ", m.wrap_type[i], m.wrap_objid[i]);
    out.Real(m.wrap_prm[i]);
    out.Print("\n");
  }
  out.Print("\n");
}

// Objects without names, such as dofs, are known by their number alone.
void PrintFamily(const mjModel& m, const Family& family, TextPrinter& out) {
  for (int id = 0; id < m.*family.count; ++id) {
    out.Print("\n%s %d:\n", family.title, id);
    if (family.type != mjOBJ_UNKNOWN) out.Print("  name                  %s\n", NameOf(m, family.type, id));
    for (const ModelArray& field : kModelFields) {
      if (BelongsTo(field, family)) PrintRow(m, field, id, out);
    }
    if (family.type == mjOBJ_MESH) PrintHull(m, id, out);
    if (family.type == mjOBJ_TENDON) PrintPath(m, id, out);
  }
  if (m.*family.count > 0) out.Print("\n");
}

// ---- custom data and keyframes

// Arrays of numbers, texts, and tuples of objects that the model carries for programs.
void PrintCustom(const mjModel& m, TextPrinter& out) {
  const auto head = [&](const char* title, mjtObj type, int id, int size) {
    out.Print("\n%s %d:\n  name         %s\n  size         %d\n", title, id, NameOf(m, type, id), size);
  };
  for (int id = 0; id < m.nnumeric; ++id) {
    head("NUMERIC", mjOBJ_NUMERIC, id, m.numeric_size[id]);
    out.Labelled(2, "value", 15, ElementKind::kNum, m.numeric_data + m.numeric_adr[id],
                 static_cast<size_t>(m.numeric_size[id]));
  }
  if (m.nnumeric > 0) out.Print("\n");
  for (int id = 0; id < m.ntext; ++id) {
    head("TEXT", mjOBJ_TEXT, id, m.text_size[id]);
    out.Print("  value        %s\n", m.text_data + m.text_adr[id]);
  }
  if (m.ntext > 0) out.Print("\n");
  for (int id = 0; id < m.ntuple; ++id) {
    head("TUPLE", mjOBJ_TUPLE, id, m.tuple_size[id]);
    out.Print("  elements\n");
    for (int i = m.tuple_adr[id]; i < m.tuple_adr[id] + m.tuple_size[id]; ++i) {
      out.Print("       %s %d, prm = ", mju_type2Str(m.tuple_objtype[i]), m.tuple_objid[i]);
      out.Real(m.tuple_objprm[i]);
      out.Print("\n");
    }
  }
  if (m.ntuple > 0) out.Print("\n");
}

// Where mocap bodies stand unless somebody moves them, `count` numbers each.
std::vector<mjtNum> MocapReference(const mjModel& m, const mjtNum* of_bodies, size_t count) {
  std::vector<mjtNum> values(static_cast<size_t>(m.nmocap) * count);
  for (int b = 0; b < m.nbody; ++b) {
    if (m.body_mocapid[b] < 0) continue;
    const auto from = static_cast<size_t>(b) * count, to = static_cast<size_t>(m.body_mocapid[b]) * count;
    std::copy_n(of_bodies + from, count, values.begin() + static_cast<std::ptrdiff_t>(to));
  }
  return values;
}

// A vector of a keyframe, unless it is what a reset gives: `initial`, null for zeros.
void PrintKeyVector(const char* name, int key, const mjtNum* values, mjtSize count, const mjtNum* initial,
                    TextPrinter& out) {
  const mjtNum* row = values + key * count;
  bool differs = false;
  for (mjtSize i = 0; i < count; ++i) differs |= row[i] != (initial ? initial[i] : 0);
  if (!differs) return;
  out.Print("key_%s%-4d", name, key);
  out.Values(ElementKind::kNum, row, static_cast<size_t>(count));
}

// Vectors that are what a reset gives are left out, so that a keyframe shows what it changes.
void PrintKeys(const mjModel& m, TextPrinter& out) {
  const std::vector<mjtNum> mocap_pos = MocapReference(m, m.body_pos, 3);
  const std::vector<mjtNum> mocap_quat = MocapReference(m, m.body_quat, 4);
  for (int id = 0; id < m.nkey; ++id) {
    const char* name = NameOf(m, mjOBJ_KEY, id);
    if (*name) out.Print("key_name%-5d%s\n", id, name);
    if (m.key_time[id] != 0) out.Print("key_time%-5d%.4f\n", id, m.key_time[id]);
    PrintKeyVector("qpos", id, m.key_qpos, m.nq, m.qpos0, out);
    PrintKeyVector("qvel", id, m.key_qvel, m.nv, nullptr, out);
    PrintKeyVector("act", id, m.key_act, m.na, nullptr, out);
    PrintKeyVector("ctrl", id, m.key_ctrl, m.nu, nullptr, out);
    PrintKeyVector("mpos", id, m.key_mpos, 3 * m.nmocap, mocap_pos.data(), out);
    PrintKeyVector("mquat", id, m.key_mquat, 4 * m.nmocap, mocap_quat.data(), out);
    out.Print("\n");
  }
}

// ---- sparsity and hierarchies

// Pictures of the sparsity patterns help to see which dofs act on which bodies.
void PrintPatterns(const mjModel& m, TextPrinter& out) {
  const int nv = static_cast<int>(m.nv), nbody = static_cast<int>(m.nbody);
  if (nv == 0) return;
  out.Pattern("B: body-dof matrix", nbody, nv, m.B_rownnz, m.B_rowadr, m.B_colind);
  out.List("B_ROWNNZ", m.B_rownnz, nbody);
  out.List("B_ROWADR", m.B_rowadr, nbody);
  out.List("B_COLIND", m.B_colind, m.nB);
  out.Pattern("M: reduced inertia matrix", nv, nv, m.M_rownnz, m.M_rowadr, m.M_colind);
  out.List("M_ROWNNZ", m.M_rownnz, nv);
  out.List("M_ROWADR", m.M_rowadr, nv);
  out.List("M_COLIND", m.M_colind, m.nC);
  out.List("MAPM2M", m.mapM2M, m.nC);
  out.Pattern("D: dof-dof matrix", nv, nv, m.D_rownnz, m.D_rowadr, m.D_colind, /*mark_diagonal=*/true);
  out.List("D_ROWNNZ", m.D_rownnz, nv);
  out.List("D_ROWADR", m.D_rowadr, nv);
  out.List("D_COLIND", m.D_colind, m.nD);
  out.List("MAPM2D", m.mapM2D, m.nD);
  out.List("MAPD2M", m.mapD2M, m.nC);
}

// Nodes of all hierarchies of boxes are listed in one table; children are numbered within their tree.
void PrintHierarchies(const mjModel& m, TextPrinter& out) {
  if (m.nbvh == 0) return;
  out.Print("BVH:\n  id      depth   nodeid  child[0]  child[1]\n");
  for (int i = 0; i < m.nbvh; ++i) {
    out.Print("  %-8d%-8d% -8d% -10d% d\n", i, m.bvh_depth[i], m.bvh_nodeid[i], m.bvh_child[2 * i],
              m.bvh_child[2 * i + 1]);
  }
  out.Print("\n");
}

}  // namespace

std::string PrintModel(const mjModel& m, const std::string& format) {
  TextPrinter out(format);
  out.Print("MuJoCo version %s\nmodel name     %s\n\n", mj_versionString(), m.names);
  PrintMemory(m, out);
  PrintSizes(m, out);
  out.Print("\nOPTION\n");
  out.Members(m.opt, kOptionFields);
  out.Print("\nVISUAL\n");
  out.Members(m.vis, kVisualFields);
  out.Print("\n");
  const mjtNum mass = TotalMass(m);
  out.Labelled(0, "totalmass", 22, ElementKind::kNum, &mass, 1);
  out.Print("\nSTATISTIC\n");
  out.Members(m.stat, kStatisticFields);
  out.Print("\n");
  PrintConfiguration("qpos0", m.qpos0, m.nq, out);
  PrintConfiguration("qpos_spring", m.qpos_spring, m.nq, out);
  for (const Family& family : kFamilies) PrintFamily(m, family, out);
  PrintCustom(m, out);
  PrintKeys(m, out);
  PrintPatterns(m, out);
  out.Print("\nSIGNATURE\n  %llu\n\n", static_cast<unsigned long long>(m.signature));
  PrintHierarchies(m, out);
  return out.Take();
}

}  // namespace sinew::inline model
