// The bias force of tendon armature needs the rates of change of tendons' Jacobians: a piece of the path changes its
// direction as well as its ends.
#include <string>

#include "core/error.h"
#include "core/stack.h"
#include "kinematics/actuator_link_kernel.h"
#include "kinematics/tendon.h"
#include "kinematics/tendon_kernel.h"
#include "kinematics/tendon_path.h"
#include "math/sparse.h"

namespace sinew {
namespace {

// Adds scale * d/dt [u' (J_B(q) - J_A(p))] to `dot`, with
//   u' = (1 - u u') w / |q - p|,   w = velocity of q - velocity of p.
void AddPieceDot(const ModelView<mjtNum>& m, const DataView<mjtNum>& d, const StraightPiece& piece, mjtNum scale,
                 mjtNum* dot) {
  const auto velocity = [&](const PathPoint& point) {
    return PointVelocity(d.cvel(point.body), point.p - TreeCenter(m, d, point.body));
  };
  Vec3<mjtNum> u = piece.to.p - piece.from.p;
  const mjtNum length = Normalize(u);
  const Vec3<mjtNum> v_from = velocity(piece.from), v_to = velocity(piece.to), w = v_to - v_from;
  const Vec3<mjtNum> u_dot = length < kMinVal ? Zero3<mjtNum>() : (w - u * Dot(u, w)) * (1 / length);

  ForUncommonDofs(m, piece.from.body, piece.to.body, [&](int dof, bool at_end) {
    const PathPoint& point = at_end ? piece.to : piece.from;
    const Vec3<mjtNum> offset = point.p - TreeCenter(m, d, point.body);
    const Vec3<mjtNum> column = PointVelocity(d.cdof(dof), offset);
    const Vec3<mjtNum> column_dot = PointJacobianDot(m, d, dof, offset, at_end ? v_to : v_from);
    const mjtNum rate = Dot(u_dot, column) + Dot(u, column_dot);
    dot[dof] += at_end ? scale * rate : -scale * rate;
  });
}

}  // namespace

void TendonDot(const mjModel* model, mjData* data, int tendon, mjtNum* dot) {
  const ModelView<mjtNum> m(model);
  const DataView<mjtNum> d(data);
  Zero(dot, m.nv());
  if (IsFixedTendon(m, tendon)) return;

  mjtNum divisor = 1;
  const int end = m.tendon_adr(tendon) + m.tendon_num(tendon);
  for (int step = m.tendon_adr(tendon); step + 1 < end; ++step) {
    const int type = m.wrap_type(step), next = m.wrap_type(step + 1);
    if (type == mjWRAP_PULLEY) divisor = m.wrap_prm(step);
    if (type == mjWRAP_PULLEY || next == mjWRAP_PULLEY) continue;
    if (next != mjWRAP_SITE) {
      throw Error("tendon " + std::to_string(tendon) + " has armature and wraps around geoms",
                  "remove the armature of the tendon and of its actuators, or the geoms from its path");
    }
    const auto site = [&](int path_step) {
      const int id = m.wrap_objid(path_step);
      return PathPoint{d.site_xpos(id), m.site_bodyid(id)};
    };
    AddPieceDot(m, d, {site(step), site(step + 1)}, 1 / divisor, dot);
  }
}

// The bias force is that of the inertia a J'J: its derivative by time, times the velocity.
void TendonBias(const mjModel* model, mjData* data, mjtNum* qfrc) {
  const ModelView<mjtNum> m(model);
  for (int t = 0; t < m.ntendon(); ++t) {
    const mjtNum armature = TotalTendonArmature(m, t);
    if (armature == 0 || IsFixedTendon(m, t)) continue;
    StackFrame frame(data);
    mjtNum* dot = frame.Doubles(m.nv());
    TendonDot(model, data, t, dot);
    const int adr = m.ten_J_rowadr(t);
    AddSparse(qfrc, data->ten_J + adr, model->ten_J_colind + adr, m.ten_J_rownnz(t),
              armature * Dot(dot, data->qvel, m.nv()));
  }
}

}  // namespace sinew
