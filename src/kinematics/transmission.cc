// Transmissions whose moment arms depend on the configuration: slider-cranks, sites, and adhesion of bodies. Their
// entries that are exactly zero are left out.
#include "kinematics/transmission.h"

#include "core/stack.h"
#include "kinematics/com_kernel.h"
#include "kinematics/jacobian.h"
#include "kinematics/slider_crank_kernel.h"
#include "kinematics/transmission_kernel.h"
#include "math/dense.h"
#include "math/rows.h"
#include "model/state/awake.h"
#include "simd/flatten.h"

namespace sinew::inline kinematics {
namespace {

using Vector = Vec3<mjtNum>;
using Model = ModelView<mjtNum>;
using Data = DataView<mjtNum>;

// A 3 x n Jacobian of the dofs of a chain, with whatever part is asked for.
struct ChainJacobian {
  int n;
  const int* chain;
  mjtNum *translation, *rotation;

  static Vector Column(const mjtNum* mat, int n, int i) { return {mat[i], mat[n + i], mat[2 * n + i]}; }
  Vector Translation(int i) const { return Column(translation, n, i); }
  Vector Rotation(int i) const { return Column(rotation, n, i); }
};

// The Jacobian of a site has columns for the dofs of a chain only.
ChainJacobian SiteJacobian(const mjModel* m, mjData* d, int site, int n, const int* chain, StackFrame& frame) {
  const ChainJacobian J = {n, chain, frame.Doubles(3 * n), frame.Doubles(3 * n)};
  Zero(J.translation, 3 * n);
  Zero(J.rotation, 3 * n);
  JacSparse(m, d, J.translation, J.rotation, Row3(d->site_xpos, site), m->site_bodyid[site], n, chain);
  return J;
}

// Rows of the moment matrix hold no zeros here, as in MuJoCo 3.8.0.
void AddNonzeros(const Data& d, int actuator, int n, const int* chain, const mjtNum* value) {
  MomentRow<mjtNum> moment(d, actuator);
  for (int i = 0; i < n; ++i) {
    if (value[i] != 0) moment.Add(chain[i], value[i]);
  }
}

void SliderCrankTransmission(const Model& m, const Data& d, int actuator) {
  const int crank = m.actuator_trnid(actuator)[0], slider = m.actuator_trnid(actuator)[1];
  const mjtNum gear = m.actuator_gear(actuator)[0];
  const Vector axis = d.site_xmat(slider).Column(2);
  const SliderCrank<mjtNum> solution =
      SolveSliderCrank(axis, d.site_xpos(crank) - d.site_xpos(slider), m.actuator_cranklength(actuator));
  d.actuator_length(actuator) = gear * solution.length;

  // chain rule through both sites and the axis
  StackFrame frame(d.raw());
  int* chain = frame.Ints(m.nv());
  const int n = PairChain(m.raw(), m.site_bodyid(crank), m.site_bodyid(slider), chain, false);
  const ChainJacobian of_crank = SiteJacobian(m.raw(), d.raw(), crank, n, chain, frame);
  const ChainJacobian of_slider = SiteJacobian(m.raw(), d.raw(), slider, n, chain, frame);
  mjtNum* moment = frame.Doubles(n);
  for (int i = 0; i < n; ++i) {
    const Vector relative = of_crank.Translation(i) - of_slider.Translation(i);
    const Vector turning = Cross(of_slider.Rotation(i), axis);
    moment[i] = gear * (Dot(solution.gradient_d, relative) + Dot(solution.gradient_a, turning));
  }
  AddNonzeros(d, actuator, n, chain, moment);
}

// The six gears of a site: force and torque. A part whose gears are all zero is left out.
struct SiteGear {
  Vector force, torque;

  bool HasForce() const { return force.x != 0 || force.y != 0 || force.z != 0; }
  bool HasTorque() const { return torque.x != 0 || torque.y != 0 || torque.z != 0; }
};

SiteGear GearOf(const Model& m, int actuator) {
  const mjtNum* gear = m.actuator_gear(actuator);
  return {LoadVec3(gear), LoadVec3(gear + 3)};
}

// A wrench in the site's frame.
void SiteTransmission(const Model& m, const Data& d, int actuator) {
  const int site = m.actuator_trnid(actuator)[0];
  const SiteGear gear = GearOf(m, actuator);
  const Spatial<mjtNum> wrench = GearInWorld(m, d, actuator);
  d.actuator_length(actuator) = 0;

  StackFrame frame(d.raw());
  int* chain = frame.Ints(m.nv());
  const int n = BodyChain(m.raw(), m.site_bodyid(site), chain);
  const ChainJacobian J = SiteJacobian(m.raw(), d.raw(), site, n, chain, frame);
  mjtNum* moment = frame.Doubles(n);
  for (int i = 0; i < n; ++i) {
    moment[i] = 0;
    if (gear.HasForce()) moment[i] += Dot(J.Translation(i), wrench.lin);
    if (gear.HasTorque()) moment[i] += Dot(J.Rotation(i), wrench.rot);
  }
  AddNonzeros(d, actuator, n, chain, moment);
}

// Displacement and rotation of a site relative to a reference site, in the reference's frame; and the wrench between
// them. A servo's reaction acts where its force does, and its torque is the gradient of the rotation.
void RelativeSiteTransmission(const Model& m, const Data& d, int actuator) {
  const int site = m.actuator_trnid(actuator)[0], reference = m.actuator_trnid(actuator)[1];
  const SiteGear gear = GearOf(m, actuator);
  const Mat3<mjtNum>& R = d.site_xmat(reference);
  const Vector arm = d.site_xpos(site) - d.site_xpos(reference);
  const Spatial<mjtNum> wrench = GearInWorld(m, d, actuator);
  mjtNum length = 0;
  if (gear.HasForce()) length += Dot(gear.force, MulTransposed(R, arm));
  if (gear.HasTorque()) length += Dot(gear.torque, RelativeRotation(m, d, site, reference));
  d.actuator_length(actuator) = length;

  // dofs that move both sites do no work
  StackFrame frame(d.raw());
  int* chain = frame.Ints(m.nv());
  const int n = PairChain(m.raw(), m.site_bodyid(site), m.site_bodyid(reference), chain, true);
  const ChainJacobian of_site = SiteJacobian(m.raw(), d.raw(), site, n, chain, frame);
  const ChainJacobian of_reference = SiteJacobian(m.raw(), d.raw(), reference, n, chain, frame);
  const Vector force = wrench.lin, torque = wrench.rot;
  const Vector reaction = UsesLength(m, actuator) ? Cross(arm, force) : Vector{};
  mjtNum* moment = frame.Doubles(n);
  for (int i = 0; i < n; ++i) {
    moment[i] = 0;
    if (gear.HasForce()) {
      moment[i] += Dot(of_site.Translation(i) - of_reference.Translation(i), force);
      moment[i] -= Dot(of_reference.Rotation(i), reaction);
    }
    if (gear.HasTorque()) moment[i] += Dot(of_site.Rotation(i) - of_reference.Rotation(i), torque);
  }
  AddNonzeros(d, actuator, n, chain, moment);
}

// Adds to `row` (nv) the rate at which a contact's normal distance grows per unit velocity of each dof.
void AddNormalRow(const Model& m, const Data& d, const mjContact& contact, mjtNum* row) {
  const Vector point = LoadVec3(contact.pos), normal = LoadVec3(contact.frame);
  for (int side = 0; side < 2; ++side) {
    const int body = m.geom_bodyid(contact.geom[side]);
    const Vector offset = point - TreeCenter(m, d, body);
    for (int dof = LastDof(m.raw(), body); dof >= 0; dof = m.dof_parentid(dof)) {
      const mjtNum rate = Dot(normal, PointVelocity(d.cdof(dof), offset));
      row[dof] += side == 1 ? rate : -rate;
    }
  }
}

// Adhesion pulls a body towards what it touches or nearly touches (contacts in the gap), equally at each contact.
void AdhesionTransmission(const Model& m, const Data& d, int actuator) {
  const int body = m.actuator_trnid(actuator)[0], nv = m.nv();
  StackFrame frame(d.raw());
  mjtNum* sum = frame.Doubles(nv);
  int* dofs = frame.Ints(nv);
  Zero(sum, nv);

  int count = 0;
  for (int c = 0; c < d.ncon(); ++c) {
    const mjContact& contact = d.raw()->contact[c];
    if (!IsAdhesive(m, contact, body)) continue;
    AddNormalRow(m, d, contact, sum);
    ++count;
  }

  for (int i = 0; i < nv; ++i) {
    dofs[i] = i;
    if (count > 0) sum[i] *= -1.0 / count;
  }
  d.actuator_length(actuator) = 0;
  AddNonzeros(d, actuator, nv, dofs, sum);
}

// Kept out of the loop over all actuators, most of which have a fixed pattern: it would push their variables out of
// registers.
[[gnu::noinline]] void VariablePatternTransmission(const Model& m, const Data& d, int u) {
  switch (m.actuator_trntype(u)) {
    case mjTRN_SLIDERCRANK:
      SliderCrankTransmission(m, d, u);
      break;
    case mjTRN_SITE:
      if (m.actuator_trnid(u)[1] == -1) {
        SiteTransmission(m, d, u);
      } else {
        RelativeSiteTransmission(m, d, u);
      }
      break;
    case mjTRN_BODY:
      AdhesionTransmission(m, d, u);
      break;
    default:  // models that are loaded have no other; what a program writes later moves nothing
      d.actuator_length(u) = 0;
      MomentRow<mjtNum>(d, u);
  }
}

}  // namespace

SINEW_FLATTEN void Transmission(const mjModel* model, mjData* data) {
  const Model m(model);
  const Data d(data);
  for (int u = 0; u < m.nu(); ++u) {
    if (IsAsleep(model, data, mjOBJ_ACTUATOR, u)) {
      MomentRow<mjtNum>(d, u);  // empty; the length stays
    } else if (HasFixedMomentPattern(m, u)) {
      FixedPatternTransmission(m, d, u);
    } else {
      VariablePatternTransmission(m, d, u);
    }
  }
}

}  // namespace sinew::inline kinematics
