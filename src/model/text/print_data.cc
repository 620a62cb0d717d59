// Data as text: memory, counters, statistics of the solver, then all arrays in the order of the stages that write them.
#include <algorithm>
#include <cstring>
#include <string>
#include <utility>
#include <vector>

#include "core/error.h"
#include "model/kinds/names.h"
#include "model/text/print.h"
#include "model/text/text_printer.h"
#include "model/view/fields.h"

namespace sinew::inline model {
namespace {

// The last digit of a number.
char Digit(int number) { return static_cast<char>('0' + number % 10); }

bool AnyNonzero(const mjtNum* values, mjtSize count) {
  return std::any_of(values, values + count, [](mjtNum value) { return value != 0; });
}

// Writes each array as a section with a title in capitals. Lengths are in metres and angles in radians, as in mjData;
// the format is for people, and no program should parse it.
class DataPrinter {
 public:
  DataPrinter(const mjModel& m, const mjData& d, const std::string& format) : m_(m), d_(d), out_(format) {}

  void Counters();
  void Solver();
  void State();
  void Position();
  void Constraints();
  void Velocity();
  void Islands();
  std::string Take() { return out_.Take(); }

 private:
  const DataArray& Find(const char* name) const;
  void Row(const mjtNum* values, size_t count);
  void Rows(const char* name, const char* title = nullptr);
  void Column(const char* name);
  void Line(const char* name, int count);
  void Label(const char* name);
  void Delay(const char* name, mjtSize dim, int n, const mjtNum* buffer);
  void Delays();
  void Sparse(const char* title, int rows, const int* rownnz, const int* rowadr, const int* colind,
              const mjtNum* values);
  void Tendons();
  void Moments();
  void LegacyInertia();
  void IslandInertia();
  void Inertia();
  void Contact(int i);
  void ConstraintJacobian();
  void IslandRow(int first_dof, int nv, const mjtNum* values);
  void IslandJacobian();
  void IslandOrder(const char* title, const int* order, mjtSize count, const int* first, int in_islands);

  const mjModel& m_;
  const mjData& d_;
  TextPrinter out_;
};

// ---- kinds of arrays

// Throws for a name that the tables do not have, so that a renamed field is found by the first test that prints.
const DataArray& DataPrinter::Find(const char* name) const {
  for (const DataArray& field : kDataFields) {
    if (std::strcmp(field.name, name) == 0) return field;
  }
  for (const DataArray& field : kArenaFields) {
    if (std::strcmp(field.name, name) == 0) return field;
  }
  throw Error("no array of mjData is called " + std::string(name));
}

// Real numbers with more room between them than their format has.
void DataPrinter::Row(const mjtNum* values, size_t count) {
  for (size_t i = 0; i < count; ++i) {
    out_.Print(" ");
    out_.Real(values[i]);
  }
  out_.Print("\n");
}

// Real numbers: a line a row.
void DataPrinter::Rows(const char* name, const char* title) {
  const DataArray& field = Find(name);
  const mjtSize rows = field.rows(m_, d_);
  if (rows == 0 || !field.Pointer(d_)) return;
  out_.Print("%s\n", TextPrinter::Upper(title ? title : name).c_str());
  for (mjtSize row = 0; row < rows; ++row) {
    out_.Print(" ");
    for (mjtSize i = 0; i < field.columns; ++i) {
      out_.Print(" ");
      out_.Element(field.kind, field.Pointer(d_), static_cast<size_t>(row * field.columns + i));
    }
    out_.Print("\n");
  }
  out_.Print("\n");
}

// Whole numbers: a line each.
void DataPrinter::Column(const char* name) { Rows(name); }

// The first ones of an array of whole numbers, in one line.
void DataPrinter::Line(const char* name, int count) {
  out_.List(TextPrinter::Upper(name).c_str(), static_cast<const int*>(Find(name).Pointer(d_)), count);
}

// Whole numbers beside their title.
void DataPrinter::Label(const char* name) {
  const DataArray& field = Find(name);
  const size_t count = field.Count(m_, d_);
  if (count == 0 || !field.Pointer(d_)) return;
  out_.Labelled(0, TextPrinter::Upper(name).c_str(), 22, field.kind, field.Pointer(d_), count);
  out_.Print("\n");
}

// A compressed matrix: column and value of each entry.
void DataPrinter::Sparse(const char* title, int rows, const int* rownnz, const int* rowadr, const int* colind,
                         const mjtNum* values) {
  if (rows == 0) return;
  out_.Print("%s\n", title);
  for (int row = 0; row < rows; ++row) {
    out_.Print("  ");
    for (int k = rowadr[row]; k < rowadr[row] + rownnz[row]; ++k) {
      out_.Print("  %2d: ", colind[k]);
      out_.Real(values[k]);
    }
    out_.Print("\n");
  }
  out_.Print("\n");
}

// ---- counters and statistics

// Counts of bytes and of elements; places within the stack, and the time, are left out because they stand elsewhere.
void DataPrinter::Counters() {
  constexpr double kKilo = 1024;
  const auto kilobytes = [](size_t bytes) { return (bytes + 512) / 1024; };
  const size_t buffer = static_cast<size_t>(d_.nbuffer), arena = static_cast<size_t>(d_.narena);
  out_.Print("MEMORY\n  total    %12zu KB\n", kilobytes(sizeof(mjData) + buffer + arena));
  out_.Print("  struct   %12zu KB\n  buffer   %12zu KB\n", kilobytes(sizeof(mjData)), kilobytes(buffer));
  out_.Print("  arena    %12.0f KB, used %.1f%%\n\nSIZES\n", static_cast<double>(arena) / kKilo,
             100 * static_cast<double>(d_.maxuse_arena) / static_cast<double>(std::max<size_t>(arena, 1)));
  for (const StructMember& member : kDataScalars) {
    const bool is_place = member.name[0] == 'p' || member.kind == ElementKind::kNum;  // of stack and arena; time
    if (!is_place) out_.Labelled(2, member.name, 24, member.kind, member.In(d_), member.count);
  }
  out_.Print("\nTIMER\n");
  for (int i = 0; i < mjNTIMER; ++i) {
    out_.Print("    %d:  duration = ", i);
    out_.Real(d_.timer[i].duration);
    out_.Print("   number = %d\n", d_.timer[i].number);
  }
  out_.Print("\n");
  for (int i = 0; i < mjNWARNING; ++i) {
    if (d_.warning[i].number == 0) continue;
    out_.Print("WARNING\n    %d:  lastinfo = %d   number = %d\n\n", i, d_.warning[i].lastinfo, d_.warning[i].number);
  }
}

// Islands are solved one by one, each with its own iterations; without islands the whole is the first.
void DataPrinter::Solver() {
  const int islands = std::clamp(d_.nisland, 1, static_cast<int>(mjNISLAND));
  if (d_.nefc > 0) {
    out_.Print("SOLVER STAT\n  solver_fwdinv = ");
    Row(d_.solver_fwdinv, 2);
    for (int island = 0; island < islands; ++island) {
      if (d_.solver_niter[island] == 0) continue;
      out_.Print("  ISLAND %d\n    solver_niter = %d\n    solver_nnz = %d\n", island, d_.solver_niter[island],
                 d_.solver_nnz[island]);
      for (int i = 0; i < std::min(d_.solver_niter[island], static_cast<int>(mjNSOLVER)); ++i) {
        const mjSolverStat& stat = d_.solver[island * mjNSOLVER + i];
        out_.Print("      %d:  improvement = ", i);
        out_.Real(stat.improvement);
        out_.Print("    gradient = ");
        out_.Real(stat.gradient);
        out_.Print("    lineslope = ");
        out_.Real(stat.lineslope);
        out_.Print("\n          nactive = %d   nchange = %d   neval = %d   nupdate = %d\n", stat.nactive, stat.nchange,
                   stat.neval, stat.nupdate);
      }
      out_.Print("\n");
    }
  }
  out_.Print("ENERGY = ");
  Row(d_.energy, 2);
  out_.Print("\nTIME = ");
  out_.Values(ElementKind::kNum, &d_.time, 1);
  out_.Print("\n");
}

// ---- state

// A history buffer: what was recorded when.
void DataPrinter::Delay(const char* name, mjtSize dim, int n, const mjtNum* buffer) {
  const mjtNum *times = buffer + 2, *values = times + n;
  out_.Print("'%s':\n    phase  = ", name ? name : "");
  out_.Values(ElementKind::kNum, buffer, 1);
  out_.Print("    cursor =  %d\n    times  = ", static_cast<int>(buffer[1]));
  out_.Values(ElementKind::kNum, times, static_cast<size_t>(n));
  if (dim == 1) {
    out_.Print("    values = ");
    out_.Values(ElementKind::kNum, values, static_cast<size_t>(n));
    return;
  }
  out_.Print("    values:\n");
  for (int i = 0; i < n; ++i) {
    out_.Print("      [%d] =", i);
    out_.Values(ElementKind::kNum, values + i * dim, static_cast<size_t>(dim));
  }
}

// Only actuators and sensors with a history have a buffer.
void DataPrinter::Delays() {
  if (m_.nhistory == 0) return;
  out_.Print("DELAY\n");
  for (int i = 0; i < m_.nu; ++i) {
    if (m_.actuator_history[2 * i] <= 0) continue;
    out_.Print("  actuator %d ", i);
    Delay(Id2Name(m_, mjOBJ_ACTUATOR, i), 1, m_.actuator_history[2 * i], d_.history + m_.actuator_historyadr[i]);
  }
  for (int i = 0; i < m_.nsensor; ++i) {
    if (m_.sensor_history[2 * i] <= 0) continue;
    out_.Print("  sensor %d  ", i);
    Delay(Id2Name(m_, mjOBJ_SENSOR, i), m_.sensor_dim[i], m_.sensor_history[2 * i],
          d_.history + m_.sensor_historyadr[i]);
  }
  out_.Print("\n");
}

// Prints the fields that a state vector may contain, in the order in which mjData declares them.
void DataPrinter::State() {
  for (const char* name : {"qpos", "qvel", "act"}) Rows(name);
  Delays();
  for (const char* name : {"qacc_warmstart", "plugin_state", "ctrl", "qfrc_applied", "xfrc_applied"}) Rows(name);
  Label("eq_active");
  for (const char* name : {"mocap_pos", "mocap_quat", "qacc", "act_dot", "userdata"}) Rows(name);
  Rows("sensordata", "SENSOR");
  Column("tree_asleep");
}

// ---- what follows from the position

// The path of a tendon is given by the points where it touches: the object, and a position in the world's frame in
// metres.
void DataPrinter::Tendons() {
  const int ntendon = static_cast<int>(m_.ntendon), nv = static_cast<int>(m_.nv);
  if (ntendon == 0) return;
  Rows("ten_length");
  out_.Pattern("TEN_J: tendon moments", ntendon, nv, m_.ten_J_rownnz, m_.ten_J_rowadr, m_.ten_J_colind);
  for (const auto& [title, values] : {std::pair("TEN_J_ROWNNZ", m_.ten_J_rownnz), {"TEN_J_ROWADR", m_.ten_J_rowadr}}) {
    out_.Print("%s\n", title);
    for (int i = 0; i < ntendon; ++i) out_.Print("  %d\n", values[i]);
    out_.Print("\n");
  }
  Sparse("TEN_J", ntendon, m_.ten_J_rownnz, m_.ten_J_rowadr, m_.ten_J_colind, d_.ten_J);
  for (int i = 0; i < ntendon; ++i) {
    out_.Print("TENDON %d: %d wrap points\n", i, d_.ten_wrapnum[i]);
    for (int k = d_.ten_wrapadr[i]; k < d_.ten_wrapadr[i] + d_.ten_wrapnum[i]; ++k) {
      out_.Print("    %d:  ", d_.wrap_obj[k]);
      Row(d_.wrap_xpos + 3 * k, 3);
    }
    out_.Print("\n");
  }
}

// A row of the moment matrix is the derivative of an actuator's length with respect to the position of each dof.
void DataPrinter::Moments() {
  const int nu = static_cast<int>(m_.nu);
  if (nu == 0) return;
  Rows("actuator_length");
  out_.Pattern("actuator_moment", nu, static_cast<int>(m_.nv), d_.moment_rownnz, d_.moment_rowadr, d_.moment_colind);
  Sparse("ACTUATOR_MOMENT", nu, d_.moment_rownnz, d_.moment_rowadr, d_.moment_colind, d_.actuator_moment);
}

// The inertia matrix in its legacy layout: its lower triangle, with room where two dofs do not meet.
void DataPrinter::LegacyInertia() {
  out_.Print("QM\n");
  for (int i = 0; i < m_.nv; ++i) {
    std::vector<int> chain;
    for (int j = i; j >= 0; j = m_.dof_parentid[j]) chain.push_back(j);
    out_.Print(" ");
    for (int j = 0; j <= i; ++j) {
      const auto found = std::find(chain.begin(), chain.end(), j);
      out_.Print(" ");
      if (found == chain.end()) {
        out_.Room();
      } else {
        out_.Real(d_.qM[m_.dof_Madr[i] + (found - chain.begin())]);
      }
    }
    out_.Print("\n");
  }
  out_.Print("\n");
}

// Which entries the inertia of each island has; its columns count from its first dof.
void DataPrinter::IslandInertia() {
  const int nv = static_cast<int>(m_.nv);
  out_.Pattern("M: inertia structure", nv, nv, m_.M_rownnz, m_.M_rowadr, m_.M_colind);
  TextPrinter::Picture picture(d_.nidof, d_.nidof);
  for (int i = 0; i < d_.nidof; ++i) {
    const int island = d_.dof_island[d_.map_idof2dof[i]];
    for (int k = d_.iM_rowadr[i]; k < d_.iM_rowadr[i] + d_.iM_rownnz[i]; ++k) {
      picture.Mark(i, d_.island_idofadr[island] + d_.iM_colind[k], Digit(island));
    }
  }
  out_.Draw("iM: block-diagonal inertia (nnzs are island ids)", picture);
}

// Factors are printed as they are stored: L below the diagonal, whose inverse is separate (docs/how/inertia.md).
void DataPrinter::Inertia() {
  const int nv = static_cast<int>(m_.nv);
  Rows("crb");
  if (nv == 0) return;
  const auto triangle = [&](const char* title, const mjtNum* values) {
    Sparse(title, nv, m_.M_rownnz, m_.M_rowadr, m_.M_colind, values);
  };
  LegacyInertia();
  triangle("M", d_.M);
  triangle("QLD", d_.qLD);
  Rows("qLDiagInv");
  if (d_.nisland > 0) IslandInertia();
  if (AnyNonzero(d_.qH, m_.nC)) {
    triangle("QH", d_.qH);
    Rows("qHDiagInv");
  }
}

void DataPrinter::Position() {
  for (const char* name :
       {"xpos",       "xquat",       "xmat",      "xipos",     "ximat",         "xanchor",      "xaxis",
        "geom_xpos",  "geom_xmat",   "site_xpos", "site_xmat", "cam_xpos",      "cam_xmat",     "light_xpos",
        "light_xdir", "subtree_com", "cdof",      "cinert",    "flexvert_xpos", "flexelem_aabb"}) {
    Rows(name);
  }
  if (m_.nflexedge > 0) {
    const int edges = static_cast<int>(m_.nflexedge);
    out_.Pattern("FLEXEDGE_J: flex edge connectivity", edges, static_cast<int>(m_.nv), m_.flexedge_J_rownnz,
                 m_.flexedge_J_rowadr, m_.flexedge_J_colind);
    Sparse("FLEXEDGE_J", edges, m_.flexedge_J_rownnz, m_.flexedge_J_rowadr, m_.flexedge_J_colind, d_.flexedge_J);
    Rows("flexedge_length");
  }
  Tendons();
  Moments();
  Inertia();
  Line("tree_awake", static_cast<int>(m_.ntree));
  Line("body_awake", static_cast<int>(m_.nbody));
  Line("body_awake_ind", d_.nbody_awake);
  Line("parent_awake_ind", d_.nparent_awake);
  Line("dof_awake_ind", d_.nv_awake);
  // Only an implicit integrator fills these, so zeros mean that they were never computed.
  const auto full = [&](const char* title, const mjtNum* values) {
    if (!AnyNonzero(values, m_.nD)) return;
    Sparse(title, static_cast<int>(m_.nv), m_.D_rownnz, m_.D_rowadr, m_.D_colind, values);
  };
  full("QDERIV", d_.qDeriv);
  full("QLU", d_.qLU);
}

// ---- constraints

// Lengths are in metres and forces in newtons; `frame` has the normal as its first row, and the force is given in it.
void DataPrinter::Contact(int i) {
  const mjContact& contact = d_.contact[i];
  const auto number = [&](const char* label, int value) { out_.Print("     %-14s%d\n", label, value); };
  const auto reals = [&](const char* label, const mjtNum* values, size_t count) {
    out_.Print("     %-13s", label);
    Row(values, count);
  };
  const auto name = [&](int geom) {
    const char* text = geom < 0 ? nullptr : Id2Name(m_, mjOBJ_GEOM, geom);
    return text ? std::string(text) : std::to_string(geom);
  };
  out_.Print("  %d:\n", i);
  number("dim", contact.dim);
  out_.Print("     %-14s%s : %s\n", "geoms", name(contact.geom[0]).c_str(), name(contact.geom[1]).c_str());
  number("exclude", contact.exclude);
  number("efc_address", contact.efc_address);
  reals("solref", contact.solref, mjNREF);
  reals("solimp", contact.solimp, mjNIMP);
  reals("dist", &contact.dist, 1);
  reals("includemargin", &contact.includemargin, 1);
  reals("pos", contact.pos, 3);
  reals("frame", contact.frame, 9);
  reals("friction", contact.friction, 5);
  reals("mu", &contact.mu, 1);
  mjtNum force[6];
  mj_contactForce(&m_, &d_, i, force);
  reals("force", force, 6);
}

// A dense Jacobian has nv columns per row. A sparse one also gets a picture of where its entries are.
void DataPrinter::ConstraintJacobian() {
  if (!mj_isSparse(&m_)) {
    out_.Print("EFC_J\n");
    for (int row = 0; row < d_.nefc; ++row) {
      out_.Print(" ");
      Row(d_.efc_J + row * m_.nv, static_cast<size_t>(m_.nv));
    }
    out_.Print("\n");
    return;
  }
  Column("efc_J_rownnz");
  Column("efc_J_rowadr");
  Sparse("EFC_J", d_.nefc, d_.efc_J_rownnz, d_.efc_J_rowadr, d_.efc_J_colind, d_.efc_J);
  TextPrinter::Picture picture(d_.nefc, static_cast<int>(m_.nv));
  for (int row = 0; row < d_.nefc; ++row) {
    for (int k = d_.efc_J_rowadr[row]; k < d_.efc_J_rowadr[row] + d_.efc_J_rownnz[row]; ++k) {
      picture.Mark(row, d_.efc_J_colind[k], 'x');
    }
    picture.NoteFollowers(row, d_.efc_J_rowsuper[row]);
  }
  out_.Draw("J: constraint Jacobian", picture);
}

// A dense row of an island, between the places of the others.
void DataPrinter::IslandRow(int first_dof, int nv, const mjtNum* values) {
  out_.Print(" ");
  for (int i = 0; i < d_.nidof; ++i) {
    if (i < first_dof || i >= first_dof + nv) {
      out_.Print("......... ");
    } else {
      out_.Print(" ");
      out_.Real(values[i - first_dof]);
    }
  }
  out_.Print("\n");
}

// Rows of the islands one after the other.
void DataPrinter::IslandJacobian() {
  if (!mj_isSparse(&m_)) {
    out_.Print("IEFC_J\n");
    for (int island = 0; island < d_.nisland; ++island) {
      const int first = d_.island_iefcadr[island], nv = d_.island_nv[island];
      for (int row = 0; row < d_.island_nefc[island]; ++row) {
        IslandRow(d_.island_idofadr[island], nv, d_.iefc_J + d_.nidof * first + nv * row);
      }
    }
    out_.Print("\n");
    return;
  }
  TextPrinter::Picture picture(d_.nefc, d_.nidof);
  for (int i = 0; i < d_.nefc; ++i) {
    const int island = d_.efc_island[d_.map_iefc2efc[i]];
    for (int k = d_.iefc_J_rowadr[i]; k < d_.iefc_J_rowadr[i] + d_.iefc_J_rownnz[i]; ++k) {
      picture.Mark(i, d_.island_idofadr[island] + d_.iefc_J_colind[k], Digit(island));
    }
    picture.NoteFollowers(i, d_.iefc_J_rowsuper[i]);
  }
  out_.Draw("IEFC_J: block-diagonalized constraint Jacobian (nnzs are island ids)", picture);
}

// Constraint rows exist only while there are constraints.
void DataPrinter::Constraints() {
  if (d_.ncon > 0) {
    out_.Print("CONTACT\n");
    for (int i = 0; i < d_.ncon; ++i) Contact(i);
    out_.Print("\n");
  }
  if (d_.nefc == 0) return;
  Column("efc_type");
  Column("efc_id");
  ConstraintJacobian();
  if (d_.nisland > 0) IslandJacobian();
  for (const char* name :
       {"efc_pos", "efc_margin", "efc_frictionloss", "efc_diagApprox", "efc_KBIP", "efc_D", "efc_R"}) {
    Rows(name);
  }
}

// ---- what follows from the velocity, the controls and the constraints

// Arrays that later stages of a step write; those of skipped stages show what an earlier step has left.
void DataPrinter::Velocity() {
  for (const char* name :
       {"flexedge_velocity", "ten_velocity",  "actuator_velocity", "cvel",           "cdof_dot",
        "qfrc_bias",         "qfrc_spring",   "qfrc_damper",       "qfrc_gravcomp",  "qfrc_fluid",
        "qfrc_passive",      "efc_vel",       "efc_aref",          "subtree_linvel", "subtree_angmom",
        "actuator_force",    "qfrc_actuator", "qfrc_smooth",       "qacc_smooth",    "efc_b",
        "efc_force",         "efc_state",     "qfrc_constraint",   "qfrc_inverse",   "cacc",
        "cfrc_int",          "cfrc_ext"}) {
    Rows(name);
  }
}

// Prints ids in the order of islands, with a bar between islands and before the ids that are in none.
void DataPrinter::IslandOrder(const char* title, const int* order, mjtSize count, const int* first, int in_islands) {
  out_.Print("%-21s", title);
  const int* end = first + d_.nisland;
  for (int i = 0; i < count; ++i) {
    const bool begins = i > 0 && (i == in_islands || std::find(first, end, i) != end);
    out_.Print(begins ? " | %d" : " %d", order[i]);
  }
  out_.Print("\n\n");
}

// Islands exist only where constraints connect trees, and are numbered from zero.
void DataPrinter::Islands() {
  if (d_.nisland > 0) {
    const int ntree = static_cast<int>(m_.ntree);
    Line("tree_island", ntree);
    Line("island_ntree", d_.nisland);
    Line("island_itreeadr", d_.nisland);
    Line("map_itree2tree", ntree);
    for (const char* name : {"dof_island", "island_nv", "island_idofadr"}) Label(name);
    IslandOrder("MAP_IDOF2DOF", d_.map_idof2dof, m_.nv, d_.island_idofadr, d_.nidof);
    for (const char* name : {"efc_island", "island_nefc", "island_iefcadr"}) Label(name);
    IslandOrder("MAP_IEFC2EFC", d_.map_iefc2efc, d_.nefc, d_.island_iefcadr, d_.nefc);
  }
  Label("tendon_efcadr");
}

}  // namespace

std::string PrintData(const mjModel& m, const mjData& d, const std::string& format) {
  DataPrinter printer(m, d, format);
  printer.Counters();
  printer.Solver();
  printer.State();
  printer.Position();
  printer.Constraints();
  printer.Velocity();
  printer.Islands();
  return printer.Take();
}

}  // namespace sinew::inline model
