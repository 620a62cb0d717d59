#include <mujoco/mujoco.h>

#include <string>

#include "core/error.h"
#include "model/check.h"
#include "model/names.h"
#include "model/validate.h"

namespace sinew {
namespace {

// Coordinates and dofs of a joint type (mjtJoint).
constexpr int kJointCoordinates[] = {7, 4, 1, 1};
constexpr int kJointDofs[] = {6, 3, 1, 1};

// Every stage passes over the bodies once, so parents must come first.
void CheckBodies(const mjModel& m) {
  if (m.nbody < 1) throw Error("Invalid model: there is no world body");
  CheckValue("body_parentid", m.body_parentid, 0, 0, 1);
  for (int b = 1; b < m.nbody; ++b) {
    if (m.body_parentid[b] >= b) throw Error("Invalid model: bad body_parentid", "parents come before their children");
    CheckValue("body_rootid", m.body_rootid, b, 0, b + 1);
    CheckValue("body_weldid", m.body_weldid, b, 0, b + 1);
  }
}

void CheckJoints(const mjModel& m) {
  for (int j = 0; j < m.njnt; ++j) {
    CheckBlock("jnt_qposadr", m.jnt_qposadr, j, kJointCoordinates[m.jnt_type[j]], m.nq);
    CheckBlock("jnt_dofadr", m.jnt_dofadr, j, kJointDofs[m.jnt_type[j]], m.nv);
  }
}

// The row of a dof in qM begins with its diagonal and goes on with its ancestors.
void CheckDofs(const mjModel& m) {
  for (int i = 0; i < m.nv; ++i) {
    CheckValue("dof_parentid", m.dof_parentid, i, kNone, i);
    int chain = 0;
    for (int j = i; j >= 0; j = m.dof_parentid[j]) ++chain;
    CheckBlock("dof_Madr", m.dof_Madr, i, chain, m.nM);
    CheckValue("dof_simplenum", m.dof_simplenum, i, 0, m.nv - i + 1);
  }
}

// Rows of M: columns ascend and end with the diagonal. Rows of D: D_diag is a place in the row.
void CheckPatterns(const mjModel& m) {
  for (int i = 0; i < m.nv; ++i) {
    const int* columns = m.M_colind + m.M_rowadr[i];
    const int count = m.M_rownnz[i];
    if (count < 1 || columns[count - 1] != i) throw Error("Invalid model: bad M_colind", "row ends off the diagonal");
    for (int k = 1; k < count; ++k) {
      if (columns[k] <= columns[k - 1]) throw Error("Invalid model: bad M_colind", "columns do not ascend");
    }
    CheckValue("D_diag", m.D_diag, i, 0, m.D_rownnz[i]);
  }
}

void CheckTerminated(const char* array, const char* text, mjtSize size) {
  if (size > 0 && text[size - 1] != '\0') throw Error("Invalid model: " + std::string(array) + " is not terminated");
}

// Texts end inside their array; the hash table holds ids of the kind that its block is for.
void CheckTexts(const mjModel& m) {
  CheckTerminated("names", m.names, m.nnames);
  CheckTerminated("paths", m.paths, m.npaths);
  CheckTerminated("plugin_attr", m.plugin_attr, m.npluginattr);
  for (int i = 0; i < m.ntext; ++i) CheckTerminated("text_data", m.text_data + m.text_adr[i], m.text_size[i]);
  if (m.nnames_map != NamesMapSize(m)) throw Error("Invalid model: wrong size of names_map");
  const int* block = m.names_map;
  for (int type = 0; type < mjNOBJECT; ++type) {
    if (type == mjOBJ_XBODY) continue;  // shares the block of bodies
    const mjtSize count = ObjectCount(m, type);
    CheckValues("names_map", block, 2 * count, kNone, count);
    block += 2 * count;
  }
}

}  // namespace

void ValidateTree(const mjModel& m) {
  CheckBodies(m);
  CheckJoints(m);
  CheckDofs(m);
  CheckPatterns(m);
  CheckTexts(m);
}

}  // namespace sinew
