// Sensors with a formula run on a world of dual numbers; limits, touch and energies have slopes of their own.
#include "derivatives/sensors/sensor_rows.h"

#include <algorithm>
#include <optional>

#include "constraint/body_forces.h"
#include "constraint/body_forces_kernel.h"
#include "derivatives/base/dual_order.h"
#include "derivatives/base/names.h"
#include "derivatives/sensors/dual_world.h"
#include "derivatives/terms/actuator_columns.h"
#include "derivatives/terms/actuator_law.h"
#include "derivatives/terms/muscle_law.h"
#include "derivatives/terms/tendon_armature.h"
#include "force/actuation_kernel.h"
#include "inertia/inertia.h"
#include "kinematics/tendon_kernel.h"
#include "kinematics/transmission_kernel.h"
#include "kinematics/velocity.h"
#include "kinematics/velocity_kernel.h"
#include "model/kinds/contact_law.h"
#include "model/kinds/surface.h"
#include "model/storage/extension.h"
#include "sensor/evaluate.h"
#include "sensor/fiber_sensor.h"
#include "sensor/sensor.h"

namespace sinew::inline derivatives {
namespace {

using Number = DualWorld::Number;
constexpr int kLanes = DualWorld::kLanes;

bool AnySensor(const mjModel* m, int type) {
  return std::any_of(m->sensor_type, m->sensor_type + m->nsensor, [&](int t) { return t == type; });
}

// Slopes of lengths, velocities and forces of tendons and actuators in all columns.
class Readings {
 public:
  Readings(const mjModel* m, mjData* d, const ResidualDerivative& residual) : m_(m), d_(d), sizes_(m), tendons_(m, d) {
    if (m->nu > 0) {
      for (std::vector<double>* slopes : {&length_, &velocity_, &force_}) slopes->resize(Size(m->nu * sizes_.all()));
      for (int i = 0; i < m->nu; ++i) AddMotion(i);
      if (!(m->opt.disableflags & mjDSBL_ACTUATION)) AddForces();
    }
    if (!AnySensor(m, mjSENS_JOINTACTFRC)) return;
    // what actuators alone add to the residual
    joint_force_.emplace(sizes_);
    AddActuatorColumns(m, d, tendons_, residual.point(), *joint_force_);
  }

  const TendonRows& tendons() const { return tendons_; }

  // Of a number that an actuator's motion and activations decide, by the columns from `first` on.
  void SetSlopes(int actuator, const StateNumber& x, int first, Number& out) const {
    for (int lane = 0; lane < kLanes; ++lane) {
      const int column = first + lane, k = column - sizes_.activation() - m_->actuator_actadr[actuator];
      out.slope[lane] = 0;
      if (column >= sizes_.all()) continue;
      const size_t at = Index(actuator, column);
      out.slope[lane] = x.slope[kByLength] * length_[at] + x.slope[kByVelocity] * velocity_[at];
      if (k >= 0 && k < m_->actuator_actnum[actuator]) out.slope[lane] += x.slope[kByState + k];
    }
  }

  // Into a world of duals whose lanes begin at column `first`.
  void Set(int first, DualWorld& world) const {
    const DataView<Number> out = world.data();
    for (int lane = 0; lane < kLanes && first + lane < sizes_.all(); ++lane) {
      const int column = first + lane;
      for (int i = 0; i < m_->nu; ++i) {
        const size_t at = Index(i, column);
        out.actuator_length(i).slope[lane] = length_[at];
        out.actuator_velocity(i).slope[lane] = velocity_[at];
        out.actuator_force(i).slope[lane] = force_[at];
      }
      for (int i = 0; joint_force_ && i < m_->nv; ++i) {
        out.qfrc_actuator(i).slope[lane] = -joint_force_->force[column][i];
      }
      SetTendons(lane, world.PositionDof(lane), world.VelocityDof(lane), out);
    }
  }

 private:
  size_t Index(int actuator, int column) const { return Size(actuator * sizes_.all() + column); }

  void AddMotion(int i) {
    const ActuatorRow actuator_row(ModelView<double>(m_), DataView<double>(d_), tendons_, i);
    const Row& row = actuator_row.row();
    const bool disabled = (m_->opt.disableflags & mjDSBL_ACTUATION) != 0;
    const double* length = actuator_row.length() ? actuator_row.length() : row.J;
    for (int k = 0; k < row.count; ++k) {
      const size_t q = Index(i, row.dof[k]), v = Index(i, sizes_.velocity() + row.dof[k]);
      length_[q] = length[k];
      velocity_[q] = disabled ? 0 : row.TurnTimes(k, d_->qvel);
      velocity_[v] = disabled ? 0 : row.J[k];
    }
  }

  // out (all columns) += scale times the slopes of a force of actuator i
  void AddForce(int i, const ForceSlopes& force, double scale, double* out) const {
    for (int c = 0; c < sizes_.activation(); ++c) {
      const size_t at = Index(i, c);
      out[c] += scale * (force.along.f_length * length_[at] + force.along.f_velocity * velocity_[at]);
    }
    for (int k = 0; k < m_->actuator_actnum[i]; ++k) {
      out[sizes_.activation() + m_->actuator_actadr[i] + k] += scale * force.f_act[k];
    }
    // a delayed control acts later
    if (!IsDelayed(ModelView<double>(m_), i)) out[sizes_.control() + i] += scale * force.f_control;
  }

  // Where a tendon limits the sum of its actuators' forces, each changes with the sum as well.
  void AddForces() {
    const ModelView<double> m(m_);
    const DataView<double> d(d_);
    const std::vector<ForceShare> shares = SharesOfSlopes(m, d);
    std::vector<std::vector<double>> sums(Size(m_->ntendon));
    for (int i = 0; i < m_->nu; ++i) {
      if (ActuatorDisabled(m, i)) continue;
      AddForce(i, SlopesOfForce(m, d, i, shares[Size(i)].own), 1, &force_[Index(i, 0)]);
      if (m.actuator_trntype(i) != mjTRN_TENDON || !m.tendon_actfrclimited(m.actuator_trnid(i)[0])) continue;
      std::vector<double>& sum = sums[Size(m.actuator_trnid(i)[0])];
      sum.resize(Size(sizes_.all()));
      AddForce(i, SlopesOfForce(m, d, i, 1), 1, sum.data());
      AddForce(i, SlopesOfForce(m, d, i, 0), -1, sum.data());
    }
    for (int i = 0; i < m_->nu; ++i) {
      const double share = shares[Size(i)].sum;
      for (int c = 0; share != 0 && c < sizes_.all(); ++c) {
        force_[Index(i, c)] += share * sums[Size(m.actuator_trnid(i)[0])][Size(c)];
      }
    }
  }

  void SetTendons(int lane, int q, int v, const DataView<Number>& out) const {
    if (q < 0 && v < 0) return;
    for (int t = 0; t < m_->ntendon; ++t) {
      const Row row = tendons_[t];
      for (int k = 0; k < row.count; ++k) {
        if (row.dof[k] == q) out.ten_length(t).slope[lane] = row.J[k];
        if (row.dof[k] == q) out.ten_velocity(t).slope[lane] = row.TurnTimes(k, d_->qvel);
        if (row.dof[k] == v) out.ten_velocity(t).slope[lane] = row.J[k];
      }
    }
  }

  const mjModel* m_;
  mjData* d_;
  const StateSizes sizes_;
  const TendonRows tendons_;
  std::vector<double> length_, velocity_, force_;  // nu x all
  std::optional<ResidualColumns> joint_force_;
};

// Sensors that have no formula of their own numbers (sensor/sensor_kernel.h).
class OtherSensors {
 public:
  OtherSensors(const mjModel* m, mjData* d, const TendonRows& tendons, const DualWorld& world,
               const ForceChanges& changes)
      : m_(m), d_(d), world_(world), changes_(changes), momentum_(Size(m->nv)) {
    if (!AnySensor(m, mjSENS_E_KINETIC)) return;
    MulM(m, d, momentum_.data(), d->qvel);
    armature_ = ArmatureEnergySlopes(m, d, tendons);
  }

  double Slope(const SensorSpec& s, int lane) const {
    switch (s.type) {
      case mjSENS_TOUCH:
        return Touch(s.objid, lane);
      case mjSENS_JOINTLIMITPOS:
      case mjSENS_JOINTLIMITVEL:
      case mjSENS_JOINTLIMITFRC:
        return Limit(LimitRow(d_, mjCNSTR_LIMIT_JOINT, s.objid), s.type - mjSENS_JOINTLIMITPOS, lane);
      case mjSENS_TENDONLIMITPOS:
      case mjSENS_TENDONLIMITVEL:
      case mjSENS_TENDONLIMITFRC:
        return Limit(LimitRow(d_, mjCNSTR_LIMIT_TENDON, s.objid), s.type - mjSENS_TENDONLIMITPOS, lane);
      case mjSENS_E_POTENTIAL:
        return Potential(lane);
      case mjSENS_E_KINETIC:
        return Kinetic(lane);
      default:
        return 0;  // whether a point is in a volume
    }
  }

 private:
  double Touch(int site, int lane) const {
    double sum = 0;
    for (const ContactChange& contact : changes_.contacts) {
      if (TouchForce(m_, d_, site, contact.contact) > 0) sum += world_.NormalChange(lane, contact);
    }
    return sum;
  }

  // `what`: position, velocity, force.
  double Limit(int row, int what, int lane) const {
    const int q = world_.PositionDof(lane), v = world_.VelocityDof(lane);
    const double* da = world_.Acceleration(lane);
    double sum = 0;
    for (const LimitChange& limit : changes_.limits) {
      if (limit.row != row) continue;
      for (const LimitChange::ByDof& by : limit.by_dof) {
        if (what == 0 && by.dof == q) sum += by.moment;
        if (what == 1) sum += by.dof == q ? by.velocity_by_position : by.dof == v ? by.moment : 0;
        if (what != 2) continue;
        sum += by.dof == q ? by.force_by_position : by.dof == v ? by.force_by_velocity : 0;
        if (da) sum += by.force_by_acceleration * da[by.dof];
      }
    }
    return sum;
  }

  // -m g . x, and what springs have done.
  double Potential(int lane) const {
    const int q = world_.PositionDof(lane);
    if (q < 0) return 0;
    double sum = m_->opt.disableflags & mjDSBL_SPRING ? 0 : -d_->qfrc_spring[q];
    if (m_->opt.disableflags & mjDSBL_GRAVITY) return sum;
    for (int b = 1; b < m_->nbody; ++b) {
      if (!world_.Moves(lane, b)) continue;
      const Vec3<double> arm = LoadVec3(d_->xipos + 3 * b) - LoadVec3(d_->subtree_com + 3 * m_->body_rootid[b]);
      sum -= m_->body_mass[b] * Dot(LoadVec3(m_->opt.gravity), PointVelocity(world_.Twist(lane, b), arm));
    }
    return sum;
  }

  // By velocities, the momentum. Bodies that turn as one keep their energy: only what is in front of the joint changes
  // their velocity in their own axes, by p = u x s.
  double Kinetic(int lane) const {
    if (world_.VelocityDof(lane) >= 0) return momentum_[Size(world_.VelocityDof(lane))];
    const int q = world_.PositionDof(lane);
    if (q < 0) return 0;
    const DataView<double> data(d_);
    double sum = armature_[Size(q)];
    for (int b = 1; b < m_->nbody; ++b) {
      if (world_.Moves(lane, b)) sum += Dot(data.cinert(b) * data.cvel(b), world_.FrontMotion(q));
    }
    return sum;
  }

  const mjModel* m_;
  mjData* d_;
  const DualWorld& world_;
  const ForceChanges& changes_;
  std::vector<double> momentum_, armature_;
};

// A number that its cutoff holds does not move.
bool IsHeld(const mjModel* m, int sensor, double value) {
  const double cutoff = m->sensor_cutoff[sensor];
  if (cutoff <= 0) return false;
  const int type = m->sensor_datatype[sensor];
  return (type == mjDATATYPE_REAL && (value > cutoff || value < -cutoff)) ||
         (type == mjDATATYPE_POSITIVE && value > cutoff);
}

// The value of a sensor without a formula, which is one number, before its cutoff.
Number PlainValue(const mjModel* m, mjData* d, int sensor) {
  double number[16] = {};
  EvaluateSensor(m, d, sensor, number);
  return Number(number[0]);
}

// The slopes of a sensor's number by the columns from `first` on, which are states and then controls.
void WriteSlopes(const Number& number, int row, int first, const StateSizes& sizes, const TransitionMatrices& result) {
  for (int lane = 0; lane < kLanes; ++lane) {
    const int column = first + lane, control = column - sizes.state();
    if (column < sizes.state() && result.C) {
      result.C[Size(row) * Size(sizes.state()) + Size(column)] = number.slope[lane];
    }
    if (control >= 0 && control < sizes.nu && result.D) {
      result.D[Size(row) * Size(sizes.nu) + Size(control)] = number.slope[lane];
    }
  }
}

// Names forces on bodies beside contacts and applied wrenches, whose slopes are not available here. Null: none.
const char* OtherForcesOnBodies(const mjModel* m) {
  const ModelView<double> model(m);
  if (HasSpatialTendons(model)) return "tendons through space";
  if (HasMedium(model)) return "a medium";
  for (int u = 0; u < m->nu; ++u) {
    if (!HasFixedMomentPattern(model, u)) return "actuators on sites, cranks or bodies";
  }
  for (int b = 1; b < m->nbody && !(m->opt.disableflags & mjDSBL_GRAVITY); ++b) {
    if (m->body_gravcomp[b] != 0 && !IsCompensatedByActuators(model, b)) return "gravity compensation";
  }
  return nullptr;
}

}  // namespace

std::string ObstacleOfSensors(const mjModel* m) {
  for (int i = 0; i < m->nsensor; ++i) {
    const auto refuse = [&](const char* what) { return NameOf(m, mjOBJ_SENSOR, i) + what; };
    if (m->nhistory > 0 && (m->sensor_delay[i] != 0 || m->sensor_interval[2 * i] != 0)) {
      return refuse(" shows what was measured before");
    }
    switch (m->sensor_type[i]) {
      case mjSENS_TOUCH:
        if (FindContactLaws(m)) return refuse(" shows compliant contacts");
        if (HasAdhesion(m, FindSurfaces(m))) return refuse(" shows contacts that stick");
        continue;
      case mjSENS_JOINTLIMITPOS:
      case mjSENS_JOINTLIMITVEL:
      case mjSENS_JOINTLIMITFRC:
      case mjSENS_TENDONLIMITPOS:
      case mjSENS_TENDONLIMITVEL:
      case mjSENS_TENDONLIMITFRC:
        continue;
      case mjSENS_E_POTENTIAL:
        if (FindContactLaws(m)) return refuse(" has the energy of compliant contacts");
        for (int u = 0; u < m->nu; ++u) {
          if (IsMusculotendon(m, u)) return refuse(" has the elastic energy of muscles");
        }
        for (int f = 0; f < m->nflex; ++f) {
          const bool elastic = m->flex_dim[f] > 1 && !m->flex_rigid[f];
          if (elastic || m->flex_passive[f])
            return refuse(" has the elastic energy of flexes, whose slopes are not known");
        }
        continue;
      case mjSENS_E_KINETIC:
      case mjSENS_INSIDESITE:
        continue;
      default:
        break;
    }
    if (m->sensor_type[i] >= kSensorTendonEnergy) return refuse(" shows energy of a tendon or metabolic power");
    if (IsExtensionSensor(m->sensor_type[i])) continue;
    const SensorInput input = InputOf(m->sensor_type[i]);
    if (input == SensorInput::kNoFormula) {
      return refuse(" looks at rays, distances, contacts or surfaces, or is a user's or a plugin's");
    }
    if (input != SensorInput::kBodyForces) continue;
    if (m->nflex > 0) return refuse(" shows forces inside joints, beside flexes");
    if (const char* beside = OtherForcesOnBodies(m))
      return refuse((std::string(" shows forces inside joints, beside ") + beside).c_str());
    if (FindContactLaws(m)) return refuse(" shows forces inside joints, beside compliant contacts");
    if (HasAdhesion(m, FindSurfaces(m))) return refuse(" shows forces inside joints, beside contacts that stick");
    for (int id = 0; id < m->neq; ++id) {
      const bool pose = m->eq_type[id] == mjEQ_CONNECT || m->eq_type[id] == mjEQ_WELD;
      if (pose) return refuse(" shows forces inside joints, beside a connect or a weld");
    }
  }
  return {};
}

void WriteSensorRows(const mjModel* m, mjData* d, const ResidualDerivative& residual, const ForceChanges& changes,
                     const TransitionMatrices& result) {
  const StateSizes sizes(m);
  if (result.C) std::fill_n(result.C, m->nsensordata * sizes.state(), 0.0);
  if (result.D) std::fill_n(result.D, m->nsensordata * sizes.nu, 0.0);
  if (m->nsensor == 0 || (m->opt.disableflags & mjDSBL_SENSOR)) return;
  RnePostConstraint(m, d);
  DualWorld world(m, d, residual, changes);
  const Readings readings(m, d, residual);
  const OtherSensors others(m, d, readings.tendons(), world, changes);
  const bool subtrees = AnySensor(m, mjSENS_SUBTREELINVEL) || AnySensor(m, mjSENS_SUBTREEANGMOM);
  std::vector<Number> value(Size(m->nsensordata));
  for (int i = 0; i < m->nsensor; ++i) {
    if (InputOf(m->sensor_type[i]) == SensorInput::kNoFormula) value[Size(m->sensor_adr[i])] = PlainValue(m, d, i);
  }

  std::vector<StateNumber> fiber(Size(m->nsensor));
  for (int i = 0; i < m->nsensor; ++i) {
    if (!IsExtensionSensor(m->sensor_type[i])) continue;
    const SensorSpec s = SpecOf(m, i);
    fiber[Size(i)] = FiberSensor(ReadingOfFiber(ModelView<double>(m), DataView<double>(d), s.objid), s.type);
  }

  for (int first = result.C ? 0 : sizes.state(); first < (result.D ? sizes.all() : sizes.state()); first += kLanes) {
    world.SetColumns(first);
    readings.Set(first, world);
    if (subtrees) SubtreeVel(world.model(), world.data());
    for (int i = 0; i < m->nsensor; ++i) {
      const SensorSpec spec = SpecOf(m, i);
      Number* out = value.data() + m->sensor_adr[i];
      if (IsExtensionSensor(spec.type)) {
        readings.SetSlopes(spec.objid, fiber[Size(i)], first, *out);
      } else if (InputOf(spec.type) == SensorInput::kNoFormula) {
        for (int lane = 0; lane < kLanes; ++lane) out->slope[lane] = others.Slope(spec, lane);
      } else {
        EvaluateByFormula(world.model(), world.data(), spec, out);
      }
      for (int k = 0; k < m->sensor_dim[i]; ++k) {
        if (!IsHeld(m, i, out[k].value)) WriteSlopes(out[k], m->sensor_adr[i] + k, first, sizes, result);
      }
    }
  }
}

}  // namespace sinew::inline derivatives
