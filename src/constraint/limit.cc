// Rows of limits: the distance of a joint or tendon from an end of its range, where it is less than the margin.
#include "constraint/kinds.h"
#include "constraint/limit_kernel.h"
#include "constraint/tendon_row.h"
#include "model/state/awake.h"
#include "model/view/view_of.h"

namespace sinew::inline constraint {
namespace {

// The two ends of a range: distance = sign * (position - bound) with sign +1 at the lower end, -1 at the upper.
struct LimitSide {
  double sign;
  int end;
};
constexpr LimitSide kSides[2] = {{1, 0}, {-1, 1}};

RowParameters LimitParameters(mjtConstraint type, int id, double distance, double margin, double weight) {
  RowParameters parameters;
  parameters.type = type;
  parameters.id = id;
  parameters.pos[0] = parameters.distance = distance;
  parameters.weight[0] = weight;
  parameters.margin = margin;
  return parameters;
}

RowParameters JointLimitParameters(const mjModel* m, int joint, double distance) {
  RowParameters parameters = LimitParameters(mjCNSTR_LIMIT_JOINT, joint, distance, m->jnt_margin[joint],
                                             m->dof_invweight0[m->jnt_dofadr[joint]]);
  parameters.solref = m->jnt_solref + mjNREF * joint;
  parameters.solimp = m->jnt_solimp + mjNIMP * joint;
  return parameters;
}

void AddScalarJoint(RowBuilder& build, int joint) {
  const mjModel* m = build.model();
  const double position = build.data()->qpos[m->jnt_qposadr[joint]];
  const int dof = m->jnt_dofadr[joint];
  for (const LimitSide& side : kSides) {
    const double distance = side.sign * (position - m->jnt_range[2 * joint + side.end]);
    if (!(distance < m->jnt_margin[joint])) continue;
    RowBlock rows;
    if (!build.Open(1, 1, &dof, &rows)) continue;
    rows(0, 0) = side.sign;
    build.Close(rows, JointLimitParameters(m, joint, distance));
  }
}

void AddBallJoint(RowBuilder& build, int joint) {
  const mjModel* m = build.model();
  const BallLimit<double> limit = LimitOfBall(ViewOf(m), ViewOf(build.data()), joint);
  if (!(limit.distance < m->jnt_margin[joint])) return;

  const int first = m->jnt_dofadr[joint];
  const int dofs[3] = {first, first + 1, first + 2};
  RowBlock rows;
  if (!build.Open(1, 3, dofs, &rows)) return;
  for (int k = 0; k < 3; ++k) rows(0, k) = limit.jacobian[k];
  build.Close(rows, JointLimitParameters(m, joint, limit.distance));
}

}  // namespace

void AddJointLimits(RowBuilder& build) {
  const mjModel* m = build.model();
  for (int joint = 0; joint < m->njnt; ++joint) {
    if (!m->jnt_limited[joint] || IsAsleep(m, build.data(), mjOBJ_JOINT, joint)) continue;
    switch (m->jnt_type[joint]) {
      case mjJNT_SLIDE:
      case mjJNT_HINGE:
        AddScalarJoint(build, joint);
        break;
      case mjJNT_BALL:
        AddBallJoint(build, joint);
        break;
      default:
        break;  // a free joint has no range
    }
  }
}

void AddTendonLimits(RowBuilder& build) {
  const mjModel* m = build.model();
  for (int tendon = 0; tendon < m->ntendon; ++tendon) {
    if (!m->tendon_limited[tendon] || IsAsleep(m, build.data(), mjOBJ_TENDON, tendon)) continue;
    const double margin = m->tendon_margin[tendon];
    for (const LimitSide& side : kSides) {
      const double distance = side.sign * (build.data()->ten_length[tendon] - m->tendon_range[2 * tendon + side.end]);
      if (!(distance < margin)) continue;
      RowBlock rows;
      if (!OpenTendonRow(build, tendon, side.sign, &rows)) continue;
      RowParameters parameters =
          LimitParameters(mjCNSTR_LIMIT_TENDON, tendon, distance, margin, m->tendon_invweight0[tendon]);
      parameters.solref = m->tendon_solref_lim + mjNREF * tendon;
      parameters.solimp = m->tendon_solimp_lim + mjNIMP * tendon;
      build.Close(rows, parameters);
    }
  }
}

}  // namespace sinew::inline constraint
