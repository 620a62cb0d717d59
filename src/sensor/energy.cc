// Energies of a world: gravity, springs of joints and tendons, bushings, muscles with tendons, compliant contacts,
// flexes; and the kinetic energy from the inertia matrix, which contains armature. docs/how/sensors.md says what is
// left out.
#include "sensor/energy.h"

#include "core/stack.h"
#include "force/actuation.h"
#include "force/compliant_contact.h"
#include "force/flex_energy.h"
#include "force/spring_kernel.h"
#include "inertia/inertia.h"
#include "math/dense.h"
#include "model/state/awake.h"
#include "model/storage/extension.h"
#include "model/view/data_view.h"
#include "model/view/model_view.h"

namespace sinew::inline sensor {
namespace {

using Model = ModelView<double>;
using Data = DataView<double>;

// The height of each body's centre of mass counts from the origin of the world.
double Gravity(const Model& m, const Data& d) {
  if (m.opt_disableflags() & mjDSBL_GRAVITY) return 0;
  double energy = 0;
  for (int b = 1; b < m.nbody(); ++b) energy -= m.body_mass(b) * Dot(m.opt_gravity(), d.xipos(b));
  return energy;
}

// A ball or free joint stores energy by the length of its displacement, as rotation vector or translation.
double JointSpring(const Model& m, const Data& d, int joint) {
  const Polynomial<double> stiffness = JointStiffness(m, joint);
  if (stiffness.IsZero()) return 0;
  const int adr = m.jnt_qposadr(joint);
  switch (m.jnt_type(joint)) {
    case mjJNT_FREE:
      return stiffness.Energy(Norm(PositionDisplacement(m, d, adr))) +
             stiffness.Energy(Norm(RotationDisplacement(m, d, adr + 3)));
    case mjJNT_BALL:
      return stiffness.Energy(Norm(RotationDisplacement(m, d, adr)));
    default:
      return stiffness.Energy(JointDisplacement(m, d, joint));
  }
}

double TendonSpring(const Model& m, const Data& d, int tendon) {
  return TendonStiffness(m, tendon).Energy(TendonDisplacement(m, d, tendon));
}

// Limit forces, ligaments and bushings.
double PassiveElements(const Model& m, const Data& d) {
  double energy = BushingEnergy(m, d);
  const SpringLaws springs(m.raw());
  ForJointLaws(m, d, springs, [&](int joint, const SpringLawList& laws) {
    energy += SpringOf<double>(laws, LawCoordinate(m, d, joint)).energy;
  });
  ForTendonLaws(m, springs, [&](int t, const SpringLawList& laws) {
    if (!IsAsleep(m.raw(), d.raw(), mjOBJ_TENDON, t)) energy += SpringOf<double>(laws, d.ten_length(t)).energy;
  });
  return energy;
}

}  // namespace

// Springs of what sleeps do not count, as documented results have it; its height does.
void EnergyPos(const mjModel* model, mjData* data) {
  const Model m(model);
  const Data d(data);
  double energy = Gravity(m, d);
  if (!(m.opt_disableflags() & mjDSBL_SPRING)) {
    for (int j = 0; j < m.njnt(); ++j) {
      if (!IsAsleep(model, data, mjOBJ_JOINT, j)) energy += JointSpring(m, d, j);
    }
    for (int t = 0; t < m.ntendon(); ++t) {
      if (!IsAsleep(model, data, mjOBJ_TENDON, t)) energy += TendonSpring(m, d, t);
    }
  }
  if (!(m.opt_disableflags() & mjDSBL_SPRING)) energy += PassiveElements(m, d);
  for (int i = 0; i < m.nu(); ++i) {
    if (!IsMusculotendon(model, i) || IsAsleep(model, data, mjOBJ_ACTUATOR, i)) continue;
    const ElasticEnergy stored = MuscleEnergy(model, data, i);
    energy += stored.tendon + stored.fiber;
  }
  data->energy[0] = energy + CompliantEnergy(model, data) + FlexEnergy(model, data);
  data->flg_energypos = 1;
}

// Kinetic energy is half the product of momentum and velocity, over all dofs.
void EnergyVel(const mjModel* m, mjData* d) {
  StackFrame frame(d);
  const int nv = static_cast<int>(m->nv);
  double* momentum = frame.Doubles(nv);
  MulM(m, d, momentum, d->qvel);
  d->energy[1] = 0.5 * Dot(momentum, d->qvel, nv);
  d->flg_energyvel = 1;
}

// Without the flag, energies read zero unless a sensor has computed them.
void ForwardEnergyPos(const mjModel* m, mjData* d) {
  if (m->opt.enableflags & mjENBL_ENERGY) {
    if (!d->flg_energypos) EnergyPos(m, d);
  } else if (!d->flg_energypos) {
    d->energy[0] = d->energy[1] = 0;
  }
}

void ForwardEnergyVel(const mjModel* m, mjData* d) {
  if ((m->opt.enableflags & mjENBL_ENERGY) && !d->flg_energyvel) EnergyVel(m, d);
}

}  // namespace sinew::inline sensor
