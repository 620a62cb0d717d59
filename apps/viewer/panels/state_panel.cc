// Joints, controls and equalities by hand.
#include <imgui.h>

#include "viewer/panels/panels.h"
#include "viewer/panels/widgets.h"

namespace sinew {

void DrawJoints(Session& session) {
  const mjModel* m = session.m();
  for (int i = 0; i < m->njnt; ++i) {
    if (m->jnt_type[i] != mjJNT_HINGE && m->jnt_type[i] != mjJNT_SLIDE) continue;
    const double* range = m->jnt_range + 2 * i;
    const double reach = m->jnt_type[i] == mjJNT_SLIDE ? m->stat.extent : mjPI;
    const bool limited = m->jnt_limited[i] != 0;
    double value = session.d()->qpos[m->jnt_qposadr[i]];
    ImGui::PushID(i);
    const bool moved =
        Slider(NameOf(m, mjOBJ_JOINT, i).c_str(), &value, limited ? range[0] : -reach, limited ? range[1] : reach);
    session.held |= ImGui::IsItemActive();
    if (moved) session.SetJoint(i, value);
    if (ImGui::IsItemDeactivatedAfterEdit()) session.Remember();
    ImGui::PopID();
  }
}

void DrawControls(Session& session) {
  const mjModel* m = session.m();
  if (ImGui::Button("all to zero")) mju_zero(session.d()->ctrl, static_cast<int>(m->nu));
  for (int i = 0; i < m->nu; ++i) {
    const double* range = m->actuator_ctrlrange + 2 * i;
    const bool limited = m->actuator_ctrllimited[i] != 0;
    ImGui::PushID(i);
    Slider(NameOf(m, mjOBJ_ACTUATOR, i).c_str(), session.d()->ctrl + i, limited ? range[0] : -1,
           limited ? range[1] : 1);
    ImGui::PopID();
  }
}

void DrawEqualities(Session& session) {
  const mjModel* m = session.m();
  for (int i = 0; i < m->neq; ++i) {
    ImGui::PushID(i);
    Check(NameOf(m, mjOBJ_EQUALITY, i).c_str(), session.d()->eq_active + i);
    ImGui::PopID();
  }
}

}  // namespace sinew
