#include "sensor/energy.h"

#include "core/stack.h"
#include "inertia/inertia.h"
#include "math/dense.h"
#include "math/quat.h"
#include "model/data_view.h"
#include "model/model_view.h"

namespace sinew {
namespace {

using Model = ModelView<double>;
using Data = DataView<double>;

// Integral of (k + p1 x + p2 x^2) x from 0 to x.
double SpringEnergy(double x, double k, const double poly[mjNPOLY]) {
  return x * x * (k / 2 + x * (poly[0] / 3 + x * poly[1] / 4));
}

double Gravity(const Model& m, const Data& d) {
  if (m.opt_disableflags() & mjDSBL_GRAVITY) return 0;
  double energy = 0;
  for (int b = 1; b < m.nbody(); ++b) energy -= m.body_mass(b) * Dot(m.opt_gravity(), d.xipos(b));
  return energy;
}

// Rotation from the spring's reference to q, as the size of its rotation vector.
double BallDeflection(const double* q, const double* reference) {
  Quat<double> now = LoadQuat(q);
  Normalize(now);
  return Norm(RotationVector(Conjugate(LoadQuat(reference)) * now));
}

double JointSpring(const Model& m, const Data& d, int joint) {
  const double k = m.jnt_stiffness(joint);
  const double* poly = m.jnt_stiffnesspoly(joint);
  if (k == 0 && poly[0] == 0 && poly[1] == 0) return 0;
  const int adr = m.jnt_qposadr(joint);
  const double *q = d.qpos_data() + adr, *reference = m.raw()->qpos_spring + adr;
  switch (m.jnt_type(joint)) {
    case mjJNT_FREE:
      return SpringEnergy(Norm(LoadVec3(q) - LoadVec3(reference)), k, poly) +
             SpringEnergy(BallDeflection(q + 3, reference + 3), k, poly);
    case mjJNT_BALL:
      return SpringEnergy(BallDeflection(q, reference), k, poly);
    default:
      return SpringEnergy(q[0] - reference[0], k, poly);
  }
}

// Outside of its dead band a tendon's spring is deflected by the distance to the band.
double TendonSpring(const Model& m, const Data& d, int tendon) {
  const double length = d.ten_length(tendon);
  const double* band = m.tendon_lengthspring(tendon);
  const double x = length > band[1] ? length - band[1] : length < band[0] ? length - band[0] : 0;
  return SpringEnergy(x, m.tendon_stiffness(tendon), m.tendon_stiffnesspoly(tendon));
}

}  // namespace

void EnergyPos(const mjModel* model, mjData* data) {
  const Model m(model);
  const Data d(data);
  double energy = Gravity(m, d);
  if (!(m.opt_disableflags() & mjDSBL_SPRING)) {
    for (int j = 0; j < m.njnt(); ++j) energy += JointSpring(m, d, j);
    for (int t = 0; t < m.ntendon(); ++t) energy += TendonSpring(m, d, t);
  }
  data->energy[0] = energy;
  data->flg_energypos = 1;
}

void EnergyVel(const mjModel* m, mjData* d) {
  StackFrame frame(d);
  const int nv = static_cast<int>(m->nv);
  double* momentum = frame.Doubles(nv);
  MulM(m, d, momentum, d->qvel);
  d->energy[1] = 0.5 * Dot(momentum, d->qvel, nv);
  d->flg_energyvel = 1;
}

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

}  // namespace sinew
