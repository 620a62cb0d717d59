// Checks paths of tendons and the patterns of their Jacobians: a stage walks the path with its neighbours in view, and
// scatters derivatives into columns that must be there.
#include <mujoco/mujoco.h>

#include <algorithm>
#include <string>

#include "core/error.h"
#include "model/files/validate.h"
#include "model/kinds/chain.h"
#include "model/storage/check.h"
#include "model/view/wrap_types.h"

namespace sinew::inline model {
namespace {

// Checks the ids in the steps of paths. The parameter of a wrapping geom is the id of its side site, as a number.
void CheckWraps(const mjModel& m) {
  for (int i = 0; i < m.nwrap; ++i) {
    switch (m.wrap_type[i]) {
      case mjWRAP_JOINT:
        CheckValue("wrap_objid", m.wrap_objid, i, 0, m.njnt);
        break;
      case mjWRAP_SITE:
        CheckValue("wrap_objid", m.wrap_objid, i, 0, m.nsite);
        break;
      case mjWRAP_SPHERE:
      case mjWRAP_CYLINDER:
      case kWrapEllipsoid:
        CheckValue("wrap_objid", m.wrap_objid, i, 0, m.ngeom);
        if (!(m.wrap_prm[i] >= kNone && m.wrap_prm[i] < static_cast<mjtNum>(m.nsite))) {
          throw Error("Invalid model: wrap_prm out of bounds.", "element " + std::to_string(i));
        }
        break;
      default:
        break;
    }
  }
}

// A path has steps of its own: joints only, or sites, geoms and pulleys, where geoms, up to some in a row, have a site
// on both sides.
void CheckPath(const mjModel& m, int tendon) {
  const int begin = m.tendon_adr[tendon], end = begin + m.tendon_num[tendon];
  const int previous_end = tendon == 0 ? 0 : m.tendon_adr[tendon - 1] + m.tendon_num[tendon - 1];
  if (begin < previous_end || begin == end) ThrowInvalid("tendon_adr", tendon, begin);
  const bool fixed = m.wrap_type[begin] == mjWRAP_JOINT;
  const auto is_site = [&](int step) { return step >= begin && step < end && m.wrap_type[step] == mjWRAP_SITE; };
  int row = 0;  // geoms that follow one another
  for (int step = begin; step < end; ++step) {
    const int type = m.wrap_type[step];
    row = IsWrapGeom(type) ? row + 1 : 0;
    const bool last = row > 0 && (step + 1 == end || !IsWrapGeom(m.wrap_type[step + 1]));
    const bool out_of_place = (row == 1 && !is_site(step - 1)) || (last && !is_site(step + 1)) || row > kMostGeomsInRow;
    if (type == mjWRAP_NONE || out_of_place || fixed != (type == mjWRAP_JOINT)) ThrowInvalid("wrap_type", step, type);
  }
}

// Each dof that moves something on the path has its column.
void CheckDofsOfPath(const mjModel& m, int tendon) {
  const int* columns = m.ten_J_colind + m.ten_J_rowadr[tendon];
  const auto check = [&](int dof) {
    if (!std::binary_search(columns, columns + m.ten_J_rownnz[tendon], dof)) ThrowInvalid("ten_J_rownnz", tendon, dof);
  };
  for (int step = m.tendon_adr[tendon]; step < m.tendon_adr[tendon] + m.tendon_num[tendon]; ++step) {
    const int object = m.wrap_objid[step];
    if (m.wrap_type[step] == mjWRAP_JOINT) check(m.jnt_dofadr[object]);
    if (m.wrap_type[step] == mjWRAP_JOINT || m.wrap_type[step] == mjWRAP_PULLEY) continue;
    const int body = m.wrap_type[step] == mjWRAP_SITE ? m.site_bodyid[object] : m.geom_bodyid[object];
    for (int dof = LastDof(&m, body); dof >= 0; dof = m.dof_parentid[dof]) check(dof);
  }
}

}  // namespace

void ValidateTendons(const mjModel& m) {
  CheckWraps(m);
  for (int i = 0; i < m.ntendon; ++i) {
    CheckPath(m, i);
    CheckAscend("ten_J_colind", m.ten_J_colind, m.ten_J_rowadr[i], m.ten_J_rownnz[i], 0);
    CheckDofsOfPath(m, i);
  }
}

}  // namespace sinew::inline model
